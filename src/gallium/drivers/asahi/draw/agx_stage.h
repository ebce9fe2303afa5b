/* Which stages of the hardware run the shaders of a program. */
#ifndef INDIUM_AGX_STAGE_H
#define INDIUM_AGX_STAGE_H

#include "compiler/nir/nir_stage.h"

/* A stage that the hardware does not have runs as compute before the draw: entries of a program's list from
 * AGX_HW_COMPUTE on, in the order in which they run. */
enum agx_hw_stage {
   AGX_HW_VERTEX, /* feeds the rasterizer */
   AGX_HW_FRAGMENT,
   AGX_HW_COMPUTE, /* compute programs; of draws: vertices for transform feedback or for the next stages */
   AGX_HW_TESS_CTRL,
   AGX_HW_TESS_EVAL, /* where it is not AGX_HW_VERTEX */
   AGX_HW_GEOMETRY,
   AGX_HW_STAGES,
};

static inline enum agx_hw_stage
agx_hw_stage(enum nir_stage stage)
{
   static const uint8_t of[NIR_STAGES] = {[NIR_STAGE_FRAGMENT] = AGX_HW_FRAGMENT,
                                          [NIR_STAGE_COMPUTE] = AGX_HW_COMPUTE,
                                          [NIR_STAGE_TESS_CTRL] = AGX_HW_TESS_CTRL,
                                          [NIR_STAGE_TESS_EVAL] = AGX_HW_TESS_EVAL,
                                          [NIR_STAGE_GEOMETRY] = AGX_HW_GEOMETRY};

   return (enum agx_hw_stage)of[stage];
}

#endif
