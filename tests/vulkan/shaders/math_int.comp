/* math_int.inl on the device. BITS: 8 to 64; VEC: 1 or 4. */
#version 450
#extension GL_GOOGLE_include_directive : enable
#extension GL_EXT_spirv_intrinsics : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uvec2 operands[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 results[]; };
#define LANES (gl_NumWorkGroups.x * 64u)
uint row = 0u;

#define JOIN_(a, b, c, d) a##b##c##d
#define JOIN(a, b, c, d) JOIN_(a, b, c, d)
#if BITS == 32
#define SCALAR_S int
#define SCALAR_U uint
#else
#define SCALAR_S JOIN(int, BITS, _, t)
#define SCALAR_U JOIN(uint, BITS, _, t)
#endif
#if BITS == 64
#define LOAD(i) packUint2x32(operands[i])
#define PUT(x) unpackUint2x32(uint64_t(x))
#else
#define LOAD(i) SCALAR_U(operands[i].x)
#define PUT(x) uvec2(uint(x), 0)
#endif

#if VEC == 1
#define S SCALAR_S
#define U SCALAR_U
#define BOOL bool
#define LESS(x, y) ((x) < (y))
#define LESS_EQUAL(x, y) ((x) <= (y))
#define EQUAL(x, y) ((x) == (y))
#define NOT_EQUAL(x, y) ((x) != (y))
#define STORE(x, value) { results[row * LANES + gl_GlobalInvocationID.x] = value; row++; }
#define ELEMENT(x) x
#define INDEX 0
#else
#if BITS == 32
#define S ivec4
#define U uvec4
#else
#define S JOIN(i, BITS, vec, 4)
#define U JOIN(u, BITS, vec, 4)
#endif
#define BOOL bvec4
#define LESS(x, y) lessThan(x, y)
#define LESS_EQUAL(x, y) lessThanEqual(x, y)
#define EQUAL(x, y) equal(x, y)
#define NOT_EQUAL(x, y) notEqual(x, y)
#define STORE(x, value)                                                                     \
   {                                                                                        \
      for (int i = 0; i < 4; i++)                                                           \
         results[row * 4u * LANES + 4u * gl_GlobalInvocationID.x + i] = value;              \
      row++;                                                                                \
   }
#define ELEMENT(x) x[i]
#endif
void store(S x) STORE(x, PUT(ELEMENT(x)))
void store(U x) STORE(x, PUT(ELEMENT(x)))
void truth(BOOL x) STORE(x, uvec2(ELEMENT(x), 0))

spirv_instruction(id = 138) S s_rem(S a, S b);
spirv_instruction(id = 139) S s_mod(S a, S b);
#if BITS == 32
U carry(U a, U b)
{
   U c;
   uaddCarry(a, b, c);
   return c;
}
U borrow(U a, U b)
{
   U c;
   usubBorrow(a, b, c);
   return c;
}
U high(U a, U b)
{
   U h, l;
   umulExtended(a, b, h, l);
   return h;
}
U low(U a, U b)
{
   U h, l;
   umulExtended(a, b, h, l);
   return l;
}
S high(S a, S b)
{
   S h, l;
   imulExtended(a, b, h, l);
   return h;
}
#endif

void main()
{
#if VEC == 1
   uint at = 3u * gl_GlobalInvocationID.x;
   U u = LOAD(at), v = LOAD(at + 1u), s = LOAD(at + 2u);
#define BITS_OF_LANE int(s)
#else
   uint at = 12u * gl_GlobalInvocationID.x;
   U u = U(LOAD(at), LOAD(at + 3u), LOAD(at + 6u), LOAD(at + 9u));
   U v = U(LOAD(at + 1u), LOAD(at + 4u), LOAD(at + 7u), LOAD(at + 10u));
   U s = U(LOAD(at + 2u), LOAD(at + 5u), LOAD(at + 8u), LOAD(at + 11u));
#define BITS_OF_LANE 0
#endif
   S a = S(u), b = S(v);
#define R(defined_, glsl, c) store(glsl);
#define O(glsl, c) truth(glsl);
#if BITS == 32
#define W(defined_, glsl, c) store(glsl);
#else
#define W(defined_, glsl, c)
#endif
#include "math_int.inl"
}
