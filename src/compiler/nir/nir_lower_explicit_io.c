/* Memory behind derefs to byte offsets, by the explicit layout of the types. Booleans (workgroup variables and
 * temporaries) are kept as 32 bits. */
#include "compiler/nir/nir_constant_data.h"
#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

struct address {
   uint32_t mode;
   struct nir_def *buffer; /* ubo, ssbo; global: the address of the root */
   struct nir_def *offset; /* run-time part, NULL: none */
   uint32_t constant_B;
   uint32_t base_B; /* of the variable */
   uint32_t align_mul;
   const struct nir_type *type;
   uint32_t component_B; /* distance of the components of the vector at the end */
};

#define MODES                                                                                                        \
   (NIR_VAR_UBO | NIR_VAR_SSBO | NIR_VAR_PUSH_CONST | NIR_VAR_SHARED | NIR_VAR_CONSTANT | NIR_VAR_FUNCTION_TEMP |   \
    NIR_VAR_TASK_PAYLOAD | NIR_VAR_GLOBAL)

static uint32_t
memory_bits(const struct nir_type *type)
{
   return type->bit_size == 1 ? 32 : type->bit_size;
}

/* Size of the scalars at the end of a path: what pointers to them are aligned to. */
static uint32_t
scalar_B(const struct nir_type *type)
{
   return nir_type_is_numeric(type) ? memory_bits(type) / 8 : 1;
}

/* What lies further away is no base of an access, which has 32 bits and a sign. */
#define GLOBAL_FAR_B (INT64_C(1) << 30)

static void
add_scaled(struct nir_builder *b, struct address *address, const struct nir_src *index, uint32_t stride_B)
{
   const bool global = address->mode == NIR_VAR_GLOBAL;
   if (nir_src_is_const(*index)) {
      const uint64_t value = nir_src_comp_as_uint(*index, 0);
      const int64_t places = index->def->bit_size == 64 ? (int64_t)value : (int32_t)value;
      const bool near = places == (int32_t)places;
      const int64_t add_B = (int64_t)((uint64_t)places * stride_B), sum_B = (int32_t)address->constant_B + add_B;
      if (!global || (near && sum_B < GLOBAL_FAR_B && sum_B > -GLOBAL_FAR_B)) {
         address->constant_B += (uint32_t)add_B;
         return;
      }
   }
   struct nir_def *offset = global ? nir_i2iN(b, index->def, 64) : index->def;
   offset = nir_imul_imm(b, offset, stride_B);
   address->offset = address->offset ? nir_iadd(b, address->offset, offset) : offset;
   if (stride_B)
      address->align_mul = MIN2(address->align_mul, stride_B & -stride_B);
}

static void
add_step(struct nir_builder *b, struct address *address, const struct nir_deref_instr *step,
         const struct nir_type *type)
{
   if (step->deref_type == NIR_DEREF_STRUCT) {
      assert(type->fields[step->field].offset_B >= 0 && "memory without a layout");
      address->constant_B += (uint32_t)type->fields[step->field].offset_B;
      return;
   }
   if (type->base == NIR_TYPE_ARRAY) {
      assert((type->stride_B || type->length == 1) && "memory without a layout");
      add_scaled(b, address, &step->index, type->stride_B);
   } else if (type->columns > 1 && type->row_major) {
      add_scaled(b, address, &step->index, memory_bits(type) / 8);
      address->component_B = type->stride_B;
   } else if (type->columns > 1) {
      add_scaled(b, address, &step->index, type->stride_B);
   } else {
      add_scaled(b, address, &step->index, address->component_B ? address->component_B : memory_bits(type) / 8);
   }
}

