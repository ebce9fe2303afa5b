#version 450
#extension GL_ARB_fragment_shader_interlock : require
// KIND 0 unordered, 1 pixel, 2 sample interlock; 3, 4: the same, shaded for each sample; 5, 6: as 1 and 2, but the
// section only reads what 1 or 2 changes. See interlock_draws.c.
#if KIND == 1 || KIND == 3 || KIND == 5
layout(pixel_interlock_ordered) in;
#elif KIND == 2 || KIND == 4 || KIND == 6
layout(sample_interlock_ordered) in;
#endif
layout(location = 0) flat in uint id;
layout(std430, set = 0, binding = 0) coherent buffer Words { uint words[]; };

void change(uint at)
{
   words[at] = words[at] * 3 + id;
}

void main()
{
   uint at = (KIND * 16 * 16 + uint(gl_FragCoord.y) * 16 + uint(gl_FragCoord.x)) * 8;
   uint source = at - 4 * 16 * 16 * 8; // of the kind that the last two read
#if KIND == 0
   atomicAdd(words[at], id);
#elif KIND == 5
   beginInvocationInterlockARB();
   uint value = words[source];
   endInvocationInterlockARB();
   atomicAdd(words[at], value * id);
#elif KIND == 6
   uint values[8];
   beginInvocationInterlockARB();
   for (uint s = 0; s < 8; s++)
      values[s] = (gl_SampleMaskIn[0] >> s & 1) != 0 ? words[source + s] : 0;
   endInvocationInterlockARB();
   for (uint s = 0; s < 8; s++)
      if ((gl_SampleMaskIn[0] >> s & 1) != 0)
         atomicAdd(words[at + s], values[s] * id);
#else
   beginInvocationInterlockARB();
#if KIND == 1
   change(at);
#elif KIND == 2
   for (uint s = 0; s < 8; s++)
      if ((gl_SampleMaskIn[0] >> s & 1) != 0)
         change(at + s);
#elif KIND == 3
   change(at + (gl_SampleID >> 3));
#else
   change(at + gl_SampleID);
#endif
   endInvocationInterlockARB();
#endif
}
