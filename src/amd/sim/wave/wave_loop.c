#include "amd/sim/wave/wave_loop.h"

#include <inttypes.h>
#include <stdio.h>

#include "amd/sim/wave/wave_private.h"
#include "util/hash.h"
#include "util/macros.h"

enum {
   WAVE_ACCESS_COST = 16,
   LONG_SHARE = 128,     /* of the budget */
   WATCH_ROUNDS = 16,    /* waves of fewer rounds, and not so many instructions, are not looked at */
   WATCH_INSTRUCTIONS = 1 << 17,
   WATCH_EVERY = 1024,   /* then a state is kept at each power of two of rounds, and so often */
   WATCH_LENGTH = 128,   /* and compared in so many rounds */
   MAX_TURN = 65536,
   WATCH_QUANTUM = 4096,
};

static uint64_t
accesses(const struct wave *w)
{
   return (uint64_t)w->issued[COUNTER_VM] + w->issued[COUNTER_LGKM] + w->issued[COUNTER_VS];
}

/* What the budget is compared with. */
static uint64_t
spent(const struct wave *w)
{
   return w->instructions + WAVE_ACCESS_COST * accesses(w);
}

bool
wave_loop_is_long(const struct wave *w)
{
   return spent(w) > w->engine->budget / LONG_SHARE;
}

/* Of what decides how the wave goes on, apart from memory and what is on its way there: that changes memory or the
 * registers when it arrives. */
static uint64_t
hash_state(const struct wave *w)
{
   const uint64_t parts[] = {
      hash_bytes(w->sgpr, sizeof(w->sgpr)), hash_bytes(w->vgpr, (size_t)w->vgpr_count * w->lanes * 4),
      w->ip, w->scc, w->mode, w->flat_scratch,
   };
   return hash_bytes(parts, sizeof(parts));
}

static uint64_t
reads(const struct wave *w)
{
   return (uint64_t)w->issued[COUNTER_VM] + w->issued[COUNTER_LGKM];
}

static void
keep_state(struct wave *w, uint64_t hash)
{
   struct wave_loop *l = &w->loop;
   l->kept = true;
   l->ip = w->ip;
   l->round = l->rounds;
   l->hash = hash;
   l->instructions = w->instructions;
   l->changes = w->engine->changes;
   l->jumped_then = l->jumped;
   l->reads = reads(w);
   w->engine->watches = true;
}

/* Other waves of the group change LDS and nobody notes it; the clock and exits of other waves move too. */
static bool
has_other_inputs(const struct wave *w)
{
   return w->loop.read_clock || w->pops.polled || (w->program->has_lds && w->issued[COUNTER_LGKM]);
}

static const struct code *
next_code(const struct wave *w)
{
   return &w->program->codes[MIN2(w->ip, w->program->code_count - 1)];
}

/* Instructions until the state comes again: those since the last time, or between two jumps if the loop is plain. */
static uint64_t
turn_length(const struct wave *w)
{
   uint64_t length = w->instructions - w->loop.instructions, jumps = w->loop.jumped - w->loop.jumped_then;
   return jumps && !w->loop.uneven && length % jumps == 0 ? length / jumps : length;
}

/* Whether the state is the one that was kept, or one between it and its repetition. */
static bool
repeats(struct wave *w)
{
   struct wave_loop *l = &w->loop;
   uint32_t ago = l->rounds - l->round;
   uint64_t hash;
   if (!l->kept || l->changes != w->engine->changes || ago > (l->period ? l->period : WATCH_LENGTH) ||
       has_other_inputs(w)) {
      l->uneven |= l->period;
      l->kept = false;
      l->period = 0;
      return false;
   }
   if (l->jumped == l->jumped_then) /* stood at a wait all the while: what it waits for is on its way */
      return l->period;
   if (l->ip != w->ip || l->hash != (hash = hash_state(w)))
      return l->period;
   bool read = reads(w) != l->reads;
   uint64_t turn = turn_length(w), length = w->instructions - l->instructions;
   l->period = ago;
   l->turn = turn <= MAX_TURN ? (uint32_t)turn : 0;
   keep_state(w, hash);
   if (!read) {
      char loop[600];
      wave_loop_describe(w, loop, sizeof(loop));
      wave_fault(w, next_code(w), SIM_FAULT_HANG, sim_va(0),
                 "endless loop, all registers are as they were %" PRIu64 " instructions ago and no memory was read "
                 "since: %s",
                 length, loop);
   }
   return true;
}

static void
exceed(struct wave *w)
{
   char accessed[80] = "", loop[600];
   if (accesses(w))
      snprintf(accessed, sizeof(accessed), " and %" PRIu64 " accesses of memory (each counts as %u)", accesses(w),
               WAVE_ACCESS_COST);
   wave_loop_describe(w, loop, sizeof(loop));
   wave_fault(w, next_code(w), SIM_FAULT_HANG, sim_va(0),
              "still running after %" PRIu64 " instructions%s, more than the budget of %" PRIu64
              " (indium run --budget): %s",
              w->instructions, accessed, w->engine->budget, loop);
}

