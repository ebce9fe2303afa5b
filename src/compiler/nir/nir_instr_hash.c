#include "compiler/nir/nir_instr_hash.h"

#include "compiler/nir/nir.h"
#include "util/hash.h"

static bool
hash_src(struct nir_src *src, void *data)
{
   uint32_t *hash = data;
   *hash = hash_mix(*hash, (uintptr_t)src->def);
   return true;
}

static uint32_t
hash_alu_src(const struct nir_alu_instr *alu, unsigned i)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   const unsigned count = info->src_components[i] ? info->src_components[i] : alu->def.num_components;
   uint64_t swizzle = 0;
   for (unsigned c = 0; c < count; c++)
      swizzle = swizzle << 4 | alu->src[i].swizzle[c];
   return hash_mix(hash_mix(0, (uintptr_t)alu->src[i].src.def), swizzle);
}

static uint32_t
hash_alu(uint32_t hash, const struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   unsigned i = 0;
   hash = hash_mix(hash, (uint64_t)alu->op << 1 | alu->exact);
   if (info->flags & NIR_OP_FLAG_COMMUTATIVE) {
      hash = hash_mix(hash, (uint64_t)hash_alu_src(alu, 0) + hash_alu_src(alu, 1));
      i = 2;
   }
   for (; i < info->num_srcs; i++)
      hash = hash_mix(hash, hash_alu_src(alu, i));
   return hash;
}

static uint32_t
hash_intrinsic(uint32_t hash, const struct nir_intrinsic_instr *intrinsic)
{
   hash = hash_mix(hash, (uint64_t)intrinsic->op << 8 | intrinsic->num_components);
   for (unsigned i = 0; i < NIR_INTRINSIC_MAX_INDICES; i++)
      hash = hash_mix(hash, (uint32_t)intrinsic->index[i]);
   return hash;
}

uint32_t
nir_instr_hash(struct nir_instr *instr)
{
   const struct nir_def *def = nir_instr_def(instr);
   uint32_t hash = hash_mix((uint32_t)instr->type, def->num_components * 65u + def->bit_size);
   if (instr->type == NIR_INSTR_ALU)
      return hash_alu(hash, nir_as_alu(instr));
   if (instr->type == NIR_INSTR_LOAD_CONST) {
      for (unsigned i = 0; i < def->num_components; i++)
         hash = hash_mix(hash, nir_as_load_const(instr)->value[i].u64);
   } else if (instr->type == NIR_INSTR_INTRINSIC) {
      hash = hash_intrinsic(hash, nir_as_intrinsic(instr));
   } else if (instr->type == NIR_INSTR_DEREF) {
      hash = hash_mix(hash, (uintptr_t)nir_as_deref(instr)->var);
      hash = hash_mix(hash, nir_as_deref(instr)->field);
   }
   nir_foreach_src(instr, hash_src, &hash);
   return hash;
}
