/* What a driver has programmed, as text: the packets in the order they run in, and before each draw and dispatch
 * every register that a packet has ever written.
 *
 *    packet EVENT_WRITE 0x0000000f
 *    registers gfx 3
 *    PA_SC_AA_CONFIG 0x00000000 default       (CLEAR_STATE has set it; such zeros are left out)
 *    SPI_SHADER_PGM_RSRC1_PS 0x022c0041
 *    packet DRAW_INDEX_AUTO 0x00000003 0x00000002
 *
 * A register that is not there holds on hardware what the work of another process has left. */
#ifndef INDIUM_AMD_SIM_DUMP_H
#define INDIUM_AMD_SIM_DUMP_H

#include <stdint.h>
#include <stdio.h>

#include "amd/sim/base/gpu.h"

struct amd_dump;

/* out: stays the caller's. One that cannot be written is told of once, and ferror() tells it ever after. */
struct amd_dump *amd_dump_create(FILE *out);
void amd_dump_destroy(struct amd_dump *dump);

/* A packet is about to run. Those that only set registers are not told of: their effect is in the registers. */
void amd_dump_packet(struct amd_dump *dump, const struct amd_gpu *gpu, const char *name, uint32_t header,
                     const uint32_t *payload, uint32_t count);

/* A packet has written a register of the spaces of amd_regs; CLEAR_STATE has written all context registers. */
void amd_dump_written(struct amd_dump *dump, const struct amd_gpu *gpu, uint32_t offset_B);
void amd_dump_cleared(struct amd_dump *dump, const struct amd_gpu *gpu);

#endif
