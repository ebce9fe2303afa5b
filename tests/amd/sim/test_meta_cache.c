/* Caches of metadata: whoever has a line there that something else has written since faults without what invalidates
 * it, and sees the new state with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "amd/hw/descriptors.h"
#include "shaded.h"
#include "util/macros.h"

enum {
   CODE_B = 3 << 20,
   DEPTH_B = 10 << 20,
   FENCE_B = 13 << 20,
   OUT_B = 14 << 20,
   DCC_B = 16 << 20,
   HTILE_B = 17 << 20,
   META_B = 32768,
   MODE_COLOR = 27, /* 64KB_R_X */
   MODE_DEPTH = 24, /* 64KB_Z_X */
   DRAWN = 0xff0000ff,
   CLEARED = 0xffffffff, /* what 0x40 of DCC says, 0 0 0 1: the one component is the last, alpha */
};

static void
use_dcc(struct stream *s)
{
   struct target_info target = rgba8;
   target.mode = MODE_COLOR;
   set_target(s, 0, &target);
   set_reg(s, R_CB_COLOR0_INFO,
           S_CB_COLOR0_INFO_FORMAT(AMD_GFX10_3, target.format) | S_CB_COLOR0_INFO_NUMBER_TYPE(target.number) |
              S_CB_COLOR0_INFO_DCC_ENABLE(1));
   set_reg(s, R_CB_COLOR0_ATTRIB3,
           S_CB_COLOR0_ATTRIB3_COLOR_SW_MODE(MODE_COLOR) | S_CB_COLOR0_ATTRIB3_RESOURCE_TYPE(1) |
              S_CB_COLOR0_ATTRIB3_RESOURCE_LEVEL(1) | S_CB_COLOR0_ATTRIB3_DCC_PIPE_ALIGNED(1));
   set_reg(s, R_CB_COLOR0_DCC_BASE, (uint32_t)((stream_base + DCC_B) >> 8));
   set_reg(s, R_CB_COLOR0_DCC_BASE_EXT(AMD_GFX10_3), (uint32_t)((stream_base + DCC_B) >> 40));
   memset(s->memory + DCC_B, 0, META_B);
}

/* rates: HTILE brings shading rates, and depth is not used. */
static void
use_htile(struct stream *s, bool rates)
{
   uint32_t base = (uint32_t)((stream_base + DEPTH_B) >> 8);
   set_reg(s, R_DB_Z_INFO(AMD_GFX10_3),
           S_DB_Z_INFO_FORMAT(V_Z_32_FLOAT) | S_DB_Z_INFO_SW_MODE(MODE_DEPTH) | S_DB_Z_INFO_TILE_SURFACE_ENABLE(1));
   set_reg(s, R_DB_STENCIL_INFO(AMD_GFX10_3), S_DB_STENCIL_INFO_TILE_STENCIL_DISABLE(1));
   set_reg(s, R_DB_Z_READ_BASE(AMD_GFX10_3), base);
   set_reg(s, R_DB_Z_WRITE_BASE, base);
   set_reg(s, R_DB_HTILE_DATA_BASE, (uint32_t)((stream_base + HTILE_B) >> 8));
   set_reg(s, R_DB_HTILE_DATA_BASE_HI(AMD_GFX10_3), (uint32_t)((stream_base + HTILE_B) >> 40));
   set_reg(s, R_DB_HTILE_SURFACE,
           S_DB_HTILE_SURFACE_PIPE_ALIGNED(1) |
              S_DB_HTILE_SURFACE_VRS_HTILE_ENCODING(rates ? V_VRS_HTILE_4BIT_ENCODING : 0));
   set_reg(
      s, R_PA_CL_VRS_CNTL,
      S_PA_CL_VRS_CNTL_HTILE_RATE_COMBINER_MODE(rates ? V_SC_VRS_COMB_MODE_OVERRIDE : V_SC_VRS_COMB_MODE_PASSTHRU));
   set_reg(s, R_DB_DEPTH_SIZE_XY, (H - 1) << 16 | (W - 1));
   set_reg(s, R_DB_DEPTH_CONTROL,
           rates ? 0
                 : S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(1) |
                      S_DB_DEPTH_CONTROL_ZFUNC(V_FRAG_ALWAYS));
}

