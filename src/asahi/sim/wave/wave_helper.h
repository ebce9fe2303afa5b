/* Private memory and who gives it out: on each core a helper program, which the hardware asks for memory when a
 * simd-group starts, and gives it back to when that has ended. Internal to the engine.
 *
 * A helper starts with the first question of a launch, stands at doorbell 32 until it is asked, says what it makes of
 * the question by doorbell 48 (done) or 49 (not), and ends when it is told to. It has no USC list: 32 halves of
 * registers, its special registers, device memory. */
#ifndef INDIUM_ASAHI_SIM_WAVE_HELPER_H
#define INDIUM_ASAHI_SIM_WAVE_HELPER_H

#include "asahi/sim/wave/wave_private.h"
#include "util/dynarray.h"

enum helper_answer { HELPER_SILENT, HELPER_DONE, HELPER_REFUSES };

/* That of a core. */
struct helper {
   struct wave *wave;  /* NULL: was never started */
   struct group group; /* its number is the core's */
   bool runs;
   /* What it is asked, and says. */
   enum agx_helper_op op;
   uint32_t argument[2]; /* special registers */
   bool asked;
   enum helper_answer answer;
   uint32_t words[AGX_STACK_BLOCKS]; /* that are mapped: 0 is none */
   uint32_t named;                   /* blocks that it has mapped, or unmapped: bits */

   uint32_t number;     /* of the core */
   uint32_t held;       /* waves of the core that have memory */
   uint32_t next_group; /* the first of the core that was not served yet */
};

/* A block of a wave that lives. */
struct helper_block {
   uint64_t va, size_B;
   const struct wave *wave;
};

struct wave_helpers {
   struct agx_wave_engine *engine; /* which runs them */
   struct agx_wave_launch launch;
   struct agx_program program;
   uint32_t core_count;
   uint32_t first_core; /* of group 0 of the launch */
   bool gives;          /* waves of the launch ask them */
   struct helper *cores;
   struct dynarray blocks; /* struct helper_block */
   struct sim_fault fault; /* of a helper: none is asked any more */
};

/* As agx_wave_engine_set_cores() says. */
struct wave_helpers *wave_helpers_create(const uint64_t *core_masks, uint32_t clusters, uint32_t cores_per_cluster);
void wave_helpers_destroy(struct wave_helpers *helpers);

/* Asks, and waits for the answer. False after a fault, of this helper or of another one. */
bool wave_helper_ask(struct wave_helpers *helpers, struct helper *helper, enum agx_helper_op op, uint32_t argument,
                     struct sim_fault *fault);
/* Ends those that run. False after a fault. */
bool wave_helpers_end(struct wave_helpers *helpers, struct sim_fault *fault);

/* wave_stack.c: private memory of the waves of a launch. */
void wave_stack_begin(struct agx_wave_engine *engine);
/* A wave that is ready to start gets its memory, or sleeps until there is some. */
void wave_stack_start(struct wave *wave);
/* Serial phase: those that sleep, in order. */
void wave_stack_serve(struct sim_rounds *rounds);
bool wave_stack_wakes(const struct wave *wave);
/* Serial phase: of a wave that has ended. */
void wave_stack_retire(struct agx_wave_engine *engine, struct wave *wave);
bool wave_stack_end(struct agx_wave_engine *engine, bool ok, struct sim_fault *fault);

#endif
