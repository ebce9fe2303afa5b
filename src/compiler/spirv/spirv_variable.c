/* Variables: OpVariable at module level, and the first pointer to each variable that the entry point uses. */
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

/* ---- declarations ---- */

struct layout {
   uint64_t size_B;
   uint32_t align_B; /* of the largest scalar inside */
};

static struct layout check_struct(struct spirv_module *m, struct spirv_type *type);

/* Of an explicit layout. Every member needs an offset, every array and matrix a stride, as scalar alignment
 * demands. */
static struct layout
check_layout(struct spirv_module *m, const struct spirv_type *type, uint32_t matrix_stride_B, bool row_major)
{
   struct layout layout = {0, 1};
   switch (type->kind) {
   case SPIRV_TYPE_INT:
   case SPIRV_TYPE_FLOAT:
   case SPIRV_TYPE_VECTOR:
      return (struct layout){type->components * type->bit_size / 8u, type->bit_size / 8u};
   case SPIRV_TYPE_MATRIX:
      layout.align_B = type->bit_size / 8u;
      spirv_require(m, matrix_stride_B && matrix_stride_B % layout.align_B == 0,
                    "a matrix without usable MatrixStride");
      layout.size_B = (uint64_t)matrix_stride_B * (row_major ? type->components : type->columns);
      return layout;
   case SPIRV_TYPE_ARRAY:
      layout = check_layout(m, type->element, matrix_stride_B, row_major);
      spirv_require(m, type->stride_B && type->stride_B % layout.align_B == 0, "array %%%u has no usable ArrayStride",
                    type->id);
      layout.size_B = (uint64_t)type->stride_B * MAX2(type->length, 1);
      break;
   case SPIRV_TYPE_STRUCT:
      return check_struct(m, m->ids[type->id].type);
   case SPIRV_TYPE_POINTER:
      if (type->storage == SpvStorageClassPhysicalStorageBuffer)
         return (struct layout){8, 8};
      spirv_fail(m, "a block holds a %s", spirv_type_name(m, type));
   case SPIRV_TYPE_VOID:
   case SPIRV_TYPE_BOOL:
   case SPIRV_TYPE_FUNCTION:
   case SPIRV_TYPE_IMAGE:
   case SPIRV_TYPE_SAMPLER:
   case SPIRV_TYPE_SAMPLED_IMAGE:
   case SPIRV_TYPE_COOPERATIVE:
      spirv_fail(m, "a block holds a %s", spirv_type_name(m, type));
   }
   spirv_require(m, layout.size_B <= INT32_MAX, "block type %%%u is too large", type->id);
   return layout;
}

/* Once for each type: the ways to members of one type may be as many as two to the power of its depth. */
static struct layout
check_struct(struct spirv_module *m, struct spirv_type *type)
{
   struct layout layout = {0, 1};
   if (type->layout_align_B)
      return (struct layout){type->layout_size_B, type->layout_align_B};
   for (uint32_t i = 0; i < type->length; i++) {
      const struct spirv_member *member = &type->members[i];
      struct layout inner = check_layout(m, member->type, (uint32_t)member->matrix_stride_B, member->row_major);
      spirv_require(m, member->offset_B >= 0 && member->offset_B % inner.align_B == 0,
                    "member %u of %%%u has no usable Offset", i, type->id);
      layout.size_B = MAX2(layout.size_B, (uint64_t)member->offset_B + inner.size_B);
      layout.align_B = MAX2(layout.align_B, inner.align_B);
   }
   spirv_require(m, layout.size_B <= INT32_MAX, "block type %%%u is too large", type->id);
   type->layout_size_B = layout.size_B;
   type->layout_align_B = layout.align_B;
   return layout;
}

uint32_t
spirv_check_layout(struct spirv_module *m, const struct spirv_type *type)
{
   return check_layout(m, type, 0, false).align_B;
}

static const struct spirv_type *
innermost(const struct spirv_type *type)
{
   while (type->kind == SPIRV_TYPE_ARRAY)
      type = type->element;
   return type;
}

/* Such blocks have an explicit layout. */
static bool
is_shared_block(const struct spirv_module *m, const struct spirv_variable *variable)
{
   return variable->storage == SpvStorageClassWorkgroup && variable->type->kind == SPIRV_TYPE_STRUCT &&
          variable->type->is_block && spirv_has(m, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR);
}

