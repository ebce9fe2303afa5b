/* Facts of a shader that state setup and drivers ask for. */
#include "compiler/nir/nir.h"

/* Where the slots of an input or output belong; those of patches have numbers of their own. */
static uint64_t *
slots_read(struct nir_shader_info *info, bool is_output, bool is_patch)
{
   if (is_output)
      return is_patch ? &info->patch_outputs_read : &info->outputs_read;
   return is_patch ? &info->patch_inputs_read : &info->inputs_read;
}

static uint64_t *
slots_written(struct nir_shader_info *info, bool is_patch)
{
   return is_patch ? &info->patch_outputs_written : &info->outputs_written;
}

static bool
is_patch_variable(const struct nir_shader *shader, const struct nir_variable *variable)
{
   const enum nir_stage stage = variable->mode == NIR_VAR_SHADER_OUT ? NIR_STAGE_TESS_CTRL : NIR_STAGE_TESS_EVAL;
   return shader->stage == stage && !variable->per_vertex;
}

/* Of a variable with a location, if there are several vertices those of one. */
static uint64_t
variable_slots(const struct nir_variable *variable)
{
   uint64_t slots = 0;
   unsigned count = nir_type_slots(variable->per_vertex ? variable->type->element : variable->type);
   if (nir_slot_is_packed((unsigned)variable->location))
      count = (count + 3) / 4; /* four distances to a slot */
   for (unsigned i = 0; i < count && variable->location + i < NIR_SLOT_COUNT; i++)
      slots |= UINT64_C(1) << (variable->location + i);
   return slots;
}

static void
gather_variable_access(struct nir_shader *shader, const struct nir_intrinsic_instr *instr)
{
   struct nir_shader_info *info = &shader->info;
   const struct nir_deref_instr *deref = nir_as_deref(instr->src[0].def->parent);
   if (instr->op == NIR_INTRINSIC_copy_deref)
      return; /* gone before this matters: nir_lower_copies */
   while (deref->deref_type == NIR_DEREF_ARRAY || deref->deref_type == NIR_DEREF_STRUCT)
      deref = nir_as_deref(deref->parent.def->parent);
   bool writes = !nir_intrinsic_infos[instr->op].has_dest || instr->op == NIR_INTRINSIC_deref_atomic ||
                 instr->op == NIR_INTRINSIC_deref_atomic_swap;
   info->writes_memory |= writes && (deref->mode & (NIR_VAR_SSBO | NIR_VAR_GLOBAL));
   if (deref->deref_type != NIR_DEREF_VAR || deref->var->location < 0)
      return;
   const uint64_t slots = variable_slots(deref->var);
   const bool is_patch = is_patch_variable(shader, deref->var);
   if (deref->mode == NIR_VAR_SHADER_OUT && writes)
      *slots_written(info, is_patch) |= slots;
   else if (deref->mode & (NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT))
      *slots_read(info, deref->mode == NIR_VAR_SHADER_OUT, is_patch) |= slots;
}

static void
gather_io(struct nir_shader *shader, const struct nir_intrinsic_instr *instr)
{
   struct nir_shader_info *info = &shader->info;
   const enum nir_intrinsic_op op = instr->op;
   if (!nir_intrinsic_has_slot(instr))
      return;
   const struct nir_src *offset = &instr->src[nir_intrinsic_infos[instr->op].num_srcs - 1];
   uint32_t slot = nir_intrinsic_slot(instr);
   if (nir_src_is_const(*offset))
      slot += (uint32_t)nir_src_comp_as_uint(*offset, 0);
   if (slot >= NIR_SLOT_COUNT)
      return;
   const bool is_output = op == NIR_INTRINSIC_load_output || op == NIR_INTRINSIC_load_per_vertex_output;
   const bool is_patch = (shader->stage == NIR_STAGE_TESS_CTRL &&
                          (op == NIR_INTRINSIC_store_output || op == NIR_INTRINSIC_load_output)) ||
                         (shader->stage == NIR_STAGE_TESS_EVAL && op == NIR_INTRINSIC_load_input);
   if (!nir_intrinsic_infos[op].has_dest)
      *slots_written(info, is_patch) |= UINT64_C(1) << slot;
   else
      *slots_read(info, is_output, is_patch) |= UINT64_C(1) << slot;
}

