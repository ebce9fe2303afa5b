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

struct si_meta;
struct si_scratch;

/* HTILE of renderings with shading rates. One suffices: renderings wait for the ones before. Grows as scratch does.
 */
struct si_rate_buffer {
   struct amdgpu_ws_bo *bo;
   uint64_t size_B;
   struct si_rate_buffer *older;
};

/* Custom colours of borders, which samplers name by number. */
#define SI_BORDER_COLORS 4096u /* what BORDER_COLOR_PTR can name */

struct si_border_color {
   uint32_t words[4];
};

struct si_borders {
   pthread_mutex_t lock;
   struct amdgpu_ws_bo *bo; /* of struct si_border_color */
   uint32_t end;            /* entries that have ever been used */
   uint32_t users[SI_BORDER_COLORS];
};

struct si_screen {
   union {
      struct pipe_screen base;
      struct aux_screen aux;
   };
   struct amdgpu_ws *ws;
   struct ac_gpu_info info;
   struct si_options options;
   bool ngg; /* vertices run in the next-generation pipeline */
   struct aux_chunk_pool chunks;
   struct aux_code_heap code;
   pthread_mutex_t scratch_lock;    /* of the next five */
   struct amdgpu_ws_bo *generated;  /* counters of primitives of NGG, once there is a query */
   struct amdgpu_ws_bo *gsvs_ring;  /* vertices of geometry shaders, once a program needs it */
   struct amdgpu_ws_bo *tess_rings; /* of patches and factors, once a program needs them */
   struct si_rate_buffer *rates;    /* the newest, NULL if nobody needed it */
   struct si_scratch *scratch;      /* the newest, NULL if no program needs any */
   struct amdgpu_ws_bo *preamble;   /* IBs that every submit starts with */
   struct amdgpu_ws_ib preambles[AMDGPU_WS_RINGS];
   pthread_mutex_t order_lock;          /* of the next one */
   struct amdgpu_ws_bo *order;          /* of transform feedback by programs, once there is some */
   struct amdgpu_ws_bo *task_rings;     /* of task and mesh shaders; NULL: none yet */
   struct amdgpu_ws_bo *mesh_memory;    /* outputs of mesh shaders beyond LDS; NULL: none yet */
   struct amdgpu_ws_bo *attribute_ring; /* parameters of vertices, of all engines; NULL where there is none */
   struct amdgpu_ws_bo *constants;      /* sample positions for shaders: float pairs of 1, 2, 4, 8 samples */
   struct si_borders borders;
   struct si_meta *meta; /* shaders of copies, clears, blits and resolves */
   pthread_mutex_t generate_lock;
   struct pipe_program *generate; /* NULL: no commands have been generated yet */
};
PIPE_HANDLE(si, screen)

/* Where the positions of a sample count lie in `constants`: pairs of floats in [0, 1). Tables of 1, 2, 4 and 8 pairs
 * follow each other. */
static inline uint64_t
si_sample_positions_va(const struct si_screen *screen, unsigned samples)
{
   return screen->constants->va + (samples - 1) * 2 * sizeof(float);
}

/* 256 bytes that nobody reads, after the positions. */
static inline uint64_t
si_unread_va(const struct si_screen *screen)
{
   return screen->constants->va + 2048;
}

/* At least so many bytes for shading rates; 0 when out of memory. */
uint64_t si_rate_buffer_va(struct si_screen *screen, uint64_t size_B);
void si_rate_buffers_destroy(struct si_screen *screen);

/* Each fills in the functions of its file. */
void si_init_caps(struct si_screen *screen);
void si_init_limits(struct pipe_caps *caps); /* what does not depend on the device */
void si_init_memory(struct si_screen *screen);
void si_init_resource(struct si_screen *screen);
void si_init_sparse(struct si_screen *screen);
void si_init_view(struct si_screen *screen);
void si_init_sampler(struct si_screen *screen);
void si_init_host_copy(struct si_screen *screen);
void si_init_descriptor_write(struct si_screen *screen);
void si_init_queue(struct si_screen *screen);
void si_init_program(struct si_screen *screen);
void si_init_query_pool(struct si_screen *screen);
void si_init_generated(struct si_screen *screen);
void si_generate_finish(struct si_screen *screen);
struct pipe_context *si_context_create(struct pipe_screen *screen, unsigned family);

/* Whether programs run in NGG, all of the device: a switch from one vertex pipeline to the other waits for all that
 * went before (erratum ngg-legacy-vgt-flush). */
bool si_ngg_choose(const struct ac_gpu_info *info);

bool si_borders_init(struct si_screen *screen);
void si_borders_finish(struct si_screen *screen);

/* Builds the preambles. */
bool si_preamble_init(struct si_screen *screen);

#endif
