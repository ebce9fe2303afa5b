#include "amd/sim/spi/spi_ps.h"

#include <string.h>

#include "amd/hw/registers.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { LAST_FORMAT = 15 };

/* Export formats whose components are halves. */
static bool
has_halves(unsigned format)
{
   return format >= V_SPI_SHADER_FP16_ABGR && format <= V_SPI_SHADER_SINT16_ABGR;
}

void
amd_spi_ps_list_prims(struct amd_launch *l, uint32_t waves)
{
   struct amd_draw_memory *m = l->p->memory;
   l->prim_floats = l->p->state.pixel.attr_count * 12;
   if (l->p->by_blocks) {
      amd_spi_ps_place_blocks(l, waves);
      return;
   }
   m->wave_params.size_B = 0;
   struct amd_wave_prims *wave_prims = dynarray_grow(&m->wave_params, waves * sizeof(*wave_prims) + l->count * 4);
   uint32_t *list = (uint32_t *)(wave_prims + waves), total = 0;
   for (uint32_t w = 0; w < waves; w++) {
      wave_prims[w].first = total;
      uint32_t count = amd_launch_quad_count(l, w);
      for (uint32_t i = 0; i < count; i++) {
         uint32_t prim = amd_launch_quad(l, w, i)->prim;
         if (total == wave_prims[w].first || list[total - 1] != prim)
            list[total++] = prim;
      }
      wave_prims[w].count = total - wave_prims[w].first;
   }
   l->wave_prims = wave_prims;
   l->prim_list = list;
   m->params.size_B = 0;
   l->params = dynarray_grow(&m->params, (size_t)total * l->prim_floats * 4 + 4);
}

/* Each slot that is kept is one target's. */
static void
place_texels(struct amd_launch *l)
{
   const struct amd_color_state *color = &l->p->state.color;
   for (unsigned i = 0; i < color->count; i++) {
      const struct amd_target_state *t = &color->target[i];
      if (!t->enable || !(l->slot_index[t->export] < l->slots))
         continue;
      l->target[t->export] = (uint8_t)i;
      l->first_word[t->export] = l->words;
      l->words += (uint8_t)((t->format.size_B + 3) / 4);
   }
}

void
amd_spi_ps_allocate(struct amd_launch *l, uint32_t waves, bool tiles)
{
   const struct amd_draw_state *state = &l->p->state;
   l->slots = 0;
   memset(l->slot_index, 0xff, sizeof(l->slot_index));
   for (unsigned i = 0; i < AMD_MAX_TARGETS; i++) {
      bool second = i == 1 && state->color.dual_source, alpha = i == 0 && state->depth.alpha_to_mask;
      unsigned export = state->color.target[i].export;
      if ((state->pixel.export_mask >> export & 1) && (state->color.target[i].enable || second || alpha) &&
          l->slot_index[export] == 0xff)
         l->slot_index[export] = (uint8_t)l->slots++;
   }
   if (state->pixel.z_format != V_SPI_SHADER_ZERO)
      l->slot_index[AMD_EXPORT_Z] = (uint8_t)l->slots++;
   if (tiles)
      place_texels(l);
   struct dynarray *exports = &l->p->memory->exports;
   exports->size_B = 0;
   size_t out_B = align_up(waves * sizeof(*l->out), 64);
   size_t wave_dw = tiles ? l->words * l->quads_per_wave * 4 : l->slots * 4 * AMD_WAVE_MAX_LANES;
   char *memory = dynarray_grow(exports, out_B + waves * wave_dw * 4);
   for (unsigned slot = 0; slot < AMD_EXPORT_SLOTS && l->p->gpu->model->traits->halves_by_format; slot++) {
      unsigned format =
         slot == AMD_EXPORT_Z ? state->pixel.z_format : state->pixel.col_format >> (4 * slot) & LAST_FORMAT;
      l->halves |= (uint16_t)(has_halves(format) << slot);
   }
   l->out = (struct amd_wave_out *)memory;
   l->values = tiles ? NULL : (uint32_t *)(memory + out_B);
   l->texels = tiles ? (uint32_t *)(memory + out_B) : NULL;
}

static void
swap(struct dynarray *a, struct dynarray *b)
{
   const struct dynarray kept = *a;
   *a = *b;
   *b = kept;
}

