/* Caches of metadata on every generation: whoever has a line there that something else has written since faults
 * without what invalidates it, and sees the new state with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/hw/descriptors.h"
#include "stream.h"
#include "text_program.h"
#include "util/macros.h"

enum {
   W = 64,
   H = 48,
   VERTEX_CODE_B = 2 << 20,
   PIXEL_CODE_B = (2 << 20) + 4096,
   CODE_B = 3 << 20,
   TARGET_B = 4 << 20,
   DEPTH_B = 10 << 20,
   FENCE_B = 13 << 20,
   OUT_B = 14 << 20,
   DCC_B = 16 << 20,
   HTILE_B = 17 << 20,
   META_B = 32768,
   PITCH_PX = 128,  /* of surfaces of 64 KiB blocks and 4 bytes a pixel */
   MODE_COLOR = 27, /* 64KB_R_X */
   MODE_DEPTH = 24, /* 64KB_Z_X */
   DRAWN = 0xff0000ff,
   CLEARED = 0xffffffff, /* 0 0 0 1: the one component is the last, alpha */
};

/* The vertex's number, in v0 or v5 (NGG), makes it a corner of a triangle that covers all. */
#define VERTEX(number)                                                                                               \
   "v_and_b32_e32 v11, 1, " number "\n"                                                                              \
   "v_lshrrev_b32_e32 v12, 1, " number "\n"                                                                          \
   "v_cvt_f32_u32_e32 v11, v11\n"                                                                                    \
   "v_cvt_f32_u32_e32 v12, v12\n"                                                                                    \
   "v_mul_f32_e32 v11, 4.0, v11\n"                                                                                   \
   "v_mul_f32_e32 v12, 4.0, v12\n"                                                                                   \
   "v_add_f32_e32 v11, -1.0, v11\n"                                                                                  \
   "v_add_f32_e32 v12, -1.0, v12\n"                                                                                  \
   "v_mov_b32_e32 v13, 0.5\n"                                                                                        \
   "v_mov_b32_e32 v14, 1.0\n"                                                                                        \
   "exp pos0 v11, v12, v13, v14 done\n"
#define PIXEL(flags)                                                                                                 \
   "v_mov_b32_e32 v0, 1.0\n"                                                                                         \
   "v_mov_b32_e32 v1, 0\n"                                                                                           \
   "exp mrt0 v0, v1, v1, v0 " flags "\n"                                                                             \
   "s_endpgm\n"
#define LOAD(load, store)                                                                                            \
   "v_mov_b32_e32 v4, 8\n"                                                                                           \
   "v_mov_b32_e32 v5, 8\n"                                                                                           \
   "v_mov_b32_e32 v1, 0\n" load "s_waitcnt vmcnt(0)\n" store " v1, v2, s[0:1]\n"                                     \
   "s_endpgm\n"

/* load: the texel at (8, 8) of the image in s[4:11], to s[0:1]. */
static const struct programs {
   const char *vertex, *pixel, *load;
} gfx9 = {VERTEX("v0") "s_endpgm\n", PIXEL("done vm"),
          LOAD("image_load v2, v[4:5], s[4:11] dmask:0x1 unorm\n", "global_store_dword")},
  gfx10 = {VERTEX("v0") "s_endpgm\n", PIXEL("done vm"),
           LOAD("image_load v2, v[4:5], s[4:11] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm\n", "global_store_dword")},
  gfx11 = {"s_mov_b64 exec, 1\n"
           "exp prim v0, off, off, off done\n"
           "s_mov_b64 exec, 7\n" VERTEX("v5") "s_endpgm\n",
           PIXEL("done"),
           LOAD("image_load v2, v[4:5], s[4:11] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm\n", "global_store_b32")};

struct scene {
   struct stream stream;
   enum amd_gen gen;
   const struct programs *programs;
};

