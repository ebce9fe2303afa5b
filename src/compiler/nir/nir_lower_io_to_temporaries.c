/* Outputs are written as a whole: at the end of the shader, or with each vertex that a geometry shader emits. Those
 * of control and mesh shaders stay: they are memory that all invocations of a patch or workgroup see. */
#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"

/* A scratch word per variable while the pass runs. */
struct replacement {
   struct nir_variable *variable, *temporary;
};

static struct nir_variable *
temporary_of(struct nir_shader *shader, const struct nir_variable *variable)
{
   return nir_variable_create(shader, NIR_VAR_FUNCTION_TEMP, variable->type, variable->name);
}

/* Loads by vertex, and those of patches, find any vertex and any slot. nir_lower_packed_io finds any element. */
static bool
finds_any(const struct nir_shader *shader, struct nir_deref_instr *deref)
{
   return shader->stage == NIR_STAGE_TESS_EVAL ||
          (shader->stage != NIR_STAGE_FRAGMENT && nir_deref_variable(deref)->per_vertex);
}

static bool
is_indirect(const struct nir_shader *shader, struct nir_deref_instr *deref)
{
   return deref->deref_type == NIR_DEREF_ARRAY && !nir_src_is_const(deref->index) &&
          !nir_type_is_vector_or_scalar(nir_as_deref(deref->parent.def->parent)->type) && !finds_any(shader, deref);
}

/* True if a path of the input is indexed at run time. interpolateAt* works on the input itself. */
static bool
needs_temporary(struct nir_shader *shader, const struct nir_variable *variable)
{
   if (variable->mode == NIR_VAR_SHADER_OUT)
      return true;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_DEREF || nir_as_deref(instr)->mode != NIR_VAR_SHADER_IN)
            continue;
         struct nir_deref_instr *deref = nir_as_deref(instr);
         if (is_indirect(shader, deref) && nir_deref_variable(deref) == variable)
            return true;
      }
   }
   return false;
}

static bool
has_indirect_input(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_DEREF && nir_as_deref(instr)->mode == NIR_VAR_SHADER_IN &&
             is_indirect(shader, nir_as_deref(instr)))
            return true;
      }
   }
   return false;
}

static void
redirect(struct nir_shader *shader, const struct replacement *replacements, unsigned count)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_DEREF)
            continue;
         struct nir_deref_instr *deref = nir_as_deref(instr), *parent = nir_deref_parent(deref);
         if (parent)
            deref->mode = parent->mode;
         if (deref->deref_type != NIR_DEREF_VAR || !(deref->mode & (NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT)))
            continue;
         for (unsigned i = 0; i < count; i++) {
            if (replacements[i].variable == deref->var) {
               deref->var = replacements[i].temporary;
               deref->mode = NIR_VAR_FUNCTION_TEMP;
               break;
            }
         }
      }
   }
}

static bool
shares_outputs(const struct nir_shader *shader)
{
   return shader->stage == NIR_STAGE_TESS_CTRL || shader->stage == NIR_STAGE_MESH;
}

struct replacements {
   struct replacement *of;
   unsigned count;
};

static void
copy_variables(struct nir_builder *b, const struct replacements *all, uint32_t mode, unsigned stream)
{
   const struct replacement *replacements = all->of;
   for (unsigned i = 0; i < all->count; i++) {
      if (replacements[i].variable->mode != mode || replacements[i].variable->stream != stream)
         continue;
      struct nir_deref_instr *variable = nir_build_deref_var(b, replacements[i].variable);
      struct nir_deref_instr *temporary = nir_build_deref_var(b, replacements[i].temporary);
      if (mode == NIR_VAR_SHADER_OUT)
         nir_copy_deref(b, &variable->def, &temporary->def, .access = 0);
      else
         nir_copy_deref(b, &temporary->def, &variable->def, .access = 0);
   }
}

static void
write_at_end(struct nir_shader *shader, const struct replacements *all)
{
   nir_compute_preds(shader);
   for (uint32_t i = 0; i < shader->end_block->num_preds; i++) {
      struct nir_builder b = nir_builder_at(shader, nir_after_block(shader->end_block->preds[i]));
      copy_variables(&b, all, NIR_VAR_SHADER_OUT, 0);
   }
}

static void
write_with_vertices(struct nir_shader *shader, const struct replacements *all)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_emit_vertex)
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         copy_variables(&b, all, NIR_VAR_SHADER_OUT, nir_intrinsic_stream(nir_as_intrinsic(instr)));
      }
   }
}

bool
nir_lower_io_to_temporaries(struct nir_shader *shader)
{
   bool inputs = has_indirect_input(shader);
   unsigned count = 0, capacity = 0;
   nir_foreach_variable(variable, shader)
      capacity += !!(variable->mode & (NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT));
   struct replacement *replacements = arena_array(shader->arena, struct replacement, capacity);
   nir_foreach_variable(variable, shader) {
      if ((variable->mode == NIR_VAR_SHADER_OUT && !shares_outputs(shader)) ||
          (inputs && variable->mode == NIR_VAR_SHADER_IN && needs_temporary(shader, variable))) {
         replacements[count].variable = variable;
         replacements[count++].temporary = temporary_of(shader, variable);
      }
   }
   if (!count)
      return false;
   redirect(shader, replacements, count);
   struct nir_builder b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   const struct replacements all = {replacements, count};
   copy_variables(&b, &all, NIR_VAR_SHADER_IN, 0);
   if (shader->stage == NIR_STAGE_GEOMETRY)
      write_with_vertices(shader, &all);
   else
      write_at_end(shader, &all);
   return true;
}
