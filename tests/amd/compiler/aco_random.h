/* Random nir programs through the compiler. */
#ifndef INDIUM_TESTS_ACO_RANDOM_H
#define INDIUM_TESTS_ACO_RANDOM_H

#include "amd/compiler/aco.h"
#include "nir_random.h"

/* The program of a seed, with its two V# in s0 to s3 and s4 to s7; with discards or quads a fragment shader, else
 * compute. */
struct nir_shader *aco_random_shader(struct arena *arena, const struct nir_random_options *options);

/* Arguments of those programs, and the hardware stage that runs one. */
struct aco_args aco_random_args(void);
struct aco_stage aco_random_stage(struct nir_shader *nir);

/* The wanted size, or 64 where there is no other. */
unsigned aco_test_wave_size(unsigned wanted);

/* All checks on, no limits. */
struct aco_options aco_test_options(unsigned wave_size);

/* The chip that ACO_TEST_CHIP names, by default navi21: the options above are for its generation. */
const struct amd_chip *aco_test_chip(void);

#endif
