/* s_delay_alu of GFX11 says on which arithmetic ahead of them the next instructions depend, so that the SIMD issues
 * other waves meanwhile; without it, it stands still until the result is there. Nothing but time depends on it (RDNA
 * 3 ISA, S_DELAY_ALU). Its fields: what the next instruction depends on, how many instructions there are to a second
 * one (0: the same) and what that depends on, each of them
 *  1-4   the 1st to 4th vector instruction ahead, without transcendentals
 *  5-7   the 1st to 3rd transcendental ahead
 *  9-11  scalar instructions that are done in 1 to 3 cycles
 * Latencies, and that an instruction takes a cycle: LLVM 19, GFX11SpeedModel and AMDGPUInsertDelayAlu.cpp; there as
 * here, memory instructions and exports wait for all vector instructions themselves. An instruction that waits makes
 * those after it later, too. What comes from another block is followed only where control falls from one into the
 * next. */
#include "amd/compiler/aco_ir.h"

#include <string.h>

enum { VALU_CYCLES = 5, DOUBLE_CYCLES = 38, TRANS_CYCLES = 10, SALU_CYCLES = 2, SALU_FLOAT_CYCLES = 4 };
enum { VALU_DEPS = 4, TRANS_DEPS = 3, MOST_SALU_CYCLES = 3 };
enum { DEP_VALU = 0, DEP_TRANS = 4, DEP_SALU = 8 }; /* and the number */
#define SKIP_SHIFT 4
#define SECOND_SHIFT 7
#define MOST_SKIP 5
#define VA_VDST_SHIFT 12

enum kind {
   KIND_OTHER,
   KIND_VALU,
   KIND_TRANS,
   KIND_SALU,
   KIND_COUNT,
};

/* Who wrote a register last. */
struct writer {
   uint32_t done;   /* cycle in which the result is there */
   uint32_t number; /* of its kind */
   uint8_t kind;
};

struct delays {
   struct aco_program *program;
   struct aco_block *out;
   struct writer writers[ACO_NUM_REGS];
   uint32_t now, numbers[KIND_COUNT];
   uint32_t done[KIND_COUNT]; /* so many have been waited for */
   struct aco_instr *last;    /* s_delay_alu that has no second instruction yet */
   uint32_t last_at;          /* in the block that is made */
};

static enum kind
kind_of(const struct aco_program *program, const struct aco_instr *instr)
{
   const uint32_t encs = aco_encs(program, instr);
   if (encs & ACO_ENC_VALU) {
      const bool trans = aco_flags(program, instr) & AMD_FLAG_TRANS && aco_info(program, instr->op)->dst.size_dw == 1;
      return trans ? KIND_TRANS : KIND_VALU;
   }
   return encs & ACO_ENC_SALU & ~(1u << AMD_ENC_SOPP) ? KIND_SALU : KIND_OTHER;
}

static bool
is_float(const struct amd_operand_info *operand, unsigned size_dw)
{
   return operand->size_dw == size_dw && operand->type == (size_dw == 2 ? AMD_TYPE_F64 : AMD_TYPE_F32);
}

static unsigned
latency(const struct aco_program *program, const struct aco_instr *instr, enum kind kind)
{
   const struct amd_op_info *info = aco_info(program, instr->op);
   if (kind == KIND_SALU)
      return is_float(&info->dst, 1) || is_float(&info->src[0], 1) ? SALU_FLOAT_CYCLES : SALU_CYCLES;
   if (kind == KIND_TRANS)
      return TRANS_CYCLES;
   return is_float(&info->dst, 2) || is_float(&info->src[0], 2) ? DOUBLE_CYCLES : VALU_CYCLES;
}

/* Memory instructions and exports wait for vector instructions, as s_waitcnt_depctr may. */
static bool
waits_for_vectors(const struct aco_program *program, const struct aco_instr *instr)
{
   const uint32_t waiting = ACO_ENC_VMEM | 1u << AMD_ENC_DS | 1u << AMD_ENC_EXP;
   return aco_encs(program, instr) & waiting ||
          (instr->op == AMD_OP_s_waitcnt_depctr && !(instr->simm16 >> VA_VDST_SHIFT));
}

/* ---- what an instruction waits for ---- */

/* Of each kind the least number of instructions back, of scalar ones the most cycles left; 0: none. */
struct waits {
   uint32_t of[KIND_COUNT];
   uint32_t end; /* cycle in which all is there */
};

