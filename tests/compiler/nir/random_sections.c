#include "random_sections.h"

#include <string.h>

#include "choices.h"
#include "compiler/nir/nir_passes.h"

unsigned
sections_below(struct sections *s, unsigned n)
{
   return choices_below(&s->state, n);
}

struct nir_variable *
sections_variable(struct sections *s)
{
   return s->variables[sections_below(s, SECTIONS_VARIABLES)];
}

struct nir_def *
sections_value(struct sections *s)
{
   return sections_below(s, 3) ? nir_load_var(&s->b, sections_variable(s))
                               : nir_imm_int(&s->b, (int32_t)sections_below(s, 100));
}

struct nir_def *
sections_change(struct sections *s, struct nir_def *old)
{
   struct nir_builder *b = &s->b;
   struct nir_def *words[4];
   for (unsigned i = 0; i < old->num_components; i++)
      words[i] = nir_iadd(b, nir_imul_imm(b, nir_channel(b, old, i), 3), nir_iadd_imm(b, sections_value(s), 1));
   return nir_vec(b, words, old->num_components);
}

static struct nir_def *
condition(struct sections *s)
{
   struct nir_def *bits = nir_iand_imm(&s->b, sections_value(s), 1 + sections_below(s, 7));
   return sections_below(s, 2) ? nir_ieq_imm(&s->b, bits, 0) : nir_ine_imm(&s->b, bits, 0);
}

/* ---- statements ---- */

static void
assign(struct sections *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *x = sections_value(s), *y = sections_value(s), *result;
   switch (sections_below(s, 4)) {
   case 0:
      result = nir_iadd(b, x, y);
      break;
   case 1:
      result = nir_ixor(b, x, y);
      break;
   case 2:
      result = nir_iadd(b, nir_imul_imm(b, x, 3), y);
      break;
   default:
      result = nir_ushr_imm(b, x, 1 + sections_below(s, 3));
      break;
   }
   nir_store_var(b, sections_variable(s), result, 1);
}

/* A statement of the test, if it has one. */
static void
extra(struct sections *s, void (*statement)(struct sections *s))
{
   statement ? statement(s) : assign(s);
}

/* Some invocations end, or become helpers where others of their quad need them. */
static void
end_some(struct sections *s)
{
   struct nir_builder *b = &s->b;
   if (s->uses_quads) {
      nir_demote_if(b, condition(s));
      return;
   }
   s->ends_in_section_loop |= s->in_section && s->loops > s->section_loops;
   if (sections_below(s, 2)) {
      nir_discard_if(b, condition(s));
   } else {
      struct nir_if *nif = nir_push_if(b, condition(s));
      nir_discard(b);
      nir_pop_if(b, nif);
   }
}

static void statements(struct sections *s, unsigned count);
static void loop(struct sections *s);

static void
section(struct sections *s)
{
   nir_begin_invocation_interlock(&s->b);
   s->in_section = true;
   s->section_loops = s->loops;
   s->target->change_words(s);
   if (s->loops_inside)
      loop(s);
   if (s->ends_inside)
      end_some(s);
   statements(s, sections_below(s, 4));
   if (sections_below(s, 2))
      extra(s, s->target->read_words);
   s->in_section = false;
   nir_end_invocation_interlock(&s->b);
}

/* Lanes that skip the branch continue when all in it have ended. */
static void
section_in_branch(struct sections *s)
{
   struct nir_if *nif = nir_push_if(&s->b, condition(s));
   s->depth++;
   statements(s, sections_below(s, 3));
   section(s);
   statements(s, sections_below(s, 3));
   if (sections_below(s, 2)) {
      nir_push_else(&s->b, nif);
      statements(s, sections_below(s, 3));
   }
   s->depth--;
   nir_pop_if(&s->b, nif);
}

static void
branch(struct sections *s)
{
   struct nir_if *nif = nir_push_if(&s->b, condition(s));
   s->depth++;
   statements(s, 1 + sections_below(s, 4));
   if (sections_below(s, 2)) {
      nir_push_else(&s->b, nif);
      statements(s, sections_below(s, 4));
   }
   s->depth--;
   nir_pop_if(&s->b, nif);
}

