/* Accesses beyond the ends of buffers, with robustBufferAccess: loads must give zero or something of the buffer,
 * stores must hit the buffer or nothing. Each row is one index. */
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Uniform { uvec4 words[4096]; } uniforms;
layout(set = 0, binding = 1) readonly buffer From { uint words[]; } from;
layout(set = 0, binding = 2) buffer To { uint words[]; } to;
layout(set = 0, binding = 3) uniform usamplerBuffer texels;
layout(set = 0, binding = 4, r32ui) uniform uimageBuffer image;
layout(set = 0, binding = 5) writeonly buffer Results { uint results[]; };
layout(set = 0, binding = 6) readonly buffer Indices { uint indices[]; };

uint row = 0u;
void put(uint x) { results[row++ * 64u + gl_LocalInvocationIndex] = x; }

void main()
{
   uint i = indices[gl_LocalInvocationIndex];
   put(uniforms.words[i].x);
   put(uniforms.words[i].w);
   put(from.words[i]);
   put(uint(from.words.length()));
   put(texelFetch(texels, int(i)).x);
   put(uint(textureSize(texels)));
   put(imageLoad(image, int(i)).x);
   put(uint(imageSize(image)));
   put(atomicAdd(to.words[i], 0u));
   to.words[i] = 0xbad0000u + i;
   imageStore(image, int(i), uvec4(0xbad1000u + i));
   imageAtomicMax(image, int(i), 0u);
   uvec4 four = uvec4(from.words[i], from.words[i + 1u], from.words[i + 2u], from.words[i + 3u]);
   put(four.w);
}
