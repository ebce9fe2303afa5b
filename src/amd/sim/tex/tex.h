/* The texture unit as the wave interpreter sees it: image instructions with their operands already gathered, and the
 * conversion of texels in the unified format numbers (V# FORMAT, T# FORMAT, MTBUF format). */
#ifndef INDIUM_AMD_SIM_TEX_H
#define INDIUM_AMD_SIM_TEX_H

#include "amd/sim/cache/cache.h"
#include "sim/vm/fault.h"
#include "sim/vm/vm.h"

#define AMD_TEX_LANES 64

enum amd_tex_kind {
   AMD_TEX_LOAD, /* integer coordinates; lod if has_lod; MSAA dims: the last one is the sample index */
   AMD_TEX_SAMPLE,
   AMD_TEX_GATHER4,
   AMD_TEX_GET_LOD,     /* x: clamped level, y: unclamped */
   AMD_TEX_GET_RESINFO, /* lod: width, height, depth or layers, levels */
   AMD_TEX_MSAA_LOAD,   /* as LOAD, of four samples from the sample index on: result[i] is a component of sample i */
};

/* Where the level of detail comes from (sample and gather). */
enum amd_tex_lod {
   AMD_TEX_LOD_IMPLICIT, /* derivatives of coord over the quad (lanes 4i..4i+3, also of inactive lanes) */
   AMD_TEX_LOD_BIAS,     /* the same plus bias[] */
   AMD_TEX_LOD_EXPLICIT, /* lod[] */
   AMD_TEX_LOD_ZERO,
   AMD_TEX_LOD_GRADIENT, /* ddx[], ddy[] */
};

/* Who wants to know which texels are read. */
struct amd_tex_watch {
   void (*see)(struct amd_tex_watch *watch, unsigned lane, struct sim_va va, unsigned size_B);
};

struct amd_tex_request {
   enum amd_tex_kind kind;
   enum amd_tex_lod lod_mode;
   uint8_t dim;      /* 0 1D, 1 2D, 2 3D, 3 cube, 4 1D array, 5 2D array, 6 MSAA, 7 MSAA array (MIMG) */
   uint8_t dmask;    /* LOAD: components wanted; GATHER4, MSAA_LOAD: the component's bit. Results come in place */
   bool unorm_coord; /* UNRM of the instruction */
   bool compare;     /* zcompare[] is given */
   bool has_offset, has_lod_clamp, has_lod;
   bool reference;              /* lane by lane, block by block: no fast paths */
   uint32_t resource[8];        /* T# */
   uint32_t sampler[4];         /* S# */
   const struct amd_chip *chip; /* for the layout of descriptors and tiled images */
   uint32_t lanes;              /* 32 or 64 */
   uint64_t exec;
   struct amd_cache_port *port; /* caches that texels come through; NULL: none */
   uint8_t path;                /* bits of enum amd_cache_path */
   struct amd_tex_watch *watch; /* NULL: nobody */
   uint64_t *missing;           /* gets the lanes that touch memory which is not there (sparse images); may be NULL */

   /* Coordinates in order of the dim (array layer, face and sample index last). LOAD: unsigned integers in .u. */
   union {
      float f[4][AMD_TEX_LANES];
      uint32_t u[4][AMD_TEX_LANES];
   } coord;
   float ddx[3][AMD_TEX_LANES], ddy[3][AMD_TEX_LANES];
   float bias[AMD_TEX_LANES], zcompare[AMD_TEX_LANES], lod_clamp[AMD_TEX_LANES];
   union {
      float f[AMD_TEX_LANES];
      uint32_t u[AMD_TEX_LANES]; /* LOAD, GET_RESINFO */
   } lod;
   int8_t offset[3][AMD_TEX_LANES];
};

/* Runs the request. result[c][lane]: component c after DST_SEL, 32 bits (float bits, or integer for integer formats);
 * lanes outside exec stay as they are. border: the border colour table (16 B entries), va 0 if none.
 * False after a fault (descriptor that the hardware does not define, unmapped address). */
bool amd_tex_read(const struct sim_vm *vm, struct sim_va border, const struct amd_tex_request *request,
                  uint32_t result[4][AMD_TEX_LANES], struct sim_fault *fault);

/* Addresses of the texels that a store or an atomic (kind LOAD) touches. Lanes out of the image's range are taken out
 * of *valid. store_to: where it stores, compressed images being made plain around the texels; NULL: nothing is
 * stored. */
bool amd_tex_locate(const struct amd_tex_request *request, const struct sim_vm *store_to,
                    struct sim_va va[AMD_TEX_LANES], uint64_t *valid, struct sim_fault *fault);

/* What a store does with DST_SEL (word 3 of a descriptor, 3 bits a component): the inverse of a load. Component i of
 * the data goes to the component of the texel that DST_SEL i names, the first one that names it (observed: RADV
 * copies depth through buffers of XXXX). Source: RDNA2 ISA, 8.1.4 (stores take DST_SEL from the resource); the
 * direction is assumed from storage images of BGRA formats. */
void amd_tex_store_select(uint32_t select, uint32_t value[4]);

#endif
