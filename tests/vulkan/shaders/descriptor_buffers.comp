/* All kinds of descriptors, from buffers that the application fills. */
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Base { uint base; };
layout(set = 0, binding = 1) buffer Out { uint results[]; } outs[2];
layout(set = 0, binding = 2) uniform utextureBuffer texels;
layout(set = 1, binding = 0) uniform utexture2D image;
layout(set = 1, binding = 1) uniform usampler2D both;
layout(set = 1, binding = 2, r32ui) uniform uimage2D store;
layout(set = 2, binding = 0) uniform sampler embedded;

void main()
{
   int i = int(gl_GlobalInvocationID.x);
   ivec2 p = ivec2(i & 7, i >> 3);
   vec2 at = (vec2(p) + 0.5) / 8.0;
   imageStore(store, p, uvec4(base + i));
   outs[0].results[i] = base + texelFetch(texels, i).x;
   outs[1].results[i] = textureLod(usampler2D(image, embedded), at, 0.0).x + 1000u * textureLod(both, at, 0.0).x;
}
