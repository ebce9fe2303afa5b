/* What GFX11 does otherwise than earlier generations, and not only with other fields. */
#ifndef INDIUM_SI_GEN_GFX11_H
#define INDIUM_SI_GEN_GFX11_H

#include "amd/common/ac_gpu_info.h"
#include "gallium/drivers/radeonsi/cs/si_pm4.h"

/* Of the attribute ring, for each shader engine; with all of them aligned. */
#define SI_GFX11_RING_PART_B (1u << 20)
#define SI_GFX11_RING_ALIGNMENT_B 65536

/* Of the preamble: the vertex front end, which is only NGG, and where graphics waves run; compute. */
void si_gfx11_graphics_registers(struct si_pm4 *regs, const struct ac_gpu_info *info);
void si_gfx11_compute_registers(struct si_pm4 *regs, const struct ac_gpu_info *info);

/* The ring's registers, for an idle GPU. */
void si_gfx11_ring_registers(struct si_pm4 *regs, uint64_t ring_va);

#define SI_GFX11_IDLE_DW (1 + AMD_PM4_RELEASE_MEM_DW + 1 + AMD_PM4_ACQUIRE_MEM_DW)

/* Waits for all earlier work. Returns the next dword. */
uint32_t *si_gfx11_wait_idle(uint32_t dw[SI_GFX11_IDLE_DW]);

#define SI_GFX11_COUNT_PIPES_DW (1 + AMD_PM4_PIXEL_PIPE_STAT_CONTROL_DW)

/* All render backends count samples. Returns the next dword. */
uint32_t *si_gfx11_count_pipes(uint32_t dw[SI_GFX11_COUNT_PIPES_DW], const struct ac_gpu_info *info);

#endif
