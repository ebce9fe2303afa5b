#include "amd/sim/wave.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "amd/sim/pool.h"
#include "amd/sim/standin.h"
#include "util/dynarray.h"

enum {
   MAX_CODE_DW = 1 << 20,
   CODE_SLOTS = 64,
   CHUNK_GROUPS = 512,
   SLICE = 1 << 16, /* instructions of a wave before the next one of its group runs */
};

struct worker {
   struct wave *waves; /* of a group */
   unsigned wave_count;
   uint8_t *lds;
   uint32_t lds_B;
   struct sim_fault fault;
};

struct amd_wave_engine {
   struct amd_pool *pool;
   uint64_t budget;
   atomic_ullong instructions;
   struct wave_code codes[CODE_SLOTS];
   unsigned next_code;
   struct worker *workers;
};

/* Exports of the waves of a chunk of groups. */
struct run {
   struct amd_wave_engine *engine;
   const struct amd_wave_launch *launch;
   const struct wave_code *code;
   struct sim_fault *fault;
   atomic_bool stop;
   uint32_t first_group;
   struct dynarray *exports;
   uint64_t *counts;
   struct sim_fault *group_faults;
};

bool
standin_fault(struct wave *w, enum sim_fault_kind kind, struct sim_va va, const char *what)
{
   return sim_fault_set(w->fault, kind, va, "%s (address 0x%012lx)", what, (long)va.va);
}

struct amd_wave_engine *
amd_wave_engine_create(struct amd_pool *pool, uint64_t budget)
{
   struct amd_wave_engine *engine = calloc(1, sizeof(*engine));
   if (!engine)
      return NULL;
   engine->pool = pool;
   engine->budget = budget ? budget : UINT64_C(1) << 28;
   engine->workers = calloc(amd_pool_threads(pool), sizeof(*engine->workers));
   if (!engine->workers) {
      free(engine);
      return NULL;
   }
   return engine;
}

void
amd_wave_engine_destroy(struct amd_wave_engine *engine)
{
   for (unsigned i = 0; i < CODE_SLOTS; i++) {
      free(engine->codes[i].words);
      free(engine->codes[i].insts);
   }
   for (unsigned i = 0; i < amd_pool_threads(engine->pool); i++) {
      free(engine->workers[i].waves);
      free(engine->workers[i].lds);
   }
   free(engine->workers);
   free(engine);
}

uint64_t
amd_wave_instructions(const struct amd_wave_engine *engine)
{
   return atomic_load(&((struct amd_wave_engine *)engine)->instructions);
}

/* Decodes from the entry to the last s_endpgm that no branch jumps over. */
static bool
decode_program(struct wave_code *code, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   uint64_t run_B;
   const uint32_t *host = sim_vm_lookup(launch->vm, launch->program, SIM_EXECUTE, &run_B, NULL);
   if (!host)
      host = sim_vm_lookup(launch->vm, launch->program, SIM_READ, &run_B, NULL);
   if (!host)
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, launch->program, "%s at unmapped address 0x%012lx", launch->name,
                           (long)launch->program.va);
   uint32_t limit_dw = (uint32_t)MIN2(run_B / 4, (uint64_t)MAX_CODE_DW), at = 0, furthest = 0, capacity = 0;
   *code = (struct wave_code){.base = launch->program};
   while (at < limit_dw) {
      if (at + 8 > capacity) {
         uint32_t grown = capacity ? capacity * 2 : 256;
         code->insts = realloc(code->insts, grown * sizeof(*code->insts));
         if (!code->insts)
            abort();
         memset(code->insts + capacity, 0, (grown - capacity) * sizeof(*code->insts));
         capacity = grown;
      }
      struct amd_inst *inst = &code->insts[at];
      unsigned size_dw = amd_isa_decode(AMD_GFX10_3, host + at, limit_dw - at, inst);
      if (!size_dw) {
         inst->size_dw = 0;
         at++;
         break; /* data behind the code, or a fault when a wave gets here */
      }
      inst->size_dw = (uint8_t)size_dw;
      at += size_dw;
      bool branch = inst->enc == AMD_ENC_SOPP && (amd_isa_op_info((enum amd_op)inst->op)->flags & AMD_FLAG_BRANCH);
      if (branch) {
         int64_t target = (int64_t)at + (int16_t)inst->simm16;
         furthest = target > furthest ? (uint32_t)target : furthest;
      }
      bool ends = inst->op == AMD_OP_s_endpgm || inst->op == AMD_OP_s_setpc_b64;
      if (ends && at > furthest)
         break;
   }
   code->count_dw = at;
   code->words = malloc(at * 4);
   if (!code->words)
      abort();
   memcpy(code->words, host, at * 4);
   return true;
}

