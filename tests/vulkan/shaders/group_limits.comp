#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 3) const uint WORDS = 1;
layout(set = 0, binding = 0) buffer Counts { uint groups, last, wrong; };
shared uint memory[WORDS];

void main()
{
   uint lanes = gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z, bad = 0u;
   for (uint i = gl_LocalInvocationIndex; i < WORDS; i += lanes)
      memory[i] = i * 3u + gl_WorkGroupID.x;
   barrier();
   for (uint i = gl_LocalInvocationIndex; i < WORDS; i += lanes) /* what others wrote */
      bad += uint(memory[WORDS - 1u - i] != (WORDS - 1u - i) * 3u + gl_WorkGroupID.x);
   if (bad != 0u || gl_LocalInvocationID.z >= gl_WorkGroupSize.z)
      atomicAdd(wrong, 1u);
   if (gl_LocalInvocationIndex == lanes - 1u) {
      atomicAdd(groups, 1u);
      atomicMax(last, gl_WorkGroupID.x);
   }
}
