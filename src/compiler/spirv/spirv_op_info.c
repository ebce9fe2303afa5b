#include <stddef.h>

#include "compiler/spirv/spirv_table.h"

const struct spirv_op_info *
spirv_op_info(uint32_t opcode)
{
   uint32_t low = 0, high = spirv_op_count;
   if (opcode < SPIRV_LOW_OPCODES)
      return spirv_low_rows[opcode] ? &spirv_op_infos[spirv_low_rows[opcode] - 1] : NULL;
   while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (spirv_op_infos[middle].opcode < opcode)
         low = middle + 1;
      else
         high = middle;
   }
   return low < spirv_op_count && spirv_op_infos[low].opcode == opcode ? &spirv_op_infos[low] : NULL;
}

const struct spirv_enumerant_info *
spirv_enumerant_info(enum spirv_operand_kind kind, uint32_t value)
{
   uint32_t low = spirv_kind_infos[kind].first, end = low + spirv_kind_infos[kind].count, high = end;
   while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (spirv_enumerant_infos[middle].value < value)
         low = middle + 1;
      else
         high = middle;
   }
   return low < end && spirv_enumerant_infos[low].value == value ? &spirv_enumerant_infos[low] : NULL;
}
