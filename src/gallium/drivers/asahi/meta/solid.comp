#version 460
#extension GL_GOOGLE_include_directive : require
// 16 bytes of the begin of a compressed tile of dst; x counts them and tiles.
#include "table.glsl"
#include "elements.glsl"
#include "samples.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

void main()
{
   if (!is_inside())
      return;
   uvec3 tile = offset();
   uvec3 place = place_in(table.dst, uvec3(tile.xy << AGX_META_TILE_LOG2 - samples_log2(), tile.z));

   four_words(dst_address(place) + uint64_t(part() << 4)).value =
      uvec4(table.value[0], table.value[1], table.value[2], table.value[3]);
}
