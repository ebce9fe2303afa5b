#include "tools/order/order_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "amd/common/ac_format.h"
#include "amd/hw/chips.h"
#include "tools/order/order_state_text.h"
#include "util/format.h"
#include "util/macros.h"

const char *const order_idle_keys[ORDER_NUM_IDLE] = {"depth_clamp",  "depth_bias",   "exports_depth",
                                                     "samples",      "multiview",    "sample_shading",
                                                     "conservative", "shading_rate", "transform_feedback"};

/* ---- values ---- */

/* Vulkan's names without prefix; index: the value. */
struct names {
   const char *prefix;
   const char *names[20];
};

static const struct names compares = {
   "VK_COMPARE_OP_",
   {"never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal", "always"}};
static const struct names stencil_ops = {"VK_STENCIL_OP_",
                                         {"keep", "zero", "replace", "increment_and_clamp", "decrement_and_clamp",
                                          "invert", "increment_and_wrap", "decrement_and_wrap"}};
static const struct names factors = {"VK_BLEND_FACTOR_",
                                     {"zero", "one", "src_color", "one_minus_src_color", "dst_color",
                                      "one_minus_dst_color", "src_alpha", "one_minus_src_alpha", "dst_alpha",
                                      "one_minus_dst_alpha", "constant_color", "one_minus_constant_color",
                                      "constant_alpha", "one_minus_constant_alpha", "src_alpha_saturate",
                                      "src1_color", "one_minus_src1_color", "src1_alpha", "one_minus_src1_alpha"}};
static const struct names blend_ops = {"VK_BLEND_OP_", {"add", "subtract", "reverse_subtract", "min", "max"}};
static const struct names logic_ops = {"VK_LOGIC_OP_",
                                       {"clear", "and", "and_reverse", "copy", "and_inverted", "no_op", "xor", "or",
                                        "nor", "equivalent", "invert", "or_reverse", "copy_inverted", "or_inverted",
                                        "nand", "set"}};
static const struct names interlocks = {"", {"none", "ordered", "unordered"}};
static const struct names occlusions = {"", {"none", "boolean", "precise"}};

enum kind { FLAG, BYTE, MASK, NAME, CHIP, FORMAT };

/* A key, or the last part of one of a face or a target. */
struct key {
   const char *name;
   enum kind kind;
   size_t offset;
   const struct names *names;
};

#define STATE(name, kind, member, ...) {name, kind, offsetof(struct order_state, member), __VA_ARGS__}
static const struct key keys[] = {
   STATE("chip", CHIP, chip, NULL),
   STATE("depth_buffer", FLAG, depth_buffer, NULL),
   STATE("stencil_buffer", FLAG, stencil_buffer, NULL),
   STATE("depth_test", FLAG, tests.depth_test, NULL),
   STATE("depth_write", FLAG, tests.depth_write, NULL),
   STATE("depth_compare", NAME, tests.depth_compare, &compares),
   STATE("depth_bounds", FLAG, tests.depth_bounds, NULL),
   STATE("stencil_test", FLAG, tests.stencil_test, NULL),
   STATE("logic_op", NAME, blend.logic_op, &logic_ops),
   STATE("early_tests", FLAG, early_tests, NULL),
   STATE("stores", FLAG, stores, NULL),
   STATE("discard", FLAG, discard, NULL),
   STATE("exports_mask", FLAG, exports_mask, NULL),
   STATE("alpha_to_coverage", FLAG, alpha_to_coverage, NULL),
   STATE("exports_stencil", FLAG, exports_stencil, NULL),
   STATE("reads_targets", FLAG, reads_targets, NULL),
   STATE("interlock", NAME, interlock, &interlocks),
   STATE("occlusion", NAME, occlusion, &occlusions),
   STATE("statistics", FLAG, statistics, NULL),
   STATE("relaxed", FLAG, relaxed, NULL),
   STATE("nooutoforder", FLAG, nooutoforder, NULL),
   STATE("assume_no_z_fights", FLAG, assume_no_z_fights, NULL),
   STATE("commutative_blend_add", FLAG, commutative_blend_add, NULL),
};
#define FACE(name, kind, member, ...)                                                                                \
   {name, kind, offsetof(struct order_state, tests.faces[0].member) - offsetof(struct order_state, tests.faces[0]),  \
    __VA_ARGS__}
