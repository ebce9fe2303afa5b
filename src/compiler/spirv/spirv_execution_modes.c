/* Execution modes of the entry point. */
#include "compiler/spirv/spirv_module.h"
#include "util/macros.h"

/* WorkgroupSize as a constant counts before LocalSize and LocalSizeId. */
static void
workgroup_size(struct spirv_module *m, struct nir_shader *shader)
{
   if (m->workgroup_size_id && m->ids[m->workgroup_size_id].kind == SPIRV_ID_CONSTANT) {
      const struct spirv_constant *size = m->ids[m->workgroup_size_id].constant;
      spirv_require(m,
                    size->type->kind == SPIRV_TYPE_VECTOR && size->type->components == 3 && spirv_is_int(size->type),
                    "WorkgroupSize is no vector of 3 integers");
      for (unsigned i = 0; i < 3; i++)
         shader->info.workgroup_size[i] = size->value[i].u32;
   }
   const uint32_t *size = shader->info.workgroup_size;
   m->at = m->entry->word;
   spirv_require(m, size[0] && size[1] && size[2], "a %s shader without workgroup size",
                 nir_stage_names[shader->stage]);
   spirv_require(m, (uint64_t)size[0] * size[1] <= UINT32_MAX && (uint64_t)size[0] * size[1] * size[2] <= UINT32_MAX,
                 "the workgroup is too large");
}

static void
local_size(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader)
{
   for (unsigned i = 0; i < 3; i++) {
      uint32_t operand = m->words[mode->word + i];
      shader->info.workgroup_size[i] = mode->is_id ? spirv_constant_u32(m, operand) : operand;
   }
}

static void
set_derivative_group(struct spirv_module *m, struct nir_shader *shader, enum nir_derivative_group group)
{
   spirv_require(m, NIR_STAGES_WORKGROUPS >> shader->stage & 1, "the mode belongs to compute shaders");
   spirv_require(m, !shader->info.derivative_group, "a second group of derivatives");
   shader->info.derivative_group = (uint8_t)group;
}

/* Workgroups consist of whole quads. */
static void
check_derivative_group(struct spirv_module *m, const struct nir_shader *shader)
{
   const uint32_t *size = shader->info.workgroup_size;
   const uint64_t count = (uint64_t)size[0] * size[1] * size[2];
   spirv_require(m, shader->info.derivative_group != NIR_DERIVATIVES_LINEAR || count % 4 == 0,
                 "DerivativeGroupLinear in workgroups of %u x %u x %u, no multiple of 4", size[0], size[1], size[2]);
   spirv_require(m, shader->info.derivative_group != NIR_DERIVATIVES_QUADS || !((size[0] | size[1]) & 1),
                 "DerivativeGroupQuads in workgroups of %u x %u, odd sizes", size[0], size[1]);
}

static void
set_interlock(struct spirv_module *m, struct nir_shader *shader, enum nir_interlock interlock)
{
   spirv_require(m, shader->stage == NIR_STAGE_FRAGMENT, "the mode belongs to fragment shaders");
   spirv_require(m, !shader->info.interlock, "a second interlock mode");
   shader->info.interlock = interlock;
}

/* Rounding to nearest even is what happens anyway. */
static bool
float_control(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader)
{
   static const struct {
      uint32_t mode;
      int control; /* enum nir_float_control, -1: none */
   } rows[] = {{SpvExecutionModeDenormPreserve, NIR_FLOAT_PRESERVE},
               {SpvExecutionModeDenormFlushToZero, NIR_FLOAT_FLUSH},
               {SpvExecutionModeSignedZeroInfNanPreserve, NIR_FLOAT_SPECIAL},
               {SpvExecutionModeRoundingModeRTZ, NIR_FLOAT_TO_ZERO},
               {SpvExecutionModeRoundingModeRTE, -1}};
   if (mode->mode == SpvExecutionModeFPFastMathDefault) {
      spirv_require(m, spirv_is_float(spirv_type(m, m->words[mode->word])), "the type is no float");
      m->exact_default |= !spirv_is_fast(spirv_constant_u32(m, m->words[mode->word + 1]));
      return true;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (rows[i].mode != mode->mode)
         continue;
      const uint32_t bits = m->words[mode->word];
      spirv_require(m, bits == 16 || bits == 32 || bits == 64, "there are no floats of %u bits", bits);
      shader->info.float_controls |= rows[i].control < 0 ? 0 : NIR_FLOAT_CONTROL(rows[i].control, bits);
      return true;
   }
   return false;
}

/* When depth and stencil are tested. What is said of a stencil reference is a promise. */
static bool
test_mode(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader)
{
   switch (mode->mode) {
   case SpvExecutionModeEarlyFragmentTests:
      shader->info.early_fragment_tests = true;
      break;
   case SpvExecutionModeEarlyAndLateFragmentTestsAMD:
      spirv_require(m, !m->options || m->options->features & SPIRV_FEATURE_EARLY_AND_LATE,
                    "the mode EarlyAndLateFragmentTestsAMD is not supported");
      shader->info.early_and_late_tests = true;
      break;
   case SpvExecutionModePostDepthCoverage:
      shader->info.post_depth_coverage = true;
      break;
   case SpvExecutionModeStencilRefUnchangedFrontAMD:
   case SpvExecutionModeStencilRefGreaterFrontAMD:
   case SpvExecutionModeStencilRefLessFrontAMD:
   case SpvExecutionModeStencilRefUnchangedBackAMD:
   case SpvExecutionModeStencilRefGreaterBackAMD:
   case SpvExecutionModeStencilRefLessBackAMD:
      break;
   default: /* others: of other kinds */
      return false;
   }
   spirv_require(m, shader->stage == NIR_STAGE_FRAGMENT, "the mode belongs to fragment shaders");
   return true;
}

