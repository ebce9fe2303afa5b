/* What a driver submits, read by the tables of any generation, without running it: the shim's noop mode. */
#ifndef INDIUM_AMD_SIM_LISTING_H
#define INDIUM_AMD_SIM_LISTING_H

#include <stdio.h>

#include "amd/hw/gen.h"
#include "amd/sim/amd_sim.h"

/* Writes the packets of a buffer, and of those it calls and chains to:
 *
 *    packet NAME DWORD...
 *    NAME VALUE                     a register that the packet before writes
 *    unknown ...                    what the generation's tables do not have, after its packet or register
 *
 * Conditions are not looked at. A buffer that cannot be read to its end is unknown from there on. */
void amd_list_buffer(FILE *out, enum amd_gen gen, const struct sim_vm *vm, const struct amd_sim_ib *ib);

#endif
