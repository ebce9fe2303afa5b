/* Formats of descriptors on GFX11: other numbers than GFX10's, which the driver counts in. */
#ifndef INDIUM_AC_FORMAT_RENUMBERED_H
#define INDIUM_AC_FORMAT_RENUMBERED_H

#include <stdint.h>

/* 0: the generation has no such format. */
uint32_t ac_format_renumbered(uint32_t unified);

#endif
