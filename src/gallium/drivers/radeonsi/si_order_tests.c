/* What depth and stencil tests keep, whatever the order of fragments (si_order.h). To a fragment, stencil is a
 * function of the stored value; depth lets it pass, fail, or be rejected by its bounds. */
#include <string.h>

#include "gallium/drivers/radeonsi/si_order.h"

/* What one operation does to the stored value under its write mask. Operations that look at no other bit than they
 * write are three masks, which tells exactly who commutes with whom. */
struct action {
   uint8_t clear, set, flip;
   enum { BITS, WRAP_UP, WRAP_DOWN, CLAMP_UP, CLAMP_DOWN, OWN_REFERENCE } kind;
   uint8_t mask; /* written; 0 where kind is BITS */
};

/* Of one face, in which what cannot happen is gone: tests that always end the same way are none, and operations that
 * are not reached keep the value. */
struct face {
   bool may_fail, may_pass; /* the stencil test */
   bool own_reference;      /* and that compares with something else for every fragment */
   enum pipe_compare compare;
   uint8_t reference, compare_mask; /* 0 where the test is none */
   struct action fail, behind[2];   /* behind the stencil test, by whether the depth test passes */
};

static bool
keeps(const struct action *a)
{
   return a->kind == BITS && !(a->clear | a->set | a->flip);
}

static struct action
action(const struct si_order_tests *tests, unsigned face, enum pipe_stencil_op op)
{
   uint8_t mask = tests->faces[face].write_mask & tests->stencil_max, reference = tests->faces[face].reference;
   struct action a = {0};

   if (!mask)
      return a;
   switch (op) {
   case PIPE_STENCIL_KEEP:
      return a;
   case PIPE_STENCIL_ZERO:
      a.clear = mask;
      return a;
   case PIPE_STENCIL_REPLACE:
      if (!tests->stencil_export) {
         a.set = mask & reference;
         a.clear = mask & (uint8_t)~reference;
         return a;
      }
      a.kind = OWN_REFERENCE;
      break;
   case PIPE_STENCIL_INVERT:
      a.flip = mask;
      return a;
   case PIPE_STENCIL_INCREMENT_CLAMP:
      a.kind = CLAMP_UP;
      break;
   case PIPE_STENCIL_DECREMENT_CLAMP:
      a.kind = CLAMP_DOWN;
      break;
   case PIPE_STENCIL_INCREMENT_WRAP:
   case PIPE_STENCIL_DECREMENT_WRAP:
      if (mask == 1) { /* counting of bit 0 alone */
         a.flip = mask;
         return a;
      }
      a.kind = op == PIPE_STENCIL_INCREMENT_WRAP ? WRAP_UP : WRAP_DOWN;
      break;
   }
   a.mask = mask;
   return a;
}

/* Bits from the lowest to the highest that is set. */
static bool
is_one_run(uint8_t mask)
{
   return !(mask & (mask + (mask & -mask)));
}

static bool
same_action(const struct action *a, const struct action *b)
{
   return a->clear == b->clear && a->set == b->set && a->flip == b->flip && a->kind == b->kind && a->mask == b->mask;
}

/* Counting that wraps looks at the bits that it writes and those below, clamps look at all. */
static bool
counting_commutes(const struct action *counts, const struct action *bits, uint8_t max)
{
   uint8_t touched = bits->clear | bits->set | bits->flip;

   if (counts->kind == WRAP_UP || counts->kind == WRAP_DOWN)
      return (1u << __builtin_ctz(touched)) > counts->mask;
   /* What a clamp stops at it keeps. */
   return counts->mask == max &&
          ((counts->kind == CLAMP_UP && bits->set == max) || (counts->kind == CLAMP_DOWN && bits->clear == max));
}

static bool
actions_commute(const struct action *a, const struct action *b, uint8_t max)
{
   if (keeps(a) || keeps(b))
      return true;
   if (a->kind == BITS && b->kind == BITS)
      return !(a->clear & b->set) && !(a->set & b->clear) && !((a->clear | a->set) & b->flip) &&
             !(a->flip & (b->clear | b->set));
   if (a->kind == BITS)
      return counting_commutes(b, a, max);
   if (b->kind == BITS)
      return counting_commutes(a, b, max);
   if (a->kind == OWN_REFERENCE || b->kind == OWN_REFERENCE)
      return false;
   if (same_action(a, b))
      return true;
   /* Both add, modulo a power of two, what bits below the run decide. */
   return a->mask == b->mask && is_one_run(a->mask) && a->kind <= WRAP_DOWN && b->kind <= WRAP_DOWN;
}

