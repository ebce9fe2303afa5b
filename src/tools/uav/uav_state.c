#include "tools/uav/uav_state.h"

#include <string.h>
#include <strings.h>

#include "intel/hw/chips.h"
#include "intel/hw/uav_caps.h"
#include "util/macros.h"

#define FLAG(name, member) {name, offsetof(struct intel_uav_input, member)}
static const struct key {
   const char *name;
   size_t offset; /* of a bool */
} flags[] = {
   FLAG("vs.stores", side_effects[INTEL_VS]),
   FLAG("hs.stores", side_effects[INTEL_HS]),
   FLAG("ds.stores", side_effects[INTEL_DS]),
   FLAG("gs.stores", side_effects[INTEL_GS]),
   FLAG("ps.stores", side_effects[INTEL_PS]),
   FLAG("pixel_shader", pixel_shader),
   FLAG("discard", kills),
   FLAG("exports_mask", writes_mask),
   FLAG("exports_stencil", computes_stencil),
   FLAG("early_tests", early_tests),
   FLAG("color_writes", color_writes),
   FLAG("alpha_to_coverage", alpha_to_coverage),
   FLAG("depth_test", depth_test),
   FLAG("depth_write", depth_write),
   FLAG("stencil_test", stencil_test),
   FLAG("stencil_write", stencil_write),
   FLAG("occlusion", occlusion_query),
   FLAG("hiz_follows", hz_op_follows),
};

enum { NUM_FLAGS = ARRAY_SIZE(flags), GPU = NUM_FLAGS, EXPORTS_DEPTH, NUM_KEYS };

/* In the order of enum intel_computed_depth. */
static const char *const depths[] = {"no", "any", "greater", "less"};

struct parser {
   struct uav_state *state;
   struct order_error *error;
   struct order_item given[NUM_KEYS]; /* line 0: not given */
};

static bool
set_value(struct parser *p, const struct order_item *item, unsigned id)
{
   struct uav_state *state = p->state;
   if (id == GPU) {
      state->chip = intel_chip_by_name(item->value);
      return state->chip ||
             order_state_fail(p->error, item, "gpu: \"%s\" is not an Intel chip of indium gpus", item->value);
   }
   if (id == EXPORTS_DEPTH) {
      for (unsigned i = 0; i < ARRAY_SIZE(depths); i++) {
         if (!strcasecmp(depths[i], item->value)) {
            state->input.computed_depth = (enum intel_computed_depth)i;
            return true;
         }
      }
      return order_state_fail(p->error, item, "exports_depth: \"%s\" is not no, any, greater or less", item->value);
   }
   return order_state_flag(item->value, (bool *)((char *)&state->input + flags[id].offset)) ||
          order_state_fail(p->error, item, "%s: \"%s\" is not yes or no", item->key, item->value);
}

static unsigned
find_key(const char *name)
{
   for (unsigned i = 0; i < NUM_FLAGS; i++) {
      if (!strcmp(flags[i].name, name))
         return i;
   }
   return !strcmp(name, "gpu") ? GPU : !strcmp(name, "exports_depth") ? EXPORTS_DEPTH : NUM_KEYS;
}

static bool
add_item(void *data, const struct order_item *item)
{
   struct parser *p = data;
   const unsigned id = find_key(item->key);
   if (id == NUM_KEYS)
      return order_state_fail(p->error, item, "there is no key \"%s\"", item->key);
   if (p->given[id].line)
      return order_state_fail(p->error, item, "%s contradicts or repeats %s of line %u, column %u", item->key,
                              item->key, p->given[id].line, p->given[id].column);
   p->given[id] = *item;
   return set_value(p, item, id);
}

static bool
check(struct parser *p)
{
   static const char *const of_shader[] = {"ps.stores",       "discard",     "exports_mask",
                                           "exports_stencil", "early_tests", "color_writes"};
   const struct intel_uav_input *in = &p->state->input;
   const struct order_item *depth = &p->given[EXPORTS_DEPTH], *stencil = &p->given[find_key("exports_stencil")];
   for (unsigned i = 0; i < ARRAY_SIZE(of_shader) && !in->pixel_shader; i++) {
      const unsigned id = find_key(of_shader[i]);
      if (*(const bool *)((const char *)in + flags[id].offset))
         return order_state_fail(p->error, &p->given[id], "%s contradicts pixel_shader, which is off", of_shader[i]);
   }
   if (in->computed_depth && !in->pixel_shader)
      return order_state_fail(p->error, depth, "exports_depth contradicts pixel_shader, which is off");
   if (in->computed_depth && in->early_tests)
      return order_state_fail(p->error, depth, "exports_depth contradicts early_tests, which come before");
   if (in->computes_stencil && in->early_tests)
      return order_state_fail(p->error, stencil, "exports_stencil contradicts early_tests, which come before");
   if (in->computes_stencil && !intel_uav_caps[in->gen].computes_stencil)
      return order_state_fail(p->error, stencil, "exports_stencil contradicts gpu: %s cannot", p->state->chip->name);
   if (in->depth_write && !in->depth_test)
      return order_state_fail(p->error, &p->given[find_key("depth_write")],
                              "depth_write contradicts depth_test, which is off");
   if (in->stencil_write && !in->stencil_test)
      return order_state_fail(p->error, &p->given[find_key("stencil_write")],
                              "stencil_write contradicts stencil_test, which is off");
   return true;
}

bool
uav_state_parse(const char *text, size_t size_B, struct uav_state *state, struct order_error *error)
{
   struct parser p = {.state = state, .error = error};
   *state = (struct uav_state){.chip = intel_chip_by_name("skl"), .input = {.pixel_shader = true}};
   if (!order_state_items(text, size_B, add_item, &p, error))
      return false;
   state->input.gen = state->chip->gen;
   return check(&p);
}
