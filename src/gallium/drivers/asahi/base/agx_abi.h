/* What a shader of this driver finds where: the contract between the passes that lower nir, the code that records
 * draws and dispatches, and whoever writes descriptors.
 *
 * Arguments. A shader reads words of tables in GPU memory, which the driver puts together for a draw or a dispatch.
 * In nir a word is load_scalar_arg with the base AGX_ARG(table, word); several components are words that follow each
 * other. As the last step before the compiler agx_nir_assign_uniforms() gives each word that is read a place in the
 * uniform file, turns the loads into load_uniform_agx and lists what the USC list of a draw has to copy there
 * (struct agx_push): garbage elsewhere. Addresses are two words, the low one first, and lie on 64 bits of uniforms.
 *
 * The address of descriptor set s is always at the halves 4 s to 4 s + 3, so that a texture can be named by its set's
 * uniform and its offset in the set (AGX_SET_UNIFORM).
 *
 * Tables may lie anywhere and be shared by the stages of a draw; a program tells which words of each it needs
 * (agx_arguments.table_dw). Words that nobody set hold garbage.
 *
 *    table           words
 *    SETS            2 s: address of descriptor set s
 *    PUSH            push constants
 *    DYNAMIC         4 i: buffer descriptor of dynamic buffer i of the layout
 *    ADDRESSES       2 t: address of table t, for what is indexed at run time
 *    VERTEX          struct agx_table_attribute of attribute i of the program, or of location i if it is made of
 *                    parts
 *    DRAW            base vertex (what gl_BaseVertex is), base instance: also as they lie in indirect draws
 *    GRID            number of workgroups x, y, z: also as they lie in indirect dispatches
 *    STAGE           enum agx_graphics_word or agx_compute_word
 *    LINK            enum agx_link_word: what stages that were compiled separately know of each other
 *    ASSEMBLY        struct agx_assembly of the draw, which internal programs make
 *
 * System registers and what the hardware puts into general registers are the compiler's business: r5 of a vertex
 * shader is the vertex index with the start of the draw added, r6 the instance from 0. */
#ifndef INDIUM_AGX_ABI_H
#define INDIUM_AGX_ABI_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "asahi/hw/hw_limits.h"
#include "gallium/include/pipe/p_defines.h"

enum agx_table {
   AGX_TABLE_SETS,
   AGX_TABLE_PUSH,
   AGX_TABLE_DYNAMIC,
   AGX_TABLE_ADDRESSES,
   AGX_TABLE_VERTEX,
   AGX_TABLE_DRAW,
   AGX_TABLE_GRID,
   AGX_TABLE_STAGE,
   AGX_TABLE_LINK,
   AGX_TABLE_ASSEMBLY,
   AGX_TABLES,
};

#define AGX_TABLE_MAX_DW 256
#define AGX_ARG(table, word) ((int32_t)((table) * AGX_TABLE_MAX_DW + (word)))
#define AGX_ARG_TABLE(arg) ((enum agx_table)((uint32_t)(arg) / AGX_TABLE_MAX_DW))
#define AGX_ARG_WORD(arg) ((uint32_t)(arg) % AGX_TABLE_MAX_DW)

/* Words of AGX_TABLE_STAGE, for vertex and fragment shaders alike. */
enum agx_graphics_word {
   AGX_GRAPHICS_BLEND_CONSTANTS = 0, /* 4 floats */
   AGX_GRAPHICS_DRAW_ID = 4,
   AGX_GRAPHICS_VIEW_INDEX = 5,
   AGX_GRAPHICS_POSITIONS = 6,  /* of samples in a pixel, a byte each */
   AGX_GRAPHICS_FRONT_CCW = 7,  /* 1 if what winds counterclockwise is the front, else 0 */
   AGX_GRAPHICS_FIRST_FREE = 8, /* up to AGX_TABLE_MAX_DW: what agx_state.h adds */
};

/* An attribute in AGX_TABLE_VERTEX. */
struct agx_table_attribute {
   uint32_t address_lo, address_hi; /* of element 0 */
   uint32_t last_index;             /* that lies in the buffer */
   uint32_t stride_B;
};
#define AGX_TABLE_ATTRIBUTE_DW 4
static_assert(sizeof(struct agx_table_attribute) == 4 * AGX_TABLE_ATTRIBUTE_DW, "words without holes");

