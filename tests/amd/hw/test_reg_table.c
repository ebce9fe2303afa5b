/* size: a flat table of 232 offsets.
 * Register, packet and descriptor tables against offsets, bits and values collected from drivers independently of the
 * register database that the tables were written from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "amd/hw/descriptors.h"
#include "amd/hw/pm4.h"
#include "amd/hw/reg_table.h"
#include "amd/hw/registers.h"

/* Registers that a functional model of GFX10.3 needs, with the offsets that driver headers give. */
static const struct {
   const char *name;
   uint32_t offset_B;
} known_offsets[] = {
   {"COMPUTE_DISPATCH_INITIATOR", 0x0b800},
   {"COMPUTE_DIM_X", 0x0b804},
   {"COMPUTE_START_X", 0x0b810},
   {"COMPUTE_START_Y", 0x0b814},
   {"COMPUTE_START_Z", 0x0b818},
   {"COMPUTE_NUM_THREAD_X", 0x0b81c},
   {"COMPUTE_NUM_THREAD_Y", 0x0b820},
   {"COMPUTE_NUM_THREAD_Z", 0x0b824},
   {"COMPUTE_PGM_LO", 0x0b830},
   {"COMPUTE_PGM_HI", 0x0b834},
   {"COMPUTE_DISPATCH_SCRATCH_BASE_LO", 0x0b840},
   {"COMPUTE_DISPATCH_SCRATCH_BASE_HI", 0x0b844},
   {"COMPUTE_PGM_RSRC1", 0x0b848},
   {"COMPUTE_PGM_RSRC2", 0x0b84c},
   {"COMPUTE_PGM_RSRC3", 0x0b8a0},
   {"COMPUTE_RESOURCE_LIMITS", 0x0b854},
   {"COMPUTE_TMPRING_SIZE", 0x0b860},
   {"COMPUTE_USER_DATA_0", 0x0b900},
   {"COMPUTE_SHADER_CHKSUM", 0x0b8a8},
   {"COMPUTE_DISPATCH_TUNNEL", 0x0b9f4},
   {"SPI_SHADER_PGM_RSRC4_PS", 0x0b004},
   {"SPI_SHADER_PGM_RSRC3_PS", 0x0b01c},
   {"SPI_SHADER_PGM_LO_PS", 0x0b020},
   {"SPI_SHADER_PGM_HI_PS", 0x0b024},
   {"SPI_SHADER_PGM_RSRC1_PS", 0x0b028},
   {"SPI_SHADER_PGM_RSRC2_PS", 0x0b02c},
   {"SPI_SHADER_USER_DATA_PS_0", 0x0b030},
   {"SPI_SHADER_USER_DATA_PS_31", 0x0b0ac},
   {"SPI_SHADER_PGM_RSRC3_VS", 0x0b118},
   {"SPI_SHADER_LATE_ALLOC_VS", 0x0b11c},
   {"SPI_SHADER_PGM_LO_VS", 0x0b120},
   {"SPI_SHADER_PGM_HI_VS", 0x0b124},
   {"SPI_SHADER_PGM_RSRC1_VS", 0x0b128},
   {"SPI_SHADER_PGM_RSRC2_VS", 0x0b12c},
   {"SPI_SHADER_USER_DATA_VS_0", 0x0b130},
   {"SPI_SHADER_PGM_LO_ES", 0x0b320},
   {"SPI_SHADER_PGM_HI_ES", 0x0b324},
   {"SPI_SHADER_PGM_LO_GS", 0x0b220},
   {"SPI_SHADER_PGM_HI_GS", 0x0b224},
   {"SPI_SHADER_USER_DATA_ADDR_LO_GS", 0x0b208},
   {"SPI_SHADER_USER_DATA_ADDR_HI_GS", 0x0b20c},
   {"SPI_SHADER_PGM_RSRC1_GS", 0x0b228},
   {"SPI_SHADER_PGM_RSRC2_GS", 0x0b22c},
   {"SPI_SHADER_PGM_RSRC3_GS", 0x0b21c},
   {"SPI_SHADER_PGM_RSRC4_GS", 0x0b204},
   {"SPI_SHADER_USER_DATA_GS_0", 0x0b230},
   {"SPI_SHADER_PGM_LO_LS", 0x0b520},
   {"SPI_SHADER_PGM_HI_LS", 0x0b524},
   {"SPI_SHADER_PGM_LO_HS", 0x0b420},
   {"SPI_SHADER_PGM_HI_HS", 0x0b424},
   {"SPI_SHADER_USER_DATA_ADDR_LO_HS", 0x0b408},
   {"SPI_SHADER_PGM_RSRC1_HS", 0x0b428},
   {"SPI_SHADER_PGM_RSRC2_HS", 0x0b42c},
   {"SPI_SHADER_USER_DATA_HS_0", 0x0b430},
   {"SPI_PS_INPUT_CNTL_0", 0x28644},
   {"SPI_PS_INPUT_ENA", 0x286cc},
   {"SPI_PS_INPUT_ADDR", 0x286d0},
   {"SPI_PS_IN_CONTROL", 0x286d8},
   {"SPI_BARYC_CNTL", 0x286e0},
   {"SPI_INTERP_CONTROL_0", 0x286d4},
   {"SPI_VS_OUT_CONFIG", 0x286c4},
   {"SPI_SHADER_POS_FORMAT", 0x2870c},
   {"SPI_SHADER_IDX_FORMAT", 0x28708},
   {"SPI_SHADER_Z_FORMAT", 0x28710},
   {"SPI_SHADER_COL_FORMAT", 0x28714},
   {"SPI_TMPRING_SIZE", 0x286e8},
   {"VGT_PRIMITIVE_TYPE", 0x30908},
   {"VGT_INDEX_TYPE", 0x3090c},
   {"VGT_NUM_INDICES", 0x30930},
   {"VGT_NUM_INSTANCES", 0x30934},
   {"VGT_MAX_VTX_INDX", 0x28400},
   {"GE_MAX_VTX_INDX", 0x30964},
   {"VGT_MIN_VTX_INDX", 0x28404},
   {"GE_MIN_VTX_INDX", 0x30924},
   {"VGT_INDX_OFFSET", 0x28408},
   {"GE_INDX_OFFSET", 0x30928},
   {"VGT_GS_MAX_PRIMS_PER_SUBGROUP", 0x28a94},
   {"GE_MULTI_PRIM_IB_RESET_EN", 0x3092c},
   {"VGT_INSTANCE_BASE_ID", 0x30968},
   {"GE_CNTL", 0x3096c},
   {"GE_PC_ALLOC", 0x30980},
   {"GE_USER_VGPR_EN", 0x30988},
   {"IA_MULTI_VGT_PARAM", 0x28aa8},
   {"VGT_TF_RING_SIZE", 0x30938},
   {"VGT_TF_MEMORY_BASE", 0x30940},
   {"VGT_TF_MEMORY_BASE_HI", 0x30984},
   {"VGT_HS_OFFCHIP_PARAM", 0x3093c},
   {"VGT_ESGS_RING_SIZE", 0x30900},
   {"VGT_GSVS_RING_SIZE", 0x30904},
   {"VGT_GS_OUT_PRIM_TYPE", 0x28a6c},
   {"VGT_MULTI_PRIM_IB_RESET_INDX", 0x2840c},
   {"VGT_PRIMITIVEID_EN", 0x28a84},
   {"VGT_SHADER_STAGES_EN", 0x28b54},
   {"VGT_LS_HS_CONFIG", 0x28b58},
   {"VGT_TF_PARAM", 0x28b6c},
   {"VGT_REUSE_OFF", 0x28ab4},
   {"VGT_GS_MODE", 0x28a40},
   {"VGT_GS_ONCHIP_CNTL", 0x28a44},
   {"VGT_GS_MAX_VERT_OUT", 0x28b38},
   {"VGT_GS_INSTANCE_CNT", 0x28b90},
   {"VGT_ESGS_RING_ITEMSIZE", 0x28aac},
   {"VGT_GSVS_RING_ITEMSIZE", 0x28ab0},
   {"VGT_GS_VERT_ITEMSIZE", 0x28b5c},
   {"GE_MAX_OUTPUT_PER_SUBGROUP", 0x287fc},
   {"GE_NGG_SUBGRP_CNTL", 0x28b4c},
   {"VGT_DRAW_PAYLOAD_CNTL", 0x28a98},
   {"VGT_STRMOUT_CONFIG", 0x28b94},
   {"VGT_STRMOUT_BUFFER_CONFIG", 0x28b98},
   {"VGT_STRMOUT_BUFFER_SIZE_0", 0x28ad0},
   {"VGT_STRMOUT_VTX_STRIDE_0", 0x28ad4},
   {"VGT_INSTANCE_STEP_RATE_0", 0x28aa0},
   {"VGT_TESS_DISTRIBUTION", 0x28b50},
   {"VGT_HOS_MAX_TESS_LEVEL", 0x28a18},
   {"VGT_EVENT_INITIATOR", 0x28a90},
   {"PA_CL_CLIP_CNTL", 0x28810},
   {"PA_CL_VTE_CNTL", 0x28818},
   {"PA_CL_VS_OUT_CNTL", 0x2881c},
   {"PA_CL_NGG_CNTL", 0x28838},
   {"PA_CL_VRS_CNTL", 0x28848},
   {"PA_CL_VPORT_XSCALE", 0x2843c},
   {"PA_CL_VPORT_ZOFFSET", 0x28450},
   {"PA_CL_UCP_0_X", 0x285bc},
   {"PA_CL_GB_VERT_CLIP_ADJ", 0x28be8},
   {"PA_CL_GB_HORZ_DISC_ADJ", 0x28bf4},
   {"PA_CL_NANINF_CNTL", 0x28820},
   {"PA_SU_SC_MODE_CNTL", 0x28814},
   {"PA_SU_VTX_CNTL", 0x28be4},
   {"PA_SU_POINT_SIZE", 0x28a00},
   {"PA_SU_POINT_MINMAX", 0x28a04},
   {"PA_SU_LINE_CNTL", 0x28a08},
   {"PA_SU_LINE_STIPPLE_CNTL", 0x28824},
   {"PA_SU_PRIM_FILTER_CNTL", 0x2882c},
   {"PA_SU_SMALL_PRIM_FILTER_CNTL", 0x28830},
   {"PA_SU_HARDWARE_SCREEN_OFFSET", 0x28234},
   {"PA_SU_POLY_OFFSET_DB_FMT_CNTL", 0x28b78},
   {"PA_SU_POLY_OFFSET_CLAMP", 0x28b7c},
   {"PA_SU_POLY_OFFSET_FRONT_SCALE", 0x28b80},
   {"PA_SU_POLY_OFFSET_FRONT_OFFSET", 0x28b84},
   {"PA_SU_POLY_OFFSET_BACK_SCALE", 0x28b88},
   {"PA_SC_SCREEN_SCISSOR_TL", 0x28030},
   {"PA_SC_SCREEN_SCISSOR_BR", 0x28034},
   {"PA_SC_WINDOW_OFFSET", 0x28200},
   {"PA_SC_WINDOW_SCISSOR_TL", 0x28204},
   {"PA_SC_WINDOW_SCISSOR_BR", 0x28208},
   {"PA_SC_CLIPRECT_RULE", 0x2820c},
   {"PA_SC_CLIPRECT_0_TL", 0x28210},
   {"PA_SC_GENERIC_SCISSOR_TL", 0x28240},
   {"PA_SC_GENERIC_SCISSOR_BR", 0x28244},
   {"PA_SC_VPORT_SCISSOR_0_TL", 0x28250},
   {"PA_SC_VPORT_SCISSOR_0_BR", 0x28254},
   {"PA_SC_VPORT_ZMIN_0", 0x282d0},
   {"PA_SC_VPORT_ZMAX_0", 0x282d4},
   {"PA_SC_EDGERULE", 0x28230},
   {"PA_SC_MODE_CNTL_0", 0x28a48},
   {"PA_SC_MODE_CNTL_1", 0x28a4c},
   {"PA_SC_AA_CONFIG", 0x28be0},
   {"PA_SC_AA_MASK_X0Y0_X1Y0", 0x28c38},
   {"PA_SC_AA_MASK_X0Y1_X1Y1", 0x28c3c},
   {"PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0", 0x28bf8},
   {"PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y1_3", 0x28c34},
   {"PA_SC_CENTROID_PRIORITY_0", 0x28bd4},
   {"PA_SC_LINE_CNTL", 0x28bdc},
   {"PA_SC_LINE_STIPPLE", 0x28a0c},
   {"PA_SC_CONSERVATIVE_RASTERIZATION_CNTL", 0x28c4c},
   {"PA_SC_BINNER_CNTL_0", 0x28c44},
   {"DB_RENDER_CONTROL", 0x28000},
   {"DB_COUNT_CONTROL", 0x28004},
   {"DB_DEPTH_VIEW", 0x28008},
   {"DB_RENDER_OVERRIDE", 0x2800c},
   {"DB_RENDER_OVERRIDE2", 0x28010},
   {"DB_HTILE_DATA_BASE", 0x28014},
   {"DB_HTILE_DATA_BASE_HI", 0x28078},
   {"DB_DEPTH_SIZE_XY", 0x2801c},
   {"DB_DEPTH_BOUNDS_MIN", 0x28020},
   {"DB_DEPTH_BOUNDS_MAX", 0x28024},
   {"DB_STENCIL_CLEAR", 0x28028},
   {"DB_DEPTH_CLEAR", 0x2802c},
   {"DB_Z_INFO", 0x28040},
   {"DB_STENCIL_INFO", 0x28044},
   {"DB_Z_READ_BASE", 0x28048},
   {"DB_STENCIL_READ_BASE", 0x2804c},
   {"DB_Z_WRITE_BASE", 0x28050},
   {"DB_STENCIL_WRITE_BASE", 0x28054},
   {"DB_Z_READ_BASE_HI", 0x28068},
   {"DB_STENCIL_CONTROL", 0x2842c},
   {"DB_STENCILREFMASK", 0x28430},
   {"DB_STENCILREFMASK_BF", 0x28434},
   {"DB_DEPTH_CONTROL", 0x28800},
   {"DB_EQAA", 0x28804},
   {"DB_SHADER_CONTROL", 0x2880c},
   {"DB_HTILE_SURFACE", 0x28abc},
   {"DB_ALPHA_TO_MASK", 0x28b70},
   {"DB_DFSM_CONTROL", 0x28038},
   {"DB_VRS_OVERRIDE_CNTL", 0x28064},
   {"DB_OCCLUSION_COUNT0_LOW", 0x30f00},
   {"CB_BLEND_RED", 0x28414},
   {"CB_BLEND_ALPHA", 0x28420},
   {"CB_COLOR_CONTROL", 0x28808},
   {"CB_TARGET_MASK", 0x28238},
   {"CB_SHADER_MASK", 0x2823c},
   {"CB_BLEND0_CONTROL", 0x28780},
   {"CB_BLEND7_CONTROL", 0x2879c},
   {"CB_DCC_CONTROL", 0x28424},
   {"CB_COLOR0_BASE", 0x28c60},
   {"CB_COLOR0_BASE_EXT", 0x28e40},
   {"CB_COLOR0_PITCH", 0x28c64},
   {"CB_COLOR0_VIEW", 0x28c6c},
   {"CB_COLOR0_INFO", 0x28c70},
   {"CB_COLOR0_ATTRIB", 0x28c74},
   {"CB_COLOR0_ATTRIB2", 0x28ec0},
   {"CB_COLOR0_ATTRIB3", 0x28ee0},
   {"CB_COLOR0_DCC_CONTROL", 0x28c78},
   {"CB_COLOR0_CMASK", 0x28c7c},
   {"CB_COLOR0_FMASK", 0x28c84},
   {"CB_COLOR0_CLEAR_WORD0", 0x28c8c},
   {"CB_COLOR0_DCC_BASE", 0x28c94},
   {"CB_COLOR1_BASE", 0x28c9c},
   {"CB_COLOR1_INFO", 0x28cac},
   {"CB_COVERAGE_OUT_CONTROL", 0x28428},
   {"SX_PS_DOWNCONVERT_CONTROL", 0x28750},
   {"SX_PS_DOWNCONVERT", 0x28754},
   {"SX_BLEND_OPT_EPSILON", 0x28758},
   {"SX_BLEND_OPT_CONTROL", 0x2875c},
   {"SX_MRT0_BLEND_OPT", 0x28760},
   {"TA_BC_BASE_ADDR", 0x28080},
   {"TA_BC_BASE_ADDR_HI", 0x28084},
   {"TA_CS_BC_BASE_ADDR", 0x30e00},
   {"TA_CS_BC_BASE_ADDR_HI", 0x30e04},
   {"GRBM_GFX_INDEX", 0x30800},
   {"CP_COHER_START_DELAY", 0x301ec},
   {"SQ_THREAD_TRACE_USERDATA_2", 0x30d08},
   {"GDS_OA_CNTL", 0x31074},
};

