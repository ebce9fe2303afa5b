/* HTILE: compression of depth images with one sample, fast clears, and rejection of primitives by ranges of depth.
 *
 * Texture units read compressed depth, so that an image is in one state whatever its layout: DB compresses what it
 * writes, and sampling and copies read it so. Stores to such planes (copies) need memory as it is: they make a level
 * plain before. Levels in the tail are never compressed. What was in the memory before the image's first use is no
 * HTILE: discards (barriers from undefined layouts) make it plain. A level has one clear depth for all its layers; it
 * lies in memory, so that every handle of the image knows it. The clear stencil is 0.
 * With HTILE: depth of 16 and 32 bits, its stencil where there is one level, from 8x8 pixels on, levels or layers but
 * not both. Source: what RADV has with TC-compatible HTILE. */
#ifndef INDIUM_SI_HTILE_H
#define INDIUM_SI_HTILE_H

#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/si_resource.h"

/* Behind size_B bytes of an image whose planes are there; grows its size and alignment. */
void si_htile_init(const struct si_screen *screen, struct si_resource *image, uint64_t *size_B);

/* Of a level whose tiles may be compressed, by target registers; else 0. Addresses of the whole image's. */
uint64_t si_htile_of_level(const struct si_resource *image, unsigned level);

/* Where the level's clear depth lies. */
uint64_t si_clear_depth_va(const struct si_resource *image, unsigned level);

/* For descriptors that read a plane; 0: memory is as it is. */
uint64_t si_htile_of_plane(const struct si_resource *image, enum si_plane plane);

/* Memory of some aspects (enum pipe_aspect) of layers of a level holds what the image does, and its tiles say so.
 * overwritten: its contents are not wanted. The rendering before has ended and is visible. */
void si_htile_make_plain(struct si_context *ctx, const struct si_resource *image, uint32_t aspects, unsigned level,
                         unsigned first_layer, unsigned layers, bool overwritten);

/* Clears all layers of a level; aspects that it could not remain. */
uint32_t si_htile_clear(struct si_context *ctx, const struct si_resource *image, unsigned level, uint32_t aspects,
                        float depth, uint8_t stencil);

void si_init_htile(struct si_context *ctx);

#endif
