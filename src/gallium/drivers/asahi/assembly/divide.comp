#version 460
#extension GL_GOOGLE_include_directive : require
// One workgroup counts the points and the corners that the tessellator makes of each patch of a draw, and finds
// memory for them. From then on the draw is one of lists of these.
#include "draw.glsl"
#include "allocate.glsl"
#include "scan.glsl"
#include "tess.glsl"

// Of all patches.
void place_points(assembly to, uint64_t points, uint64_t corners)
{
   heap from = heap(draw.heap_va);
   uint64_t all_B = points * (AGX_POINT_B + draw.point_B) + corners * 4 + 3 * 16;

   if (all_B > from.h.size_B - from.h.used_B) {
      allocate(all_B);
      points = 0;
      corners = 0;
      to.a.patch_groups = uint[3](0, 1, 1);
   }
   to.a.points_va = allocate(points * AGX_POINT_B);
   to.a.emitted_va = allocate(points * draw.point_B);
   to.a.corners_va = allocate(corners * 4);
   to.a.points = uint(points);
   to.a.point_groups = uint[3]((uint(points) + AGX_ASSEMBLY_GROUP - 1) / AGX_ASSEMBLY_GROUP, 1, 1);
   to.a.instances = 1;
   to.a.corners = draw.tess_corners;
   to.a.primitives = uint(corners) / draw.tess_corners;
   to.a.draw = uint[5](uint(corners), 1, (to.a.corners_va.x - draw.heap_va.x) / 4, 0, 0);
}

layout(buffer_reference, std430, buffer_reference_align = 8) buffer counters { uint64_t count[]; };

// Of queries of pipeline statistics, in the order of enum agx_statistic.
void count_statistics(assembly from, uint patches)
{
   counters to = counters(draw.statistics_va);

   if (!is_there(draw.statistics_va))
      return;
   to.count[0] += from.a.shaded_vertices;
   to.count[1] += patches;
   to.count[2] += from.a.shaded_vertices;
   to.count[8] += patches;
   to.count[9] += from.a.points;
   if (draw.shader_invocations != 0) // a geometry shader follows, whose primitives count
      return;
   to.count[5] += from.a.primitives;
   to.count[6] += from.a.primitives;
}

void main()
{
   assembly from = assembly(draw.assembly_va);
   uint patches = from.a.patch_groups[0];
   uint64_t points = 0, corners = 0;

   for (uint start = 0; start < patches; start += SIZE) {
      uint number = start + gl_LocalInvocationIndex;
      uvec2 made = number < patches ? count(division_of(from, number)) : uvec2(0);
      uint end_point = scan_add(made.x), all_points = scan[SIZE - 1];
      uint end_corner = scan_add(made.y);

      if (number < patches) {
         words(from.a.firsts_va).word[2 * number] = uint(points) + end_point - made.x;
         words(from.a.firsts_va).word[2 * number + 1] = uint(corners) + end_corner - made.y;
      }
      points += all_points;
      corners += scan[SIZE - 1];
   }
   if (gl_LocalInvocationIndex != 0)
      return;
   place_points(from, points, corners);
   count_statistics(from, patches);
}
