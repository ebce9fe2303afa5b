#include "compiler/backend/pipeline.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/arena.h"

static const struct backend_phase *
row_of(const struct backend_pipeline *pipeline, unsigned i)
{
   return (const struct backend_phase *)((const char *)pipeline->rows + i * pipeline->row_B);
}

unsigned
backend_find_phase(const struct backend_pipeline *pipeline, const char *name, size_t length)
{
   unsigned i = 0;
   while (i < pipeline->count &&
          (strlen(row_of(pipeline, i)->name) != length || strncmp(row_of(pipeline, i)->name, name, length)))
      i++;
   return i;
}

/* As bits; that of pipeline->count: some name is wrong. */
static uint32_t
phases_of_list(const struct backend_pipeline *pipeline, const char *list)
{
   uint32_t set = 0;
   for (size_t length; list; list = list[length] ? list + length + 1 : NULL) {
      length = strcspn(list, ",");
      set |= 1u << backend_find_phase(pipeline, list, length);
   }
   return set;
}

bool
backend_has_phases(const struct backend_pipeline *pipeline, const char *list)
{
   return !(phases_of_list(pipeline, list) >> pipeline->count);
}

static void
append_text(const struct backend_pipeline *pipeline, struct arena *arena, void *program, const char *phase,
            const char **ir)
{
   char *text = NULL;
   size_t size;
   FILE *file = open_memstream(&text, &size);
   fprintf(file, "%s", *ir ? *ir : "");
   pipeline->print(program, phase, file);
   fclose(file);
   *ir = arena_strdup(arena, text);
   free(text);
}

const char *
backend_run(const struct backend_pipeline *pipeline, const struct backend_options *options, struct arena *arena,
            void *const programs[], unsigned num_programs, unsigned done)
{
   const uint32_t printed = phases_of_list(pipeline, options->print_ir);
   if (!backend_has_phases(pipeline, options->print_ir))
      return arena_printf(arena, "no such phases: %s", options->print_ir);
   for (unsigned i = done; i < pipeline->count; i++) {
      const struct backend_phase *phase = row_of(pipeline, i);
      const bool runs = i > done && !(phase->optional && options->no_optimise);
      /* What a text does not hold any more is told by the text. */
      const bool wanted = i > done ? printed >> i & 1 : (printed & ((2u << i) - 1)) != 0;
      for (unsigned k = 0; k < num_programs; k++) {
         const char *error = runs ? pipeline->run(programs[k], phase) : NULL;
         const char *fault = options->validate && !error ? pipeline->check(programs[k], phase) : NULL;
         if (fault)
            error = arena_printf(arena, "after %s: %s", phase->name, fault);
         if (error)
            return error;
         if (wanted)
            append_text(pipeline, arena, programs[k], phase->name, options->ir);
      }
   }
   return NULL;
}
