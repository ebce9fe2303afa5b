/* Pointers, loads and stores. */
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

uint32_t
spirv_memory_access(const uint32_t *w, uint32_t words)
{
   uint32_t access = 0;
   if (!words)
      return 0;
   if (w[0] & SpvMemoryAccessVolatileMask)
      access |= NIR_ACCESS_VOLATILE;
   if (w[0] & (SpvMemoryAccessMakePointerAvailableMask | SpvMemoryAccessMakePointerVisibleMask))
      access |= NIR_ACCESS_COHERENT;
   return access;
}

/* Words that a memory access operand takes: the mask and what its bits bring. */
static uint32_t
access_words(const uint32_t *w, uint32_t words)
{
   if (!words)
      return 0;
   uint32_t with_operand = w[0] & (SpvMemoryAccessAlignedMask | SpvMemoryAccessMakePointerAvailableMask |
                                   SpvMemoryAccessMakePointerVisibleMask);
   return 1 + (uint32_t)__builtin_popcount(with_operand);
}

/* ---- pointers ---- */

/* The buffer block that a descriptor names. */
static struct nir_deref_instr *
block_deref(struct spirv_emit *e, const struct spirv_pointer *pointer)
{
   struct spirv_variable *variable = pointer->var;
   bool is_ssbo = variable->nir->mode == NIR_VAR_SSBO, single = variable->type->kind == SPIRV_TYPE_STRUCT;
   const bool is_own = single && pointer->type == variable->type;
   if (is_own && variable->block)
      return variable->block;
   struct nir_builder *b = single ? &e->start : &e->b;
   struct nir_def *index = pointer->block_index ? pointer->block_index : nir_imm_int(b, 0);
   struct nir_def *buffer = nir_vulkan_resource_index(b, index, .set = variable->set, .binding = variable->binding,
                                                      .descriptor_kind = is_ssbo ? NIR_DESCRIPTOR_STORAGE_BUFFER
                                                                                 : NIR_DESCRIPTOR_UNIFORM_BUFFER);
   struct nir_deref_instr *deref = nir_build_deref_cast(b, buffer, variable->nir->mode, pointer->type->nir);
   if (is_own)
      variable->block = deref;
   return deref;
}

struct nir_deref_instr *
spirv_pointer_deref(struct spirv_emit *e, const struct spirv_pointer *pointer)
{
   spirv_require(e->m, pointer->deref || pointer->type->kind == SPIRV_TYPE_STRUCT,
                 "an array of blocks where one is wanted");
   return pointer->deref ? pointer->deref : block_deref(e, pointer);
}

static struct spirv_pointer *
struct_member(struct spirv_emit *e, const struct spirv_pointer *pointer, uint32_t index)
{
   spirv_require(e->m, index < pointer->type->length, "the structure has no member %u", index);
   if (pointer->members)
      return spirv_io_member(e, pointer, index);
   struct spirv_pointer *member = arena_dup(&e->m->temp, pointer, sizeof(*pointer));
   member->deref = nir_build_deref_struct(&e->b, spirv_pointer_deref(e, pointer), index);
   member->type = pointer->type->members[index].type;
   member->access |= pointer->type->members[index].access;
   return member;
}

/* One step of an access chain; a constant index is given as such. */
static struct spirv_pointer *
spirv_pointer_child(struct spirv_emit *e, const struct spirv_pointer *pointer, struct nir_def *index,
                    uint32_t constant, bool is_constant)
{
   const struct spirv_type *type = pointer->type;
   if (type->kind == SPIRV_TYPE_STRUCT) {
      spirv_require(e->m, is_constant, "the index of a structure is no constant");
      return struct_member(e, pointer, constant);
   }
   spirv_require(e->m, spirv_is_composite(type) || type->kind == SPIRV_TYPE_VECTOR, "an index into %s",
                 spirv_type_name(e->m, type));
   /* A constant beyond the end is undefined behaviour at run time; nir must not see it. */
   uint32_t length = type->kind == SPIRV_TYPE_VECTOR ? type->components : spirv_child_count(type);
   if (is_constant && length)
      constant = MIN2(constant, length - 1);
   if (is_constant)
      index = spirv_int_constant(e, constant);
   struct spirv_pointer *child = arena_dup(&e->m->temp, pointer, sizeof(*pointer));
   child->type = type->element;
   if (pointer->vertices && !pointer->vertex) {
      return spirv_io_vertex(e, pointer, index);
   } else if (pointer->deref) {
      child->deref = nir_build_deref_array(&e->b, pointer->deref, index);
   } else {
      spirv_require(e->m, !pointer->members, "an array of input or output structures");
      child->block_index = pointer->block_index
                              ? nir_iadd(&e->b, nir_imul_imm(&e->b, pointer->block_index, (int64_t)length), index)
                              : index;
   }
   return child;
}

