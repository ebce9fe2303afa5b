/* Stream output as packets see it: how far its buffers are filled, and how many primitives it wrote.
 *
 * VGT counts for itself; SO_VGTSTREAMOUT_FLUSH puts the counts into VGT_STRMOUT_BUFFER_FILLED_SIZE and says so in
 * CP_STRMOUT_CNTL. What packets store is what was flushed last. */
#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "amd/sim/cp/cp.h"

static uint32_t *
filled_size(struct amd_cp *cp, unsigned buffer)
{
   return amd_regs_slot(&cp->ring->regs,
                        R_VGT_STRMOUT_BUFFER_FILLED_SIZE_0 + R_VGT_STRMOUT_BUFFER_FILLED_SIZE_0_STEP * buffer);
}

void
amd_cp_flush_streamout(struct amd_cp *cp)
{
   for (unsigned i = 0; i < AMD_STRMOUT_BUFFERS; i++)
      *filled_size(cp, i) = cp->gpu->counters->strmout_filled_dw[i];
   *amd_regs_slot(&cp->ring->regs, R_CP_STRMOUT_CNTL) |= S_CP_STRMOUT_CNTL_OFFSET_UPDATE_DONE(1);
}

bool
amd_cp_sample_streamout(struct amd_cp *cp, struct sim_va va, unsigned stream)
{
   const uint64_t valid = UINT64_C(1) << 63;
   const uint64_t counts[2] = {cp->gpu->counters->prims_needed[stream] | valid,
                               cp->gpu->counters->prims_written[stream] | valid};
   return amd_cp_write(cp, va, counts, sizeof(counts));
}

/* Dwords, or with DATA_TYPE bytes, in memory; always dwords in the packet itself. */
bool
amd_cp_strmout_buffer_update(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_strmout_buffer_update packet = amd_pm4_strmout_buffer_update_unpack(payload);
   const unsigned buffer = packet.buffer_select, shift = packet.data_type ? 2 : 0;
   uint32_t *filled_dw = &cp->gpu->counters->strmout_filled_dw[buffer], value;
   switch (packet.offset_source) {
   case V_STRMOUT_OFFSET_FROM_PACKET:
      *filled_dw = (uint32_t)packet.src_address;
      break;
   case V_STRMOUT_OFFSET_FROM_VGT_FILLED_SIZE:
      *filled_dw = *filled_size(cp, buffer);
      break;
   case V_STRMOUT_OFFSET_FROM_MEM:
      if (!amd_cp_read(cp, sim_va(packet.src_address & ~UINT64_C(3)), &value, 4))
         return false;
      *filled_dw = value >> shift;
      break;
   default: /* others: V_STRMOUT_OFFSET_NONE */
      break;
   }
   if (!packet.store_buffer_filled_size)
      return true;
   value = *filled_size(cp, buffer) << shift;
   return amd_cp_write_late(cp, sim_va(packet.dst_address & ~UINT64_C(3)), &value, 4);
}

/* All three registers in the same unit. Source: PAL, CmdDrawOpaque. */
bool
amd_cp_opaque_count(struct amd_cp *cp, uint32_t *vertices)
{
   const struct amd_regs *regs = &cp->ring->regs;
   uint32_t filled = amd_regs_get(regs, R_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE);
   uint32_t offset = amd_regs_get(regs, R_VGT_STRMOUT_DRAW_OPAQUE_OFFSET);
   uint32_t stride = amd_regs_get(regs, R_VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE);
   if (!stride)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_STATE, cp->packet_va,
                           "VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE is 0");
   *vertices = filled > offset ? (filled - offset) / stride : 0;
   return true;
}
