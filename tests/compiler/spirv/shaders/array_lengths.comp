#version 460
/* Lengths of arrays that only the pipeline knows: the defaults make no array at all. */
layout(constant_id = 0) const int rows = 0;
layout(constant_id = 1) const int columns = 0;
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Data {
   uint data[];
};
shared uint table[rows * columns];
shared uint line[rows * rows];

void
main()
{
   uint x = gl_LocalInvocationIndex;
   if (x < uint(rows * columns))
      table[x] = x * 3u;
   if (x < uint(rows))
      line[x] = x + 100u;
   barrier();
   if (x < uint(rows * columns))
      data[x] = table[uint(rows * columns) - 1u - x] + line[x / uint(columns)];
}
