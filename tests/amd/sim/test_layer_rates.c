/* Shading rates of layered targets: in HTILE each layer has its own, an image is the same for all of them. Counted
 * are the pixels of a layer that run. And erratum vrs-8x-hang. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#include "amd/hw/meta.h"
#include "native_engine.h"
#include "stream.h"
#include "util/macros.h"

enum {
   W = 64,
   H = 32,
   LAYERS = 6,
   TARGET_B = 4 << 20,
   RATES_B = 16 << 20,
   RATES_SIZE_B = 4 << 20,
   IMAGE_BLOCK_B = 1 << 16,
   MODE_DEPTH = 24, /* 64KB_Z_X */
   MODE_COLOR = 27, /* 64KB_R_X */
};

static _Atomic uint32_t ran[LAYERS], seen[LAYERS]; /* seen: bits by rate, x | y << 2 */

/* NGG hands over the primitive and the vertex. Four vertices to a layer, of which three are used. */
static void
vertex_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float prim[AMD_WAVE_MAX_LANES][4], position[AMD_WAVE_MAX_LANES][4],
      misc[AMD_WAVE_MAX_LANES][4];
   const bool ngg = start->vgpr_count > 5;
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      const uint32_t number = start->vgpr[ngg ? 5 : 0][lane], corner = number % 3, layer = number / 3;
      memcpy(prim[lane], &start->vgpr[0][lane], 4);
      memcpy(position[lane], (const float[4]){corner & 1 ? 3 : -1, corner & 2 ? 3 : -1, 0.5f, 1}, 16);
      memcpy(&misc[lane][2], &layer, 4);
   }
   const uint64_t vertices = ngg ? bit_mask(start->sgpr[3] & 0xff) : start->exec;
   if (ngg) {
      native_export(exports, count, 20, bit_mask(start->sgpr[3] >> 8 & 0xff), true, prim);
      exports[*count - 1].en = 1;
   }
   native_export(exports, count, 12, vertices, false, position);
   native_export(exports, count, 13, vertices, true, misc);
}

/* Layer and rate are in the ancillary VGPR, after two barycentrics. */
static void
pixel_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float color[AMD_WAVE_MAX_LANES][4];
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      const uint32_t ancillary = start->vgpr[2][lane], layer = MIN2(ancillary >> 16 & 0x7ff, LAYERS - 1u);
      if (!(start->exec >> lane & 1))
         continue;
      ran[layer]++;
      seen[layer] |= 1u << (ancillary >> 2 & 15);
   }
   native_export(exports, count, 0, start->exec, true, color);
}

static void
set_stages(struct stream *s, enum amd_gen gen)
{
   set_reg(s, R_SPI_SHADER_PGM_LO_PS, 2);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_PS, 0);
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_PS, 0);
   if (gen < AMD_GFX11) {
      set_reg(s, R_SPI_SHADER_PGM_LO_VS, 1);
      set_reg(s, R_SPI_SHADER_PGM_RSRC1_VS, 0);
      set_reg(s, R_SPI_SHADER_PGM_RSRC2_VS, 0);
      set_reg(s, R_VGT_SHADER_STAGES_EN, 0);
      return;
   }
   set_reg(s, R_SPI_SHADER_PGM_LO_ES(gen), 1);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_GS, 0);
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_GS, 0);
   set_reg(s, R_SPI_VS_OUT_CONFIG, S_SPI_VS_OUT_CONFIG_NO_PC_EXPORT(1));
   set_reg(s, R_GE_CNTL, S_GE_CNTL_PRIMS_PER_SUBGRP(LAYERS) | S_GE_CNTL_VERTS_PER_SUBGRP(3 * LAYERS));
   set_reg(s, R_GE_MAX_OUTPUT_PER_SUBGROUP, 3 * LAYERS);
   set_reg(s, R_GE_NGG_SUBGRP_CNTL, S_GE_NGG_SUBGRP_CNTL_PRIM_AMP_FACTOR(1));
   set_reg(s, R_VGT_GS_OUT_PRIM_TYPE(gen), V_TRISTRIP);
   set_reg(s, R_VGT_SHADER_STAGES_EN,
           S_VGT_SHADER_STAGES_EN_ES_EN(V_ES_STAGE_REAL) | S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1) |
              S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN(1) | S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_NO_MSG(1));
}

