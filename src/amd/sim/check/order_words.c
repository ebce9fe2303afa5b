#include <stdarg.h>
#include <string.h>

#include "amd/sim/check/order_check.h"
#include "amd/sim/state/draw_state.h"

static const char *const funcs[8] = {"NEVER", "LESS", "EQUAL", "LEQUAL", "GREATER", "NOT_EQUAL", "GEQUAL", "ALWAYS"};
static const char *const ops[16] = {"KEEP", "ZERO",   "ONES",      "REPLACE",   "REPLACE_OP", "INCR",
                                    "DECR", "INVERT", "INCR_WRAP", "DECR_WRAP", "AND",        "OR",
                                    "XOR",  "NAND",   "NOR",       "XNOR"};
static const char *const logics[16] = {
   "CLEAR", "NOR",        "AND_INVERTED", "COPY_INVERTED", "AND_REVERSE", "INVERT",     "XOR", "NAND",
   "AND",   "EQUIVALENT", "NO_OP",        "OR_INVERTED",   "COPY",        "OR_REVERSE", "OR",  "SET"};
static const char *const factors[] = {
   [AMD_FACTOR_ZERO] = "0",
   [AMD_FACTOR_ONE] = "1",
   [AMD_FACTOR_SRC_COLOR] = "src",
   [AMD_FACTOR_ONE_MINUS_SRC_COLOR] = "1-src",
   [AMD_FACTOR_SRC_ALPHA] = "src.a",
   [AMD_FACTOR_ONE_MINUS_SRC_ALPHA] = "1-src.a",
   [AMD_FACTOR_DST_ALPHA] = "dst.a",
   [AMD_FACTOR_ONE_MINUS_DST_ALPHA] = "1-dst.a",
   [AMD_FACTOR_DST_COLOR] = "dst",
   [AMD_FACTOR_ONE_MINUS_DST_COLOR] = "1-dst",
   [AMD_FACTOR_SRC_ALPHA_SATURATE] = "saturate",
   [AMD_FACTOR_CONSTANT_COLOR] = "const",
   [AMD_FACTOR_ONE_MINUS_CONSTANT_COLOR] = "1-const",
   [AMD_FACTOR_CONSTANT_ALPHA] = "const.a",
   [AMD_FACTOR_ONE_MINUS_CONSTANT_ALPHA] = "1-const.a",
   [AMD_FACTOR_SRC1_COLOR] = "src1",
   [AMD_FACTOR_ONE_MINUS_SRC1_COLOR] = "1-src1",
   [AMD_FACTOR_SRC1_ALPHA] = "src1.a",
   [AMD_FACTOR_ONE_MINUS_SRC1_ALPHA] = "1-src1.a",
   [AMD_FACTOR_UNKNOWN] = "?",
};
static const char *const equations[8] = {"ADD", "SUB", "MIN", "MAX", "REVERSE_SUB", "?", "?", "?"};

struct text {
   char *at;
   size_t left_B;
};

static void __attribute__((format(printf, 2, 3)))
say(struct text *text, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   const int used = vsnprintf(text->at, text->left_B, format, arguments);
   va_end(arguments);
   const size_t size_B = used < 0 ? 0 : (size_t)used < text->left_B ? (size_t)used : text->left_B - 1;
   text->at += size_B;
   text->left_B -= size_B;
}

static void
say_face(struct text *text, const struct amd_stencil_face *face)
{
   say(text, "%s %s/%s/%s", funcs[face->func & 7], ops[face->fail & 15], ops[face->zfail & 15],
       ops[face->zpass & 15]);
   if (face->write_mask != 0xff)
      say(text, " mask %02x", face->write_mask);
}

static void
say_depth(struct text *text, const struct amd_depth_state *d)
{
   if (d->has_z && d->z_enable)
      say(text, "depth %s%s", funcs[d->zfunc & 7], d->z_write ? " write" : "");
   else
      say(text, "no depth");
   if (d->has_z && d->bounds_enable)
      say(text, " bounds");
   if (!d->has_stencil || !d->stencil_enable)
      return;
   say(text, ", stencil ");
   say_face(text, &d->face[0]);
   if (memcmp(&d->face[0], &d->face[1], sizeof(d->face[0]))) {
      say(text, " back ");
      say_face(text, &d->face[1]);
   }
}

static void
say_equation(struct text *text, const struct amd_blend_state *b, unsigned part)
{
   say(text, "%s", equations[b->func[part] & 7]);
   if (b->func[part] != 2 && b->func[part] != 3)
      say(text, "(%s, %s)", factors[b->src[part]], factors[b->dst[part]]);
}

static void
say_target(struct text *text, const struct amd_target_state *t)
{
   if (t->logic != 12) {
      say(text, " logic %s", logics[t->logic & 15]);
   } else if (!t->blend.enable) {
      say(text, " replaced");
   } else {
      say(text, " ");
      say_equation(text, &t->blend, 0);
      if (t->blend.separate_alpha) {
         say(text, " alpha ");
         say_equation(text, &t->blend, 1);
      }
   }
}

void
amd_order_words(const struct amd_draw_state *state, bool perfect, char *text, size_t size_B)
{
   struct text to = {text, size_B};
   bool colors = false;
   say_depth(&to, &state->depth);
   for (unsigned i = 0; i < state->color.count; i++) {
      if (!state->color.target[i].enable)
         continue;
      say(&to, "%s", colors ? "," : ", colour");
      say_target(&to, &state->color.target[i]);
      colors = true;
   }
   say(&to, "%s", colors ? "" : ", no colour");
   if (state->depth.count_samples)
      say(&to, ", %s", perfect ? "counts" : "asks for any");
   if (state->pops.enable)
      say(&to, ", ordered sections");
   if (state->pixel.exec_on_noop)
      say(&to, ", stores%s", state->depth.early ? " after early tests" : "");
}
