/* Cooperative matrices (SPV_KHR_cooperative_matrix): a value is a composite of the elements that an invocation has
 * (nir_matrix.h). Loads and stores go element by element, or by four dwords where a row of A or a column of B lies in
 * memory in one piece: the environment of Vulkan has it aligned to 16 bytes. */
#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_matrix.h"
#include "compiler/spirv/spirv_emit.h"

/* ---- types ---- */

/* A check of only the module knows neither subgroups nor what pipelines specialize sizes to. */
void
spirv_cooperative_type(struct spirv_module *m, struct spirv_type *type, const uint32_t *w)
{
   const uint32_t scope = spirv_constant_u32(m, w[3]), rows = spirv_constant_u32(m, w[4]),
                  columns = spirv_constant_u32(m, w[5]), use = spirv_constant_u32(m, w[6]);
   const unsigned size = m->options ? m->options->matrix_subgroup_size : 32;
   type->kind = SPIRV_TYPE_COOPERATIVE;
   type->element = spirv_type(m, w[2]);
   spirv_require(m, type->element->kind == SPIRV_TYPE_INT || type->element->kind == SPIRV_TYPE_FLOAT,
                 "the component type is no number");
   spirv_require(m, use < NIR_MATRIX_USES || !m->options, "no matrix has the use %u", use);
   spirv_require(m, size == 32 || size == 64, "the subgroups hold no matrices");
   if (m->options) {
      spirv_require(m, scope == SpvScopeSubgroup, "a matrix of another scope than the subgroup");
      spirv_require(m, rows == NIR_MATRIX_SIDE && columns == NIR_MATRIX_SIDE, "a matrix of %u times %u, not %d", rows,
                    columns, NIR_MATRIX_SIDE);
   }
   type->use = (uint8_t)(use < NIR_MATRIX_USES ? use : NIR_MATRIX_C);
   type->length = nir_matrix_length((enum nir_matrix_use)type->use, size);
   type->scalars = type->length;
   type->bit_size = type->element->bit_size;
   type->depth = 1;
   type->nir = nir_type_array(m->arena, type->element->nir, type->length, 0);
}

uint32_t
spirv_cooperative_length(struct spirv_module *m, uint32_t id)
{
   const struct spirv_type *type = spirv_type(m, id);
   spirv_require(m, type->kind == SPIRV_TYPE_COOPERATIVE, "%s is no cooperative matrix", spirv_type_name(m, type));
   return type->length;
}

static const struct spirv_ssa *
matrix_of_use(struct spirv_emit *e, uint32_t id, enum nir_matrix_use use)
{
   const struct spirv_ssa *ssa = spirv_ssa(e, id);
   spirv_require(e->m, ssa->type->kind == SPIRV_TYPE_COOPERATIVE && ssa->type->use == use,
                 "%%%u is no matrix of this use", id);
   return ssa;
}

/* ---- memory ---- */

/* Where the elements of an invocation lie: the first one, and each next one so many bytes further. */
struct walk {
   const struct spirv_type *type; /* of the matrix */
   struct nir_def *address, *step_B;
   uint32_t mode, access;
   bool dense; /* one right after the other */
};

/* Bytes from one row or column to the next; a stride counts what the pointer refers to. */
static struct nir_def *
stride_B(struct spirv_emit *e, const struct spirv_type *pointee, uint32_t stride)
{
   spirv_require(e->m, spirv_is_vector_or_scalar(pointee) && !pointee->has_bool, "the pointer refers to %s",
                 spirv_type_name(e->m, pointee));
   return nir_imul_imm(&e->b, spirv_index(e, stride), pointee->components * pointee->bit_size / 8);
}

static struct nir_def *
scaled(struct nir_builder *b, struct nir_def *sum, struct nir_def *x, unsigned factor)
{
   if (!factor)
      return sum;
   struct nir_def *product = nir_imul_imm(b, x, factor);
   return sum ? nir_iadd(b, sum, product) : product;
}

/* The part of a row or column that the invocation's number gives, NULL: none. */
static struct nir_def *
start_of(struct nir_builder *b, const struct nir_matrix_axis *axis)
{
   struct nir_def *id = nir_load_subgroup_invocation(b);
   struct nir_def *sum = scaled(b, NULL, nir_iand_imm(b, id, NIR_MATRIX_SIDE - 1), axis->by_low);
   return scaled(b, sum, nir_udiv_imm(b, id, NIR_MATRIX_SIDE), axis->by_high);
}

