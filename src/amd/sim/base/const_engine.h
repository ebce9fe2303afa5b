/* The constant engine (GFX9 to GFX10.3): its memory, and the counters by which it and the draw engine wait for each
 * other. They outlive jobs. */
#ifndef INDIUM_AMD_SIM_CONST_ENGINE_H
#define INDIUM_AMD_SIM_CONST_ENGINE_H

#include <stdint.h>

enum { AMD_CE_RAM_MAX_B = 64 << 10 }; /* of all chips; what a chip has: ce_ram_B */

struct amd_const_engine {
   uint32_t ready;   /* increments that the draw engine has not waited for yet */
   uint32_t lead;    /* increments of the constant engine, less those of the draw engine */
   uint32_t diff;    /* while the constant engine waits: below which lead it continues */
   unsigned running; /* parts of the submit that have not ended: bits of AMD_SIM_RING_GFX and AMD_SIM_RING_CE */
   unsigned waiting; /* those that wait for the other's counter */
   uint8_t ram[AMD_CE_RAM_MAX_B];
};

#endif