static void
draw(struct stream *s)
{
   set_vertex(s, 0, 0, 0, 1, 0);
   set_vertex(s, 1, 60, 0, 1, 0);
   set_vertex(s, 2, 0, 60, 1, 0);
   draw_auto(s, V_DI_PT_TRILIST, 3);
}

static void
fill(struct stream *s, uint64_t at_B, uint32_t value)
{
   uint64_t va = stream_base + at_B;
   emit_packet(s, PKT3_DMA_DATA, 6,
               (const uint32_t[6]){S_DMA_DATA_CONTROL_SRC_SEL(V_DMA_SRC_DATA) | S_DMA_DATA_CONTROL_CP_SYNC(1), value,
                                   0, (uint32_t)va, (uint32_t)(va >> 32), META_B});
}

/* Loads the texel at (8, 8) of the target, through its metadata, and stores it to OUT. */
static void
load_texel(struct stream *s)
{
   struct program p = {.at = s->memory + CODE_B};
   struct amd_inst load = make("image_load", AMD_ENC_MIMG), store = make("global_store_dword", AMD_ENC_GLOBAL);
   uint64_t code = stream_base + CODE_B, out = stream_base + OUT_B, image = stream_base + TARGET_B;
   add(&p, move_to_vgpr(4, amd_inline_int(8)));
   add(&p, move_to_vgpr(5, amd_inline_int(8)));
   add(&p, move_to_vgpr(1, amd_inline_int(0)));
   load.dst = amd_vgpr(2);
   load.src[0] = amd_vgpr(4);
   load.src[1] = amd_sgpr(4);
   load.dim = 1;
   load.dmask = 1;
   add(&p, load);
   add(&p, wait_all());
   store.src[0] = amd_vgpr(1);
   store.src[1] = amd_vgpr(2);
   store.src[2] = amd_sgpr(0);
   add(&p, store);
   add(&p, make("s_endpgm", AMD_ENC_SOPP));
   set_reg(s, R_COMPUTE_PGM_LO, (uint32_t)(code >> 8));
   set_reg(s, R_COMPUTE_PGM_HI, (uint32_t)(code >> 40));
   set_reg(s, R_COMPUTE_PGM_RSRC1, 3 | 0xf0 << 12);
   set_reg(s, R_COMPUTE_PGM_RSRC2, 12 << 1);
   for (unsigned i = 0; i < 3; i++)
      set_reg(s, R_COMPUTE_NUM_THREAD_X + 4 * i, 1);
   const uint32_t user[12] = {
      (uint32_t)out,
      (uint32_t)(out >> 32),
      0,
      0,
      (uint32_t)(image >> 8),
      S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI((uint32_t)(image >> 40)) |
         S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, V_GFX10_FORMAT_32_UINT) | S_SQ_IMG_RSRC_WORD1_WIDTH_LO(W - 1),
      S_SQ_IMG_RSRC_WORD2_WIDTH_HI((W - 1) >> 2) | S_SQ_IMG_RSRC_WORD2_HEIGHT(H - 1) |
         S_SQ_IMG_RSRC_WORD2_RESOURCE_LEVEL(1),
      S_SQ_IMG_RSRC_WORD3_DST_SEL_X(V_SQ_SEL_X) | S_SQ_IMG_RSRC_WORD3_TYPE(V_SQ_RSRC_IMG_2D) |
         S_SQ_IMG_RSRC_WORD3_SW_MODE(MODE_COLOR),
      0,
      0,
      S_SQ_IMG_RSRC_WORD6_COMPRESSION_EN(1) | S_SQ_IMG_RSRC_WORD6_META_PIPE_ALIGNED(1) |
         S_SQ_IMG_RSRC_WORD6_ALPHA_IS_ON_MSB(1) |
         S_SQ_IMG_RSRC_WORD6_META_DATA_ADDRESS_LO((uint32_t)((stream_base + DCC_B) >> 8)),
      (uint32_t)((stream_base + DCC_B) >> 16),
   };
   for (unsigned i = 0; i < 12; i++)
      set_reg(s, R_COMPUTE_USER_DATA_0 + 4 * i, user[i]);
   emit_packet(s, PKT3_DISPATCH_DIRECT, 4, (const uint32_t[4]){1, 1, 1, 1 | 1 << 15});
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

