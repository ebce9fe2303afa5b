#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/jit.h"
#include "util/macros.h"
#include "util/within_memory.h"

#include <assert.h>
#include <stdlib.h>

/* MAX_STORES: of up to four elements a lane, they stay below SIM_QUEUE_LIMIT. */
enum { MAX_INSTRUCTIONS = 4096, MAX_STORES = 30, MAX_TRIES = 8, VGPRS = 256, USES = 16 };
static_assert(MAX_STORES * 4 * AMD_WAVE_MAX_LANES < SIM_QUEUE_LIMIT, "no wave that stores on its way has to stop");

/* An instruction that does more than what is checked, or a block of them that was compiled. */
struct step_of_way {
   enum step (*run)(struct wave *wave, const struct code *code);
   const struct code *code;
   uint16_t number;     /* instructions of the way up to this one, and with it */
   uint16_t then;       /* where the way continues */
   uint16_t fill;       /* registers that the way touches here first: of way->vgprs */
   uint8_t fill_count;  /* of these, */
   uint8_t fill_always; /* the first ones, of which lanes may stay as they were if all are active */
   bool is_plain;       /* exec_wide()->plain runs it: */
   struct exec_plain plain;
   const struct jit_block *block; /* or this runs */
};

struct wave_way {
   uint32_t vgpr_count;
   uint32_t count, step_count, operation_count;
   bool stores;
   const struct jit *jit;  /* blocks of it are steps */
   atomic_uint uses;       /* waves that went the way */
   struct wave_way *older; /* that waves may still go */
   uint32_t *codes;        /* all instructions, by index */
   struct wave_way_operation operations[WAVE_WAY_OPERATIONS];
   uint8_t vgprs[VGPRS]; /* in the order in which the way touches them; then those that it does not touch */
   struct step_of_way steps[];
};

/* ---- what may stand on a way ---- */

/* Nothing but time, or what only checks see. */
static bool
does_nothing(const struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_s_nop:
   case AMD_OP_s_setprio:
   case AMD_OP_s_clause:
   case AMD_OP_s_delay_alu:
   case AMD_OP_s_inst_prefetch:
   case AMD_OP_s_version:
   case AMD_OP_s_waitcnt_depctr:
   case AMD_OP_s_waitcnt:
   case AMD_OP_s_waitcnt_vscnt:
   case AMD_OP_s_waitcnt_vmcnt:
   case AMD_OP_s_waitcnt_expcnt:
   case AMD_OP_s_waitcnt_lgkmcnt:
      return true;
   default: /* others: are run */
      return false;
   }
}

/* Stores are queued, and land when the wave has ended. Those of parameters are counted (note_parameters()). */
static bool
may_store(const struct wave *w, const struct code *c)
{
   const bool by_lane = c->in.enc == AMD_ENC_MUBUF || c->in.enc == AMD_ENC_MTBUF || c->in.enc == AMD_ENC_GLOBAL;
   return by_lane && !w->launch->ring.size_B && w->base.queue.issue_seq < MAX_STORES;
}

/* Nothing that waits for stores, reads memory or exports. */
static bool
may_follow_stores(const struct code *c)
{
   switch ((int)c->in.op) {
   case AMD_OP_s_nop:
   case AMD_OP_s_clause:
   case AMD_OP_s_delay_alu:
   case AMD_OP_s_waitcnt_depctr:
   case AMD_OP_s_endpgm:
      return true;
   default: /* others: by their kind */
      break;
   }
   const bool scalar = c->in.enc == AMD_ENC_SOP1 || c->in.enc == AMD_ENC_SOP2 || c->in.enc == AMD_ENC_SOPC;
   return scalar || (c->in.enc >= AMD_ENC_VOP1 && c->in.enc <= AMD_ENC_VOP3P) || c->in.enc == AMD_ENC_VOPD ||
          c->info->flags & AMD_FLAG_STORE;
}

/* Whether what it does to what is checked, and the registers that it touches, follow from its words. */
static bool
is_steady(const struct wave *w, const struct code *c)
{
   if (!c->info || c->in.gds || c->info->flags & AMD_FLAG_ATOMIC)
      return false;
   if (c->info->flags & AMD_FLAG_STORE && !may_store(w, c))
      return false;
   if (w->base.queue.issue_seq && !may_follow_stores(c))
      return false;
   if (c->in.enc == AMD_ENC_EXP && w->program->traits->has_hazards && c->in.exp_target == 12)
      return false; /* "pos0-vm" looks at EXEC */
   switch ((int)c->in.op) {
   case AMD_OP_s_setreg_b32:
   case AMD_OP_s_setreg_imm32_b32:
   case AMD_OP_s_set_gpr_idx_on:
   case AMD_OP_s_set_gpr_idx_idx:
   case AMD_OP_s_set_gpr_idx_mode:
   case AMD_OP_v_movrels_b32:
   case AMD_OP_v_movreld_b32:
   case AMD_OP_v_movrelsd_b32:
   case AMD_OP_v_movrelsd_2_b32:
      return false;
   default: /* others: do */
      return true;
   }
}

