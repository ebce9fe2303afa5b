/* Parts of surfaces and metadata: tables of what each value of a coordinate toggles in an address. Internal. */
#ifndef INDIUM_AMD_SIM_SURFACE_TERMS_H
#define INDIUM_AMD_SIM_SURFACE_TERMS_H

#include "amd/sim/surface/surface.h"

/* per_bit: what each of the coordinate's bits toggles. */
void amd_surface_fill_few_terms(uint32_t *terms, unsigned count, const uint32_t *per_bit);
void amd_surface_fill_terms(uint32_t low[128], uint32_t high[128], const uint32_t per_bit[16]);

/* Pixels to add to coordinates of a level in the tail, if elements had four bytes; 0 elsewhere. */
void amd_surface_depth_tail(const struct amd_surface *surface, const struct amd_surface_desc *desc, unsigned level,
                            uint32_t *x, uint32_t *y);

#endif
