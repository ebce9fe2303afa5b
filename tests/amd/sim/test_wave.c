/* The wave interpreter: what no text says (waves/), with programs built here and expectations computed in C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/sim/cp/dispatch.h"
#include "asm.h"
#include "sim/waves/pool.h"
#include "util/macros.h"

#define CODE_VA 0x800000000000ull /* sign-extended */
#define DATA_VA 0x100000000ull
#define DATA_B (1u << 20)

struct rig {
   struct sim_vm *vm;
   uint32_t *code, *data;
   struct sim_pool *pool;
   struct amd_wave_engine *engine;
   struct sim_fault fault;
};

static void
rig_open(struct rig *r, unsigned threads, uint64_t budget)
{
   memset(r, 0, sizeof(*r));
   r->vm = sim_vm_create();
   r->code = aligned_alloc(4096, 65536);
   r->data = aligned_alloc(4096, DATA_B);
   memset(r->code, 0, 65536);
   memset(r->data, 0, DATA_B);
   assert_true(sim_vm_map(r->vm, sim_va(CODE_VA), 65536, r->code, SIM_READ | SIM_EXECUTE));
   assert_true(sim_vm_map(r->vm, sim_va(DATA_VA), DATA_B, r->data, SIM_READ | SIM_WRITE));
   r->pool = sim_pool_create(threads);
   r->engine = amd_wave_engine_create(r->pool);
   amd_wave_engine_set_budget(r->engine, budget);
}

static void
rig_close(struct rig *r)
{
   amd_wave_engine_destroy(r->engine);
   sim_pool_destroy(r->pool);
   sim_vm_destroy(r->vm);
   free(r->code);
   free(r->data);
}

/* s0,s1: data address; s2: group. v0: thread id. */
static bool
rig_run(struct rig *r, const struct assembly *a, unsigned groups, unsigned threads, bool wave32)
{
   memcpy(r->code, a->words, a->count * 4);
   struct amd_dispatch d = {
      .chip = amd_chip_by_name("navi21"),
      .program = sim_va(CODE_VA),
      .rsrc1 = 31 | 0xf0 << 12 | 1 << 21 | 1 << 23,
      .rsrc2 = 2 << 1 | 1 << 7 | 16 << 15,
      .num_thread = {threads, 1, 1},
      .dim = {groups, 1, 1},
      .initiator = 1 | (uint32_t)wave32 << 15,
      .user_data = {(uint32_t)DATA_VA, (uint32_t)(DATA_VA >> 32)},
   };
   r->fault = (struct sim_fault){0};
   return amd_sim_dispatch(r->engine, r->vm, &d, &r->fault);
}

/* Instructions come from executable pages only. */
static void
test_executable_pages(void **state)
{
   struct rig r;
   struct assembly a = {0};
   rig_open(&r, 1, 0);
   for (unsigned i = 0; i < 1024; i++)
      r.code[i] = 0xbf800000; /* s_nop 0 up to the end of the page */
   sim_vm_unmap(r.vm, sim_va(CODE_VA + 4096), 65536 - 4096);
   assert_false(rig_run(&r, &a, 1, 64, true));
   assert_int_equal(r.fault.kind, SIM_FAULT_ADDRESS);
   assert_int_equal(r.fault.va.va, sim_va(CODE_VA + 4096).va);
   assert_non_null(strstr(r.fault.message, "not executable"));

   sim_vm_unmap(r.vm, sim_va(CODE_VA), 4096);
   assert_false(rig_run(&r, &a, 1, 64, true));
   assert_int_equal(r.fault.kind, SIM_FAULT_ADDRESS);
   assert_true(sim_vm_map(r.vm, sim_va(CODE_VA), 65536, r.code, SIM_READ | SIM_WRITE));
   assert_false(rig_run(&r, &a, 1, 64, true));
   assert_int_equal(r.fault.kind, SIM_FAULT_ADDRESS);
   assert_non_null(strstr(r.fault.message, "no executable memory"));
   rig_close(&r);
}

