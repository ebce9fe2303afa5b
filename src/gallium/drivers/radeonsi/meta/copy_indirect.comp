#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Words, as memory at src[0].xy says for each of y; src[0].z: bytes from one to the next.
#include "table.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer word { uint value; };
// VkCopyMemoryIndirectCommandKHR
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer command { uvec2 from, to, size_B; };

void main()
{
   if (!is_inside())
      return;
   const uint64_t at_B = uint64_t(gl_GlobalInvocationID.y * table.src[0].z);
   command copy = command(packUint2x32(table.src[0].xy) + at_B);
   word from = word(packUint2x32(copy.from)), to = word(packUint2x32(copy.to));
   const uint words = uint(packUint2x32(copy.size_B) >> 2);
   for (uint i = gl_GlobalInvocationID.x; i < words; i += SI_META_COPY_LANES)
      to[i].value = from[i].value;
}
