/* Loads, stores and atomics of device memory. */
#include <string.h>

#include "asahi/sim/wave/exec.h"
#include "asahi/sim/wave/wave_format.h"
#include "asahi/sim/wave/wave_watch.h"

/* Where each lane's first element lies. */
struct access {
   uint32_t exec;
   struct sim_va va[LANES];
};

/* Which source is the base; the index is next. */
static unsigned
base_of(const struct code *c)
{
   return c->in.op == AGX_OP_LOAD ? 0 : 1;
}

/* Registers that a load fills or a store takes. */
static unsigned
register_count(const struct agx_inst *in)
{
   struct wave_format f = wave_format((enum agx_format)in->mod.format);
   return f.packed ? f.packed : (unsigned)__builtin_popcount(in->mod.mask);
}

static unsigned
element_B(const struct agx_inst *in)
{
   return in->op == AGX_OP_ATOMIC ? 4 : wave_format((enum agx_format)in->mod.format).size_B;
}

/* Addresses of all lanes. */
static void
add_base(const struct wave *w, const struct agx_operand *o, uint64_t va[LANES])
{
   const uint32_t(*r)[LANES] = &w->state.r[o->kind == AGX_REG ? o->value / 2 % REGISTERS : 0];
   uint64_t same = o->kind == AGX_UNIFORM ? exec_value(w, o, 0) : 0;
   for (unsigned l = 0; l < LANES; l++)
      va[l] += o->kind == AGX_UNIFORM ? same : r[0][l] | (uint64_t)r[1][l] << 32;
}

static void
scale_index(const struct wave *w, const struct agx_operand *o, unsigned shift, unsigned size_B, uint64_t va[LANES])
{
   const uint32_t *r = w->state.r[o->kind == AGX_REG ? o->value / 2 % REGISTERS : 0];
   unsigned by = shift + log2_floor(size_B);
   for (unsigned l = 0; l < LANES; l++) {
      uint64_t index = o->kind != AGX_REG ? (uint64_t)(int64_t)o->value
                       : o->sext          ? (uint64_t)(int64_t)(int32_t)r[l]
                                          : r[l];
      va[l] = index << by;
   }
}

/* What lies across the boundary of an element goes to the one that it begins in. */
static void
locate(const struct wave *w, const struct code *c, struct access *a)
{
   const struct agx_operand *base = &c->in.src[base_of(c)], *index = base + 1;
   unsigned size_B = element_B(&c->in), shift = MIN2(c->in.mod.shift, 2);
   bool packed = c->in.op != AGX_OP_ATOMIC && wave_format((enum agx_format)c->in.mod.format).packed;
   uint64_t va[LANES];
   a->exec = w->state.exec;
   scale_index(w, index, packed ? 0 : shift, size_B, va);
   add_base(w, base, va);
   for (unsigned l = 0; l < LANES; l++)
      a->va[l] = sim_va(va[l] & ~(uint64_t)(size_B - 1));
}

/* For who watches. */
static void
note_races(struct wave *w, const struct code *c, const struct access *a, unsigned mask, unsigned size_B)
{
   for (unsigned l = 0; w->launch->races && l < LANES; l++)
      for (unsigned i = 0; i < 4 && a->exec >> l & 1; i++)
         if (mask >> i & 1)
            wave_race_note(w, c, l, sim_va_add(a->va[l], (int64_t)i * size_B), size_B);
}

static unsigned
elements(const struct agx_inst *in)
{
   return wave_format((enum agx_format)in->mod.format).packed ? 1 : (unsigned)in->mod.mask;
}

/* A load that may see this wave's queued writes waits for their commit. */
static bool
must_wait(const struct wave *w, const struct access *a, unsigned size_B)
{
   for (unsigned l = 0; l < LANES && w->base.queue.count; l++)
      if (a->exec >> l & 1 && sim_queue_touches(&w->base.queue, a->va[l], size_B))
         return true;
   return false;
}

/* The elements of a lane, where the mapping of the last load has them all and memory is what it finds; else NULL. */
static inline const uint8_t *
find_elements(const struct wave *w, const struct code *c, struct sim_va va, unsigned size_B)
{
   const uint64_t into_B = va.va - w->tlb_va.va;
   if (into_B >= w->tlb_size_B || w->tlb_size_B - into_B < size_B)
      return NULL;
   return !c->in.mod.coherency && wave_cache_may_hold(w, va, size_B) ? NULL : w->tlb_host + into_B;
}

