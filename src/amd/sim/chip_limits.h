/* Which chips the model holds. */
#ifndef INDIUM_AMD_SIM_CHIP_LIMITS_H
#define INDIUM_AMD_SIM_CHIP_LIMITS_H

struct amd_chip;

/* Why there is no model of the chip (a sentence's end: "has ..."), or NULL. What passes fits into every table that is
 * sized by a chip's engines, arrays, units, backends and packers. */
const char *amd_chip_refused(const struct amd_chip *chip);

#endif
