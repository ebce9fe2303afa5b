#version 450
#extension GL_ARB_fragment_shader_interlock : require
// Each pixel's word, by step: 0 changed in an ordered section, 1 the same without one, 2 written; 3 reads the words
// of other pixels into a second array. See draw_order.c.
#if STEP == 0
layout(pixel_interlock_ordered) in;
#endif
layout(location = 0) flat in uint id;
#if STEP < 2
coherent // barriers do it for the others
#endif
layout(std430, set = 0, binding = 0) buffer Words { uint words[]; };
const uint SIZE = 16;

void main()
{
   uvec2 pixel = uvec2(gl_FragCoord.xy);
   uint at = pixel.y * SIZE + pixel.x;
#if STEP == 0
   beginInvocationInterlockARB();
#endif
#if STEP < 2
   words[at] = words[at] * 3 + id;
#elif STEP == 2
   words[at] = id * 1000 + at;
#else
   uint sum = 0;
   for (uint i = 0; i < 4; i++) // of all waves, so that each compute unit reads what it has read before
      sum = sum * 5 + words[(i * 64 - 1 - at) % (SIZE * SIZE)];
   words[SIZE * SIZE + at] = words[SIZE * SIZE + at] * 7 + sum;
#endif
#if STEP == 0
   endInvocationInterlockARB();
#endif
}
