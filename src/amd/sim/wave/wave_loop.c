/* What the search for endless loops (sim/waves/loop.h) asks of a wave, and what reports say of hangs. */
#include "amd/sim/wave/wave_loop.h"

#include <inttypes.h>
#include <stdio.h>

#include "amd/sim/wave/wave_private.h"
#include "util/hash.h"
#include "util/macros.h"

struct sim_traffic
wave_traffic(const struct sim_wave *base)
{
   const struct wave *w = (const struct wave *)base;
   const uint32_t *issued = w->state.pending.issued;
   return (struct sim_traffic){(uint64_t)issued[COUNTER_VM] + issued[COUNTER_LGKM] - w->stores_in_vm,
                               (uint64_t)issued[COUNTER_VS] + w->stores_in_vm};
}

uint64_t
wave_hash(const struct sim_wave *base)
{
   const struct wave *w = (const struct wave *)base;
   const uint64_t parts[] = {state_hash(&w->state), w->program->va.va, base->next};
   return hash_bytes(parts, sizeof(parts));
}

/* Other waves of the group change LDS and nobody notes it; exits of other waves move too. */
bool
wave_has_other_inputs(const struct sim_wave *base)
{
   const struct wave *w = (const struct wave *)base;
   return w->pops.polled || (w->program->has_lds && w->state.pending.issued[COUNTER_LGKM]);
}

bool
wave_meets_group(const struct sim_wave *base)
{
   return ((const struct wave *)base)->program->has_barrier;
}

struct sim_va
wave_place_va(const struct sim_wave *base)
{
   const struct program *p = ((const struct wave *)base)->program;
   return sim_va_add(p->va, INT64_C(4) * p->codes[MAX2(base->next, 1) - 1].pc_dw);
}

void
wave_hang(struct sim_wave *base, const char *message)
{
   struct wave *w = (struct wave *)base;
   const struct program *p = w->program;
   wave_fault(w, &p->codes[MIN2(base->next, p->code_count - 1)], SIM_FAULT_HANG, p->va, "%s", message);
}

bool
wave_describe_wait(const struct sim_wave *base, char *text, size_t size_B)
{
   const struct wave *w = (const struct wave *)base;
   if (w->awaits_lock && base->state != SIM_WAVE_END) {
      snprintf(text, size_B, "wave %u of group %u waits for the lock that number %u has", base->index,
               base->group->index, w->engine->ordered_next);
      return true;
   }
   if (!w->pops.info || !(w->pops.polled || w->pops.awaits))
      return false;
   wave_pops_describe(&w->engine->pops, w, text, size_B);
   return true;
}

static uint64_t
pc_va(const struct wave *w, uint32_t pc_dw)
{
   return w->program->va.va + 4ull * pc_dw;
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
         amd_isa_print(w->program->gen, &c->in, w->state.lanes == 64, line, sizeof(line));
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
leaves(const struct code *c, const struct sim_jumps *j)
{
   if (!c->info || c->info->flags & AMD_FLAG_END)
      return true;
   if (!(c->info->flags & AMD_FLAG_BRANCH))
      return false;
   if (!is_branch(c))
      return true;
   int64_t target = (int64_t)c->next_dw + (int16_t)c->in.simm16;
   return target < j->first || target > j->last || (c->pc_dw == j->last && is_conditional(c));
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
   return lds && barrier    ? "it shares LDS with its group, and waits at barriers"
          : lds             ? "it shares LDS with its group: what it waits for may never come"
          : loads && stores ? "it reads and writes memory: what it waits for may never come"
          : loads           ? "it reads memory: what it waits for may never come"
          : stores          ? "it writes memory and reads none, so nothing else can end it"
          : barrier         ? "it waits at barriers and reads no memory, so nothing else can end it"
                            : "it touches no memory, so nothing else can end it";
}

void
wave_describe_loop(const struct sim_wave *base, char *text, size_t size_B)
{
   const struct wave *w = (const struct wave *)base;
   const struct program *p = w->program;
   struct sim_jumps j = sim_loop_jumps(&base->loop);
   char back[200], exit[140] = "no branch leaves it", until[130];
   text[0] = 0;
   if (!j.count)
      return;
   uint32_t first = p->index_of[j.first], last = p->index_of[j.last];
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
            last - first + 1, pc_va(w, j.first), pc_va(w, j.last), back, exit, describe_memory(w, first, last),
            state_exec(&w->state));
}
