/* indium order --explain: what radeonsi decides for a state, from the functions that it decides with. */
#include <stdlib.h>
#include <string.h>

#include "amd/hw/chips.h"
#include "tools/order/order.h"
#include "tools/order/order_state.h"
#include "util/format.h"
#include "util/macros.h"

static const struct {
   unsigned bit;
   const char *name, *text;
} bits[] = {
   {SI_ORDER_DEPTH_STENCIL, "depth-stencil", "what depth and stencil are in the end"},
   {SI_ORDER_ANY, "any", "whether any fragment passes"},
   {SI_ORDER_COUNT, "count", "how many fragments pass"},
   {SI_ORDER_SET, "set", "which fragments pass"},
   {SI_ORDER_LAST, "last", "which fragment passes last"},
   {SI_ORDER_SEQUENCE, "sequence", "the order in which fragments pass"},
};

static struct si_out_of_order_key
key_of(const struct order_state *state)
{
   struct si_order_tests tests = state->tests;
   tests.depth_test &= state->depth_buffer;
   tests.depth_bounds &= state->depth_buffer;
   tests.stencil_test &= state->stencil_buffer;
   struct si_out_of_order_key key = {
      .available = state->chip->out_of_order,
      .off = state->nooutoforder,
      .relaxed = state->relaxed,
      .kept = si_order_kept(&tests),
      .shader = {.early_tests = state->early_tests,
                 .writes_memory = state->stores,
                 .drops_samples = state->discard || state->exports_mask || state->alpha_to_coverage,
                 .exports_stencil = tests.stencil_export,
                 .reads_targets = state->reads_targets,
                 .ordered_interlock = state->interlock == ORDER_INTERLOCK_ORDERED},
      .occlusion = state->occlusion,
      .statistics = state->statistics,
   };
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++)
      key.color |= si_order_target_need(&state->blend, i, state->commutative_blend_add);
   return key;
}

/* The first target whose need is the decision's reason. */
static unsigned
find_target(const struct order_state *state, struct si_out_of_order_key key)
{
   unsigned i = 0;
   for (; i + 1 < PIPE_MAX_COLOR_TARGETS; i++) {
      key.color = si_order_target_need(&state->blend, i, state->commutative_blend_add);
      if (!si_out_of_order(&key).allowed)
         break;
   }
   return i;
}

static const char *
missing_text(unsigned missing)
{
   return bits[__builtin_ctz(missing)].text;
}

static void
print_sentence(const struct order_state *state, const struct si_out_of_order_key *key,
               struct si_out_of_order decision)
{
   unsigned missing = decision.needed & ~key->kept, target = find_target(state, *key);
   printf("%s: ", decision.allowed ? "out of order" : "in order");
   switch (decision.reason) {
   case SI_REASON_UNAVAILABLE:
      printf("%s rasterises in the order of primitives", state->chip->name);
      break;
   case SI_REASON_OFF:
      printf("nooutoforder says never");
      break;
   case SI_REASON_RELAXED:
      printf("the application relaxes the order of the pipeline, whatever follows from that");
      break;
   case SI_REASON_INTERLOCK:
      printf("the shader has ordered sections, which run in the order of primitives");
      break;
   case SI_REASON_TESTS:
      printf("the tests do not keep %s", missing_text(missing));
      break;
   case SI_REASON_TARGETS_READ:
      printf("the shader reads what fragments of the draw write, and the tests do not keep %s",
             missing_text(missing));
      break;
   case SI_REASON_COLOR:
      printf("color%u (%s) depends on %s, and the tests do not keep that", target,
             format_info(state->blend.formats[target])->name, missing_text(missing));
      break;
   case SI_REASON_MEMORY:
      printf("the shader stores to memory after early tests, and these do not keep %s", missing_text(missing));
      break;
   case SI_REASON_OCCLUSION:
      printf("the occlusion query depends on %s, and the tests do not keep that", missing_text(missing));
      break;
   case SI_REASON_STATISTICS:
      printf("the statistics query counts invocations after early tests, and these do not keep %s",
             missing_text(missing));
      break;
   case SI_REASON_FREE:
   case SI_REASON_COUNT:
      printf("nothing depends on what the tests do not keep");
      break;
   }
   printf("\n");
}

static void
print_bits(const char *who, const char *what, unsigned set)
{
   printf("  %-14s %s", who, what);
   for (unsigned i = 0; i < ARRAY_SIZE(bits); i++) {
      if (set & bits[i].bit)
         printf(" %s", bits[i].name);
   }
   printf("%s\n", set ? "" : " nothing");
}

static void
print_needs(const struct order_state *state, const struct si_out_of_order_key *key)
{
   static const char *const who[SI_REASON_COUNT] = {[SI_REASON_TARGETS_READ] = "targets read",
                                                    [SI_REASON_MEMORY] = "stores",
                                                    [SI_REASON_OCCLUSION] = "occlusion",
                                                    [SI_REASON_STATISTICS] = "statistics"};
   print_bits("tests", "keep", key->kept);
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      struct si_out_of_order_key one = *key;
      char name[16];
      one.color = si_order_target_need(&state->blend, i, state->commutative_blend_add);
      snprintf(name, sizeof(name), "color%u", i);
      if (state->blend.formats[i])
         print_bits(name, "needs", si_order_need(&one, SI_REASON_COLOR));
   }
   for (enum si_order_reason reason = SI_REASON_TESTS; reason <= SI_REASON_STATISTICS; reason++) {
      if (who[reason] && si_order_need(key, reason))
         print_bits(who[reason], "needs", si_order_need(key, reason));
   }
   if ((state->tests.depth_test || state->tests.depth_bounds) && !state->depth_buffer)
      printf("  depth_test     is off without depth_buffer\n");
   if (state->tests.stencil_test && !state->stencil_buffer)
      printf("  stencil_test   is off without stencil_buffer\n");
   for (unsigned i = 0; i < ORDER_NUM_IDLE; i++) {
      if (state->idle >> i & 1)
         printf("  %-14s makes no difference\n", order_idle_keys[i]);
   }
}

int
order_explain(const char *argument)
{
   struct order_state state;
   struct order_error error;
   const char *where;
   size_t size_B;
   char *text = order_state_read("order", argument, &size_B, &where);
   if (!text)
      return 2;
   bool ok = order_state_parse(text, size_B, &state, &error);
   free(text);
   if (!ok) {
      fprintf(stderr, "indium order: %s:%u:%u: %s\n", where, error.line, error.column, error.message);
      return 2;
   }
   const struct si_out_of_order_key key = key_of(&state);
   print_sentence(&state, &key, si_out_of_order(&key));
   print_needs(&state, &key);
   return 0;
}
