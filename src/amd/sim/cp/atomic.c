#include "amd/sim/cp/atomic.h"

/* TC_OP_ATOMIC_*_RTN_32. Source: AMD's PAL, gfx9_plus_merged_enum.h. */
enum {
   OP_SWAP = 7,
   OP_CMPSWAP = 8,
   OP_ADD = 15,
   OP_SUB,
   OP_SMIN,
   OP_UMIN,
   OP_SMAX,
   OP_UMAX,
   OP_AND,
   OP_OR,
   OP_XOR,
   OP_INC,
   OP_DEC,
   OP_64 = 1 << 5,
   OP_NO_RETURN = 1 << 6, /* nothing that a packet sees */
   OP_KIND = OP_64 - 1,
};

unsigned
amd_atomic_size_B(uint32_t op)
{
   uint32_t kind = op & OP_KIND;
   bool known = kind == OP_SWAP || kind == OP_CMPSWAP || (kind >= OP_ADD && kind <= OP_DEC);
   return !known || op >= 2 * OP_NO_RETURN ? 0 : op & OP_64 ? 8 : 4;
}

uint64_t
amd_atomic_result(uint32_t op, uint64_t old, uint64_t operand, uint64_t compare)
{
   unsigned shift = op & OP_64 ? 0 : 32;
   uint64_t mask = UINT64_MAX >> shift;
   old &= mask;
   operand &= mask;
   int64_t a = (int64_t)(old << shift), b = (int64_t)(operand << shift); /* signs of 32 bits in place */
   switch (op & OP_KIND) {
   case OP_SWAP:
      return operand;
   case OP_CMPSWAP:
      return old == (compare & mask) ? operand : old;
   case OP_ADD:
      return (old + operand) & mask;
   case OP_SUB:
      return (old - operand) & mask;
   case OP_SMIN:
      return a < b ? old : operand;
   case OP_UMIN:
      return old < operand ? old : operand;
   case OP_SMAX:
      return a > b ? old : operand;
   case OP_UMAX:
      return old > operand ? old : operand;
   case OP_AND:
      return old & operand;
   case OP_OR:
      return old | operand;
   case OP_XOR:
      return old ^ operand;
   case OP_INC:
      return old >= operand ? 0 : old + 1;
   default: /* others: DEC; more were refused */
      return !old || old > operand ? operand : old - 1;
   }
}