static struct nir_def *
add_B(struct nir_builder *b, struct nir_def *address, struct nir_def *bytes)
{
   const unsigned last = address->num_components - 1u;
   struct nir_def *sum = nir_iadd(b, nir_channel(b, address, last), nir_u2uN(b, bytes, address->bit_size));
   return last ? nir_vector_insert_imm(b, address, sum, last) : sum;
}

/* Matrices in memory are rows or columns (`lines`) of elements. */
static struct walk
walk_of(struct spirv_emit *e, const struct spirv_type *type, const struct spirv_pointer *pointer,
        struct nir_def *line_B, bool by_columns)
{
   struct nir_builder *b = &e->b;
   const unsigned size_B = type->bit_size / 8u;
   const struct nir_matrix_place place =
      nir_matrix_place((enum nir_matrix_use)type->use, e->m->options->matrix_subgroup_size);
   const struct nir_matrix_axis *lines = by_columns ? &place.column : &place.row,
                                *inside = by_columns ? &place.row : &place.column;
   struct nir_def *line = start_of(b, lines), *in_line = start_of(b, inside);
   struct nir_def *step_B = lines->by_element ? nir_imul_imm(b, line_B, lines->by_element)
                                              : nir_imm_int(b, (int32_t)(inside->by_element * size_B));
   struct nir_def *address = spirv_address(e, pointer);
   if (line)
      address = add_B(b, address, nir_imul(b, line, line_B));
   if (in_line)
      address = add_B(b, address, nir_imul_imm(b, in_line, size_B));
   return (struct walk){.type = type,
                        .address = address,
                        .step_B = step_B,
                        .mode = spirv_pointer_deref(e, pointer)->mode,
                        .access = pointer->access,
                        .dense = !lines->by_element && inside->by_element == 1 && size_B < 4};
}

static struct nir_deref_instr *
element_at(struct spirv_emit *e, const struct walk *walk, unsigned element)
{
   struct nir_builder *b = &e->b;
   struct nir_def *address = walk->address;
   if (element)
      address = add_B(b, address, nir_imul_imm(b, walk->step_B, element));
   return nir_build_deref_cast(b, address, walk->mode, walk->type->element->nir);
}

/* Four dwords, number `index` in a line. */
static struct nir_deref_instr *
dwords_at(struct spirv_emit *e, const struct walk *walk, unsigned index)
{
   struct nir_builder *b = &e->b;
   struct nir_def *address = index ? add_B(b, walk->address, nir_imm_int(b, (int32_t)(16 * index))) : walk->address;
   return nir_build_deref_cast(b, address, walk->mode, nir_type_vector(NIR_TYPE_UINT, 32, 4));
}

static struct nir_def *
part_of_dword(struct nir_builder *b, struct nir_def *dword, unsigned index, unsigned bits)
{
   if (bits == 16)
      return nir_channel(b, nir_unpack_32_2x16(b, dword), index);
   return nir_u2uN(b, index ? nir_ushr_imm(b, dword, index * bits) : dword, bits);
}

static struct nir_def *
dword_of_parts(struct nir_builder *b, struct nir_def *const *parts)
{
   if (parts[0]->bit_size == 32)
      return parts[0];
   if (parts[0]->bit_size == 16)
      return nir_pack_32_2x16(b, nir_vec(b, parts, 2));
   struct nir_def *dword = nir_u2uN(b, parts[0], 32);
   for (unsigned i = 1; i < 4; i++)
      dword = nir_ior(b, dword, nir_ishl_imm(b, nir_u2uN(b, parts[i], 32), i * 8));
   return dword;
}

static void
load_elements(struct spirv_emit *e, const struct walk *walk, struct nir_def **elements)
{
   struct nir_builder *b = &e->b;
   const unsigned bits = walk->type->bit_size, per_dword = 32 / bits;
   for (unsigned i = 0; i < walk->type->length && !walk->dense; i++)
      elements[i] = nir_build_load_deref_of(b, element_at(e, walk, i), walk->access);
   for (unsigned i = 0; i < walk->type->length / per_dword / 4 && walk->dense; i++) {
      struct nir_def *dwords = nir_build_load_deref_of(b, dwords_at(e, walk, i), walk->access);
      for (unsigned n = 0; n < 4 * per_dword; n++)
         elements[4 * per_dword * i + n] =
            part_of_dword(b, nir_channel(b, dwords, n / per_dword), n % per_dword, bits);
   }
}

