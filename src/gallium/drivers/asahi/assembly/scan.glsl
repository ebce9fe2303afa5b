// Prefix sums over a workgroup; afterwards scan[SIZE - 1] is that of all.
const uint SIZE = 256;

layout(local_size_x = 256) in;

shared uint scan[SIZE];

// The greatest of the invocations up to this one.
uint scan_max(uint value)
{
   uint i = gl_LocalInvocationIndex;

   barrier();
   scan[i] = value;
   for (uint step = 1; step < SIZE; step *= 2) {
      barrier();
      uint other = i >= step ? scan[i - step] : 0;
      barrier();
      scan[i] = max(scan[i], other);
   }
   barrier();
   return scan[i];
}

// The sum of them.
uint scan_add(uint value)
{
   uint i = gl_LocalInvocationIndex;

   barrier();
   scan[i] = value;
   for (uint step = 1; step < SIZE; step *= 2) {
      barrier();
      uint other = i >= step ? scan[i - step] : 0;
      barrier();
      scan[i] += other;
   }
   barrier();
   return scan[i];
}
