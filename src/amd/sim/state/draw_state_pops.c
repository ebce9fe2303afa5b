/* Registers of ordered sections. */
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"
#include "util/macros.h"

/* Up to GFX10.3. */
static const char *
order_by_wave_ids(struct amd_pops_state *p, const struct amd_regs *regs)
{
   uint32_t sc = amd_regs_get(regs, R_PA_SC_SHADER_CONTROL), rsrc2 = amd_regs_get(regs, R_SPI_SHADER_PGM_RSRC2_PS);
   p->samples_log2 = G_DB_SHADER_CONTROL_POPS_OVERLAP_NUM_SAMPLES(amd_regs_get(regs, R_DB_SHADER_CONTROL));
   p->rsrc_wave_id = G_SPI_SHADER_PGM_RSRC2_PS_LOAD_COLLISION_WAVEID(rsrc2);
   p->rsrc_intrawave = G_SPI_SHADER_PGM_RSRC2_PS_LOAD_INTRAWAVE_COLLISION(rsrc2);
   p->pa_wave_id = G_PA_SC_SHADER_CONTROL_LOAD_COLLISION_WAVEID(sc);
   p->pa_intrawave = G_PA_SC_SHADER_CONTROL_LOAD_INTRAWAVE_COLLISION(sc);
   if (p->rsrc_wave_id != p->pa_wave_id)
      return "LOAD_COLLISION_WAVEID differs between SPI_SHADER_PGM_RSRC2_PS and PA_SC_SHADER_CONTROL";
   if (p->rsrc_intrawave != p->pa_intrawave)
      return "LOAD_INTRAWAVE_COLLISION differs between SPI_SHADER_PGM_RSRC2_PS and PA_SC_SHADER_CONTROL";
   return NULL;
}

/* GFX11: by the last export of waves. DB takes the samples from its own register, even where there is no depth: of
 * those of a pixel, as many as the smaller number says. */
static const char *
order_by_exports(struct amd_pops_state *p, const struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   uint32_t shader = amd_regs_get(gpu->regs, R_DB_SHADER_CONTROL);
   p->samples_log2 = G_DB_SHADER_CONTROL_OVERRIDE_INTRINSIC_RATE(shader);
   if (!G_DB_SHADER_CONTROL_OVERRIDE_INTRINSIC_RATE_ENABLE(shader))
      return "DB_SHADER_CONTROL.OVERRIDE_INTRINSIC_RATE_ENABLE is 0";
   uint32_t seen_log2 = G_DB_Z_INFO_NUM_SAMPLES(amd_regs_get(gpu->regs, R_DB_Z_INFO(gpu->model->gen)));
   p->unseen = (uint8_t)~bit_mask(1u << MIN2(seen_log2, state->samples.log2));
   return NULL;
}

static bool
misses_overlap(const struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   uint32_t z = amd_regs_get(gpu->regs, R_DB_Z_INFO(gpu->model->gen));
   uint32_t stencil = amd_regs_get(gpu->regs, R_DB_STENCIL_INFO(gpu->model->gen));
   bool has_depth = G_DB_Z_INFO_FORMAT(z) || G_DB_STENCIL_INFO_FORMAT(stencil);
   return amd_chip_misses_overlap(gpu->chip) &&
          (state->samples.log2 >= 3 || (has_depth && G_DB_Z_INFO_NUM_SAMPLES(z) >= 3));
}

/* DFSM drops fragments of a bin that later ones hide, whatever they store. Source: radeonsi, which turned it on, and
 * PAL (disableDfsmPsUav) turn it off where pixel shaders write memory. */
static bool
punches_out(const struct amd_gpu *gpu)
{
   uint32_t dfsm = amd_regs_get(gpu->regs, R_DB_DFSM_CONTROL(gpu->model->gen));
   return G_DB_DFSM_CONTROL_PUNCHOUT_MODE(dfsm) != V_PUNCHOUT_MODE_FORCE_OFF;
}

/* What hangs with the register that drains on overlap as it is, or NULL. GFX11 has none of it. */
static const char *
find_drain_fault(const struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   uint32_t launch =
      G_DB_RENDER_OVERRIDE2_PARTIAL_SQUAD_LAUNCH_CONTROL(amd_regs_get(gpu->regs, R_DB_RENDER_OVERRIDE2));
   uint32_t dfsm = amd_regs_get(gpu->regs, R_DB_DFSM_CONTROL(gpu->model->gen));
   bool drains = G_DB_DFSM_CONTROL_POPS_DRAIN_PS_ON_OVERLAP(dfsm);
   if (drains && gpu->model->traits->draining_stalls && launch != V_PSLC_ON_HANG_ONLY)
      return "unless DB_RENDER_OVERRIDE2.PARTIAL_SQUAD_LAUNCH_CONTROL is ON_HANG_ONLY (erratum pops-stalled)";
   if (!drains && misses_overlap(state, gpu))
      return "at 8 or more samples (erratum pops-missed-overlap)";
   return NULL;
}

/* Registers that contradict each other, or no room for exports, lose the order without a fault: so does the hardware
 * (pops article, "Export requirements", "Entering the ordered section", "Configuring POPS"). Without room GFX11
 * hangs. The article has granularities up to the exposed samples only. */
bool
amd_draw_state_pops(struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   struct amd_pops_state *p = &state->pops;
   bool by_exports = gpu->model->traits->ordered_by_exports;
   *p = (struct amd_pops_state){
      .enable = G_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(amd_regs_get(gpu->regs, R_DB_SHADER_CONTROL))};
   if (!p->enable && by_exports)
      return true;
   const char *hang = p->enable && !by_exports ? find_drain_fault(state, gpu) : NULL;
   if (hang)
      return sim_fault_set(gpu->fault, SIM_FAULT_HANG, sim_va(0),
                           "ordered sections with DB_DFSM_CONTROL 0x%x hang %s",
                           amd_regs_get(gpu->regs, R_DB_DFSM_CONTROL(gpu->model->gen)), hang);
   if (p->enable && gpu->model->traits->punches_out && punches_out(gpu))
      return sim_fault_set(gpu->fault, SIM_FAULT_ORDER, sim_va(0),
                           "ordered sections without DB_DFSM_CONTROL.PUNCHOUT_MODE FORCE_OFF: fragments that later "
                           "ones hide may never run");
   p->lost = by_exports ? order_by_exports(p, state, gpu) : order_by_wave_ids(p, gpu->regs);
   if (p->enable && !state->pixel.export_mask && state->pixel.z_format == V_SPI_SHADER_ZERO) {
      if (by_exports)
         return sim_fault_set(gpu->fault, SIM_FAULT_HANG, sim_va(0),
                              "ordered sections without space for exports (SPI_SHADER_COL_FORMAT and "
                              "SPI_SHADER_Z_FORMAT are 0)");
      p->lost =
         p->lost ? p->lost : "there is no space for exports (SPI_SHADER_COL_FORMAT and SPI_SHADER_Z_FORMAT are 0)";
   }
   if (!p->enable || p->samples_log2 <= state->samples.log2)
      return true;
   return sim_fault_set(
      gpu->fault, SIM_FAULT_STATE, sim_va(0),
      "overlap of 2^%u samples in DB_SHADER_CONTROL (%s) is above PA_SC_AA_CONFIG.MSAA_EXPOSED_SAMPLES "
      "%u",
      p->samples_log2, by_exports ? "OVERRIDE_INTRINSIC_RATE" : "POPS_OVERLAP_NUM_SAMPLES", state->samples.log2);
}
