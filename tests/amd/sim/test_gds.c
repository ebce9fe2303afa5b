/* The global data share: atomics of many waves, and packets that copy from and to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "stream.h"
#include "text_program.h"

enum { CODE_B = 2 << 20, OUT_B = 4 << 20, GROUPS = 9, LANES = 64, THREADS = GROUPS * LANES };

static const uint64_t out_va = UINT64_C(0x100000000) + OUT_B;

/* Each thread adds 1 at 8 of M0's 16 bytes from 32 on, and stores the old value; then adds beyond them. */
static const char counting[] = "s_mov_b32 m0, 0x200010\n"
                               "s_lshl_b32 s3, s2, 8\n"
                               "s_add_u32 s0, s0, s3\n"
                               "v_lshlrev_b32_e32 v5, 2, v0\n"
                               "v_mov_b32_e32 v1, 8\n"
                               "v_mov_b32_e32 v2, 1\n"
                               "ds_add_rtn_u32 v3, v1, v2 gds\n"
                               "v_mov_b32_e32 v4, 16\n"
                               "ds_add_u32 v4, v2 gds\n"
                               "s_waitcnt lgkmcnt(0)\n"
                               "global_store_dword v5, v3, s[0:1]\n"
                               "s_endpgm\n";

static void
copy(struct stream *s, unsigned src, unsigned dst, uint64_t from, uint64_t to)
{
   emit_packet(s, PKT3_COPY_DATA, 5,
               (const uint32_t[5]){src | dst << 8, (uint32_t)from, (uint32_t)(from >> 32), (uint32_t)to,
                                   (uint32_t)(to >> 32)});
}

static void
dispatch(struct stream *s, const char *text)
{
   write_text_program(s->memory + CODE_B, AMD_GFX10_3, true, text);
   set_reg(s, R_COMPUTE_PGM_LO, (uint32_t)((stream_base + CODE_B) >> 8));
   set_reg(s, R_COMPUTE_PGM_HI, 0);
   set_reg(s, R_COMPUTE_PGM_RSRC1, S_COMPUTE_PGM_RSRC1_VGPRS(3));
   set_reg(s, R_COMPUTE_PGM_RSRC2, S_COMPUTE_PGM_RSRC2_USER_SGPR(2) | S_COMPUTE_PGM_RSRC2_TGID_X_EN(1));
   for (unsigned i = 0; i < 3; i++)
      set_reg(s, R_COMPUTE_NUM_THREAD_X + 4 * i, i ? 1 : LANES);
   set_reg(s, R_COMPUTE_USER_DATA_0, (uint32_t)out_va);
   set_reg(s, R_COMPUTE_USER_DATA_0 + 4, (uint32_t)(out_va >> 32));
   emit_packet(s, PKT3_DISPATCH_DIRECT, 4, (const uint32_t[4]){GROUPS, 1, 1, 1});
}

static void
every_addition_counts(void **state)
{
   struct stream s = stream_create(2);
   uint32_t out[THREADS], end[2];
   bool seen[THREADS] = {false};
   copy(&s, V_COPY_SRC_IMMEDIATE, V_COPY_DST_GDS, 1000, 40);
   copy(&s, V_COPY_SRC_IMMEDIATE, V_COPY_DST_GDS, 77, 48);
   dispatch(&s, counting);
   copy(&s, V_COPY_SRC_GDS, V_COPY_DST_MEM, 40, out_va + 65536);
   copy(&s, V_COPY_SRC_GDS, V_COPY_DST_MEM, 48, out_va + 65540);
   if (!stream_run(&s))
      fail_msg("%s", s.fault.message);
   memcpy(out, s.memory + OUT_B, sizeof(out));
   memcpy(end, s.memory + OUT_B + 65536, sizeof(end));
   for (unsigned i = 0; i < THREADS; i++) {
      assert_in_range(out[i], 1000, 1000 + THREADS - 1);
      assert_false(seen[out[i] - 1000]);
      seen[out[i] - 1000] = true;
   }
   assert_int_equal(end[0], 1000 + THREADS);
   assert_int_equal(end[1], 77); /* out of M0's range */
   stream_destroy(&s);
}

static void
misuse_is_a_fault(void **state)
{
   static const char early[] = "s_mov_b32 m0, 0x100\n"
                               "ds_add_rtn_u32 v3, v0, v0 gds\n"
                               "v_mov_b32_e32 v4, v3\n"
                               "s_endpgm\n";
   struct stream s = stream_create(1);
   dispatch(&s, early);
   assert_false(stream_run(&s));
   assert_int_equal(s.fault.kind, SIM_FAULT_POISON);
   copy(&s, V_COPY_SRC_GDS, V_COPY_DST_MEM, 65536, out_va);
   assert_false(stream_run(&s));
   assert_non_null(strstr(s.fault.message, "of GDS"));
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_addition_counts),
      cmocka_unit_test(misuse_is_a_fault),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
