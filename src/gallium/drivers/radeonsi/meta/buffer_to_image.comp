#version 460
#extension GL_GOOGLE_include_directive : require
#include "table.glsl"
#include "images.glsl"
layout(binding = SI_META_SRC_TEXELS) uniform uimageBuffer texels;

void main()
{
   if (is_inside())
      imageStore(dst_image, dst_place(), imageLoad(texels, int(texel_of_buffer())));
}
