#include "amd/sim/cp/cp.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "amd/hw/pm4.h"
#include "amd/sim/cp/cp_batch.h"
#include "amd/sim/base/dump.h"
#include "amd/sim/report.h"
#include "util/macros.h"

enum {
   MAX_CALL_DEPTH = 3,
   MAX_PACKETS = 16 << 20,  /* of one job */
   PADDING_PER_PACKET = 64, /* padding dwords that count as one */
};

bool
amd_cp_poll(struct amd_cp *cp, struct sim_va va, void *data, uint64_t size_B)
{
   struct sim_va bad;
   return sim_vm_read(cp->gpu->vm, va, data, size_B, &bad) ||
          sim_fault_set(cp->gpu->fault, SIM_FAULT_ADDRESS, bad, "read of unmapped address 0x%012lx", (long)bad.va);
}

/* Of rings without PFP, their one engine. */
static enum amd_engine
first_engine(const struct amd_cp *cp)
{
   return cp->gpu->ring == AMD_SIM_RING_GFX ? AMD_ENGINE_PFP : AMD_ENGINE_ME;
}

/* Whether what the engine reads there has been waited for. what: "read", "fetch". */
static bool
is_written(struct amd_cp *cp, enum amd_engine engine, struct sim_va va, uint64_t size_B, const char *what)
{
   struct sim_va at;
   uint64_t tag = amd_order_check(cp->gpu->caches, cp->gpu->slot, engine, va, size_B, &at);
   return !tag || amd_order_fault(cp->gpu->caches, tag, at, what, cp->gpu->fault);
}

static bool
read_by(struct amd_cp *cp, enum amd_engine engine, struct sim_va va, void *data, uint64_t size_B)
{
   return is_written(cp, engine, va, size_B, "read") && amd_cp_poll(cp, va, data, size_B);
}

bool
amd_cp_read(struct amd_cp *cp, struct sim_va va, void *data, uint64_t size_B)
{
   return read_by(cp, AMD_ENGINE_ME, va, data, size_B);
}

bool
amd_cp_read_ahead(struct amd_cp *cp, struct sim_va va, void *data, uint64_t size_B)
{
   return read_by(cp, first_engine(cp), va, data, size_B);
}

bool
amd_cp_write(struct amd_cp *cp, struct sim_va va, const void *data, uint64_t size_B)
{
   struct sim_va bad;
   uint64_t tag = amd_order_check_write(cp->gpu->caches, cp->gpu->slot, va, size_B, &bad);
   if (tag)
      return amd_order_fault(cp->gpu->caches, tag, bad, "write", cp->gpu->fault);
   amd_caches_write(cp->gpu->caches, va, size_B);
   return sim_vm_write(cp->gpu->vm, va, data, size_B, &bad) ||
          sim_fault_set(cp->gpu->fault, SIM_FAULT_STORE, bad, "write to unmapped address 0x%012lx", (long)bad.va);
}

bool
amd_cp_write_late(struct amd_cp *cp, struct sim_va va, const void *data, uint64_t size_B)
{
   struct amd_caches *caches = cp->gpu->caches;
   if (!amd_cp_write(cp, va, data, size_B))
      return false;
   amd_order_begin(caches, cp->gpu->slot, cp->packet_name, cp->packet_va, false);
   if (cp->gpu->ring == AMD_SIM_RING_GFX)
      amd_order_mark(caches, amd_order_tag(caches, AMD_WRITER_ME), va, size_B);
   return true;
}

static bool
set_regs(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   uint32_t offset_B =
      amd_pm4_registers(G_PKT3_OPCODE(header)).start_B + amd_pm4_set_reg_unpack(payload).reg_offset * 4;
   for (uint32_t i = AMD_PM4_SET_REG_DW; i < count; i++, offset_B += 4) {
      if (!amd_cp_set_reg(cp, offset_B, payload[i]))
         return false;
   }
   return true;
}

static bool
context_reg_rmw(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_context_reg_rmw packet = amd_pm4_context_reg_rmw_unpack(payload);
   uint32_t offset_B = AMD_CONTEXT_REG_START + packet.reg_offset * 4;
   uint32_t *slot = amd_regs_slot(&cp->ring->regs, offset_B);
   uint32_t old = slot ? *slot : 0;
   return amd_cp_set_reg(cp, offset_B, (old & ~packet.mask) | (packet.data & packet.mask));
}

