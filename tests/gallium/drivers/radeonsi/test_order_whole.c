/* Whole draws against search: random states of the tests, and with each everything that shaders, colour and queries
 * may ask for. A fragment has a depth, a face, a reference if the shader exports one, a colour, and may be dropped.
 * Of every pair both orders meet every sample, and everything that anybody can see is compared:
 *
 *   depth and stencil
 *   colour: of every stored value and every two that fragments bring along
 *   samples counted, or whether there are any: of fragments that pass and are not dropped
 *   stores after early tests: which fragments run
 *   invocations counted after early tests: how many run, of which any may run anyway for the sake of another sample
 *   colour that shaders read: all that was written there, and in which order
 *
 * Late tests see no fragment that the shader drops; early ones do, and let it run. An exported reference comes too
 * late for early tests. Colour never decides who passes, so it is enough to know who wrote in which order.
 *
 * Usage: test_order_whole STATES. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gallium/drivers/radeonsi/order/si_out_of_order.h"
#include "order_truth.h"
#include "util/macros.h"

enum { VALUES = 4, FAILURES = 10 };

/* ---- colour: two bits of fixed point or an integer ---- */

enum color { NONE, REPLACED, MAXIMUM, OVER, XORED, INVERTED, CLEARED, COLORS };

/* Who of the fragments a and b wrote, the first one first. */
enum sequence { NOBODY, A, B, A_B, B_A, SEQUENCES };

static const char *const color_names[] = {"no colour", "replaced", "maximum", "over", "xor", "inverted", "cleared"};
static bool differs[COLORS][SEQUENCES][SEQUENCES];

/* The source is a value and alpha. */
static unsigned
write_color(enum color color, unsigned source, unsigned stored)
{
   const unsigned value = source % VALUES, alpha = source / VALUES;

   switch (color) {
   case REPLACED:
      return value;
   case MAXIMUM:
      return MAX2(value, stored);
   case OVER:
      return (2 * (value * alpha + stored * (VALUES - 1 - alpha)) + VALUES - 1) / (2 * (VALUES - 1));
   case XORED:
      return value ^ stored;
   case INVERTED:
      return ~stored & (VALUES - 1);
   case CLEARED:
      return 0;
   case NONE:
   case COLORS:
      break;
   }
   return stored;
}

static unsigned
write_sequence(enum color color, enum sequence sequence, unsigned a, unsigned b, unsigned stored)
{
   if (sequence == A || sequence == A_B)
      stored = write_color(color, a, stored);
   if (sequence == B || sequence == A_B || sequence == B_A)
      stored = write_color(color, b, stored);
   return sequence == B_A ? write_color(color, a, stored) : stored;
}

static void
init_colors(void)
{
   const unsigned sources = VALUES * VALUES;

   for (unsigned i = 0; i < COLORS * SEQUENCES * SEQUENCES * VALUES * sources * sources; i++) {
      const enum color color = i % COLORS;
      const enum sequence one = i / COLORS % SEQUENCES, two = i / COLORS / SEQUENCES % SEQUENCES;
      const unsigned rest = i / COLORS / SEQUENCES / SEQUENCES, stored = rest % VALUES;
      const unsigned a = rest / VALUES % sources, b = rest / VALUES / sources;

      differs[color][one][two] |=
         write_sequence(color, one, a, b, stored) != write_sequence(color, two, a, b, stored);
   }
}

