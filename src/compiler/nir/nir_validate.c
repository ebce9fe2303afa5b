/* Checks a shader against docs/ir.md: structure, uses, types, phis, dominance, in this order; later checks rely on
 * the earlier ones. */
#include "compiler/nir/nir_constant_data.h"
#include "compiler/nir/nir_validate_internal.h"

#include "compiler/nir/nir_cf.h"
#include "util/macros.h"

void
nir_validate_fail(struct nir_validator *v, const char *what)
{
   if (v->error)
      return;
   const struct nir_def *def = v->where ? nir_instr_def(v->where) : NULL;
   const char *name = !v->where                         ? ""
                      : v->where->type == NIR_INSTR_ALU ? nir_op_infos[nir_as_alu(v->where)->op].name
                      : v->where->type == NIR_INSTR_INTRINSIC
                         ? nir_intrinsic_infos[nir_as_intrinsic(v->where)->op].name
                         : "instruction";
   if (def)
      v->error = arena_printf(v->shader->arena, "%%%u = %s: %s", def->index, name, what);
   else
      v->error = arena_printf(v->shader->arena, "%s%s%s", name, *name ? ": " : "", what);
}

/* ---- structure ---- */

static void
check_block_shape(struct nir_validator *v, const struct nir_block *block)
{
   bool phis = true;
   nir_foreach_instr(instr, block) {
      v->where = instr;
      if (!nir_check(v, instr->block == block, "the instruction does not know its block"))
         return;
      phis &= instr->type == NIR_INSTR_PHI;
      nir_check(v, phis || instr->type != NIR_INSTR_PHI, "a phi after other instructions");
      if (instr->type == NIR_INSTR_JUMP) {
         nir_check(v, instr->link.next == &block->instrs, "an instruction after a jump");
         nir_check(v, !nir_cf_next(&block->cf), "a node after a jump");
         nir_check(v, nir_as_jump(instr)->jump == NIR_JUMP_HALT || nir_cf_loop_around(&block->cf),
                   "break or continue outside a loop");
      }
   }
   v->where = NULL;
}

static void
check_list(struct nir_validator *v, const struct list_head *list, const struct nir_cf_node *parent)
{
   bool block_next = true;
   if (!nir_check(v, !list_is_empty(list), "an empty list of nodes"))
      return;
   nir_foreach_cf(node, list) {
      if (v->error)
         return;
      nir_check(v, node->parent == parent && node->list == list, "a node that does not know its parent");
      nir_check(v, (node->type == NIR_CF_BLOCK) == block_next, "blocks and other nodes must alternate");
      block_next = node->type != NIR_CF_BLOCK;
      if (node->type == NIR_CF_BLOCK) {
         check_block_shape(v, nir_cf_as_block(node));
      } else if (node->type == NIR_CF_IF) {
         check_list(v, &nir_cf_as_if(node)->then_list, node);
         check_list(v, &nir_cf_as_if(node)->else_list, node);
      } else {
         check_list(v, &nir_cf_as_loop(node)->body, node);
      }
   }
   nir_check(v, !block_next, "a list of nodes ends with a block");
}

/* ---- uses ---- */

static bool
check_src(struct nir_src *src, void *data)
{
   struct nir_validator *v = data;
   v->srcs++;
   if (!nir_check(v, src->def && src->def->parent, "a source without a value"))
      return false;
   nir_check(v, src->parent_instr == v->where && !src->parent_if, "a source that does not know its instruction");
   nir_check(v, src->def->parent->block, "a source whose value is not in the shader");
   nir_check(v, nir_instr_def(src->def->parent) == src->def, "a source whose value is not its instruction's");
   return !v->error;
}

static void
check_def(struct nir_validator *v, const struct nir_instr *instr, const struct nir_def *def)
{
   nir_check(v, def->parent == instr, "a value that does not know its instruction");
   nir_check(v, def->num_components >= 1 && def->num_components <= NIR_MAX_COMPONENTS, "1 to 4 components");
   nir_check(v, def->bit_size == 1 || (def->bit_size >= 8 && def->bit_size <= 64 && is_power_of_two(def->bit_size)),
             "1, 8, 16, 32 or 64 bits");
   if (v->error)
      return;
   nir_foreach_use(use, def) {
      v->uses++;
      if (!nir_check(v, use->def == def, "a foreign source in the list of uses") ||
          !nir_check(v, use->parent_if || (use->parent_instr && use->parent_instr->block),
                     "a use by an instruction outside the shader"))
         return;
   }
}

