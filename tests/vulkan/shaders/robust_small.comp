/* Accesses of 16 bytes, and atomics, in buffers that have no place for one: loads give zero or words of the buffer,
 * stores change nothing else. */
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Uniform { uvec4 words[64]; } uniforms;
layout(set = 0, binding = 1) readonly buffer From { uvec4 words[]; } from;
layout(set = 0, binding = 2) buffer To { uvec4 words[]; } to;
layout(set = 0, binding = 3) buffer Count { uint words[]; } count;
layout(set = 0, binding = 4) writeonly buffer Results { uvec4 results[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   to.words[i] = uvec4(0xbad0000u + i);
   atomicAdd(count.words[i + 1u], 0xbad1000u);
   barrier();
   results[i] = uniforms.words[i];
   results[64u + i] = from.words[i];
   results[128u + i] = to.words[63u - i];
}
