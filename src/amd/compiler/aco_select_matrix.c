/* Selection of products of matrices (WMMA). The sum replaces C in its registers, so it does not lie over A or B while
 * these are read. */
#include "amd/compiler/aco_select.h"

enum { MAX_DWORDS = 2 * NIR_MAX_COMPONENTS };

/* The dwords of a source as one vector of its own. */
static struct aco_operand
registers_of(struct isel *c, const struct nir_src *src)
{
   struct aco_operand dwords[MAX_DWORDS];
   const unsigned count = src->def->num_components;
   for (unsigned i = 0; i < count; i++)
      isel_split64(c, isel_src(c, src, i), &dwords[2 * i], &dwords[2 * i + 1]);
   return isel_vector(c, aco_rc_v(2 * count), 2 * count, dwords);
}

static void
set_registers(struct isel *c, const struct nir_def *def, struct aco_operand registers)
{
   struct aco_operand pairs[NIR_MAX_COMPONENTS];
   isel_split(c, registers, def->num_components, pairs);
   for (unsigned i = 0; i < def->num_components; i++)
      isel_set(c, def, i, pairs[i]);
}

static unsigned
opcode_of(enum nir_matrix_op op)
{
   switch (op) {
   case NIR_MATRIX_F32_F16:
      return AMD_OP_v_wmma_f32_16x16x16_f16;
   case NIR_MATRIX_F16_F16:
      return AMD_OP_v_wmma_f16_16x16x16_f16;
   case NIR_MATRIX_I32_I8:
      break;
   }
   return AMD_OP_v_wmma_i32_16x16x16_iu8;
}

bool
isel_matrix(struct isel *c, struct nir_intrinsic_instr *intr)
{
   if (intr->op != NIR_INTRINSIC_matrix_multiply_add)
      return false;
   const unsigned op = opcode_of(nir_intrinsic_matrix_op(intr));
   if (!aco_info(c->program, op)->encs || intr->num_components != 128 / c->program->wave_size) {
      aco_fail(c->program, "products of matrices are not in this generation, or of waves of another size");
      return true;
   }
   struct aco_operand ops[4];
   for (unsigned i = 0; i < 3; i++)
      ops[i] = registers_of(c, &intr->src[i]);
   ops[3] = ops[2];
   struct aco_instr *instr = isel_emit(c, op, 1, 4);
   memcpy(instr->ops, ops, sizeof(ops));
   instr->tied = instr->vop3p = true;
   instr->opsel_hi = 7;
   instr->neg = (uint8_t)nir_intrinsic_matrix_signs(intr);
   instr->clamp = nir_intrinsic_saturate(intr);
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ops[2].rc), .rc = ops[2].rc};
   set_registers(c, &intr->def, isel_result(c, instr, 0));
   return true;
}
