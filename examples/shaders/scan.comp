#version 450
// Inclusive prefix sum of one block of 1024 integers; the block's total goes to sums[].
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer Sums { uint sums[]; };
layout(push_constant) uniform Push { uint count; };
shared uint lane_sums[256];

void main()
{
   uint lane = gl_LocalInvocationIndex, first = gl_WorkGroupID.x * 1024u + lane * 4u;
   uint v[4], total = 0u;
   for (uint i = 0u; i < 4u; i++) {
      total += first + i < count ? data[first + i] : 0u;
      v[i] = total;
   }
   lane_sums[lane] = total;
   for (uint step = 1u; step < 256u; step *= 2u) {
      barrier();
      uint left = lane >= step ? lane_sums[lane - step] : 0u;
      barrier();
      lane_sums[lane] += left;
   }
   barrier();
   uint before = lane > 0u ? lane_sums[lane - 1u] : 0u;
   for (uint i = 0u; i < 4u; i++) {
      if (first + i < count)
         data[first + i] = before + v[i];
   }
   if (lane == 255u)
      sums[gl_WorkGroupID.x] = lane_sums[255];
}
