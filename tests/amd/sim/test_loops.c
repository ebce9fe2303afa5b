/* Long loops and endless ones, of every stage and under every schedule: the long ones end with the right result, the
 * endless ones with a report that names the loop, and both the same for any number of host threads. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/wave/wave.h"
#include "asm.h"
#include "sim/waves/pool.h"
#include "util/macros.h"

#define CODE_VA 0x800000000000ull /* sign-extended */
#define DATA_VA 0x100000000ull
#define DATA_B (1u << 16)
#define FLAG_B 4096    /* a word */
#define RESULTS_B 8192 /* a word for each wave */
#define BUDGET 10000

static const struct sim_schedule schedules[] = {
   {SIM_SCHEDULE_IN_ORDER, 0}, {SIM_SCHEDULE_ROUND_ROBIN, 0}, {SIM_SCHEDULE_SEED, 7}, {SIM_SCHEDULE_WORST, 0}};

struct rig {
   struct sim_vm *vm;
   uint32_t *code, *data;
   struct sim_pool *pool;
   struct amd_wave_engine *engine;
   struct sim_fault fault;
};

/* A loop of a program. */
struct place {
   unsigned first_dw, last_dw;
};

/* What each wave starts with: s[0:1] data, s2 group, s3 wave in the group; v0 lane, v1 4 * lane. */
static void
start(void *user, uint32_t group, uint32_t wave, uint32_t slot, struct amd_wave_start *s)
{
   const uint32_t sgprs[] = {(uint32_t)DATA_VA, (uint32_t)(DATA_VA >> 32), group, wave};
   memcpy(s->sgpr, sgprs, sizeof(sgprs));
   s->sgpr_count = ARRAY_SIZE(sgprs);
   s->exec = UINT32_MAX;
   s->vgpr_count = 2;
   for (uint32_t i = 0; i < 32; i++) {
      s->vgpr[0][i] = i;
      s->vgpr[1][i] = 4 * i;
   }
}

static struct rig
rig_create(unsigned threads, const struct sim_schedule *schedule)
{
   struct rig r = {.vm = sim_vm_create(), .pool = sim_pool_create(threads)};
   r.code = aligned_alloc(4096, 65536);
   r.data = aligned_alloc(4096, DATA_B);
   memset(r.code, 0, 65536);
   memset(r.data, 0, DATA_B);
   assert_true(sim_vm_map(r.vm, sim_va(CODE_VA), 65536, r.code, SIM_READ | SIM_EXECUTE));
   assert_true(sim_vm_map(r.vm, sim_va(DATA_VA), DATA_B, r.data, SIM_READ | SIM_WRITE));
   r.engine = amd_wave_engine_create(r.pool);
   amd_wave_engine_set_budget(r.engine, BUDGET);
   amd_wave_engine_set_schedule(r.engine, schedule);
   return r;
}

static void
rig_destroy(struct rig *r)
{
   amd_wave_engine_destroy(r->engine);
   sim_pool_destroy(r->pool);
   sim_vm_destroy(r->vm);
   free(r->code);
   free(r->data);
}

static bool
rig_run(struct rig *r, const struct assembly *a, enum amd_stage stage, unsigned groups, unsigned waves)
{
   const struct amd_wave_launch launch = {.chip = amd_chip_by_name("navi21"),
                                          .stage = stage,
                                          .vm = r->vm,
                                          .program = sim_va(CODE_VA),
                                          .wave_size = 32,
                                          .float_mode = 0xf0,
                                          .vgpr_count = 16,
                                          .lds_size_B = 1024,
                                          .waves_per_group = waves,
                                          .group_count = groups,
                                          .start = start};
   memcpy(r->code, a->words, a->count * 4);
   return amd_wave_run(r->engine, &launch, &r->fault);
}

static struct amd_inst
with_literal(struct amd_inst in, uint32_t literal)
{
   in.literal = literal;
   return in;
}

