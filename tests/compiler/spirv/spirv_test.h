/* Shared by the SPIR-V tests: modules built next to the tests, and running them. */
#ifndef INDIUM_SPIRV_TEST_H
#define INDIUM_SPIRV_TEST_H

#include "compiler/nir/nir_interp.h"
#include "compiler/spirv/spirv_to_nir.h"

struct spirv_test_module {
   uint32_t *words; /* on the heap */
   size_t count;
};

/* A module of the build folder ("control_flow.comp.spv"); fails the test if it is not there. */
struct spirv_test_module spirv_test_load(const char *name);
/* Text through spirv-as; words is NULL if it does not assemble. */
struct spirv_test_module spirv_test_assemble(const char *text);
/* Whether spirv-val accepts the module for Vulkan 1.2. */
bool spirv_test_is_valid(const struct spirv_test_module *module);

/* Random numbers: 31 bits, and the next state. */
uint32_t spirv_test_random(uint64_t *state);
/* Small changes that stay close to a valid module: a word replaced by another of the module, by a small number, with
 * a bit flipped; an instruction removed, repeated, or with other operands. Returns the new count of words. */
size_t spirv_test_mutate(uint32_t *words, size_t count, uint64_t *state);

/* Any words give an error, a line, or valid nir: true. */
bool spirv_test_try(const uint32_t *words, size_t count, enum nir_stage stage, const char *what);

/* Translated and valid nir, or the test fails. */
struct nir_shader *spirv_test_translate(struct arena *arena, const struct spirv_test_module *module,
                                        const struct spirv_options *options);

/* Runs one workgroup of a compute shader with the buffer at set 0, binding 0; variables lowered, and optimised if
 * told. */
void spirv_test_run(const struct spirv_test_module *module, const struct spirv_options *options, bool optimize,
                    uint32_t lanes, void *data, uint32_t size_B);

#endif
