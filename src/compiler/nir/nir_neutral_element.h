/* What subgroups may reduce by: operations that some operand changes nothing of. */
#ifndef INDIUM_NIR_NEUTRAL_ELEMENT_H
#define INDIUM_NIR_NEUTRAL_ELEMENT_H

#include "compiler/nir/nir.h"

/* bits: of the operands. False: the operation has none. */
bool nir_neutral_element(enum nir_op op, unsigned bits, union nir_const_value *value);

#endif
