/* Instruction hazards of GFX10.1: each is a fault there, none is with what LLVM 19 puts between
 * (GCNHazardRecognizer.cpp), and GFX10.3 has none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "asm.h"
#include "hazard_rig.h"

static void
expect_hazard(const char *chip, const char *hazard, const struct amd_inst *insts, unsigned count)
{
   struct assembly a = {.count = 0};
   struct sim_fault fault = {0};
   for (unsigned i = 0; i < count; i++)
      assemble(&a, insts[i]);
   for (unsigned i = 0; i < 80; i++)
      assemble(&a, sopp(AMD_OP_s_nop, 0));
   assemble(&a, OP0(s_endpgm));
   memcpy(rig.code, a.words, a.count * 4);
   bool ok = hazard_rig_run(chip, 32, &fault);
   if (ok != !hazard || (hazard && !strstr(fault.message, hazard)))
      fail_msg("%s: expected %s, got %s", chip, hazard ? hazard : "none", ok ? "none" : fault.message);
}

static struct amd_inst
vscnt_0(void)
{
   return OP1(s_waitcnt_vscnt, NONE, AMD_NULL);
}

/* A first instruction, a second, and what makes it safe or does not. */
static void
check(const char *hazard, struct amd_inst first, struct amd_inst second, const struct amd_inst *helps,
      unsigned num_helps, struct amd_inst helps_not)
{
   struct amd_inst insts[3] = {first, second};
   expect_hazard("navi10", hazard, insts, 2);
   expect_hazard("navi21", NULL, insts, 2);
   insts[2] = second;
   insts[1] = helps_not;
   expect_hazard("navi10", hazard, insts, 3);
   for (unsigned i = 0; i < num_helps; i++) {
      insts[1] = helps[i];
      expect_hazard("navi10", NULL, insts, 3);
   }
}

static void
scalar_write_after_memory(void **state)
{
   const struct amd_inst nop = sopp(AMD_OP_s_nop, 0), wait = sopp(AMD_OP_s_waitcnt, WAIT_VM);
   const struct amd_inst load = global_op(AMD_OP_global_load_dword, V(2), 0, NONE, 0);
   const struct amd_inst store = global_op(AMD_OP_global_store_dword, NONE, 0, V(1), 0);
   const struct amd_inst lds = OP2(ds_write_b32, NONE, V(0), V(1));
   const struct amd_inst depctr = sopp(AMD_OP_s_waitcnt_depctr, 0xffe3), vector = OP1(v_mov_b32, V(3), I(1));
   const struct amd_inst for_load[] = {wait, depctr, vector}, for_store[] = {vscnt_0(), depctr, vector};
   const struct amd_inst for_lds[] = {sopp(AMD_OP_s_waitcnt, WAIT_LGKM), depctr, vector};
   for (unsigned reg = 0; reg < 2; reg++) {
      const struct amd_inst write = OP1(s_mov_b32, S(reg), I(3));
      check("vmem-scalar-write", load, write, for_load, 3, nop);
      check("vmem-scalar-write", store, write, for_store, 3, nop);
   }
   const struct amd_inst exec = OP1(s_mov_b32, AMD_EXEC_LO, I(-1));
   check("vmem-scalar-write", load, exec, for_load, 3, nop);
   check("vmem-scalar-write", lds, exec, for_lds, 3, nop);
   /* Registers that nobody reads. */
   const struct amd_inst other[] = {load, OP1(s_mov_b32, S(2), I(3))};
   expect_hazard("navi10", NULL, other, 2);
}

static void
vector_write_after_scalar_load(void **state)
{
   struct amd_inst load = OP2(s_load_dword, S(8), S(0), AMD_NULL);
   const struct amd_inst helps[] = {OP1(s_mov_b32, AMD_NULL, I(0)), sopp(AMD_OP_s_waitcnt, WAIT_LGKM)};
   for (unsigned reg = 0; reg < 2; reg++)
      check("smem-vector-write", load, OP1(v_readfirstlane_b32, S(reg), V(1)), helps, 2, sopp(AMD_OP_s_nop, 0));
}

static void
branch_between_lds_and_memory(void **state)
{
   const struct amd_inst branch = sopp(AMD_OP_s_branch, 0);
   const struct amd_inst memory[2] = {global_op(AMD_OP_global_load_dword, V(2), 0, NONE, 0),
                                      OP2(ds_write_b32, NONE, V(0), V(1))};
   for (unsigned i = 0; i < 2; i++) {
      struct amd_inst insts[4] = {memory[i], branch, memory[!i]};
      expect_hazard("navi10", "lds-branch-vmem-war", insts, 3);
      expect_hazard("navi21", NULL, insts, 3);
      insts[2] = vscnt_0();
      insts[3] = memory[!i];
      expect_hazard("navi10", NULL, insts, 4);
      const struct amd_inst last_is_alike[] = {memory[i], memory[!i], branch, memory[!i]};
      expect_hazard("navi10", NULL, last_is_alike, 4);
      const struct amd_inst last_differs[] = {memory[i], memory[!i], branch, memory[i]};
      expect_hazard("navi10", "lds-branch-vmem-war", last_differs, 4);
      const struct amd_inst straight[] = {memory[i], memory[!i]}, alike[] = {memory[i], branch, memory[i]};
      expect_hazard("navi10", NULL, straight, 2);
      expect_hazard("navi10", NULL, alike, 3);
   }
}

static void
branches_of_one_length(void **state)
{
   for (unsigned offset = 0x3d; offset < 0x42; offset++) {
      const struct amd_inst branch = sopp(AMD_OP_s_branch, offset);
      expect_hazard("navi10", offset == 0x3f ? "branch-offset-3f" : NULL, &branch, 1);
      expect_hazard("navi21", NULL, &branch, 1);
   }
}

static void
position_of_no_lane(void **state)
{
   struct amd_inst position = amd_inst_init(AMD_OP_exp, AMD_ENC_EXP), valid;
   position.exp_target = 12;
   position.exp_en = 15;
   for (unsigned i = 0; i < 4; i++)
      position.src[i] = V(1);
   valid = position;
   valid.exp_vm = true;
   struct amd_inst parameter = position;
   parameter.exp_target = 32;
   const struct amd_inst off = OP1(s_mov_b32, AMD_EXEC_LO, I(0)), on = OP1(s_mov_b32, AMD_EXEC_LO, I(1));
   const struct amd_inst without[] = {off, position}, with[] = {off, valid}, other[] = {off, parameter};
   const struct amd_inst lanes[] = {on, position};
   expect_hazard("navi10", "pos0-vm", without, 2);
   expect_hazard("navi10", NULL, with, 2);
   expect_hazard("navi10", NULL, other, 2);
   expect_hazard("navi10", NULL, lanes, 2);
   expect_hazard("navi21", NULL, without, 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(scalar_write_after_memory), cmocka_unit_test(vector_write_after_scalar_load),
      cmocka_unit_test(branch_between_lds_and_memory), cmocka_unit_test(branches_of_one_length),
      cmocka_unit_test(position_of_no_lane)};
   return cmocka_run_group_tests(tests, hazard_rig_create, hazard_rig_destroy);
}
