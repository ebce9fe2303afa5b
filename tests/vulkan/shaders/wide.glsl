/* Numbers of 64 bits on their way from the vertex to the fragment shader: scalars, vectors, arrays, matrices,
 * structures, halves of locations. The values follow from the vertex that provokes. STAGE: 0 vertex, 1 fragment.
 * WHOLE: with integers in the place of floats. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#ifdef WHOLE
#define double uint64_t
#define dvec2 u64vec2
#define dvec3 u64vec3
#define dvec4 u64vec4
#define MATRIX dvec3 matrix[2]
#else
#define MATRIX dmat2x3 matrix
#endif
#if STAGE == 0
#define IO out
#else
#define IO flat in
#endif
struct Wide { double x; i64vec2 y; float z; };
layout(location = 0) IO double one;
layout(location = 1) IO dvec2 two;
layout(location = 2) IO dvec3 three;
layout(location = 4) IO dvec4 four;
layout(location = 6) IO dvec3 list[2];
layout(location = 10) IO MATRIX;
layout(location = 14) IO int64_t number;
layout(location = 15) IO u64vec3 numbers;
layout(location = 17, component = 0) IO double low;
layout(location = 17, component = 2) IO uint64_t high;
layout(location = 18) IO Wide wide;
layout(location = 21) IO i64vec4 last;
layout(location = 23, component = 1) IO float beside;
layout(location = 23, component = 2) IO double pair;

uint64_t whole(uint i, uint v) { return uint64_t(i + 1u) * 0x123456789abcdefUL + uint64_t(v) * 0xfedcba987654321UL; }
#ifdef WHOLE
uint64_t real(uint i, uint v) { return ~whole(i, v); }
#else
double real(uint i, uint v) { return double(i) * 3.125 + double(v) / 1024.0 - 1e-9; }
#endif

#if STAGE == 0
void main()
{
   uint v = uint(gl_VertexIndex), i = 0u;
   gl_Position = vec4(vec2(v & 1u, v >> 1) * 4.0 - 1.0, 0.0, 1.0);
   one = real(0u, v);
   two = dvec2(real(1u, v), real(2u, v));
   three = dvec3(real(3u, v), real(4u, v), real(5u, v));
   four = dvec4(real(6u, v), real(7u, v), real(8u, v), real(9u, v));
   for (uint j = 0u; j < 2u; j++) {
      for (uint k = 0u; k < 3u; k++) {
         list[j][k] = real(10u + 3u * j + k, v);
         matrix[j][k] = real(16u + 3u * j + k, v);
      }
   }
   low = real(22u, v);
   pair = real(23u, v);
   wide.x = real(24u, v);
   wide.z = float(v) + 0.5;
   beside = float(v) + 0.25;
   number = int64_t(whole(0u, v));
   numbers = u64vec3(whole(1u, v), whole(2u, v), whole(3u, v));
   high = whole(4u, v);
   wide.y = i64vec2(whole(5u, v), whole(6u, v));
   last = i64vec4(whole(7u, v), whole(8u, v), whole(9u, v), whole(10u, v));
}
#else
layout(set = 0, binding = 0) writeonly buffer Out { uvec2 results[]; };
layout(location = 0) out vec4 color;
uint row = 0u, at;
#ifndef WHOLE
void put(double x) { results[row++ * 256u + at] = unpackDouble2x32(x); }
#endif
void put(uint64_t x) { results[row++ * 256u + at] = unpackUint2x32(x); }
void put(float x) { results[row++ * 256u + at] = uvec2(floatBitsToUint(x), 0u); }
void main()
{
   ivec2 p = ivec2(gl_FragCoord.xy);
   at = uint(p.y * 16 + p.x);
   put(one);
   put(two.x); put(two.y);
   put(three.x); put(three.y); put(three.z);
   for (uint k = 0u; k < 4u; k++)
      put(four[k]);
   for (uint j = 0u; j < 6u; j++)
      put(list[j / 3u][j % 3u]);
   for (uint j = 0u; j < 6u; j++)
      put(matrix[j / 3u][j % 3u]);
   put(low);
   put(pair);
   put(wide.x);
   put(uint64_t(number));
   put(numbers.x); put(numbers.y); put(numbers.z);
   put(high);
   put(uint64_t(wide.y.x)); put(uint64_t(wide.y.y));
   for (uint k = 0u; k < 4u; k++)
      put(uint64_t(last[k]));
   put(list[uint(p.x) & 1u][uint(p.y) % 3u]);
   put(uint64_t(last[uint(p.x) & 3u]));
   put(wide.z);
   put(beside);
   color = vec4(1);
}
#endif
