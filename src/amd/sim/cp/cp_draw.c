/* Draw packets: operands from the packet, from packets before it and from indirect buffers. */
#include "amd/hw/order_mark.h"
#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "amd/sim/cp/cp.h"
#include "amd/sim/cp/cp_batch.h"
#include "amd/sim/draw/draw.h"
#include "util/macros.h"

/* Of one draw: beyond this the watchdog would have ended it. */
static const uint64_t MAX_VERTICES = UINT64_C(1) << 30;

bool
amd_cp_continue_draws(struct amd_cp *cp)
{
   return amd_caches_are_full(cp->gpu->caches) ? amd_draws_wait(cp->gpu) : amd_draws_continue(cp->gpu);
}

bool
amd_cp_run_draw(struct amd_cp *cp, const struct amd_draw *draw)
{
   if (!draw->count_el || !draw->instances)
      return true;
   if ((uint64_t)draw->count_el * draw->instances > MAX_VERTICES)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_HANG, cp->packet_va, "draw of %u vertices and %u instances",
                           draw->count_el, draw->instances);
   return amd_cp_batch_draw(cp, draw);
}

bool
amd_cp_draw_index_auto(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_draw_index_auto packet = amd_pm4_draw_index_auto_unpack(payload);
   struct amd_draw draw = {.count_el = packet.count_el, .instances = cp->ring->num_instances};
   if (G_VGT_DRAW_INITIATOR_USE_OPAQUE(packet.initiator) && !amd_cp_opaque_count(cp, &draw.count_el))
      return false;
   return amd_cp_run_draw(cp, &draw);
}

/* buffer_el: indices in the buffer, as the packet says. */
static bool
run_indexed_draw(struct amd_cp *cp, const struct amd_draw *draw, uint32_t buffer_el)
{
   if (!buffer_el && cp->gpu->model->traits->empty_index_buffer_hangs)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_HANG, cp->packet_va,
                           "a draw from an empty index buffer hangs (erratum gfx10-empty-index-buffer)");
   return amd_cp_run_draw(cp, draw);
}

bool
amd_cp_draw_index_2(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_draw_index_2 packet = amd_pm4_draw_index_2_unpack(payload);
   const struct amd_draw draw = {.indexed = true,
                                 .count_el = packet.count_el,
                                 .instances = cp->ring->num_instances,
                                 .index_va = sim_va(packet.base),
                                 .max_indices_el = packet.max_size_el};
   return run_indexed_draw(cp, &draw, packet.max_size_el);
}

static bool
draw_index_at(struct amd_cp *cp, uint32_t first, uint32_t count, uint32_t instances, uint32_t max_el)
{
   const struct amd_draw draw = {.indexed = true,
                                 .count_el = count,
                                 .instances = instances,
                                 .index_va = cp->ring->index_base,
                                 .first_index_el = first,
                                 .max_indices_el = max_el > first ? max_el - first : 0};
   return run_indexed_draw(cp, &draw, max_el);
}

bool
amd_cp_draw_index_offset_2(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_draw_index_offset_2 packet = amd_pm4_draw_index_offset_2_unpack(payload);
   return draw_index_at(cp, packet.offset_el, packet.count_el, cp->ring->num_instances, packet.max_size_el);
}

/* User data registers that an indirect draw writes; dword offsets from the start of the SH space, 0: none. */
struct indirect_regs {
   uint32_t base_vertex, start_instance, draw_id;
   bool has_draw_id;
};

bool
amd_cp_set_user_reg(struct amd_cp *cp, uint32_t offset_dw, uint32_t value)
{
   return !offset_dw || amd_cp_set_reg(cp, AMD_SH_REG_START + offset_dw * 4, value);
}

/* Arguments: {count, instances, first vertex, first instance}, or indexed {count, instances, first index, vertex
 * offset, first instance}. */