static unsigned
color_need(enum color color)
{
#define BLEND(op, src, dst)                                                                                          \
   {true, PIPE_FACTOR_##src, PIPE_FACTOR_##dst, PIPE_FACTOR_##src, PIPE_FACTOR_##dst, PIPE_BLEND_##op,               \
    PIPE_BLEND_##op, 0xf}
   static const struct si_order_blend targets[COLORS] = {
      [REPLACED] = {.write_mask = 0xf},
      [MAXIMUM] = BLEND(MAX, ONE, ONE),
      [OVER] = BLEND(ADD, SRC_ALPHA, ONE_MINUS_SRC_ALPHA),
      [XORED] = {.write_mask = 0xf},
      [INVERTED] = {.write_mask = 0xf},
      [CLEARED] = {.write_mask = 0xf},
   };
#undef BLEND
   static const enum pipe_logic_op ops[COLORS] = {
      [XORED] = PIPE_LOGIC_XOR, [INVERTED] = PIPE_LOGIC_INVERT, [CLEARED] = PIPE_LOGIC_CLEAR};

   return si_order_color_need(&(struct si_order_color){
      .blend = &targets[color], .logic_op_enable = color >= XORED, .logic_op = ops[color], .has_alpha = true});
}

/* ---- what two orders of a pair show ---- */

/* By whether the shader drops samples after early tests. */
struct seen {
   bool tests, runs[2], counts[2], any[2], invocations; /* they differ */
   bool sequences[2][SEQUENCES][SEQUENCES];             /* were seen, of who wrote */
};

static enum sequence
sequence_of(bool a, bool b, bool a_first)
{
   return a && b ? a_first ? A_B : B_A : a ? A : b ? B : NOBODY;
}

static void
see(struct seen *seen, bool a1, bool b1, bool a2, bool b2)
{
   seen->runs[0] |= a1 != a2 || b1 != b2;
   for (unsigned anyway = 0; anyway < 4; anyway++) {
      const bool a = !(anyway & 1), b = !(anyway & 2);

      seen->invocations |= (a1 && a) + (b1 && b) != (a2 && a) + (b2 && b);
   }
   for (unsigned dropped = 0; dropped < 4; dropped++) {
      const bool a = !(dropped & 1), b = !(dropped & 2);
      const unsigned one = (a1 && a) + (b1 && b), two = (a2 && a) + (b2 && b);

      for (unsigned drops = dropped ? 1 : 0; drops < 2; drops++) {
         seen->counts[drops] |= one != two;
         seen->any[drops] |= !one != !two;
         seen->sequences[drops][sequence_of(a1 && a, b1 && b, true)][sequence_of(a2 && a, b2 && b, false)] = true;
      }
   }
}

static void
see_pair(struct seen *seen, const struct order_mode *m, const struct order_behaviour *a,
         const struct order_behaviour *b, bool no_ties)
{
   for (unsigned i = 0; i < m->num_depths; i++) {
      const struct order_depths *d = &m->depths[i];

      for (unsigned s = 0; s < VALUES && !(no_ties && d->a == d->b); s++) {
         struct order_sample one = {d->z, s}, two = one;
         const bool a1 = order_run(m, a, d->a, &one), b1 = order_run(m, b, d->b, &one);
         const bool b2 = order_run(m, b, d->b, &two), a2 = order_run(m, a, d->a, &two);

         seen->tests |= one.z != two.z || one.s != two.s;
         see(seen, a1, b1, a2, b2);
      }
   }
}

static bool
is_bound(const struct seen *seen, const struct si_out_of_order_key *key, enum color color)
{
   const struct si_order_shader *shader = &key->shader;
   const bool early = shader->early_tests, drops = early && shader->drops_samples;
   bool bound = seen->tests || (early && shader->writes_memory && seen->runs[0]) ||
                (early && key->statistics && seen->invocations) ||
                (key->occlusion == SI_OCCLUSION_BOOLEAN && seen->any[drops]) ||
                (key->occlusion == SI_OCCLUSION_PRECISE && seen->counts[drops]);

   for (enum sequence one = 0; one < SEQUENCES; one++)
      for (enum sequence two = 0; two < SEQUENCES; two++)
         bound |=
            seen->sequences[drops][one][two] && (differs[color][one][two] || (shader->reads_targets && one != two));
   return bound;
}

/* ---- states ---- */

static unsigned seed = 1, failures;

static unsigned
random_below(unsigned n)
{
   seed = seed * 1664525 + 1013904223;
   return (seed >> 8) % n;
}

static uint8_t
random_mask(void)
{
   const unsigned kind = random_below(3);

   return (uint8_t)(kind == 0 ? 0 : kind == 1 ? VALUES - 1 : random_below(VALUES));
}

static void
random_state(struct si_order_tests *tests, struct order_mode *m)
{
   order_init_mode(m, random_below(4), random_below(2), !random_below(4), random_below(8));
   *tests = (struct si_order_tests){
      .depth_test = m->test,
      .depth_write = m->write,
      .depth_bounds = m->bounds,
      .depth_compare = m->compare,
      .stencil_test = random_below(4),
      .stencil_max = VALUES - 1,
      .assume_no_z_fights = !random_below(4),
   };
   tests->stencil_export = tests->stencil_test && !random_below(4);
   for (unsigned f = 0; f < 2; f++) {
      const bool simple = random_below(2);

      tests->faces[f].face.fail = simple ? PIPE_STENCIL_KEEP : random_below(8);
      tests->faces[f].face.depth_fail = simple ? PIPE_STENCIL_KEEP : random_below(8);
      tests->faces[f].face.pass = random_below(8);
      tests->faces[f].face.compare = random_below(3) ? random_below(8) : PIPE_COMPARE_ALWAYS;
      tests->faces[f].reference = (uint8_t)random_below(VALUES);
      tests->faces[f].compare_mask = random_mask();
      tests->faces[f].write_mask = random_mask();
   }
   if (random_below(2))
      tests->faces[1] = tests->faces[0];
}

static void
look(struct seen *seen, const struct si_order_tests *tests, const struct order_mode *m)
{
   struct order_behaviour b[2 * VALUES];
   const unsigned num = tests->stencil_export ? 2 * VALUES : 2;

   *seen = (struct seen){0};
   for (unsigned i = 0; i < num; i++) {
      struct si_order_tests one = *tests;

      if (tests->stencil_export)
         one.faces[i & 1].reference = (uint8_t)(i / 2);
      b[i] = order_behaviour(&one, i & 1, m->depth);
   }
   for (unsigned i = 0; i < num && !seen->tests; i++)
      for (unsigned j = i; j < num; j++)
         see_pair(seen, m, &b[i], &b[j], tests->assume_no_z_fights);
}

/* ---- draws ---- */

enum kind { PLAIN, EXPORTED, WITHOUT_TIES, KINDS };

static const char *const kind_names[] = {"draws", "draws that export references", "draws without equal depths"};
static struct result {
   uint64_t draws, free, careful;
} results[KINDS];
static unsigned needs[COLORS];

static void
check(const struct seen *seen, const struct si_order_tests *tests, const struct si_out_of_order_key *key,
      enum color color)
{
   const struct si_out_of_order said = si_out_of_order(key);
   const bool is_free = !is_bound(seen, key, color);
   struct result *r = &results[tests->assume_no_z_fights ? WITHOUT_TIES : tests->stencil_export ? EXPORTED : PLAIN];

   r->draws++;
   r->free += is_free;
   r->careful += is_free && !said.allowed;
   if (said.allowed && !is_free && failures++ < FAILURES)
      printf("unsound: kept %x, %s, early %d, drops %d, reads %d, stores %d, query %d, statistics %d\n", key->kept,
             color_names[color], key->shader.early_tests, key->shader.drops_samples, key->shader.reads_targets,
             key->shader.writes_memory, (int)key->occlusion, key->statistics);
}

static void
check_state(void)
{
   struct si_order_tests tests;
   struct order_mode m;
   struct seen seen;

   random_state(&tests, &m);
   look(&seen, &tests, &m);
   const unsigned kept = si_order_kept(&tests);
   for (unsigned i = 0; i < 32 * 3 * COLORS; i++) {
      const enum color color = i / 32 % COLORS;
      const struct si_out_of_order_key key = {
         .available = true,
         .kept = kept,
         .color = needs[color],
         .shader = {.early_tests = i & 1,
                    .drops_samples = i & 2,
                    .writes_memory = i & 4,
                    .reads_targets = i & 8,
                    .exports_stencil = tests.stencil_export},
         .occlusion = i / 32 / COLORS,
         .statistics = i & 16,
      };

      if (!(key.shader.early_tests && tests.stencil_export) && !(key.shader.reads_targets && color == NONE))
         check(&seen, &tests, &key, color);
   }
}

int
main(int argc, char **argv)
{
   static const unsigned most[KINDS] = {[PLAIN] = 0, [EXPORTED] = 10, [WITHOUT_TIES] = 10}; /* of 1000 */

   init_colors();
   for (enum color color = 0; color < COLORS; color++)
      needs[color] = color_need(color);
   for (int i = argc > 1 ? atoi(argv[1]) : 0; i > 0; i--)
      check_state();
   for (enum kind kind = 0; kind < KINDS; kind++) {
      const struct result *r = &results[kind];
      const bool wrong = !r->free || r->careful * 1000 > r->free * most[kind];

      printf("%s: %" PRIu64 ", %" PRIu64 " free, %" PRIu64 " of them taken for bound (%.3f%%)%s\n", kind_names[kind],
             r->draws, r->free, r->careful, 100. * (double)r->careful / (double)MAX2(r->free, 1),
             wrong ? ": too many" : "");
      failures += wrong;
   }
   printf("%u failures\n", failures);
   return failures != 0;
}
