/* Programs as text, for those that assemble others field by field. */
#ifndef INDIUM_TESTS_POPS_PROGRAM_H
#define INDIUM_TESTS_POPS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/hw/gen.h"

void pops_write_program(uint8_t *at, enum amd_gen gen, bool wave64, const char *text);

#endif
