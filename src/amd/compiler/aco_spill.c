/* Spilling: brings the number of live registers under the limits. A spilled value is stored after its definition and
 * loaded anew before every use: scalar ones in lanes of reserved VGPRs, vector ones in scratch memory. A spilled phi
 * becomes stores at the ends of the predecessors. Rounds repeat until everything fits; values made here stay. */
#include "amd/compiler/aco_ir.h"
#include "compiler/backend/spill_candidates.h"

#include <string.h>

#define MAX_ROUNDS 24
#define MIN_RESERVED_VGPRS 12 /* for scalar slots, when there are any */
#define MAX_RESERVED_VGPRS 64
#define KEPT_VGPRS 40       /* for aco_preserve_lanes() */
#define MAX_OFFSETS 64
#define ALIGNMENT_SLACK 4   /* scalar registers that aligned vectors may leave unused */

struct spiller {
   struct aco_program *program;
   bool vector;
   unsigned limit;
   uint32_t first_new; /* temps from here on were made by spilling and may not be spilled */
   float *weight;      /* uses, by loop depth */
   uint32_t *slot;     /* by temp: slot + 1, 0: not spilled */
   uint32_t *live;     /* by temp of the class: the last block whose walk has it live + 1 */
   struct spill_candidates candidates;
   /* Temps made in sections with all lanes: a slot in memory is of the active lanes only; the EXEC around sections
    * without helpers: aco_lower_copies.c wants it in its register. */
   bitset_word *pinned;
   struct aco_block out;                          /* the instructions of the block so far */
   struct aco_operand desc, soffset[MAX_OFFSETS]; /* one for each reach_B() of a lane's scratch, made when needed */
   struct aco_instr *last_offset;                 /* what made the last of them, or the V# */
   /* From here on what arrives in registers can be stored: scratch is there, helpers run. */
   const struct aco_instr *ready;
};

static bool
is_phi(const struct aco_instr *instr)
{
   return instr->op == ACO_P_PHI || instr->op == ACO_P_LINEAR_PHI;
}

static bool
is_spilled(const struct spiller *s, uint32_t temp)
{
   return temp < s->first_new && s->slot[temp];
}

/* ---- choosing ---- */

static void
weigh(struct spiller *s)
{
   struct aco_program *program = s->program;
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      static const float by_depth[5] = {1, 8, 64, 512, 4096};
      float weight = by_depth[MIN2(block->loop_depth, 4)];
      for (unsigned i = 0; i < block->count; i++) {
         for (unsigned k = 0; k < block->instrs[i]->num_ops; k++) {
            if (block->instrs[i]->ops[k].kind == ACO_OP_TEMP)
               s->weight[block->instrs[i]->ops[k].value] += weight;
         }
         for (unsigned k = 0; k < block->instrs[i]->num_defs; k++)
            s->weight[block->instrs[i]->defs[k].temp] += weight;
      }
   }
}

static bool
touches(const struct aco_instr *instr, uint32_t temp)
{
   if (!instr || is_phi(instr))
      return false;
   for (unsigned i = 0; i < instr->num_ops; i++) {
      if (instr->ops[i].kind == ACO_OP_TEMP && instr->ops[i].value == temp)
         return true;
   }
   for (unsigned i = 0; i < instr->num_defs; i++) {
      if (instr->defs[i].temp == temp)
         return true;
   }
   return false;
}

/* What the offset of a buffer instruction reaches; after it, slots need an soffset of their own. */
static uint32_t
reach_B(const struct aco_program *program)
{
   const struct aco_target *target = program->target;
   return (uint32_t)(target->scratch_instrs ? target->scratch.max_B : target->mubuf.max_B) + 1;
}

