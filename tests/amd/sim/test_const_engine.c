/* The constant engine: its memory, and the counters by which it and the draw engine wait for each other. Each wait
 * stands next to the stream that lacks it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "../../fuzz/random_source.h"
#include "stream.h"
#include "text_program.h"
#include "util/macros.h"

enum {
   CODE_B = 2 << 20,
   DATA_B = 4 << 20,
   OUT_B = 8 << 20,
   SLOT_dw = 8,
   GROUPS = 240 /* more than a chip has compute units */
};

static const uint64_t data_va = UINT64_C(0x100000000) + DATA_B, out_va = UINT64_C(0x100000000) + OUT_B;
static const char *const chips[] = {"vega10", "raven", "renoir", "navi10", "navi21", "vangogh"};

#define PUT(s, opcode, ...)                                                                                      \
   emit_packet(s, opcode, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__})
#define VA(va) (uint32_t)(va), (uint32_t)((va) >> 32)

static uint32_t
word(const struct stream *s, unsigned at_B)
{
   uint32_t value;
   memcpy(&value, s->memory + at_B, 4);
   return value;
}

static struct amd_sim_ib
buffer(struct stream *s, uint32_t *first_dw, enum amd_sim_ring ring)
{
   const struct amd_sim_ib ib = {
      .va = sim_va(stream_base + *first_dw * 4), .size_dw = s->count_dw - *first_dw, .ring = ring};
   *first_dw = s->count_dw;
   return ib;
}

/* The buffers of both engines, whose order in the submit does not matter. */
static bool
run_both(struct stream *s, struct amd_sim_ib ce, struct amd_sim_ib de, bool ce_last)
{
   const struct amd_sim_ib ibs[2] = {ce_last ? de : ce, ce_last ? ce : de};
   s->count_dw = 0;
   s->fault = (struct sim_fault){0};
   return amd_sim_run(s->sim, s->vm, ibs, 2, &s->fault);
}

static void
copy_word(struct stream *s, uint64_t from, uint64_t to)
{
   PUT(s, PKT3_COPY_DATA, S_COPY_DATA_CONTROL_SRC_SEL(V_COPY_SRC_MEM) | S_COPY_DATA_CONTROL_DST_SEL(V_COPY_DST_MEM),
       VA(from), VA(to));
}

/* The draw engine sees what was dumped if it waits for it, and only then. */
static void
dumps_are_waited_for(void **state)
{
   for (unsigned i = 0; i < 4 * ARRAY_SIZE(chips); i++) {
      const bool waits = i % 2, ce_last = i / 2 % 2;
      struct stream s = stream_create_on(chips[i / 4], 1);
      const uint32_t offset_B = i * 64, old[4] = {1, 2, 3, 4};
      uint32_t first = 0;
      memcpy(s.memory + DATA_B, old, sizeof(old));
      PUT(&s, PKT3_SET_CE_DE_COUNTERS, 0);
      PUT(&s, PKT3_LOAD_CONST_RAM, VA(data_va), 4, offset_B);
      PUT(&s, PKT3_WRITE_CONST_RAM, offset_B + 4, 12, 13);
      PUT(&s, PKT3_DUMP_CONST_RAM, offset_B, 4, VA(data_va + 64));
      PUT(&s, PKT3_INCREMENT_CE_COUNTER, V_CE_COUNTER_CE);
      const struct amd_sim_ib ce = buffer(&s, &first, AMD_SIM_RING_CE);
      if (waits)
         PUT(&s, PKT3_WAIT_ON_CE_COUNTER, 0);
      for (unsigned j = 0; j < 4; j++)
         copy_word(&s, data_va + 64 + 4 * j, out_va + 4 * j);
      const struct amd_sim_ib de = buffer(&s, &first, AMD_SIM_RING_GFX);
      if (!run_both(&s, ce, de, ce_last))
         fail_msg("%s: %s", chips[i / 4], s.fault.message);
      for (unsigned j = 0; j < 4; j++)
         assert_int_equal(word(&s, OUT_B + 4 * j), waits ? (j == 1 || j == 2 ? 11 + j : old[j]) : 0);
      stream_destroy(&s);
   }
}

/* A ring of slots in memory that the constant engine fills and the draw engine reads: it may be as many ahead as
 * there are slots. Half of the dumps count themselves where the firmware can. */
