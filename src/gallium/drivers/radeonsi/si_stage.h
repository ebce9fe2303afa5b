/* Shader stages on the hardware: which of its stages runs a shader, the registers of that one, and the user SGPRs. */
#ifndef INDIUM_SI_STAGE_H
#define INDIUM_SI_STAGE_H

#include "amd/compiler/aco.h"

/* Stages of the hardware. HS (with LS in it) and GS (with ES in it, or the next-generation pipeline) get rows with
 * the first shader that runs there. */
enum si_hw_stage {
   SI_HW_VS,
   SI_HW_PS,
   SI_HW_CS,
   SI_HW_STAGES,
};

struct si_hw_regs {
   uint32_t pgm_lo;      /* PGM_HI behind it */
   uint32_t pgm_rsrc1;   /* PGM_RSRC2 behind it */
   uint32_t user_data;   /* of s0 */
   uint32_t mem_ordered; /* the bit in RSRC1 */
};
extern const struct si_hw_regs si_hw_regs[SI_HW_STAGES];

struct si_stage {
   enum si_hw_stage hw;  /* in programs of these stages alone */
   struct aco_args args; /* as si_abi.h says; no user SGPRs: the driver does not have the stage */
};
extern const struct si_stage si_stages[NIR_STAGES];

#endif
