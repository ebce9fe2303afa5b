/* Writes that are under way: each reader faults without the packets that make it wait, and runs with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/cache/order.h"
#include "shaded.h"
#include "util/macros.h"

enum { CODE_B = 3 << 20, DEPTH_B = 10 << 20, DATA_B = 12 << 20, FENCE_B = 13 << 20, OUT_B = 14 << 20, VALUE = 7 };

static const uint64_t data_va = UINT64_C(0x100000000) + DATA_B, fence_va = UINT64_C(0x100000000) + FENCE_B;
static const uint64_t out_va = UINT64_C(0x100000000) + OUT_B, target_va = UINT64_C(0x100000000) + TARGET_B;

/* ---- writers ---- */

static void
dispatch(struct stream *s, const struct program *p, uint64_t va)
{
   uint64_t code = stream_base + (uint64_t)(p->at - s->memory);
   set_reg(s, R_COMPUTE_PGM_LO, (uint32_t)(code >> 8));
   set_reg(s, R_COMPUTE_PGM_HI, (uint32_t)(code >> 40));
   set_reg(s, R_COMPUTE_PGM_RSRC1, 3 | 0xf0 << 12);
   set_reg(s, R_COMPUTE_PGM_RSRC2, 12 << 1);
   for (unsigned i = 0; i < 3; i++)
      set_reg(s, R_COMPUTE_NUM_THREAD_X + 4 * i, 1);
   const uint32_t user[4] = {(uint32_t)va, (uint32_t)(va >> 32), (uint32_t)out_va, (uint32_t)(out_va >> 32)};
   for (unsigned i = 0; i < 4; i++)
      set_reg(s, R_COMPUTE_USER_DATA_0 + 4 * i, user[i]);
   /* s[4:11]: a linear image of 32-bit integers there. */
   const uint32_t image[8] = {
      (uint32_t)(va >> 8),
      S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI((uint32_t)(va >> 40)) | S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, 20) |
         S_SQ_IMG_RSRC_WORD1_WIDTH_LO(3),
      S_SQ_IMG_RSRC_WORD2_WIDTH_HI(0),
      S_SQ_IMG_RSRC_WORD3_DST_SEL_X(V_SQ_SEL_X) | S_SQ_IMG_RSRC_WORD3_TYPE(V_SQ_RSRC_IMG_2D) |
         S_SQ_IMG_RSRC_WORD3_SW_MODE(V_SW_LINEAR),
   };
   for (unsigned i = 0; i < 8; i++)
      set_reg(s, R_COMPUTE_USER_DATA_0 + 16 + 4 * i, image[i]);
   emit_packet(s, PKT3_DISPATCH_DIRECT, 4, (const uint32_t[4]){1, 1, 1, 1 | 1 << 15});
}

static void
add_memory(struct program *p, const char *name, unsigned dst, unsigned data, unsigned base)
{
   struct amd_inst i = make(name, AMD_ENC_GLOBAL);
   if (dst)
      i.dst = amd_vgpr(dst);
   i.src[0] = amd_vgpr(1);
   if (data)
      i.src[1] = amd_vgpr(data);
   i.src[2] = amd_sgpr(base);
   add(p, i);
   add(p, wait_all());
}

/* Stores VALUE at va. */
static void
store_by_compute(struct stream *s, uint64_t va)
{
   struct program p = {.at = s->memory + CODE_B};
   add(&p, move_to_vgpr(1, amd_inline_int(0)));
   add(&p, move_to_vgpr(2, amd_inline_int(VALUE)));
   add_memory(&p, "global_store_dword", 0, 2, 0);
   add(&p, make("s_endpgm", AMD_ENC_SOPP));
   dispatch(s, &p, va);
}

/* A draw whose vertex shader stores VALUE at the data, one lane of each wave; it draws nothing. */
static void
store_by_vertices(struct stream *s)
{
   struct program p = {.at = s->memory + CODE_B + 8192};
   add(&p, move_to_vgpr(1, amd_inline_int(0)));
   add(&p, move_to_vgpr(2, amd_inline_int(VALUE)));
   add_memory(&p, "global_store_dword", 0, 2, 0);
   add_export(&p, 12, 1, true, false);
   add(&p, make("s_endpgm", AMD_ENC_SOPP));
   set_reg(s, R_SPI_SHADER_PGM_LO_VS, (uint32_t)((stream_base + CODE_B + 8192) >> 8));
   set_reg(s, R_SPI_SHADER_USER_DATA_VS_0, (uint32_t)data_va);
   draw_auto(s, V_DI_PT_TRILIST, 3);
}

