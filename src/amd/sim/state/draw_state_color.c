/* Colour buffer and blend registers. */
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"
#include "amd/sim/surface/formats.h"
#include "util/macros.h"

enum { TARGET_STEP_B = 0x3c };

/* Memory component i holds colour component [components - 1][swap][i]. Source: CB_COLORn_INFO.COMP_SWAP. */
static const uint8_t swaps[4][4][4] = {
   {{0}, {1}, {2}, {3}},
   {{0, 1}, {0, 3}, {1, 0}, {3, 0}},
   {{0, 1, 2}, {0, 1, 3}, {2, 1, 0}, {3, 1, 0}},
   {{0, 1, 2, 3}, {2, 1, 0, 3}, {3, 2, 1, 0}, {3, 0, 1, 2}},
};

struct shape {
   uint32_t mode, type, depth, pitch_el;
};

/* What GFX9 has in ATTRIB, and besides it a pitch for every mode. */
static struct shape
read_shape(const struct amd_gpu *gpu, unsigned i)
{
   uint32_t attrib = amd_regs_get(gpu->regs, R_CB_COLOR0_ATTRIB + TARGET_STEP_B * i);
   if (gpu->model->traits->pitch_of_every_mode) {
      uint32_t pitch = amd_regs_get(gpu->regs, R_CB_MRT0_EPITCH + 4 * i);
      return (struct shape){G_CB_COLOR0_ATTRIB_COLOR_SW_MODE(attrib), G_CB_COLOR0_ATTRIB_RESOURCE_TYPE(attrib),
                            G_CB_COLOR0_ATTRIB_MIP0_DEPTH(attrib), G_CB_MRT0_EPITCH_EPITCH(pitch) + 1};
   }
   attrib = amd_regs_get(gpu->regs, R_CB_COLOR0_ATTRIB3 + 4 * i);
   return (struct shape){G_CB_COLOR0_ATTRIB3_COLOR_SW_MODE(attrib), G_CB_COLOR0_ATTRIB3_RESOURCE_TYPE(attrib),
                         G_CB_COLOR0_ATTRIB3_MIP0_DEPTH(attrib), 0};
}

static bool
init_surface(struct amd_target_state *t, struct amd_draw_state *state, struct amd_targets *targets, unsigned i)
{
   const struct amd_gpu *gpu = targets->gpu;
   const struct amd_regs *regs = gpu->regs;
   enum amd_gen gen = gpu->model->gen;
   uint32_t base_ext = R_CB_COLOR0_BASE_EXT(gen) + R_CB_COLOR0_BASE_EXT_STEP(gen) * i;
   uint32_t attrib = amd_regs_get(regs, R_CB_COLOR0_ATTRIB + TARGET_STEP_B * i);
   uint32_t attrib2 = amd_regs_get(regs, R_CB_COLOR0_ATTRIB2(gen) + R_CB_COLOR0_ATTRIB2_STEP(gen) * i);
   const struct shape shape = read_shape(gpu, i);
   uint32_t view = amd_regs_get(regs, R_CB_COLOR0_VIEW + TARGET_STEP_B * i);
   bool is_3d = shape.type == 2;
   t->first_slice = G_CB_COLOR0_VIEW_SLICE_START(gen, view);
   t->last_slice = G_CB_COLOR0_VIEW_SLICE_MAX(gen, view);
   const struct amd_surface_desc desc = {
      .gen = gen,
      .gb_addr_config = gpu->chip->gb_addr_config,
      .base_256B = (uint64_t)(amd_regs_get(regs, base_ext) & 0xff) << 32 |
                   amd_regs_get(regs, R_CB_COLOR0_BASE + TARGET_STEP_B * i),
      .mode = shape.mode,
      .element_B = t->format.size_B,
      .element_log2 = (uint8_t)log2_floor(t->format.size_B),
      .samples_log2 = G_CB_COLOR0_ATTRIB_NUM_FRAGMENTS(gen, attrib),
      .levels = (uint8_t)(G_CB_COLOR0_ATTRIB2_MAX_MIP(attrib2) + 1),
      .texel_px = 1,
      .is_3d = is_3d,
      .width_px = G_CB_COLOR0_ATTRIB2_MIP0_WIDTH(attrib2) + 1,
      .height_px = G_CB_COLOR0_ATTRIB2_MIP0_HEIGHT(attrib2) + 1,
      .slices = is_3d ? shape.depth + 1 : t->last_slice + 1,
      .pitch_el = shape.pitch_el,
   };
   /* Mode 3 resolves target 0, of more samples, into target 1. */
   bool destination = state->color.mode == V_CB_RESOLVE && i == 1;
   bool source = state->color.mode == V_CB_RESOLVE && i == 0;
   if (!destination && !source && !state->color.decompress &&
       !amd_color_samples_fit(&state->samples, desc.samples_log2))
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "colour target %u of %u samples under %u raster samples", i, 1u << desc.samples_log2,
                           state->samples.positions.count);
   t->samples_log2 = desc.samples_log2;
   if (!amd_layouts_surface(&targets->layouts, &t->surface, &desc, G_CB_COLOR0_VIEW_MIP_LEVEL(gen, view), gpu->fault))
      return false;
   return amd_target_map(targets, t->surface.base, t->surface.size_B, "colour target", &t->host, &t->run_B) &&
          amd_draw_state_color_meta(t, targets, i, &desc, G_CB_COLOR0_VIEW_MIP_LEVEL(gen, view));
}