/* Which invocations are quads, and that all of a quad run. */
static bool
quad_mode(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader)
{
   switch (mode->mode) {
   case SpvExecutionModeDerivativeGroupQuadsKHR:
      set_derivative_group(m, shader, NIR_DERIVATIVES_QUADS);
      return true;
   case SpvExecutionModeDerivativeGroupLinearKHR:
      set_derivative_group(m, shader, NIR_DERIVATIVES_LINEAR);
      return true;
   case SpvExecutionModeQuadDerivativesKHR:
   case SpvExecutionModeRequireFullQuadsKHR:
      spirv_require(m, shader->stage == NIR_STAGE_FRAGMENT, "the mode belongs to fragment shaders");
      shader->info.full_quads = true;
      return true;
   default: /* others: not of quads */
      return false;
   }
}

static void
apply(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader)
{
   bool fragment = shader->stage == NIR_STAGE_FRAGMENT;
   if (float_control(m, mode, shader) || quad_mode(m, mode, shader) || test_mode(m, mode, shader) ||
       spirv_geometry_mode(m, mode, shader) || spirv_tessellation_mode(m, mode, shader) ||
       spirv_mesh_mode(m, mode, shader))
      return;
   switch (mode->mode) {
   case SpvExecutionModeLocalSize:
   case SpvExecutionModeLocalSizeId:
      spirv_require(m, NIR_STAGES_WORKGROUPS >> shader->stage & 1, "a workgroup size outside of a compute shader");
      local_size(m, mode, shader);
      return;
   case SpvExecutionModeXfb:
      /* No rule forbids it elsewhere, where it captures nothing (Zink 22.3 gives it to fragment shaders, too). */
      shader->info.xfb.captures = (NIR_STAGES_PRE_RASTER & ~NIR_STAGES_WORKGROUPS) >> shader->stage & 1;
      return;
   case SpvExecutionModeOriginUpperLeft:
      spirv_require(m, fragment, "the mode belongs to fragment shaders");
      return;
   case SpvExecutionModeDepthReplacing:
      spirv_require(m, fragment, "the mode belongs to fragment shaders");
      return;
   case SpvExecutionModeDepthGreater:
      shader->info.depth_layout = NIR_DEPTH_LAYOUT_GREATER;
      return;
   case SpvExecutionModeDepthLess:
      shader->info.depth_layout = NIR_DEPTH_LAYOUT_LESS;
      return;
   case SpvExecutionModeDepthUnchanged:
      shader->info.depth_layout = NIR_DEPTH_LAYOUT_UNCHANGED;
      return;
   case SpvExecutionModeStencilRefReplacingEXT:
      spirv_require(m, fragment, "the mode belongs to fragment shaders");
      return;
   case SpvExecutionModePixelInterlockOrderedEXT:
      set_interlock(m, shader, NIR_INTERLOCK_PIXEL_ORDERED);
      return;
   case SpvExecutionModePixelInterlockUnorderedEXT:
      set_interlock(m, shader, NIR_INTERLOCK_PIXEL_UNORDERED);
      return;
   case SpvExecutionModeSampleInterlockOrderedEXT:
      set_interlock(m, shader, NIR_INTERLOCK_SAMPLE_ORDERED);
      return;
   case SpvExecutionModeSampleInterlockUnorderedEXT:
      set_interlock(m, shader, NIR_INTERLOCK_SAMPLE_UNORDERED);
      return;
   case SpvExecutionModeSubgroupUniformControlFlowKHR:
   case SpvExecutionModeMaximallyReconvergesKHR:
      return; /* lanes always come together where control flow does */
   default: { /* others: refused by name */
      const struct spirv_enumerant_info *info = spirv_enumerant_info(SPIRV_KIND_EXECUTION_MODE, mode->mode);
      spirv_fail(m, "execution mode %s is not supported", info ? info->name : "?");
   }
   }
}

void
spirv_execution_modes(struct spirv_module *m, struct nir_shader *shader)
{
   bool upper_left = false, replaces = false;
   for (size_t i = 0; i < dynarray_count(&m->modes, struct spirv_mode); i++) {
      const struct spirv_mode *mode = dynarray_at(&m->modes, const struct spirv_mode, i);
      if (mode->function != m->entry->function)
         continue;
      m->at = mode->word - 3;
      apply(m, mode, shader);
      upper_left |= mode->mode == SpvExecutionModeOriginUpperLeft;
      replaces |=
         mode->mode == SpvExecutionModeDepthReplacing || mode->mode == SpvExecutionModeStencilRefReplacingEXT;
   }
   /* Late tests would see nothing new. */
   shader->info.early_fragment_tests |= shader->info.early_and_late_tests && !replaces;
   m->at = m->entry->word;
   spirv_require(m, shader->stage != NIR_STAGE_FRAGMENT || upper_left, "a fragment shader must be OriginUpperLeft");
   if (NIR_STAGES_WORKGROUPS >> shader->stage & 1)
      workgroup_size(m, shader);
   check_derivative_group(m, shader);
   spirv_check_geometry(m, shader);
   spirv_check_tessellation(m, shader);
   spirv_check_mesh(m, shader);
}