static void
check_storage(struct spirv_module *m, const struct spirv_variable *variable)
{
   const struct spirv_type *type = variable->type, *inner = innermost(type);
   switch ((int)variable->storage) {
   case SpvStorageClassUniformConstant:
      spirv_require(m,
                    inner->kind == SPIRV_TYPE_IMAGE || inner->kind == SPIRV_TYPE_SAMPLER ||
                       inner->kind == SPIRV_TYPE_SAMPLED_IMAGE,
                    "a uniform constant of type %s", spirv_type_name(m, type));
      break;
   case SpvStorageClassUniform:
   case SpvStorageClassStorageBuffer:
   case SpvStorageClassPushConstant:
      spirv_require(m, inner->kind == SPIRV_TYPE_STRUCT && (inner->is_block || inner->is_buffer_block),
                    "the variable is no block");
      spirv_require(m, variable->storage == SpvStorageClassUniform || inner->is_block, "the block is a BufferBlock");
      spirv_require(m, variable->storage != SpvStorageClassPushConstant || type->kind == SPIRV_TYPE_STRUCT,
                    "push constants are one block");
      check_layout(m, inner, 0, false);
      break;
   case SpvStorageClassInput:
   case SpvStorageClassOutput:
   case SpvStorageClassPrivate:
   case SpvStorageClassWorkgroup:
   case SpvStorageClassTaskPayloadWorkgroupEXT:
      spirv_require(m, type->nir && !type->has_opaque && type->scalars, "a variable of type %s",
                    spirv_type_name(m, type));
      spirv_require(m, type->scalars <= 1u << 22, "a variable of type %s is too large", spirv_type_name(m, type));
      if (is_shared_block(m, variable))
         check_layout(m, type, 0, false);
      break;
   default: /* others: of capabilities that are refused */
      spirv_fail(m, "storage class %u is not supported here", (unsigned)variable->storage);
   }
}

static void
decorate(struct spirv_module *m, struct spirv_variable *variable)
{
   spirv_for_each_decoration(it, m, variable->id) {
      uint32_t value = it->num_operands ? m->words[it->word] : 0;
      if (it->decoration == SpvDecorationDescriptorSet) {
         variable->set = value;
         variable->has_set = true;
      } else if (it->decoration == SpvDecorationBinding) {
         variable->binding = value;
         variable->has_binding = true;
      } else if (it->decoration == SpvDecorationInputAttachmentIndex) {
         variable->input_attachment_index = value;
         variable->has_input_attachment_index = true;
      } else {
         spirv_io_decorate(m, &variable->io, it);
      }
   }
}

/* What the variable holds. An untyped one names it. */
static const struct spirv_type *
data_type(struct spirv_module *m, const struct spirv_type *pointer, const uint32_t *w)
{
   const bool untyped = spirv_opcode(w) == SpvOpUntypedVariableKHR;
   spirv_require(m, pointer->kind == SPIRV_TYPE_POINTER && pointer->storage == (SpvStorageClass)w[3],
                 "the type is no pointer of the storage class");
   spirv_require(m, pointer->is_untyped == untyped, "the pointer type is %s", untyped ? "typed" : "untyped");
   spirv_require(m, !untyped || spirv_length(w) > 4, "the variable has no data type");
   return untyped ? spirv_type(m, w[4]) : pointer->element;
}

void
spirv_variable_instruction(struct spirv_module *m, const uint32_t *w)
{
   struct spirv_variable *variable = arena_new(&m->temp, struct spirv_variable);
   const struct spirv_type *pointer = spirv_type(m, w[1]);
   const uint32_t at = m->at, initializer = pointer->is_untyped ? 5 : 4;
   variable->id = w[2];
   variable->type = data_type(m, pointer, w);
   variable->is_untyped = pointer->is_untyped;
   variable->storage = (SpvStorageClass)w[3];
   variable->word = at;
   variable->name = m->ids[w[2]].name;
   spirv_io_init(&variable->io);
   decorate(m, variable);
   m->at = at;
   check_storage(m, variable);
   if (spirv_length(w) > initializer) {
      variable->initializer = spirv_constant(m, w[initializer]);
      spirv_require(m,
                    variable->storage == SpvStorageClassPrivate || variable->storage == SpvStorageClassOutput ||
                       variable->storage == SpvStorageClassWorkgroup,
                    "an initializer in this storage class is not supported");
      spirv_require(
         m, variable->storage != SpvStorageClassWorkgroup || m->ids[w[initializer]].opcode == SpvOpConstantNull,
         "the initializer of workgroup memory is not OpConstantNull");
      spirv_require(m, variable->initializer->type == variable->type, "the initializer has the wrong type");
   }
   dynarray_append(&m->variables, struct spirv_variable *, variable);
   m->ids[w[2]].kind = SPIRV_ID_VARIABLE;
   m->ids[w[2]].variable = variable;
}

