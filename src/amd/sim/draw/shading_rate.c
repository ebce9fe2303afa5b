/* Rates pass through combiners one after another: the draw's rate, the provoking vertex's, the primitive's, that of
 * the surface (there is none: 1x1), that of sample shading (1x1), and an override. Source: register databases of
 * GFX10.3; RADV's and PAL's use of them; VK_KHR_fragment_shading_rate for what combiners do. */
#include "amd/sim/draw/shading_rate.h"

#include "amd/hw/registers.h"
#include "amd/sim/draw/draw_state.h"
#include "util/macros.h"

enum { MAX_LOG2 = 1 };

static uint8_t
combine_axis(uint8_t a, uint8_t b, unsigned mode)
{
   switch (mode) {
   case V_SC_VRS_COMB_MODE_PASSTHRU:
      return a;
   case V_SC_VRS_COMB_MODE_OVERRIDE:
      return b;
   case V_SC_VRS_COMB_MODE_MIN:
      return MIN2(a, b);
   case V_SC_VRS_COMB_MODE_MAX:
      return MAX2(a, b);
   default: /* others: SATURATE, of the product; more were refused */
      return (uint8_t)MIN2(a + b, MAX_LOG2);
   }
}

static struct amd_shading_rate
combine(struct amd_shading_rate a, struct amd_shading_rate b, unsigned mode)
{
   return (struct amd_shading_rate){combine_axis(a.x_log2, b.x_log2, mode), combine_axis(a.y_log2, b.y_log2, mode)};
}

/* Combiners ahead of the last one. */
static struct amd_shading_rate
combine_all(const struct amd_shading_rate_state *s, struct amd_shading_rate vertex, struct amd_shading_rate primitive)
{
   const struct amd_shading_rate one = {0};
   struct amd_shading_rate rate = combine(s->draw, vertex, s->with_vertex);
   rate = combine(rate, primitive, s->with_primitive);
   rate = combine(rate, one, s->with_surface);
   rate = combine(rate, one, s->with_samples);
   return combine(rate, s->last, s->with_last);
}

struct amd_shading_rate
amd_shading_rate_of(const struct amd_shading_rate_state *s, uint32_t vertex_bits, uint32_t payload)
{
   const struct amd_shading_rate one = {0};
   if (s->fine)
      return (struct amd_shading_rate){0};
   uint8_t x = vertex_bits >> 2 & 3, y = vertex_bits >> 4 & 3;
   uint8_t prim_x = payload >> 28 & 3, prim_y = payload >> 30;
   return combine_all(s, s->by_vertex ? (struct amd_shading_rate){MIN2(x, MAX_LOG2), MIN2(y, MAX_LOG2)} : one,
                      s->by_primitive ? (struct amd_shading_rate){MIN2(prim_x, MAX_LOG2), MIN2(prim_y, MAX_LOG2)}
                                      : one);
}

/* Whether any primitive of the draw can be shaded coarsely. */
static bool
may_be_coarse(const struct amd_shading_rate_state *s)
{
   const struct amd_shading_rate two = {MAX_LOG2, MAX_LOG2}, one = {0};
   struct amd_shading_rate most = combine_all(s, s->by_vertex ? two : one, s->by_primitive ? two : one);
   return most.x_log2 || most.y_log2;
}

static bool
check(const struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   const struct amd_shading_rate_state *s = &state->rate;
   const char *what = NULL;
   if (MAX2(MAX2(s->with_vertex, s->with_primitive), MAX2(s->with_surface, s->with_samples)) >
          V_SC_VRS_COMB_MODE_SATURATE ||
       s->with_last > V_SC_VRS_COMB_MODE_SATURATE)
      what = "a shading rate combiner of that number";
   else if (MAX2(MAX2(s->draw.x_log2, s->draw.y_log2), MAX2(s->last.x_log2, s->last.y_log2)) > MAX_LOG2)
      what = "coarse pixels of more than 2x2";
   else if (!s->fine && s->with_surface != V_SC_VRS_COMB_MODE_PASSTHRU &&
            G_DB_HTILE_SURFACE_VRS_HTILE_ENCODING(amd_regs_get(gpu->regs, R_DB_HTILE_SURFACE)))
      what = "shading rates of attachments";
   else if (s->fine || !may_be_coarse(s))
      return true;
   else if (state->samples.iterations > 1)
      what = "coarse pixels that are shaded by sample";
   else if (state->depth.mask_export)
      what = "coverage of coarse pixels as a shader's output";
   return !what || sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0), "the model does not have %s", what);
}

bool
amd_shading_rate_decode(struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   const struct amd_regs *regs = gpu->regs;
   struct amd_shading_rate_state *s = &state->rate;
   *s = (struct amd_shading_rate_state){.fine = true};
   if (!gpu->model->traits->coarse_shading)
      return true;
   uint32_t combiners = amd_regs_get(regs, R_PA_CL_VRS_CNTL), last = amd_regs_get(regs, R_DB_VRS_OVERRIDE_CNTL);
   uint32_t rate = amd_regs_get(regs, R_GE_VRS_RATE), payload = amd_regs_get(regs, R_VGT_DRAW_PAYLOAD_CNTL);
   bool by_sample = G_PA_SC_MODE_CNTL_1_PS_ITER_SAMPLE(amd_regs_get(regs, R_PA_SC_MODE_CNTL_1));
   *s = (struct amd_shading_rate_state){
      .by_vertex = G_PA_CL_VS_OUT_CNTL_USE_VTX_VRS_RATE(amd_regs_get(regs, R_PA_CL_VS_OUT_CNTL)),
      .by_primitive = state->geometry.path == AMD_VERTEX_PATH_NGG && state->ngg.payload,
      .last = {G_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_X(last), G_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_Y(last)},
      .with_vertex = G_PA_CL_VRS_CNTL_VERTEX_RATE_COMBINER_MODE(combiners),
      .with_primitive = G_PA_CL_VRS_CNTL_PRIMITIVE_RATE_COMBINER_MODE(combiners),
      .with_surface = G_PA_CL_VRS_CNTL_HTILE_RATE_COMBINER_MODE(combiners),
      .with_samples = by_sample ? G_PA_CL_VRS_CNTL_SAMPLE_ITER_COMBINER_MODE(combiners) : 0,
      .with_last = G_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_COMBINER_MODE(last),
      /* Ordered sections are of pixels. */
      .fine =
         state->pops.enable || G_DB_RENDER_OVERRIDE2_FORCE_VRS_RATE_FINE(amd_regs_get(regs, R_DB_RENDER_OVERRIDE2)),
   };
   if (G_VGT_DRAW_PAYLOAD_CNTL_EN_VRS_RATE(payload))
      s->draw = (struct amd_shading_rate){G_GE_VRS_RATE_RATE_X(rate), G_GE_VRS_RATE_RATE_Y(rate)};
   if (!check(state, gpu))
      return false;
   s->fine |= !may_be_coarse(s);
   return true;
}
