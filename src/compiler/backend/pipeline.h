/* What the compilers of all GPUs have around their phases: the order, the checks between them, the texts after them.
 */
#ifndef INDIUM_COMPILER_BACKEND_PIPELINE_H
#define INDIUM_COMPILER_BACKEND_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct arena;

/* A row of a compiler's table begins with it. */
struct backend_phase {
   const char *name;
   bool optional; /* left out with no_optimise */
};

struct backend_pipeline {
   const void *rows; /* `count` of row_B bytes each, fewer than 31 */
   size_t row_B;
   unsigned count;
   /* Of a program of the compiler and a row; errors are sentences in its arena, NULL: none. The first row's phase is
    * done before the pipeline starts. */
   const char *(*run)(void *program, const void *row);
   const char *(*check)(void *program, const void *row);
   /* The program as text that says which phase it is after. */
   void (*print)(void *program, const char *phase, FILE *file);
};

struct backend_options {
   bool validate;        /* run the checks */
   bool no_optimise;     /* leave out optional phases */
   const char *print_ir; /* phases with commas between: their texts are appended to *ir; NULL: none */
   const char **ir;
};

/* The row that the first `length` characters name; pipeline->count: none. */
unsigned backend_find_phase(const struct backend_pipeline *pipeline, const char *name, size_t length);

/* Whether the list is one for print_ir. */
bool backend_has_phases(const struct backend_pipeline *pipeline, const char *list);

/* Takes the programs of a shader through all phases after `done`, each through one before the next, and through the
 * checks of `done`, too. NULL or what is wrong, in the arena. */
const char *backend_run(const struct backend_pipeline *pipeline, const struct backend_options *options,
                        struct arena *arena, void *const programs[], unsigned num_programs, unsigned done);

#endif