/* Whether it could use what is under way in some lanes, whichever are active. */
static bool
could_meet(struct wave *w, const struct code *c)
{
   const struct sim_pending *pending = &w->state.pending;
   if (!wave_may_meet(w, c))
      return false;
   if (c->in.enc == AMD_ENC_VINTERP)
      wave_wait(w, COUNTER_EXP, c->in.wait_exp);
   bool reads = false;
   for (unsigned i = 0; amd_is_vgpr(c->in.dst) && i < c->info->dst.size_dw; i++)
      reads |= pending->read[(c->in.dst + i) % SIM_PENDING_REGISTERS];
   return reads || sim_pending_may_write(pending, &c->used);
}

/* ---- how a way is noted ---- */

static void
give_up(struct wave *w)
{
   w->notes_way = false;
   atomic_fetch_add_explicit(&w->program->way_tries, 1, memory_order_relaxed);
}

void
wave_way_note(struct wave *w, const struct code *c)
{
   const uint32_t index = (uint32_t)(c - w->program->codes);
   const size_t count = dynarray_count(&w->way_log.codes, uint32_t);
   const bool turns = count && index <= *dynarray_at(&w->way_log.codes, uint32_t, count - 1) && jit_outruns_ways(w);
   if (turns)
      atomic_store_explicit(&w->program->way_tries, MAX_TRIES, memory_order_relaxed);
   if (index >= UINT16_MAX || turns || !is_steady(w, c) || !state_exec(&w->state) || could_meet(w, c) ||
       count == MAX_INSTRUCTIONS)
      give_up(w);
   else
      dynarray_append(&w->way_log.codes, uint32_t, index);
}

/* Registers that it touches. */
static void
find_touched(const struct code *c, struct sim_registers *touched)
{
   const struct amd_inst *in = &c->in;
   const unsigned size =
      in->enc == AMD_ENC_MIMG ? amd_isa_image_data_dw(in) : c->info->dst.size_dw + (unsigned)in->tfe;
   *touched = c->used;
   for (unsigned i = 0; c->info->dst.cls == AMD_CLASS_VGPR && amd_is_vgpr(in->dst) && i < size; i++)
      sim_registers_add(touched, MIN2(in->dst + i, 511));
   if (in->enc == AMD_ENC_EXP)
      sim_registers_add(touched, AMD_VGPR0); /* in the place of one that is not there */
}

/* Whether it writes all lanes that are active of all registers that it does not read. */
static bool
writes_all(const struct code *c)
{
   const struct amd_inst *in = &c->in;
   if (c->info->flags & AMD_FLAG_READS_DST || c->second)
      return false;
   if (in->enc == AMD_ENC_MIMG)
      return c->info->flags & AMD_FLAG_LOAD && !in->d16 && !in->tfe && !in->lwe;
   return (c->run_checked == exec_wide()->words && c->words.plain) || jit_has_vector(c);
}

static bool
changes_exec(const struct code *c)
{
   const bool by_number = c->info->dst.cls && c->in.dst >= AMD_EXEC_LO - 1 && c->in.dst <= AMD_EXEC_HI;
   return by_number || c->info->flags & AMD_FLAG_WRITES_EXEC;
}

static bool
reads(const struct code *c, unsigned reg)
{
   for (unsigned i = 0; i < 4; i++) {
      const unsigned size = MAX2(c->info->src[i].size_dw, 1);
      if (c->info->src[i].cls && reg >= c->in.src[i] && reg < c->in.src[i] + size)
         return true;
   }
   return c->in.enc == AMD_ENC_MIMG && c->used.bits[reg / 64] >> reg % 64 & 1;
}

/* Registers of the step's instructions, those ahead that are to be filled whatever lanes are active. */
static void
find_first_touched(struct wave_way *way, struct step_of_way *step, struct sim_registers *seen, uint32_t *vgprs)
{
   const struct code *end = step->code + (step->block ? step->block->count : 1);
   uint8_t written[VGPRS];
   uint32_t written_count = 0;
   bool changes = false;
   step->fill = (uint16_t)*vgprs;
   for (const struct code *c = step->code; c < end; c++) {
      struct sim_registers touched;
      find_touched(c, &touched);
      for (unsigned reg = AMD_VGPR0; reg < AMD_VGPR0 + way->vgpr_count; reg++) {
         const uint64_t bit = UINT64_C(1) << reg % 64;
         if (!(touched.bits[reg / 64] & bit) || seen->bits[reg / 64] & bit)
            continue;
         seen->bits[reg / 64] |= bit;
         if (!changes && writes_all(c) && !reads(c, reg))
            written[written_count++] = (uint8_t)(reg - AMD_VGPR0);
         else
            way->vgprs[(*vgprs)++] = (uint8_t)(reg - AMD_VGPR0);
      }
      changes |= changes_exec(c);
   }
   step->fill_always = (uint8_t)(*vgprs - step->fill);
   memcpy(&way->vgprs[*vgprs], written, written_count);
   *vgprs += written_count;
   step->fill_count = (uint8_t)(*vgprs - step->fill);
}

