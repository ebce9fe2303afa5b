#version 450
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint words[32]; };
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main()
{
   /* the index has to be uniform */
   for (uint i = 0; i < 32; i++) {
      if (gl_LocalInvocationID.x == i)
         data[gl_GlobalInvocationID.x] = words[i];
   }
}
