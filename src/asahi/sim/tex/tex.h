/* The texture unit (smpf, smpi) and the pixel back end (imgw, imgwblk) as the engine sees them: one instruction of a
 * simd group with its operands already read.
 *
 * Operands are raw register contents, [register][lane], of all 32 lanes: derivatives look at the coordinates of the
 * whole quad. A 16-bit register's value is in the low half. A descriptor is uniform: the engine calls once for each
 * set of lanes that have the same handle. */
#ifndef INDIUM_ASAHI_SIM_TEX_H
#define INDIUM_ASAHI_SIM_TEX_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/isa.h"
#include "sim/vm/fault.h"
#include "sim/vm/vm.h"

#define AGX_TEX_LANES 32
#define AGX_TEX_SAMPLER_WORDS 6 /* sampler, then its border where the state is extended */

/* How many registers an operand has, by the instruction: the engine reads that many.
 *
 * coords: numbers of place (floats of smpf, integers of smpi and imgw), then one word when the dimension has a layer
 * or a sample: sample in the low half where there is one, layer in the other, or in the low half without samples.
 * coords_16: all of them are 16 bits, sample and layer in a register each. Who asks for the level gives no layer.
 * lod: bias and explicit level are 16 bits, floats of smpf and integers of smpi; gradients 32-bit floats, dx before
 * dy for each coordinate of place; a minimum level follows (16 bits in a register of the size of those before). zs:
 * the reference of a comparison (32-bit float), then the offsets (16 bits: 4 signed bits a coordinate). */
struct agx_tex_operands {
   uint8_t coords, lod, zs;
   uint8_t coords_bits, lod_bits, zs_bits; /* of a register; an operand of only offsets is in one of 16 */
};

struct agx_tex_operands agx_tex_operands(const struct agx_modifiers *mod, bool has_offset, bool coords_16);

struct agx_tex_cache;

struct agx_tex_request {
   struct agx_tex_cache *cache; /* looks whether the texture may be stale; NULL: nobody does */
   bool fetch;                  /* smpi: integer coordinates, no filter */
   bool coords_16;
   bool shadow;      /* compares with the reference in zs[0] */
   bool has_offset;  /* packed in zs[shadow] */
   bool query_lod;   /* result: clamped level, level */
   bool dst_16;      /* results are 16 bits: half floats, or the low half of integers */
   uint8_t dim;      /* enum agx_dim, that of the instruction: the descriptor must agree */
   uint8_t lod_type; /* enum agx_lod_type */
   uint8_t gather;   /* enum agx_gather */
   bool extended_sampler;
   uint32_t texture[6];
   uint32_t sampler[AGX_TEX_SAMPLER_WORDS];
   uint32_t exec; /* lanes that want a result */

   uint32_t coords[5][AGX_TEX_LANES];
   uint32_t lod[7][AGX_TEX_LANES];
   uint32_t zs[2][AGX_TEX_LANES];
};

struct agx_tex_result {
   uint32_t value[4][AGX_TEX_LANES]; /* after the swizzle; lanes of exec */
   uint32_t not_resident;            /* lanes that met a page of a sparse image without memory */
};

/* False after a fault: a descriptor that the hardware does not define, an address without memory. */
bool agx_tex_run(const struct sim_vm *vm, const struct agx_tex_request *request, struct agx_tex_result *result,
                 struct sim_fault *fault);

/* For who watches: where the texels of smpi lie, by lane; 0 where none is read. Their bytes; 0: not told, as of
 * sparse images and blocks. */
unsigned agx_tex_fetch_places(const struct sim_vm *vm, const struct agx_tex_request *request,
                              uint64_t va[AGX_TEX_LANES]);

/* imgw. data: 4 components; data_16: of 16 bits, half floats or integers by the descriptor's type. Lanes outside of
 * the image write nothing. */
struct agx_tex_write {
   bool coords_16, data_16;
   bool rtz;    /* floats are rounded to zero */
   uint8_t dim; /* enum agx_dim */
   uint32_t pbe[6];
   uint32_t exec;
   uint32_t coords[5][AGX_TEX_LANES]; /* as agx_tex_operands() says */
   uint32_t lod[AGX_TEX_LANES];
   uint32_t data[4][AGX_TEX_LANES];
};

/* How many components of the data an image takes, counted up to the last one; 4 of a descriptor that is a fault. */
unsigned agx_tex_write_components(const uint32_t pbe[6]);

bool agx_tex_write(const struct sim_vm *vm, const struct agx_tex_write *write, struct sim_fault *fault);
/* As agx_tex_fetch_places(). */
unsigned agx_tex_write_places(const struct sim_vm *vm, const struct agx_tex_write *write, uint64_t va[AGX_TEX_LANES]);

/* imgwblk: a whole tile of the tile buffer goes to an image. Sample s of pixel (x, y) of the tile begins at
 * tile + ((y * tile_width_px + x) * samples + s) * sample_stride_B + offset_B. */
struct agx_tex_block {
   uint8_t dim;    /* enum agx_dim */
   uint8_t format; /* enum agx_format that the tile has there */
   bool rtz;
   uint32_t pbe[6];
   const uint8_t *tile;
   uint32_t sample_stride_B, offset_B;
   uint32_t tile_width_px, tile_height_px, samples;
   uint32_t x_px, y_px, layer; /* where the tile begins */
   uint32_t lod;
};

/* Blocks of such images have a layer, too. */
static inline bool
agx_tex_block_has_layer(enum agx_dim dim)
{
   return dim == AGX_DIM_2D_ARRAY || dim == AGX_DIM_2D_MS_ARRAY || dim == AGX_DIM_CUBE_ARRAY || dim == AGX_DIM_CUBE ||
          dim == AGX_DIM_3D;
}

bool agx_tex_write_block(const struct sim_vm *vm, const struct agx_tex_block *block, struct sim_fault *fault);

#endif
