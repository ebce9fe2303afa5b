#version 450
/* TYPES: 0 floats, 1 unsigned, 2 signed integers, 3 all of them in turn. DEPTH: writes depth. DUAL: two sources.
 * INPUT: adds what the subpass before left. EARLY: tests come first. */
layout(constant_id = 0) const int MODE = 0;

layout(location = 0) in vec4 smooth_color;
layout(location = 1) flat in vec4 flat_color;
layout(location = 2) noperspective in vec4 linear_color;
layout(push_constant) uniform Push { layout(offset = 64) vec4 fragment; };
#ifdef EARLY
layout(early_fragment_tests) in;
#endif

#define WHOLE(color) floor((color) * vec4(100, 100, 100, 1) + 0.25)
#if TYPES == 0
#define OUT(n, TYPE3) layout(location = n) out vec4 out##n;
#define SET(n, TYPE3, color) out##n = color;
#elif TYPES == 1
#define OUT(n, TYPE3) layout(location = n) out uvec4 out##n;
#define SET(n, TYPE3, color) out##n = uvec4(WHOLE(color));
#elif TYPES == 2
#define OUT(n, TYPE3) layout(location = n) out ivec4 out##n;
#define SET(n, TYPE3, color) out##n = ivec4(WHOLE(color)) - ivec4(50, 50, 50, 0);
#else
#define OUT(n, TYPE3) layout(location = n) out TYPE3 out##n;
#define SET(n, TYPE3, color) out##n = TYPE3(n % 3 == 0 ? color : WHOLE(color));
#endif

#ifdef DUAL
layout(location = 0, index = 0) out vec4 out0;
layout(location = 0, index = 1) out vec4 second;
#else
OUT(0, vec4)
OUT(1, uvec4)
OUT(2, ivec4)
OUT(3, vec4)
OUT(4, uvec4)
OUT(5, ivec4)
OUT(6, vec4)
OUT(7, uvec4)
#endif
#ifdef INPUT
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
#endif

void
main()
{
   vec4 color = flat_color;
   const ivec2 pixel = ivec2(gl_FragCoord.xy);
   if (MODE == 1)
      color = smooth_color;
   if (MODE == 2)
      color = linear_color;
   if (MODE == 3)
      color = gl_FrontFacing ? flat_color : flat_color.zwxy;
   if (MODE == 4 && ((pixel.x >> int(fragment.y)) + pixel.y) % 3 == 0)
      discard;
   if (MODE == 5)
      color = vec4(pixel, pixel.x ^ pixel.y, 255) / 255;
   if (MODE == 6)
      color = vec4(gl_FragCoord.z, gl_FragCoord.w, flat_color.ba) / vec4(1, 4, 1, 1);
#ifdef INPUT
   color = (color + 3 * subpassLoad(before).bgra) / 4;
#endif
#ifdef DEPTH
   gl_FragDepth = fragment.x + flat_color.r / 2;
#endif
#ifdef DUAL
   out0 = color;
   second = color.zwxy;
#else
   SET(0, vec4, color)
   SET(1, uvec4, color.bgra)
   SET(2, ivec4, color.grba)
   SET(3, vec4, color.brga)
   SET(4, uvec4, color)
   SET(5, ivec4, color.bgra)
   SET(6, vec4, color.grba)
   SET(7, uvec4, color.brga)
#endif
}
