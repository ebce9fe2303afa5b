// What the programs of meta operations have in common.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require

#include "agx_meta_table.h"

layout(buffer_reference, scalar, buffer_reference_align = 1) buffer one_byte { uint8_t value; };
layout(buffer_reference, scalar, buffer_reference_align = 2) buffer two_bytes { uint16_t value; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer word { uint value; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer two_words { uvec2 value; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer four_words { uvec4 value; };

layout(push_constant, scalar) uniform arguments { agx_meta_table table; };

bool is_inside()
{
   return all(lessThan(gl_GlobalInvocationID, uvec3(table.size[0], table.size[1], table.size[2])));
}

uint64_t address(uvec2 va)
{
   return packUint2x32(va);
}

uint number(uint which)
{
   return table.number[which];
}
