#version 460
#extension GL_GOOGLE_include_directive : require
// One invocation reads the parameters of a draw: what vertices and primitives it has.
#include "draw.glsl"

layout(local_size_x = 1) in;

const uint LINE_STRIP = 2, TRIANGLE_LIST = 3, TRIANGLE_STRIP = 4, TRIANGLE_FAN = 5; // enum pipe_topology

uint corners_of(uint topology)
{
   return topology >= TRIANGLE_LIST ? 3 : topology != 0 ? 2 : 1;
}

bool is_list(uint topology)
{
   return topology <= 1 || topology == TRIANGLE_LIST;
}

uint primitives_of(uint topology, uint vertices)
{
   uint corners = corners_of(topology);

   if (vertices < corners)
      return 0;
   return is_list(topology) ? vertices / corners : vertices - corners + 1;
}

// Of as many bytes; zero if the heap ends.
uvec2 allocate(uint64_t size_B)
{
   heap from = heap(draw.heap_va);
   uint used_B = from.h.used_B;

   if (size_B > from.h.size_B - used_B) {
      from.h.wanted_B = max(from.h.wanted_B, uint(min(size_B, uint64_t(~0u))));
      return uvec2(0);
   }
   from.h.used_B = used_B + ((uint(size_B) + 15) & ~15u);
   return address_after(from.h.va, used_B);
}

void main()
{
   words parameters = words(draw.parameters_va);
   assembly to = assembly(draw.assembly_va);
   bool indexed = draw.index_size_log2 != AGX_NO_INDICES;
   uint first = parameters.word[2], topology = draw.topology, corners = corners_of(topology);
   bool list = is_list(topology);
   agx_assembly a;

   a.index_va = uvec2(0);
   a.list_va = uvec2(0);
   a.index_count = 0;
   a.index_size_log2 = draw.index_size_log2;
   a.vertices = parameters.word[0];
   a.instances = parameters.word[1];
   a.first_vertex = indexed ? parameters.word[3] : first;
   if (indexed && first < draw.index_count) {
      // Below 2^34 bytes: the buffer has so many.
      uint64_t first_B = uint64_t(first) << draw.index_size_log2;
      a.index_va = unpackUint2x32(packUint2x32(draw.index_va) + first_B);
      a.index_count = draw.index_count - first;
   }
   a.corners = corners;
   a.step = list ? corners : 1;
   a.is_strip = uint(topology == TRIANGLE_STRIP);
   a.is_fan = uint(topology == TRIANGLE_FAN);
   a.primitives = primitives_of(topology, a.vertices);
   if (draw.restart != 0) {
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
