#include "amd/sim/state/draw_state.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/hw/stages.h"
#include "amd/sim/state/draw_state_private.h"
#include "util/macros.h"

/* Of the inputs of a pixel shader; so are wrapped coordinates. */
#define MISSING_INPUTS                                                                                               \
   (S_SPI_PS_INPUT_CNTL_0_CYL_WRAP(15) | S_SPI_PS_INPUT_CNTL_0_DUP(1))

static bool
check_missing(const struct amd_gpu *gpu)
{
   for (unsigned i = 0; i < gpu->model->missing_count; i++) {
      const struct amd_missing *missing = &gpu->model->missing[i];
      uint32_t value = amd_regs_get(gpu->regs, missing->offset_B);
      if (value & missing->mask)
         return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                              "the model does not have %s (register 0x%05x is 0x%08x)", missing->what,
                              missing->offset_B, value);
   }
   uint32_t vtx = amd_regs_get(gpu->regs, R_PA_SU_VTX_CNTL);
   if (G_PA_SU_VTX_CNTL_ROUND_MODE(vtx) != V_X_ROUND_TO_EVEN)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model has positions rounded to even only (PA_SU_VTX_CNTL 0x%x)", vtx);
   uint32_t twice = amd_regs_get(gpu->regs, R_PA_CL_CLIP_CNTL) & amd_regs_get(gpu->regs, R_PA_CL_VS_OUT_CNTL) &
                    bit_mask(AMD_CLIP_PLANES);
   if (twice)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "the model does not have clip planes and clip distances of the same number (mask 0x%x)",
                           twice);
   unsigned inputs = G_SPI_PS_IN_CONTROL_NUM_INTERP(amd_regs_get(gpu->regs, R_SPI_PS_IN_CONTROL));
   for (unsigned i = 0; i < MIN2(inputs, AMD_MAX_PARAMS); i++) {
      uint32_t input = amd_regs_get(gpu->regs, R_SPI_PS_INPUT_CNTL_0 + 4 * i);
      /* Rotated, but not handed on as vertices have them. */
      const bool turned = G_SPI_PS_INPUT_CNTL_0_ROTATE_PC_PTR(input) &&
                          !(G_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(input) && G_SPI_PS_INPUT_CNTL_0_OFFSET(input) & 0x20);
      if (input & MISSING_INPUTS || turned)
         return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                              "the model does not have inputs that wrap, or rotate where vertices' are not handed on "
                              "(SPI_PS_INPUT_CNTL_%u is 0x%08x)",
                              i, input);
   }
   return true;
}

/* Stages without a row have no program of their own: ES and GS are one, and LS and HS. */
static const enum amd_stage stage_of[AMD_HW_STAGES] = {
   [AMD_HW_HS] = AMD_STAGE_HS, [AMD_HW_GS] = AMD_STAGE_GS, [AMD_HW_VS] = AMD_STAGE_VS, [AMD_HW_PS] = AMD_STAGE_PS};

