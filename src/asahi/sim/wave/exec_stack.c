/* The stack: private memory of each thread. stack_adjust makes room for so many words of 32 bits (as Honeykrisp asks
 * for arrays), and offsets count bytes from the room's lower end. */
#include <stdlib.h>
#include <string.h>

#include "asahi/sim/wave/exec.h"
#include "asahi/sim/wave/wave_format.h"
#include "util/within_memory.h"

/* Room ends where the memory of a lane ends: what is added later comes before it. */
static void
grow(struct wave *w, uint32_t depth_B)
{
   uint32_t have_B = w->stack_capacity_B, want_B = MAX2(have_B, 64);
   while (want_B < depth_B)
      want_B *= 2;
   if (want_B == have_B)
      return;
   uint8_t *memory = need_malloc("a wave's stack", (size_t)want_B * LANES);
   state_fill_garbage((uint32_t *)(void *)memory, (size_t)want_B * LANES / 4);
   for (unsigned l = 0; l < LANES && have_B; l++)
      memcpy(memory + (size_t)(l + 1) * want_B - have_B, w->stack + (size_t)l * have_B, have_B);
   free(w->stack);
   w->stack = memory;
   w->stack_capacity_B = want_B;
}

static enum step
run_adjust(struct wave *w, const struct code *c)
{
   const struct agx_operand *by = &c->in.src[0];
   if (by->kind == AGX_REG)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "the model moves stacks by constants only");
   if (!w->stack_B)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "a stack, and the program has no private memory");
   int64_t depth_B = (int64_t)w->state.stack_depth_B + by->value * 4;
   if (depth_B < 0 || depth_B > w->stack_B)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "the stack would have %lld bytes, of %u",
                        (long long)depth_B, w->stack_B);
   grow(w, (uint32_t)depth_B);
   w->stack_deepest_B = MAX2(w->stack_deepest_B, (uint32_t)align_up((uint64_t)depth_B, 4));
   w->state.stack_depth_B = (uint32_t)depth_B;
   return STEP_NEXT;
}

static uint8_t *
locate(struct wave *w, const struct code *c, unsigned lane, unsigned size_B, unsigned element)
{
   const struct agx_operand *index = &c->in.src[c->in.op == AGX_OP_STACK_LOAD ? 0 : 1];
   uint32_t depth_B = w->state.stack_depth_B;
   int64_t at = (int64_t)exec_value(w, index, lane);
   if (index->kind == AGX_REG && index->sext)
      at = (int32_t)at;
   at = at * (INT64_C(1) << MIN2(c->in.mod.shift, 2)) + (int64_t)element * size_B;
   at &= ~(int64_t)(size_B - 1);
   if (at >= 0 && at + size_B <= depth_B)
      return w->stack + (size_t)(lane + 1) * w->stack_capacity_B - depth_B + at;
   wave_fault(w, c, SIM_FAULT_ADDRESS, sim_va((uint64_t)at), "lane %u: byte %lld of a stack of %u bytes", lane,
              (long long)at, depth_B);
   return NULL;
}

static enum step
run_load(struct wave *w, const struct code *c)
{
   enum agx_format format = (enum agx_format)c->in.mod.format;
   struct wave_format f = wave_format(format);
   unsigned bits = c->in.dst.size;
   for (unsigned l = 0; l < LANES; l++) {
      uint32_t value[4], n = 0;
      for (unsigned i = 0; i < 4 && w->state.exec >> l & 1; i++) {
         uint32_t element = 0;
         if (!(c->in.mod.mask >> i & 1))
            continue;
         const uint8_t *at = locate(w, c, l, f.size_B, i);
         if (!at)
            return STEP_FAULT;
         memcpy(&element, at, f.size_B);
         wave_format_load(format, bits, element, i, &value[n++]);
      }
      for (unsigned i = 0; i < n; i++)
         state_put(&w->state, (unsigned)c->in.dst.value + i * bits / 16, bits, l, value[i]);
   }
   wave_outstanding(w, c->in.mod.group, (unsigned)c->in.dst.value, c->in.dst.count * bits / 16u, false);
   return STEP_NEXT;
}

static enum step
run_store(struct wave *w, const struct code *c)
{
   enum agx_format format = (enum agx_format)c->in.mod.format;
   const struct agx_operand *data = &c->in.src[0];
   unsigned size_B = wave_format(format).size_B;
   for (unsigned l = 0; l < LANES; l++) {
      unsigned half = (unsigned)data->value;
      for (unsigned i = 0; i < 4 && w->state.exec >> l & 1; i++) {
         if (!(c->in.mod.mask >> i & 1))
            continue;
         uint32_t value = state_get(&w->state, half, data->size, l);
         uint32_t element = wave_format_store(format, data->size, &value, i);
         uint8_t *at = locate(w, c, l, size_B, i);
         if (!at)
            return STEP_FAULT;
         memcpy(at, &element, size_B);
         half += data->size / 16u;
      }
   }
   wave_outstanding(w, c->in.mod.group, 0, 0, false);
   return STEP_NEXT;
}

bool
exec_stack_bind(struct code *c)
{
   c->run = c->in.op == AGX_OP_STACK_ADJUST ? run_adjust : c->in.op == AGX_OP_STACK_LOAD ? run_load : run_store;
   return c->in.op == AGX_OP_STACK_ADJUST || !wave_format((enum agx_format)c->in.mod.format).packed;
}