/* Of up to three turns, by a value. */
static void
loop(struct sections *s)
{
   struct nir_builder *b = &s->b;
   struct nir_variable *counter =
      nir_variable_create(b->shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_UINT, 32, 1), NULL);
   struct nir_def *limit = nir_iand_imm(b, sections_value(s), 3);
   nir_store_var(b, counter, nir_imm_int(b, 0), 1);
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_def *now = nir_load_var(b, counter);
   struct nir_if *done = nir_push_if(b, nir_uge(b, now, limit));
   nir_break(b);
   nir_pop_if(b, done);
   nir_store_var(b, counter, nir_iadd_imm(b, now, 1), 1);
   s->depth++;
   s->loops++;
   statements(s, 1 + sections_below(s, 3));
   if (sections_below(s, s->loops_inside ? 2 : 4) == 0)
      end_some(s);
   if (sections_below(s, 3) == 0) {
      struct nir_if *early = nir_push_if(b, condition(s));
      sections_below(s, 2) ? nir_break(b) : nir_continue(b);
      nir_pop_if(b, early);
   }
   statements(s, sections_below(s, 3));
   s->depth--;
   s->loops--;
   nir_pop_loop(b, loop);
}

/* The rest is for those that do not return here. */
static void
early_return(struct sections *s, unsigned rest)
{
   struct nir_if *nif = nir_push_if(&s->b, condition(s));
   s->depth++;
   statements(s, rest);
   s->depth--;
   nir_pop_if(&s->b, nif);
}

static void
statements(struct sections *s, unsigned count)
{
   while (count--) {
      unsigned kind = sections_below(s, 14);
      bool deeper = s->depth < 3;
      if (s->uses_quads && !s->depth && kind % 4 == 0)
         extra(s, s->target->look_at_quad);
      else if (s->in_section && kind < 4)
         s->target->change_words(s);
      else if (!s->in_section && kind < 4 && !s->single_section)
         section(s);
      else if (kind == 4 && deeper)
         branch(s);
      else if (kind == 5 && deeper && s->loops < 2)
         loop(s);
      else if (kind == 6 && sections_below(s, 3) == 0)
         nir_demote_if(&s->b, condition(s));
      else if (kind == 8 && sections_below(s, 3) == 0)
         end_some(s);
      else if (kind == 7 && !s->in_section && deeper) {
         early_return(s, count);
         return;
      } else if (kind == 13)
         extra(s, s->target->read_constants);
      else
         assign(s);
   }
}

void
sections_emit(struct sections *s, struct nir_def *const values[SECTIONS_VARIABLES])
{
   struct nir_builder *b = &s->b;
   for (unsigned i = 0; i < SECTIONS_VARIABLES; i++) {
      s->variables[i] =
         nir_variable_create(b->shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_UINT, 32, 1), NULL);
      nir_store_var(b, s->variables[i], values[i], 1);
   }
   if (sections_below(s, 2))
      extra(s, s->target->read_constants);
   statements(s, 3 + sections_below(s, 8));
   s->single_section ? section_in_branch(s) : section(s);
   if (sections_below(s, 2))
      extra(s, s->target->read_constants);
   /* What the section has read is used after it: sums, for there is no order any more. */
   for (unsigned i = 0; i < SECTIONS_VARIABLES; i++)
      nir_global_atomic(b, s->address, nir_load_var(b, s->variables[i]), .base = s->sums_B + 4 * (int32_t)i,
                        .atomic_op = NIR_ATOMIC_iadd);
   nir_lower_vars_to_ssa(b->shader);
}

/* ---- in order, by the interpreter ---- */

void
sections_add_quad(struct sections_lanes *lanes, unsigned x, unsigned y, const uint32_t covered[4], uint32_t var0)
{
   const uint32_t any = covered[0] | covered[1] | covered[2] | covered[3];
   for (unsigned i = 0; any && i < 4; i++) {
      uint32_t lane = lanes->count++;
      const float place[4] = {(float)(x + i % 2) + 0.5f, (float)(y + i / 2) + 0.5f, 0.5f, 1.0f};
      memcpy(lanes->sysvals[lane][NIR_INTRINSIC_load_frag_coord - NIR_INTRINSIC_load_vertex_id], place,
             sizeof(place));
      lanes->sysvals[lane][NIR_INTRINSIC_load_sample_mask_in - NIR_INTRINSIC_load_vertex_id][0] = covered[i];
      lanes->inputs[lane][NIR_SLOT_VAR0][0] = var0;
      lanes->helper[lane] = !covered[i];
   }
}

const char *
sections_interpret(struct arena *arena, struct nir_shader *shader, const struct sections_lanes *lanes,
                   struct nir_interp_params params)
{
   params.num_lanes = lanes->count;
   params.subgroup_size = 32;
   params.inputs = lanes->inputs;
   params.sysvals = lanes->sysvals;
   params.helper = lanes->helper;
   return lanes->count ? nir_interp_run(arena, shader, &params).error : NULL;
}
