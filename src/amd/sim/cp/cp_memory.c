/* Packets that move data between memory, registers and the packet itself. */
#include <stdlib.h>
#include <string.h>

#include "amd/hw/pm4.h"
#include "amd/sim/amd_sim.h"
#include "amd/sim/cp/atomic.h"
#include "amd/sim/cp/cp.h"
#include "amd/sim/cp/poll.h"
#include "util/macros.h"

static bool
bad_select(struct amd_cp *cp, const char *what, uint32_t value)
{
   return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "the model does not have %s %u", what,
                        value);
}

/* A write by the engine that the packet names. */
static bool
write_by(struct amd_cp *cp, uint32_t engine, struct sim_va va, const void *data, uint64_t size_B)
{
   return engine == V_ENGINE_ME ? amd_cp_write_late(cp, va, data, size_B) : amd_cp_write(cp, va, data, size_B);
}

bool
amd_cp_write_data(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_write_data packet = amd_pm4_write_data_unpack(payload);
   const uint32_t *data = payload + AMD_PM4_WRITE_DATA_DW, data_dw = count - AMD_PM4_WRITE_DATA_DW;
   const struct sim_va va = sim_va(packet.address & ~UINT64_C(3));
   if (cp->gpu->ring == AMD_SIM_RING_CE &&
       (packet.engine_sel != V_ENGINE_CE || packet.dst_sel == V_WRITE_DATA_DST_REGISTER))
      return bad_select(cp, "WRITE_DATA of registers, or of another engine, in buffers of the constant engine",
                        packet.engine_sel);
   if (packet.dst_sel == V_WRITE_DATA_DST_REGISTER) {
      for (uint32_t i = 0; i < data_dw; i++) {
         if (!amd_cp_set_reg(cp, ((uint32_t)packet.address + (packet.wr_one_addr ? 0 : i)) * 4, data[i]))
            return false;
      }
      return true;
   }
   if (packet.dst_sel != V_WRITE_DATA_DST_MEM_GRBM && packet.dst_sel != V_WRITE_DATA_DST_TC_L2 &&
       packet.dst_sel != V_WRITE_DATA_DST_MEM)
      return bad_select(cp, "WRITE_DATA DST_SEL", packet.dst_sel);
   if (packet.wr_one_addr)
      return !data_dw || write_by(cp, packet.engine_sel, va, &data[data_dw - 1], 4);
   return write_by(cp, packet.engine_sel, va, data, data_dw * 4ull);
}

static bool
dma_fill(struct amd_cp *cp, struct sim_va va, uint32_t value, uint64_t size_B)
{
   uint32_t block[1024];
   for (unsigned i = 0; i < ARRAY_SIZE(block); i++)
      block[i] = value;
   for (uint64_t at = 0; at < size_B; at += sizeof(block)) {
      if (!amd_cp_write(cp, sim_va_add(va, (int64_t)at), block, MIN2(size_B - at, sizeof(block))))
         return false;
   }
   return true;
}

/* raw_wait: earlier copies have ended before the source is read. */
static bool
dma_copy(struct amd_cp *cp, struct sim_va dst, struct sim_va src, uint64_t size_B, bool raw_wait)
{
   if (raw_wait)
      amd_order_wait(cp->gpu->caches, cp->gpu->slot, 1u << AMD_WRITER_DMA);
   uint8_t *block = malloc(size_B ? size_B : 1);
   if (!block)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_EXHAUSTED, src, "out of host memory for a copy of %llu bytes",
                           (unsigned long long)size_B);
   /* The whole source first: overlap behaves as if the destination were written afterwards. */
   bool ok = amd_cp_read(cp, src, block, size_B) && amd_cp_write(cp, dst, block, size_B);
   free(block);
   return ok;
}