static void
give_slot(struct spiller *s, uint32_t temp)
{
   struct aco_program *program = s->program;
   uint32_t reach = reach_B(program);
   spill_candidates_remove(&s->candidates, temp);
   unsigned size = aco_rc_size_dw(program->temp_rc[temp]);
   if (s->vector) {
      if (program->scratch_B % reach + 4 * size > reach)
         program->scratch_B = (uint32_t)align_up(program->scratch_B, reach);
      s->slot[temp] = program->scratch_B + 1;
      program->scratch_B += 4 * size;
      program->spill_v_slots += size;
   } else {
      s->slot[temp] = program->spill_s_slots + 1;
      program->spill_s_slots += size;
   }
}

static void
pin(struct spiller *s)
{
   struct aco_program *program = s->program;
   s->pinned = arena_array(program->arena, bitset_word, BITSET_WORDS(program->num_temps));
   for (unsigned b = 0; b < program->num_blocks; b++) {
      bool inside = false;
      for (unsigned i = 0; i < program->blocks[b]->count; i++) {
         const struct aco_instr *instr = program->blocks[b]->instrs[i];
         for (unsigned k = 0; k < instr->num_defs && (inside || instr->drops_helpers); k++) {
            if (instr->defs[k].temp)
               bitset_set(s->pinned, instr->defs[k].temp);
         }
         inside ^= instr->preserves_lanes;
      }
   }
}

/* What may go, by the weight of its uses for each register that it takes. */
static void
order_candidates(struct spiller *s)
{
   struct aco_program *program = s->program;
   float *cost = arena_array(program->arena, float, s->first_new);
   for (uint32_t temp = 1; temp < s->first_new; temp++) {
      const aco_rc rc = program->temp_rc[temp];
      const bool stays = aco_rc_is_v(rc) != s->vector || bitset_test(s->pinned, temp) || temp == s->desc.value ||
                         temp == s->soffset[0].value;
      cost[temp] = stays ? -1 : s->weight[temp] / (float)aco_rc_size_dw(rc);
   }
   spill_candidates_begin(&s->candidates, program->arena, cost, s->first_new);
}

/* Spills the cheapest of the live values that the instruction does not touch. Returns its size, 0 if none is left. */
static unsigned
spill_one(struct spiller *s, const struct aco_instr *instr)
{
   spill_candidates_for_each(temp, &s->candidates) {
      if (touches(instr, temp))
         continue;
      give_slot(s, temp);
      return aco_rc_size_dw(s->program->temp_rc[temp]);
   }
   return 0;
}

/* The size of what becomes live and is in registers; 0 if it was live. */
static unsigned
start_living(struct spiller *s, const struct aco_block *block, uint32_t temp)
{
   if (s->live[temp] == block->index + 1)
      return 0;
   s->live[temp] = block->index + 1;
   if (is_spilled(s, temp))
      return 0;
   if (temp < s->first_new)
      spill_candidates_add(&s->candidates, temp);
   return aco_rc_size_dw(s->program->temp_rc[temp]);
}

/* The size of what was live in registers and ends. */
static unsigned
stop_living(struct spiller *s, const struct aco_block *block, uint32_t temp)
{
   if (s->live[temp] != block->index + 1)
      return 0;
   s->live[temp] = 0;
   if (temp < s->first_new)
      spill_candidates_remove(&s->candidates, temp);
   return is_spilled(s, temp) ? 0 : aco_rc_size_dw(s->program->temp_rc[temp]);
}

static bool
relieve(struct spiller *s, unsigned *now, unsigned extra, const struct aco_instr *instr)
{
   bool any = false;
   while (*now + extra > s->limit) {
      unsigned freed = spill_one(s, instr);
      if (!freed)
         break;
      *now -= MIN2(freed, *now);
      any = true;
   }
   return any;
}

