/* Programs that nobody wrote: what must hold for any bytes given to simd-groups as code, descriptors and uniforms. */
#ifndef INDIUM_TEST_PROGRAM_TRY_H
#define INDIUM_TEST_PROGRAM_TRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands before the code; zeros where it is cut off. */
struct program_try_head {
   uint8_t stage;     /* modulo AGX_STAGE_PREAMBLE */
   uint8_t flags;     /* enum program_try_flags */
   uint8_t registers; /* in units of 8 halves, less one, modulo 32 */
   uint8_t threads;   /* of compute, less one */
   uint8_t texture_count, sampler_count, uniforms, samples_log2;
   uint32_t textures[2][6], samplers[2][2];
   uint16_t values[16]; /* uniforms after the addresses of the data, of the textures, and of an unmapped page */
};

enum program_try_flags {
   PROGRAM_TRY_HARD_FAULTS = 1,
   PROGRAM_TRY_SEED = 2, /* schedules; both: round-robin */
   PROGRAM_TRY_WORST = 4,
   PROGRAM_TRY_PREAMBLE = 8, /* the code is that of a preamble, and then that of the program */
   PROGRAM_TRY_NO_HOOKS = 16,
   PROGRAM_TRY_NO_STACK = 32,
   PROGRAM_TRY_HELPER = 128, /* the code is that of the helper for private memory, too */
   PROGRAM_TRY_TWICE = 64,   /* also on two host threads: the same memory and the same report come out */
};

/* Runs them: to the end (true) or to a fault that says what it is. Aborts if anything else happens. */
bool program_try(const void *bytes, size_t size_B);

#endif