static void
ring_of_slots(struct random_source *source, bool ce_waits)
{
   enum { MOST = 24 };
   const unsigned slots = 1 + random_source_next(source) % 4, count = slots + 1 + random_source_next(source) % MOST;
   const char *chip = chips[random_source_next(source) % ARRAY_SIZE(chips)];
   struct stream s = stream_create_on(chip, 1);
   uint32_t first = 0, values[MOST + 5];
   PUT(&s, PKT3_SET_CE_DE_COUNTERS, 0, 0);
   for (unsigned i = 0; i < count; i++) {
      const uint32_t offset_B = random_source_next(source) % (32768 / 4 - SLOT_dw) * 4;
      const bool by_dump = random_source_next(source) % 2;
      const unsigned at_dw = random_source_next(source) % SLOT_dw;
      values[i] = random_source_next(source);
      if (ce_waits)
         PUT(&s, PKT3_WAIT_ON_DE_COUNTER_DIFF, slots);
      PUT(&s, PKT3_WRITE_CONST_RAM, offset_B + 4 * at_dw, values[i]);
      PUT(&s, PKT3_DUMP_CONST_RAM, (offset_B + 4 * at_dw) | S_DUMP_CONST_RAM_OFFSET_INCREMENT_CE(by_dump), 1,
          VA(data_va + i % slots * 4));
      if (!by_dump)
         PUT(&s, PKT3_INCREMENT_CE_COUNTER, V_CE_COUNTER_CE);
   }
   const struct amd_sim_ib ce = buffer(&s, &first, AMD_SIM_RING_CE);
   for (unsigned i = 0; i < count; i++) {
      PUT(&s, PKT3_WAIT_ON_CE_COUNTER, 0);
      copy_word(&s, data_va + i % slots * 4, out_va + 4 * i);
      PUT(&s, PKT3_INCREMENT_DE_COUNTER, 0);
   }
   const struct amd_sim_ib de = buffer(&s, &first, AMD_SIM_RING_GFX);
   if (!run_both(&s, ce, de, random_source_next(source) % 2))
      fail_msg("%s: %s", chip, s.fault.message);
   unsigned right = 0;
   for (unsigned i = 0; i < count; i++)
      right += word(&s, OUT_B + 4 * i) == values[i];
   assert_int_equal(right, ce_waits ? count : slots); /* the last ones stay */
   stream_destroy(&s);
}

static void
rings_of_slots(void **state)
{
   struct random_source source = {.seed = 31};
   for (unsigned i = 0; i < 40; i++)
      ring_of_slots(&source, i % 2);
}

/* s[0:1]: a word, s[2:3]: where to. */
static const char loads[] = "s_load_dword s4, s[0:1], 0x0\n"
                            "v_mov_b32_e32 v0, 0\n"
                            "s_waitcnt lgkmcnt(0)\n"
                            "v_mov_b32_e32 v1, s4\n"
                            "global_store_dword v0, v1, s[2:3]\n"
                            "s_endpgm\n";

static void
dispatch(struct stream *s, uint64_t to)
{
   const uint64_t data[2] = {data_va, to};
   set_reg(s, R_COMPUTE_PGM_LO, (uint32_t)((stream_base + CODE_B) >> 8));
   set_reg(s, R_COMPUTE_PGM_HI, 0);
   set_reg(s, R_COMPUTE_PGM_RSRC1, S_COMPUTE_PGM_RSRC1_VGPRS(3) | S_COMPUTE_PGM_RSRC1_SGPRS(3));
   set_reg(s, R_COMPUTE_PGM_RSRC2, S_COMPUTE_PGM_RSRC2_USER_SGPR(4));
   for (unsigned i = 0; i < 3; i++)
      set_reg(s, R_COMPUTE_NUM_THREAD_X + 4 * i, 1);
   for (unsigned i = 0; i < 4; i++)
      set_reg(s, R_COMPUTE_USER_DATA_0 + 4 * i, (uint32_t)(data[i / 2] >> 32 * (i % 2)));
   PUT(s, PKT3_DISPATCH_DIRECT, GROUPS, 1, 1, 1);
   PUT(s, PKT3_EVENT_WRITE, V_CS_PARTIAL_FLUSH | V_EVENT_INDEX_PARTIAL_FLUSH << 8);
}