/* Of a buffer named by a variable: array indices up to the block choose the descriptor. Returns the next step. */
static unsigned
resource_of_variable(struct nir_builder *b, struct address *address, const struct nir_deref_path *path)
{
   const struct nir_variable *variable = path->path[0]->var;
   struct nir_def *index = nir_imm_int(b, 0);
   unsigned step = 1;
   for (; step < path->length && path->path[step - 1]->type->base == NIR_TYPE_ARRAY; step++) {
      index = nir_imul_imm(b, index, path->path[step - 1]->type->length);
      index = nir_iadd(b, index, path->path[step]->index.def);
   }
   address->buffer =
      nir_vulkan_resource_index(b, index, .set = variable->set, .binding = variable->binding,
                                .descriptor_kind = address->mode == NIR_VAR_UBO ? NIR_DESCRIPTOR_UNIFORM_BUFFER
                                                                                : NIR_DESCRIPTOR_STORAGE_BUFFER);
   return step;
}

static struct nir_def *
offset_of(struct nir_builder *b, const struct address *address, uint32_t add_B)
{
   uint32_t constant_B = address->constant_B + add_B;
   if (!address->offset)
      return nir_imm_int(b, (int32_t)constant_B);
   return nir_iadd_imm(b, address->offset, constant_B);
}

/* Without the constant part. */
static struct nir_def *
global_address(struct nir_builder *b, const struct address *address)
{
   return address->offset ? nir_iadd(b, address->buffer, address->offset) : address->buffer;
}

static void
start_of_cast(struct nir_builder *b, struct address *address, const struct nir_deref_instr *cast,
              const struct nir_type *type)
{
   struct nir_def *parent = cast->parent.def;
   if (parent->num_components == 2) {
      address->buffer = parent;
      return;
   }
   address->align_mul = scalar_B(type);
   if (cast->mode == NIR_VAR_GLOBAL) {
      address->buffer = parent;
   } else if (cast->mode == NIR_VAR_SHARED || cast->mode == NIR_VAR_PUSH_CONST) {
      address->offset = parent;
   } else {
      address->buffer = nir_channels(b, parent, 3);
      address->offset = nir_channel(b, parent, 2);
   }
}

static struct nir_def *
address_value(struct nir_builder *b, const struct address *address)
{
   if (address->mode == NIR_VAR_GLOBAL)
      return nir_iadd_imm(b, global_address(b, address), address->constant_B);
   if (address->mode != NIR_VAR_SSBO)
      return offset_of(b, address, address->base_B);
   struct nir_def *parts[3] = {nir_channel(b, address->buffer, 0), nir_channel(b, address->buffer, 1),
                               offset_of(b, address, 0)};
   return nir_vec(b, parts, 3);
}

/* A task shader's payload is workgroup memory (nir_lower_shared()). */
static uint32_t
memory_of(const struct nir_shader *shader, uint32_t mode)
{
   return mode == NIR_VAR_TASK_PAYLOAD && shader->stage == NIR_STAGE_TASK ? NIR_VAR_SHARED : mode;
}

static void
make_address(struct nir_builder *b, struct nir_deref_instr *deref, struct address *address)
{
   struct nir_deref_path path;
   nir_deref_path_of(deref, &path);
   const struct nir_deref_instr *root = path.path[0];
   const bool constant = root->mode == NIR_VAR_CONSTANT;
   *address =
      (struct address){.mode = memory_of(b->shader, root->mode), .align_mul = constant ? NIR_CONSTANT_ALIGN_B : 256};
   unsigned step = 1;
   if (root->deref_type == NIR_DEREF_CAST)
      start_of_cast(b, address, root, deref->type);
   else if (root->mode & (NIR_VAR_UBO | NIR_VAR_SSBO))
      step = resource_of_variable(b, address, &path);
   else if (root->mode != NIR_VAR_PUSH_CONST)
      address->base_B = root->var->offset_B;
   for (; step < path.length; step++)
      add_step(b, address, path.path[step], path.path[step - 1]->type);
   address->type = deref->type;
   if (!address->component_B)
      address->component_B = memory_bits(deref->type) / 8;
}

static uint32_t
align_offset(const struct address *address, uint32_t add_B)
{
   return (address->base_B + address->constant_B + add_B) % address->align_mul;
}

