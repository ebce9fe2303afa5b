#version 460
#extension GL_GOOGLE_include_directive : require
// A copy of words for each of y, as memory at src says: where from, where to, how many bytes. number[0]: bytes from
// one such triple to the next.
#include "table.glsl"

layout(local_size_x = 256) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer description { uvec2 from, to, bytes; };

void main()
{
   if (!is_inside())
      return;
   uint64_t at = address(table.src.va) + uint64_t(gl_GlobalInvocationID.y) * number(0);
   description copy = description(at);
   uint64_t from = address(copy.from), to = address(copy.to), words = address(copy.bytes) >> 2;

   for (uint64_t i = gl_GlobalInvocationID.x; i < words; i += gl_WorkGroupSize.x)
      word(to + (i << 2)).value = word(from + (i << 2)).value;
}
