/* Task and mesh shaders: execution modes, and what their workgroups make. */
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

static const struct {
   uint32_t mode; /* SpvExecutionMode */
   uint8_t output;
} primitives[] = {
   {SpvExecutionModeOutputPoints, NIR_PRIMITIVE_POINTS},
   {SpvExecutionModeOutputLinesEXT, NIR_PRIMITIVE_LINES},
   {SpvExecutionModeOutputTrianglesEXT, NIR_PRIMITIVE_TRIANGLES},
};

static bool
primitive_mode(struct spirv_module *m, uint32_t mode, struct nir_shader_info *info)
{
   unsigned i = 0;
   while (i < ARRAY_SIZE(primitives) && primitives[i].mode != mode)
      i++;
   if (i == ARRAY_SIZE(primitives))
      return false;
   spirv_require(m, !info->mesh_output, "a second kind of primitives");
   info->mesh_output = primitives[i].output;
   return true;
}

static uint16_t
limit(struct spirv_module *m, uint32_t count, const char *what)
{
   spirv_require(m, count <= NIR_MAX_MESH_VERTICES, "%u %s, more than %u", count, what, NIR_MAX_MESH_VERTICES);
   return (uint16_t)count;
}

bool
spirv_mesh_mode(struct spirv_module *m, const struct spirv_mode *mode, struct nir_shader *shader)
{
   struct nir_shader_info *info = &shader->info;
   if (shader->stage != NIR_STAGE_MESH)
      return false;
   if (primitive_mode(m, mode->mode, info))
      return true;
   switch (mode->mode) {
   case SpvExecutionModeOutputVertices:
      info->mesh_vertices = limit(m, m->words[mode->word], "vertices");
      return true;
   case SpvExecutionModeOutputPrimitivesEXT:
      info->mesh_primitives = limit(m, m->words[mode->word], "primitives");
      return true;
   default: /* others: of any stage, or refused */
      return false;
   }
}

void
spirv_check_mesh(struct spirv_module *m, struct nir_shader *shader)
{
   const struct nir_shader_info *info = &shader->info;
   if (shader->stage != NIR_STAGE_MESH)
      return;
   spirv_require(m, info->mesh_output, "a mesh shader without output primitives");
   spirv_require(m, info->mesh_vertices && info->mesh_primitives,
                 "a mesh shader without OutputVertices or OutputPrimitivesEXT");
}

static struct nir_def *
count_operand(struct spirv_emit *e, uint32_t id)
{
   struct nir_def *value = spirv_def(e, id);
   spirv_require(e->m, value->num_components == 1 && value->bit_size == 32, "%%%u is no integer of 32 bits", id);
   return value;
}

bool
spirv_emit_mesh(struct spirv_emit *e, const uint32_t *w)
{
   if (spirv_opcode(w) != SpvOpSetMeshOutputsEXT)
      return false;
   spirv_require(e->m, e->shader->stage == NIR_STAGE_MESH, "only a mesh shader makes vertices of its own");
   nir_set_mesh_outputs(&e->b, count_operand(e, w[1]), count_operand(e, w[2]));
   return true;
}

void
spirv_launch_meshes(struct spirv_emit *e, const uint32_t *w)
{
   spirv_require(e->m, e->shader->stage == NIR_STAGE_TASK, "only a task shader launches meshes");
   spirv_require(e->m, !e->call_depth, "meshes are launched in a function that the entry point calls");
   struct nir_def *size[3] = {count_operand(e, w[1]), count_operand(e, w[2]), count_operand(e, w[3])};
   nir_launch_mesh_workgroups(&e->b, nir_vec(&e->b, size, 3));
}