static void
set_shaders(struct stream *s, enum amd_gen gen)
{
   const uint32_t vertex = (uint32_t)((stream_base + VERTEX_CODE_B) >> 8);
   const uint32_t float_mode = S_SPI_SHADER_PGM_RSRC1_PS_FLOAT_MODE(0xf0) | S_SPI_SHADER_PGM_RSRC1_PS_VGPRS(7);
   set_reg(s, R_SPI_SHADER_PGM_LO_PS, (uint32_t)((stream_base + PIXEL_CODE_B) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_PS, float_mode);
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_PS, 0);
   if (gen < AMD_GFX11) {
      set_reg(s, R_SPI_SHADER_PGM_LO_VS, vertex);
      set_reg(s, R_SPI_SHADER_PGM_RSRC1_VS, float_mode);
      set_reg(s, R_SPI_SHADER_PGM_RSRC2_VS, 0);
      set_reg(s, R_VGT_SHADER_STAGES_EN, 0);
      return;
   }
   set_reg(s, R_SPI_SHADER_PGM_LO_ES(gen), vertex);
   set_reg(s, R_SPI_SHADER_PGM_RSRC1_GS, float_mode);
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_GS, 0);
   set_reg(s, R_GE_CNTL, S_GE_CNTL_PRIMS_PER_SUBGRP(1) | S_GE_CNTL_VERTS_PER_SUBGRP(3));
   set_reg(s, R_GE_MAX_OUTPUT_PER_SUBGROUP, 3);
   set_reg(s, R_SPI_VS_OUT_CONFIG, S_SPI_VS_OUT_CONFIG_NO_PC_EXPORT(1));
   set_reg(s, R_GE_NGG_SUBGRP_CNTL, S_GE_NGG_SUBGRP_CNTL_PRIM_AMP_FACTOR(1));
   set_reg(s, R_VGT_GS_OUT_PRIM_TYPE(gen), V_TRISTRIP);
   set_reg(s, R_VGT_SHADER_STAGES_EN,
           S_VGT_SHADER_STAGES_EN_ES_EN(V_ES_STAGE_REAL) | S_VGT_SHADER_STAGES_EN_PRIMGEN_EN(1) |
              S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_EN(1) | S_VGT_SHADER_STAGES_EN_PRIMGEN_PASSTHRU_NO_MSG(1) |
              S_VGT_SHADER_STAGES_EN_NGG_WAVE_ID_EN(1));
}

static void
set_view(struct stream *s, enum amd_gen gen)
{
   set_reg(s, gen == AMD_GFX9 ? R_VGT_MAX_VTX_INDX(gen) : R_GE_MAX_VTX_INDX, UINT32_MAX);
   set_reg(s, R_PA_SU_VTX_CNTL, 0x2d);
   set_reg(s, R_PA_CL_VTE_CNTL, 0x43f);
   set_reg(s, R_PA_CL_CLIP_CNTL, S_PA_CL_CLIP_CNTL_DX_CLIP_SPACE_DEF(1));
   set_whole_viewport(s, W, H);
   set_reg(s, R_SPI_PS_INPUT_ENA, S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1));
   set_reg(s, R_SPI_PS_INPUT_ADDR, S_SPI_PS_INPUT_ENA_PERSP_CENTER_ENA(1));
   set_reg(s, R_SPI_SHADER_COL_FORMAT, V_SPI_SHADER_32_ABGR);
   set_reg(s, R_CB_TARGET_MASK, 15);
   set_reg(s, R_CB_SHADER_MASK, 15);
   set_reg(s, R_CB_COLOR_CONTROL, S_CB_COLOR_CONTROL_MODE(V_CB_NORMAL) | S_CB_COLOR_CONTROL_ROP3(V_ROP3_COPY));
   set_reg(s, R_DB_SHADER_CONTROL, S_DB_SHADER_CONTROL_Z_ORDER(V_EARLY_Z_THEN_LATE_Z));
}

