#version 450
// Its rate, twice its coordinates, and how often it runs. KIND 0: no more; 1: in an ordered section it leaves a trace
// in all pixels that it stands for; 2: exports depth; 3: reads the sample mask; 4: does not count; 5: the
// depth at its centre instead; 6: declares an interlock without a section. See shading_rates.c.
#extension GL_EXT_fragment_shading_rate : require
#if KIND == 1 || KIND == 6
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
#endif
layout(push_constant) uniform Push { float depth; int rate; uint draw; float slope; };
layout(std430, set = 0, binding = 0) coherent buffer Words { uint runs[64]; uint traces[]; };
layout(location = 0) out uint word;
const uint WIDTH = 1035, HEIGHT = 265; // of the image

void main()
{
   uint rate = uint(gl_ShadingRateEXT);
   word = rate | uint(gl_FragCoord.x * 2.0) << 8 | uint(gl_FragCoord.y * 2.0) << 20;
#if KIND != 4
   atomicAdd(runs[draw], 1);
#endif
#if KIND == 1
   uvec2 size = uvec2(1 << (rate >> 2 & 3), 1 << (rate & 3)), first = uvec2(gl_FragCoord.xy) & ~(size - 1);
   beginInvocationInterlockARB();
   for (uint y = first.y; y < min(first.y + size.y, HEIGHT); y++)
      for (uint x = first.x; x < min(first.x + size.x, WIDTH); x++)
         traces[y * WIDTH + x] = traces[y * WIDTH + x] * 3 + draw + 1;
   endInvocationInterlockARB();
#elif KIND == 2
   gl_FragDepth = depth;
#elif KIND == 5
   word = uint(gl_FragCoord.z * 32768.0 + 0.5);
#elif KIND == 3
   word += uint(gl_SampleMaskIn[0] & 1) - 1;
#endif
}
