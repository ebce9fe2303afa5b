/* Running shaders: a launch is a list of groups of simd-groups ("waves") of 32 threads ("lanes"). They run in rounds
 * (sim/waves/rounds.h), many at a time on host threads, and give the same bytes for any number of threads.
 *
 * What the engine knows: registers, uniforms, arithmetic, control flow, memory, threadgroup memory, stack, shuffles,
 * waits and barriers, textures and images (by asahi/sim/tex), coefficients of varyings, the order of fragments of a
 * pixel. What it does not know, it asks of the launch's hooks: the tile buffer, tests of depth and stencil.
 *
 * Order. In the parallel phase of a round nothing changes but the waves themselves; stores, atomics, image writes and
 * all that touches a tile wait in the wave's queue and land in the serial phase, in (group, wave, program) order as
 * far as the schedule lets them: under `seed=N` and `worst` those of one wave late, so that fragments of a pixel get
 * out of order unless they wait for each other (pixwait). Within a wave the program's order holds.
 *
 * Fragments. Groups are single waves of eight quads, of one draw each: the order of the API holds for those that
 * share pixels. agx_wave_fragments.older says which earlier groups these are, of whatever draw. `pixwait` sleeps
 * until those, and those that they name in turn, have ended or have released what it asks for. */
#ifndef INDIUM_ASAHI_SIM_WAVE_H
#define INDIUM_ASAHI_SIM_WAVE_H

#include "asahi/sim/base/program.h"
#include "sim/vm/fault.h"
#include "sim/waves/schedule.h"
#include "sim/vm/vm.h"

struct agx_tex_cache;
struct agx_wave_engine;
struct sim_pool;
struct sim_races;
struct sim_trace;

enum {
   AGX_WAVE_LANES = 32,
   AGX_WAVE_QUADS = 8,
   AGX_WAVE_MAX_PER_GROUP = 32,  /* 1024 threads */
   AGX_WAVE_START_REGISTERS = 8, /* r0 to r7 */
   AGX_WAVE_OUTPUTS = 256,       /* 32-bit words of a vertex (UVS) */
   AGX_WAVE_MAX_OLDER = 32,      /* one for each pixel of a wave */
};

/* A coefficient register: at (x, y) pixels from the corner of the fragment's 32x32 tile, the middle of the first
 * pixel being (0.5, 0.5), a varying is a * x + b * y + c. */
struct agx_wave_coefficients {
   float a, b, c;
};

enum { AGX_COEFFICIENT_WORDS = 256 / 32 }; /* of a set of coefficient registers */

/* The fragments of a wave: also the pixels of background and end-of-tile programs. Lanes 4q to 4q + 3 are quad q: top
 * left, top right, bottom left, bottom right. */
struct agx_wave_fragments {
   uint32_t tile;                                 /* the caller's number, for its hooks */
   uint16_t x[AGX_WAVE_LANES], y[AGX_WAVE_LANES]; /* pixel in the render target: SRs 80 and 81 */
   uint8_t samples[AGX_WAVE_LANES]; /* covered, and what early tests have left; 0: a helper. SRs 60, 63 and 124 */
   uint32_t back_facing;            /* a bit for each lane: SR 62 */
   uint16_t layer;                  /* SR 2 */
   /* Of each quad: coefficient_count registers, the caller's until the wave retires. Background, end of tile: NULL.
    */
   const struct agx_wave_coefficients *coefficients[AGX_WAVE_QUADS];
   uint32_t coefficient_count;
   /* For each pixel the last group before this one, of the launch, that has a fragment of it; each once, any order.
    */
   uint32_t older_count, older[AGX_WAVE_MAX_OLDER];
};

/* State of a wave before its first instruction. Registers that are not given hold garbage. Compute: the engine fills
 * everything in, from the launch's grid, before start() (which may be NULL) is called. */
struct agx_wave_start {
   uint32_t draw;  /* of launches that have draws: which of them */
   uint32_t lanes; /* a bit for each thread that there is, helpers too; 0: the wave is skipped, and not retired */
   uint32_t register_count; /* r0 to r[n - 1] are given: 32 bits each; vertex: r5 vertex, r6 instance */
   uint32_t reg[AGX_WAVE_START_REGISTERS][AGX_WAVE_LANES];
   struct agx_wave_fragments fragments; /* fragment, background, end of tile */
};