static void
fill_by_dma(struct stream *s, bool sync)
{
   emit_packet(s, PKT3_DMA_DATA, 6,
               (const uint32_t[6]){S_DMA_DATA_CONTROL_SRC_SEL(V_DMA_SRC_DATA) | S_DMA_DATA_CONTROL_CP_SYNC(sync),
                                   VALUE, 0, (uint32_t)data_va, (uint32_t)(data_va >> 32), 64});
}

static void
draw_triangle(struct stream *s)
{
   set_vertex(s, 0, 0, 0, 1, 1);
   set_vertex(s, 1, 40, 0, 1, 1);
   set_vertex(s, 2, 0, 40, 1, 1);
   draw_auto(s, V_DI_PT_TRILIST, 3);
}

/* A draw whose pixel shader stores VALUE at the data. */
static void
store_by_pixels(struct stream *s)
{
   struct program p = {.at = s->memory + CODE_B + 12288};
   add(&p, move_to_vgpr(1, amd_inline_int(0)));
   add(&p, move_to_vgpr(2, amd_inline_int(VALUE)));
   add_memory(&p, "global_store_dword", 0, 2, 0);
   add_export(&p, 0, 2, true, true);
   add(&p, make("s_endpgm", AMD_ENC_SOPP));
   set_reg(s, R_SPI_SHADER_PGM_LO_PS, (uint32_t)((stream_base + CODE_B + 12288) >> 8));
   set_reg(s, R_SPI_SHADER_PGM_RSRC2_PS, S_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR(2));
   set_reg(s, R_SPI_SHADER_USER_DATA_PS_0, (uint32_t)data_va);
   set_reg(s, R_SPI_SHADER_USER_DATA_PS_0 + 4, (uint32_t)(data_va >> 32));
   draw_triangle(s);
}

/* Writes depth 0.5 as 16 bits. */
static void
draw_depth(struct stream *s)
{
   uint32_t base = (uint32_t)((stream_base + DEPTH_B) >> 8);
   set_reg(s, R_DB_Z_INFO(AMD_GFX10_3), S_DB_Z_INFO_FORMAT(V_Z_16) | S_DB_Z_INFO_SW_MODE(24));
   set_reg(s, R_DB_Z_READ_BASE(AMD_GFX10_3), base);
   set_reg(s, R_DB_Z_WRITE_BASE, base);
   set_reg(s, R_DB_DEPTH_SIZE_XY, (H - 1) << 16 | (W - 1));
   set_reg(s, R_DB_DEPTH_CONTROL,
           S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(1) |
              S_DB_DEPTH_CONTROL_ZFUNC(V_FRAG_ALWAYS));
   draw_triangle(s);
}

enum writer {
   BY_COMPUTE,
   BY_COMPUTE_TARGET,
   BY_VERTICES,
   BY_PIXELS,
   BY_DMA,
   BY_DMA_SYNC,
   BY_CB,
   BY_DB,
   BY_ME,
   BY_PFP
};

static const char *const writer_packets[] = {[BY_COMPUTE] = "DISPATCH_DIRECT",
                                             [BY_COMPUTE_TARGET] = "DISPATCH_DIRECT",
                                             [BY_VERTICES] = "DRAW_INDEX_AUTO",
                                             [BY_PIXELS] = "DRAW_INDEX_AUTO",
                                             [BY_DMA] = "DMA_DATA",
                                             [BY_DMA_SYNC] = "DMA_DATA",
                                             [BY_CB] = "DRAW_INDEX_AUTO",
                                             [BY_DB] = "DRAW_INDEX_AUTO",
                                             [BY_ME] = "WRITE_DATA",
                                             [BY_PFP] = "WRITE_DATA"};

static uint64_t
write_by(struct stream *s, enum writer writer)
{
   switch (writer) {
   case BY_COMPUTE:
      store_by_compute(s, data_va);
      return data_va;
   case BY_COMPUTE_TARGET:
      store_by_compute(s, target_va);
      return target_va;
   case BY_VERTICES:
      store_by_vertices(s);
      return data_va;
   case BY_PIXELS:
      store_by_pixels(s);
      return data_va;
   case BY_DMA:
   case BY_DMA_SYNC:
      fill_by_dma(s, writer == BY_DMA_SYNC);
      return data_va;
   case BY_CB:
      draw_triangle(s);
      return target_va;
   case BY_DB:
      draw_depth(s);
      return stream_base + DEPTH_B;
   case BY_ME:
   case BY_PFP:
      emit_packet(
         s, PKT3_WRITE_DATA, 4,
         (const uint32_t[4]){S_WRITE_DATA_CONTROL_DST_SEL(V_WRITE_DATA_DST_MEM) |
                                S_WRITE_DATA_CONTROL_ENGINE_SEL(writer == BY_ME ? V_ENGINE_ME : V_ENGINE_PFP),
                             (uint32_t)data_va, (uint32_t)(data_va >> 32), VALUE});
      return data_va;
   }
   return 0;
}

