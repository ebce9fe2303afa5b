/* VK_VALVE_shader_mixed_float_dot_product: pairs of halves whose products and sums are exact, so that nobody rounds.
 */
#include <string.h>

#include "vkt_dispatch.h"

static const uint32_t code[] = {
#include "mixed_dots.inc"
};

enum { LANES = 64 };

/* A small number in quarters. */
static uint16_t
half_of(int quarters)
{
   const uint32_t size = (uint32_t)(quarters < 0 ? -quarters : quarters);
   unsigned top = 0;
   if (!size)
      return 0;
   while (size >> (top + 1))
      top++;
   return (uint16_t)((quarters < 0 ? 0x8000u : 0) | (13 + top) << 10 | (size << (10 - top) & 0x3ff));
}

static uint32_t
pair(int x, int y)
{
   return half_of(x) | (uint32_t)half_of(y) << 16;
}

int
main(void)
{
   struct vkx vkx = vkt_create("mixed_dots");
   if (!vkt_has("VK_VALVE_shader_mixed_float_dot_product")) {
      vkt_skip("VK_VALVE_shader_mixed_float_dot_product");
      vkt_expect(true, "nothing");
      return vkt_finish(&vkx);
   }
   struct vkx_buffer buffers[2] = {vkt_buffer_create(&vkx, LANES * 16, 0), vkt_buffer_create(&vkx, LANES * 8, 0)};
   float wide[LANES];
   uint16_t halves[LANES];
   for (unsigned i = 0; i < LANES; i++) {
      int v[5];
      for (unsigned k = 0; k < 5; k++)
         v[k] = (int)vkt_random_below(33) - 16;
      const float sum = 1000.0f + (float)v[4] / 1024;
      uint32_t *row = (uint32_t *)buffers[0].map + 4 * i;
      row[0] = pair(v[0], v[1]);
      row[1] = pair(v[2], v[3]);
      memcpy(&row[2], &sum, 4);
      row[3] = pair(v[4], 0);
      wide[i] = sum + (float)(v[0] * v[2] + v[1] * v[3]) / 16;
      halves[i] = half_of((v[0] * v[2] + v[1] * v[3]) / 4 + v[4]);
      if ((v[0] * v[2] + v[1] * v[3]) % 4)
         halves[i] = 0xffff; /* no quarters */
   }
   vkt_dispatch(&vkx,
                &(struct vkt_dispatch){.code = VKT_CODE(code), .num_buffers = 2, .buffers = buffers, .groups = 1});
   for (unsigned i = 0; i < LANES; i++) {
      const uint32_t *got = (const uint32_t *)buffers[1].map + 2 * i;
      float value;
      memcpy(&value, got, 4);
      vkt_expect(value == wide[i], "lane %u: %g, not %g", i, (double)value, (double)wide[i]);
      vkt_expect(halves[i] == 0xffff || (got[1] & 0xffff) == halves[i], "lane %u: half %04x, not %04x", i,
                 got[1] & 0xffff, halves[i]);
   }
   vkx_buffer_destroy(&vkx, &buffers[0]);
   vkx_buffer_destroy(&vkx, &buffers[1]);
   return vkt_finish(&vkx);
}
