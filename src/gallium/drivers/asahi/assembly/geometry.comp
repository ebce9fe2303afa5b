#version 460
#extension GL_GOOGLE_include_directive : require
// One invocation finds memory for what the vertex and the geometry shader of a draw make. If the heap ends, they do
// not run.
#include "draw.glsl"
#include "allocate.glsl"

layout(local_size_x = 1) in;

uint groups_of(uint invocations)
{
   return (invocations + AGX_ASSEMBLY_GROUP - 1) / AGX_ASSEMBLY_GROUP;
}

void main()
{
   assembly to = assembly(draw.assembly_va);
   bool is_tessellated = draw.patch_vertices != 0;
   uint64_t vertices = is_tessellated ? 0 : uint64_t(to.a.vertices) * to.a.instances;
   uint64_t invocations = uint64_t(to.a.primitives) * to.a.instances * draw.shader_invocations;
   uint64_t made = invocations * draw.streams * draw.max_primitives * draw.made_corners;
   heap from = heap(draw.heap_va);
   uint used_B = from.h.used_B;

   // All or nothing: a draw that lacks one of them needs none.
   uint64_t all_B = vertices * draw.vertex_B + invocations * draw.max_vertices * draw.emitted_B + made * 8 +
                    invocations * draw.streams * 4 + 5 * 16;

   if (all_B > from.h.size_B - used_B) {
      allocate(all_B);
      vertices = 0;
      invocations = 0;
      made = 0;
   }
   if (is_tessellated) { // its vertices are points that are there, whose numbers are listed
      to.a.vertices_va = to.a.emitted_va;
      to.a.list_va = to.a.corners_va;
   } else {
      to.a.vertices_va = allocate(vertices * draw.vertex_B);
      to.a.shaded_vertices = uint(vertices);
   }
   to.a.emitted_va = allocate(invocations * draw.max_vertices * draw.emitted_B);
   to.a.made_va = allocate(made * 4);
   to.a.counts_va = allocate(invocations * draw.streams * 4);
   to.a.corners_va = allocate(made * 4);
   to.a.invocations = uint(invocations);
   to.a.vertex_groups = uint[3](groups_of(uint(vertices)), 1, 1);
   to.a.geometry_groups = uint[3](groups_of(uint(invocations)), 1, 1);
}
