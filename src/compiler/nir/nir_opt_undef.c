/* Outputs and memory need no stores of undefined values; a select or phi with one takes the other. */
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"

/* Components of the value that are undefined. */
static uint32_t
undef_components(const struct nir_def *def)
{
   if (def->parent->type == NIR_INSTR_UNDEF)
      return (1u << def->num_components) - 1;
   if (def->parent->type != NIR_INSTR_ALU)
      return 0;
   const struct nir_alu_instr *alu = nir_as_alu(def->parent);
   bool vec = alu->op == NIR_OP_vec2 || alu->op == NIR_OP_vec3 || alu->op == NIR_OP_vec4;
   uint32_t mask = 0;
   for (unsigned i = 0; vec && i < def->num_components; i++)
      mask |= (uint32_t)(alu->src[i].src.def->parent->type == NIR_INSTR_UNDEF) << i;
   return mask;
}

static bool
opt_store(struct nir_intrinsic_instr *store)
{
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[store->op];
   if (info->has_dest || !nir_intrinsic_has_write_mask(store) || info->src_components[0] != 0)
      return false;
   uint32_t mask = nir_intrinsic_write_mask(store), left = mask & ~undef_components(store->src[0].def);
   if (left == mask)
      return false;
   nir_intrinsic_set_write_mask(store, left);
   if (!left)
      nir_instr_remove(&store->instr);
   return true;
}

static bool
opt_select(struct nir_alu_instr *alu)
{
   if (alu->op != NIR_OP_bcsel || alu->def.num_components != 1)
      return false;
   for (unsigned i = 1; i < 3; i++) {
      if (alu->src[i].src.def->parent->type != NIR_INSTR_UNDEF)
         continue;
      struct nir_alu_src *other = &alu->src[3 - i];
      alu->op = NIR_OP_mov;
      nir_src_unlink(&alu->src[0].src);
      nir_src_unlink(&alu->src[i].src);
      struct nir_def *def = other->src.def;
      uint8_t swizzle = other->swizzle[0];
      nir_src_unlink(&other->src);
      nir_src_rewrite(&alu->src[0].src, def);
      alu->src[0].swizzle[0] = swizzle;
      return true;
   }
   return false;
}

bool
nir_opt_undef(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            progress |= opt_store(nir_as_intrinsic(instr));
         else if (instr->type == NIR_INSTR_ALU)
            progress |= opt_select(nir_as_alu(instr));
      }
   }
   return progress;
}
