/* Atomic operations of 64 bits and of floats, in a buffer or in shared memory, each in a cell of its own. Every
 * invocation keeps what it got. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_atomic_int64 : enable
#extension GL_EXT_shader_atomic_float : enable
#extension GL_EXT_shader_atomic_float2 : enable
#extension GL_KHR_memory_scope_semantics : enable
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint OPERATIONS = 0u; /* bit n: the operation of row n is there */
layout(set = 0, binding = 0) readonly buffer In { T inputs[]; };
layout(set = 0, binding = 1) buffer Cells { T cells[]; };
layout(set = 0, binding = 2) writeonly buffer Out { T results[]; };
#ifdef SHARED
shared T places[16];
#define CELL(n) places[n]
#else
#define CELL(n) cells[n]
#endif

uint row = 0u;
void put(T x) { results[row++ * gl_NumWorkGroups.x * 64u + gl_GlobalInvocationID.x] = x; }

void main()
{
   T x = inputs[gl_GlobalInvocationID.x];
#ifdef SHARED
   if (gl_LocalInvocationIndex < 16u)
      places[gl_LocalInvocationIndex] = cells[16u * gl_WorkGroupID.x + gl_LocalInvocationIndex];
   barrier();
#endif
   if ((OPERATIONS & 1u) != 0u)
      put(atomicExchange(CELL(0), x));
#ifdef MIN_MAX
   if ((OPERATIONS & 2u) != 0u) {
      put(atomicMin(CELL(1), x));
      put(atomicMax(CELL(2), x));
   }
#endif
#ifdef ADD
   if ((OPERATIONS & 4u) != 0u) {
      put(atomicAdd(CELL(3), x));
      atomicAdd(CELL(4), x);
   }
#endif
#ifdef INTEGER
   if ((OPERATIONS & 8u) != 0u) {
      put(atomicAnd(CELL(5), x));
      put(atomicOr(CELL(6), x));
      put(atomicXor(CELL(7), x));
      T expected = x, old;
      for (uint i = 0u; i < 4096u; i++) { /* adds 3 */
         old = atomicCompSwap(CELL(8), expected, expected + T(3));
         if (old == expected)
            break;
         expected = old;
      }
      put(old);
      atomicMin(CELL(9), x);
      atomicXor(CELL(10), x);
      atomicExchange(CELL(11), x);
   }
#endif
#ifdef SHARED
   barrier();
   if (gl_LocalInvocationIndex < 16u)
      cells[16u * gl_WorkGroupID.x + gl_LocalInvocationIndex] = places[gl_LocalInvocationIndex];
#endif
}
