/* Built for two versions of SPIR-V: from 1.6 on the size of subgroups may vary without being asked. */
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main()
{
   data[gl_LocalInvocationIndex] = gl_SubgroupSize;
}
