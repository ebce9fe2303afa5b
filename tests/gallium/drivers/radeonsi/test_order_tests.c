/* What depth and stencil tests keep in every order (si_order_tests.c), against exhaustive search: every state of the
 * tests, every content of a sample, every pair of fragments, both orders. Depth has five values and bounds around the
 * middle one, stencil as many bits as the argument says; all references and write masks.
 *
 * States whose reduced faces are equal behave alike and get the same answer, so one of each is looked at, and counts
 * as often as there are states of its kind. A pair of faces is right if each face beside itself is, and both beside
 * each other (si_order.h: exchanges of neighbours). That this is so is tried with random states and all orders of
 * three fragments.
 *
 * Usage: test_order_tests BITS [--list]: the list has the states that are taken for bound and are free. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "gallium/drivers/radeonsi/si_order_tests.c"
#include "util/macros.h"

#define DEPTHS 5
#define BOUND 2 /* the depth that bounds let pass */
#define MAX_STENCILS 8

static unsigned stencils; /* values */

/* What a fragment that is not rejected by bounds does to stencil, by the stored value and whether it passes depth. */
struct behaviour {
   uint8_t passes[2][MAX_STENCILS]; /* the stencil test */
   uint8_t next[2][MAX_STENCILS];
};

struct kind {
   struct face face;
   struct behaviour behaviour;
   uint64_t states;
   uint8_t alone; /* truth beside itself */
};

static bool
compares(enum pipe_compare compare, unsigned a, unsigned b)
{
   return compare >> (a < b ? 0 : a == b ? 1 : 2) & 1;
}

static unsigned
apply(enum pipe_stencil_op op, unsigned s, unsigned reference, unsigned mask)
{
   const unsigned max = stencils - 1;
   unsigned n = s;
   switch (op) {
   case PIPE_STENCIL_KEEP:
      break;
   case PIPE_STENCIL_ZERO:
      n = 0;
      break;
   case PIPE_STENCIL_REPLACE:
      n = reference;
      break;
   case PIPE_STENCIL_INCREMENT_CLAMP:
      n = s < max ? s + 1 : max;
      break;
   case PIPE_STENCIL_DECREMENT_CLAMP:
      n = s ? s - 1 : 0;
      break;
   case PIPE_STENCIL_INVERT:
      n = ~s;
      break;
   case PIPE_STENCIL_INCREMENT_WRAP:
      n = s + 1;
      break;
   case PIPE_STENCIL_DECREMENT_WRAP:
      n = s - 1;
      break;
   }
   return ((n & mask) | (s & ~mask)) & max;
}

static struct behaviour
behaviour_of(const struct si_order_tests *tests, const bool depth[2])
{
   const struct pipe_stencil_face *f = &tests->faces[0].face;
   const unsigned reference = tests->faces[0].reference, mask = tests->faces[0].write_mask;
   struct behaviour b;
   memset(&b, 0, sizeof(b));
   for (unsigned passes = 0; passes < 2; passes++)
      for (unsigned s = 0; depth[passes] && s < stencils; s++) {
         const unsigned compare_mask = tests->faces[0].compare_mask;
         const bool pass = compares(f->compare, reference & compare_mask, s & compare_mask);
         b.passes[passes][s] = pass;
         b.next[passes][s] = (uint8_t)apply(!pass ? f->fail : passes ? f->pass : f->depth_fail, s, reference, mask);
      }
   return b;
}

struct depths;
struct mode {
   bool test, write, bounds;
   enum pipe_compare compare;
   unsigned states;
   unsigned num_depths;
   const struct depths *depths;
};

/* Comparisons that are mirror images of each other behave alike; and while depth stays as it is, all that fragments
 * may pass or fail whatever others do. */