/* Waves of a draw with primitive ordered pixel shading. Returns how many. */
static uint32_t
form_ordered_waves(struct amd_launch *l)
{
   const struct amd_draw_state *state = &l->p->state;
   struct amd_draw_memory *m = l->p->memory;
   struct amd_pops_memory *pops = &m->common->pops;
   l->pops.packers = amd_pops_packers(l->p->gpu->chip);
   amd_pops_form(&l->pops, pops, &state->pops, dynarray_at(&m->quads, struct amd_quad, l->first), l->count,
                 l->quads_per_wave, state->samples.iterations > 1);
   swap(&m->pops_waves, &pops->waves);
   swap(&m->pops_order, &pops->order);
   swap(&m->pops_place, &pops->place);
   l->place = m->pops_place.data;
   return l->pops.wave_count;
}

static struct amd_wave_pixel
pixel_of(const void *user, uint32_t group, unsigned lane)
{
   const struct amd_launch *l = user;
   const struct amd_draw_state *state = &l->p->state;
   if (lane / 4 >= amd_launch_quad_count(l, group))
      return (struct amd_wave_pixel){0};
   const struct amd_quad *quad = amd_launch_quad(l, group, lane / 4);
   if (amd_quad_is_coarse(quad))
      return (struct amd_wave_pixel){0}; /* of several pixels: not compared */
   return (struct amd_wave_pixel){(uint16_t)(quad->x + amd_quad_dx(quad, lane & 3)),
                                  (uint16_t)(quad->y + amd_quad_dy(quad, lane & 3)),
                                  (uint8_t)amd_pops_samples(quad, lane & 3, 3, state->samples.iterations > 1),
                                  state->pops.enable ? state->pops.samples_log2 : 0};
}

struct amd_wave_launch
amd_spi_ps_launch(struct amd_launch *l, uint32_t waves, uint32_t waves_alike)
{
   const struct amd_pipeline *p = l->p;
   amd_spi_ps_list_prims(l, waves);
   struct amd_wave_launch launch = amd_spi_launch(p, AMD_STAGE_PS);
   launch.name = "pixel shader";
   launch.group_count = waves;
   launch.groups_alike = waves_alike;
   launch.pops = l->place ? &l->pops : NULL;
   launch.races = p->gpu->races;
   launch.pixel = pixel_of;
   launch.user = l;
   launch.start = amd_spi_ps_start;
   launch.retire = amd_spi_ps_retire;
   launch.retires_anywhere = true;
   return launch;
}

void
amd_spi_commit_launch(struct amd_pipeline *p)
{
   amd_spi_ps_commit(p->memory->launch);
}

void
amd_spi_form_launch(struct amd_pipeline *p, uint32_t first, uint32_t count)
{
   struct amd_draw_memory *m = p->memory;
   if (!m->launch)
      m->launch = need_calloc("a launch", 1, sizeof(*m->launch));
   struct amd_launch *l = m->launch;
   *l = (struct amd_launch){
      .p = p, .first = first, .count = count, .quads_per_wave = p->state.shaders[AMD_STAGE_PS].wave_size / 4};
   uint32_t waves = (uint32_t)div_round_up(count, l->quads_per_wave);
   if (p->state.pops.enable)
      waves = form_ordered_waves(l);
   amd_spi_ps_allocate(l, waves, amd_spi_ps_takes_tiles(l));
   m->wave_launch = amd_spi_ps_launch(l, waves, 0);
}

bool
amd_spi_count_quads(const struct amd_pipeline *p, uint32_t *quads)
{
   const struct dynarray *blocks = &p->memory->blocks;
   const struct amd_shader_state *shader = &p->state.shaders[AMD_STAGE_PS];
   *quads = 0;
   if (shader->user_sgprs > ARRAY_SIZE(shader->user_data))
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0), "%u user SGPRs", shader->user_sgprs);
   if (!p->by_blocks) {
      *quads = (uint32_t)dynarray_count(&p->memory->quads, struct amd_quad);
   } else if (blocks->size_B) {
      const struct amd_block *last =
         dynarray_at(blocks, struct amd_block, dynarray_count(blocks, struct amd_block) - 1);
      *quads = last->first_quad + last->count;
   }
   return true;
}