/* Of ld_tile and st_tile, one instruction. */
struct agx_wave_tile_access {
   const struct agx_wave_fragments *fragments;
   uint32_t group;
   uint32_t lanes;                  /* that take part */
   uint8_t samples[AGX_WAVE_LANES]; /* of each lane: asked for; of stores only those that live */
   uint8_t format;                  /* ENUM format of isa_formats.txt */
   uint8_t mask;                    /* of the components */
   uint8_t register_bits;           /* 16 or 32 */
   uint16_t offset_B;               /* in the sample's part of the tile buffer */
   bool explicit_coords;            /* coords is given, instead of the fragment's own place */
   uint16_t coords[2][AGX_WAVE_LANES];
};

/* sample_mask and zs_emit: samples are tested against depth and stencil, once each, and written where they pass. */
struct agx_wave_test {
   const struct agx_wave_fragments *fragments;
   uint32_t group;
   uint8_t samples[AGX_WAVE_LANES]; /* of each lane: live ones that are tested now */
   bool has_depth, has_stencil;     /* given by the program, instead of the fixed function */
   float depth[AGX_WAVE_LANES];
   uint8_t stencil[AGX_WAVE_LANES];
};

/* imgwblk: a tile goes to an image. Of the first lane that is active; the program gives all the same. */
struct agx_wave_block {
   const struct agx_wave_fragments *fragments;
   uint32_t group;
   uint32_t texture[6]; /* PBE descriptor */
   uint16_t offset_B;   /* in the tile buffer */
   uint8_t format;      /* ENUM format of isa_formats.txt */
   uint8_t dim;         /* ENUM dim */
   uint32_t lod;
   bool explicit_coords;
   uint32_t coords[4]; /* x, y and layer with explicit_coords, else only the layer, as the dim has them */
   bool round_to_zero;
};

/* What a launch of fragment, background or end-of-tile programs asks for. A hook returns false after it has set the
 * fault (sim_fault_set()); the engine adds where that was. value: by component, those of the mask. */
struct agx_wave_hooks {
   /* Parallel phase, on any host thread: changes nothing. */
   bool (*load_tile)(void *user, const struct agx_wave_tile_access *access, uint32_t value[4][AGX_WAVE_LANES],
                     struct sim_fault *fault);
   /* Serial phase, in order. */
   bool (*store_tile)(void *user, const struct agx_wave_tile_access *access, const uint32_t value[4][AGX_WAVE_LANES],
                      struct sim_fault *fault);
   /* passed: of the samples of each lane. */
   bool (*test)(void *user, const struct agx_wave_test *test, uint8_t passed[AGX_WAVE_LANES],
                struct sim_fault *fault);
   bool (*store_block)(void *user, const struct agx_wave_block *block, struct sim_fault *fault);
};

struct agx_wave_result {
   uint64_t instructions;
   /* Vertex: word i of lane l stands at outputs[i][l] where bit l of has_output[i] is set. */
   const uint32_t (*outputs)[AGX_WAVE_LANES];
   const uint32_t *has_output;
   const uint8_t *samples; /* fragments: of each lane, those that live: neither killed nor failed */
   const struct agx_wave_registers *registers; /* wave_state.h: as it left them, for tests and tools */
};

/* What the simd-groups of one draw run, where a launch has several of them. */
struct agx_wave_draw {
   const struct agx_program *program;  /* a pixel program; all have the same helper program */
   uint32_t number;                    /* in reports */
   const uint32_t *coefficients_bound; /* as in a launch */
};

struct agx_wave_launch {
   const struct agx_program *program; /* what runs, its stage and what is bound to it */
   const char *name;                  /* for fault reports, such as "background"; NULL: none */
   /* Fragments: instead of program, name and coefficients_bound; start() says which of them a simd-group is of. */
   const struct agx_wave_draw *draws;
   uint32_t draw_count; /* 0: one program for all */
   const struct sim_vm *vm;
   bool soft_faults; /* loads of unmapped addresses give 0 and stores to them are dropped: no faults */