/* RGBA8; dcc: with metadata, all of it 0. */
static void
set_target(struct stream *s, enum amd_gen gen, bool dcc)
{
   const bool old = gen < AMD_GFX11;
   set_reg(s, R_CB_COLOR0_BASE, (uint32_t)((stream_base + TARGET_B) >> 8));
   set_reg(s, R_CB_COLOR0_BASE_EXT(gen), (uint32_t)((stream_base + TARGET_B) >> 40));
   set_reg(s, R_CB_COLOR0_VIEW, 0);
   set_reg(s, R_CB_COLOR0_INFO,
           S_CB_COLOR0_INFO_FORMAT(gen, V_COLOR_8_8_8_8) | S_CB_COLOR0_INFO_NUMBER_TYPE(V_NUMBER_UNORM) |
              (old ? S_CB_COLOR0_INFO_DCC_ENABLE(dcc) : 0));
   if (!old)
      set_reg(s, R_CB_COLOR0_FDCC_CONTROL, S_CB_COLOR0_FDCC_CONTROL_FDCC_ENABLE(dcc));
   set_reg(s, R_CB_COLOR0_ATTRIB2(gen),
           S_CB_COLOR0_ATTRIB2_MIP0_WIDTH(W - 1) | S_CB_COLOR0_ATTRIB2_MIP0_HEIGHT(H - 1));
   if (gen == AMD_GFX9) {
      set_reg(s, R_CB_COLOR0_ATTRIB,
              S_CB_COLOR0_ATTRIB_COLOR_SW_MODE(MODE_COLOR) | S_CB_COLOR0_ATTRIB_RESOURCE_TYPE(1) |
                 S_CB_COLOR0_ATTRIB_RB_ALIGNED(1) | S_CB_COLOR0_ATTRIB_PIPE_ALIGNED(1));
      set_reg(s, R_CB_MRT0_EPITCH, PITCH_PX - 1);
   } else {
      set_reg(s, R_CB_COLOR0_ATTRIB3,
              S_CB_COLOR0_ATTRIB3_COLOR_SW_MODE(MODE_COLOR) | S_CB_COLOR0_ATTRIB3_RESOURCE_TYPE(1) |
                 (old ? S_CB_COLOR0_ATTRIB3_RESOURCE_LEVEL(1) : 0) | S_CB_COLOR0_ATTRIB3_DCC_PIPE_ALIGNED(1));
   }
   set_reg(s, R_CB_COLOR0_DCC_BASE, (uint32_t)((stream_base + DCC_B) >> 8));
   set_reg(s, R_CB_COLOR0_DCC_BASE_EXT(gen), (uint32_t)((stream_base + DCC_B) >> 40));
}

/* rates: HTILE brings shading rates, and depth is not used. */
static void
set_depth(struct stream *s, enum amd_gen gen, bool rates)
{
   const uint32_t base = (uint32_t)((stream_base + DEPTH_B) >> 8);
   set_reg(s, R_DB_Z_INFO(gen),
           S_DB_Z_INFO_FORMAT(V_Z_32_FLOAT) | S_DB_Z_INFO_SW_MODE(MODE_DEPTH) | S_DB_Z_INFO_TILE_SURFACE_ENABLE(1));
   set_reg(s, R_DB_STENCIL_INFO(gen), S_DB_STENCIL_INFO_TILE_STENCIL_DISABLE(1));
   set_reg(s, R_DB_Z_READ_BASE(gen), base);
   set_reg(s, R_DB_Z_WRITE_BASE, base);
   set_reg(s, R_DB_HTILE_DATA_BASE, (uint32_t)((stream_base + HTILE_B) >> 8));
   set_reg(s, R_DB_HTILE_DATA_BASE_HI(gen), (uint32_t)((stream_base + HTILE_B) >> 40));
   set_reg(s, R_DB_DEPTH_SIZE_XY, (H - 1) << 16 | (W - 1));
   if (gen == AMD_GFX9)
      set_reg(s, R_DB_Z_INFO2, PITCH_PX - 1);
   set_reg(s, R_DB_HTILE_SURFACE,
           S_DB_HTILE_SURFACE_PIPE_ALIGNED(1) | (gen == AMD_GFX9 ? S_DB_HTILE_SURFACE_RB_ALIGNED(1) : 0) |
              (rates ? S_DB_HTILE_SURFACE_VRS_HTILE_ENCODING(V_VRS_HTILE_4BIT_ENCODING) : 0));
   if (rates)
      set_reg(s, R_PA_CL_VRS_CNTL, S_PA_CL_VRS_CNTL_HTILE_RATE_COMBINER_MODE(V_SC_VRS_COMB_MODE_OVERRIDE));
   set_reg(s, R_DB_DEPTH_CONTROL,
           rates ? 0
                 : S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(1) |
                      S_DB_DEPTH_CONTROL_ZFUNC(V_FRAG_ALWAYS));
}

