/* Control flow: depth of nesting, length of sequences, cases of a switch. */
#include "constructs.h"

#include <stdlib.h>

/* a = a OP k */
static void
change(struct spv *s, uint32_t a, SpvOp op, uint32_t k)
{
   spv_store(s, a, spv_value(s, op, s->uint_type, spv_load(s, s->uint_type, a), spv_uint(s, k)));
}

static uint32_t
local_of_x(struct spv *s)
{
   uint32_t a = spv_variable(s, SpvStorageClassFunction, s->uint_type);
   spv_store(s, a, s->x);
   return a;
}

/* ---- selections ---- */

static void
begin_if_other(struct spv *s, uint32_t value, uint32_t k, uint32_t merge)
{
   uint32_t other = spv_value(s, SpvOpINotEqual, s->bool_type, value, spv_uint(s, k)), body = spv_id(s);
   spv_merge(s, merge);
   spv_branch_if(s, other, body, merge);
   spv_label(s, body);
}

/* if (x != k) { */
static void
begin_if(struct spv *s, uint32_t k, uint32_t merge)
{
   begin_if_other(s, s->x, k, merge);
}

static void
end_if(struct spv *s, uint32_t merge)
{
   spv_branch(s, merge);
   spv_label(s, merge);
}

/* if (x != 0) { a += 0; if (x != 1) { a += 1; ... } a ^= 1; } a ^= 0; */
static uint32_t
emit_nested_ifs(struct spv *s, uint32_t n)
{
   uint32_t a = local_of_x(s), *merges = calloc(n, sizeof(*merges));
   for (uint32_t k = 0; k < n; k++) {
      begin_if(s, k, merges[k] = spv_id(s));
      change(s, a, SpvOpIAdd, k);
   }
   for (uint32_t k = n; k-- > 0;) {
      end_if(s, merges[k]);
      change(s, a, SpvOpBitwiseXor, k);
   }
   free(merges);
   return spv_load(s, s->uint_type, a);
}

static uint32_t
expect_nested_ifs(uint32_t x, uint32_t n)
{
   uint32_t a = x, k = 0;
   for (; k < n && x != k; k++)
      a += k;
   for (k = k < n ? k + 1 : n; k-- > 0;)
      a ^= k;
   return a;
}

/* if (x != 0) a += 0; if (x != 1) a += 1; ... */
static uint32_t
emit_ifs(struct spv *s, uint32_t n)
{
   uint32_t a = local_of_x(s);
   for (uint32_t k = 0; k < n; k++) {
      uint32_t merge = spv_id(s);
      begin_if(s, k, merge);
      change(s, a, SpvOpIAdd, k);
      end_if(s, merge);
   }
   return spv_load(s, s->uint_type, a);
}

static uint32_t
expect_ifs(uint32_t x, uint32_t n)
{
   uint32_t a = x;
   for (uint32_t k = 0; k < n; k++)
      a += x != k ? k : 0;
   return a;
}

/* Ifs around what does not touch a: the way of its value through them is long. */
static uint32_t
emit_ifs_in_sequence(struct spv *s, uint32_t n)
{
   uint32_t a = local_of_x(s);
   for (uint32_t k = 0; k < n; k++) {
      uint32_t merge = spv_id(s);
      begin_if(s, k, merge);
      spv_store(s, s->first_word, s->x);
      end_if(s, merge);
   }
   return spv_load(s, s->uint_type, a);
}

static uint32_t
expect_x(uint32_t x, uint32_t n)
{
   (void)n;
   return x;
}