/* Its word in the table. */
#define AGX_TABLE_ATTRIBUTE(number, member)                                                                          \
   (AGX_TABLE_ATTRIBUTE_DW * (number) + (unsigned)offsetof(struct agx_table_attribute, member) / 4)

enum agx_link_word {
   AGX_LINK_FAN = 0,      /* 1 if the topology is a fan of triangles, else 0 */
   AGX_LINK_VIEWPORT = 1, /* all bits if the vertex program writes the viewport's index, else 0 */
   AGX_LINK_SAMPLES = 2,  /* those that targets have and the pipeline does not mask */
   AGX_LINK_SLOTS = 3,    /* for each slot that the vertex program writes, in order: the word where it begins */
};

enum agx_compute_word {
   AGX_COMPUTE_BASE_WORKGROUP = 0, /* x, y, z */
   AGX_COMPUTE_WORDS = 4,
};

/* Programs made of parts (docs/drivers/asahi/graphics.md), which are compiled without each other. Registers of 32
 * bits, by their first halves: attributes, which parts ahead of a vertex shader fetch in the order of their
 * locations; what a fragment shader hands to tests and then to targets, the last of which goes first. A part changes
 * no register below those that it makes, or that it is for, and so none that others have left for later. The second
 * source of blending is where the colour of target 1 would be, that there is none of then.
 *
 * Uniforms, by their halves: what parts read. The shader's own arguments come after that. */
#define AGX_PART_LOCATIONS 16 /* of attributes, from 0 on: more take too many registers */
#define AGX_PART_ATTRIBUTE_H(location) (16 + 8 * (location))
#define AGX_PART_SAMPLE_H 2  /* the number of the one that all parts run for, if they run for samples */
#define AGX_PART_BODY_H 4    /* those ahead are not the shader's then */
#define AGX_PART_SAMPLES_H 4 /* those that live, if the shader kills any */
#define AGX_PART_DEPTH_H 6
#define AGX_PART_STENCIL_H 8
#define AGX_PART_COLOR_H(target) (10 + 8 * (target))
#define AGX_PART_SECOND_H AGX_PART_COLOR_H(1)
#define AGX_PART_END_H AGX_PART_COLOR_H(PIPE_MAX_COLOR_TARGETS)

#define AGX_PART_INSTANCE_UNIFORM AGX_FIRST_FREE_UNIFORM /* base instance */
#define AGX_PART_ATTRIBUTE_UNIFORM(location) (AGX_FIRST_FREE_UNIFORM + 4 + 8 * (location)) /* its row of VERTEX */
#define AGX_PART_BLEND_UNIFORM AGX_FIRST_FREE_UNIFORM                                      /* constants */
#define AGX_PART_BLEND_UNIFORM_END (AGX_PART_BLEND_UNIFORM + 8)

/* Each set that there may be keeps four uniform halves from the rest. */
#define AGX_MAX_SETS 8

/* First uniform half of the address of a descriptor set. */
#define AGX_SET_UNIFORM(set) (4 * (set))
#define AGX_FIRST_FREE_UNIFORM AGX_SET_UNIFORM(AGX_MAX_SETS)

/* Uniform halves that arguments may take; the rest is the compiler's, for what preambles compute. */
#define AGX_MAX_ARGUMENT_HALVES 256

/* `halves` uniform halves from first_half on are words of the table from first_dw on. */
struct agx_push {
   uint8_t table; /* enum agx_table */
   uint8_t first_dw;
   uint16_t first_half;
   uint8_t halves; /* 2 to 64 */
};
#define AGX_MAX_PUSHES 16

/* What a stage of a program needs of the tables. */
struct agx_arguments {
   uint16_t reserved_h; /* uniform halves up to here are those of sets and of parts */
   uint8_t push_count;
   struct agx_push pushes[AGX_MAX_PUSHES];
   uint32_t halves;               /* end of what they fill: the compiler's uniforms start there */
   uint16_t table_dw[AGX_TABLES]; /* words from the start that must be there; 0: the table is not read */
   uint32_t used_sets;            /* bit per descriptor set */
};