enum part { COLOR, DEPTH, RATES };

static struct scene
open_scene(const char *chip, unsigned threads, enum part part)
{
   struct scene scene = {stream_create_on(chip, threads), amd_chip_by_name(chip)->gen, NULL};
   struct stream *s = &scene.stream;
   scene.programs = scene.gen == AMD_GFX9 ? &gfx9 : scene.gen < AMD_GFX11 ? &gfx10 : &gfx11;
   write_text_program(s->memory + VERTEX_CODE_B, scene.gen, true, scene.programs->vertex);
   write_text_program(s->memory + PIXEL_CODE_B, scene.gen, true, scene.programs->pixel);
   write_text_program(s->memory + CODE_B, scene.gen, true, scene.programs->load);
   emit_packet(s, PKT3_CONTEXT_CONTROL, 2, (const uint32_t[2]){0x80000000, 0x80000000});
   emit_packet(s, PKT3_CLEAR_STATE, 1, (const uint32_t[1]){0});
   set_shaders(s, scene.gen);
   set_view(s, scene.gen);
   set_target(s, scene.gen, part == COLOR);
   if (part != COLOR)
      set_depth(s, scene.gen, part == RATES);
   return scene;
}

static void
draw(struct stream *s)
{
   set_reg(s, R_VGT_PRIMITIVE_TYPE, V_DI_PT_TRILIST);
   emit_packet(s, PKT3_NUM_INSTANCES, 1, (const uint32_t[1]){1});
   emit_packet(s, PKT3_DRAW_INDEX_AUTO, 2, (const uint32_t[2]){3, 2});
}

static void
fill(struct stream *s, uint64_t at_B, uint32_t value)
{
   uint64_t va = stream_base + at_B;
   emit_packet(s, PKT3_DMA_DATA, 6,
               (const uint32_t[6]){S_DMA_DATA_CONTROL_SRC_SEL(V_DMA_SRC_DATA) | S_DMA_DATA_CONTROL_CP_SYNC(1), value,
                                   0, (uint32_t)va, (uint32_t)(va >> 32), META_B});
}

