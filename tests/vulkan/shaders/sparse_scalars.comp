#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly restrict buffer Words { uint words[]; };
layout(set = 0, binding = 3) buffer Data { uvec4 data[]; };
layout(push_constant) uniform Push { uint step; uint blocks; uint count; };

// All lanes read the same word of each block, which is what scalar loads are for.
void main()
{
   for (uint b = 0; b < blocks; b++) {
      uint i = b * count + gl_WorkGroupID.x, word = words[i * step + i % step];
      if (gl_LocalInvocationIndex == b)
         data[gl_WorkGroupID.x * blocks + b].x = word;
   }
}
