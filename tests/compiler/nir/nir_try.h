/* What must hold for any text given to the parser. */
#ifndef INDIUM_TESTS_NIR_TRY_H
#define INDIUM_TESTS_NIR_TRY_H

#include <stdbool.h>

/* The text gives an error, or a shader (true) that is valid, prints to a fixpoint and, if told, stays valid when it
 * is optimised. */
bool nir_try_text(const char *text, bool optimize);

#endif
