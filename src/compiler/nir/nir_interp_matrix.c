/* Products of matrices in the reference interpreter: of the elements by row and column, wherever they are. A float is
 * summed up in double precision and rounded once, so only sums without rounding are those of hardware. */
#include "compiler/nir/nir_interp_internal.h"
#include "compiler/nir/nir_matrix.h"
#include "util/half.h"
#include "util/macros.h"

struct matrices {
   double a[NIR_MATRIX_SIDE][NIR_MATRIX_SIDE], b[NIR_MATRIX_SIDE][NIR_MATRIX_SIDE],
      c[NIR_MATRIX_SIDE][NIR_MATRIX_SIDE];
};

struct view {
   struct nir_machine *interp;
   const struct nir_intrinsic_instr *instr;
   uint32_t first, size; /* lanes of the subgroup */
};

/* Number `element` of those that a lane has of source `src`, each in so many bits. */
static uint32_t
bits_of(const struct view *v, unsigned src, unsigned lane, unsigned element, unsigned bits)
{
   const union nir_const_value *value = nir_interp_value(v->interp, v->instr->src[src].def, v->first + lane);
   return (uint32_t)(value[element * bits / 64].u64 >> element * bits % 64 & bit_mask(bits));
}

static double
half_value(uint32_t bits)
{
   return (double)half_to_float((uint16_t)bits);
}

static double
factor(const struct view *v, unsigned src, unsigned lane, unsigned element)
{
   const unsigned bits = nir_matrix_factor_bits(nir_intrinsic_matrix_op(v->instr));
   const uint32_t value = bits_of(v, src, lane, element, bits);
   if (bits == 16)
      return half_value(value);
   return nir_intrinsic_matrix_signs(v->instr) >> src & 1 ? (double)sign_extend(value, bits) : (double)value;
}

static double
summand(const struct view *v, unsigned lane, unsigned element)
{
   const uint32_t bits = bits_of(v, 2, lane, element, 32);
   const union nir_const_value value = {.u64 = bits};
   switch (nir_intrinsic_matrix_op(v->instr)) {
   case NIR_MATRIX_F32_F16:
      return (double)value.f32;
   case NIR_MATRIX_F16_F16:
      return half_value(bits);
   case NIR_MATRIX_I32_I8:
      break;
   }
   return (double)value.i32;
}

static uint32_t
result_bits(const struct view *v, double sum)
{
   switch (nir_intrinsic_matrix_op(v->instr)) {
   case NIR_MATRIX_F32_F16:
      return (union nir_const_value){.f32 = (float)sum}.u32;
   case NIR_MATRIX_F16_F16:
      return half_from_float((float)sum);
   case NIR_MATRIX_I32_I8:
      break;
   }
   if (nir_intrinsic_saturate(v->instr))
      sum = sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
   return (uint32_t)(int64_t)sum;
}

static void
gather(const struct view *v, struct matrices *m)
{
   for (unsigned use = 0; use < NIR_MATRIX_USES; use++) {
      const struct nir_matrix_place place = nir_matrix_place((enum nir_matrix_use)use, v->size);
      for (unsigned lane = 0; lane < v->size; lane++) {
         for (unsigned i = 0; i < nir_matrix_length((enum nir_matrix_use)use, v->size); i++) {
            const unsigned row = nir_matrix_at(&place.row, lane, i), column = nir_matrix_at(&place.column, lane, i);
            double(*to)[NIR_MATRIX_SIDE] = use == NIR_MATRIX_A ? m->a : use == NIR_MATRIX_B ? m->b : m->c;
            to[row][column] = use == NIR_MATRIX_C ? summand(v, lane, i) : factor(v, use, lane, i);
         }
      }
   }
}

static void
scatter(const struct view *v, const struct matrices *m, unsigned lane)
{
   const struct nir_matrix_place place = nir_matrix_place(NIR_MATRIX_C, v->size);
   union nir_const_value *to = nir_interp_value(v->interp, &v->instr->def, v->first + lane);
   for (unsigned i = 0; i < nir_matrix_length(NIR_MATRIX_C, v->size); i++) {
      const unsigned row = nir_matrix_at(&place.row, lane, i), column = nir_matrix_at(&place.column, lane, i);
      double sum = m->c[row][column];
      for (unsigned n = 0; n < NIR_MATRIX_SIDE; n++)
         sum += m->a[row][n] * m->b[n][column];
      const uint64_t bits = result_bits(v, sum);
      to[i / 2].u64 = i % 2 ? to[i / 2].u64 | bits << 32 : bits;
   }
}

bool
nir_interp_matrix(struct nir_machine *interp, const struct nir_intrinsic_instr *instr)
{
   const uint32_t size = interp->params->subgroup_size;
   if (instr->op != NIR_INTRINSIC_matrix_multiply_add)
      return false;
   if (nir_matrix_length(NIR_MATRIX_C, size) != instr->num_components * 2u || interp->num_lanes % size)
      return false;
   for (uint32_t first = 0; first < interp->num_lanes; first += size) {
      const struct view v = {interp, instr, first, size};
      struct matrices m;
      if (!nir_lane_active(interp, first))
         continue;
      gather(&v, &m);
      for (uint32_t lane = 0; lane < size; lane++)
         scatter(&v, &m, lane);
   }
   return true;
}