/* ---- readers of 4 bytes at va; the result is the first word at OUT ---- */

enum reader { COMPUTE, NEIGHBOUR, IMAGE, COPY, DMA, DMA_RAW_WAIT, CONDITION, WRITE, STORE, INDEX, DRAW };

static void
touch_by(struct stream *s, enum reader reader, uint64_t va)
{
   /* size: a flat switch */
   struct program p = {.at = s->memory + CODE_B + 4096};
   switch (reader) {
   case COMPUTE:
   case NEIGHBOUR:
      add(&p, move_to_vgpr(1, amd_inline_int(0)));
      add_memory(&p, "global_load_dword", 2, 0, 0);
      add_memory(&p, "global_store_dword", 0, 2, 2);
      add(&p, make("s_endpgm", AMD_ENC_SOPP));
      dispatch(s, &p, reader == NEIGHBOUR ? va + 64 : va);
      return;
   case IMAGE: {
      struct amd_inst load = make("image_load", AMD_ENC_MIMG);
      load.dst = amd_vgpr(2);
      load.src[0] = amd_vgpr(4);
      load.src[1] = amd_sgpr(4);
      load.dim = 1;
      load.dmask = 1;
      for (unsigned i = 0; i < 2; i++)
         add(&p, move_to_vgpr(4 + i, amd_inline_int(0)));
      add(&p, move_to_vgpr(1, amd_inline_int(0)));
      add(&p, load);
      add(&p, wait_all());
      add_memory(&p, "global_store_dword", 0, 2, 2);
      add(&p, make("s_endpgm", AMD_ENC_SOPP));
      dispatch(s, &p, va);
      return;
   }
   case STORE:
      store_by_compute(s, va);
      return;
   case INDEX:
      set_reg(s, R_VGT_PRIMITIVE_TYPE, V_DI_PT_TRILIST);
      emit_packet(s, PKT3_DRAW_INDEX_2, 5, (const uint32_t[5]){3, (uint32_t)va, (uint32_t)(va >> 32), 3, 0});
      return;
   case DRAW:
      draw_triangle(s);
      return;
   case COPY:
      emit_packet(s, PKT3_COPY_DATA, 5,
                  (const uint32_t[5]){
                     S_COPY_DATA_CONTROL_SRC_SEL(V_COPY_SRC_MEM) | S_COPY_DATA_CONTROL_DST_SEL(V_COPY_DST_MEM),
                     (uint32_t)va, (uint32_t)(va >> 32), (uint32_t)out_va, (uint32_t)(out_va >> 32)});
      return;
   case DMA:
   case DMA_RAW_WAIT:
      emit_packet(s, PKT3_DMA_DATA, 6,
                  (const uint32_t[6]){S_DMA_DATA_CONTROL_CP_SYNC(1), (uint32_t)va, (uint32_t)(va >> 32),
                                      (uint32_t)out_va, (uint32_t)(out_va >> 32),
                                      4 | S_DMA_DATA_COMMAND_RAW_WAIT(reader == DMA_RAW_WAIT)});
      return;
   case CONDITION:
      emit_packet(s, PKT3_COND_EXEC, 4, (const uint32_t[4]){(uint32_t)va, (uint32_t)(va >> 32), 0, 5});
      emit_packet(s, PKT3_WRITE_DATA, 4,
                  (const uint32_t[4]){S_WRITE_DATA_CONTROL_DST_SEL(V_WRITE_DATA_DST_MEM), (uint32_t)out_va,
                                      (uint32_t)(out_va >> 32), VALUE});
      return;
   case WRITE:
      emit_packet(s, PKT3_WRITE_DATA, 4,
                  (const uint32_t[4]){S_WRITE_DATA_CONTROL_DST_SEL(V_WRITE_DATA_DST_MEM), (uint32_t)va,
                                      (uint32_t)(va >> 32), VALUE});
      return;
   }
}

/* ---- what is between them, one letter each ---- */

static void
emit_event(struct stream *s, uint32_t event, uint32_t index)
{
   emit_packet(s, PKT3_EVENT_WRITE, 1, (const uint32_t[1]){event | index << 8});
}