/* ---- the first pointer ---- */

static struct nir_variable *
create(struct spirv_emit *e, const struct spirv_variable *variable, uint32_t mode, const struct nir_type *type)
{
   const char *name = variable->name && *variable->name ? arena_strdup(e->m->arena, variable->name) : NULL;
   struct nir_variable *nir = nir_variable_create(e->shader, mode, type, name);
   nir->location = -1;
   nir->access = variable->io.access;
   return nir;
}

static void
describe_binding(struct spirv_emit *e, const struct spirv_variable *variable, struct nir_variable *nir)
{
   spirv_require(e->m, variable->has_set && variable->has_binding, "%%%u has no descriptor set or binding",
                 variable->id);
   nir->set = variable->set;
   nir->binding = variable->binding;
}

static void
opaque_variable(struct spirv_emit *e, struct spirv_variable *variable, struct spirv_pointer *pointer)
{
   const struct spirv_type *type = innermost(variable->type);
   variable->nir = create(e, variable, NIR_VAR_UNIFORM, variable->type->nir);
   describe_binding(e, variable, variable->nir);
   variable->nir->input_attachment_index = variable->input_attachment_index;
   if (type->kind == SPIRV_TYPE_IMAGE) {
      bool subpass = type->dim == NIR_DIM_SUBPASS || type->dim == NIR_DIM_SUBPASS_MS;
      spirv_require(e->m,
                    !subpass || (variable->has_input_attachment_index && e->shader->stage == NIR_STAGE_FRAGMENT),
                    "input attachment %%%u has no index or is not in a fragment shader", variable->id);
   }
   pointer->deref = nir_build_deref_var(&e->start, variable->nir);
}

static void
block_variable(struct spirv_emit *e, struct spirv_variable *variable, struct spirv_pointer *pointer)
{
   const struct spirv_type *block = innermost(variable->type);
   bool is_ssbo = variable->storage == SpvStorageClassStorageBuffer || block->is_buffer_block;
   variable->nir = create(e, variable, is_ssbo ? NIR_VAR_SSBO : NIR_VAR_UBO, variable->type->nir);
   describe_binding(e, variable, variable->nir);
   bool read_only = true;
   for (uint32_t i = 0; i < block->length; i++)
      read_only &= (block->members[i].access & NIR_ACCESS_NON_WRITEABLE) != 0;
   if (!is_ssbo || read_only)
      variable->nir->access |= NIR_ACCESS_NON_WRITEABLE;
   pointer->is_mutable = is_ssbo;
   pointer->access = variable->nir->access;
}

/* Stores the value at the start. One builder makes constants, derefs and stores, so that each stands before its uses.
 */
static void
store_at_start(struct spirv_emit *e, const struct spirv_pointer *pointer, const struct spirv_ssa *value)
{
   if (!pointer->members) {
      spirv_store_deref(e, &e->start, pointer->deref, value, pointer->access);
      return;
   }
   for (uint32_t i = 0; i < pointer->type->length; i++)
      store_at_start(e, spirv_io_member(e, pointer, i), spirv_ssa_part(value, i));
}

/* Appends the scalars of the constant, depth first. */
static void
flatten(const struct spirv_type *type, const struct spirv_constant *constant, union nir_const_value **to)
{
   if (!spirv_is_composite(type)) {
      for (uint32_t i = 0; constant && i < type->components; i++)
         (*to)[i] = constant->value[i];
      *to += type->components;
      return;
   }
   for (uint32_t i = 0; i < spirv_child_count(type); i++)
      flatten(spirv_child_type(type, i), constant ? spirv_constant_part(constant, i) : NULL, to);
}