/* Does the fragment of that depth change stencil? */
static bool
is_identity(const struct face *f, bool passes_depth)
{
   return (!f->may_fail || keeps(&f->fail)) && (!f->may_pass || keeps(&f->behind[passes_depth]));
}

static bool
is_unconditional(const struct face *f, bool passes_depth)
{
   return !f->may_fail || !f->may_pass || (!f->own_reference && same_action(&f->fail, &f->behind[passes_depth]));
}

static bool
same_function(const struct face *a, bool passes_a, const struct face *b, bool passes_b)
{
   return !a->own_reference && !b->own_reference && a->compare == b->compare && a->reference == b->reference &&
          a->compare_mask == b->compare_mask && same_action(&a->fail, &b->fail) && a->fail.kind != OWN_REFERENCE &&
          same_action(&a->behind[passes_a], &b->behind[passes_b]) && a->behind[passes_a].kind != OWN_REFERENCE;
}

static bool
functions_commute(const struct face *a, bool passes_a, const struct face *b, bool passes_b, uint8_t max)
{
   if (is_identity(a, passes_a) || is_identity(b, passes_b) || same_function(a, passes_a, b, passes_b))
      return true;
   return is_unconditional(a, passes_a) && is_unconditional(b, passes_b) &&
          actions_commute(a->may_pass ? &a->behind[passes_a] : &a->fail,
                          b->may_pass ? &b->behind[passes_b] : &b->fail, max);
}

/* A comparison that the reference decides alone is none. */
static enum pipe_compare
stencil_compare(const struct si_order_tests *tests, unsigned face)
{
   enum pipe_compare compare = tests->faces[face].face.compare;
   uint8_t mask = tests->faces[face].compare_mask & tests->stencil_max;
   uint8_t reference = tests->faces[face].reference & mask;

   if (!tests->stencil_test)
      return PIPE_COMPARE_ALWAYS;
   if (tests->stencil_export)
      return compare;
   if (!mask)
      return compare & PIPE_COMPARE_EQUAL ? PIPE_COMPARE_ALWAYS : PIPE_COMPARE_NEVER;
   if ((compare == PIPE_COMPARE_LESS && reference == mask) || (compare == PIPE_COMPARE_GREATER && !reference))
      return PIPE_COMPARE_NEVER;
   if ((compare == PIPE_COMPARE_LESS_OR_EQUAL && !reference) ||
       (compare == PIPE_COMPARE_GREATER_OR_EQUAL && reference == mask))
      return PIPE_COMPARE_ALWAYS;
   return compare;
}

static struct face
face(const struct si_order_tests *tests, unsigned i, bool may_pass_depth, bool may_fail_depth)
{
   const struct pipe_stencil_face *ops = &tests->faces[i].face;
   enum pipe_compare compare = stencil_compare(tests, i);
   struct face f = {.may_fail = compare != PIPE_COMPARE_ALWAYS, .may_pass = compare != PIPE_COMPARE_NEVER};

   if (!tests->stencil_test)
      return f;
   if (f.may_fail && f.may_pass) {
      f.compare = compare;
      f.own_reference = tests->stencil_export;
      f.compare_mask = tests->faces[i].compare_mask & tests->stencil_max;
      f.reference = tests->stencil_export ? 0 : tests->faces[i].reference & f.compare_mask;
   }
   if (f.may_fail)
      f.fail = action(tests, i, ops->fail);
   if (f.may_pass && may_pass_depth)
      f.behind[true] = action(tests, i, ops->pass);
   if (f.may_pass && may_fail_depth)
      f.behind[false] = action(tests, i, ops->depth_fail);
   return f;
}

struct tests {
   struct face faces[2];
   bool depth[2];        /* may it fail, may it pass? */
   bool writes, ordered; /* depth: if it passes; and then the nearest one stays, whoever comes first */
   bool bounds, no_ties;
   bool at_most_one; /* passes the depth test */
   uint8_t max;
};

static bool
stencil_commutes(const struct tests *t)
{
   for (unsigned i = 0; i < 4; i++)
      for (unsigned j = i; j < 4; j++)
         if (t->depth[i & 1] && t->depth[j & 1] &&
             !functions_commute(&t->faces[i / 2], i & 1, &t->faces[j / 2], j & 1, t->max))
            return false;
   return true;
}