/* The step of instruction i of the way. */
static struct step_of_way
make_step(const struct program *p, const struct wave_way *way, uint32_t i)
{
   const struct code *c = &p->codes[way->codes[i]];
   const struct jit_block *block = way->jit ? jit_block_at(way->jit, way->codes[i]) : NULL;
   if (block && i + block->count > way->count)
      block = NULL;
   const uint32_t next = i + (block ? block->count : 1);
   struct step_of_way step = {
      .run = c->run_checked,
      .code = c,
      .number = (uint16_t)next,
      .then = next < way->count ? (uint16_t)way->codes[next] : UINT16_MAX,
      .block = block,
   };
   step.is_plain =
      !block && c->run_checked == exec_wide()->words && c->words.plain && exec_plain_bind(c, &step.plain);
   return step;
}

static void
make_steps(const struct program *p, struct wave_way *way)
{
   struct sim_registers seen = {{0}};
   uint32_t vgprs = 0;
   for (uint32_t i = 0; i < way->count;) {
      struct step_of_way *step = &way->steps[way->step_count];
      *step = make_step(p, way, i);
      i = step->number;
      if (!step->block && does_nothing(step->code))
         continue;
      find_first_touched(way, step, &seen, &vgprs);
      way->step_count++;
   }
   for (unsigned reg = AMD_VGPR0; reg < AMD_VGPR0 + way->vgpr_count; reg++)
      if (!(seen.bits[reg / 64] >> reg % 64 & 1))
         way->vgprs[vgprs++] = (uint8_t)(reg - AMD_VGPR0);
}

static struct wave_way *
allocate_way(uint32_t count, const uint32_t *codes)
{
   struct wave_way *way = need_calloc("a way", 1, sizeof(*way) + count * (sizeof(way->steps[0]) + sizeof(*codes)));
   way->count = count;
   way->codes = (uint32_t *)&way->steps[count];
   memcpy(way->codes, codes, count * sizeof(*codes));
   return way;
}

static struct wave_way *
make_way(const struct wave *w)
{
   struct wave_way *way = allocate_way((uint32_t)dynarray_count(&w->way_log.codes, uint32_t), w->way_log.codes.data);
   way->vgpr_count = w->state.vgpr_count;
   way->stores = w->base.queue.issue_seq;
   way->operation_count = (uint32_t)dynarray_count(&w->way_log.operations, struct wave_way_operation);
   for (uint32_t i = 0; i < way->operation_count; i++)
      way->operations[i] = *dynarray_at(&w->way_log.operations, struct wave_way_operation, i);
   make_steps(w->program, way);
   return way;
}

/* The same way, with blocks that were compiled. Waves may still go the one without. */
static const struct wave_way *
compile_way(const struct wave *w, struct wave_way *old)
{
   const struct jit *jit = jit_make(w);
   if (!jit)
      return old;
   struct wave_way *way = allocate_way(old->count, old->codes);
   way->vgpr_count = old->vgpr_count;
   way->stores = old->stores;
   way->operation_count = old->operation_count;
   memcpy(way->operations, old->operations, sizeof(way->operations));
   way->jit = jit;
   way->older = old;
   make_steps(w->program, way);
   atomic_store_explicit(&w->program->way, way, memory_order_release);
   return way;
}

void
wave_way_noted(struct wave *w, bool ended)
{
   struct wave_way *none = NULL;
   if (!ended || dynarray_count(&w->way_log.operations, struct wave_way_operation) > WAVE_WAY_OPERATIONS) {
      give_up(w);
      return;
   }
   w->notes_way = false;
   struct wave_way *way = make_way(w);
   if (!atomic_compare_exchange_strong(&w->program->way, &none, way))
      free(way);
}

void
wave_way_free(struct program *p)
{
   for (struct wave_way *way = atomic_load(&p->way), *older; way; way = older) {
      older = way->older;
      free(way);
   }
}

/* ---- how it is gone ---- */

static void
start_checks(struct wave *w)
{
   sim_pending_reset(&w->state.pending);
   if (w->program->traits->has_wait_states)
      wave_wait_states_start(&w->wait_states);
   if (w->program->traits->has_forwards)
      wave_forwards_start(&w->forwards);
}

