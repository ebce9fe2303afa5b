/* Starting SGPRs of pixel waves. */
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/spi/spi_ps.h"
#include "util/macros.h"

/* Bits of COLLISION_WAVEID and INTRAWAVE_COLLISION without a meaning: programs must not look at them (pops article),
 * so they are set. The packer has one bit where MODE names it. */
enum { COLLISION_UNUSED = 0x4c00fc00, COLLISION_PACKER_HIGH = 1 << 29 };

static uint32_t
collision_sgpr(const struct amd_launch *l, uint32_t collision)
{
   bool one_bit = l->p->gpu->model->traits->pops_in_mode;
   return collision | COLLISION_UNUSED | (one_bit ? COLLISION_PACKER_HIGH : 0);
}

static uint32_t
layers_sgpr(const struct amd_launch *l, uint32_t wave)
{
   return l->pops.waves[wave].layers | ~(uint32_t)bit_mask(l->quads_per_wave);
}

/* Two bits a quad. Source: as in choose_corners(). */
static uint32_t
first_vertices_sgpr(const struct amd_launch *l)
{
   return amd_first_vertex(l->p) * 0x55555555u & (uint32_t)bit_mask(2 * l->quads_per_wave);
}

void
amd_spi_ps_start_sgprs(const struct amd_launch *l, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *start)
{
   const struct amd_draw_state *state = &l->p->state;
   const struct amd_shader_state *shader = &state->shaders[AMD_STAGE_PS];
   memcpy(start->sgpr, shader->user_data, shader->user_sgprs * 4);
   start->sgpr_count = shader->user_sgprs;
   start->sgpr[start->sgpr_count++] = start->prim_mask;
   bool pops = state->pops.enable && !start->order_lost;
   if (state->pops.rsrc_wave_id)
      start->sgpr[start->sgpr_count++] =
         pops && state->pops.pa_wave_id ? collision_sgpr(l, start->collision_waveid) : 0;
   if (state->pops.rsrc_intrawave)
      start->sgpr[start->sgpr_count++] = pops && state->pops.pa_intrawave ? layers_sgpr(l, wave) : 0;
   if (state->pixel.first_vertex_sgpr)
      start->sgpr[start->sgpr_count++] = first_vertices_sgpr(l);
   start->sgpr_count += amd_spi_start_scratch(l->p, AMD_STAGE_PS, scratch_slot, start->sgpr_count, start);
}
