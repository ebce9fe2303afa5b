#version 450
layout(local_size_x = 4, local_size_y = 2) in;
layout(set = 0, binding = 0) buffer Records { uint count; uint unused[3]; uvec4 records[]; };

void main()
{
   if (gl_LocalInvocationIndex != 5)
      return;
   uint slot = atomicAdd(count, 1);
   records[2 * slot] = uvec4(gl_WorkGroupID, 0);
   records[2 * slot + 1] = uvec4(gl_NumWorkGroups, gl_GlobalInvocationID.y);
}
