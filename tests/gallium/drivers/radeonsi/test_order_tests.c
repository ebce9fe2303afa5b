/* What depth and stencil tests keep in every order (si_order_tests.c), against search (order_truth.c): every state of
 * the tests, every content of a sample, every pair of fragments, both orders. Depth has five values and bounds around
 * the middle one; stencil has as many bits as the argument says, with all references and masks, or 8 in random
 * states.
 *
 * Faces that behave alike, by the model of this test, get the same answer, since the function knows a face by what it
 * does to every value only: that its tables are right, and what it does from there, is checked for every face. So one
 * state of each class of faces is looked at, and counts as often as there are states of its kind. A pair of faces is
 * right if each face with itself is, and both side by side (si_order.h: exchanges of neighbours). That this is
 * so is tried with random states and all orders of three fragments.
 *
 * Usage: test_order_tests BITS [--list]: the list has the states that are taken for bound and are free. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gallium/drivers/radeonsi/order/si_order_references.h"
#include "gallium/drivers/radeonsi/order/si_order_tests.c"
#include "order_truth.h"
#include "share.h"
#include "util/macros.h"

#define FAILURES 10 /* printed */
#define EXPORTS 16  /* values of stencil where fragments bring references along */

static unsigned bits, values, failures;
static bool listing;

struct result {
   uint64_t states, free[6], careful[6];
};

static unsigned seed = 1;

static unsigned
random_below(unsigned n)
{
   seed = seed * 1664525 + 1013904223;
   return (seed >> 8) % n;
}

static void
print_state(const char *what, const struct si_order_tests *t, unsigned is, unsigned said)
{
   static const char *const compares[] = {"never", "<", "=", "<=", ">", "!=", ">=", "always"};
   static const char *const ops[] = {"keep", "0", "replace", "+", "-", "~", "++", "--"};
   printf("%s: said %x, is %x: depth %s%s%s%s%s", what, said, is, t->depth_test ? compares[t->depth_compare] : "off",
          t->depth_write ? " write" : "", t->depth_bounds ? " bounds" : "", t->stencil_export ? " export" : "",
          t->assume_no_z_fights ? "" : " ties");
   for (unsigned i = 0; i < 2 && t->stencil_test; i++)
      printf(" [%s %u & %x: fail %s, after %s, pass %s, write %x]", compares[t->faces[i].face.compare],
             t->faces[i].reference, t->faces[i].compare_mask, ops[t->faces[i].face.fail],
             ops[t->faces[i].face.depth_fail], ops[t->faces[i].face.pass], t->faces[i].write_mask);
   printf("\n");
}

/* Nothing counts where depth and stencil differ. Truth is of both halves. */
static unsigned
check(const struct si_order_tests *tests, unsigned truth)
{
   unsigned said = si_order_kept(tests), is = order_kept(truth, tests->assume_no_z_fights);
   said = said & SI_ORDER_DEPTH_STENCIL ? said : 0;
   is = is & SI_ORDER_DEPTH_STENCIL ? is : 0;
   if (said & ~is && failures++ < FAILURES)
      print_state("unsound", tests, is, said);
   else if (listing && is & ~said)
      print_state("careful", tests, is, said);
   return said;
}

static void
count(struct result *r, uint64_t states, unsigned is, unsigned said)
{
   r->states += states;
   for (unsigned bit = 0; bit < 6; bit++) {
      r->free[bit] += is >> bit & 1 ? states : 0;
      r->careful[bit] += (is & ~said) >> bit & 1 ? states : 0;
   }
}

static void
set_mode(struct si_order_tests *tests, const struct order_mode *m)
{
   *tests = (struct si_order_tests){
      .depth_test = m->test,
      .depth_write = m->write,
      .depth_bounds = m->bounds,
      .depth_compare = m->compare,
      .stencil_test = true,
      .stencil_max = (uint8_t)(values - 1),
      .assume_no_z_fights = true,
   };
}

/* What the function makes of a face, from all values and from others. */
static void
check_runs(const struct si_order_tests *tests, const struct order_behaviour *b)
{
   struct values own, start;
   struct run first, second;
   struct face face;
   bool right = true;
   init_face(&face, tests, 0);
   for (unsigned i = 0; i < 256; i++) {
      own.of[i] = i & tests->stencil_max;
      start.of[i] = (uint8_t)(i * 7 + 3) & tests->stencil_max;
   }
   run_face(&face, &own, &first, 256 / BLOCK);
   run_face(&face, &start, &second, 256 / BLOCK);
   for (unsigned i = 0; i < 512; i++) {
      const unsigned depth = i & 1, s = own.of[i / 2], other = start.of[i / 2];
      right &= first.next[depth].of[i / 2] == b->next[depth][s] && !!first.passes.of[i / 2] == b->passes[depth][s] &&
               second.next[depth].of[i / 2] == b->next[depth][other] &&
               !!second.passes.of[i / 2] == b->passes[depth][other];
   }
   if (!right && failures++ < FAILURES)
      print_state("wrong table", tests, 0, 0);
}

