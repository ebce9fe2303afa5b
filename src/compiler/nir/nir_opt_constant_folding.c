#include <string.h>

#include "compiler/nir/nir_constant_data.h"
#include "compiler/nir/nir_passes.h"

/* A load from a table of constants at a constant place; *data is made for the first one. What is outside is 0. */
static bool
fold_load(struct nir_shader *shader, struct nir_intrinsic_instr *load, const uint8_t **data)
{
   if (load->op != NIR_INTRINSIC_load_constant || !nir_src_is_const(load->src[0]))
      return false;
   *data = *data ? *data : nir_constant_data(shader->arena, shader);
   uint64_t at_B = nir_src_comp_as_uint(load->src[0], 0) + (uint64_t)(int64_t)nir_intrinsic_base(load);
   const unsigned size_B = load->def.bit_size / 8, count = load->def.num_components;
   struct nir_load_const_instr *value = nir_load_const_create(shader, count, load->def.bit_size);
   for (unsigned i = 0; i < count; i++, at_B += size_B) {
      if (at_B + size_B <= shader->info.constant_B)
         memcpy(&value->value[i].u64, *data + at_B, size_B);
   }
   nir_instr_insert(nir_before_instr(&load->instr), &value->instr);
   nir_def_replace(&load->def, &value->def);
   nir_instr_remove(&load->instr);
   return true;
}

/* nir_eval_alu() keeps denormals and rounds to nearest. */
static bool
has_float_mode(const struct nir_shader *shader, const struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned all = 7, modes = shader->info.float_controls & (all << NIR_FLOAT_FLUSH | all << NIR_FLOAT_TO_ZERO);
   bool is_float = info->dest_base == NIR_TYPE_FLOAT;
   for (unsigned i = 0; modes && i < info->num_srcs; i++)
      is_float |= info->src_base[i] == NIR_TYPE_FLOAT;
   return modes && is_float;
}

static bool
fold(struct nir_shader *shader, struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   if (info->flags & NIR_OP_FLAG_DERIVATIVE || has_float_mode(shader, alu))
      return false;
   union nir_const_value values[4][NIR_MAX_COMPONENTS];
   const union nir_const_value *srcs[4] = {values[0], values[1], values[2], values[3]};
   unsigned bits = info->dest_bits ? 0 : alu->def.bit_size;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const struct nir_def *def = alu->src[i].src.def;
      if (!nir_src_is_const(alu->src[i].src))
         return false;
      if (!info->src_bits[i])
         bits = def->bit_size;
      unsigned count = info->src_components[i] ? info->src_components[i] : alu->def.num_components;
      for (unsigned c = 0; c < count; c++)
         values[i][c] = nir_as_load_const(def->parent)->value[alu->src[i].swizzle[c]];
   }
   struct nir_load_const_instr *load = nir_load_const_create(shader, alu->def.num_components, alu->def.bit_size);
   nir_eval_alu(alu->op, alu->def.num_components, bits, load->value, srcs);
   nir_instr_insert(nir_before_instr(&alu->instr), &load->instr);
   nir_def_replace(&alu->def, &load->def);
   nir_instr_remove(&alu->instr);
   return true;
}

bool
nir_opt_constant_folding(struct nir_shader *shader)
{
   bool progress = false;
   const uint8_t *data = NULL;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_ALU)
            progress |= fold(shader, nir_as_alu(instr));
         else if (instr->type == NIR_INSTR_INTRINSIC)
            progress |= fold_load(shader, nir_as_intrinsic(instr), &data);
      }
   }
   return progress;
}
