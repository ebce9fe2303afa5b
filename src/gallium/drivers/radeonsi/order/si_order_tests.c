/* What depth and stencil tests keep, whatever the order of fragments (si_order.h).
 *
 * To a fragment, stencil is a function of the stored value, one of four: of its face, by whether it passes depth.
 * There are 256 values, so who commutes with whom needs no theory: both orders are run from all values at once (a
 * loop over bytes without branches, which compilers make vectors of), or, where masks are full, from 32 that stand
 * for all (init_values). What depth adds to that are three cases:
 *
 *   It stays as it is, because nobody writes it, or only where it is equal, or nobody passes: each fragment meets the
 *   same depth test whenever it comes, and may pass or fail whatever others do. Where no two have the same depth only
 *   one can be equal: only it passes EQUAL, and only it fails NOT_EQUAL.
 *
 *   The nearest stays. Of two that are nearer than what is there, the farther one passes before the nearer and fails
 *   after it. Depth is the same in the end if it does not depend on stencil, of all that stencil lets pass; stencil,
 *   if its functions commute, and after somebody who passed it makes no difference whether depth does. Where no two
 *   have the same depth those that pass depth need not commute: the nearest comes before others or after them.
 *
 *   The last stays, or bounds look at what others store: nothing is kept. */
#include "gallium/drivers/radeonsi/order/si_order.h"
#include "gallium/drivers/radeonsi/order/si_order_references.h"
#include "gallium/drivers/radeonsi/order/si_order_stencil.h"

/* By stored value, where the first fragment of a pair begins. */
struct values {
   uint8_t of[256]; /* of so many blocks */
};

enum { BLOCK = 32 };

struct face {
   struct si_order_operation fail, pass[2]; /* by the stencil test, and then by depth's */
   uint8_t low, width, invert;              /* passes from low to low + width, or 0xff: elsewhere */
   uint8_t compare_mask, write_mask;
};

/* What becomes of values by a fragment of a face. */
struct run {
   struct values next[2], passes; /* by depth; the stencil test: 0 or 0xff */
};

static void
run_face(const struct face *face, const struct values *restrict in, struct run *restrict out, unsigned blocks)
{
   const struct face f = *face;

   for (unsigned i = 0; i < blocks * BLOCK; i++) {
      const uint8_t s = in->of[i];
      const uint8_t test = -((uint8_t)((s & f.compare_mask) - f.low) <= f.width) ^ f.invert;
      const uint8_t passed = test & f.write_mask, failed = ~test & f.write_mask;
      const uint8_t rest = (si_order_operate(&f.fail, s) & failed) | (s & ~f.write_mask);

      out->next[0].of[i] = (si_order_operate(&f.pass[0], s) & passed) | rest;
      out->next[1].of[i] = (si_order_operate(&f.pass[1], s) & passed) | rest;
      out->passes.of[i] = test;
   }
}

struct tests {
   struct face faces[2];
   unsigned num_faces; /* that differ */
   struct si_order_depth depth;
   unsigned blocks;   /* of values */
   bool only_nearest; /* of those that pass depth, nobody else writes anything */
   struct values start;
   struct run first[2]; /* from the start */
   struct run runs[4][2];
   const struct run *second[4]; /* after a fragment (2 * face + depth), if it is one of those that are looked at */
   uint8_t same_as[4];          /* of fragments, by what they do */
};

static bool
same(const struct tests *t, const struct values *a, const struct values *b)
{
   uint8_t differs = 0;

   for (unsigned i = 0; i < t->blocks * BLOCK; i++)
      differs |= a->of[i] ^ b->of[i];
   return !differs;
}

static bool
may_both_pass(const struct tests *t, unsigned a, unsigned b)
{
   uint8_t both = 0;

   for (unsigned i = 0; i < t->blocks * BLOCK; i++)
      both |= t->first[a].passes.of[i] & t->first[b].passes.of[i];
   return both;
}

/* Of two fragments that pass depth, and not the same whoever comes first: what they leave the same nevertheless. */
static unsigned
kept_of_passes(const struct tests *t, const struct values *first_a, const struct values *second_b,
               const struct values *first_b, const struct values *second_a)
{
   uint8_t any = 0, count = 0, last = 0;

   for (unsigned i = 0; i < t->blocks * BLOCK; i++) {
      uint8_t a1 = first_a->of[i], b1 = second_b->of[i]; /* in the order a, b */
      uint8_t a2 = second_a->of[i], b2 = first_b->of[i]; /* in the order b, a */

      any |= (a1 | b1) ^ (a2 | b2);
      count |= ((a1 | b1) ^ (a2 | b2)) | (a1 ^ b1 ^ a2 ^ b2);
      last |= ((a1 & ~b1) ^ a2) | (b1 ^ (b2 & ~a2));
   }
   return SI_ORDER_DEPTH_STENCIL | (any ? 0 : SI_ORDER_ANY) | (count ? 0 : SI_ORDER_COUNT) |
          (last ? 0 : SI_ORDER_LAST);
}

/* What is the same after a pair of fragments in either order, at a depth that stays, from every value: bits of enum
 * si_order. */
