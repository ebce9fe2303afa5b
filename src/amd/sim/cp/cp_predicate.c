/* SET_PREDICATION: whether packets that ask for it are skipped. Source: RADV's conditional rendering, radeonsi's
 * render conditions. All results are there when it runs: HINT_NOWAIT_DRAW changes nothing. */
#include "amd/hw/pm4.h"
#include "amd/sim/cp/cp.h"

/* Sum of end - begin over the render backends. */
static bool
read_zpass(struct amd_cp *cp, struct sim_va va, uint64_t *samples)
{
   *samples = 0;
   for (unsigned i = 0; i < cp->gpu->chip->num_rb_pipes; i++) {
      uint64_t pair[2];
      if (!(cp->gpu->chip->enabled_rb_pipes_mask >> i & 1))
         continue;
      if (!amd_cp_read_ahead(cp, sim_va_add(va, (int64_t)i * 16), pair, 16))
         return false;
      *samples += pair[1] - pair[0];
   }
   return true;
}

/* Two samples of SAMPLE_STREAMOUTSTATS, of primitives written and needed: 1 if they grew alike. */
static bool
read_primcount(struct amd_cp *cp, struct sim_va va, uint64_t *fits)
{
   uint64_t samples[4];
   if (!amd_cp_read_ahead(cp, va, samples, sizeof(samples)))
      return false;
   *fits = samples[2] - samples[0] == samples[3] - samples[1];
   return true;
}

bool
amd_cp_set_predication(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   struct amd_ring *ring = cp->ring;
   const struct amd_pm4_set_predication packet = amd_pm4_set_predication_unpack(payload);
   const uint32_t op = packet.pred_op;
   uint64_t value = 0;
   bool ok;
   if (op == V_PRED_OP_CLEAR) {
      ring->predicated = false;
      return true;
   }
   if (op == V_PRED_OP_ZPASS)
      ok = read_zpass(cp, sim_va(packet.address & ~UINT64_C(7)), &value);
   else if (op == V_PRED_OP_PRIMCOUNT)
      ok = read_primcount(cp, sim_va(packet.address & ~UINT64_C(7)), &value);
   else if (op == V_PRED_OP_BOOL64 || op == V_PRED_OP_BOOL32)
      ok = amd_cp_read_ahead(cp, sim_va(packet.address & ~UINT64_C(3)), &value, op == V_PRED_OP_BOOL64 ? 8 : 4);
   else
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va, "the model does not have PRED_OP %u", op);
   bool visible = value != 0;
   /* Results in several places: something visible in any, room in all. */
   if (packet.continue_ && ring->predicated)
      visible = op == V_PRED_OP_PRIMCOUNT ? visible && ring->visible : visible || ring->visible;
   ring->predicated = true;
   ring->visible = visible;
   ring->draws_skipped = visible != packet.draw_visible;
   return ok;
}