/* Of the target, through its metadata. */
static void
describe_target(enum amd_gen gen, uint32_t w[8])
{
   const uint64_t image = stream_base + TARGET_B, meta = (stream_base + DCC_B) >> 8;
   w[0] = (uint32_t)(image >> 8);
   w[1] = S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI((uint32_t)(image >> 40));
   w[2] = S_SQ_IMG_RSRC_WORD2_HEIGHT(H - 1);
   w[3] = S_SQ_IMG_RSRC_WORD3_DST_SEL_X(V_SQ_SEL_X) | S_SQ_IMG_RSRC_WORD3_TYPE(V_SQ_RSRC_IMG_2D) |
          S_SQ_IMG_RSRC_WORD3_SW_MODE(MODE_COLOR);
   w[4] = w[5] = 0;
   w[6] = S_SQ_IMG_RSRC_WORD6_COMPRESSION_EN(1) | S_SQ_IMG_RSRC_WORD6_ALPHA_IS_ON_MSB(1);
   if (gen == AMD_GFX9) {
      w[1] |= S_SQ_IMG_RSRC_WORD1_DATA_FORMAT(4) | S_SQ_IMG_RSRC_WORD1_NUM_FORMAT(4); /* 32, UINT */
      w[2] |= S_SQ_IMG_RSRC_WORD2_WIDTH(W - 1);
      w[4] |= S_SQ_IMG_RSRC_WORD4_PITCH(PITCH_PX - 1);
      w[5] |= S_SQ_IMG_RSRC_WORD5_META_DATA_ADDRESS((uint32_t)(meta >> 32)) |
              S_SQ_IMG_RSRC_WORD5_META_PIPE_ALIGNED(1) | S_SQ_IMG_RSRC_WORD5_META_RB_ALIGNED(1);
      w[7] = (uint32_t)meta;
      return;
   }
   w[1] |= S_SQ_IMG_RSRC_WORD1_FORMAT(gen, V_GFX10_FORMAT_32_UINT) | S_SQ_IMG_RSRC_WORD1_WIDTH_LO(W - 1);
   w[2] |= S_SQ_IMG_RSRC_WORD2_WIDTH_HI((W - 1) >> 2) | (gen < AMD_GFX11 ? S_SQ_IMG_RSRC_WORD2_RESOURCE_LEVEL(1) : 0);
   w[6] |= S_SQ_IMG_RSRC_WORD6_META_PIPE_ALIGNED(1) | S_SQ_IMG_RSRC_WORD6_META_DATA_ADDRESS_LO((uint32_t)meta);
   w[7] = (uint32_t)(meta >> 8);
}

static void
load_texel(struct scene *scene)
{
   struct stream *s = &scene->stream;
   const uint64_t code = stream_base + CODE_B, out = stream_base + OUT_B;
   uint32_t user[12] = {(uint32_t)out, (uint32_t)(out >> 32)};
   describe_target(scene->gen, user + 4);
   set_reg(s, R_COMPUTE_PGM_LO, (uint32_t)(code >> 8));
   set_reg(s, R_COMPUTE_PGM_HI, (uint32_t)(code >> 40));
   set_reg(s, R_COMPUTE_PGM_RSRC1, S_COMPUTE_PGM_RSRC1_VGPRS(3) | S_COMPUTE_PGM_RSRC1_FLOAT_MODE(0xf0));
   set_reg(s, R_COMPUTE_PGM_RSRC2, S_COMPUTE_PGM_RSRC2_USER_SGPR(12));
   for (unsigned i = 0; i < 3; i++)
      set_reg(s, R_COMPUTE_NUM_THREAD_X + 4 * i, 1);
   for (unsigned i = 0; i < 12; i++)
      set_reg(s, R_COMPUTE_USER_DATA_0 + 4 * i, user[i]);
   emit_packet(s, PKT3_DISPATCH_DIRECT, 4, (const uint32_t[4]){1, 1, 1, 1});
}

static void
flush(struct stream *s, uint32_t event)
{
   uint64_t va = stream_base + FENCE_B;
   emit_packet(s, PKT3_RELEASE_MEM, 7,
               (const uint32_t[7]){event | 5 << 8, S_RELEASE_MEM_SELECT_DATA_SEL(V_RELEASE_DATA_32), (uint32_t)va,
                                   (uint32_t)(va >> 32), 1, 0, 0});
   emit_packet(s, PKT3_WAIT_REG_MEM, 6,
               (const uint32_t[6]){V_WAIT_EQUAL | 1 << 4, (uint32_t)va, (uint32_t)(va >> 32), 1, UINT32_MAX, 4});
}

