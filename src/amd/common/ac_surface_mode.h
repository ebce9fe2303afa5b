/* The swizzle mode of a colour image with one sample, and of depth and stencil. */
#ifndef INDIUM_AC_SURFACE_MODE_H
#define INDIUM_AC_SURFACE_MODE_H

#include "amd/common/ac_surface.h"

/* V_SW_*. The largest blocks that take no more than one and a half times as much memory as smaller ones, inside in
 * the order that draws and filters best: D in 4 KiB, R in 64 KiB, of compressed formats D; of 3D images S, whose
 * blocks hold several slices, or R if there is one slice. Rows: images of one dimension, often those of one row, and
 * 3D images of several slices that are targets.
 * GFX9: D in blocks of one slice; of 3D images also blocks of several in Z, of compressed formats in S. Rows: images
 * of one dimension, often those of one row. Depth and stencil are Z_X there, too, but only Z where depth of eight
 * bytes a pixel and more is multisampled and compressed (erratum gfx9-msaa-depth-xor). After GFX9 they are 64KB_Z_X.
 * Source: the choice of AMD's address library (HwlGetPreferredSurfaceSetting), and RADV 26.1.6, which prints it with
 * RADV_DEBUG=img (tests/amd/common/surface_modes*.h). */
uint8_t ac_surface_mode(const struct ac_surface_desc *desc);

/* V_SW_*, of colour with one sample whose blocks may lack memory: D, of 3D images S, on GFX9 Z, all of them T: 64 KiB
 * whose inside does not depend on where they lie. Source: RADV 26.1.6, which prints it with RADV_DEBUG=img. */
uint8_t ac_surface_sparse_mode(enum amd_gen gen, bool is_3d);

#endif
