#include "compiler/nir/nir_builder.h"

#include <string.h>

#include "compiler/nir/nir_cf.h"
#include "util/half.h"
#include "util/macros.h"

struct nir_builder
nir_builder_create(struct nir_shader *shader)
{
   return nir_builder_at(shader, nir_after_block(nir_cf_list_last(&shader->body)));
}

struct nir_builder
nir_builder_at(struct nir_shader *shader, struct nir_cursor cursor)
{
   return (struct nir_builder){.shader = shader, .cursor = cursor};
}

void
nir_builder_insert(struct nir_builder *b, struct nir_instr *instr)
{
   nir_instr_insert(b->cursor, instr);
   b->cursor = nir_after_instr(instr);
}

/* ---- ALU ---- */

static void
shape_alu(struct nir_builder *b, struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   unsigned components = info->dest_components, bits = info->dest_bits;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const struct nir_def *def = alu->src[i].src.def;
      if (!info->dest_components && !info->src_components[i])
         components = MAX2(components, def->num_components);
      if (!bits && !info->src_bits[i])
         bits = def->bit_size;
   }
   for (unsigned i = 0; i < info->num_srcs; i++) {
      unsigned count = alu->src[i].src.def->num_components;
      if (count == 1)
         memset(alu->src[i].swizzle, 0, sizeof(alu->src[i].swizzle));
      assert((count == 1 || count >= (info->src_components[i] ? info->src_components[i] : components)) &&
             "a source with too few components");
   }
   nir_def_init(b->shader, &alu->instr, &alu->def, components, bits);
}

struct nir_def *
nir_build_alu(struct nir_builder *b, enum nir_op op, struct nir_def *src0, struct nir_def *src1, struct nir_def *src2,
              struct nir_def *src3)
{
   struct nir_alu_instr *alu = nir_alu_create(b->shader, op);
   struct nir_def *const srcs[4] = {src0, src1, src2, src3};
   for (unsigned i = 0; i < nir_op_infos[op].num_srcs; i++)
      nir_src_init(&alu->src[i].src, srcs[i]);
   alu->exact = b->exact;
   shape_alu(b, alu);
   nir_builder_insert(b, &alu->instr);
   return &alu->def;
}

/* ---- constants ---- */

struct nir_def *
nir_imm(struct nir_builder *b, unsigned num_components, unsigned bit_size, const union nir_const_value *values)
{
   struct nir_load_const_instr *load = nir_load_const_create(b->shader, num_components, bit_size);
   for (unsigned i = 0; i < num_components; i++)
      load->value[i].u64 = values[i].u64 & bit_mask(bit_size);
   nir_builder_insert(b, &load->instr);
   return &load->def;
}

struct nir_def *
nir_imm_intN(struct nir_builder *b, uint64_t value, unsigned bit_size)
{
   return nir_imm(b, 1, bit_size, &(union nir_const_value){.u64 = value});
}

struct nir_def *
nir_imm_floatN(struct nir_builder *b, double value, unsigned bit_size)
{
   assert(bit_size == 16 || bit_size == 32 || bit_size == 64);
   if (bit_size == 64)
      return nir_imm_intN(b, double_bits(value), 64);
   return nir_imm_intN(b, bit_size == 16 ? half_from_float((float)value) : float_bits((float)value), bit_size);
}

struct nir_def *
nir_imm_int(struct nir_builder *b, int32_t value)
{
   return nir_imm_intN(b, (uint32_t)value, 32);
}

struct nir_def *
nir_imm_int64(struct nir_builder *b, int64_t value)
{
   return nir_imm_intN(b, (uint64_t)value, 64);
}

struct nir_def *
nir_imm_float(struct nir_builder *b, float value)
{
   return nir_imm_intN(b, float_bits(value), 32);
}

struct nir_def *
nir_imm_bool(struct nir_builder *b, bool value)
{
   return nir_imm_intN(b, value, 1);
}

struct nir_def *
nir_imm_zero(struct nir_builder *b, unsigned num_components, unsigned bit_size)
{
   return nir_imm(b, num_components, bit_size, (const union nir_const_value[4]){});
}

