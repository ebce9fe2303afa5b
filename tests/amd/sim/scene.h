/* State of simple draws: one vertex shader (position from index, one parameter), targets, viewport. */
#ifndef INDIUM_TESTS_SCENE_H
#define INDIUM_TESTS_SCENE_H

#include "stream.h"

struct target_info {
   uint64_t va;
   uint32_t width, height, format, number, swap, mode, samples_log2;
};

static inline void
set_target(struct stream *s, unsigned i, const struct target_info *t)
{
   set_reg(s, R_CB_COLOR0_BASE + 0x3c * i, (uint32_t)(t->va >> 8));
   set_reg(s, R_CB_COLOR0_BASE_EXT(AMD_GFX10_3) + 4 * i, (uint32_t)(t->va >> 40));
   set_reg(s, R_CB_COLOR0_VIEW + 0x3c * i, 0);
   set_reg(s, R_CB_COLOR0_INFO + 0x3c * i,
           S_CB_COLOR0_INFO_FORMAT(AMD_GFX10_3, t->format) | S_CB_COLOR0_INFO_NUMBER_TYPE(t->number) |
              S_CB_COLOR0_INFO_COMP_SWAP(t->swap));
   set_reg(s, R_CB_COLOR0_ATTRIB + 0x3c * i,
           S_CB_COLOR0_ATTRIB_NUM_SAMPLES(t->samples_log2) |
              S_CB_COLOR0_ATTRIB_NUM_FRAGMENTS(AMD_GFX10_3, t->samples_log2));
   set_reg(s, R_CB_COLOR0_ATTRIB2(AMD_GFX10_3) + 4 * i,
           S_CB_COLOR0_ATTRIB2_MIP0_WIDTH(t->width - 1) | S_CB_COLOR0_ATTRIB2_MIP0_HEIGHT(t->height - 1));
   set_reg(s, R_CB_COLOR0_ATTRIB3 + 4 * i,
           S_CB_COLOR0_ATTRIB3_COLOR_SW_MODE(t->mode) | S_CB_COLOR0_ATTRIB3_RESOURCE_TYPE(1) |
              S_CB_COLOR0_ATTRIB3_RESOURCE_LEVEL(1));
}

/* Viewport of the whole target, no depth, no blending, one target of 32_ABGR exports. */
static inline void
set_defaults(struct stream *s, uint32_t width, uint32_t height)
{
   emit_packet(s, PKT3_CONTEXT_CONTROL, 2, (const uint32_t[2]){0x80000000, 0x80000000});
   emit_packet(s, PKT3_CLEAR_STATE, 1, (const uint32_t[1]){0});
   set_reg(s, R_GE_MAX_VTX_INDX, 0xffffffff);
   set_reg(s, R_GE_MIN_VTX_INDX, 0);
   set_reg(s, R_PA_SU_VTX_CNTL, 0x2d);
   set_reg(s, R_PA_CL_VTE_CNTL, 0x43f);
   set_reg(s, R_PA_CL_CLIP_CNTL, S_PA_CL_CLIP_CNTL_DX_CLIP_SPACE_DEF(1));
   set_reg(s, R_PA_SU_SC_MODE_CNTL, 0);
   set_reg(s, R_PA_SU_POINT_MINMAX, 0xffff0000);
   set_reg(s, R_PA_SU_POINT_SIZE, 0x00080008);
   set_reg(s, R_PA_SU_LINE_CNTL, 8);
   set_whole_viewport(s, width, height);
   set_reg(s, R_SPI_SHADER_PGM_LO_VS, 1);
   set_reg(s, R_SPI_SHADER_PGM_LO_PS, 2);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_VS, S_SPI_SHADER_PGM_RSRC1_VS_VGPR_COMP_CNT(3));
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_PS, 0);
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_VS, 0);
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_PS, 0);
   set_reg(s, R_SPI_PS_INPUT_ENA, S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1));
   set_reg(s, R_SPI_PS_INPUT_ADDR, S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1));
   set_reg(s, R_SPI_PS_IN_CONTROL, S_SPI_PS_IN_CONTROL_NUM_INTERP(1));
   set_reg(s, R_SPI_PS_INPUT_CNTL_0, 0);
   set_reg(s, R_SPI_INTERP_CONTROL_0, S_SPI_INTERP_CONTROL_0_FLAT_SHADE_ENA(1));
   set_reg(s, R_SPI_SHADER_COL_FORMAT, V_SPI_SHADER_32_ABGR);
   set_reg(s, R_CB_TARGET_MASK, 15);
   set_reg(s, R_CB_SHADER_MASK, 15);
   set_reg(s, R_CB_COLOR_CONTROL, S_CB_COLOR_CONTROL_MODE(V_CB_NORMAL) | S_CB_COLOR_CONTROL_ROP3(V_ROP3_COPY));
   set_reg(s, R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_Z_ORDER(V_EARLY_Z_THEN_LATE_Z));
   set_reg(s, R_VGT_SHADER_STAGES_EN, 0);
   emit_packet(s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){1});
}

static inline void
draw_auto(struct stream *s, unsigned prim_type, uint32_t count)
{
   set_reg(s, R_VGT_PRIMITIVE_TYPE, prim_type);
   emit_packet(s, PKT3_DRAW_INDEX_AUTO, 2, (const uint32_t[2]){count, 2});
}

static inline void
set_samples_4x(struct stream *s)
{
   set_reg(s, R_PA_SC_MODE_CNTL_0, 1);
   set_reg(s, R_PA_SC_AA_CONFIG,
           S_PA_SC_AA_CONFIG_MSAA_NUM_SAMPLES(2) | S_PA_SC_AA_CONFIG_MSAA_EXPOSED_SAMPLES(2) |
              S_PA_SC_AA_CONFIG_MAX_SAMPLE_DIST(6));
   for (unsigned pixel = 0; pixel < 4; pixel++)
      set_reg(s, R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + 16 * pixel, 0x622ae6ae);
   set_reg(s, R_PA_SC_CENTROID_PRIORITY_0, 0x32103210);
   set_reg(s, R_PA_SC_CENTROID_PRIORITY_1, 0x32103210);
}

#endif