/* Copies run in parallel with the packets after them. */
static bool
dma_transfer(struct amd_cp *cp, const struct amd_pm4_dma_data *packet)
{
   const uint32_t src_select = packet->src_sel, dst_select = packet->dst_sel, size_B = packet->byte_count;
   if (packet->sas || packet->das || packet->saic || packet->daic)
      return bad_select(cp, "DMA_DATA register space flags",
                        S_DMA_DATA_COMMAND_SAS(packet->sas) | S_DMA_DATA_COMMAND_DAS(packet->das) |
                           S_DMA_DATA_COMMAND_SAIC(packet->saic) | S_DMA_DATA_COMMAND_DAIC(packet->daic));
   if (dst_select != V_DMA_DST_ADDR && dst_select != V_DMA_DST_ADDR_TC_L2)
      return bad_select(cp, "DMA_DATA DST_SEL", dst_select);
   if (src_select != V_DMA_SRC_DATA && src_select != V_DMA_SRC_ADDR && src_select != V_DMA_SRC_ADDR_TC_L2)
      return bad_select(cp, "DMA_DATA SRC_SEL", src_select);
   struct sim_va dst = sim_va(packet->dst), src = sim_va(packet->src);
   bool ok = src_select == V_DMA_SRC_DATA ? dma_fill(cp, dst, (uint32_t)packet->src, size_B)
                                          : dma_copy(cp, dst, src, size_B, packet->raw_wait);
   if (!ok)
      return false;
   amd_order_begin(cp->gpu->caches, cp->gpu->slot, cp->packet_name, cp->packet_va, false);
   amd_order_mark(cp->gpu->caches, amd_order_tag(cp->gpu->caches, AMD_WRITER_DMA), dst, size_B);
   return true;
}

bool
amd_cp_dma_data(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_dma_data packet = amd_pm4_dma_data_unpack(payload);
   if (packet.byte_count && packet.dst_sel != V_DMA_DST_NOWHERE /* a prefetch */ && !dma_transfer(cp, &packet))
      return false;
   /* The engine of compute rings has no CP_SYNC and waits for each write's confirmation: its packet in AMD's PAL. */
   bool confirmed = cp->gpu->ring != AMD_SIM_RING_GFX && !packet.disable_wr_confirm;
   if (packet.cp_sync || confirmed)
      amd_order_wait(cp->gpu->caches, cp->gpu->slot, 1u << AMD_WRITER_DMA);
   return true;
}

/* Bytes of GDS from an offset on. NULL after a fault. */
static uint8_t *
gds_at(struct amd_cp *cp, uint32_t offset_B, uint64_t size_B)
{
   if (offset_B <= AMD_GDS_B && size_B <= AMD_GDS_B - offset_B)
      return cp->gpu->gds->bytes + offset_B;
   sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "0x%llx bytes at 0x%x of GDS, which has 0x%x",
                 (unsigned long long)size_B, offset_B, AMD_GDS_B);
   return NULL;
}

bool
amd_cp_copy_data(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_copy_data packet = amd_pm4_copy_data_unpack(payload);
   unsigned words = packet.count_sel ? 2 : 1;
   bool ahead = packet.engine_sel != V_ENGINE_ME;
   uint32_t value[2] = {0};
   uint64_t time;
   uint8_t *gds;
   switch (packet.src_sel) {
   case V_COPY_SRC_REGISTER:
      for (unsigned i = 0; i < words; i++) {
         const uint32_t *slot = amd_regs_slot(&cp->ring->regs, ((uint32_t)packet.src + i) * 4);
         if (!slot)
            return bad_select(cp, "COPY_DATA source register", (uint32_t)packet.src);
         value[i] = *slot;
      }
      break;
   case V_COPY_SRC_MEM:
   case V_COPY_SRC_TC_L2:
      if (!(ahead ? amd_cp_read_ahead : amd_cp_read)(cp, sim_va(packet.src & ~UINT64_C(3)), value, words * 4))
         return false;
      break;
   case V_COPY_SRC_GDS:
      gds = gds_at(cp, (uint32_t)packet.src, words * 4);
      if (!gds)
         return false;
      memcpy(value, gds, words * 4);
      break;
   case V_COPY_SRC_IMMEDIATE:
      value[0] = (uint32_t)packet.src;
      value[1] = (uint32_t)(packet.src >> 32);
      break;
   case V_COPY_SRC_TIMESTAMP:
      time = amd_gpu_clock(cp->gpu);
      memcpy(value, &time, 8);
      words = 2;
      break;
   default:
      return bad_select(cp, "COPY_DATA SRC_SEL", packet.src_sel);
   }
   if (packet.dst_sel == V_COPY_DST_REGISTER) {
      for (unsigned i = 0; i < words; i++) {
         if (!amd_cp_set_reg(cp, ((uint32_t)packet.dst + i) * 4, value[i]))
            return false;
      }
      return true;
   }
   if (packet.dst_sel == V_COPY_DST_GDS) {
      gds = gds_at(cp, (uint32_t)packet.dst, words * 4);
      return gds && memcpy(gds, value, words * 4);
   }
   if (packet.dst_sel != V_COPY_DST_MEM_GRBM && packet.dst_sel != V_COPY_DST_TC_L2 &&
       packet.dst_sel != V_COPY_DST_MEM)
      return bad_select(cp, "COPY_DATA DST_SEL", packet.dst_sel);
   return write_by(cp, packet.engine_sel, sim_va(packet.dst & ~UINT64_C(3)), value, words * 4);
}