static void
emit_release(struct stream *s, uint32_t event, uint64_t va)
{
   emit_packet(s, PKT3_RELEASE_MEM, 7,
               (const uint32_t[7]){event | 5 << 8, S_RELEASE_MEM_SELECT_DATA_SEL(V_RELEASE_DATA_32), (uint32_t)va,
                                   (uint32_t)(va >> 32), 1, 0, 0});
}

static void
emit_wait(struct stream *s, uint64_t va)
{
   emit_packet(s, PKT3_WAIT_REG_MEM, 6,
               (const uint32_t[6]){V_WAIT_EQUAL | 1 << 4, (uint32_t)va, (uint32_t)(va >> 32), 1, UINT32_MAX, 4});
}

static const struct {
   char letter;
   bool release;
   uint32_t event, index;
} events[] = {
   {'c', false, V_CS_PARTIAL_FLUSH, 4},
   {'i', false, V_CS_PARTIAL_FLUSH, 0}, /* without the index that waits */
   {'p', false, V_PS_PARTIAL_FLUSH, 4},
   {'v', false, V_VS_PARTIAL_FLUSH, 4},
   {'f', false, V_CACHE_FLUSH_AND_INV_EVENT, 0},
   {'m', false, V_FLUSH_AND_INV_CB_META, 0},
   {'T', true, V_CACHE_FLUSH_AND_INV_TS_EVENT, 0},
   {'B', true, V_BOTTOM_OF_PIPE_TS, 0},
   {'C', true, V_FLUSH_AND_INV_CB_DATA_TS, 0},
   {'D', true, V_FLUSH_AND_INV_DB_DATA_TS, 0},
   {'S', true, V_CS_DONE, 0},
   {'P', true, V_PS_DONE, 0},
};

static void
emit_between(struct stream *s, const char *packets)
{
   uint32_t one = 1;
   memcpy(s->memory + FENCE_B + 64, &one, 4);
   for (; *packets; packets++) {
      for (unsigned i = 0; i < ARRAY_SIZE(events); i++) {
         if (events[i].letter == *packets && events[i].release)
            emit_release(s, events[i].event, fence_va);
         else if (events[i].letter == *packets)
            emit_event(s, events[i].event, events[i].index);
      }
      if (*packets == 'w')
         emit_wait(s, fence_va);
      else if (*packets == 'o') /* a word that no release writes */
         emit_wait(s, fence_va + 64);
      else if (*packets == 'y')
         emit_packet(s, PKT3_PFP_SYNC_ME, 1, (const uint32_t[1]){0});
      else if (*packets == 'a')
         emit_packet(s, PKT3_ACQUIRE_MEM, 7, (const uint32_t[7]){0, UINT32_MAX, 0xffffff, 0, 0, 10, 0x8380});
      else if (*packets == 'd')
         emit_packet(s, PKT3_DMA_DATA, 6, (const uint32_t[6]){S_DMA_DATA_CONTROL_CP_SYNC(1), 0, 0, 0, 0, 0});
      else if (*packets == '!' && !stream_run(s)) /* the next job */
         fail_msg("%s", s->fault.message);
   }
}

