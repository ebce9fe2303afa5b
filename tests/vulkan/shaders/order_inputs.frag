#version 450
#extension GL_ARB_fragment_shader_interlock : require
#extension GL_ARB_shader_stencil_export : require
// One kind for each thing that the decision about order asks of a shader; see order_inputs.h.
#define PLAIN 0
#define EARLY 1
#define DISCARD 2
#define MASK 3
#define EXPORT 4
#define COUNTS 5
#define STORES 6
#define ORDERED 7
#if KIND == EARLY || KIND == DISCARD || KIND == MASK || KIND == COUNTS || KIND == STORES
layout(early_fragment_tests) in;
#endif
#if KIND == ORDERED
layout(pixel_interlock_ordered) in;
#endif
layout(set = 0, binding = 0) coherent buffer Scene { uint runs; layout(offset = 256) uint slots[]; };
layout(location = 0) flat in float gray;
layout(location = 1) flat in float dropped;
layout(location = 2) flat in uint number;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 second;

void main()
{
   uint pixel = uint(gl_FragCoord.y) * 8u + uint(gl_FragCoord.x);
#if KIND == DISCARD
   if (dropped != 0.0)
      discard;
#elif KIND == MASK
   gl_SampleMask[0] = dropped != 0.0 ? 0 : ~0;
#elif KIND == EXPORT
   gl_FragStencilRefARB = int(gray * 255.0 + 0.5);
#elif KIND == COUNTS
   atomicAdd(runs, 1u);
#elif KIND == STORES
   slots[pixel * 4u + number] = 1u;
#elif KIND == ORDERED
   beginInvocationInterlockARB();
   slots[pixel * 4u] = slots[pixel * 4u] * 2u + number;
   endInvocationInterlockARB();
#endif
   color = vec4(gray, gray, gray, dropped != 0.0 ? 0.0 : 1.0);
   second = color;
}
