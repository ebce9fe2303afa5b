/* Shader stages on the hardware: which of its stages runs a shader, the registers of that one, and the user SGPRs. */
#ifndef INDIUM_SI_STAGE_H
#define INDIUM_SI_STAGE_H

#include "amd/compiler/aco.h"

/* Stages of the hardware. GS is the next-generation pipeline, with ES in it; HS (with LS in it) gets a row with the
 * first shader that runs there. */
enum si_hw_stage {
   SI_HW_VS,
   SI_HW_GS,
   SI_HW_PS,
   SI_HW_CS,
};

struct si_hw_regs {
   uint32_t pgm_lo;      /* PGM_HI behind it */
   uint32_t pgm_rsrc1;   /* PGM_RSRC2 behind it */
   uint32_t user_data;   /* of s0 */
   uint32_t mem_ordered; /* the bit in RSRC1 */
};

struct si_stage {
   enum si_hw_stage hw;  /* in programs of these stages alone, without NGG */
   struct aco_args args; /* as si_abi.h says; no user SGPRs: the driver does not have the stage */
};
extern const struct si_stage si_stages[NIR_STAGES];

/* Of the stage that runs a compiled shader. */
struct si_hw_regs si_hw_regs(enum amd_gen gen, enum nir_stage stage, const struct aco_output *out);

#endif
