#version 450
#extension GL_GOOGLE_include_directive : require
#define CAPTURES
#include "stages.glsl"
/* As many vertices as the first one says, cut into strips where they say so. */
#define MOST 9
layout(INPUT, invocations = 2) in;
layout(OUTPUT, max_vertices = MOST) out;
layout(location = 0) flat in uvec4 value[];
layout(location = 0 CAPTURED(0)) flat out uvec4 made;

void main()
{
   uint first = hash(value[0].x + gl_InvocationID, SEED + 2), count = first % (MOST + 1);

   for (uint i = 0; i < count; i++) {
      uint vertex = i % value.length(), row = floatBitsToUint(gl_in[vertex].gl_Position.y);
      uint h = hash(first + i, value[vertex].x ^ row);

      made = uvec4(h, i, gl_InvocationID, value[vertex].y + value[vertex].z);
      gl_Position = random_place(h);
      gl_PointSize = 1;
      gl_Layer = LAYERED ? int(first >> 16 & 1) : 0;
      gl_ViewportIndex = VIEWPORTS ? int(first >> 17 & 1) : 0;
      EmitVertex();
      if ((h >> 20 & 3) == 0)
         EndPrimitive();
   }
}
