#version 460
#extension GL_GOOGLE_include_directive : require
// Four words an invocation; number[0]: how many words there are.
#include "table.glsl"

layout(local_size_x = 64) in;

uint64_t from(uint at)
{
   return address(table.src.va) + uint64_t(at << 2);
}

uint64_t to(uint at)
{
   return address(table.dst.va) + uint64_t(at << 2);
}

void copy(uint at)
{
   if (at < number(0))
      word(to(at)).value = word(from(at)).value;
}

void main()
{
   if (!is_inside())
      return;
   uint first = gl_GlobalInvocationID.x << 2;

   if (number(0) >= first + 4) {
      four_words(to(first)).value = four_words(from(first)).value;
   } else {
      copy(first);
      copy(first + 1);
      copy(first + 2);
   }
}
