#version 450
#extension GL_EXT_shader_atomic_float : enable
#extension GL_EXT_shader_atomic_int64 : enable
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
#extension GL_KHR_memory_scope_semantics : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) coherent buffer Data { uint u[16]; int i[8]; float f[2]; uint64_t q; } data;
shared uint su[8];
void main()
{
   uint x = gl_LocalInvocationIndex;
   if (x < 8)
      su[x] = 0;
   barrier();
   atomicAdd(data.u[0], x);
   atomicMin(data.u[1], 5 + x);
   atomicMax(data.u[2], x);
   atomicAnd(data.u[3], ~(1u << (x & 31)));
   atomicOr(data.u[4], 1u << (x & 15));
   atomicXor(data.u[5], x);
   atomicExchange(data.u[6], 77u);
   atomicCompSwap(data.u[7], x, x + 1);
   atomicMin(data.i[0], -int(x));
   atomicMax(data.i[1], int(x) - 100);
   atomicAdd(su[x & 7], 1u);
   atomicAdd(data.q, uint64_t(x) << 30);
   atomicAdd(data.f[0], 0.5);
   memoryBarrierShared();
   barrier();
   if (x == 0) {
      for (int n = 0; n < 8; n++)
         data.u[8 + n] = su[n];
      data.i[2] = int(atomicLoad(data.u[0], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire));
      atomicStore(data.i[3], 9, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
   }
   memoryBarrier();
   memoryBarrierBuffer();
   memoryBarrierImage();
   groupMemoryBarrier();
}