/* Caches of the shader cores; meta: of metadata, too. */
static void
acquire(const struct scene *scene, struct stream *s, bool meta)
{
   if (scene->gen == AMD_GFX9) {
      const uint32_t actions =
         S_ACQUIRE_MEM_COHER_CNTL_TCL1_ACTION_ENA(1) | S_ACQUIRE_MEM_COHER_CNTL_SH_KCACHE_ACTION_ENA(1) |
         S_ACQUIRE_MEM_COHER_CNTL_TC_ACTION_ENA(1) | S_ACQUIRE_MEM_COHER_CNTL_TC_NC_ACTION_ENA(1) |
         S_ACQUIRE_MEM_COHER_CNTL_TC_INV_METADATA_ACTION_ENA(meta);
      emit_packet(s, PKT3_ACQUIRE_MEM, 6, (const uint32_t[6]){actions, UINT32_MAX, 0xff, 0, 0, 10});
      return;
   }
   uint32_t gcr = S_ACQUIRE_MEM_GCR_CNTL_GLV_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GLK_INV(1) |
                  S_ACQUIRE_MEM_GCR_CNTL_GL1_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GLM_INV(meta) |
                  S_ACQUIRE_MEM_GCR_CNTL_GLM_WB(meta);
   emit_packet(s, PKT3_ACQUIRE_MEM, 7, (const uint32_t[7]){0, UINT32_MAX, 0xffffff, 0, 0, 10, gcr});
}

/* All of L2, whose metadata goes along: GFX9's. */
static void
acquire_l2(struct stream *s)
{
   const uint32_t actions = S_ACQUIRE_MEM_COHER_CNTL_TC_ACTION_ENA(1) | S_ACQUIRE_MEM_COHER_CNTL_TCL1_ACTION_ENA(1);
   emit_packet(s, PKT3_ACQUIRE_MEM, 6, (const uint32_t[6]){actions, UINT32_MAX, 0xff, 0, 0, 10});
}

static void
step(struct scene *scene, char letter)
{
   struct stream *s = &scene->stream;
   switch (letter) {
   case 'd':
      return draw(s);
   case 'c': /* a clear; source of the bytes: public drivers (DCC_CLEAR_*) */
      return fill(s, DCC_B, scene->gen < AMD_GFX11 ? 0x40404040 : 0x08080808);
   case 'h':
      return fill(s, HTILE_B, 0xfffc000f);
   case 't':
      return load_texel(scene);
   case 'm':
      return emit_packet(s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){V_FLUSH_AND_INV_CB_META});
   case 'n':
      return emit_packet(s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){V_FLUSH_AND_INV_DB_META});
   case 'f':
      return emit_packet(s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){V_CACHE_FLUSH_AND_INV_EVENT});
   case 'T':
      return flush(s, V_CACHE_FLUSH_AND_INV_TS_EVENT);
   case 'C':
      return flush(s, V_FLUSH_AND_INV_CB_DATA_TS);
   case 'D':
      return flush(s, V_FLUSH_AND_INV_DB_DATA_TS);
   case 'a':
      return acquire(scene, s, false);
   case 'g':
      return acquire(scene, s, true);
   case 'l':
      return acquire_l2(s);
   case '!': /* the next job */
      if (!stream_run(s))
         fail_msg("%s", s->fault.message);
   }
}