static const struct key face_keys[] = {
   FACE("compare", NAME, face.compare, &compares),
   FACE("fail", NAME, face.fail, &stencil_ops),
   FACE("depth_fail", NAME, face.depth_fail, &stencil_ops),
   FACE("pass", NAME, face.pass, &stencil_ops),
   FACE("reference", BYTE, reference, NULL),
   FACE("compare_mask", BYTE, compare_mask, NULL),
   FACE("write_mask", BYTE, write_mask, NULL),
};
#define COLOR(name, kind, member, ...) {name, kind, offsetof(struct si_order_blend, member), __VA_ARGS__}
static const struct key format_key = {"format", FORMAT, 0, NULL};
static const struct key color_keys[] = {
   COLOR("write_mask", MASK, write_mask, NULL), COLOR("blend", FLAG, enable, NULL),
   COLOR("op_rgb", NAME, op_rgb, &blend_ops),   COLOR("op_alpha", NAME, op_alpha, &blend_ops),
   COLOR("src_rgb", NAME, src_rgb, &factors),   COLOR("src_alpha", NAME, src_alpha, &factors),
   COLOR("dst_rgb", NAME, dst_rgb, &factors),   COLOR("dst_alpha", NAME, dst_alpha, &factors),
};

/* ---- items ---- */

enum {
   NUM_KEYS = ARRAY_SIZE(keys),
   NUM_FACE_KEYS = ARRAY_SIZE(face_keys),
   NUM_COLOR_KEYS = ARRAY_SIZE(color_keys),
   FIRST_FACE = NUM_KEYS,
   FIRST_COLOR = FIRST_FACE + 2 * NUM_FACE_KEYS,
   FIRST_FORMAT = FIRST_COLOR + PIPE_MAX_COLOR_TARGETS * NUM_COLOR_KEYS,
   NUM_IDS = FIRST_FORMAT + PIPE_MAX_COLOR_TARGETS,
};

struct parser {
   struct order_state *state;
   struct order_error *error;
   struct order_item given[NUM_IDS]; /* line 0: not given */
};

static const struct key *
find_key(const struct key *list, unsigned count, const char *name)
{
   for (unsigned i = 0; i < count; i++) {
      if (!strcmp(list[i].name, name))
         return &list[i];
   }
   return NULL;
}

static bool
parse_byte(const char *value, uint8_t *byte)
{
   char *end;
   unsigned long number = strtoul(value, &end, 0);
   if (*value < '0' || *value > '9' || *end || number > UINT8_MAX)
      return false;
   *byte = (uint8_t)number;
   return true;
}

/* Letters of channels, "0" for none. */
static bool
parse_channels(const char *value, uint8_t *mask)
{
   static const char letters[] = "rgba";
   uint8_t found = 0;
   for (const char *at = value; *at && strcmp(value, "0"); at++) {
      const char *letter = strchr(letters, *at);
      if (!letter)
         return false;
      found |= (uint8_t)(1 << (letter - letters));
   }
   *mask = found;
   return true;
}

static bool
parse_name(const struct names *names, const char *value, unsigned *index)
{
   size_t prefix_length = strlen(names->prefix);
   if (!strncasecmp(value, names->prefix, prefix_length))
      value += prefix_length;
   for (*index = 0; names->names[*index]; ++*index) {
      if (!strcasecmp(names->names[*index], value))
         return true;
   }
   return false;
}