static void
store_elements(struct spirv_emit *e, const struct walk *walk, struct nir_def *const *elements)
{
   struct nir_builder *b = &e->b;
   const unsigned per_dword = 32 / walk->type->bit_size;
   for (unsigned i = 0; i < walk->type->length && !walk->dense; i++)
      nir_build_store_deref_of(b, element_at(e, walk, i), elements[i], 0, walk->access);
   for (unsigned i = 0; i < walk->type->length / per_dword / 4 && walk->dense; i++) {
      struct nir_def *dwords[4];
      for (unsigned n = 0; n < 4; n++)
         dwords[n] = dword_of_parts(b, elements + per_dword * (4 * i + n));
      nir_build_store_deref_of(b, dwords_at(e, walk, i), nir_vec(b, dwords, 4), 0, walk->access);
   }
}

/* The operands of loads and stores alike: w[layout] is the layout, then come the stride and the memory access. */
static struct walk
memory_operands(struct spirv_emit *e, const uint32_t *w, const struct spirv_type *type, uint32_t pointer_id,
                uint32_t layout)
{
   struct spirv_module *m = e->m;
   const uint32_t left = spirv_length(w) - layout, kind = spirv_constant_u32(m, w[layout]);
   struct spirv_pointer *pointer = spirv_pointer(e, pointer_id);
   if (pointer->is_untyped)
      pointer = spirv_pointer_as(e, pointer, type->element);
   spirv_require(m,
                 pointer->storage == SpvStorageClassWorkgroup || pointer->storage == SpvStorageClassStorageBuffer ||
                    pointer->storage == SpvStorageClassPhysicalStorageBuffer,
                 "a matrix in memory of another storage class");
   spirv_require(m, kind == SpvCooperativeMatrixLayoutRowMajorKHR || kind == SpvCooperativeMatrixLayoutColumnMajorKHR,
                 "no layout has the number %u", kind);
   spirv_require(m, left > 1, "a matrix in memory without a stride");
   struct nir_def *line_B = stride_B(e, pointer->type, w[layout + 1]);
   struct walk walk = walk_of(e, type, pointer, line_B, kind == SpvCooperativeMatrixLayoutColumnMajorKHR);
   walk.access |= spirv_memory_access(w + layout + 2, left - 2);
   return walk;
}

static void
load(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   struct nir_def *elements[NIR_MATRIX_SIDE];
   spirv_require(e->m, type->kind == SPIRV_TYPE_COOPERATIVE, "the result is no cooperative matrix");
   const struct walk walk = memory_operands(e, w, type, w[3], 4);
   load_elements(e, &walk, elements);
   struct spirv_ssa *result = spirv_ssa_new(e, type);
   for (unsigned i = 0; i < type->length; i++)
      spirv_ssa_put(e, result, i, spirv_ssa_of_def(e, type->element, elements[i]));
   spirv_set_ssa(e, w, result);
}

static void
store(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *object = spirv_ssa(e, w[2]);
   struct nir_def *elements[NIR_MATRIX_SIDE];
   spirv_require(e->m, object->type->kind == SPIRV_TYPE_COOPERATIVE, "%%%u is no cooperative matrix", w[2]);
   spirv_require(e->m, spirv_pointer(e, w[1])->is_mutable, "a store to what cannot be written");
   for (unsigned i = 0; i < object->type->length; i++)
      elements[i] = spirv_ssa_part(object, i)->def;
   const struct walk walk = memory_operands(e, w, object->type, w[1], 3);
   store_elements(e, &walk, elements);
}

/* ---- products ---- */

static bool
is_number(const struct spirv_type *type, enum spirv_type_kind kind, unsigned bits)
{
   return type->element->kind == kind && type->bit_size == bits;
}

static enum nir_matrix_op
product_of(struct spirv_emit *e, const struct spirv_type *a, const struct spirv_type *b, const struct spirv_type *c)
{
   const bool halves = is_number(a, SPIRV_TYPE_FLOAT, 16) && is_number(b, SPIRV_TYPE_FLOAT, 16);
   const bool bytes = is_number(a, SPIRV_TYPE_INT, 8) && is_number(b, SPIRV_TYPE_INT, 8);
   if (halves && is_number(c, SPIRV_TYPE_FLOAT, 32))
      return NIR_MATRIX_F32_F16;
   if (halves && is_number(c, SPIRV_TYPE_FLOAT, 16))
      return NIR_MATRIX_F16_F16;
   spirv_require(e->m, bytes && is_number(c, SPIRV_TYPE_INT, 32), "no product has matrices of these components");
   return NIR_MATRIX_I32_I8;
}

