/* What depth and stencil tests keep, whatever the order of fragments (si_order.h).
 *
 * To a fragment, stencil is a function of the stored value, one of four: of its face, by whether it passes depth.
 * There are 256 values, so who commutes with whom needs no theory: both orders are run from all values at once (loops
 * over bytes, which compilers make vectors of). What depth adds to that are three cases:
 *
 *   It stays as it is, because nobody writes it, or only where it is equal, or nobody passes: each fragment meets the
 *   same depth test whenever it comes, and may pass or fail whatever others do.
 *
 *   The nearest stays. Of two that are nearer than what is there, the farther one passes before the nearer and fails
 *   behind it. Depth is the same in the end if it does not depend on stencil, of all that stencil lets pass; stencil,
 * if its functions commute, and behind somebody who passed it makes no difference whether depth does.
 *
 *   The last stays, or bounds look at what others store: nothing is kept. */
#include <string.h>

#include "gallium/drivers/radeonsi/si_order.h"

/* By stored value, where the first fragment of a pair begins. */
struct values {
   uint8_t of[256];
};

/* A fragment of one face that passes depth or does not. */
struct step {
   enum pipe_stencil_op fail, pass; /* by the stencil test */
   enum pipe_compare compare;
   uint8_t reference, compare_mask, write_mask, max;
   bool passes_depth, changes;
   struct values next, passes; /* all tests: 0 or 0xff */
};

static void
operate(const struct step *step, enum pipe_stencil_op op, const struct values *in, struct values *out)
{
   const uint8_t reference = step->reference, max = step->max;

   switch (op) {
   case PIPE_STENCIL_KEEP:
      *out = *in;
      return;
   case PIPE_STENCIL_ZERO:
      for (unsigned i = 0; i < 256; i++)
         out->of[i] = 0;
      return;
   case PIPE_STENCIL_REPLACE:
      for (unsigned i = 0; i < 256; i++)
         out->of[i] = reference;
      return;
   case PIPE_STENCIL_INCREMENT_CLAMP:
      for (unsigned i = 0; i < 256; i++)
         out->of[i] = (uint8_t)(in->of[i] + (in->of[i] < max));
      return;
   case PIPE_STENCIL_DECREMENT_CLAMP:
      for (unsigned i = 0; i < 256; i++)
         out->of[i] = (uint8_t)(in->of[i] - (in->of[i] > 0));
      return;
   case PIPE_STENCIL_INVERT:
      for (unsigned i = 0; i < 256; i++)
         out->of[i] = (uint8_t)~in->of[i];
      return;
   case PIPE_STENCIL_INCREMENT_WRAP:
      for (unsigned i = 0; i < 256; i++)
         out->of[i] = (uint8_t)(in->of[i] + 1);
      return;
   case PIPE_STENCIL_DECREMENT_WRAP:
      for (unsigned i = 0; i < 256; i++)
         out->of[i] = (uint8_t)(in->of[i] - 1);
      return;
   }
}

static void
run(const struct step *step, const struct values *in, struct values *next, struct values *passes)
{
   const uint8_t less = step->compare & PIPE_COMPARE_LESS ? 0xff : 0;
   const uint8_t equal = step->compare & PIPE_COMPARE_EQUAL ? 0xff : 0;
   const uint8_t greater = step->compare & PIPE_COMPARE_GREATER ? 0xff : 0;
   const uint8_t compare_mask = step->compare_mask, reference = step->reference & compare_mask;
   const uint8_t write_mask = step->write_mask, depth = step->passes_depth ? 0xff : 0;
   struct values fail, pass;

   operate(step, step->fail, in, &fail);
   operate(step, step->pass, in, &pass);
   for (unsigned i = 0; i < 256; i++) {
      uint8_t stored = in->of[i] & compare_mask;
      uint8_t test = reference < stored ? less : reference > stored ? greater : equal;

      next->of[i] = (((pass.of[i] & test) | (fail.of[i] & ~test)) & write_mask) | (in->of[i] & ~write_mask);
      passes->of[i] = test & depth;
   }
}

static bool
may_both_pass(const struct step *a, const struct step *b)
{
   uint8_t both = 0;

   for (unsigned i = 0; i < 256; i++)
      both |= a->passes.of[i] & b->passes.of[i];
   return both;
}

