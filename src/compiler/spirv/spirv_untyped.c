/* Untyped pointers (SPV_KHR_untyped_pointers): instructions say what such a pointer points to. Where that is not what
 * the last one said, the pointer becomes a place in its memory, and a cast of that place the new pointer. */
#include "compiler/nir/nir_deref.h"
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

/* ---- the same place, as another type ---- */

/* A uniform buffer stays the resource that it is, so the place becomes an index of its elements. */
static struct nir_deref_instr *
uniform_place(struct spirv_emit *e, struct nir_deref_instr *deref, const struct spirv_type *type, uint32_t align_B)
{
   struct nir_builder *b = &e->b;
   struct nir_deref_path path;
   struct nir_def *offset_B = nir_deref_address(b, 1, 32, &deref->def);
   const struct nir_type *elements = nir_type_array(e->m->arena, type->nir, 0, align_B);
   nir_deref_path_of(deref, &path);
   struct nir_deref_instr *root = nir_build_deref_cast(b, path.path[0]->parent.def, NIR_VAR_UBO, elements);
   return nir_build_deref_array(b, root, nir_ushr_imm(b, offset_B, __builtin_ctz(align_B)));
}

static struct nir_deref_instr *
cast(struct spirv_emit *e, const struct spirv_pointer *pointer, const struct spirv_type *type)
{
   struct nir_deref_instr *deref = spirv_pointer_deref(e, pointer);
   const uint32_t align_B = spirv_check_layout(e->m, type), mode = deref->mode;
   if (!pointer->deref) /* a whole block */
      return nir_build_deref_cast(&e->b, deref->parent.def, mode, type->nir);
   if (mode == NIR_VAR_UBO)
      return uniform_place(e, deref, type, align_B);
   const unsigned count = mode == NIR_VAR_SSBO ? 3 : 1, bits = mode == NIR_VAR_GLOBAL ? 64 : 32;
   return nir_build_deref_cast(&e->b, nir_deref_address(&e->b, count, bits, &deref->def), mode, type->nir);
}

static struct spirv_pointer *
reinterpreted(struct spirv_emit *e, struct spirv_pointer *pointer, const struct spirv_type *type)
{
   if (pointer->type == type)
      return pointer;
   spirv_require(e->m, type->nir && !type->has_opaque && !pointer->is_texel && !pointer->members,
                 "an untyped pointer to %s", spirv_type_name(e->m, type));
   struct spirv_pointer *as = arena_dup(&e->m->temp, pointer, sizeof(*pointer));
   const bool is_array = !pointer->deref && pointer->type->kind == SPIRV_TYPE_ARRAY;
   as->type = type;
   /* An array of blocks stays one, and a block is cast once its descriptor is known. */
   spirv_require(e->m,
                 !is_array || (type->kind == SPIRV_TYPE_ARRAY && type->element->kind == pointer->type->element->kind),
                 "an array of descriptors as %s", spirv_type_name(e->m, type));
   if (!is_array && (pointer->deref || type->kind != SPIRV_TYPE_STRUCT))
      as->deref = cast(e, pointer, type);
   return as;
}

struct spirv_pointer *
spirv_pointer_as(struct spirv_emit *e, struct spirv_pointer *pointer, const struct spirv_type *type)
{
   return pointer->is_untyped ? reinterpreted(e, pointer, type) : pointer;
}

/* Is it a column of a matrix whose rows are stored one after another? */
static bool
is_scattered(const struct spirv_pointer *pointer)
{
   struct nir_deref_path path;
   if (!pointer->deref || pointer->type->kind != SPIRV_TYPE_VECTOR)
      return false;
   nir_deref_path_of(pointer->deref, &path);
   return path.length > 1 && path.path[path.length - 2]->type->row_major;
}

/* ---- instructions ---- */

/* The place so many elements further, of which the type of the old pointer has the stride. */
static struct spirv_pointer *
element(struct spirv_emit *e, const uint32_t *w, const struct spirv_type *base)
{
   struct nir_builder *b = &e->b;
   const struct spirv_pointer *pointer = spirv_pointer(e, w[4]);
   const uint32_t stride_B = spirv_type_of(e, w[4])->stride_B;
   struct nir_def *start = spirv_address(e, pointer), *places = nir_i2iN(b, spirv_def(e, w[5]), start->bit_size);
   const unsigned last = start->num_components - 1u;
   spirv_require(e->m, stride_B, "the pointer %%%u has no ArrayStride", w[4]);
   spirv_check_layout(e->m, base);
   struct nir_def *at = nir_iadd(b, nir_channel(b, start, last), nir_imul_imm(b, places, stride_B));
   struct spirv_pointer *result = arena_dup(&e->m->temp, pointer, sizeof(*pointer));
   result->type = base;
   result->deref = nir_build_deref_cast(b, last ? nir_vector_insert_imm(b, start, at, last) : at,
                                        spirv_pointer_deref(e, pointer)->mode, base->nir);
   return result;
}

