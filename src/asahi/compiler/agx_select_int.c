/* Selection of arithmetic on integers and booleans. 8 bits were widened, and of 64 bits additions are left
 * (agx_lower_nir_small.c, agx_lower_nir_int64.c). */
#include "asahi/compiler/agx_select.h"

#define SRC(n) sel_alu_src(c, alu, n, i)

/* The source of a shift to the left by 1 to 4, which an addition does for its second source. */
static const struct nir_alu_instr *
small_shift(struct sel *c, const struct nir_alu_instr *alu, unsigned n, unsigned *by)
{
   const struct nir_def *def = alu->src[n].src.def;
   const struct nir_alu_instr *shl = sel_alu_of(c, def);
   if (!shl || def->bit_size != 32 || def->num_components != 1 || shl->op != NIR_OP_ishl ||
       !nir_src_is_const(shl->src[1].src))
      return NULL;
   *by = (unsigned)nir_src_comp_as_uint(shl->src[1].src, shl->src[1].swizzle[0]) & 31;
   return *by >= 1 && *by <= 4 ? shl : NULL;
}

static const struct nir_alu_instr *
own_product(struct sel *c, const struct nir_alu_instr *alu, unsigned n)
{
   const struct nir_def *def = alu->src[n].src.def;
   const struct nir_alu_instr *mul = sel_alu_of(c, def);
   if (!mul || def->num_components != 1 || def->bit_size > 32)
      return NULL;
   return mul->op == NIR_OP_imul && sel_only_user(def, NIR_OP_iadd) ? mul : NULL;
}

/* A source of a sum as it was before it was extended to 64 bits, which the sum does. */
static struct agx_ref
narrow(struct sel *c, const struct nir_alu_instr *alu, unsigned n, unsigned i)
{
   const struct nir_def *def = alu->src[n].src.def;
   const struct nir_alu_instr *from = sel_alu_of(c, def);
   if (def->bit_size == 64 && from) {
      const unsigned bits = from->src[0].src.def->bit_size;
      const bool extends = from->op == NIR_OP_i2i64 || from->op == NIR_OP_u2u64;
      if (extends && (bits == 16 || bits == 32) && from->src[0].src.def->parent->type != NIR_INSTR_LOAD_CONST) {
         struct agx_ref ref = sel_alu_src(c, from, 0, alu->src[n].swizzle[i]);
         ref.sext = from->op == NIR_OP_i2i64;
         return ref;
      }
   }
   return SRC(n);
}

/* Products and shifts that are added become part of the addition. */
static struct agx_ref
sum(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   const unsigned size = sel_size(&alu->def);
   const bool subtract = alu->op == NIR_OP_isub;
   for (unsigned n = 0; n < 2 && !subtract; n++) {
      const struct nir_alu_instr *mul = own_product(c, alu, n);
      if (mul)
         return agx_imadd(&c->b, size, sel_alu_src(c, mul, 0, 0), sel_alu_src(c, mul, 1, 0), SRC(1 - n));
   }
   for (unsigned n = 2; n-- > subtract;) {
      unsigned by;
      const struct nir_alu_instr *shl = small_shift(c, alu, n, &by);
      if (!shl)
         continue;
      const struct agx_ref a = SRC(1 - n), b = sel_alu_src(c, shl, 0, 0);
      const struct agx_ref result = subtract ? agx_isub(&c->b, size, a, b) : agx_iadd(&c->b, size, a, b);
      c->b.last->mod.shift = by;
      return result;
   }
   const struct agx_ref a = narrow(c, alu, 0, i), b = narrow(c, alu, 1, i);
   return subtract ? agx_isub(&c->b, size, a, b) : agx_iadd(&c->b, size, a, b);
}

/* The amount modulo the size of what is shifted; the lowering has put a mask before it where it may be more. */
static struct agx_ref
shift_amount(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   const unsigned bits = alu->def.bit_size;
   if (nir_src_is_const(alu->src[1].src))
      return agx_imm((uint32_t)nir_src_comp_as_uint(alu->src[1].src, alu->src[1].swizzle[i]) & (bits - 1));
   return SRC(1);
}

