#version 460
#extension GL_GOOGLE_include_directive : require
// A texel of a compressed image, src, to dst. With samples an invocation takes one of them.
#include "table.glsl"
#include "elements.glsl"
#include "texels.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

void main()
{
   if (!is_inside())
      return;
   uint64_t part_B = uint64_t(part() << number(AGX_META_TEXEL_LOG2));

   store_texel(load_texel(place_in(table.src, offset()), part()),
               dst_address(place_in(table.dst, offset())) + part_B);
}