static const struct wave_code *
find_code(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   for (unsigned i = 0; i < CODE_SLOTS; i++) {
      struct wave_code *code = &engine->codes[i];
      uint64_t run_B;
      if (!code->words || code->base.va != launch->program.va)
         continue;
      const void *host = sim_vm_lookup(launch->vm, launch->program, SIM_READ, &run_B, NULL);
      if (host && run_B >= code->count_dw * 4ull && !memcmp(host, code->words, code->count_dw * 4ull))
         return code;
   }
   struct wave_code *code = &engine->codes[engine->next_code++ % CODE_SLOTS];
   free(code->words);
   free(code->insts);
   *code = (struct wave_code){0};
   return decode_program(code, launch, fault) ? code : NULL;
}

static bool
step(struct wave *w)
{
   if (w->pc >= w->code->count_dw || !w->code->insts[w->pc].size_dw)
      return standin_fault(w, SIM_FAULT_INSTRUCTION, sim_va_add(w->code->base, (int64_t)w->pc * 4), "not an instruction");
   const struct amd_inst *inst = &w->code->insts[w->pc];
   uint32_t pc = w->pc;
   bool ok;
   w->pc += inst->size_dw;
   w->instructions++;
   switch ((int)inst->enc) {
   case AMD_ENC_SOP1: case AMD_ENC_SOP2: case AMD_ENC_SOPK: case AMD_ENC_SOPC: case AMD_ENC_SOPP: case AMD_ENC_SMEM:
      ok = standin_scalar(w, inst);
      break;
   case AMD_ENC_VOP1: case AMD_ENC_VOP2: case AMD_ENC_VOPC: case AMD_ENC_VOP3: case AMD_ENC_VOP3P: case AMD_ENC_VINTRP: case AMD_ENC_EXP:
      ok = standin_vector(w, inst);
      break;
   case AMD_ENC_DS:
      ok = standin_lds(w, inst);
      break;
   case AMD_ENC_MIMG:
      ok = standin_image(w, inst);
      break;
   case AMD_ENC_MUBUF: case AMD_ENC_MTBUF: case AMD_ENC_FLAT: case AMD_ENC_GLOBAL: case AMD_ENC_SCRATCH:
      ok = standin_memory(w, inst);
      break;
   case AMD_ENC_NONE:
   default:
      ok = false;
      break;
   }
   if (ok)
      return true;
   char text[128];
   amd_isa_print(AMD_GFX10_3, inst, w->size == 64, text, sizeof(text));
   if (w->fault->kind == SIM_FAULT_NONE)
      sim_fault_set(w->fault, SIM_FAULT_INSTRUCTION, sim_va_add(w->code->base, (int64_t)pc * 4), "the model does not have this instruction");
   size_t used = strlen(w->fault->message);
   snprintf(w->fault->message + used, sizeof(w->fault->message) - used, "; %s at 0x%012lx: %s", w->launch->name,
            (long)w->code->base.va + pc * 4l, text);
   return false;
}

static void
init_wave(struct run *run, struct worker *worker, unsigned i, uint32_t group, uint32_t slot, struct wave_group *shared,
          struct dynarray *exports)
{
   struct wave *w = &worker->waves[i];
   struct amd_wave_start *start = calloc(1, sizeof(*start));
   if (!start)
      abort();
   run->launch->start(run->launch->user, group, i, slot, start);
   w->pc = 0;
   w->scc = false;
   w->size = run->launch->wave_size;
   w->status = start->exec ? WAVE_RUNNING : WAVE_ENDED;
   w->instructions = 0;
   w->launch = run->launch;
   w->code = run->code;
   w->group = shared;
   w->fault = &worker->fault;
   w->params = start->params;
   w->exports = exports;
   w->flat_scratch[0] = w->flat_scratch[1] = 0;
   memset(w->sgpr, 0, sizeof(w->sgpr));
   memcpy(w->sgpr, start->sgpr, start->sgpr_count * 4);
   w->sgpr[AMD_EXEC_LO] = (uint32_t)start->exec;
   w->sgpr[AMD_EXEC_HI] = w->size == 64 ? (uint32_t)(start->exec >> 32) : 0;
   memcpy(w->vgpr, start->vgpr, start->vgpr_count * sizeof(start->vgpr[0]));
   free(start);
}