/* missing: NULL, or what the report says. */
static const struct {
   enum writer writer;
   const char *between;
   enum reader reader;
   const char *missing;
} rows[] = {
   {BY_COMPUTE, "", COMPUTE, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "c", COMPUTE, NULL},
   {BY_COMPUTE, "i", COMPUTE, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "p", COMPUTE, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "v", COMPUTE, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "a", COMPUTE, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "B", COMPUTE, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "Bo", COMPUTE, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "Bw", COMPUTE, NULL},
   {BY_COMPUTE, "Sw", COMPUTE, NULL},
   {BY_COMPUTE, "Pw", COMPUTE, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "!", COMPUTE, NULL},
   {BY_COMPUTE, "", NEIGHBOUR, NULL}, /* other bytes of the line */
   {BY_COMPUTE, "", COPY, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "c", COPY, NULL},
   {BY_COMPUTE, "", DMA, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "c", DMA, NULL},
   {BY_COMPUTE, "", CONDITION, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "c", CONDITION, "PFP_SYNC_ME"},
   {BY_COMPUTE, "yc", CONDITION, "PFP_SYNC_ME"},
   {BY_COMPUTE, "cy", CONDITION, NULL},
   {BY_COMPUTE, "ca", CONDITION, NULL},
   {BY_VERTICES, "", COPY, "VS_PARTIAL_FLUSH"},
   {BY_VERTICES, "c", COPY, "VS_PARTIAL_FLUSH"},
   {BY_VERTICES, "v", COPY, NULL},
   {BY_VERTICES, "p", COPY, NULL},
   {BY_VERTICES, "Tw", COPY, NULL},
   {BY_DMA, "", COMPUTE, "CP_SYNC"},
   {BY_DMA, "cpTwa", COMPUTE, "CP_SYNC"},
   {BY_DMA, "d", COMPUTE, NULL},
   {BY_DMA_SYNC, "", COMPUTE, NULL},
   {BY_DMA, "", COPY, "CP_SYNC"},
   {BY_DMA, "", DMA, "CP_SYNC"},
   {BY_DMA, "", DMA_RAW_WAIT, NULL},
   {BY_DMA_SYNC, "", CONDITION, "PFP_SYNC_ME"},
   {BY_DMA_SYNC, "y", CONDITION, NULL},
   {BY_COMPUTE, "", IMAGE, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "c", IMAGE, NULL},
   {BY_COMPUTE, "", INDEX, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE, "c", INDEX, NULL},
   {BY_COMPUTE_TARGET, "", DRAW, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE_TARGET, "p", DRAW, "CS_PARTIAL_FLUSH"},
   {BY_COMPUTE_TARGET, "c", DRAW, NULL},
   {BY_ME, "", COMPUTE, NULL},
   {BY_ME, "", COPY, NULL},
   {BY_ME, "", CONDITION, "PFP_SYNC_ME"},
   {BY_ME, "cp", CONDITION, "PFP_SYNC_ME"},
   {BY_ME, "y", CONDITION, NULL},
   {BY_ME, "a", CONDITION, NULL},
   {BY_PFP, "", CONDITION, NULL},
   {BY_PIXELS, "", COPY, "PS_PARTIAL_FLUSH"},
   {BY_PIXELS, "vc", COPY, "PS_PARTIAL_FLUSH"},
   {BY_PIXELS, "Sw", COPY, "PS_PARTIAL_FLUSH"},
   {BY_PIXELS, "p", COPY, NULL},
   {BY_PIXELS, "Pw", COPY, NULL},
   {BY_PIXELS, "Bw", COMPUTE, NULL},
   {BY_DB, "", COPY, "flush of DB"},
   {BY_DB, "pBw", COPY, "flush of DB"},
   {BY_DB, "Cw", COPY, "flush of DB"},
   {BY_DB, "Dw", COPY, NULL},
   {BY_DB, "Tw", COPY, NULL},
   {BY_DB, "fBw", COPY, NULL},
   {BY_DB, "", DRAW, NULL}, /* DB sees its own */
   {BY_CB, "", DRAW, NULL},
   {BY_CB, "", COMPUTE, "flush of CB"},
   {BY_CB, "pcva", COMPUTE, "flush of CB"},
   {BY_CB, "Bw", COMPUTE, "flush of CB"},
   {BY_CB, "f", COMPUTE, "flush of CB"},
   {BY_CB, "fBw", COMPUTE, NULL},
   {BY_CB, "Bfw", COMPUTE, "flush of CB"},
   {BY_CB, "mBw", COMPUTE, "flush of CB"},
   {BY_CB, "T", COMPUTE, "flush of CB"},
   {BY_CB, "Tp", COMPUTE, "flush of CB"},
   {BY_CB, "Tw", COMPUTE, NULL},
   {BY_CB, "Cw", COMPUTE, NULL},
   {BY_CB, "Dw", COMPUTE, "flush of CB"},
   {BY_CB, "!", COMPUTE, NULL},
   {BY_CB, "Bw", COPY, "flush of CB"},
   {BY_CB, "Tw", COPY, NULL},
   {BY_CB, "Bw", DMA, "flush of CB"},
   {BY_CB, "Bw", WRITE, "flush of CB"},
   {BY_CB, "Tw", WRITE, NULL},
   {BY_CB, "Bw", STORE, "flush of CB"},
   {BY_CB, "Tw", STORE, NULL},
};