/* Walks a block backwards and spills where too much is live. */
static bool
choose_in_block(struct spiller *s, struct aco_block *block)
{
   struct aco_program *program = s->program;
   unsigned now = 0;
   spill_candidates_clear(&s->candidates);
   live_for_each(temp, &program->live, live_out(&program->live, block->index)) {
      if (aco_rc_is_v(program->temp_rc[temp]) == s->vector)
         now += start_living(s, block, temp);
   }
   bool any = relieve(s, &now, 0, NULL);
   for (unsigned i = block->count; i-- > 0;) {
      struct aco_instr *instr = block->instrs[i];
      unsigned results = 0, reloads = 0;
      for (unsigned k = 0; k < instr->num_defs; k++) {
         const struct aco_def *def = &instr->defs[k];
         if (!def->temp || aco_rc_is_v(def->rc) != s->vector)
            continue;
         now -= stop_living(s, block, def->temp);
         results += aco_rc_size_dw(def->rc);
      }
      if (is_phi(instr)) {
         now += results; /* all phis of a block are live at once */
         if (now > s->limit && instr->defs[0].temp < s->first_new && s->slot[instr->defs[0].temp] == 0 && results) {
            give_slot(s, instr->defs[0].temp);
            any = true;
         }
         if (results && is_spilled(s, instr->defs[0].temp))
            now -= results;
         continue;
      }
      any |= relieve(s, &now, results, instr);
      for (unsigned k = 0; k < instr->num_ops; k++) {
         const struct aco_operand *op = &instr->ops[k];
         if (op->kind != ACO_OP_TEMP || aco_rc_is_v(op->rc) != s->vector)
            continue;
         if (is_spilled(s, op->value))
            reloads += aco_rc_size_dw(op->rc);
         now += start_living(s, block, op->value);
      }
      any |= relieve(s, &now, reloads, instr);
   }
   return any;
}

/* ---- rewriting ---- */

static struct aco_instr *
spill_instr(struct spiller *s, struct aco_operand value, uint32_t slot)
{
   struct aco_instr *instr =
      aco_instr_create(s->program, s->vector ? ACO_P_SPILL_V : ACO_P_SPILL_S, 0, s->vector ? 3 : 1);
   instr->ops[0] = value;
   if (s->vector) {
      instr->ops[1] = s->desc;
      instr->ops[2] = s->soffset[(slot - 1) / reach_B(s->program)];
   }
   instr->offset = (int32_t)(s->vector ? (slot - 1) % reach_B(s->program) : slot - 1);
   return instr;
}

static struct aco_instr *
reload_instr(struct spiller *s, uint32_t temp, struct aco_operand *op)
{
   struct aco_program *program = s->program;
   aco_rc rc = program->temp_rc[temp];
   struct aco_instr *instr =
      aco_instr_create(program, s->vector ? ACO_P_RELOAD_V : ACO_P_RELOAD_S, 1, s->vector ? 2 : 0);
   const uint32_t at = s->slot[temp] - 1;
   if (s->vector) {
      instr->ops[0] = s->desc;
      instr->ops[1] = s->soffset[at / reach_B(program)];
   }
   instr->offset = (int32_t)(s->vector ? at % reach_B(program) : at);
   instr->defs[0] = (struct aco_def){.temp = aco_temp(program, rc), .rc = rc};
   *op = aco_op_temp(program, instr->defs[0].temp);
   return instr;
}

/* Where copies for a successor's phis stand. */
static void
insert_at_end(struct spiller *s, struct aco_block *pred, struct aco_instr *instr)
{
   aco_block_insert(s->program, pred, s->vector ? aco_logical_end(pred) : pred->count, instr);
}

static bool
is_phi_slot(const struct spiller *s, const struct aco_block *block, uint32_t slot)
{
   for (unsigned i = 0; i < block->count && is_phi(block->instrs[i]); i++) {
      if (is_spilled(s, block->instrs[i]->defs[0].temp) && s->slot[block->instrs[i]->defs[0].temp] == slot)
         return true;
   }
   return false;
}

/* Phi operands at the end of one predecessor: slots that a phi of the same block overwrites are read first, then phis
 * in memory are stored, which takes a register at a time, and last the others are loaded, which may take all. */
