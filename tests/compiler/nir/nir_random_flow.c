/* Control flow of random shaders. */
#include "nir_random_internal.h"

#include "compiler/nir/nir_cf.h"

void
gen_if(struct generator *g)
{
   unsigned visible = g->count;
   struct nir_if *nif = nir_push_if(&g->b, pick(g, 1, 1));
   g->depth++;
   struct nir_def *values[2][3];
   static const uint8_t bits[3] = {32, 1, 32};
   unsigned components[3] = {1, 1, random_components(g)};
   for (unsigned side = 0; side < 2; side++) {
      if (side)
         nir_push_else(&g->b, nif);
      gen_statements(g, below(g, 6));
      for (unsigned i = 0; i < 3; i++)
         values[side][i] = pick(g, bits[i], components[i]);
      if (g->options->halts && !side && below(g, 6) == 0)
         nir_halt(&g->b);
      g->count = visible;
   }
   nir_pop_if(&g->b, nif);
   g->depth--;
   for (unsigned i = 0; i < 3; i++)
      add(g, nir_if_phi(&g->b, values[0][i], values[1][i]));
}

/* After a side that does not come back: what this one makes can be used after the if. */
static void
gen_other_side(struct generator *g, struct nir_if *nif)
{
   if (!g->options->endless || below(g, 3) == 0)
      return;
   nir_push_else(&g->b, nif);
   g->depth++;
   gen_statements(g, 1 + below(g, 4));
   g->depth--;
}

/* for (i = 0, x = seed; i < n && !(some condition); i++) { ...; x = ...; if (...) continue } */
void
gen_loop(struct generator *g)
{
   struct nir_builder *b = &g->b;
   unsigned visible = g->count;
   struct nir_def *zero = nir_imm_int(b, 0), *start = pick(g, 32, 1);
   struct nir_def *limit = below(g, 2) ? nir_imm_int(b, (int32_t)below(g, 5)) : nir_iand_imm(b, pick(g, 32, 1), 7);
   struct nir_block *before = b->cursor.block;
   struct nir_loop *loop = nir_push_loop(b);
   before = nir_cf_block_before(&loop->cf);
   g->depth++;
   g->loops++;
   struct nir_phi_instr *i = nir_build_phi(b, 1, 32), *x = nir_build_phi(b, 1, 32);
   b->cursor = nir_before_block(b->cursor.block);
   nir_phi_add_src(b->shader, i, before, zero);
   nir_phi_add_src(b->shader, x, before, start);
   add(g, &i->def);
   add(g, &x->def);
   struct nir_if *leave = nir_push_if(b, nir_uge(b, &i->def, limit));
   nir_break(b);
   nir_pop_if(b, leave);
   gen_statements(g, below(g, 5));
   if (g->options->discards && below(g, 2))
      gen_discard(g);
   struct nir_def *next = nir_iadd_imm(b, &i->def, 1), *x_next;
   if (below(g, 3) == 0) {
      struct nir_if *early = nir_push_if(b, pick(g, 1, 1));
      x_next = pick(g, 32, 1);
      nir_phi_add_src(b->shader, i, b->cursor.block, next);
      nir_phi_add_src(b->shader, x, b->cursor.block, x_next);
      nir_continue(b);
      gen_other_side(g, early);
      nir_pop_if(b, early);
   }
   if (below(g, 3) == 0) {
      struct nir_if *early = nir_push_if(b, pick(g, 1, 1));
      nir_break(b);
      gen_other_side(g, early);
      nir_pop_if(b, early);
   }
   gen_statements(g, below(g, 4));
   x_next = pick(g, 32, 1);
   nir_phi_add_src(b->shader, i, b->cursor.block, next);
   nir_phi_add_src(b->shader, x, b->cursor.block, x_next);
   nir_pop_loop(b, loop);
   g->depth--;
   g->loops--;
   g->count = visible;
   add(g, &i->def);
   add(g, &x->def);
}

