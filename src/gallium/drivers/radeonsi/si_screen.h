/* The device: what contexts, programs and resources share. */
#ifndef INDIUM_SI_SCREEN_H
#define INDIUM_SI_SCREEN_H

#include <pthread.h>

#include "amd/common/ac_gpu_info.h"
#include "gallium/auxiliary/aux_chunk.h"
#include "gallium/auxiliary/aux_code.h"
#include "gallium/auxiliary/aux_screen.h"
#include "gallium/drivers/radeonsi/si_options.h"
#include "gallium/include/pipe/p_handle.h"
#include "gallium/include/pipe/p_screen.h"
#include "gallium/winsys/amdgpu/amdgpu_winsys.h"

/* Lanes of every wave. */

struct si_meta;

/* Scratch memory of both pipelines: programs raise the size when they are created, and what was recorded before keeps
 * the old buffer, which lives as long as the screen. */
enum si_scratch_part {
   SI_SCRATCH_GRAPHICS,
   SI_SCRATCH_COMPUTE,
   SI_SCRATCH_COMPUTE_RING, /* runs beside the graphics ring, with its dispatches */
   SI_SCRATCH_PARTS,
};

struct si_scratch {
   struct amdgpu_ws_bo *bo;
   uint32_t wave_B; /* multiple of the granularity */
   uint32_t waves;
   struct si_scratch *older;
};

/* HTILE of renderings with shading rates. One suffices: renderings wait for the ones before. Grows as scratch does.
 */
struct si_rate_buffer {
   struct amdgpu_ws_bo *bo;
   uint64_t size_B;
   struct si_rate_buffer *older;
};

struct si_screen {
   union {
      struct pipe_screen base;
      struct aux_screen aux;
   };
   struct amdgpu_ws *ws;
   struct ac_gpu_info info;
   struct si_options options;
   bool ngg;                                    /* vertices run in the next-generation pipeline */
   uint64_t heap_used_B[PIPE_MAX_MEMORY_HEAPS]; /* by pipe_memory of caps.memory_types; changed atomically */
   struct aux_chunk_pool chunks;
   struct aux_code_heap code;
   pthread_mutex_t scratch_lock;  /* of the next two */
   struct si_rate_buffer *rates;  /* the newest, NULL if nobody needed it */
   struct si_scratch *scratch;    /* the newest, NULL if no program needs any */
   struct amdgpu_ws_bo *preamble; /* IBs that every submit starts with */
   struct amdgpu_ws_ib preambles[AMDGPU_WS_RINGS];
   struct amdgpu_ws_bo *attribute_ring; /* parameters of vertices, of all engines; NULL where there is none */
   struct amdgpu_ws_bo *constants;      /* sample positions for shaders: float pairs of 1, 2, 4, 8 samples */
   struct si_meta *meta;                /* shaders of copies, clears, blits and resolves */
};
PIPE_HANDLE(si, screen)

/* Where the positions of a sample count lie in `constants`: pairs of floats in [0, 1). */
uint64_t si_sample_positions_va(const struct si_screen *screen, unsigned samples);

/* 256 bytes that nobody reads. */
uint64_t si_unread_va(const struct si_screen *screen);

/* The most that a wave can have. */
uint32_t si_scratch_max_wave_B(const struct si_screen *screen);

/* The scratch buffer, large enough for lane_B bytes a lane in waves of wave_size, no more than a wave can
 * have; NULL when out of memory. */
const struct si_scratch *si_scratch_get(struct si_screen *screen, uint32_t lane_B, unsigned wave_size);

/* TMPRING_SIZE of the ring and the address of its part of the buffer. */
uint32_t si_scratch_ring_size(const struct si_screen *screen, const struct si_scratch *scratch);
uint64_t si_scratch_va(const struct si_scratch *scratch, enum si_scratch_part part);

/* At least so many bytes for shading rates; 0 when out of memory. */
uint64_t si_rate_buffer_va(struct si_screen *screen, uint64_t size_B);
void si_rate_buffers_destroy(struct si_screen *screen);

/* Each fills in the functions of its file. */
void si_init_caps(struct si_screen *screen);
void si_init_limits(struct pipe_caps *caps); /* what does not depend on the device */
void si_init_memory(struct si_screen *screen);
void si_init_resource(struct si_screen *screen);
void si_init_view(struct si_screen *screen);
void si_init_descriptor_write(struct si_screen *screen);
void si_init_queue(struct si_screen *screen);
void si_init_program(struct si_screen *screen);
void si_init_query_pool(struct si_screen *screen);
struct pipe_context *si_context_create(struct pipe_screen *screen, unsigned family);

/* Whether programs run in NGG, all of the device: a switch from one vertex pipeline to the other waits for all that
 * went before (erratum ngg-legacy-vgt-flush). */
bool si_ngg_choose(const struct ac_gpu_info *info);

/* Builds the preambles. */
bool si_preamble_init(struct si_screen *screen);

#endif
