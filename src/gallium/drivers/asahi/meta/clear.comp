#version 460
#extension GL_GOOGLE_include_directive : require
// An element of 1 << SIZE_LOG2 bytes, or 16 bytes of one, of dst becomes the value.
#include "table.glsl"
#include "elements.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

void main()
{
   if (!is_inside())
      return;
   uint64_t to = dst_address(place_in(table.dst, offset())) + uint64_t(part() << 4);

#if SIZE_LOG2 == 0
   one_byte(to).value = uint8_t(table.value[0]);
#elif SIZE_LOG2 == 1
   two_bytes(to).value = uint16_t(table.value[0]);
#elif SIZE_LOG2 == 2
   word(to).value = table.value[0];
#elif SIZE_LOG2 == 3
   two_words(to).value = uvec2(table.value[0], table.value[1]);
#else
   four_words(to).value = uvec4(table.value[0], table.value[1], table.value[2], table.value[3]);
#endif
}
