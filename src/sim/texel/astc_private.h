/* Between the files of ASTC. */
#ifndef INDIUM_SIM_ASTC_PRIVATE_H
#define INDIUM_SIM_ASTC_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* 128 bits. */
struct astc_bits {
   uint64_t word[2];
};

static inline unsigned
astc_take(const struct astc_bits *b, unsigned low, unsigned count)
{
   unsigned value = 0;
   for (unsigned i = 0; i < count && low + i < 128; i++)
      value |= (unsigned)(b->word[(low + i) / 64] >> (low + i) % 64 & 1) << i;
   return value;
}

/* How numbers of a range are stored: so many bits each, with a digit of base 3 or 5 above them where base is not 0.
 */
struct astc_range {
   uint8_t base, bits;
};

/* Bits that `count` numbers take. */
unsigned astc_size(struct astc_range range, unsigned count);

/* Reads them from bit `low` on: digit and bits of each. */
void astc_read(const struct astc_bits *b, unsigned low, struct astc_range range, unsigned count, uint8_t *digit,
               uint8_t *bits);

/* What they mean: 0 to 255, and 0 to 64. */
int astc_color(struct astc_range range, unsigned digit, unsigned bits);
int astc_weight(struct astc_range range, unsigned digit, unsigned bits);

/* The two colours of an endpoint mode from its values; false: a mode of HDR. */
bool astc_endpoints(unsigned mode, const int *v, int ends[2][4]);

#endif