static bool
draw_indirect_one(struct amd_cp *cp, struct sim_va va, bool indexed, const struct indirect_regs *regs, uint32_t id)
{
   uint32_t args[5];
   if (!amd_cp_read_ahead(cp, va, args, indexed ? 20 : 16))
      return false;
   if (!amd_cp_set_user_reg(cp, regs->base_vertex, indexed ? args[3] : args[2]) ||
       !amd_cp_set_user_reg(cp, regs->start_instance, indexed ? args[4] : args[3]) ||
       (regs->has_draw_id && !amd_cp_set_user_reg(cp, regs->draw_id, id)))
      return false;
   if (indexed)
      return draw_index_at(cp, args[2], args[0], args[1], cp->ring->index_buffer_size_el);
   if (args[0] == AMD_ORDER_MARK && !args[1])
      return amd_cp_batch_mark(cp, args[2] == AMD_ORDER_MARK_RELAXED);
   const struct amd_draw draw = {.count_el = args[0], .instances = args[1]};
   return amd_cp_run_draw(cp, &draw);
}

static bool
draw_indirect(struct amd_cp *cp, const uint32_t *payload, bool indexed)
{
   const struct amd_pm4_draw_indirect packet = amd_pm4_draw_indirect_unpack(payload);
   const struct indirect_regs regs = {.base_vertex = packet.base_vertex_reg,
                                      .start_instance = packet.start_instance_reg};
   return draw_indirect_one(cp, sim_va_add(cp->ring->indirect_base, packet.offset_B), indexed, &regs, 0);
}

static bool
draw_indirect_multi(struct amd_cp *cp, const uint32_t *payload, bool indexed)
{
   const struct amd_pm4_draw_indirect_multi packet = amd_pm4_draw_indirect_multi_unpack(payload);
   const struct indirect_regs regs = {.base_vertex = packet.base_vertex_reg,
                                      .start_instance = packet.start_instance_reg,
                                      .draw_id = packet.draw_id_reg,
                                      .has_draw_id = packet.draw_index_enable};
   uint32_t draws = packet.max_draws;
   if (packet.count_indirect_enable) {
      if (!amd_cp_read_ahead(cp, sim_va(packet.count_address & ~UINT64_C(3)), &draws, 4))
         return false;
      draws = MIN2(draws, packet.max_draws);
   }
   for (uint32_t i = 0; i < draws; i++) {
      int64_t offset_B = (int64_t)packet.offset_B + (int64_t)i * packet.stride_B;
      if (!draw_indirect_one(cp, sim_va_add(cp->ring->indirect_base, offset_B), indexed, &regs, i))
         return false;
   }
   return true;
}

bool
amd_cp_set_base(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_set_base packet = amd_pm4_set_base_unpack(payload);
   if (packet.index != V_BASE_INDEX_INDIRECT_DATA)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "the model does not have base %u",
                           packet.index);
   cp->ring->indirect_base = sim_va(packet.address);
   return true;
}

bool
amd_cp_index_base(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   cp->ring->index_base = sim_va(amd_pm4_index_base_unpack(payload).address);
   return true;
}

bool
amd_cp_index_buffer_size(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   cp->ring->index_buffer_size_el = amd_pm4_index_buffer_size_unpack(payload).size_el;
   return true;
}

bool
amd_cp_index_type(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return amd_cp_set_reg(cp, R_VGT_INDEX_TYPE, amd_pm4_index_type_unpack(payload).index_type);
}

bool
amd_cp_num_instances(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   cp->ring->num_instances = amd_pm4_num_instances_unpack(payload).count;
   return true;
}

bool
amd_cp_draw_indirect(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return draw_indirect(cp, payload, false);
}

bool
amd_cp_draw_index_indirect(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return draw_indirect(cp, payload, true);
}

bool
amd_cp_draw_indirect_multi(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return draw_indirect_multi(cp, payload, false);
}

bool
amd_cp_draw_index_indirect_multi(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return draw_indirect_multi(cp, payload, true);
}