static struct agx_ref
shift(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   const unsigned size = sel_size(&alu->def);
   struct agx_ref x = SRC(0), by = shift_amount(c, alu, i);
   if (alu->op == NIR_OP_ishl)
      return agx_shl(&c->b, size, x, by);
   if (alu->op == NIR_OP_ushr)
      return agx_shr(&c->b, size, x, by);
   if (size == 16)
      x = agx_iadd(&c->b, 32, agx_imm(0), agx_sext(x));
   return agx_asr(&c->b, size, x, by, agx_imm(0));
}

/* x * (2^n + 1) is a sum, which is twice as fast. */
static struct agx_ref
product(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   const unsigned size = sel_size(&alu->def);
   const struct agx_ref x = SRC(0);
   if (size == 32 && nir_src_is_const(alu->src[1].src)) {
      const uint32_t factor = (uint32_t)nir_src_comp_as_uint(alu->src[1].src, alu->src[1].swizzle[i]);
      for (unsigned by = 1; by <= 4; by++) {
         if (factor != (1u << by) + 1)
            continue;
         const struct agx_ref sum = agx_iadd(&c->b, size, x, x);
         c->b.last->mod.shift = by;
         return sum;
      }
   }
   return agx_imul(&c->b, size, x, SRC(1));
}

static struct agx_ref
high_product(struct sel *c, struct nir_alu_instr *alu, unsigned i, bool is_signed)
{
   struct agx_ref a = SRC(0), b = SRC(1), parts[2];
   a.sext = b.sext = is_signed;
   sel_split64(c, agx_imul(&c->b, 64, a, b), parts);
   return parts[1];
}

/* The lowering leaves constant widths only; beyond 32 they count modulo 32. */
static unsigned
width_of(const struct nir_alu_src *src, unsigned i)
{
   const unsigned bits = (unsigned)nir_src_comp_as_uint(src->src, src->swizzle[i]);
   return bits > 32 ? bits & 31 : bits;
}

static struct agx_ref
offset_of(struct sel *c, const struct nir_alu_instr *alu, unsigned n, unsigned i)
{
   if (nir_src_is_const(alu->src[n].src))
      return agx_imm((uint32_t)nir_src_comp_as_uint(alu->src[n].src, alu->src[n].swizzle[i]) & 31);
   return agx_and(&c->b, 16, sel_low(c, SRC(n)), agx_imm(31));
}

static struct agx_ref
insert(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   const unsigned bits = width_of(&alu->src[3], i);
   if (!bits)
      return sel_copy(c, SRC(0));
   const struct agx_ref result = agx_bfi(&c->b, 32, SRC(0), SRC(1), offset_of(c, alu, 2, i));
   c->b.last->mod.bitmask = bits & 31;
   return result;
}

static struct agx_ref
extract(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   const unsigned bits = width_of(&alu->src[2], i);
   if (!bits)
      return sel_copy(c, sel_imm(c, 32, 0));
   if (bits == 32) /* the words of bfeil with all bits into nothing are those of shr */
      return agx_shr(&c->b, 32, SRC(0), offset_of(c, alu, 1, i));
   const struct agx_ref result = agx_bfeil(&c->b, 32, agx_imm(0), SRC(0), offset_of(c, alu, 1, i));
   c->b.last->mod.bitmask = bits & 31;
   return result;
}

static struct agx_ref
minmax(struct sel *c, struct nir_alu_instr *alu, unsigned i, enum agx_icond code)
{
   const struct agx_ref x = SRC(0), y = SRC(1);
   return sel_icsel(c, sel_size(&alu->def), code, x, y, x, y);
}

