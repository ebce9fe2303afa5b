/* The tile buffer, and tests of samples: by the launch's hooks. What changes something waits in the wave's queue. */
#include <string.h>

#include "asahi/sim/wave/exec.h"

struct queued_store {
   struct agx_wave_tile_access access;
   uint32_t value[4][LANES];
};

static bool
has_hooks(const struct wave *w)
{
   return w->launch->hooks && !w->engine->bindings;
}

static enum step
no_hooks(struct wave *w, const struct code *c)
{
   return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "there are no tiles in this stage");
}

/* A hook's fault, with where that was. */
static bool
hook_failed(struct wave *w, const struct code *c, const struct sim_fault *fault)
{
   wave_fault(w, c, fault->kind ? fault->kind : SIM_FAULT_STATE, fault->va, "%.500s", fault->message);
   return false;
}

static uint8_t
mask_of_lane(const struct wave *w, const struct agx_operand *o, unsigned lane)
{
   return (uint8_t)exec_value(w, o, lane);
}

/* first: the source of the coordinates; samples are next. */
static void
fill_access(const struct wave *w, const struct code *c, unsigned first, unsigned bits, struct agx_wave_tile_access *a)
{
   const struct agx_operand *coords = &c->in.src[first], *samples = coords + 1;
   *a = (struct agx_wave_tile_access){.fragments = &w->fragments,
                                      .group = w->base.group->index,
                                      .lanes = w->state.exec,
                                      .format = (uint8_t)c->in.mod.format,
                                      .mask = (uint8_t)c->in.mod.mask,
                                      .register_bits = (uint8_t)bits,
                                      .offset_B = (uint16_t)c->in.mod.offset,
                                      .explicit_coords = coords->kind == AGX_REG};
   for (unsigned l = 0; l < LANES; l++) {
      a->samples[l] = mask_of_lane(w, samples, l);
      for (unsigned i = 0; i < 2 && a->explicit_coords; i++)
         a->coords[i][l] = (uint16_t)state_half(&w->state, (unsigned)coords->value + i, l);
   }
}

static enum step
run_load(struct wave *w, const struct code *c)
{
   struct agx_wave_tile_access a;
   uint32_t value[4][LANES] = {{0}};
   struct sim_fault fault = {0};
   unsigned bits = c->in.dst.size, half = (unsigned)c->in.dst.value;
   if (!has_hooks(w))
      return no_hooks(w, c);
   if (wave_order_tile_waits(w, &w->base.queue.needed_seq))
      return STEP_AGAIN;
   fill_access(w, c, 0, bits, &a);
   if (!w->launch->hooks->load_tile(w->launch->user, &a, value, &fault)) {
      hook_failed(w, c, &fault);
      return STEP_FAULT;
   }
   for (unsigned i = 0; i < 4; i++) {
      if (!(a.mask >> i & 1))
         continue;
      for (unsigned l = 0; l < LANES; l++)
         if (a.lanes >> l & 1)
            state_put(&w->state, half, bits, l, value[i][l]);
      half += bits / 16;
   }
   return STEP_NEXT;
}

static enum step
run_store(struct wave *w, const struct code *c)
{
   struct queued_store q;
   const struct agx_operand *data = &c->in.src[0];
   unsigned half = (unsigned)data->value;
   if (!has_hooks(w))
      return no_hooks(w, c);
   fill_access(w, c, 1, data->size, &q.access);
   memset(q.value, 0, sizeof(q.value));
   for (unsigned i = 0; i < 4; i++) {
      if (!(q.access.mask >> i & 1))
         continue;
      for (unsigned l = 0; l < LANES; l++)
         q.value[i][l] = state_get(&w->state, half, data->size, l);
      half += data->size / 16u;
   }
   wave_order_queue_tile(w, c, &q, sizeof(q));
   return STEP_NEXT;
}

/* Each sample is tested or killed once; those that are not there, and killed ones, do not count. */
static enum step
run_test(struct wave *w, const struct code *c)
{
   struct agx_wave_test t = {.fragments = &w->fragments, .group = w->base.group->index};
   bool emits = c->in.op == AGX_OP_ZS_EMIT;
   const struct agx_operand *zs = &c->in.src[1];
   if (!has_hooks(w) || !w->launch->hooks->test)
      return no_hooks(w, c);
   t.has_depth = emits && (zs->size == 32 || zs->count == 3);
   t.has_stencil = emits && (zs->size == 16 && zs->kind == AGX_REG);
   unsigned stencil_half = (unsigned)zs->value + (t.has_depth ? 2 : 0);
   for (unsigned l = 0; l < LANES; l++) {
      if (!(w->state.exec >> l & 1))
         continue;
      unsigned samples = mask_of_lane(w, &c->in.src[0], l) & w->fragments.samples[l] & ~(unsigned)w->killed[l];
      unsigned live = emits ? samples : samples & mask_of_lane(w, &c->in.src[1], l);
      if (samples & w->tested[l])
         return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "samples 0x%x of lane %u were tested already",
                           samples & w->tested[l], l);
      w->tested[l] |= (uint8_t)live;
      w->killed[l] |= (uint8_t)(samples & ~live);
      t.samples[l] = (uint8_t)live;
      if (t.has_depth)
         t.depth[l] = bits_float(state_half(&w->state, (unsigned)zs->value, l) |
                                 state_half(&w->state, (unsigned)zs->value + 1, l) << 16);
      if (t.has_stencil)
         t.stencil[l] = (uint8_t)state_half(&w->state, stencil_half, l);
   }
   wave_order_queue_tile(w, c, &t, sizeof(t));
   w->tests_queued++;
   return STEP_NEXT;
}

static bool
land_test(struct wave *w, const struct code *c, struct agx_wave_test *t)
{
   struct sim_fault fault = {0};
   uint8_t passed[LANES] = {0};
   w->tests_queued--;
   if (!w->launch->hooks->test(w->launch->user, t, passed, &fault))
      return hook_failed(w, c, &fault);
   for (unsigned l = 0; l < LANES; l++)
      w->live[l] &= (uint8_t)((~t->samples[l] | passed[l]) & ~w->killed[l]);
   return true;
}

bool
exec_tile_land(struct wave *w, const struct code *c, const void *payload)
{
   struct sim_fault fault = {0};
   if (c->in.op != AGX_OP_ST_TILE) {
      struct agx_wave_test t;
      memcpy(&t, payload, sizeof(t));
      return land_test(w, c, &t);
   }
   struct queued_store q;
   memcpy(&q, payload, sizeof(q));
   for (unsigned l = 0; l < LANES; l++)
      q.access.samples[l] &= w->live[l];
   return w->launch->hooks->store_tile(w->launch->user, &q.access, (const uint32_t(*)[LANES])q.value, &fault) ||
          hook_failed(w, c, &fault);
}

bool
exec_tile_bind(struct code *c)
{
   c->run = c->in.op == AGX_OP_LD_TILE ? run_load : c->in.op == AGX_OP_ST_TILE ? run_store : run_test;
   return true;
}
