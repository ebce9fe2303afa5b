/* State of the wave engine: programs, waves, groups, queued operations. */
#ifndef INDIUM_ASAHI_SIM_WAVE_PRIVATE_H
#define INDIUM_ASAHI_SIM_WAVE_PRIVATE_H

#include "asahi/hw/isa.h"
#include "asahi/hw/hw_limits.h"
#include "asahi/sim/wave/wave.h"
#include "asahi/sim/wave/wave_state.h"
#include "sim/waves/rounds.h"
#include "util/dynarray.h"

struct code;
struct helper;
struct wave;
struct wave_cache;
struct wave_helpers;

enum step {
   STEP_NEXT,
   STEP_AGAIN, /* needs a commit of the wave's queue: the instruction runs again in the next round */
   STEP_SLEEP, /* done, and the wave continues when older fragments of its pixels have ended, or it is asked */
   STEP_BARRIER,
   STEP_END,
   STEP_FAULT,
};

typedef enum step (*step_fn)(struct wave *wave, const struct code *code);

/* Where the lanes of a source of arithmetic come from, and as what. */
enum load {
   LOAD_NONE,
   LOAD_LANES, /* as they lie in the registers */
   LOAD_WORD,
   LOAD_LOW,
   LOAD_HIGH,
   LOAD_CONST, /* value */
   LOAD_UNIFORM_WORD,
   LOAD_UNIFORM_HALF,
};

enum as {
   AS_BITS,
   AS_SIGNED, /* halves with their sign */
   AS_FLOAT,  /* halves become floats */
};

struct alu_source {
   uint8_t load, as;
   uint8_t size;  /* in bits */
   bool sext;     /* asked for; of 32 bits it matters where 64 are computed */
   uint16_t half; /* register or uniform */
   uint32_t value;
   uint32_t keep, flip; /* float modifiers: bits that stay, then bits that turn */
};

/* Sources as 32 lanes, where an operation on them leaves 32 results. */
struct lanes {
   const uint32_t *a, *b, *c, *d;
   const struct code *code;
   uint32_t *out;
};

typedef void (*kernel_fn)(const struct lanes *x);

struct alu {
   kernel_fn kernel;
   struct alu_source src[4];
   uint8_t dst_size;
   uint16_t dst; /* half */
   bool is_float, sat;
};

enum { MAX_USES = 9 };

/* A range of halves that an instruction reads or writes. */
struct use {
   uint16_t half, count;
   bool writes, all_lanes;
};

/* One decoded instruction of a program. */
struct code {
   struct agx_inst in;
   step_fn run;
   int32_t at_B;          /* from the program's first instruction */
   uint32_t next, target; /* numbers of codes, NO_CODE: there is none; target: of a jump */
   uint8_t kept_B;        /* bytes that made it what it is */
   bool unmapped;
   struct alu alu;
   uint16_t half_end, uniform_end;                                         /* halves that it names lie below */
   uint64_t touches[HALVES / 64], writes[HALVES / 64], reads[HALVES / 64]; /* at least those of the uses */
   uint64_t last_uses[HALVES / 64];                                        /* discards that it does not write */
   bool writes_all_lanes;                                                  /* of some half */
   uint8_t use_count, discard_count;
   struct use uses[MAX_USES], discards[4];
};

#define NO_CODE UINT32_MAX

/* Bytes that the program was decoded from. */
struct stretch {
   int64_t at_B;
   uint32_t size_B;
   uint8_t *bytes;
};

struct program {
   struct sim_va va;
   unsigned registers;
   uint32_t code_count, entry;
   struct code *codes; /* by address */
   uint32_t stretch_count;
   struct stretch *stretches;
   bool has_barrier, has_local, has_tests;
   bool loads_cached;    /* loads, fetches without what lets them see what other cores have written */
   bool loads_clustered; /* fetches of images without what lets them see what other clusters have written */
   uint32_t fences;      /* of all its pixwaits */
   uint64_t launch;      /* the last one that asked for it */
   uint32_t uniform_end; /* halves that its instructions read lie below */
   struct program *next;
};

/* What some waves of a launch, or all of them, run. */
struct draw {
   struct program *code;
   const struct agx_program *program;
   const uint32_t *coefficients_bound; /* NULL: all */
   uint32_t number;                    /* if the launch has draws */
};

