/* What depth and stencil tests keep, whatever the order of fragments (si_order.h).
 *
 * To a fragment, stencil is a function of the stored value, one of four: of its face, by whether it passes depth.
 * There are 256 values, so who commutes with whom needs no theory: both orders are run from all values at once (a
 * loop over bytes without branches, which compilers make vectors of). What depth adds to that are three cases:
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

/* ((s & keep) ^ flip) + add, and back again where s is the end that the operation stops at. */
struct operation {
   uint8_t keep, flip, add, back, end;
};

struct face {
   struct operation fail, pass[2]; /* by the stencil test, and then by depth's */
   uint8_t low, width, invert;     /* passes from low to low + width, or 0xff: elsewhere */
   uint8_t compare_mask, write_mask;
};

/* What becomes of values by a fragment of a face. */
struct run {
   struct values next[2], passes; /* by depth; the stencil test: 0 or 0xff */
};

static struct operation
operation(enum pipe_stencil_op op, uint8_t reference, uint8_t max)
{
   switch (op) {
   case PIPE_STENCIL_KEEP:
      return (struct operation){.keep = 0xff};
   case PIPE_STENCIL_ZERO:
      return (struct operation){0};
   case PIPE_STENCIL_REPLACE:
      return (struct operation){.flip = reference};
   case PIPE_STENCIL_INCREMENT_CLAMP:
      return (struct operation){.keep = 0xff, .add = 1, .back = 0xff, .end = max};
   case PIPE_STENCIL_DECREMENT_CLAMP:
      return (struct operation){.keep = 0xff, .add = 0xff, .back = 1, .end = 0};
   case PIPE_STENCIL_INVERT:
      return (struct operation){.keep = 0xff, .flip = 0xff};
   case PIPE_STENCIL_INCREMENT_WRAP:
      return (struct operation){.keep = 0xff, .add = 1};
   case PIPE_STENCIL_DECREMENT_WRAP:
      return (struct operation){.keep = 0xff, .add = 0xff};
   }
   return (struct operation){0};
}

static inline uint8_t
operate(const struct operation *op, uint8_t s)
{
   return (uint8_t)(((s & op->keep) ^ op->flip) + op->add + (op->back & -(s == op->end)));
}

static void
run(const struct face *face, const struct values *restrict in, struct run *restrict out)
{
   const struct face f = *face;

   for (unsigned i = 0; i < 256; i++) {
      const uint8_t s = in->of[i];
      const uint8_t test = -((uint8_t)((s & f.compare_mask) - f.low) <= f.width) ^ f.invert;
      const uint8_t passed = test & f.write_mask, failed = ~test & f.write_mask;
      const uint8_t rest = (operate(&f.fail, s) & failed) | (s & ~f.write_mask);

      out->next[0].of[i] = (operate(&f.pass[0], s) & passed) | rest;
      out->next[1].of[i] = (operate(&f.pass[1], s) & passed) | rest;
      out->passes.of[i] = test;
   }
}

struct tests {
   struct face faces[2];
   unsigned num_faces;   /* that differ */
   bool depth[2];        /* may it fail, may it pass? */
   bool writes, ordered; /* depth: if it passes; and then the nearest one stays, whoever comes first */
   bool bounds, no_ties;
   bool at_most_one;  /* passes the depth test */
   unsigned possible; /* to keep */
   struct values start;
   struct run first[2]; /* from the start */
   struct run runs[4][2];
   const struct run *second[4]; /* behind a fragment (2 * face + depth), if it is one of those that are looked at */
   uint8_t same_as[4];          /* of fragments, by what they do */
};

static bool
same(const struct values *a, const struct values *b)
{
   return !memcmp(a, b, sizeof(*a));
}

static bool
may_both_pass(const struct tests *t, unsigned a, unsigned b)
{
   uint8_t both = 0;

   for (unsigned i = 0; i < 256; i++)
      both |= t->first[a].passes.of[i] & t->first[b].passes.of[i];
   return both;
}

/* Of two fragments that pass depth, and not the same whoever comes first: what they leave the same nevertheless. */
static unsigned
kept_of_passes(const struct values *first_a, const struct values *second_b, const struct values *first_b,
               const struct values *second_a)
{
   uint8_t any = 0, count = 0, last = 0;

   for (unsigned i = 0; i < 256; i++) {
      uint8_t a1 = first_a->of[i], b1 = second_b->of[i]; /* in the order a, b */
      uint8_t a2 = second_a->of[i], b2 = first_b->of[i]; /* in the order b, a */

      any |= (a1 | b1) ^ (a2 | b2);
      count |= ((a1 | b1) ^ (a2 | b2)) | (a1 ^ b1 ^ a2 ^ b2);
      last |= ((a1 & ~b1) ^ a2) | (b1 ^ (b2 & ~a2));
   }
   return SI_ORDER_DEPTH_STENCIL | (any ? 0 : SI_ORDER_ANY) | (count ? 0 : SI_ORDER_COUNT) |
          (last ? 0 : SI_ORDER_LAST);
}

