/* Where metadata of GFX9 lies: a rule, not a table of patterns. Its address bits are chosen one by one so that each
 * render backend and pipe finds the metadata of its pixels in its own memory. Levels lie side by side in one
 * plane. Source: AMD's address library (gfx9addrlib.cpp: HwlComputeHtileInfo, HwlComputeCmaskInfo, HwlComputeDccInfo,
 * GenMetaEquation, GetMetaMipInfo). */
#ifndef INDIUM_AMD_SIM_META_RULE_H
#define INDIUM_AMD_SIM_META_RULE_H

#include "amd/sim/surface/meta.h"

/* Fills in all but the base. desc->mode and its element are the surface's, of CMASK FMASK's. */
void amd_meta_rule_init(struct amd_meta *meta, enum amd_meta_kind kind, const struct amd_surface_desc *desc,
                        unsigned level, struct amd_meta_align align);

/* Log2 of the bytes of a block of a swizzle mode. */
unsigned amd_meta_data_block_log2(unsigned mode);

#endif
