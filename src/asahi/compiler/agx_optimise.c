/* Copies, constants and uniforms go where they are read: a source becomes what its value is a copy of, if the place
 * takes it; the low half of 32 bits is those where the rest does not count, and a mask of what has no other bits is a
 * copy. Constants that no place takes as they are lie in uniforms, which the driver fills. Conversions of floats
 * to 32 bits become sources of 16 bits. A comparison whose 0 or 1 is compared with 0 again is the comparison itself.
 *
 * Blocks come in an order in which definitions stand before their uses, but for phis. What is left over goes in
 * agx_dead_code(). */
#include "asahi/compiler/agx_builder.h"

#include <string.h>

#include "util/half.h"

/* What a value is, besides the result of its instruction. */
struct info {
   enum what { UNKNOWN, COPY, UNIFORM, CONSTANT, FLOAT_MOVE, COMPARISON, LOW_HALF } what;
   struct agx_ref ref;            /* COPY, UNIFORM, FLOAT_MOVE: with modifiers; LOW_HALF: of this */
   uint32_t constant;             /* CONSTANT, of the size of the value */
   uint32_t most;                 /* 0, or no larger than this, unsigned */
   const struct agx_instr *instr; /* COMPARISON: csel of 1 and 0; of collects that */
   bool inverted;                 /* COMPARISON: of 0 and 1 */
};

struct optimiser {
   struct agx_ir *ir;
   struct info *infos; /* by value */
   struct agx_block made;
};

/* Constants in uniforms: the driver uploads them for each draw. */
#define CONSTANTS_MAX 64

/* ---- what values are ---- */

static struct info *
info_of(struct optimiser *o, const struct agx_ref *ref)
{
   return &o->infos[ref->value];
}

static bool
is_plain(const struct agx_ref *ref)
{
   return !ref->abs && !ref->neg && !ref->sext;
}

static void
learn_copy(struct optimiser *o, const struct agx_ref *dst, struct agx_ref src)
{
   struct info *info = info_of(o, dst);
   if (!is_plain(&src) || dst->kind != AGX_SSA || agx_halves(dst) != agx_halves(&src) || dst->size != src.size)
      return;
   if (src.kind == AGX_UNIFORM)
      *info = (struct info){.what = UNIFORM, .ref = src};
   else if (src.kind == AGX_SSA)
      *info = info_of(o, &src)->what ? *info_of(o, &src) : (struct info){.what = COPY, .ref = src};
}

/* 64 bits, of which only the lower 8 are any: what places take. */
static bool
learn_wide_constant(struct optimiser *o, const struct agx_instr *collect)
{
   const struct agx_ref *src = collect->srcs, *dst = &collect->dsts[0];
   if (dst->size != 64 || collect->num_srcs != 2 || src[0].kind != AGX_SSA || src[1].kind != AGX_SSA ||
       info_of(o, &src[0])->what != CONSTANT || info_of(o, &src[1])->what != CONSTANT ||
       info_of(o, &src[0])->constant > 255 || info_of(o, &src[1])->constant)
      return false;
   info_of(o, dst)->what = CONSTANT;
   info_of(o, dst)->constant = info_of(o, &src[0])->constant;
   return true;
}

/* A vector of uniforms that stand one after another. */
static void
learn_collect(struct optimiser *o, const struct agx_instr *collect)
{
   unsigned next = 0, first = 0;
   if (learn_wide_constant(o, collect))
      return;
   for (unsigned k = 0; k < collect->num_srcs; k++) {
      const struct agx_ref *src = &collect->srcs[k];
      const struct info *info = src->kind == AGX_SSA ? info_of(o, src) : NULL;
      const struct agx_ref *from = info && info->what == UNIFORM ? &info->ref : src;
      if (from->kind != AGX_UNIFORM || (k && from->value != next))
         return;
      first = k ? first : from->value;
      next = from->value + agx_halves(from);
   }
   const struct agx_ref *dst = &collect->dsts[0];
   if (first % agx_alignment(dst->size) == 0)
      *info_of(o, dst) = (struct info){.what = UNIFORM, .ref = agx_uniform(first, dst->size, dst->count)};
}