/* fault: NULL, or what the report says. texel: of the last load, if there is one. */
static const struct row {
   const char *steps, *fault;
   enum part part;
   uint32_t texel;
} rows[] = {
   /* CB: a clear between two draws. The first draw changes DCC, the second only has it. */
   {"dTdcd", "from CB's cache, which has what was there before DMA_DATA", COLOR, 0},
   {"dTdcmd", NULL, COLOR, 0},
   {"dTdcfd", NULL, COLOR, 0},
   {"dTdcTd", NULL, COLOR, 0},
   {"dTdcCd", "from CB's cache", COLOR, 0},
   {"dTdcnDgad", "from CB's cache", COLOR, 0},
   {"dTdmcd", NULL, COLOR, 0},
   {"dTdc!d", NULL, COLOR, 0},
   {"dTdd", NULL, COLOR, 0},
   {"cd", NULL, COLOR, 0},
   /* CB: what it has changed itself is not there before it is flushed. */
   {"dCc", "no end-of-pipe write after FLUSH_AND_INV_CB_META", COLOR, 0},
   {"dmCc", NULL, COLOR, 0},
   {"dt", "no end-of-pipe write after FLUSH_AND_INV_CB_META", COLOR, 0},
   {"dCt", "no end-of-pipe write after FLUSH_AND_INV_CB_META", COLOR, 0},
   {"dCmt", "no end-of-pipe write after FLUSH_AND_INV_CB_META", COLOR, 0},
   {"dmCt", NULL, COLOR, DRAWN},
   {"dTt", NULL, COLOR, DRAWN},
   {"dfCt", NULL, COLOR, DRAWN},
   /* Texture units. */
   {"ct", NULL, COLOR, CLEARED},
   {"tct", "from the texture units' cache, which has what was there before DMA_DATA", COLOR, 0},
   {"tcat", "from the texture units' cache", COLOR, 0},
   {"tcTt", "from the texture units' cache", COLOR, 0},
   {"tcgt", NULL, COLOR, CLEARED},
   {"tc!t", NULL, COLOR, CLEARED},
   {"tdTat", "from the texture units' cache, which has what was there before DRAW_INDEX_AUTO", COLOR, 0},
   {"tdTgt", NULL, COLOR, DRAWN},
   {"tdTgtgcgt", NULL, COLOR, CLEARED},
   /* DB. */
   {"dTdhd", "from DB's cache, which has what was there before DMA_DATA", DEPTH, 0},
   {"dTdhTd", NULL, DEPTH, 0},
   {"dTdhDd", "from DB's cache", DEPTH, 0},
   {"dTdhmCgd", "from DB's cache", DEPTH, 0},
   {"dTdh!d", NULL, DEPTH, 0},
};

/* What is of some chips. */
static const struct {
   const char *chip;
   struct row row;
} chip_rows[] = {
   {"vega10", {"dTdhnd", NULL, DEPTH, 0}},
   {"navi10", {"dTdhnd", NULL, DEPTH, 0}},
   {"navi21", {"dTdhnd", NULL, DEPTH, 0}},
   {"navi31", {"dTdhnd", "from DB's cache", DEPTH, 0}}, /* the event does nothing. Source: Mesa's comment */
   {"gfx1150", {"dTdhnd", NULL, DEPTH, 0}},
   {"navi21", {"dhd", "from DB's cache", RATES, 0}},
   {"navi21", {"dhnd", NULL, RATES, 0}},
   /* Metadata of GFX9's L2. */
   {"vega10", {"tclt", NULL, COLOR, CLEARED}},
};

static void
try_row(const struct row *row, const char *chip, unsigned threads)
{
   struct scene scene = open_scene(chip, threads, row->part);
   struct stream *s = &scene.stream;
   for (const char *at = row->steps; *at; at++)
      step(&scene, *at);
   bool ran = stream_run(s);
   if (ran != !row->fault)
      fail_msg("%s on %s: %s", row->steps, chip, ran ? "ran" : s->fault.message);
   if (!ran && (s->fault.kind != SIM_FAULT_HAZARD || !strstr(s->fault.message, row->fault)))
      fail_msg("%s on %s: %s", row->steps, chip, s->fault.message);
   uint32_t texel;
   memcpy(&texel, s->memory + OUT_B, 4);
   if (texel != row->texel && ran)
      fail_msg("%s on %s: texel 0x%08x", row->steps, chip, texel);
   stream_destroy(s);
}

static void
clears(void **state)
{
   static const char *const chips[] = {"vega10", "navi10", "navi21", "navi31", "gfx1150"};
   for (unsigned row = 0; row < ARRAY_SIZE(rows); row++)
      for (unsigned chip = 0; chip < ARRAY_SIZE(chips); chip++)
         try_row(&rows[row], chips[chip], 1 + row % 2);
   for (unsigned row = 0; row < ARRAY_SIZE(chip_rows); row++)
      try_row(&chip_rows[row].row, chip_rows[row].chip, 1 + row % 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(clears),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