/* As matrix_multiply_add takes them; each element in so many bits. */
static struct nir_def *
registers_of(struct spirv_emit *e, const struct spirv_ssa *matrix, bool is_factor)
{
   struct nir_builder *b = &e->b;
   struct nir_def *dwords[NIR_MATRIX_SIDE], *pairs[NIR_MATRIX_SIDE / 2];
   const unsigned per_dword = is_factor ? 32u / matrix->type->bit_size : 1, count = matrix->type->length / per_dword;
   for (unsigned i = 0; i < count; i++) {
      struct nir_def *parts[4];
      for (unsigned n = 0; n < per_dword; n++)
         parts[n] = spirv_ssa_part(matrix, i * per_dword + n)->def;
      dwords[i] = is_factor ? dword_of_parts(b, parts) : nir_u2uN(b, parts[0], 32);
   }
   for (unsigned i = 0; i < count / 2; i++)
      pairs[i] = nir_pack_64_2x32(b, nir_vec(b, dwords + 2 * i, 2));
   return nir_vec(b, pairs, count / 2);
}

static struct spirv_ssa *
matrix_of_registers(struct spirv_emit *e, const struct spirv_type *type, struct nir_def *registers)
{
   struct nir_builder *b = &e->b;
   struct spirv_ssa *result = spirv_ssa_new(e, type);
   for (unsigned i = 0; i < type->length; i++) {
      struct nir_def *dword = nir_channel(b, nir_unpack_64_2x32(b, nir_channel(b, registers, i / 2)), i % 2);
      struct nir_def *element = type->bit_size == 16 ? part_of_dword(b, dword, 0, 16) : dword;
      spirv_ssa_put(e, result, i, spirv_ssa_of_def(e, type->element, element));
   }
   return result;
}

static void
multiply_add(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   const struct spirv_ssa *a = matrix_of_use(e, w[3], NIR_MATRIX_A), *b = matrix_of_use(e, w[4], NIR_MATRIX_B),
                          *c = matrix_of_use(e, w[5], NIR_MATRIX_C);
   const uint32_t operands = spirv_length(w) > 6 ? w[6] : 0;
   spirv_require(e->m,
                 type->kind == SPIRV_TYPE_COOPERATIVE && type->use == NIR_MATRIX_C &&
                    is_number(type, c->type->element->kind, c->type->bit_size),
                 "the result is no matrix like the sum's");
   const enum nir_matrix_op op = product_of(e, a->type, b->type, c->type);
   const uint32_t signs = operands & (SpvCooperativeMatrixOperandsMatrixASignedComponentsKHRMask |
                                      SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask);
   const bool integers = op == NIR_MATRIX_I32_I8;
   const bool saturates = operands & SpvCooperativeMatrixOperandsSaturatingAccumulationKHRMask;
   spirv_require(e->m, !saturates || operands & SpvCooperativeMatrixOperandsMatrixResultSignedComponentsKHRMask,
                 "a sum without signs that saturates");
   struct nir_def *result = nir_matrix_multiply_add(
      &e->b, registers_of(e, a, true), registers_of(e, b, true), registers_of(e, c, false), .matrix_op = op,
      .matrix_signs = integers ? signs : 0, .saturate = integers && saturates);
   spirv_set_ssa(e, w, matrix_of_registers(e, type, result));
}

static void
length(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m, type->kind == SPIRV_TYPE_INT && type->bit_size == 32, "the length is a number of 32 bits");
   spirv_set_def(e, w, spirv_int_constant(e, spirv_cooperative_length(e->m, w[3])));
}

bool
spirv_emit_cooperative(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_opcode(w)) {
   case SpvOpCooperativeMatrixLoadKHR:
      load(e, w);
      return true;
   case SpvOpCooperativeMatrixStoreKHR:
      store(e, w);
      return true;
   case SpvOpCooperativeMatrixMulAddKHR:
      multiply_add(e, w);
      return true;
   case SpvOpCooperativeMatrixLengthKHR:
      length(e, w);
      return true;
   default: /* others: not of matrices as a whole */
      return spirv_emit_by_element(e, w);
   }
}