struct wave {
   struct sim_wave base;
   struct agx_wave_engine *engine;
   const struct agx_wave_launch *launch;
   const struct draw *draw;
   /* Of the draw. */
   struct program *code; /* base.next is a number of its codes */
   const struct agx_program *program;
   uint8_t *local; /* of the group */
   struct agx_wave_registers state;
   struct agx_wave_fragments fragments;

   /* Compute: position of the group, its threads, and of each lane. */
   uint32_t group_at[3], group_size[3];
   uint16_t thread_at[3][LANES];

   struct sim_va tlb_va;
   uint64_t tlb_size_B;
   uint8_t *tlb_host;
   uint8_t straddle[64];

   uint32_t core;        /* on which it runs */
   struct helper *helps; /* NULL: it is not a helper program */
   uint8_t *stack;       /* of each lane stack_capacity_B bytes */
   uint32_t stack_capacity_B, stack_deepest_B;
   uint32_t stack_B; /* private memory of a thread, in the blocks of stack_words */
   uint32_t stack_words[AGX_STACK_BLOCKS];

   /* Fragments: samples of each lane. Live and passed change as operations land, the others at once. */
   uint8_t live[LANES], tested[LANES], killed[LANES];
   uint32_t tests_queued;    /* that have not landed */
   uint32_t waits_for;       /* fences of a pixwait that sleeps */
   uint32_t released;        /* fences of pixrel */
   uint32_t entered;         /* fences that it has waited for */
   struct dynarray accesses; /* wave_race.c */
   struct dynarray written;  /* wave_cache.c */
   uint32_t clear;           /* fences that this and all older fragments of its pixels have released */

   /* Vertices. */
   uint32_t (*outputs)[LANES];
   uint32_t has_output[AGX_WAVE_OUTPUTS];
   bool outputs_done;
   uint32_t reads_issued, writes_issued;

   uint64_t start_time, end_time; /* sim_wave_time() */
};

struct group {
   struct sim_group base;
   uint8_t *local;
   uint32_t local_capacity_B;
};

struct agx_wave_engine {
   struct sim_rounds rounds;
   const struct agx_wave_launch *launch; /* the one that runs */
   struct dynarray draws;                /* struct draw: of the launch, at least one */
   uint64_t launches;                    /* since creation */
   const struct draw *race_draw;         /* whose accesses the search for races was given last */
   uint64_t waves_left;                  /* that launches may have */
   struct agx_program *bindings;         /* what a preamble stores to; NULL: none runs */
   struct program *programs[256];
   struct sim_timeline *timeline;  /* NULL: none */
   struct wave_helpers *helpers;   /* NULL: this one runs them */
   struct agx_tex_cache *textures; /* NULL: nobody looks for stale ones */
   struct wave_cache *cache;       /* of the launch, if caches say so */
   bool caches;
   bool clusters;  /* as agx_wave_engine_set_clusters() says */
   bool reference; /* no fast paths */
};

/* wave_draw.c */
/* Of a launch that begins, or of the helper program. False after a fault. */
bool wave_draws_begin(struct agx_wave_engine *engine, struct sim_fault *fault);
void wave_set_draw(struct wave *wave, uint32_t draw);
/* The first, of which the stage is that of all. */
static inline const struct draw *
wave_first_draw(const struct agx_wave_engine *engine)
{
   return engine->draws.data;
}
/* Of fragments, not their preambles. */
static inline bool
wave_is_of_pixels(const struct agx_wave_engine *engine)
{
   return !engine->bindings && wave_first_draw(engine)->program->stage == AGX_STAGE_FRAGMENT;
}
/* A report also names the program by its code, as its compiler can: docs/howto-debug.md. */
void wave_draws_name(const struct agx_wave_engine *engine, struct sim_fault *fault);

/* wave_code.c. registers: halves that its instructions may name. NULL: no executable memory there. */
struct program *wave_program(struct agx_wave_engine *engine, const struct sim_vm *vm, struct sim_va va,
                             unsigned registers);