/* Of a chained or called buffer, its own start: assumed. */
static bool
set_sh_reg_offset(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_set_sh_reg_offset packet = amd_pm4_set_sh_reg_offset_unpack(payload);
   uint32_t offset_B = AMD_SH_REG_START + packet.reg_offset * 4;
   uint64_t address = cp->buffer_va.va + packet.offset_B;
   if (packet.index != V_SH_REG_OFFSET_BUFFER)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "the model does not have INDEX %u",
                           packet.index);
   return amd_cp_set_reg(cp, offset_B, (uint32_t)address) &&
          amd_cp_set_reg(cp, offset_B + 4, (address >> 32 & 0xffff) | packet.driver_data << 16);
}

static bool
clear_state(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_clear_state packet = amd_pm4_clear_state_unpack(payload);
   if (packet.command != V_CLEAR_STATE_CLEAR)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "the model does not have CLEAR_STATE %u",
                           packet.command);
   amd_cp_clear_state(cp->gpu->model->gen, &cp->ring->regs);
   if (cp->gpu->dump)
      amd_dump_cleared(cp->gpu->dump, cp->gpu);
   return true;
}

static bool
do_nothing(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return true;
}

static bool
pfp_sync_me(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   amd_order_sync_pfp(cp->gpu->caches, cp->gpu->slot);
   return true;
}

static bool
indirect_buffer(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_indirect_buffer packet = amd_pm4_indirect_buffer_unpack(payload);
   struct sim_va va = sim_va(packet.base);
   if (va.va % 4)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, va, "indirect buffer not aligned to dwords");
   if (packet.chain) {
      cp->chained = true;
      cp->chain_va = va;
      cp->chain_size_dw = packet.ib_size;
      return true;
   }
   if (cp->gpu->ring == AMD_SIM_RING_COMPUTE)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           "a compute ring's buffers jump to others (CHAIN) and call none");
   if (cp->depth >= MAX_CALL_DEPTH)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, va, "indirect buffers nested deeper than %d",
                           MAX_CALL_DEPTH);
   struct sim_va at = cp->packet_va, start = cp->buffer_va;
   bool ok = amd_cp_run(cp, va, packet.ib_size);
   if (ok) {
      cp->packet_va = at;
      cp->buffer_va = start;
      cp->skip_dw = 0;
   }
   return ok;
}

/* Dwords are skipped, not packets. Source: Linux, amdgpu's ring_emit_init_cond_exec ("discard following DWs"). */
static bool
cond_exec(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_cond_exec packet = amd_pm4_cond_exec_unpack(payload);
   uint32_t value;
   if (!amd_cp_read_ahead(cp, sim_va(packet.address & ~UINT64_C(3)), &value, 4))
      return false;
   if (!value)
      cp->skip_dw = packet.count_dw;
   return true;
}

enum {
   GFX_RING = 1,
   COMPUTE_RING = 2,
   ANY_RING = GFX_RING | COMPUTE_RING,
   CE_RING = 4, /* buffers of the constant engine */
};

/* Opcodes of the model. Packets that change nothing in a model with one engine are named as such. Compute
 * rings have an engine of their own (MEC). Source: the packets of each engine in AMD's PAL. */