static unsigned
exchange(const struct tests *t, unsigned a, unsigned b)
{
   const unsigned face_a = a / 2, face_b = b / 2;
   const bool depth_a = a & 1, depth_b = b & 1;

   if (a != b && !(t->only_nearest && depth_a && depth_b) &&
       !same(t, &t->second[a][face_b].next[depth_b], &t->second[b][face_a].next[depth_a]))
      return 0;
   const struct values *second_a = &t->second[b][face_a].passes, *second_b = &t->second[a][face_b].passes;
   const struct values *first_a = &t->first[face_a].passes, *first_b = &t->first[face_b].passes;
   const bool same_set = (!depth_a || same(t, first_a, second_a)) && (!depth_b || same(t, first_b, second_b));

   if (!depth_a || !depth_b)
      return same_set ? SI_ORDER_ALL : SI_ORDER_DEPTH_STENCIL;
   if (!same_set)
      return kept_of_passes(t, first_a, second_b, first_b, second_a);
   return may_both_pass(t, face_a, face_b) ? SI_ORDER_ALL & ~(SI_ORDER_LAST | SI_ORDER_SEQUENCE) : SI_ORDER_ALL;
}

/* To a fragment, what is after the other. */
static void
run_after(struct tests *t, unsigned first)
{
   const struct values *next = &t->first[first / 2].next[first & 1];

   t->second[first] = same(t, next, &t->start) ? t->first : t->runs[first];
   for (unsigned face = 0; face < t->num_faces && t->second[first] != t->first; face++)
      run_face(&t->faces[face], next, &t->runs[first][face], t->blocks);
}

static bool
same_function(const struct tests *t, unsigned a, unsigned b)
{
   return t->depth.lone[a & 1] == t->depth.lone[b & 1] &&
          same(t, &t->first[a / 2].next[a & 1], &t->first[b / 2].next[b & 1]) &&
          ((a & 1) == (b & 1) ? same(t, &t->first[a / 2].passes, &t->first[b / 2].passes)
                              : !may_both_pass(t, (a & 1 ? a : b) / 2, (a & 1 ? a : b) / 2));
}

static unsigned
kept_at_constant_depth(struct tests *t)
{
   unsigned kept = SI_ORDER_ALL, looked_at[4], num = 0;

   for (unsigned a = 0; a < 2 * t->num_faces; a++) {
      t->same_as[a] = (uint8_t)a;
      if (!t->depth.may[a & 1])
         continue;
      for (unsigned i = 0; i < num && t->same_as[a] == a; i++)
         if (same_function(t, looked_at[i], a))
            t->same_as[a] = (uint8_t)looked_at[i];
      if (t->same_as[a] != a)
         continue;
      looked_at[num++] = a;
      run_after(t, a);
      for (unsigned i = 0; i < num && kept; i++)
         if (!t->depth.lone[a & 1] || (looked_at[i] & 1) != (a & 1))
            kept &= exchange(t, looked_at[i], a);
      if (!(kept & SI_ORDER_DEPTH_STENCIL))
         return 0;
   }
   return kept;
}

static bool
may_pass(const struct tests *t)
{
   return t->depth.may[true] && (may_both_pass(t, 0, 0) || may_both_pass(t, t->num_faces - 1, t->num_faces - 1));
}

/* Of two that are nearer than what is there, does stencil end the same if the nearer one comes first, and the other
 * one, where that passed, fails depth after it? */
static bool
nearest_decides(const struct tests *t, unsigned near, unsigned far)
{
   const struct values *last = &t->second[t->same_as[2 * far + 1]][near].next[1];
   const struct run *after = &t->second[t->same_as[2 * near + 1]][far];
   uint8_t differs = 0;

   for (unsigned i = 0; i < t->blocks * BLOCK; i++) {
      const uint8_t passed = t->first[near].passes.of[i];

      differs |= last->of[i] ^ ((after->next[0].of[i] & passed) | (after->next[1].of[i] & ~passed));
   }
   return !differs;
}

static unsigned
kept(struct tests *t)
{
   const bool writes = t->depth.writes && may_pass(t);

   t->only_nearest = writes && t->depth.no_ties && t->depth.ordered;
   const unsigned constant = kept_at_constant_depth(t);

   if (!constant || !writes)
      return constant;
   if (!t->depth.ordered || t->depth.bounds || !(constant & SI_ORDER_SET))
      return 0;
   for (unsigned pair = 0; pair < t->num_faces * t->num_faces; pair++)
      if (!nearest_decides(t, pair % t->num_faces, pair / t->num_faces))
         return 0;
   return SI_ORDER_DEPTH_STENCIL | SI_ORDER_ANY | (t->depth.no_ties ? SI_ORDER_LAST : 0);
}

