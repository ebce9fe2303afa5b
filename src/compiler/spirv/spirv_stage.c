/* Shader stages as modules name them. */
#include "compiler/spirv/spirv_module.h"

const struct spirv_stage spirv_stages[] = {
   [NIR_STAGE_VERTEX] = {SpvExecutionModelVertex, true},
   [NIR_STAGE_TESS_CTRL] = {SpvExecutionModelTessellationControl, true},
   [NIR_STAGE_TESS_EVAL] = {SpvExecutionModelTessellationEvaluation, true},
   [NIR_STAGE_GEOMETRY] = {SpvExecutionModelGeometry, true},
   [NIR_STAGE_FRAGMENT] = {SpvExecutionModelFragment, true},
   [NIR_STAGE_COMPUTE] = {SpvExecutionModelGLCompute, true},
   [NIR_STAGE_TASK] = {SpvExecutionModelTaskEXT, true},
   [NIR_STAGE_MESH] = {SpvExecutionModelMeshEXT, true},
};

enum nir_stage
spirv_find_stage(const uint32_t *words, size_t count)
{
   for (size_t at = 5; at + 1 < count && words[at] >> 16; at += words[at] >> 16) {
      if ((words[at] & 0xffff) != SpvOpEntryPoint)
         continue;
      unsigned stage = 0;
      while (stage < NIR_STAGES && spirv_stages[stage].model != words[at + 1])
         stage++;
      return (enum nir_stage)stage;
   }
   return NIR_STAGES;
}