static void
check_faces(void)
{
   for (unsigned i = 0; i < order_faces(bits); i++) {
      struct si_order_tests tests = {.stencil_test = true, .stencil_max = (uint8_t)(values - 1)};
      order_set_face(&tests, 0, i, bits);
      const struct order_behaviour b = order_behaviour(&tests, 0, (const bool[2]){true, true});
      check_runs(&tests, &b);
   }
}

static void
check_mode(const struct order_mode *m, unsigned states, struct result r[2])
{
   struct order_classes classes = order_classes(m->depth, bits, NULL);
   struct order_class *all = classes.all;
   uint16_t *alone = calloc(classes.count, sizeof(*alone));
   struct si_order_tests tests;
   set_mode(&tests, m);
   for (unsigned i = 0; i < classes.count; i++)
      alone[i] = (uint16_t)order_truth(m, &all[i].behaviour, &all[i].behaviour, values);
   for (unsigned i = 0; i < classes.count; i++) {
      order_set_face(&tests, 0, all[i].face, bits);
      for (unsigned j = i; j < classes.count; j++) {
         const unsigned most = alone[i] & alone[j];
         const unsigned is = most ? most & order_truth(m, &all[i].behaviour, &all[j].behaviour, values) : 0;
         order_set_face(&tests, 1, all[j].face, bits);
         for (unsigned no_ties = 0; no_ties < 2; no_ties++) {
            tests.assume_no_z_fights = no_ties;
            count(&r[no_ties], states * all[i].states * all[j].states * (i == j ? 1 : 2), order_kept(is, no_ties),
                  check(&tests, is));
         }
      }
   }
   free(alone);
   order_free_classes(&classes);
}

/* Depth comparisons that are mirror images of each other behave alike; and while depth stays as it is, all that
 * fragments may pass or fail whatever others do; what a test that is off compares and writes is no matter. With one
 * bit all are looked at, and so they are in random states. */
static void
check_modes(struct result r[2])
{
   static const struct {
      bool test, write;
      enum pipe_compare compare;
      unsigned states;
   } modes[] = {
      {false, false, PIPE_COMPARE_NEVER, 16},   {true, false, PIPE_COMPARE_LESS, 4},
      {true, false, PIPE_COMPARE_NOT_EQUAL, 1}, {true, false, PIPE_COMPARE_EQUAL, 1},
      {true, false, PIPE_COMPARE_ALWAYS, 1},    {true, false, PIPE_COMPARE_NEVER, 1},
      {true, true, PIPE_COMPARE_LESS, 2},       {true, true, PIPE_COMPARE_GREATER_OR_EQUAL, 2},
      {true, true, PIPE_COMPARE_EQUAL, 1},      {true, true, PIPE_COMPARE_NOT_EQUAL, 1},
      {true, true, PIPE_COMPARE_ALWAYS, 1},     {true, true, PIPE_COMPARE_NEVER, 1},
   };
   struct order_mode m;
   for (unsigned i = 0; bits > 1 && i < 2 * ARRAY_SIZE(modes); i++) {
      order_init_mode(&m, modes[i / 2].test, modes[i / 2].write, i & 1, modes[i / 2].compare);
      check_mode(&m, modes[i / 2].states, r);
   }
   for (unsigned i = 0; bits == 1 && i < 64; i++) {
      order_init_mode(&m, i & 1, i & 2, i & 4, i >> 3);
      check_mode(&m, 1, r);
   }
}

/* Masks are nothing, everything or something, since of 256 random ones hardly any is one of the former. */
static uint8_t
random_mask(void)
{
   const unsigned kind = random_below(3);
   return (uint8_t)(kind == 0 ? 0 : kind == 1 ? values - 1 : random_below(values));
}

static void
random_state(struct si_order_tests *tests, struct order_mode *m)
{
   const unsigned r = random_below(64);
   order_init_mode(m, r & 1, r & 2, r & 4, r >> 3);
   set_mode(tests, m);
   for (unsigned f = 0; f < 2; f++) {
      tests->faces[f].face =
         (struct pipe_stencil_face){random_below(8), random_below(8), random_below(8), random_below(8)};
      tests->faces[f].reference = (uint8_t)random_below(values);
      tests->faces[f].compare_mask = random_mask();
      tests->faces[f].write_mask = random_mask();
   }
}