static void
test_offsets(void **state)
{
   for (size_t i = 0; i < sizeof(known_offsets) / sizeof(known_offsets[0]); i++) {
      unsigned index, found_index;
      const struct amd_reg *reg = amd_reg_by_name(known_offsets[i].name, &index);
      char name[64];

      if (!reg)
         fail_msg("no register %s", known_offsets[i].name);
      assert_int_equal(reg->gen[AMD_GFX10_3].offset_B + index * reg->gen[AMD_GFX10_3].step_B,
                       known_offsets[i].offset_B);
      assert_ptr_equal(amd_reg_find(AMD_GFX10_3, known_offsets[i].offset_B, &found_index), reg);
      assert_int_equal(found_index, index);
      amd_reg_name(reg, index, name, sizeof(name));
      assert_string_equal(name, known_offsets[i].name);
   }
   assert_null(amd_reg_find(AMD_GFX10_3, 0x28006, NULL));
   assert_null(amd_reg_find(AMD_GFX10_3, 0xffffffff, NULL));
   assert_null(amd_reg_by_name("NO_SUCH_REGISTER", NULL));
}

static void
test_bits_have_one_owner(void **state)
{
   const struct amd_reg *reg;
   unsigned n;

   for (n = 0; (reg = amd_reg_at(AMD_GFX10_3, n)); n++) {
      unsigned next = 0;

      for (unsigned i = 0; i < reg->gen[AMD_GFX10_3].field_count; i++) {
         assert_int_equal(reg->gen[AMD_GFX10_3].fields[i].low, next);
         next = reg->gen[AMD_GFX10_3].fields[i].high + 1u;
      }
      assert_int_equal(next, 32);
   }
   assert_true(n > 300);
   assert_int_equal(amd_reg_unknown_bits(AMD_GFX10_3, amd_reg_by_name("DB_ALPHA_TO_MASK", NULL)), 0xfffe00fe);
   assert_string_equal(amd_reg_field(AMD_GFX10_3, amd_reg_by_name("DB_SHADER_CONTROL", NULL), 21)->name,
                       "POPS_OVERLAP_NUM_SAMPLES");
}

