/* Fragments that bring stencil references along: any two may meet, so there are 1,024 functions of stencil, and no
 * time to try them. But a reference that may be anything tells any two values apart that a test compares, so it is
 * enough to know which bits are compared and which are changed, by whom:
 *
 *   Nobody changes what another one compares: then whether it passes is its own business, and all that stencil needs
 *   is operations that commute, whoever does which.
 *
 *   All that is done is to clear, or to set: it does not matter whether a test passes after somebody who cleared all
 *   that the test would clear.
 *
 *   What is smaller, or larger, replaces what is there, in the highest bits that are compared: the smallest stays. To
 *   clear all of these bits is as good as to replace them by the smallest of all.
 *
 * What is equal is replaced by itself. All else depends on the order, for some references (but for tests of one bit,
 * which are taken as if they had more). */
#include "gallium/drivers/radeonsi/order/si_order_references.h"
#include "gallium/drivers/radeonsi/order/si_order_stencil.h"

/* Fragments of one face, of which depth's test says the same. */
struct kind {
   bool passes_depth, may_pass; /* may_pass: all tests */
   enum pipe_compare compare;
   bool once;              /* who passes writes a value that nobody passes by the same comparison of the bits */
   uint8_t tests;          /* bits that decide who passes all tests */
   uint8_t selects;        /* bits that decide what becomes of stencil */
   uint8_t mask, changes;  /* bits that are written, and those if there is an operation */
   uint8_t changes_unseen; /* by fragments that do not pass */
   uint8_t bit;            /* the one that is compared for order; nothing is replaced */
   bool one;               /* those that do not see it change nothing */
   bool clears, sets;      /* all that is done to any bit */
   uint8_t on;             /* bits that decide on that */
   bool extreme, smallest; /* of stored values and references in these bits the smallest, or the largest stays */
   unsigned num_ops;
   enum pipe_stencil_op ops[2]; /* by the stencil test; what is not reached is left out */
};

static bool
is_ordered(enum pipe_compare compare)
{
   return !(compare & PIPE_COMPARE_LESS) != !(compare & PIPE_COMPARE_GREATER);
}

/* Are the bits of the mask the highest of those compared? */
static bool
are_highest(uint8_t mask, uint8_t compared)
{
   return mask && (compared & (uint8_t)~((mask & -mask) - 1)) == mask;
}

static void
set_extreme(struct kind *k, const struct pipe_stencil_face *f, uint8_t compared, enum pipe_stencil_op pass,
            enum pipe_stencil_op fail)
{
   const bool replaces = pass == PIPE_STENCIL_REPLACE && fail == PIPE_STENCIL_KEEP;
   const bool replaces_others = fail == PIPE_STENCIL_REPLACE && pass == PIPE_STENCIL_KEEP;

   if (!is_ordered(f->compare) || !are_highest(k->mask, compared) || (!replaces && !replaces_others))
      return;
   k->extreme = true;
   k->smallest = replaces == !!(f->compare & PIPE_COMPARE_LESS);
   k->selects = k->mask;
}

static bool
is_one_bit(uint8_t mask)
{
   return mask && !(mask & (mask - 1));
}

/* What passes or fails by comparison is never at the end of all values where only the other can happen. So whether it
 * stops there does not matter; and the lowest bit is inverted by all that count. */
static void
leave_out_ends(const struct pipe_stencil_face *f, uint8_t mask, enum pipe_stencil_op *pass,
               enum pipe_stencil_op *fail)
{
   const bool upper = f->compare == PIPE_COMPARE_GREATER || f->compare == PIPE_COMPARE_LESS_OR_EQUAL;
   const enum pipe_stencil_op clamp = upper ? PIPE_STENCIL_INCREMENT_CLAMP : PIPE_STENCIL_DECREMENT_CLAMP;
   const enum pipe_stencil_op wrap = upper ? PIPE_STENCIL_INCREMENT_WRAP : PIPE_STENCIL_DECREMENT_WRAP;
   const bool passes = !(f->compare & PIPE_COMPARE_EQUAL);
   enum pipe_stencil_op *op = passes ? pass : fail, other = passes ? *fail : *pass;