static struct nir_def *
load_at(struct nir_builder *b, const struct address *a, uint32_t add_B, unsigned count, uint32_t access)
{
   struct nir_indices indices = {.access = access,
                                 .align_mul = a->align_mul,
                                 .align_offset = align_offset(a, add_B),
                                 .base = (int32_t)(a->mode == NIR_VAR_GLOBAL ? a->constant_B + add_B : a->base_B)};
   struct nir_def *offset = a->mode == NIR_VAR_GLOBAL ? global_address(b, a) : offset_of(b, a, add_B);
   unsigned bits = memory_bits(a->type);
   switch ((enum nir_var_mode)a->mode) {
   case NIR_VAR_UBO:
      return nir_build_load_ubo(b, count, bits, a->buffer, offset, indices);
   case NIR_VAR_SSBO:
      return nir_build_load_ssbo(b, count, bits, a->buffer, offset, indices);
   case NIR_VAR_PUSH_CONST:
      return nir_build_load_push_constant(b, count, bits, offset, indices);
   case NIR_VAR_SHARED:
      return nir_build_load_shared(b, count, bits, offset, indices);
   case NIR_VAR_TASK_PAYLOAD:
      return nir_build_load_task_payload(b, count, bits, offset, indices);
   case NIR_VAR_CONSTANT:
      return nir_build_load_constant(b, count, bits, offset, indices);
   case NIR_VAR_FUNCTION_TEMP:
      return nir_build_load_scratch(b, count, bits, offset, indices);
   case NIR_VAR_GLOBAL:
      return nir_build_load_global(b, count, bits, offset, indices);
   case NIR_VAR_SHADER_IN:
   case NIR_VAR_SHADER_OUT:
   case NIR_VAR_UNIFORM:
      break;
   }
   assert(!"a variable without an address");
   return NULL;
}

static void
store_at(struct nir_builder *b, const struct address *a, uint32_t add_B, struct nir_def *value, uint32_t mask,
         uint32_t access)
{
   struct nir_indices indices = {.access = access,
                                 .align_mul = a->align_mul,
                                 .align_offset = align_offset(a, add_B),
                                 .base = (int32_t)(a->mode == NIR_VAR_GLOBAL ? a->constant_B + add_B : a->base_B),
                                 .write_mask = mask};
   struct nir_def *offset = a->mode == NIR_VAR_GLOBAL ? global_address(b, a) : offset_of(b, a, add_B);
   if (a->mode == NIR_VAR_GLOBAL)
      nir_build_store_global(b, value, offset, indices);
   else if (a->mode == NIR_VAR_SSBO)
      nir_build_store_ssbo(b, value, a->buffer, offset, indices);
   else if (a->mode == NIR_VAR_SHARED)
      nir_build_store_shared(b, value, offset, indices);
   else
      nir_build_store_scratch(b, value, offset, indices);
}

static bool
is_dense(const struct address *a)
{
   return a->component_B == memory_bits(a->type) / 8;
}

static struct nir_def *
lower_load(struct nir_builder *b, const struct address *a, const struct nir_intrinsic_instr *load)
{
   uint32_t access = nir_intrinsic_access(load);
   struct nir_def *value;
   if (is_dense(a)) {
      value = load_at(b, a, 0, load->num_components, access);
   } else {
      struct nir_def *channels[4];
      for (unsigned i = 0; i < load->num_components; i++)
         channels[i] = load_at(b, a, i * a->component_B, 1, access);
      value = nir_vec(b, channels, load->num_components);
   }
   return a->type->bit_size == 1 ? nir_ine_imm(b, value, 0) : value;
}

