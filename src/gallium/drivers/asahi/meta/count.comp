#version 460
#extension GL_GOOGLE_include_directive : require
// Numbers: bytes from place to place, what is taken off, what divides, a factor, whether there are three words.
#include "table.glsl"

layout(local_size_x = 32) in;

void main()
{
   if (!is_inside())
      return;
   uint from_B = gl_GlobalInvocationID.x * number(0);
   uvec2 words = two_words(address(table.src.va) + uint64_t(from_B)).value;
   uint each = (words.x - min(words.x, number(1))) / number(2);
   uint third = word(address(table.src.va) + uint64_t(from_B + 8)).value;

   atomicAdd(word(address(table.dst.va)).value, each * (words.y * number(3)) * mix(1u, third, number(4) != 0));
}