static void
waits(void **state)
{
   for (unsigned row = 0; row < ARRAY_SIZE(rows); row++) {
      struct stream s = open_stream(1 + row % 2, row / 2 % 2);
      uint32_t found;
      uint64_t va = write_by(&s, rows[row].writer);
      emit_between(&s, rows[row].between);
      touch_by(&s, rows[row].reader, va);
      bool ran = stream_run(&s);
      if (ran != !rows[row].missing)
         fail_msg("row %u: %s", row, ran ? "ran" : s.fault.message);
      if (!ran) {
         assert_int_equal(s.fault.kind, SIM_FAULT_HAZARD);
         if (!strstr(s.fault.message, rows[row].missing) ||
             !strstr(s.fault.message, writer_packets[rows[row].writer]))
            fail_msg("row %u: %s", row, s.fault.message);
         assert_true(s.fault.va.va == va);
      } else if (rows[row].reader < WRITE) {
         memcpy(&found, s.memory + OUT_B, 4);
         assert_int_equal(found, rows[row].reader == NEIGHBOUR ? 0
                                 : rows[row].writer == BY_CB   ? 0xff00ffff
                                 : rows[row].writer == BY_DB   ? 0x80008000
                                                               : VALUE);
      }
      stream_destroy(&s);
   }
}

/* A buffer of packets that a dispatch writes: PFP fetches it, and finds no packet there once it has been written. */
static void
packets(void **state)
{
   static const struct {
      const char *between, *says;
   } cases[] = {{"", "CS_PARTIAL_FLUSH"},
                {"y", "CS_PARTIAL_FLUSH"},
                {"c", "no PFP_SYNC_ME"},
                {"yc", "no PFP_SYNC_ME"},
                {"cy", "not a packet header: 0x00000007"},
                {"ca", "not a packet header: 0x00000007"}};
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(cases); i++) {
      struct stream s = open_stream(1, true);
      store_by_compute(&s, data_va);
      emit_between(&s, cases[i / 2].between);
      emit_packet(&s, PKT3_INDIRECT_BUFFER, 3,
                  (const uint32_t[3]){(uint32_t)data_va, (uint32_t)(data_va >> 32),
                                      8 | S_INDIRECT_BUFFER_CONTROL_CHAIN(i % 2)});
      if (stream_run(&s) || !strstr(s.fault.message, cases[i / 2].says) ||
          (i < 8 && !strstr(s.fault.message, "fetch of")))
         fail_msg("case %u: %s", i, s.fault.message);
      stream_destroy(&s);
   }
}

/* Two draws whose pixels read and write one word: without a wait between them only if both shade in order. */
static void
ordered_draws(void **state)
{
   for (unsigned n = 0; n < 4; n++) {
      struct stream s = open_stream(2, true);
      struct program p = {.at = s.memory + CODE_B + 12288};
      add(&p, move_to_vgpr(1, amd_inline_int(0)));
      add(&p, move_to_vgpr(3, amd_inline_int(VALUE)));
      add_memory(&p, "global_load_dword", 2, 0, 0);
      add_memory(&p, "global_store_dword", 0, 3, 0);
      struct amd_inst done = make("s_sendmsg", AMD_ENC_SOPP);
      done.simm16 = 7; /* ORDERED_PS_DONE */
      add(&p, done);
      add_export(&p, 0, 2, true, true);
      add(&p, make("s_endpgm", AMD_ENC_SOPP));
      set_reg(&s, R_SPI_SHADER_PGM_LO_PS, (uint32_t)((stream_base + CODE_B + 12288) >> 8));
      set_reg(&s, R_SPI_SHADER_PGM_RSRC2_PS, S_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR(2));
      set_reg(&s, R_SPI_SHADER_USER_DATA_PS_0, (uint32_t)data_va);
      set_reg(&s, R_SPI_SHADER_USER_DATA_PS_0 + 4, (uint32_t)(data_va >> 32));
      for (unsigned draw = 0; draw < 2; draw++) {
         set_reg(&s, R_DB_SHADER_CONTROL,
                 S_DB_SHADER_CONTROL_Z_ORDER(V_EARLY_Z_THEN_LATE_Z) |
                    S_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(n >> draw & 1));
         draw_triangle(&s);
      }
      bool ran = stream_run(&s);
      if (ran != (n == 3) ||
          (!ran && (s.fault.kind != SIM_FAULT_HAZARD || !strstr(s.fault.message, "PS_PARTIAL_FLUSH"))))
         fail_msg("case %u: %s", n, ran ? "ran" : s.fault.message);
      stream_destroy(&s);
   }
}

static uint32_t
random_below(uint32_t end)
{
   static uint64_t seed = 20261123;
   seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint32_t)((seed >> 33) % end);
}

