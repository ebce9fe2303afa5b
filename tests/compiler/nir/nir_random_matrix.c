/* Products of matrices, where all lanes are: floats are small integers, so no sum is rounded. */
#include "compiler/nir/nir_matrix.h"
#include "nir_random_internal.h"

/* The value of the lane with these bits of the number, so that each 16 lanes have the same. */
static struct nir_def *
spread(struct generator *g, struct nir_def *value, uint32_t mask)
{
   return nir_shuffle(&g->b, value, nir_iand_imm(&g->b, g->lane, mask));
}

static struct nir_def *
another(struct generator *g, struct nir_def *x)
{
   return nir_iadd(&g->b, nir_imul(&g->b, x, nir_imm_int(&g->b, (int32_t)nir_random_next(&g->state) | 1)),
                   nir_imm_int(&g->b, (int32_t)nir_random_next(&g->state)));
}

static struct nir_def *
small_half(struct generator *g, struct nir_def *x, unsigned shift)
{
   struct nir_builder *b = &g->b;
   return nir_i2fN(b, nir_isub(b, nir_iand_imm(b, nir_ushr_imm(b, x, shift), 7), nir_imm_int(b, 3)), 16);
}

static struct nir_def *
factor_dword(struct generator *g, enum nir_matrix_op op, struct nir_def *x)
{
   x = another(g, x);
   if (op == NIR_MATRIX_I32_I8)
      return x;
   struct nir_def *halves[2] = {small_half(g, x, 3), small_half(g, x, 21)};
   return nir_pack_32_2x16(&g->b, nir_vec(&g->b, halves, 2));
}

static struct nir_def *
sum_dword(struct generator *g, enum nir_matrix_op op, struct nir_def *x)
{
   x = another(g, x);
   if (op == NIR_MATRIX_I32_I8)
      return below(g, 2) ? x : nir_ior(&g->b, x, nir_imm_int(&g->b, 0x7fff0000));
   if (op == NIR_MATRIX_F32_F16)
      return nir_i2fN(&g->b, nir_iand_imm(&g->b, x, 255), 32);
   return nir_u2uN(&g->b, small_half(g, x, 9), 32);
}

static struct nir_def *
registers(struct generator *g, struct nir_def *const *dwords, unsigned count)
{
   struct nir_def *pairs[NIR_MATRIX_SIDE / 4];
   for (unsigned i = 0; i < count / 2; i++)
      pairs[i] = nir_pack_64_2x32(&g->b, nir_vec(&g->b, dwords + 2 * i, 2));
   return nir_vec(&g->b, pairs, count / 2);
}

static struct nir_def *
factor(struct generator *g, enum nir_matrix_op op, uint32_t mask)
{
   const unsigned count = NIR_MATRIX_SIDE * nir_matrix_factor_bits(op) / 32;
   struct nir_def *dwords[8], *x = spread(g, pick(g, 32, 1), mask);
   for (unsigned i = 0; i < count; i++)
      dwords[i] = factor_dword(g, op, x);
   return registers(g, dwords, count);
}

/* B and C of a product. */
struct operands {
   struct nir_def *b, *c;
};

static struct operands
gen_operands(struct generator *g, enum nir_matrix_op op, bool alike)
{
   struct nir_def *dwords[8], *x = pick(g, 32, 1);
   const uint32_t lanes = g->options->subgroup_size ? g->options->subgroup_size : 32;
   struct nir_def *b = factor(g, op, NIR_MATRIX_SIDE - 1);
   x = alike ? spread(g, x, NIR_MATRIX_SIDE - 1) : x;
   for (unsigned i = 0; i < 256 / lanes; i++)
      dwords[i] = sum_dword(g, op, x);
   return (struct operands){b, registers(g, dwords, 256 / lanes)};
}

static struct nir_def *
product(struct generator *g, enum nir_matrix_op op, struct nir_def *a, struct operands with)
{
   const bool integers = op == NIR_MATRIX_I32_I8;
   return nir_matrix_multiply_add(&g->b, a, with.b, with.c, .matrix_op = op,
                                  .matrix_signs = integers ? below(g, 4) : 0, .saturate = integers && below(g, 2));
}

/* Where A has the same in four rows that follow each other and C too, each 16 lanes have the same sum: it may be A of
 * the next product, right after it. */
void
gen_matrix(struct generator *g)
{
   struct nir_builder *b = &g->b;
   const enum nir_matrix_op op = (enum nir_matrix_op)below(g, NIR_MATRIX_I32_I8 + 1);
   const bool alike = op == NIR_MATRIX_I32_I8 && below(g, 2);
   struct nir_def *a = factor(g, op, alike ? NIR_MATRIX_SIDE - 4 : NIR_MATRIX_SIDE - 1);
   const struct operands first = gen_operands(g, op, alike),
                         second = below(g, 2) ? first : gen_operands(g, op, false);
   struct nir_def *sum = product(g, op, a, first);
   if (alike)
      sum = product(g, op, nir_channels(b, sum, 3), second);
   for (unsigned i = 0; i < sum->num_components; i++) {
      struct nir_def *both = nir_unpack_64_2x32(b, nir_channel(b, sum, i));
      for (unsigned n = 0; n < 2; n++) {
         struct nir_def *dword = nir_channel(b, both, n);
         add(g, op == NIR_MATRIX_F16_F16 ? nir_iand_imm(b, dword, 0xffff) : dword);
      }
   }
}
