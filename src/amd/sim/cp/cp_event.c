/* Events and end-of-pipe writes. Those that come out of the pipeline after the draws run when these have ended.
 * Waits tell order.c what later packets may rely on. */
#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "amd/sim/amd_sim.h"
#include "amd/sim/cp/cp.h"
#include "amd/sim/draw/draw.h"
#include "amd/sim/report.h"

/* One pair of counters (begin, end) per render backend, 16 bytes apart, bit 63 says valid. The model counts all
 * samples in the first enabled one. */
static bool
zpass_done(struct amd_cp *cp, struct sim_va va)
{
   bool first = true;
   for (unsigned i = 0; i < cp->gpu->chip->num_rb_pipes; i++) {
      if (!(cp->gpu->chip->enabled_rb_pipes_mask >> i & 1))
         continue;
      uint64_t value = (first ? cp->gpu->counters->zpass : 0) | UINT64_C(1) << 63;
      first = false;
      if (!amd_cp_write(cp, sim_va_add(va, (int64_t)i * 16), &value, 8))
         return false;
   }
   return true;
}

/* The command processor waits for the waves only with this EVENT_INDEX; nothing else need follow. */
static bool
partial_flush(struct amd_cp *cp, uint32_t index, unsigned writers)
{
   if (index != V_EVENT_INDEX_PARTIAL_FLUSH)
      return true;
   if (writers & 1u << AMD_WRITER_PS && !amd_draws_wait(cp->gpu))
      return false;
   amd_order_wait(cp->gpu->caches, cp->gpu->slot, writers);
   return true;
}

/* A compute ring's engine knows one counter only, that of compute shaders, and writes it to the address itself.
 * Source: AMD's PAL, where it samples pipeline statistics; RADV 25 and 26. */
static bool
sample_pipelinestat(struct amd_cp *cp, struct sim_va va)
{
   const uint64_t *stats = cp->gpu->counters->stats;
   if (cp->gpu->ring == AMD_SIM_RING_GFX)
      return amd_cp_write(cp, va, stats, sizeof(cp->gpu->counters->stats));
   return amd_cp_write(cp, va, &stats[AMD_STAT_CS_INVOCATIONS], 8);
}

/* Events of the graphics pipeline do not reach a compute ring's engine. */
static bool
is_compute_event(unsigned event)
{
   return event == V_CS_PARTIAL_FLUSH || event == V_SAMPLE_PIPELINESTAT || event == V_PIPELINESTAT_START ||
          event == V_PIPELINESTAT_STOP || event == V_PERFCOUNTER_START || event == V_PERFCOUNTER_STOP;
}

/* CB and DB are told; it is done once a later end-of-pipe write is seen. What is drawn after it finds the caches of
 * metadata empty all the same. */
static void
flush_targets(struct amd_cp *cp, unsigned writers, bool invalidate)
{
   amd_order_flush(cp->gpu->caches, cp->gpu->slot, writers);
   if (invalidate)
      amd_meta_invalidate(cp->gpu->caches, (writers >> AMD_WRITER_CB_META & 1) << AMD_META_CACHE_CB |
                                              (writers >> AMD_WRITER_DB_META & 1) << AMD_META_CACHE_DB);
}

static unsigned
event_targets(const struct amd_cp *cp, unsigned event)
{
   if (event == V_FLUSH_AND_INV_DB_META)
      return cp->gpu->model->traits->db_meta_by_full_flush ? 0 : 1u << AMD_WRITER_DB_META;
   return event == V_FLUSH_AND_INV_CB_META ? 1u << AMD_WRITER_CB_META : AMD_WRITERS_TARGETS;
}

/* Flushes and counts of what was drawn. */
static bool
waits_for_draws(unsigned event)
{
   switch (event) {
   case V_ZPASS_DONE:
   case V_PIXEL_PIPE_STAT_DUMP:
   case V_SAMPLE_PIPELINESTAT:
   case V_PIPELINESTAT_START:
   case V_PIPELINESTAT_STOP:
   case V_CACHE_FLUSH:
   case V_CACHE_FLUSH_AND_INV_EVENT:
   case V_FLUSH_AND_INV_DB_META:
   case V_FLUSH_AND_INV_CB_META:
      return true;
   default: /* others: of the stages ahead, or of nothing */
      return false;
   }
}

