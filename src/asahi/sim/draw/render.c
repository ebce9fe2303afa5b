#include "asahi/sim/draw/render.h"

#include <stdlib.h>
#include <string.h>

#include "asahi/sim/tile/tile.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"
#include "util/within_memory.h"

static bool
fault(const struct agx_render *render, const char *sentence)
{
   return sim_fault_set(render->gpu->fault, SIM_FAULT_STATE, sim_va(0), "render: %s", sentence);
}

static bool
check_sizes(struct agx_render *render)
{
   const struct agx_render_command *c = render->command;
   if (!c->width_px || !c->height_px || c->width_px > AGX_MAX_PX || c->height_px > AGX_MAX_PX)
      return fault(render, "width and height are from 1 to 16384");
   if (!c->layers || c->layers > 2048)
      return fault(render, "layers are from 1 to 2048");
   if (c->samples != 1 && c->samples != 2 && c->samples != 4)
      return fault(render, "samples are 1, 2 or 4");
   bool size = (c->utile_width_px == 32 && (c->utile_height_px == 32 || c->utile_height_px == 16)) ||
               (c->utile_width_px == 16 && c->utile_height_px == 16);
   if (!size)
      return fault(render, "tiles are of 32x32, 32x16 or 16x16 pixels");
   /* Tile memory of a core; what a driver's table of tile sizes comes from. */
   uint32_t tile_B = c->utile_width_px * c->utile_height_px * c->samples * c->sample_size_B;
   if (c->sample_size_B % 8 || tile_B > 32767)
      return fault(render, "a tile's samples have multiples of 8 bytes each and less than 32 KiB together");
   return true;
}

/* Sixteenths of a pixel, from its corner; samples beyond the count have none. */
static bool
set_positions(struct agx_render *render)
{
   struct agx_multisample_control m;
   agx_multisample_control_unpack(&m, &render->command->ppp_multisamplectl);
   const uint32_t at[AGX_MAX_SAMPLES][2] = {{m.sample_0_x, m.sample_0_y},
                                            {m.sample_1_x, m.sample_1_y},
                                            {m.sample_2_x, m.sample_2_y},
                                            {m.sample_3_x, m.sample_3_y}};
   if (render->command->ppp_multisamplectl >> 32)
      return fault(render, "sample positions have 32 bits");
   render->samples = render->command->samples;
   render->samples_log2 = render->samples / 2;
   render->positions.count = render->samples;
   for (unsigned i = 0; i < render->samples; i++) {
      render->positions.x16[i] = (int8_t)((int)at[i][0] - 8);
      render->positions.y16[i] = (int8_t)((int)at[i][1] - 8);
   }
   return true;
}

struct zs_place {
   uint64_t base, metadata;
   uint32_t stride, metadata_stride;
   enum agx_channels channels;
   enum agx_texture_type type;
   uint32_t width_px, height_px;
};

/* From bit 14 on: how many units, minus 1. */
static uint64_t
strided(uint32_t stride, uint32_t unit_B)
{
   return (uint64_t)((stride >> 14) + 1) * unit_B;
}

static bool
open_surface(struct agx_render *render, const struct zs_place *at, enum agx_zls_tiling tiling, bool compressed,
             unsigned access, struct agx_surface *surface)
{
   struct agx_surface_zs zs = {
      .layout = tiling == AGX_ZLS_TILING_TWIDDLED ? AGX_LAYOUT_TWIDDLED : AGX_LAYOUT_GPU,
      .channels = at->channels,
      .type = at->type,
      .width_px = at->width_px,
      .height_px = at->height_px,
      .layers = render->command->layers,
      .samples = render->samples,
      .address = at->base,
      .metadata = compressed ? at->metadata : 0,
      .layer_stride_B = strided(at->stride, 0x4000),
      .metadata_layer_stride_B = compressed ? strided(at->metadata_stride, 0x80) : 0,
   };
   return agx_surface_of_zs(surface, &zs, render->gpu->fault) &&
          agx_surface_map(surface, render->gpu->vm, access, render->gpu->fault);
}

/* A partial render needs the attachment, also of what neither is loaded nor kept. Without an address there is none,
 * and what the hardware does then is not known: here it keeps the tile. */
static bool
open_spill(struct agx_render *render, const struct zs_place *at, enum agx_zls_tiling tiling, bool compressed,
           struct agx_zs_surface *zs)
{
   enum sim_schedule_kind kind = render->gpu->schedule.kind;
   zs->spills = at->base && (kind == SIM_SCHEDULE_WORST || kind == SIM_SCHEDULE_SEED);
   return !zs->spills || open_surface(render, at, tiling, compressed, SIM_READ | SIM_WRITE, &zs->spill);
}

