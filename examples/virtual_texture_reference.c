/* virtual_texture on the CPU: the same integers as in the shader. */
#include "virtual_texture.h"

uint32_t
vt_texel(uint32_t level, uint32_t x, uint32_t y)
{
   uint32_t cell = (x >> 4) * 73856093u ^ (y >> 4) * 19349663u ^ level * 83492791u;
   cell = (cell ^ cell >> 13) * 1274126177u;
   uint32_t line = (x & 15) == 0 || (y & 15) == 0 ? 0 : 0x303030;
   uint32_t shade = (x * 7 + y * 3) & 15;
   return 0xff000000u | (((cell & 0xcfcfcf) + line + shade * 0x010101) & 0xffffff);
}

static bool
is_there(const struct vt *vt, uint32_t level, uint32_t x, uint32_t y)
{
   const struct vt_level *l = &vt->level[level];
   return level >= vt->tail || vt->slot[l->first + y / vt->block_h * l->columns + x / vt->block_w] >= 0;
}

static uint32_t
pixel(const struct vt *vt, const struct vt_push *show, uint32_t x, uint32_t y)
{
   uint32_t step = 65536 * 4 / (y + 24), wanted = 0;
   int32_t u = show->at_x + (((int32_t)x - (int32_t)(show->width / 2)) * (int32_t)step >> 8);
   int32_t v = show->at_y - (int32_t)(step >> 1);
   uint32_t tu = (uint32_t)u & (vt->size - 1), tv = (uint32_t)v & (vt->size - 1);
   while (step >> 8 >> (wanted + 1) && wanted < vt->levels - 1)
      wanted++;
   for (uint32_t l = wanted; l < vt->levels; l++)
      if (is_there(vt, l, tu >> l, tv >> l))
         return vt_texel(l, tu >> l, tv >> l);
   return 0;
}

void
vt_reference(const struct vt *vt, const struct vt_push *show, uint32_t *pixels)
{
   for (uint32_t y = 0; y < show->height; y++)
      for (uint32_t x = 0; x < show->width; x++)
         pixels[y * show->width + x] = pixel(vt, show, x, y);
}
