#version 450
layout(local_size_x = 1024) in;
layout(push_constant) uniform Push { uint words[64]; };
layout(set = 0, binding = 0) buffer DynamicStorage { uint value; } storages[12];
layout(set = 1, binding = 0) uniform DynamicUniform { uint value; } uniforms[12];
layout(set = 2, binding = 0) buffer S2 { uint value; } s2;
layout(set = 3, binding = 0) buffer S3 { uint value; } s3;
layout(set = 4, binding = 0) buffer S4 { uint value; } s4;
layout(set = 5, binding = 0) buffer S5 { uint value; } s5;
layout(set = 6, binding = 0) buffer S6 { uint value; } s6;
layout(set = 7, binding = 0) buffer Output { uint data[]; };
shared uint memory[8192];

void main()
{
   uint id = gl_LocalInvocationIndex;
   for (uint i = 0; i < 8; i++)
      memory[(id * 8 + i) % 8192] = id * 8 + i + words[63];
   barrier();
   uint sum = 0;
   for (uint i = 0; i < 8; i++)
      sum += memory[(id + 1024 * i + 517) % 8192];
   if (id == 0) {
      for (uint i = 0; i < 12; i++)
         sum += storages[i].value + uniforms[i].value;
      sum += s2.value + s3.value + s4.value + s5.value + s6.value + words[0];
   }
   data[id] = sum;
}
