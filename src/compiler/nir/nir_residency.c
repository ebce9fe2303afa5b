#include "compiler/nir/nir_residency.h"

static bool
same_texel(const struct nir_tex_instr *a, const struct nir_tex_instr *b)
{
   bool same = a->op == b->op && a->dim == b->dim && a->is_array == b->is_array && a->is_shadow == b->is_shadow &&
               a->gather_component == b->gather_component && a->num_srcs == b->num_srcs;
   for (unsigned i = 0; i < a->num_srcs && same; i++)
      same = a->src[i].type == b->src[i].type && a->src[i].src.def == b->src[i].src.def;
   return same;
}

static const struct nir_instr *
next_of(const struct nir_instr *instr)
{
   const struct list_head *link = instr->link.next;
   return link == &instr->block->instrs ? NULL : container_of(link, struct nir_instr, link);
}

const struct nir_tex_instr *
nir_residency_of_tex(const struct nir_tex_instr *tex)
{
   if (tex->is_sparse)
      return NULL;
   for (const struct nir_instr *instr = next_of(&tex->instr); instr; instr = next_of(instr)) {
      const struct nir_tex_instr *code = container_of(instr, struct nir_tex_instr, instr);
      if (instr->type == NIR_INSTR_TEX && code->is_sparse && same_texel(tex, code))
         return code;
   }
   return NULL;
}

/* Loads of images have the indices, those of texel buffers have not. */
static bool
same_load(const struct nir_intrinsic_instr *load, const struct nir_intrinsic_instr *code)
{
   bool same =
      !nir_intrinsic_has_image_dim(code) || (nir_intrinsic_image_dim(code) == nir_intrinsic_image_dim(load) &&
                                             nir_intrinsic_image_array(code) == nir_intrinsic_image_array(load));
   for (unsigned i = 0; i < nir_intrinsic_infos[code->op].num_srcs && same; i++)
      same = code->src[i].def == load->src[i].def;
   return same;
}

const struct nir_intrinsic_instr *
nir_residency_of_load(const struct nir_intrinsic_instr *load, enum nir_intrinsic_op op)
{
   if (load->op == op)
      return NULL;
   for (const struct nir_instr *instr = next_of(&load->instr); instr; instr = next_of(instr)) {
      const struct nir_intrinsic_instr *code = container_of(instr, struct nir_intrinsic_instr, instr);
      if (instr->type == NIR_INSTR_INTRINSIC && code->op == op && same_load(load, code))
         return code;
   }
   return NULL;
}
