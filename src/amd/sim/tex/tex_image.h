/* Decoded image descriptors and access to single texels. Internal to the texture unit. */
#ifndef INDIUM_AMD_SIM_TEX_IMAGE_H
#define INDIUM_AMD_SIM_TEX_IMAGE_H

#include "amd/hw/descriptors.h"
#include "amd/sim/cache/meta_cache.h"
#include "amd/sim/surface/meta.h"
#include "amd/sim/surface/surface.h"
#include "amd/sim/tex/tex.h"
#include "sim/texel/texel.h"
#include "sim/texel/vec4.h"

struct tex_level {
   bool ready;
   struct amd_surface surface;
   struct amd_meta meta;          /* if the image has_meta, */
   bool plain;                    /* and not the level */
   uint32_t width, height, depth; /* px */
};

struct tex_image {
   uint32_t words[8]; /* the descriptor this was made from */
   struct amd_sq_img_rsrc rsrc;
   const struct amd_chip *chip;
   struct sim_texel_format format;
   struct amd_surface_desc desc;
   uint8_t type; /* SQ_RSRC_IMG_* */
   uint8_t base_level, last_level;
   uint8_t dst_sel[4];
   bool compressed, is_int;
   bool clamps_reference;           /* of comparisons */
   uint32_t base_array, last_array; /* slices; 3D: without slices_of_level 0 and depth - 1 of level 0 */
   /* 3D with ARRAY_PITCH: BASE_ARRAY and DEPTH are the first and last slice of the view, counted in its level;
    * without, DEPTH is that of level 0 and BASE_ARRAY is ignored. Observed: RADV puts the slice of a copy into both
    * coordinate and BASE_ARRAY; Mesa's radeonsi sets ARRAY_PITCH for storage. */
   bool slices_of_level;
   float min_lod;
   bool has_meta, alpha_on_msb;
   struct amd_meta_align meta_align;
   uint8_t fmask_samples_log2; /* of a view of FMASK; else 0 */
   enum amd_meta_kind meta_kind;
   uint64_t meta_base_256B;
   struct tex_level levels[16];
   /* Host memory of the chain, valid during one request. */
   const uint8_t *host;
   uint64_t run_B;
   const uint8_t *meta_host;
   uint64_t meta_run_B;
   struct sim_va base;
   const struct sim_vm *vm;
   struct amd_cache_port *port; /* may be NULL */
   uint8_t path;
   struct amd_tex_watch *watch; /* of the lane that reads; NULL: nobody */
   uint8_t lane;
   bool reference; /* no fast paths */
   bool missing;   /* a texel of a hole was read since it was last cleared */
};

/* A texel (or block) of the chain, as the caches have it, until the next call. offset_B: within run_B. */
static inline const uint8_t *
tex_image_bytes(const struct tex_image *image, uint64_t offset_B)
{
   const uint8_t *host = image->host + offset_B;
   if (!image->port)
      return host;
   struct sim_va va = sim_va_add(image->base, (int64_t)offset_B);
   return amd_cache_read(image->port, image->path, va, host, image->format.size_B);
}

/* Whether a read of the request met what a report names (struct amd_cache_port); it is forgotten. */
static inline bool
tex_image_forget_hazard(const struct tex_image *image)
{
   if (!image->port || !image->port->hazard.tag)
      return false;
   image->port->hazard.tag = 0;
   image->port->hazard.stale_meta = false;
   return true;
}

/* tex_image_bytes() of a texel beyond run_B: in another piece of a sparse image, or zeros: in a hole, which sets
 * missing, and where nothing is mapped, which sets *bad. */
const uint8_t *tex_image_piece(struct tex_image *image, uint64_t offset_B, bool *bad);

/* What DST_SEL makes of no component: 1 for its 1, else 0. */
static inline uint32_t
tex_constant(const struct tex_image *image, unsigned select)
{
   return select == 1 ? (image->is_int ? 1 : 0x3f800000) : 0;
}

/* The image of a descriptor, from a small cache of the calling thread; NULL after a fault. Valid until the next call.
 */
struct tex_image *tex_image_get(const uint32_t words[8], const struct amd_chip *chip, struct sim_fault *fault);
/* The same if the cache has it; else NULL. */
struct tex_image *tex_image_known(const uint32_t words[8], const struct amd_chip *chip);

/* The level with its surface ready; NULL after a fault. level is absolute. */
const struct tex_level *tex_image_level(struct tex_image *image, unsigned level, struct sim_fault *fault);

/* Looks up the host memory for reading, through the port (may be NULL). False after a fault. */
bool tex_image_map(struct tex_image *image, const struct sim_vm *vm, struct amd_cache_port *port, unsigned path,
                   struct sim_fault *fault);

/* A texel of a level. */
struct tex_place {
   uint32_t x, y, slice, sample;
};

/* The texel, which is inside the level; zeros (and no crash) beyond the mapped memory, which sets *bad. */
v4u tex_image_texel(struct tex_image *image, const struct tex_level *level, struct tex_place p, bool *bad);

#endif
