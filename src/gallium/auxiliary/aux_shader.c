#include "gallium/auxiliary/aux_shader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/nir/nir.h"
#include "util/log.h"

bool
aux_shader_fits(const struct nir_shader *nir, uint32_t max_workgroup_invocations, uint32_t max_shared_B,
                const char **error)
{
   const uint32_t *size = nir->info.workgroup_size;
   uint64_t invocations = (uint64_t)size[0] * size[1] * size[2];

   if (invocations > max_workgroup_invocations)
      *error = arena_printf(nir->arena, "a workgroup of %u x %u x %u = %" PRIu64 " invocations, and %u are the limit",
                            size[0], size[1], size[2], invocations, max_workgroup_invocations);
   else if (nir->info.shared_B > max_shared_B)
      *error = arena_printf(nir->arena, "%u bytes of shared memory in a workgroup, and %u are the limit",
                            nir->info.shared_B, max_shared_B);
   return !*error;
}

char *
aux_nir_text(struct nir_shader *const *shaders, unsigned count)
{
   char *text = NULL;
   size_t size_B;
   FILE *file = open_memstream(&text, &size_B);

   if (!file)
      return NULL;
   for (unsigned i = 0; i < count; i++)
      nir_print(shaders[i], file);
   fclose(file);
   return text;
}

void
aux_nir_print(struct nir_shader *nir)
{
   char *text = debug_flag(DEBUG_NIR) ? aux_nir_text(&nir, 1) : NULL;

   if (text)
      fputs(text, stderr);
   free(text);
}
