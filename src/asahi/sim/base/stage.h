/* What a program is run for. */
#ifndef INDIUM_ASAHI_SIM_STAGE_H
#define INDIUM_ASAHI_SIM_STAGE_H

enum agx_stage {
   AGX_STAGE_COMPUTE,
   AGX_STAGE_VERTEX,
   AGX_STAGE_FRAGMENT,
   AGX_STAGE_BACKGROUND,  /* a pixel's tile data at the tile's begin */
   AGX_STAGE_END_OF_TILE, /* a tile's data to memory */
   AGX_STAGE_PREAMBLE,    /* once ahead of a program's work: writes uniforms */
   AGX_STAGE_HELPER,      /* gives simd-groups private memory */
   AGX_STAGES,
};

/* In reports: "CS", "VS", "FS", ... */
extern const char *const agx_stage_names[AGX_STAGES];

#endif
