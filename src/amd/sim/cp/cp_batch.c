#include "amd/sim/cp/cp_batch.h"

#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "amd/sim/check/order_check.h"
#include "amd/sim/cp/cp.h"
#include "util/macros.h"

/* What a draw writes to registers, the next one needs. */
static bool
changes_registers(const struct amd_gpu *gpu)
{
   return G_PA_SC_MODE_CNTL_0_LINE_STIPPLE_ENABLE(amd_regs_get(gpu->regs, R_PA_SC_MODE_CNTL_0)) ||
          amd_regs_get(gpu->regs, R_VGT_STRMOUT_CONFIG);
}

static bool
may_wait(const struct amd_gpu *gpu, const struct amd_draw *draw)
{
   return gpu->chip->out_of_order && !changes_registers(gpu) && amd_draw_most_prims(gpu, draw) < AMD_REORDER_MOST;
}

static bool
run_now(struct amd_cp *cp, const struct amd_draw *draw)
{
   struct amd_gpu *gpu = cp->gpu;
   const bool ordered =
      G_DB_SHADER_CONTROL_PRIMITIVE_ORDERED_PIXEL_SHADER(amd_regs_get(gpu->regs, R_DB_SHADER_CONTROL));
   if (!amd_cp_continue_draws(cp))
      return false;
   gpu->reorder.draw = cp->ring->draws++;
   amd_order_begin(gpu->caches, gpu->slot, cp->packet_name, cp->packet_va, ordered);
   amd_caches_launch(gpu->caches);
   return amd_draw_run(gpu, draw);
}

static bool
run_waiting(struct amd_cp *cp, struct amd_batch_draw *waiting)
{
   struct amd_regs *regs = cp->gpu->regs;
   cp->packet_name = waiting->packet_name;
   cp->packet_va = waiting->packet_va;
   cp->gpu->regs = &waiting->regs;
   bool ok = run_now(cp, &waiting->draw);
   cp->gpu->regs = regs;
   return ok;
}

bool
amd_cp_batch_end(struct amd_cp *cp)
{
   struct dynarray *batch = &cp->ring->batch;
   struct amd_batch_draw *draws = batch->data;
   const uint32_t count = (uint32_t)dynarray_count(batch, struct amd_batch_draw);
   const char *name = cp->packet_name;
   const struct sim_va va = cp->packet_va;
   uint32_t order[AMD_REORDER_MOST];
   if (!count)
      return true;
   batch->size_B = 0;
   if (cp->gpu->order_check && !amd_order_check_batch(cp->gpu->order_check, cp->gpu, draws, count))
      return false;
   const bool mixes = amd_reorder_window(cp->gpu) > 1 && amd_draws_mix(cp->gpu, draws, count);
   for (uint32_t i = 0; i < count; i++)
      order[i] = i;
   if (mixes)
      amd_reorder_choose(&cp->gpu->reorder.schedule, cp->ring->draws, AMD_REORDER_MOST, count, order);
   for (uint32_t i = 0; i < count; i++)
      if (!run_waiting(cp, &draws[order[i]]))
         return false;
   cp->packet_name = name;
   cp->packet_va = va;
   return true;
}

static void
add_draw(struct amd_cp *cp, const struct amd_draw *draw)
{
   struct amd_batch_draw *entry = dynarray_grow(&cp->ring->batch, sizeof(*entry));
   entry->draw = *draw;
   entry->packet_name = cp->packet_name;
   entry->packet_va = cp->packet_va;
   entry->regs = cp->ring->regs;
   entry->relaxed = cp->ring->relaxed;
}

/* Runs without a wait, tried before. */
static bool
run_single(struct amd_cp *cp, const struct amd_draw *draw)
{
   struct dynarray *batch = &cp->ring->batch;
   if (!amd_cp_batch_end(cp))
      return false;
   if (cp->gpu->order_check) {
      add_draw(cp, draw);
      batch->size_B = 0;
      if (!amd_order_check_batch(cp->gpu->order_check, cp->gpu, batch->data, 1))
         return false;
   }
   return run_now(cp, draw);
}

bool
amd_cp_batch_draw(struct amd_cp *cp, const struct amd_draw *draw)
{
   const struct dynarray *batch = &cp->ring->batch;
   if (cp->gpu->dump || (!cp->gpu->order_check && amd_reorder_window(cp->gpu) < 2))
      return amd_cp_batch_end(cp) && run_now(cp, draw);
   if (!may_wait(cp->gpu, draw))
      return run_single(cp, draw);
   uint64_t prims = amd_draw_most_prims(cp->gpu, draw);
   dynarray_for_each(const struct amd_batch_draw, waiting, batch)
      prims += amd_draw_most_prims(cp->gpu, &waiting->draw);
   if (prims > AMD_REORDER_MOST && !amd_cp_batch_end(cp))
      return false;
   add_draw(cp, draw);
   amd_regs_drawn(&cp->ring->regs);
   return true;
}

bool
amd_cp_batch_mark(struct amd_cp *cp, bool relaxed)
{
   if (cp->ring->relaxed != relaxed && !amd_cp_batch_end(cp))
      return false;
   cp->ring->relaxed = relaxed;
   return true;
}

bool
amd_cp_batch_packet(struct amd_cp *cp, unsigned opcode, const uint32_t *payload)
{
   if (!cp->ring->batch.size_B)
      return true;
   switch (opcode) {
   case PKT3_NOP:
   case PKT3_SET_SH_REG:
   case PKT3_SET_SH_REG_INDEX:
   case PKT3_SET_UCONFIG_REG:
   case PKT3_SET_UCONFIG_REG_INDEX:
   case PKT3_SET_BASE:
   case PKT3_INDEX_BASE:
   case PKT3_INDEX_BUFFER_SIZE:
   case PKT3_INDEX_TYPE:
   case PKT3_NUM_INSTANCES:
      return true;
   case PKT3_DMA_DATA:
      return amd_pm4_dma_data_unpack(payload).dst_sel == V_DMA_DST_NOWHERE || amd_cp_batch_end(cp); /* a prefetch */
   default: /* others: not of draws */
      return amd_pm4_initiator(opcode).reg_B == R_VGT_DRAW_INITIATOR || amd_cp_batch_end(cp);
   }
}
