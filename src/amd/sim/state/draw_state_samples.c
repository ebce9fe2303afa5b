/* Samples: how many, where they lie, which count, and how often a pixel is shaded. */
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"
#include "util/macros.h"

bool
amd_samples_fit(struct amd_sample_state *s, unsigned surface_log2)
{
   unsigned count = 1u << surface_log2;
   if (s->folded) {
      if (!s->surface_samples)
         s->surface_samples = (uint8_t)count;
      return count == s->surface_samples && count <= AMD_MAX_SAMPLES;
   }
   if (s->positions.count == 1 && !s->log2 && count > 1 && count <= AMD_MAX_SAMPLES) {
      s->positions.count = count;
      for (unsigned i = 0; i < 4; i++)
         s->pixel[i].count = count;
      for (unsigned i = 0; i < 4; i++)
         s->mask[i] = s->mask[i] & 1 ? (uint8_t)bit_mask(count) : 0;
      for (unsigned i = 0; i < count; i++)
         s->centroid_order[i] = (uint8_t)i;
   }
   return s->positions.count == count;
}

bool
amd_color_samples_fit(struct amd_sample_state *s, unsigned surface_log2)
{
   return amd_samples_fit(s, surface_log2) || (!s->folded && s->positions.count > 1u << surface_log2);
}

/* What of a triangle counts, and what of that shaders see. */
static bool
decode_coverage(struct amd_sample_state *s, const struct amd_gpu *gpu)
{
   uint32_t control = amd_regs_get(gpu->regs, R_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL);
   bool over = G_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_OVER_RAST_ENABLE(control);
   bool under = G_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL_UNDER_RAST_ENABLE(control);
   s->estimate = over ? AMD_ESTIMATE_OVER : under ? AMD_ESTIMATE_UNDER : AMD_ESTIMATE_NONE;
   uint32_t input = G_PA_SC_AA_CONFIG_COVERAGE_TO_SHADER_SELECT(amd_regs_get(gpu->regs, R_PA_SC_AA_CONFIG));
   bool inner = input == V_INPUT_INNER_COVERAGE, tested = input == V_INPUT_DEPTH_COVERAGE;
   s->inner_input = inner;
   s->tested_input =
      G_DB_SHADER_CONTROL_PRE_SHADER_DEPTH_COVERAGE_ENABLE(amd_regs_get(gpu->regs, R_DB_SHADER_CONTROL));
   return input == V_INPUT_COVERAGE || (inner && under && !over) || (tested && s->tested_input) ||
          sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                        "the model does not have coverage input %u with conservative rasterisation 0x%08x", input,
                        control);
}

/* Four samples a register, four registers a pixel of the quad. */
static void
decode_locations(struct amd_sample_state *s, const struct amd_regs *regs)
{
   unsigned count = s->positions.count;
   bool msaa = amd_regs_get(regs, R_PA_SC_MODE_CNTL_0) & 1;
   for (unsigned pixel = 0; pixel < ARRAY_SIZE(s->pixel) && msaa; pixel++) {
      struct sim_raster_samples *own = &s->pixel[pixel];
      own->count = count;
      for (unsigned i = 0; i < count; i++) {
         uint32_t location =
            amd_regs_get(regs, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + 16 * pixel + i / 4 * 4) >> (i % 4 * 8);
         own->x16[i] = (int8_t)sign_extend(location & 15, 4);
         own->y16[i] = (int8_t)sign_extend(location >> 4 & 15, 4);
      }
      s->by_pixel |= memcmp(own, s->pixel, sizeof(*own)) != 0;
   }
   s->placed = msaa;
   if (msaa)
      s->positions = s->pixel[0];
}

bool
amd_draw_state_samples(struct amd_sample_state *s, const struct amd_gpu *gpu)
{
   const struct amd_regs *regs = gpu->regs;
   uint32_t config = amd_regs_get(regs, R_PA_SC_AA_CONFIG);
   if (!decode_coverage(s, gpu))
      return false;
   /* Conservative pixels have all samples, however many are rasterised. */
   s->log2 = s->estimate != AMD_ESTIMATE_NONE ? G_PA_SC_AA_CONFIG_MSAA_EXPOSED_SAMPLES(config)
                                              : G_PA_SC_AA_CONFIG_MSAA_NUM_SAMPLES(config);
   if (s->log2 > 3)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model has up to %u samples (PA_SC_AA_CONFIG 0x%x)", AMD_MAX_SAMPLES, config);
   if (G_PA_SC_AA_CONFIG_MSAA_EXPOSED_SAMPLES(config) != s->log2)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model exposes as many samples as it rasterises (PA_SC_AA_CONFIG 0x%x)", config);
   unsigned count = 1u << s->log2, over_log2 = G_DB_EQAA_OVERRASTERIZATION_AMOUNT(amd_regs_get(regs, R_DB_EQAA));
   if (s->estimate != AMD_ESTIMATE_NONE)
      over_log2 = 0;
   if (over_log2 && over_log2 != s->log2)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model has overrasterisation of all samples only: 2^%u of 2^%u", over_log2, s->log2);
   s->folded = over_log2;
   s->positions.count = count;
   decode_locations(s, regs);
   for (unsigned i = 0; i < count; i++) {
      uint32_t order = amd_regs_get(regs, R_PA_SC_CENTROID_PRIORITY_0) >> (4 * i) & 15;
      s->centroid_order[i] = (uint8_t)(order < count ? order : i);
   }
   uint32_t mask0 = amd_regs_get(regs, R_PA_SC_AA_MASK_X0Y0_X1Y0),
            mask1 = amd_regs_get(regs, R_PA_SC_AA_MASK_X0Y1_X1Y1);
   for (unsigned i = 0; i < 4; i++)
      s->mask[i] = (uint8_t)(((i < 2 ? mask0 : mask1) >> (i % 2 * 16)) & bit_mask(count));
   bool per_sample = G_PA_SC_MODE_CNTL_1_PS_ITER_SAMPLE(amd_regs_get(regs, R_PA_SC_MODE_CNTL_1));
   unsigned iterations = 1u << G_DB_EQAA_PS_ITER_SAMPLES(amd_regs_get(regs, R_DB_EQAA));
   s->iterations = (uint8_t)(per_sample ? MIN2(iterations, count) : 1);
   return true;
}

/* ENABLE_POSTZ_OVERRASTERIZATION: that a pixel has all samples of which one passes the depth test. Where none is
 * tested, that is what conservative pixels have. */
bool
amd_draw_state_check_samples(const struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   if (state->samples.tested_input && (!state->depth.early || state->samples.folded))
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model does not have coverage of late depth tests, or of overrasterised samples, as "
                           "a shader's input");
   return !G_DB_EQAA_ENABLE_POSTZ_OVERRASTERIZATION(amd_regs_get(gpu->regs, R_DB_EQAA)) ||
          (state->samples.estimate != AMD_ESTIMATE_NONE && !state->depth.any) ||
          sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                        "the model does not have overrasterisation after the depth test (DB_EQAA)");
}
