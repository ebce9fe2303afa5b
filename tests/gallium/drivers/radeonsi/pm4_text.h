/* Command streams as text, by the register and packet tables. */
#ifndef INDIUM_TEST_PM4_TEXT_H
#define INDIUM_TEST_PM4_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* One line a packet, one line a register with its fields that are not zero. */
void pm4_text(FILE *out, const uint32_t *ib, uint32_t size_dw);

#endif
