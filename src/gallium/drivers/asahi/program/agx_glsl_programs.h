/* The driver's own programs: GLSL, which the build turns into SPIR-V. */
#ifndef INDIUM_AGX_GLSL_PROGRAMS_H
#define INDIUM_AGX_GLSL_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agx_screen;
struct nir_shader;
struct pipe_program;

struct agx_glsl_module {
   const char *name;
   const uint32_t *words;
   size_t count;
};

#define AGX_GLSL_MODULE(array) .name = #array, .words = (array), .count = ARRAY_SIZE(array)

/* Compiles compute shaders whose arguments are push constants. lower: what to do with the nir first, or NULL. False
 * if memory ends, or with a line in the log; programs that are made by then stay in programs[], to be destroyed. */
bool agx_glsl_programs_create(struct agx_screen *screen, const struct agx_glsl_module *modules, unsigned count,
                              void (*lower)(struct nir_shader *shader), struct pipe_program **programs);

#endif