/* States of 8 bits, or such without stencil. */
static void
random_states(struct result *r, unsigned number)
{
   for (unsigned i = 0; i < number; i++) {
      struct si_order_tests tests;
      struct order_behaviour b[2];
      struct order_mode m;
      random_state(&tests, &m);
      tests.assume_no_z_fights = random_below(2);
      tests.stencil_test = random_below(16);
      for (unsigned f = 0; f < 2; f++)
         b[f] = order_behaviour(&tests, f, (const bool[2]){true, true});
      if (tests.stencil_test)
         check_runs(&tests, &b[0]);
      unsigned is = order_truth(&m, &b[0], &b[0], values);
      is &= is ? order_truth(&m, &b[1], &b[1], values) : 0;
      is &= is ? order_truth(&m, &b[0], &b[1], values) : 0;
      count(r, 1, order_kept(is, tests.assume_no_z_fights), check(&tests, is));
   }
}

/* Where masks are full, few values say what all say. References are often near each other, or near the ends. */
static void
random_full_masks(unsigned number)
{
   static const uint8_t near[] = {0, 1, 2, 127, 128, 253, 254, 255};
   for (unsigned i = 0; i < number; i++) {
      struct si_order_tests tests;
      struct order_mode m;
      random_state(&tests, &m);
      for (unsigned f = 0; f < 2; f++) {
         tests.faces[f].compare_mask = random_below(8) ? 0xff : 0;
         tests.faces[f].write_mask = random_below(8) ? 0xff : 0;
         if (random_below(2))
            tests.faces[f].reference = near[random_below(ARRAY_SIZE(near))];
      }
      if (random_below(2))
         tests.faces[1].reference = (uint8_t)(tests.faces[0].reference + random_below(8) - 4) ^ -random_below(2);
      const struct si_order_depth depth = depth_of(&tests);
      const unsigned all = kept_with_stencil(&tests, &depth, false), few = si_order_kept(&tests);
      if (all != few && failures++ < FAILURES)
         print_state("few values", &tests, all, few);
   }
}

/* Faces that are kept with themselves, which few are, and often with the same masks: it is up to the pair then. */
static void
choose_pair(struct si_order_tests *tests)
{
   const struct si_order_tests random = *tests;
   for (unsigned tries = 0; tries < 400; tries++) {
      struct si_order_tests alone = random;
      const unsigned f = tries & 1;
      struct order_mode unused;
      random_state(&alone, &unused);
      alone.depth_test = random.depth_test;
      alone.depth_write = random.depth_write;
      alone.depth_bounds = random.depth_bounds;
      alone.depth_compare = random.depth_compare;
      alone.stencil_export = true;
      if (random_below(2)) {
         alone.faces[0].compare_mask = tests->faces[!f].compare_mask;
         alone.faces[0].write_mask = tests->faces[!f].write_mask;
      }
      alone.faces[1] = alone.faces[0];
      const bool changes = alone.faces[0].write_mask && alone.faces[0].compare_mask;
      if (changes && si_order_kept(&alone))
         tests->faces[f] = alone.faces[0];
   }
}

/* States whose fragments bring references along: pairs with any two. */
static void
random_exports(struct result *r, unsigned number, bool pairs)
{
   for (unsigned i = 0; i < number; i++) {
      struct order_behaviour b[2 * EXPORTS];
      struct si_order_tests tests;
      struct order_mode m;
      unsigned is = ORDER_TRUTH_ALL;
      random_state(&tests, &m);
      tests.stencil_export = true;
      tests.assume_no_z_fights = random_below(2);
      if (pairs)
         choose_pair(&tests);
      for (unsigned f = 0; f < 2 * values; f++) {
         tests.faces[f & 1].reference = (uint8_t)(f / 2);
         b[f] = order_behaviour(&tests, f & 1, (const bool[2]){true, true});
      }
      for (unsigned f = 0; f < 2 * values * 2 * values && is; f++)
         is &= order_truth(&m, &b[f % (2 * values)], &b[f / (2 * values)], values);
      count(r, 1, order_kept(is, tests.assume_no_z_fights), check(&tests, is));
   }
}

