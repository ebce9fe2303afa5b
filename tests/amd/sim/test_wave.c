/* The wave interpreter: programs built here, expectations computed in C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/sim/cp/dispatch.h"
#include "asm.h"
#include "sim/pool.h"
#include "util/macros.h"

#define CODE_VA 0x800000000000ull /* sign-extended */
#define DATA_VA 0x100000000ull
#define HIGH_VA 0xffff800100000000ull /* the data once more */
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
   assert_true(sim_vm_map(r->vm, sim_va(HIGH_VA), DATA_B, r->data, SIM_READ | SIM_WRITE));
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
      .rsrc1 = 31 | 0xf0 << 12 | 1 << 21 | 1 << 23, .rsrc2 = 2 << 1 | 1 << 7 | 16 << 15,
      .num_thread = {threads, 1, 1}, .dim = {groups, 1, 1}, .initiator = 1 | (uint32_t)wave32 << 15,
      .user_data = {(uint32_t)DATA_VA, (uint32_t)(DATA_VA >> 32)},
   };
   r->fault = (struct sim_fault){0};
   return amd_sim_dispatch(r->engine, r->vm, &d, &r->fault);
}

/* out[i] = in[i] * 3.0 + 1.0 for every thread. */
static void
test_load_compute_store(void **state)
{
   for (unsigned w32 = 0; w32 < 2; w32++) {
      struct rig r;
      rig_open(&r, 2, 0);
      struct assembly a = {0};
      float *f = (float *)r.data;
      for (unsigned i = 0; i < 1024; i++)
         f[i] = (float)i * 0.5f;
      struct amd_inst lit = OP2(s_mul_i32, S(4), S(2), AMD_LITERAL);
      lit.literal = 128;
      assemble(&a, lit);
      assemble(&a, OP2(v_add_nc_u32, V(1), S(4), V(0)));
      assemble(&a, OP2(v_lshlrev_b32, V(1), I(2), V(1)));
      assemble(&a, global_op(AMD_OP_global_load_dword, V(2), 1, NONE, 0));
      assemble(&a, sopp(AMD_OP_s_waitcnt, WAIT_VM));
      struct amd_inst three = OP2(v_mul_f32, V(3), AMD_LITERAL, V(2));
      three.literal = 0x40400000;
      assemble(&a, three);
      assemble(&a, OP2(v_add_f32, V(3), AMD_FLOAT_1, V(3)));
      struct amd_inst store = global_op(AMD_OP_global_store_dword, NONE, 1, V(3), 0);
      store.offset = 0;
      assemble(&a, store);
      assemble(&a, OP0(s_endpgm));
      assert_true(rig_run(&r, &a, 8, 128, w32));
      for (unsigned i = 0; i < 1024; i++)
         assert_true(f[i] == (float)i * 0.5f * 3.0f + 1.0f);
      rig_close(&r);
   }
}

static void
test_poison(void **state)
{
   struct rig r;
   rig_open(&r, 1, 0);
   struct assembly a = {0};
   assemble(&a, OP1(v_mov_b32, V(1), I(0)));
   assemble(&a, global_op(AMD_OP_global_load_dword, V(2), 1, NONE, 0));
   assemble(&a, OP2(v_add_f32, V(3), V(2), V(2)));
   assemble(&a, OP0(s_endpgm));
   assert_false(rig_run(&r, &a, 1, 64, true));
   assert_int_equal(r.fault.kind, SIM_FAULT_POISON);
   assert_non_null(strstr(r.fault.message, "v_add_f32_e32 v3, v2, v2"));
   rig_close(&r);
}

/* Invalidates are in no counter: a wait that leaves one operation out leaves the load out. */
static void
test_invalidates_do_not_count(void **state)
{
   static const enum amd_op ops[] = {AMD_OP_buffer_gl0_inv, AMD_OP_buffer_gl1_inv};
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(ops); i++) {
      struct rig r;
      rig_open(&r, 1, 0);
      struct assembly a = {0};
      assemble(&a, OP1(v_mov_b32, V(1), I(0)));
      assemble(&a, global_op(AMD_OP_global_load_dword, V(2), 1, NONE, 0));
      assemble(&a, amd_inst_init(ops[i / 2], AMD_ENC_MUBUF));
      assemble(&a, sopp(AMD_OP_s_waitcnt, i % 2 ? WAIT_VM : WAIT_VM + 1));
      assemble(&a, OP2(v_add_f32, V(3), V(2), V(2)));
      assemble(&a, OP0(s_endpgm));
      assert_int_equal(rig_run(&r, &a, 1, 64, true), i % 2);
      assert_int_equal(r.fault.kind, i % 2 ? SIM_FAULT_NONE : SIM_FAULT_POISON);
      rig_close(&r);
   }
}