static const struct {
   uint8_t rings;
   amd_cp_handler *run;
} handlers[256] = {
   [PKT3_NOP] = {ANY_RING | CE_RING, do_nothing},
   [PKT3_CONTEXT_CONTROL] = {GFX_RING, amd_cp_context_control},
   [PKT3_LOAD_UCONFIG_REG] = {GFX_RING, amd_cp_load_uconfig_reg},
   [PKT3_LOAD_CONTEXT_REG] = {GFX_RING, amd_cp_load_context_reg},
   [PKT3_LOAD_SH_REG] = {GFX_RING, amd_cp_load_sh_reg},
   [PKT3_PFP_SYNC_ME] = {GFX_RING, pfp_sync_me},
   [PKT3_PRIME_UTCL2] = {ANY_RING, do_nothing}, /* warms a cache */
   [PKT3_ACQUIRE_MEM] = {ANY_RING, amd_cp_acquire_mem},
   [PKT3_REWIND] = {ANY_RING, do_nothing},
   [PKT3_CLEAR_STATE] = {GFX_RING, clear_state},
   [PKT3_SET_CONFIG_REG] = {ANY_RING, set_regs},
   [PKT3_SET_CONTEXT_REG] = {GFX_RING, set_regs},
   [PKT3_SET_SH_REG] = {ANY_RING, set_regs},
   [PKT3_SET_SH_REG_INDEX] = {ANY_RING, set_regs},
   [PKT3_SET_SH_REG_OFFSET] = {GFX_RING, set_sh_reg_offset},
   [PKT3_SET_UCONFIG_REG] = {ANY_RING, set_regs},
   [PKT3_SET_UCONFIG_REG_INDEX] = {GFX_RING, set_regs},
   [PKT3_CONTEXT_REG_RMW] = {GFX_RING, context_reg_rmw},
   [PKT3_INDIRECT_BUFFER] = {ANY_RING, indirect_buffer},
   [PKT3_INDIRECT_BUFFER_CONST] = {CE_RING, indirect_buffer},
   [PKT3_COND_EXEC] = {ANY_RING | CE_RING, cond_exec},
   [PKT3_LOAD_SH_REG_INDEX] = {ANY_RING, amd_cp_load_sh_reg_index},
   [PKT3_LOAD_CONTEXT_REG_INDEX] = {GFX_RING, amd_cp_load_context_reg_index},
   [PKT3_WRITE_DATA] = {ANY_RING | CE_RING, amd_cp_write_data},
   [PKT3_DMA_DATA] = {ANY_RING, amd_cp_dma_data},
   [PKT3_COPY_DATA] = {ANY_RING, amd_cp_copy_data},
   [PKT3_WAIT_REG_MEM] = {ANY_RING, amd_cp_wait_reg_mem},
   [PKT3_ATOMIC_MEM] = {ANY_RING, amd_cp_atomic_mem},
   [PKT3_SET_PREDICATION] = {GFX_RING, amd_cp_set_predication},
   [PKT3_EVENT_WRITE_ZPASS] = {GFX_RING, amd_cp_event_write_zpass},
   [PKT3_SET_CONTEXT_REG_PAIRS] = {GFX_RING, amd_cp_set_context_reg_pairs},
   [PKT3_SET_CONTEXT_REG_PAIRS_PACKED] = {GFX_RING, amd_cp_set_context_reg_pairs_packed},
   [PKT3_SET_SH_REG_PAIRS] = {ANY_RING, amd_cp_set_sh_reg_pairs},
   [PKT3_SET_SH_REG_PAIRS_PACKED] = {ANY_RING, amd_cp_set_sh_reg_pairs_packed},
   [PKT3_SET_SH_REG_PAIRS_PACKED_N] = {ANY_RING, amd_cp_set_sh_reg_pairs_packed},
   [PKT3_EVENT_WRITE] = {ANY_RING, amd_cp_event_write},
   [PKT3_RELEASE_MEM] = {ANY_RING, amd_cp_release_mem},
   [PKT3_STRMOUT_BUFFER_UPDATE] = {GFX_RING, amd_cp_strmout_buffer_update},
   [PKT3_SET_BASE] = {GFX_RING, amd_cp_set_base},
   [PKT3_INDEX_BASE] = {GFX_RING, amd_cp_index_base},
   [PKT3_INDEX_BUFFER_SIZE] = {GFX_RING, amd_cp_index_buffer_size},
   [PKT3_INDEX_TYPE] = {GFX_RING, amd_cp_index_type},
   [PKT3_NUM_INSTANCES] = {GFX_RING, amd_cp_num_instances},
   [PKT3_DRAW_INDEX_AUTO] = {GFX_RING, amd_cp_draw_index_auto},
   [PKT3_DRAW_INDEX_2] = {GFX_RING, amd_cp_draw_index_2},
   [PKT3_DRAW_INDEX_OFFSET_2] = {GFX_RING, amd_cp_draw_index_offset_2},
   [PKT3_DRAW_INDIRECT] = {GFX_RING, amd_cp_draw_indirect},
   [PKT3_DRAW_INDEX_INDIRECT] = {GFX_RING, amd_cp_draw_index_indirect},
   [PKT3_DRAW_INDIRECT_MULTI] = {GFX_RING, amd_cp_draw_indirect_multi},
   [PKT3_DRAW_INDEX_INDIRECT_MULTI] = {GFX_RING, amd_cp_draw_index_indirect_multi},
   [PKT3_DISPATCH_MESH_INDIRECT_MULTI] = {GFX_RING, amd_cp_dispatch_mesh_indirect_multi},
   [PKT3_DISPATCH_MESH_DIRECT] = {GFX_RING, amd_cp_dispatch_mesh_direct},
   [PKT3_DISPATCH_TASK_STATE_INIT] = {ANY_RING, amd_cp_dispatch_task_state_init},
   [PKT3_DISPATCH_TASKMESH_DIRECT_ACE] = {COMPUTE_RING, amd_cp_dispatch_taskmesh_direct_ace},
   [PKT3_DISPATCH_TASKMESH_INDIRECT_MULTI_ACE] = {COMPUTE_RING, amd_cp_dispatch_taskmesh_indirect_multi_ace},
   [PKT3_DISPATCH_TASKMESH_GFX] = {GFX_RING, amd_cp_dispatch_taskmesh_gfx},
   [PKT3_DISPATCH_DIRECT] = {ANY_RING, amd_cp_dispatch_direct},
   [PKT3_DISPATCH_INDIRECT] = {ANY_RING, amd_cp_dispatch_indirect},
   [PKT3_LOAD_CONST_RAM] = {CE_RING, amd_cp_load_const_ram},
   [PKT3_WRITE_CONST_RAM] = {CE_RING, amd_cp_write_const_ram},
   [PKT3_DUMP_CONST_RAM] = {CE_RING, amd_cp_dump_const_ram},
   [PKT3_INCREMENT_CE_COUNTER] = {CE_RING, amd_cp_increment_ce_counter},
   [PKT3_WAIT_ON_DE_COUNTER_DIFF] = {CE_RING, amd_cp_wait_on_de_counter_diff},
   [PKT3_SET_CE_DE_COUNTERS] = {CE_RING, amd_cp_set_ce_de_counters},
   [PKT3_INCREMENT_DE_COUNTER] = {GFX_RING, amd_cp_increment_de_counter},
   [PKT3_WAIT_ON_CE_COUNTER] = {GFX_RING, amd_cp_wait_on_ce_counter},
};

