/* Dominance after structuring. In SPIR-V a value may reach the code after a selection because the other ways there
 * end or leave; in nir that code stands after an if, and the value does not dominate it any more. Such a use reads a
 * variable that is stored where the value is defined; address computations are built again at the use. */
#include <string.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

struct repair {
   struct nir_shader *shader;
   struct nir_variable **variables; /* by def index, that of repaired uses too */
   uint32_t num_variables;
   struct nir_block *block;  /* of the use */
   struct nir_cursor before; /* the use */
};

static bool
is_reachable(const struct repair *r, const struct nir_block *block)
{
   return block->idom || block == nir_first_block(r->shader);
}

static bool
reaches(const struct repair *r, const struct nir_def *def)
{
   const struct nir_block *block = def->parent->block;
   return block == r->block || (is_reachable(r, block) && nir_block_dominates(block, r->block));
}

static struct nir_def *through_variable(struct repair *r, struct nir_def *def);

/* The value at the use: itself, built again, or by way of a variable. */
static struct nir_def *
value_at_use(struct repair *r, struct nir_def *def)
{
   if (reaches(r, def))
      return def;
   struct nir_builder b = nir_builder_at(r->shader, r->before);
   if (def->parent->type == NIR_INSTR_DEREF) {
      const struct nir_deref_instr *deref = nir_as_deref(def->parent);
      if (deref->deref_type == NIR_DEREF_VAR)
         return &nir_build_deref_var(&b, deref->var)->def;
      struct nir_def *parent = value_at_use(r, deref->parent.def);
      struct nir_def *index = deref->deref_type == NIR_DEREF_ARRAY ? value_at_use(r, deref->index.def) : NULL;
      b = nir_builder_at(r->shader, r->before);
      if (deref->deref_type == NIR_DEREF_CAST)
         return &nir_build_deref_cast(&b, parent, deref->mode, deref->type)->def;
      if (index)
         return &nir_build_deref_array(&b, nir_as_deref(parent->parent), index)->def;
      return &nir_build_deref_struct(&b, nir_as_deref(parent->parent), deref->field)->def;
   }
   if (def->parent->type == NIR_INSTR_INTRINSIC &&
       nir_as_intrinsic(def->parent)->op == NIR_INTRINSIC_vulkan_resource_index) {
      const struct nir_intrinsic_instr *index = nir_as_intrinsic(def->parent);
      struct nir_def *source = value_at_use(r, index->src[0].def);
      b = nir_builder_at(r->shader, r->before);
      return nir_vulkan_resource_index(&b, source, .set = nir_intrinsic_set(index),
                                       .binding = nir_intrinsic_binding(index),
                                       .descriptor_kind = nir_intrinsic_descriptor_kind(index));
   }
   return through_variable(r, def);
}

static struct nir_variable **
variable_of(struct repair *r, const struct nir_def *def)
{
   if (def->index >= r->num_variables) {
      uint32_t count = MAX2(2 * r->num_variables, def->index + 1);
      struct nir_variable **more = arena_array(r->shader->arena, struct nir_variable *, count);
      memcpy(more, r->variables, r->num_variables * sizeof(*more));
      r->variables = more;
      r->num_variables = count;
   }
   return &r->variables[def->index];
}

static struct nir_def *
through_variable(struct repair *r, struct nir_def *def)
{
   struct nir_variable *variable = *variable_of(r, def);
   if (!variable) {
      enum nir_base_type base = def->bit_size == 1 ? NIR_TYPE_BOOL : NIR_TYPE_UINT;
      variable = nir_variable_create(r->shader, NIR_VAR_FUNCTION_TEMP,
                                     nir_type_vector(base, def->bit_size, def->num_components), NULL);
      variable->location = -1;
      *variable_of(r, def) = variable;
      struct nir_builder b = nir_builder_at(r->shader, nir_after_instr(def->parent));
      nir_store_var(&b, variable, def, 0);
   }
   struct nir_builder b = nir_builder_at(r->shader, r->before);
   return nir_load_var(&b, variable);
}

static bool
repair_src(struct nir_src *src, void *data)
{
   struct repair *r = data;
   if (!reaches(r, src->def))
      nir_src_rewrite(src, value_at_use(r, src->def));
   return true;
}

void
spirv_repair(struct nir_shader *shader)
{
   struct repair r = {.shader = shader};
   nir_compute_dominance(shader);
   nir_index_defs(shader);
   r.num_variables = shader->num_defs + 1;
   r.variables = arena_array(shader->arena, struct nir_variable *, r.num_variables);
   nir_foreach_block(block, shader) {
      if (!is_reachable(&r, block))
         continue;
      r.block = block;
      nir_foreach_instr_safe(instr, block) {
         r.before = nir_before_instr(instr);
         nir_foreach_src(instr, repair_src, &r);
      }
      struct nir_cf_node *next = nir_cf_next(&block->cf);
      r.before = nir_after_block(block);
      if (next && next->type == NIR_CF_IF)
         repair_src(&nir_cf_as_if(next)->condition, &r);
   }
}
