/* Draws that wait for the next ones, because they may be rasterised out of order with these (reorder.h): between them
 * packets only name the next draw (user data, index buffers, instances). All else ends the batch: registers of the
 * context, which hardware has several of but whose draws it does not mix (assumed), events, waits, copies. */
#ifndef INDIUM_AMD_SIM_CP_BATCH_H
#define INDIUM_AMD_SIM_CP_BATCH_H

#include "amd/sim/draw/draw_mix.h"

struct amd_cp;

/* A draw: waits in the batch, or ends it and runs. */
bool amd_cp_batch_draw(struct amd_cp *cp, const struct amd_draw *draw);
/* A mark (amd/hw/order_mark.h): those that wait do not mix with the next ones. */
bool amd_cp_batch_mark(struct amd_cp *cp, bool relaxed);
/* A packet of any ring is about to run. */
bool amd_cp_batch_packet(struct amd_cp *cp, unsigned opcode, const uint32_t *payload);
/* Those that wait run. False after a fault. */
bool amd_cp_batch_end(struct amd_cp *cp);

#endif