static void
check_uses(struct nir_validator *v)
{
   nir_foreach_block(block, v->shader) {
      nir_foreach_instr(instr, block) {
         v->where = instr;
         if (!nir_foreach_src(instr, check_src, v))
            return;
         if (nir_instr_def(instr))
            check_def(v, instr, nir_instr_def(instr));
         if (v->error)
            return;
      }
      v->where = NULL;
      const struct nir_cf_node *next = nir_cf_next(&block->cf);
      if (!next || next->type != NIR_CF_IF)
         continue;
      const struct nir_src *condition = &nir_cf_as_if(next)->condition;
      v->srcs++;
      if (!nir_check(v,
                     condition->def && condition->parent_if == nir_cf_as_if(next) && !condition->parent_instr &&
                        condition->def->parent && condition->def->parent->block,
                     "the condition of an if"))
         return;
      nir_check(v, condition->def->bit_size == 1 && condition->def->num_components == 1,
                "the condition of an if is one boolean");
   }
   nir_check(v, v->srcs == v->uses, "a source that is not in its value's list of uses");
}

/* ---- dominance ---- */

static bool
dominates(const struct nir_def *def, const struct nir_block *block, uint32_t index)
{
   const struct nir_instr *parent = def->parent;
   return parent->block == block ? parent->index < index : nir_block_dominates(parent->block, block);
}

static bool
check_dominance_src(struct nir_src *src, void *data)
{
   struct nir_validator *v = data;
   const struct nir_instr *instr = src->parent_instr;
   return nir_check(v, dominates(src->def, instr->block, instr->index), "a value is used where it is not defined");
}

static void
check_phi(struct nir_validator *v, const struct nir_phi_instr *phi)
{
   const struct nir_block *block = phi->instr.block;
   uint32_t count = 0;
   nir_foreach_phi_src(src, phi) {
      count++;
      bool is_pred = false;
      for (uint32_t i = 0; i < block->num_preds; i++)
         is_pred |= block->preds[i] == src->pred;
      nir_check(v, is_pred, "a phi source from a block that is no predecessor");
      nir_check(v, nir_phi_src_from(phi, src->pred) == src, "two phi sources from one block");
      nir_check(
         v, src->src.def->num_components == phi->def.num_components && src->src.def->bit_size == phi->def.bit_size,
         "a phi source of another shape");
      nir_check(v, src->src.def->parent->type != NIR_INSTR_DEREF, "a phi of derefs");
      if (!v->error && (src->pred->idom || src->pred == nir_first_block(v->shader)))
         nir_check(v, dominates(src->src.def, src->pred, UINT32_MAX), "a value is used where it is not defined");
   }
   nir_check(v, count == block->num_preds, "a phi needs one source per predecessor");
}

static void
check_dominance(struct nir_validator *v)
{
   struct nir_shader *shader = (struct nir_shader *)v->shader; /* metadata only */
   nir_compute_dominance(shader);
   nir_index_instrs(shader);
   const struct nir_block *start = nir_first_block(shader);
   nir_foreach_block(block, shader) {
      bool reachable = block == start || block->idom;
      nir_foreach_instr(instr, block) {
         v->where = instr;
         if (instr->type == NIR_INSTR_PHI)
            check_phi(v, nir_as_phi(instr));
         else if (reachable)
            nir_foreach_src(instr, check_dominance_src, v);
         if (v->error)
            return;
      }
      v->where = NULL;
      const struct nir_cf_node *next = nir_cf_next(&block->cf);
      if (next && next->type == NIR_CF_IF && reachable)
         nir_check(v, dominates(nir_cf_as_if(next)->condition.def, block, UINT32_MAX),
                   "the condition of an if is not defined before it");
   }
}

static bool
is_vertex_array(const struct nir_type *type, enum nir_stage stage)
{
   const uint32_t most = stage == NIR_STAGE_FRAGMENT ? 3
                         : stage == NIR_STAGE_MESH   ? NIR_MAX_MESH_VERTICES
                                                     : NIR_MAX_PATCH_VERTICES;
   return type && type->base == NIR_TYPE_ARRAY && type->length >= 1 && type->length <= most;
}

static bool
has_vertices(const struct nir_shader *shader, const struct nir_variable *variable)
{
   return variable->mode == NIR_VAR_SHADER_IN ||
          (variable->mode == NIR_VAR_SHADER_OUT &&
           (shader->stage == NIR_STAGE_TESS_CTRL || shader->stage == NIR_STAGE_MESH));
}

