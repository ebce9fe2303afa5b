/* math_float.inl on the device. BITS: 16, 32, 64; VEC: 1 or 4 (operands of four lanes at once). */
#version 450
#extension GL_GOOGLE_include_directive : enable
#extension GL_EXT_spirv_intrinsics : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uvec2 operands[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 results[]; };

#if BITS == 16
#define FT float16_t
#define VEC2 f16vec2
#define VEC3 f16vec3
#define VEC4 f16vec4
#define MAT2 f16mat2
#define MAT3 f16mat3
#define MAT4 f16mat4
#define LOAD(i) unpackFloat2x16(operands[i].x).x
uvec2 bits(float16_t x) { return uvec2(packFloat2x16(f16vec2(x, float16_t(0))), 0); }
#elif BITS == 64
#define FT double
#define VEC2 dvec2
#define VEC3 dvec3
#define VEC4 dvec4
#define MAT2 dmat2
#define MAT3 dmat3
#define MAT4 dmat4
#define LOAD(i) packDouble2x32(operands[i])
uvec2 bits(double x) { return unpackDouble2x32(x); }
#else
#define FT float
#define VEC2 vec2
#define VEC3 vec3
#define VEC4 vec4
#define MAT2 mat2
#define MAT3 mat3
#define MAT4 mat4
#define LOAD(i) uintBitsToFloat(operands[i].x)
uvec2 bits(float x) { return uvec2(floatBitsToUint(x), 0); }
#endif

#define LANES (gl_NumWorkGroups.x * 64u)
uint row = 0u;

#if VEC == 1
#define TYPE FT
#define BOOL bool
#define INT int
#define EQUAL(x, y) ((x) == (y))
#define NOT_EQUAL(x, y) ((x) != (y))
#define LESS(x, y) ((x) < (y))
#define LESS_EQUAL(x, y) ((x) <= (y))
void store(FT x) { results[row++ * LANES + gl_GlobalInvocationID.x] = bits(x); }
void store(bool x) { results[row++ * LANES + gl_GlobalInvocationID.x] = uvec2(x, 0); }
void store(int x) { results[row++ * LANES + gl_GlobalInvocationID.x] = uvec2(x, 0); }
#else
#define TYPE VEC4
#define BOOL bvec4
#define INT ivec4
#define EQUAL(x, y) equal(x, y)
#define NOT_EQUAL(x, y) notEqual(x, y)
#define LESS(x, y) lessThan(x, y)
#define LESS_EQUAL(x, y) lessThanEqual(x, y)
#define STORE(x, value)                                                   \
   {                                                                      \
      for (int i = 0; i < 4; i++)                                         \
         results[row * 4u * LANES + 4u * gl_GlobalInvocationID.x + i] = value; \
      row++;                                                              \
   }
void store(VEC4 x) STORE(x, bits(x[i]))
void store(bvec4 x) STORE(x, uvec2(x[i], 0))
void store(ivec4 x) STORE(x, uvec2(x[i], 0))
#endif
#define LDEXP(x, n) ldexp(x, INT(n))

spirv_instruction(set = "GLSL.std.450", id = 79) TYPE n_min(TYPE a, TYPE b);
spirv_instruction(set = "GLSL.std.450", id = 80) TYPE n_max(TYPE a, TYPE b);
spirv_instruction(set = "GLSL.std.450", id = 81) TYPE n_clamp(TYPE a, TYPE b, TYPE c);
spirv_instruction(id = 140) TYPE f_rem(TYPE a, TYPE b);
spirv_instruction(id = 182) BOOL f_ord_not_equal(TYPE a, TYPE b);
spirv_instruction(id = 181) BOOL f_unord_equal(TYPE a, TYPE b);
spirv_instruction(id = 185) BOOL f_unord_less(TYPE a, TYPE b);
spirv_instruction(id = 187) BOOL f_unord_greater(TYPE a, TYPE b);
spirv_instruction(id = 189) BOOL f_unord_less_equal(TYPE a, TYPE b);
spirv_instruction(id = 191) BOOL f_unord_greater_equal(TYPE a, TYPE b);

TYPE frexp_part(TYPE x)
{
   INT power;
   return frexp(x, power);
}
INT frexp_power(TYPE x)
{
   INT power;
   frexp(x, power);
   return power;
}
TYPE modf_part(TYPE x)
{
   TYPE whole;
   return modf(x, whole);
}
TYPE modf_whole(TYPE x)
{
   TYPE whole;
   modf(x, whole);
   return whole;
}

void main()
{
#if VEC == 1
   uint at = 3u * gl_GlobalInvocationID.x;
   FT a = LOAD(at), b = LOAD(at + 1u), c = LOAD(at + 2u);
#else
   uint at = 12u * gl_GlobalInvocationID.x;
   VEC4 a = VEC4(LOAD(at), LOAD(at + 3u), LOAD(at + 6u), LOAD(at + 9u));
   VEC4 b = VEC4(LOAD(at + 1u), LOAD(at + 4u), LOAD(at + 7u), LOAD(at + 10u));
   VEC4 c = VEC4(LOAD(at + 2u), LOAD(at + 5u), LOAD(at + 8u), LOAD(at + 11u));
#endif
#define F(defined_, ulps, error, glsl, c_) store(glsl);
#define I(defined_, glsl, c_) store(glsl);
#if BITS == 64
#define M(defined_, ulps, error, glsl, c_)
#else
#define M(defined_, ulps, error, glsl, c_) store(glsl);
#endif
#if VEC == 4
#define S(defined_, ulps, error, glsl, c_)
#else
#define S(defined_, ulps, error, glsl, c_) store(glsl);
#endif
#include "math_float.inl"
}
