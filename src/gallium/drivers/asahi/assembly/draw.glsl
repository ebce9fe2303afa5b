// What the programs of a draw have in common.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require

#include "agx_assembly.h"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer words { uint word[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer indices_16 { uint16_t element[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer indices_8 { uint8_t element[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer counter { uint64_t count; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer heap { agx_heap h; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer assembly { agx_assembly a; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer targets { agx_xfb_target target[]; };

layout(push_constant) uniform arguments { agx_draw_arguments draw; };

uvec2 address_after(uvec2 va, uint bytes)
{
   uint carry;
   va.x = uaddCarry(va.x, bytes, carry);
   return uvec2(va.x, va.y + carry);
}

bool is_there(uvec2 va)
{
   return (va.x | va.y) != 0;
}