static void
set_view(struct stream *s, enum amd_gen gen)
{
   set_reg(s, R_GE_MAX_VTX_INDX, UINT32_MAX);
   set_reg(s, R_PA_SU_VTX_CNTL, 0x2d);
   set_reg(s, R_PA_CL_VTE_CNTL, 0x43f);
   set_reg(s, R_PA_CL_CLIP_CNTL, S_PA_CL_CLIP_CNTL_DX_CLIP_SPACE_DEF(1));
   set_reg(s, R_PA_CL_VS_OUT_CNTL,
           S_PA_CL_VS_OUT_CNTL_USE_VTX_RENDER_TARGET_INDX(1) | S_PA_CL_VS_OUT_CNTL_VS_OUT_MISC_VEC_ENA(1));
   set_whole_viewport(s, W, H);
   set_reg(s, R_PA_CL_VRS_CNTL, S_PA_CL_VRS_CNTL_HTILE_RATE_COMBINER_MODE(V_SC_VRS_COMB_MODE_OVERRIDE));
   set_reg(s, R_SPI_PS_INPUT_ENA, S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1) | S_SPI_PS_INPUT_ENA_ANCILLARY_ENA(1));
   set_reg(s, R_SPI_PS_INPUT_ADDR, S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1) | S_SPI_PS_INPUT_ENA_ANCILLARY_ENA(1));
   set_reg(s, R_SPI_SHADER_COL_FORMAT, V_SPI_SHADER_32_ABGR);
   set_reg(s, R_CB_TARGET_MASK, 15);
   set_reg(s, R_CB_SHADER_MASK, 15);
   set_reg(s, R_CB_COLOR_CONTROL, S_CB_COLOR_CONTROL_MODE(V_CB_NORMAL) | S_CB_COLOR_CONTROL_ROP3(V_ROP3_COPY));
   set_reg(s, R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_Z_ORDER(V_EARLY_Z_THEN_LATE_Z));
   set_reg(s, R_CB_COLOR0_BASE, (uint32_t)((stream_base + TARGET_B) >> 8));
   set_reg(s, R_CB_COLOR0_VIEW, S_CB_COLOR0_VIEW_SLICE_MAX(gen, LAYERS - 1));
   set_reg(s, R_CB_COLOR0_INFO,
           S_CB_COLOR0_INFO_FORMAT(gen, V_COLOR_8_8_8_8) | S_CB_COLOR0_INFO_NUMBER_TYPE(V_NUMBER_UNORM));
   set_reg(s, R_CB_COLOR0_ATTRIB2(gen),
           S_CB_COLOR0_ATTRIB2_MIP0_WIDTH(W - 1) | S_CB_COLOR0_ATTRIB2_MIP0_HEIGHT(H - 1));
   set_reg(s, R_CB_COLOR0_ATTRIB3, S_CB_COLOR0_ATTRIB3_RESOURCE_TYPE(1));
}

static struct stream
open_stream(const char *chip)
{
   const enum amd_gen gen = amd_chip_by_name(chip)->gen;
   struct stream s = stream_create_on(chip, 2);
   native_shaders[1] = vertex_shader;
   native_shaders[2] = pixel_shader;
   for (unsigned i = 0; i < LAYERS; i++)
      ran[i] = seen[i] = 0;
   emit_packet(&s, PKT3_CONTEXT_CONTROL, 2, (const uint32_t[2]){0x80000000, 0x80000000});
   emit_packet(&s, PKT3_CLEAR_STATE, 1, (const uint32_t[1]){0});
   set_stages(&s, gen);
   set_view(&s, gen);
   return s;
}

/* False after a fault. */
static bool
try_draw(struct stream *s)
{
   set_reg(s, R_VGT_PRIMITIVE_TYPE, V_DI_PT_TRILIST);
   emit_packet(s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){1});
   emit_packet(s, PKT3_DRAW_INDEX_AUTO, 2, (const uint32_t[2]){3 * LAYERS, 2});
   return stream_run(s);
}

