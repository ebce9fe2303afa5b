/* What the model of one generation knows of its registers, made from the tables when a model is created. */
#ifndef INDIUM_AMD_SIM_MODEL_H
#define INDIUM_AMD_SIM_MODEL_H

#include "amd/hw/chips.h"
#include "amd/hw/reg_table.h"
#include "amd/hw/traits_model.h"

enum amd_reg_class {
   AMD_REG_UNKNOWN,
   AMD_REG_USED,
   AMD_REG_IGNORED,
   AMD_REG_HOLE, /* no register; writes are dropped */
};

/* Bits of a register that turn on what the model does not have. */
struct amd_missing {
   uint32_t offset_B, mask;
   const char *what;
};

#define AMD_MODEL_MAX_MISSING 64

struct amd_model {
   enum amd_gen gen;
   const struct amd_traits *traits;
   unsigned missing_count;
   struct amd_missing missing[AMD_MODEL_MAX_MISSING];
   /* By offset / 4. */
   uint8_t reg_class[AMD_UCONFIG_REG_END / 4]; /* enum amd_reg_class */
   uint32_t unknown_bits[AMD_UCONFIG_REG_END / 4];
   const struct amd_pm4_packet *packets[256]; /* by opcode; NULL: the generation has none */
};

/* What differs by generation (amd/hw/traits.txt). Granules are the units of register fields. */
extern const struct amd_traits amd_traits[AMD_GEN_COUNT];

/* What VGPRS of *_PGM_RSRC1 says. */
static inline uint16_t
amd_traits_vgprs(const struct amd_traits *traits, unsigned field, unsigned wave_size)
{
   return (uint16_t)((field + 1) * traits->vgpr_field_granule * 32 / wave_size);
}

/* NULL: out of memory. free() releases it. */
struct amd_model *amd_model_create(enum amd_gen gen);

/* Erratum pops-missed-overlap: of two chips of a generation. */
bool amd_chip_misses_overlap(const struct amd_chip *chip);

/* Why a register of the model has no effect; by the name of its array's first element. NULL: it has. */
const char *amd_model_why_ignored(const char *name);

/* Adds the rows of model_missing.c that the generation has. */
void amd_model_add_missing(struct amd_model *model);

#endif
