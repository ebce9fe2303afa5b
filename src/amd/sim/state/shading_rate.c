/* Rates pass through combiners one after another: the draw's rate, the provoking vertex's, the primitive's, that of
 * the surface (bits of HTILE, or an image; 1x1 without), that of sample shading (1x1), and an override. Source:
 * register databases of GFX10.3; RADV's and PAL's use of them; VK_KHR_fragment_shading_rate for what combiners do.
 * Where coarse pixels come out of that, they are shaded once and not by sample: shading by sample is a rate, too
 * (RADV, where it forces 1x1).
 *
 *      HTILE with rates (VRS_HTILE_4BIT_ENCODING): 11:10 y, 7:6 x; source: RADV's shader that writes them
 *      of a vertex, and a primitive's payload:      GFX10.3 5:4 y, 3:2 x    and 31:30 y, 29:28 x
 *                                                   GFX11   5:4 x, 3:2 y    and 31:30 x, 29:28 y
 *      source: RADV, where it lowers the output; of the payload LLPC, too */
#include "amd/sim/state/shading_rate.h"

#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"
#include "util/macros.h"

enum { MAX_LOG2 = 1 };

/* VRSrate of GFX11: x << 2 | y, in logarithms up to 2; the others are finer than pixels, or nothing. */
static bool
is_coarse_number(uint32_t number)
{
   return number >> 2 <= 2 && (number & 3) <= 2;
}

/* No chip has more than 2x2: more becomes that (source: radeonsi's comment where it asks for 4x4; RADV's and PAL's
 * largest fragments; Vulkan of attachments, 1x4 and 4x1 among them). What is finer is 1x1 (assumed). */
struct amd_shading_rate
amd_shading_rate_of_number(uint32_t number)
{
   if (!is_coarse_number(number))
      return (struct amd_shading_rate){0};
   return (struct amd_shading_rate){(uint8_t)MIN2(number >> 2, MAX_LOG2), (uint8_t)MIN2(number & 3, MAX_LOG2)};
}

/* GFX10.3: -2 to 1 in each direction; less than 0 is finer than pixels (source: radeonsi's comment where it writes
 * them). */
static struct amd_shading_rate
rate_of_signed(uint32_t x, uint32_t y)
{
   return (struct amd_shading_rate){(x & 3) == 1, (y & 3) == 1};
}

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

static struct amd_shading_rate
combine_first(const struct amd_shading_rate_state *s, struct amd_shading_rate vertex,
              struct amd_shading_rate primitive)
{
   return combine(combine(s->draw, vertex, s->with_vertex), primitive, s->with_primitive);
}

static struct amd_shading_rate
combine_rest(const struct amd_shading_rate_state *s, struct amd_shading_rate rate, struct amd_shading_rate surface)
{
   const struct amd_shading_rate one = {0};
   rate = combine(rate, surface, s->with_surface);
   rate = combine(rate, one, s->with_samples);
   return combine(rate, s->last, s->with_last);
}

/* Of a vertex or a primitive: four bits. */
static struct amd_shading_rate
rate_of_bits(const struct amd_shading_rate_state *s, uint32_t bits)
{
   return s->numbered ? amd_shading_rate_of_number(bits & 15) : rate_of_signed(bits, bits >> 2);
}

struct amd_shading_rate
amd_shading_rate_of(const struct amd_shading_rate_state *s, uint32_t vertex_bits, uint32_t payload)
{
   const struct amd_shading_rate one = {0};
   if (s->fine)
      return (struct amd_shading_rate){0};
   struct amd_shading_rate rate = combine_first(s, s->by_vertex ? rate_of_bits(s, vertex_bits >> 2) : one,
                                                s->by_primitive ? rate_of_bits(s, payload >> 28) : one);
   return s->by_surface ? rate : combine_rest(s, rate, one);
}

static struct amd_shading_rate
rate_of_tile(const struct amd_shading_rate_state *s, uint32_t x, uint32_t y, uint32_t layer)
{
   uint32_t tile = 0, slice = MIN2(s->first_slice + layer, s->last_slice);
   uint64_t at_B = amd_meta_offset(&s->surface, x, y, slice, 0);
   if (at_B + 4 > s->memory.run_B) {
      amd_note_outside(s->memory.outside);
   } else {
      amd_note(s->memory.looked, at_B, 4);
      memcpy(&tile, s->memory.host + at_B, 4);
   }
   return (struct amd_shading_rate){(uint8_t)MIN2(tile >> 6 & 3, MAX_LOG2), (uint8_t)MIN2(tile >> 10 & 3, MAX_LOG2)};
}