struct nir_def *
nir_imm_vec4(struct nir_builder *b, float x, float y, float z, float w)
{
   const union nir_const_value values[4] = {{.f32 = x}, {.f32 = y}, {.f32 = z}, {.f32 = w}};
   return nir_imm(b, 4, 32, values);
}

struct nir_def *
nir_undef(struct nir_builder *b, unsigned num_components, unsigned bit_size)
{
   struct nir_undef_instr *undef = nir_undef_create(b->shader, num_components, bit_size);
   nir_builder_insert(b, &undef->instr);
   return &undef->def;
}

/* ---- vectors ---- */

struct nir_def *
nir_vec(struct nir_builder *b, struct nir_def *const *scalars, unsigned count)
{
   static const enum nir_op ops[5] = {NIR_OP_mov, NIR_OP_mov, NIR_OP_vec2, NIR_OP_vec3, NIR_OP_vec4};
   assert(count >= 1 && count <= 4);
   if (count == 1)
      return scalars[0];
   return nir_build_alu(b, ops[count], scalars[0], scalars[1], count > 2 ? scalars[2] : NULL,
                        count > 3 ? scalars[3] : NULL);
}

struct nir_def *
nir_swizzle(struct nir_builder *b, struct nir_def *def, const unsigned *swizzle, unsigned count)
{
   bool identity = count == def->num_components;
   for (unsigned i = 0; i < count; i++) {
      assert(swizzle[i] < def->num_components);
      identity &= swizzle[i] == i;
   }
   if (identity)
      return def;
   struct nir_alu_instr *mov = nir_alu_create(b->shader, NIR_OP_mov);
   nir_src_init(&mov->src[0].src, def);
   for (unsigned i = 0; i < count; i++)
      mov->src[0].swizzle[i] = (uint8_t)swizzle[i];
   nir_def_init(b->shader, &mov->instr, &mov->def, count, def->bit_size);
   nir_builder_insert(b, &mov->instr);
   return &mov->def;
}

struct nir_def *
nir_channel(struct nir_builder *b, struct nir_def *def, unsigned component)
{
   return nir_swizzle(b, def, &component, 1);
}

struct nir_def *
nir_channels(struct nir_builder *b, struct nir_def *def, unsigned mask)
{
   unsigned swizzle[4], count = 0;
   for (unsigned i = 0; i < def->num_components; i++) {
      if (mask >> i & 1)
         swizzle[count++] = i;
   }
   return nir_swizzle(b, def, swizzle, count);
}

struct nir_def *
nir_vector_extract(struct nir_builder *b, struct nir_def *vector, struct nir_def *index)
{
   struct nir_def *result = nir_channel(b, vector, 0);
   for (unsigned i = 1; i < vector->num_components; i++)
      result = nir_bcsel(b, nir_ieq_imm(b, index, i), nir_channel(b, vector, i), result);
   return result;
}

struct nir_def *
nir_vector_insert(struct nir_builder *b, struct nir_def *vector, struct nir_def *scalar, struct nir_def *index)
{
   struct nir_def *channels[4];
   for (unsigned i = 0; i < vector->num_components; i++)
      channels[i] = nir_bcsel(b, nir_ieq_imm(b, index, i), scalar, nir_channel(b, vector, i));
   return nir_vec(b, channels, vector->num_components);
}

struct nir_def *
nir_vector_insert_imm(struct nir_builder *b, struct nir_def *vector, struct nir_def *scalar, unsigned component)
{
   struct nir_def *channels[4];
   for (unsigned i = 0; i < vector->num_components; i++)
      channels[i] = i == component ? scalar : nir_channel(b, vector, i);
   return nir_vec(b, channels, vector->num_components);
}

struct nir_def *
nir_resize_vector(struct nir_builder *b, struct nir_def *vector, unsigned num_components)
{
   if (num_components <= vector->num_components)
      return nir_channels(b, vector, (1u << num_components) - 1);
   struct nir_def *channels[4], *undef = nir_undef(b, 1, vector->bit_size);
   for (unsigned i = 0; i < num_components; i++)
      channels[i] = i < vector->num_components ? nir_channel(b, vector, i) : undef;
   return nir_vec(b, channels, num_components);
}

/* ---- arithmetic ---- */