   uint32_t group_count, waves_per_group;
   /* Compute: threads of the grid and of a full group; the last groups of a row have what is left.
    * agx_wave_set_grid() sets these and the two counts. */
   uint32_t grid[3], group_size[3];
   uint8_t samples_log2;        /* SR 14 */
   float sample_position[4][2]; /* in the pixel, 0 to 1 */
   uint32_t output_count;       /* vertex: words of a vertex; st_var beyond is a fault */
   const uint32_t
      *coefficients_bound; /* fragments: AGX_COEFFICIENT_WORDS, a bit for each that may be read; NULL: all */
   const struct agx_wave_hooks *hooks; /* NULL: none of its operations may occur */
   struct sim_races *races;            /* fragments: accesses are compared (sim/waves/race.h); NULL: not */

   void *user;
   /* Fills *start (all zero before). Called on any host thread: the result may depend on nothing but the arguments.
    */
   void (*start)(void *user, uint32_t group, uint32_t wave, struct agx_wave_start *start);
   /* After the wave's end and all its stores: in order of (group, wave), from the thread that called agx_wave_run().
    * May be NULL. */
   void (*retire)(void *user, uint32_t group, uint32_t wave, const struct agx_wave_result *result);
};

/* Counts of groups and waves of a dispatch of so many threads, in groups of so many. False if a size is 0, a group
 * has more than 1024 threads or there are more than 2^32 - 1 groups. */
bool agx_wave_set_grid(struct agx_wave_launch *launch, const uint32_t threads[3], const uint32_t group_size[3]);

/* The pool stays the caller's. */
struct agx_wave_engine *agx_wave_engine_create(struct sim_pool *pool);
void agx_wave_engine_destroy(struct agx_wave_engine *engine);
/* Of all later launches: where waves run, on the cores that the mask of each cluster names among its places. One core
 * of number 0 at first. False: out of memory, or there is no core. */
bool agx_wave_engine_set_cores(struct agx_wave_engine *engine, const uint64_t *core_masks, uint32_t clusters,
                               uint32_t cores_per_cluster);
/* Of all later launches: the chip has clusters that see each other's memory only where instructions say so
 * (asahi/hw/traits.txt). False at first. */
void agx_wave_engine_set_clusters(struct agx_wave_engine *engine, bool clusters);
/* How long a wave may run until it counts as endless: in instructions, accesses of memory counting as several
 * (sim/waves/loop.h). 0: 2^27, as at first. */
void agx_wave_engine_set_budget(struct agx_wave_engine *engine, uint64_t budget);
/* How many simd-groups all later launches may have together; UINT64_MAX, as at first: any number. */
void agx_wave_engine_set_limit(struct agx_wave_engine *engine, uint64_t waves);
/* Of all later launches: who looks for stale textures; NULL, at first: nobody. The cache stays the caller's. */
void agx_wave_engine_set_textures(struct agx_wave_engine *engine, struct agx_tex_cache *textures);
/* Of all later launches; in-order at first. */
void agx_wave_engine_set_reference(struct agx_wave_engine *engine, bool reference); /* no fast paths */
void agx_wave_engine_set_schedule(struct agx_wave_engine *engine, const struct sim_schedule *schedule);

/* Of all later launches; NULL: no timeline. False: out of memory. The trace stays the caller's. */
bool agx_wave_engine_set_trace(struct agx_wave_engine *engine, struct sim_trace *trace);

/* Runs every wave of the launch to its end. False after a guest fault, which names stage, group, wave, address of the
 * instruction and its text; then nothing more retires. Only one caller at a time. */
bool agx_wave_run(struct agx_wave_engine *engine, const struct agx_wave_launch *launch, struct sim_fault *fault);

/* Runs program->preamble: one wave of one thread, which starts with what is bound and writes there what it stores:
 * uniforms, texture and sampler states. name: as in a launch. */
bool agx_wave_run_preamble(struct agx_wave_engine *engine, const struct sim_vm *vm, struct agx_program *program,
                           bool soft_faults, const char *name, struct sim_fault *fault);

/* Instructions run since creation (each counts once a wave). */
uint64_t agx_wave_instructions(const struct agx_wave_engine *engine);

#endif