struct amd_shading_rate
amd_shading_rate_at(const struct amd_shading_rate_state *s, struct amd_shading_rate primitive, uint32_t x, uint32_t y,
                    uint32_t layer)
{
   if (s->fine)
      return (struct amd_shading_rate){0};
   struct amd_shading_rate rate = s->by_image ? amd_rate_image_at(&s->image, x, y) : rate_of_tile(s, x, y, layer);
   return combine_rest(s, primitive, rate);
}

/* Whether any primitive of the draw can be shaded coarsely. */
static bool
may_be_coarse(const struct amd_shading_rate_state *s)
{
   const struct amd_shading_rate two = {MAX_LOG2, MAX_LOG2}, one = {0};
   struct amd_shading_rate most = combine_rest(
      s, combine_first(s, s->by_vertex ? two : one, s->by_primitive ? two : one), s->by_surface ? two : one);
   return most.x_log2 || most.y_log2;
}

static unsigned
surface_encoding(const struct amd_gpu *gpu)
{
   return G_DB_HTILE_SURFACE_VRS_HTILE_ENCODING(amd_regs_get(gpu->regs, R_DB_HTILE_SURFACE));
}

static bool
init_surface(struct amd_shading_rate_state *s, const struct amd_gpu *gpu)
{
   const struct amd_regs *regs = gpu->regs;
   const struct amd_surface_desc desc = amd_depth_desc(gpu);
   uint32_t view = amd_regs_get(regs, R_DB_DEPTH_VIEW), control = amd_regs_get(regs, R_DB_HTILE_SURFACE);
   unsigned level = G_DB_DEPTH_VIEW_MIPID(view);
   struct amd_surface depth;
   const struct amd_meta_desc from = {
      .kind = AMD_META_HTILE,
      .align = {.pipe = G_DB_HTILE_SURFACE_PIPE_ALIGNED(control)},
      .desc = &desc,
      .surface = &depth,
      .level = level,
      .base_256B = (uint64_t)(amd_regs_get(regs, R_DB_HTILE_DATA_BASE_HI(gpu->model->gen)) & 0xff) << 32 |
                   amd_regs_get(regs, R_DB_HTILE_DATA_BASE),
   };
   if (!amd_surface_init(&depth, &desc, level, gpu->fault) || !amd_meta_init(&s->surface, &from, gpu->fault))
      return false;
   s->first_slice = G_DB_DEPTH_VIEW_SLICE_START(view) | G_DB_DEPTH_VIEW_SLICE_START_HI(view) << 11;
   s->last_slice = G_DB_DEPTH_VIEW_SLICE_MAX(view) | G_DB_DEPTH_VIEW_SLICE_MAX_HI(view) << 11;
   s->memory.host = sim_vm_lookup(gpu->vm, s->surface.base, SIM_READ, &s->memory.run_B, NULL);
   return s->memory.host || sim_fault_set(gpu->fault, SIM_FAULT_ADDRESS, s->surface.base,
                                          "shading rates at unmapped address 0x%012lx", (long)s->surface.base.va);
}

static bool
check(const struct amd_draw_state *state, const struct amd_gpu *gpu, bool has_rates)
{
   const struct amd_shading_rate_state *s = &state->rate;
   const uint32_t combiners = amd_regs_get(gpu->regs, R_PA_CL_VRS_CNTL);
   const char *what = NULL;
   if (MAX2(MAX2(s->with_vertex, s->with_primitive), MAX2(s->with_surface, s->with_samples)) >
          V_SC_VRS_COMB_MODE_SATURATE ||
       s->with_last > V_SC_VRS_COMB_MODE_SATURATE)
      what = "a shading rate combiner of that number";
   else if (!has_rates)
      what = "shading rates that are finer than pixels";
   else if (s->by_surface && !s->by_image && surface_encoding(gpu) != V_VRS_HTILE_4BIT_ENCODING)
      what = "shading rates in HTILE but in four bits";
   else if (s->fine || !may_be_coarse(s))
      return true;
   else if (state->depth.mask_export && G_PA_CL_VRS_CNTL_EXPOSE_VRS_PIXELS_MASK(combiners))
      what = "coverage of a coarse pixel's parts as a shader's output";
   return !what || sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0), "the model does not have %s", what);
}

