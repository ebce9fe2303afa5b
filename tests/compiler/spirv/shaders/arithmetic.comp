#version 450
#extension GL_GOOGLE_include_directive : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
const uint STRIDE = 512u, RESULTS = 16u;
const float table[8] = float[](1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0);

uint carry(uint a, uint b)
{
   uint c;
   uaddCarry(a, b, c);
   return c;
}
uint borrow(uint a, uint b)
{
   uint c;
   usubBorrow(a, b, c);
   return c;
}
uint high(uint a, uint b)
{
   uint h, l;
   umulExtended(a, b, h, l);
   return h;
}
int high(int a, int b)
{
   int h, l;
   imulExtended(a, b, h, l);
   return h;
}
float round_even(float x) { return roundEven(x); }
vec3 insert(vec3 v, uint i, float x)
{
   v[i] = x;
   return v;
}
int frexp_power(float x)
{
   int power;
   frexp(x, power);
   return power;
}
float modf_whole(float x)
{
   float whole;
   modf(x, whole);
   return whole;
}
float quantize(float x) { return float(x); }

void main()
{
   uint at = gl_LocalInvocationIndex * STRIDE;
   float fa = uintBitsToFloat(data[at]), fb = uintBitsToFloat(data[at + 1]), fc = uintBitsToFloat(data[at + 2]);
   int ia = int(data[at + 3]), ib = int(data[at + 4]);
   uint ua = data[at + 5], ub = data[at + 6];
   int64_t la = int64_t(packUint2x32(uvec2(data[at + 8], data[at + 9])));
   int64_t lb = int64_t(packUint2x32(uvec2(data[at + 10], data[at + 11])));
   uint64_t qa = uint64_t(la), qb = uint64_t(lb);
   double da = packDouble2x32(uvec2(data[at + 12], data[at + 13])), db = double(fb);
   float whole;
   int power;
#define F(n, glsl, c) data[at + RESULTS + 2u * n] = floatBitsToUint(glsl);
#define A(n, glsl, c) data[at + RESULTS + 2u * n] = floatBitsToUint(glsl);
#define U(n, glsl, c) data[at + RESULTS + 2u * n] = glsl;
#define L(n, glsl, c) { uvec2 v = unpackUint2x32(uint64_t(glsl)); \
                        data[at + RESULTS + 2u * n] = v.x; data[at + RESULTS + 2u * n + 1u] = v.y; }
#define D(n, glsl, c) { uvec2 v = unpackDouble2x32(glsl); \
                        data[at + RESULTS + 2u * n] = v.x; data[at + RESULTS + 2u * n + 1u] = v.y; }
#include "arithmetic.inl"
}
