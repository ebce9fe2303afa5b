#include "compiler/spirv/spirv_alu.h"
#include "util/macros.h"

#define INT SPIRV_ALU_INT
#define UINT (SPIRV_ALU_INT | SPIRV_ALU_UNSIGNED)
#define FLOAT SPIRV_ALU_FLOAT
#define FLOAT32 (SPIRV_ALU_FLOAT | SPIRV_ALU_32)
#define BOOL SPIRV_ALU_BOOL
#define COMPARE SPIRV_ALU_COMPARE
#define SWAP SPIRV_ALU_SWAP
#define NOT SPIRV_ALU_NOT
#define SHIFT (SPIRV_ALU_INT | SPIRV_ALU_SHIFT)

/* Ascending opcodes. "Unordered" comparisons are the inverse of the opposite ordered ones. */
static const struct spirv_alu_row rows[] = {
   {SpvOpSNegate, NIR_OP_ineg, INT},
   {SpvOpFNegate, NIR_OP_fneg, FLOAT},
   {SpvOpIAdd, NIR_OP_iadd, INT},
   {SpvOpFAdd, NIR_OP_fadd, FLOAT},
   {SpvOpISub, NIR_OP_isub, INT},
   {SpvOpFSub, NIR_OP_fsub, FLOAT},
   {SpvOpIMul, NIR_OP_imul, INT},
   {SpvOpFMul, NIR_OP_fmul, FLOAT},
   {SpvOpUDiv, NIR_OP_udiv, UINT},
   {SpvOpSDiv, NIR_OP_idiv, INT},
   {SpvOpFDiv, NIR_OP_fdiv, FLOAT},
   {SpvOpUMod, NIR_OP_umod, UINT},
   {SpvOpSRem, NIR_OP_irem, INT},
   {SpvOpSMod, NIR_OP_imod, INT},
   {SpvOpIsNan, NIR_OP_fisnan, FLOAT | COMPARE},
   {SpvOpIsInf, NIR_OP_fisinf, FLOAT | COMPARE},
   {SpvOpOrdered, NIR_OP_ford, FLOAT | COMPARE},
   {SpvOpUnordered, NIR_OP_funord, FLOAT | COMPARE},
   {SpvOpLogicalEqual, NIR_OP_ieq, BOOL | COMPARE},
   {SpvOpLogicalNotEqual, NIR_OP_ine, BOOL | COMPARE},
   {SpvOpLogicalOr, NIR_OP_ior, BOOL | COMPARE},
   {SpvOpLogicalAnd, NIR_OP_iand, BOOL | COMPARE},
   {SpvOpLogicalNot, NIR_OP_inot, BOOL | COMPARE},
   {SpvOpIEqual, NIR_OP_ieq, INT | COMPARE},
   {SpvOpINotEqual, NIR_OP_ine, INT | COMPARE},
   {SpvOpUGreaterThan, NIR_OP_ult, INT | COMPARE | SWAP},
   {SpvOpSGreaterThan, NIR_OP_ilt, INT | COMPARE | SWAP},
   {SpvOpUGreaterThanEqual, NIR_OP_uge, INT | COMPARE},
   {SpvOpSGreaterThanEqual, NIR_OP_ige, INT | COMPARE},
   {SpvOpULessThan, NIR_OP_ult, INT | COMPARE},
   {SpvOpSLessThan, NIR_OP_ilt, INT | COMPARE},
   {SpvOpULessThanEqual, NIR_OP_uge, INT | COMPARE | SWAP},
   {SpvOpSLessThanEqual, NIR_OP_ige, INT | COMPARE | SWAP},
   {SpvOpFOrdEqual, NIR_OP_feq, FLOAT | COMPARE},
   {SpvOpFUnordNotEqual, NIR_OP_fneu, FLOAT | COMPARE},
   {SpvOpFOrdLessThan, NIR_OP_flt, FLOAT | COMPARE},
   {SpvOpFUnordLessThan, NIR_OP_fge, FLOAT | COMPARE | NOT},
   {SpvOpFOrdGreaterThan, NIR_OP_flt, FLOAT | COMPARE | SWAP},
   {SpvOpFUnordGreaterThan, NIR_OP_fge, FLOAT | COMPARE | SWAP | NOT},
   {SpvOpFOrdLessThanEqual, NIR_OP_fge, FLOAT | COMPARE | SWAP},
   {SpvOpFUnordLessThanEqual, NIR_OP_flt, FLOAT | COMPARE | SWAP | NOT},
   {SpvOpFOrdGreaterThanEqual, NIR_OP_fge, FLOAT | COMPARE},
   {SpvOpFUnordGreaterThanEqual, NIR_OP_flt, FLOAT | COMPARE | NOT},
   {SpvOpShiftRightLogical, NIR_OP_ushr, SHIFT},
   {SpvOpShiftRightArithmetic, NIR_OP_ishr, SHIFT},
   {SpvOpShiftLeftLogical, NIR_OP_ishl, SHIFT},
   {SpvOpBitwiseOr, NIR_OP_ior, INT},
   {SpvOpBitwiseXor, NIR_OP_ixor, INT},
   {SpvOpBitwiseAnd, NIR_OP_iand, INT},
   {SpvOpNot, NIR_OP_inot, INT},
   {SpvOpDPdx, NIR_OP_fddx, FLOAT32},
   {SpvOpDPdy, NIR_OP_fddy, FLOAT32},
   {SpvOpDPdxFine, NIR_OP_fddx_fine, FLOAT32},
   {SpvOpDPdyFine, NIR_OP_fddy_fine, FLOAT32},
   {SpvOpDPdxCoarse, NIR_OP_fddx_coarse, FLOAT32},
   {SpvOpDPdyCoarse, NIR_OP_fddy_coarse, FLOAT32},
};

const struct spirv_alu_row *
spirv_alu_row(uint32_t opcode)
{
   uint32_t low = 0, high = ARRAY_SIZE(rows);
   while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (rows[middle].opcode < opcode)
         low = middle + 1;
      else
         high = middle;
   }
   return low < ARRAY_SIZE(rows) && rows[low].opcode == opcode ? &rows[low] : NULL;
}
