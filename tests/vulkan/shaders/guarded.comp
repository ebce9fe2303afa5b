/* Loads that a branch or a loop keeps from places where nothing is mapped: all of it is the same for all invocations.
 */
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint index, count; };
layout(set = 0, binding = 0) uniform Uniform { uvec4 words[4]; } uniforms;
layout(set = 0, binding = 1) readonly restrict buffer From { uint words[]; } from;
layout(set = 0, binding = 2) writeonly restrict buffer Results { uint results[]; };

void main()
{
   uint sum = 1u;
   if (index < count)
      sum += uniforms.words[index].x;
   if (index < count)
      sum += from.words[index];
   for (uint i = index; i < count; i++)
      sum += from.words[i * 3u];
   results[gl_LocalInvocationIndex] = sum;
}