static void
init_face(struct face *face, const struct si_order_tests *tests, unsigned i)
{
   const struct pipe_stencil_face *f = &tests->faces[i].face;
   const uint8_t max = tests->stencil_max, reference = tests->faces[i].reference & max;
   const uint8_t compared = reference & tests->faces[i].compare_mask;
   /* Of stored values: those from the reference on, those up to it, only it, or all. */
   const bool from = f->compare == PIPE_COMPARE_LESS_OR_EQUAL || f->compare == PIPE_COMPARE_GREATER;
   const bool to = f->compare == PIPE_COMPARE_GREATER_OR_EQUAL || f->compare == PIPE_COMPARE_LESS;
   const bool at = f->compare == PIPE_COMPARE_EQUAL || f->compare == PIPE_COMPARE_NOT_EQUAL;

   *face = (struct face){
      .fail = si_order_operation(f->fail, reference, max),
      .pass = {si_order_operation(f->depth_fail, reference, max), si_order_operation(f->pass, reference, max)},
      .low = from || at ? compared : 0,
      .width = from ? 0xff - compared
               : to ? compared
               : at ? 0
                    : 0xff,
      .invert = f->compare & PIPE_COMPARE_EQUAL ? 0 : 0xff,
      .compare_mask = tests->faces[i].compare_mask & max,
      .write_mask = tests->faces[i].write_mask & max,
   };
}

/* Do masks cover all bits or none? */
static bool
are_masks_full(const struct si_order_tests *tests)
{
   uint8_t partly = 0;

   for (unsigned i = 0; i < 2; i++)
      partly |= (uint8_t)(tests->faces[i].compare_mask + 1) | (uint8_t)(tests->faces[i].write_mask + 1);
   return partly <= 1 && tests->stencil_max == 0xff;
}

/* All values, or those that stand for all where masks cover all bits or none. To a stored value a fragment does one
 * of these: add 1 or less to it or to its complement, make it a constant; and which of these changes at a reference
 * and at the ends. So what two of them do changes at values that are these, or complements of these, or next to them;
 * between such places the results rise, fall or stay. If they are the same for two values there, they are the same
 * for all; unless one rises and the other one falls, and the two values are 128 apart. So it is enough to look at
 * what is up to 2 from those, and at two more, one of which is between any two that are 128 apart. */
static void
init_values(struct tests *t, const struct si_order_tests *tests, bool few)
{
   const uint8_t references[] = {tests->faces[0].reference, tests->faces[1].reference};
   const uint8_t places[] = {0, 0xff, references[0], (uint8_t)~references[0], references[1], (uint8_t)~references[1]};

   t->blocks = few || tests->stencil_max < BLOCK ? 1 : 256 / BLOCK;
   for (unsigned i = 0; i < t->blocks * BLOCK; i++)
      t->start.of[i] = i & tests->stencil_max;
   if (!few)
      return;
   for (unsigned i = 0; i < 6; i++)
      for (unsigned j = 0; j < 5; j++)
         t->start.of[i * 5 + j] = (uint8_t)(places[i] + j - 2);
   t->start.of[30] = 64;
   t->start.of[31] = 160;
}

static unsigned
kept_without_stencil(const struct si_order_depth *depth)
{
   if (!depth->may[true])
      return SI_ORDER_ALL;
   if (!depth->writes)
      return depth->lone[true] ? SI_ORDER_ALL : SI_ORDER_ALL & ~(SI_ORDER_LAST | SI_ORDER_SEQUENCE);
   if (!depth->ordered || depth->bounds)
      return 0;
   return SI_ORDER_DEPTH_STENCIL | SI_ORDER_ANY | (depth->no_ties ? SI_ORDER_LAST : 0);
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

static struct si_order_depth
depth_of(const struct si_order_tests *tests)
{
   const enum pipe_compare compare = tests->depth_test ? tests->depth_compare : PIPE_COMPARE_ALWAYS;

   return (struct si_order_depth){
      .may = {compare != PIPE_COMPARE_ALWAYS, compare != PIPE_COMPARE_NEVER},
      .writes = tests->depth_test && tests->depth_write && compare != PIPE_COMPARE_EQUAL,
      .ordered = compare != PIPE_COMPARE_NOT_EQUAL && compare != PIPE_COMPARE_ALWAYS,
      .bounds = tests->depth_bounds,
      .no_ties = tests->assume_no_z_fights,
      .lone = {tests->assume_no_z_fights && compare == PIPE_COMPARE_NOT_EQUAL,
               tests->assume_no_z_fights && compare == PIPE_COMPARE_EQUAL},
   };
}

static unsigned
kept_with_stencil(const struct si_order_tests *tests, const struct si_order_depth *depth, bool few_values)
{
   struct tests t;

   t.depth = *depth;
   t.num_faces = same_faces(tests) ? 1 : 2;
   init_values(&t, tests, few_values);
   for (unsigned face = 0; face < t.num_faces; face++) {
      init_face(&t.faces[face], tests, face);
      run_face(&t.faces[face], &t.start, &t.first[face], t.blocks);
   }
   return kept(&t);
}

unsigned
si_order_kept(const struct si_order_tests *tests)
{
   const struct si_order_depth depth = depth_of(tests);

   if (!tests->stencil_test)
      return kept_without_stencil(&depth);
   return tests->stencil_export ? si_order_kept_of_references(tests, &depth)
                                : kept_with_stencil(tests, &depth, are_masks_full(tests));
}
