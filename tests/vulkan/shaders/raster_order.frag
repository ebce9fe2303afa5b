#version 450
#extension GL_ARB_fragment_shader_interlock : require
// KIND 0 colour only, 1 stores, 2 stores after early tests, 3 ordered, 4 unordered sections, 5 discards, 6 the same
// after early tests, 7 ordered sections that only read. See raster_order.c.
#if KIND == 2 || KIND == 6
layout(early_fragment_tests) in;
#endif
#if KIND == 3 || KIND == 7
layout(pixel_interlock_ordered) in;
#elif KIND == 4
layout(pixel_interlock_unordered) in;
#endif
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
layout(std430, set = 0, binding = 0) coherent buffer Words { uint words[]; };
layout(location = 0) out vec4 result;

void main()
{
#if KIND == 1 || KIND == 2
   atomicAdd(words[KIND * 32], 1u);
#elif KIND == 3 || KIND == 4
   beginInvocationInterlockARB();
   words[KIND * 32]++;
   endInvocationInterlockARB();
#elif KIND >= 5
   if (int(gl_FragCoord.x) % 3 == 1)
      discard;
#endif
   result = color;
#if KIND == 7
   beginInvocationInterlockARB();
   result.r += float(words[KIND * 32]);
   endInvocationInterlockARB();
#endif
}