static bool
no_address(struct amd_cp *cp, const char *event)
{
   return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "%s without an address", event);
}

static struct sim_va
event_va(const uint32_t *payload)
{
   return sim_va(amd_pm4_event_write_address_unpack(payload).address & ~UINT64_C(7));
}

static bool
event_write(struct amd_cp *cp, const uint32_t *payload, uint32_t count)
{
   const bool has_address = count >= AMD_PM4_EVENT_WRITE_ADDRESS_DW;
   const struct amd_pm4_event_write packet = amd_pm4_event_write_unpack(payload);
   const struct sim_va va = has_address ? event_va(payload) : sim_va(0);
   const unsigned event = packet.event_type;
   if (cp->gpu->ring != AMD_SIM_RING_GFX && !is_compute_event(event))
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           "a compute ring does not have event 0x%02x", event);
   switch (event) {
   case V_ZPASS_DONE:
   case V_PIXEL_PIPE_STAT_DUMP: /* GFX11 has it in the other's place. Source: public drivers */
      return has_address ? zpass_done(cp, va) : no_address(cp, "ZPASS_DONE");
   case V_SAMPLE_PIPELINESTAT:
      return has_address ? sample_pipelinestat(cp, va) : no_address(cp, "SAMPLE_PIPELINESTAT");
   case V_SAMPLE_STREAMOUTSTATS:
   case V_SAMPLE_STREAMOUTSTATS1:
   case V_SAMPLE_STREAMOUTSTATS2:
   case V_SAMPLE_STREAMOUTSTATS3:
      return has_address ? amd_cp_sample_streamout(cp, va, event == V_SAMPLE_STREAMOUTSTATS ? 0 : event)
                         : no_address(cp, "SAMPLE_STREAMOUTSTATS");
   case V_SO_VGTSTREAMOUT_FLUSH:
      amd_cp_flush_streamout(cp);
      return true;
   case V_PIPELINESTAT_START:
      *cp->gpu->stats_on = true;
      return true;
   case V_PIPELINESTAT_STOP:
      *cp->gpu->stats_on = false;
      return true;
   case V_CS_PARTIAL_FLUSH:
      return partial_flush(cp, packet.event_index, AMD_WRITERS_COMPUTE);
   case V_VS_PARTIAL_FLUSH:
      return partial_flush(cp, packet.event_index, AMD_WRITERS_VERTEX);
   case V_PS_PARTIAL_FLUSH:
      return partial_flush(cp, packet.event_index, AMD_WRITERS_PIXEL);
   case V_CACHE_FLUSH:
   case V_CACHE_FLUSH_AND_INV_EVENT:
   case V_FLUSH_AND_INV_DB_META:
   case V_FLUSH_AND_INV_CB_META:
      flush_targets(cp, event_targets(cp, event), event != V_CACHE_FLUSH);
      return true;
   /* Performance counters are not there; batches are not held back. */
   case V_VGT_STREAMOUT_SYNC:
   case V_VGT_STREAMOUT_RESET:
   case V_BREAK_BATCH:
   case V_PERFCOUNTER_START:
   case V_PERFCOUNTER_STOP:
   case V_VGT_FLUSH:
   case V_PIXEL_PIPE_STAT_CONTROL: /* which units count samples; the model has one */
   case V_SQ_NON_EVENT:            /* a bubble in the pipeline, ahead of writes of GE_PC_ALLOC */
      return true;
   default:
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "the model does not have event 0x%02x",
                           event);
   }
}

/* What is done when the write of an end-of-pipe event arrives; targets: what it flushes. 0: no such event. */
static unsigned
release_writers(unsigned event, unsigned *targets)
{
   *targets = 0;
   switch (event) {
   case V_CACHE_FLUSH_AND_INV_TS_EVENT:
      *targets = AMD_WRITERS_TARGETS;
      break;
   case V_FLUSH_AND_INV_DB_DATA_TS:
      *targets = 1u << AMD_WRITER_DB;
      break;
   case V_FLUSH_AND_INV_CB_DATA_TS:
      *targets = 1u << AMD_WRITER_CB;
      break;
   case V_BOTTOM_OF_PIPE_TS:
      break;
   case V_CS_DONE:
      return AMD_WRITERS_COMPUTE;
   case V_PS_DONE:
      return AMD_WRITERS_PIXEL;
   default: /* others: not at the end of the pipe */
      return 0;
   }
   return AMD_WRITERS_SHADERS | AMD_WRITERS_TARGETS;
}