static bool
writes_memory(enum nir_intrinsic_op op)
{
   switch ((int)op) {
   case NIR_INTRINSIC_image_deref_store:
   case NIR_INTRINSIC_image_deref_atomic:
   case NIR_INTRINSIC_image_deref_atomic_swap:
   case NIR_INTRINSIC_store_ssbo:
   case NIR_INTRINSIC_ssbo_atomic:
   case NIR_INTRINSIC_ssbo_atomic_swap:
   case NIR_INTRINSIC_store_global:
   case NIR_INTRINSIC_global_atomic:
   case NIR_INTRINSIC_global_atomic_swap:
   case NIR_INTRINSIC_image_store:
   case NIR_INTRINSIC_image_atomic:
   case NIR_INTRINSIC_image_atomic_swap:
   case NIR_INTRINSIC_store_texel_buffer:
   case NIR_INTRINSIC_texel_buffer_atomic:
   case NIR_INTRINSIC_texel_buffer_atomic_swap:
      return true;
   default: /* others: write no memory */
      return false;
   }
}

static void
gather_intrinsic(struct nir_shader *shader, const struct nir_intrinsic_instr *instr)
{
   struct nir_shader_info *info = &shader->info;
   enum nir_intrinsic_op op = instr->op;
   info->writes_memory |= writes_memory(op);
   if (op == NIR_INTRINSIC_load_sample_id || op == NIR_INTRINSIC_load_sample_pos ||
       op == NIR_INTRINSIC_load_barycentric_sample)
      info->uses_sample_shading = true;
   if (op == NIR_INTRINSIC_begin_invocation_interlock)
      info->uses_interlock = true;
   if (op >= NIR_INTRINSIC_load_deref && op <= NIR_INTRINSIC_deref_atomic_swap)
      gather_variable_access(shader, instr);
   gather_io(shader, instr);
}

static const struct nir_type *
of_vertex(const struct nir_shader *shader, const struct nir_variable *variable)
{
   return shader->stage == NIR_STAGE_MESH && variable->per_vertex ? variable->type->element : variable->type;
}

static void
gather_variables(struct nir_shader *shader)
{
   nir_foreach_variable(variable, shader) {
      if (variable->mode == NIR_VAR_SHADER_IN && variable->sample)
         shader->info.uses_sample_shading = true;
      const struct nir_type *type = of_vertex(shader, variable);
      if (variable->mode != NIR_VAR_SHADER_OUT)
         continue;
      if (variable->per_primitive && variable->location >= 0)
         shader->info.primitive_outputs |= variable_slots(variable);
      if (type->base == NIR_TYPE_ARRAY && variable->location == NIR_SLOT_CLIP_DIST0)
         shader->info.clip_distances = (uint8_t)type->length;
      if (type->base == NIR_TYPE_ARRAY && variable->location == NIR_SLOT_CULL_DIST0)
         shader->info.cull_distances = (uint8_t)type->length;
   }
}

void
nir_gather_info(struct nir_shader *shader)
{
   struct nir_shader_info *info = &shader->info;
   info->inputs_read = info->outputs_written = info->outputs_read = info->primitive_outputs = 0;
   info->patch_inputs_read = info->patch_outputs_written = info->patch_outputs_read = 0;
   info->writes_memory = info->uses_interlock = false;
   gather_variables(shader);
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            gather_intrinsic(shader, nir_as_intrinsic(instr));
      }
   }
   info->writes_stencil = info->outputs_written >> NIR_SLOT_FRAG_STENCIL & 1;
   info->writes_sample_mask = info->outputs_written >> NIR_SLOT_FRAG_SAMPLE_MASK & 1;
}
