#include "compiler/nir/nir_validate_internal.h"

#include "util/macros.h"

static bool
allows_size(const struct nir_op_info *info, unsigned bits)
{
   return info->bit_sizes & bits;
}

static void
validate_alu(struct nir_validator *v, const struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   unsigned bits = info->dest_bits ? 0 : alu->def.bit_size; /* of the unsized types, 0: not told yet */
   if (info->dest_bits)
      nir_check(v, alu->def.bit_size == info->dest_bits, "the result has another size");
   if (info->dest_components)
      nir_check(v, alu->def.num_components == info->dest_components, "the result has another component count");
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const struct nir_def *def = alu->src[i].src.def;
      nir_check(v, def->parent->type != NIR_INSTR_DEREF, "arithmetic on a deref");
      if (info->src_bits[i])
         nir_check(v, def->bit_size == info->src_bits[i], "a source has another size");
      else if (!bits)
         bits = def->bit_size;
      else
         nir_check(v, def->bit_size == bits, "the sizes of the sources or the result differ");
      unsigned count = info->src_components[i] ? info->src_components[i] : alu->def.num_components;
      for (unsigned c = 0; c < count; c++)
         nir_check(v, alu->src[i].swizzle[c] < def->num_components, "a swizzle reads a component that is not there");
   }
   if (info->bit_sizes)
      nir_check(v, allows_size(info, bits), "the opcode does not exist at this size");
}

static void
validate_const(struct nir_validator *v, const struct nir_load_const_instr *load)
{
   for (unsigned i = 0; i < load->def.num_components; i++)
      nir_check(v, !(load->value[i].u64 & ~bit_mask(load->def.bit_size)), "a constant with bits beyond its size");
}

static void
validate_deref_root(struct nir_validator *v, const struct nir_deref_instr *deref)
{
   if (deref->deref_type == NIR_DEREF_CAST) {
      if (deref->mode == NIR_VAR_GLOBAL) {
         nir_check(v, deref->parent.def->num_components == 1 && deref->parent.def->bit_size == 64,
                   "a cast to global memory takes an address of 64 bits");
         return;
      }
      const unsigned count = deref->parent.def->num_components;
      const bool is_offset = deref->mode == NIR_VAR_SHARED || deref->mode == NIR_VAR_PUSH_CONST;
      nir_check(v, is_offset || deref->mode == NIR_VAR_UBO || deref->mode == NIR_VAR_SSBO,
                "a cast makes a pointer into a buffer, push constants, workgroup memory or global memory");
      nir_check(v, deref->parent.def->bit_size == 32, "a cast takes numbers of 32 bits");
      nir_check(v, is_offset ? count == 1 : count == 2 || (deref->mode == NIR_VAR_SSBO && count == 3),
                "a cast takes the result of vulkan_resource_index, an offset, or both");
      return;
   }
   bool found = false;
   nir_foreach_variable(variable, v->shader)
      found |= variable == deref->var;
   if (nir_check(v, found, "the variable is not in the shader")) {
      nir_check(v, deref->mode == deref->var->mode, "the mode is not the variable's");
      nir_check(v, nir_type_equal(deref->type, deref->var->type), "the type is not the variable's");
   }
}

static void
validate_deref(struct nir_validator *v, const struct nir_deref_instr *deref)
{
   nir_check(v, deref->def.num_components == 1 && deref->def.bit_size == 32, "a deref is 32x1");
   if (!nir_check(v, deref->type, "a deref without a type"))
      return;
   if (deref->deref_type == NIR_DEREF_VAR || deref->deref_type == NIR_DEREF_CAST) {
      validate_deref_root(v, deref);
      return;
   }
   if (!nir_check(v, deref->parent.def->parent->type == NIR_INSTR_DEREF, "the parent is not a deref"))
      return;
   const struct nir_deref_instr *parent = nir_as_deref(deref->parent.def->parent);
   const struct nir_type *type = parent->type;
   nir_check(v, deref->mode == parent->mode, "the mode is not the parent's");
   if (deref->deref_type == NIR_DEREF_STRUCT) {
      if (nir_check(v, type->base == NIR_TYPE_STRUCT && deref->field < type->num_fields, "there is no such field"))
         nir_check(v, nir_type_equal(deref->type, type->fields[deref->field].type), "the type is not the field's");
      return;
   }
   const bool far = deref->mode == NIR_VAR_GLOBAL && deref->index.def->bit_size == 64;
   nir_check(v, deref->index.def->num_components == 1 && (far || deref->index.def->bit_size == 32),
             "an index is 32x1, or of addresses 64x1");
   nir_check(v, deref->index.def->parent->type != NIR_INSTR_DEREF, "an index that is a deref");
   if (nir_check(v,
                 type->base == NIR_TYPE_ARRAY ||
                    (nir_type_is_numeric(type) && (type->columns > 1 || type->components > 1)),
                 "the parent has no elements"))
      nir_check(v, nir_type_equal(deref->type, nir_type_element(type)), "the type is not the element's");
}

void
nir_validate_types(struct nir_validator *v, const struct nir_instr *instr)
{
   switch (instr->type) {
   case NIR_INSTR_ALU:
      validate_alu(v, nir_as_alu(instr));
      break;
   case NIR_INSTR_LOAD_CONST:
      validate_const(v, nir_as_load_const(instr));
      break;
   case NIR_INSTR_DEREF:
      validate_deref(v, nir_as_deref(instr));
      break;
   case NIR_INSTR_INTRINSIC:
      nir_validate_intrinsic(v, nir_as_intrinsic(instr));
      break;
   case NIR_INSTR_TEX:
      nir_validate_tex(v, nir_as_tex(instr));
      break;
   case NIR_INSTR_UNDEF:
   case NIR_INSTR_PHI:
   case NIR_INSTR_JUMP:
      break;
   }
}