/* Launches with nothing around that looks into their waves as they run, or lets them wait where they need not. */
static bool
may_have_way(const struct wave *w)
{
   const struct amd_wave_engine *engine = w->engine;
   return w->base.rounds->schedule.kind == SIM_SCHEDULE_IN_ORDER && !engine->reference && !engine->report &&
          !engine->trace && !w->launch->pops && !w->launch->races && w->state.first_shared == w->state.vgpr_count &&
          w->state.vgpr_count <= VGPRS;
}

void
wave_way_start(struct wave *w)
{
   struct program *p = w->program;
   w->way = NULL;
   w->notes_way = false;
   if (may_have_way(w)) {
      struct wave_way *way = atomic_load_explicit(&p->way, memory_order_acquire);
      if (way && way->jit && way->jit->mode != w->state.mode)
         way = way->older;
      if (way && way->vgpr_count == w->state.vgpr_count && way->count < w->base.quantum &&
          !(way->stores && w->launch->ring.size_B)) {
         const bool often = !way->jit && way == atomic_load(&p->way) &&
                            atomic_fetch_add_explicit(&way->uses, 1, memory_order_relaxed) == USES;
         w->way = often ? compile_way(w, way) : way;
         w->way_log.count = 0;
         return;
      }
      w->notes_way = !way && atomic_load_explicit(&p->way_tries, memory_order_relaxed) < MAX_TRIES;
      w->way_log.codes.size_B = w->way_log.operations.size_B = 0;
   }
   const uint32_t given = w->state.given_vgprs;
   state_fill_garbage(w->state.vgpr + (size_t)given * w->state.lanes,
                      (size_t)(w->state.vgpr_count - given) * w->state.lanes);
   start_checks(w);
}

static void
fill(struct wave *w, const struct wave_way *way, uint32_t first, uint32_t end)
{
   struct wave_state *s = &w->state;
   for (uint32_t i = first; i < end; i++)
      if (way->vgprs[i] >= s->given_vgprs)
         state_fill_garbage(s->vgpr + (size_t)way->vgprs[i] * s->lanes, s->lanes);
}

/* What the checks would have noted by now. */
static void
note_again(struct wave *w, const struct wave_way *way)
{
   const struct amd_traits *traits = w->program->traits;
   const uint64_t *lanes = w->way_log.lanes;
   const struct wave_way_operation *next = way->operations, *end = next + w->way_log.count;
   start_checks(w);
   for (uint32_t i = 0; i < w->base.instructions; i++) {
      const struct code *c = &w->program->codes[way->codes[i]];
      if (c->in.enc == AMD_ENC_VINTERP && wave_may_meet(w, c))
         wave_wait(w, COUNTER_EXP, c->in.wait_exp);
      if (traits->has_wait_states)
         wave_find_missing_wait(w, c);
      if (traits->has_forwards)
         wave_find_forward(w, c);
      if (traits->has_hazards)
         wave_find_hazard(w, c);
      if (does_nothing(c))
         c->run_checked(w, c);
      for (; next < end && next->number == i + 1; next++, lanes++) {
         struct sim_operation operation = next->operation;
         operation.lanes = *lanes;
         if (c->in.enc == AMD_ENC_LDSDIR && !*lanes)
            operation.count = 0;
         wave_outstanding_operation(w, (enum counter)next->counter, &operation, next->mixes_reads);
      }
   }
}

/* It alone: the wave may run no more instructions. */
static enum step
run_block(struct wave *w, const struct wave_way *way, const struct jit_block *block)
{
   way->jit->enter(w, block->code, block->count);
   return STEP_NEXT;
}

enum step
wave_way_run(struct wave *w)
{
   const struct wave_way *way = w->way;
   const struct step_of_way *at = way->steps;
   enum step step;
   void (*run_plain)(struct wave_state *, const struct code *, const struct exec_plain *) = exec_wide()->plain;
   for (;; at++) {
      const bool all = state_has_all_lanes(&w->state);
      fill(w, way, at->fill, (uint32_t)at->fill + (all ? at->fill_always : at->fill_count));
      if (at->is_plain && (all || !at->plain.needs_all)) {
         run_plain(&w->state, at->code, &at->plain);
         continue;
      }
      w->base.next = (uint32_t)(at->code - w->program->codes) + 1;
      w->base.instructions = at->number;
      step = at->block ? run_block(w, way, at->block) : at->run(w, at->code);
      if (step != STEP_NEXT || w->base.next != at->then)
         break;
   }
   if (step == STEP_END && w->launch->retires_anywhere)
      return step;
   fill(w, way, (uint32_t)at->fill + at->fill_count, way->vgpr_count);
   if (step == STEP_END)
      return step;
   w->way = NULL;
   note_again(w, way);
   return step;
}
