#version 450
// 256-bin histogram of the low byte of a mix of each integer: bins in shared memory, then atomics to the buffer.
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer Bins { uint bins[]; };
layout(push_constant) uniform Push { uint count; };
shared uint local_bins[256];

void main()
{
   uint lane = gl_LocalInvocationIndex;
   local_bins[lane] = 0u;
   barrier();
   uint threads = gl_NumWorkGroups.x * 256u;
   for (uint i = gl_GlobalInvocationID.x; i < count; i += threads) {
      uint x = data[i] * 2654435761u;
      atomicAdd(local_bins[(x ^ (x >> 15)) & 255u], 1u);
   }
   barrier();
   atomicAdd(bins[lane], local_bins[lane]);
}
