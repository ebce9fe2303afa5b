#version 460
#extension GL_GOOGLE_include_directive : require
// One invocation reads the parameters of a draw: what vertices and primitives it has.
#include "draw.glsl"
#include "allocate.glsl"
#include "indices.glsl"

layout(local_size_x = 1) in;

const uint TRIANGLE_STRIP = 4, TRIANGLE_FAN = 5; // enum pipe_topology
const uint STRIP_ADJACENCY = 9;

// Of a primitive, and vertices from one primitive to the next.
const uint corners_of[] = uint[](1, 2, 2, 3, 3, 3, 4, 4, 6, 6);
const uint steps[] = uint[](1, 2, 1, 3, 1, 1, 4, 1, 6, 2);

void main()
{
   words parameters = words(draw.parameters_va);
   assembly to = assembly(draw.assembly_va);
   bool indexed = draw.index_size_log2 != AGX_NO_INDICES;
   uint first = parameters.word[2], topology = draw.topology, patch_vertices = draw.patch_vertices;
   uint corners = patch_vertices != 0 ? patch_vertices : corners_of[topology];
   agx_assembly a;

   a.index_va = uvec2(0);
   a.list_va = uvec2(0);
   a.index_count = 0;
   a.index_size_log2 = draw.index_size_log2;
   a.vertices = parameters.word[0];
   a.instances = parameters.word[1];
   a.last_index = draw.restart != 0 ? (~0u >> (32 - (8u << draw.index_size_log2))) - 1 : ~0u;
   a.first_vertex = indexed ? parameters.word[3] : first;
   if (indexed && first < draw.index_count) {
      a.index_va = index_address(first);
      a.index_count = draw.index_count - first;
   }
   a.corners = corners;
   a.step = patch_vertices != 0 ? patch_vertices : steps[topology];
   a.is_strip = uint(topology == TRIANGLE_STRIP);
   a.is_fan = uint(topology == TRIANGLE_FAN);
   a.is_strip_adjacency = uint(topology == STRIP_ADJACENCY);
   a.primitives = a.vertices < corners ? 0 : (a.vertices - corners) / a.step + 1;
   if (draw.unroll != 0) {
      // Each vertex ends one at most.
      a.list_va = allocate(uint64_t(a.vertices) * corners * 4);
      a.vertices = is_there(a.list_va) ? a.vertices : 0;
      a.primitives = 0;
   }
   a.captured = 0;
   for (uint i = 0; i < AGX_XFB_BUFFERS; i++)
      a.xfb_va[i] = uvec2(0);
   a.capture_groups = uint[3](0, 1, 1);
   to.a = a;
}
