#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pops_program.h"
#include "text_program.h"

void
pops_write_program(uint8_t *at, enum amd_gen gen, bool wave64, const char *text)
{
   write_text_program(at, gen, wave64, text);
}
