/* VOPD: two vector operations in one instruction, of which neither sees the other's result (RDNA 3 ISA, "Dual Issue
 * VALU"; waves of 32 lanes only). What a pair may be is for the encoder to say: operations, banks of registers, one
 * even and one odd result, scalar values. After the waits and ahead of the hazards, whose distances count
 * instructions.
 *
 * Each operation looks for the next one that it may be paired with. Either the later one moves up to it or it moves
 * down, over what neither reads their results nor writes what they read or write. Over a wait, nothing moves up: it
 * may be what the operation waits for. */
#include "amd/compiler/aco_ir.h"

#include <string.h>

#include "util/mutant.h"

#define WINDOW 12
#define MAX_FORMS 6

/* A way to write an operation that a half of a pair may have. */
struct form {
   struct aco_instr instr;
   struct aco_operand ops[3];
};

struct forms {
   struct form at[MAX_FORMS];
   unsigned count;
};

static bool
is_plain(const struct aco_instr *instr)
{
   return !instr->neg && !instr->abs && !instr->opsel && !instr->omod && !instr->clamp && !instr->dpp &&
          !instr->vop3p && !instr->dual && !instr->side_effects && instr->num_defs == 1 &&
          instr->num_ops <= ARRAY_SIZE(((struct form *)0)->ops);
}

static bool
is_reg(const struct aco_operand *op, unsigned reg)
{
   return (op->kind == ACO_OP_TEMP || op->kind == ACO_OP_FIXED) && op->reg == reg;
}

static void
add_form(const struct aco_program *program, struct forms *forms, const struct aco_instr *instr, unsigned op,
         const struct aco_operand *a, const struct aco_operand *b, const struct aco_operand *c)
{
   /* size: an instruction and its operands */
   const struct aco_operand *const ops[] = {a, b, c};
   const struct amd_op_info *info = aco_info(program, op);
   struct form *form = &forms->at[forms->count];
   if (!(info->encs & ACO_ENC_PAIR))
      return;
   for (unsigned i = 0; i < info->src_count; i++) { /* masks are VCC there */
      const unsigned class = info->src[i].cls;
      if ((class == AMD_CLASS_VGPR && !amd_is_vgpr(ops[i]->reg)) ||
          (class == AMD_CLASS_MASK && !is_reg(ops[i], AMD_VCC_LO)))
         return;
   }
   *form = (struct form){.instr = *instr};
   form->instr.op = (uint16_t)op;
   form->instr.tied = info->flags & AMD_FLAG_READS_DST;
   form->instr.ops = form->ops;
   for (unsigned i = 0; i < instr->num_ops; i++)
      form->ops[i] = *ops[i];
   forms->count++;
}

/* a * b + c: with the sum in c's place, or with a literal. */
static void
add_fma_forms(const struct aco_program *program, struct forms *forms, const struct aco_instr *instr)
{
   const struct aco_operand *c = &instr->ops[2];
   for (unsigned swap = 0; swap < 2; swap++) {
      const struct aco_operand *a = &instr->ops[swap], *b = &instr->ops[!swap];
      if (is_reg(c, instr->defs[0].reg))
         add_form(program, forms, instr, AMD_OP_v_fmac_f32, a, b, c);
      if (c->kind == ACO_OP_CONST)
         add_form(program, forms, instr, AMD_OP_v_fmaak_f32, a, b, c);
      if (b->kind == ACO_OP_CONST)
         add_form(program, forms, instr, AMD_OP_v_fmamk_f32, a, b, c);
   }
}

static void
find_forms(const struct aco_program *program, const struct aco_instr *instr, struct forms *forms)
{
   const uint32_t encs = aco_encs(program, instr);
   forms->count = 0;
   if (!(encs & ACO_ENC_VALU) || !is_plain(instr))
      return;
   if (instr->op == AMD_OP_v_fma_f32) {
      add_fma_forms(program, forms, instr);
   } else if (encs & ACO_ENC_PAIR) {
      const struct amd_op_info *info = aco_info(program, instr->op);
      const struct aco_operand *ops = instr->ops;
      add_form(program, forms, instr, instr->op, &ops[0], &ops[1], &ops[2]);
      if (info->flags & AMD_FLAG_COMMUTES)
         add_form(program, forms, instr, info->commuted, &ops[1], &ops[0], &ops[2]);
   }
}

static bool
encodes(const struct aco_program *program, struct form *first, struct form *second)
{
   struct amd_inst inst;
   uint32_t words[AMD_INST_MAX_DW];
   unsigned size;
   first->instr.dual = &second->instr;
   const bool fits = aco_hw_instr(program, &first->instr, &inst) && amd_isa_encode(program->gen, &inst, words, &size);
   first->instr.dual = NULL;
   return fits;
}

static struct aco_instr *
made_of(struct aco_program *program, const struct form *form)
{
   struct aco_instr *instr = aco_instr_create(program, form->instr.op, 1, form->instr.num_ops);
   struct aco_operand *ops = instr->ops;
   struct aco_def *defs = instr->defs;
   memcpy(ops, form->ops, form->instr.num_ops * sizeof(*ops));
   *defs = form->instr.defs[0];
   *instr = form->instr;
   instr->ops = ops;
   instr->defs = defs;
   return instr;
}

