#include "amd/sim/wave/exec_private.h"
#include "util/macros.h"
#include "util/within_memory.h"

#include <assert.h>
#include <stdlib.h>

/* MAX_STORES: of up to four elements a lane, they stay below SIM_QUEUE_LIMIT. */
enum { MAX_INSTRUCTIONS = 4096, MAX_STORES = 30, MAX_TRIES = 8, VGPRS = 256 };
static_assert(MAX_STORES * 4 * AMD_WAVE_MAX_LANES < SIM_QUEUE_LIMIT, "no wave that stores on its way has to stop");

/* An instruction that does more than what is checked: with a cache line. */
struct step_of_way {
   enum step (*run)(struct wave *wave, const struct code *code);
   const struct code *code;
   uint16_t number; /* instructions of the way up to this one, and with it */
   uint16_t then;   /* where the way continues */
   uint16_t fill;   /* registers that the way touches here first: of way->vgprs */
   uint8_t fill_count;
   bool writes_all : 1; /* lanes of these, if all are active */
   bool is_plain : 1;   /* exec_wide()->plain runs it: */
   struct exec_plain plain;
};

struct wave_way {
   uint32_t vgpr_count;
   uint32_t count, step_count, operation_count;
   bool stores;
   uint32_t *codes; /* all instructions, by index */
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
   if (index >= UINT16_MAX || !is_steady(w, c) || !state_exec(&w->state) || could_meet(w, c) ||
       dynarray_count(&w->way_log.codes, uint32_t) == MAX_INSTRUCTIONS)
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
   return c->run_checked == exec_wide()->words && c->words.plain;
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

static void
find_first_touched(struct wave_way *way, struct step_of_way *step, struct sim_registers *seen, uint32_t *vgprs)
{
   struct sim_registers touched;
   find_touched(step->code, &touched);
   step->fill = (uint16_t)*vgprs;
   step->writes_all = writes_all(step->code);
   for (unsigned reg = AMD_VGPR0; reg < AMD_VGPR0 + way->vgpr_count; reg++) {
      const uint64_t bit = UINT64_C(1) << reg % 64;
      if (!(touched.bits[reg / 64] & bit) || seen->bits[reg / 64] & bit)
         continue;
      seen->bits[reg / 64] |= bit;
      way->vgprs[(*vgprs)++] = (uint8_t)(reg - AMD_VGPR0);
      step->writes_all &= !reads(step->code, reg);
   }
   step->fill_count = (uint8_t)(*vgprs - step->fill);
}

static struct wave_way *
make_way(const struct wave *w)
{
   const uint32_t count = (uint32_t)dynarray_count(&w->way_log.codes, uint32_t), *codes = w->way_log.codes.data;
   struct wave_way *way = need_calloc("a way", 1, sizeof(*way) + count * (sizeof(way->steps[0]) + sizeof(*codes)));
   struct sim_registers seen = {{0}};
   uint32_t vgprs = 0;
   way->vgpr_count = w->state.vgpr_count;
   way->count = count;
   way->codes = (uint32_t *)&way->steps[count];
   memcpy(way->codes, codes, count * sizeof(*codes));
   way->stores = w->base.queue.issue_seq;
   way->operation_count = (uint32_t)dynarray_count(&w->way_log.operations, struct wave_way_operation);
   for (uint32_t i = 0; i < way->operation_count; i++)
      way->operations[i] = *dynarray_at(&w->way_log.operations, struct wave_way_operation, i);
   for (uint32_t i = 0; i < count; i++) {
      const struct code *c = &w->program->codes[codes[i]];
      if (does_nothing(c))
         continue;
      struct step_of_way *step = &way->steps[way->step_count++];
      *step = (struct step_of_way){
         .run = c->run_checked,
         .code = c,
         .number = (uint16_t)(i + 1),
         .then = i + 1 < count ? (uint16_t)codes[i + 1] : UINT16_MAX,
      };
      step->is_plain = c->run_checked == exec_wide()->words && c->words.plain && exec_plain_bind(c, &step->plain);
      find_first_touched(way, step, &seen, &vgprs);
   }
   for (unsigned reg = AMD_VGPR0; reg < AMD_VGPR0 + way->vgpr_count; reg++)
      if (!(seen.bits[reg / 64] >> reg % 64 & 1))
         way->vgprs[vgprs++] = (uint8_t)(reg - AMD_VGPR0);
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
   free(atomic_load(&p->way));
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
      const struct wave_way *way = atomic_load_explicit(&p->way, memory_order_acquire);
      if (way && way->vgpr_count == w->state.vgpr_count && way->count < w->base.quantum &&
          !(way->stores && w->launch->ring.size_B)) {
         w->way = way;
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

enum step
wave_way_run(struct wave *w)
{
   const struct wave_way *way = w->way;
   const struct step_of_way *at = way->steps;
   enum step step;
   void (*run_plain)(struct wave_state *, const struct code *, const struct exec_plain *) = exec_wide()->plain;
   for (;; at++) {
      const bool all = state_has_all_lanes(&w->state);
      if (at->fill_count && !(all && at->writes_all))
         fill(w, way, at->fill, (uint32_t)at->fill + at->fill_count);
      if (at->is_plain && (all || !at->plain.needs_all)) {
         run_plain(&w->state, at->code, &at->plain);
         continue;
      }
      w->base.next = (uint32_t)(at->code - w->program->codes) + 1;
      w->base.instructions = at->number;
      step = at->run(w, at->code);
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