static void
decode_shader(struct amd_shader_state *shader, const struct amd_gpu *gpu, const struct amd_stage_regs *at)
{
   const struct amd_regs *regs = gpu->regs;
   const struct amd_traits *traits = gpu->model->traits;
   uint32_t rsrc1 = amd_regs_get(regs, at->rsrc1), rsrc2 = amd_regs_get(regs, at->rsrc2);
   bool w32 = at->wave32.mask && amd_regs_get(regs, at->wave32.reg) & at->wave32.mask;
   shader->program = amd_regs_get_va(regs, at->pgm_lo, at->pgm_hi);
   shader->wave_size = w32 ? 32 : 64;
   shader->float_mode = G_SPI_SHADER_PGM_RSRC1_PS_FLOAT_MODE(rsrc1);
   shader->dx10_clamp = G_SPI_SHADER_PGM_RSRC1_PS_DX10_CLAMP(rsrc1);
   shader->ieee = G_SPI_SHADER_PGM_RSRC1_PS_IEEE_MODE(rsrc1);
   shader->vgpr_count = amd_traits_vgprs(traits, G_SPI_SHADER_PGM_RSRC1_PS_VGPRS(rsrc1), shader->wave_size);
   shader->shared_vgprs = (uint16_t)(G_SPI_SHADER_PGM_RSRC2_PS_SHARED_VGPR_CNT(rsrc2) * traits->shared_vgpr_granule);
   shader->scratch_en = G_SPI_SHADER_PGM_RSRC2_PS_SCRATCH_EN(rsrc2);
   shader->user_sgprs = (uint8_t)(G_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR(rsrc2) |
                                  G_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR_MSB(gpu->model->gen, rsrc2) << 5);
   for (unsigned i = 0; i < 32; i++)
      shader->user_data[i] = amd_regs_get(regs, at->user_data + 4 * i);
   for (unsigned i = 0; i < 2 && at->user_addr_lo; i++)
      shader->user_addr[i] = amd_regs_get(regs, at->user_addr_lo + 4 * i);
   if (at->lds_size.mask)
      shader->lds_size_B = ((rsrc2 & at->lds_size.mask) >> __builtin_ctz(at->lds_size.mask)) * traits->lds_granule_B;
}

static void
decode_index_range(struct amd_geometry_state *g, const struct amd_gpu *gpu)
{
   enum amd_gen gen = gpu->model->gen;
   bool first = gpu->model->traits->first_indices;
   uint32_t restart = first ? R_VGT_MULTI_PRIM_IB_RESET_EN : R_GE_MULTI_PRIM_IB_RESET_EN;
   g->restart = amd_regs_get(gpu->regs, restart) & 1;
   g->index_offset = amd_regs_get(gpu->regs, first ? R_VGT_INDX_OFFSET(gen) : R_GE_INDX_OFFSET);
   g->min_index = amd_regs_get(gpu->regs, first ? R_VGT_MIN_VTX_INDX(gen) : R_GE_MIN_VTX_INDX);
   g->max_index = amd_regs_get(gpu->regs, first ? R_VGT_MAX_VTX_INDX(gen) : R_GE_MAX_VTX_INDX);
}

