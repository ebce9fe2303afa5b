#version 450
/* Each point leaves its place and what it sees of the patch in a buffer, and is drawn as a pixel of a row of the
 * patch: where that begins and the width are known, as tessellation makes points in any order. */
#define PARTS (VERTICES < 5 ? VERTICES : 5)
#ifndef SPACING
#define SPACING equal_spacing
#endif
#ifndef ORDER
#define ORDER ccw
#endif
#ifdef POINTS
layout(DOMAIN, SPACING, ORDER, point_mode) in;
#else
layout(DOMAIN, SPACING, ORDER) in;
#endif
layout(location = 0) in float next[];
layout(location = 2) patch in vec4 whole;
layout(location = 3) patch in float parts[PARTS];
layout(location = 0) flat out uvec4 value;
void
main()
{
   float sum = 0.0;
   for (int i = 0; i < gl_PatchVerticesIn; i++)
      sum += next[i];
   float all = 0.0;
   for (int i = 0; i < PARTS; i++)
      all += parts[i];
   value = uvec4(uint(whole.x), uint(whole.y), uint(sum), uint(whole.z + whole.w * 100.0 + all * 10000.0));
   int row = gl_PrimitiveID / 4, column = gl_PrimitiveID % 4;
   vec2 corner = vec2(column, row) * 0.5 - 1.0;
#ifdef LINES
   gl_Position = vec4(corner + vec2(gl_TessCoord.x * 0.5, (floor(gl_TessCoord.y * 16.0 + 0.5) + 0.5) / 32.0), 0, 1);
#elif defined(POINTS)
   // 15 steps of one length; what is elsewhere is not drawn.
   vec2 step = gl_TessCoord.xy * 15.0, whole_step = floor(step + 0.5);
   vec2 off = abs(step - whole_step);
   bool fits = max(off.x, off.y) < 0.01;
   gl_Position = fits ? vec4(corner + (whole_step + 0.5) / 32.0, 0, 1) : vec4(-2, -2, 0, 1);
   gl_PointSize = 1.0;
#else
   gl_Position = vec4(corner + gl_TessCoord.xy * 0.5, 0, 1);
#endif
}