/* What changes a register is done when the packet runs. */
static bool
wait_reg(struct amd_cp *cp, const struct amd_pm4_wait_reg_mem *packet)
{
   const uint32_t reg_dw = (uint32_t)packet->address, *slot = amd_regs_slot(&cp->ring->regs, reg_dw * 4);
   if (!slot)
      return bad_select(cp, "WAIT_REG_MEM register", reg_dw);
   return amd_poll_satisfied(packet->function, *slot & packet->mask, packet->reference) ||
          sim_fault_set(cp->gpu->fault, SIM_FAULT_HANG, cp->packet_va,
                        "waits for register 0x%05x: 0x%08x, wanted function %u of 0x%08x under mask 0x%08x",
                        reg_dw * 4, *slot, packet->function, packet->reference, packet->mask);
}

bool
amd_cp_wait_reg_mem(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_wait_reg_mem packet = amd_pm4_wait_reg_mem_unpack(payload);
   if (packet.operation)
      return bad_select(cp, "WAIT_REG_MEM OPERATION", packet.operation);
   if (packet.function > V_WAIT_GREATER)
      return bad_select(cp, "WAIT_REG_MEM FUNCTION", packet.function);
   if (packet.mem_space == V_WAIT_SPACE_REGISTER)
      return wait_reg(cp, &packet);
   if (packet.mem_space != V_WAIT_SPACE_MEMORY)
      return bad_select(cp, "WAIT_REG_MEM MEM_SPACE", packet.mem_space);
   const struct amd_poll poll = {.va = sim_va(packet.address & ~UINT64_C(3)),
                                 .function = packet.function,
                                 .reference = packet.reference,
                                 .mask = packet.mask,
                                 .wait = cp->wait,
                                 .wait_data = cp->wait_data};
   return amd_poll(cp->gpu, &poll);
}

bool
amd_cp_atomic_mem(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   enum { LOOP_UNTIL_COMPARE = 1, CMPSWAP_32 = 8, NO_RETURN = 64 };
   const struct amd_pm4_atomic_mem packet = amd_pm4_atomic_mem_unpack(payload);
   const uint32_t op = packet.atomic;
   const struct sim_va va = sim_va(packet.address & ~UINT64_C(3));
   uint64_t value = 0;
   unsigned size_B = amd_atomic_size_B(op);
   if (!size_B)
      return bad_select(cp, "ATOMIC_MEM operation", op);
   if (packet.command == LOOP_UNTIL_COMPARE) {
      if ((op & ~(uint32_t)NO_RETURN) != CMPSWAP_32)
         return bad_select(cp, "ATOMIC_MEM operation of a loop", op);
      /* Until it has swapped: a lock that several submits take. */
      const struct amd_poll poll = {.va = va,
                                    .function = V_WAIT_EQUAL,
                                    .reference = (uint32_t)packet.cmp_data,
                                    .mask = UINT32_MAX,
                                    .wait = cp->wait,
                                    .wait_data = cp->wait_data};
      if (!amd_poll(cp->gpu, &poll))
         return false;
   }
   if (!amd_cp_poll(cp, va, &value, size_B))
      return false;
   value = amd_atomic_result(op, value, packet.src_data, packet.cmp_data);
   return amd_cp_write_late(cp, va, &value, size_B);
}

static bool
load_regs(struct amd_cp *cp, uint32_t base_B, const uint32_t *payload)
{
   const struct amd_pm4_load_reg_index packet = amd_pm4_load_reg_index_unpack(payload);
   const uint32_t offset_B = base_B + packet.reg_offset * 4;
   if (packet.data_format)
      return bad_select(cp, "LOAD_*_REG_INDEX data format", 1);
   for (uint32_t i = 0; i < packet.count_dw; i++) {
      uint32_t value;
      if (!amd_cp_read_ahead(cp, sim_va_add(sim_va(packet.address), (int64_t)i * 4), &value, 4) ||
          !amd_cp_set_reg(cp, offset_B + i * 4, value))
         return false;
   }
   return true;
}

bool
amd_cp_load_sh_reg_index(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return load_regs(cp, AMD_SH_REG_START, payload);
}

bool
amd_cp_load_context_reg_index(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return load_regs(cp, AMD_CONTEXT_REG_START, payload);
}