static const struct mode modes[] = {
#define MODE(test_, write_, compare_, states_)                                                                       \
   {.test = test_, .write = write_, .compare = PIPE_COMPARE_##compare_, .states = states_}
   MODE(false, false, NEVER, 16), /* writes and comparisons of a test that is off */
   MODE(true, false, LESS, 5),    MODE(true, false, EQUAL, 1),    MODE(true, false, ALWAYS, 1),
   MODE(true, false, NEVER, 1),   MODE(true, true, LESS, 2),      MODE(true, true, LESS_OR_EQUAL, 2),
   MODE(true, true, EQUAL, 1),    MODE(true, true, NOT_EQUAL, 1), MODE(true, true, ALWAYS, 1),
   MODE(true, true, NEVER, 1),
};

struct sample {
   unsigned z, s;
};

/* Does it pass? */
static bool
run(const struct mode *m, const struct behaviour *b, unsigned z, struct sample *sample)
{
   if (m->bounds && sample->z != BOUND)
      return false;
   const bool depth = !m->test || compares(m->compare, z, sample->z);
   const bool stencil = b->passes[depth][sample->s];
   sample->s = b->next[depth][sample->s];
   if (stencil && depth && m->test && m->write)
      sample->z = z;
   return stencil && depth;
}

/* Whom the orders (first, second) and (second, first) leave the same. LAST is among fragments of different depth. */
static unsigned
exchange(const struct mode *m, const struct behaviour *a, unsigned za, const struct behaviour *b, unsigned zb,
         struct sample start)
{
   struct sample one = start, two = start;
   const bool a1 = run(m, a, za, &one), b1 = run(m, b, zb, &one);
   const bool b2 = run(m, b, zb, &two), a2 = run(m, a, za, &two);
   unsigned kept = 0;
   if (one.z == two.z && one.s == two.s)
      kept |= SI_ORDER_DEPTH_STENCIL;
   if ((a1 || b1) == (a2 || b2))
      kept |= SI_ORDER_ANY;
   if (a1 + b1 == a2 + b2)
      kept |= SI_ORDER_COUNT;
   if (a1 == a2 && b1 == b2)
      kept |= SI_ORDER_SET | (a1 && b1 ? 0 : SI_ORDER_SEQUENCE);
   const unsigned last1 = b1 ? 2 : a1, last2 = a2 ? 1 : b2 ? 2 : 0;
   if (last1 == last2 || za == zb)
      kept |= SI_ORDER_LAST;
   return kept;
}

/* A stored depth and those of two fragments. */
struct depths {
   uint8_t z, a, b;
};

/* Of all depths those that the tests can tell from each other. */
static unsigned
depths_of(const struct mode *m, struct depths depths[DEPTHS * DEPTHS * DEPTHS])
{
   bool seen[1 << 10] = {false};
   unsigned n = 0;
   for (unsigned i = 0; i < DEPTHS * DEPTHS * DEPTHS; i++) {
      const uint8_t z = (uint8_t)(i % DEPTHS), a = (uint8_t)(i / DEPTHS % DEPTHS), b = (uint8_t)(i / DEPTHS / DEPTHS);
      unsigned key = compares(m->compare, a, z) | compares(m->compare, b, z) << 1 | (a == b) << 2 |
                     (m->bounds && z != BOUND) << 3;
      if (m->write)
         key |= (compares(m->compare, a, b) | compares(m->compare, b, a) << 1 | (a == z) << 2 | (b == z) << 3 |
                 (m->bounds && a != BOUND) << 4 | (m->bounds && b != BOUND) << 5)
                << 4;
      if (!seen[key])
         depths[n++] = (struct depths){z, a, b};
      seen[key] = true;
   }
   return n;
}

static unsigned
truth(const struct mode *m, const struct behaviour *a, const struct behaviour *b)
{
   unsigned kept = SI_ORDER_ALL;
   for (unsigned i = 0; i < m->num_depths; i++)
      for (unsigned s = 0; s < stencils; s++) {
         const struct depths *d = &m->depths[i];
         kept &= exchange(m, a, d->a, b, d->b, (struct sample){d->z, s});
         if (!(kept & SI_ORDER_DEPTH_STENCIL))
            return 0;
      }
   return kept;
}

static unsigned
answer(const struct tests *t)
{
   const unsigned found = kept(t);
   return found & SI_ORDER_DEPTH_STENCIL ? found : 0;
}

static int
by_kind(const void *a, const void *b)
{
   return memcmp(a, b, offsetof(struct kind, states));
}

/* All faces, those alike together. */
static struct kind *
kinds_of(const struct mode *m, unsigned *count)
{
   const unsigned compare_masks[] = {stencils - 1, 1, 0};
   const unsigned total = 4096 * stencils * stencils * 3;
   struct kind *kinds = calloc(total, sizeof(*kinds));
   unsigned n = 0;
   for (unsigned i = 0; i < total; i++) {
      const unsigned rest = i / 4096;
      struct si_order_tests tests = {
         .depth_test = m->test,
         .depth_write = m->write,
         .depth_bounds = m->bounds,
         .depth_compare = m->compare,
         .stencil_test = true,
         .stencil_max = (uint8_t)(stencils - 1),
         .assume_no_z_fights = true,
         .faces[0] = {.face = {.fail = i & 7, .depth_fail = i >> 3 & 7, .pass = i >> 6 & 7, .compare = i >> 9 & 7},
                      .reference = (uint8_t)(rest % stencils),
                      .write_mask = (uint8_t)(rest / stencils % stencils),
                      .compare_mask = (uint8_t)compare_masks[rest / stencils / stencils]},
      };
      const struct tests t = reduce(&tests);
      memcpy(&kinds[i].face, &t.faces[0], sizeof(t.faces[0]));
      kinds[i].behaviour = behaviour_of(&tests, t.depth);
      kinds[i].states = 1;
   }
   qsort(kinds, total, sizeof(*kinds), by_kind);
   for (unsigned i = 1; i < total; i++) {
      if (!by_kind(&kinds[n], &kinds[i]))
         kinds[n].states++;
      else
         kinds[++n] = kinds[i];
   }
   *count = n + 1;
   return kinds;
}

struct result {
   uint64_t states, free[6], careful[6], unsound;
};

static bool listing;

static void
print_face(const struct kind *kind)
{
   static const char *const kinds[] = {"", "++", "--", "+", "-", "own"};
   const struct face *f = &kind->face;
   printf(" [compare %u, %u & %u;",
          f->may_fail && f->may_pass ? f->compare
          : f->may_pass              ? 7
                                     : 0,
          f->reference, f->compare_mask);
   for (unsigned i = 0; i < 3; i++) {
      const struct action *a = i ? &f->behind[i - 1] : &f->fail;
      printf(" %s%x:%x/%x/%x", kinds[a->kind], a->mask, a->clear, a->set, a->flip);
   }
   printf("]");
}

static void
print_states(const char *what, uint64_t states, const struct mode *m, const struct kind *a, const struct kind *b,
             unsigned is, unsigned said)
{
   printf("%" PRIu64 " %s: test %u write %u compare %u bounds %u, said %x, is %x:", states, what, m->test, m->write,
          m->compare, m->bounds, said, is);
   print_face(a);
   print_face(b);
   printf("\n");
}

static void
count(struct result *r, const struct mode *m, const struct kind *a, const struct kind *b, unsigned is, unsigned said)
{
   const uint64_t states = m->states * a->states * b->states * (a == b ? 1 : 2);
   if (said & ~is && !r->unsound)
      print_states("unsound", states, m, a, b, is, said);
   r->unsound += said & ~is ? states : 0;
   for (unsigned bit = 0; bit < ARRAY_SIZE(r->free); bit++) {
      r->free[bit] += is >> bit & 1 ? states : 0;
      r->careful[bit] += (is & ~said) >> bit & 1 ? states : 0;
   }
   if (listing && is & ~said)
      print_states("careful", states, m, a, b, is, said);
}

static void
check_mode(const struct mode *m, struct result *r)
{
   unsigned n;
   struct kind *kinds = kinds_of(m, &n);
   struct si_order_tests none = {.depth_test = m->test,
                                 .depth_write = m->write,
                                 .depth_bounds = m->bounds,
                                 .depth_compare = m->compare,
                                 .stencil_max = (uint8_t)(stencils - 1),
                                 .assume_no_z_fights = true};
   struct tests t = reduce(&none);
   uint64_t total = 0;
   for (unsigned i = 0; i < n; i++) {
      kinds[i].alone = (uint8_t)truth(m, &kinds[i].behaviour, &kinds[i].behaviour);
      total += kinds[i].states;
   }
   r->states += m->states * total * total;
   for (unsigned i = 0; i < n; i++)
      for (unsigned j = i; j < n; j++) {
         t.faces[0] = kinds[i].face;
         t.faces[1] = kinds[j].face;
         const unsigned said = answer(&t), most = kinds[i].alone & kinds[j].alone;
         if (!said && !most)
            continue;
         const unsigned is = most ? most & truth(m, &kinds[i].behaviour, &kinds[j].behaviour) : 0;
         count(r, m, &kinds[i], &kinds[j], is & SI_ORDER_DEPTH_STENCIL ? is : 0, said);
      }
   free(kinds);
}

/* Random states, stored values and three fragments of either face: all six orders leave what was said. */
static void
try_orders(struct result *r)
{
   static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
   uint32_t random = 1;
#define RANDOM(n) ((random = random * 1664525 + 1013904223) >> 8) % (n)
   for (unsigned i = 0; i < 2000000; i++) {
      struct si_order_tests tests = {.stencil_test = true, .stencil_max = (uint8_t)(stencils - 1)};
      struct behaviour behaviours[2];
      const struct mode m = {.test = RANDOM(4), .write = RANDOM(2), .bounds = RANDOM(2), .compare = RANDOM(8)};
      tests.depth_test = m.test;
      tests.depth_write = m.write;
      tests.depth_bounds = m.bounds;
      tests.depth_compare = m.compare;
      for (unsigned f = 0; f < 2; f++) {
         struct si_order_tests one = tests;
         tests.faces[f].face = (struct pipe_stencil_face){RANDOM(8), RANDOM(8), RANDOM(8), RANDOM(8)};
         tests.faces[f].reference = (uint8_t)(RANDOM(stencils));
         tests.faces[f].compare_mask = (uint8_t)(RANDOM(stencils));
         tests.faces[f].write_mask = (uint8_t)(RANDOM(stencils));
         one.faces[0] = tests.faces[f];
         behaviours[f] = behaviour_of(&one, (const bool[2]){true, true});
      }
      const unsigned said = si_order_kept(&tests);
      const struct sample start = {RANDOM(DEPTHS), RANDOM(stencils)};
      unsigned z[3], faces[3], passed[6], last[6], kept = SI_ORDER_ALL;
      struct sample end[6];
      for (unsigned f = 0; f < 3; f++) {
         z[f] = RANDOM(DEPTHS);
         faces[f] = RANDOM(2);
      }
      for (unsigned o = 0; o < 6; o++) {
         end[o] = start;
         passed[o] = last[o] = 0;
         for (unsigned k = 0; k < 3; k++) {
            const unsigned f = orders[o][k];
            if (run(&m, &behaviours[faces[f]], z[f], &end[o])) {
               passed[o] |= 1u << f;
               last[o] = f + 1;
            }
         }
         if (end[o].z != end[0].z || end[o].s != end[0].s)
            kept &= ~(unsigned)SI_ORDER_DEPTH_STENCIL;
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
      if (said & SI_ORDER_DEPTH_STENCIL && said & ~kept) {
         printf("three fragments of random state %u: said %x, is %x\n", i, said, kept);
         r->unsound++;
         return;
      }
   }
}

int
main(int argc, char **argv)
{
   static const char *const names[] = {"depth and stencil", "any", "count", "set", "last", "sequence"};
   struct result r = {0};
   stencils = argc > 1 ? 1u << atoi(argv[1]) : 0;
   if (stencils < 2 || stencils > MAX_STENCILS) {
      fprintf(stderr, "usage: test_order_tests 1|2|3 [--list]\n");
      return 2;
   }
   listing = argc > 2;
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(modes); i++) {
      struct mode m = modes[i / 2];
      struct depths depths[DEPTHS * DEPTHS * DEPTHS];
      m.bounds = i & 1;
      m.num_depths = depths_of(&m, depths);
      m.depths = depths;
      check_mode(&m, &r);
   }
   try_orders(&r);
   printf("%" PRIu64 " states, %" PRIu64 " unsound\n", r.states, r.unsound);
   for (unsigned bit = 0; bit < 6; bit++)
      printf("%-18s %14" PRIu64 " free, %12" PRIu64 " of them taken for bound (%.3f%%)\n", names[bit], r.free[bit],
             r.careful[bit], r.free[bit] ? 100. * (double)r.careful[bit] / (double)r.free[bit] : 0);
   return r.unsound != 0;
}
