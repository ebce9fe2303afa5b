/* Linear algebra. A matrix is an array of its columns. */
#include "compiler/spirv/spirv_emit.h"

static struct spirv_ssa *
matrix(struct spirv_emit *e, uint32_t id)
{
   struct spirv_ssa *ssa = spirv_ssa(e, id);
   spirv_require(e->m, ssa->type->kind == SPIRV_TYPE_MATRIX, "%%%u is no matrix", id);
   return ssa;
}

static struct nir_def *
column(const struct spirv_ssa *ssa, unsigned index)
{
   return spirv_ssa_part(ssa, index)->def;
}

/* m * v: the columns weighted with the components of v. */
static struct nir_def *
times_vector(struct nir_builder *b, const struct spirv_ssa *m, struct nir_def *v)
{
   struct nir_def *sum = nir_fmul(b, column(m, 0), nir_channel(b, v, 0));
   for (unsigned i = 1; i < m->type->columns; i++)
      sum = nir_fadd(b, sum, nir_fmul(b, column(m, i), nir_channel(b, v, i)));
   return sum;
}

static void
set_columns(struct spirv_emit *e, const uint32_t *w, struct nir_def *const *columns)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   struct spirv_ssa *result = spirv_ssa_new(e, type);
   for (unsigned i = 0; i < type->columns; i++)
      spirv_ssa_put(e, result, i, spirv_ssa_of_def(e, type->element, columns[i]));
   spirv_set_ssa(e, w, result);
}

static const struct spirv_type *
matrix_result(struct spirv_emit *e, const uint32_t *w, unsigned rows, unsigned columns, unsigned bits)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m,
                 type->kind == SPIRV_TYPE_MATRIX && type->components == rows && type->columns == columns &&
                    type->bit_size == bits,
                 "the result type does not fit the operands");
   return type;
}

static void
transpose(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *m = matrix(e, w[3]);
   struct nir_def *columns[4], *row[4];
   matrix_result(e, w, m->type->columns, m->type->components, m->type->bit_size);
   for (unsigned r = 0; r < m->type->components; r++) {
      for (unsigned c = 0; c < m->type->columns; c++)
         row[c] = nir_channel(&e->b, column(m, c), r);
      columns[r] = nir_vec(&e->b, row, m->type->columns);
   }
   set_columns(e, w, columns);
}

static void
matrix_times_scalar(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *m = matrix(e, w[3]);
   struct nir_def *scalar = spirv_def_of(e, w[4], m->type->element->element), *columns[4];
   matrix_result(e, w, m->type->components, m->type->columns, m->type->bit_size);
   for (unsigned i = 0; i < m->type->columns; i++)
      columns[i] = nir_fmul(&e->b, column(m, i), scalar);
   set_columns(e, w, columns);
}

static void
vector_times_scalar(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m, type->kind == SPIRV_TYPE_VECTOR && spirv_is_float(type), "the result is no vector of floats");
   spirv_set_def(e, w, nir_fmul(&e->b, spirv_def_of(e, w[3], type), spirv_def_of(e, w[4], type->element)));
}

static void
matrix_times_vector(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *m = matrix(e, w[3]), *v = spirv_ssa(e, w[4]);
   spirv_require(e->m,
                 spirv_is_float(v->type) && v->type->components == m->type->columns &&
                    v->type->bit_size == m->type->bit_size && spirv_result_type(e, w) == m->type->element,
                 "the types do not fit");
   spirv_set_def(e, w, times_vector(&e->b, m, v->def));
}

static void
vector_times_matrix(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *m = matrix(e, w[4]);
   struct nir_def *v = spirv_def_of(e, w[3], m->type->element), *parts[4];
   for (unsigned i = 0; i < m->type->columns; i++)
      parts[i] = nir_fdot(&e->b, v, column(m, i));
   spirv_require(e->m, spirv_is_float(spirv_result_type(e, w)), "the result is no vector of floats");
   spirv_set_def(e, w, nir_vec(&e->b, parts, m->type->columns));
}