static void
lower_store(struct nir_builder *b, const struct address *a, const struct nir_intrinsic_instr *store)
{
   struct nir_def *value = store->src[1].def;
   uint32_t mask = nir_intrinsic_write_mask(store), access = nir_intrinsic_access(store);
   assert(!(a->mode & (NIR_VAR_UBO | NIR_VAR_PUSH_CONST | NIR_VAR_CONSTANT | NIR_VAR_TASK_PAYLOAD)) &&
          "a store to read-only memory");
   if (value->bit_size == 1)
      value = nir_b2iN(b, value, 32);
   if (is_dense(a)) {
      store_at(b, a, 0, value, mask, access);
      return;
   }
   for (unsigned i = 0; i < value->num_components; i++) {
      if (mask >> i & 1)
         store_at(b, a, i * a->component_B, nir_channel(b, value, i), 1, access);
   }
}

static struct nir_def *
lower_atomic(struct nir_builder *b, const struct address *a, const struct nir_intrinsic_instr *atomic)
{
   const bool global = a->mode == NIR_VAR_GLOBAL;
   struct nir_def *offset = global ? global_address(b, a) : offset_of(b, a, 0), *data = atomic->src[1].def;
   struct nir_indices indices = {.access = nir_intrinsic_access(atomic),
                                 .atomic_op = nir_intrinsic_atomic_op(atomic),
                                 .base = (int32_t)(global ? a->constant_B : a->base_B)};
   bool swap = atomic->op == NIR_INTRINSIC_deref_atomic_swap;
   assert(a->mode & (NIR_VAR_SSBO | NIR_VAR_SHARED | NIR_VAR_GLOBAL) && "an atomic on memory that nobody shares");
   if (global)
      return swap ? nir_build_global_atomic_swap(b, offset, data, atomic->src[2].def, indices)
                  : nir_build_global_atomic(b, offset, data, indices);
   if (a->mode == NIR_VAR_SSBO)
      return swap ? nir_build_ssbo_atomic_swap(b, a->buffer, offset, data, atomic->src[2].def, indices)
                  : nir_build_ssbo_atomic(b, a->buffer, offset, data, indices);
   return swap ? nir_build_shared_atomic_swap(b, offset, data, atomic->src[2].def, indices)
               : nir_build_shared_atomic(b, offset, data, indices);
}

/* (size of the buffer - where the array starts) / stride. */
static struct nir_def *
lower_length(struct nir_builder *b, const struct address *a, const struct nir_intrinsic_instr *length)
{
   struct nir_def *size = nir_get_ssbo_size(b, a->buffer, .access = nir_intrinsic_access(length));
   struct nir_def *rest = nir_isub(b, size, nir_umin(b, size, offset_of(b, a, 0)));
   return nir_udiv_imm(b, rest, a->type->stride_B);
}

static bool
lower(struct nir_shader *shader, struct nir_intrinsic_instr *instr)
{
   if (!nir_intrinsic_takes_deref(instr->op))
      return false;
   struct nir_deref_instr *deref = nir_src_as_deref(instr->src[0]);
   if (!(deref->mode & MODES))
      return false;
   struct nir_builder b = nir_builder_at(shader, nir_before_instr(&instr->instr));
   struct address address;
   struct nir_def *result = NULL;
   make_address(&b, deref, &address);
   switch ((int)instr->op) {
   case NIR_INTRINSIC_load_deref:
      result = lower_load(&b, &address, instr);
      break;
   case NIR_INTRINSIC_store_deref:
      lower_store(&b, &address, instr);
      break;
   case NIR_INTRINSIC_deref_atomic:
   case NIR_INTRINSIC_deref_atomic_swap:
      result = lower_atomic(&b, &address, instr);
      break;
   case NIR_INTRINSIC_deref_array_length:
      result = lower_length(&b, &address, instr);
      break;
   case NIR_INTRINSIC_deref_address:
      result = address_value(&b, &address);
      break;
   default: /* others: not on memory; copies are lowered first */
      assert(!"no access to memory by a deref");
   }
   if (result)
      nir_def_replace(&instr->def, result);
   nir_instr_remove(&instr->instr);
   return true;
}

bool
nir_lower_explicit_io(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            progress |= lower(shader, nir_as_intrinsic(instr));
      }
   }
   nir_remove_dead_variables(shader, NIR_VAR_FUNCTION_TEMP);
   return progress;
}
