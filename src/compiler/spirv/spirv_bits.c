/* Bit fields, counts and reversals. nir's opcodes have 32 bits (counts any number); those of other sizes, which
 * VK_KHR_maintenance9 allows, are made of them or, of 64 bits, of shifts. */
#include "compiler/spirv/spirv_emit.h"

/* A part of a word: both scalars have 32 bits. Their sum is at most the size of the word. */
struct field {
   struct nir_def *offset, *count;
};

/* ---- 64 bits ---- */

/* count low bits. */
static struct nir_def *
low_bits_64(struct nir_builder *b, struct nir_def *count)
{
   struct nir_def *ones = nir_ushr(b, nir_imm_intN(b, UINT64_MAX, 64), nir_isub(b, nir_imm_int(b, 64), count));
   return nir_bcsel(b, nir_ieq_imm(b, count, 0), nir_imm_intN(b, 0, 64), ones);
}

static struct nir_def *
insert_64(struct nir_builder *b, struct nir_def *base, struct nir_def *insert, struct field field)
{
   struct nir_def *mask = nir_ishl(b, low_bits_64(b, field.count), field.offset);
   struct nir_def *moved = nir_iand(b, nir_ishl(b, insert, field.offset), mask);
   return nir_ior(b, nir_iand(b, base, nir_inot(b, mask)), moved);
}

/* An empty field is 0: the shift by 64 that it would need is one by 0 in nir. */
static struct nir_def *
extract_64(struct nir_builder *b, struct nir_def *base, struct field field, bool is_signed)
{
   if (!is_signed)
      return nir_iand(b, nir_ushr(b, base, field.offset), low_bits_64(b, field.count));
   struct nir_def *above = nir_isub(b, nir_imm_int(b, 64), nir_iadd(b, field.offset, field.count));
   struct nir_def *value = nir_ishr(b, nir_ishl(b, base, above), nir_isub(b, nir_imm_int(b, 64), field.count));
   return nir_bcsel(b, nir_ieq_imm(b, field.count, 0), nir_imm_intN(b, 0, 64), value);
}

static struct nir_def *
reverse_64(struct nir_builder *b, struct nir_def *x)
{
   struct nir_def *low = nir_bitfield_reverse(b, nir_u2uN(b, x, 32));
   struct nir_def *high = nir_bitfield_reverse(b, nir_u2uN(b, nir_ushr(b, x, nir_imm_int(b, 32)), 32));
   return nir_ior(b, nir_ishl(b, nir_u2uN(b, low, 64), nir_imm_int(b, 32)), nir_u2uN(b, high, 64));
}

/* ---- any size ---- */

static const struct spirv_type *
int_result(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m, spirv_is_int(type), "the result must be of integers");
   return type;
}

static void
bit_insert(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   const struct spirv_type *type = int_result(e, w);
   struct nir_def *base = spirv_def_of(e, w[3], type), *insert = spirv_def_of(e, w[4], type);
   const struct field field = {spirv_index(e, w[5]), spirv_index(e, w[6])};
   struct nir_def *result =
      type->bit_size == 64
         ? insert_64(b, base, insert, field)
         : nir_bitfield_insert(b, nir_u2uN(b, base, 32), nir_u2uN(b, insert, 32), field.offset, field.count);
   spirv_set_def(e, w, nir_u2uN(b, result, type->bit_size));
}

static void
bit_extract(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   const struct spirv_type *type = int_result(e, w);
   const bool is_signed = spirv_opcode(w) == SpvOpBitFieldSExtract;
   struct nir_def *base = spirv_def_of(e, w[3], type), *result;
   const struct field field = {spirv_index(e, w[4]), spirv_index(e, w[5])};
   if (type->bit_size == 64)
      result = extract_64(b, base, field, is_signed);
   else if (is_signed)
      result = nir_ibitfield_extract(b, nir_u2uN(b, base, 32), field.offset, field.count);
   else
      result = nir_ubitfield_extract(b, nir_u2uN(b, base, 32), field.offset, field.count);
   spirv_set_def(e, w, nir_u2uN(b, result, type->bit_size));
}

static void
bit_reverse(struct spirv_emit *e, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   const struct spirv_type *type = int_result(e, w);
   struct nir_def *base = spirv_def_of(e, w[3], type), *result;
   if (type->bit_size == 64)
      result = reverse_64(b, base);
   else if (type->bit_size == 32)
      result = nir_bitfield_reverse(b, base);
   else
      result =
         nir_ushr(b, nir_bitfield_reverse(b, nir_u2uN(b, base, 32)), nir_imm_int(b, 32 - (int32_t)type->bit_size));
   spirv_set_def(e, w, nir_u2uN(b, result, type->bit_size));
}

/* The result may have another size than the base. */
static void
bit_count(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = int_result(e, w);
   const struct spirv_ssa *base = spirv_ssa(e, w[3]);
   spirv_require(e->m, spirv_is_int(base->type) && type->components == base->type->components,
                 "the types do not fit");
   spirv_set_def(e, w, nir_u2uN(&e->b, nir_bit_count(&e->b, base->def), type->bit_size));
}

bool
spirv_emit_bits(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_opcode(w)) {
   case SpvOpBitFieldInsert:
      bit_insert(e, w);
      return true;
   case SpvOpBitFieldSExtract:
   case SpvOpBitFieldUExtract:
      bit_extract(e, w);
      return true;
   case SpvOpBitReverse:
      bit_reverse(e, w);
      return true;
   case SpvOpBitCount:
      bit_count(e, w);
      return true;
   default: /* others: not of this file */
      return false;
   }
}
