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

static bool
is_indirect(const struct nir_deref_instr *deref)
{
   return deref->deref_type == NIR_DEREF_ARRAY && !nir_src_is_const(deref->index) &&
          !nir_type_is_vector_or_scalar(nir_as_deref(deref->parent.def->parent)->type);
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
         if (is_indirect(deref) && nir_deref_variable(deref) == variable)
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
             is_indirect(nir_as_deref(instr)))
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

static void
copy_variables(struct nir_builder *b, const struct replacement *replacements, unsigned count, uint32_t mode)
{
   for (unsigned i = 0; i < count; i++) {
      if (replacements[i].variable->mode != mode)
         continue;
      struct nir_deref_instr *variable = nir_build_deref_var(b, replacements[i].variable);
      struct nir_deref_instr *temporary = nir_build_deref_var(b, replacements[i].temporary);
      if (mode == NIR_VAR_SHADER_OUT)
         nir_copy_deref(b, &variable->def, &temporary->def, .access = 0);
      else
         nir_copy_deref(b, &temporary->def, &variable->def, .access = 0);
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
      if (variable->mode == NIR_VAR_SHADER_OUT ||
          (inputs && variable->mode == NIR_VAR_SHADER_IN && needs_temporary(shader, variable))) {
         replacements[count].variable = variable;
         replacements[count++].temporary = temporary_of(shader, variable);
      }
   }
   if (!count)
      return false;
   redirect(shader, replacements, count);
   struct nir_builder b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   copy_variables(&b, replacements, count, NIR_VAR_SHADER_IN);
   nir_compute_preds(shader);
   for (uint32_t i = 0; i < shader->end_block->num_preds; i++) {
      b.cursor = nir_after_block(shader->end_block->preds[i]);
      copy_variables(&b, replacements, count, NIR_VAR_SHADER_OUT);
   }
   return true;
}