/* The index of a chain that is no constant of up to 32 bits. Of 64 bits it remains where pointers are; elsewhere what
 * goes beyond 32 is as far outside as their largest number. */
static struct nir_def *
chain_index(struct spirv_emit *e, const struct spirv_pointer *pointer, uint32_t id)
{
   const struct spirv_type *type = spirv_type_of(e, id);
   if (type->kind != SPIRV_TYPE_INT || type->bit_size != 64)
      return spirv_index(e, id);
   if (pointer->storage == SpvStorageClassPhysicalStorageBuffer)
      return spirv_def(e, id);
   return nir_u2uN(&e->b, nir_umin(&e->b, spirv_def(e, id), nir_imm_intN(&e->b, UINT32_MAX, 64)), 32);
}

/* The children of a pointer that nothing bounds. */
static bool
is_unbounded(const struct spirv_pointer *pointer)
{
   return pointer->storage == SpvStorageClassPhysicalStorageBuffer && spirv_is_composite(pointer->type) &&
          pointer->type->kind != SPIRV_TYPE_STRUCT && !spirv_child_count(pointer->type);
}

struct spirv_pointer *
spirv_chain(struct spirv_emit *e, struct spirv_pointer *pointer, const uint32_t *w, uint32_t first)
{
   struct spirv_module *m = e->m;
   uint32_t non_uniform = m->ids[w[2]].flags & SPIRV_ID_NON_UNIFORM;
   for (uint32_t i = first; i < spirv_length(w); i++) {
      const struct spirv_id *id = &m->ids[w[i]];
      bool is_constant = id->kind == SPIRV_ID_CONSTANT;
      non_uniform |= id->flags & SPIRV_ID_NON_UNIFORM;
      if (is_constant && !(is_unbounded(pointer) && spirv_constant_uint(m, w[i]) > INT32_MAX)) {
         uint64_t value = spirv_constant_uint(m, w[i]);
         pointer = spirv_pointer_child(e, pointer, NULL, (uint32_t)MIN2(value, UINT32_MAX), true);
      } else {
         spirv_require(m, pointer->type->kind != SPIRV_TYPE_STRUCT, "the index of a structure is no constant");
         pointer = spirv_pointer_child(e, pointer, chain_index(e, pointer, w[i]), 0, false);
      }
   }
   struct spirv_pointer *result = arena_dup(&m->temp, pointer, sizeof(*pointer));
   if (non_uniform)
      result->access |= NIR_ACCESS_NON_UNIFORM;
   return result;
}

static void
access_chain(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   struct spirv_pointer *pointer = spirv_pointer(e, w[3]);
   uint32_t first = 4;
   spirv_require(e->m, !pointer->is_texel, "%%%u points to a texel", w[3]);
   if (spirv_opcode(w) == SpvOpPtrAccessChain || spirv_opcode(w) == SpvOpInBoundsPtrAccessChain)
      pointer = spirv_element_pointer(e, w[3], w[first++]);
   pointer = spirv_chain(e, pointer, w, first);
   spirv_require(
      e->m, type->kind == SPIRV_TYPE_POINTER && type->storage == pointer->storage && type->element == pointer->type,
      "the result type does not fit what the chain reaches: %s", spirv_type_name(e->m, pointer->type));
   spirv_set_pointer(e, w[2], pointer);
}

/* ---- whole values ---- */

struct spirv_ssa *
spirv_load_deref(struct spirv_emit *e, struct nir_builder *b, struct nir_deref_instr *deref,
                 const struct spirv_type *type, uint32_t access)
{
   struct spirv_ssa *ssa = spirv_ssa_new(e, type);
   if (!spirv_is_composite(type)) {
      ssa->def = nir_build_load_deref_of(b, deref, access);
      return ssa;
   }
   for (uint32_t i = 0; i < spirv_child_count(type); i++) {
      bool is_struct = type->kind == SPIRV_TYPE_STRUCT;
      struct nir_deref_instr *child =
         is_struct ? nir_build_deref_struct(b, deref, i) : nir_build_deref_array(b, deref, spirv_int_constant(e, i));
      const uint32_t own = is_struct ? type->members[i].access : 0;
      spirv_ssa_put(e, ssa, i, spirv_load_deref(e, b, child, spirv_child_type(type, i), access | own));
   }
   return ssa;
}