static void
test_hang_and_bad_code(void **state)
{
   struct rig r;
   rig_open(&r, 1, 100000);
   struct assembly a = {0};
   assemble(&a, sopp(AMD_OP_s_branch, 0xffff));
   assert_false(rig_run(&r, &a, 1, 64, true));
   assert_int_equal(r.fault.kind, SIM_FAULT_HANG);
   a.count = 0;
   a.words[a.count++] = 0xffffffff;
   assert_false(rig_run(&r, &a, 1, 64, true));
   assert_int_equal(r.fault.kind, SIM_FAULT_INSTRUCTION);
   a.count = 0;
   assemble(&a, OP1(v_mov_b32, V(1), AMD_INT_0));
   struct amd_inst load = inst(AMD_OP_global_load_dword, V(2), V(4), NONE, NONE);
   assemble(&a, OP1(v_mov_b32, V(4), I(0)));
   assemble(&a, OP1(v_mov_b32, V(5), I(0)));
   assemble(&a, load);
   assemble(&a, OP0(s_endpgm));
   assert_false(rig_run(&r, &a, 1, 64, true));
   assert_int_equal(r.fault.kind, SIM_FAULT_ADDRESS);
   rig_close(&r);
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

/* Every group adds to one counter and takes a ticket; LDS reverses the group's threads behind a barrier. */
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

/* Without GLC an atomic returns nothing: v0, which its encoding names, stays and may be used at once. */
static void
test_atomic_without_result(void **state)
{
   struct rig r;
   rig_open(&r, 1, 0);
   struct assembly a = {0};
   uint32_t *words = (uint32_t *)r.data;
   memset(words, 0, 2048);
   assemble(&a, OP2(v_lshlrev_b32, V(1), I(2), V(0)));
   assemble(&a, OP1(v_mov_b32, V(2), I(5)));
   assemble(&a, global_op(AMD_OP_global_atomic_add, NONE, 1, V(2), 0));
   struct amd_inst store = global_op(AMD_OP_global_store_dword, NONE, 1, V(0), 0);
   store.offset = 1024;
   assemble(&a, store);
   assemble(&a, OP0(s_endpgm));
   assert_true(rig_run(&r, &a, 1, 64, true));
   for (unsigned i = 0; i < 64; i++)
      assert_true(words[i] == 5 && words[256 + i] == i);
   rig_close(&r);
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

/* A loop with divergent exits: v3 = sum of 0..lane. */
static void
test_control_flow(void **state)
{
   struct rig r;
   rig_open(&r, 1, 0);
   struct assembly a = {0};
   assemble(&a, OP1(v_mov_b32, V(1), I(0)));
   assemble(&a, OP1(v_mov_b32, V(3), I(0)));
   assemble(&a, OP1(s_mov_b64, S(6), AMD_EXEC_LO));
   unsigned top = a.count;
   assemble(&a, OP2(v_add_nc_u32, V(3), V(1), V(3)));
   assemble(&a, OP2(v_add_nc_u32, V(1), I(1), V(1)));
   assemble(&a, OP2(v_cmpx_le_u32, NONE, V(1), V(0)));
   assemble(&a, sopp(AMD_OP_s_cbranch_execnz, (uint16_t)(top - a.count - 1)));
   assemble(&a, OP1(s_mov_b64, AMD_EXEC_LO, S(6)));
   assemble(&a, OP2(v_lshlrev_b32, V(2), I(2), V(0)));
   assemble(&a, global_op(AMD_OP_global_store_dword, NONE, 2, V(3), 0));
   assemble(&a, OP0(s_endpgm));
   assert_true(rig_run(&r, &a, 1, 64, false));
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(r.data[i], i * (i + 1) / 2);
   rig_close(&r);
}

/* LDS: pairs, strided pairs, 64 bits, atomics with and without return. Lane l works on bytes 32l .. 32l + 31. */
static void
test_lds(void **state)
{
   struct rig r;
   rig_open(&r, 1, 0);
   struct assembly a = {0};
   assemble(&a, OP2(v_lshlrev_b32, V(1), I(5), V(0)));
   assemble(&a, OP2(v_add_nc_u32, V(2), I(10), V(0)));
   assemble(&a, OP2(v_add_nc_u32, V(3), I(20), V(0)));
   struct amd_inst write2 = OP3(ds_write2_b32, NONE, V(1), V(2), V(3));
   write2.offset = 1 | 3 << 8; /* dwords 1 and 3 */
   assemble(&a, write2);
   struct amd_inst wide = OP2(ds_write_b64, NONE, V(1), V(2));
   wide.offset = 16; /* dwords 4 and 5: v2, v3 */
   assemble(&a, wide);
   struct amd_inst add = OP2(ds_add_u32, NONE, V(1), V(3));
   add.offset = 4;
   assemble(&a, add);
   struct amd_inst take_max = OP2(ds_max_rtn_i32, V(4), V(1), V(0));
   take_max.offset = 12;
   assemble(&a, take_max);
   struct amd_inst bytes = OP2(ds_write_b8, NONE, V(1), V(2));
   bytes.offset = 17;
   assemble(&a, bytes);
   struct amd_inst read2 = OP1(ds_read2_b64, V(6), V(1));
   read2.offset = 0 | 2 << 8; /* dwords 0, 1 and 4, 5 */
   assemble(&a, read2);
   assemble(&a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
   assemble(&a, OP2(v_lshlrev_b32, V(10), I(4), V(0)));
   struct amd_inst store = global_op(AMD_OP_global_store_dwordx4, NONE, 10, V(6), 0);
   assemble(&a, store);
   store = global_op(AMD_OP_global_store_dword, NONE, 10, V(4), 0);
   assemble(&a, store); /* over dword 0, which was never written */
   assemble(&a, OP0(s_endpgm));
   assert_true(rig_run(&r, &a, 1, 64, true));
   for (unsigned l = 0; l < 64; l++) {
      const uint32_t *d = &r.data[4 * l];
      assert_int_equal(d[0], l + 20);                                  /* ds_max returns what was there */
      assert_int_equal(d[1], l + 10 + l + 20);                         /* after ds_add */
      assert_int_equal(d[2], ((l + 10) & 0xffff00ff) | (l + 10) << 8); /* byte 1 replaced */
      assert_int_equal(d[3], l + 20);
   }
   rig_close(&r);
}

/* Counters in LDS: append and consume by active lanes, at M0[31:16] + offset; wrap in one place, lane after lane. */
static void
test_lds_counters(void **state)
{
   struct rig r;
   rig_open(&r, 1, 0);
   struct assembly a = {0};
   struct amd_inst m0 = OP1(s_mov_b32, AMD_M0, AMD_LITERAL), zero = OP2(ds_write_b32, NONE, V(1), V(2));
   m0.literal = 16u << 16 | 0xffff;
   zero.offset = 20;
   assemble(&a, m0);
   assemble(&a, OP1(v_mov_b32, V(1), I(0)));
   assemble(&a, OP1(v_mov_b32, V(2), I(50)));
   assemble(&a, zero); /* dword 5 = 50 */
   assemble(&a, OP2(ds_write_b32, NONE, V(1), V(1)));
   struct amd_inst append = OP0(ds_append), consume = OP0(ds_consume), again = OP0(ds_append);
   append.dst = V(3), consume.dst = V(4), again.dst = V(5);
   append.offset = consume.offset = again.offset = 4;
   assemble(&a, append);                                 /* 50 -> 50 + 32 */
   assemble(&a, OP1(s_mov_b32, AMD_EXEC_LO, I(7)));      /* three lanes */
   assemble(&a, consume);                                /* 82 -> 79 */
   assemble(&a, OP1(s_mov_b32, AMD_EXEC_LO, I(-1)));
   assemble(&a, again);                                  /* 79 */
   assemble(&a, OP1(v_mov_b32, V(6), I(3)));
   assemble(&a, OP1(v_mov_b32, V(7), I(10)));
   assemble(&a, OP3(ds_wrap_rtn_b32, V(6), V(1), V(6), V(7))); /* 0, 10, 7, 4, 1, 11, 8, 5, 2, 12 ... */
   assemble(&a, sopp(AMD_OP_s_waitcnt, WAIT_ALL));
   assemble(&a, OP2(v_lshlrev_b32, V(10), I(4), V(0)));
   assemble(&a, global_op(AMD_OP_global_store_dwordx4, NONE, 10, V(3), 0));
   assemble(&a, OP0(s_endpgm));
   assert_true(rig_run(&r, &a, 1, 32, true));
   for (unsigned l = 0, counter = 0; l < 32; l++) {
      const uint32_t *d = &r.data[4 * l];
      assert_int_equal(d[0], 50);
      if (l < 3)
         assert_int_equal(d[1], 82);
      assert_int_equal(d[2], 79);
      assert_int_equal(d[3], counter);
      counter = counter < 3 ? counter + 10 : counter - 3;
   }
   rig_close(&r);
}

/* Typed buffer access: four unorm bytes to floats and back, with swapped components. */
static void
test_buffer_format(void **state)
{
   struct rig r;
   rig_open(&r, 1, 0);
   for (unsigned i = 0; i < 64; i++)
      r.data[i] = 0x01000000 * (i * 4) + 0x10000 * i + 0x100 * (255 - i) + 7;
   struct assembly a = {0};
   struct amd_inst stride = OP2(s_or_b32, S(9), AMD_LITERAL, S(1)), format = OP1(s_mov_b32, S(11), AMD_LITERAL);
   stride.literal = 4 << 16;
   format.literal = 56 << 12 | 6 | 5 << 3 | 4 << 6 | 7 << 9 | 1u << 28; /* 8_8_8_8 unorm, z y x w, structured */
   assemble(&a, OP1(s_mov_b32, S(8), S(0)));
   assemble(&a, stride);
   assemble(&a, OP1(s_mov_b32, S(10), I(64)));
   assemble(&a, format);
   struct amd_inst load = OP3(buffer_load_format_xyzw, V(4), V(0), S(8), I(0));
   load.idxen = true;
   assemble(&a, load);
   assemble(&a, sopp(AMD_OP_s_waitcnt, WAIT_VM));
   assemble(&a, OP2(v_lshlrev_b32, V(1), I(4), V(0)));
   struct amd_inst store = global_op(AMD_OP_global_store_dwordx4, NONE, 1, V(4), 0);
   store.offset = 1024;
   assemble(&a, store);
   assemble(&a, OP0(s_endpgm));
   assert_true(rig_run(&r, &a, 1, 64, false));
   for (unsigned i = 0; i < 64; i++) {
      const float *f = (const float *)&r.data[256 + 4 * i];
      assert_true(f[0] == (float)i / 255.0f && f[1] == (float)(255 - i) / 255.0f);
      assert_true(f[2] == 7 / 255.0f && f[3] == (float)(i * 4 & 255) / 255.0f);
   }
   rig_close(&r);
}

/* A descriptor that is not of a buffer, where one is expected; nobody minds if it has no records. */
static void
test_descriptor_type(void **state)
{
   struct rig r;
   rig_open(&r, 1, 0);
   for (unsigned i = 0; i < 4; i++) {
      bool scalar = i & 1, empty = i & 2;
      struct assembly a = {0};
      struct amd_inst type = OP1(s_mov_b32, S(11), AMD_LITERAL);
      type.literal = 22 << 12 | 2u << 30;
      assemble(&a, OP1(s_mov_b64, S(8), S(0)));
      assemble(&a, OP1(s_mov_b32, S(10), I(empty ? 0 : 64)));
      assemble(&a, type);
      assemble(&a, scalar ? OP2(s_buffer_load_dword, S(12), S(8), AMD_NULL)
                          : OP3(buffer_load_dword, V(1), NONE, S(8), I(0)));
      assemble(&a, OP0(s_endpgm));
      assert_int_equal(rig_run(&r, &a, 1, 64, false), empty);
      if (!empty)
         assert_non_null(strstr(r.fault.message, "descriptor of TYPE 2"));
   }
   rig_close(&r);
}

/* A wave sees its own store before any wait, and d16 loads keep the other half. */
static void
test_own_stores(void **state)
{
   struct rig r;
   rig_open(&r, 2, 0);
   struct assembly a = {0};
   assemble(&a, OP2(v_lshlrev_b32, V(1), I(2), V(0)));
   assemble(&a, OP2(v_mul_u32_u24, V(2), I(33), V(0)));
   assemble(&a, global_op(AMD_OP_global_store_dword, NONE, 1, V(2), 0));
   assemble(&a, OP1(v_mov_b32, V(3), I(-1)));
   assemble(&a, global_op(AMD_OP_global_load_short_d16_hi, V(3), 1, NONE, 0));
   assemble(&a, sopp(AMD_OP_s_waitcnt, WAIT_VM));
   struct amd_inst store = global_op(AMD_OP_global_store_dword, NONE, 1, V(3), 0);
   store.offset = 1024;
   assemble(&a, store);
   assemble(&a, OP0(s_endpgm));
   assert_true(rig_run(&r, &a, 1, 64, false));
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(r.data[256 + i], (i * 33) << 16 | 0xffff);
   rig_close(&r);
}

/* A descriptor holds 48 bits of an address and a register 64: it is the same one. Both ways, so a wave sees its own
 * store. */
static void
test_high_addresses(void **state)
{
   for (unsigned through_buffer = 0; through_buffer < 2; through_buffer++) {
      struct rig r;
      rig_open(&r, 1, 0);
      struct assembly a = {0};
      struct amd_inst high = OP1(s_mov_b32, S(1), AMD_LITERAL), word1 = OP1(s_mov_b32, S(9), AMD_LITERAL);
      struct amd_inst word3 = OP1(s_mov_b32, S(11), AMD_LITERAL);
      high.literal = HIGH_VA >> 32;
      word1.literal = HIGH_VA >> 32 & 0xffff;
      word3.literal = 22 << 12 | 3 << 28; /* OOB_SELECT: bytes */
      assemble(&a, high);
      assemble(&a, OP1(s_mov_b32, S(8), S(0)));
      assemble(&a, word1);
      assemble(&a, OP1(s_mov_b32, S(10), I(64)));
      assemble(&a, word3);
      assemble(&a, OP1(v_mov_b32, V(1), I(0)));
      assemble(&a, OP1(v_mov_b32, V(2), I(33)));
      struct amd_inst store = OP3(buffer_store_dword, NONE, NONE, S(8), I(0));
      store.src[3] = V(2);
      if (through_buffer) {
         assemble(&a, global_op(AMD_OP_global_store_dword, NONE, 1, V(2), 0));
         assemble(&a, OP3(buffer_load_dword, V(3), NONE, S(8), I(0)));
      } else {
         assemble(&a, store);
         assemble(&a, global_op(AMD_OP_global_load_dword, V(3), 1, NONE, 0));
      }
      assemble(&a, sopp(AMD_OP_s_waitcnt, WAIT_VM));
      struct amd_inst result = global_op(AMD_OP_global_store_dword, NONE, 1, V(3), 0);
      result.offset = 4;
      assemble(&a, result);
      assemble(&a, OP0(s_endpgm));
      if (!rig_run(&r, &a, 1, 1, true))
         fail_msg("%s", r.fault.message);
      assert_int_equal(r.data[1], 33);
      rig_close(&r);
   }
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
      {{0xb0801234}, "s_version 0x1234"},
      {{0xbf940003}, "s_incperflevel 3"},
      {{0xbf960000}, "s_ttracedata"},
      {{0xbf970003}, "s_cbranch_cdbgsys 3"},
      {{0xbf9b0000}, "s_endpgm_saved"},
      {{0xbfa81234}, "s_ttracedata_imm 0x1234"},
      {{0xf4980040, 0xfa000012}, "s_atc_probe 1, s[0:1], 0x12"},
      {{0x7e003600}, "v_pipeflush"},
      {{0x7e008200}, "v_clrexcp"},
      {{0xd75a0005, 0x04020141}, "v_interp_p2_f16 v5, v0, attr1.y, v0 high"},
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_load_compute_store), cmocka_unit_test(test_poison),
      cmocka_unit_test(test_invalidates_do_not_count),
      cmocka_unit_test(test_hang_and_bad_code),  cmocka_unit_test(test_executable_pages),
      cmocka_unit_test(test_atomic_without_result),
      cmocka_unit_test(test_atomics_and_determinism),
      cmocka_unit_test(test_control_flow),       cmocka_unit_test(test_lds),
      cmocka_unit_test(test_lds_counters),
      cmocka_unit_test(test_buffer_format),      cmocka_unit_test(test_descriptor_type),
      cmocka_unit_test(test_own_stores),         cmocka_unit_test(test_high_addresses),
      cmocka_unit_test(test_unmodelled),         cmocka_unit_test(test_random_code),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
