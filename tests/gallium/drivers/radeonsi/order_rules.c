#include "order_rules.h"

#define BIT(x) (1u << (x))

static const unsigned nearest = BIT(PIPE_COMPARE_LESS) | BIT(PIPE_COMPARE_LESS_OR_EQUAL) | BIT(PIPE_COMPARE_GREATER) |
                                BIT(PIPE_COMPARE_GREATER_OR_EQUAL);
static const unsigned constant = BIT(PIPE_COMPARE_ALWAYS) | BIT(PIPE_COMPARE_NEVER);

/* Operations after ALWAYS, or of those that fail after NEVER. */
static bool
all_in(const struct pipe_stencil_face *f, unsigned ops)
{
   return (f->compare == PIPE_COMPARE_ALWAYS && ops & BIT(f->pass) && ops & BIT(f->depth_fail)) ||
          (f->compare == PIPE_COMPARE_NEVER && ops & BIT(f->fail));
}

uint32_t
order_face_bits(const struct si_order_tests *tests)
{
   const struct pipe_stencil_face *f = &tests->faces[0].face;
   const unsigned mesa = BIT(PIPE_STENCIL_KEEP) | BIT(PIPE_STENCIL_ZERO) | BIT(PIPE_STENCIL_INVERT) |
                         BIT(PIPE_STENCIL_INCREMENT_WRAP) | BIT(PIPE_STENCIL_DECREMENT_WRAP);
   const unsigned clamps = BIT(PIPE_STENCIL_INCREMENT_CLAMP) | BIT(PIPE_STENCIL_DECREMENT_CLAMP);
   const unsigned ops = BIT(f->fail) | BIT(f->pass) | BIT(f->depth_fail);
   const bool operates = ops != BIT(PIPE_STENCIL_KEEP), mask = tests->faces[0].write_mask;
   uint32_t bits = 0;
   bits |= mask && operates ? ORDER_FACE_WRITES : 0;
   bits |= operates ? ORDER_FACE_OPERATES : 0;
   bits |= !mask || all_in(f, mesa) ? ORDER_FACE_MESA : 0;
   bits |= !mask || all_in(f, mesa | BIT(PIPE_STENCIL_REPLACE)) ? ORDER_FACE_MAIL : 0;
   bits |= constant & BIT(f->compare) ? ORDER_FACE_CONSTANT : 0;
   bits |= (nearest | BIT(PIPE_COMPARE_EQUAL)) & BIT(f->compare) ? ORDER_FACE_PAL : 0;
   bits |= mask && ops & clamps ? ORDER_FACE_CLAMPS : 0;
   bits |= mask && ops & BIT(PIPE_STENCIL_REPLACE) ? ORDER_FACE_REPLACES : 0;
   return bits;
}

/* Who passes is settled, and depth and stencil are in the end, by Mesa's functions of depth-stencil state. */
struct invariance {
   bool tests, set, last;
};

static struct invariance
mesa(const struct order_draw *d)
{
   const bool depth = d->depth_test && d->depth_write, stencil = d->some & ORDER_FACE_WRITES;
   const bool harmless = !depth && (!stencil || d->every & ORDER_FACE_MESA);
   return (struct invariance){
      .tests = harmless || (!stencil && (nearest | BIT(PIPE_COMPARE_NEVER)) & BIT(d->depth_compare)),
      .set = harmless || (!stencil && constant & BIT(d->depth_compare)),
   };
}

static bool
radeonsi(const struct order_draw *d)
{
   const struct invariance dsa = mesa(d);
   if (d->color == ORDER_COLOR_XOR || !dsa.tests)
      return false;
   if (!dsa.set && ((d->writes_memory && d->early_tests) || d->query == ORDER_QUERY_PRECISE))
      return false;
   return d->color == ORDER_COLOR_NONE || (d->color == ORDER_COLOR_MAX && dsa.set);
}

