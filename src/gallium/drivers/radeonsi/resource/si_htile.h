/* HTILE: compression of depth images, fast clears, and rejection of primitives by ranges of depth.
 *
 * Rules: si_metadata.h. A level has one clear depth for all its layers; it lies in memory. The clear stencil is 0.
 * With HTILE: depth of 16 and 32 bits, its stencil where there is one level, from 8x8 pixels on. Source: what RADV
 * has with TC-compatible HTILE. */
#ifndef INDIUM_SI_HTILE_H
#define INDIUM_SI_HTILE_H

#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"

/* Whether depth is to be compressed where it is tiled for that. */
bool si_htile_wanted(const struct si_screen *screen, const struct pipe_image_desc *desc);

/* As si_metadata_init(), of a description for that. */
void si_htile_init(const struct si_screen *screen, struct si_resource *image, uint64_t *size_B);

/* Where the level's clear depth lies. */
uint64_t si_clear_depth_va(const struct si_resource *image, unsigned level);

/* Bits of a dword that are about aspects; what plain ones are. */
uint32_t si_htile_bits(const struct si_resource *image, uint32_t aspects);
uint32_t si_htile_plain(const struct si_resource *image);

/* Clears all layers of a level; aspects that it could not remain. */
uint32_t si_htile_clear(struct si_context *ctx, const struct si_resource *image, unsigned level, uint32_t aspects,
                        float depth, uint8_t stencil);

#endif
