/* The last group to finish sums what all others wrote: memory that is made visible between groups. Then shared memory
 * of SHARED words as one large transposition. */
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const int SHARED = 8192;
layout(set = 0, binding = 0) coherent buffer Data { uint data[]; };
layout(set = 0, binding = 1) coherent buffer Counters { uint finished, sum, length, order; };
layout(set = 0, binding = 2) buffer Out { uint transposed[]; };
shared bool is_last;
shared uint pile[SHARED];

void main()
{
   uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
   data[i] = i * i + 1u;
   memoryBarrierBuffer();
   barrier();
   if (l == 0u)
      is_last = atomicAdd(finished, 1u) == gl_NumWorkGroups.x - 1u;
   barrier();
   if (is_last) {
      memoryBarrierBuffer();
      uint part = 0u;
      for (uint j = l; j < gl_NumWorkGroups.x * 64u; j += 64u)
         part += data[j];
      atomicAdd(sum, part);
      if (l == 0u)
         length = uint(data.length());
   }
   for (uint j = l; j < uint(SHARED); j += 64u)
      pile[(j * 64u + j * 64u / uint(SHARED)) % uint(SHARED)] = j;
   barrier();
   if (gl_WorkGroupID.x == 1u) {
      for (uint j = l; j < uint(SHARED); j += 64u)
         transposed[j] = pile[j];
   }
}
