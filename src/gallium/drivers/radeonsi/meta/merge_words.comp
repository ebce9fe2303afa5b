#version 460
#extension GL_GOOGLE_include_directive : require
// Dwords of a buffer: some of their bits become others. src: a mask of what stays, and what is added; size: rows of
// src_pitch_el dwords.
#include "table.glsl"
layout(binding = SI_META_DST_WORDS, std430) buffer dst_words { uint words[]; };

void main()
{
   if (is_inside())
      words[texel_of_buffer()] = words[texel_of_buffer()] & table.src[0].x | table.src[0].y;
}