/* Dumps do not reach what is in the scalar caches, unless the wait for them says so. */
static void
waits_invalidate(void **state)
{
   for (unsigned i = 0; i < 3 * ARRAY_SIZE(chips); i++) {
      const struct amd_chip *chip = amd_chip_by_name(chips[i / 3]);
      struct stream s = stream_create_on(chips[i / 3], 1);
      uint32_t first = 0, old = 77;
      write_text_program(s.memory + CODE_B, chip->gen, true, loads);
      memcpy(s.memory + DATA_B, &old, 4);
      PUT(&s, PKT3_WAIT_ON_DE_COUNTER_DIFF, 1);
      PUT(&s, PKT3_INCREMENT_CE_COUNTER, V_CE_COUNTER_CE);
      PUT(&s, PKT3_WAIT_ON_DE_COUNTER_DIFF, 1);
      PUT(&s, PKT3_WRITE_CONST_RAM, 0, 78);
      PUT(&s, PKT3_DUMP_CONST_RAM, 0, 1, VA(data_va));
      PUT(&s, PKT3_INCREMENT_CE_COUNTER, V_CE_COUNTER_CE);
      const struct amd_sim_ib ce = buffer(&s, &first, AMD_SIM_RING_CE);
      PUT(&s, PKT3_WAIT_ON_CE_COUNTER, 0);
      dispatch(&s, out_va);
      PUT(&s, PKT3_INCREMENT_DE_COUNTER, 0);
      PUT(&s, PKT3_WAIT_ON_CE_COUNTER, i % 3); /* nothing, COND_SURFACE_SYNC, FORCE_SYNC */
      dispatch(&s, out_va + 4);
      const struct amd_sim_ib de = buffer(&s, &first, AMD_SIM_RING_GFX);
      if (!run_both(&s, ce, de, false))
         fail_msg("%s: %s", chips[i / 3], s.fault.message);
      assert_int_equal(word(&s, OUT_B), 77);
      assert_int_equal(word(&s, OUT_B + 4), i % 3 ? 78 : 77);
      stream_destroy(&s);
   }
}

/* A buffer that calls another, WRITE_DATA, what is left over from the job before. */
static void
buffers(void **state)
{
   struct stream s = stream_create_on("navi10", 1);
   uint32_t first = 0, nested_dw;
   PUT(&s, PKT3_WRITE_CONST_RAM, 0, 5);
   PUT(&s, PKT3_INCREMENT_CE_COUNTER, V_CE_COUNTER_CE);
   nested_dw = s.count_dw;
   first = s.count_dw;
   PUT(&s, PKT3_INDIRECT_BUFFER_CONST, VA(stream_base), nested_dw | S_INDIRECT_BUFFER_CONST_CONTROL_VALID(1));
   PUT(&s, PKT3_WRITE_DATA,
       S_WRITE_DATA_CONTROL_DST_SEL(V_WRITE_DATA_DST_MEM) | S_WRITE_DATA_CONTROL_ENGINE_SEL(V_ENGINE_CE), VA(out_va),
       6);
   const struct amd_sim_ib alone = buffer(&s, &first, AMD_SIM_RING_CE);
   PUT(&s, PKT3_DUMP_CONST_RAM, 0, 1, VA(out_va + 4));
   const struct amd_sim_ib dumps = buffer(&s, &first, AMD_SIM_RING_CE);
   PUT(&s, PKT3_WAIT_ON_CE_COUNTER, 0);
   const struct amd_sim_ib de = buffer(&s, &first, AMD_SIM_RING_GFX);
   assert_true(amd_sim_run(s.sim, s.vm, &alone, 1, &s.fault));
   assert_int_equal(word(&s, OUT_B), 6);
   assert_true(run_both(&s, dumps, de, false));
   assert_int_equal(word(&s, OUT_B + 4), 5);
   stream_destroy(&s);
}

/* Who waits for what never comes ends at once. */
static void
waits_for_ever(void **state)
{
   struct stream s = stream_create_on("navi21", 1);
   for (unsigned i = 0; i < 4; i++) {
      uint32_t first = 0;
      PUT(&s, i == 1 ? PKT3_WAIT_ON_DE_COUNTER_DIFF : PKT3_NOP, 0);
      const struct amd_sim_ib ce = buffer(&s, &first, AMD_SIM_RING_CE);
      PUT(&s, i == 3 ? PKT3_NOP : PKT3_WAIT_ON_CE_COUNTER, 0);
      const struct amd_sim_ib de = buffer(&s, &first, AMD_SIM_RING_GFX);
      const bool ok = i == 2 ? amd_sim_run(s.sim, s.vm, &de, 1, &s.fault) : run_both(&s, ce, de, i);
      s.count_dw = 0;
      assert_int_equal(ok, i == 3);
      if (!ok && (s.fault.kind != SIM_FAULT_HANG || !strstr(s.fault.message, i == 1 ? "waits too" : "nothing more")))
         fail_msg("%u: %s", i, s.fault.message);
   }
   stream_destroy(&s);
}

