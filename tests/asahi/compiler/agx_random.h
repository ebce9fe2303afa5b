/* Random nir programs through the compiler. */
#ifndef INDIUM_TESTS_AGX_RANDOM_H
#define INDIUM_TESTS_AGX_RANDOM_H

#include "asahi/compiler/agx.h"
#include "nir_random.h"

/* Uniform halves of the two buffers, u32x4 each, and the first one that is free. */
#define AGX_RANDOM_IN_H 0
#define AGX_RANDOM_OUT_H 8
#define AGX_RANDOM_UNIFORMS_H 16

/* The program of a seed, a compute shader. */
struct nir_shader *agx_random_shader(struct arena *arena, const struct nir_random_options *options);

/* All checks on, no limits. */
struct agx_options agx_test_options(void);

#endif