static void
add_wait(const struct delays *d, unsigned reg, struct waits *waits)
{
   const struct writer *w = &d->writers[reg];
   if (w->done <= d->now || w->number <= d->done[w->kind])
      return;
   uint32_t *wait = &waits->of[w->kind];
   waits->end = MAX2(waits->end, w->done);
   if (w->kind == KIND_SALU)
      *wait = MAX2(*wait, MIN2(w->done - d->now, MOST_SALU_CYCLES));
   else
      *wait = *wait ? MIN2(*wait, d->numbers[w->kind] - w->number + 1) : d->numbers[w->kind] - w->number + 1;
}

static void
add_waits(const struct delays *d, const struct aco_instr *instr, struct waits *waits)
{
   for (unsigned i = 0; i < instr->num_ops; i++) {
      const struct aco_operand *op = &instr->ops[i];
      const unsigned size_dw = MAX2(aco_rc_size_dw(op->rc), 1);
      for (unsigned k = 0; k < size_dw && (op->kind == ACO_OP_TEMP || op->kind == ACO_OP_FIXED); k++)
         add_wait(d, op->reg + k, waits);
   }
   if (instr->dual)
      add_waits(d, instr->dual, waits);
}

/* Dependencies as s_delay_alu names them; returns how many of the two there are room for. */
static unsigned
name_waits(const uint32_t *waits, uint16_t deps[2])
{
   unsigned count = 0;
   if (waits[KIND_TRANS] && waits[KIND_TRANS] <= TRANS_DEPS)
      deps[count++] = (uint16_t)(DEP_TRANS + waits[KIND_TRANS]);
   if (waits[KIND_VALU] && waits[KIND_VALU] <= VALU_DEPS)
      deps[count++] = (uint16_t)(DEP_VALU + waits[KIND_VALU]);
   if (waits[KIND_SALU] && count < 2)
      deps[count++] = (uint16_t)(DEP_SALU + waits[KIND_SALU]);
   return count;
}

/* By the second half of the last s_delay_alu, or by one of its own. */
static void
put_delay(struct delays *d, const uint16_t *deps, unsigned count)
{
   const uint32_t skip = d->last ? d->out->count - d->last_at - 1 : MOST_SKIP + 1;
   if (count == 1 && skip <= MOST_SKIP) {
      d->last->simm16 |= (uint16_t)(deps[0] << SECOND_SHIFT | skip << SKIP_SHIFT);
      d->last = NULL;
      return;
   }
   struct aco_instr *delay = aco_instr_create(d->program, AMD_OP_s_delay_alu, 0, 0);
   delay->simm16 = (uint16_t)(deps[0] | (count > 1 ? deps[1] << SECOND_SHIFT : 0));
   d->last = count == 1 ? delay : NULL;
   d->last_at = d->out->count;
   aco_block_append(d->program, d->out, delay);
}

/* ---- the state after an instruction ---- */

static void
note_results(struct delays *d, const struct aco_instr *instr, struct writer writer)
{
   for (unsigned i = 0; i < instr->num_defs; i++) {
      const struct aco_def *def = &instr->defs[i];
      for (unsigned k = 0; k < MAX2(aco_rc_size_dw(def->rc), def->fixed); k++)
         d->writers[def->reg + k] = writer;
   }
   if (instr->op == AMD_OP_v_swap_b32)
      d->writers[instr->ops[0].reg] = writer;
   if (instr->dual)
      note_results(d, instr->dual, writer);
}

static void
visit(struct delays *d, struct aco_instr *instr)
{
   const enum kind kind = kind_of(d->program, instr);
   struct waits waits = {.end = d->now};
   uint16_t deps[2];
   if (kind != KIND_OTHER)
      add_waits(d, instr, &waits);
   const unsigned count = name_waits(waits.of, deps);
   if (count)
      put_delay(d, deps, count);
   d->now = waits.end; /* with s_delay_alu or without */
   for (unsigned k = KIND_VALU; k <= KIND_TRANS && waits_for_vectors(d->program, instr); k++)
      d->done[k] = d->numbers[k];
   struct writer writer = {.kind = (uint8_t)kind, .number = ++d->numbers[kind]};
   writer.done = kind == KIND_OTHER ? 0 : d->now + latency(d->program, instr, kind);
   note_results(d, instr, writer);
   d->now++;
   aco_block_append(d->program, d->out, instr);
}

void
aco_insert_delays(struct aco_program *program)
{
   if (!aco_info(program, AMD_OP_s_delay_alu)->encs)
      return;
   struct delays *d = arena_new(program->arena, struct delays);
   d->program = program;
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b], out = {0};
      const struct aco_edges *preds = &block->linear_preds;
      if (preds->count != 1 || preds->at[0]->index + 1 != b)
         memset(d->writers, 0, sizeof(d->writers));
      d->out = &out;
      d->last = NULL;
      for (unsigned i = 0; i < block->count; i++)
         visit(d, block->instrs[i]);
      aco_block_take(block, &out);
   }
}
