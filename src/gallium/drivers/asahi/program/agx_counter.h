/* Fragments that count themselves, for queries of pipeline statistics. */
#ifndef INDIUM_AGX_COUNTER_H
#define INDIUM_AGX_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct agx_screen;

/* The instructions that count fragments: they continue with the program at the offset, both from the USC base on. The
 * uniforms from AGX_COUNTER_UNIFORM on have the address of the word. */
#define AGX_COUNTER_UNIFORM 508
#define AGX_COUNTER_REGISTERS_H 16 /* registers that they need */
#define AGX_COUNTER_B 64
struct agx_counter {
   uint8_t code[AGX_COUNTER_B];
   unsigned jump_B; /* where it continues */
};

void agx_counters_init(struct agx_screen *screen);
void agx_counter_code(const struct agx_screen *screen, uint32_t at_B, uint32_t program_B, bool per_sample,
                      uint8_t code[AGX_COUNTER_B]);

#endif