/* Fields of DB_SHADER_CONTROL, PA_SC_AA_CONFIG, SPI_PS_IN_CONTROL, CB_COLOR0_INFO.. as documented for the drivers. */
static void
test_fields(void **state)
{
   assert_int_equal(S_DB_SHADER_CONTROL_Z_ORDER(3), 3 << 4);
   assert_int_equal(S_DB_SHADER_CONTROL_KILL_ENABLE(1), 1 << 6);
   assert_int_equal(S_DB_SHADER_CONTROL_DEPTH_BEFORE_SHADER(1), 1 << 12);
   assert_int_equal(S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(1), 1 << 16);
   assert_int_equal(S_PA_SC_AA_CONFIG_MAX_SAMPLE_DIST(15), 15 << 13);
   assert_int_equal(S_PA_SC_AA_CONFIG_MSAA_EXPOSED_SAMPLES(7), 7 << 20);
   assert_int_equal(S_SPI_PS_IN_CONTROL_NUM_INTERP(63), 63);
   assert_int_equal(S_SPI_PS_IN_CONTROL_PS_W32_EN(1), 1 << 15);
   assert_int_equal(S_CB_COLOR0_INFO_FORMAT(AMD_GFX10_3, 31), 31 << 2);
   assert_int_equal(S_CB_COLOR0_ATTRIB3_COLOR_SW_MODE(31), 31 << 14);
   assert_int_equal(S_CB_BLEND0_CONTROL_ENABLE(1), 1 << 30);
   assert_int_equal(S_DB_Z_INFO_SW_MODE(31), 31 << 4);
   assert_int_equal(S_SPI_SHADER_PGM_RSRC2_PS_LOAD_COLLISION_WAVEID(1), 1 << 25);
   assert_int_equal(S_COMPUTE_DISPATCH_INITIATOR_CS_W32_EN(1), 1 << 15);
   assert_int_equal(G_PA_SC_WINDOW_SCISSOR_TL_TL_Y(0x12340000), 0x1234);
   assert_int_equal(C_DB_SHADER_CONTROL_Z_ORDER, 0xffffffcf);
   assert_int_equal(V_BLEND_SRC1_COLOR(AMD_GFX10_3), 15);
   assert_int_equal(V_CB_ELIMINATE_FAST_CLEAR, 2);
   assert_int_equal(V_DI_PT_RECTLIST, 17);
   assert_int_equal(V_CS_PARTIAL_FLUSH, 7);
   assert_string_equal(
      amd_field_value_name(amd_reg_field(AMD_GFX10_3, amd_reg_by_name("VGT_PRIMITIVE_TYPE", NULL), 0), 4),
      "DI_PT_TRILIST");
}

