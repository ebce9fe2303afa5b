/* Waits: s_waitcnt before an instruction that touches a register with an outstanding memory operation. Each counter
 * counts operations in flight; those of one kind end in order, scalar loads in any order (RDNA 2 ISA, "Manually
 * Inserted Wait States", S_WAITCNT). A score numbers the operations of a counter since the start of the block
 * sequence. */
#include <string.h>

#include "amd/compiler/aco_ir.h"

#define NUM_REGS 512

enum counter {
   COUNTER_VM,   /* vector loads, sampling, returning atomics: write VGPRs */
   COUNTER_LGKM, /* LDS in order; scalar loads, messages and answers to them in any order */
   COUNTER_EXP,  /* exports read VGPRs; LDSDIR writes them, in order but for exports */
   COUNTER_VS,   /* stores: no registers */
   COUNTER_COUNT,
};

struct state {
   uint16_t issued[COUNTER_COUNT], done[COUNTER_COUNT]; /* scores: outstanding are (done, issued] */
   uint16_t smem;                                       /* score of the newest scalar load or message */
   uint16_t exported, loaded;                           /* of the newest export, and of LDSDIR */
   uint16_t score[3][NUM_REGS];                         /* of the operation on the register, 0 none */
};

struct waits {
   struct aco_program *program;
   unsigned counter_max[COUNTER_COUNT];
   unsigned first[2], end[2]; /* registers that matter: scalar, vector */
   struct state now;
   struct state *in;
   bool *reached;
   struct aco_block *out; /* what becomes of the block being visited */
};

/* ---- merging at joins ---- */

static unsigned
outstanding(const struct state *s, unsigned counter)
{
   return s->issued[counter] - s->done[counter];
}

/* Score in the numbering of `to`, whose newest operation is `issued`. */
static uint16_t
shifted(const struct state *from, unsigned counter, uint16_t score, unsigned issued)
{
   return score > from->done[counter] ? (uint16_t)(issued - (from->issued[counter] - score)) : 0;
}

/* Of a member that is a score. True if into's was older. */
static bool
merge_newest(const struct state *into, const struct state *from, unsigned counter, size_t member,
             struct state *result)
{
   uint16_t scores[2];
   memcpy(&scores[0], (const char *)into + member, sizeof(scores[0]));
   memcpy(&scores[1], (const char *)from + member, sizeof(scores[1]));
   uint16_t a = shifted(into, counter, scores[0], result->issued[counter]);
   uint16_t newest = MAX2(a, shifted(from, counter, scores[1], result->issued[counter]));
   memcpy((char *)result + member, &newest, sizeof(newest));
   return newest > a;
}

/* into |= from; the older of two operations on a register counts as the later one. True if into became stricter. */
static bool
merge(struct waits *w, struct state *into, const struct state *from)
{
   bool changed = false;
   struct state result = {.smem = 0};
   for (unsigned n = 0; n < COUNTER_COUNT; n++) {
      unsigned most = MAX2(outstanding(into, n), outstanding(from, n));
      changed |= most > outstanding(into, n);
      result.issued[n] = (uint16_t)most;
   }
   changed |= merge_newest(into, from, COUNTER_LGKM, offsetof(struct state, smem), &result);
   changed |= merge_newest(into, from, COUNTER_EXP, offsetof(struct state, exported), &result);
   changed |= merge_newest(into, from, COUNTER_EXP, offsetof(struct state, loaded), &result);
   for (unsigned n = 0; n < 3; n++) {
      for (unsigned file = 0; file < 2 && result.issued[n]; file++) {
         for (unsigned r = w->first[file]; r < w->end[file]; r++) {
            uint16_t a = shifted(into, n, into->score[n][r], result.issued[n]);
            uint16_t b = shifted(from, n, from->score[n][r], result.issued[n]);
            result.score[n][r] = MAX2(a, b);
            changed |= result.score[n][r] > a;
         }
      }
   }
   *into = result;
   return changed;
}

/* ---- waiting ---- */

static const enum counter waitcnt_counters[AMD_WAIT_COUNT] = {
   [AMD_WAIT_VM] = COUNTER_VM, [AMD_WAIT_EXP] = COUNTER_EXP, [AMD_WAIT_LGKM] = COUNTER_LGKM};

struct need {
   unsigned left[COUNTER_COUNT]; /* how many may stay outstanding; above counter_max: no wait */
};

