/* Shaders from files: GLSL through glslangValidator, SPIR-V, texts of nir and of the compilers. */
#ifndef INDIUM_TOOLS_SHADER_SOURCE_H
#define INDIUM_TOOLS_SHADER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/nir/nir_shader_info.h"
#include "util/arena.h"

enum { SHADER_MAX_MACROS = 16 };

struct shader_file {
   const char *path;
   char *macros[SHADER_MAX_MACROS]; /* -DNAME or -DNAME=VALUE, for GLSL */
   unsigned macro_count;
   enum nir_stage stage; /* NIR_STAGES: the file tells */
   const char *chip;     /* what it does not have is refused; NULL: nothing is */
   unsigned wave_size;   /* of shaders with cooperative matrices; 0: 64 */
};

/* What a file holds: a text of nir or of the machine IR, else SPIR-V. */
struct shader_source {
   bool nir, aco, agx;
   char *data;
   size_t size_B;
   enum nir_stage stage;
   const char *chip;
   unsigned wave_size;
};

/* False with *error set (a line), or with an empty *error after somebody else's message. */
bool shader_source_load(struct arena *arena, const struct shader_file *file, struct shader_source *source,
                        const char **error);

/* NULL with *error as above; NULL of machine IR, which has none. */
struct nir_shader *shader_source_translate(struct arena *arena, const struct shader_source *source,
                                           const char **error);

/* What stands after the last dot. */
const char *shader_extension(const char *path);

/* "vert", "frag" and so on. */
bool shader_stage_of_name(const char *name, enum nir_stage *stage);

#endif
