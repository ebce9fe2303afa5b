#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

void main()
{
   while (data[gl_GlobalInvocationID.x] < 1000u)
      memoryBarrierBuffer();
}
