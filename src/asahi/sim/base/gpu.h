/* What the rooms of the model share while a command runs. */
#ifndef INDIUM_ASAHI_SIM_GPU_H
#define INDIUM_ASAHI_SIM_GPU_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "asahi/hw/chips.h"
#include "sim/vm/fault.h"
#include "sim/waves/schedule.h"
#include "sim/vm/vm.h"

struct agx_dump;
struct agx_tex_cache;
struct agx_wave_engine;
struct sim_pool;
struct sim_races;

struct agx_gpu {
   const struct agx_chip *chip;
   struct sim_vm *vm;
   struct sim_pool *pool;
   struct agx_wave_engine *engine; /* wave/wave.h */
   struct agx_tex_cache *textures; /* cache/tex_cache.h */
   struct sim_fault *fault;        /* the first one ends the command */
   struct sim_va usc_base;         /* of the queue */
   struct sim_va sampler_heap;     /* of the command */
   uint32_t sampler_heap_count;
   bool soft_faults;             /* programs read 0 where nothing is bound, and what they store there is lost */
   struct sim_schedule schedule; /* what the hardware leaves open: order of tiles, partial renders */
   struct agx_dump *dump;        /* of records as text; NULL: none */
   struct sim_races *races;      /* of pixel programs; NULL: not looked for */
};

#endif