static void
decode_geometry(struct amd_geometry_state *g, const struct amd_gpu *gpu)
{
   const struct amd_regs *regs = gpu->regs;
   static const uint8_t index_sizes_B[4] = {[V_VGT_INDEX_16] = 2, [V_VGT_INDEX_32] = 4, [V_VGT_INDEX_8] = 1};
   uint32_t vs_out = amd_regs_get(regs, R_PA_CL_VS_OUT_CNTL), config = amd_regs_get(regs, R_SPI_VS_OUT_CONFIG);
   g->prim_type = G_VGT_PRIMITIVE_TYPE_PRIM_TYPE(amd_regs_get(regs, R_VGT_PRIMITIVE_TYPE));
   g->index_size_B = index_sizes_B[G_VGT_INDEX_TYPE_INDEX_TYPE(amd_regs_get(regs, R_VGT_INDEX_TYPE))];
   decode_index_range(g, gpu);
   g->restart_index = amd_regs_get(regs, R_VGT_MULTI_PRIM_IB_RESET_INDX) & (uint32_t)bit_mask(g->index_size_B * 8);
   g->primitive_id = amd_regs_get(regs, R_VGT_PRIMITIVEID_EN) & 1;
   uint32_t rsrc2 = amd_regs_get(regs, R_SPI_SHADER_PGM_RSRC2_VS);
   g->vs_args = (struct amd_vs_args){
      .vgpr_comp_cnt = G_SPI_SHADER_PGM_RSRC1_VS_VGPR_COMP_CNT(amd_regs_get(regs, R_SPI_SHADER_PGM_RSRC1_VS)),
      .offchip = G_SPI_SHADER_PGM_RSRC2_VS_OC_LDS_EN(rsrc2),
      .strmout = G_SPI_SHADER_PGM_RSRC2_VS_SO_EN(rsrc2),
      .strmout_base = rsrc2 / S_SPI_SHADER_PGM_RSRC2_VS_SO_BASE0_EN(1) & 15,
   };
   g->param_count =
      G_SPI_VS_OUT_CONFIG_NO_PC_EXPORT(config) ? 0 : (uint8_t)(G_SPI_VS_OUT_CONFIG_VS_EXPORT_COUNT(config) + 1);
   g->clip_mask = vs_out & 0xff;
   g->cull_mask = vs_out >> 8 & 0xff;
   g->use_point_size = G_PA_CL_VS_OUT_CNTL_USE_VTX_POINT_SIZE(vs_out);
   /* Strips and fans have all edges (OpenGL 4.6 compatibility, 10.3.2). */
   g->use_edge_flag =
      G_PA_CL_VS_OUT_CNTL_USE_VTX_EDGE_FLAG(vs_out) &&
      (g->prim_type == V_DI_PT_TRILIST || g->prim_type == V_DI_PT_QUADLIST || g->prim_type == V_DI_PT_POLYGON);
   g->use_layer = G_PA_CL_VS_OUT_CNTL_USE_VTX_RENDER_TARGET_INDX(vs_out);
   g->use_viewport = G_PA_CL_VS_OUT_CNTL_USE_VTX_VIEWPORT_INDX(vs_out);
   g->misc_vec = G_PA_CL_VS_OUT_CNTL_VS_OUT_MISC_VEC_ENA(vs_out);
   g->ccdist0 = G_PA_CL_VS_OUT_CNTL_VS_OUT_CCDIST0_VEC_ENA(vs_out);
   g->ccdist1 = G_PA_CL_VS_OUT_CNTL_VS_OUT_CCDIST1_VEC_ENA(vs_out);
}

/* Positions have as many bits more below a pixel as they have fewer above it; then the screen offset, in steps of 16
 * px, says around what. With 8 the rasteriser's range holds all that scissors can, and modes may keep fewer of them.
 */
static void
decode_range(struct amd_clip_state *c, const struct amd_regs *regs)
{
   static const struct {
      uint8_t subpixel_bits, snap_log2;
      int32_t half_px;
   } modes[8] = {[V_X_16_8_FIXED_POINT_1_16TH] = {8, 4, 0},
                 [V_X_16_8_FIXED_POINT_1_8TH] = {8, 5, 0},
                 [V_X_16_8_FIXED_POINT_1_4TH] = {8, 6, 0},
                 [V_X_16_8_FIXED_POINT_1_2] = {8, 7, 0},
                 [V_X_16_8_FIXED_POINT_1] = {8, 8, 0},
                 [V_X_16_8_FIXED_POINT_1_256TH] = {8, 0, 0},
                 [V_X_14_10_FIXED_POINT_1_1024TH] = {10, 0, 8192},
                 [V_X_12_12_FIXED_POINT_1_4096TH] = {12, 0, 2048}};
   uint32_t offset = amd_regs_get(regs, R_PA_SU_HARDWARE_SCREEN_OFFSET);
   unsigned mode = G_PA_SU_VTX_CNTL_QUANT_MODE(amd_regs_get(regs, R_PA_SU_VTX_CNTL));
   int32_t half_px = modes[mode].half_px;
   c->subpixel_bits = modes[mode].subpixel_bits;
   c->snap_log2 = modes[mode].snap_log2;
   for (unsigned axis = 0; axis < 2; axis++) {
      int32_t centre_px = (int32_t)(offset >> (16 * axis) & 0x1ff) * 16;
      c->low_px[axis] = half_px ? centre_px - half_px : SIM_RASTER_MIN_PX;
      c->high_px[axis] = half_px ? centre_px + half_px : SIM_RASTER_MAX_PX;
   }
}