/* Descriptors in sets. All start at multiples of 16 bytes.
 *
 * Buffers: words 0-1 address, 2 size in bytes, 3 zero. A null buffer has the address and size 0.
 * Texel buffers and sampled images: TEXTURE (24 bytes), then
 *    word 6   images: width - 1 of the first level, 16 bits, height - 1 above; buffers: number of texels
 *    word 7   images: layers - 1 (3D: depth - 1 of the first level; cubes, not faces), 16 bits; levels; log2 of the
 *             samples, 4 bits each; bit 31: it is no null image; buffers: bytes of a texel
 *    words 4-5, which are the software's in TEXTURE, of buffers: where not 0 stands for each texel that has memory;
 *             0: for all
 *    A buffer whose texels have AGX_TRIPLE_B has TEXTURE of a null image: programs load from words 14-15.
 * Storage images and storage texel buffers: after that PBE (24 bytes), then words for computing addresses of atomics
 *    words 14-15  address of layer 0 of the level; of a sparse image, of its table
 *    word 16      bytes from layer to layer / 128, of the image or of the table
 *    word 17      tiles in a row, 18 bits; log2 of the tile's width and height in elements, 4 bits each; log2 of the
 *                 element's bytes with all samples, 4 bits; bit 30: sparse; bit 31: linear, the low 18 bits are a
 *                 row's bytes / 16
 *    word 18      of a sparse image: where the level begins in a layer, in bytes / 128
 *    word 19      zero
 * Samplers: word 0: index in the sampler heap + AGX_SAMPLER_HEAP_FIRST; word 1: bias of the level, a float. With a
 * custom colour of the border that has a border of ones, word 2 is the index of one with a border of zeros, word 3 is
 * 1, and words 4-7 are the colour. Otherwise these are zero. A combined image and sampler: image, then sampler. */
#define AGX_BUFFER_DESCRIPTOR_DW 4
#define AGX_TEXTURE_DESCRIPTOR_DW 8
#define AGX_STORAGE_DESCRIPTOR_DW 20
#define AGX_SAMPLER_DESCRIPTOR_DW 8

enum agx_texture_word {
   AGX_TEXTURE_SOFTWARE = 4,
   AGX_TEXTURE_SIZE = 6,
   AGX_TEXTURE_LAYERS = 7,
   AGX_TEXTURE_TEXEL = 7,
   AGX_STORAGE_PBE = 8,
   AGX_STORAGE_ADDRESS = 14,
   AGX_STORAGE_LAYER_STRIDE = 16,
   AGX_STORAGE_TILES = 17,
   AGX_STORAGE_LEVEL = 18,
};

#define AGX_LAYERS_NOT_NULL (1u << 31) /* of AGX_TEXTURE_LAYERS */

enum agx_sampler_word {
   AGX_SAMPLER_ZEROS = 2,
   AGX_SAMPLER_IS_CUSTOM = 3,
   AGX_SAMPLER_BORDER = 4,
};

/* Bits of AGX_STORAGE_TILES. */
#define AGX_TILES_WIDTH 18
#define AGX_TILES_HEIGHT 22
#define AGX_TILES_ELEMENT 26
#define AGX_TILES_SPARSE (1u << 30)
#define AGX_TILES_LINEAR (1u << 31)

/* Texels of a buffer are seen as an image of two dimensions: this many in a row. */
#define AGX_TEXEL_ROW_LOG2 14
#define AGX_MAX_TEXELS (1u << 28)

/* Three components of 32 bits, which the texture unit does not have: agx_nir_triple.c. */
#define AGX_TRIPLE_B 12

/* Sampler state register 0, and entry 0 of the heap: texel fetches. Of levels the nearest, outside of the image
 * zero. */
#define AGX_FETCH_SAMPLER 0

#define AGX_SAMPLER_HEAP_ENTRIES 1024

/* Reading from here gives zero, and writing is dropped, because nothing is mapped and the hardware's soft faults are
 * on: addresses with the high word 0, with any offset that an index can add. Accesses out of the bounds of a buffer
 * go there. Without soft faults: AGX_NO_SOFT_FAULTS_READ_HI. */
#define AGX_NOWHERE_HI 0u

#endif