static void
need_register(const struct state *s, struct need *need, unsigned reg, bool write)
{
   for (unsigned n = 0; n < 3; n++) {
      uint16_t score = s->score[n][reg];
      bool loads = n == COUNTER_EXP && s->loaded > s->done[n]; /* or only exports, which read */
      if (score <= s->done[n] || (n == COUNTER_EXP && !write && !loads))
         continue;
      unsigned left = s->issued[n] - score;
      if (n == COUNTER_LGKM && s->smem > s->done[n])
         left = 0; /* they overtake each other and LDS */
      if (loads && s->exported > s->done[n])
         left = 0;
      need->left[n] = MIN2(need->left[n], left);
   }
}

static uint16_t
encode_waitcnt(enum amd_gen gen, const unsigned *left)
{
   unsigned limited[AMD_WAIT_COUNT];
   for (unsigned n = 0; n < AMD_WAIT_COUNT; n++)
      limited[n] = MIN2(left[waitcnt_counters[n]], amd_isa_wait_max(gen, (enum amd_wait)n));
   return amd_isa_waitcnt(gen, limited);
}

static void
wait(struct waits *w, const struct need *need)
{
   bool any = false;
   for (unsigned n = 0; n < COUNTER_COUNT; n++) {
      if (need->left[n] >= outstanding(&w->now, n))
         continue;
      w->now.done[n] = (uint16_t)(w->now.issued[n] - need->left[n]);
      any |= n != COUNTER_VS;
      if (n == COUNTER_VS) {
         struct aco_instr *instr = aco_instr_create(w->program, AMD_OP_s_waitcnt_vscnt, 0, 1);
         instr->ops[0] = aco_op_fixed(AMD_NULL);
         instr->simm16 = (uint16_t)need->left[n];
         aco_block_append(w->program, w->out, instr);
      }
   }
   if (any) {
      struct aco_instr *instr = aco_instr_create(w->program, AMD_OP_s_waitcnt, 0, 0);
      instr->simm16 = encode_waitcnt(w->program->gen, need->left);
      aco_block_append(w->program, w->out, instr);
   }
}

/* ---- instructions ---- */

static unsigned
operand_size(const struct aco_operand *op)
{
   return MAX2(aco_rc_size_dw(op->rc), 1);
}

/* Exports read their operands later, and so does what goes to GDS. */
static void
issue_export(struct state *s, const struct aco_instr *instr)
{
   s->exported = ++s->issued[COUNTER_EXP];
   for (unsigned i = 0; i < instr->num_ops; i++) {
      if (instr->ops[i].kind == ACO_OP_TEMP || instr->ops[i].kind == ACO_OP_FIXED)
         s->score[COUNTER_EXP][instr->ops[i].reg] = s->exported;
   }
}

static void
issue(struct waits *w, const struct aco_instr *instr, uint32_t flags, uint32_t encs)
{
   struct state *s = &w->now;
   bool returns = instr->num_defs && instr->defs[0].rc;
   int counter = -1, stores = w->program->target->vscnt_max ? COUNTER_VS : COUNTER_VM;
   if (flags & AMD_FLAG_EXPCNT) {
      counter = COUNTER_EXP;
   } else if (flags & AMD_FLAG_LGKMCNT && !(encs & ACO_ENC_VMEM)) {
      counter = COUNTER_LGKM;
   } else if (encs & ACO_ENC_VMEM) {
      if (flags & AMD_FLAG_ATOMIC)
         counter = returns ? COUNTER_VM : stores;
      else if (flags & AMD_FLAG_VMCNT)
         counter = COUNTER_VM;
      else if (flags & AMD_FLAG_VSCNT)
         counter = stores;
   }
   if (instr->gds || (counter == COUNTER_EXP && !instr->num_defs))
      issue_export(s, instr);
   if (counter < 0 || (counter == COUNTER_EXP && !instr->num_defs))
      return;
   uint16_t score = ++s->issued[counter];
   if (counter == COUNTER_LGKM && encs & (1u << AMD_ENC_SMEM | 1u << AMD_ENC_SOP1 | 1u << AMD_ENC_SOPP))
      s->smem = score;
   if (counter == COUNTER_VS)
      return;
   if (counter == COUNTER_EXP)
      s->loaded = score;
   for (unsigned i = 0; i < instr->num_defs; i++) {
      for (unsigned k = 0; k < aco_rc_size_dw(instr->defs[i].rc); k++)
         s->score[counter][instr->defs[i].reg + k] = score;
   }
}

static void
keep(uint16_t *score, uint16_t done, uint16_t now)
{
   if (*score > done && *score <= now)
      *score = (uint16_t)(now + 1);
}

/* Where more may be outstanding than a counter can count, the oldest go with the oldest that it counts. That the
 * hardware stalls before it loses count is not said anywhere, nor do LLVM and ACO rely on it. */