static void
decode_clip(struct amd_clip_state *c, const struct amd_regs *regs)
{
   uint32_t clip = amd_regs_get(regs, R_PA_CL_CLIP_CNTL), mode = amd_regs_get(regs, R_PA_SU_SC_MODE_CNTL);
   uint32_t size = amd_regs_get(regs, R_PA_SU_POINT_SIZE), minmax = amd_regs_get(regs, R_PA_SU_POINT_MINMAX);
   uint32_t format = amd_regs_get(regs, R_PA_SU_POLY_OFFSET_DB_FMT_CNTL), vte = amd_regs_get(regs, R_PA_CL_VTE_CNTL);
   bool poly_mode = G_PA_SU_SC_MODE_CNTL_POLY_MODE(mode);
   *c = (struct amd_clip_state){
      .dx_space = G_PA_CL_CLIP_CNTL_DX_CLIP_SPACE_DEF(clip),
      .zclip_near = !G_PA_CL_CLIP_CNTL_ZCLIP_NEAR_DISABLE(clip),
      .zclip_far = !G_PA_CL_CLIP_CNTL_ZCLIP_FAR_DISABLE(clip),
      .clip_disable = G_PA_CL_CLIP_CNTL_CLIP_DISABLE(clip),
      .xy_divided = G_PA_CL_VTE_CNTL_VTX_XY_FMT(vte),
      .z_divided = G_PA_CL_VTE_CNTL_VTX_Z_FMT(vte),
      .w_is_inverse = !G_PA_CL_VTE_CNTL_VTX_W0_FMT(vte),
      .plane_mask = clip & bit_mask(AMD_CLIP_PLANES),
      .planes_cull = G_PA_CL_CLIP_CNTL_UCP_CULL_ONLY_ENA(clip),
      .no_perspective = G_PA_SU_SC_MODE_CNTL_PERSP_CORR_DIS(mode),
      .kill = G_PA_CL_CLIP_CNTL_DX_RASTERIZATION_KILL(clip),
      .cull_front = G_PA_SU_SC_MODE_CNTL_CULL_FRONT(mode),
      .cull_back = G_PA_SU_SC_MODE_CNTL_CULL_BACK(mode),
      .cw_is_front = G_PA_SU_SC_MODE_CNTL_FACE(mode),
      .provoking_last = G_PA_SU_SC_MODE_CNTL_PROVOKING_VTX_LAST(mode),
      .fill_front = poly_mode ? G_PA_SU_SC_MODE_CNTL_POLYMODE_FRONT_PTYPE(mode) : V_X_DRAW_TRIANGLES,
      .fill_back = poly_mode ? G_PA_SU_SC_MODE_CNTL_POLYMODE_BACK_PTYPE(mode) : V_X_DRAW_TRIANGLES,
      .bias_front = G_PA_SU_SC_MODE_CNTL_POLY_OFFSET_FRONT_ENABLE(mode),
      .bias_back = G_PA_SU_SC_MODE_CNTL_POLY_OFFSET_BACK_ENABLE(mode),
      .bias_other = G_PA_SU_SC_MODE_CNTL_POLY_OFFSET_PARA_ENABLE(mode),
      .bias_float = G_PA_SU_POLY_OFFSET_DB_FMT_CNTL_POLY_OFFSET_DB_IS_FLOAT_FMT(format),
      .bias_unit = ldexpf(1.0f, (int8_t)(format & 0xff)),
      .bias_clamp = amd_regs_get_float(regs, R_PA_SU_POLY_OFFSET_CLAMP),
      /* Slopes are per 1/16 px. */
      .bias_scale = {amd_regs_get_float(regs, R_PA_SU_POLY_OFFSET_FRONT_SCALE) / 16.0f,
                     amd_regs_get_float(regs, R_PA_SU_POLY_OFFSET_BACK_SCALE) / 16.0f},
      .bias_offset = {amd_regs_get_float(regs, R_PA_SU_POLY_OFFSET_FRONT_OFFSET),
                      amd_regs_get_float(regs, R_PA_SU_POLY_OFFSET_BACK_OFFSET)},
      /* 12.4 fixed point, half sizes. */
      .point_height = (float)(size & 0xffff) / 8.0f,
      .point_width = (float)(size >> 16) / 8.0f,
      .point_min = (float)(minmax & 0xffff) / 8.0f,
      .point_max = (float)(minmax >> 16) / 8.0f,
      .line_width = (float)(amd_regs_get(regs, R_PA_SU_LINE_CNTL) & 0xffff) / 8.0f,
      .square_ends = G_PA_SC_LINE_CNTL_PERPENDICULAR_ENDCAP_ENA(amd_regs_get(regs, R_PA_SC_LINE_CNTL)),
      .pixel_center = G_PA_SU_VTX_CNTL_PIX_CENTER(amd_regs_get(regs, R_PA_SU_VTX_CNTL)) ? 0.0f : 0.5f,
   };
   decode_range(c, regs);
   for (unsigned i = 0; i < AMD_CLIP_PLANES * 4; i++)
      c->planes[i / 4][i % 4] = amd_regs_get_float(regs, R_PA_CL_UCP_0_X + 4 * i);
}

