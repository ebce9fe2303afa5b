/* Private memory: each wave of a program with a stack has blocks that the helper of its core has given it. What they
 * hold is kept at the wave while it runs, as nobody else has them, and is in memory when it has ended. */
#include "asahi/sim/wave/wave_helper.h"
#include "util/macros.h"

enum { CFG_PREAMBLE = 1 << 16 };

/* Where nobody asks: programs that tests run without a command. */
#define UNASKED_B ((uint32_t)AGX_STACK_UNIT_B * AGX_STACK_BLOCKS << 2 * AGX_STACK_MAX_LOG4)

static struct helper *
helper_of(const struct wave_helpers *h, uint32_t group)
{
   return &h->cores[((uint64_t)h->first_core + group) % h->core_count];
}

/* Whether waves of the program ask for memory. */
static bool
asks(const struct agx_wave_engine *e, const struct agx_program *program)
{
   return program->spill_size && program->helper.binary & 1 && (!e->bindings || program->helper.cfg & CFG_PREAMBLE);
}

/* The first program that asks; NULL: none does. Its helper program is that of all. */
static const struct agx_program *
find_asking(const struct agx_wave_engine *e)
{
   dynarray_for_each(const struct draw, draw, &e->draws)
      if (asks(e, draw->program))
         return draw->program;
   return NULL;
}

void
wave_stack_begin(struct agx_wave_engine *e)
{
   struct wave_helpers *h = e->helpers;
   const struct agx_program *program = find_asking(e);
   const struct sim_schedule *schedule = &e->rounds.schedule;
   h->gives = program != NULL;
   h->first_core =
      schedule->kind == SIM_SCHEDULE_SEED
         ? (uint32_t)(sim_schedule_random(schedule->seed, e->rounds.round, h->core_count) % h->core_count)
         : 0;
   for (uint32_t i = 0; i < h->core_count; i++) {
      struct helper *helper = &h->cores[(h->first_core + i) % h->core_count];
      helper->group.base.index = helper->number;
      helper->next_group = i;
      helper->held = 0;
   }
   h->fault = (struct sim_fault){0};
   h->blocks.size_B = 0;
   if (!h->gives)
      return;
   h->program = (struct agx_program){.stage = AGX_STAGE_HELPER,
                                     .registers = AGX_HELPER_REGISTERS,
                                     .usc_base = program->usc_base,
                                     .code = sim_va_add(program->usc_base, program->helper.binary & ~1u),
                                     .helper = program->helper};
   h->launch = (struct agx_wave_launch){
      .program = &h->program, .vm = e->launch->vm, .soft_faults = e->launch->soft_faults, .name = e->launch->name};
}

void
wave_stack_start(struct wave *w)
{
   const struct wave_helpers *h = w->engine->helpers;
   w->core = helper_of(h, w->base.group->index)->group.base.index;
   w->stack_deepest_B = 0;
   w->stack_B = w->program->spill_size && !(w->program->helper.binary & 1) ? UNASKED_B : 0;
   if (h->gives && asks(w->engine, w->program) && w->base.state == SIM_WAVE_RUN)
      w->base.state = SIM_WAVE_SLEEP;
}

bool
wave_stack_wakes(const struct wave *w)
{
   return w->stack_B || w->base.fault.kind;
}

/* ---- blocks ---- */

static bool
refuse(struct wave *w, unsigned i, const char *what, uint64_t va)
{
   wave_fault(w, &w->code->codes[w->base.next], SIM_FAULT_STATE, sim_va(va),
              "the helper program of core %u gives block %u of private memory at 0x%llx, %s", w->core, i,
              (unsigned long long)va, what);
   return false;
}

static bool
is_mapped(const struct sim_vm *vm, uint64_t va, uint64_t size_B)
{
   for (uint64_t run_B; size_B; va += run_B, size_B -= run_B) {
      if (!sim_vm_lookup(vm, sim_va(va), SIM_READ | SIM_WRITE, &run_B, NULL))
         return false;
      run_B = MIN2(run_B, size_B);
   }
   return true;
}

static bool
take_block(struct wave *w, unsigned i, uint64_t va, uint64_t size_B)
{
   struct dynarray *blocks = &w->engine->helpers->blocks;
   if (va & (size_B - 1))
      return refuse(w, i, "which is no multiple of its size", va);
   if (!is_mapped(w->launch->vm, va, size_B))
      return refuse(w, i, "where not all of it is mapped for reading and writing", va);
   dynarray_for_each(const struct helper_block, it, blocks)
      if (va < it->va + it->size_B && it->va < va + size_B)
         return refuse(w, i, "which another simd-group has", va);
   dynarray_append(blocks, struct helper_block, ((struct helper_block){va, size_B, w}));
   return true;
}

