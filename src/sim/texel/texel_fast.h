/* Formats that have a way of their own through conversions. Internal to texel*.c and block_memo.c. */
#ifndef INDIUM_SIM_TEXEL_FAST_H
#define INDIUM_SIM_TEXEL_FAST_H

#include <stdint.h>

enum texel_fast {
   FAST_NONE,
   FAST_UNORM8X4,
   FAST_UNORM_WORD, /* others in one word */
   FAST_SRGB8X4,
   FAST_UINT8X4,
   FAST_WORDS, /* 32-bit components */
   FAST_HALF,
};

struct sim_texel_format;

/* What is read of a block's texel that was decoded to this. */
void texel_of_block(const struct sim_texel_format *format, const float color[4], uint32_t value[4]);

#endif