static enum amd_blend_factor
decode_factor(enum amd_gen gen, uint32_t code)
{
   static const uint8_t common[] = {
      [V_BLEND_ZERO] = AMD_FACTOR_ZERO,
      [V_BLEND_ONE] = AMD_FACTOR_ONE,
      [V_BLEND_SRC_COLOR] = AMD_FACTOR_SRC_COLOR,
      [V_BLEND_ONE_MINUS_SRC_COLOR] = AMD_FACTOR_ONE_MINUS_SRC_COLOR,
      [V_BLEND_SRC_ALPHA] = AMD_FACTOR_SRC_ALPHA,
      [V_BLEND_ONE_MINUS_SRC_ALPHA] = AMD_FACTOR_ONE_MINUS_SRC_ALPHA,
      [V_BLEND_DST_ALPHA] = AMD_FACTOR_DST_ALPHA,
      [V_BLEND_ONE_MINUS_DST_ALPHA] = AMD_FACTOR_ONE_MINUS_DST_ALPHA,
      [V_BLEND_DST_COLOR] = AMD_FACTOR_DST_COLOR,
      [V_BLEND_ONE_MINUS_DST_COLOR] = AMD_FACTOR_ONE_MINUS_DST_COLOR,
      [V_BLEND_SRC_ALPHA_SATURATE] = AMD_FACTOR_SRC_ALPHA_SATURATE,
   };
   const struct {
      uint32_t code;
      enum amd_blend_factor factor;
   } moved[] = {
      {V_BLEND_CONSTANT_COLOR(gen), AMD_FACTOR_CONSTANT_COLOR},
      {V_BLEND_ONE_MINUS_CONSTANT_COLOR(gen), AMD_FACTOR_ONE_MINUS_CONSTANT_COLOR},
      {V_BLEND_CONSTANT_ALPHA(gen), AMD_FACTOR_CONSTANT_ALPHA},
      {V_BLEND_ONE_MINUS_CONSTANT_ALPHA(gen), AMD_FACTOR_ONE_MINUS_CONSTANT_ALPHA},
      {V_BLEND_SRC1_COLOR(gen), AMD_FACTOR_SRC1_COLOR},
      {V_BLEND_INV_SRC1_COLOR(gen), AMD_FACTOR_ONE_MINUS_SRC1_COLOR},
      {V_BLEND_SRC1_ALPHA(gen), AMD_FACTOR_SRC1_ALPHA},
      {V_BLEND_INV_SRC1_ALPHA(gen), AMD_FACTOR_ONE_MINUS_SRC1_ALPHA},
   };
   if (code < ARRAY_SIZE(common))
      return (enum amd_blend_factor)common[code];
   for (unsigned i = 0; i < ARRAY_SIZE(moved); i++) {
      if (moved[i].code == code)
         return moved[i].factor;
   }
   return AMD_FACTOR_UNKNOWN;
}

