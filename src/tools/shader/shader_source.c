#include "tools/shader/shader_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "tools/shader/shader_features.h"
#include "util/read_file.h"

enum { MAX_FILE_B = 64 << 20 }; /* modules of applications have a few MiB */

/* Into the arena, with the zeros after it that parsers want. NULL with *error. */
static char *
read_source(struct arena *arena, const char *path, size_t *size_B, const char **error)
{
   char *data = read_file(path, MAX_FILE_B, size_B);
   char *copy = data ? arena_alloc(arena, *size_B + 8) : NULL;
   if (copy)
      memcpy(copy, data, *size_B);
   else
      *error = errno == EFBIG ? "is larger than 64 MiB: no shader is"
                              : arena_printf(arena, "cannot be read: %s", strerror(errno));
   free(data);
   return copy;
}

/* SPIR-V of a GLSL file, NULL after a message of glslangValidator. */
static char *
compile_glsl(struct arena *arena, const struct shader_file *request, size_t *size_B, const char **error)
{
   char *argv[9 + SHADER_MAX_MACROS] = {"glslangValidator", "--quiet", "-V", "--target-env", "vulkan1.1", "-o"};
   char out[40];
   int fd = memfd_create("spirv", 0); /* not closed by exec: glslangValidator writes it */
   *error = "glslangValidator refuses it";
   if (fd < 0)
      return NULL;
   snprintf(out, sizeof(out), "/proc/self/fd/%d", fd);
   argv[6] = out;
   argv[7] = (char *)(uintptr_t)request->path;
   memcpy(argv + 8, request->macros, sizeof(request->macros)); /* NULL after the last */
   pid_t child = fork();
   if (child == 0) {
      dup2(STDERR_FILENO, STDOUT_FILENO); /* where it writes its errors */
      execvp(argv[0], argv);
      _exit(127);
   }
   int status = -1;
   if (child > 0)
      waitpid(child, &status, 0);
   char *data = status == 0 ? read_source(arena, out, size_B, error) : NULL;
   close(fd);
   return data;
}

const char *
shader_extension(const char *path)
{
   const char *dot = strrchr(path, '.');
   return dot ? dot + 1 : "";
}

/* Task and mesh shaders are of linked programs only. */
bool
shader_stage_of_name(const char *name, enum nir_stage *stage)
{
   for (unsigned i = 0; i < NIR_STAGE_TASK; i++) {
      if (!strcmp(name, nir_stage_files[i])) {
         *stage = (enum nir_stage)i;
         return true;
      }
   }
   return false;
}

/* Whether glslangValidator is given the file; of any other it would say less than errno does. */
static bool
is_glsl_text(const char *path)
{
   struct stat file;
   return access(path, R_OK) == 0 && stat(path, &file) == 0 && !S_ISDIR(file.st_mode);
}

bool
shader_source_load(struct arena *arena, const struct shader_file *request, struct shader_source *source,
                   const char **error)
{
   const char *kind = shader_extension(request->path);
   *source = (struct shader_source){.nir = !strcmp(kind, "nir"),
                                    .aco = !strcmp(kind, "aco"),
                                    .agx = !strcmp(kind, "agx"),
                                    .stage = request->stage,
                                    .chip = request->chip,
                                    .wave_size = request->wave_size ? request->wave_size : 64};
   bool glsl = shader_stage_of_name(kind, &source->stage);
   source->data = glsl && is_glsl_text(request->path) ? compile_glsl(arena, request, &source->size_B, error)
                                                      : read_source(arena, request->path, &source->size_B, error);
   if (source->data && !source->nir && !source->aco && !source->agx && !glsl && request->stage == NIR_STAGES)
      source->stage = spirv_find_stage((const uint32_t *)(void *)source->data, source->size_B / 4);
   return source->data;
}

struct nir_shader *
shader_source_translate(struct arena *arena, const struct shader_source *source, const char **error)
{
   if (source->aco || source->agx)
      return NULL;
   if (source->nir)
      return nir_parse(arena, source->data, error);
   const uint32_t *words = (const uint32_t *)(void *)source->data;
   const uint64_t features = source->chip ? shader_features(source->chip) : SPIRV_FEATURE_ALL;
   const struct spirv_options options = {.stage = source->stage,
                                         .features = features,
                                         .offered = features,
                                         .device = source->chip,
                                         .matrix_subgroup_size = source->wave_size};
   if (source->stage == NIR_STAGES) {
      if (spirv_check(arena, words, source->size_B / 4, error))
         *error = "has no entry point of a shader stage";
      return NULL;
   }
   struct nir_shader *nir = spirv_to_nir(arena, words, source->size_B / 4, &options, error);
   if (nir) {
      nir_lower_input_attachments(nir, false);
      nir_lower_view_index(nir, false, false, 0);
   }
   return nir;
}
