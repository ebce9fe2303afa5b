#version 460
#extension GL_GOOGLE_include_directive : require
// x: the number of an entry, which is the number of a word of a sparse image's table and the word.
#include "table.glsl"

layout(local_size_x = 64) in;

void main()
{
   if (!is_inside())
      return;
   uvec2 entry = two_words(address(table.src.va) + uint64_t(gl_GlobalInvocationID.x << 3)).value;

   word(address(table.dst.va) + uint64_t(entry.x << 2)).value = entry.y;
}
