/* Memory of samples as ld_tile and st_tile see it: of a render's tiles, and of threadgroups of compute. */
#ifndef INDIUM_ASAHI_SIM_TILE_BUFFER_H
#define INDIUM_ASAHI_SIM_TILE_BUFFER_H

#include "asahi/sim/wave/wave.h"

struct agx_tile_buffer {
   unsigned samples, sample_size_B;
   const void *data;
   /* The samples of a lane's pixel, one after the other; NULL: outside, what is stored there is lost. */
   uint8_t *(*pixel)(const void *data, const struct agx_wave_tile_access *access, unsigned lane);
};

/* As the hooks of struct agx_wave_hooks. */
bool agx_tile_buffer_load(const struct agx_tile_buffer *buffer, const struct agx_wave_tile_access *access,
                          uint32_t value[4][AGX_WAVE_LANES], struct sim_fault *fault);
bool agx_tile_buffer_store(const struct agx_tile_buffer *buffer, const struct agx_wave_tile_access *access,
                           const uint32_t value[4][AGX_WAVE_LANES], struct sim_fault *fault);

#endif
