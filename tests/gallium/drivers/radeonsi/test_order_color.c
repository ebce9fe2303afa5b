/* What colour needs of the fragments that pass (si_order_color.c), against all functions that blending and logic
 * operations make of the stored value: fixed point of two bits, with signs or without, and floats with signed zeros,
 * infinity and NaN; and random values of fixed point of 8 bits and floats, that nothing depends on how few there are.
 * Every equation and pair of factors of the colours next to some of alpha. test_si_order_color N: one in N of them.
 *
 * Of fixed point an API asks for one of the two nearest values (Vulkan: "Conversion From Floating-Point to Normalized
 * Fixed-Point"), so what holds has to hold whichever it is: the nearer one, or the even one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallium/drivers/radeonsi/order/si_order.h"
#include "share.h"
#include "util/macros.h"

#define STORED  4                /* values of a channel */
#define SOURCES 4
#define TRIALS 400              /* random ones, of fixed point */
#define FLOAT_TRIALS 4000
#define STATES (STORED * STORED) /* of colour and alpha */

struct pixel {
   float colour, alpha;
};

struct source {
   struct pixel s, s1;
};

enum numbers { UNSIGNED, SIGNED, FLOATS };

static const float stored_values[][STORED] = {
   [UNSIGNED] = {0, 1.f / 3, 2.f / 3, 1}, [SIGNED] = {-1, 0, 1, 0}, [FLOATS] = {-0.f, 0, 1.5f, INFINITY}};
static const float source_values[][SOURCES] = {
   [UNSIGNED] = {0.2f, 0.45f, 0.55f, 1}, [SIGNED] = {-0.7f, 0.4f, 0.6f, 1}, [FLOATS] = {-0.f, 0, 1.7f, NAN}};
static struct pixel constant = {0.4f, 0.6f};
static unsigned steps; /* of fixed point, from 0 to 1 */
static bool to_even;   /* is what is between two of them rounded so, or to the nearest? */

static float
factor(enum pipe_blend_factor f, const struct source *s, struct pixel d, bool of_alpha)
{
   switch (f) {
   case PIPE_FACTOR_ZERO:
      return 0;
   case PIPE_FACTOR_ONE:
      return 1;
   case PIPE_FACTOR_SRC_COLOR:
      return of_alpha ? s->s.alpha : s->s.colour;
   case PIPE_FACTOR_ONE_MINUS_SRC_COLOR:
      return 1 - (of_alpha ? s->s.alpha : s->s.colour);
   case PIPE_FACTOR_DST_COLOR:
      return of_alpha ? d.alpha : d.colour;
   case PIPE_FACTOR_ONE_MINUS_DST_COLOR:
      return 1 - (of_alpha ? d.alpha : d.colour);
   case PIPE_FACTOR_SRC_ALPHA:
      return s->s.alpha;
   case PIPE_FACTOR_ONE_MINUS_SRC_ALPHA:
      return 1 - s->s.alpha;
   case PIPE_FACTOR_DST_ALPHA:
      return d.alpha;
   case PIPE_FACTOR_ONE_MINUS_DST_ALPHA:
      return 1 - d.alpha;
   case PIPE_FACTOR_CONSTANT_COLOR:
      return of_alpha ? constant.alpha : constant.colour;
   case PIPE_FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return 1 - (of_alpha ? constant.alpha : constant.colour);
   case PIPE_FACTOR_CONSTANT_ALPHA:
      return constant.alpha;
   case PIPE_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return 1 - constant.alpha;
   case PIPE_FACTOR_SRC_ALPHA_SATURATE:
      return of_alpha ? 1 : fminf(s->s.alpha, 1 - d.alpha);
   case PIPE_FACTOR_SRC1_COLOR:
      return of_alpha ? s->s1.alpha : s->s1.colour;
   case PIPE_FACTOR_ONE_MINUS_SRC1_COLOR:
      return 1 - (of_alpha ? s->s1.alpha : s->s1.colour);
   case PIPE_FACTOR_SRC1_ALPHA:
      return s->s1.alpha;
   case PIPE_FACTOR_ONE_MINUS_SRC1_ALPHA:
      return 1 - s->s1.alpha;
   }
   return NAN;
}

static float
combine(enum pipe_blend_op op, float s, float sf, float d, float df)
{
   switch (op) {
   case PIPE_BLEND_ADD:
      return s * sf + d * df;
   case PIPE_BLEND_SUBTRACT:
      return s * sf - d * df;
   case PIPE_BLEND_REVERSE_SUBTRACT:
      return d * df - s * sf;
   case PIPE_BLEND_MIN:
      return s < d ? s : d;
   case PIPE_BLEND_MAX:
      return s > d ? s : d;
   }
   return NAN;
}

