#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_memory_scope_semantics : require
// A compressed level in place. A workgroup is a tile: all its texels are loaded before the first one is stored. Tiles
// that lie as they are stay unread, so that others may write to them meanwhile.
#include "table.glsl"
#include "elements.glsl"
#include "samples.glsl"
#include "texels.glsl"

layout(local_size_x = AGX_META_TILE_SA, local_size_y = AGX_META_TILE_SA) in;

// The low 16 bits of x at the even places.
uint spread(uint x)
{
   x = (x | x << 8) & 0x00ff00ff;
   x = (x | x << 4) & 0x0f0f0f0f;
   x = (x | x << 2) & 0x33333333;
   return (x | x << 1) & 0x55555555;
}

// The address of a tile's mode bytes: Morton order, the longer side on top.
uint64_t mode_address(uvec2 tile)
{
   uint tiles = number(AGX_META_TILES), w = tiles & 0xffff, h = tiles >> 16, square = min(w, h);
   uint mask = (1 << square) - 1;
   uint longer = mix(tile.y, tile.x, h < w) >> square;
   uint morton = spread(tile.x & mask) | spread(tile.y & mask) << 1;
   uint index = longer << (square << 1) | morton;
   uint64_t layer_B = uint64_t(gl_GlobalInvocationID.z) * uint64_t(table.value[2]);

   return address(uvec2(table.value[0], table.value[1])) + layer_B + uint64_t(index << 3);
}

void main()
{
   if (!is_inside())
      return;
   // The invocation is a sample of the box: its pixel, and which one of that.
   uvec2 pixel = gl_GlobalInvocationID.xy >> samples_log2();
   uvec2 in_pixel = gl_GlobalInvocationID.xy - (pixel << samples_log2());
   uint s = in_pixel.x | in_pixel.y << samples_log2().x;
   uvec3 place = place_in(table.dst, uvec3(pixel, gl_GlobalInvocationID.z));
   uint64_t modes = mode_address(place.xy >> AGX_META_TILE_LOG2 - samples_log2());
   uvec2 stored = two_words(modes).value;
   uint plain = table.value[3];

   if (stored.x == plain && stored.y == plain)
      return;
   uvec4 texel = load_texel(place, s);

   controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsImage,
                  gl_SemanticsAcquireRelease);
   if (place.x < number(AGX_META_LEVEL_WIDTH) && place.y < number(AGX_META_LEVEL_HEIGHT))
      store_texel(texel, dst_address(place) + uint64_t(s << number(AGX_META_TEXEL_LOG2)));
   if (gl_LocalInvocationIndex == 0)
      two_words(modes).value = uvec2(plain);
}
