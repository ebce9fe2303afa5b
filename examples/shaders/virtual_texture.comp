#version 450
#extension GL_ARB_sparse_texture2 : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform usampler2D whole;
layout(set = 0, binding = 1, r32ui) uniform writeonly uimage2D level_image;
// By level: its first block, blocks in a row. Then by block: 1, wanted and not there; 2, seen.
layout(set = 0, binding = 2) buffer Wishes { uint wishes[]; };
layout(set = 0, binding = 3) buffer Pixels { uint pixels[]; };
layout(push_constant) uniform Push
{
   uint kind;                // 0: fill texels of a level, 1: show
   uint level, x, y;         // fill: the first texel
   uint width, height;       // of the picture, or of what is filled
   uint size, levels, tail;  // of the texture; levels from `tail` on are always there
   int at_x, at_y;           // show: where the camera stands
   uint block_w, block_h;
};

// The texel of a level: 0xaabbggrr. virtual_texture.c has it, too.
uint texel_of(uint l, uint tx, uint ty)
{
   uint cell = (tx >> 4) * 73856093u ^ (ty >> 4) * 19349663u ^ l * 83492791u;
   cell = (cell ^ cell >> 13) * 1274126177u;
   uint line = (tx & 15u) == 0u || (ty & 15u) == 0u ? 0u : 0x303030u;
   uint shade = (tx * 7u + ty * 3u) & 15u;
   return 0xff000000u | ((cell & 0xcfcfcfu) + line + shade * 0x010101u & 0xffffffu);
}

void fill()
{
   uvec2 at = gl_GlobalInvocationID.xy;
   if (at.x < width && at.y < height)
      imageStore(level_image, ivec2(x + at.x, y + at.y), uvec4(texel_of(level, x + at.x, y + at.y)));
}

// A floor below a horizon: the farther, the more texels a pixel.
void show()
{
   uvec2 at = gl_GlobalInvocationID.xy;
   if (at.x >= width || at.y >= height)
      return;
   uint step = 65536u * 4u / (at.y + 24u); // texels a pixel, 1/256
   int u = at_x + ((int(at.x) - int(width / 2u)) * int(step) >> 8);
   int v = at_y - int(step >> 1);
   uint tu = uint(u) & size - 1u, tv = uint(v) & size - 1u;
   uint wanted = min(uint(findMSB(step >> 8 | 1u)), levels - 1u);
   for (uint l = wanted; l < levels; l++) {
      uvec4 texel;
      uvec2 place = uvec2(tu, tv) >> l;
      bool there = sparseTexelsResidentARB(sparseTexelFetchARB(whole, ivec2(place), int(l), texel));
      if (l == wanted && l < tail)
         wishes[32u + wishes[2u * l] + place.y / block_h * wishes[2u * l + 1u] + place.x / block_w] = there ? 2u : 1u;
      if (there) {
         pixels[at.y * width + at.x] = texel.x;
         break;
      }
   }
}

void main()
{
   if (kind == 0u)
      fill();
   else
      show();
}
