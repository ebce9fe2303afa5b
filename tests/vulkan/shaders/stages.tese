#version 450
#extension GL_GOOGLE_include_directive : require
#include "stages.glsl"
#ifndef SPACING
#define SPACING equal_spacing
#endif
/* A patch fills a cell of 16 x 16 pixels, or a part of it. */
layout(DOMAIN, SPACING, ORDER) in;
#ifdef POINTS
layout(point_mode) in;
#endif
layout(location = 0) in uvec2 passed[];
layout(location = 2) patch in uvec4 whole;
layout(location = 0 CAPTURED(0)) flat out uvec4 value;

void main()
{
   uint all = 0;

   for (int i = 0; i < gl_PatchVerticesIn; i++)
      all += passed[i].x ^ passed[i].y;
   value = uvec4(whole.x, all, whole.z, whole.w);
   gl_Position = place_of(vec2(whole.y % 4, whole.y / 4 % 4) * 16 + gl_TessCoord.xy * 16);
   gl_PointSize = 1;
}