static void
initialize(struct spirv_emit *e, struct spirv_variable *variable, const struct spirv_pointer *pointer)
{
   if (!variable->initializer)
      return;
   if (variable->storage == SpvStorageClassWorkgroup) {
      variable->nir->zeroed = true;
      return;
   }
   if (variable->storage != SpvStorageClassPrivate) {
      store_at_start(e, pointer, spirv_ssa_constant(e, variable->initializer));
      return;
   }
   union nir_const_value *values = arena_array(e->m->arena, union nir_const_value, variable->type->scalars),
                         *to = values;
   flatten(variable->type, variable->initializer, &to);
   variable->nir->initializer = values;
}

static bool
is_aliased(const struct spirv_module *m, uint32_t id)
{
   spirv_for_each_decoration(it, m, id) {
      if (it->member < 0 && it->decoration == SpvDecorationAliased)
         return true;
   }
   return false;
}

static void
plain_variable(struct spirv_emit *e, struct spirv_variable *variable, struct spirv_pointer *pointer, uint32_t mode)
{
   spirv_require(e->m, mode != NIR_VAR_SHARED || NIR_STAGES_WORKGROUPS >> e->shader->stage & 1,
                 "workgroup memory in a stage that has none");
   variable->nir = create(e, variable, mode, variable->type->nir);
   variable->nir->aliased = mode == NIR_VAR_SHARED && is_aliased(e->m, variable->id);
   pointer->deref = nir_build_deref_var(&e->start, variable->nir);
   pointer->is_mutable = mode != NIR_VAR_PUSH_CONST;
}

/* Tasks write it, meshes read it. */
static void
payload_variable(struct spirv_emit *e, struct spirv_variable *variable, struct spirv_pointer *pointer)
{
   const bool task = e->shader->stage == NIR_STAGE_TASK;
   spirv_require(e->m, task || e->shader->stage == NIR_STAGE_MESH, "a payload of tasks in a stage that has none");
   plain_variable(e, variable, pointer, NIR_VAR_TASK_PAYLOAD);
   pointer->is_mutable = task;
}

struct spirv_pointer *
spirv_variable_pointer(struct spirv_emit *e, struct spirv_variable *variable)
{
   if (variable->pointer)
      return variable->pointer;
   struct spirv_pointer *pointer = arena_new(&e->m->temp, struct spirv_pointer);
   *pointer = (struct spirv_pointer){.type = variable->type,
                                     .storage = variable->storage,
                                     .var = variable,
                                     .access = variable->io.access,
                                     .is_untyped = variable->is_untyped};
   bool interface = variable->storage == SpvStorageClassInput || variable->storage == SpvStorageClassOutput;
   spirv_require(e->m, !(interface || e->m->version >= 0x104) || e->m->ids[variable->id].flags & SPIRV_ID_INTERFACE,
                 "variable %%%u is not in the interface of the entry point", variable->id);
   switch ((int)variable->storage) {
   case SpvStorageClassUniformConstant:
      opaque_variable(e, variable, pointer);
      break;
   case SpvStorageClassUniform:
   case SpvStorageClassStorageBuffer:
      block_variable(e, variable, pointer);
      break;
   case SpvStorageClassPushConstant:
      plain_variable(e, variable, pointer, NIR_VAR_PUSH_CONST);
      break;
   case SpvStorageClassPrivate:
      plain_variable(e, variable, pointer, NIR_VAR_FUNCTION_TEMP);
      break;
   case SpvStorageClassWorkgroup:
      plain_variable(e, variable, pointer, NIR_VAR_SHARED);
      break;
   case SpvStorageClassTaskPayloadWorkgroupEXT:
      payload_variable(e, variable, pointer);
      break;
   default: /* others: input and output, the rest is refused above */
      spirv_io_pointer(e, pointer, &variable->io);
   }
   variable->pointer = pointer;
   initialize(e, variable, pointer);
   return pointer;
}

struct nir_variable *
spirv_temporary(struct spirv_emit *e, const struct spirv_type *type)
{
   spirv_require(e->m, type->nir && !type->has_opaque && type->scalars && type->scalars <= 1u << 22,
                 "a variable of type %s", spirv_type_name(e->m, type));
   struct nir_variable *variable = nir_variable_create(e->shader, NIR_VAR_FUNCTION_TEMP, type->nir, NULL);
   variable->location = -1;
   return variable;
}