/* Breaks of a loop from inside of nested ifs: what follows each is guarded. */
static uint32_t
emit_nested_breaks(struct spv *s, uint32_t n)
{
   uint32_t a = local_of_x(s), header = spv_id(s), merge = spv_id(s), next = spv_id(s), body = spv_id(s);
   uint32_t *merges = calloc(n, sizeof(*merges));
   spv_branch(s, header);
   spv_label(s, header);
   SPV(&s->code, SpvOpLoopMerge, merge, next, 0);
   spv_branch(s, body);
   spv_label(s, body);
   for (uint32_t k = 0; k < n; k++) {
      begin_if(s, k, merges[k] = spv_id(s));
      change(s, a, SpvOpIAdd, k);
   }
   for (uint32_t k = n; k-- > 0;) {
      uint32_t leave = spv_id(s), stay = spv_id(s);
      end_if(s, merges[k]);
      change(s, a, SpvOpIAdd, 1);
      uint32_t large = spv_value(s, SpvOpUGreaterThan, s->bool_type, s->x, spv_uint(s, n + k));
      spv_merge(s, stay);
      spv_branch_if(s, large, leave, stay);
      spv_label(s, leave);
      spv_branch(s, merge);
      spv_label(s, stay);
   }
   spv_branch(s, merge);
   spv_label(s, next);
   spv_branch(s, header);
   spv_label(s, merge);
   free(merges);
   return spv_load(s, s->uint_type, a);
}

static uint32_t
expect_nested_breaks(uint32_t x, uint32_t n)
{
   uint32_t a = x, k = 0;
   for (; k < n && x != k; k++)
      a += k;
   for (k = k < n ? k + 1 : n; k-- > 0;) {
      a++;
      if (x > n + k)
         break;
   }
   return a;
}

/* ---- loops ---- */

struct loop {
   uint32_t counter, header, next, merge;
};

/* for (counter = first; counter < 2; counter++) { */
static struct loop
begin_loop(struct spv *s, uint32_t first)
{
   struct loop loop = {spv_variable(s, SpvStorageClassFunction, s->uint_type), spv_id(s), spv_id(s), spv_id(s)};
   uint32_t test = spv_id(s), body = spv_id(s);
   spv_store(s, loop.counter, first);
   spv_branch(s, loop.header);
   spv_label(s, loop.header);
   SPV(&s->code, SpvOpLoopMerge, loop.merge, loop.next, SpvLoopControlDontUnrollMask);
   spv_branch(s, test);
   spv_label(s, test);
   uint32_t count = spv_load(s, s->uint_type, loop.counter);
   spv_branch_if(s, spv_value(s, SpvOpULessThan, s->bool_type, count, spv_uint(s, 2)), body, loop.merge);
   spv_label(s, body);
   return loop;
}

static void
end_loop(struct spv *s, const struct loop *loop)
{
   spv_branch(s, loop->next);
   spv_label(s, loop->next);
   change(s, loop->counter, SpvOpIAdd, 1);
   spv_branch(s, loop->header);
   spv_label(s, loop->merge);
}

/* One in eight runs from x & 1, the others from 1 on: once. Sums are small enough to run. */
static uint32_t
emit_nested_loops(struct spv *s, uint32_t n)
{
   uint32_t a = local_of_x(s), bit = spv_value(s, SpvOpBitwiseAnd, s->uint_type, s->x, spv_uint(s, 1));
   uint32_t one = spv_value(s, SpvOpBitwiseOr, s->uint_type, bit, spv_uint(s, 1)); /* not to be folded */
   struct loop *loops = calloc(n, sizeof(*loops));
   for (uint32_t k = 0; k < n; k++) {
      loops[k] = begin_loop(s, k == n / 2 ? bit : one);
      change(s, a, SpvOpIAdd, k);
   }
   for (uint32_t k = n; k-- > 0;)
      end_loop(s, &loops[k]);
   free(loops);
   return spv_load(s, s->uint_type, a);
}

static uint32_t
expect_nested_loops(uint32_t x, uint32_t n)
{
   uint32_t a = x;
   for (uint32_t k = 0; k < n; k++)
      a += k >= n / 2 && !(x & 1) ? 2 * k : k;
   return a;
}

static uint32_t
emit_loops(struct spv *s, uint32_t n)
{
   uint32_t a = local_of_x(s), bit = spv_value(s, SpvOpBitwiseAnd, s->uint_type, s->x, spv_uint(s, 1));
   for (uint32_t k = 0; k < n; k++) {
      struct loop loop = begin_loop(s, bit);
      change(s, a, SpvOpIAdd, k);
      end_loop(s, &loop);
   }
   return spv_load(s, s->uint_type, a);
}