/* Runs the waves of a group in turns until all have ended. */
static bool
run_waves(struct run *run, struct worker *worker)
{
   unsigned count = run->launch->waves_per_group;
   for (;;) {
      unsigned running = 0, waiting = 0;
      for (unsigned i = 0; i < count; i++) {
         struct wave *w = &worker->waves[i];
         for (unsigned n = 0; n < SLICE && w->status == WAVE_RUNNING; n++) {
            if (!step(w))
               return false;
         }
         if (w->instructions > run->engine->budget)
            return standin_fault(w, SIM_FAULT_HANG, sim_va_add(w->code->base, (int64_t)w->pc * 4), "endless shader");
         running += w->status == WAVE_RUNNING;
         waiting += w->status == WAVE_BARRIER;
      }
      if (!running && !waiting)
         return true;
      for (unsigned i = 0; !running && i < count; i++) {
         if (worker->waves[i].status == WAVE_BARRIER)
            worker->waves[i].status = WAVE_RUNNING;
      }
   }
}

static void
run_group(void *data, unsigned task, unsigned worker_index)
{
   struct run *run = data;
   const struct amd_wave_launch *launch = run->launch;
   struct worker *worker = &run->engine->workers[worker_index];
   if (atomic_load(&run->stop))
      return;
   if (worker->wave_count < launch->waves_per_group) {
      free(worker->waves);
      worker->waves = calloc(launch->waves_per_group, sizeof(*worker->waves));
      worker->wave_count = launch->waves_per_group;
   }
   if (worker->lds_B < launch->lds_size_B) {
      free(worker->lds);
      worker->lds = malloc(launch->lds_size_B);
      worker->lds_B = launch->lds_size_B;
   }
   if (!worker->waves || (launch->lds_size_B && !worker->lds))
      abort();
   worker->fault = (struct sim_fault){0};
   struct wave_group shared = {.lds = worker->lds, .lds_B = launch->lds_size_B};
   if (launch->lds_size_B)
      memset(worker->lds, 0xcd, launch->lds_size_B);
   for (unsigned i = 0; i < launch->waves_per_group; i++) {
      unsigned slot = worker_index * launch->waves_per_group + i;
      init_wave(run, worker, i, run->first_group + task, launch->scratch_waves ? slot % launch->scratch_waves : 0, &shared,
                &run->exports[task * launch->waves_per_group + i]);
   }
   bool ok = run_waves(run, worker);
   uint64_t total = 0;
   for (unsigned i = 0; i < launch->waves_per_group; i++) {
      run->counts[task * launch->waves_per_group + i] = worker->waves[i].instructions;
      total += worker->waves[i].instructions;
   }
   atomic_fetch_add_explicit(&run->engine->instructions, total, memory_order_relaxed);
   if (!ok) {
      run->group_faults[task] = worker->fault;
      atomic_store(&run->stop, true);
   }
}

static bool
run_chunk(struct run *run, uint32_t count)
{
   const struct amd_wave_launch *launch = run->launch;
   amd_pool_run(run->engine->pool, count, run_group, run);
   for (uint32_t g = 0; g < count; g++) {
      if (run->group_faults[g].kind != SIM_FAULT_NONE) {
         if (run->fault->kind == SIM_FAULT_NONE)
            *run->fault = run->group_faults[g];
         return false;
      }
      for (uint32_t i = 0; i < launch->waves_per_group; i++) {
         struct dynarray *exports = &run->exports[g * launch->waves_per_group + i];
         const struct amd_wave_result result = {.count = (uint32_t)dynarray_count(exports, struct amd_wave_export),
                                                .exports = exports->data,
                                                .instructions = run->counts[g * launch->waves_per_group + i]};
         if (launch->retire)
            launch->retire(launch->user, run->first_group + g, i, &result);
         exports->size_B = 0;
      }
   }
   return true;
}

bool
amd_wave_run(struct amd_wave_engine *engine, const struct amd_wave_launch *launch, struct sim_fault *fault)
{
   const struct wave_code *code = find_code(engine, launch, fault);
   if (!code)
      return false;
   size_t waves = (size_t)CHUNK_GROUPS * launch->waves_per_group;
   struct run run = {.engine = engine, .launch = launch, .code = code, .fault = fault};
   run.exports = calloc(waves, sizeof(*run.exports));
   run.counts = calloc(waves, sizeof(*run.counts));
   run.group_faults = calloc(CHUNK_GROUPS, sizeof(*run.group_faults));
   if (!run.exports || !run.counts || !run.group_faults)
      abort();
   bool ok = true;
   for (uint32_t first = 0; ok && first < launch->group_count; first += CHUNK_GROUPS) {
      run.first_group = first;
      ok = run_chunk(&run, MIN2(launch->group_count - first, (uint32_t)CHUNK_GROUPS));
   }
   for (size_t i = 0; i < waves; i++)
      dynarray_free(&run.exports[i]);
   free(run.exports);
   free(run.counts);
   free(run.group_faults);
   return ok;
}