struct nir_def *
nir_iadd_imm(struct nir_builder *b, struct nir_def *x, int64_t value)
{
   return value ? nir_iadd(b, x, nir_imm_intN(b, (uint64_t)value, x->bit_size)) : x;
}

struct nir_def *
nir_imul_imm(struct nir_builder *b, struct nir_def *x, int64_t value)
{
   if (value == 1)
      return x;
   if (value > 0 && is_power_of_two((uint64_t)value))
      return nir_ishl_imm(b, x, log2_floor((uint64_t)value));
   return nir_imul(b, x, nir_imm_intN(b, (uint64_t)value, x->bit_size));
}

struct nir_def *
nir_udiv_imm(struct nir_builder *b, struct nir_def *x, uint64_t value)
{
   if (is_power_of_two(value))
      return value == 1 ? x : nir_ushr_imm(b, x, log2_floor(value));
   return nir_udiv(b, x, nir_imm_intN(b, value, x->bit_size));
}

struct nir_def *
nir_umod_imm(struct nir_builder *b, struct nir_def *x, uint64_t value)
{
   if (is_power_of_two(value))
      return nir_iand_imm(b, x, value - 1);
   return nir_umod(b, x, nir_imm_intN(b, value, x->bit_size));
}

/* Chooses the opcode for log2(bit_size) - 3. */
static struct nir_def *
convert(struct nir_builder *b, struct nir_def *x, unsigned bit_size, const enum nir_op ops[4])
{
   assert(bit_size >= 8 && bit_size <= 64);
   enum nir_op op = ops[log2_floor(bit_size) - 3];
   assert(op != NIR_OP_mov && "there is no such conversion");
   return nir_build_alu(b, op, x, NULL, NULL, NULL);
}

#define NIR_CONVERT(name, ...)                                                                                       \
   struct nir_def *name(struct nir_builder *b, struct nir_def *x, unsigned bit_size)                                 \
   {                                                                                                                 \
      static const enum nir_op ops[4] = {__VA_ARGS__};                                                               \
      return convert(b, x, bit_size, ops);                                                                           \
   }
#define NIR_CONVERT_SAME_BASE(name, ...)                                                                             \
   struct nir_def *name(struct nir_builder *b, struct nir_def *x, unsigned bit_size)                                 \
   {                                                                                                                 \
      static const enum nir_op ops[4] = {__VA_ARGS__};                                                               \
      return x->bit_size == bit_size ? x : convert(b, x, bit_size, ops);                                             \
   }
NIR_CONVERT_SAME_BASE(nir_f2fN, NIR_OP_mov, NIR_OP_f2f16, NIR_OP_f2f32, NIR_OP_f2f64)
NIR_CONVERT_SAME_BASE(nir_i2iN, NIR_OP_i2i8, NIR_OP_i2i16, NIR_OP_i2i32, NIR_OP_i2i64)
NIR_CONVERT_SAME_BASE(nir_u2uN, NIR_OP_u2u8, NIR_OP_u2u16, NIR_OP_u2u32, NIR_OP_u2u64)
NIR_CONVERT(nir_f2iN, NIR_OP_f2i8, NIR_OP_f2i16, NIR_OP_f2i32, NIR_OP_f2i64)
NIR_CONVERT(nir_f2uN, NIR_OP_f2u8, NIR_OP_f2u16, NIR_OP_f2u32, NIR_OP_f2u64)
NIR_CONVERT(nir_i2fN, NIR_OP_mov, NIR_OP_i2f16, NIR_OP_i2f32, NIR_OP_i2f64)
NIR_CONVERT(nir_u2fN, NIR_OP_mov, NIR_OP_u2f16, NIR_OP_u2f32, NIR_OP_u2f64)
NIR_CONVERT(nir_b2iN, NIR_OP_b2i8, NIR_OP_b2i16, NIR_OP_b2i32, NIR_OP_b2i64)
NIR_CONVERT(nir_b2fN, NIR_OP_mov, NIR_OP_b2f16, NIR_OP_b2f32, NIR_OP_b2f64)

struct nir_def *
nir_fdot(struct nir_builder *b, struct nir_def *x, struct nir_def *y)
{
   static const enum nir_op ops[5] = {NIR_OP_fmul, NIR_OP_fmul, NIR_OP_fdot2, NIR_OP_fdot3, NIR_OP_fdot4};
   assert(x->num_components == y->num_components);
   return nir_build_alu(b, ops[x->num_components], x, y, NULL, NULL);
}