static void
intersect(struct amd_rect *r, uint32_t tl, uint32_t br)
{
   r->x0 = MAX2(r->x0, (int32_t)G_PA_SC_WINDOW_SCISSOR_TL_TL_X(tl));
   r->y0 = MAX2(r->y0, (int32_t)G_PA_SC_WINDOW_SCISSOR_TL_TL_Y(tl));
   r->x1 = MIN2(r->x1, (int32_t)G_PA_SC_WINDOW_SCISSOR_BR_BR_X(br));
   r->y1 = MIN2(r->y1, (int32_t)G_PA_SC_WINDOW_SCISSOR_BR_BR_Y(br));
}

static void
decode_viewports(struct amd_draw_state *state, const struct amd_regs *regs)
{
   uint32_t vte = amd_regs_get(regs, R_PA_CL_VTE_CNTL);
   struct amd_rect common = {0, 0, 16384, 16384};
   intersect(&common, amd_regs_get(regs, R_PA_SC_SCREEN_SCISSOR_TL), amd_regs_get(regs, R_PA_SC_SCREEN_SCISSOR_BR));
   intersect(&common, amd_regs_get(regs, R_PA_SC_WINDOW_SCISSOR_TL), amd_regs_get(regs, R_PA_SC_WINDOW_SCISSOR_BR));
   intersect(&common, amd_regs_get(regs, R_PA_SC_GENERIC_SCISSOR_TL), amd_regs_get(regs, R_PA_SC_GENERIC_SCISSOR_BR));
   bool use_scissor = G_PA_SC_MODE_CNTL_0_VPORT_SCISSOR_ENABLE(amd_regs_get(regs, R_PA_SC_MODE_CNTL_0));
   state->viewport_count = state->geometry.use_viewport ? AMD_MAX_VIEWPORTS : 1;
   for (unsigned i = 0; i < state->viewport_count; i++) {
      struct amd_viewport *v = &state->viewports[i];
      for (unsigned axis = 0; axis < 3; axis++) {
         uint32_t base = R_PA_CL_VPORT_XSCALE + 0x18 * i + 8 * axis;
         v->scale[axis] = vte >> (2 * axis) & 1 ? amd_regs_get_float(regs, base) : 1.0f;
         v->offset[axis] = vte >> (2 * axis + 1) & 1 ? amd_regs_get_float(regs, base + 4) : 0.0f;
      }
      v->zmin = amd_regs_get_float(regs, R_PA_SC_VPORT_ZMIN_0 + 8 * i);
      v->zmax = amd_regs_get_float(regs, R_PA_SC_VPORT_ZMAX_0 + 8 * i);
      v->scissor = common;
      if (use_scissor)
         intersect(&v->scissor, amd_regs_get(regs, R_PA_SC_VPORT_SCISSOR_0_TL + 8 * i),
                   amd_regs_get(regs, R_PA_SC_VPORT_SCISSOR_0_BR + 8 * i));
   }
}

