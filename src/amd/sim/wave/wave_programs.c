/* Programs: decoded once, kept by address, checked against memory at each launch. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "amd/sim/wave/jit.h"
#include "amd/sim/wave/wave_private.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* The memory that a program may lie in, as far as it is executable. Returns its size in dwords. */
static uint32_t
find_words(const struct sim_vm *vm, struct sim_va va, const uint32_t **words)
{
   uint64_t run_B = 0;
   *words = sim_vm_lookup(vm, va, SIM_EXECUTE, &run_B, NULL);
   return *words ? (uint32_t)MIN2(run_B / 4, WAVE_MAX_PROGRAM_DW) : 0;
}

static void
program_free(struct program *p)
{
   free(p->words);
   free(p->index_of);
   wave_way_free(p);
   jit_free(atomic_load(&p->jit));
   for (uint32_t i = 0; i < p->code_count; i++)
      free(p->codes[i].second);
   free(p->codes);
   free(p);
}

static void
release_fresh(void *slot)
{
   struct program *const *fresh = slot;
   if (*fresh)
      program_free(*fresh);
}

static unsigned
slot_of(struct sim_va va, unsigned lanes)
{
   return (va.va >> 8 ^ va.va >> 16 ^ lanes) & 255;
}

static bool
is_program_of(const struct program *p, const struct amd_wave_launch *launch, struct sim_va va)
{
   return p->va.va == va.va && p->lanes == launch->wave_size && p->gen == launch->chip->gen;
}

static bool
is_in_memory(const struct program *p, const uint32_t *words, uint32_t available_dw)
{
   return p->dw_count && p->dw_count <= available_dw && !memcmp(p->words, words, p->dw_count * 4);
}

const struct program *
wave_program_that_ran(const struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_va va)
{
   const struct program *p = engine->programs[slot_of(va, launch->wave_size)];
   const uint32_t *words;
   while (p && !is_program_of(p, launch, va))
      p = p->next;
   if (!p || (launch->caches && p->code_epoch == amd_caches_code_epoch(launch->caches)))
      return p;
   const uint32_t available_dw = find_words(launch->vm, va, &words);
   return is_in_memory(p, words, available_dw) ? p : NULL;
}

/* Once, as nothing is wrong with it: what a driver writes there is news about the hardware. */
static void
tell_ignored(struct amd_wave_engine *engine, const struct program *p)
{
   engine->told_ignored = true;
   log_error("the program at 0x%" PRIx64 " has instructions with bits that the hardware ignores and the tables want "
             "otherwise, the first at dword %u: 0x%08x (indium disasm --strict)",
             p->va.va, p->ignored_dw, p->words[p->ignored_dw]);
}

/* Not for the pool's threads: before a launch runs, and between its rounds. A program that ran before stays as it
 * was, whatever memory holds by now, until the instruction caches are invalidated: they hold it, on every WGP. */
struct program *
wave_program(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_va va)
{
   unsigned lanes = launch->wave_size;
   uint64_t epoch = launch->caches ? amd_caches_code_epoch(launch->caches) : 0;
   struct program **slot = &engine->programs[slot_of(va, lanes)];
   const uint32_t *words;
   uint32_t available_dw = find_words(launch->vm, va, &words);
   for (struct program **it = slot; *it; it = &(*it)->next) {
      struct program *p = *it;
      if (!is_program_of(p, launch, va))
         continue;
      if (launch->caches && p->code_epoch == epoch)
         return p;
      p->code_epoch = epoch;
      if (is_in_memory(p, words, available_dw))
         return p;
      *it = p->next;
      p->next = engine->replaced;
      engine->replaced = p;
      break;
   }
   if (!available_dw)
      return NULL;
   struct program *p = need_calloc("a program", 1, sizeof(*p)), *fresh = p;
   struct owned owned;
   own(&owned, release_fresh, &fresh);
   *p = (struct program){.va = va,
                         .gen = launch->chip->gen,
                         .traits = &amd_traits[launch->chip->gen],
                         .code_epoch = epoch,
                         .lanes = lanes,
                         .next = *slot};
   wave_code_decode(p, words, available_dw, lanes);
   if (p->has_ignored && !engine->told_ignored)
      tell_ignored(engine, p);
   wave_uniform_find(p);
   if (engine->report)
      wave_code_count(p);
   *slot = p;
   fresh = NULL;
   disown(&owned);
   return p;
}

void
wave_programs_forget(struct amd_wave_engine *engine)
{
   for (struct program *p = engine->replaced, *next; p; p = next) {
      next = p->next;
      program_free(p);
   }
   engine->replaced = NULL;
}

void
wave_programs_free(struct amd_wave_engine *engine)
{
   wave_programs_forget(engine);
   for (unsigned i = 0; i < 256; i++) {
      for (struct program *p = engine->programs[i], *next; p; p = next) {
         next = p->next;
         program_free(p);
      }
   }
}