bool
wave_loop_round(struct wave *w)
{
   struct wave_loop *l = &w->loop;
   if (w->state == WAVE_END)
      return false;
   l->rounds++;
   if (is_power_of_two(l->rounds)) {
      l->jumps_before = l->jumps;
      l->jumps = (struct wave_jumps){0};
   }
   if (spent(w) > w->engine->budget) {
      exceed(w);
      return false;
   }
   w->engine->any_long |= wave_loop_is_long(w);
   if (l->rounds < WATCH_ROUNDS && w->instructions < WATCH_INSTRUCTIONS)
      return false;
   bool again = repeats(w);
   if (!l->kept && !has_other_inputs(w) && (is_power_of_two(l->rounds) || l->rounds % WATCH_EVERY == 0))
      keep_state(w, hash_state(w));
   return again;
}

uint32_t
wave_loop_quantum(const struct wave *w, uint32_t most)
{
   const struct wave_loop *l = &w->loop;
   return !l->kept ? most : l->period && l->turn ? l->turn : MIN2(most, WATCH_QUANTUM);
}

/* ---- reports ---- */

static uint64_t
pc_va(const struct wave *w, uint32_t pc_dw)
{
   return w->program->va.va + 4ull * pc_dw;
}

static struct wave_jumps
all_jumps(const struct wave_loop *l)
{
   struct wave_jumps a = l->jumps, b = l->jumps_before;
   if (!a.count || !b.count)
      return a.count ? a : b;
   return (struct wave_jumps){MIN2(a.first_dw, b.first_dw), MAX2(a.last_dw, b.last_dw), a.count + b.count};
}

/* Texts of up to `count` instructions that end with this one. */
static void
print_until(const struct wave *w, uint32_t index, uint32_t first, unsigned count, char *text, size_t size_B)
{
   size_t used = 0;
   uint32_t from = index + 1 - first < count ? first : index + 1 - count;
   text[0] = 0;
   for (uint32_t i = from; i <= index && used < size_B; i++) {
      const struct code *c = &w->program->codes[i];
      char line[256] = "?";
      if (c->info)
         amd_isa_print(w->program->gen, &c->in, w->lanes == 64, line, sizeof(line));
      used += (size_t)snprintf(text + used, size_B - used, "%s%.60s", i > from ? "; " : "", line);
   }
}

static bool
is_branch(const struct code *c)
{
   return c->info && c->info->flags & AMD_FLAG_BRANCH && c->in.enc == AMD_ENC_SOPP;
}

static bool
is_conditional(const struct code *c)
{
   return c->info->flags & (AMD_FLAG_READS_SCC | AMD_FLAG_READS_VCC | AMD_FLAG_READS_EXEC);
}

/* Whether the instruction can lead out of the jumps' hull. */
static bool
leaves(const struct code *c, const struct wave_jumps *j)
{
   if (!c->info || c->info->flags & AMD_FLAG_END)
      return true;
   if (!(c->info->flags & AMD_FLAG_BRANCH))
      return false;
   if (!is_branch(c))
      return true;
   int64_t target = (int64_t)c->next_dw + (int16_t)c->in.simm16;
   return target < j->first_dw || target > j->last_dw || (c->pc_dw == j->last_dw && is_conditional(c));
}

/* What memory the loop touches. */
static const char *
describe_memory(const struct wave *w, uint32_t first, uint32_t last)
{
   bool loads = false, stores = false, lds = false, barrier = false;
   for (uint32_t i = first; i <= last; i++) {
      const struct code *c = &w->program->codes[i];
      uint64_t flags = c->info ? c->info->flags : 0;
      lds |= c->in.enc == AMD_ENC_DS;
      loads |= flags & AMD_FLAG_LOAD || (flags & AMD_FLAG_ATOMIC && c->in.dst != AMD_OPERAND_NONE);
      stores |= flags & (AMD_FLAG_STORE | AMD_FLAG_ATOMIC);
      barrier |= c->in.op == AMD_OP_s_barrier;
   }
   return lds && barrier   ? "it shares LDS with its group, and waits at barriers"
          : lds            ? "it shares LDS with its group: what it waits for may never come"
          : loads && stores ? "it reads and writes memory: what it waits for may never come"
          : loads          ? "it reads memory: what it waits for may never come"
          : stores         ? "it writes memory and reads none, so nothing else can end it"
          : barrier        ? "it waits at barriers and reads no memory, so nothing else can end it"
                           : "it touches no memory, so nothing else can end it";
}

void
wave_loop_describe(const struct wave *w, char *text, size_t size_B)
{
   const struct program *p = w->program;
   struct wave_jumps j = all_jumps(&w->loop);
   char back[200], exit[140] = "no branch leaves it", until[130];
   text[0] = 0;
   if (!j.count)
      return;
   uint32_t first = p->index_of[j.first_dw], last = p->index_of[j.last_dw];
   print_until(w, last, first, 3, back, sizeof(back));
   for (uint32_t i = first; i <= last; i++) {
      if (!leaves(&p->codes[i], &j))
         continue;
      print_until(w, i, first, 2, until, sizeof(until));
      snprintf(exit, sizeof(exit), "left by `%s`", until);
      if (i == last)
         snprintf(exit, sizeof(exit), "left when that is not taken");
      break;
   }
   snprintf(text, size_B,
            "loop of %u instructions from pc 0x%" PRIx64 " to 0x%" PRIx64 " jumps back with `%s`, %s; %s; "
            "lanes 0x%" PRIx64,
            last - first + 1, pc_va(w, j.first_dw), pc_va(w, j.last_dw), back, exit,
            describe_memory(w, first, last), wave_exec(w));
}
