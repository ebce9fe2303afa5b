/* Ordered sections of running waves. Source: pops article, sections "Entering" and "Exiting the ordered section". */
#include "amd/sim/wave/wave_pops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/sim/wave/wave_private.h"
#include "amd/sim/wave/wave_watch.h"
#include "util/within_memory.h"

#define SLEEP_UNTIL_EXIT 0xffff
#define POPS_ENABLE 1u

/* Whether some path of branches leads to an end without an export. Jumps to computed addresses count as none. */
static bool
may_skip_export(const struct program *program)
{
   /* In one piece: the places to continue from, then a byte for each instruction. */
   size_t todo_B = ((size_t)program->code_count * 2 + 1) * sizeof(uint32_t);
   uint32_t *todo = need_calloc("paths of a program", 1, todo_B + program->code_count), count = 0;
   uint8_t *seen = (uint8_t *)todo + todo_B;
   bool skips = false;
   todo[count++] = 0;
   while (count && !skips) {
      uint32_t at = todo[--count];
      const struct code *c = &program->codes[at];
      if (seen[at]++ || c->in.enc == AMD_ENC_EXP || !c->info)
         continue;
      skips = c->info->flags & AMD_FLAG_END;
      int64_t target = (int64_t)c->next_dw + (int16_t)c->in.simm16;
      bool branch = c->info->flags & AMD_FLAG_BRANCH && c->in.enc == AMD_ENC_SOPP;
      uint32_t to = branch && target >= 0 && target < program->dw_count ? program->index_of[target] : UINT32_MAX;
      if (to != UINT32_MAX && !seen[to])
         todo[count++] = to;
      if (c->in.op != AMD_OP_s_branch && c->in.op != AMD_OP_s_setpc_b64 && at + 1 < program->code_count)
         at++;
      else
         continue;
      if (!seen[at])
         todo[count++] = at;
   }
   free(todo);
   return skips;
}

void
wave_pops_begin(struct pops_progress *p, struct pops_run *run, const struct amd_pops_launch *launch,
                const struct program *program, bool exclusive)
{
   run->launch = launch;
   if (!launch)
      return;
   /* GFX11 hangs instead: wave_pops_end(). */
   run->lost = launch->lost || (!program->traits->ordered_by_exports && may_skip_export(program));
   p->packers = launch->packers;
   if (exclusive) {
      memcpy(p->exits, p->started, sizeof(p->exits));
      memset(p->exited, 0, sizeof(p->exited));
   }
   memcpy(run->first, p->started, sizeof(run->first));
   for (uint32_t i = 0; i < launch->wave_count; i++)
      p->started[launch->waves[i].packer]++;
   memcpy(run->end, p->started, sizeof(run->end));
}

static uint32_t
id_of(const struct pops_progress *p, uint32_t packer, uint32_t number)
{
   return (p->base[packer] + number) & AMD_POPS_ID_MASK;
}

static uint32_t
packer_in_se(const struct pops_progress *p, uint32_t packer)
{
   return packer & ((1u << p->packers.per_se_log2) - 1);
}

uint32_t
wave_pops_admit(const struct pops_progress *p, const struct pops_run *run, struct wave_pops *pops, uint32_t group,
                bool off_by_one)
{
   const struct amd_pops_wave *info = &run->launch->waves[group];
   const uint32_t packer = info->packer, first = run->first[packer], exits = p->exits[packer];
   *pops = (struct wave_pops){.info = info, .lost = run->lost, .number = first + info->seq};
   if (run->lost)
      return 0;
   bool within = info->newest != AMD_POPS_NONE, before = !within && info->before;
   uint32_t newest = within ? first + info->newest : first - info->before;
   /* Waves of earlier launches may have left, but on hardware they might not: the wave is told of them. */
   bool told = before && info->before + info->seq <= AMD_POPS_IN_FLIGHT;
   bool overlaps = told || ((within || before) && (int32_t)(newest - exits) >= 0);
   /* Overlap only within the wave: the last wave that exited stands for the newest. */
   pops->overlap = overlaps || info->layers;
   pops->newest = overlaps ? newest : exits - 1;
   uint32_t newest_id = id_of(p, packer, pops->newest), own = id_of(p, packer, pops->number);
   if (off_by_one && newest_id > own)
      newest_id--;
   return amd_pops_collision(pops->overlap, packer_in_se(p, packer), pops->overlap ? newest_id : 0, own);
}

static void
note_exit(struct pops_progress *p, const struct wave_pops *pops)
{
   const uint32_t packer = pops->info->packer;
   if ((int32_t)(pops->number - p->exits[packer]) >= 0)
      p->exited[packer][pops->number & AMD_POPS_ID_MASK] = 1;
}

