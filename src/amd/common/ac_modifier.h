/* DRM format modifiers of a chip: which layouts of 2D images of one level it shares with other drivers and displays.
 * Pure functions. Compressed images (DCC) are not among them. */
#ifndef INDIUM_AC_MODIFIER_H
#define INDIUM_AC_MODIFIER_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/hw/gen.h"

#define AC_MAX_MODIFIERS 8

/* Best first; the last one is linear. Their number. Source: what RADV 26 lists on each chip (observed). */
uint32_t ac_modifiers(enum amd_gen gen, uint32_t gb_addr_config, uint64_t modifiers[AC_MAX_MODIFIERS]);

/* Whether elements of that size may lie so, for one of ac_modifiers(). */
bool ac_modifier_fits(enum amd_gen gen, uint64_t modifier, uint8_t element_B);

/* V_SW_* */
uint8_t ac_modifier_mode(uint64_t modifier);

#endif