/* The draw's rate and the override, which is DB's or the scan converter's. False: there is no such rate. */
static bool
decode_rates(struct amd_shading_rate_state *s, const struct amd_gpu *gpu)
{
   uint32_t rate = amd_regs_get(gpu->regs, R_GE_VRS_RATE), x = 0, y = 0;
   if (G_VGT_DRAW_PAYLOAD_CNTL_EN_VRS_RATE(amd_regs_get(gpu->regs, R_VGT_DRAW_PAYLOAD_CNTL)))
      x = G_GE_VRS_RATE_RATE_X(rate), y = G_GE_VRS_RATE_RATE_Y(rate);
   if (s->numbered) {
      uint32_t last = amd_regs_get(gpu->regs, R_PA_SC_VRS_OVERRIDE_CNTL);
      uint32_t number = G_PA_SC_VRS_OVERRIDE_CNTL_VRS_RATE(last);
      s->with_last = G_PA_SC_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_COMBINER_MODE(last);
      s->last = amd_shading_rate_of_number(number);
      s->draw = amd_shading_rate_of_number(x << 2 | y);
      return is_coarse_number(number) && is_coarse_number(x << 2 | y);
   }
   uint32_t last = amd_regs_get(gpu->regs, R_DB_VRS_OVERRIDE_CNTL);
   uint32_t last_x = G_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_X(last);
   uint32_t last_y = G_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_Y(last);
   s->with_last = G_DB_VRS_OVERRIDE_CNTL_VRS_OVERRIDE_RATE_COMBINER_MODE(last);
   s->last = rate_of_signed(last_x, last_y);
   s->draw = rate_of_signed(x, y);
   return MAX2(MAX2(x, y), MAX2(last_x, last_y)) <= MAX_LOG2;
}

/* Always up to GFX10.3. */
static bool
ordered_sections_are_fine(const struct amd_gpu *gpu)
{
   return !gpu->model->traits->ordered_by_exports ||
          G_PA_SC_VRS_SURFACE_CNTL_1_FORCE_SC_VRS_RATE_FINE_POPS(amd_regs_get(gpu->regs, R_PA_SC_VRS_SURFACE_CNTL_1));
}

bool
amd_shading_rate_decode(struct amd_draw_state *state, const struct amd_gpu *gpu)
{
   const struct amd_regs *regs = gpu->regs;
   struct amd_shading_rate_state *s = &state->rate;
   *s = (struct amd_shading_rate_state){.fine = true};
   if (!gpu->model->traits->coarse_shading)
      return true;
   uint32_t combiners = amd_regs_get(regs, R_PA_CL_VRS_CNTL);
   bool by_sample = G_PA_SC_MODE_CNTL_1_PS_ITER_SAMPLE(amd_regs_get(regs, R_PA_SC_MODE_CNTL_1));
   *s = (struct amd_shading_rate_state){
      .numbered = gpu->model->traits->scan_overrides_rate,
      .depth_left_px = gpu->model->traits->coarse_depth_left ? 0.125 : 0,
      .by_vertex = G_PA_CL_VS_OUT_CNTL_USE_VTX_VRS_RATE(amd_regs_get(regs, R_PA_CL_VS_OUT_CNTL)),
      .by_primitive = state->geometry.path == AMD_VERTEX_PATH_NGG && state->ngg.payload,
      .with_vertex = G_PA_CL_VRS_CNTL_VERTEX_RATE_COMBINER_MODE(combiners),
      .with_primitive = G_PA_CL_VRS_CNTL_PRIMITIVE_RATE_COMBINER_MODE(combiners),
      .with_surface = G_PA_CL_VRS_CNTL_HTILE_RATE_COMBINER_MODE(combiners),
      .with_samples = by_sample ? G_PA_CL_VRS_CNTL_SAMPLE_ITER_COMBINER_MODE(combiners) : 0,
      .fine = (state->pops.enable && ordered_sections_are_fine(gpu)) ||
              G_DB_RENDER_OVERRIDE2_FORCE_VRS_RATE_FINE(amd_regs_get(regs, R_DB_RENDER_OVERRIDE2)),
   };
   bool has_rates = decode_rates(s, gpu);
   if (gpu->model->traits->fine_depth_export && (state->depth.z_export || state->depth.stencil_export))
      s->fine = true;
   s->by_image = amd_rate_image_is_used(gpu);
   s->by_surface =
      !s->fine && s->with_surface != V_SC_VRS_COMB_MODE_PASSTHRU && (s->by_image || surface_encoding(gpu));
   if (!check(state, gpu, has_rates))
      return false;
   if (s->by_surface && !(s->by_image ? amd_rate_image_init(&s->image, gpu) : init_surface(s, gpu)))
      return false;
   s->fine |= !may_be_coarse(s);
   return true;
}