/* ---- intrinsics, textures ---- */

struct nir_intrinsic_instr *
nir_build_intrinsic(struct nir_builder *b, enum nir_intrinsic_op op, unsigned num_components, unsigned bit_size,
                    struct nir_def *const *srcs, const struct nir_indices *indices)
{
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[op];
   struct nir_intrinsic_instr *instr = nir_intrinsic_create(b->shader, op);
   instr->num_components = (uint8_t)num_components;
   for (unsigned i = 0; i < info->num_srcs; i++)
      nir_src_init(&instr->src[i], srcs[i]);
   if (indices)
      nir_intrinsic_set_indices(instr, indices);
   if (info->has_dest)
      nir_def_init(b->shader, &instr->instr, &instr->def,
                   info->dest_components ? info->dest_components : num_components,
                   info->dest_bits ? info->dest_bits : bit_size);
   nir_builder_insert(b, &instr->instr);
   return instr;
}

struct nir_def *
nir_build_tex(struct nir_builder *b, struct nir_tex_instr *tex, unsigned num_components, unsigned bit_size)
{
   nir_def_init(b->shader, &tex->instr, &tex->def, num_components, bit_size);
   nir_builder_insert(b, &tex->instr);
   return &tex->def;
}

/* ---- control flow ---- */

struct nir_if *
nir_push_if(struct nir_builder *b, struct nir_def *condition)
{
   struct nir_if *nif = nir_if_insert(b->shader, b->cursor, condition);
   b->cursor = nir_before_block(nir_cf_list_first(&nif->then_list));
   return nif;
}

/* The innermost node of the type around the cursor. */
static struct nir_cf_node *
around_cursor(const struct nir_builder *b, enum nir_cf_type type)
{
   struct nir_cf_node *node = &b->cursor.block->cf;
   while (node->parent && node->type != type)
      node = node->parent;
   assert(node->type == type && "the cursor is not inside such a construct");
   return node;
}

void
nir_push_else(struct nir_builder *b, struct nir_if *nif)
{
   if (!nif)
      nif = nir_cf_as_if(around_cursor(b, NIR_CF_IF));
   b->cursor = nir_before_block(nir_cf_list_first(&nif->else_list));
}

void
nir_pop_if(struct nir_builder *b, struct nir_if *nif)
{
   if (!nif)
      nif = nir_cf_as_if(around_cursor(b, NIR_CF_IF));
   b->cursor = nir_before_block(nir_cf_block_after(&nif->cf));
}

struct nir_loop *
nir_push_loop(struct nir_builder *b)
{
   struct nir_loop *loop = nir_loop_insert(b->shader, b->cursor);
   b->cursor = nir_before_block(nir_cf_list_first(&loop->body));
   return loop;
}

void
nir_pop_loop(struct nir_builder *b, struct nir_loop *loop)
{
   if (!loop)
      loop = nir_cf_as_loop(around_cursor(b, NIR_CF_LOOP));
   b->cursor = nir_before_block(nir_cf_block_after(&loop->cf));
}

struct nir_phi_instr *
nir_build_phi(struct nir_builder *b, unsigned num_components, unsigned bit_size)
{
   struct nir_phi_instr *phi = nir_phi_create(b->shader);
   nir_def_init(b->shader, &phi->instr, &phi->def, num_components, bit_size);
   nir_instr_insert(nir_before_block(b->cursor.block), &phi->instr);
   return phi;
}

struct nir_def *
nir_if_phi(struct nir_builder *b, struct nir_def *then_def, struct nir_def *else_def)
{
   struct nir_cf_node *node = nir_cf_prev(&b->cursor.block->cf);
   assert(node && node->type == NIR_CF_IF && "the cursor is not after an if");
   struct nir_if *nif = nir_cf_as_if(node);
   struct nir_block *then_block = nir_cf_list_last(&nif->then_list), *else_block = nir_cf_list_last(&nif->else_list);
   if (nir_block_jump(then_block))
      return else_def;
   if (nir_block_jump(else_block))
      return then_def;
   struct nir_phi_instr *phi = nir_build_phi(b, then_def->num_components, then_def->bit_size);
   nir_phi_add_src(b->shader, phi, then_block, then_def);
   nir_phi_add_src(b->shader, phi, else_block, else_def);
   if (b->cursor.option == NIR_CURSOR_AFTER_INSTR && b->cursor.instr->type == NIR_INSTR_PHI)
      b->cursor = nir_before_block(b->cursor.block);
   return &phi->def;
}

