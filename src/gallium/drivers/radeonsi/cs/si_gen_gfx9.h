/* What GFX9 does otherwise than later generations, and not only with other fields. */
#ifndef INDIUM_SI_GEN_GFX9_H
#define INDIUM_SI_GEN_GFX9_H

#include "amd/common/ac_gpu_info.h"
#include "gallium/drivers/radeonsi/cs/si_pm4.h"
#include "gallium/include/pipe/p_defines.h"

/* Of the preamble: the vertex front end, which is VGT and IA there, where graphics waves run, and compute. */
void si_gfx9_graphics_registers(struct si_pm4 *regs, const struct ac_gpu_info *info);
void si_gfx9_compute_registers(struct si_pm4 *regs, const struct ac_gpu_info *info);

/* IA_MULTI_VGT_PARAM: how primitives are spread over the engines. num_se: shader engines. */
uint32_t si_gfx9_primitive_groups(unsigned num_se, enum pipe_topology topology, bool restart, bool byte_count);

/* Waits and makes shaders see memory as it is; code: also instructions. Of at most SI_ACQUIRE_DW dwords;
 * returns the dword after them. */
uint32_t *si_gfx9_acquire(uint32_t *dw, bool code);

/* What RELEASE_MEM says of caches: the L2 cache is written back, and, invalidate, those of shaders are invalidated.
 */
void si_gfx9_release(struct amd_pm4_release_mem *packet, bool invalidate);

#define SI_GFX9_COUNTERS_DW (1 + AMD_PM4_EVENT_WRITE_ADDRESS_DW)

/* What must come right before an end-of-pipe event on the graphics ring (erratum gfx9-eop-scratch): the counters of
 * samples are written to va, 16 bytes for each of up to 16 render backends. Returns the dword
 * after. */
uint32_t *si_gfx9_dump_counters(uint32_t dw[SI_GFX9_COUNTERS_DW], uint64_t va);

#endif
