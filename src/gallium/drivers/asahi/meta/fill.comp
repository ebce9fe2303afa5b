#version 460
#extension GL_GOOGLE_include_directive : require
// Four words of dst an invocation become the value; number[0]: how many words there are. y: layers.
#include "table.glsl"

layout(local_size_x = 64) in;

uint64_t to(uint at)
{
   uint64_t layer_B = uint64_t(gl_GlobalInvocationID.y) * address(table.dst.layer_B);

   return address(table.dst.va) + uint64_t(at << 2) + layer_B;
}

void fill(uint at)
{
   if (at < number(0))
      word(to(at)).value = table.value[0];
}

void main()
{
   if (!is_inside())
      return;
   uint first = gl_GlobalInvocationID.x << 2;

   if (number(0) >= first + 4) {
      four_words(to(first)).value = uvec4(table.value[0], table.value[1], table.value[2], table.value[3]);
   } else {
      fill(first);
      fill(first + 1);
      fill(first + 2);
   }
}
