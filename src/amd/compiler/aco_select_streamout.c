/* Stream output by programs of GFX11: registers of the geometry engine that waves add to, and the order in which
 * subgroups do. What such an instruction did is there before the next one: the order is the point. Source: RDNA 3
 * ISA, DS_ADD_GS_REG_RTN; public compilers' use of DS_ORDERED_COUNT, by the number of the subgroup in M0. */
#include "amd/compiler/aco_select.h"

/* OFFSET1 of DS_ORDERED_COUNT: bit 0 passes the turn on, bit 1 says that this was the last of the wave. */
enum { PASSES_ON = 3 << 8 };

static void
wait(struct isel *c)
{
   isel_emit(c, AMD_OP_s_waitcnt, 0, 0)->side_effects = true;
}

/* Without a result that anybody reads. */
static void
ordered_count(struct isel *c, struct aco_operand number, int32_t offset)
{
   struct aco_instr *move = isel_emit(c, AMD_OP_s_mov_b32, 1, 1);
   move->ops[0] = isel_as_s(c, number, 1);
   isel_fixed_result(move, AMD_M0);
   struct aco_operand zero = isel_as_v(c, k(0), 1);
   struct aco_instr *count = isel_emit(c, AMD_OP_ds_ordered_count, 1, 3);
   count->ops[0] = zero;
   count->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
   count->offset = offset;
   count->gds = count->side_effects = true;
   wait(c);
}

/* What was there; 64-bit registers: its low half. */
static void
select_counter_add(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand value = isel_as_v(c, isel_src(c, &intr->src[0], 0), 1), parts[2];
   struct aco_instr *instr = isel_emit(c, AMD_OP_ds_add_gs_reg_rtn, 1, 3);
   instr->ops[1] = value;
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, aco_rc_v(2)), .rc = aco_rc_v(2)};
   instr->offset = 4 * nir_intrinsic_base(intr);
   instr->gds = instr->side_effects = true;
   struct aco_operand old = isel_result(c, instr, 0);
   wait(c);
   isel_split(c, old, 2, parts);
   isel_set(c, &intr->def, 0, parts[0]);
}

bool
isel_streamout(struct isel *c, struct nir_intrinsic_instr *intr)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_await_subgroups_amd:
      wait(c);
      ordered_count(c, isel_src(c, &intr->src[0], 0), 0);
      return true;
   case NIR_INTRINSIC_release_subgroups_amd:
      ordered_count(c, isel_src(c, &intr->src[0], 0), PASSES_ON);
      return true;
   case NIR_INTRINSIC_add_gs_register_amd:
      select_counter_add(c, intr);
      return true;
   default: /* others: of other families */
      return false;
   }
}
