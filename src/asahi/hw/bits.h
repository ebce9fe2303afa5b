/* Bits of records, and what their values become as bits. Generated packers call these with constants. Records are
 * little endian, and so are the hosts. */
#ifndef INDIUM_ASAHI_HW_BITS_H
#define INDIUM_ASAHI_HW_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
agx_mask(unsigned width)
{
   return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static inline uint64_t
agx_bits_get(const uint32_t *words, unsigned low, unsigned width)
{
   uint64_t value = 0;
   for (unsigned at = 0; at < width;) {
      unsigned bit = low + at, count = 32 - bit % 32 < width - at ? 32 - bit % 32 : width - at;
      value |= (words[bit / 32] >> bit % 32 & agx_mask(count)) << at;
      at += count;
   }
   return value;
}

#ifdef INDIUM_MUTANTS
/* The seam of deliberate mistakes (util/mutant.h): what a driver sets is called with the words of each record that it
 * packs. */
extern void (*agx_packed)(unsigned record, uint32_t *words);
#define AGX_PACKED(record, words) (agx_packed ? agx_packed(record, words) : (void)0)
#else
#define AGX_PACKED(record, words) ((void)0)
#endif

/* The bits are zero before. */
static inline void
agx_bits_put(uint32_t *words, unsigned low, unsigned width, uint64_t value)
{
   assert(value <= agx_mask(width) && "a value fits its field");
   for (unsigned at = 0; at < width;) {
      unsigned bit = low + at, count = 32 - bit % 32 < width - at ? 32 - bit % 32 : width - at;
      words[bit / 32] |= (uint32_t)((value >> at & agx_mask(count)) << bit % 32);
      at += count;
   }
}

static inline uint64_t
agx_number_to_bits(uint64_t value, uint64_t minus, unsigned shr)
{
   assert(value >= minus && !((value - minus) & agx_mask(shr)) &&
          "a value without bits that its field does not keep");
   return (value - minus) >> shr;
}

static inline uint64_t
agx_number_from_bits(uint64_t bits, uint64_t minus, unsigned shr)
{
   return (bits << shr) + minus;
}

/* As many groups as the field cannot count are 0; none counts as one. */
static inline uint64_t
agx_groups_to_bits(uint64_t value, unsigned group, unsigned width)
{
   uint64_t groups = value ? (value + group - 1) / group : 1;
   assert(groups <= agx_mask(width) + 1 && "a value fits its field");
   return groups & agx_mask(width);
}

static inline uint64_t
agx_groups_from_bits(uint64_t bits, unsigned group, unsigned width)
{
   return (bits ? bits : agx_mask(width) + 1) * group;
}

static inline uint64_t
agx_log2_to_bits(uint64_t value)
{
   assert(value && !(value & (value - 1)) && "a power of two");
   return (uint64_t)__builtin_ctzll(value);
}

static inline uint64_t
agx_log2_from_bits(uint64_t bits)
{
   return (uint64_t)1 << bits;
}

#define AGX_LOD_MAX 0x380u /* 14.0 */

static inline uint64_t
agx_lod_to_bits(float value)
{
   /* Not a number is 0, too. */
   return value >= 14.0f ? AGX_LOD_MAX : value > 0.0f ? (uint64_t)(value * 64.0f) : 0;
}

static inline float
agx_lod_from_bits(uint64_t bits)
{
   return (float)bits / 64.0f;
}

static inline uint64_t
agx_fixed_to_bits(float value, unsigned fraction, uint64_t minus)
{
   float scaled = value * (float)(1u << fraction) + 0.5f;
   assert(scaled >= (float)minus && scaled < (float)UINT32_MAX && "a value fits its field");
   return (uint64_t)scaled - minus;
}

static inline float
agx_fixed_from_bits(uint64_t bits, unsigned fraction, uint64_t minus)
{
   return (float)(bits + minus) / (float)(1u << fraction);
}

static inline uint64_t
agx_float_to_bits(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static inline float
agx_float_from_bits(uint64_t bits)
{
   uint32_t low = (uint32_t)bits;
   float value;
   memcpy(&value, &low, sizeof(value));
   return value;
}

#endif
