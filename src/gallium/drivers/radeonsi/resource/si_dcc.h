/* DCC: a byte for each 256 bytes of colour says how they are compressed, or what they are. Rules: si_metadata.h.
 *
 * With DCC, as RADV has it: targets of one sample (from GFX11 on: and more, of any size) in 64KB_R_X (GFX9: of one
 * level and layer, in any mode) above 512 x 512 pixels (RADEONSI_DEBUG=dcc: all), but of 3D images, and where views
 * of other formats do not see other components: CB and textures find them by the format, until GFX11. Where shaders
 * store to them: from GFX10 on, whose stores know DCC, if no format that they may use is that of atomics, which make
 * it plain. */
#ifndef INDIUM_SI_DCC_H
#define INDIUM_SI_DCC_H

#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"

#define SI_DCC_PLAIN UINT32_MAX /* four bytes */

/* Whether colour is to be compressed where it is tiled for that. */
bool si_dcc_wanted(const struct si_screen *screen, const struct pipe_image_desc *desc);

/* As si_metadata_init(), of a description for that. */
void si_dcc_init(const struct si_screen *screen, struct si_resource *image, uint64_t *size_B);

/* The format that shows the bits of an image with DCC as they are, components and all. */
uint32_t si_dcc_plane_format(const struct si_resource *image);

/* CB_COLOR0_DCC_CONTROL, CB_COLOR0_FDCC_CONTROL of a target with DCC. */
uint32_t si_dcc_control(const struct ac_gpu_info *info, unsigned samples);

/* Clears layers of a level, all pixels. False: it has to be drawn. */
bool si_dcc_clear(struct si_context *ctx, const struct si_resource *image, uint32_t format, struct si_layers layers,
                  const union pipe_clear_color *color);

#endif
