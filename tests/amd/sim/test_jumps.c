/* Jumps into programs that lie elsewhere, as parts of shaders that were compiled separately do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "stream.h"
#include "text_program.h"

enum { CODE_B = 2 << 20, SECOND_B = (2 << 20) + 4096, OUT_B = 4 << 20, GROUPS = 300, LANES = 64 };

/* s[0:1]: where to store; s[2:3]: the second program; s4: group. v5: byte of the thread. A store and a load are on
 * their way when it leaves. */
static const char first[] = "s_lshl_b32 s5, s4, 9\n"
                            "s_add_u32 s0, s0, s5\n"
                            "v_lshlrev_b32_e32 v5, 3, v0\n"
                            "v_add_nc_u32_e32 v1, 100, v0\n"
                            "global_store_dword v5, v1, s[0:1]\n"
                            "global_load_dword v2, v5, s[0:1] offset:4\n"
                            "s_cmp_eq_u32 s4, s4\n"
                            "s_setpc_b64 s[2:3]\n"
                            "s_endpgm\n";
/* Adds what the first one has loaded. */
static const char second[] = "s_cbranch_scc0 end\n"
                             "s_waitcnt vmcnt(0)\n"
                             "v_add_nc_u32_e32 v2, v2, v1\n"
                             "global_store_dword v5, v2, s[0:1] offset:4\n"
                             "end:\n"
                             "s_endpgm\n";

static void
dispatch(struct stream *s, uint64_t second_va)
{
   const uint32_t user[4] = {(uint32_t)(stream_base + OUT_B), (uint32_t)(stream_base >> 32), (uint32_t)second_va,
                             (uint32_t)(second_va >> 32)};
   write_text_program(s->memory + CODE_B, AMD_GFX10_3, true, first);
   write_text_program(s->memory + SECOND_B, AMD_GFX10_3, true, second);
   set_reg(s, R_COMPUTE_PGM_LO, (uint32_t)((stream_base + CODE_B) >> 8));
   set_reg(s, R_COMPUTE_PGM_HI, 0);
   set_reg(s, R_COMPUTE_PGM_RSRC1, S_COMPUTE_PGM_RSRC1_VGPRS(3));
   set_reg(s, R_COMPUTE_PGM_RSRC2, S_COMPUTE_PGM_RSRC2_USER_SGPR(4) | S_COMPUTE_PGM_RSRC2_TGID_X_EN(1));
   for (unsigned i = 0; i < 3; i++)
      set_reg(s, R_COMPUTE_NUM_THREAD_X + 4 * i, i ? 1 : LANES);
   for (unsigned i = 0; i < 4; i++)
      set_reg(s, R_COMPUTE_USER_DATA_0 + 4 * i, user[i]);
   emit_packet(s, PKT3_DISPATCH_DIRECT, 4, (const uint32_t[4]){GROUPS, 1, 1, 1});
}

static void
registers_and_memory_go_along(void **state)
{
   for (unsigned threads = 1; threads <= 2; threads++) {
      struct stream s = stream_create(threads);
      uint32_t *out = (uint32_t *)(s.memory + OUT_B);
      for (uint32_t i = 0; i < GROUPS * LANES; i++)
         out[2 * i + 1] = 7 * i;
      dispatch(&s, stream_base + SECOND_B);
      if (!stream_run(&s))
         fail_msg("%s", s.fault.message);
      for (uint32_t i = 0; i < GROUPS * LANES; i++) {
         assert_int_equal(out[2 * i], 100 + i % LANES);
         assert_int_equal(out[2 * i + 1], 7 * i + 100 + i % LANES);
      }
      stream_destroy(&s);
   }
}

static void
nowhere_is_a_fault(void **state)
{
   struct stream s = stream_create(1);
   dispatch(&s, UINT64_C(0x7700000000));
   assert_false(stream_run(&s));
   assert_int_equal(s.fault.kind, SIM_FAULT_ADDRESS);
   assert_non_null(strstr(s.fault.message, "jump to where no executable memory is"));
   assert_non_null(strstr(s.fault.message, "s_setpc_b64"));
   stream_destroy(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_and_memory_go_along),
      cmocka_unit_test(nowhere_is_a_fault),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