static void
draw(struct stream *s)
{
   if (!try_draw(s))
      fail_msg("%s", s->fault.message);
}

static void
check(const char *chip, unsigned layer, unsigned x_log2, unsigned y_log2)
{
   if (ran[layer] != (unsigned)(W * H) >> (x_log2 + y_log2) || seen[layer] != 1u << (x_log2 | y_log2 << 2))
      fail_msg("%s: %u pixels of layer %u, not those of rate %u %u", chip, ran[layer], layer, x_log2, y_log2);
}

/* Slices lie after each other in blocks, of which one holds all of a layer. Rates are log2: x in bits 7:6, y in
 * 11:10. The view starts at slice 1 and ends with slice 4. */
static void
layers_have_their_own_in_htile(void **state)
{
   static const uint8_t rates[LAYERS][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}, {1, 1}, {0, 0}};
   static const char *const chips[] = {"navi21", "vangogh"};
   for (unsigned n = 0; n < ARRAY_SIZE(chips); n++) {
      const struct amd_meta_pattern *pattern = amd_meta_find(AMD_GFX10_3, amd_chip_by_name(chips[n])->gb_addr_config,
                                                             AMD_META_HTILE, MODE_DEPTH, true, 0, 0);
      assert_non_null(pattern);
      struct stream s = open_stream(chips[n]);
      for (unsigned i = 0; i < (unsigned)LAYERS << pattern->size_log2; i += 4) {
         const uint8_t *rate = rates[i >> pattern->size_log2];
         const uint32_t tile = 0xfffff33f | rate[0] << 6 | rate[1] << 10;
         memcpy(s.memory + RATES_B + i, &tile, 4);
      }
      set_reg(&s, R_DB_Z_INFO(AMD_GFX10_3),
              S_DB_Z_INFO_FORMAT(V_Z_16) | S_DB_Z_INFO_SW_MODE(MODE_DEPTH) | S_DB_Z_INFO_TILE_SURFACE_ENABLE(1));
      set_reg(&s, R_DB_DEPTH_SIZE_XY, (H - 1) << 16 | (W - 1));
      set_reg(&s, R_DB_DEPTH_VIEW, S_DB_DEPTH_VIEW_SLICE_START(1) | S_DB_DEPTH_VIEW_SLICE_MAX(4));
      set_reg(&s, R_DB_HTILE_DATA_BASE, (uint32_t)((stream_base + RATES_B) >> 8));
      set_reg(&s, R_DB_HTILE_DATA_BASE_HI(AMD_GFX10_3), (uint32_t)((stream_base + RATES_B) >> 40));
      set_reg(&s, R_DB_HTILE_SURFACE,
              S_DB_HTILE_SURFACE_PIPE_ALIGNED(1) | S_DB_HTILE_SURFACE_VRS_HTILE_ENCODING(V_VRS_HTILE_4BIT_ENCODING));
      draw(&s);
      for (unsigned layer = 0; layer < LAYERS; layer++) {
         const uint8_t *rate = rates[MIN2(1 + layer, 4)];
         check(chips[n], layer, rate[0], rate[1]);
      }
      stream_destroy(&s);
   }
}

