/* Random fragment shaders with ordered sections, of both back ends' tests: sections in any control flow, invocations
 * that end or become helpers before, in and after them. How a pixel's words are reached is up to the test. Also the
 * interpreter's lanes for one primitive of such a shader. Seeded. */
#ifndef INDIUM_TESTS_RANDOM_SECTIONS_H
#define INDIUM_TESTS_RANDOM_SECTIONS_H

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_interp.h"

enum { SECTIONS_VARIABLES = 3, SECTIONS_MAX_LANES = 14 * 14 * 4 };

struct sections;

/* Statements of the test; each draws from sections_below(). NULL: a plain assignment instead. */
struct sections_target {
   void (*change_words)(struct sections *s);   /* in a section: loads, changes and stores some of the pixel's words */
   void (*read_words)(struct sections *s);     /* at a section's end: loads words without changing them */
   void (*read_constants)(struct sections *s); /* anywhere: loads memory that nobody writes */
   void (*look_at_quad)(struct sections *s);   /* where all lanes of a quad are active: reads its other lanes */
};

/* The first member of a test's generator. */
struct sections {
   struct nir_builder b;
   uint64_t state; /* of the random numbers: the seed */
   const struct sections_target *target;
   struct nir_def *address;   /* of the pixel's words, 64 bits */
   int32_t sums_B;            /* from there: words to which the variables are added after the sections */
   bool single_section;       /* one, in a branch; else any number */
   bool loops_inside;         /* each section has a loop */
   bool ends_inside;          /* invocations end in each section, outside of its loops */
   bool uses_quads;           /* look_at_quad occurs; then invocations become helpers instead of ending */
   bool ends_in_section_loop; /* out: an invocation may end in a loop of a section */
   struct nir_variable *variables[SECTIONS_VARIABLES]; /* of 32 bits */
   unsigned depth, loops;                              /* of the statement: enclosing branches and loops; loops */
   bool in_section;
   unsigned section_loops; /* loops when the section began */
};

unsigned sections_below(struct sections *s, unsigned n);
struct nir_variable *sections_variable(struct sections *s);
struct nir_def *sections_value(struct sections *s);

/* For each component: old * 3 + value + 1. Any other order of the sections gives other words. */
struct nir_def *sections_change(struct sections *s, struct nir_def *old);

/* The rest of the shader, after what the members need: variables with these values, statements with sections, the
 * sums. The shader is in SSA form then. */
void sections_emit(struct sections *s, struct nir_def *const values[SECTIONS_VARIABLES]);

/* ---- in order, by the interpreter ---- */

/* The quads of one primitive. */
struct sections_lanes {
   uint32_t count;
   uint32_t sysvals[SECTIONS_MAX_LANES][NIR_INTERP_SYSVALS][4];
   uint32_t inputs[SECTIONS_MAX_LANES][NIR_SLOT_COUNT][4];
   bool helper[SECTIONS_MAX_LANES];
};

/* Adds the quad at (x, y) px, unless no pixel is covered. covered: each pixel's samples, 0 makes a helper. var0: the
 * bits of VAR0.x. */
void sections_add_quad(struct sections_lanes *lanes, unsigned x, unsigned y, const uint32_t covered[4],
                       uint32_t var0);

/* Runs the shader for the lanes; buffers and arguments are those of params. NULL, or what went wrong. */
const char *sections_interpret(struct arena *arena, struct nir_shader *shader, const struct sections_lanes *lanes,
                               struct nir_interp_params params);

#endif