static bool
is_vgpr(const struct aco_operand *op)
{
   return (op->kind == ACO_OP_TEMP || op->kind == ACO_OP_FIXED) && amd_is_vgpr(op->reg);
}

/* vopd-interlock (docs/errata.md): of two first sources, or two second ones, that are both even or both odd VGPRs,
 * one may be read before its result is there. The encoder asks for different ones of four banks only. */
static bool
loses_interlock(const struct form *first, const struct form *second)
{
   bool loses = false;
   for (unsigned i = 0; i < MIN2(2, MIN2(first->instr.num_ops, second->instr.num_ops)); i++) {
      const struct aco_operand *x = &first->ops[i], *y = &second->ops[i];
      loses |= is_vgpr(x) && is_vgpr(y) && x->reg % 2 == y->reg % 2 && !mutant("pairs-unlocked");
   }
   return loses;
}

/* The two as one instruction, or NULL. */
static struct aco_instr *
pair_of(struct aco_program *program, struct forms *a, struct forms *b)
{
   for (unsigned i = 0; i < a->count * b->count * 2; i++) {
      struct form *first = &a->at[i / 2 / b->count], *second = &b->at[i / 2 % b->count];
      if (i & 1) {
         second = first;
         first = &b->at[i / 2 % b->count];
      }
      const bool may = aco_encs(program, &first->instr) & 1u << AMD_ENC_VOPD &&
                       aco_encs(program, &second->instr) & 1u << AMD_ENC_VOPDY;
      if (!may || loses_interlock(first, second) || !encodes(program, first, second))
         continue;
      struct aco_instr *pair = made_of(program, first);
      pair->dual = made_of(program, second);
      return pair;
   }
   return NULL;
}

/* Registers of what stands between the two. */
struct between {
   BITSET_DECLARE(read, ACO_NUM_REGS);
   BITSET_DECLARE(written, ACO_NUM_REGS);
   bool waits;
};

static bool
reads_any(const struct aco_instr *instr, const bitset_word *regs)
{
   bool any = false;
   for (unsigned i = 0; i < instr->num_ops; i++) {
      const struct aco_operand *op = &instr->ops[i];
      any |= (op->kind == ACO_OP_TEMP || op->kind == ACO_OP_FIXED) && bitset_test(regs, op->reg);
   }
   return any;
}

static bool
moves_over(const struct aco_instr *instr, const struct between *between)
{
   const unsigned result = instr->defs[0].reg;
   return !reads_any(instr, between->written) && !bitset_test(between->read, result) &&
          !bitset_test(between->written, result);
}

static bool
reads_reg(const struct aco_instr *instr, unsigned reg)
{
   for (unsigned i = 0; i < instr->num_ops; i++) {
      if (is_reg(&instr->ops[i], reg))
         return true;
   }
   return false;
}

/* Nothing moves over it. */
static bool
is_fixed(const struct aco_program *program, const struct aco_instr *instr)
{
   return aco_is_pseudo(instr) || aco_flags(program, instr) & (AMD_FLAG_WRITES_EXEC | AMD_FLAG_END) ||
          (instr->num_defs && (instr->defs[0].reg == AMD_EXEC_LO || instr->defs[0].reg == AMD_EXEC_HI));
}

/* Puts the instruction at `at` and one after it together; what is gone becomes NULL. */
static void
find_partner(struct aco_program *program, struct aco_block *block, unsigned at)
{
   struct aco_instr *first = block->instrs[at];
   struct forms forms, seconds;
   struct between between = {.waits = false};
   unsigned left = WINDOW;
   find_forms(program, first, &forms);
   for (unsigned i = at + 1; forms.count && left && i < block->count; i++) {
      struct aco_instr *second = block->instrs[i];
      if (!second)
         continue;
      if (is_fixed(program, second))
         return;
      find_forms(program, second, &seconds);
      if (seconds.count && (first->defs[0].reg ^ second->defs[0].reg) & 1 && !reads_reg(second, first->defs[0].reg)) {
         const bool up = !between.waits && moves_over(second, &between), down = moves_over(first, &between);
         struct aco_instr *pair = up || down ? pair_of(program, &forms, &seconds) : NULL;
         if (pair) {
            block->instrs[up ? i : at] = NULL;
            block->instrs[up ? at : i] = pair;
            return;
         }
      }
      aco_add_reads(program, second, between.read);
      aco_add_writes(program, second, between.written);
      between.waits |= aco_flags(program, second) & AMD_FLAG_BARRIER && second->op != AMD_OP_s_clause;
      left--;
   }
}

void
aco_pair(struct aco_program *program)
{
   if (program->wave_size != 32 || !(aco_info(program, AMD_OP_v_mov_b32)->encs & ACO_ENC_PAIR))
      return;
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      unsigned count = 0;
      for (unsigned i = 0; i < block->count; i++) {
         if (block->instrs[i])
            find_partner(program, block, i);
      }
      for (unsigned i = 0; i < block->count; i++) {
         if (block->instrs[i])
            block->instrs[count++] = block->instrs[i];
      }
      block->count = count;
   }
   program->has_pairs = true;
}
