/* Address equations of compression metadata: facts only (meta.txt). */
#ifndef INDIUM_AMD_META_H
#define INDIUM_AMD_META_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/hw/gen.h"

enum amd_meta_kind {
   AMD_META_HTILE, /* a dword for 8x8 pixels of depth and stencil */
   AMD_META_CMASK, /* four bits for 8x8 pixels of colour */
   AMD_META_DCC,   /* a byte for 256 bytes of colour */
};

/* Bit n of an address inside a metadata block (of CMASK: counted in halves of bytes) is the parity of (x &
 * bits[n].x), (y & bits[n].y) and (slice & bits[n].z) together; x and y in pixels, absolute. */
struct amd_meta_pattern {
   enum amd_gen gen;
   uint32_t config; /* amd_swizzle_config() */
   enum amd_meta_kind kind;
   uint8_t mode; /* SW_MODE of the surface; of CMASK: of FMASK */
   bool aligned;
   int8_t element_log2, samples_log2; /* of DCC; else -1 */
   uint8_t width_log2, height_log2;   /* what a block stands for */
   uint8_t size_log2;                 /* bytes of a block */
   uint8_t bit_count;                 /* 0: the pattern is not public */
   struct {
      uint16_t x, y, z;
   } bits[17];
};

/* What a byte of DCC says; see meta.txt. */
enum amd_dcc_key {
   AMD_DCC_COMPRESSED, /* all other bytes: how is not public */
   AMD_DCC_PLAIN,
   AMD_DCC_ONES_0000,
   AMD_DCC_ONES_0001,
   AMD_DCC_ONES_1110,
   AMD_DCC_ONES_1111,
   AMD_DCC_BITS_0001,
   AMD_DCC_BITS_1110,
   AMD_DCC_BITS_1111,
   AMD_DCC_HALVES_1,
   AMD_DCC_FLOATS_1,
   AMD_DCC_SINGLE,
   AMD_DCC_REGISTER,
};

enum amd_dcc_key amd_dcc_key(enum amd_gen gen, uint8_t key);

/* NULL if the table has no such pattern. */
const struct amd_meta_pattern *amd_meta_find(enum amd_gen gen, uint32_t gb_addr_config, enum amd_meta_kind kind,
                                             unsigned mode, bool aligned, unsigned element_log2,
                                             unsigned samples_log2); /* size: the key of the table */

/* Pattern n in table order, or NULL past the end. */
const struct amd_meta_pattern *amd_meta_at(unsigned n);

#endif