/* The source of a collect that lies at this half and is as long. */
static const struct agx_ref *
part_of(const struct agx_instr *collect, unsigned half, unsigned halves)
{
   unsigned at = 0;
   for (unsigned k = 0; k < collect->num_srcs; k++) {
      if (at == half && agx_halves(&collect->srcs[k]) == halves)
         return &collect->srcs[k];
      at += agx_halves(&collect->srcs[k]);
   }
   return NULL;
}

static void
learn_low_half(struct optimiser *o, const struct agx_ref *dst, const struct agx_ref *src)
{
   struct info *info = info_of(o, dst);
   const struct info *whole = info_of(o, src);
   if (whole->what == CONSTANT)
      *info = (struct info){.what = CONSTANT, .constant = whole->constant & 0xffff};
   else
      *info = (struct info){.what = LOW_HALF, .ref = *src, .most = whole->most <= 0xffff ? whole->most : 0};
}

static void
learn_split(struct optimiser *o, const struct agx_instr *split)
{
   const struct agx_ref *src = &split->srcs[0];
   const struct info *info = src->kind == AGX_SSA ? info_of(o, src) : NULL;
   const struct agx_ref *uniform = info && info->what == UNIFORM ? &info->ref : src;
   unsigned half = 0;
   for (unsigned k = 0; k < split->num_dsts; k++) {
      const struct agx_ref *dst = &split->dsts[k];
      const struct agx_ref *part =
         info && info->instr && info->instr->op == AGX_P_COLLECT ? part_of(info->instr, half, agx_halves(dst)) : NULL;
      if (dst->kind == AGX_SSA && uniform->kind == AGX_UNIFORM &&
          (uniform->value + half) % agx_alignment(dst->size) == 0)
         learn_copy(o, dst, agx_uniform(uniform->value + half, dst->size, dst->count));
      else if (dst->kind == AGX_SSA && part)
         learn_copy(o, dst, *part);
      else if (dst->kind == AGX_SSA && !half && dst->size == 16 && src->kind == AGX_SSA && src->size == 32 &&
               src->count == 1)
         learn_low_half(o, dst, src);
      half += agx_halves(dst);
   }
}

static bool
is_imm(const struct agx_ref *ref, uint32_t value)
{
   return ref->kind == AGX_IMM && ref->value == value;
}

/* No larger than this, or 0 where nothing is known (or it is 0, which constant folding knows). */
static uint32_t
most_of(struct optimiser *o, const struct agx_ref *ref)
{
   return ref->kind == AGX_IMM ? ref->value : ref->kind == AGX_SSA ? info_of(o, ref)->most : 0;
}

/* Masks and shifts to the right leave few bits; a mask of fewer bits than it has is a copy. */
static void
learn_bits(struct optimiser *o, const struct agx_instr *instr)
{
   const struct agx_ref *dst = &instr->dsts[0], *a = &instr->srcs[0], *b = &instr->srcs[1];
   struct info *info = info_of(o, dst);
   if (instr->op == AGX_OP_AND && b->kind == AGX_IMM) {
      const uint32_t most = most_of(o, a);
      const bool is_mask = !(b->value & (b->value + 1));
      if (is_mask && most && most <= b->value && a->kind == AGX_SSA && a->size == dst->size)
         learn_copy(o, dst, *a);
      else if (is_mask && most && most <= b->value && a->kind == AGX_SSA && dst->size == 16 && a->size == 32)
         learn_low_half(o, dst, a);
      info->most = most && most < b->value ? most : b->value;
   } else if (instr->op == AGX_OP_AND || instr->op == AGX_OP_OR) {
      info->most = most_of(o, a) == 1 && most_of(o, b) == 1;
   } else if (instr->op == AGX_OP_SHR && b->kind == AGX_IMM && b->value > 0 && b->value < 32 && a->size == 32) {
      info->most = UINT32_MAX >> b->value;
   } else if (instr->op == AGX_OP_ICSEL || instr->op == AGX_OP_FCSEL) {
      const uint32_t c = most_of(o, &instr->srcs[2]), d = most_of(o, &instr->srcs[3]);
      info->most = (c || is_imm(&instr->srcs[2], 0)) && (d || is_imm(&instr->srcs[3], 0)) ? MAX2(c, d) : 0;
   }
}