static enum numbers
numbers(const struct si_order_color *c)
{
   return c->is_float ? FLOATS : c->is_signed ? SIGNED : UNSIGNED;
}

static unsigned
few_steps(const struct si_order_color *c)
{
   return c->is_signed ? 1 : STORED - 1;
}

/* To the values that can be stored. */
static float
store(const struct si_order_color *c, float x)
{
   if (c->is_float)
      return x;
   x = fmaxf(c->is_signed ? -1 : 0, fminf(1, x)) * (float)steps;
   const float nearest = floorf(x + 0.5f);
   const bool is_between = fabsf(x - nearest) > 1e-3f;
   return (to_even && is_between ? 2 * rintf(x / 2) : nearest) / (float)steps + 0.f; /* there is one zero */
}

static struct pixel
blend(const struct si_order_color *c, const struct source *s, struct pixel d)
{
   const struct si_order_blend *b = c->blend;
   struct pixel out = d;
   if (b->write_mask & 7)
      out.colour = store(c, combine(b->op_rgb, s->s.colour, factor(b->src_rgb, s, d, false), d.colour,
                                    factor(b->dst_rgb, s, d, false)));
   if (b->write_mask & 8 && c->has_alpha)
      out.alpha = store(c, combine(b->op_alpha, s->s.alpha, factor(b->src_alpha, s, d, true), d.alpha,
                                   factor(b->dst_alpha, s, d, true)));
   return out;
}

/* There is one NaN, and there are two zeros. */
static bool
same_value(float a, float b)
{
   return !memcmp(&a, &b, sizeof(a)) || (isnan(a) && isnan(b));
}

static bool
same(struct pixel a, struct pixel b)
{
   return same_value(a.colour, b.colour) && same_value(a.alpha, b.alpha);
}

/* Up to two fragments that pass, of two kinds: nothing, 0, 1, 00, 01, 10, 11. */
static const struct sequence {
   uint8_t length, fragments[2];
} sequences[] = {{0, {0}}, {1, {0}}, {1, {1}}, {2, {0, 0}}, {2, {0, 1}}, {2, {1, 0}}, {2, {1, 1}}};

/* Are they alike in all that is needed? */
static bool
alike(const struct sequence *a, const struct sequence *b, unsigned need)
{
   const bool equal = a == b;
   if (need & SI_ORDER_SEQUENCE && !equal)
      return false;
   if (need & SI_ORDER_ANY && !a->length != !b->length)
      return false;
   if (need & SI_ORDER_COUNT && a->length != b->length)
      return false;
   if (need & SI_ORDER_SET &&
       (a->length != b->length || a->fragments[0] + a->fragments[1] != b->fragments[0] + b->fragments[1]))
      return false;
   return !(need & SI_ORDER_LAST) ||
          (!a->length == !b->length && (!a->length || a->fragments[a->length - 1] == b->fragments[b->length - 1]));
}

/* From that value, do sequences that are alike in what is needed end the same? */
static bool
ends_alike(const struct si_order_color *c, unsigned need, struct pixel start, const struct source *kinds[2])
{
   struct pixel ends[ARRAY_SIZE(sequences)];
   for (unsigned j = 0; j < ARRAY_SIZE(sequences); j++) {
      ends[j] = start;
      for (unsigned k = 0; k < sequences[j].length; k++)
         ends[j] = blend(c, kinds[sequences[j].fragments[k]], ends[j]);
      for (unsigned k = 0; k < j; k++)
         if (alike(&sequences[k], &sequences[j], need) && !same(ends[k], ends[j]))
            return false;
   }
   return true;
}

static unsigned seed = 1;

static unsigned
random_below(unsigned n)
{
   seed = seed * 1664525 + 1013904223;
   return (seed >> 8) % n;
}

/* Ends of the range as often as what is between. */
static float
random_value(const struct si_order_color *c, bool stored)
{
   static const float ends[] = {-0.f, 0, 1, -1, INFINITY, -INFINITY, NAN, 0x1p100f};
   const unsigned n = random_below(256);
   if (c->is_float)
      return n & 2 ? ends[random_below(ARRAY_SIZE(ends))]
                   : ldexpf((float)random_below(1 << 20) - (1 << 19), (int)random_below(16) - 24);
   if (n < 64)
      return n & 1 ? 1 : 0;
   const float value =
      stored ? (float)random_below(steps + 1) / (float)steps : (float)random_below(1 << 20) / (1 << 20);
   return c->is_signed && n & 1 ? 0.f - value : value;
}