static void
rewrite_phi_edges(struct spiller *s, struct aco_block *block, unsigned index, struct aco_block *pred)
{
   for (unsigned pass = 0; pass < 3; pass++) {
      for (unsigned i = 0; i < block->count && is_phi(block->instrs[i]); i++) {
         struct aco_instr *phi = block->instrs[i];
         struct aco_operand *op = &phi->ops[index];
         if ((phi->op == ACO_P_PHI) != s->vector || op->kind == ACO_OP_UNDEF)
            continue;
         bool to_memory = is_spilled(s, phi->defs[0].temp);
         bool from_memory = op->kind == ACO_OP_TEMP && is_spilled(s, op->value);
         if (from_memory && (pass == 2 || (pass == 1 && to_memory) || is_phi_slot(s, block, s->slot[op->value])))
            insert_at_end(s, pred, reload_instr(s, op->value, op));
         if (!to_memory || pass != 1)
            continue;
         struct aco_operand value = *op;
         if (value.kind == ACO_OP_CONST) {
            aco_rc rc = phi->defs[0].rc;
            struct aco_instr *mov =
               aco_instr_create(s->program, rc == ACO_S2 ? AMD_OP_s_mov_b64 : AMD_OP_s_mov_b32, 1, 1);
            mov->ops[0] = value;
            mov->defs[0] = (struct aco_def){.temp = aco_temp(s->program, rc), .rc = rc};
            insert_at_end(s, pred, mov);
            value = aco_op_temp(s->program, mov->defs[0].temp);
         }
         insert_at_end(s, pred, spill_instr(s, value, s->slot[phi->defs[0].temp]));
      }
   }
}

static void
rewrite_instr(struct spiller *s, struct aco_instr *instr)
{
   for (unsigned k = 0; k < instr->num_ops && !is_phi(instr); k++) {
      struct aco_operand *op = &instr->ops[k];
      if (op->kind != ACO_OP_TEMP || aco_rc_is_v(op->rc) != s->vector || !is_spilled(s, op->value))
         continue;
      uint32_t temp = op->value;
      aco_block_append(s->program, &s->out, reload_instr(s, temp, op));
      for (unsigned n = k + 1; n < instr->num_ops; n++) {
         if (instr->ops[n].kind == ACO_OP_TEMP && instr->ops[n].value == temp)
            instr->ops[n] = *op;
      }
   }
   aco_block_append(s->program, &s->out, instr);
   if (s->vector && instr->op == ACO_P_STARTPGM && instr != s->ready)
      return; /* no scratch yet */
   if (s->vector && instr == s->ready)
      instr = s->program->blocks[0]->instrs[0];
   for (unsigned k = 0; k < instr->num_defs; k++) {
      uint32_t temp = instr->defs[k].temp;
      if (temp && aco_rc_is_v(instr->defs[k].rc) == s->vector && is_spilled(s, temp))
         aco_block_append(s->program, &s->out, spill_instr(s, aco_op_temp(s->program, temp), s->slot[temp]));
   }
}

static void
rewrite(struct spiller *s)
{
   struct aco_program *program = s->program;
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      const struct aco_edges *preds = s->vector ? &block->logical_preds : &block->linear_preds;
      for (unsigned i = 0; i < preds->count; i++)
         rewrite_phi_edges(s, block, i, preds->at[i]);
   }
   for (unsigned b = 0; b < program->num_blocks; b++) {
      struct aco_block *block = program->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         if (is_phi(block->instrs[i]) && aco_rc_is_v(block->instrs[i]->defs[0].rc) == s->vector &&
             is_spilled(s, block->instrs[i]->defs[0].temp))
            continue; /* its predecessors store it */
         rewrite_instr(s, block->instrs[i]);
      }
      aco_block_take(block, &s->out);
   }
}

/* ---- scratch memory ---- */