static void
acquire(struct stream *s, bool meta)
{
   uint32_t gcr = S_ACQUIRE_MEM_GCR_CNTL_GLV_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GLK_INV(1) |
                  S_ACQUIRE_MEM_GCR_CNTL_GL1_INV(1) | S_ACQUIRE_MEM_GCR_CNTL_GLM_INV(meta) |
                  S_ACQUIRE_MEM_GCR_CNTL_GLM_WB(meta);
   emit_packet(s, PKT3_ACQUIRE_MEM, 7, (const uint32_t[7]){0, UINT32_MAX, 0xffffff, 0, 0, 10, gcr});
}

static void
step(struct stream *s, char letter)
{
   switch (letter) {
   case 'd':
      return draw(s);
   case 'c': /* a clear */
      return fill(s, DCC_B, 0x40404040);
   case 'h':
      return fill(s, HTILE_B, 0xfffc000f);
   case 't':
      return load_texel(s);
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
      return acquire(s, false);
   case 'g':
      return acquire(s, true);
   case '!': /* the next job */
      if (!stream_run(s))
         fail_msg("%s", s->fault.message);
   }
}

enum part { COLOR, DEPTH, RATES };

/* fault: NULL, or what the report says. texel: of the last load, if there is one. */
static const struct {
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
   {"dCc", "no end-of-pipe write behind FLUSH_AND_INV_CB_META", COLOR, 0},
   {"dmCc", NULL, COLOR, 0},
   {"dt", "no end-of-pipe write behind FLUSH_AND_INV_CB_META", COLOR, 0},
   {"dCt", "no end-of-pipe write behind FLUSH_AND_INV_CB_META", COLOR, 0},
   {"dCmt", "no end-of-pipe write behind FLUSH_AND_INV_CB_META", COLOR, 0},
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
   {"dTdhnd", NULL, DEPTH, 0},
   {"dTdhTd", NULL, DEPTH, 0},
   {"dTdhDd", "from DB's cache", DEPTH, 0},
   {"dTdhmCgd", "from DB's cache", DEPTH, 0},
   {"dTdh!d", NULL, DEPTH, 0},
   {"dhd", "from DB's cache", RATES, 0},
   {"dhnd", NULL, RATES, 0},
};

static void
clears(void **state)
{
   for (unsigned row = 0; row < ARRAY_SIZE(rows); row++) {
      struct stream s = open_stream(1 + row % 2, row / 2 % 2);
      if (rows[row].part == COLOR)
         use_dcc(&s);
      else
         use_htile(&s, rows[row].part == RATES);
      for (const char *at = rows[row].steps; *at; at++)
         step(&s, *at);
      bool ran = stream_run(&s);
      if (ran != !rows[row].fault)
         fail_msg("%s: %s", rows[row].steps, ran ? "ran" : s.fault.message);
      if (!ran && (s.fault.kind != SIM_FAULT_HAZARD || !strstr(s.fault.message, rows[row].fault)))
         fail_msg("%s: %s", rows[row].steps, s.fault.message);
      uint32_t texel;
      memcpy(&texel, s.memory + OUT_B, 4);
      if (texel != rows[row].texel && ran)
         fail_msg("%s: texel 0x%08x", rows[row].steps, texel);
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(clears),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