static bool
stencil_stays(const struct tests *t)
{
   for (unsigned i = 0; i < 4; i++)
      if (t->depth[i & 1] && !is_identity(&t->faces[i / 2], i & 1))
         return false;
   return true;
}

/* Who passes stencil is settled before anybody writes. */
static bool
stencil_test_stays(const struct tests *t)
{
   return stencil_stays(t) ||
          (t->faces[0].may_fail != t->faces[0].may_pass && t->faces[1].may_fail != t->faces[1].may_pass);
}

/* All who change stencil do the same and pass depth; whether the others pass is known. So how many get through is
 * known from how many of each there are. */
static bool
counts_stay(const struct tests *t)
{
   const struct face *changes = NULL;

   for (unsigned i = 0; i < 4; i++) {
      const struct face *f = &t->faces[i / 2];
      bool passes_depth = i & 1, identity = is_identity(f, passes_depth);

      if (!t->depth[passes_depth] || (identity && !(passes_depth && f->may_fail && f->may_pass)))
         continue;
      if (identity || !passes_depth || (changes && !same_function(changes, true, f, true)))
         return false;
      changes = f;
   }
   return true;
}

/* Whoever changes stencil passes, so where nobody passes nothing changes, and nobody does in any order. */
static bool
only_who_passes_changes(const struct tests *t)
{
   for (unsigned i = 0; i < 2; i++)
      if (!keeps(&t->faces[i].fail) || !keeps(&t->faces[i].behind[false]))
         return false;
   return true;
}

/* While depth stays as it is, each fragment meets the same depth test whenever it comes. */
static unsigned
kept_at_constant_depth(const struct tests *t)
{
   unsigned kept = SI_ORDER_DEPTH_STENCIL;

   if (!stencil_commutes(t))
      return 0;
   if (stencil_test_stays(t))
      kept |= SI_ORDER_ANY | SI_ORDER_COUNT | SI_ORDER_SET | (t->at_most_one ? SI_ORDER_LAST : 0);
   else if (counts_stay(t))
      kept |= SI_ORDER_ANY | SI_ORDER_COUNT;
   else if (only_who_passes_changes(t))
      kept |= SI_ORDER_ANY;
   return kept;
}

/* The nearest of all that pass stencil stays, and passes wherever it comes; those behind it pass or not. */
static unsigned
kept_at_ordered_depth(const struct tests *t)
{
   bool blind = same_action(&t->faces[0].behind[0], &t->faces[0].behind[1]) &&
                same_action(&t->faces[1].behind[0], &t->faces[1].behind[1]);

   if (!stencil_test_stays(t) || !blind || !stencil_commutes(t))
      return 0;
   return SI_ORDER_DEPTH_STENCIL | SI_ORDER_ANY | (t->no_ties ? SI_ORDER_LAST : 0);
}

static unsigned
kept(const struct tests *t)
{
   /* Nobody passes: there is nothing to come in an order. */
   if (!t->depth[true] || !(t->faces[0].may_pass || t->faces[1].may_pass))
      return stencil_commutes(t) ? SI_ORDER_ALL : 0;
   if (!t->writes)
      return kept_at_constant_depth(t);
   /* Bounds look at the stored value: who is rejected depends on who came before. */
   return t->ordered && !t->bounds ? kept_at_ordered_depth(t) : 0;
}

static struct tests
reduce(const struct si_order_tests *tests)
{
   enum pipe_compare compare = tests->depth_test ? tests->depth_compare : PIPE_COMPARE_ALWAYS;
   struct tests t = {
      .depth = {compare != PIPE_COMPARE_ALWAYS, compare != PIPE_COMPARE_NEVER},
      .writes = tests->depth_test && tests->depth_write && compare != PIPE_COMPARE_EQUAL,
      .ordered = compare != PIPE_COMPARE_NOT_EQUAL && compare != PIPE_COMPARE_ALWAYS,
      .bounds = tests->depth_bounds,
      .no_ties = tests->assume_no_z_fights,
      .at_most_one = tests->assume_no_z_fights && compare == PIPE_COMPARE_EQUAL,
      .max = tests->stencil_max,
   };

   for (unsigned i = 0; i < 2; i++)
      t.faces[i] = face(tests, i, t.depth[true], t.depth[false]);
   return t;
}

unsigned
si_order_kept(const struct si_order_tests *tests)
{
   const struct tests t = reduce(tests);
   return kept(&t);
}