static bool
is_shift_by_nothing(const struct agx_instr *instr)
{
   return (instr->op == AGX_OP_SHL || instr->op == AGX_OP_SHR) && is_imm(&instr->srcs[1], 0);
}

static void
learn(struct optimiser *o, const struct agx_instr *instr)
{
   const struct agx_ref *dst = &instr->dsts[0];
   if (!instr->num_dsts || dst->kind != AGX_SSA)
      return;
   struct info *info = info_of(o, dst);
   if (instr->op == AGX_P_COPY) {
      for (unsigned k = 0; k < instr->num_dsts; k++)
         learn_copy(o, &instr->dsts[k], instr->srcs[k]);
   } else if (instr->op == AGX_OP_MOV || is_shift_by_nothing(instr)) {
      learn_copy(o, dst, instr->srcs[0]);
   } else if (instr->op == AGX_P_COLLECT) {
      info->instr = instr;
      learn_collect(o, instr);
   } else if (instr->op == AGX_P_SPLIT) {
      learn_split(o, instr);
   } else if (instr->op == AGX_OP_LDIMM16 || instr->op == AGX_OP_LDIMM32) {
      *info = (struct info){.what = CONSTANT, .constant = instr->mod.imm, .most = instr->mod.imm};
   } else if (instr->op == AGX_OP_FADD && !instr->mod.sat && instr->srcs[1].kind == AGX_FIMM &&
              instr->srcs[1].value == AGX_FIMM_NEG_ZERO && instr->srcs[0].kind == AGX_SSA && dst->size == 32) {
      *info = (struct info){.what = FLOAT_MOVE, .ref = instr->srcs[0]};
   } else if ((instr->op == AGX_OP_ICSEL || instr->op == AGX_OP_FCSEL) &&
              ((is_imm(&instr->srcs[2], 1) && is_imm(&instr->srcs[3], 0)) ||
               (is_imm(&instr->srcs[2], 0) && is_imm(&instr->srcs[3], 1)))) {
      *info = (struct info){.what = COMPARISON, .instr = instr, .inverted = is_imm(&instr->srcs[3], 1)};
   }
   learn_bits(o, instr);
}

/* ---- sources ---- */

static bool
replace(struct agx_instr *instr, unsigned k, struct agx_ref ref)
{
   if (agx_is_pseudo(instr) || !agx_takes(instr->op, k, &ref))
      return false;
   instr->srcs[k] = ref;
   return true;
}

static bool
is_float_place(const struct agx_instr *instr, unsigned k)
{
   const struct agx_ref fimm = agx_fimm(0);
   return !agx_is_pseudo(instr) && agx_takes(instr->op, k, &fimm);
}

/* The code of an 8-bit float with this value, or -1: sign, 3 bits of exponent, 4 of mantissa. */
static int
minifloat_of(float value)
{
   const float size = bits_float(float_bits(value) & 0x7fffffff);
   if (!(size < 32))
      return -1;
   unsigned code = (unsigned)(size * 64); /* without an exponent, in 64ths */
   if (size >= 0.25f) {
      const unsigned exponent = (float_bits(size) >> 23) - 127 + 3;
      code = exponent << 4 | (float_bits(size) >> 19 & 15);
   }
   code |= float_bits(value) >> 31 << 7;
   return float_bits(agx_isa_minifloat(code)) == float_bits(value) ? (int)code : -1;
}

