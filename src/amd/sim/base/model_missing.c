/* Registers of a draw that turn on what the model does not have. */
#include <assert.h>
#include <string.h>

#include "amd/sim/base/model.h"
#include "util/macros.h"

static const struct {
   const char *reg;
   const char *fields; /* that must be 0, separated by blanks; NULL: all bits */
   const char *what;
} rows[] = {
   {"GE_USER_VGPR_EN", "EN_USER_VGPR1 EN_USER_VGPR2 EN_USER_VGPR3", "user VGPRs"},
   {"VGT_DRAW_PAYLOAD_CNTL", "OBJPRIM_ID_EN EN_REG_RT_INDEX EN_PIPELINE_PRIMID OBJECT_ID_INST_EN EN_DRAW_VP",
    "draw payloads"},
   {"PA_CL_CLIP_CNTL", "PS_UCP_MODE", "points that clip planes cut"},
   {"PA_CL_CLIP_CNTL", "BOUNDARY_EDGE_FLAG_ENA", "outlines along clip planes"},
   {"PA_CL_CLIP_CNTL", "ZCLIP_PROG_NEAR_ENA", "a programmable near plane"},
   {"PA_CL_VS_OUT_CNTL", "USE_VTX_KILL_FLAG USE_VTX_GS_CUT_FLAG USE_VTX_LINE_WIDTH",
    "kill flags, cut flags or line widths of vertices"},
   {"PA_SU_SC_MODE_CNTL", "VTX_WINDOW_OFFSET_ENABLE", "window offsets"},
   {"PA_SC_WINDOW_OFFSET", NULL, "a window offset"},
   {"PA_SU_LINE_STIPPLE_CNTL", "LINE_STIPPLE_RESET DIAMOND_ADJUST", "line stipple with diamonds or resets by hand"},
   {"PA_SU_SC_MODE_CNTL", "NEW_QUAD_DECOMPOSITION", "another diagonal of quads"},
   {"PA_SC_VRS_OVERRIDE_CNTL", "RATE_HINT_WRITE_BACK_ENABLE VRS_FEEDBACK_RATE_OVERRIDE",
    "shading rates that the scan converter writes"},
   {"DB_SHADER_CONTROL", "EXEC_IF_OVERLAPPED", "EXEC_IF_OVERLAPPED"},
   {"DB_SHADER_CONTROL", "STENCIL_OP_VAL_EXPORT_ENABLE", "exports of stencil operands"},
   {"SPI_SHADER_PGM_RSRC1_PS", "FP16_OVFL", "16-bit floats that stay finite"},
   {"SPI_SHADER_PGM_RSRC1_VS", "FP16_OVFL", "16-bit floats that stay finite"},
   {"SPI_SHADER_PGM_RSRC1_GS", "FP16_OVFL", "16-bit floats that stay finite"},
   {"SPI_SHADER_PGM_RSRC2_PS", "WAVE_CNT_EN", "a wave count among the arguments"},
   {"SPI_SHADER_PGM_RSRC2_VS", "PC_BASE_EN DISPATCH_DRAW_EN", "arguments of dispatched draws"},
   {"VGT_SHADER_STAGES_EN", "DISPATCH_DRAW_EN VS_WAVE_ID_EN ORDERED_ID_MODE",
    "dispatched draws or wave ids of vertex shaders"},
   {"GE_STEREO_CNTL", "EN_STEREO", "stereo"},
   {"PA_CL_NANINF_CNTL", NULL, "rules for infinities and NaNs of vertices"},
   {"SPI_BARYC_CNTL", "PERSP_CENTER_CNTL PERSP_CENTROID_CNTL LINEAR_CENTER_CNTL LINEAR_CENTROID_CNTL",
    "centres and centroids that stand for each other"},
   {"SPI_BARYC_CNTL", "POS_FLOAT_ULC", "positions of upper left corners"},
   {"SPI_PS_IN_CONTROL", "OFFCHIP_PARAM_EN", "parameters in memory"},
   {"PA_SC_AA_CONFIG", "DETAIL_TO_EXPOSED_MODE SAMPLE_COVERAGE_ENCODING",
    "another coverage input than the rasterised samples"},
   {"DB_RENDER_CONTROL", "PS_INVOKE_DISABLE", "draws without pixel shaders"},
   {"DB_RENDER_OVERRIDE", "FORCE_COLOR_KILL FORCE_SHADER_Z_ORDER",
    "a forced order of the depth test or forced kills"},
   {"DB_DEPTH_CONTROL", "ENABLE_COLOR_WRITES_ON_DEPTH_FAIL DISABLE_COLOR_WRITES_ON_DEPTH_PASS",
    "colours of pixels that fail the depth test"},
   {"CB_COLOR_CONTROL", "DEGAMMA_ENABLE", "blending that takes every target for sRGB"},
};

static bool
is_named(const char *fields, const char *name)
{
   size_t length = strlen(name);
   for (const char *at = fields; (at = strstr(at, name)); at += length) {
      if ((at == fields || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
         return true;
   }
   return false;
}

/* Of the fields that the generation has. */
static uint32_t
mask_of(const struct amd_reg_layout *layout, const char *fields)
{
   uint32_t mask = 0;
   for (unsigned i = 0; i < layout->field_count; i++) {
      const struct amd_field *field = &layout->fields[i];
      if (field->name && is_named(fields, field->name))
         mask |= (uint32_t)(((UINT64_C(2) << (field->high - field->low)) - 1) << field->low);
   }
   return mask;
}

void
amd_model_add_missing(struct amd_model *model)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct amd_reg *reg = amd_reg_by_name(rows[i].reg, NULL);
      assert(reg && "rows name registers of the tables");
      const struct amd_reg_layout *layout = &reg->gen[model->gen];
      uint32_t mask = !layout->exists ? 0 : rows[i].fields ? mask_of(layout, rows[i].fields) : UINT32_MAX;
      if (!mask)
         continue;
      assert(model->missing_count < AMD_MODEL_MAX_MISSING && "the rows fit");
      model->missing[model->missing_count++] =
         (struct amd_missing){.offset_B = layout->offset_B, .mask = mask, .what = rows[i].what};
   }
}
