/* Pointers that are values: those of storage class PhysicalStorageBuffer are addresses of 64 bits, variable pointers
 * offsets in a buffer or in workgroup memory. An access chain keeps its path as a deref, and becomes a number where
 * somebody uses it as a value. */
#include "compiler/nir/nir_deref.h"
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

struct nir_def *
spirv_address(struct spirv_emit *e, const struct spirv_pointer *pointer)
{
   const unsigned count = pointer->storage == SpvStorageClassStorageBuffer ? 3 : 1;
   const unsigned bits = pointer->storage == SpvStorageClassPhysicalStorageBuffer ? 64 : 32;
   return nir_deref_address(&e->b, count, bits, &spirv_pointer_deref(e, pointer)->def);
}

struct spirv_pointer *
spirv_address_pointer(struct spirv_emit *e, const struct spirv_type *type, struct nir_def *address)
{
   const uint32_t mode = type->storage == SpvStorageClassPhysicalStorageBuffer ? NIR_VAR_GLOBAL
                         : type->storage == SpvStorageClassStorageBuffer       ? NIR_VAR_SSBO
                                                                               : NIR_VAR_SHARED;
   if (mode == NIR_VAR_GLOBAL && !type->is_untyped)
      spirv_check_layout(e->m, type->element);
   struct spirv_pointer *pointer = arena_new(&e->m->temp, struct spirv_pointer);
   const struct nir_type *nir = type->is_untyped ? nir_type_vector(NIR_TYPE_UINT, 32, 1) : type->element->nir;
   *pointer = (struct spirv_pointer){.type = type->element,
                                     .storage = type->storage,
                                     .is_mutable = true,
                                     .is_untyped = type->is_untyped,
                                     .deref = nir_build_deref_cast(&e->b, address, mode, nir)};
   return pointer;
}

static const struct spirv_type *
address_type(struct spirv_emit *e, uint32_t id)
{
   const struct spirv_type *type = spirv_type_of(e, id);
   spirv_require(e->m, spirv_is_address(type), "%%%u is no pointer that may be a value", id);
   return type;
}

/* Workgroup memory without an explicit layout has the one that nir gives it. Untyped pointers are to bytes. */
static uint32_t
stride_B(struct spirv_emit *e, const struct spirv_type *type)
{
   if (type->is_untyped)
      return 1;
   if (type->storage == SpvStorageClassWorkgroup && !type->stride_B) {
      const struct nir_type *array = nir_type_array(e->m->arena, type->element->nir, 1, 0);
      return nir_type_with_layout(e->m->arena, array)->stride_B;
   }
   spirv_require(e->m, type->stride_B, "the pointer type %%%u has no ArrayStride", type->id);
   return type->stride_B;
}

struct spirv_pointer *
spirv_element_pointer(struct spirv_emit *e, uint32_t id, uint32_t index)
{
   const struct spirv_type *type = address_type(e, id), *index_type = spirv_type_of(e, index);
   spirv_require(e->m, index_type->kind == SPIRV_TYPE_INT, "index %%%u is no integer", index);
   struct nir_def *start = spirv_def(e, id), *places = nir_i2iN(&e->b, spirv_def(e, index), type->bit_size);
   struct nir_def *by_B = nir_imul_imm(&e->b, places, stride_B(e, type));
   if (type->components == 1)
      return spirv_address_pointer(e, type, nir_iadd(&e->b, start, by_B));
   struct nir_def *offset_B = nir_iadd(&e->b, nir_channel(&e->b, start, 2), by_B);
   return spirv_address_pointer(e, type, nir_vector_insert_imm(&e->b, start, offset_B, 2));
}

static void
compare(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = address_type(e, w[3]), *result = spirv_result_type(e, w);
   const struct spirv_type *other = address_type(e, w[4]);
   spirv_require(e->m, other == type || (other->storage == type->storage && other->is_untyped != type->is_untyped),
                 "%%%u and %%%u are pointers of two types", w[3], w[4]);
   struct nir_def *a = spirv_def(e, w[3]), *b = spirv_def(e, w[4]), *equal = NULL;
   spirv_require(e->m, result->kind == SPIRV_TYPE_BOOL, "the result is no boolean");
   for (unsigned i = 0; i < type->components; i++) {
      struct nir_def *part = nir_ieq(&e->b, nir_channel(&e->b, a, i), nir_channel(&e->b, b, i));
      equal = equal ? nir_iand(&e->b, equal, part) : part;
   }
   spirv_set_def(e, w, spirv_opcode(w) == SpvOpPtrEqual ? equal : nir_inot(&e->b, equal));
}

static struct nir_def *
number(struct spirv_emit *e, const uint32_t *w, struct nir_def *value)
{
   const struct spirv_type *result = spirv_result_type(e, w);
   spirv_require(e->m, result->kind == SPIRV_TYPE_INT, "the result is no integer");
   return nir_u2uN(&e->b, value, result->bit_size);
}

/* In elements; the pointers are into one array. */
static void
difference(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = address_type(e, w[3]), *result = spirv_result_type(e, w);
   struct nir_def *a = spirv_def(e, w[3]), *b = spirv_def_of(e, w[4], type);
   const unsigned last = type->components - 1u;
   spirv_require(e->m, result->kind == SPIRV_TYPE_INT, "the result is no integer");
   struct nir_def *by_B = nir_isub(&e->b, nir_channel(&e->b, a, last), nir_channel(&e->b, b, last));
   struct nir_def *places = nir_idiv(&e->b, by_B, nir_imm_intN(&e->b, stride_B(e, type), type->bit_size));
   spirv_set_def(e, w, nir_i2iN(&e->b, places, result->bit_size));
}

static void
from_number(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *from = spirv_type_of(e, w[3]);
   const struct spirv_type *result = spirv_result_type(e, w);
   spirv_require(e->m, result->kind == SPIRV_TYPE_POINTER && result->bit_size == 64,
                 "the result is no pointer to physical storage");
   spirv_require(e->m, from->kind == SPIRV_TYPE_INT, "%%%u is no integer", w[3]);
   spirv_set_def(e, w, nir_u2uN(&e->b, spirv_def(e, w[3]), 64));
}

bool
spirv_emit_address(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_opcode(w)) {
   case SpvOpPtrEqual:
   case SpvOpPtrNotEqual:
      compare(e, w);
      return true;
   case SpvOpPtrDiff:
      difference(e, w);
      return true;
   case SpvOpConvertPtrToU:
      spirv_require(e->m, address_type(e, w[3])->bit_size == 64, "%%%u is no pointer to physical storage", w[3]);
      spirv_set_def(e, w, number(e, w, spirv_def(e, w[3])));
      return true;
   case SpvOpConvertUToPtr:
      from_number(e, w);
      return true;
   default: /* others: not of this file */
      return false;
   }
}
