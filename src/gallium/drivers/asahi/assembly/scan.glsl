// Prefix sums over a workgroup; afterwards scan[SIZE - 1] is that of all.
const uint SIZE = 256;

layout(local_size_x = 256) in;

shared uint scan[SIZE];

// Of the invocations up to this one: the sum, or the greatest.
uint scan_joined(uint value, bool adds)
{
   uint i = gl_LocalInvocationIndex;

   barrier();
   scan[i] = value;
   for (uint step = 1; step < SIZE; step *= 2) {
      barrier();
      uint other = i >= step ? scan[i - step] : 0;
      barrier();
      scan[i] = adds ? scan[i] + other : max(scan[i], other);
   }
   barrier();
   return scan[i];
}

uint scan_max(uint value)
{
   return scan_joined(value, false);
}

uint scan_add(uint value)
{
   return scan_joined(value, true);
}
