/* The chips that mistakes are looked for on, and what of them a mistake or a check is about. */
#ifndef INDIUM_TOOLS_MUTANTS_CHIP_H
#define INDIUM_TOOLS_MUTANTS_CHIP_H

#include <stdbool.h>

/* Where a mistake can matter, and where a check says anything. */
enum mutants_where {
   MUTANTS_AGX,
   MUTANTS_HARD_FAULTS, /* AGX on a kernel without soft faults: such mistakes and checks go only together */
   MUTANTS_AMD,
   MUTANTS_WAVE_IDS,       /* waves poll for their turn: GFX9 to GFX10.3 */
   MUTANTS_PACKER_IN_MODE, /* ... packers in MODE, and exits wake nobody: GFX9 */
   MUTANTS_PACKER_ALONE,   /* ... in POPS_PACKER */
   MUTANTS_INTRAWAVE,      /* overlapping quads may share a wave */
   MUTANTS_EXPORT_READY,   /* waves wait for an event: from GFX11 on */
   MUTANTS_VSCNT,          /* stores have a counter of their own: from GFX10 on */
   MUTANTS_GL1, /* loads need a bit of their own to pass caches between compute units and L2, more than one */
   MUTANTS_MISSED_OVERLAP, /* erratum pops-missed-overlap */
   MUTANTS_STALLED,        /* erratum pops-stalled */
   MUTANTS_METADATA,    /* DCC can say that all is as one element, samples of depth have ITERATE_256: from GFX10 on */
   MUTANTS_PLANES_LOST, /* erratum gfx9-msaa-depth-xor */
   MUTANTS_DFSM,        /* hidden fragments may be dropped ahead of their shader */
   MUTANTS_VRS,         /* shading rates */
   MUTANTS_MESH,        /* task and mesh shaders */
   MUTANTS_DCC_LOADS,   /* erratum image-load-dcc */
   MUTANTS_RATES_IN_HTILE, /* ... an attachment's are copied */
   MUTANTS_RATE_IMAGES,    /* ... are read from it, and go with interlock */
   MUTANTS_SCALAR_HOLES,   /* scalar loads of holes fault */
   MUTANTS_VRS_8X,         /* erratum vrs-8x-hang */
   MUTANTS_PAIRS,          /* two operations in one instruction */
   MUTANTS_REORDERS,       /* primitives may be rasterised out of order */
   MUTANTS_GSVS_RING,      /* geometry shaders write a ring; the geometry engine knows transform feedback */
   MUTANTS_NGG_GEOMETRY,   /* programs do both */
   MUTANTS_WHERES,
};

struct mutants_chip {
   const char *name;
   bool has[MUTANTS_WHERES];
};

/* What "all" means: a chip of each kind of interlock, and one of Apple's. NULL after the last. */
extern const char *const mutants_chips[];

/* False if no driver of ours has the chip. */
bool mutants_chip_init(struct mutants_chip *chip, const char *name);

#endif
