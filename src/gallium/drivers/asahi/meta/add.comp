#version 460
#extension GL_GOOGLE_include_directive : require
// x: the number of a value of 64 bits.
#include "table.glsl"

layout(local_size_x = 32) in;

void main()
{
   if (!is_inside())
      return;
   uint64_t at = uint64_t(gl_GlobalInvocationID.x << 3);
   two_words to = two_words(address(table.dst.va) + at);

   to.value = unpackUint2x32(address(two_words(address(table.src.va) + at).value) + address(to.value));
}
