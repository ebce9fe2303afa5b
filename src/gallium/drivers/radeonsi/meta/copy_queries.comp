#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// One value of one query: x the query, y the value. size.w: pairs to add up; after the table the place of each value.
#include "table.glsl"
layout(binding = SI_META_SRC_WORDS, std430) readonly buffer src_words { uint src[]; };
layout(binding = SI_META_DST_WORDS, std430) writeonly buffer dst_words { uint dst[]; };

#define SLOT_B table.src_pitch_el.x
#define PAIR_STEP_B table.src_pitch_el.y
#define END_OFFSET_B table.src_pitch_el.z
#define AVAILABLE_OFFSET_B table.src_pitch_el.w
#define STRIDE_B table.dst_offset.x
#define RESULT_B table.dst_offset.y
#define AVAILABILITY_AT_B table.dst_offset.z // negative: nowhere
#define WRITES_UNAVAILABLE table.dst_offset.w

uint64_t load_value(uint at_B)
{
   return packUint2x32(uvec2(src[at_B / 4], src[at_B / 4 + 1]));
}

// A dword, and the high one if results have 64 bits.
void store_result(uint at_B, uint64_t value)
{
   const uvec2 halves = unpackUint2x32(value);
   dst[at_B / 4] = halves.x;
   if (RESULT_B == 8)
      dst[at_B / 4 + 1] = halves.y;
}

void main()
{
   if (!is_inside())
      return;
   const uint query = gl_GlobalInvocationID.x, value = gl_GlobalInvocationID.y;
   const uint slot_B = query * SLOT_B, first_B = slot_B + places[value] * PAIR_STEP_B, to_B = query * STRIDE_B;
   const uint available = src[(slot_B + AVAILABLE_OFFSET_B) / 4];
   uint64_t sum = 0;
   for (uint i = 0; i < table.size.w; i++)
      sum += load_value(first_B + i * PAIR_STEP_B + END_OFFSET_B) - load_value(first_B + i * PAIR_STEP_B);
   if (available != 0 || WRITES_UNAVAILABLE != 0)
      store_result(to_B + value * RESULT_B, sum);
   if (AVAILABILITY_AT_B >= 0)
      store_result(to_B + AVAILABILITY_AT_B, uint64_t(available));
}