static void
matrix_times_matrix(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *a = matrix(e, w[3]), *b = matrix(e, w[4]);
   struct nir_def *columns[4];
   spirv_require(e->m, a->type->columns == b->type->components && a->type->bit_size == b->type->bit_size,
                 "the matrices do not fit");
   matrix_result(e, w, a->type->components, b->type->columns, a->type->bit_size);
   for (unsigned i = 0; i < b->type->columns; i++)
      columns[i] = times_vector(&e->b, a, column(b, i));
   set_columns(e, w, columns);
}

static void
outer_product(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_ssa *a = spirv_ssa(e, w[3]), *b = spirv_ssa(e, w[4]);
   struct nir_def *columns[4];
   spirv_require(e->m, spirv_is_float(a->type) && spirv_is_float(b->type) && a->type->bit_size == b->type->bit_size,
                 "the operands are no vectors of floats");
   matrix_result(e, w, a->type->components, b->type->components, a->type->bit_size);
   for (unsigned i = 0; i < b->type->components; i++)
      columns[i] = nir_fmul(&e->b, a->def, nir_channel(&e->b, b->def, i));
   set_columns(e, w, columns);
}

/* ---- determinant and inverse ---- */

static struct nir_def *
at(struct spirv_emit *e, const struct spirv_ssa *m, unsigned c, unsigned r)
{
   return nir_channel(&e->b, column(m, c), r);
}

/* Determinant of the rows and columns whose bits are set, expanded along the first column. */
static struct nir_def *
minor_of(struct spirv_emit *e, const struct spirv_ssa *m, unsigned columns, unsigned rows)
{
   struct nir_builder *b = &e->b;
   unsigned first = (unsigned)__builtin_ctz(columns), sign = 0;
   struct nir_def *sum = NULL;
   if (!(columns & (columns - 1)))
      return at(e, m, first, (unsigned)__builtin_ctz(rows));
   for (unsigned rest = rows; rest; rest &= rest - 1, sign ^= 1) {
      unsigned row = (unsigned)__builtin_ctz(rest);
      struct nir_def *part =
         nir_fmul(b, at(e, m, first, row), minor_of(e, m, columns & (columns - 1), rows & ~(1u << row)));
      sum = !sum ? part : sign ? nir_fsub(b, sum, part) : nir_fadd(b, sum, part);
   }
   return sum;
}

struct nir_def *
spirv_determinant(struct spirv_emit *e, const struct spirv_ssa *m)
{
   unsigned all = (1u << m->type->columns) - 1;
   return minor_of(e, m, all, all);
}

/* The transposed cofactors over the determinant. */
struct spirv_ssa *
spirv_inverse(struct spirv_emit *e, const struct spirv_ssa *m)
{
   struct nir_builder *b = &e->b;
   unsigned n = m->type->columns, all = (1u << n) - 1;
   struct nir_def *scale = nir_frcp(b, spirv_determinant(e, m)), *parts[4];
   struct spirv_ssa *result = spirv_ssa_new(e, m->type);
   for (unsigned c = 0; c < n; c++) {
      for (unsigned r = 0; r < n; r++) {
         struct nir_def *cofactor = minor_of(e, m, all & ~(1u << r), all & ~(1u << c));
         parts[r] = (r + c) & 1 ? nir_fneg(b, cofactor) : cofactor;
      }
      struct nir_def *scaled = nir_fmul(b, nir_vec(b, parts, n), scale);
      spirv_ssa_put(e, result, c, spirv_ssa_of_def(e, m->type->element, scaled));
   }
   return result;
}

/* FNegate, FAdd and the like of matrices do not exist in shaders; all that does is here. */
bool
spirv_emit_matrix(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_opcode(w)) {
   case SpvOpTranspose:
      transpose(e, w);
      return true;
   case SpvOpMatrixTimesScalar:
      matrix_times_scalar(e, w);
      return true;
   case SpvOpVectorTimesScalar:
      vector_times_scalar(e, w);
      return true;
   case SpvOpMatrixTimesVector:
      matrix_times_vector(e, w);
      return true;
   case SpvOpVectorTimesMatrix:
      vector_times_matrix(e, w);
      return true;
   case SpvOpMatrixTimesMatrix:
      matrix_times_matrix(e, w);
      return true;
   case SpvOpOuterProduct:
      outer_product(e, w);
      return true;
   default: /* others: not of this file */
      return false;
   }
}
