/* Samplers, and the table of border colours that they name. */
#include <stdlib.h>
#include <string.h>

#include "amd/hw/descriptors.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/log.h"
#include "util/macros.h"

static uint8_t
clamp_mode(enum pipe_wrap wrap)
{
   switch (wrap) {
   case PIPE_WRAP_REPEAT:
      return V_SQ_TEX_WRAP;
   case PIPE_WRAP_MIRRORED_REPEAT:
      return V_SQ_TEX_MIRROR;
   case PIPE_WRAP_CLAMP_TO_EDGE:
      return V_SQ_TEX_CLAMP_LAST_TEXEL;
   case PIPE_WRAP_CLAMP_TO_BORDER:
      return V_SQ_TEX_CLAMP_BORDER;
   case PIPE_WRAP_MIRROR_CLAMP_TO_EDGE:
      return V_SQ_TEX_MIRROR_ONCE_LAST_TEXEL;
   }
   return V_SQ_TEX_WRAP;
}

static uint8_t
border_color(enum pipe_border_color border)
{
   switch (border) {
   case PIPE_BORDER_FLOAT_TRANSPARENT_BLACK:
   case PIPE_BORDER_INT_TRANSPARENT_BLACK:
      return V_SQ_TEX_BORDER_COLOR_TRANS_BLACK;
   case PIPE_BORDER_FLOAT_OPAQUE_BLACK:
   case PIPE_BORDER_INT_OPAQUE_BLACK:
      return V_SQ_TEX_BORDER_COLOR_OPAQUE_BLACK;
   case PIPE_BORDER_FLOAT_OPAQUE_WHITE:
   case PIPE_BORDER_INT_OPAQUE_WHITE:
      return V_SQ_TEX_BORDER_COLOR_OPAQUE_WHITE;
   case PIPE_BORDER_CUSTOM:
      return V_SQ_TEX_BORDER_COLOR_REGISTER;
   }
   return V_SQ_TEX_BORDER_COLOR_TRANS_BLACK;
}

static uint8_t
aniso_log2(float max_anisotropy)
{
   return max_anisotropy < 2 ? 0 : max_anisotropy < 4 ? 1 : max_anisotropy < 8 ? 2 : max_anisotropy < 16 ? 3 : 4;
}

static const uint8_t filter_modes[] = {
   [PIPE_REDUCE_AVERAGE] = V_SQ_IMG_FILTER_MODE_BLEND,
   [PIPE_REDUCE_MIN] = V_SQ_IMG_FILTER_MODE_MIN,
   [PIPE_REDUCE_MAX] = V_SQ_IMG_FILTER_MODE_MAX,
};

/* ---- custom colours of borders ---- */

static struct si_border_color *
border_colors(const struct si_screen *screen)
{
   return amdgpu_ws_bo_map(screen->borders.bo);
}

/* An entry that has the colour, else a free one; SI_BORDER_COLORS: all are used. */
static uint16_t
find_border_color(const struct si_borders *borders, const struct si_border_color *colors,
                  const union pipe_clear_color *color)
{
   uint16_t found = SI_BORDER_COLORS, i;

   for (i = 0; i < borders->end; i++) {
      if (borders->users[i] && !memcmp(colors[i].words, color->u, sizeof(colors[i].words)))
         break;
      if (!borders->users[i] && found == SI_BORDER_COLORS)
         found = i;
   }
   return i < borders->end || found == SI_BORDER_COLORS ? i : found;
}

/* The same from the end on: samplers that others do not run into when the application runs again. */
static uint16_t
find_last_border_color(const struct si_borders *borders, const struct si_border_color *colors,
                       const union pipe_clear_color *color)
{
   uint16_t i = SI_BORDER_COLORS;

   while (i && borders->users[i - 1] && memcmp(colors[i - 1].words, color->u, sizeof(colors[i - 1].words)) != 0)
      i--;
   return i ? (uint16_t)(i - 1) : (uint16_t)SI_BORDER_COLORS;
}

/* Place n is entry n - 1. */
static uint16_t
find_border_place(const struct si_borders *borders, const struct si_border_color *colors,
                  const union pipe_clear_color *color, uint32_t place)
{
   const uint32_t entry = place - 1;
   const bool fits = entry < SI_BORDER_COLORS &&
                     (!borders->users[entry] || !memcmp(colors[entry].words, color->u, sizeof(colors[entry].words)));

   return fits ? (uint16_t)entry : SI_BORDER_COLORS;
}

