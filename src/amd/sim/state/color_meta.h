/* Compression of colour targets: DCC, CMASK and FMASK as CB keeps them.
 *
 * The model writes plain data only: before a pixel is read or written, what its metadata stands for (a clear colour,
 * samples that share a fragment) is spelled out in memory, and the metadata then says "not compressed". */
#ifndef INDIUM_AMD_SIM_COLOR_META_H
#define INDIUM_AMD_SIM_COLOR_META_H

#include "amd/sim/state/notes.h"
#include "amd/sim/surface/meta.h"
#include "sim/texel/texel.h"

/* A surface of metadata in the host's memory. */
struct amd_meta_memory {
   uint8_t *host;
   uint64_t run_B;
   struct amd_note_page *written, *looked; /* NULL: nobody asks */
   uint8_t *outside;                       /* see amd_note_outside() */
};

struct amd_color_meta {
   bool dcc, cmask, fmask;
   bool tile_at_once; /* amd_color_meta_is_of_tiles() */
   bool alpha_on_msb;
   uint8_t clear[16]; /* CB_COLORn_CLEAR_WORD */
   struct amd_meta dcc_layout, cmask_layout;
   struct amd_surface fmask_layout;
   struct amd_meta_memory dcc_memory, cmask_memory, fmask_memory;
};

#endif
