#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup puts the primitives that the invocations of a geometry shader made one after the other, in the order
// of invocations. From then on the draw is one of lists of these. Stream 0, which is drawn, is the last one.
#include "draw.glsl"
#include "scan.glsl"

void copy(assembly from, uint invocation, uint primitives, uint first)
{
   uint corners = draw.made_corners, room = draw.max_primitives * corners;
   uint start = draw.stream * from.a.invocations * room, at = start + invocation * room;
   words made = words(from.a.made_va), to = words(from.a.corners_va);

   for (uint i = 0; i < primitives * corners; i++)
      to.word[start + first * corners + i] = made.word[at + i];
}

layout(buffer_reference, std430, buffer_reference_align = 8) buffer counters { uint64_t count[]; };

// Of queries of pipeline statistics, in the order of enum agx_statistic.
void count(assembly from, uint made)
{
   counters to = counters(draw.statistics_va);

   if (!is_there(draw.statistics_va))
      return;
   to.count[4] += made;
   if (draw.stream != 0)
      return;
   if (draw.patch_vertices == 0) { // else divide.comp has counted them
      to.count[0] += from.a.shaded_vertices;
      to.count[1] += from.a.invocations / draw.shader_invocations;
      to.count[2] += from.a.shaded_vertices;
   }
   to.count[3] += from.a.invocations;
   to.count[5] += made;
   to.count[6] += made;
}

void main()
{
   assembly from = assembly(draw.assembly_va);
   uint done = 0, counts = draw.stream * from.a.invocations;

   for (uint start = 0; start < from.a.invocations; start += SIZE) {
      uint invocation = start + gl_LocalInvocationIndex;
      uint primitives = invocation < from.a.invocations ? words(from.a.counts_va).word[counts + invocation] : 0;
      uint end = done + scan_add(primitives);

      copy(from, invocation, primitives, end - primitives);
      done += scan[SIZE - 1];
   }
   if (gl_LocalInvocationIndex == 0) {
      uint first = (from.a.corners_va.x - draw.heap_va.x) / 4; // heaps are smaller than 4 GiB

      count(from, done);
      from.a.instances = 1;
      from.a.primitives = done;
      from.a.corners = draw.made_corners;
      from.a.draw = uint[5](done * draw.made_corners, 1, first, 0, 0);
   }
}