/* In 8 bits of fixed point, or any floats: a random search. */
static bool
seems_enough(const struct si_order_color *c, unsigned need)
{
   bool enough = true;
   steps = c->is_signed ? 127 : 255;
   for (unsigned i = 0; enough && i < (c->is_float ? FLOAT_TRIALS : TRIALS); i++) {
      struct source s[2];
      const struct source *kinds[2] = {&s[0], &s[1]};
      struct pixel start = {random_value(c, true), c->has_alpha ? random_value(c, true) : 1};
      for (unsigned k = 0; k < 2; k++)
         s[k] = (struct source){{random_value(c, false), random_value(c, false)},
                                {random_value(c, false), random_value(c, false)}};
      to_even = i & 1;
      if (c->is_float)
         constant.colour = constant.alpha = i & 2 ? -0.4f : 1.4f; /* and what it lacks of 1 */
      enough = ends_alike(c, need, start, kinds);
   }
   return enough;
}

/* In two bits of fixed point, or floats of few values. */
static bool
is_enough(const struct si_order_color *c, unsigned need)
{
   const float *stored = stored_values[numbers(c)], *sources = source_values[numbers(c)];
   struct source all[2 * SOURCES];
   for (unsigned i = 0; i < ARRAY_SIZE(all); i++)
      all[i] = (struct source){{sources[i % SOURCES], sources[i / SOURCES]},
                               {sources[(i + 1) % SOURCES], sources[(i / SOURCES + i) % SOURCES]}};
   steps = few_steps(c);
   for (unsigned i = 0; i < STATES * ARRAY_SIZE(all) * ARRAY_SIZE(all) * (c->is_float ? 1 : 2); i++) {
      const unsigned pair = i / STATES % (ARRAY_SIZE(all) * ARRAY_SIZE(all));
      const struct source *kinds[2] = {&all[pair % ARRAY_SIZE(all)], &all[pair / ARRAY_SIZE(all)]};
      const struct pixel start = {stored[i % STORED], c->has_alpha ? stored[i / STORED % STORED] : 1};
      to_even = i / STATES / ARRAY_SIZE(all) / ARRAY_SIZE(all);
      if (!ends_alike(c, need, start, kinds))
         return false;
   }
   return true;
}

static unsigned every; /* one in so many states is tried, by chance */

struct result {
   unsigned states, free, careful; /* need less than the sequence, and are said to need it */
};

static void
count(const struct si_order_color *c, struct result *r)
{
   static const unsigned less[] = {0, SI_ORDER_ANY, SI_ORDER_COUNT, SI_ORDER_SET, SI_ORDER_LAST};
   const unsigned need = si_order_color_need(c);
   bool found = !(need & SI_ORDER_SEQUENCE);
   if (!seems_enough(c, need) || !is_enough(c, need))
      fail_msg("%u: op %u, factors %u and %u, alpha %u, mask %x: %x is not enough", numbers(c), c->blend->op_rgb,
               c->blend->src_rgb, c->blend->dst_rgb, c->blend->op_alpha, c->blend->write_mask, need);
   for (unsigned i = 0; !found && i < ARRAY_SIZE(less); i++)
      found = seems_enough(c, less[i]) && is_enough(c, less[i]);
   r->states++;
   r->free += found;
   r->careful += found && need & SI_ORDER_SEQUENCE;
}

static void
equations(enum numbers numbers)
{
   static const char *const names[] = {"fixed point", "fixed point with signs", "floats"};
   static const struct si_order_blend alphas[] = {
      {.op_alpha = PIPE_BLEND_ADD, .src_alpha = PIPE_FACTOR_ONE, .dst_alpha = PIPE_FACTOR_ZERO},
      {.op_alpha = PIPE_BLEND_MAX},
      {.op_alpha = PIPE_BLEND_ADD, .src_alpha = PIPE_FACTOR_ONE, .dst_alpha = PIPE_FACTOR_ONE_MINUS_SRC_ALPHA},
      {.op_alpha = PIPE_BLEND_ADD, .src_alpha = PIPE_FACTOR_ZERO, .dst_alpha = PIPE_FACTOR_ONE},
   };
   struct result r = {0};
   for (unsigned i = 0; i < 5 * 19 * 19 * ARRAY_SIZE(alphas) * 2 * 2; i++) {
      if (random_below(every))
         continue;
      unsigned rest = i;
      struct si_order_blend target = alphas[rest % ARRAY_SIZE(alphas)];
      rest /= ARRAY_SIZE(alphas);
      target.enable = true;
      target.op_rgb = rest % 5;
      target.src_rgb = rest / 5 % 19;
      target.dst_rgb = rest / 5 / 19 % 19;
      rest /= 5 * 19 * 19;
      target.write_mask = rest & 1 ? 0xf : 7;
      const struct si_order_color c = {
         .blend = &target, .is_float = numbers == FLOATS, .is_signed = numbers == SIGNED, .has_alpha = rest >> 1};
      count(&c, &r);
   }
   printf("%s: %u states, %u need less than a sequence, %u of them taken for more\n", names[numbers], r.states,
          r.free, r.careful);
   assert_true(r.free > r.states / (numbers == FLOATS ? 500 : 4));
   /* One in a hundred, and one more as a share of the states is few; of floats the search finds too many. */
   assert_true(r.careful * 100 <= (numbers == FLOATS ? r.states : r.free) + 100);
}