/* The patch that the mail is about, by its list, if sums may be rounded and z fights are no matter. */
static bool
patch(const struct order_draw *d)
{
   const bool ordered = d->depth_test && nearest & BIT(d->depth_compare);
   if (d->writes_memory || d->some & ORDER_FACE_WRITES)
      return false;
   switch (d->color) {
   case ORDER_COLOR_NONE:
      return ordered;
   case ORDER_COLOR_REPLACED:
      return d->depth_test ? ordered : d->stencil_test;
   case ORDER_COLOR_MAX:
   case ORDER_COLOR_ADDED:
      return !d->depth_test && !d->stencil_test;
   case ORDER_COLOR_OVER:
   case ORDER_COLOR_XOR:
   case ORDER_COLORS:
      return false;
   }
   return false;
}

static struct invariance
mail(const struct order_draw *d)
{
   const bool depth = d->depth_test && d->depth_write, stencil = d->some & ORDER_FACE_WRITES;
   const bool is_nearest = nearest & BIT(d->depth_compare);
   return (struct invariance){
      .tests = (!depth && !stencil) || (!stencil && (is_nearest || d->depth_compare == PIPE_COMPARE_NEVER)) ||
               (!depth && d->every & ORDER_FACE_MAIL),
      .set = (!depth && !stencil) || (!stencil && constant & BIT(d->depth_compare)) ||
             (!depth && d->every & ORDER_FACE_CONSTANT),
      .last = !stencil && depth && is_nearest,
   };
}

static bool
by_mail(const struct order_draw *d, bool aggressive)
{
   const struct invariance dsa = mail(d);
   if (!dsa.tests || d->color == ORDER_COLOR_XOR)
      return false;
   switch (d->color) {
   case ORDER_COLOR_NONE:
      return true;
   case ORDER_COLOR_REPLACED:
      return aggressive && dsa.last;
   case ORDER_COLOR_MAX:
      return dsa.set;
   case ORDER_COLOR_ADDED: /* if rounding may differ */
      return aggressive && dsa.set;
   case ORDER_COLOR_OVER:
   case ORDER_COLOR_XOR:
   case ORDER_COLORS:
      return false;
   }
   return false;
}

static bool
mail_strict(const struct order_draw *d)
{
   return by_mail(d, false);
}

static bool
mail_aggressive(const struct order_draw *d)
{
   return by_mail(d, true);
}

static bool
by_pal(const struct order_draw *d, bool aggressive)
{
   const bool depth = d->depth_test && d->depth_write && d->depth_compare != PIPE_COMPARE_NEVER;
   const bool stencil = d->some & ORDER_FACE_OPERATES, writes = depth || stencil;
   const bool ordered =
      d->depth_test && d->depth_compare != PIPE_COMPARE_ALWAYS && d->depth_compare != PIPE_COMPARE_NOT_EQUAL;
   const bool depth_ok = !depth || (nearest | BIT(PIPE_COMPARE_EQUAL)) & BIT(d->depth_compare);
   const bool stencil_ok = !stencil || d->every & ORDER_FACE_PAL;
   const bool commutes = d->color == ORDER_COLOR_MAX || d->color == ORDER_COLOR_ADDED;
   if (d->writes_memory || (writes && !(depth_ok && stencil_ok)))
      return false;
   if (!aggressive && d->query && writes)
      return false;
   if (d->color == ORDER_COLOR_NONE)
      return true;
   if (d->color == ORDER_COLOR_REPLACED || d->color == ORDER_COLOR_XOR)
      return aggressive && ordered;
   return commutes && aggressive && !writes;
}

static bool
pal_safe(const struct order_draw *d)
{
   return by_pal(d, false);
}

static bool
pal_aggressive(const struct order_draw *d)
{
   return by_pal(d, true);
}

const struct order_rule order_rules[ORDER_RULES] = {
   {"radeonsi; RADV until 2022", radeonsi, false},
   {"patch of 2017", patch, true},
   {"mail", mail_strict, false},
   {"mail, aggressive", mail_aggressive, true},
   {"PAL, safe", pal_safe, false},
   {"PAL, aggressive", pal_aggressive, true},
};
