/* What the model of one generation knows of its registers, made from the tables when a model is created. */
#ifndef INDIUM_AMD_SIM_MODEL_H
#define INDIUM_AMD_SIM_MODEL_H

#include "amd/hw/reg_table.h"

enum amd_reg_class {
   AMD_REG_UNKNOWN,
   AMD_REG_USED,
   AMD_REG_IGNORED,
};

/* Bits of a register that turn on what the model does not have. */
struct amd_missing {
   uint32_t offset_B, mask;
   const char *what;
};

#define AMD_MODEL_MAX_MISSING 64

struct amd_model {
   enum amd_gen gen;
   unsigned missing_count;
   struct amd_missing missing[AMD_MODEL_MAX_MISSING];
   /* By offset / 4. */
   uint8_t reg_class[AMD_UCONFIG_REG_END / 4]; /* enum amd_reg_class */
   uint32_t unknown_bits[AMD_UCONFIG_REG_END / 4];
};

/* Whether instructions, registers and blocks of the generation are all there. */
bool amd_model_has(enum amd_gen gen);

/* Whether its waves must keep certain instructions apart (wave_hazards.h). */
bool amd_model_has_hazards(enum amd_gen gen);

/* Erratum gfx10-empty-index-buffer. */
bool amd_model_empty_index_buffer_hangs(enum amd_gen gen);

/* NULL: out of memory. free() releases it. */
struct amd_model *amd_model_create(enum amd_gen gen);

/* Adds the rows of draw_missing.c that the generation has. */
void amd_model_add_missing(struct amd_model *model);

#endif
