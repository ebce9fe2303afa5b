/* Threadgroup memory: at once, as one thread of the host runs a group. */
#include <string.h>

#include "asahi/sim/wave/exec.h"
#include "asahi/sim/wave/wave_format.h"

/* Host memory of an element, by a base in bytes and an index in elements; NULL after a fault. */
static uint8_t *
locate(struct wave *w, const struct code *c, unsigned base, unsigned lane, unsigned size_B, unsigned element)
{
   uint32_t at = (uint32_t)exec_value(w, &c->in.src[base], lane), index;
   const struct agx_operand *o = &c->in.src[base + 1];
   index = o->kind == AGX_REG ? (uint32_t)exec_value(w, o, lane) : (uint32_t)o->value;
   at = ((at + index * size_B) & ~(size_B - 1)) + element * size_B;
   if (at < w->program->threadgroup_B && w->program->threadgroup_B - at >= size_B)
      return w->local + at;
   wave_fault(w, c, SIM_FAULT_ADDRESS, sim_va(at), "lane %u: byte 0x%x of %u bytes of threadgroup memory", lane, at,
              w->program->threadgroup_B);
   return NULL;
}

static enum step
run_load(struct wave *w, const struct code *c)
{
   enum agx_format format = (enum agx_format)c->in.mod.format;
   struct wave_format f = wave_format(format);
   unsigned bits = c->in.dst.size, mask = f.packed ? 1 : c->in.mod.mask;
   for (unsigned l = 0; l < LANES; l++) {
      uint32_t value[4], n = 0;
      for (unsigned i = 0; i < 4 && w->state.exec >> l & 1; i++) {
         uint32_t element = 0;
         if (!(mask >> i & 1))
            continue;
         const uint8_t *at = locate(w, c, 0, l, f.size_B, i);
         if (!at)
            return STEP_FAULT;
         memcpy(&element, at, f.size_B);
         wave_format_load(format, bits, element, i, value + n);
         n += f.packed ? f.packed : 1;
      }
      for (unsigned i = 0; i < n; i++)
         state_put(&w->state, (unsigned)c->in.dst.value + i * bits / 16, bits, l, value[i]);
   }
   return STEP_NEXT;
}

static enum step
run_store(struct wave *w, const struct code *c)
{
   enum agx_format format = (enum agx_format)c->in.mod.format;
   struct wave_format f = wave_format(format);
   const struct agx_operand *data = &c->in.src[0];
   unsigned mask = f.packed ? 1 : c->in.mod.mask;
   for (unsigned l = 0; l < LANES; l++) {
      unsigned half = (unsigned)data->value;
      for (unsigned i = 0; i < 4 && w->state.exec >> l & 1; i++) {
         uint32_t value[4];
         if (!(mask >> i & 1))
            continue;
         for (unsigned n = 0; n < (f.packed ? f.packed : 1u); n++, half += data->size / 16u)
            value[n] = state_get(&w->state, half, data->size, l);
         uint32_t element = wave_format_store(format, data->size, value, i);
         uint8_t *at = locate(w, c, 1, l, f.size_B, i);
         if (!at)
            return STEP_FAULT;
         memcpy(at, &element, f.size_B);
      }
   }
   return STEP_NEXT;
}

static enum step
run_atomic(struct wave *w, const struct code *c)
{
   const struct agx_operand *data = &c->in.src[0];
   unsigned r = (unsigned)data->value / 2;
   for (unsigned l = 0; l < LANES; l++) {
      uint32_t old, value;
      if (!(w->state.exec >> l & 1))
         continue;
      uint8_t *at = locate(w, c, 1, l, 4, 0);
      if (!at)
         return STEP_FAULT;
      memcpy(&old, at, 4);
      value = wave_atomic((enum agx_atomic_op)c->in.mod.atomic_op, old, w->state.r[r][l],
                          data->count > 1 ? w->state.r[r + 1][l] : 0);
      memcpy(at, &value, 4);
      if (c->in.dst.kind == AGX_REG)
         state_put(&w->state, (unsigned)c->in.dst.value, 32, l, old);
   }
   return STEP_NEXT;
}

bool
exec_local_bind(struct code *c)
{
   struct agx_inst *in = &c->in;
   bool is_load = in->op == AGX_OP_LLOAD;
   if (in->op == AGX_OP_LATOMIC) {
      c->run = run_atomic;
      return true;
   }
   const struct agx_operand *reg = is_load ? &in->dst : &in->src[0];
   struct wave_format f = wave_format((enum agx_format)in->mod.format);
   if (f.packed)
      wave_add_use(c, (unsigned)reg->value, f.packed * reg->size / 16u, is_load, false);
   c->run = is_load ? run_load : run_store;
   return in->mod.format != AGX_FORMAT_I32 || reg->size == 32;
}