static struct agx_ref
component(struct sel *c, struct nir_alu_instr *alu, unsigned i)
{
   /* size: a flat switch */
   struct agx_builder *b = &c->b;
   const unsigned size = sel_size(&alu->def);
   const bool is_bool = alu->def.bit_size == 1;
   struct agx_ref x;
   switch ((int)alu->op) {
   case NIR_OP_iadd:
   case NIR_OP_isub:
      return sum(c, alu, i);
   case NIR_OP_imul:
      return product(c, alu, i);
   case NIR_OP_imul_2x32_64:
      return agx_imul(b, 64, agx_sext(SRC(0)), agx_sext(SRC(1)));
   case NIR_OP_umul_2x32_64:
      return agx_imul(b, 64, SRC(0), SRC(1));
   case NIR_OP_imul_high:
   case NIR_OP_umul_high:
      return high_product(c, alu, i, alu->op == NIR_OP_imul_high);
   case NIR_OP_ineg:
      return agx_isub(b, size, agx_imm(0), SRC(0));
   case NIR_OP_iabs:
      x = SRC(0);
      return sel_icsel(c, size, AGX_ICOND_SLT, x, agx_imm(0), agx_isub(b, size, agx_imm(0), x), x);
   case NIR_OP_isign:
      x = SRC(0);
      x = sel_icsel(
         c, size, AGX_ICOND_SGT, x, agx_imm(0), sel_imm(c, size, 1),
         agx_asr(b, size, size == 16 ? agx_iadd(b, 32, agx_imm(0), agx_sext(x)) : x, agx_imm(31), agx_imm(0)));
      return x;
   case NIR_OP_imin:
      return minmax(c, alu, i, AGX_ICOND_SLT);
   case NIR_OP_imax:
      return minmax(c, alu, i, AGX_ICOND_SGT);
   case NIR_OP_umin:
      return minmax(c, alu, i, AGX_ICOND_ULT);
   case NIR_OP_umax:
      return minmax(c, alu, i, AGX_ICOND_UGT);
   case NIR_OP_uadd_carry:
      x = SRC(0);
      return sel_icsel(c, size, AGX_ICOND_ULT, agx_iadd(b, size, x, SRC(1)), x, sel_imm(c, size, 1),
                       sel_imm(c, size, 0));
   case NIR_OP_usub_borrow:
      return sel_icsel(c, size, AGX_ICOND_ULT, SRC(0), SRC(1), sel_imm(c, size, 1), sel_imm(c, size, 0));
   case NIR_OP_iand:
      return agx_and(b, size, SRC(0), SRC(1));
   case NIR_OP_ior:
      return agx_or(b, size, SRC(0), SRC(1));
   case NIR_OP_ixor:
   case NIR_OP_ine: /* of booleans */
      return agx_xor(b, size, SRC(0), SRC(1));
   case NIR_OP_ieq:
      return sel_icsel(c, 16, AGX_ICOND_IEQ, SRC(0), SRC(1), agx_imm(1), agx_imm(0));
   case NIR_OP_inot:
      return is_bool ? agx_xor(b, 16, SRC(0), agx_imm(1)) : agx_not(b, size, SRC(0));
   case NIR_OP_ishl:
   case NIR_OP_ishr:
   case NIR_OP_ushr:
      return shift(c, alu, i);
   case NIR_OP_bitfield_reverse:
      return agx_bitrev(b, 32, SRC(0));
   case NIR_OP_bit_count:
      return agx_popcnt(b, 32, SRC(0));
   case NIR_OP_find_lsb: /* ffs counts from above: what is left is the lowest bit */
      x = SRC(0);
      return agx_ffs(b, 32, agx_and(b, x.size, x, agx_isub(b, x.size, agx_imm(0), x)));
   case NIR_OP_ufind_msb:
      return agx_ffs(b, 32, SRC(0));
   case NIR_OP_ifind_msb:
      x = SRC(0);
      return agx_ffs(b, 32, agx_xor(b, 32, x, agx_asr(b, 32, x, agx_imm(31), agx_imm(0))));
   case NIR_OP_bitfield_insert:
      return insert(c, alu, i);
   case NIR_OP_ubitfield_extract:
      return extract(c, alu, i);
   default: /* others: none of integers */
      return agx_none();
   }
}

static bool
is_native_64(enum nir_op op)
{
   return op == NIR_OP_iadd || op == NIR_OP_isub || op == NIR_OP_ineg || op == NIR_OP_imul_2x32_64 ||
          op == NIR_OP_umul_2x32_64;
}

bool
sel_alu_int(struct sel *c, struct nir_alu_instr *alu)
{
   const unsigned bits = MAX2(alu->def.bit_size, alu->src[0].src.def->bit_size);
   if ((bits == 64 && !is_native_64(alu->op)) || bits == 8)
      return false;
   for (unsigned i = 0; i < alu->def.num_components; i++) {
      const struct agx_ref result = component(c, alu, i);
      if (result.kind == AGX_NONE)
         return false;
      sel_set(c, &alu->def, i, result);
   }
   return true;
}