   if (is_ordered(f->compare) && (*op == clamp || *op == wrap))
      *op = other == clamp ? clamp : wrap;
   for (unsigned i = 0; mask == 1 && i < 2; i++) {
      op = i ? pass : fail;
      if (*op == PIPE_STENCIL_INCREMENT_WRAP || *op == PIPE_STENCIL_DECREMENT_WRAP)
         *op = PIPE_STENCIL_INVERT;
   }
}

/* Of one bit that is compared for order a reference has two values. By one of them the same happens whatever is
 * stored; by the other one something else does where the bit is set, or where it is clear. */
static void
set_bit(struct kind *k, const struct pipe_stencil_face *f, uint8_t compared, enum pipe_stencil_op pass,
        enum pipe_stencil_op fail)
{
   const bool passes = !(f->compare & PIPE_COMPARE_EQUAL); /* what else happens */
   const bool where_clear = f->compare == PIPE_COMPARE_GREATER || f->compare == PIPE_COMPARE_LESS_OR_EQUAL;

   if (!is_ordered(f->compare) || !is_one_bit(compared) || pass == PIPE_STENCIL_REPLACE ||
       fail == PIPE_STENCIL_REPLACE)
      return;
   k->bit = compared;
   k->one = (passes ? fail : pass) == PIPE_STENCIL_KEEP && pass != fail;
   if (!k->one)
      return;
   if ((passes ? pass : fail) == PIPE_STENCIL_ZERO && where_clear) {
      k->mask &= (uint8_t)~compared;
      k->changes &= k->mask;
      k->changes_unseen &= k->mask;
   }
}

/* Counting down to 0 clears the highest bit, if only that is written, where all others are clear; counting up sets
 * it. */
static void
set_direction(struct kind *k, uint8_t max)
{
   const bool highest = k->mask == max - max / 2;

   k->clears = k->sets = true;
   k->on = k->selects;
   for (unsigned i = 0; i < k->num_ops; i++) {
      const bool down = highest && k->ops[i] == PIPE_STENCIL_DECREMENT_CLAMP;
      const bool up = highest && k->ops[i] == PIPE_STENCIL_INCREMENT_CLAMP;

      k->clears &= k->ops[i] == PIPE_STENCIL_KEEP || k->ops[i] == PIPE_STENCIL_ZERO || down;
      k->sets &= k->ops[i] == PIPE_STENCIL_KEEP || up;
      k->on |= down || up ? max : 0;
   }
}

/* It clears what it compares, where that is not 0. */
static bool
passes_once(const struct pipe_stencil_face *f, uint8_t compared, uint8_t mask, enum pipe_stencil_op pass,
            enum pipe_stencil_op fail)
{
   return fail == PIPE_STENCIL_KEEP && !(compared & ~mask) && f->compare == PIPE_COMPARE_LESS &&
          pass == PIPE_STENCIL_ZERO;
}

static struct kind
kind(const struct si_order_tests *tests, unsigned face, bool passes_depth)
{
   const uint8_t mask = tests->faces[face].write_mask & tests->stencil_max;
   struct pipe_stencil_face f = tests->faces[face].face;
   uint8_t compared = tests->faces[face].compare_mask & tests->stencil_max;

   if (!compared)
      f.compare = f.compare & PIPE_COMPARE_EQUAL ? PIPE_COMPARE_ALWAYS : PIPE_COMPARE_NEVER;
   const bool may_fail = f.compare != PIPE_COMPARE_ALWAYS, may_pass = f.compare != PIPE_COMPARE_NEVER;
   const bool by_itself = mask && !(mask & ~compared); /* is what is equal replaced */
   enum pipe_stencil_op pass = passes_depth ? f.pass : f.depth_fail, fail = f.fail;

   if (!mask || (by_itself && f.compare == PIPE_COMPARE_EQUAL && pass == PIPE_STENCIL_REPLACE))
      pass = PIPE_STENCIL_KEEP;
   if (!mask || (by_itself && f.compare == PIPE_COMPARE_NOT_EQUAL && fail == PIPE_STENCIL_REPLACE))
      fail = PIPE_STENCIL_KEEP;
   leave_out_ends(&f, mask, &pass, &fail);
   if (!may_fail)
      fail = pass;
   if (!may_pass)
      pass = fail;
   if (!may_fail || !may_pass)
      compared = 0;
   const bool is_unseen = (may_fail && fail != PIPE_STENCIL_KEEP) || (!passes_depth && pass != PIPE_STENCIL_KEEP);
   struct kind k = {
      .passes_depth = passes_depth,
      .may_pass = passes_depth && may_pass,
      .compare = f.compare,
      .once = passes_depth && passes_once(&f, compared, mask, pass, fail),
      .tests = passes_depth ? compared : 0,
      .selects = pass != fail ? compared : 0,
      .mask = mask,
      .changes = pass != PIPE_STENCIL_KEEP || fail != PIPE_STENCIL_KEEP ? mask : 0,
      .changes_unseen = is_unseen ? mask : 0,
      .num_ops = pass != fail ? 2 : 1,
      .ops = {pass, fail},
   };

   set_bit(&k, &f, compared, pass, fail);
   set_extreme(&k, &f, compared, pass, fail);
   set_direction(&k, tests->stencil_max);
   return k;
}

