/* The device: what contexts, programs and resources share. */
#ifndef INDIUM_AGX_SCREEN_H
#define INDIUM_AGX_SCREEN_H

#include <pthread.h>

#include "asahi/hw/chips.h"
#include "asahi/hw/gen.h"
#include "asahi/hw/traits_driver.h"
#include "gallium/auxiliary/aux_chunk.h"
#include "gallium/auxiliary/aux_code.h"
#include "gallium/auxiliary/aux_screen.h"
#include "gallium/drivers/asahi/program/agx_counter.h"
#include "gallium/drivers/asahi/program/agx_scratch.h"
#include "gallium/include/pipe/p_handle.h"
#include "gallium/include/pipe/p_screen.h"
#include "gallium/winsys/asahi/asahi_winsys.h"

struct agx_meta;
struct agx_assembly_state;
struct agx_clears;
struct agx_occlusion_heap;
struct agx_parts;         /* agx_part.h */
struct agx_tile_programs; /* of begins and ends of tiles */

/* Samplers by their words: shaders name them by index. Entries are never taken out. */
struct agx_sampler_heap {
   pthread_mutex_t lock;
   struct asahi_ws_bo *bo;
   uint64_t *entries; /* SAMPLER records, mapped */
   uint32_t count;
};

/* Code and what lies next to it begin at such a place, as those of other drivers do. */
#define AGX_CODE_ALIGNMENT_B 128u

struct agx_screen {
   union {
      struct pipe_screen base;
      struct aux_screen aux;
   };
   struct asahi_ws *ws;
   enum agx_gen gen;
   const struct agx_driver_traits *traits; /* of gen */
   bool cluster_coherency;                 /* that of traits, or of several dies */
   bool no_soft_faults;                    /* the kernel has none: programs keep to what is mapped */
   const struct agx_chip *chip;            /* NULL: one that the tables do not have */
   struct aux_chunk_pool chunks;           /* anywhere: streams, tables, descriptors */
   struct aux_chunk_pool usc_chunks;       /* from the USC base on: USC lists, coefficient bindings */
   struct aux_code_heap code;              /* from the USC base on: programs, constants, coefficient bindings */
   struct agx_sampler_heap samplers;
   struct agx_scratch_heap scratch;
   struct asahi_ws_bo *zero_page, *scratch_page, *ones_page; /* agx_sparse.h */
   struct asahi_ws_bo *empty_stream; /* of dispatches: for submits that only wait and signal */
   struct agx_meta *meta;            /* programs of copies, clears and fills */
   struct agx_heap_turn {
      pthread_mutex_t lock;
      const struct agx_queue *last; /* the queue whose work used the heap of draws last; NULL: none */
      struct ws_sync done;          /* by that work */
   } heap_turn;
   struct agx_assembly_state *assembly; /* internal programs of draws, and their heap */
   struct agx_tile_programs *tile_programs;
   struct agx_clears *clears; /* of parts of targets */
   struct agx_parts *parts;   /* of graphics programs */
   struct agx_occlusion_heap *occlusion;
   struct agx_counter counters[2]; /* of fragments; [1]: of samples */
};

/* gen and what follows from it. */
void agx_screen_set_gen(struct agx_screen *screen, enum agx_gen gen, uint32_t num_dies);
PIPE_HANDLE(agx, screen)

/* The index of a sampler in the heap, the same for the same words; UINT32_MAX when the heap is full. */
uint32_t agx_sampler_heap_add(struct agx_sampler_heap *heap, uint64_t words);
bool agx_sampler_heap_init(struct agx_screen *screen);
void agx_sampler_heap_finish(struct agx_screen *screen);

/* Each fills in the functions of its file. */
void agx_init_caps(struct agx_screen *screen);
void agx_init_limits(struct pipe_caps *caps); /* what does not depend on the device */
void agx_init_memory(struct agx_screen *screen);
void agx_init_host_copy(struct agx_screen *screen);
void agx_init_resource(struct agx_screen *screen);
void agx_init_view(struct agx_screen *screen);
void agx_init_descriptor_write(struct agx_screen *screen);
void agx_init_queue(struct agx_screen *screen);
void agx_init_program(struct agx_screen *screen);
void agx_init_query_pool(struct agx_screen *screen);
bool agx_empty_stream_init(struct agx_screen *screen);

/* Of draws: capabilities; what is made when the device is complete, false when out of memory; the end. */
void agx_init_graphics_screen(struct agx_screen *screen);
bool agx_graphics_screen_start(struct agx_screen *screen);
void agx_graphics_screen_finish(struct agx_screen *screen);

/* What targets and vertex fetches do with a format: enum pipe_format_feature bits of colours. */
uint32_t agx_target_features(uint32_t format);
bool agx_vertex_format(uint32_t format);

struct pipe_context *agx_context_create(struct pipe_screen *screen, unsigned family);

#endif