void wave_programs_free(struct agx_wave_engine *engine);
/* Binding: of `count` halves from `half` on. */
void wave_add_use(struct code *code, unsigned half, unsigned count, bool writes, bool all_lanes);
/* The code at an address, or NO_CODE. */
uint32_t wave_code_at(const struct program *program, int64_t at_B);

/* wave_fault.c */
enum step wave_fault(struct wave *wave, const struct code *code, enum sim_fault_kind kind, struct sim_va va,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
static inline struct sim_va
wave_va(const struct wave *w, const struct code *c)
{
   return sim_va_add(w->code->va, c->at_B);
}

/* wave.c: as new, but for its registers and its place in the rounds. */
void wave_reset(struct wave *wave, struct agx_wave_engine *engine, const struct group *group);

/* wave_start.c */
void wave_start_compute(struct wave *wave, struct agx_wave_start *start);
uint32_t wave_special_register(const struct wave *wave, unsigned sr, unsigned lane, bool *known);

/* wave_wait.c: whether the instruction may use its registers, some of which may be poison; else there is a fault. */
bool wave_check_uses(struct wave *wave, const struct code *code);
/* Of registers that an instruction reads only where what they say is asked for. */
bool wave_check_halves(struct wave *wave, const struct code *code, unsigned half, unsigned count);

static inline bool
wave_meets_poison(const struct wave *w, const struct code *c)
{
   const struct agx_wave_registers *s = &w->state;
   uint64_t meets = 0;
   for (unsigned i = 0; i < HALVES / 64; i++)
      meets |= c->touches[i] & (s->any_dead[i] | s->pending.poison.bits[i]);
   return meets;
}

void wave_discard(struct wave *wave, const struct code *code, uint32_t lanes);
/* An operation of a wait group: count halves from `half` on are poison until the wait. */
void wave_outstanding(struct wave *wave, unsigned wait_group, unsigned half, unsigned count, bool needs_commit);

/* wave_memory.c */
/* size_B readable bytes at va; zeros where soft faults allow it; NULL after a fault. */
const uint8_t *wave_read_memory(struct wave *wave, const struct code *code, struct sim_va va, unsigned size_B);
bool wave_land(struct sim_wave *wave, const struct sim_queued *queued, struct sim_fault *fault);
uint32_t wave_atomic(enum agx_atomic_op op, uint32_t old, uint32_t operand, uint32_t compare);

/* wave_cache.c. Serial phase, ahead of a write by the wave: */
void wave_cache_begin(struct agx_wave_engine *engine);
void wave_cache_destroy(struct wave_cache *cache);
void wave_cache_note_write(struct wave *wave, struct sim_va va, unsigned size_B);
/* Fragments' stores without coherency bits: they may stay in the core's cache, where no wait and no fence of memory
 * but that of textures looks for them. */
bool wave_cache_keeps(const struct wave *wave, const struct code *code);
/* Whether a load there may find something else than memory has. */
bool wave_cache_may_hold(const struct wave *wave, struct sim_va va, unsigned size_B);
/* What a load finds that looks into caches; NULL: the same as memory. */
const uint8_t *wave_cache_read(const struct wave *wave, struct sim_va va, unsigned size_B);
bool wave_cache_is_empty(const struct wave *wave);
/* Serial phase: puts what caches have into memory, at the places of lanes, and back. */
void wave_cache_swap(const struct wave *wave, const uint64_t va[LANES], unsigned size_B, uint8_t kept[LANES][16]);
void wave_cache_swap_back(const struct wave *wave, const uint64_t va[LANES], unsigned size_B,
                          const uint8_t kept[LANES][16]);

/* wave_order.c */
void wave_order_advance(struct sim_rounds *rounds);
bool wave_order_clears(const struct wave *wave, uint32_t fences);
/* Whether something that the wave has sent to the tile has not landed; the number of the last one's commit. */
bool wave_order_tile_waits(const struct wave *wave, uint32_t *seq);
/* Whether the last that has not landed went to memory: the tile may have what it needs ahead of that. */
bool wave_order_has_overtaken(const struct wave *wave);
/* A store to the tile, or a test. */
void wave_order_queue_tile(struct wave *wave, const struct code *code, const void *access, unsigned size_B);
bool wave_order_wakes(const struct sim_wave *wave);

#endif
