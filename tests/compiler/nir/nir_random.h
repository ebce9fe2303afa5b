/* Random valid shaders from a seed, and their execution by the reference interpreter on seeded data. */
#ifndef INDIUM_TESTS_NIR_RANDOM_H
#define INDIUM_TESTS_NIR_RANDOM_H

#include "compiler/nir/nir.h"

#define NIR_RANDOM_IN_B 1024       /* input buffer */
#define NIR_RANDOM_OUT_LANE_B 256  /* each lane's part of the output buffer; a counter area stands after all parts */
#define NIR_RANDOM_COUNTERS_B 64

struct nir_random_options {
   uint32_t seed;
   unsigned statements;     /* roughly; 0: 30 */
   uint32_t workgroup_size; /* 0: 32 */
   uint32_t subgroup_size;  /* 0: 32 */
   bool no_float;           /* no float arithmetic */
   bool only_exact_float;   /* only operations that IEEE 754 rounds in one way, on 32 bits, and comparisons */
   uint16_t float_controls; /* NIR_FLOAT_CONTROL() */
   bool exact_of_all_sizes; /* with only_exact_float: also of 16 and 64 bits, and conversions between all */
   bool only_32;            /* values of 1 and 32 bits */
   bool no_control_flow, no_subgroups, no_shared, no_variables, no_vectors, no_atomics;
   bool halts;     /* some invocations end early */
   bool subgroups; /* more subgroup operations, also of 8, 16 and 64 bits and where lanes have parted */
   bool atomics;   /* every integer atomic operation, of 32 and 64 bits and in shared memory */
   bool mostly_16; /* most values have 16 bits and stand in vectors; with only_exact_float floats too */
   /* With the next two in place of subgroup operations, or besides them if `subgroups` is set. */
   bool discards; /* some become helpers or end, in loops too */
   /* Derivatives and exchange within quads; some become helpers, and nir_random_execute() has helpers from the start
    * (nir_random_is_helper). */
   bool quads;
   /* Loops without exit: where no lane comes, though only the run shows that; with discards also loops that lanes
    * leave by ending. */
   bool endless;
   bool deep;               /* loops over lanes nested more than 16 deep */
   bool interlock;          /* beginnings and ends of ordered sections anywhere */
   uint32_t section_layers; /* of nir_interp_params */
   bool matrices;           /* products of matrices, where all lanes are */
   bool addresses;          /* with descriptors_as_args: half of the accesses to buffers are by address */
   /* Buffers are V# of four words in load_scalar_arg 0 (input) and 1 (output) instead of set 0, bindings 0 and 1. */
   bool descriptors_as_args;
   bool check_uniform; /* nir_random_execute: hold the divergence analysis to its word */
};

/* A compute shader that reads the input buffer and writes every lane's results to its part of the output buffer. */
struct nir_shader *nir_random_shader(struct arena *arena, const struct nir_random_options *options);

/* Runs one workgroup; fills out[nir_random_out_size_B()]. NULL or an error. */
const char *nir_random_execute(struct arena *arena, struct nir_shader *shader,
                               const struct nir_random_options *options, uint8_t *out);
uint32_t nir_random_out_size_B(const struct nir_random_options *options);
/* With quads: lanes that are helpers from the start; every quad has another one. */
bool nir_random_is_helper(uint32_t lane);
/* Seeded contents of the input buffer. */
void nir_random_fill(uint32_t seed, uint8_t *data, uint32_t size_B);

/* The first difference of two outputs, as a sentence; NULL if there is none. */
const char *nir_random_compare(struct arena *arena, const struct nir_random_options *options, const uint8_t *expected,
                               const uint8_t *found);

/* Seeds [*first, *first + *count) as the environment wants them, by hand: NAME_TEST_SEED=N leaves only N of them,
 * NAME_TEST_RANGE=FIRST:COUNT takes others. False: the range is not of that form. */
bool nir_random_seeds(const char *name, uint32_t *first, uint32_t *count);

/* A reproducible sequence. */
uint32_t nir_random_next(uint64_t *state);

/* The shader as nir_print() writes it; to be freed by the caller. */
char *nir_shader_text(const struct nir_shader *shader);

#endif