/* Address word of the scratch buffer among the defs of p_startpgm; a wider argument is cut. */
static struct aco_operand
start_word(struct aco_program *program, struct aco_block *first, unsigned reg)
{
   struct aco_instr *start = first->instrs[0];
   for (unsigned i = 0; i < start->num_defs; i++) {
      struct aco_def *def = &start->defs[i];
      if (reg < def->reg || reg >= def->reg + aco_rc_size_dw(def->rc) || amd_is_vgpr(def->reg))
         continue;
      if (def->rc == ACO_S1)
         return aco_op_temp(program, def->temp);
      struct aco_instr *split = aco_instr_create(program, ACO_P_SPLIT_VECTOR, aco_rc_size_dw(def->rc), 1);
      split->ops[0] = aco_op_temp(program, def->temp);
      for (unsigned k = 0; k < split->num_defs; k++)
         split->defs[k] = (struct aco_def){.temp = aco_temp(program, ACO_S1), .rc = ACO_S1};
      aco_block_insert(program, first, 1, split);
      return aco_op_temp(program, split->defs[reg - def->reg].temp);
   }
   return (struct aco_operand){0};
}

/* The soffsets of all slots, at the start of the program. That of buffers is not swizzled: it counts bytes of all
 * lanes. */
static void
make_offsets(struct spiller *s)
{
   struct aco_program *program = s->program;
   struct aco_block *first = program->blocks[0];
   for (uint32_t temp = 1; temp < s->first_new && !program->error; temp++) {
      const unsigned at = s->slot[temp] ? (s->slot[temp] - 1) / reach_B(program) : 0;
      if (at >= MAX_OFFSETS) {
         aco_fail(program, "%u bytes of scratch a lane, spills reach %u", program->scratch_B,
                  reach_B(program) * MAX_OFFSETS);
         return;
      }
      if (s->soffset[at].kind != ACO_OP_NONE || (!at && program->target->scratch_instrs))
         continue;
      bool private = program->target->scratch_instrs;
      struct aco_instr *add = aco_instr_create(program, AMD_OP_s_add_u32, 1, 2);
      add->ops[0] = private ? aco_op_const(0) : s->soffset[0];
      add->ops[1] = aco_op_const(at * reach_B(program) * (private ? 1 : program->wave_size));
      add->defs[0] = (struct aco_def){.temp = aco_temp(program, ACO_S1), .rc = ACO_S1};
      unsigned position = 0;
      while (first->instrs[position] != s->last_offset)
         position++;
      aco_block_insert(program, first, position + 1, add);
      s->soffset[at] = aco_op_temp(program, add->defs[0].temp);
      if (s->ready == s->last_offset)
         s->ready = add;
      s->last_offset = add;
   }
}

/* Lets lanes run that may not when the program starts: helpers, those of merged stages. */
static bool
enables_lanes(const struct aco_instr *instr)
{
   bool all = instr->op == AMD_OP_s_mov_b32 || instr->op == AMD_OP_s_mov_b64;
   return instr->op == AMD_OP_s_wqm_b32 || instr->op == AMD_OP_s_wqm_b64 ||
          (all && instr->defs[0].reg == AMD_EXEC_LO && instr->ops[0].kind == ACO_OP_CONST &&
           instr->ops[0].value == UINT32_MAX);
}

/* From where on values can be stored: after `at`, and after what enables lanes. */
static void
make_ready(struct spiller *s, unsigned at)
{
   const struct aco_block *first = s->program->blocks[0];
   s->ready = s->last_offset = first->instrs[at];
   for (unsigned i = at; i < first->count; i++) {
      if (enables_lanes(first->instrs[i]))
         s->ready = first->instrs[i];
   }
}

