/* Looks through mov, vecN and the unpacking of what was packed. */
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"

static bool
is_vec(enum nir_op op)
{
   return op == NIR_OP_vec2 || op == NIR_OP_vec3 || op == NIR_OP_vec4;
}

/* Whether trace() may find something. */
static bool
may_copy(const struct nir_def *def)
{
   if (def->parent->type != NIR_INSTR_ALU)
      return false;
   const enum nir_op op = nir_as_alu(def->parent)->op;
   return op == NIR_OP_mov || is_vec(op) || op == NIR_OP_unpack_64_2x32 || op == NIR_OP_unpack_32_2x16;
}

/* Where component c of a value comes from; false if the value is no copy. */
static bool
trace(struct nir_def **def, uint8_t *c)
{
   if ((*def)->parent->type != NIR_INSTR_ALU)
      return false;
   const struct nir_alu_instr *alu = nir_as_alu((*def)->parent);
   const struct nir_alu_src *src;
   if (alu->op == NIR_OP_mov) {
      src = &alu->src[0];
      *c = src->swizzle[*c];
   } else if (is_vec(alu->op)) {
      src = &alu->src[*c];
      *c = src->swizzle[0];
   } else if ((alu->op == NIR_OP_unpack_64_2x32 || alu->op == NIR_OP_unpack_32_2x16) &&
              alu->src[0].src.def->parent->type == NIR_INSTR_ALU) {
      const struct nir_alu_instr *pack = nir_as_alu(alu->src[0].src.def->parent);
      if (pack->op != (alu->op == NIR_OP_unpack_64_2x32 ? NIR_OP_pack_64_2x32 : NIR_OP_pack_32_2x16))
         return false;
      src = &pack->src[0];
      *c = src->swizzle[*c];
   } else {
      return false;
   }
   *def = src->src.def;
   return true;
}

static bool
propagate_alu_src(struct nir_alu_src *src, unsigned count)
{
   bool progress = false;
   while (may_copy(src->src.def)) {
      struct nir_def *from = NULL;
      uint8_t swizzle[NIR_MAX_COMPONENTS];
      for (unsigned c = 0; c < count; c++) {
         struct nir_def *def = src->src.def;
         swizzle[c] = src->swizzle[c];
         if (!trace(&def, &swizzle[c]) || (from && from != def))
            return progress;
         from = def;
      }
      nir_src_rewrite(&src->src, from);
      for (unsigned c = 0; c < NIR_MAX_COMPONENTS; c++)
         src->swizzle[c] = c < count ? swizzle[c] : 0;
      progress = true;
   }
   return progress;
}

/* The value that a whole copy repeats, or NULL. */
static struct nir_def *
whole_copy(struct nir_def *def)
{
   struct nir_def *from = NULL;
   for (uint8_t c = 0; c < def->num_components && may_copy(def); c++) {
      struct nir_def *component_def = def;
      uint8_t component = c;
      if (!trace(&component_def, &component) || component != c || (from && from != component_def))
         return NULL;
      from = component_def;
   }
   return from && from->num_components == def->num_components ? from : NULL;
}

static bool
propagate_src(struct nir_src *src, void *data)
{
   bool *progress = data;
   struct nir_def *from;
   while ((from = whole_copy(src->def))) {
      nir_src_rewrite(src, from);
      *progress = true;
   }
   return true;
}

bool
nir_opt_copy_prop(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_ALU) {
            nir_foreach_src(instr, propagate_src, &progress);
            continue;
         }
         struct nir_alu_instr *alu = nir_as_alu(instr);
         const struct nir_op_info *info = &nir_op_infos[alu->op];
         for (unsigned i = 0; i < info->num_srcs; i++)
            progress |= propagate_alu_src(&alu->src[i], info->src_components[i] ? info->src_components[i]
                                                                                : alu->def.num_components);
      }
      struct nir_cf_node *next =
         block->cf.link.next == block->cf.list ? NULL : list_entry(block->cf.link.next, struct nir_cf_node, link);
      if (next && next->type == NIR_CF_IF)
         propagate_src(&nir_cf_as_if(next)->condition, &progress);
   }
   return progress;
}