/* ---- operations ---- */

struct step {
   enum pipe_stencil_op op;
   uint8_t mask;
};

/* Where bits are replaced they may become anything; what else is done to other bits depends on whether these are all
 * set, or all clear. */
struct run {
   struct si_order_operation operation;
   uint8_t mask;
};

static struct run
run_of(const struct step *step, uint8_t reference, uint8_t max)
{
   return (struct run){si_order_operation(step->op, reference, max), step->mask};
}

static inline uint8_t
apply(const struct run *r, uint8_t s)
{
   return (uint8_t)((si_order_operate(&r->operation, s) & r->mask) | (s & ~r->mask));
}

/* Is it the same, of all stored values and references, to do first[0], then second[0], as first[1], then second[1]?
 * Steps 0 and 3 are of one fragment, and so are 1 and 2. */
static bool
are_same(const struct step *const steps[4], uint8_t max)
{
   for (unsigned references = 0; references < 4; references++) {
      const uint8_t a = references & 1 ? max : 0, b = references & 2 ? max : 0;
      const struct run one[] = {run_of(steps[0], a, max), run_of(steps[1], b, max)};
      const struct run two[] = {run_of(steps[2], b, max), run_of(steps[3], a, max)};
      uint8_t differs = 0;

      for (unsigned i = 0; i < 256; i++) {
         const uint8_t s = (uint8_t)i & max;

         differs |= apply(&one[1], apply(&one[0], s)) ^ apply(&two[1], apply(&two[0], s));
      }
      if (differs)
         return false;
   }
   return true;
}

/* What is replaced by anything does not stay if something else is done to it: of all values there is one that it
 * changes (which need not be one of the ends). */
static bool
is_replaced_and_changed(struct step a, struct step b)
{
   return (a.op == PIPE_STENCIL_REPLACE || b.op == PIPE_STENCIL_REPLACE) && a.op != PIPE_STENCIL_KEEP &&
          b.op != PIPE_STENCIL_KEEP && a.mask & b.mask;
}

static bool
commute(struct step a, struct step b, uint8_t max)
{
   if (a.op == PIPE_STENCIL_KEEP || b.op == PIPE_STENCIL_KEEP || !a.mask || !b.mask)
      return true;
   if (is_replaced_and_changed(a, b))
      return false;
   if (a.op == b.op && a.mask == b.mask)
      return true;
   return are_same((const struct step *const[]){&a, &b, &b, &a}, max);
}

static bool
operations_commute(const struct kind *a, const struct kind *b, uint8_t max)
{
   for (unsigned i = 0; i < a->num_ops; i++)
      for (unsigned j = 0; j < b->num_ops; j++)
         if (!commute((struct step){a->ops[i], a->mask}, (struct step){b->ops[j], b->mask}, max))
            return false;
   return true;
}

/* ---- pairs ---- */

/* Do all of both that see the bit that is compared do the same? */
static bool
are_alike(const struct kind *a, const struct kind *b)
{
   return a->bit && a->bit == b->bit && a->compare == b->compare && a->mask == b->mask && a->num_ops == b->num_ops &&
          a->ops[0] == b->ops[0] && a->ops[1] == b->ops[1];
}

/* What b would do does not matter after a that changed what b compares. */
static bool
covers(const struct kind *a, const struct kind *b)
{
   return !(a->changes & b->on) || !(b->changes & ~a->changes);
}