/* What a pair of fragments leaves the same at a depth that stays, from every value: enum si_order bits. */
static unsigned
exchange(const struct tests *t, unsigned a, unsigned b)
{
   const unsigned face_a = a / 2, face_b = b / 2;
   const bool depth_a = a & 1, depth_b = b & 1;

   if (a != b && !same(&t->second[a][face_b].next[depth_b], &t->second[b][face_a].next[depth_a]))
      return 0;
   const struct values *second_a = &t->second[b][face_a].passes, *second_b = &t->second[a][face_b].passes;
   const struct values *first_a = &t->first[face_a].passes, *first_b = &t->first[face_b].passes;
   const bool same_set = (!depth_a || same(first_a, second_a)) && (!depth_b || same(first_b, second_b));

   if (!depth_a || !depth_b)
      return same_set ? SI_ORDER_ALL : SI_ORDER_DEPTH_STENCIL;
   if (!same_set)
      return kept_of_passes(first_a, second_b, first_b, second_a);
   return may_both_pass(t, face_a, face_b) ? SI_ORDER_ALL & ~(SI_ORDER_LAST | SI_ORDER_SEQUENCE) : SI_ORDER_ALL;
}

/* To a fragment, what is behind the other. */
static void
run_behind(struct tests *t, unsigned first)
{
   const struct values *next = &t->first[first / 2].next[first & 1];

   t->second[first] = same(next, &t->start) ? t->first : t->runs[first];
   for (unsigned face = 0; face < t->num_faces && t->second[first] != t->first; face++)
      run(&t->faces[face], next, &t->runs[first][face]);
}

static bool
same_function(const struct tests *t, unsigned a, unsigned b)
{
   return same(&t->first[a / 2].next[a & 1], &t->first[b / 2].next[b & 1]) &&
          ((a & 1) == (b & 1) ? same(&t->first[a / 2].passes, &t->first[b / 2].passes)
                              : !may_both_pass(t, (a & 1 ? a : b) / 2, (a & 1 ? a : b) / 2));
}

static unsigned
kept_at_constant_depth(struct tests *t)
{
   unsigned kept = t->possible, looked_at[4], num = 0;

   for (unsigned a = 0; a < 2 * t->num_faces; a++) {
      t->same_as[a] = (uint8_t)a;
      if (!t->depth[a & 1])
         continue;
      for (unsigned i = 0; i < num && t->same_as[a] == a; i++)
         if (same_function(t, looked_at[i], a))
            t->same_as[a] = (uint8_t)looked_at[i];
      if (t->same_as[a] != a)
         continue;
      looked_at[num++] = a;
      run_behind(t, a);
      for (unsigned i = 0; i < num && kept; i++)
         kept &= exchange(t, looked_at[i], a) | (t->at_most_one && looked_at[i] & 1 && a & 1 ? SI_ORDER_LAST : 0);
      if (!(kept & SI_ORDER_DEPTH_STENCIL))
         return 0;
   }
   return kept;
}

static bool
may_pass(const struct tests *t)
{
   return t->depth[true] && (may_both_pass(t, 0, 0) || may_both_pass(t, t->num_faces - 1, t->num_faces - 1));
}

/* Where a fragment passed, is it the same to stencil whether the next one, of either face, passes depth? */
static bool
is_blind_behind(const struct tests *t, unsigned face)
{
   const struct run *second = t->second[t->same_as[2 * face + 1]];
   uint8_t differs = 0;

   for (unsigned next = 0; next < t->num_faces; next++)
      for (unsigned i = 0; i < 256; i++)
         differs |= t->first[face].passes.of[i] & (second[next].next[0].of[i] ^ second[next].next[1].of[i]);
   return !differs;
}

static unsigned
kept(struct tests *t)
{
   unsigned constant = kept_at_constant_depth(t);

   if (!constant || !t->writes || !may_pass(t))
      return constant;
   if (!t->ordered || t->bounds || !(constant & SI_ORDER_SET) || !is_blind_behind(t, 0) ||
       !is_blind_behind(t, t->num_faces - 1))
      return 0;
   return SI_ORDER_DEPTH_STENCIL | SI_ORDER_ANY | (t->no_ties ? SI_ORDER_LAST : 0);
}

static void
init_face(struct face *face, const struct si_order_tests *tests, unsigned i)
{
   const struct pipe_stencil_face *f = &tests->faces[i].face;
   const uint8_t max = tests->stencil_max, reference = tests->faces[i].reference & max;
   const uint8_t compared = reference & tests->faces[i].compare_mask;
   /* Of stored values: those from the reference on, those up to it, it alone, or all. */
   const bool from = f->compare == PIPE_COMPARE_LESS_OR_EQUAL || f->compare == PIPE_COMPARE_GREATER;
   const bool to = f->compare == PIPE_COMPARE_GREATER_OR_EQUAL || f->compare == PIPE_COMPARE_LESS;
   const bool at = f->compare == PIPE_COMPARE_EQUAL || f->compare == PIPE_COMPARE_NOT_EQUAL;

   *face = (struct face){
      .fail = operation(f->fail, reference, max),
      .pass = {operation(f->depth_fail, reference, max), operation(f->pass, reference, max)},
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
   if (!t.possible)
      return 0;
   t.num_faces = same_faces(&settled) ? 1 : 2;
   for (unsigned i = 0; i < 256; i++)
      t.start.of[i] = i & settled.stencil_max;
   for (unsigned face = 0; face < t.num_faces; face++) {
      init_face(&t.faces[face], &settled, face);
      run(&t.faces[face], &t.start, &t.first[face]);
   }
   return kept(&t);
}