static void
decode_pixel(struct amd_pixel_state *p, const struct amd_regs *regs)
{
   uint32_t baryc = amd_regs_get(regs, R_SPI_BARYC_CNTL), interp = amd_regs_get(regs, R_SPI_INTERP_CONTROL_0);
   uint32_t in_control = amd_regs_get(regs, R_SPI_PS_IN_CONTROL),
            formats = amd_regs_get(regs, R_SPI_SHADER_COL_FORMAT);
   *p = (struct amd_pixel_state){
      .input_ena = amd_regs_get(regs, R_SPI_PS_INPUT_ENA),
      .input_addr = amd_regs_get(regs, R_SPI_PS_INPUT_ADDR),
      .interp_count =
         (uint8_t)MIN2(G_SPI_PS_IN_CONTROL_NUM_INTERP(in_control) + G_SPI_PS_IN_CONTROL_NUM_PRIM_INTERP(in_control),
                       (unsigned)AMD_MAX_PARAMS),
      .prim_interp_count = (uint8_t)G_SPI_PS_IN_CONTROL_NUM_PRIM_INTERP(in_control),
      .pos_location = G_SPI_BARYC_CNTL_POS_FLOAT_LOCATION(baryc),
      .front_face_all_bits = G_SPI_BARYC_CNTL_FRONT_FACE_ALL_BITS(baryc),
      .first_vertex_sgpr =
         G_SPI_SHADER_PGM_RSRC1_PS_LOAD_PROVOKING_VTX(amd_regs_get(regs, R_SPI_SHADER_PGM_RSRC1_PS)),
      .point_sprite = G_SPI_INTERP_CONTROL_0_PNT_SPRITE_ENA(interp),
      .sprite_top_1 = G_SPI_INTERP_CONTROL_0_PNT_SPRITE_TOP_1(interp),
      .sprite = {interp >> 2 & 7, interp >> 5 & 7, interp >> 8 & 7, interp >> 11 & 7},
      .z_format = amd_regs_get(regs, R_SPI_SHADER_Z_FORMAT) & 15,
      .col_format = formats,
   };
   p->attr_count = (uint8_t)(p->interp_count + G_SPI_PS_IN_CONTROL_PARAM_GEN(in_control));
   uint32_t ignored = G_SPI_INTERP_CONTROL_0_FLAT_SHADE_ENA(interp) ? 0 : S_SPI_PS_INPUT_CNTL_0_FLAT_SHADE(1);
   p->takes_sprites = p->attr_count > p->interp_count;
   for (unsigned i = 0; i < p->interp_count; i++) {
      p->input_cntl[i] = amd_regs_get(regs, R_SPI_PS_INPUT_CNTL_0 + 4 * i) & ~ignored;
      p->takes_sprites |= p->point_sprite && G_SPI_PS_INPUT_CNTL_0_PT_SPRITE_TEX(p->input_cntl[i]);
   }
   for (unsigned i = 0; i < AMD_MAX_TARGETS; i++)
      p->export_mask |= (uint32_t)((formats >> (4 * i) & 15) != V_SPI_SHADER_ZERO) << i;
}

/* Zero again. Targets are most of it; the rest of one that is not below `count` is so already. */
static void
clear(struct amd_draw_state *state)
{
   struct amd_color_state *color = &state->color;
   char *start = (char *)state, *targets = (char *)color->target,
        *after_targets = (char *)&color->target[AMD_MAX_TARGETS];
   for (unsigned i = 0; i < AMD_MAX_TARGETS; i++)
      memset(&color->target[i], 0,
             i < color->count ? sizeof(color->target[i]) : offsetof(struct amd_target_state, surface));
   memset(start, 0, (size_t)(targets - start));
   memset(after_targets, 0, sizeof(*state) - (size_t)(after_targets - start));
}

