/* What fragment shaders do to pixels; CASE chooses. */
#version 450
#extension GL_ARB_shader_stencil_export : enable
#extension GL_EXT_demote_to_helper_invocation : enable
#if CASE == 18
#extension GL_EXT_terminate_invocation : require
#endif
#if CASE == 0 || CASE == 2 || CASE == 19
layout(early_fragment_tests) in;
#endif
layout(set = 0, binding = 0) buffer Data { uint counter; uint pad[15]; vec4 values[256]; };
#if CASE == 9
layout(location = 0, index = 0) out vec4 color;
layout(location = 0, index = 1) out vec4 second;
#else
layout(location = 0) out vec4 color;
#endif
#if CASE == 5
layout(depth_greater) out float gl_FragDepth;
#elif CASE == 6
layout(depth_less) out float gl_FragDepth;
#elif CASE == 7
layout(depth_unchanged) out float gl_FragDepth;
#endif
#if CASE == 17
layout(location = 0) flat in vec2 layer;
#endif

void main()
{
   ivec2 p = ivec2(gl_FragCoord.xy);
   uint at = uint(p.y * 16 + p.x);
   color = vec4(1);
#if CASE == 0 || CASE == 1
   atomicAdd(counter, 1u);
#elif CASE == 18
   if ((p.x + p.y) % 2 == 0)
      terminateInvocation;
   atomicAdd(counter, 1u);
#elif CASE == 2 || CASE == 3
   if ((p.x + p.y) % 2 == 0)
      discard;
   atomicAdd(counter, 1u);
#elif CASE == 4
   gl_FragDepth = float(at) / 256.0;
#elif CASE == 5
   gl_FragDepth = gl_FragCoord.z + float(p.x) / 64.0;
#elif CASE == 6
   gl_FragDepth = gl_FragCoord.z - float(p.x) / 64.0;
#elif CASE == 7
   gl_FragDepth = gl_FragCoord.z;
#elif CASE == 8
   gl_FragStencilRefARB = p.x * p.y;
#elif CASE == 9
   color = vec4(0.2, 0.4, 0.6, 0.8);
   second = vec4(vec2(p) / 16.0, 0.5, 0.25);
#elif CASE == 10 || CASE == 19
   gl_SampleMask[0] = p.x;
#elif CASE == 11
   float f = float(p.x * p.x + 5 * p.y * p.y);
   if ((p.x + p.y) % 3 == 0)
      demote;
   float g = float(at % 7u);
   values[at] = vec4(dFdxFine(f), dFdyFine(f), helperInvocationEXT() ? 1.0 : 2.0, dFdxFine(f * 2.0 + g));
   if (helperInvocationEXT())
      atomicAdd(counter, 1u);
#elif CASE == 12
   int n = 0;
   for (int i = 0; i < 20; i++) {
      if (i == p.x) {
         if (p.y % 4 == 1)
            discard;
         if (p.y % 4 == 2)
            break;
      }
      for (int j = 0; j < i; j++) {
         if (j * 3 == p.y)
            continue;
         if (j > p.x && i > 18 && p.y == 15)
            discard;
         n += j;
      }
      if (n > 200 && p.x == 7)
         return;
   }
   color = vec4(float(n % 256) / 255.0, float(n / 256) / 255.0, 1, 1);
#elif CASE == 13
   color = vec4(gl_PointCoord, 0.5, 1);
#elif CASE == 14
   float h = gl_HelperInvocation ? 1.0 : 0.0;
   values[at] = vec4(abs(dFdxFine(h)), abs(dFdyFine(h)), h, 1);
#elif CASE == 15
   color = vec4(float(gl_PrimitiveID) / 255.0, 0, 0, 1);
#elif CASE == 16
   color = vec4(float(gl_Layer) / 255.0, float(gl_ViewportIndex) / 255.0, 1, 1);
#elif CASE == 17
   color = vec4(layer / 255.0, 1, 1);
#endif
}
