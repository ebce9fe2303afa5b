/* What the files of the generator share. */
#ifndef INDIUM_TESTS_NIR_RANDOM_INTERNAL_H
#define INDIUM_TESTS_NIR_RANDOM_INTERNAL_H

#include "nir_random.h"

#include "compiler/nir/nir_builder.h"

#define MAX_POOL 512
#define NUM_VARIABLES 4
#define MAX_TABLES 3

struct generator {
   const struct nir_random_options *options;
   struct nir_builder b;
   uint64_t state;
   struct nir_def *pool[MAX_POOL]; /* values that dominate the cursor */
   unsigned count;
   struct nir_def *in, *out, *lane;
   struct nir_variable *variables[NUM_VARIABLES], *shared;
   struct nir_variable *tables[MAX_TABLES];
   unsigned num_tables;
   uint64_t table_state; /* a sequence of its own: programs without tables stay as they are */
   unsigned depth, loops, stores;
};

static inline uint32_t
below(struct generator *g, uint32_t limit)
{
   return nir_random_next(&g->state) % limit;
}

static inline void
add(struct generator *g, struct nir_def *def)
{
   if (g->count == MAX_POOL)
      g->pool[below(g, MAX_POOL)] = def;
   else
      g->pool[g->count++] = def;
}

/* A scalar or vector of the shape: out of the pool, cut out of a vector, converted, or a constant. */
struct nir_def *pick(struct generator *g, unsigned bits, unsigned components);
unsigned random_components(struct generator *g);
void gen_statements(struct generator *g, unsigned count);
/* Some lanes end or become helpers. */
void gen_discard(struct generator *g);

/* nir_random_matrix.c */
void gen_matrix(struct generator *g);

/* nir_random_tables.c */
void create_tables(struct generator *g);
bool gen_table(struct generator *g); /* false: not this time */

/* nir_random_flow.c */
void gen_if(struct generator *g);
void gen_loop(struct generator *g);
/* Lanes that part, of which some would go into a loop without exit. */
void gen_endless(struct generator *g);
/* Loops over lanes, each inside the one before; few lanes take a second turn. Returns a sum. */
struct nir_def *gen_nest(struct generator *g, unsigned levels, struct nir_def *sum);

#endif
