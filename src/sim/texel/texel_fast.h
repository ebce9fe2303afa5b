/* Formats that have a way of their own through conversions. Internal to texel*.c. */
#ifndef INDIUM_SIM_TEXEL_FAST_H
#define INDIUM_SIM_TEXEL_FAST_H

enum texel_fast {
   FAST_NONE,
   FAST_UNORM8X4,
   FAST_UNORM_WORD, /* others in one word */
   FAST_SRGB8X4,
   FAST_UINT8X4,
   FAST_WORDS, /* 32-bit components */
   FAST_HALF,
};

#endif
