#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// One invocation makes the parameters of a draw by a byte count.
#include "agx_assembly.h"

layout(local_size_x = 1) in;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer words { uint word[]; };

layout(push_constant) uniform arguments { agx_byte_count_arguments draw; };

void main()
{
   words to = words(draw.parameters_va);
   uint filled_B = words(draw.counter_va).word[0];

   to.word[0] = filled_B > draw.offset_B ? (filled_B - draw.offset_B) / draw.stride_B : 0;
   to.word[1] = draw.instances;
   to.word[2] = 0;
   to.word[3] = draw.first_instance;
}
