#include "program_try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/sim/wave/wave.h"
#include "sim/waves/pool.h"
#include "util/macros.h"

#define PAGE_B 16384u
#define USC_VA UINT64_C(0x1100000000)
#define CODE_VA (USC_VA + 0x40000)
#define DATA_VA UINT64_C(0x2000000000)
#define UNMAPPED_VA UINT64_C(0x3000000000)

enum { DATA_B = 2 * PAGE_B, TEXTURES_B = 8192, COEFFICIENTS = 6, OUTPUTS = 12, GROUPS = 3 };

static void
must(bool holds, const char *what)
{
   if (holds)
      return;
   fprintf(stderr, "program_try: %s\n", what);
   abort();
}

/* -- a tile of nothing: what is loaded says from where, stores and tests are taken -- */

static bool
load_tile(void *user, const struct agx_wave_tile_access *access, uint32_t value[4][AGX_WAVE_LANES],
          struct sim_fault *fault)
{
   (void)user;
   for (unsigned i = 0; i < 4 * AGX_WAVE_LANES; i++)
      value[i / AGX_WAVE_LANES][i % AGX_WAVE_LANES] = access->offset_B + i;
   return access->offset_B != 13 || sim_fault_set(fault, SIM_FAULT_STATE, sim_va(0), "an unlucky place");
}

static bool
store_tile(void *user, const struct agx_wave_tile_access *access, const uint32_t value[4][AGX_WAVE_LANES],
           struct sim_fault *fault)
{
   (void)user, (void)access, (void)value, (void)fault;
   return true;
}

static bool
test_samples(void *user, const struct agx_wave_test *test, uint8_t passed[AGX_WAVE_LANES], struct sim_fault *fault)
{
   (void)user, (void)fault;
   for (unsigned l = 0; l < AGX_WAVE_LANES; l++)
      passed[l] = test->samples[l] & (uint8_t)~l;
   return true;
}

static bool
store_block(void *user, const struct agx_wave_block *block, struct sim_fault *fault)
{
   (void)user, (void)block, (void)fault;
   return true;
}

static const struct agx_wave_hooks hooks = {load_tile, store_tile, test_samples, store_block};
static const struct agx_wave_coefficients coefficients[COEFFICIENTS] = {{1, 2, 3}, {0, 0, 1}, {-1, 0.5f, 0}};

static void
start(void *user, uint32_t group, uint32_t wave, struct agx_wave_start *start)
{
   (void)user, (void)wave;
   struct agx_wave_fragments *f = &start->fragments;
   start->lanes = group == 1 ? 0xff : UINT32_MAX;
   start->register_count = AGX_WAVE_START_REGISTERS;
   for (unsigned l = 0; l < AGX_WAVE_LANES; l++) {
      start->reg[5][l] = start->reg[6][l] = l;
      f->x[l] = (uint16_t)(l & 7), f->y[l] = (uint16_t)(l >> 3);
      f->samples[l] = (uint8_t)(l % 5 ? 1 : 0);
      f->coefficients[l / 4] = coefficients;
   }
   f->coefficient_count = COEFFICIENTS;
   f->older_count = group > 0;
   f->older[0] = group - 1;
}

/* -- what is bound -- */

static void
put_address(uint16_t *uniforms, uint64_t va)
{
   for (unsigned i = 0; i < 4; i++)
      uniforms[i] = (uint16_t)(va >> 16 * i);
}

static struct agx_program *
bind(const struct program_try_head *head)
{
   struct agx_program *p = calloc(1, sizeof(*p));
   p->stage = (enum agx_stage)(head->stage % AGX_STAGE_PREAMBLE);
   p->usc_base = sim_va(USC_VA);
   p->code = sim_va(CODE_VA);
   p->preamble = sim_va(head->flags & PROGRAM_TRY_PREAMBLE ? CODE_VA : 0);
   p->registers = p->preamble_registers = (uint16_t)(8 * (1 + head->registers % 32));
   p->threadgroup_B = p->stage <= AGX_STAGE_VERTEX ? 256 : 0;
   p->uniform_halves = (uint16_t)(64 * (1 + head->uniforms % 8));
   put_address(&p->uniforms[0], DATA_VA);
   put_address(&p->uniforms[4], DATA_VA + TEXTURES_B);
   put_address(&p->uniforms[8], UNMAPPED_VA);
   memcpy(&p->uniforms[12], head->values, sizeof(head->values));
   p->texture_count = MIN2(head->texture_count, 4);
   p->sampler_count = MIN2(head->sampler_count, 4);
   p->textures_bound[0] = p->samplers_bound = 0xf;
   p->extended_samplers = head->sampler_count & 0x80;
   for (unsigned i = 0; i < 4; i++) {
      memcpy(p->textures[i].words, head->textures[i % 2], sizeof(head->textures[0]));
      memcpy(p->samplers[i].words, head->samplers[i % 2], sizeof(head->samplers[0]));
   }
   p->sampler_heap = sim_va(DATA_VA + TEXTURES_B);
   p->sampler_heap_count = 5;
   p->spill_size = head->flags & PROGRAM_TRY_NO_STACK ? 0 : 1;
   if (head->flags & PROGRAM_TRY_HELPER)
      p->helper = (struct agx_helper){(uint32_t)(CODE_VA - USC_VA) | 1, (uint32_t)head->values[0] << 4, DATA_VA};
   return p;
}