static uint32_t
expect_loops(uint32_t x, uint32_t n)
{
   uint32_t a = x;
   for (uint32_t k = 0; k < n; k++)
      a += (x & 1) ? k : 2 * k;
   return a;
}

/* Values that a loop carries, which a selection in it changes once, from others: all are phis twice. */
static uint32_t
emit_carried(struct spv *s, uint32_t n)
{
   uint32_t merge = spv_id(s), sum = s->x;
   uint32_t *values = calloc(n, sizeof(*values));
   for (uint32_t k = 0; k < n; k++) {
      values[k] = spv_variable(s, SpvStorageClassFunction, s->uint_type);
      spv_store(s, values[k], spv_load(s, s->uint_type, s->first_word));
   }
   struct loop loop = begin_loop(s, spv_uint(s, 0));
   begin_if_other(s, spv_load(s, s->uint_type, loop.counter), 1, merge);
   for (uint32_t k = 0; k < n; k++) {
      uint32_t next = spv_load(s, s->uint_type, values[(k + 1) % n]);
      uint32_t far = spv_load(s, s->uint_type, values[(k + 5) % n]);
      uint32_t product = spv_value(s, SpvOpIMul, s->uint_type, next, spv_uint(s, 3));
      spv_store(s, values[k], spv_value(s, SpvOpIAdd, s->uint_type, product, far));
   }
   end_if(s, merge);
   end_loop(s, &loop);
   for (uint32_t k = 0; k < 2 * n; k++) { /* there and back: what x does not count for is gone */
      const uint32_t i = k < n ? k : 2 * n - 1 - k;
      uint32_t value = spv_load(s, s->uint_type, values[i]);
      sum = spv_value(s, SpvOpBitwiseXor, s->uint_type, sum,
                      spv_value(s, SpvOpIMul, s->uint_type, value, spv_uint(s, i + 1)));
   }
   free(values);
   return sum;
}

/* ---- switches ---- */

/* switch (x) { case 3k: a += k; break; ... default: a = 7; } */
static uint32_t
emit_switch(struct spv *s, uint32_t n)
{
   uint32_t a = local_of_x(s), otherwise = spv_id(s), merge = spv_id(s);
   uint32_t *words = calloc(2 * n + 2, sizeof(*words));
   words[0] = s->x;
   words[1] = otherwise;
   for (uint32_t k = 0; k < n; k++) {
      words[2 + 2 * k] = 3 * k;
      words[3 + 2 * k] = spv_id(s);
   }
   spv_merge(s, merge);
   spv_op(&s->code, SpvOpSwitch, words, 2 * n + 2);
   for (uint32_t k = 0; k < n; k++) {
      spv_label(s, words[3 + 2 * k]);
      change(s, a, SpvOpIAdd, k);
      spv_branch(s, merge);
   }
   spv_label(s, otherwise);
   spv_store(s, a, spv_uint(s, 7));
   spv_branch(s, merge);
   spv_label(s, merge);
   free(words);
   return spv_load(s, s->uint_type, a);
}

static uint32_t
expect_switch(uint32_t x, uint32_t n)
{
   return x % 3 || x / 3 >= n ? 7 : x + x / 3;
}

