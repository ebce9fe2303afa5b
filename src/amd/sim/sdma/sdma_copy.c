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
   const struct amd_sdma_copy_linear packet = amd_sdma_copy_linear_unpack(sdma->gpu->model->gen, words);
   const uint64_t size_B = (uint64_t)packet.count_B_1 + 1;
   const struct sim_va src = sim_va(packet.src), dst = sim_va(packet.dst);
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
   const struct amd_sdma_constant_fill packet = amd_sdma_constant_fill_unpack(sdma->gpu->model->gen, words);
   const uint64_t size_B = (uint64_t)packet.count_B_1 + 1;
   const struct sim_va dst = sim_va(packet.dst);
   uint32_t piece[PIECE_B / 4];
   if (packet.fill_size != FILL_DWORDS)
      return sdma_refuse(sdma, "CONSTANT_FILL FILL_SIZE", packet.fill_size);
   if (dst.va % 4 || size_B % 4)
      return sim_fault_set(sdma->gpu->fault, SIM_FAULT_PACKET, sdma->packet_va,
                           "a fill with dwords of %llu bytes at 0x%012lx", (unsigned long long)size_B, (long)dst.va);
   for (unsigned i = 0; i < ARRAY_SIZE(piece); i++)
      piece[i] = packet.data;
   sdma_memory_begin(sdma);
   for (uint64_t at = 0; at < size_B; at += PIECE_B)
      if (!sdma_memory_write_late(sdma, sim_va_add(dst, (int64_t)at), piece, MIN2(size_B - at, PIECE_B)))
         return false;
   return true;
}

bool
sdma_write(struct amd_sdma *sdma, const uint32_t *words, uint32_t count)
{
   const struct amd_sdma_write packet = amd_sdma_write_unpack(sdma->gpu->model->gen, words);
   sdma_memory_begin(sdma);
   return sdma_memory_write_late(sdma, sim_va(packet.dst), words + AMD_SDMA_WRITE_DW,
                                 (count - AMD_SDMA_WRITE_DW) * 4ull);
}
