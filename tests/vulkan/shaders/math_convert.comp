/* Every conversion between numbers of all types: FROM chooses the source. Not all devices have 64-bit floats: what
 * becomes them is alone (TO_DOUBLE) unless the source is one. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uvec2 operands[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 results[]; };
#define LANES (gl_NumWorkGroups.x * 64u)
uint row = 0u;
void put(uvec2 x) { results[row++ * LANES + gl_GlobalInvocationID.x] = x; }

void main()
{
   uvec2 w = operands[gl_GlobalInvocationID.x];
#if FROM == 0
   int8_t x = int8_t(w.x);
#elif FROM == 1
   uint8_t x = uint8_t(w.x);
#elif FROM == 2
   int16_t x = int16_t(w.x);
#elif FROM == 3
   uint16_t x = uint16_t(w.x);
#elif FROM == 4
   int x = int(w.x);
#elif FROM == 5
   uint x = w.x;
#elif FROM == 6
   int64_t x = int64_t(packUint2x32(w));
#elif FROM == 7
   uint64_t x = packUint2x32(w);
#elif FROM == 8
   float16_t x = unpackFloat2x16(w.x).x;
#elif FROM == 9
   float x = uintBitsToFloat(w.x);
#elif FROM == 10
   double x = packDouble2x32(w);
#else
   bool x = (w.x & 1u) == 1u;
#endif
#ifdef TO_DOUBLE
   row = 10u;
   put(unpackDouble2x32(double(x)));
#else
   put(uvec2(uint(int8_t(x)), 0));
   put(uvec2(uint(uint8_t(x)), 0));
   put(uvec2(uint(int16_t(x)), 0));
   put(uvec2(uint(uint16_t(x)), 0));
   put(uvec2(uint(int(x)), 0));
   put(uvec2(uint(x), 0));
   put(unpackUint2x32(uint64_t(int64_t(x))));
   put(unpackUint2x32(uint64_t(x)));
   put(uvec2(packFloat2x16(f16vec2(float16_t(x), float16_t(0))), 0));
   put(uvec2(floatBitsToUint(float(x)), 0));
#if FROM == 10
   put(unpackDouble2x32(double(x)));
#else
   row++;
#endif
   put(uvec2(bool(x), 0));
#endif
}
