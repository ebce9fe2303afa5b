/* What a preamble sets for its program: uniforms, texture states and sampler states. */
#include <string.h>

#include "asahi/sim/wave/exec.h"

/* Of the first active thread: preambles have one. */
static enum step
run_uniform(struct wave *w, const struct code *c)
{
   struct agx_program *to = w->engine->bindings;
   const struct agx_operand *data = &c->in.src[0];
   unsigned first = (unsigned)c->in.dst.value, count = c->in.dst.count * c->in.dst.size / 16u;
   if (!to)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "stores a uniform outside of a preamble");
   if (first + count > to->uniform_halves)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "the program has %u halves of uniforms",
                        to->uniform_halves);
   if (!w->state.exec)
      return STEP_NEXT;
   unsigned lane = (unsigned)__builtin_ctz(w->state.exec);
   for (unsigned i = 0; i < count; i++)
      to->uniforms[first + i] = (uint16_t)state_half(&w->state, (unsigned)data->value + i, lane);
   return STEP_NEXT;
}

static const uint8_t *
read_state(struct wave *w, const struct code *c, unsigned size_B)
{
   uint64_t at = exec_value(w, &c->in.src[0], 0);
   const struct agx_operand *offset = &c->in.src[1];
   unsigned lane = w->state.exec ? (unsigned)__builtin_ctz(w->state.exec) : 0;
   at += offset->kind == AGX_REG ? (uint32_t)exec_value(w, offset, lane) : (uint32_t)offset->value;
   return wave_read_memory(w, c, sim_va(at), size_B);
}

static enum step
run_texture(struct wave *w, const struct code *c)
{
   struct agx_program *to = w->engine->bindings;
   unsigned n = (unsigned)c->in.dst.value;
   if (!to || n >= to->texture_count)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "%s",
                        to ? "the program has no such texture state"
                           : "stores a texture state outside of a preamble");
   const uint8_t *state = w->state.exec ? read_state(w, c, sizeof(to->textures[n])) : NULL;
   if (!state)
      return w->state.exec ? STEP_FAULT : STEP_NEXT;
   memcpy(&to->textures[n], state, sizeof(to->textures[n]));
   to->textures_bound[n / 64] |= UINT64_C(1) << n % 64;
   w->reads_issued++;
   wave_outstanding(w, c->in.mod.group, 0, 0, false);
   return STEP_NEXT;
}

static enum step
run_sampler(struct wave *w, const struct code *c)
{
   struct agx_program *to = w->engine->bindings;
   unsigned n = (unsigned)c->in.dst.value;
   if (!to || n >= to->sampler_count || n >= AGX_SAMPLER_STATES_COUNT)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "%s",
                        to ? "the program has no such sampler state"
                           : "stores a sampler state outside of a preamble");
   struct agx_sampler_state *s = &to->samplers[n];
   unsigned border_B = to->extended_samplers ? sizeof(s->border) : 0;
   const uint8_t *state = w->state.exec ? read_state(w, c, (unsigned)sizeof(s->words) + border_B) : NULL;
   if (!state)
      return w->state.exec ? STEP_FAULT : STEP_NEXT;
   memcpy(s->words, state, sizeof(s->words));
   memcpy(s->border, state + sizeof(s->words), border_B);
   to->samplers_bound |= 1u << n;
   w->reads_issued++;
   wave_outstanding(w, c->in.mod.group, 0, 0, false);
   return STEP_NEXT;
}

bool
exec_state_bind(struct code *c)
{
   switch (c->in.op) {
   case AGX_OP_UNIFORM_STORE:
      c->run = run_uniform;
      return true;
   case AGX_OP_TEX_STATE_STORE:
      c->run = run_texture;
      return true;
   case AGX_OP_SAMPLER_STATE_STORE:
      c->run = run_sampler;
      return true;
   default: /* others: stores of uniforms in ways that nobody has seen */
      return false;
   }
}