/* The first block's word ends in as many ones as say how large all are, the others' in one. */
static bool
restore_blocks(struct wave *w, const uint32_t words[AGX_STACK_BLOCKS])
{
   unsigned ones = (unsigned)__builtin_ctz(~words[0] | 1u << 31), count = 0;
   uint64_t size_B = ((uint64_t)AGX_STACK_UNIT_B * LANES << 2 * ones) / 4;
   if (!ones || ones > AGX_STACK_MAX_LOG4 + 1)
      return refuse(w, 0, "with a word that says no size", (uint64_t)words[0] << AGX_STACK_WORD_SHIFT);
   for (; count < AGX_STACK_BLOCKS && words[count]; count++) {
      uint32_t tag = count ? 1 : (uint32_t)bit_mask(ones);
      if (!(words[count] & 1))
         return refuse(w, count, "with a word that does not say that it is there",
                       (uint64_t)words[count] << AGX_STACK_WORD_SHIFT);
      if (!take_block(w, count, (uint64_t)(words[count] & ~tag) << AGX_STACK_WORD_SHIFT, size_B))
         return false;
   }
   for (unsigned i = count; i < AGX_STACK_BLOCKS; i++)
      if (words[i])
         return refuse(w, i, "after one that is not there", (uint64_t)words[i] << AGX_STACK_WORD_SHIFT);
   for (unsigned i = 0; i < AGX_STACK_BLOCKS; i++)
      w->stack_words[i] = words[i];
   w->stack_B = (uint32_t)(count * size_B / LANES);
   return true;
}

/* ---- asking ---- */

/* Whether the wave needs nothing more, or has a fault. */
static bool
serve(struct wave_helpers *h, struct helper *helper, struct wave *w)
{
   if (w->base.state != SIM_WAVE_SLEEP || w->base.instructions || wave_stack_wakes(w))
      return true;
   for (unsigned i = 0; i < AGX_STACK_BLOCKS; i++)
      helper->words[i] = 0;
   if (!wave_helper_ask(h, helper, AGX_HELPER_STACK_ALLOC, w->program->spill_size, &w->base.fault))
      return true;
   if (helper->answer == HELPER_DONE) {
      helper->held += restore_blocks(w, helper->words);
      return true;
   }
   /* It is asked again when memory of its core has come back. */
   if (!helper->held)
      wave_fault(w, &w->code->codes[w->base.next], SIM_FAULT_STATE, sim_va(0),
                 "the helper program of core %u has no private memory, and nobody else has any", w->core);
   return !helper->held;
}

void
wave_stack_serve(struct sim_rounds *r)
{
   struct agx_wave_engine *e = (struct agx_wave_engine *)r;
   struct wave_helpers *h = e->helpers;
   for (uint32_t i = 0; h->gives && i < h->core_count; i++) {
      struct helper *helper = &h->cores[i];
      bool served = true;
      while (served && helper->next_group < r->end) {
         const struct sim_group *group = sim_rounds_group(r, helper->next_group);
         served = !group->starting;
         for (uint32_t n = 0; served && n < group->wave_count; n++)
            served = serve(h, helper, (struct wave *)sim_group_wave(group, n));
         helper->next_group += served ? h->core_count : 0;
      }
   }
}

/* ---- giving back ---- */

/* Dwords of the threads stand side by side (assumed), the stack's end at the end. */
static void
write_back(const struct wave *w)
{
   unsigned log4 = (unsigned)__builtin_ctz(~w->stack_words[0]) - 1;
   uint32_t block_dw = AGX_STACK_UNIT_B / 4 << 2 * log4, first = (w->stack_B - w->stack_deepest_B) / 4;
   for (uint32_t at = first; at < w->stack_B / 4; at++) {
      uint32_t row[LANES], block = at / block_dw, back_B = w->stack_B - 4 * at;
      uint64_t va = (uint64_t)(w->stack_words[block] & ~(block ? 1u : (uint32_t)bit_mask(log4 + 1)))
                    << AGX_STACK_WORD_SHIFT;
      struct sim_va bad;
      for (unsigned l = 0; l < LANES; l++)
         memcpy(&row[l], w->stack + (size_t)(l + 1) * w->stack_capacity_B - back_B, 4);
      sim_vm_write(w->launch->vm, sim_va(va + (uint64_t)(at % block_dw) * sizeof(row)), row, sizeof(row), &bad);
   }
}

void
wave_stack_retire(struct agx_wave_engine *e, struct wave *w)
{
   struct wave_helpers *h = e->helpers;
   struct helper *helper = helper_of(h, w->base.group->index);
   struct dynarray *blocks = &h->blocks;
   size_t left = 0;
   if (!h->gives || !w->stack_B || !asks(e, w->program) || h->fault.kind)
      return;
   write_back(w);
   dynarray_for_each(struct helper_block, it, blocks)
      if (it->wave != w)
         *dynarray_at(blocks, struct helper_block, left++) = *it;
   blocks->size_B = left * sizeof(struct helper_block);
   helper->held--;
   for (unsigned i = 0; i < AGX_STACK_BLOCKS; i++)
      helper->words[i] = w->stack_words[i];
   w->stack_B = 0;
   struct sim_fault fault;
   if (wave_helper_ask(h, helper, AGX_HELPER_STACK_FREE, w->program->spill_size, &fault) &&
       helper->answer != HELPER_DONE)
      sim_fault_set(&h->fault, SIM_FAULT_STATE, h->program.code,
                    "the helper program of core %u does not take private memory back", w->core);
}

bool
wave_stack_end(struct agx_wave_engine *e, bool ok, struct sim_fault *fault)
{
   struct wave_helpers *h = e->helpers;
   for (uint32_t i = 0; !ok && i < h->core_count; i++)
      h->cores[i].runs = false;
   if (ok && h->fault.kind)
      *fault = h->fault;
   return ok && !h->fault.kind && wave_helpers_end(h, fault);
}
