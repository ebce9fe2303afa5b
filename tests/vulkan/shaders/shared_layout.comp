/* Blocks of workgroup memory with a layout: all begin at one place. Written as words, read as other types; of ZERO
 * the memory must be zero when a workgroup starts, whatever the one before left. */
#version 450
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;

shared Words { uint words[64 * 4]; };
shared layout(scalar) Mixed {
   uint8_t bytes[7];
   layout(offset = 8) uint16_t halves[12];
   layout(offset = 32) vec3 vector;
   layout(offset = 48, row_major) mat2x3 rows;
   layout(offset = 256) u16vec2 pairs[32];
};

layout(set = 0, binding = 0) buffer Out { uint result[]; };

void main()
{
   uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.x;
   for (uint j = 0u; j < 4u; j++)
      words[l + 64u * j] = (l + 64u * j) * 0x01030507u + g;
   barrier();
   uint sum = uint(bytes[l % 7u]) + uint(halves[l % 12u]) * 3u + floatBitsToUint(vector[l % 3u]) * 5u +
              floatBitsToUint(rows[l & 1u][l % 3u]) * 7u + uint(pairs[l & 31u].y) * 11u;
   barrier();
   /* One byte of a word, and one half. */
   if (l < 7u)
      bytes[l] = uint8_t(0xa0u + l);
   if (l >= 7u && l < 19u)
      halves[l - 7u] = uint16_t(0xb000u + l);
   barrier();
   result[g * 64u + l] = sum + words[l] * 13u;
}
