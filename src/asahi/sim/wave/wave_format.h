/* Formats of memory: how an element becomes a register and back. */
#ifndef INDIUM_ASAHI_SIM_WAVE_FORMAT_H
#define INDIUM_ASAHI_SIM_WAVE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/isa.h"

/* Elements are of size_B bytes; packed ones hold all components, 3 or 4 registers, and ask for no mask. */
struct wave_format {
   uint8_t size_B, packed;
   bool is_float; /* registers hold floats of their size */
};
struct wave_format wave_format(enum agx_format format);

/* To registers of 16 or 32 bits, packed: all of them; component: of a format that is not, which one (sRGB). */
void wave_format_load(enum agx_format format, unsigned bits, uint32_t element, unsigned component, uint32_t *value);
uint32_t wave_format_store(enum agx_format format, unsigned bits, const uint32_t *value, unsigned component);

#endif
