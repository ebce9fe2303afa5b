#version 460
#extension GL_GOOGLE_include_directive : require
// One invocation finds memory for the patches of a draw. If the heap ends, there are none.
#include "draw.glsl"
#include "allocate.glsl"

layout(local_size_x = 1) in;

void main()
{
   assembly to = assembly(draw.assembly_va);
   heap from = heap(draw.heap_va);
   uint64_t vertices = uint64_t(to.a.vertices) * to.a.instances;
   uint64_t patches = uint64_t(to.a.primitives) * to.a.instances;
   uint64_t all_B = vertices * draw.vertex_B + patches * (draw.patch_B + AGX_PATCH_B) + 4 * 16;

   if (all_B > from.h.size_B - from.h.used_B) {
      allocate(all_B);
      vertices = 0;
      patches = 0;
   }
   to.a.vertices_va = allocate(vertices * draw.vertex_B);
   to.a.patches_va = allocate(patches * draw.patch_B);
   to.a.factors_va = allocate(patches * AGX_FACTORS_B);
   to.a.firsts_va = allocate(patches * 8);
   to.a.shaded_vertices = uint(vertices);
   to.a.patches = to.a.primitives;
   to.a.vertex_groups = uint[3]((uint(vertices) + AGX_ASSEMBLY_GROUP - 1) / AGX_ASSEMBLY_GROUP, 1, 1);
   to.a.patch_groups = uint[3](uint(patches), 1, 1);
}
