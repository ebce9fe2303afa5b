/* Where nir_opt_cse() looks for an instruction of the same value. */
#ifndef INDIUM_NIR_INSTR_HASH_H
#define INDIUM_NIR_INSTR_HASH_H

#include <stdint.h>

struct nir_instr;

/* Of an instruction that has a value: all that two of the same value have in common, but for types and modes of
 * derefs. The order of the first two operands of a commutative operation does not matter. */
uint32_t nir_instr_hash(struct nir_instr *instr);

#endif
