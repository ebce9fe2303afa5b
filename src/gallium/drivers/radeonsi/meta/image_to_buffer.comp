#version 460
#extension GL_GOOGLE_include_directive : require
#include "table.glsl"
#include "images.glsl"
layout(binding = SI_META_DST_TEXELS) writeonly uniform uimageBuffer texels;

void main()
{
   if (is_inside())
      imageStore(texels, int(texel_of_buffer()), imageLoad(src_image, src_place()));
}