static bool
use_float(struct agx_instr *instr, unsigned k, uint32_t constant)
{
   const struct agx_ref *src = &instr->srcs[k];
   uint32_t bits = src->size == 16 ? float_bits(half_to_float((uint16_t)constant)) : constant;
   bits &= src->abs ? 0x7fffffff : UINT32_MAX;
   bits ^= src->neg ? 0x80000000 : 0;
   const int code = minifloat_of(bits_float(bits));
   return code >= 0 && replace(instr, k, agx_fimm((unsigned)code));
}

static bool
is_index(const struct agx_instr *instr, unsigned k)
{
   return !agx_is_pseudo(instr) && agx_isa_op_info(instr->op).role[k] == AGX_ROLE_INDEX;
}

/* An addition of a negative number is a subtraction. */
static bool
use_negated(struct agx_instr *instr, unsigned k, uint32_t constant)
{
   const struct agx_ref *src = &instr->srcs[k];
   if ((instr->op != AGX_OP_IADD && instr->op != AGX_OP_ISUB) || k != 1 || src->size != 32 ||
       instr->dsts[0].size > 32 || instr->mod.sat || -constant > 255)
      return false;
   if (!replace(instr, k, agx_imm(-constant)))
      return false;
   instr->op = instr->op == AGX_OP_IADD ? AGX_OP_ISUB : AGX_OP_IADD;
   return true;
}

static bool
use_constant(struct agx_instr *instr, unsigned k, uint32_t constant)
{
   const struct agx_ref *src = &instr->srcs[k];
   if (is_float_place(instr, k))
      return use_float(instr, k, constant);
   if (is_index(instr, k)) {
      const int32_t index = src->size == 32 ? (int32_t)constant : src->sext ? (int16_t)constant : (int32_t)constant;
      return replace(instr, k, agx_simm(index)) || replace(instr, k, agx_imm(constant));
   }
   if (src->sext && constant >> (src->size - 1))
      return use_negated(instr, k, constant);
   return (constant <= 255 && replace(instr, k, agx_imm(constant))) || use_negated(instr, k, constant);
}

/* A uniform in the place, with the modifiers of the source. */
static bool
use_uniform(struct agx_instr *instr, unsigned k, struct agx_ref uniform)
{
   const struct agx_ref *src = &instr->srcs[k];
   uniform.abs = src->abs;
   uniform.neg = src->neg;
   uniform.sext = src->sext;
   if (instr->op == AGX_P_COLLECT || instr->op == AGX_P_SPLIT) {
      instr->srcs[k] = uniform;
      return true;
   }
   return replace(instr, k, uniform);
}

/* abs of the source goes over the sign that it had. */
static bool
use_float_move(struct agx_instr *instr, unsigned k, struct agx_ref moved)
{
   const struct agx_ref *src = &instr->srcs[k];
   if (src->abs)
      moved.abs = true;
   moved.neg = src->abs ? src->neg : moved.neg ^ src->neg;
   return is_float_place(instr, k) && replace(instr, k, moved);
}

/* Whether only the low 16 bits of the source count: amounts of shifts, and sums and bits of 16 bits. */
static bool
wants_low_half(const struct agx_instr *instr, unsigned k)
{
   if (agx_is_pseudo(instr) || !is_plain(&instr->srcs[k]))
      return false;
   const unsigned op = instr->op;
   if (op == AGX_OP_SHL || op == AGX_OP_SHR)
      return k == 1;
   if (op == AGX_OP_BFI || op == AGX_OP_BFEIL || op == AGX_OP_EXTR || op == AGX_OP_ASR)
      return k == 2;
   const bool bits = op >= AGX_OP_NOT_A && op <= AGX_OP_ONE;
   const bool sums = (op == AGX_OP_IADD || op == AGX_OP_ISUB || op == AGX_OP_IMUL) && !instr->mod.sat;
   return (bits || sums) && instr->dsts[0].kind == AGX_SSA && instr->dsts[0].size == 16;
}