/* Of one lane, as they are. */
static inline void
put_elements(struct agx_wave_registers *s, const struct code *c, const uint8_t *bytes, unsigned size_B, unsigned lane)
{
   unsigned half = (unsigned)c->in.dst.value;
   const unsigned bits = c->in.dst.size;
   for (unsigned mask = c->in.mod.mask; mask; mask &= mask - 1, half += bits / 16) {
      uint32_t element = 0;
      memcpy(&element, bytes + (unsigned)__builtin_ctz(mask) * size_B, size_B);
      state_put(s, half, bits, lane, element);
   }
}

/* Of the lanes from the first on, as far as that is all there is to do. Returns the next one. */
static unsigned
load_together(struct wave *w, const struct code *c, const struct access *a, unsigned first, unsigned element_B)
{
   const unsigned size_B = element_B * (32 - (unsigned)__builtin_clz(c->in.mod.mask | 1u));
   unsigned l = first;
   for (; l < LANES; l++) {
      if (!(a->exec >> l & 1))
         continue;
      const uint8_t *bytes = find_elements(w, c, a->va[l], size_B);
      if (!bytes)
         break;
      if (element_B == 4)
         put_elements(&w->state, c, bytes, 4, l);
      else
         put_elements(&w->state, c, bytes, element_B, l);
   }
   return l;
}

static bool
load(struct wave *w, const struct code *c, const struct access *a)
{
   enum agx_format format = (enum agx_format)c->in.mod.format;
   struct wave_format f = wave_format(format);
   unsigned bits = c->in.dst.size, mask = f.packed ? 1 : c->in.mod.mask;
   const bool together = !f.is_float && !f.packed && !w->engine->reference;
   for (unsigned l = together ? load_together(w, c, a, 0, f.size_B) : 0; l < LANES;
        l = together ? load_together(w, c, a, l + 1, f.size_B) : l + 1) {
      unsigned half = (unsigned)c->in.dst.value;
      for (unsigned i = 0; i < 4 && a->exec >> l & 1; i++) {
         if (!(mask >> i & 1))
            continue;
         uint32_t element = 0, value[4];
         const uint8_t *host = wave_read_memory(w, c, sim_va_add(a->va[l], (int64_t)i * f.size_B), f.size_B);
         if (!host)
            return false;
         const uint8_t *cached =
            c->in.mod.coherency ? NULL : wave_cache_read(w, sim_va_add(a->va[l], (int64_t)i * f.size_B), f.size_B);
         memcpy(&element, cached ? cached : host, f.size_B);
         if (!f.is_float) {
            state_put(&w->state, half, bits, l, element);
            half += bits / 16;
            continue;
         }
         wave_format_load(format, bits, element, i, value);
         for (unsigned n = 0; n < (f.packed ? f.packed : 1u); n++, half += bits / 16)
            state_put(&w->state, half, bits, l, value[n]);
      }
   }
   return true;
}

bool
exec_memory_late_load(struct wave *w, const struct code *c, const void *access)
{
   struct access a;
   memcpy(&a, access, sizeof(a));
   return load(w, c, &a);
}

static enum step
run_load(struct wave *w, const struct code *c)
{
   struct access a;
   locate(w, c, &a);
   /* Loads stay in order. */
   bool late = w->base.queue.loads || sim_rounds_late_load(&w->base);
   if (must_wait(w, &a, 4 * element_B(&c->in)))
      return STEP_AGAIN;
   if (late)
      sim_queue_load(&w->base.queue, (uint32_t)(c - w->code->codes), &a, sizeof(a));
   else if (!load(w, c, &a))
      return STEP_FAULT;
   w->reads_issued++;
   note_races(w, c, &a, elements(&c->in), element_B(&c->in));
   wave_outstanding(w, c->in.mod.group, (unsigned)c->in.dst.value, register_count(&c->in) * c->in.dst.size / 16u,
                    late);
   return STEP_NEXT;
}

