/* Another program where one has run: which one the next job runs. On GFX9 the instruction caches keep the old one
 * until they are told; from GFX10 on the start of a buffer tells them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#include "stream.h"
#include "text_program.h"
#include "util/macros.h"

enum { CODE_B = 2 << 20, OUT_B = 4 << 20, GROUPS = 240 /* more than a chip has compute units */ };
enum way { NOTHING, SYNC_FLAG, ACQUIRE, WAYS };

static const uint64_t code_va = UINT64_C(0x200000000), out_va = UINT64_C(0x100000000) + OUT_B;
static const char *const chips[] = {"vega10", "raven", "navi10", "navi21", "navi31", "gfx1150"};

static void
write_program(uint8_t *at, enum amd_gen gen, unsigned value)
{
   char text[160];
   snprintf(text, sizeof(text),
            "v_mov_b32_e32 v0, 0\nv_mov_b32_e32 v1, %u\nglobal_store_dword v0, v1, s[0:1]\ns_endpgm\n", value);
   write_text_program(at, gen, true, text);
}

static void
acquire_code(struct stream *s, enum amd_gen gen)
{
   if (gen == AMD_GFX9)
      emit_packet(s, PKT3_ACQUIRE_MEM, 6,
                  (const uint32_t[6]){S_ACQUIRE_MEM_COHER_CNTL_SH_ICACHE_ACTION_ENA(1), UINT32_MAX, 0xff, 0, 0, 10});
   else
      emit_packet(s, PKT3_ACQUIRE_MEM, 7,
                  (const uint32_t[7]){0, UINT32_MAX, 0xff, 0, 0, 10, S_ACQUIRE_MEM_GCR_CNTL_GLI_INV(V_GLI_ALL)});
}

static void
run_stream(struct stream *s, enum amd_gen gen, enum way way)
{
   if (way == ACQUIRE)
      acquire_code(s, gen);
   set_reg(s, R_COMPUTE_PGM_LO, (uint32_t)(code_va >> 8));
   set_reg(s, R_COMPUTE_PGM_HI, (uint32_t)(code_va >> 40));
   set_reg(s, R_COMPUTE_PGM_RSRC1, S_COMPUTE_PGM_RSRC1_VGPRS(3) | S_COMPUTE_PGM_RSRC1_SGPRS(3));
   set_reg(s, R_COMPUTE_PGM_RSRC2, S_COMPUTE_PGM_RSRC2_USER_SGPR(2));
   for (unsigned i = 0; i < 3; i++)
      set_reg(s, R_COMPUTE_NUM_THREAD_X + 4 * i, 1);
   set_reg(s, R_COMPUTE_USER_DATA_0, (uint32_t)out_va);
   set_reg(s, R_COMPUTE_USER_DATA_0 + 4, (uint32_t)(out_va >> 32));
   emit_packet(s, PKT3_DISPATCH_DIRECT, 4, (const uint32_t[4]){GROUPS, 1, 1, 1});
   const struct amd_sim_ib ib = {.va = sim_va(stream_base), .size_dw = s->count_dw, .sync_memory = way == SYNC_FLAG};
   s->count_dw = 0;
   if (!amd_sim_run(s->sim, s->vm, &ib, 1, &s->fault))
      fail_msg("%s", s->fault.message);
}

/* The other program is written over the first one, or other memory is mapped there. */
static void
new_code(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(chips) * WAYS * 2; i++) {
      const struct amd_chip *chip = amd_chip_by_name(chips[i / (WAYS * 2)]);
      const enum way way = i / 2 % WAYS;
      struct stream s = stream_create_on(chip->name, 1);
      uint8_t *first = s.memory + CODE_B, *second = i % 2 ? first + 65536 : first;
      uint32_t out;
      write_program(first, chip->gen, 1);
      sim_vm_map(s.vm, sim_va(code_va), 4096, first, SIM_READ | SIM_EXECUTE);
      run_stream(&s, chip->gen, NOTHING);
      write_program(second, chip->gen, 2);
      if (second != first) {
         sim_vm_unmap(s.vm, sim_va(code_va), 4096);
         sim_vm_map(s.vm, sim_va(code_va), 4096, second, SIM_READ | SIM_EXECUTE);
      }
      run_stream(&s, chip->gen, way);
      memcpy(&out, s.memory + OUT_B, 4);
      if (out != (chip->gen == AMD_GFX9 && way == NOTHING ? 1u : 2u))
         fail_msg("%s, way %u, %s: program %u ran", chip->name, way, i % 2 ? "mapped" : "written", out);
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(new_code)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