/* Bytes are x << 2 | y, in logarithms. What lies after the image's one block would be a second slice. */
static void
layers_share_an_image(void **state)
{
   static const char *const chips[] = {"navi31", "phoenix", "gfx1150"};
   for (unsigned n = 0; n < ARRAY_SIZE(chips) * 4; n++) {
      const char *chip = chips[n / 4];
      struct stream s = open_stream(chip);
      const unsigned x_log2 = n & 1, y_log2 = n >> 1 & 1;
      memset(s.memory + RATES_B, (int)(x_log2 << 2 | y_log2), IMAGE_BLOCK_B);
      memset(s.memory + RATES_B + IMAGE_BLOCK_B, (int)(!x_log2 << 2 | !y_log2), RATES_SIZE_B - IMAGE_BLOCK_B);
      set_reg(&s, R_PA_SC_VRS_OVERRIDE_CNTL, S_PA_SC_VRS_OVERRIDE_CNTL_VRS_SURFACE_ENABLE(1));
      set_reg(&s, R_PA_SC_VRS_RATE_BASE, (uint32_t)((stream_base + RATES_B) >> 8));
      set_reg(&s, R_PA_SC_VRS_RATE_BASE_EXT, (uint32_t)((stream_base + RATES_B) >> 40));
      set_reg(&s, R_PA_SC_VRS_RATE_SIZE_XY,
              S_PA_SC_VRS_RATE_SIZE_XY_X_MAX(W / 8 - 1) | S_PA_SC_VRS_RATE_SIZE_XY_Y_MAX(H / 8 - 1));
      draw(&s);
      for (unsigned layer = 0; layer < LAYERS; layer++)
         check(chip, layer, x_log2, y_log2);
      stream_destroy(&s);
   }
}

/* A draw whose own rate is that of its fragments, as GFX10.3 and GFX11 take it. */
static void
set_samples_and_rate(struct stream *s, enum amd_gen gen, unsigned samples_log2, unsigned x_log2, unsigned y_log2)
{
   set_reg(s, R_PA_CL_VRS_CNTL, 0);
   set_reg(s, R_VGT_DRAW_PAYLOAD_CNTL, S_VGT_DRAW_PAYLOAD_CNTL_EN_VRS_RATE(1));
   set_reg(s, R_GE_VRS_RATE, S_GE_VRS_RATE_RATE_X(x_log2) | S_GE_VRS_RATE_RATE_Y(y_log2));
   set_reg(s, R_PA_SC_MODE_CNTL_0, S_PA_SC_MODE_CNTL_0_MSAA_ENABLE(1));
   set_reg(s, R_PA_SC_AA_CONFIG,
           S_PA_SC_AA_CONFIG_MSAA_NUM_SAMPLES(samples_log2) | S_PA_SC_AA_CONFIG_MSAA_EXPOSED_SAMPLES(samples_log2));
   set_reg(s, R_PA_SC_AA_MASK_X0Y0_X1Y0, UINT32_MAX);
   set_reg(s, R_PA_SC_AA_MASK_X0Y1_X1Y1, UINT32_MAX);
   set_reg(s, R_CB_COLOR0_ATTRIB, S_CB_COLOR0_ATTRIB_NUM_FRAGMENTS(gen, samples_log2));
   set_reg(s, R_CB_COLOR0_ATTRIB3,
           S_CB_COLOR0_ATTRIB3_RESOURCE_TYPE(1) | S_CB_COLOR0_ATTRIB3_COLOR_SW_MODE(MODE_COLOR));
}

static void
eight_samples_hang_on_gfx11(void **state)
{
   static const struct {
      const char *chip;
      bool hangs;
   } rows[] = {{"navi21", false}, {"vangogh", false}, {"navi31", true}, {"phoenix", true}, {"gfx1150", true}};
   for (unsigned n = 0; n < ARRAY_SIZE(rows); n++) {
      for (unsigned i = 0; i < 4 * 4; i++) {
         const unsigned samples_log2 = i >> 2, x_log2 = i & 1, y_log2 = i >> 1 & 1;
         const bool hangs = rows[n].hangs && samples_log2 == 3 && (x_log2 | y_log2);
         struct stream s = open_stream(rows[n].chip);
         set_samples_and_rate(&s, amd_chip_by_name(rows[n].chip)->gen, samples_log2, x_log2, y_log2);
         const bool ends = try_draw(&s);
         if (ends == hangs || (hangs && !strstr(s.fault.message, "vrs-8x-hang")))
            fail_msg("%s, 2^%u samples, rate %u %u: %s", rows[n].chip, samples_log2, x_log2, y_log2,
                     ends ? "no fault" : s.fault.message);
         if (ends)
            check(rows[n].chip, 0, x_log2, y_log2);
         stream_destroy(&s);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers_have_their_own_in_htile),
      cmocka_unit_test(layers_share_an_image),
      cmocka_unit_test(eight_samples_hang_on_gfx11),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