/* Helpers change no memory, nor do fragments of which a test or a kill has left nothing. */
static void
drop_helpers(const struct wave *w, struct access *a)
{
   for (unsigned l = 0; w->program->stage == AGX_STAGE_FRAGMENT && l < LANES; l++)
      a->exec &= ~((uint32_t)!w->live[l] << l);
}

static enum step
run_store(struct wave *w, const struct code *c)
{
   enum agx_format format = (enum agx_format)c->in.mod.format;
   struct wave_format f = wave_format(format);
   const struct agx_operand *data = &c->in.src[0];
   unsigned mask = f.packed ? 1 : c->in.mod.mask, place = (unsigned)(c - w->code->codes);
   struct access a;
   if (w->tests_queued)
      return STEP_AGAIN;
   locate(w, c, &a);
   drop_helpers(w, &a);
   for (unsigned l = 0; l < LANES; l++) {
      unsigned half = (unsigned)data->value;
      for (unsigned i = 0; i < 4 && a.exec >> l & 1; i++) {
         uint32_t value[4];
         if (!(mask >> i & 1))
            continue;
         for (unsigned n = 0; n < (f.packed ? f.packed : 1u); n++, half += data->size / 16u)
            value[n] = state_get(&w->state, half, data->size, l);
         uint32_t element = f.is_float ? wave_format_store(format, data->size, value, i) : value[0];
         sim_queue_store(&w->base.queue, place, sim_va_add(a.va[l], (int64_t)i * f.size_B), &element, f.size_B);
      }
   }
   w->writes_issued++;
   note_races(w, c, &a, mask, f.size_B);
   if (wave_cache_keeps(w, c))
      w->base.queue.issue_seq++;
   wave_outstanding(w, c->in.mod.group, 0, 0, !wave_cache_keeps(w, c));
   return STEP_NEXT;
}

static enum step
run_atomic(struct wave *w, const struct code *c)
{
   const struct agx_operand *data = &c->in.src[0], *dst = &c->in.dst;
   bool returns = dst->kind == AGX_REG;
   struct access a;
   if (w->tests_queued)
      return STEP_AGAIN;
   locate(w, c, &a);
   uint32_t active = a.exec;
   drop_helpers(w, &a);
   if (w->engine->clusters && c->in.mod.coherency != 3)
      return wave_fault(w, c, SIM_FAULT_HAZARD, a.va[0], "an atomic that other clusters do not see");
   for (uint32_t left = returns ? active & ~a.exec : 0; left; left &= left - 1)
      state_put(&w->state, (unsigned)dst->value, dst->size, (unsigned)__builtin_ctz(left), 0);
   for (unsigned l = 0; l < LANES; l++) {
      if (!(a.exec >> l & 1))
         continue;
      unsigned r = (unsigned)data->value / 2;
      sim_queue_atomic(&w->base.queue,
                       &(struct sim_queued){.va = a.va[l],
                                            .size_B = 4,
                                            .lane = (uint8_t)l,
                                            .atomic = (uint8_t)c->in.mod.atomic_op,
                                            .dst = (uint16_t)(returns ? dst->value + 1 : 0),
                                            .place = (uint32_t)(c - w->code->codes),
                                            .data = {w->state.r[r][l], data->count > 1 ? w->state.r[r + 1][l] : 0}});
   }
   w->writes_issued++;
   w->reads_issued += returns;
   note_races(w, c, &a, 1, 4);
   wave_outstanding(w, c->in.mod.group, returns ? (unsigned)dst->value : 0, returns ? 2 : 0, true);
   return STEP_NEXT;
}

bool
exec_memory_bind(struct code *c)
{
   struct agx_inst *in = &c->in;
   if (in->op == AGX_OP_ATOMIC) {
      c->run = run_atomic;
      return in->mod.coherency != 2 || (in->mod.atomic_op != 1 && in->mod.atomic_op != 3);
   }
   bool is_load = in->op == AGX_OP_LOAD;
   const struct agx_operand *reg = is_load ? &in->dst : &in->src[0];
   if (in->mod.format == AGX_FORMAT_I32 && reg->size == 16)
      return false; /* words do not fit into halves */
   if (wave_format((enum agx_format)in->mod.format).packed)
      wave_add_use(c, (unsigned)reg->value, register_count(in) * reg->size / 16u, is_load, false);
   c->run = is_load ? run_load : run_store;
   return true;
}