/* Every group adds to one counter and takes a ticket; LDS reverses the group's threads after a barrier. */
static void
build_atomic(struct assembly *a)
{
   assemble(a, OP1(v_mov_b32, V(1), I(0)));
   assemble(a, OP1(v_mov_b32, V(2), I(1)));
   struct amd_inst add = global_op(AMD_OP_global_atomic_add, V(3), 1, V(2), 0);
   add.glc = true;
   assemble(a, add);
   assemble(a, OP2(v_lshlrev_b32, V(4), I(2), V(0)));
   assemble(a, OP3(ds_write_b32, NONE, V(4), V(0), NONE));
   assemble(a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
   assemble(a, OP0(s_barrier));
   struct amd_inst flip = OP2(v_xor_b32, V(5), AMD_LITERAL, V(4));
   flip.literal = 0x1fc;
   assemble(a, flip);
   assemble(a, OP1(ds_read_b32, V(6), V(5)));
   struct amd_inst index = OP2(s_lshl_b32, S(4), S(2), I(9)); /* 128 threads of 4 bytes */
   assemble(a, index);
   assemble(a, OP2(v_add_nc_u32, V(7), S(4), V(4)));
   assemble(a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
   assemble(a, OP2(v_lshlrev_b32, V(6), I(20), V(6)));
   assemble(a, OP2(v_or_b32, V(6), V(6), V(3)));
   struct amd_inst store = global_op(AMD_OP_global_store_dword, NONE, 7, V(6), 0);
   store.offset = 1024;
   assemble(a, store);
   assemble(a, OP0(s_endpgm));
}

static void
test_atomics_and_determinism(void **state)
{
   uint32_t *first = NULL;
   for (unsigned threads = 1; threads <= 3; threads++) {
      struct rig r;
      rig_open(&r, threads, 0);
      struct assembly a = {0};
      build_atomic(&a);
      assert_true(rig_run(&r, &a, 300, 128, true));
      assert_int_equal(r.data[0], 300 * 128);
      uint8_t *seen = calloc(300 * 128, 1);
      for (unsigned i = 0; i < 300 * 128; i++) {
         uint32_t v = r.data[256 + i];
         assert_int_equal(v >> 20, 127 - i % 128);
         assert_true((v & 0xfffff) < 300 * 128 && !seen[v & 0xfffff]);
         seen[v & 0xfffff] = 1;
      }
      free(seen);
      if (!first) {
         first = malloc(DATA_B);
         memcpy(first, r.data, DATA_B);
      }
      assert_memory_equal(first, r.data, DATA_B);
      rig_close(&r);
   }
   free(first);
}

/* What the table has and the model has not is a fault that names it. Words and text are LLVM 19's. */
static void
test_unmodelled(void **state)
{
   static const struct {
      uint32_t words[2];
      const char *text;
   } rows[] = {
      {{0xbf920003}, "s_trap 3"},
      {{0xbe802200}, "s_rfe_b64 s[0:1]"},
      {{0xbf940003}, "s_incperflevel 3"},
      {{0xbf960000}, "s_ttracedata"},
      {{0xbf970003}, "s_cbranch_cdbgsys 3"},
      {{0xbf9b0000}, "s_endpgm_saved"},
      {{0xbfa81234}, "s_ttracedata_imm 0x1234"},
      {{0xf4980040, 0xfa000012}, "s_atc_probe 1, s[0:1], 0x12"},
      {{0x7e003600}, "v_pipeflush"},
      {{0x7e008200}, "v_clrexcp"},
      {{0xd8500000}, "ds_nop"},
      {{0xd8760000}, "ds_gws_barrier v0 gds"},
      {{0xf0080108, 0x00000500}, "image_load_pck v5, v[0:1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D"},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct rig r;
      rig_open(&r, 1, 0);
      struct assembly a = {0};
      for (unsigned n = 2; n < 8; n++)
         assemble(&a, OP1(s_mov_b32, S(n), I(0)));
      assemble(&a, OP1(s_mov_b32, AMD_M0, I(0)));
      assemble(&a, OP1(v_mov_b32, V(1), I(0)));
      memcpy(a.words + a.count, rows[i].words, sizeof(rows[i].words));
      a.count += 2;
      assert_false(rig_run(&r, &a, 1, 64, true));
      assert_int_equal(r.fault.kind, SIM_FAULT_INSTRUCTION);
      if (!strstr(r.fault.message, rows[i].text))
         fail_msg("%s: %s", rows[i].text, r.fault.message);
      rig_close(&r);
   }
}

/* Random words: faults, never a crash. */
static void
test_random_code(void **state)
{
   uint64_t seed = 7;
   struct rig r;
   rig_open(&r, 1, 20000);
   for (unsigned round = 0; round < 1000; round++) {
      struct assembly a = {0};
      while (a.count < 64) {
         uint32_t words[8];
         struct amd_inst in;
         for (unsigned i = 0; i < 8; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            words[i] = (uint32_t)(seed >> 32);
         }
         unsigned size = amd_isa_decode(AMD_GFX10_3, words, 8, &in);
         if (!size && seed >> 60)
            continue;
         uint32_t flags = size ? amd_isa_op_info(AMD_GFX10_3, (enum amd_op)in.op)->flags : 0;
         bool leaves = flags & (AMD_FLAG_BRANCH | AMD_FLAG_END);
         if (leaves && seed >> 61)
            continue;
         size = size ? size : 1;
         memcpy(a.words + a.count, words, size * 4);
         a.count += size;
         assemble(&a, sopp(AMD_OP_s_waitcnt, 0)); /* or most programs end at the first poisoned register */
      }
      if (!rig_run(&r, &a, 2, 64, round & 1))
         assert_int_not_equal(r.fault.kind, SIM_FAULT_NONE);
   }
   rig_close(&r);
}

/* Mesa 26.2 writes the constant 0 into source fields that an operation lacks: the wave runs as without. */
static void
test_ignored_bits(void **state)
{
   uint32_t results[2][64];
   for (unsigned filled = 0; filled < 2; filled++) {
      struct rig r;
      struct assembly a = {0};
      rig_open(&r, 1, 0);
      struct amd_inst product = OP2(v_mul_hi_u32, V(2), AMD_LITERAL, V(1));
      product.literal = 0x89abcdef;
      assemble(&a, OP2(v_lshlrev_b32, V(1), I(24), V(0)));
      assemble(&a, product);
      a.words[a.count - 2] |= filled ? 0x80u << 18 : 0; /* src2, ahead of the literal */
      struct amd_inst copy = OP1(v_not_b32, V(3), V(2));
      copy.enc = AMD_ENC_VOP3;
      assemble(&a, copy);
      a.words[a.count - 1] |= filled ? 0x80u << 9 | 0x80u << 18 : 0;
      assemble(&a, OP2(v_lshlrev_b32, V(4), I(2), V(0)));
      assemble(&a, global_op(AMD_OP_global_store_dword, NONE, 4, V(3), 0));
      assemble(&a, OP0(s_endpgm));
      assert_true(rig_run(&r, &a, 1, 64, true));
      memcpy(results[filled], r.data, sizeof(results[0]));
      rig_close(&r);
   }
   for (uint32_t i = 0; i < 64; i++)
      assert_int_equal(results[0][i], ~(uint32_t)(0x89abcdefull * (i << 24) >> 32));
   assert_memory_equal(results[0], results[1], sizeof(results[0]));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ignored_bits),
      cmocka_unit_test(test_executable_pages),
      cmocka_unit_test(test_atomics_and_determinism),
      cmocka_unit_test(test_unmodelled),
      cmocka_unit_test(test_random_code),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