/* What the pair leaves the same at a depth that stays, from every value: enum si_order bits. */
static unsigned
exchange(const struct step *a, const struct step *b)
{
   uint8_t stencil = 0, any = 0, count = 0, set = 0, last = 0, both = 0;
   struct values a_b, b_a, passes_second[2];

   if (!a->changes && !b->changes)
      return SI_ORDER_DEPTH_STENCIL | SI_ORDER_ANY | SI_ORDER_COUNT | SI_ORDER_SET |
             (may_both_pass(a, b) ? 0 : SI_ORDER_LAST | SI_ORDER_SEQUENCE);
   run(b, &a->next, &a_b, &passes_second[1]);
   run(a, &b->next, &b_a, &passes_second[0]);
   for (unsigned i = 0; i < 256; i++) {
      uint8_t a1 = a->passes.of[i], b1 = passes_second[1].of[i]; /* in the order a, b */
      uint8_t a2 = passes_second[0].of[i], b2 = b->passes.of[i]; /* in the order b, a */

      stencil |= a_b.of[i] ^ b_a.of[i];
      any |= (a1 | b1) ^ (a2 | b2);
      count |= ((a1 | b1) ^ (a2 | b2)) | (a1 ^ b1 ^ a2 ^ b2);
      set |= (a1 ^ a2) | (b1 ^ b2);
      last |= ((a1 & ~b1) ^ a2) | (b1 ^ (b2 & ~a2));
      both |= a1 & b1;
   }
   return (stencil ? 0 : SI_ORDER_DEPTH_STENCIL) | (any ? 0 : SI_ORDER_ANY) | (count ? 0 : SI_ORDER_COUNT) |
          (set ? 0 : SI_ORDER_SET) | (last ? 0 : SI_ORDER_LAST) | (set | both ? 0 : SI_ORDER_SEQUENCE);
}

struct tests {
   struct step steps[2][2]; /* by face, and whether depth passes */
   unsigned faces;          /* that differ */
   bool depth[2];           /* may it fail, may it pass? */
   bool writes, ordered;    /* depth: if it passes; and then the nearest one stays, whoever comes first */
   bool bounds, no_ties;
   bool at_most_one;  /* passes the depth test */
   unsigned possible; /* to keep */
};

static const struct step *
step_of(const struct tests *t, unsigned i)
{
   return &t->steps[i / 2][i & 1];
}

static bool
same_function(const struct step *a, const struct step *b)
{
   return !memcmp(&a->next, &b->next, sizeof(a->next)) && !memcmp(&a->passes, &b->passes, sizeof(a->passes));
}

static unsigned
kept_at_constant_depth(const struct tests *t)
{
   const struct step *steps[4];
   unsigned num = 0, kept = SI_ORDER_ALL;

   for (unsigned i = 0; i < 2 * t->faces; i++) {
      bool is_new = t->depth[i & 1];

      for (unsigned j = 0; j < num; j++)
         is_new &= !same_function(steps[j], step_of(t, i));
      if (is_new)
         steps[num++] = step_of(t, i);
   }
   for (unsigned i = 0; i < num; i++)
      for (unsigned j = i; j < num; j++) {
         kept &= exchange(steps[i], steps[j]) |
                 (t->at_most_one && steps[i]->passes_depth && steps[j]->passes_depth ? SI_ORDER_LAST : 0);
         if (!(kept & SI_ORDER_DEPTH_STENCIL))
            return 0;
      }
   return kept;
}

static bool
may_pass(const struct tests *t)
{
   return t->depth[true] && (may_both_pass(&t->steps[0][true], &t->steps[0][true]) ||
                             may_both_pass(&t->steps[t->faces - 1][true], &t->steps[t->faces - 1][true]));
}

/* Where a fragment passed, is it the same to stencil whether the next one, of either face, passes depth? */
static bool
is_blind_behind(const struct tests *t, const struct step *first)
{
   uint8_t differs = 0;

   for (unsigned face = 0; face < t->faces; face++) {
      struct values next[2], passes;

      for (unsigned depth = 0; depth < 2; depth++)
         run(&t->steps[face][depth], &first->next, &next[depth], &passes);
      for (unsigned i = 0; i < 256; i++)
         differs |= first->passes.of[i] & (next[0].of[i] ^ next[1].of[i]);
   }
   return !differs;
}

static unsigned
kept(const struct tests *t)
{
   unsigned constant = kept_at_constant_depth(t) & t->possible;

   if (!constant || !t->writes || !may_pass(t))
      return constant;
   if (!t->ordered || t->bounds || !(constant & SI_ORDER_SET) || !is_blind_behind(t, &t->steps[0][true]) ||
       !is_blind_behind(t, &t->steps[t->faces - 1][true]))
      return 0;
   return SI_ORDER_DEPTH_STENCIL | SI_ORDER_ANY | (t->no_ties ? SI_ORDER_LAST : 0);
}