/* A phi of a switch: one value a case. */
static uint32_t
emit_phi(struct spv *s, uint32_t n)
{
   uint32_t otherwise = spv_id(s), merge = spv_id(s), *words = calloc(2 * n + 2, sizeof(*words)), id = spv_id(s);
   uint32_t *phi = calloc(2 * n + 4, sizeof(*phi));
   words[0] = s->x;
   words[1] = otherwise;
   phi[0] = s->uint_type;
   phi[1] = id;
   for (uint32_t k = 0; k < n; k++) {
      words[2 + 2 * k] = k;
      words[3 + 2 * k] = spv_id(s);
   }
   spv_merge(s, merge);
   spv_op(&s->code, SpvOpSwitch, words, 2 * n + 2);
   for (uint32_t k = 0; k < n; k++) {
      spv_label(s, words[3 + 2 * k]);
      phi[2 + 2 * k] = spv_value(s, SpvOpIMul, s->uint_type, s->x, spv_uint(s, 3 * k));
      phi[3 + 2 * k] = words[3 + 2 * k];
      spv_branch(s, merge);
   }
   spv_label(s, otherwise);
   spv_branch(s, merge);
   spv_label(s, merge);
   phi[2 + 2 * n] = spv_uint(s, 5);
   phi[3 + 2 * n] = otherwise;
   spv_op(&s->code, SpvOpPhi, phi, 2 * n + 4);
   free(words);
   free(phi);
   return id;
}

static uint32_t
expect_phi(uint32_t x, uint32_t n)
{
   return x < n ? 3 * x * x : 5;
}

/* Literals of one case. */
static uint32_t
emit_literals(struct spv *s, uint32_t n)
{
   uint32_t a = local_of_x(s), merge = spv_id(s), chosen = spv_id(s), *words = calloc(2 * n + 2, sizeof(*words));
   words[0] = s->x;
   words[1] = merge;
   for (uint32_t k = 0; k < n; k++) {
      words[2 + 2 * k] = 2 * k;
      words[3 + 2 * k] = chosen;
   }
   spv_merge(s, merge);
   spv_op(&s->code, SpvOpSwitch, words, 2 * n + 2);
   spv_label(s, chosen);
   change(s, a, SpvOpIAdd, 9);
   spv_branch(s, merge);
   spv_label(s, merge);
   free(words);
   return spv_load(s, s->uint_type, a);
}

static uint32_t
expect_literals(uint32_t x, uint32_t n)
{
   return x % 2 || x / 2 >= n ? x : x + 9;
}

/* switch (x) { default: switch (x + 1) { default: ... a += k; } } */
static uint32_t
emit_nested_switches(struct spv *s, uint32_t n)
{
   uint32_t a = local_of_x(s), *merges = calloc(n, sizeof(*merges));
   for (uint32_t k = 0; k < n; k++) {
      uint32_t body = spv_id(s), other = spv_id(s);
      merges[k] = spv_id(s);
      spv_merge(s, merges[k]);
      SPV(&s->code, SpvOpSwitch, s->x, body, k, other);
      spv_label(s, other);
      change(s, a, SpvOpBitwiseXor, k);
      spv_branch(s, merges[k]);
      spv_label(s, body);
      change(s, a, SpvOpIAdd, k);
   }
   for (uint32_t k = n; k-- > 0;)
      end_if(s, merges[k]);
   free(merges);
   return spv_load(s, s->uint_type, a);
}

static uint32_t
expect_nested_switches(uint32_t x, uint32_t n)
{
   uint32_t a = x;
   for (uint32_t k = 0; k < n; k++) {
      if (x == k)
         return a ^ k;
      a += k;
   }
   return a;
}

const struct construct constructs_flow[] = {
   {"nested_ifs", {3, 200, 1023}, emit_nested_ifs, expect_nested_ifs},
   {"nested_loops", {3, 40, 300}, emit_nested_loops, expect_nested_loops},
   {"nested_switches", {3, 100, 1022}, emit_nested_switches, expect_nested_switches},
   {"nested_breaks", {3, 100, 1000}, emit_nested_breaks, expect_nested_breaks},
   {"ifs", {3, 300, 10000}, emit_ifs, expect_ifs},
   {"ifs_in_sequence", {3, 300, 5000}, emit_ifs_in_sequence, expect_x},
   {"loops", {3, 100, 1000}, emit_loops, expect_loops},
   {"carried", {3, 700, 2000}, emit_carried, expect_x},
   {"switch", {3, 300, 16383}, emit_switch, expect_switch},
   {"phi", {3, 300, 16383}, emit_phi, expect_phi},
   {"literals", {3, 300, 16383}, emit_literals, expect_literals},
   {0},
};
