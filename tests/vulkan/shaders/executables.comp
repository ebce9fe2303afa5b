/* 1000 words of shared memory, a loop, a load and a store. */
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint turns; };
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint memory[1000];

void main()
{
   uint id = gl_LocalInvocationIndex;
   for (uint i = id; i < 1000; i += 64)
      memory[i] = data[i];
   barrier();
   uint sum = 0;
   for (uint i = 0; i < turns; i++)
      sum += memory[(id * 7 + i) % 1000];
   data[id] = sum;
}
