#include "sim/texel/block_memo.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/texel/bc7.h"
#include "sim/texel/texel_fast.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum {
   TEXELS = 4096,
   SMALLEST = 16, /* texels of a block */
   LARGEST = 144,
   BLOCKS = TEXELS / SMALLEST,
};

struct kept {
   uint64_t bits[2];
   uint16_t format;                  /* 0: nothing is kept here */
   uint64_t known[LARGEST / 64 + 1]; /* texels that are decoded */
};

/* A thread's. Blocks of one size at a time. */
struct memo {
   unsigned block_texels;
   struct kept blocks[BLOCKS];
   uint32_t values[TEXELS][4];
};

/* On the heap: every thread of the program pays for thread-local storage. */
static pthread_key_t memo_key;

__attribute__((constructor)) static void
create_key(void)
{
   if (pthread_key_create(&memo_key, free))
      abort();
}

static struct memo *
own_memo(void)
{
   struct memo *memo = pthread_getspecific(memo_key);
   if (!memo) {
      memo = need_calloc("a thread's blocks of texels", 1, sizeof(*memo));
      if (pthread_setspecific(memo_key, memo)) {
         free(memo);
         out_of_memory("a thread's blocks of texels", sizeof(*memo));
      }
   }
   return memo;
}

/* The place of a block of these bytes, with nothing known if another one was there. */
static unsigned
find_block(struct memo *memo, const struct sim_texel_format *format, const void *block, unsigned texels)
{
   uint64_t bits[2] = {0};
   const uint16_t number = (uint16_t)(format->layout << 8 | format->numeric);
   if (memo->block_texels != texels) {
      memset(memo->blocks, 0, sizeof(memo->blocks));
      memo->block_texels = texels;
   }
   memcpy(bits, block, format->size_B);
   const uint64_t hash = (bits[0] ^ bits[1] * UINT64_C(0xc2b2ae3d27d4eb4f)) * UINT64_C(0x9e3779b97f4a7c15);
   const unsigned slot = (unsigned)((hash >> 32) * (TEXELS / texels) >> 32);
   struct kept *kept = &memo->blocks[slot];
   if (kept->format != number || kept->bits[0] != bits[0] || kept->bits[1] != bits[1])
      *kept = (struct kept){.bits = {bits[0], bits[1]}, .format = number};
   return slot;
}

static void
decode_bc7(const struct sim_texel_format *format, const void *block, uint32_t values[16][4])
{
   float colors[16][4];
   sim_bc7_decode_all(block, colors);
   for (unsigned i = 0; i < 16; i++)
      texel_of_block(format, colors[i], values[i]);
}

void
sim_block_memo_decode(const struct sim_texel_format *format, const void *block, unsigned x, unsigned y,
                      uint32_t value[4])
{
   if (format->layout < SIM_TEXEL_BC6H) { /* decoded anew as fast as found */
      sim_texel_decode_block(format, block, x, y, value);
      return;
   }
   struct memo *memo = own_memo();
   const unsigned texels = (unsigned)format->block_width * format->block_height;
   const unsigned slot = find_block(memo, format, block, texels), texel = y * format->block_width + x;
   uint64_t *known = &memo->blocks[slot].known[texel / 64];
   uint32_t *kept = memo->values[slot * texels + texel];
   if (!(*known >> texel % 64 & 1) && format->layout == SIM_TEXEL_BC7) {
      decode_bc7(format, block, &memo->values[slot * texels]);
      *known = UINT16_MAX;
   } else if (!(*known >> texel % 64 & 1)) {
      sim_texel_decode_block(format, block, x, y, kept);
      *known |= UINT64_C(1) << texel % 64;
   }
   memcpy(value, kept, 16);
}
