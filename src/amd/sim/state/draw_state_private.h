/* Parts of the decoding of a draw's registers, in files of their own. */
#ifndef INDIUM_AMD_SIM_DRAW_STATE_PRIVATE_H
#define INDIUM_AMD_SIM_DRAW_STATE_PRIVATE_H

#include "amd/sim/state/draw_state.h"
#include "amd/sim/state/target_memory.h"

/* Whether a surface of so many samples takes what is rasterised: as many, or one, which then is all of them. */
bool amd_samples_fit(struct amd_sample_state *samples, unsigned surface_log2);
/* The same of a colour target, which may also have fewer: it takes the first ones. Source: Vulkan's
 * VK_AMD_mixed_attachment_samples, by AMD, which RADV offers on every chip. */
bool amd_color_samples_fit(struct amd_sample_state *samples, unsigned surface_log2);

bool amd_draw_state_stages(struct amd_draw_state *state, const struct amd_gpu *gpu);
bool amd_draw_state_gs(struct amd_draw_state *state, const struct amd_gpu *gpu);
bool amd_draw_state_strmout(struct amd_strmout_state *strmout, const struct amd_gpu *gpu);
bool amd_draw_state_tess(struct amd_tess_state *tess, const struct amd_gpu *gpu);
bool amd_draw_state_pops(struct amd_draw_state *state, const struct amd_gpu *gpu);
/* What the depth surface is made from, whether it is used or not. */
struct amd_surface_desc amd_depth_desc(const struct amd_gpu *gpu);
bool amd_draw_state_depth(struct amd_draw_state *state, const struct amd_gpu *gpu, struct amd_targets *targets);
/* HTILE, after the surfaces; desc, surface: of depth, or of stencil if that is all. False after a fault. */
bool amd_draw_state_htile(struct amd_depth_state *depth, struct amd_targets *targets,
                          const struct amd_surface_desc *desc, const struct amd_surface *surface, unsigned level);
/* Which ranges of HTILE are used and written; all else of depth is decoded. */
void amd_draw_state_culling(struct amd_depth_state *depth, const struct amd_regs *regs);

/* Whether textures find what DB would keep of depth (draw_state_planes.c). */
bool amd_draw_state_planes(const struct amd_gpu *gpu);
bool amd_draw_state_samples(struct amd_sample_state *samples, const struct amd_gpu *gpu);
/* When depth is decoded, too. */
bool amd_draw_state_check_samples(const struct amd_draw_state *state, const struct amd_gpu *gpu);
bool amd_draw_state_mask(struct amd_draw_state *state, const struct amd_gpu *gpu);
bool amd_draw_state_color(struct amd_draw_state *state, const struct amd_gpu *gpu, struct amd_targets *targets);
/* Whether what stands for a pixel in metadata stands for all of its aligned tile of 8 x 8. */
bool amd_color_meta_is_of_tiles(const struct amd_target_state *target);
/* Metadata of target i, whose surface is there. False after a fault. */
bool amd_draw_state_color_meta(struct amd_target_state *target, struct amd_targets *targets, unsigned i,
                               const struct amd_surface_desc *desc, unsigned level);

#endif
