/* Shader stages. What differs by stage is a table with a row for each, or an array indexed by it: a new stage adds
 * rows, not fields. Which hardware stage runs a shader is the driver's choice. */
#ifndef INDIUM_NIR_STAGE_H
#define INDIUM_NIR_STAGE_H

#include <stdint.h>

/* The order is that of VkShaderStageFlagBits. Sets of stages have bit 1 << stage for each. */
enum nir_stage {
   NIR_STAGE_VERTEX,
   NIR_STAGE_TESS_CTRL,
   NIR_STAGE_TESS_EVAL,
   NIR_STAGE_GEOMETRY,
   NIR_STAGE_FRAGMENT,
   NIR_STAGE_COMPUTE,
   NIR_STAGE_TASK,
   NIR_STAGE_MESH,
   NIR_STAGES,
};

/* The stages of a draw before the rasterizer, each named, because later ones have greater numbers than the fragment
 * stage. Those of one program run in the order of the enum. */
#define NIR_STAGES_PRE_RASTER                                                                                        \
   (1u << NIR_STAGE_VERTEX | 1u << NIR_STAGE_TESS_CTRL | 1u << NIR_STAGE_TESS_EVAL | 1u << NIR_STAGE_GEOMETRY |      \
    1u << NIR_STAGE_TASK | 1u << NIR_STAGE_MESH)
/* All stages of a draw. */
#define NIR_STAGES_GRAPHICS (NIR_STAGES_PRE_RASTER | 1u << NIR_STAGE_FRAGMENT)

/* Those whose invocations form workgroups of a size that the shader says. */
#define NIR_STAGES_WORKGROUPS (1u << NIR_STAGE_COMPUTE | 1u << NIR_STAGE_TASK | 1u << NIR_STAGE_MESH)

/* The first stage of a set that is not less than `first`; NIR_STAGES: none. */
static inline enum nir_stage
nir_next_stage(uint32_t set, unsigned first)
{
   const uint32_t rest = set & ~0u << first;
   return rest ? (enum nir_stage)__builtin_ctz(rest) : NIR_STAGES;
}

#define nir_foreach_stage(stage, set)                                                                                \
   for (enum nir_stage stage = nir_next_stage(set, 0); stage < NIR_STAGES; stage = nir_next_stage(set, stage + 1))

/* The stage whose outputs `stage` reads in a program of the set's stages; NIR_STAGES: none. That of the fragment
 * stage is the last one before the rasterizer. */
static inline enum nir_stage
nir_stage_before(uint32_t set, enum nir_stage stage)
{
   const uint32_t earlier = stage == NIR_STAGE_FRAGMENT ? ~0u : (1u << stage) - 1;
   const uint32_t before = set & NIR_STAGES_PRE_RASTER & earlier;
   return before ? (enum nir_stage)(31 - __builtin_clz(before)) : NIR_STAGES;
}

/* The last stage before the rasterizer; NIR_STAGES: none. */
static inline enum nir_stage
nir_last_pre_raster(uint32_t set)
{
   return nir_stage_before(set, NIR_STAGE_FRAGMENT);
}

extern const char *const nir_stage_names[NIR_STAGES]; /* in texts: of nir, messages, statistics */
extern const char *const nir_stage_files[NIR_STAGES]; /* what names of GLSL files end in */

#endif