static void
test_clear_state(void **state)
{
   assert_int_equal(amd_reg_clear_value(AMD_GFX10_3, R_PA_SC_SCREEN_SCISSOR_BR), 0x40004000);
   assert_int_equal(amd_reg_clear_value(AMD_GFX10_3, R_PA_SC_EDGERULE), 0xaa99aaaa);
   assert_int_equal(amd_reg_clear_value(AMD_GFX10_3, 0x282dc), 0x3f800000); /* PA_SC_VPORT_ZMAX_1 */
   assert_int_equal(amd_reg_clear_value(AMD_GFX10_3, R_PA_SC_VPORT_SCISSOR_0_TL + 15 * 8), 0x80000000);
   assert_int_equal(amd_reg_clear_value(AMD_GFX10_3, R_PA_CL_CLIP_CNTL), 0x90000);
   assert_int_equal(amd_reg_clear_value(AMD_GFX10_3, R_PA_SC_AA_MASK_X0Y1_X1Y1), 0xffffffff);
   assert_int_equal(amd_reg_clear_value(AMD_GFX10_3, R_CB_COLOR0_INFO), 0);
}

static void
test_packets(void **state)
{
   const struct amd_pm4_packet *packet = amd_pm4_find(AMD_GFX10_3, 0x15);

   assert_string_equal(packet->name, "DISPATCH_DIRECT");
   assert_int_equal(PKT3(PKT3_DISPATCH_DIRECT, 4), 0xc0031500);
   assert_int_equal(PKT3(PKT3_CONTEXT_CONTROL, 2), 0xc0012800);
   assert_null(amd_pm4_form(AMD_GFX10_3, packet, 3));
   assert_string_equal(amd_pm4_word(amd_pm4_form(AMD_GFX10_3, packet, 4), 3)->name, "INITIATOR");
   assert_string_equal(amd_reg_field(AMD_GFX10_3, amd_pm4_word(amd_pm4_form(AMD_GFX10_3, packet, 4), 3), 15)->name,
                       "CS_W32_EN");
   packet = amd_pm4_find(AMD_GFX10_3, PKT3_DISPATCH_INDIRECT);
   assert_string_equal(amd_pm4_word(amd_pm4_form(AMD_GFX10_3, packet, 2), 0)->name, "OFFSET_B");
   assert_string_equal(amd_pm4_word(amd_pm4_form(AMD_GFX10_3, packet, 3), 0)->name, "ADDRESS_LO");
   packet = amd_pm4_find(AMD_GFX10_3, PKT3_SET_CONTEXT_REG);
   assert_string_equal(amd_pm4_word(amd_pm4_form(AMD_GFX10_3, packet, 20), 19)->name, "DATA");
   assert_null(amd_pm4_find(AMD_GFX10_3, 0xff));
   assert_int_equal(S_INDIRECT_BUFFER_CONTROL_CHAIN(1) | S_INDIRECT_BUFFER_CONTROL_VALID(1), 0x900000);
   assert_int_equal(S_WRITE_DATA_CONTROL_DST_SEL(V_WRITE_DATA_DST_MEM), 5 << 8);
   assert_int_equal(S_ACQUIRE_MEM_GCR_CNTL_GL2_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GLV_INV(1), 0x4100);
   assert_int_equal(S_RELEASE_MEM_SELECT_DATA_SEL(V_RELEASE_DATA_TIMESTAMP), 3u << 29);
}

