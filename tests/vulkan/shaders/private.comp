#version 450
/* An array of each invocation's own that does not fit into registers: filled, then read in another order. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Step { uint from, to, factor, term; };

const uint COUNT = 300;

void main()
{
   uint own[COUNT];
   uint value = gl_GlobalInvocationID.x * factor + term;
   for (uint i = 0; i < COUNT; i++) {
      own[(i * 7) % COUNT] = value;
      value = value * 1664525 + 1013904223;
   }
   uint sum = 0;
   for (uint i = 0; i < COUNT; i++)
      sum = sum * 3 + own[i];
   data[to + gl_GlobalInvocationID.x] += sum;
}