/* False in all lanes, which nothing but running it shows; uniform or not. */
static struct nir_def *
gen_never(struct generator *g)
{
   struct nir_builder *b = &g->b;
   struct nir_def *small = nir_umod_imm(b, pick(g, 32, 1), 60);
   if (below(g, 3))
      small = nir_umax(b, g->lane, small);
   else
      small = nir_umod_imm(b, nir_load_ssbo(b, 1, 32, g->in, nir_imm_int(b, 4), .align_mul = 4), 60);
   return nir_uge(b, small, nir_imm_int(b, 64 + (int32_t)below(g, 64)));
}

/* while (true), with all that a body may hold but a break. `entered`: the lanes that come end there. */
static void
gen_loop_for_ever(struct generator *g, bool entered)
{
   struct nir_builder *b = &g->b;
   struct nir_loop *loop = nir_push_loop(b);
   g->loops++;
   if (below(g, 2))
      gen_statements(g, below(g, 4));
   if (entered)
      nir_discard_if(b, below(g, 2) ? nir_imm_bool(b, true) : nir_inot(b, gen_never(g)));
   if (below(g, 3) == 0) {
      struct nir_if *some = nir_push_if(b, pick(g, 1, 1));
      if (below(g, 2))
         nir_continue(b);
      else if (!entered)
         gen_loop_for_ever(g, false);
      nir_pop_if(b, some);
   }
   nir_pop_loop(b, loop);
   g->loops--;
}

/* Lanes that part, of which some would go into a loop without exit; code after such a loop; phis of both sides. */
void
gen_endless(struct generator *g)
{
   struct nir_builder *b = &g->b;
   unsigned visible = g->count, side = below(g, 2);
   bool entered = g->options->discards && below(g, 2);
   struct nir_def *values[2], *some = entered ? nir_ieq_imm(b, g->lane, below(g, 64)) : gen_never(g);
   struct nir_if *nif = nir_push_if(b, side ? nir_inot(b, some) : some);
   g->depth++;
   for (unsigned i = 0; i < 2; i++) {
      if (i)
         nir_push_else(b, nif);
      gen_statements(g, below(g, 3));
      values[i] = pick(g, 32, 1);
      if (i == side)
         gen_loop_for_ever(g, entered);
      if (below(g, 2))
         gen_statements(g, below(g, 3));
      if (i == side || side)
         g->count = visible;
   }
   nir_pop_if(b, nif);
   g->depth--;
   add(g, nir_if_phi(b, values[0], values[1]));
}

struct nir_def *
gen_nest(struct generator *g, unsigned levels, struct nir_def *sum)
{
   struct nir_builder *b = &g->b;
   struct nir_def *odd = nir_iand_imm(b, nir_ushr_imm(b, g->lane, below(g, 6)), below(g, 6) == 0);
   struct nir_def *turns = nir_iadd_imm(b, nir_iand(b, odd, nir_imm_int(b, 1)), 1), *zero = nir_imm_int(b, 0);
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_phi_instr *i = nir_build_phi(b, 1, 32), *x = nir_build_phi(b, 1, 32);
   b->cursor = nir_before_block(b->cursor.block);
   nir_phi_add_src(b->shader, i, nir_cf_block_before(&loop->cf), zero);
   nir_phi_add_src(b->shader, x, nir_cf_block_before(&loop->cf), sum);
   struct nir_if *leave = nir_push_if(b, nir_uge(b, &i->def, turns));
   nir_break(b);
   nir_pop_if(b, leave);
   sum = nir_iadd(b, nir_imul_imm(b, &x->def, 3), levels % 4 ? g->lane : pick(g, 32, 1));
   if (levels)
      sum = gen_nest(g, levels - 1, sum);
   if (g->options->discards && below(g, 8) == 0)
      gen_discard(g);
   nir_phi_add_src(b->shader, i, b->cursor.block, nir_iadd_imm(b, &i->def, 1));
   nir_phi_add_src(b->shader, x, b->cursor.block, sum);
   nir_pop_loop(b, loop);
   return &x->def;
}