void
spirv_store_deref(struct spirv_emit *e, struct nir_builder *b, struct nir_deref_instr *deref,
                  const struct spirv_ssa *value, uint32_t access)
{
   const struct spirv_type *type = value->type;
   if (!spirv_is_composite(type)) {
      nir_build_store_deref_of(b, deref, value->def, 0, access);
      return;
   }
   spirv_count_work(e, spirv_child_count(type));
   for (uint32_t i = 0; i < spirv_child_count(type); i++) {
      bool is_struct = type->kind == SPIRV_TYPE_STRUCT;
      struct nir_deref_instr *child =
         is_struct ? nir_build_deref_struct(b, deref, i) : nir_build_deref_array(b, deref, spirv_int_constant(e, i));
      const uint32_t own = is_struct ? type->members[i].access : 0;
      spirv_store_deref(e, b, child, spirv_ssa_part(value, i), access | own);
   }
}

/* Of an input or output that became a variable per member: a member, or a vertex of an array of vertices. */
static struct spirv_pointer *
split_part(struct spirv_emit *e, const struct spirv_pointer *pointer, uint32_t i)
{
   const bool by_vertex = pointer->vertices && !pointer->vertex;
   return by_vertex ? spirv_io_vertex(e, pointer, spirv_int_constant(e, i)) : spirv_io_member(e, pointer, i);
}

struct spirv_ssa *
spirv_load(struct spirv_emit *e, const struct spirv_pointer *pointer, uint32_t access)
{
   spirv_require(e->m, !pointer->is_texel, "a load of a texel pointer");
   access |= pointer->access;
   if (pointer->members) {
      struct spirv_ssa *ssa = spirv_ssa_new(e, pointer->type);
      for (uint32_t i = 0; i < pointer->type->length; i++)
         spirv_ssa_put(e, ssa, i, spirv_load(e, split_part(e, pointer, i), access));
      return ssa;
   }
   struct nir_deref_instr *deref = spirv_pointer_deref(e, pointer);
   /* Other loads of uniform buffers move anywhere. */
   if (deref->mode == NIR_VAR_UBO && access & NIR_ACCESS_COHERENT)
      access |= NIR_ACCESS_VOLATILE;
   return spirv_load_deref(e, &e->b, deref, pointer->type, access);
}

void
spirv_store(struct spirv_emit *e, const struct spirv_pointer *pointer, struct spirv_ssa *value, uint32_t access)
{
   access |= pointer->access;
   spirv_require(e->m, value->type == pointer->type, "the value has the type %s, the pointer wants %s",
                 spirv_type_name(e->m, value->type), spirv_type_name(e->m, pointer->type));
   spirv_require(e->m, pointer->is_mutable && !pointer->is_texel, "a store to what cannot be written");
   if (pointer->members) {
      for (uint32_t i = 0; i < pointer->type->length; i++)
         spirv_store(e, split_part(e, pointer, i), spirv_ssa_part(value, i), access);
      return;
   }
   spirv_store_deref(e, &e->b, spirv_pointer_deref(e, pointer), value, access);
}

/* ---- instructions ---- */

static void
load(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   const struct spirv_pointer *pointer = spirv_pointer_as(e, spirv_pointer(e, w[3]), type);
   spirv_require(e->m, type == pointer->type, "the pointer refers to %s", spirv_type_name(e->m, pointer->type));
   uint32_t access = spirv_memory_access(w + 4, spirv_length(w) - 4);
   if (!type->has_opaque) {
      spirv_set_ssa(e, w, spirv_load(e, pointer, access));
      return;
   }
   spirv_require(e->m, pointer->deref && !spirv_is_composite(type), "a load of several images or samplers");
   struct spirv_handle *handle = arena_new(&e->m->temp, struct spirv_handle);
   *handle = (struct spirv_handle){.type = type, .access = pointer->access | access};
   if (e->m->ids[w[2]].flags & SPIRV_ID_NON_UNIFORM)
      handle->access |= NIR_ACCESS_NON_UNIFORM;
   if (type->kind != SPIRV_TYPE_SAMPLER) {
      handle->image = pointer->deref;
      handle->image_type = type->kind == SPIRV_TYPE_IMAGE ? type : type->element;
   }
   if (type->kind != SPIRV_TYPE_IMAGE)
      handle->sampler = pointer->deref;
   spirv_set_handle(e, w[2], handle);
}

