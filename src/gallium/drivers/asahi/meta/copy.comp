#version 460
#extension GL_GOOGLE_include_directive : require
// An element of 1 << SIZE_LOG2 bytes, or 16 bytes of one, from src to dst.
#include "table.glsl"
#include "elements.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

void main()
{
   if (!is_inside())
      return;
   uint64_t part_B = uint64_t(part() << 4);
   uint64_t from = src_address(place_in(table.src, offset())) + part_B;
   uint64_t to = dst_address(place_in(table.dst, offset())) + part_B;

#if SIZE_LOG2 == 0
   one_byte(to).value = one_byte(from).value;
#elif SIZE_LOG2 == 1
   two_bytes(to).value = uint16_t(turn(two_bytes(from).value));
#elif SIZE_LOG2 == 2
   word(to).value = word(from).value;
#elif SIZE_LOG2 == 3
   two_words(to).value = two_words(from).value;
#else
   four_words(to).value = four_words(from).value;
#endif
}