static bool
use_info(struct optimiser *o, struct agx_instr *instr, unsigned k)
{
   struct agx_ref *src = &instr->srcs[k];
   const struct info *info = info_of(o, src);
   switch (info->what) {
   case COPY: {
      const struct agx_ref old = *src;
      *src = info->ref;
      src->abs = old.abs;
      src->neg = old.neg;
      src->sext = old.sext;
      return true;
   }
   case UNIFORM:
      return use_uniform(instr, k, info->ref);
   case CONSTANT:
      return use_constant(instr, k, info->constant);
   case FLOAT_MOVE:
      return use_float_move(instr, k, info->ref);
   case LOW_HALF:
      return wants_low_half(instr, k) && replace(instr, k, info->ref);
   case COMPARISON:
   case UNKNOWN:
      break;
   }
   return false;
}

/* ---- comparisons ---- */

static bool
asks_for_zero(const struct agx_instr *instr)
{
   const bool compares = instr->op == AGX_OP_ICSEL || instr->op == AGX_OP_IF_ICMP;
   return compares && is_imm(&instr->srcs[1], 0) && instr->srcs[0].kind == AGX_SSA &&
          (instr->mod.icond == AGX_ICOND_IEQ || instr->mod.icond == AGX_ICOND_INE);
}

/* Only in control flow does the comparison of floats have an inverse. */
static bool
fuse_comparison(struct optimiser *o, struct agx_instr *instr)
{
   if (!asks_for_zero(instr))
      return false;
   const struct info *info = info_of(o, &instr->srcs[0]);
   if (info->what != COMPARISON)
      return false;
   const struct agx_instr *csel = info->instr;
   const bool inverted = (instr->mod.icond == AGX_ICOND_IEQ) != info->inverted, is_float = csel->op == AGX_OP_FCSEL;
   instr->srcs[0] = csel->srcs[0];
   instr->srcs[1] = csel->srcs[1];
   instr->mod.icond = csel->mod.icond;
   instr->mod.fcond = csel->mod.fcond;
   if (instr->op == AGX_OP_IF_ICMP) {
      instr->op = is_float ? AGX_OP_IF_FCMP : AGX_OP_IF_ICMP;
      *(is_float ? &instr->mod.fcond : &instr->mod.icond) ^= inverted ? 8 : 0;
      return true;
   }
   instr->op = csel->op;
   if (inverted) {
      const struct agx_ref yes = instr->srcs[2];
      instr->srcs[2] = instr->srcs[3];
      instr->srcs[3] = yes;
   }
   return true;
}

/* What a source is worth where the selection's own condition is known to hold, or not to. */
static void
fold_same_condition(struct optimiser *o, struct agx_instr *instr)
{
   if (instr->op != AGX_OP_ICSEL)
      return;
   for (unsigned k = 2; k < 4; k++) {
      const struct agx_ref *src = &instr->srcs[k];
      const struct info *info = src->kind == AGX_SSA ? info_of(o, src) : NULL;
      if (info && info->what == COMPARISON && info->instr->op == AGX_OP_ICSEL &&
          info->instr->mod.icond == instr->mod.icond &&
          !memcmp(info->instr->srcs, instr->srcs, 2 * sizeof(*instr->srcs)))
         replace(instr, k, agx_imm((k == 2) != info->inverted));
   }
}

/* A selection by a comparison that is known, or of twice the same, is a copy. */
static void
fold_selection(struct agx_instr *instr)
{
   if (instr->op != AGX_OP_ICSEL)
      return;
   const struct agx_ref *a = &instr->srcs[0], *b = &instr->srcs[1], *c = &instr->srcs[2], *d = &instr->srcs[3];
   const unsigned cond = instr->mod.icond;
   const bool same = c->kind == AGX_SSA && d->kind == AGX_SSA && c->value == d->value;
   const bool known = a->kind == AGX_IMM && b->kind == AGX_IMM && (cond == AGX_ICOND_IEQ || cond == AGX_ICOND_INE);
   if (!same && !known)
      return;
   const struct agx_ref taken = same || (a->value == b->value) == (cond == AGX_ICOND_IEQ) ? *c : *d;
   instr->op = AGX_OP_MOV;
   instr->num_srcs = 1;
   instr->srcs[0] = taken;
   instr->mod.icond = 0;
   if (taken.kind == AGX_IMM) {
      instr->op = instr->dsts[0].size == 16 ? AGX_OP_LDIMM16 : AGX_OP_LDIMM32;
      instr->num_srcs = 0;
      instr->mod.imm = taken.value;
   }
}