static amd_cp_handler *
find_handler(unsigned opcode, enum amd_sim_ring ring)
{
   const unsigned bit = ring == AMD_SIM_RING_GFX ? GFX_RING : ring == AMD_SIM_RING_CE ? CE_RING : COMPUTE_RING;
   return handlers[opcode].rings & bit ? handlers[opcode].run : NULL;
}

static const char *
why_refused(struct amd_cp *cp, unsigned opcode)
{
   if (!cp->gpu->model->packets[opcode])
      return "unknown";
   if (!handlers[opcode].rings)
      return "the model does not have";
   return cp->gpu->ring == AMD_SIM_RING_GFX  ? "the graphics ring does not have"
          : cp->gpu->ring == AMD_SIM_RING_CE ? "the constant engine does not have"
                                             : "a compute ring does not have";
}

/* Length and bits of a payload against the packet table. */
static bool
check_payload(struct amd_cp *cp, const struct amd_pm4_packet *packet, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_form *form = amd_pm4_form(cp->gpu->model->gen, packet, count);
   if (!form)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           "no form of the packet has %u payload dwords", count);
   for (uint32_t i = 0; i < form->word_count && i < count; i++) {
      uint32_t unknown = payload[i] & amd_reg_unknown_bits(cp->gpu->model->gen, amd_pm4_word(form, i));
      if (unknown)
         return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                              "unknown bits 0x%08x in payload dword %u (%s)", unknown, i,
                              amd_pm4_word(form, i)->name);
   }
   return true;
}

