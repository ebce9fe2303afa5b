/* Helper programs run here, between the rounds of those that they help. */
#include "asahi/sim/wave/wave_helper.h"

#include <stdlib.h>
#include <string.h>

#include "asahi/sim/wave/exec.h"
#include "sim/waves/host_float.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { TURN = 4096, PATIENCE = 1 << 16 /* instructions until it says something */ };

struct wave_helpers *
wave_helpers_create(const uint64_t *core_masks, uint32_t clusters, uint32_t cores_per_cluster)
{
   struct wave_helpers *h = calloc(1, sizeof(*h));
   /* Numbers of cores leave room for clusters of a power of two. */
   const uint32_t stride = 1u << log2_ceil(cores_per_cluster);
   if (!h)
      return NULL;
   h->engine = agx_wave_engine_create(NULL);
   h->cores = calloc((size_t)clusters * cores_per_cluster, sizeof(*h->cores));
   for (uint32_t i = 0; h->cores && i < clusters * cores_per_cluster; i++)
      if (core_masks[i / cores_per_cluster] >> i % cores_per_cluster & 1)
         h->cores[h->core_count++].number = i / cores_per_cluster * stride + i % cores_per_cluster;
   if (h->engine && h->core_count)
      return h;
   wave_helpers_destroy(h);
   return NULL;
}

void
wave_helpers_destroy(struct wave_helpers *h)
{
   if (!h)
      return;
   for (uint32_t i = 0; h->cores && i < h->core_count; i++) {
      if (h->cores[i].wave)
         sim_queue_free(&h->cores[i].wave->base.queue);
      free(h->cores[i].wave);
   }
   if (h->engine)
      agx_wave_engine_destroy(h->engine);
   dynarray_free(&h->blocks);
   free(h->cores);
   free(h);
}

/* All that it has sent arrives. */
static bool
land(struct wave *w, struct sim_fault *fault)
{
   struct sim_queue *q = &w->base.queue;
   for (uint32_t i = 0; i < q->count; i++)
      if (!wave_land(&w->base, &q->entries[i], fault))
         return false;
   sim_queue_drop(q, q->count);
   q->needed_seq = 0;
   return true;
}

/* To the next doorbell that waits, or the end. */
static bool
continue_wave(struct wave *w, struct sim_fault *fault)
{
   struct sim_wave *base = &w->base;
   uint64_t begin = base->instructions;
   uint32_t saved = sim_host_float_save();
   base->state = SIM_WAVE_RUN;
   while (base->state == SIM_WAVE_RUN && !base->fault.kind) {
      base->round_start = base->instructions;
      base->quantum = TURN;
      exec_run(base);
      if (base->fault.kind || !land(w, &base->fault))
         break;
      if (base->state != SIM_WAVE_SLEEP && base->state != SIM_WAVE_END)
         base->state = SIM_WAVE_RUN;
      if (base->state == SIM_WAVE_RUN && base->instructions - begin > PATIENCE)
         wave_fault(w, &w->code->codes[base->next], SIM_FAULT_HANG, w->code->va,
                    "the helper program comes to no doorbell in %u instructions", PATIENCE);
   }
   sim_host_float_restore(saved);
   if (base->fault.kind)
      *fault = base->fault;
   return !base->fault.kind;
}

static bool
start(struct wave_helpers *h, struct helper *helper, struct sim_fault *fault)
{
   struct sim_va va = h->program.code;
   const uint64_t data = h->program.helper.data;
   struct agx_wave_start begin = {.lanes = 1};
   struct wave *w = helper->wave;
   void *memory = NULL;
   h->engine->launch = &h->launch;
   h->engine->launches++;
   h->engine->draws.size_B = 0;
   const struct draw draw = {.code = wave_program(h->engine, h->launch.vm, va, AGX_HELPER_REGISTERS),
                             .program = &h->program};
   dynarray_append(&h->engine->draws, struct draw, draw);
   if (!draw.code)
      return sim_fault_set(fault, SIM_FAULT_ADDRESS, va,
                           "no executable memory at 0x%llx, where the helper program is", (unsigned long long)va.va);
   if (draw.code->uniform_end)
      return sim_fault_set(fault, SIM_FAULT_STATE, va,
                           "the helper program at 0x%llx names half %u of uniforms, and has none",
                           (unsigned long long)va.va, draw.code->uniform_end - 1u);
   if (!w) {
      if (posix_memalign(&memory, 64, sizeof(*w)))
         out_of_memory("a helper program", sizeof(*w));
      w = helper->wave = memset(memory, 0, sizeof(*w));
   }
   sim_queue_reset(&w->base.queue);
   w->base = (struct sim_wave){.rounds = &h->engine->rounds, .group = &helper->group.base, .queue = w->base.queue};
   wave_reset(w, h->engine, &helper->group);
   w->helps = helper;
   state_start(&w->state, &begin, AGX_HELPER_REGISTERS);
   helper->argument[0] = (uint32_t)data;
   helper->argument[1] = (uint32_t)(data >> 32);
   helper->asked = false;
   helper->runs = true;
   if (!continue_wave(w, fault))
      return false;
   return w->base.state == SIM_WAVE_SLEEP
             ? true
             : sim_fault_set(fault, SIM_FAULT_STATE, va, "the helper program of core %u ends before it is asked",
                             helper->group.base.index);
}

static bool
ask(struct wave_helpers *h, struct helper *helper, enum agx_helper_op op, uint32_t argument, struct sim_fault *fault)
{
   if (!helper->runs && !start(h, helper, fault))
      return false;
   helper->op = op;
   helper->argument[0] = argument;
   helper->argument[1] = 0;
   helper->asked = true;
   helper->answer = HELPER_SILENT;
   helper->named = 0;
   if (!continue_wave(helper->wave, fault))
      return false;
   helper->asked = false;
   bool ended = helper->wave->base.state == SIM_WAVE_END;
   if (ended == (op == AGX_HELPER_END))
      return true;
   return sim_fault_set(fault, SIM_FAULT_STATE, h->program.code, "the helper program of core %u %s",
                        helper->group.base.index,
                        ended ? "ends where it is asked for memory" : "continues where it is told to end");
}

bool
wave_helper_ask(struct wave_helpers *h, struct helper *helper, enum agx_helper_op op, uint32_t argument,
                struct sim_fault *fault)
{
   if (!h->fault.kind)
      ask(h, helper, op, argument, &h->fault);
   if (h->fault.kind)
      *fault = h->fault;
   return !h->fault.kind;
}

bool
wave_helpers_end(struct wave_helpers *h, struct sim_fault *fault)
{
   bool ok = true;
   for (uint32_t i = 0; i < h->core_count; i++) {
      struct helper *helper = &h->cores[i];
      ok = ok && (!helper->runs || wave_helper_ask(h, helper, AGX_HELPER_END, 0, fault));
      helper->runs = false;
   }
   return ok;
}
