/* Words that workgroups write and the last of them reads. Words of several groups share a line, so that the caches of
 * each hold old values of others. Each WAY orders the accesses by other means of the Vulkan memory model:
 * 0 semantics of atomics and control barriers, through a chain of a workgroup's and the device's scope
 * 1 loads and stores that are available and visible to the device
 * 2 memory barriers around relaxed atomics
 * 3 volatile memory
 * 4 atomic loads and stores */
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;

#if WAY == 1
#define KIND devicecoherent
#elif WAY == 3
#define KIND volatile
#else
#define KIND nonprivate
#endif
layout(set = 0, binding = 0) KIND buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer Counters { uint finished, sum; };
shared bool is_last;
shared uint parts[64];

const int ALL = gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible;
const int BUFFER = gl_StorageSemanticsBuffer, SHARED = gl_StorageSemanticsShared;

void meet()
{
#if WAY == 1 || WAY == 3 || WAY == 4 /* buffers are ordered by the accesses themselves */
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, SHARED | BUFFER, gl_SemanticsAcquireRelease);
#else
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, SHARED | BUFFER, ALL);
#endif
}

uint get(uint i)
{
#if WAY == 4
   return atomicLoad(data[i], gl_ScopeDevice, 0, 0);
#else
   return data[i];
#endif
}

void put(uint i, uint value)
{
#if WAY == 4
   atomicStore(data[i], value, gl_ScopeDevice, 0, 0);
#else
   data[i] = value;
#endif
}

uint count()
{
#if WAY == 0
   return atomicAdd(finished, 1u, gl_ScopeDevice, BUFFER, ALL);
#elif WAY == 2
   memoryBarrier(gl_ScopeDevice, BUFFER, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
   uint before = atomicAdd(finished, 1u, gl_ScopeDevice, 0, 0);
   memoryBarrier(gl_ScopeDevice, BUFFER, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
   return before;
#else
   return atomicAdd(finished, 1u, gl_ScopeDevice, BUFFER, gl_SemanticsAcquireRelease);
#endif
}

void main()
{
   uint groups = gl_NumWorkGroups.x, l = gl_LocalInvocationIndex, own = l * groups + gl_WorkGroupID.x, part;
   put(own, get(own) * 3u + 1u);
   meet();
   if (l == 0u)
      is_last = count() == gl_NumWorkGroups.x - 1u;
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, SHARED | BUFFER, ALL);
   if (is_last) {
      part = 0u;
      for (uint j = l; j < 64u * groups; j += 64u)
         part += get(j) * (j + 1u);
      parts[l] = part;
   }
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, SHARED, ALL);
   if (is_last && l == 0u) {
      part = 0u;
      for (uint j = 0u; j < 64u; j++)
         part += parts[j];
      sum = part;
   }
}