static void
fixed_point(void **state)
{
   equations(UNSIGNED);
}

static void
fixed_point_with_signs(void **state)
{
   equations(SIGNED);
}

static void
floating_point(void **state)
{
   equations(FLOATS);
}

/* Per bit: what s makes of d, for all s and d of one bit. */
static void
logic_operations(void **state)
{
   static const uint8_t truth[] = {0x0, 0x8, 0x4, 0xc, 0x2, 0xa, 0x6, 0xe, 0x1, 0x9, 0x5, 0xd, 0x3, 0xb, 0x7, 0xf};
   struct si_order_blend target = {.write_mask = 0xf};
   for (unsigned op = 0; op < 16; op++) {
      const struct si_order_color c = {.blend = &target, .logic_op_enable = true, .logic_op = op, .is_integer = true};
      bool f[2][2], nothing = true;
      unsigned enough = SI_ORDER_ALL & ~SI_ORDER_DEPTH_STENCIL;
      for (unsigned i = 0; i < 4; i++) {
         f[i >> 1][i & 1] = truth[op] >> i & 1; /* [s][d] */
         nothing &= f[i >> 1][i & 1] == (i & 1);
      }
      for (unsigned i = 0; i < 4; i++) {
         const unsigned s = i >> 1, d = i & 1;
         if (f[s][d] != f[0][0])
            enough &= ~(unsigned)SI_ORDER_ANY;
         if (f[s][d] != f[s][0])
            enough &= ~(unsigned)SI_ORDER_LAST;
         if (f[s][d] != f[0][d])
            enough &= ~(unsigned)SI_ORDER_COUNT;
         if (f[1][f[0][d]] != f[0][f[1][d]])
            enough &= ~(unsigned)SI_ORDER_SET;
      }
      const unsigned need = si_order_color_need(&c);
      assert_true(nothing ? !need : (need & enough) != 0);
      assert_int_equal((need & SI_ORDER_SEQUENCE) != 0, enough == SI_ORDER_SEQUENCE);
   }
}

static void
what_is_not_written(void **state)
{
   struct si_order_blend target = {.enable = true,
                                   .op_rgb = PIPE_BLEND_ADD,
                                   .src_rgb = PIPE_FACTOR_SRC_ALPHA,
                                   .dst_rgb = PIPE_FACTOR_ONE_MINUS_SRC_ALPHA,
                                   .op_alpha = PIPE_BLEND_MAX};
   struct si_order_color c = {.blend = &target, .has_alpha = true};
   assert_int_equal(si_order_color_need(&c), 0);
   target.write_mask = 8;
   assert_int_equal(si_order_color_need(&c), SI_ORDER_SET);
   target.write_mask = 2;
   assert_int_equal(si_order_color_need(&c), SI_ORDER_SEQUENCE);
   c.is_integer = true;
   assert_int_equal(si_order_color_need(&c), SI_ORDER_LAST);
   target.dst_rgb = PIPE_FACTOR_ONE;
   c.is_integer = false;
   assert_int_equal(si_order_color_need(&c), SI_ORDER_SEQUENCE);
   c.commutative_add = true;
   assert_int_equal(si_order_color_need(&c), SI_ORDER_SET);
   target.src_rgb = PIPE_FACTOR_SRC_ALPHA_SATURATE; /* looks at alpha, which stays */
   assert_int_equal(si_order_color_need(&c), SI_ORDER_SET);
   target.write_mask = 0xa;
   assert_int_equal(si_order_color_need(&c), SI_ORDER_SEQUENCE | SI_ORDER_SET);
}

int
main(int argc, char **argv)
{
   every = (argc > 1 ? (unsigned)atoi(argv[1]) : 1) * test_share();
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_point),      cmocka_unit_test(fixed_point_with_signs), cmocka_unit_test(floating_point),
      cmocka_unit_test(logic_operations), cmocka_unit_test(what_is_not_written),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
