/* Execution modes of tessellation shaders. How a patch is divided may stand in either of the two. */
#include "compiler/spirv/spirv_module.h"
#include "util/macros.h"

static const struct {
   uint16_t mode; /* SpvExecutionMode */
   uint8_t domain, spacing, winding;
} divisions[] = {
   {SpvExecutionModeTriangles, .domain = NIR_TESS_TRIANGLES},
   {SpvExecutionModeQuads, .domain = NIR_TESS_QUADS},
   {SpvExecutionModeIsolines, .domain = NIR_TESS_ISOLINES},
   {SpvExecutionModeSpacingEqual, .spacing = NIR_TESS_EQUAL},
   {SpvExecutionModeSpacingFractionalEven, .spacing = NIR_TESS_FRACTIONAL_EVEN},
   {SpvExecutionModeSpacingFractionalOdd, .spacing = NIR_TESS_FRACTIONAL_ODD},
   {SpvExecutionModeVertexOrderCw, .winding = NIR_TESS_CLOCKWISE},
   {SpvExecutionModeVertexOrderCcw, .winding = NIR_TESS_COUNTERCLOCKWISE},
};

static bool
is_tessellation(const struct nir_shader *shader)
{
   return shader->stage == NIR_STAGE_TESS_CTRL || shader->stage == NIR_STAGE_TESS_EVAL;
}

static bool
division_mode(struct spirv_module *m, uint32_t mode, struct nir_shader_info *info)
{
   unsigned i = 0;
   while (i < ARRAY_SIZE(divisions) && divisions[i].mode != mode)
      i++;
   if (i == ARRAY_SIZE(divisions))
      return false;
   spirv_require(m,
                 !(divisions[i].domain && info->tess_domain) && !(divisions[i].spacing && info->tess_spacing) &&
                    !(divisions[i].winding && info->tess_winding),
                 "a second way to divide patches");
   info->tess_domain |= divisions[i].domain;
   info->tess_spacing |= divisions[i].spacing;
   info->tess_winding |= divisions[i].winding;
   return true;
}

bool
spirv_tessellation_mode(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader)
{
   if (!is_tessellation(shader))
      return false;
   if (division_mode(m, mode->mode, &shader->info))
      return true;
   if (mode->mode == SpvExecutionModePointMode)
      return shader->info.tess_points = true;
   if (mode->mode != SpvExecutionModeOutputVertices || shader->stage != NIR_STAGE_TESS_CTRL)
      return false;
   const uint32_t count = m->words[mode->word];
   spirv_require(m, count && count <= NIR_MAX_PATCH_VERTICES, "patches of %u vertices, not 1 to %u", count,
                 NIR_MAX_PATCH_VERTICES);
   shader->info.tess_vertices = (uint8_t)count;
   return true;
}

void
spirv_check_tessellation(struct spirv_module *m, struct nir_shader *shader)
{
   spirv_require(m, shader->stage != NIR_STAGE_TESS_CTRL || shader->info.tess_vertices,
                 "a tessellation control shader without OutputVertices");
}