static bool
clears_extreme(const struct kind *clears, const struct kind *extreme)
{
   return extreme->extreme && extreme->smallest && clears->clears && !(extreme->mask & ~clears->changes) &&
          !(extreme->mask & clears->on);
}

/* Does stencil end the same? */
static bool
stencil_is_kept(const struct kind *a, const struct kind *b, uint8_t max)
{
   if (!a->changes || !b->changes || (a->one && are_alike(a, b)))
      return true;
   if (!(a->changes & b->selects) && !(b->changes & a->selects))
      return operations_commute(a, b, max);
   if (((a->clears && b->clears) || (a->sets && b->sets)) && covers(a, b) && covers(b, a))
      return true;
   if (a->extreme && b->extreme)
      return a->smallest == b->smallest && a->mask == b->mask;
   return clears_extreme(a, b) || clears_extreme(b, a);
}

/* Of those that pass. */
static unsigned
kept_of_passes(const struct kind *a, const struct kind *b)
{
   const bool alike = a->passes_depth == b->passes_depth && are_alike(a, b);
   const bool others_pass = alike && a->compare & PIPE_COMPARE_EQUAL; /* that do not see the bit */
   unsigned kept = SI_ORDER_ALL;

   if (a->may_pass && b->may_pass)
      kept &= ~(unsigned)(SI_ORDER_LAST | SI_ORDER_SEQUENCE);
   for (unsigned i = 0; i < 2; i++) {
      const struct kind *test = i ? a : b, *other = i ? b : a;

      if (!(test->tests & other->changes))
         continue;
      kept &= ~(unsigned)(SI_ORDER_SET | SI_ORDER_LAST | SI_ORDER_SEQUENCE);
      if (alike && a->one)
         continue;
      if (!test->once || !other->once || test->compare != other->compare || test->tests & ~other->mask)
         kept &= ~(unsigned)SI_ORDER_COUNT;
      if (test->tests & other->changes_unseen && !others_pass)
         kept &= ~(unsigned)(SI_ORDER_ANY | SI_ORDER_COUNT);
   }
   return kept;
}

/* Of two that pass both tests does stencil end the same if the nearer one comes first and the other one fails depth
 * after it? Nobody changes what is compared. */
static bool
nearest_decides(const struct si_order_tests *tests, const struct kind *near, const struct kind *far,
                const struct kind *far_after)
{
   const struct step near_step = {near->ops[0], near->mask};
   const struct step far_step = {far->ops[0], far->mask}, after = {far_after->ops[0], far_after->mask};

   if (!near->may_pass || !far->may_pass)
      return true;
   return !is_replaced_and_changed(near_step, after) &&
          are_same((const struct step *const[]){&near_step, &after, &far_step, &near_step}, tests->stencil_max);
}

unsigned
si_order_kept_of_references(const struct si_order_tests *tests, const struct si_order_depth *depth)
{
   struct kind kinds[4]; /* 2 * face + depth */
   bool writes = false;
   unsigned kept = SI_ORDER_ALL;

   for (unsigned i = 0; i < 4; i++) {
      kinds[i] = kind(tests, i / 2, i & 1);
      writes |= depth->writes && depth->may[i & 1] && kinds[i].may_pass;
   }
   if (writes && (!depth->ordered || depth->bounds))
      return 0;
   for (unsigned i = 0; i < 16 && kept; i++) {
      const unsigned a = i / 4, b = i % 4;

      if (b < a || !depth->may[a & 1] || !depth->may[b & 1] || (depth->lone[a & 1] && (a & 1) == (b & 1)))
         continue;
      kept &= kept_of_passes(&kinds[a], &kinds[b]);
      if (!(writes && depth->no_ties && a & 1 && b & 1) && !stencil_is_kept(&kinds[a], &kinds[b], tests->stencil_max))
         return 0;
   }
   if (!writes)
      return kept;
   for (unsigned pair = 0; pair < 4; pair++)
      if (!nearest_decides(tests, &kinds[(pair & 2) + 1], &kinds[(pair & 1) * 2 + 1], &kinds[(pair & 1) * 2]))
         return 0;
   return kept & SI_ORDER_SET ? SI_ORDER_DEPTH_STENCIL | SI_ORDER_ANY | (depth->no_ties ? SI_ORDER_LAST : 0) : 0;
}