static void
branch(struct assembly *a, enum amd_op op, unsigned to)
{
   assemble(a, sopp(op, (uint16_t)(to - a->count - 1)));
}

/* ---- what a turn does ---- */

static void
turn_registers(struct assembly *a)
{
   assemble(a, OP2(v_add_nc_u32, V(4), V(4), V(0)));
   assemble(a, OP2(s_xor_b32, S(20), S(20), S(10)));
}

static void
turn_load(struct assembly *a)
{
   assemble(a, global_op(AMD_OP_global_load_dword, V(4), 1, NONE, 0));
   assemble(a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
}

static void
turn_scalar_load(struct assembly *a)
{
   assemble(a, inst(AMD_OP_s_load_dword, S(20), S(0), AMD_NULL, NONE));
   assemble(a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
}

static void
turn_store(struct assembly *a)
{
   assemble(a, OP1(v_mov_b32, V(4), S(10)));
   assemble(a, global_op(AMD_OP_global_store_dword, NONE, 1, V(4), 0));
}

static void
turn_load_and_store(struct assembly *a)
{
   turn_load(a);
   assemble(a, OP2(v_add_nc_u32, V(4), I(1), V(4)));
   assemble(a, global_op(AMD_OP_global_store_dword, NONE, 1, V(4), 0));
}

static void
turn_atomic(struct assembly *a)
{
   assemble(a, OP1(v_mov_b32, V(4), I(1)));
   assemble(a, global_op(AMD_OP_global_atomic_add, NONE, 1, V(4), 0));
}

static void
turn_atomic_result(struct assembly *a)
{
   struct amd_inst add = global_op(AMD_OP_global_atomic_add, V(5), 1, V(4), 0);
   add.glc = true;
   assemble(a, OP1(v_mov_b32, V(4), I(1)));
   assemble(a, add);
   assemble(a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
}

static void
turn_lds(struct assembly *a)
{
   assemble(a, OP3(ds_write_b32, NONE, V(1), V(0), NONE));
   assemble(a, OP1(ds_read_b32, V(6), V(1)));
   assemble(a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
}

static void
turn_lds_atomic(struct assembly *a)
{
   assemble(a, OP3(ds_add_u32, NONE, V(1), V(0), NONE));
}

static void
turn_barrier(struct assembly *a)
{
   assemble(a, OP0(s_barrier));
}

static void
turn_barrier_lds(struct assembly *a)
{
   turn_lds(a);
   turn_barrier(a);
}

static void
turn_nested(struct assembly *a)
{
   assemble(a, OP1(s_mov_b32, S(21), I(40)));
   unsigned top = a->count;
   assemble(a, OP2(s_sub_u32, S(21), S(21), I(1)));
   assemble(a, OP2(v_add_nc_u32, V(4), V(4), V(0)));
   assemble(a, OP2(s_cmp_lg_u32, NONE, S(21), I(0)));
   branch(a, AMD_OP_s_cbranch_scc1, top);
}

/* Leaves the loop from its middle as well, never. */
static void
turn_break(struct assembly *a)
{
   assemble(a, OP2(s_cmp_eq_u32, NONE, S(10), I(-1)));
   assemble(a, sopp(AMD_OP_s_cbranch_scc1, 6));
   turn_registers(a);
}

static const struct shape {
   const char *name;
   void (*turn)(struct assembly *a);
   const char *memory; /* what the report says of it */
   unsigned cost;      /* of a turn, at most */
} shapes[] = {
   {"registers", turn_registers, "it touches no memory, so nothing else can end it", 8},
   {"loads", turn_load, "it reads memory: what it waits for may never come", 24},
   {"scalar loads", turn_scalar_load, "it reads memory: what it waits for may never come", 24},
   {"stores", turn_store, "it writes memory and reads none, so nothing else can end it", 24},
   {"loads and stores", turn_load_and_store, "it reads and writes memory: what it waits for may never come", 48},
   {"atomics", turn_atomic, "it writes memory and reads none, so nothing else can end it", 24},
   {"atomics with results", turn_atomic_result, "it reads and writes memory: what it waits for may never come", 32},
   {"LDS", turn_lds, "it shares LDS with its group: what it waits for may never come", 48},
   {"atomics of LDS", turn_lds_atomic, "it shares LDS with its group: what it waits for may never come", 24},
   {"barriers", turn_barrier, "it waits at barriers and reads no memory, so nothing else can end it", 8},
   {"LDS and barriers", turn_barrier_lds, "it shares LDS with its group, and waits at barriers", 48},
   {"nested", turn_nested, "it touches no memory, so nothing else can end it", 180},
   {"a break", turn_break, "it touches no memory, so nothing else can end it", 8},
};

/* turns: 0 is 2^32. At the end the wave stores its turns. Waves from `first_endless` on run 2^32 turns. */
static struct place
build(struct assembly *a, void (*turn)(struct assembly *a), uint32_t turns, unsigned waves, uint32_t first_endless)
{
   a->count = 0;
   assemble(a, OP1(s_mov_b32, S(10), I(0)));
   assemble(a, OP1(s_mov_b32, S(20), I(0)));
   assemble(a, OP1(v_mov_b32, V(4), I(0)));
   assemble(a, with_literal(OP2(s_cmp_ge_u32, NONE, S(2), AMD_LITERAL), first_endless));
   assemble(a, with_literal(OP2(s_cselect_b32, S(11), I(0), AMD_LITERAL), turns));
   struct place place = {.first_dw = a->count};
   turn(a);
   assemble(a, OP2(s_add_u32, S(10), S(10), I(1)));
   assemble(a, OP2(s_cmp_lg_u32, NONE, S(10), S(11)));
   place.last_dw = a->count;
   branch(a, AMD_OP_s_cbranch_scc1, place.first_dw);
   assemble(a, OP2(s_mul_i32, S(12), S(2), I(waves)));
   assemble(a, OP2(s_add_u32, S(12), S(12), S(3)));
   assemble(a, OP2(s_lshl_b32, S(12), S(12), I(2)));
   assemble(a, with_literal(OP2(s_add_u32, S(12), S(12), AMD_LITERAL), RESULTS_B));
   assemble(a, OP1(v_mov_b32, V(7), S(12)));
   assemble(a, OP1(v_mov_b32, V(8), S(10)));
   assemble(a, global_op(AMD_OP_global_store_dword, NONE, 7, V(8), 0));
   assemble(a, OP0(s_endpgm));
   return place;
}

static void
expect_text(const char *shape, const struct rig *r, const char *format, ...)
{
   char text[200];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   if (r->fault.kind != SIM_FAULT_HANG || !strstr(r->fault.message, text))
      fail_msg("%s: \"%s\" is not in: %s", shape, text, r->fault.message);
}

static void
expect_place(const char *shape, const struct rig *r, struct place place)
{
   uint64_t base = sim_va(CODE_VA).va;
   expect_text(shape, r, "from pc 0x%" PRIx64 " to 0x%" PRIx64 " jumps back with `", base + 4 * place.first_dw,
               base + 4 * place.last_dw);
}

/* 40 groups, each close to its budget: many times the budget together. */
static void
long_loops_end(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(shapes); i++) {
      for (unsigned s = 0; s < ARRAY_SIZE(schedules); s++) {
         bool in_order = schedules[s].kind == SIM_SCHEDULE_IN_ORDER;
         unsigned waves = 2, groups = in_order ? 40 : 10, turns = BUDGET * 3 / 4 / shapes[i].cost;
         struct rig r = rig_create(1, &schedules[s]);
         struct assembly a;
         build(&a, shapes[i].turn, turns, waves, UINT32_MAX);
         if (!rig_run(&r, &a, AMD_STAGE_CS, groups, waves))
            fail_msg("%s, schedule %u: %s", shapes[i].name, s, r.fault.message);
         for (unsigned w = 0; w < groups * waves; w++)
            assert_int_equal(r.data[RESULTS_B / 4 + w], turns);
         rig_destroy(&r);
      }
   }
}

/* The last of some groups does not end. */
static void
endless_loops_are_named(void **state)
{
   static const enum amd_stage stages[] = {AMD_STAGE_CS, AMD_STAGE_VS, AMD_STAGE_PS};
   static const char *const stage_names[] = {"CS", "VS", "PS"};
   for (unsigned i = 0; i < ARRAY_SIZE(shapes); i++) {
      for (unsigned k = 0; k < ARRAY_SIZE(stages) * ARRAY_SIZE(schedules); k++) {
         unsigned stage = k % ARRAY_SIZE(stages), waves = stage ? 1 : 4, groups = 6;
         char first[sizeof(((struct sim_fault *)0)->message)] = "";
         for (unsigned threads = 1; threads <= (stage ? 1u : 3u); threads += 2) {
            struct rig r = rig_create(threads, &schedules[k / ARRAY_SIZE(stages)]);
            struct assembly a;
            struct place place = build(&a, shapes[i].turn, 30, waves, groups - 1);
            assert_false(rig_run(&r, &a, stages[stage], groups, waves));
            expect_place(shapes[i].name, &r, place);
            expect_text(shapes[i].name, &r, "more than the budget of %u", BUDGET);
            expect_text(shapes[i].name, &r, "s_cmp_lg_u32 s10, s11; s_cbranch_scc1 ");
            expect_text(shapes[i].name, &r, "%s", shapes[i].memory);
            expect_text(shapes[i].name, &r, "lanes 0xffffffff [%s, group %u, wave ", stage_names[stage], groups - 1);
            if (threads == 1)
               strcpy(first, r.fault.message);
            assert_string_equal(first, r.fault.message);
            rig_destroy(&r);
         }
      }
   }
}

/* ---- loops that come back to where they were ---- */

/* Without a way out. */
static struct place
build_forever(struct assembly *a, void (*turn)(struct assembly *a))
{
   a->count = 0;
   assemble(a, OP1(s_mov_b32, S(10), I(0)));
   assemble(a, OP1(s_mov_b32, S(20), I(0)));
   struct place place = {.first_dw = a->count};
   turn(a);
   place.last_dw = a->count;
   branch(a, AMD_OP_s_branch, place.first_dw);
   return place;
}

static void
turn_nothing(struct assembly *a)
{
}

static void
turn_flip(struct assembly *a)
{
   assemble(a, OP2(s_xor_b32, S(20), S(20), I(1)));
   assemble(a, OP2(s_add_u32, S(21), S(20), S(20)));
}

/* Found long before the budget: it is the default one. */
static void
repeating_loops_are_endless(void **state)
{
   static void (*const turns[])(struct assembly *a) = {turn_nothing, turn_flip, turn_barrier, turn_store,
                                                       turn_nested};
   for (unsigned i = 0; i < ARRAY_SIZE(turns); i++) {
      struct rig r = rig_create(2, &schedules[0]);
      struct assembly a;
      amd_wave_engine_set_budget(r.engine, 0);
      struct place place = build_forever(&a, turns[i]);
      if (turns[i] == turn_nested) /* a sum that grows is another state */
         a.words[place.first_dw + 2] = 0xbf800000;
      assert_false(rig_run(&r, &a, AMD_STAGE_CS, 12, 2));
      expect_place("repeats", &r, place);
      expect_text("repeats", &r, "endless loop, all registers are as they were ");
      expect_text("repeats", &r, "no branch leaves it");
      assert_true(amd_wave_instructions(r.engine) < 1u << 30);
      rig_destroy(&r);
   }
}

enum waiting { WAIT_LOAD, WAIT_LOCK, WAIT_SCALAR, WAIT_COUNTING, WAIT_KINDS };

/* Until the flag is not 0. */
static struct place
wait_for_flag(struct assembly *a, enum waiting kind)
{
   assemble(a, with_literal(OP1(v_mov_b32, V(3), AMD_LITERAL), FLAG_B));
   assemble(a, OP1(v_mov_b32, V(8), I(0)));
   assemble(a, OP1(v_mov_b32, V(9), I(0)));
   assemble(a, OP1(s_mov_b32, S(22), I(0)));
   struct place place = {.first_dw = a->count};
   struct amd_inst scalar = inst(AMD_OP_s_load_dword, S(23), S(0), AMD_NULL, NONE);
   struct amd_inst load = global_op(AMD_OP_global_load_dword, V(4), 3, NONE, 0);
   struct amd_inst lock = global_op(AMD_OP_global_atomic_cmpswap, V(4), 3, V(8), 0);
   scalar.offset = FLAG_B;
   load.glc = load.dlc = lock.glc = true;
   if (kind == WAIT_COUNTING)
      assemble(a, OP2(s_add_u32, S(22), S(22), I(1)));
   assemble(a, kind == WAIT_SCALAR ? scalar : kind == WAIT_LOCK ? lock : load);
   assemble(a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
   if (kind != WAIT_SCALAR)
      assemble(a, OP1(v_readfirstlane_b32, S(23), V(4)));
   assemble(a, OP2(s_cmp_eq_u32, NONE, S(23), I(0)));
   place.last_dw = a->count;
   branch(a, AMD_OP_s_cbranch_scc1, place.first_dw);
   return place;
}

/* Nobody sets the flag. */
static void
waits_in_vain_are_named(void **state)
{
   for (unsigned kind = WAIT_LOAD; kind <= WAIT_COUNTING; kind++) {
      for (unsigned s = 0; s < ARRAY_SIZE(schedules); s++) {
         bool in_order = schedules[s].kind == SIM_SCHEDULE_IN_ORDER;
         struct rig r = rig_create(2, &schedules[s]);
         struct assembly a = {0};
         if (in_order && kind != WAIT_COUNTING)
            amd_wave_engine_set_budget(r.engine, 0);
         struct place place = wait_for_flag(&a, kind);
         assemble(&a, OP0(s_endpgm));
         assert_false(rig_run(&r, &a, AMD_STAGE_CS, 6, 2));
         expect_place("waits", &r, place);
         if (kind == WAIT_COUNTING)
            expect_text("counts", &r, "more than the budget of %u", BUDGET);
         else if (in_order)
            expect_text("waits", &r,
                        "no wave of the launch can continue: wave 0 of group 0 waits for memory in which it sees no "
                        "change at pc 0x");
         assert_true(amd_wave_instructions(r.engine) < 1u << 26);
         rig_destroy(&r);
      }
   }
}

/* The last group sets the flag after work of its own, or the first one does. */
static void
waits_end(void **state)
{
   for (unsigned kind = WAIT_LOAD; kind < WAIT_KINDS; kind++) {
      for (unsigned k = 0; k < 2 * ARRAY_SIZE(schedules); k++) {
         unsigned groups = 20, setter = k & 1 ? groups - 1 : 0, turns = 200;
         struct rig r = rig_create(2, &schedules[k / 2]);
         struct assembly a = {0};
         amd_wave_engine_set_budget(r.engine, 0);
         assemble(&a, OP2(s_cmp_lg_u32, NONE, S(2), I(setter)));
         unsigned skip = a.count;
         assemble(&a, sopp(AMD_OP_s_cbranch_scc1, 0));
         assemble(&a, with_literal(OP1(s_mov_b32, S(10), AMD_LITERAL), turns));
         unsigned top = a.count;
         assemble(&a, OP2(s_sub_u32, S(10), S(10), I(1)));
         assemble(&a, OP2(s_cmp_lg_u32, NONE, S(10), I(0)));
         branch(&a, AMD_OP_s_cbranch_scc1, top);
         assemble(&a, with_literal(OP1(v_mov_b32, V(3), AMD_LITERAL), FLAG_B));
         assemble(&a, OP1(v_mov_b32, V(4), I(1)));
         assemble(&a, global_op(AMD_OP_global_store_dword, NONE, 3, V(4), 0));
         a.words[skip] |= a.count - skip - 1;
         wait_for_flag(&a, kind);
         assemble(&a, OP2(v_lshlrev_b32, V(6), I(0), V(1)));
         assemble(&a, OP1(v_mov_b32, V(7), I(1)));
         assemble(&a, global_op(AMD_OP_global_atomic_add, NONE, 6, V(7), 0));
         assemble(&a, OP0(s_endpgm));
         if (!rig_run(&r, &a, AMD_STAGE_CS, groups, 1))
            fail_msg("waiting %u, schedule %u, setter %u: %s", kind, k / 2, setter, r.fault.message);
         for (unsigned lane = 0; lane < 32; lane++)
            assert_int_equal(r.data[lane], groups);
         rig_destroy(&r);
      }
   }
}

/* The clock is no state: a loop that waits for it comes back to its registers and ends. */
static void
clock_loops_end(void **state)
{
   struct rig r = rig_create(1, &schedules[0]);
   struct assembly a = {0};
   amd_wave_engine_set_budget(r.engine, 0);
   assemble(&a, inst(AMD_OP_s_memtime, S(4), NONE, NONE, NONE));
   assemble(&a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
   assemble(&a, with_literal(OP2(s_add_u32, S(6), S(4), AMD_LITERAL), 3000000));
   unsigned top = a.count;
   assemble(&a, inst(AMD_OP_s_memtime, S(4), NONE, NONE, NONE));
   assemble(&a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
   assemble(&a, OP2(s_cmp_lt_u32, NONE, S(4), S(6)));
   assemble(&a, OP1(s_mov_b32, S(4), I(0)));
   for (unsigned i = 0; i < 20; i++)
      assemble(&a, sopp(AMD_OP_s_nop, 0));
   branch(&a, AMD_OP_s_cbranch_scc1, top);
   assemble(&a, OP0(s_endpgm));
   if (!rig_run(&r, &a, AMD_STAGE_CS, 1, 1))
      fail_msg("%s", r.fault.message);
   rig_destroy(&r);
}

/* One wave of a group never comes to the barrier: it is the one that is named. */
static void
who_keeps_others_from_a_barrier(void **state)
{
   for (unsigned s = 0; s < ARRAY_SIZE(schedules); s++) {
      struct rig r = rig_create(2, &schedules[s]);
      struct assembly a = {0};
      assemble(&a, OP1(s_mov_b32, S(10), I(0)));
      assemble(&a, OP2(s_cmp_lg_u32, NONE, S(3), I(2)));
      assemble(&a, sopp(AMD_OP_s_cbranch_scc1, 2));
      struct place place = {a.count, a.count + 1};
      assemble(&a, OP2(s_add_u32, S(10), S(10), I(1)));
      branch(&a, AMD_OP_s_branch, place.first_dw);
      assemble(&a, OP0(s_barrier));
      assemble(&a, OP0(s_endpgm));
      assert_false(rig_run(&r, &a, AMD_STAGE_CS, 3, 4));
      expect_place("before a barrier", &r, place);
      expect_text("before a barrier", &r, "no branch leaves it");
      expect_text("before a barrier", &r, ", wave 2, pc 0x");
      rig_destroy(&r);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_loops_end),
      cmocka_unit_test(endless_loops_are_named),
      cmocka_unit_test(repeating_loops_are_endless),
      cmocka_unit_test(waits_in_vain_are_named),
      cmocka_unit_test(waits_end),
      cmocka_unit_test(clock_loops_end),
      cmocka_unit_test(who_keeps_others_from_a_barrier),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