static void
decode_blend(struct amd_blend_state *b, enum amd_gen gen, uint32_t control)
{
   b->enable = G_CB_BLEND0_CONTROL_ENABLE(control);
   b->separate_alpha = G_CB_BLEND0_CONTROL_SEPARATE_ALPHA_BLEND(control);
   b->src[0] = (uint8_t)decode_factor(gen, G_CB_BLEND0_CONTROL_COLOR_SRCBLEND(control));
   b->dst[0] = (uint8_t)decode_factor(gen, G_CB_BLEND0_CONTROL_COLOR_DESTBLEND(control));
   b->func[0] = G_CB_BLEND0_CONTROL_COLOR_COMB_FCN(control);
   b->src[1] = b->src[0];
   b->dst[1] = b->dst[0];
   b->func[1] = b->func[0];
   if (b->separate_alpha) {
      b->src[1] = (uint8_t)decode_factor(gen, G_CB_BLEND0_CONTROL_ALPHA_SRCBLEND(control));
      b->dst[1] = (uint8_t)decode_factor(gen, G_CB_BLEND0_CONTROL_ALPHA_DESTBLEND(control));
      b->func[1] = G_CB_BLEND0_CONTROL_ALPHA_COMB_FCN(control);
   }
}

static bool
is_known_blend(const struct amd_blend_state *b)
{
   bool known = true;
   for (unsigned i = 0; i < 2; i++)
      known &=
         b->func[i] <= V_COMB_DST_MINUS_SRC && b->src[i] != AMD_FACTOR_UNKNOWN && b->dst[i] != AMD_FACTOR_UNKNOWN;
   return known;
}

static bool
is_src1(uint8_t factor)
{
   return factor >= AMD_FACTOR_SRC1_COLOR && factor <= AMD_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

static bool
uses_src1(const struct amd_blend_state *b)
{
   return b->enable && (is_src1(b->src[0]) || is_src1(b->dst[0]) || is_src1(b->src[1]) || is_src1(b->dst[1]));
}

static uint8_t
number_of_export(uint32_t shader_mask, unsigned target)
{
   uint8_t number = 0;
   for (unsigned i = 0; i < target; i++)
      number += (shader_mask >> (4 * i) & 15) != 0;
   return number;
}

/* Fields that are gone from GFX11 on. */
static bool
has_foreign_texels(const struct amd_gpu *gpu, uint32_t info, uint32_t attrib)
{
   uint32_t fragments_log2 = G_CB_COLOR0_ATTRIB_NUM_FRAGMENTS(gpu->model->gen, attrib);
   return !gpu->model->traits->fdcc &&
          (G_CB_COLOR0_INFO_ENDIAN(info) || G_CB_COLOR0_ATTRIB_NUM_SAMPLES(attrib) > fragments_log2);
}

static bool
decode_target(struct amd_draw_state *state, struct amd_targets *targets, unsigned i)
{
   const struct amd_gpu *gpu = targets->gpu;
   const struct amd_regs *regs = gpu->regs;
   enum amd_gen gen = gpu->model->gen;
   struct amd_target_state *t = &state->color.target[i];
   uint32_t info = amd_regs_get(regs, R_CB_COLOR0_INFO + TARGET_STEP_B * i);
   uint32_t blend = amd_regs_get(regs, R_CB_BLEND0_CONTROL + 4 * i);
   uint32_t rop3 = G_CB_COLOR_CONTROL_ROP3(amd_regs_get(regs, R_CB_COLOR_CONTROL));
   uint32_t mask = amd_regs_get(regs, R_CB_TARGET_MASK) & amd_regs_get(regs, R_CB_SHADER_MASK);
   bool whole = (state->color.mode == V_CB_RESOLVE && i < 2) || (state->color.decompress && i == 0);
   t->write_mask = whole ? 15 : mask >> (4 * i) & 15;
   unsigned format = G_CB_COLOR0_INFO_FORMAT(gen, info);
   if (format == V_COLOR_INVALID || !t->write_mask)
      return true;
   uint32_t attrib = amd_regs_get(regs, R_CB_COLOR0_ATTRIB + TARGET_STEP_B * i);
   if (has_foreign_texels(gpu, info, attrib))
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model does not have swapped bytes, or more samples than fragments (CB_COLOR%u_INFO "
                           "0x%08x, ATTRIB 0x%08x)",
                           i, info, attrib);
   t->format = amd_format_color(format, G_CB_COLOR0_INFO_NUMBER_TYPE(info));
   if (!t->format.size_B)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model does not have colour format %u of number type %u", format,
                           G_CB_COLOR0_INFO_NUMBER_TYPE(info));
   for (unsigned c = 0; c < 4; c++)
      t->component[c] = swaps[t->format.components - 1][G_CB_COLOR0_INFO_COMP_SWAP(info)][c];
   t->blend_clamp = t->format.numeric != SIM_FLOAT && !sim_numeric_is_int(t->format.numeric);
   t->force_alpha_one = G_CB_COLOR0_ATTRIB_FORCE_DST_ALPHA_1(gen, attrib);
   decode_blend(&t->blend, gen, blend);
   if (G_CB_COLOR0_INFO_BLEND_BYPASS(info) || sim_numeric_is_int(t->format.numeric))
      t->blend.enable = false;
   if (t->blend.enable && !is_known_blend(&t->blend))
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model does not have a factor or function of CB_BLEND%u_CONTROL 0x%08x", i, blend);
   bool logic =
      !G_CB_BLEND0_CONTROL_DISABLE_ROP3(blend) && t->format.numeric != SIM_FLOAT && t->format.numeric != SIM_SRGB;
   t->logic = logic ? rop3 & 15 : V_ROP3_COPY & 15;
   if ((rop3 & 15) != rop3 >> 4)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0), "raster operation 0x%02x has a pattern", rop3);
   unsigned present = 0;
   for (unsigned c = 0; c < t->format.components; c++)
      present |= 1u << t->component[c];
   t->reads_target = t->blend.enable || t->logic != (V_ROP3_COPY & 15) || (t->write_mask & present) != present;
   state->color.count = i + 1;
   t->enable = init_surface(t, state, targets, i);
   return t->enable;
}

