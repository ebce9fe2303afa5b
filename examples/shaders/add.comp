#version 450
// Adds to each block of 1024 integers the sum of all blocks before it.
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Sums { uint sums[]; };
layout(push_constant) uniform Push { uint count; };

void main()
{
   uint block = gl_WorkGroupID.x, first = block * 1024u + gl_LocalInvocationIndex * 4u;
   if (block == 0u)
      return;
   for (uint i = 0u; i < 4u && first + i < count; i++)
      data[first + i] += sums[block - 1u];
}