static bool
parse_value(const struct key *key, const char *value, void *to)
{
   const struct format_info *info;
   struct ac_color_format color;
   unsigned index;
   switch (key->kind) {
   case FLAG:
      return order_state_flag(value, to);
   case BYTE:
      return parse_byte(value, to);
   case MASK:
      return parse_channels(value, to);
   case NAME:
      if (!parse_name(key->names, value, &index))
         return false;
      memcpy(to, &index, sizeof(index)); /* an enum */
      return true;
   case CHIP:
      return (*(const struct amd_chip **)to = amd_chip_by_name(value)) != NULL;
   case FORMAT:
      info = format_by_name(value);
      *(uint32_t *)to = info ? info->format : 0;
      return info && ac_format_color(info->format, &color);
   }
   return false;
}

static const char *
what_is_expected(enum kind kind)
{
   static const char *const kinds[] = {[FLAG] = "yes or no",
                                       [BYTE] = "a number from 0 to 255",
                                       [MASK] = "letters of rgba, or 0",
                                       [NAME] = "one of Vulkan's names for it",
                                       [CHIP] = "an AMD chip of indium gpus",
                                       [FORMAT] = "a format of colour targets"};
   return kinds[kind];
}

static bool
set(struct parser *p, const struct order_item *item, const struct key *key, void *base, unsigned id)
{
   if (p->given[id].line)
      return order_state_fail(p->error, item, "%s contradicts or repeats %s of line %u, column %u", item->key,
                              p->given[id].key, p->given[id].line, p->given[id].column);
   p->given[id] = *item;
   if (!parse_value(key, item->value, (char *)base + key->offset))
      return order_state_fail(p->error, item, "%s: \"%s\" is not %s%s%s", item->key, item->value,
                              what_is_expected(key->kind), key->names ? ", as " : "",
                              key->names ? key->names->names[1] : "");
   return true;
}

static bool
set_face(struct parser *p, const struct order_item *item, const char *name, unsigned faces)
{
   const struct key *key = find_key(face_keys, NUM_FACE_KEYS, name);
   bool ok = key || order_state_fail(p->error, item, "there is no key \"%s\"", item->key);
   for (unsigned face = 0; face < 2 && ok; face++) {
      if (faces >> face & 1)
         ok = set(p, item, key, &p->state->tests.faces[face],
                  FIRST_FACE + face * NUM_FACE_KEYS + (unsigned)(key - face_keys));
   }
   return ok;
}

static bool
set_color(struct parser *p, const struct order_item *item, const char *name, unsigned target)
{
   static const char *const halves[] = {"", "_rgb", "_alpha"}; /* "op" is both of "op_rgb" and "op_alpha" */
   bool found = false;
   if (!strcmp(name, format_key.name))
      return set(p, item, &format_key, &p->state->blend.formats[target], FIRST_FORMAT + target);
   for (unsigned i = 0; i < ARRAY_SIZE(halves); i++) {
      char whole[sizeof(item->key) + 8];
      snprintf(whole, sizeof(whole), "%s%s", name, halves[i]);
      const struct key *key = find_key(color_keys, NUM_COLOR_KEYS, whole);
      if (!key)
         continue;
      found = true;
      if (!set(p, item, key, &p->state->blend.targets[target],
               FIRST_COLOR + target * NUM_COLOR_KEYS + (unsigned)(key - color_keys)))
         return false;
   }
   return found || order_state_fail(p->error, item, "there is no key \"%s\"", item->key);
}

static bool
add_item(void *data, const struct order_item *item)
{
   static const struct {
      const char *prefix;
      unsigned faces;
   } faces[] = {{"front.", 1}, {"back.", 2}, {"stencil.", 3}};
   struct parser *p = data;
   const struct key *key = find_key(keys, NUM_KEYS, item->key);
   if (key)
      return set(p, item, key, p->state, (unsigned)(key - keys));
   for (unsigned i = 0; i < ARRAY_SIZE(faces); i++) {
      size_t length = strlen(faces[i].prefix);
      if (!strncmp(item->key, faces[i].prefix, length))
         return set_face(p, item, item->key + length, faces[i].faces);
   }
   if (!strncmp(item->key, "color", 5) && item->key[5] >= '0' && item->key[5] < '0' + PIPE_MAX_COLOR_TARGETS &&
       item->key[6] == '.')
      return set_color(p, item, item->key + 7, (unsigned)(item->key[5] - '0'));
   for (unsigned i = 0; i < ORDER_NUM_IDLE; i++) {
      if (!strcmp(item->key, order_idle_keys[i])) {
         p->state->idle |= 1u << i;
         return true;
      }
   }
   return order_state_fail(p->error, item, "there is no key \"%s\"", item->key);
}