static void
saturate(struct waits *w, unsigned counter)
{
   struct state *s = &w->now;
   if (outstanding(s, counter) <= w->counter_max[counter])
      return;
   const uint16_t done = s->done[counter], now = (uint16_t)(s->issued[counter] - w->counter_max[counter]);
   s->done[counter] = now;
   for (unsigned file = 0; file < 2 && counter != COUNTER_VS; file++) {
      for (unsigned r = w->first[file]; r < w->end[file]; r++)
         keep(&s->score[counter][r], done, now);
   }
   if (counter == COUNTER_LGKM)
      keep(&s->smem, done, now);
   if (counter == COUNTER_EXP) {
      keep(&s->exported, done, now);
      keep(&s->loaded, done, now);
   }
}

static bool
is_marker(const struct aco_instr *instr)
{
   return instr->op == AMD_OP_s_waitcnt || instr->op == AMD_OP_s_waitcnt_vscnt;
}

static void
visit(struct waits *w, struct aco_instr *instr)
{
   struct need need = {{1000, 1000, 1000, 1000}};
   uint32_t flags = aco_flags(w->program, instr), encs = aco_encs(w->program, instr);
   if (is_marker(instr)) { /* wait for everything of these counters */
      for (unsigned n = 0; n < COUNTER_COUNT; n++) {
         if ((n == COUNTER_VS) == (instr->op == AMD_OP_s_waitcnt_vscnt) && n != COUNTER_EXP)
            need.left[n] = 0;
      }
      wait(w, &need);
      return;
   }
   for (unsigned i = 0; i < instr->num_ops; i++) {
      const struct aco_operand *op = &instr->ops[i];
      if (op->kind != ACO_OP_TEMP && op->kind != ACO_OP_FIXED)
         continue;
      for (unsigned k = 0; k < operand_size(op) && op->reg + k < NUM_REGS; k++)
         need_register(&w->now, &need, op->reg + k, instr->op == AMD_OP_v_swap_b32);
   }
   for (unsigned i = 0; i < instr->num_defs; i++) {
      const struct aco_def *def = &instr->defs[i];
      for (unsigned k = 0; k < aco_rc_size_dw(def->rc); k++)
         need_register(&w->now, &need, def->reg + k, true);
   }
   /* EXPCNT has three bits, and nobody says that more operations stall. */
   if (flags & AMD_FLAG_EXPCNT && outstanding(&w->now, COUNTER_EXP) == w->counter_max[COUNTER_EXP])
      need.left[COUNTER_EXP] = MIN2(need.left[COUNTER_EXP], w->counter_max[COUNTER_EXP] - 1);
   wait(w, &need);
   issue(w, instr, flags, encs);
   for (unsigned n = 0; n < COUNTER_COUNT; n++)
      saturate(w, n);
   aco_block_append(w->program, w->out, instr);
}

/* *out: the block's instructions with their waits. True if a back edge made the state before its loop stricter. */
static bool
visit_block(struct waits *w, const struct aco_block *block, struct aco_block *out)
{
   w->now = w->in[block->index];
   w->out = out;
   out->count = 0;
   for (unsigned i = 0; i < block->count; i++)
      visit(w, block->instrs[i]);
   bool again = false;
   for (unsigned i = 0; i < block->linear_succs.count; i++) {
      unsigned index = block->linear_succs.at[i]->index;
      bool first = !w->reached[index];
      w->reached[index] = true;
      bool changed = true;
      if (first)
         w->in[index] = w->now;
      else
         changed = merge(w, &w->in[index], &w->now);
      again |= changed && index <= block->index;
   }
   return again;
}

void
aco_insert_waits(struct aco_program *program)
{
   struct waits *w = arena_new(program->arena, struct waits);
   w->program = program;
   for (unsigned n = 0; n < AMD_WAIT_COUNT; n++)
      w->counter_max[waitcnt_counters[n]] = amd_isa_wait_max(program->gen, (enum amd_wait)n);
   w->counter_max[COUNTER_VS] = program->target->vscnt_max;
   w->end[0] = AMD_VCC_HI + 1;
   w->first[1] = AMD_VGPR0;
   w->end[1] = AMD_VGPR0 + program->used_vgprs;
   w->in = arena_array(program->arena, struct state, program->num_blocks);
   w->reached = arena_array(program->arena, bool, program->num_blocks);
   struct aco_block *outputs = arena_array(program->arena, struct aco_block, program->num_blocks);
   /* States only get stricter; a back edge that makes its header stricter costs another round. */
   for (bool again = true; again;) {
      again = false;
      for (unsigned b = 0; b < program->num_blocks; b++)
         again |= visit_block(w, program->blocks[b], &outputs[b]);
   }
   for (unsigned b = 0; b < program->num_blocks; b++)
      aco_block_take(program->blocks[b], &outputs[b]);
}
