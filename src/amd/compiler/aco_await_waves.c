/* The entry of an ordered section on GFX9 to GFX10.3 (docs/drivers/amd/pops.md; sources there): a branch and a loop
 * of scalar instructions. Until the program is emitted it is one pseudo operation, so no pass has blocks to visit for
 * it.
 *
 * COLLISION_WAVEID: 31 something overlaps, 29:28 packer (GFX9: 28), 25:16 the newest wave that overlaps, 9:0 this
 * wave. Numbers wrap at 1024. What comes before this wave is made comparable by adding ~own: the wave itself becomes
 * the largest number. GFX9 says one too little where the newest wave is greater than this one (erratum pops-wave-id).
 */
#include "amd/compiler/aco_ir.h"

/* An exit wakes all who sleep: as long as it gets. */
#define SLEEP_UNTIL_EXIT 0xffff
/* GFX9: nothing wakes them. What AMD's drivers take. */
#define SLEEP_A_WHILE 3
#define OWN_ID 0x3ff
/* s_bfe_u32: width 22:16, first bit 4:0. */
#define FIELD(first, width) ((uint32_t)(width) << 16 | (first))

struct sequence {
   enum amd_gen gen;
   bool pops_in_mode; /* struct aco_target */
   struct amd_inst *insts;
   unsigned count, size_dw;
   unsigned at_dw[ACO_AWAIT_WAVES_MAX]; /* of each instruction */
};

static struct amd_inst *
add_inst(struct sequence *s, enum amd_op op, uint16_t dst, uint16_t src0, uint16_t src1)
{
   assert(s->count < ACO_AWAIT_WAVES_MAX);
   struct amd_inst *inst = &s->insts[s->count];
   *inst = amd_inst_init(op, AMD_ENC_NONE);
   inst->dst = dst;
   inst->src[0] = src0;
   inst->src[1] = src1;
   inst->enc = (uint8_t)amd_isa_pick_encoding(s->gen, inst);
   s->at_dw[s->count++] = s->size_dw;
   s->size_dw += src1 == AMD_LITERAL ? 2 : 1;
   return inst;
}

static void
add_literal(struct sequence *s, enum amd_op op, uint16_t dst, uint16_t src0, uint32_t literal)
{
   add_inst(s, op, dst, src0, AMD_LITERAL)->literal = literal;
}

static struct amd_inst *
add_immediate(struct sequence *s, enum amd_op op, uint16_t src0, unsigned simm16)
{
   struct amd_inst *inst = add_inst(s, op, AMD_OPERAND_NONE, src0, AMD_OPERAND_NONE);
   inst->simm16 = (uint16_t)simm16;
   return inst;
}

/* Distances count from after the branch. */
static void
branch_to(struct sequence *s, const struct amd_inst *branch, unsigned target_dw)
{
   unsigned i = (unsigned)(branch - s->insts);
   s->insts[i].simm16 = (uint16_t)(target_dw - (s->at_dw[i] + 1));
}

/* MODE 25:24: a bit for each packer. */
static void
set_packer_in_mode(struct sequence *s, uint16_t collision, uint16_t value)
{
   add_literal(s, AMD_OP_s_bfe_u32, value, collision, FIELD(28, 1));
   add_inst(s, AMD_OP_s_add_u32, value, value, amd_inline_int(1));
   add_immediate(s, AMD_OP_s_setreg_b32, value, amd_hwreg(AMD_HWREG_MODE, 24, 2));
}

static void
set_packer(struct sequence *s, uint16_t collision, uint16_t value)
{
   add_literal(s, AMD_OP_s_bfe_u32, value, collision, FIELD(28, 2));
   add_inst(s, AMD_OP_s_lshl1_add_u32, value, value, amd_inline_int(1));
   /* The whole register: bit 0 enables, 2:1 packer. */
   add_immediate(s, AMD_OP_s_setreg_b32, value, amd_hwreg(AMD_HWREG_POPS_PACKER, 0, 3));
}

/* Until the wave that will leave next is younger than all that this one overlaps. Nothing of `collision` is read
 * after the first write of `exiting`, which may be the same register. Returns the branch out of the loop. */
static struct amd_inst *
poll(struct sequence *s, uint16_t collision, uint16_t offset, uint16_t newest, uint16_t exiting)
{
   add_literal(s, AMD_OP_s_bfe_u32, newest, collision, FIELD(16, 10));
   if (s->pops_in_mode) {
      add_literal(s, AMD_OP_s_and_b32, offset, collision, OWN_ID);
      add_inst(s, AMD_OP_s_cmp_gt_u32, AMD_OPERAND_NONE, newest, offset);
      add_inst(s, AMD_OP_s_addc_u32, newest, newest, AMD_INT_0);
      add_inst(s, AMD_OP_s_not_b32, offset, offset, AMD_OPERAND_NONE);
   } else
      add_literal(s, AMD_OP_s_nand_b32, offset, collision, OWN_ID);
   add_inst(s, AMD_OP_s_add_u32, newest, newest, offset);
   unsigned again_dw = s->size_dw;
   add_inst(s, AMD_OP_s_add_i32, exiting, AMD_POPS_EXITING_WAVE_ID, offset);
   add_inst(s, AMD_OP_s_cmp_lt_u32, AMD_OPERAND_NONE, newest, exiting);
   struct amd_inst *done = add_immediate(s, AMD_OP_s_cbranch_scc1, AMD_OPERAND_NONE, 0);
   add_immediate(s, AMD_OP_s_sleep, AMD_OPERAND_NONE, s->pops_in_mode ? SLEEP_A_WHILE : SLEEP_UNTIL_EXIT);
   branch_to(s, add_immediate(s, AMD_OP_s_branch, AMD_OPERAND_NONE, 0), again_dw);
   return done;
}

/* Without overlap nothing would end the wait. */
unsigned
aco_await_waves(const struct aco_program *program, const struct aco_instr *instr, struct amd_inst *insts)
{
   struct sequence s = {.gen = program->gen, .pops_in_mode = program->target->pops_in_mode, .insts = insts};
   uint16_t collision = instr->ops[0].reg, offset = program->scratch_sgpr, newest = (uint16_t)(offset + 1);
   add_inst(&s, AMD_OP_s_bitcmp1_b32, AMD_OPERAND_NONE, collision, amd_inline_int(31));
   struct amd_inst *alone = add_immediate(&s, AMD_OP_s_cbranch_scc0, AMD_OPERAND_NONE, 0);
   (s.pops_in_mode ? set_packer_in_mode : set_packer)(&s, collision, offset);
   struct amd_inst *done = poll(&s, collision, offset, newest, instr->defs[0].reg);
   branch_to(&s, alone, s.size_dw);
   branch_to(&s, done, s.size_dw);
   return s.count;
}