/* Only what a draw has written is under way, not what lies in a line with it; targets start anywhere in a page. */
static void
dwords_of_draws(void **state)
{
   unsigned hazards = 0, next_to = 0;
   for (unsigned n = 0; n < 60; n++) {
      struct stream s = open_stream(1, false);
      struct target_info target = rgba8;
      const uint32_t at_B = random_below(W * H * 4 / 4) * 4;
      target.va += 256 * random_below(32);
      set_target(&s, 0, &target);
      draw_triangle(&s);
      touch_by(&s, COPY, target.va + at_B);
      const uint8_t *memory = &s.memory[target.va - stream_base];
      bool ran = stream_run(&s), line = false, written = memory[at_B] | memory[at_B + 3];
      for (unsigned i = 0; i < 128; i++)
         line |= memory[at_B / 128 * 128 + i];
      assert_int_equal(ran, !written);
      hazards += !ran;
      next_to += line && !written;
      stream_destroy(&s);
   }
   assert_true(hazards > 5 && hazards < 55 && next_to > 2);
}

/* In a row of lines that CB writes: an earlier packet's write after one of the same packet. */
static void
own_writes_hide_nothing(void **state)
{
   struct amd_caches *caches = amd_caches_create(amd_chip_by_name("navi21"));
   struct sim_va at = sim_va(0), row = sim_va(target_va), own = sim_va(target_va + 512),
                 other = sim_va(target_va + 8192 + 256);
   amd_order_begin(caches, 0, "DISPATCH_DIRECT", sim_va(0), false);
   const uint64_t tag = amd_order_tag(caches, AMD_WRITER_STAGES + AMD_STAGE_CS);
   amd_order_mark(caches, tag, other, 4);
   amd_order_begin(caches, 0, "DRAW_INDEX_AUTO", sim_va(0), false);
   amd_order_mark(caches, amd_order_tag(caches, AMD_WRITER_PS), own, 64);
   assert_int_equal(amd_order_mark_target(caches, amd_order_tag(caches, AMD_WRITER_CB), row, 3 * 4096, &at), tag);
   assert_true(at.va == other.va);
   assert_int_equal(amd_order_mark_target(caches, amd_order_tag(caches, AMD_WRITER_CB), row, 8192, &at), 0);
   amd_caches_destroy(caches);
}

/* Some dwords from anywhere on, a line's length at a time, are under way, and others are not. */
static void
dwords_of_lines(void **state)
{
   for (unsigned n = 0; n < 300; n++) {
      struct amd_caches *caches = amd_caches_create(amd_chip_by_name("navi21"));
      const struct sim_va start = sim_va(target_va + 4096 - 256 + (n & 2 ? 4 * random_below(64) : 128));
      const unsigned count = n & 4 ? 1 + random_below(70) : 1;
      uint32_t masks[70];
      for (unsigned i = 0; i < count; i++) {
         const uint32_t bits = random_below(1u << 31) << 1 | random_below(2);
         masks[i] = i % 3 == 1 ? 0 : n & 1 ? bits : 1u << (n + i) % 32;
      }
      struct sim_va at;
      amd_order_begin(caches, 0, "DRAW_INDEX_AUTO", sim_va(0), false);
      const uint64_t tag = amd_order_tag(caches, AMD_WRITER_CB);
      assert_int_equal(amd_order_mark_lines(caches, tag, start, masks, count, &at), 0);
      for (int i = -32; i < 32 * (int)count + 32; i++) {
         const struct sim_va byte = sim_va_add(start, 4 * i + (int)random_below(4));
         const bool marked = i >= 0 && i < 32 * (int)count && masks[i / 32] >> i % 32 & 1;
         assert_int_equal(amd_order_check(caches, 0, AMD_ENGINE_ME, byte, 1, &at), marked ? tag : 0);
      }
      amd_caches_destroy(caches);
   }
}

/* A target meets the bytes of a shader's write under way only where it has dwords of its own. */
static void
dwords_meet_writes(void **state)
{
   struct amd_caches *caches = amd_caches_create(amd_chip_by_name("navi21"));
   struct sim_va at = sim_va(0), line = sim_va(target_va + 128);
   amd_order_begin(caches, 0, "DISPATCH_DIRECT", sim_va(0), false);
   const uint64_t tag = amd_order_tag(caches, AMD_WRITER_STAGES + AMD_STAGE_CS);
   amd_order_mark(caches, tag, sim_va_add(line, 21), 1);
   amd_order_begin(caches, 0, "DRAW_INDEX_AUTO", sim_va(0), false);
   const uint64_t own = amd_order_tag(caches, AMD_WRITER_CB);
   const uint32_t meets = 0x00600000, next_to = ~0x20u;
   assert_int_equal(amd_order_mark_lines(caches, own, sim_va(target_va + 64), &meets, 1, &at), tag);
   assert_true(at.va == line.va);
   assert_int_equal(amd_order_mark_lines(caches, own, line, &next_to, 1, &at), 0);
   amd_caches_destroy(caches);
}