static void
test_descriptors(void **state)
{
   assert_int_equal(S_SQ_BUF_RSRC_WORD3_FORMAT(AMD_GFX10_3, 0x7f), 0x7f << 12);
   assert_int_equal(S_SQ_BUF_RSRC_WORD3_OOB_SELECT(3), 3 << 28);
   assert_int_equal(S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, 0x1ff), 0x1ff << 20);
   assert_int_equal(S_SQ_IMG_RSRC_WORD3_SW_MODE(31), 31 << 20);
   assert_int_equal(S_SQ_IMG_RSRC_WORD4_BASE_ARRAY(1), 1 << 16);
   assert_int_equal(S_SQ_IMG_SAMP_WORD2_MIP_FILTER(3), 3 << 26);
   assert_int_equal(V_GFX10_FORMAT_8_8_8_8_UNORM, 56);
   assert_int_equal(V_GFX10_FORMAT_32_32_32_32_FLOAT, 77);
   assert_int_equal(V_GFX10_FORMAT_8_8_8_8_SRGB, 130);
   assert_int_equal(V_GFX10_FORMAT_BC7_SRGB, 182);
   assert_string_equal(amd_reg_field(AMD_GFX10_3, amd_desc_by_name("SQ_IMG_RSRC_WORD3"), 30)->name, "TYPE");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_offsets), cmocka_unit_test(test_bits_have_one_owner),
                                      cmocka_unit_test(test_fields),  cmocka_unit_test(test_clear_state),
                                      cmocka_unit_test(test_packets), cmocka_unit_test(test_descriptors)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