void
wave_pops_update(struct pops_progress *p, const struct wave *w)
{
   const struct wave_pops *pops = &w->pops;
   if (!pops->info)
      return;
   /* A message goes to the packer of the register: its own packer learns of it only if that is the one. */
   bool own = !pops->ever_set || (unsigned)(pops->reg >> 1) == packer_in_se(p, pops->info->packer);
   /* If the section ends with the program, its stores come after it: it may skip all of this if nothing overlaps. */
   bool ends = w->base.state == SIM_WAVE_END && !pops->ever_set && !w->base.queue.count;
   if (w->program->traits->ordered_by_exports ? pops->sent : own && (pops->sent || ends))
      note_exit(p, pops);
}

bool
wave_pops_advance(struct pops_progress *p)
{
   bool any = false;
   for (uint32_t i = 0; i < p->packers.count; i++) {
      for (uint8_t *next; *(next = &p->exited[i][p->exits[i] & AMD_POPS_ID_MASK]); p->exits[i]++) {
         *next = 0;
         any = true;
      }
   }
   return any;
}

/* The packer that the wave's register names, among all. */
static uint32_t
polled_packer(const struct pops_progress *p, const struct wave *w)
{
   uint32_t mask = (1u << p->packers.per_se_log2) - 1;
   return (w->pops.info->packer & ~mask) | (w->pops.reg >> 1 & mask);
}

/* GFX11: whether the waves that it overlaps have done their last exports. */
static bool
is_ready(const struct pops_progress *p, const struct wave_pops *pops)
{
   return !pops->overlap || (int32_t)(p->exits[pops->info->packer] - pops->newest) > 0;
}

bool
wave_pops_wakes(const struct pops_progress *p, const struct wave *w)
{
   if (w->pops.awaits)
      return is_ready(p, &w->pops);
   return !w->pops.endless && (!w->pops.polled || p->exits[polled_packer(p, w)] != w->pops.last_poll);
}

void
wave_pops_describe(const struct pops_progress *p, const struct wave *w, char *text, size_t size)
{
   uint32_t packer = w->pops.info->packer, polled = polled_packer(p, w), log2 = p->packers.per_se_log2;
   if (w->pops.awaits) {
      snprintf(text, size, "wave %u (%u of packer %u) waits for the last export of wave %u, %u have done theirs",
               w->base.group->index, w->pops.number, packer, w->pops.newest, p->exits[packer]);
      return;
   }
   if (w->pops.endless) {
      snprintf(text, size, "wave %u (packer %u.%u, id %u) sleeps until an exit wakes it, which none does",
               w->base.group->index, packer >> log2, packer & ((1u << log2) - 1),
               (p->base[packer] + w->pops.info->seq) & AMD_POPS_ID_MASK);
      return;
   }
   snprintf(text, size,
            "wave %u (packer %u.%u, id %u) polls packer %u.%u at pc 0x%llx for exits past id %u, exiting id is %u",
            w->base.group->index, packer >> log2, packer_in_se(p, packer), id_of(p, packer, w->pops.number),
            polled >> log2, packer_in_se(p, polled),
            (unsigned long long)(w->program->va.va + 4 * (uint64_t)w->pops.poll_pc_dw),
            id_of(p, packer, w->pops.newest), id_of(p, polled, p->exits[polled]));
}

bool
wave_pops_finish(const struct pops_progress *p, const struct pops_run *run, struct sim_fault *fault)
{
   for (uint32_t i = 0; run->launch && i < p->packers.count; i++) {
      uint32_t wave = 0, number = p->exits[i];
      if ((int32_t)(number - run->end[i]) >= 0)
         continue;
      while (run->launch->waves[wave].packer != i || run->first[i] + run->launch->waves[wave].seq != number)
         wave++;
      return sim_fault_set(fault, SIM_FAULT_ORDER, sim_va(0),
                           "packer %u waits for ever for the exit of wave %u (id %u): its ORDERED_PS_DONE went to "
                           "another packer",
                           i, wave, id_of(p, i, number));
   }
   return true;
}

uint32_t
wave_pops_read_register(const struct wave *w)
{
   return w->pops.reg;
}

enum step
wave_pops_write_register(struct wave *w, const struct code *c, uint32_t value)
{
   struct wave_pops *pops = &w->pops;
   if (w->launch->stage != AMD_STAGE_PS)
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0), "POPS_PACKER written outside of a pixel shader");
   pops->reg = value & 7;
   if (pops->info)
      pops->ever_set |= value & POPS_ENABLE;
   return STEP_NEXT;
}

enum step
wave_pops_write_mode(struct wave *w, const struct code *c, uint32_t packers)
{
   if (packers == 3)
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0), "MODE names both packers");
   bool unused = !packers && !w->pops.reg;
   return unused ? STEP_NEXT : wave_pops_write_register(w, c, packers ? (packers - 1) << 1 | POPS_ENABLE : 0);
}