bool
amd_draw_state_color(struct amd_draw_state *state, const struct amd_gpu *gpu, struct amd_targets *targets)
{
   const struct amd_regs *regs = gpu->regs;
   struct amd_color_state *c = &state->color;
   c->gen = gpu->model->gen;
   c->mode = G_CB_COLOR_CONTROL_MODE(amd_regs_get(regs, R_CB_COLOR_CONTROL));
   for (unsigned i = 0; i < 4; i++)
      c->constant[i] = amd_regs_get_float(regs, R_CB_BLEND_RED + 4 * i);
   /* Alpha to mask reads the export of the first target even when no colour is written. */
   for (unsigned i = 0; i < AMD_MAX_TARGETS; i++) {
      struct amd_target_state *t = &c->target[i];
      t->export = number_of_export(amd_regs_get(regs, R_CB_SHADER_MASK), i);
      t->export_format = amd_regs_get(regs, R_SPI_SHADER_COL_FORMAT) >> (4 * t->export) & 15;
   }
   if (c->mode == V_CB_DISABLE)
      return true;
   /* Where there is no mode RESOLVE, its number means decompression. */
   if (gpu->model->traits->fdcc && c->mode == V_CB_DCC_DECOMPRESS(c->gen))
      c->mode = V_CB_DECOMPRESS;
   c->decompress = c->mode != V_CB_NORMAL && c->mode != V_CB_RESOLVE;
   if (c->mode > V_CB_DCC_DECOMPRESS(c->gen) && c->mode != V_CB_DECOMPRESS)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0), "the model does not have CB mode %u", c->mode);
   uint32_t formats = amd_regs_get(regs, R_SPI_SHADER_COL_FORMAT);
   for (uint32_t rest = formats; rest; rest >>= 4) {
      if (!(rest & 15))
         return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                              "SPI_SHADER_COL_FORMAT 0x%08x has a hole: the hardware hangs", formats);
   }
   for (unsigned i = 0; i < AMD_MAX_TARGETS; i++) {
      if (!decode_target(state, targets, i))
         return false;
   }
   c->dual_source = uses_src1(&c->target[0].blend);
   c->source_samples_log2 = c->target[0].samples_log2;
   return true;
}