/* The same V# as in aco_select_args.c, at the start of the program. */
static bool
make_descriptor(struct spiller *s)
{
   struct aco_program *program = s->program;
   struct aco_block *first = program->blocks[0];
   if (program->target->scratch_instrs) {
      make_ready(s, 0);
      return true;
   }
   unsigned at = program->args->scratch_address;
   if (at == ACO_NO_REG || at + 1 >= program->args->num_user_sgprs || !program->scratch_offset_temp) {
      aco_fail(program, "vector registers must spill, but the driver passes no scratch address");
      return false;
   }
   at += program->first_user_sgpr;
   struct aco_operand lo = start_word(program, first, at), hi = start_word(program, first, at + 1);
   unsigned position = 1;
   while (position < first->count && first->instrs[position]->op == ACO_P_SPLIT_VECTOR)
      position++;
   struct aco_instr *or = aco_instr_create(program, AMD_OP_s_or_b32, 1, 2);
   or->ops[0] = hi;
   or->ops[1] = aco_op_const(0x80000000);
   or->defs[0] = (struct aco_def){.temp = aco_temp(program, ACO_S1), .rc = ACO_S1};
   aco_block_insert(program, first, position, or);
   struct aco_instr *vector = aco_instr_create(program, ACO_P_CREATE_VECTOR, 1, 4);
   vector->ops[0] = lo;
   vector->ops[1] = aco_op_temp(program, or->defs[0].temp);
   vector->ops[2] = aco_op_const(UINT32_MAX);
   uint32_t index_stride = program->wave_size == 64 ? 3 : 2;
   vector->ops[3] = aco_op_const(22u << 12 | index_stride << 21 | 1u << 23 | 1u << 24 | 3u << 28);
   vector->defs[0] = (struct aco_def){.temp = aco_temp(program, ACO_S4), .rc = ACO_S4};
   aco_block_insert(program, first, position + 1, vector);
   s->desc = aco_op_temp(program, vector->defs[0].temp);
   make_ready(s, position + 1);
   s->soffset[0] = aco_op_temp(program, program->scratch_offset_temp);
   return true;
}

static void
spill_class(struct spiller *s, bool vector, unsigned limit)
{
   struct aco_program *program = s->program;
   s->vector = vector;
   s->limit = limit;
   if (vector && !make_descriptor(s))
      return;
   s->first_new = program->num_temps;
   if (vector)
      aco_liveness(program);
   for (unsigned round = 0; round < MAX_ROUNDS; round++) {
      unsigned pressure[2];
      aco_pressure(program, &pressure[0], &pressure[1]);
      if (pressure[vector] <= limit)
         return;
      s->weight = arena_array(program->arena, float, program->num_temps);
      s->slot = arena_array(program->arena, uint32_t, s->first_new);
      s->live = arena_array(program->arena, uint32_t, program->num_temps);
      weigh(s);
      pin(s);
      order_candidates(s);
      bool any = false;
      for (unsigned b = 0; b < program->num_blocks; b++)
         any |= choose_in_block(s, program->blocks[b]);
      if (!any)
         return; /* allocation may still succeed, or says why not */
      if (vector)
         make_offsets(s);
      if (program->error)
         return;
      rewrite(s);
      aco_liveness(program);
   }
}

void
aco_spill(struct aco_program *program)
{
   unsigned pressure[2];
   aco_liveness(program);
   aco_pressure(program, &pressure[0], &pressure[1]);
   if (program->preserves_lanes)
      program->max_vgprs = MIN2(program->max_vgprs, 256 - KEPT_VGPRS);
   unsigned scalar_limit = program->max_sgprs - ALIGNMENT_SLACK;
   struct spiller *s = arena_new(program->arena, struct spiller);
   s->program = program;
   bool scalar = pressure[0] > scalar_limit || (pressure[1] > program->max_vgprs && pressure[0] + 8 > scalar_limit);
   /* Values do not share slots: more are needed than what is live at once. */
   unsigned reserved = MAX2(MIN_RESERVED_VGPRS, div_round_up(3 * pressure[0], program->wave_size));
   reserved = MIN2(reserved, MAX_RESERVED_VGPRS);
   if (scalar && program->max_vgprs + reserved + (program->preserves_lanes ? KEPT_VGPRS : 0) > 256)
      program->max_vgprs -= reserved;
   if (pressure[1] > program->max_vgprs)
      spill_class(s, true, program->max_vgprs);
   if (!program->error && scalar)
      spill_class(s, false, scalar_limit);
   if (program->spill_s_slots > reserved * program->wave_size)
      aco_fail(program, "%u scalar values spill, more than %u", program->spill_s_slots,
               reserved * program->wave_size);
}