/* ---- what goes together ---- */

static const struct order_item *
given(const struct parser *p, const char *name)
{
   const struct order_item *item = &p->given[find_key(keys, NUM_KEYS, name) - keys];
   return item->line ? item : NULL;
}

static bool
check_color(struct parser *p, unsigned target)
{
   const uint32_t format = p->state->blend.formats[target];
   const bool blends = p->state->blend.targets[target].enable;
   struct ac_color_format color;
   for (unsigned i = 0; i < NUM_COLOR_KEYS; i++) {
      const struct order_item *item = &p->given[FIRST_COLOR + target * NUM_COLOR_KEYS + i];
      if (!item->line)
         continue;
      if (!format)
         return order_state_fail(p->error, item, "%s contradicts color%u: without a format there is no such target",
                                 item->key, target);
      if (color_keys[i].kind == NAME && !blends)
         return order_state_fail(p->error, item, "%s contradicts color%u.blend, which is off", item->key, target);
      if (color_keys[i].kind == FLAG && blends && ac_format_color(format, &color) && !color.blendable)
         return order_state_fail(p->error, item, "%s contradicts color%u.format: %s cannot be blended", item->key,
                                 target, format_info(format)->name);
   }
   return true;
}

static bool
has_target(const struct order_state *state)
{
   bool any = state->depth_buffer || state->stencil_buffer;
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++)
      any |= state->blend.formats[i] != 0;
   return any;
}

static bool
check(struct parser *p)
{
   const struct order_state *state = p->state;
   if (!state->tests.depth_test && given(p, "depth_compare"))
      return order_state_fail(p->error, given(p, "depth_compare"),
                              "depth_compare contradicts depth_test, which is off");
   if (!state->tests.depth_test && state->tests.depth_write)
      return order_state_fail(p->error, given(p, "depth_write"), "depth_write contradicts depth_test, which is off");
   for (unsigned i = FIRST_FACE; i < FIRST_COLOR; i++) {
      if (p->given[i].line && !state->tests.stencil_test)
         return order_state_fail(p->error, &p->given[i], "%s contradicts stencil_test, which is off",
                                 p->given[i].key);
   }
   if (state->reads_targets && !has_target(state))
      return order_state_fail(p->error, given(p, "reads_targets"),
                              "reads_targets contradicts the rest: there is no target");
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      if (!check_color(p, i))
         return false;
   }
   return true;
}

bool
order_state_parse(const char *text, size_t size_B, struct order_state *state, struct order_error *error)
{
   struct parser p = {.state = state, .error = error};
   *state = (struct order_state){.chip = amd_chip_by_name("vega10"),
                                 .tests = {.depth_compare = PIPE_COMPARE_ALWAYS, .stencil_max = 0xff}};
   for (unsigned face = 0; face < 2; face++) {
      state->tests.faces[face].face.compare = PIPE_COMPARE_ALWAYS;
      state->tests.faces[face].compare_mask = state->tests.faces[face].write_mask = 0xff;
   }
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++)
      state->blend.targets[i].write_mask = 0xf;
   if (!order_state_items(text, size_B, add_item, &p, error) || !check(&p))
      return false;
   state->blend.logic_op_enable = given(&p, "logic_op") != NULL;
   state->tests.assume_no_z_fights = state->assume_no_z_fights;
   state->tests.stencil_export = state->exports_stencil && !state->early_tests;
   return true;
}