/* Samplers of one colour share an entry; SI_BORDER_COLORS: there is none for it. */
static uint16_t
use_border_color(struct si_screen *screen, const union pipe_clear_color *color, uint32_t place)
{
   struct si_borders *borders = &screen->borders;
   struct si_border_color *colors;
   uint16_t found = SI_BORDER_COLORS;

   pthread_mutex_lock(&borders->lock);
   colors = border_colors(screen);
   if (colors)
      found = !place                         ? find_border_color(borders, colors, color)
              : place == PIPE_PLACE_REPLAYED ? find_last_border_color(borders, colors, color)
                                             : find_border_place(borders, colors, color, place);
   if (found < SI_BORDER_COLORS) {
      borders->users[found]++;
      borders->end = MAX2(borders->end, found + 1u);
      memcpy(colors[found].words, color->u, sizeof(colors[found].words));
   }
   pthread_mutex_unlock(&borders->lock);
   return found;
}

static void
drop_border_color(struct si_screen *screen, uint16_t entry)
{
   pthread_mutex_lock(&screen->borders.lock);
   screen->borders.users[entry]--;
   pthread_mutex_unlock(&screen->borders.lock);
}

bool
si_borders_init(struct si_screen *screen)
{
   pthread_mutex_init(&screen->borders.lock, NULL);
   screen->borders.bo = amdgpu_ws_bo_create(screen->ws, SI_BORDER_COLORS * sizeof(struct si_border_color), 4096,
                                            AMDGPU_WS_GTT, AMDGPU_WS_BO_CPU_ACCESS | AMDGPU_WS_BO_READ_ONLY);
   return screen->borders.bo != NULL;
}

void
si_borders_finish(struct si_screen *screen)
{
   amdgpu_ws_bo_destroy(screen->borders.bo);
   pthread_mutex_destroy(&screen->borders.lock);
}

static enum pipe_result
sampler_create(struct pipe_screen *screen, const struct pipe_sampler_desc *desc, struct pipe_sampler **out)
{
   struct si_sampler *sampler = calloc(1, sizeof(*sampler));
   struct ac_sampler fields = {
      .clamp_x = clamp_mode(desc->wrap_u),
      .clamp_y = clamp_mode(desc->wrap_v),
      .clamp_z = clamp_mode(desc->wrap_w),
      .compare = desc->compare_enable ? (uint8_t)desc->compare : V_SQ_TEX_DEPTH_COMPARE_NEVER,
      .border = border_color(desc->border),
      .filter_mode = filter_modes[desc->reduction],
      .face_edges = desc->face_edges,
      .mag_linear = desc->mag == PIPE_FILTER_LINEAR,
      .min_linear = desc->min == PIPE_FILTER_LINEAR,
      .mip_filter = desc->unnormalized                ? V_SQ_TEX_MIP_FILTER_NONE
                    : desc->mip == PIPE_FILTER_LINEAR ? V_SQ_TEX_MIP_FILTER_LINEAR
                                                      : V_SQ_TEX_MIP_FILTER_POINT,
      .unnormalized = desc->unnormalized,
      .aniso_log2 = aniso_log2(desc->max_anisotropy),
      .min_lod = desc->min_lod,
      .max_lod = desc->max_lod,
      .lod_bias = desc->lod_bias,
   };

   if (!sampler)
      return PIPE_OUT_OF_HOST_MEMORY;
   if (desc->border == PIPE_BORDER_CUSTOM) {
      const bool asks = desc->custom_place && desc->custom_place != PIPE_PLACE_REPLAYED;

      fields.border_entry = use_border_color(si_screen(screen), &desc->custom_border, desc->custom_place);
      if (fields.border_entry == SI_BORDER_COLORS && asks) {
         free(sampler);
         return PIPE_ADDRESS_TAKEN;
      }
      if (fields.border_entry == SI_BORDER_COLORS) {
         log_error("samplers: all %u custom colours of borders are used", SI_BORDER_COLORS);
         free(sampler);
         return PIPE_OUT_OF_DEVICE_MEMORY;
      }
      sampler->has_border_entry = true;
      sampler->border_entry = fields.border_entry;
   }
   ac_sampler_descriptor(si_screen(screen)->info.gen, &fields, sampler->words);
   *out = si_sampler_handle(sampler);
   return PIPE_OK;
}

static uint32_t
sampler_place(const struct pipe_sampler *sampler)
{
   const struct si_sampler *of = si_sampler(sampler);

   return of->has_border_entry ? of->border_entry + 1u : 0;
}

static void
sampler_destroy(struct pipe_screen *screen, struct pipe_sampler *sampler)
{
   const struct si_sampler *of = si_sampler(sampler);

   if (of && of->has_border_entry)
      drop_border_color(si_screen(screen), of->border_entry);
   free(si_sampler(sampler));
}

void
si_init_sampler(struct si_screen *screen)
{
   screen->base.sampler_create = sampler_create;
   screen->base.sampler_destroy = sampler_destroy;
   screen->base.sampler_place = sampler_place;
}
