/* Registers of the preamble for GFX10 and GFX10.3, whose vertices have two pipelines. */
#ifndef INDIUM_SI_GEN_GFX10_H
#define INDIUM_SI_GEN_GFX10_H

#include "amd/common/ac_gpu_info.h"
#include "gallium/drivers/radeonsi/cs/si_pm4.h"

/* The vertex front end, GE, and where graphics waves run; what one of the pipelines has besides; compute. */
void si_gfx10_graphics_registers(struct si_pm4 *regs, const struct ac_gpu_info *info);
void si_gfx10_legacy_registers(struct si_pm4 *regs, const struct ac_gpu_info *info);
void si_gfx10_ngg_registers(struct si_pm4 *regs, const struct ac_gpu_info *info);
void si_gfx10_compute_registers(struct si_pm4 *regs, const struct ac_gpu_info *info);

#endif