static struct sim_schedule
schedule_of(uint8_t flags)
{
   static const enum sim_schedule_kind kinds[] = {SIM_SCHEDULE_IN_ORDER, SIM_SCHEDULE_SEED, SIM_SCHEDULE_WORST,
                                                  SIM_SCHEDULE_ROUND_ROBIN};
   return (struct sim_schedule){kinds[flags / PROGRAM_TRY_SEED % 4], flags};
}

struct trial {
   uint8_t *code, *data;
   struct sim_vm *vm;
};

static bool
run_trial(const struct trial *t, const struct program_try_head *head, unsigned host_threads, struct sim_fault *fault)
{
   struct sim_pool *pool = sim_pool_create(host_threads);
   struct agx_wave_engine *engine = agx_wave_engine_create(pool);
   struct agx_program *program = bind(head);
   struct agx_wave_launch launch = {.program = program,
                                    .name = "trial",
                                    .vm = t->vm,
                                    .soft_faults = !(head->flags & PROGRAM_TRY_HARD_FAULTS),
                                    .group_count = GROUPS,
                                    .waves_per_group = 1,
                                    .samples_log2 = head->samples_log2 % 3,
                                    .output_count = OUTPUTS,
                                    .hooks = head->flags & PROGRAM_TRY_NO_HOOKS ? NULL : &hooks,
                                    .start = start};
   agx_wave_engine_set_budget(engine, 3000);
   agx_wave_engine_set_schedule(engine, &(struct sim_schedule){0});
   const struct sim_schedule schedule = schedule_of(head->flags);
   agx_wave_engine_set_schedule(engine, &schedule);
   if (program->stage == AGX_STAGE_COMPUTE) {
      launch.start = NULL;
      agx_wave_set_grid(&launch, (uint32_t[]){1 + head->threads, 1, 1}, (uint32_t[]){80, 1, 1});
   }
   memset(t->data, 0x3c, DATA_B);
   memcpy(t->data + TEXTURES_B, head->textures, sizeof(head->textures));
   bool ok =
      !program->preamble.va || agx_wave_run_preamble(engine, t->vm, program, launch.soft_faults, "trial", fault);
   ok = ok && agx_wave_run(engine, &launch, fault);
   if (getenv("PROGRAM_TRY_PRINT"))
      fprintf(stderr, "%s\n", ok ? "ended" : fault->message);
   must(ok == !fault->kind, "a failure without a fault, or a fault without a failure");
   must(ok || (fault->message[0] && !strchr(fault->message, '\n')), "a report is one line");
   free(program);
   agx_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
   return ok;
}

static void
compare(const struct trial *t, const struct program_try_head *head, const struct sim_fault *fault)
{
   struct sim_fault other = {0};
   uint8_t *before = malloc(DATA_B);
   memcpy(before, t->data, DATA_B);
   run_trial(t, head, 2, &other);
   must(!memcmp(before, t->data, DATA_B), "two threads leave other bytes than one");
   must(other.kind == fault->kind && !strcmp(other.message, fault->message), "two threads report something else");
   free(before);
}

bool
program_try(const void *bytes, size_t size_B)
{
   struct program_try_head head = {0};
   struct sim_fault fault = {0};
   struct trial t = {aligned_alloc(PAGE_B, PAGE_B), aligned_alloc(PAGE_B, DATA_B), sim_vm_create()};
   size_t head_B = MIN2(size_B, sizeof(head)), code_B = MIN2(size_B - head_B, PAGE_B);
   memcpy(&head, bytes, head_B);
   memset(t.code, 0, PAGE_B);
   memcpy(t.code, (const uint8_t *)bytes + head_B, code_B);
   must(sim_vm_map(t.vm, sim_va(CODE_VA), PAGE_B, t.code, SIM_READ | SIM_EXECUTE) &&
           sim_vm_map(t.vm, sim_va(DATA_VA), DATA_B, t.data, SIM_READ | SIM_WRITE),
        "there is no memory");
   bool ok = run_trial(&t, &head, 1, &fault);
   if (head.flags & PROGRAM_TRY_TWICE)
      compare(&t, &head, &fault);
   sim_vm_destroy(t.vm);
   free(t.code);
   free(t.data);
   return ok;
}
