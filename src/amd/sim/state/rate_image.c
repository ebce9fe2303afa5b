/* GFX11: shading rates of 8x8 pixels, a byte each as PA_SC_VRS_OVERRIDE_CNTL has them (x << 2 | y, in logarithms), in
 * an image that is always 64KB_R_X. Source: register databases; AMD's address library as Mesa uses it. All layers
 * have the same one (observed: RADV gives several views an image of one layer, offers no more, and has no register
 * for them). */
#include "amd/sim/state/rate_image.h"

#include "amd/hw/chips.h"
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state.h"

enum { MODE_64KB_R_X = 27, TILE_PX_LOG2 = 3 };

bool
amd_rate_image_is_used(const struct amd_gpu *gpu)
{
   return gpu->model->traits->scan_overrides_rate &&
          G_PA_SC_VRS_OVERRIDE_CNTL_VRS_SURFACE_ENABLE(amd_regs_get(gpu->regs, R_PA_SC_VRS_OVERRIDE_CNTL));
}

bool
amd_rate_image_init(struct amd_rate_image *image, const struct amd_gpu *gpu)
{
   uint32_t size = amd_regs_get(gpu->regs, R_PA_SC_VRS_RATE_SIZE_XY);
   const struct amd_surface_desc desc = {
      .gen = gpu->model->gen,
      .gb_addr_config = gpu->chip->gb_addr_config,
      .base_256B = (uint64_t)G_PA_SC_VRS_RATE_BASE_EXT_BASE_256B(amd_regs_get(gpu->regs, R_PA_SC_VRS_RATE_BASE_EXT))
                      << 32 |
                   amd_regs_get(gpu->regs, R_PA_SC_VRS_RATE_BASE),
      .mode = MODE_64KB_R_X,
      .element_B = 1,
      .levels = 1,
      .texel_px = 1,
      .width_px = G_PA_SC_VRS_RATE_SIZE_XY_X_MAX(size) + 1,
      .height_px = G_PA_SC_VRS_RATE_SIZE_XY_Y_MAX(size) + 1,
      .slices = 1,
   };
   if (!amd_surface_init(&image->surface, &desc, 0, gpu->fault))
      return false;
   image->host = amd_surface_map(&image->surface, gpu->vm, SIM_READ, &image->run_B, gpu->fault);
   return image->host != NULL;
}

struct amd_shading_rate
amd_rate_image_at(const struct amd_rate_image *image, uint32_t x_px, uint32_t y_px)
{
   uint32_t x = x_px >> TILE_PX_LOG2, y = y_px >> TILE_PX_LOG2;
   if (x >= image->surface.width_el || y >= image->surface.height_el)
      return (struct amd_shading_rate){0};
   uint64_t at_B = amd_surface_offset(&image->surface, x, y, 0, 0);
   if (at_B >= image->run_B) {
      amd_note_outside(image->outside);
      return (struct amd_shading_rate){0};
   }
   return amd_shading_rate_of_number(image->host[at_B] & 15);
}