static void
access_chain(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *result = spirv_result_type(e, w), *base = spirv_type(e->m, w[3]);
   struct spirv_pointer *pointer = spirv_pointer(e, w[4]);
   const bool moves =
      spirv_opcode(w) == SpvOpUntypedPtrAccessChainKHR || spirv_opcode(w) == SpvOpUntypedInBoundsPtrAccessChainKHR;
   spirv_require(e->m, result->is_untyped && result->storage == pointer->storage,
                 "the result is no untyped pointer of the same storage class");
   if (moves)
      spirv_require(e->m,
                    pointer->storage != SpvStorageClassUniform && pointer->storage != SpvStorageClassPushConstant,
                    "elements of this storage class");
   pointer = moves ? element(e, w, base) : reinterpreted(e, pointer, base);
   pointer = spirv_chain(e, pointer, w, moves ? 6 : 5);
   /* The pointer does not know its matrix. "The instruction will access exactly the same memory locations [...] as if
    * using the corresponding strongly typed pointer", which is one to a vector: components follow each other. */
   if (is_scattered(pointer))
      pointer->deref = cast(e, pointer, pointer->type);
   pointer->is_untyped = true;
   spirv_set_pointer(e, w[2], pointer);
}

/* Bytes that a copy moves at once. */
static const struct nir_type *
copied_type(struct spirv_emit *e, const uint32_t *w, uint64_t size_B)
{
   const bool aligned = spirv_length(w) > 5 && w[4] & SpvMemoryAccessAlignedMask;
   const uint64_t both = size_B | (aligned ? w[5] : 4);
   return nir_type_vector(NIR_TYPE_UINT, both & 1 ? 8 : both & 2 ? 16 : 32, 1);
}

static struct nir_deref_instr *
copied_array(struct spirv_emit *e, const struct spirv_pointer *pointer, const struct nir_type *of)
{
   const struct nir_type *array = nir_type_array(e->m->arena, of, 0, of->bit_size / 8);
   const struct spirv_type type = {.kind = SPIRV_TYPE_INT, .bit_size = of->bit_size, .components = 1, .nir = array};
   return cast(e, pointer, &type);
}

static void
copy_sized(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_pointer *to = spirv_pointer(e, w[1]), *from = spirv_pointer(e, w[2]);
   spirv_require(e->m, e->m->ids[w[3]].kind == SPIRV_ID_CONSTANT, "the size of a copy is no constant");
   const uint64_t size_B = spirv_constant_uint(e->m, w[3]);
   const struct nir_type *of = copied_type(e, w, size_B);
   const uint64_t count = size_B / (of->bit_size / 8u);
   spirv_require(e->m, to->is_mutable, "a copy to what cannot be written");
   spirv_count_work(e, (uint32_t)MIN2(count, UINT32_MAX));
   struct nir_deref_instr *target = copied_array(e, to, of), *source = copied_array(e, from, of);
   for (uint32_t i = 0; i < count; i++) {
      struct nir_def *index = spirv_int_constant(e, i);
      struct nir_def *value =
         nir_build_load_deref_of(&e->b, nir_build_deref_array(&e->b, source, index), from->access);
      nir_build_store_deref_of(&e->b, nir_build_deref_array(&e->b, target, index), value, 0, to->access);
   }
}

bool
spirv_emit_untyped(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_opcode(w)) {
   case SpvOpUntypedAccessChainKHR:
   case SpvOpUntypedInBoundsAccessChainKHR:
   case SpvOpUntypedPtrAccessChainKHR:
   case SpvOpUntypedInBoundsPtrAccessChainKHR:
      access_chain(e, w);
      return true;
   case SpvOpUntypedArrayLengthKHR:
      spirv_array_length(e, w, reinterpreted(e, spirv_pointer(e, w[4]), spirv_type(e->m, w[3])), w[5]);
      return true;
   case SpvOpCopyMemorySized:
      copy_sized(e, w);
      return true;
   default: /* others: not of this file */
      return false;
   }
}
