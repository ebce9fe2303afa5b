/* Compression metadata of images: HTILE of depth (si_htile.h), DCC of colour (si_dcc.h). It follows the image's
 * planes, so that every handle of the memory knows it.
 *
 * Texture units read what is compressed, so that an image is in one state whatever its layout: DB and CB compress
 * what they write, shaders' stores keep DCC, and sampling and copies read it so. Copies write memory as it is: they
 * make a level plain before. Levels in the tail are never compressed. What was in the memory before the image's first
 * use is no metadata: barriers that discard the image make it plain. There is none for what is shared, for
 * levels and layers at once, and for what queues of several families may use at once: one would make plain what the
 * other writes. Source: what RADV has. */
#ifndef INDIUM_SI_METADATA_H
#define INDIUM_SI_METADATA_H

#include "amd/common/ac_meta.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"

/* After size_B bytes of an image whose planes are there; grows its size and alignment. False: it can have none. */
bool si_metadata_init(const struct si_screen *screen, struct si_resource *image, enum amd_meta_kind kind,
                      uint64_t *size_B);

/* The address of the whole image's; 0: there is none. */
uint64_t si_metadata_va(const struct si_resource *image);

/* The same where the level's blocks may be compressed, for target registers; else 0. */
uint64_t si_metadata_of_level(const struct si_resource *image, unsigned level);

/* Waits: all that ran before has ended, and what it wrote can be read. */
void si_metadata_finish(struct si_context *ctx);

/* The bits of `mask` become those of value, in all dwords of layers of a level. */
void si_metadata_write(struct si_context *ctx, const struct si_resource *image, struct si_layers layers,
                       uint32_t mask, uint32_t value);

/* Memory of some aspects (enum pipe_aspect) of layers of a level holds what the image does, and its metadata says so.
 * overwritten: its contents are not wanted. The rendering before has ended and is visible. */
void si_metadata_make_plain(struct si_context *ctx, const struct si_resource *image, uint32_t aspects,
                            struct si_layers layers, bool overwritten);

/* Initialises the metadata of images that the barrier discards. If there are any, waits for all earlier work first,
 * whatever the barrier's stages are: programs discard targets without naming the draws that wrote them (source: RADV
 * flushes there too). True: all earlier work has ended, and the caches are invalidated. */
bool si_metadata_discard(struct si_context *ctx, const struct pipe_barrier *barrier);

/* Images that the barrier hands to a transfer queue become plain: SDMA knows no compression. */
void si_metadata_hand_over(struct si_context *ctx, const struct pipe_barrier *barrier);

#endif