static bool
release_data(struct amd_cp *cp, const struct amd_pm4_release_mem *packet, struct sim_va va)
{
   uint64_t time;
   switch (packet->data_sel) {
   case V_RELEASE_DATA_32:
      return amd_cp_write(cp, va, &packet->data, 4);
   case V_RELEASE_DATA_64:
      return amd_cp_write(cp, va, &packet->data, 8);
   case V_RELEASE_DATA_TIMESTAMP:
      time = amd_gpu_clock(cp->gpu);
      return amd_cp_write(cp, va, &time, 8);
   default:
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           "the model does not have RELEASE_MEM DATA_SEL %u", packet->data_sel);
   }
}

/* GFX9. What throws away all of L2 throws away L1, its L0, too: observed, RADV leaves its own bit out then. *meta:
 * L2's metadata goes; Mesa says that it does with all of L2, too. */
static unsigned
levels_of_actions(const struct amd_pm4_release_mem *packet, bool *meta)
{
   bool all =
      packet->tc_action_ena && packet->tc_wb_action_ena && !packet->tc_nc_action_ena && !packet->tc_md_action_ena;
   *meta = all || (packet->tc_action_ena && packet->tc_md_action_ena);
   return all || packet->tcl1_action_ena ? AMD_CACHE_L0 : 0;
}

static bool
release_mem(struct amd_cp *cp, const uint32_t *payload)
{
   struct amd_caches *caches = cp->gpu->caches;
   const struct amd_pm4_release_mem packet = amd_pm4_release_mem_unpack(payload);
   unsigned event = packet.event_type, targets;
   unsigned writers = release_writers(event, &targets);
   if (!writers)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           "the model does not have end-of-pipe event 0x%02x", event);
   if (event != V_CS_DONE && !amd_draws_wait(cp->gpu))
      return false;
   unsigned levels = (packet.glv_inv ? AMD_CACHE_L0 : 0) | (packet.gl1_inv ? AMD_CACHE_L1 : 0) |
                     (packet.glk_inv ? AMD_CACHE_SCALAR : 0);
   bool meta = packet.glm_inv;
   if (cp->gpu->model->traits->cache_actions)
      levels = levels_of_actions(&packet, &meta);
   if (levels)
      amd_caches_invalidate(caches, levels);
   flush_targets(cp, targets, true);
   if (meta)
      amd_meta_invalidate(caches, 1u << AMD_META_CACHE_TEX);
   if (packet.pws_enable)
      amd_cp_pws_release(cp, event, writers);
   struct sim_va va = sim_va(packet.address & ~UINT64_C(3));
   if (packet.data_sel == V_RELEASE_DATA_NONE)
      return true;
   amd_order_release(caches, cp->gpu->slot, writers, va);
   return release_data(cp, &packet, va);
}

/* Of EVENT_WRITE and RELEASE_MEM alike. */
static bool
count_event(struct amd_cp *cp, uint32_t event, bool done)
{
   if (done && cp->gpu->report)
      cp->gpu->report->events[event]++;
   return done;
}

bool
amd_cp_event_write(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const uint32_t event = amd_pm4_event_write_unpack(payload).event_type;
   if (waits_for_draws(event) && !amd_draws_wait(cp->gpu))
      return false;
   return count_event(cp, event, event_write(cp, payload, count));
}

bool
amd_cp_release_mem(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   /* In the same place as in EVENT_WRITE. */
   const uint32_t event = amd_pm4_event_write_unpack(payload).event_type;
   return count_event(cp, event, release_mem(cp, payload));
}

bool
amd_cp_event_write_zpass(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_event_write_zpass packet = amd_pm4_event_write_zpass_unpack(payload);
   return amd_draws_wait(cp->gpu) && zpass_done(cp, sim_va(packet.address & ~UINT64_C(7)));
}