/* What they are then is not said anywhere. A draw that uses none leaves them lost for the next. */
static bool
check_scissors(const struct amd_gpu *gpu)
{
   struct amd_regs *regs = gpu->regs;
   bool used = G_PA_SC_MODE_CNTL_0_VPORT_SCISSOR_ENABLE(amd_regs_get(regs, R_PA_SC_MODE_CNTL_0)) &&
               !G_PA_CL_CLIP_CNTL_DX_RASTERIZATION_KILL(amd_regs_get(regs, R_PA_CL_CLIP_CNTL));
   amd_regs_drawn(regs);
   return !used || !regs->scissors_lost || !gpu->chip->rolls_lose_scissors ||
          sim_fault_set(
             gpu->fault, SIM_FAULT_PACKET, sim_va(0),
             "context registers were written since the last draw, and PA_SC_VPORT_SCISSOR_0 was not (erratum "
             "gfx9-scissors)");
}

bool
amd_draw_state_decode(struct amd_draw_state *state, const struct amd_gpu *gpu, struct amd_targets *targets)
{
   const struct amd_regs *regs = gpu->regs;
   clear(state);
   state->reference = gpu->reference;
   targets->gpu = gpu;
   if (!check_scissors(gpu) || !check_missing(gpu))
      return false;
   for (enum amd_hw_stage hw = 0; hw < AMD_HW_STAGES; hw++) {
      const struct amd_stage_regs *at = &amd_stage_regs[gpu->model->gen][hw];
      if (hw != AMD_HW_CS && at->pgm_lo)
         decode_shader(&state->shaders[stage_of[hw]], gpu, at);
   }
   uint32_t tmpring = amd_regs_get(regs, R_SPI_TMPRING_SIZE);
   state->scratch_waves = G_SPI_TMPRING_SIZE_WAVES(tmpring);
   state->scratch_wave_B =
      G_SPI_TMPRING_SIZE_WAVESIZE(gpu->model->gen, tmpring) * gpu->model->traits->scratch_granule_B;
   if (gpu->model->traits->scratch_in_registers)
      state->scratch = amd_regs_get_va(regs, R_SPI_GFX_SCRATCH_BASE_LO, R_SPI_GFX_SCRATCH_BASE_HI);
   state->border = amd_regs_get_va(regs, R_TA_BC_BASE_ADDR, R_TA_BC_BASE_ADDR_HI);
   decode_geometry(&state->geometry, gpu);
   decode_clip(&state->clip, regs);
   if (!amd_draw_state_stages(state, gpu))
      return false;
   decode_viewports(state, regs);
   decode_pixel(&state->pixel, regs);
   if (!amd_draw_state_tess(&state->tess, gpu) || !amd_draw_state_strmout(&state->strmout, gpu) ||
       !amd_draw_state_mask(state, gpu) || !amd_draw_state_samples(&state->samples, gpu) ||
       !amd_draw_state_pops(state, gpu) || !amd_draw_state_depth(state, gpu, targets) ||
       !amd_draw_state_color(state, gpu, targets) || !amd_shading_rate_decode(state, gpu) ||
       !amd_draw_state_check_samples(state, gpu))
      return false;
   state->pixel.enabled = state->shaders[AMD_STAGE_PS].program.va != 0;
   /* Late tests with EXEC_ON_HIER_FAIL: EXEC_ON_NOOP does not matter. Source: radeonsi's table of the two and
    * Z_ORDER, where it compiles shaders that write memory. */
   uint32_t control = amd_regs_get(regs, R_DB_SHADER_CONTROL);
   state->pixel.exec_on_noop =
      G_DB_SHADER_CONTROL_EXEC_ON_NOOP(control) ||
      (G_DB_SHADER_CONTROL_Z_ORDER(control) == V_LATE_Z && G_DB_SHADER_CONTROL_EXEC_ON_HIER_FAIL(control));
   return true;
}