static void
store(struct spirv_emit *e, const uint32_t *w)
{
   struct spirv_ssa *value = spirv_ssa(e, w[2]);
   spirv_store(e, spirv_pointer_as(e, spirv_pointer(e, w[1]), value->type), value,
               spirv_memory_access(w + 3, spirv_length(w) - 3));
}

static void
copy_memory(struct spirv_emit *e, const uint32_t *w)
{
   uint32_t words = spirv_length(w) - 3, first = access_words(w + 3, words);
   uint32_t to_access = spirv_memory_access(w + 3, words);
   /* A second mask is for the source. */
   uint32_t from_access = words > first ? spirv_memory_access(w + 3 + first, words - first) : to_access;
   struct spirv_pointer *to = spirv_pointer(e, w[1]), *from = spirv_pointer(e, w[2]);
   spirv_require(e->m, !to->is_untyped || !from->is_untyped, "no pointer tells what is copied");
   to = spirv_pointer_as(e, to, from->type);
   from = spirv_pointer_as(e, from, to->type);
   spirv_require(e->m, to->type == from->type && !to->type->has_opaque, "the pointers refer to different types");
   spirv_store(e, to, spirv_load(e, from, from_access), to_access);
}

void
spirv_array_length(struct spirv_emit *e, const uint32_t *w, const struct spirv_pointer *pointer, uint32_t member)
{
   const bool is_variable = pointer->var && pointer->var->nir && pointer->var->nir->mode == NIR_VAR_SSBO;
   const bool is_value = pointer->deref && pointer->deref->mode == NIR_VAR_SSBO;
   spirv_require(e->m, (is_variable || is_value) && pointer->type->kind == SPIRV_TYPE_STRUCT,
                 "the pointer refers to no storage block");
   struct spirv_pointer *array = struct_member(e, pointer, member);
   spirv_require(e->m, array->type->kind == SPIRV_TYPE_ARRAY && !array->type->length,
                 "member %u is no run-time array", member);
   spirv_require(e->m, spirv_is_int(spirv_result_type(e, w)), "the result type is no integer");
   spirv_set_def(e, w, nir_deref_array_length(&e->b, &array->deref->def, .access = array->access));
}

/* A variable of the function. */
static void
variable(struct spirv_emit *e, const uint32_t *w)
{
   struct spirv_module *m = e->m;
   const struct spirv_type *type = spirv_result_type(e, w);
   struct spirv_id *id = &m->ids[w[2]];
   spirv_require(m,
                 type->kind == SPIRV_TYPE_POINTER && w[3] == SpvStorageClassFunction &&
                    type->storage == SpvStorageClassFunction,
                 "a variable in a function must be of storage class Function");
   if (id->kind != SPIRV_ID_POINTER) {
      struct spirv_pointer *pointer = arena_new(&m->temp, struct spirv_pointer);
      struct nir_variable *nir = spirv_temporary(e, type->element);
      nir->name = id->name && *id->name ? arena_strdup(m->arena, id->name) : NULL;
      *pointer = (struct spirv_pointer){.type = type->element,
                                        .storage = SpvStorageClassFunction,
                                        .is_mutable = true,
                                        .deref = nir_build_deref_var(&e->start, nir)};
      spirv_set_pointer(e, w[2], pointer);
   }
   if (spirv_length(w) > 4) {
      struct spirv_constant *constant = spirv_constant(m, w[4]);
      spirv_store(e, id->pointer, spirv_ssa_constant(e, constant), 0);
   }
}

bool
spirv_emit_memory(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_opcode(w)) {
   case SpvOpVariable:
      variable(e, w);
      return true;
   case SpvOpAccessChain:
   case SpvOpInBoundsAccessChain:
   case SpvOpPtrAccessChain:
   case SpvOpInBoundsPtrAccessChain:
      access_chain(e, w);
      return true;
   case SpvOpLoad:
      load(e, w);
      return true;
   case SpvOpStore:
      store(e, w);
      return true;
   case SpvOpCopyMemory:
      copy_memory(e, w);
      return true;
   case SpvOpArrayLength:
      spirv_array_length(e, w, spirv_pointer(e, w[3]), w[4]);
      return true;
   default: /* others: not of this file */
      return false;
   }
}
