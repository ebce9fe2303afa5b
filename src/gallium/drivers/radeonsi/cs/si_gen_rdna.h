/* Registers of the preamble that GFX10 and all later generations have alike. */
#ifndef INDIUM_SI_GEN_RDNA_H
#define INDIUM_SI_GEN_RDNA_H

#include "amd/common/ac_gpu_info.h"
#include "gallium/drivers/radeonsi/cs/si_pm4.h"

/* The vertex front end, GE, and requests of pixel waves; what NGG has besides; compute. */
void si_rdna_graphics_registers(struct si_pm4 *regs);
void si_rdna_ngg_registers(struct si_pm4 *regs, const struct ac_gpu_info *info);
void si_rdna_compute_registers(struct si_pm4 *regs);

#endif
