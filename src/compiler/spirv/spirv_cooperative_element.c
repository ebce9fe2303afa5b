/* What is done to each element of cooperative matrices: the instruction again, with the element's number of each
 * operand in place of the matrix. */
#include <string.h>

#include "compiler/nir/nir_matrix.h"
#include "compiler/spirv/spirv_emit.h"

/* Operands of the instruction from w[3] on; 0: it does not go by elements. */
static unsigned
operands_of(uint32_t opcode)
{
   switch (opcode) {
   case SpvOpSNegate:
   case SpvOpFNegate:
   case SpvOpBitcast:
   case SpvOpConvertFToU:
   case SpvOpConvertFToS:
   case SpvOpConvertSToF:
   case SpvOpConvertUToF:
   case SpvOpUConvert:
   case SpvOpSConvert:
   case SpvOpFConvert:
      return 1;
   case SpvOpIAdd:
   case SpvOpFAdd:
   case SpvOpISub:
   case SpvOpFSub:
   case SpvOpIMul:
   case SpvOpFMul:
   case SpvOpUDiv:
   case SpvOpSDiv:
   case SpvOpFDiv:
   case SpvOpMatrixTimesScalar:
      return 2;
   default: /* others: have no matrices */
      return 0;
   }
}

struct operand {
   uint32_t id;
   struct spirv_id entry; /* as it is outside of this */
   const struct spirv_ssa *matrix;
};

static void
find_operands(struct spirv_emit *e, const uint32_t *w, const struct spirv_type *type, struct operand operands[2],
              unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      operands[i] = (struct operand){.id = w[3 + i], .entry = e->m->ids[w[3 + i]]};
      const struct spirv_ssa *ssa = spirv_ssa(e, w[3 + i]);
      if (ssa->type->kind == SPIRV_TYPE_COOPERATIVE)
         operands[i].matrix = ssa;
      spirv_require(e->m,
                    operands[i].matrix ? ssa->type->use == type->use
                                       : i && spirv_opcode(w) == SpvOpMatrixTimesScalar && ssa->type == type->element,
                    "operand %%%u is no matrix like the result", w[3 + i]);
   }
}

static void
put_elements(struct spirv_emit *e, const struct operand *operands, unsigned count, unsigned element)
{
   for (unsigned i = 0; i < count; i++) {
      struct spirv_id *id = &e->m->ids[operands[i].id];
      if (!operands[i].matrix)
         continue;
      id->kind = SPIRV_ID_SSA;
      id->ssa = spirv_ssa_part(operands[i].matrix, element);
      id->type_id = operands[i].matrix->type->element->id;
   }
}

static uint32_t
opcode_of_element(uint32_t opcode, const struct spirv_type *type)
{
   if (opcode != SpvOpMatrixTimesScalar)
      return opcode;
   return type->element->kind == SPIRV_TYPE_FLOAT ? SpvOpFMul : SpvOpIMul;
}

bool
spirv_emit_by_element(struct spirv_emit *e, const uint32_t *w)
{
   const unsigned count = operands_of(spirv_opcode(w));
   const struct spirv_type *type = count ? spirv_result_type(e, w) : NULL;
   struct operand operands[2];
   uint32_t words[5];
   if (!count || type->kind != SPIRV_TYPE_COOPERATIVE)
      return false;
   find_operands(e, w, type, operands, count);
   memcpy(words, w, (3 + count) * sizeof(*words));
   words[0] = (w[0] & ~0xffffu) | opcode_of_element(spirv_opcode(w), type);
   words[1] = type->element->id;
   struct spirv_ssa *result = spirv_ssa_new(e, type);
   for (unsigned i = 0; i < type->length; i++) {
      put_elements(e, operands, count, i);
      bool known = spirv_emit_arithmetic(e, words) || spirv_emit_conversion(e, words);
      spirv_require(e->m, known, "the instruction is not supported");
      spirv_ssa_put(e, result, i, e->m->ids[w[2]].ssa);
   }
   for (unsigned i = 0; i < count; i++)
      e->m->ids[operands[i].id] = operands[i].entry;
   spirv_set_ssa(e, w, result);
   return true;
}
