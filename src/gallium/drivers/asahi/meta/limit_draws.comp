#version 460
#extension GL_GOOGLE_include_directive : require
// x: the draw, y: the word of it. Numbers: bytes from draw to draw, there and here, the first draw. value: the
// address of the count.
#include "table.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

void main()
{
   if (!is_inside())
      return;
   uint draw = gl_GlobalInvocationID.x, in_draw = gl_GlobalInvocationID.y << 2;
   uint from_B = draw * number(0) + in_draw, to_B = draw * number(1) + in_draw;
   uint count = word(packUint2x32(uvec2(table.value[0], table.value[1]))).value;
   uint value = word(address(table.src.va) + uint64_t(from_B)).value;
   bool counts = gl_GlobalInvocationID.y < 2, past_end = draw + number(2) >= count;

   word(address(table.dst.va) + uint64_t(to_B)).value = mix(value, 0u, counts && past_end);
}
