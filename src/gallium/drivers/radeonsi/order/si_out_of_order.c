/* The rule. A draw needs of its fragments what follows; it is free where its tests keep all of that.
 *
 *   depth and stencil: what they are in the end (si_order_tests.c)
 *   colour: per target what its blending asks for (si_order_color.c); targets do not know of each other
 *   reading what fragments of the draw write (framebuffer fetch, feedback, an input attachment that is written): all
 *     that was there is an input to all that follows, so the sequence
 *   stores to memory after early tests: whose shader runs, so the set. With late tests all run, and in no order that
 *     anybody was promised
 *   boolean occlusion query: whether there are any. Precise: how many; samples are counted one by one
 *   invocations of fragment shaders after early tests: the set, since one invocation may stand for several samples,
 *     each with a number of its own. Without tests that the shader asks for, how many run is the chip's own business
 *     (hierarchical depth leaves out what it happens to know)
 *
 * What passes early tests may still be dropped (discard, mask, alpha to coverage), which depends on the fragment
 * alone. After them it is not enough then to know how many pass, or the last one: of these some are gone.
 *
 * Ordered sections in primitive order see any other order, whatever they do; unordered ones ask for none.
 *
 * No other state matters. Of the samples of a pixel and the layers of views each has its own sequence. Primitives'
 * coverage, sample shading, masks, conservative rasterisation, discard ahead of late tests decide who is in the
 * sequence; depth clamp, bias and exported depth, which depth a fragment brings along; rates, how many pixels an
 * invocation is for: all of a fragment alone, and the pairs that si_order_kept() looks at are any two. A stencil
 * reference that is exported makes fragments do different things, and si_order_kept() is told. Streams of vertices
 * and the queries of them end ahead of the rasteriser. HTILE and early tests reject only what the tests would, in
 * this order as in that.
 *
 * Draws after each other with equal state may mix, and need the same then; a change of state keeps them separate. */
#include "gallium/drivers/radeonsi/order/si_out_of_order.h"

static unsigned
after_early_tests(const struct si_order_shader *shader, unsigned need)
{
   if (!shader->early_tests || !shader->drops_samples)
      return need;
   if (need & (SI_ORDER_ANY | SI_ORDER_COUNT))
      need |= SI_ORDER_SET;
   if (need & SI_ORDER_LAST)
      need |= SI_ORDER_SEQUENCE;
   return need;
}

static unsigned
occlusion_need(enum si_order_occlusion occlusion)
{
   switch (occlusion) {
   case SI_OCCLUSION_NONE:
      return 0;
   case SI_OCCLUSION_BOOLEAN:
      return SI_ORDER_ANY;
   case SI_OCCLUSION_PRECISE:
      return SI_ORDER_COUNT;
   }
   return SI_ORDER_COUNT;
}

unsigned
si_order_need(const struct si_out_of_order_key *key, enum si_order_reason reason)
{
   const struct si_order_shader *shader = &key->shader;

   switch (reason) {
   case SI_REASON_TESTS:
      return SI_ORDER_DEPTH_STENCIL;
   case SI_REASON_TARGETS_READ:
      return shader->reads_targets ? SI_ORDER_SEQUENCE : 0;
   case SI_REASON_COLOR:
      return after_early_tests(shader, key->color);
   case SI_REASON_MEMORY:
      return shader->writes_memory && shader->early_tests ? SI_ORDER_SET : 0;
   case SI_REASON_OCCLUSION:
      return after_early_tests(shader, occlusion_need(key->occlusion));
   case SI_REASON_STATISTICS:
      return key->statistics && shader->early_tests ? SI_ORDER_SET : 0;
   case SI_REASON_UNAVAILABLE:
   case SI_REASON_OFF:
   case SI_REASON_RELAXED:
   case SI_REASON_INTERLOCK:
   case SI_REASON_FREE:
   case SI_REASON_COUNT:
      return 0;
   }
   return 0;
}

struct si_out_of_order
si_out_of_order(const struct si_out_of_order_key *key)
{
   if (!key->available)
      return (struct si_out_of_order){.reason = SI_REASON_UNAVAILABLE};
   if (key->off)
      return (struct si_out_of_order){.reason = SI_REASON_OFF};
   if (key->relaxed)
      return (struct si_out_of_order){.allowed = true, .reason = SI_REASON_RELAXED};
   if (key->shader.ordered_interlock)
      return (struct si_out_of_order){.reason = SI_REASON_INTERLOCK};
   for (enum si_order_reason reason = SI_REASON_TESTS; reason <= SI_REASON_STATISTICS; reason++) {
      unsigned needed = si_order_need(key, reason);

      if (needed & ~key->kept)
         return (struct si_out_of_order){.reason = reason, .needed = needed};
   }
   return (struct si_out_of_order){.allowed = true, .reason = SI_REASON_FREE};
}
