/* The table that internal compute programs read. C and GLSL both read this file. */
#ifndef INDIUM_SI_META_TABLE_H
#define INDIUM_SI_META_TABLE_H

#ifdef VULKAN
#define UINTS(name) uvec4 name
#define INTS(name) ivec4 name
#define FLOATS(name) vec4 name
#define DESCRIPTOR(name) uvec4 name[2]
#else
#include <stdint.h>
#define UINTS(name) uint32_t name[4]
#define INTS(name) int32_t name[4]
#define FLOATS(name) float name[4]
#define DESCRIPTOR(name) uint32_t name[8]
#endif

/* The table is the push constants and, for the descriptors in it, set 0: its bindings, of which several may be of the
 * same words. */
#define SI_META_SRC_IMAGE 0
#define SI_META_DST_IMAGE 1
#define SI_META_SRC_TEXTURE 2
#define SI_META_SAMPLER 3
#define SI_META_SRC_TEXELS 4
#define SI_META_DST_TEXELS 5
#define SI_META_SRC_WORDS 6
#define SI_META_DST_WORDS 7
#define SI_META_BINDINGS 8

/* Images are 2D arrays (3D images as well: their slices lie like layers). */
struct si_meta_table {
   DESCRIPTOR(src); /* T#, or V# in the first half; the colour of clears */
   DESCRIPTOR(dst);
   UINTS(sampler_words);
   UINTS(size);      /* x, y, z of the region; further number by program */
   INTS(src_offset); /* x, y, layer; further number */
   INTS(dst_offset);
   UINTS(src_pitch_el); /* buffers: row, slice */
   FLOATS(scale);       /* blit: source per destination texel x, y (normalized), z (normalized, or layers); 1 / number
                         * of samples for resolves */
   FLOATS(origin);      /* blit: source coordinate of the destination origin */
   UINTS(flags);        /* [0] SI_META_TO_SRGB and following */
};

#define SI_META_TO_SRGB 1 /* encode the result */
#define SI_META_INTEGER 2 /* do not average */
#define SI_META_MIN 4     /* resolves: the least sample, not the first or the average; */
#define SI_META_MAX 8     /* the greatest */

/* After the table of queries' copies: the place of each value. PIPE_STATISTICS. */
#define SI_META_PLACES 13

/* Invocations that share a copy of SI_META_COPY_INDIRECT. */
#define SI_META_COPY_LANES 256

/* Width and height of a workgroup of SI_META_EXPAND; of all others 8. DCC compresses up to 16x16 pixels. */
#define SI_META_EXPAND_PX 16

#undef UINTS
#undef INTS
#undef FLOATS
#undef DESCRIPTOR

#endif
