/* DRM format modifiers that name layouts of this hardware: vendor AMD (2) in the upper byte. Source: the kernel's
 * drm_fourcc.h (doc). TILE is the number of the swizzle mode (V_SW_*); the counts of address bits are log2 of what
 * GB_ADDR_CONFIG says. */
#ifndef INDIUM_AMD_HW_HW_MODIFIERS_H
#define INDIUM_AMD_HW_HW_MODIFIERS_H

#include <stdint.h>

#define AMD_MODIFIER_LINEAR UINT64_C(0) /* of all vendors */
#define AMD_MODIFIER_VENDOR (UINT64_C(2) << 56)
#define AMD_MODIFIER_IS_AMD(m) ((m) >> 56 == 2)

#define S_AMD_MODIFIER_TILE_VERSION(x) ((uint64_t)(x) << 0)
#define G_AMD_MODIFIER_TILE_VERSION(m) ((m) >> 0 & 0xff)
#define V_AMD_MODIFIER_GFX9 1
#define V_AMD_MODIFIER_GFX10 2
#define V_AMD_MODIFIER_GFX10_RBPLUS 3
#define V_AMD_MODIFIER_GFX11 4

#define S_AMD_MODIFIER_TILE(x) ((uint64_t)(x) << 8)
#define G_AMD_MODIFIER_TILE(m) ((m) >> 8 & 0x1f)
#define G_AMD_MODIFIER_DCC(m) ((m) >> 13 & 1)
#define S_AMD_MODIFIER_PIPE_XOR_BITS(x) ((uint64_t)(x) << 21)
#define S_AMD_MODIFIER_BANK_XOR_BITS(x) ((uint64_t)(x) << 24)
#define S_AMD_MODIFIER_PACKERS(x) ((uint64_t)(x) << 27)

#endif