enum step
wave_pops_poll(struct wave *w, const struct code *c, bool *unchanged)
{
   const struct pops_progress *p = &w->engine->pops;
   struct wave_pops *pops = &w->pops;
   *unchanged = false;
   if (!pops->info)
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0),
                        "pops_exiting_wave_id read in a draw without primitive ordered pixel shading");
   if (!(pops->reg & POPS_ENABLE))
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0), "pops_exiting_wave_id read before POPS_PACKER is set");
   if (!pops->overlap)
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0),
                        "waits for overlapped waves although COLLISION_WAVEID says that there are none");
   if (pops->sent)
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0), "waits for overlapped waves after ORDERED_PS_DONE");
   uint32_t packer = polled_packer(p, w), exits = p->exits[packer];
   *unchanged = pops->polled && pops->last_poll == exits && pops->poll_pc_dw == c->pc_dw;
   w->times.poll = pops->polled ? w->times.poll : sim_wave_time(&w->base);
   pops->polled = true;
   pops->last_poll = exits;
   pops->poll_pc_dw = c->pc_dw;
   pops->value = id_of(p, packer, exits);
   if (!pops->entered && packer == pops->info->packer && (int32_t)(exits - pops->newest) > 0) {
      pops->entered = true;
      w->times.enter = sim_wave_time(&w->base);
   }
   return STEP_NEXT;
}

enum step
wave_pops_send_done(struct wave *w, const struct code *c)
{
   if (w->launch->stage != AMD_STAGE_PS)
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0), "ORDERED_PS_DONE outside of a pixel shader");
   if (w->pops.sent)
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0), "ORDERED_PS_DONE a second time");
   w->pops.sent = true;
   if (w->launch->races)
      wave_race_done(w);
   w->times.sent = sim_wave_time(&w->base);
   return STEP_NEXT;
}

enum step
wave_pops_wait_event(struct wave *w, const struct code *c)
{
   /* Bit 1 is GFX12's. LLVM's builtin sets it for GFX11 as well since its change 180170 (2026). */
   enum { NOT_EXPORT_READY = 1, IGNORED = 2, KNOWN = NOT_EXPORT_READY | IGNORED };
   struct wave_pops *pops = &w->pops;
   if (c->in.simm16 & ~KNOWN)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "no event of s_wait_event 0x%x is known",
                        c->in.simm16);
   if (w->launch->stage != AMD_STAGE_PS)
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0), "waits for exports outside of a pixel shader");
   if (c->in.simm16 & NOT_EXPORT_READY || !pops->info)
      return STEP_NEXT;
   pops->awaits = !is_ready(&w->engine->pops, pops);
   if (pops->awaits) {
      w->times.poll = w->times.poll ? w->times.poll : sim_wave_time(&w->base);
      w->base.next = (uint32_t)(c - w->program->codes);
      return STEP_SLEEP;
   }
   if (!pops->entered)
      w->times.enter = sim_wave_time(&w->base);
   pops->entered = true;
   return STEP_NEXT;
}

enum step
wave_pops_last_export(struct wave *w, const struct code *c)
{
   if (w->launch->stage != AMD_STAGE_PS)
      return STEP_NEXT;
   if (w->pops.sent && w->pops.info)
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0), "a last export (DONE) a second time");
   w->pops.sent = true;
   if (w->launch->races)
      wave_race_done(w);
   w->times.sent = sim_wave_time(&w->base);
   return STEP_NEXT;
}

enum step
wave_pops_end(struct wave *w, const struct code *c)
{
   bool exports = w->launch->stage == AMD_STAGE_PS && (w->pops.info || w->export_count);
   if (w->program->traits->ordered_by_exports && exports && !w->pops.sent)
      return wave_fault(w, c, SIM_FAULT_HANG, sim_va(0), "a pixel shader's wave ends without a last export (DONE)");
   if (w->pops.ever_set && !w->pops.sent)
      return wave_fault(w, c, SIM_FAULT_ORDER, sim_va(0),
                        "ends without ORDERED_PS_DONE although POPS_PACKER was set");
   return STEP_END;
}

bool
wave_pops_sleeps(struct wave *w, const struct code *c)
{
   struct wave_pops *pops = &w->pops;
   bool longest = c->in.simm16 == SLEEP_UNTIL_EXIT;
   if (!pops->info || !pops->polled || !(pops->reg & POPS_ENABLE) || (!longest && pops->entered))
      return false;
   pops->endless = longest && w->program->traits->pops_in_mode;
   return !wave_pops_wakes(&w->engine->pops, w);
}
