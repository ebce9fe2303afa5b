/* Surfaces of the colour and depth blocks. */
#ifndef INDIUM_SI_TARGET_H
#define INDIUM_SI_TARGET_H

#include "amd/common/ac_gpu_info.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/cs/si_cs.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"

/* DB_RENDER_CONTROL, without metadata. */
#define SI_DB_RENDER_CONTROL                                                                                         \
   (S_DB_RENDER_CONTROL_DEPTH_COMPRESS_DISABLE(1) | S_DB_RENDER_CONTROL_STENCIL_COMPRESS_DISABLE(1))

/* Registers of a target; false if the format cannot be one. */
bool si_color_target_init(const struct ac_gpu_info *info, struct si_color_target *target,
                          const struct si_resource *image, uint32_t format, struct si_layers layers);
void si_depth_target_init(const struct ac_gpu_info *info, struct si_depth_target *target,
                          const struct si_resource *image, struct si_layers layers);

/* PA_SU_POLY_OFFSET_DB_FMT_CNTL for a depth format. */
uint32_t si_depth_offset_format(uint32_t format);

/* Into the stream, as target i; NULL: there is none. */
void si_emit_color_target(struct si_cs *cs, const struct ac_gpu_info *info, unsigned i,
                          const struct si_color_target *target);
/* rates_va: of HTILE that only has shading rates; 0: none, and the target's own is used. */
void si_emit_depth_target(struct si_cs *cs, const struct ac_gpu_info *info, const struct si_depth_target *target,
                          uint64_t rates_va);

#endif
