/* Geometry shaders: execution modes and emission. */
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

static const struct {
   uint32_t mode; /* SpvExecutionMode */
   uint8_t input, output;
} primitives[] = {
   {SpvExecutionModeInputPoints, NIR_PRIMITIVE_POINTS, 0},
   {SpvExecutionModeInputLines, NIR_PRIMITIVE_LINES, 0},
   {SpvExecutionModeInputLinesAdjacency, NIR_PRIMITIVE_LINES_ADJACENCY, 0},
   {SpvExecutionModeTriangles, NIR_PRIMITIVE_TRIANGLES, 0},
   {SpvExecutionModeInputTrianglesAdjacency, NIR_PRIMITIVE_TRIANGLES_ADJACENCY, 0},
   {SpvExecutionModeOutputPoints, 0, NIR_PRIMITIVE_POINTS},
   {SpvExecutionModeOutputLineStrip, 0, NIR_PRIMITIVE_LINES},
   {SpvExecutionModeOutputTriangleStrip, 0, NIR_PRIMITIVE_TRIANGLES},
};

static bool
primitive_mode(struct spirv_module *m, uint32_t mode, struct nir_shader_info *info)
{
   unsigned i = 0;
   while (i < ARRAY_SIZE(primitives) && primitives[i].mode != mode)
      i++;
   if (i == ARRAY_SIZE(primitives))
      return false;
   spirv_require(m, !(primitives[i].input && info->gs_input) && !(primitives[i].output && info->gs_output),
                 "a second kind of primitives");
   info->gs_input |= primitives[i].input;
   info->gs_output |= primitives[i].output;
   return true;
}

bool
spirv_geometry_mode(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader)
{
   if (shader->stage != NIR_STAGE_GEOMETRY)
      return false;
   if (primitive_mode(m, mode->mode, &shader->info))
      return true;
   const uint32_t value = m->words[mode->word];
   switch (mode->mode) {
   case SpvExecutionModeOutputVertices:
      spirv_require(m, value <= NIR_MAX_GS_VERTICES, "%u vertices, more than %u", value, NIR_MAX_GS_VERTICES);
      shader->info.gs_vertices = (uint16_t)value;
      return true;
   case SpvExecutionModeInvocations:
      spirv_require(m, value && value <= NIR_MAX_GS_INVOCATIONS, "%u invocations, not 1 to %u", value,
                    NIR_MAX_GS_INVOCATIONS);
      shader->info.gs_invocations = (uint8_t)value;
      return true;
   default: /* others: of any stage, or refused */
      return false;
   }
}

void
spirv_check_geometry(struct spirv_module *m, struct nir_shader *shader)
{
   struct nir_shader_info *info = &shader->info;
   if (shader->stage != NIR_STAGE_GEOMETRY)
      return;
   spirv_require(m, info->gs_input && info->gs_output, "a geometry shader without input or output primitives");
   spirv_require(m, info->gs_vertices, "a geometry shader without OutputVertices");
   info->gs_invocations = MAX2(info->gs_invocations, 1);
}

/* Stream 0 is always there. */
static uint32_t
stream_operand(struct spirv_emit *e, const uint32_t *w, bool has_stream)
{
   struct nir_shader_info *info = &e->shader->info;
   const uint32_t stream = has_stream ? spirv_constant_u32(e->m, w[1]) : 0;
   spirv_require(e->m, e->shader->stage == NIR_STAGE_GEOMETRY, "only a geometry shader emits vertices");
   spirv_require(e->m, stream < NIR_XFB_STREAMS, "stream %u is out of range", stream);
   info->gs_streams |= (uint8_t)(1u << stream);
   return stream;
}

bool
spirv_emit_geometry(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_opcode(w)) {
   case SpvOpEmitVertex:
   case SpvOpEmitStreamVertex:
      nir_emit_vertex(&e->b, .stream = stream_operand(e, w, spirv_opcode(w) == SpvOpEmitStreamVertex));
      return true;
   case SpvOpEndPrimitive:
   case SpvOpEndStreamPrimitive:
      nir_end_primitive(&e->b, .stream = stream_operand(e, w, spirv_opcode(w) == SpvOpEndStreamPrimitive));
      return true;
   default: /* others: not of this file */
      return false;
   }
}