/* What the six orders of three fragments leave the same. */
static unsigned
kept_by_orders(const struct order_mode *m, const struct order_behaviour behaviours[3], const unsigned z[3],
               struct order_sample start)
{
   static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
   const bool ties = z[0] == z[1] || z[0] == z[2] || z[1] == z[2];
   unsigned passed[6] = {0}, last[6] = {0}, kept = SI_ORDER_ALL;
   struct order_sample end[6];
   for (unsigned o = 0; o < 6; o++) {
      end[o] = start;
      for (unsigned k = 0; k < 3; k++) {
         const unsigned f = orders[o][k];
         if (order_run(m, &behaviours[f], z[f], &end[o])) {
            passed[o] |= 1u << f;
            last[o] = f + 1;
         }
      }
      if (end[o].z != end[0].z || end[o].s != end[0].s)
         kept = 0;
      if (!passed[o] != !passed[0])
         kept &= ~(unsigned)SI_ORDER_ANY;
      if (__builtin_popcount(passed[o]) != __builtin_popcount(passed[0]))
         kept &= ~(unsigned)SI_ORDER_COUNT;
      if (passed[o] != passed[0])
         kept &= ~(unsigned)(SI_ORDER_SET | SI_ORDER_SEQUENCE);
      if (__builtin_popcount(passed[o]) > 1)
         kept &= ~(unsigned)SI_ORDER_SEQUENCE;
      if (last[o] != last[0])
         kept &= ~(unsigned)SI_ORDER_LAST;
   }
   return kept | (ties ? SI_ORDER_ALL : kept) << ORDER_NO_TIES_SHIFT;
}

/* Random states, stored values and three fragments of either face, which may bring references along. */
static void
try_orders(unsigned number)
{
   for (unsigned i = 0; i < number; i++) {
      struct order_behaviour behaviours[3];
      struct si_order_tests tests;
      struct order_mode m;
      unsigned z[3];
      random_state(&tests, &m);
      tests.stencil_export = random_below(2);
      for (unsigned f = 0; f < 3; f++) {
         struct si_order_tests one = tests;
         const unsigned face = random_below(2);
         if (tests.stencil_export)
            one.faces[face].reference = (uint8_t)random_below(values);
         behaviours[f] = order_behaviour(&one, face, (const bool[2]){true, true});
         z[f] = random_below(ORDER_DEPTHS);
      }
      const struct order_sample start = {random_below(ORDER_DEPTHS), random_below(values)};
      const unsigned kept = kept_by_orders(&m, behaviours, z, start);
      for (unsigned ties = 0; ties < 2; ties++) {
         tests.assume_no_z_fights = !ties;
         check(&tests, kept); /* which is more than what is kept of all values */
      }
   }
}

/* At most so many of a thousand that are free may be taken for bound. */
static void
conclude(const char *what, const struct result *r, unsigned most)
{
   static const char *const names[] = {"depth and stencil", "any", "count", "set", "last", "sequence"};
   printf("%s: %" PRIu64 " states\n", what, r->states);
   for (unsigned bit = 0; bit < 6; bit++) {
      const bool too_many = r->careful[bit] * 1000 > r->free[bit] * most || !r->free[bit];
      printf("%-18s %15" PRIu64 " free, %13" PRIu64 " of them taken for bound (%.3f%%)%s\n", names[bit], r->free[bit],
             r->careful[bit], r->free[bit] ? 100. * (double)r->careful[bit] / (double)r->free[bit] : 0,
             too_many ? ": too many" : "");
      failures += too_many;
   }
}

int
main(int argc, char **argv)
{
   struct result all[2] = {{0}}, some = {0}, exports = {0}, few = {0};
   bits = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
   values = 1u << bits;
   if (bits < 1 || bits > 2) {
      fprintf(stderr, "usage: test_order_tests 1|2 [--list]\n");
      return 2;
   }
   listing = argc > 2;
   check_faces();
   check_modes(all);
   conclude("all", &all[0], 0);
   conclude("all, no two of one depth", &all[1], 0);
   for (values = 2; values < EXPORTS; values *= 2)
      random_exports(&few, test_share_of(2000), false);
   random_exports(&exports, test_share_of(bits == 1 ? 3000 : 10000), false);
   conclude("exported references, 4 bits, random", &exports, bits == 1 ? 15 : 10);
   for (values = 2; values < EXPORTS; values *= 2)
      random_exports(&few, test_share_of(bits == 1 ? 4000 : 40000), true);
   values = 1u << bits;
   listing = false;
   try_orders(test_share_of(bits == 1 ? 300000 : 1000000));
   values = 256;
   try_orders(test_share_of(100000));
   random_full_masks(test_share_of(300000));
   random_states(&some, test_share_of(50000));
   conclude("8 bits, random", &some, 0);
   printf("%u failures\n", failures);
   return failures != 0;
}