void
nir_jump(struct nir_builder *b, enum nir_jump_type type)
{
   struct nir_jump_instr *jump = nir_jump_create(b->shader, type);
   nir_builder_insert(b, &jump->instr);
   assert(nir_block_last(b->cursor.block) == &jump->instr && "a jump ends its block");
}

/* ---- derefs ---- */

static struct nir_deref_instr *
build_deref(struct nir_builder *b, enum nir_deref_type deref_type, uint32_t mode, const struct nir_type *type,
            struct nir_def *parent)
{
   struct nir_deref_instr *deref = nir_deref_create(b->shader, deref_type);
   deref->mode = mode;
   deref->type = type;
   if (parent)
      nir_src_init(&deref->parent, parent);
   return deref;
}

struct nir_deref_instr *
nir_build_deref_var(struct nir_builder *b, struct nir_variable *variable)
{
   struct nir_deref_instr *deref = build_deref(b, NIR_DEREF_VAR, variable->mode, variable->type, NULL);
   deref->var = variable;
   nir_builder_insert(b, &deref->instr);
   return deref;
}

struct nir_deref_instr *
nir_build_deref_array(struct nir_builder *b, struct nir_deref_instr *parent, struct nir_def *index)
{
   struct nir_deref_instr *deref =
      build_deref(b, NIR_DEREF_ARRAY, parent->mode, nir_type_element(parent->type), &parent->def);
   nir_src_init(&deref->index, index);
   nir_builder_insert(b, &deref->instr);
   return deref;
}

struct nir_deref_instr *
nir_build_deref_array_imm(struct nir_builder *b, struct nir_deref_instr *parent, uint32_t index)
{
   return nir_build_deref_array(b, parent, nir_imm_int(b, (int32_t)index));
}

struct nir_deref_instr *
nir_build_deref_struct(struct nir_builder *b, struct nir_deref_instr *parent, uint32_t field)
{
   assert(parent->type->base == NIR_TYPE_STRUCT && field < parent->type->num_fields);
   struct nir_deref_instr *deref =
      build_deref(b, NIR_DEREF_STRUCT, parent->mode, parent->type->fields[field].type, &parent->def);
   deref->field = field;
   nir_builder_insert(b, &deref->instr);
   return deref;
}

struct nir_deref_instr *
nir_build_deref_cast(struct nir_builder *b, struct nir_def *buffer, uint32_t mode, const struct nir_type *type)
{
   struct nir_deref_instr *deref = build_deref(b, NIR_DEREF_CAST, mode, type, buffer);
   nir_builder_insert(b, &deref->instr);
   return deref;
}

struct nir_def *
nir_build_load_deref_of(struct nir_builder *b, struct nir_deref_instr *deref, uint32_t access)
{
   assert(nir_type_is_vector_or_scalar(deref->type));
   return nir_load_deref(b, deref->type->components, deref->type->bit_size, &deref->def, .access = access);
}

void
nir_build_store_deref_of(struct nir_builder *b, struct nir_deref_instr *deref, struct nir_def *value,
                         uint32_t write_mask, uint32_t access)
{
   assert(nir_type_is_vector_or_scalar(deref->type) && deref->type->components == value->num_components);
   nir_store_deref(b, &deref->def, value, .access = access,
                   .write_mask = write_mask ? write_mask : (1u << value->num_components) - 1);
}

struct nir_def *
nir_load_var(struct nir_builder *b, struct nir_variable *variable)
{
   return nir_build_load_deref_of(b, nir_build_deref_var(b, variable), variable->access);
}

void
nir_store_var(struct nir_builder *b, struct nir_variable *variable, struct nir_def *value, uint32_t write_mask)
{
   nir_build_store_deref_of(b, nir_build_deref_var(b, variable), value, write_mask, variable->access);
}
