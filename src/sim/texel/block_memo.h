/* Texels of compressed blocks, decoded once: a thread keeps what it decoded last. The key is the format and the bytes
 * of the block as its reader found them, so a texture that is written, or a cache that has an older line, never
 * gives a texel of other bytes. */
#ifndef INDIUM_SIM_BLOCK_MEMO_H
#define INDIUM_SIM_BLOCK_MEMO_H

#include "sim/texel/texel.h"

/* As sim_texel_decode_block(). Running out of memory ends in out_of_memory(). */
void sim_block_memo_decode(const struct sim_texel_format *format, const void *block, unsigned x, unsigned y,
                           uint32_t value[4]);

#endif