/* Depth and stencil attachments, and what tiles start with where they are not loaded. */
static bool
open_zs(struct agx_render *render)
{
   const struct agx_render_command *c = render->command;
   struct agx_zls_control z;
   struct agx_cr_isp_zls_pixels size;
   agx_zls_control_unpack(&z, &c->zls_ctrl);
   agx_cr_isp_zls_pixels_unpack(&size, &c->isp_zls_pixels);
   if (z.z_resolve || z.s_resolve)
      return fault(render, "the model does not resolve depth and stencil as it stores them");
   render->depth_is_16 = z.z_format == AGX_ZLS_FORMAT_16;
   struct zs_place depth = {.base = c->depth_base,
                            .metadata = c->depth_comp_base,
                            .stride = c->depth_stride,
                            .metadata_stride = c->depth_comp_stride,
                            .channels = render->depth_is_16 ? AGX_CHANNELS_R16 : AGX_CHANNELS_R32,
                            .type = render->depth_is_16 ? AGX_TEXTURE_TYPE_UNORM : AGX_TEXTURE_TYPE_FLOAT,
                            .width_px = size.x_px,
                            .height_px = size.y_px};
   struct zs_place stencil = depth;
   stencil.base = c->stencil_base;
   stencil.metadata = c->stencil_comp_base;
   stencil.stride = c->stencil_stride;
   stencil.metadata_stride = c->stencil_comp_stride;
   stencil.channels = AGX_CHANNELS_R8;
   stencil.type = AGX_TEXTURE_TYPE_UINT;
   struct agx_zs_surface *d = &render->depth, *s = &render->stencil;
   d->load = z.z_load, d->store = z.z_store;
   s->load = z.s_load, s->store = z.s_store;
   bool z_as_loaded = d->load && !d->store, s_as_loaded = s->load && !s->store;
   return open_spill(render, &depth, z_as_loaded ? z.z_load_tiling : z.z_store_tiling,
                     z_as_loaded ? z.z_load_compress : z.z_store_compress, d) &&
          open_spill(render, &stencil, s_as_loaded ? z.s_load_tiling : z.s_store_tiling,
                     s_as_loaded ? z.s_load_compress : z.s_store_compress, s) &&
          (!d->load || open_surface(render, &depth, z.z_load_tiling, z.z_load_compress, SIM_READ, &d->load_from)) &&
          (!d->store ||
           open_surface(render, &depth, z.z_store_tiling, z.z_store_compress, SIM_WRITE, &d->store_to)) &&
          (!s->load || open_surface(render, &stencil, z.s_load_tiling, z.s_load_compress, SIM_READ, &s->load_from)) &&
          (!s->store ||
           open_surface(render, &stencil, z.s_store_tiling, z.s_store_compress, SIM_WRITE, &s->store_to));
}

/* Any values: drivers leave what they find there where nothing is cleared [seen]. */
static void
set_background(struct agx_render *render)
{
   struct agx_background_values values;
   agx_background_values_unpack(&values, &render->command->isp_bgobjvals);
   render->background_stencil = (uint8_t)values.stencil;
   uint32_t depth = render->command->isp_bgobjdepth;
   if (render->depth_is_16)
      render->background_depth = sim_unorm_to_float(depth & 0xffff, 16);
   else
      memcpy(&render->background_depth, &depth, 4);
}

static bool
make_bins(struct agx_render *render)
{
   const struct agx_render_command *c = render->command;
   render->tile_width_px = c->utile_width_px;
   render->tile_height_px = c->utile_height_px;
   render->bins_wide = (uint32_t)div_round_up(c->width_px, AGX_BIN_PX);
   render->bins_high = (uint32_t)div_round_up(c->height_px, AGX_BIN_PX);
   render->bins = calloc((size_t)render->bins_wide * render->bins_high * c->layers, sizeof(*render->bins));
   return render->bins || sim_fault_set(render->gpu->fault, SIM_FAULT_EXHAUSTED, sim_va(0),
                                        "no host memory for the tiles of a render");
}

struct agx_render *
agx_render_begin(const struct agx_gpu *gpu, const struct agx_render_command *command)
{
   struct agx_render *render = need_calloc("a render", 1, sizeof(*render));
   render->gpu = gpu;
   render->command = command;
   agx_cr_ppp_control_unpack(&render->ppp, &command->ppp_ctrl);
   if (check_sizes(render) && set_positions(render) && open_zs(render) && make_bins(render)) {
      set_background(render);
      return render;
   }
   agx_render_free(render);
   return NULL;
}

bool
agx_render_end(struct agx_render *render)
{
   return agx_tiles_run(render);
}

void
agx_render_free(struct agx_render *render)
{
   if (!render)
      return;
   size_t bins = (size_t)render->bins_wide * render->bins_high * render->command->layers;
   for (size_t i = 0; render->bins && i < bins; i++)
      dynarray_free(&render->bins[i].prims);
   free(render->bins);
   for (unsigned i = 0; i < render->setup_count; i++) {
      dynarray_free(&render->setups[i].prims);
      dynarray_free(&render->setups[i].coefficients);
   }
   free(render->setups);
   free(render->queries);
   struct dynarray *arrays[] = {&render->draws,       &render->prims,    &render->coefficients,
                                &render->vertices_in, &render->prims_in, &render->vertices};
   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      dynarray_free(arrays[i]);
   free(render);
}
