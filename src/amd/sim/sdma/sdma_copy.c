#include <stdlib.h>
#include <string.h>

#include "amd/hw/sdma.h"
#include "amd/sim/sdma/sdma_private.h"
#include "util/macros.h"

enum { PIECE_B = 1 << 16 };

/* Forwards, piece by piece: ranges that overlap are undefined. */
bool
sdma_copy_linear(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   uint64_t size_B = (uint64_t)G_SDMA_COPY_LINEAR_COUNT_COUNT_B_1(sdma->gpu->model->gen, words[1]) + 1;
   struct sim_va src = sdma_va(&words[3]), dst = sdma_va(&words[5]);
   uint8_t piece[PIECE_B];
   sdma_memory_begin(sdma);
   for (uint64_t at = 0; at < size_B; at += PIECE_B) {
      uint64_t n = MIN2(size_B - at, PIECE_B);
      if (!sdma_memory_read(sdma, sim_va_add(src, (int64_t)at), piece, n) ||
          !sdma_memory_write_late(sdma, sim_va_add(dst, (int64_t)at), piece, n))
         return false;
   }
   return true;
}

bool
sdma_constant_fill(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   enum { FILL_DWORDS = 2 };
   uint32_t unit = G_SDMA_CONSTANT_FILL_HEADER_FILL_SIZE(words[0]), piece[PIECE_B / 4];
   uint64_t size_B = (uint64_t)G_SDMA_CONSTANT_FILL_COUNT_COUNT_B_1(sdma->gpu->model->gen, words[4]) + 1;
   struct sim_va dst = sdma_va(&words[1]);
   if (unit != FILL_DWORDS)
      return sdma_refuse(sdma, "CONSTANT_FILL FILL_SIZE", unit);
   if (dst.va % 4 || size_B % 4)
      return sim_fault_set(sdma->gpu->fault, SIM_FAULT_PACKET, sdma->packet_va,
                           "a fill with dwords of %llu bytes at 0x%012lx", (unsigned long long)size_B, (long)dst.va);
   for (unsigned i = 0; i < ARRAY_SIZE(piece); i++)
      piece[i] = words[3];
   sdma_memory_begin(sdma);
   for (uint64_t at = 0; at < size_B; at += PIECE_B)
      if (!sdma_memory_write_late(sdma, sim_va_add(dst, (int64_t)at), piece, MIN2(size_B - at, PIECE_B)))
         return false;
   return true;
}

bool
sdma_write(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   sdma_memory_begin(sdma);
   return sdma_memory_write_late(sdma, sdma_va(&words[1]), &words[4], (count - 4) * 4ull);
}
