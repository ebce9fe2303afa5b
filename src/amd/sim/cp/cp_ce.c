/* The constant engine's packets, and those by which the draw engine waits for it. Source of what counters do: the
 * comments of CmdUtil::BuildWaitOnCeCounter() and BuildWaitOnDeCounterDiff() in AMD's PAL. */
#include <string.h>

#include "amd/hw/pm4.h"
#include "amd/sim/base/const_engine.h"
#include "amd/sim/cp/cp.h"
#include "amd/sim/draw/draw.h"

static bool
bad_value(struct amd_cp *cp, const char *what, uint32_t value)
{
   return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "the model does not have %s %u", what,
                        value);
}

/* Bytes of the engine's memory. NULL after a fault. */
static uint8_t *
ram_at(struct amd_cp *cp, uint32_t offset_B, uint64_t size_B)
{
   const uint32_t ram_B = cp->gpu->chip->ce_ram_B;
   if (offset_B % 4 == 0 && offset_B <= ram_B && size_B <= ram_B - offset_B)
      return cp->gpu->const_engine->ram + offset_B;
   sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                 "0x%llx bytes at 0x%x of the constant engine's memory, which has 0x%x", (unsigned long long)size_B,
                 offset_B, ram_B);
   return NULL;
}

bool
amd_cp_load_const_ram(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_load_const_ram packet = amd_pm4_load_const_ram_unpack(payload);
   const uint64_t size_B = packet.count_dw * 4ull;
   uint8_t *ram = ram_at(cp, packet.offset_B, size_B);
   return ram && amd_cp_read(cp, sim_va(packet.address & ~UINT64_C(3)), ram, size_B);
}

bool
amd_cp_write_const_ram(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const uint64_t size_B = (count - AMD_PM4_WRITE_CONST_RAM_DW) * 4ull;
   uint8_t *ram = ram_at(cp, amd_pm4_write_const_ram_unpack(payload).offset_B, size_B);
   return ram && memcpy(ram, payload + AMD_PM4_WRITE_CONST_RAM_DW, size_B);
}

static void
increment(struct amd_const_engine *ce)
{
   ce->ready++;
   ce->lead++;
}

static bool
increment_ce(struct amd_cp *cp, uint32_t select)
{
   if (select != V_CE_COUNTER_CE)
      return bad_value(cp, "INCREMENT_CE_COUNTER CNTRSEL", select);
   increment(cp->gpu->const_engine);
   return true;
}

bool
amd_cp_dump_const_ram(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_dump_const_ram packet = amd_pm4_dump_const_ram_unpack(payload);
   const uint64_t size_B = packet.count_dw * 4ull;
   const uint8_t *ram = ram_at(cp, packet.offset_B, size_B);
   if (packet.increment_cs)
      return bad_value(cp, "DUMP_CONST_RAM INCREMENT_CS", 1);
   if (!ram || !amd_cp_write(cp, sim_va(packet.address & ~UINT64_C(3)), ram, size_B))
      return false;
   if (packet.increment_ce)
      increment(cp->gpu->const_engine);
   return true;
}

/* Whether what an engine waits for has come. */
static bool
continues(const struct amd_const_engine *ce, enum amd_sim_ring ring)
{
   return ring == AMD_SIM_RING_CE ? (int64_t)(int32_t)ce->lead < (int64_t)ce->diff : ce->ready;
}

static bool
will_never(const struct amd_const_engine *ce, enum amd_sim_ring ring)
{
   const enum amd_sim_ring other = ring == AMD_SIM_RING_CE ? AMD_SIM_RING_GFX : AMD_SIM_RING_CE;
   return !(ce->running >> other & 1) || (ce->waiting >> other & 1 && !continues(ce, other));
}

static bool
wait_for_other(struct amd_cp *cp)
{
   struct amd_const_engine *ce = cp->gpu->const_engine;
   const enum amd_sim_ring ring = cp->gpu->ring;
   bool ok = continues(ce, ring) || amd_draws_wait(cp->gpu);
   ce->waiting |= 1u << ring;
   while (ok && !continues(ce, ring)) {
      ok = !will_never(ce, ring) ||
           sim_fault_set(cp->gpu->fault, SIM_FAULT_HANG, cp->packet_va,
                         "waits for the %s engine, which %s (%u increments to wait for, %u ahead)",
                         ring == AMD_SIM_RING_CE ? "draw" : "constant",
                         ce->running == 1u << ring ? "has nothing more to run" : "waits too", ce->ready, ce->lead);
      ok = ok && cp->wait(cp->wait_data);
   }
   ce->waiting &= ~(1u << ring);
   return ok;
}

bool
amd_cp_wait_on_ce_counter(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_wait_on_ce_counter packet = amd_pm4_wait_on_ce_counter_unpack(payload);
   if (!wait_for_other(cp))
      return false;
   cp->gpu->const_engine->ready--;
   if (packet.cond_surface_sync || packet.force_sync)
      amd_caches_invalidate(cp->gpu->caches, AMD_CACHE_SCALAR | AMD_CACHE_L1); /* L1 is its next level */
   return true;
}

static bool
wait_on_de(struct amd_cp *cp, uint32_t diff)
{
   cp->gpu->const_engine->diff = diff;
   return wait_for_other(cp);
}

bool
amd_cp_set_ce_de_counters(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   struct amd_const_engine *ce = cp->gpu->const_engine;
   const uint64_t value = count < AMD_PM4_SET_CE_DE_COUNTERS_64_DW
                             ? amd_pm4_set_ce_de_counters_unpack(payload).counter_lo
                             : amd_pm4_set_ce_de_counters_64_unpack(payload).counter;
   if (value)
      return bad_value(cp, "SET_CE_DE_COUNTERS of", (uint32_t)value ? (uint32_t)value : (uint32_t)(value >> 32));
   ce->ready = ce->lead = 0;
   return true;
}

bool
amd_cp_increment_ce_counter(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return increment_ce(cp, amd_pm4_increment_ce_counter_unpack(payload).cntrsel);
}

bool
amd_cp_increment_de_counter(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   cp->gpu->const_engine->lead--;
   return true;
}

bool
amd_cp_wait_on_de_counter_diff(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return wait_on_de(cp, amd_pm4_wait_on_de_counter_diff_unpack(payload).diff);
}
