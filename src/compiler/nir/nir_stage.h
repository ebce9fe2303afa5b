/* Shader stages. What differs by stage is a table with a row for each, or an array indexed by it: a new stage adds
 * rows, not fields. Which hardware stage runs a shader is the driver's choice. */
#ifndef INDIUM_NIR_STAGE_H
#define INDIUM_NIR_STAGE_H

/* The order is that of VkShaderStageFlagBits. Sets of stages have bit 1 << stage for each. */
enum nir_stage {
   NIR_STAGE_VERTEX,
   NIR_STAGE_TESS_CTRL,
   NIR_STAGE_TESS_EVAL,
   NIR_STAGE_GEOMETRY,
   NIR_STAGE_FRAGMENT,
   NIR_STAGE_COMPUTE,
   NIR_STAGES,
};

/* The stages of a draw before the rasterizer. */
#define NIR_STAGES_PRE_RASTER ((1u << NIR_STAGE_FRAGMENT) - 1)

extern const char *const nir_stage_names[NIR_STAGES]; /* in texts: of nir, messages, statistics */
extern const char *const nir_stage_files[NIR_STAGES]; /* what names of GLSL files end in */

#endif