static void
bad_packets(void **state)
{
   static const struct {
      const char *chip;
      enum amd_sim_ring ring;
      unsigned opcode, count;
      uint32_t payload[4];
      const char *says; /* NULL: it runs */
   } rows[] = {
      {"vega10", AMD_SIM_RING_CE, PKT3_WRITE_CONST_RAM, 3, {32768 - 8, 1, 2}, NULL},
      {"vega10", AMD_SIM_RING_CE, PKT3_WRITE_CONST_RAM, 3, {32768 - 4, 1, 2}, "which has 0x8000"},
      {"raven", AMD_SIM_RING_CE, PKT3_LOAD_CONST_RAM, 4, {0, 1, 8193, 0}, "which has 0x8000"},
      {"navi10", AMD_SIM_RING_CE, PKT3_WRITE_CONST_RAM, 3, {65536 - 8, 1, 2}, NULL},
      {"navi21", AMD_SIM_RING_CE, PKT3_DUMP_CONST_RAM, 4, {65536 - 4, 2, 0, 1}, "which has 0x10000"},
      {"navi21", AMD_SIM_RING_CE, PKT3_WRITE_CONST_RAM, 2, {2, 1}, "at 0x2"},
      {"navi21", AMD_SIM_RING_CE, PKT3_DUMP_CONST_RAM, 4, {0, 1, 0, 9}, "unmapped"},
      {"navi21", AMD_SIM_RING_CE, PKT3_DUMP_CONST_RAM, 4, {1u << 31, 1, 0, 1}, "INCREMENT_CS"},
      {"navi21", AMD_SIM_RING_CE, PKT3_INCREMENT_CE_COUNTER, 1, {2}, "CNTRSEL 2"},
      {"navi21", AMD_SIM_RING_CE, PKT3_INCREMENT_CE_COUNTER, 1, {4}, "unknown bits"},
      {"navi21", AMD_SIM_RING_CE, PKT3_SET_CE_DE_COUNTERS, 1, {7}, "COUNTERS of 7"},
      {"navi21", AMD_SIM_RING_CE, PKT3_WRITE_DATA, 4, {5 << 8, 0, 1, 0}, "another engine"},
      {"navi21", AMD_SIM_RING_CE, PKT3_SET_SH_REG, 2, {0, 0}, "the constant engine does not have"},
      {"navi21", AMD_SIM_RING_CE, PKT3_WAIT_ON_CE_COUNTER, 1, {0}, "the constant engine does not have"},
      {"navi21", AMD_SIM_RING_GFX, PKT3_SET_CE_DE_COUNTERS, 1, {0}, "the graphics ring does not have"},
      {"navi21", AMD_SIM_RING_COMPUTE, PKT3_WAIT_ON_CE_COUNTER, 1, {0}, "a compute ring does not have"},
      {"navi31", AMD_SIM_RING_CE, PKT3_NOP, 1, {0}, "navi31 has no constant engine"},
      {"navi31", AMD_SIM_RING_GFX, PKT3_WAIT_ON_CE_COUNTER, 1, {0}, "unknown packet opcode 0x86"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct stream s = stream_create_on(rows[i].chip, 1);
      emit_packet(&s, rows[i].opcode, rows[i].count, rows[i].payload);
      const bool ok = stream_run_on(&s, rows[i].ring);
      if (ok != !rows[i].says || (!ok && !strstr(s.fault.message, rows[i].says)))
         fail_msg("row %u: '%s' does not say '%s'", i, s.fault.message, rows[i].says ? rows[i].says : "nothing");
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(dumps_are_waited_for), cmocka_unit_test(rings_of_slots),
      cmocka_unit_test(waits_invalidate),     cmocka_unit_test(buffers),
      cmocka_unit_test(waits_for_ever),       cmocka_unit_test(bad_packets),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
