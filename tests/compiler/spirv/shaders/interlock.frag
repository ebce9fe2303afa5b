#version 450
#extension GL_ARB_fragment_shader_interlock : require
// An ordered section with what may stand inside and around: control flow, a loop, a function, buffers and images.
layout(pixel_interlock_ordered) in;
layout(set = 0, binding = 0) coherent buffer Words {
   uint count;
   uint words[];
};
layout(set = 0, binding = 1, r32ui) uniform coherent uimage2D image;
layout(location = 0) flat in uint number;
layout(location = 1) in vec4 colour;
layout(location = 0) out vec4 result;

uint
mixed(uint a, uint b)
{
   if ((a & 1) != 0)
      return a * 3 + b;
   return a ^ b;
}

void
main()
{
   ivec2 at = ivec2(gl_FragCoord.xy);
   uint place = uint(at.y) * 64 + uint(at.x), sum = 0;
   vec4 edge = fwidth(colour);
   if (colour.a == 0.0)
      discard;
   beginInvocationInterlockARB();
   for (uint i = 0; i < (number & 3); i++) {
      sum += words[place + i];
      words[place + i] = mixed(sum, number);
   }
   if (number > 7) {
      imageStore(image, at, uvec4(mixed(imageLoad(image, at).x, number)));
      atomicAdd(count, 1u);
   }
   endInvocationInterlockARB();
   result = colour * float(sum) + edge;
}