static void
init_step(struct step *step, const struct si_order_tests *tests, unsigned face, bool passes_depth)
{
   const struct pipe_stencil_face *f = &tests->faces[face].face;
   struct values start;

   step->fail = f->fail;
   step->pass = passes_depth ? f->pass : f->depth_fail;
   step->compare = f->compare;
   step->max = tests->stencil_max;
   step->reference = tests->faces[face].reference & step->max;
   step->compare_mask = tests->faces[face].compare_mask & step->max;
   step->write_mask = tests->faces[face].write_mask & step->max;
   step->passes_depth = passes_depth;
   for (unsigned i = 0; i < 256; i++)
      start.of[i] = i & step->max;
   run(step, &start, &step->next, &step->passes);
   step->changes = memcmp(&step->next, &start, sizeof(start)) != 0;
}

/* Fragments that bring references along: these must not matter to stencil, nor stencil to who passes: then who
 * does not is as good as not there. What may be kept; the tests are left without. */
static unsigned
settle_own_references(struct si_order_tests *tests, const bool depth[2])
{
   uint8_t changed = 0, compared = 0;
   bool matters = false;

   for (unsigned i = 0; i < 2; i++) {
      struct pipe_stencil_face *f = &tests->faces[i].face;

      if (!(tests->faces[i].compare_mask & tests->stencil_max))
         f->compare = f->compare & PIPE_COMPARE_EQUAL ? PIPE_COMPARE_ALWAYS : PIPE_COMPARE_NEVER;
      const bool may_fail = f->compare != PIPE_COMPARE_ALWAYS, may_pass = f->compare != PIPE_COMPARE_NEVER;
      const struct {
         bool reached;
         enum pipe_stencil_op op;
      } all[] = {{may_fail, f->fail}, {may_pass && depth[false], f->depth_fail}, {may_pass && depth[true], f->pass}};

      for (unsigned j = 0; tests->faces[i].write_mask & tests->stencil_max && j < 3; j++)
         if (all[j].reached) {
            changed |= all[j].op != PIPE_STENCIL_KEEP ? tests->faces[i].write_mask & tests->stencil_max : 0;
            matters |= all[j].op == PIPE_STENCIL_REPLACE || (may_fail && all[j].op != f->fail);
         }
      if (may_fail && may_pass) {
         compared |= depth[true] ? tests->faces[i].compare_mask : 0;
         f->compare = PIPE_COMPARE_ALWAYS;
      }
   }
   return matters ? 0 : changed & compared ? SI_ORDER_DEPTH_STENCIL : SI_ORDER_ALL;
}

static unsigned
kept_without_stencil(const struct tests *t)
{
   if (!t->depth[true])
      return SI_ORDER_ALL;
   if (!t->writes)
      return SI_ORDER_DEPTH_STENCIL | SI_ORDER_ANY | SI_ORDER_COUNT | SI_ORDER_SET |
             (t->at_most_one ? SI_ORDER_LAST : 0);
   if (!t->ordered || t->bounds)
      return 0;
   return SI_ORDER_DEPTH_STENCIL | SI_ORDER_ANY | (t->no_ties ? SI_ORDER_LAST : 0);
}

static bool
same_faces(const struct si_order_tests *tests)
{
   const struct pipe_stencil_face *a = &tests->faces[0].face, *b = &tests->faces[1].face;

   return a->fail == b->fail && a->depth_fail == b->depth_fail && a->pass == b->pass && a->compare == b->compare &&
          tests->faces[0].reference == tests->faces[1].reference &&
          tests->faces[0].compare_mask == tests->faces[1].compare_mask &&
          tests->faces[0].write_mask == tests->faces[1].write_mask;
}

unsigned
si_order_kept(const struct si_order_tests *tests)
{
   enum pipe_compare compare = tests->depth_test ? tests->depth_compare : PIPE_COMPARE_ALWAYS;
   struct si_order_tests settled = *tests;
   struct tests t;

   t.depth[false] = compare != PIPE_COMPARE_ALWAYS;
   t.depth[true] = compare != PIPE_COMPARE_NEVER;
   t.writes = tests->depth_test && tests->depth_write && compare != PIPE_COMPARE_EQUAL;
   t.ordered = compare != PIPE_COMPARE_NOT_EQUAL && compare != PIPE_COMPARE_ALWAYS;
   t.bounds = tests->depth_bounds;
   t.no_ties = tests->assume_no_z_fights;
   t.at_most_one = tests->assume_no_z_fights && compare == PIPE_COMPARE_EQUAL;
   if (!tests->stencil_test)
      return kept_without_stencil(&t);
   t.possible = tests->stencil_export ? settle_own_references(&settled, t.depth) : SI_ORDER_ALL;
   t.faces = same_faces(&settled) ? 1 : 2;
   for (unsigned face = 0; face < t.faces; face++)
      for (unsigned depth = 0; depth < 2; depth++)
         if (t.depth[depth])
            init_step(&t.steps[face][depth], &settled, face, depth);
   return kept(&t);
}
