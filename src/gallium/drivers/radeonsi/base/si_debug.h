/* Choices of the driver that the environment variable RADEONSI_DEBUG makes, separated by commas. */
#ifndef INDIUM_SI_DEBUG_H
#define INDIUM_SI_DEBUG_H

#include <stdbool.h>

enum si_debug {
   SI_DEBUG_LAYERS,      /* "layers": overlapping invocations share waves where that is legal */
   SI_DEBUG_WHOLEPIXELS, /* "wholepixels": sample interlock orders whole pixels */
   SI_DEBUG_DRAIN,       /* "drain": ordered sections drain on overlap where no erratum demands it (si_pops.c) */
   SI_DEBUG_WAVE32,      /* "wave32", "wave64": size of waves where nothing prescribes another (si_wave_size.h) */
   SI_DEBUG_WAVE64,
   SI_DEBUG_NOHTILE, /* "nohtile": depth is not compressed (si_htile.h) */
   SI_DEBUG_NONGG,   /* "nongg": vertices in the legacy pipeline, where there is one (si_ngg.c) */
   SI_DEBUG_DCC,     /* "dcc", "nodcc": colour of any size is, or none (si_dcc.h) */
   SI_DEBUG_NODCC,
   SI_DEBUG_NOOUTOFORDER, /* these three: si_options.h */
   SI_DEBUG_ASSUME_NO_Z_FIGHTS,
   SI_DEBUG_COMMUTATIVE_BLEND_ADD,
   SI_DEBUG_COUNT,
};

bool si_debug(enum si_debug choice);

#endif