/* And and or of booleans, one of them a comparison, are its selection. */
static struct agx_instr *
fold_boolean(struct optimiser *o, struct agx_instr *instr)
{
   const bool both = instr->op == AGX_OP_AND;
   if ((!both && instr->op != AGX_OP_OR) || instr->dsts[0].size != 16)
      return instr;
   for (unsigned k = 0; k < 2; k++) {
      const struct agx_ref *src = &instr->srcs[k], other = instr->srcs[1 - k];
      if (src->kind != AGX_SSA || info_of(o, src)->what != COMPARISON || other.kind != AGX_SSA || other.size != 16 ||
          most_of(o, &other) != 1)
         continue;
      const struct agx_instr *csel = info_of(o, src)->instr;
      const unsigned yes = info_of(o, src)->inverted ? 3 : 2;
      struct agx_instr *made = agx_ir_instr(o->ir, csel->op, 1, 4);
      made->mod = csel->mod;
      made->dsts[0] = instr->dsts[0];
      made->srcs[0] = csel->srcs[0];
      made->srcs[1] = csel->srcs[1];
      made->srcs[yes] = both ? other : agx_imm(1);
      made->srcs[5 - yes] = both ? agx_imm(0) : other;
      return made;
   }
   return instr;
}

/* ---- the rest of the constants ---- */

/* The half of a uniform that holds the constant, or -1. */
static int
uniform_of_constant(struct agx_ir *ir, uint32_t constant, unsigned size)
{
   const uint32_t word = size == 16 ? constant | constant << 16 : constant;
   for (unsigned i = 0; i < ir->num_constants; i++) {
      if (ir->constants[i].value == word)
         return ir->constants[i].uniform;
   }
   const int uniform = ir->num_constants < CONSTANTS_MAX ? agx_ir_take_uniforms(ir, 2) : -1;
   if (uniform >= 0)
      agx_ir_constant(ir, (unsigned)uniform, word);
   return uniform;
}

static void
promote_constants(struct optimiser *o, struct agx_instr *instr)
{
   for (unsigned k = 0; k < instr->num_srcs && !agx_is_pseudo(instr); k++) {
      const struct agx_ref *src = &instr->srcs[k];
      if (src->kind != AGX_SSA || src->size > 32 || info_of(o, src)->what != CONSTANT || is_index(instr, k))
         continue;
      struct agx_ref probe = agx_uniform(0, src->size, 1);
      probe.abs = src->abs;
      probe.neg = src->neg;
      probe.sext = src->sext;
      if (!agx_takes(instr->op, k, &probe))
         continue;
      const int uniform = uniform_of_constant(o->ir, info_of(o, src)->constant, src->size);
      if (uniform >= 0)
         use_uniform(instr, k, agx_uniform((unsigned)uniform, src->size, 1));
   }
}

/* Vectors and phis want their constants and uniforms made in their place, each its own. */
static struct agx_ref
make_again(struct optimiser *o, struct agx_builder *b, const struct agx_ref *src)
{
   const struct info info = *info_of(o, src);
   struct agx_ref ref = *src;
   if (info.what == CONSTANT && src->size <= 32)
      ref = agx_build_imm(b, src->size, info.constant);
   if (info.what == UNIFORM && src->count == 1 && src->size <= 32)
      agx_mov_to(b, ref = agx_ir_value(b->ir, src->size, 1), info.ref);
   *info_of(o, &ref) = info;
   return ref;
}

