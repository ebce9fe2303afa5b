#version 450
#extension GL_ARB_fragment_shader_interlock : require
#extension GL_EXT_buffer_reference : enable
// WAY: enum way of interlock_ways.c. Each changes a word of the pixel.
layout(pixel_interlock_ordered) in;
#if WAY == 4
layout(early_fragment_tests) in;
#endif
layout(location = 0) flat in uvec2 id;
layout(location = 0) out vec4 color;
layout(std430, set = 0, binding = 0) coherent buffer Words { uint words[]; };
layout(set = 0, binding = 1, r32ui) uniform coherent uimage2D image;
layout(set = 0, binding = 2, r32ui) uniform coherent uimageBuffer texels;

#if WAY == 7
layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer Place { uint at[]; };
layout(push_constant) uniform Push { layout(offset = 16) Place place; };
#endif

void main()
{
   uvec2 pixel = uvec2(gl_FragCoord.xy);
   uint at = (id.y * 16 + pixel.y) * 16 + pixel.x;
#if WAY == 2
   if ((id.x + pixel.x) % 3 == 0)
      discard;
#endif
   // Of the quad: also of invocations that are there for nothing else.
   uint step = uint(int(dFdx(float(pixel.x * id.x))));
   beginInvocationInterlockARB();
#if WAY == 0
   imageStore(image, ivec2(pixel), imageLoad(image, ivec2(pixel)) * 3 + step);
#elif WAY == 1
   imageStore(texels, int(at), imageLoad(texels, int(at)) * 3 + step);
#elif WAY == 6
   imageStore(image, ivec2(pixel), uvec4(step));
#elif WAY == 7
   place.at[at] = place.at[at] * 3 + step;
#else
   words[at] = words[at] * 3 + step;
#endif
   endInvocationInterlockARB();
   color = vec4(float(id.x & 255) / 255.0);
}