static bool
run_packet(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   unsigned opcode = G_PKT3_OPCODE(header);
   const struct amd_pm4_packet *packet = cp->gpu->model->packets[opcode];
   cp->packet_name = packet ? packet->name : "?";
   if (++cp->packets > MAX_PACKETS)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_HANG, cp->packet_va, "more than %d packets in one job",
                           MAX_PACKETS);
   amd_cp_handler *handler = find_handler(opcode, cp->gpu->ring);
   if (!packet || !handler)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "%s packet opcode 0x%02x (header 0x%08x)",
                           why_refused(cp, opcode), opcode, header);
   if (header & 0xf8) /* RESET_FILTER_CAM: CP forgets which registers it took for set already, and drops no write */
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "unknown bits in header 0x%08x", header);
   if (G_PKT3_PREDICATE(header) && cp->ring->predicated && cp->ring->draws_skipped)
      return true;
   if (!check_payload(cp, packet, payload, count))
      return false;
   if (cp->gpu->report)
      cp->gpu->report->packets[opcode]++;
   if (cp->gpu->dump)
      amd_dump_packet(cp->gpu->dump, cp->gpu, packet->name, header, payload, count);
   return amd_cp_batch_packet(cp, opcode, payload) && handler(cp, header, payload, count);
}

/* A window on the buffer: in place where dwords lie in one mapping, else copied. */
struct window {
   struct sim_va va;
   uint64_t run_B;
   const uint32_t *host;
   uint32_t copy[0x4000];
};

/* `count` dwords of packets, which the GPU may have written. NULL after a fault. */
static const uint32_t *
fetch(struct amd_cp *cp, struct window *window, struct sim_va va, uint32_t count)
{
   if (!is_written(cp, first_engine(cp), va, count * 4ull, "fetch"))
      return NULL;
   uint64_t offset_B = va.va - window->va.va;
   if (window->host && offset_B + count * 4ull <= window->run_B)
      return window->host + offset_B / 4;
   window->va = va;
   window->host = sim_vm_lookup(cp->gpu->vm, va, SIM_READ, &window->run_B, NULL);
   if (window->host && count * 4ull <= window->run_B)
      return window->host;
   window->host = NULL;
   return amd_cp_poll(cp, va, window->copy, count * 4ull) ? window->copy : NULL;
}

/* Draws that wait for others run with them. */
static bool
pause_if_wanted(struct amd_cp *cp)
{
   return !cp->pause || cp->ring->batch.size_B || cp->pause(cp->wait_data);
}

static bool
run_buffer(struct amd_cp *cp, struct window *window, struct sim_va va, uint32_t size_dw)
{
   uint32_t at = 0;
   while (at < size_dw && !cp->chained) {
      if (cp->skip_dw) {
         const uint32_t skipped_dw = MIN2(cp->skip_dw, size_dw - at);
         cp->skip_dw -= skipped_dw;
         at += skipped_dw;
         continue;
      }
      cp->packet_va = sim_va_add(va, (int64_t)at * 4);
      cp->packet_name = "(none)";
      const uint32_t *dword = fetch(cp, window, cp->packet_va, 1);
      if (!dword)
         return false;
      uint32_t header = *dword;
      if (header == PKT3_NOP_PAD || header == 0x80000000u) {
         at++;
         cp->packets += at % PADDING_PER_PACKET == 0;
         continue;
      }
      if (header >> 30 != 3)
         return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "not a packet header: 0x%08x", header);
      uint32_t count = G_PKT3_COUNT(header) + 1;
      if (count >= size_dw - at)
         return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                              "packet 0x%08x of %u dwords runs past the end of its buffer", header, count + 1);
      const uint32_t *payload = fetch(cp, window, sim_va_add(cp->packet_va, 4), count);
      if (!payload)
         return false;
      at += 1 + count;
      if (!pause_if_wanted(cp) || !run_packet(cp, header, payload, count))
         return false;
   }
   return true;
}

bool
amd_cp_run(struct amd_cp *cp, struct sim_va va, uint32_t size_dw)
{
   struct window window; /* 64 KiB: at most MAX_CALL_DEPTH of them */
   bool ok = true;
   cp->depth++;
   do {
      window.host = NULL;
      window.va = cp->buffer_va = va;
      cp->chained = false;
      ok = run_buffer(cp, &window, va, size_dw) && amd_cp_batch_end(cp);
      if (!ok && cp->packet_name) {
         struct sim_fault *fault = cp->gpu->fault;
         size_t used = strlen(fault->message);
         snprintf(fault->message + used, sizeof(fault->message) - used, "; packet %s at dword %lu of buffer 0x%012lx",
                  cp->packet_name, (long)(cp->packet_va.va - va.va) / 4, (long)va.va);
         cp->packet_name = NULL;
      }
      va = cp->chain_va;
      size_dw = cp->chain_size_dw;
   } while (ok && cp->chained);
   cp->depth--;
   return ok;
}