/* Of a page that CB writes as a whole nothing older is under way, and what shaders write there later is again. */
static void
whole_pages(void **state)
{
   struct amd_caches *caches = amd_caches_create(amd_chip_by_name("navi21"));
   const struct sim_va page = sim_va(target_va), inside = sim_va(target_va + 640);
   struct sim_va at = sim_va(0);
   amd_order_begin(caches, 0, "DISPATCH_DIRECT", sim_va(0), false);
   amd_order_mark(caches, amd_order_tag(caches, AMD_WRITER_STAGES + AMD_STAGE_CS), inside, 64);
   amd_order_wait(caches, 0, AMD_WRITERS_COMPUTE);
   for (unsigned n = 0; n < 2; n++) {
      amd_order_begin(caches, 0, "DRAW_INDEX_AUTO", sim_va(0), false);
      const uint64_t drawn = amd_order_tag(caches, AMD_WRITER_CB);
      assert_int_equal(amd_order_mark_target(caches, drawn, page, 4096, &at), 0);
      for (unsigned byte = 0; byte < 4096; byte += 1 + random_below(100))
         assert_int_equal(amd_order_check(caches, 0, AMD_ENGINE_ME, sim_va_add(page, byte), 1, &at), drawn);
      assert_int_equal(amd_order_check_write(caches, 0, inside, 64, &at), drawn);
      assert_int_equal(amd_order_check(caches, 0, AMD_ENGINE_ME, sim_va_add(page, 4096), 128, &at), 0);
   }
   amd_order_wait(caches, 0, AMD_WRITERS_TARGETS);
   amd_order_begin(caches, 0, "DISPATCH_DIRECT", sim_va(0), false);
   const uint64_t shaded = amd_order_tag(caches, AMD_WRITER_STAGES + AMD_STAGE_CS);
   amd_order_mark(caches, shaded, inside, 64);
   amd_order_begin(caches, 0, "DRAW_INDEX_AUTO", sim_va(0), false);
   assert_int_equal(amd_order_mark_target(caches, amd_order_tag(caches, AMD_WRITER_CB), page, 4096, &at), shaded);
   assert_true(at.va == inside.va);
   amd_caches_destroy(caches);
}

/* Around the 2^24th packet, where a tag of 32 bits would wrap: a write is under way until it has been waited for, and
 * its report names its packet. */
static void
numbers_never_wrap(void **state)
{
   const uint64_t first = (UINT64_C(1) << 24) - 3;
   struct amd_caches *caches = amd_caches_create(amd_chip_by_name("navi21"));
   struct sim_va at, written = sim_va(target_va);
   for (uint64_t n = 1; n < first; n++)
      amd_order_begin(caches, 0, "DISPATCH_DIRECT", sim_va(0), false);
   for (uint64_t n = first; n < first + 6; n++) {
      struct sim_fault fault = {0};
      char packet[32];
      snprintf(packet, sizeof(packet), "DISPATCH_DIRECT at 0x%llx", (unsigned long long)n);
      amd_order_wait(caches, 0, UINT32_MAX);
      amd_order_begin(caches, 0, "DISPATCH_DIRECT", sim_va(n), false);
      const uint64_t tag = amd_order_tag(caches, AMD_WRITER_STAGES + AMD_STAGE_CS);
      amd_order_mark(caches, tag, written, 64);
      amd_order_begin(caches, 0, "DISPATCH_DIRECT", sim_va(n + 1), false);
      assert_int_equal(amd_order_check(caches, 0, AMD_ENGINE_ME, written, 4, &at), tag);
      assert_int_equal(amd_order_mark_target(caches, amd_order_tag(caches, AMD_WRITER_CB), written, 64, &at), tag);
      assert_false(amd_order_fault(caches, tag, at, "read", &fault));
      assert_non_null(strstr(fault.message, packet));
      amd_order_wait(caches, 0, AMD_WRITERS_COMPUTE);
      assert_int_equal(amd_order_check(caches, 0, AMD_ENGINE_ME, written, 4, &at), 0);
   }
   amd_caches_destroy(caches);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_pages),
      cmocka_unit_test(waits),
      cmocka_unit_test(packets),
      cmocka_unit_test(ordered_draws),
      cmocka_unit_test(dwords_of_draws),
      cmocka_unit_test(dwords_of_lines),
      cmocka_unit_test(dwords_meet_writes),
      cmocka_unit_test(own_writes_hide_nothing),
      cmocka_unit_test(numbers_never_wrap),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
