#version 460
#extension GL_GOOGLE_include_directive : require
// x: the query, y: the value of it. Numbers: bytes of a slot, of a result's stride, of a value; where the
// availability goes or -1; whether unavailable results are written; where the values of a slot begin. value[0..1]:
// which value of the slot, 4 bits each.
#include "table.glsl"

layout(local_size_x = 32) in;

// A word, and the high one if results have 64 bits.
void store_result(uint at_B, uvec2 result)
{
   word(address(table.dst.va) + uint64_t(at_B)).value = result.x;
   if (number(2) == 8)
      word(address(table.dst.va) + uint64_t(at_B + 4)).value = result.y;
}

void main()
{
   if (!is_inside())
      return;
   uint query = gl_GlobalInvocationID.x, number_of_value = gl_GlobalInvocationID.y;
   uint slot_B = query * number(0), to_B = query * number(1), value_B = number(2);
   uint64_t orders = packUint2x32(uvec2(table.value[0], table.value[1]));
   uint order = uint(orders >> (number_of_value << 2)) & 15;
   uint available = word(address(table.src.va) + uint64_t(slot_B)).value;
   uvec2 result =
      two_words(address(table.src.va) + uint64_t(slot_B + (order << 3) + number(5))).value;

   if ((available | number(4)) != 0)
      store_result(to_B + number_of_value * value_B, result);
   if (int(number(3)) >= 0)
      store_result(to_B + number(3), uvec2(available, 0));
}
