#version 450
// Every invocation draws numbers from returning atomics on buffers, images and shared memory.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Counters { uint added, swapped, lowest, exchanged, bits; int most; };
layout(set = 0, binding = 1) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 2, r32ui) uniform uimage2D image;
shared uint local_added, local_swapped;

void main()
{
   uint lane = gl_GlobalInvocationID.x, invocations = gl_NumWorkGroups.x * 64u;
   if (gl_LocalInvocationIndex == 0u) {
      local_added = 0u;
      local_swapped = 0u;
   }
   barrier();
   numbers[0u * invocations + lane] = atomicAdd(added, 1u);
   numbers[1u * invocations + lane] = imageAtomicAdd(image, ivec2(1, 2), 1u);
   numbers[2u * invocations + lane] = atomicAdd(local_added, 1u) + gl_WorkGroupID.x * 64u;
   uint seen = 0u, found;
   while ((found = atomicCompSwap(swapped, seen, seen + 1u)) != seen)
      seen = found;
   numbers[3u * invocations + lane] = seen;
   seen = 0u;
   while ((found = imageAtomicCompSwap(image, ivec2(3, 0), seen, seen + 1u)) != seen)
      seen = found;
   numbers[4u * invocations + lane] = seen;
   seen = 0u;
   while ((found = atomicCompSwap(local_swapped, seen, seen + 1u)) != seen)
      seen = found;
   numbers[5u * invocations + lane] = seen + gl_WorkGroupID.x * 64u;
   numbers[6u * invocations + lane] = atomicExchange(exchanged, lane);
   numbers[7u * invocations + lane] = imageAtomicExchange(image, ivec2(0, 3), lane);
   atomicMin(lowest, 1000u - lane);
   atomicMax(most, int(lane) - 1000);
   atomicOr(bits, 1u << (lane & 31u));
}