static void
optimise_phis(struct optimiser *o, struct agx_block *block)
{
   const unsigned begin = agx_ir_begin(block);
   for (unsigned i = 0; i < begin; i++) {
      struct agx_instr *phi = block->instrs[i];
      for (unsigned k = 0; phi->op == AGX_P_PHI && k < phi->num_srcs; k++) {
         if (phi->srcs[k].kind != AGX_SSA)
            continue;
         if (info_of(o, &phi->srcs[k])->what == COPY)
            phi->srcs[k] = info_of(o, &phi->srcs[k])->ref;
         struct agx_block *pred = block->preds.at[k];
         struct agx_block tail = {0};
         struct agx_builder b = {.ir = o->ir, .block = &tail};
         phi->srcs[k] = make_again(o, &b, &phi->srcs[k]);
         for (unsigned n = 0; n < tail.count; n++)
            agx_ir_insert(o->ir, pred, agx_ir_end(pred), tail.instrs[n]);
      }
   }
}

/* Words that two rows have mean the narrower one: a sum with nothing is a product, a field of all bits a shift. */
static void
narrow_row(struct agx_instr *instr)
{
   const bool nothing_before =
      (instr->op == AGX_OP_BFI || instr->op == AGX_OP_BFEIL) && !instr->mod.bitmask && is_imm(&instr->srcs[0], 0);
   if (instr->op == AGX_OP_IMADD && is_imm(&instr->srcs[2], 0)) {
      instr->op = AGX_OP_IMUL;
      instr->mod.shift = 0;
      instr->num_srcs = 2;
   } else if (nothing_before) {
      instr->op = instr->op == AGX_OP_BFI ? AGX_OP_SHL : AGX_OP_SHR;
      instr->num_srcs = 2;
      instr->srcs++;
   } else if (instr->op == AGX_OP_ICMP_BALLOT && is_imm(&instr->srcs[0], 1) && is_imm(&instr->srcs[1], 0) &&
              instr->mod.icond == AGX_ICOND_INE && instr->mod.scope) {
      instr->op = AGX_OP_BALLOT;
      instr->mod = (struct agx_modifiers){0};
      instr->num_srcs = 0;
   }
}

static bool
wants_its_own(const struct agx_instr *instr)
{
   return instr->op == AGX_P_COLLECT || instr->op == AGX_P_LEAVE;
}

static void
optimise_instr(struct optimiser *o, struct agx_instr *instr)
{
   struct agx_builder b = {.ir = o->ir, .block = &o->made};
   if (instr->op != AGX_P_PHI) {
      for (unsigned k = 0; k < instr->num_srcs; k++) {
         unsigned limit = 4; /* a copy of a copy of ... */
         while (limit-- && instr->srcs[k].kind == AGX_SSA && use_info(o, instr, k))
            ;
      }
      while (fuse_comparison(o, instr))
         ;
      instr = fold_boolean(o, instr);
      fold_same_condition(o, instr);
      fold_selection(instr);
      if (!o->ir->is_preamble)
         promote_constants(o, instr);
      for (unsigned k = 0; wants_its_own(instr) && k < instr->num_srcs; k++)
         instr->srcs[k] = instr->srcs[k].kind == AGX_SSA ? make_again(o, &b, &instr->srcs[k]) : instr->srcs[k];
      narrow_row(instr);
   }
   learn(o, instr);
   agx_build(&b, instr);
}

void
agx_optimise(struct agx_ir *ir)
{
   struct optimiser o = {.ir = ir};
   unsigned more = ir->num_values; /* and what is made again, once for a source at most */
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++)
         more += ir->blocks[b]->instrs[i]->num_srcs;
   }
   o.infos = arena_array(ir->arena, struct info, more);
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      for (unsigned i = 0; i < ir->blocks[b]->count; i++)
         optimise_instr(&o, ir->blocks[b]->instrs[i]);
      agx_ir_take(ir->blocks[b], &o.made);
   }
   for (unsigned b = 0; b < ir->num_blocks; b++)
      optimise_phis(&o, ir->blocks[b]);
}