/* Both factors of a patch, or one of them. */
static bool
is_tess_level(const struct nir_variable *variable)
{
   const struct nir_type *type = variable->type;
   return type && type->base == NIR_TYPE_ARRAY && type->length <= 4 && type->element->base == NIR_TYPE_FLOAT &&
          type->element->bit_size == 32 && nir_type_scalars(type->element) == 1 && !variable->per_vertex;
}

static void
check_tessellation(struct nir_validator *v)
{
   const struct nir_shader_info *info = &v->shader->info;
   const bool control = v->shader->stage == NIR_STAGE_TESS_CTRL;
   nir_check(v, info->tess_vertices <= NIR_MAX_PATCH_VERTICES && (control || !info->tess_vertices),
             "a control shader, and no other, makes patches of 1 to 32 vertices");
   nir_check(v,
             info->tess_domain <= NIR_TESS_ISOLINES && info->tess_spacing <= NIR_TESS_FRACTIONAL_ODD &&
                info->tess_winding <= NIR_TESS_COUNTERCLOCKWISE,
             "how a patch is divided");
}

static bool
is_vec3(const struct nir_type *type)
{
   return type && type->base == NIR_TYPE_FLOAT && type->bit_size == 32 && type->components == 3 && type->columns <= 1;
}

static bool
may_be_of_primitive(const struct nir_shader *shader, const struct nir_variable *variable)
{
   return variable->mode == NIR_VAR_SHADER_IN ? shader->stage == NIR_STAGE_FRAGMENT
                                              : shader->stage == NIR_STAGE_MESH && variable->per_vertex;
}

static void
check_mesh(struct nir_validator *v)
{
   const struct nir_shader_info *info = &v->shader->info;
   const bool mesh = v->shader->stage == NIR_STAGE_MESH;
   nir_check(v,
             info->mesh_output <= NIR_PRIMITIVE_TRIANGLES && info->mesh_vertices <= NIR_MAX_MESH_VERTICES &&
                info->mesh_primitives <= NIR_MAX_MESH_VERTICES,
             "what a mesh shader makes");
   nir_check(v, mesh || !(info->mesh_output | info->mesh_vertices | info->mesh_primitives),
             "a mesh shader, and no other, makes vertices and primitives of workgroups");
}

static void
check_variables(struct nir_validator *v)
{
   nir_foreach_variable(variable, v->shader) {
      nir_check(v, is_power_of_two(variable->mode) && variable->mode <= NIR_VAR_TASK_PAYLOAD,
                "a variable has one mode");
      nir_check(v, variable->type, "a variable without a type");
      nir_check(v, variable->location >= -1 && variable->location < NIR_SLOT_COUNT, "the location of a variable");
      nir_check(v, variable->component < 4, "the component of a variable");
      nir_check(v,
                !variable->per_vertex ||
                   (has_vertices(v->shader, variable) && is_vertex_array(variable->type, v->shader->stage)),
                "a variable by vertex is an array of up to 3, in mesh shaders 256, in other stages 32");
      nir_check(v, !variable->per_primitive || may_be_of_primitive(v->shader, variable),
                "an input or output of a primitive belongs to fragment and mesh shaders");
      nir_check(v, variable->stream < NIR_XFB_STREAMS, "the stream of a variable");
      nir_check(v, variable->mode != NIR_VAR_CONSTANT || nir_is_constant_table(variable, &v->shader->info),
                "a table of constants has values, a layout, and a place in the constant data");
      nir_check(v, variable->location != NIR_SLOT_BARY_COORD || is_vec3(variable->type), "barycentric coordinates");
      nir_check(v, variable->location < NIR_SLOT_TESS_LEVEL_OUTER || is_tess_level(variable), "tessellation levels");
   }
}

const char *
nir_validate(const struct nir_shader *shader)
{
   struct nir_validator v = {.shader = shader};
   nir_check(&v, shader->info.constant_B <= NIR_MAX_CONSTANT_B, "more than 64 MiB of constant data");
   nir_check(&v, shader->info.gs_vertices <= NIR_MAX_GS_VERTICES, "a geometry shader emits up to 256 vertices");
   check_tessellation(&v);
   check_mesh(&v);
   check_variables(&v);
   if (!v.error)
      check_list(&v, &shader->body, NULL);
   nir_check(&v, list_is_empty(&shader->end_block->instrs), "the end block is empty");
   if (!v.error)
      check_uses(&v);
   if (!v.error) {
      nir_foreach_block(block, shader) {
         nir_foreach_instr(instr, block) {
            v.where = instr;
            nir_validate_types(&v, instr);
         }
      }
      v.where = NULL;
   }
   if (!v.error)
      check_dominance(&v);
   return v.error;
}
