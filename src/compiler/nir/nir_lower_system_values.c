#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

static struct nir_def *
workgroup_size(struct nir_builder *b)
{
   const uint32_t *size = b->shader->info.workgroup_size;
   return nir_channels(b, nir_imm_ivec4(b, (int32_t)size[0], (int32_t)size[1], (int32_t)size[2], 1), 7);
}

/* x + sx * (y + sy * z) */
static struct nir_def *
index_from_id(struct nir_builder *b)
{
   const uint32_t *size = b->shader->info.workgroup_size;
   struct nir_def *id = nir_load_local_invocation_id(b);
   struct nir_def *index = nir_channel(b, id, 0);
   if (size[1] > 1 || size[2] > 1)
      index = nir_iadd(b, index, nir_imul_imm(b, nir_channel(b, id, 1), size[0]));
   if (size[2] > 1)
      index = nir_iadd(b, index, nir_imul_imm(b, nir_channel(b, id, 2), (int64_t)size[0] * size[1]));
   return index;
}

static struct nir_def *
id_from_index(struct nir_builder *b)
{
   const uint32_t *size = b->shader->info.workgroup_size;
   struct nir_def *index = nir_load_local_invocation_index(b), *row = nir_udiv_imm(b, index, size[0]);
   struct nir_def *id[3] = {nir_umod_imm(b, index, size[0]), nir_umod_imm(b, row, size[1]),
                            nir_udiv_imm(b, row, size[1])};
   return nir_vec(b, id, 3);
}

/* One bit more than the lane, or all from there on; words above the subgroup stay as the shift leaves them. */
static struct nir_def *
subgroup_mask(struct nir_builder *b, enum nir_intrinsic_op op, uint32_t subgroup_size)
{
   struct nir_def *lane = nir_load_subgroup_invocation(b), *words[4];
   struct nir_def *zero = nir_imm_int(b, 0), *ones = nir_imm_int(b, -1);
   for (unsigned i = 0; i < 4; i++) {
      if (subgroup_size && i * 32 >= subgroup_size) {
         words[i] = zero;
         continue;
      }
      struct nir_def *in_word = nir_isub_imm(b, lane, 32 * i); /* negative: below the word, 32 and more: above */
      struct nir_def *here = nir_ult_imm(b, in_word, 32), *word_above = nir_ilt_imm(b, in_word, 0);
      struct nir_def *bit = nir_ishl(b, nir_imm_int(b, 1), in_word), *below = nir_iadd_imm(b, bit, -1);
      bool high = op == NIR_INTRINSIC_load_subgroup_ge_mask || op == NIR_INTRINSIC_load_subgroup_gt_mask;
      struct nir_def *value = op == NIR_INTRINSIC_load_subgroup_eq_mask   ? bit
                              : op == NIR_INTRINSIC_load_subgroup_lt_mask ? below
                              : op == NIR_INTRINSIC_load_subgroup_le_mask ? nir_ior(b, bit, below)
                              : op == NIR_INTRINSIC_load_subgroup_ge_mask ? nir_inot(b, below)
                                                                          : nir_inot(b, nir_ior(b, bit, below));
      struct nir_def *elsewhere = op == NIR_INTRINSIC_load_subgroup_eq_mask ? zero
                                  : nir_bcsel(b, word_above, high ? ones : zero, high ? zero : ones);
      words[i] = nir_bcsel(b, here, value, elsewhere);
   }
   return nir_vec(b, words, 4);
}

static struct nir_def *
lower_compute(struct nir_builder *b, enum nir_intrinsic_op op, const struct nir_sysval_options *options)
{
   const uint32_t *size = b->shader->info.workgroup_size;
   switch ((int)op) {
   case NIR_INTRINSIC_load_global_invocation_id:
      if (!options->global_invocation_id)
         return NULL;
      return nir_iadd(b, nir_imul(b, nir_load_workgroup_id(b), workgroup_size(b)), nir_load_local_invocation_id(b));
   case NIR_INTRINSIC_load_local_invocation_index:
      return options->local_invocation_index ? index_from_id(b) : NULL;
   case NIR_INTRINSIC_load_local_invocation_id:
      return options->local_invocation_id ? id_from_index(b) : NULL;
   case NIR_INTRINSIC_load_workgroup_size:
      return options->workgroup_size ? workgroup_size(b) : NULL;
   case NIR_INTRINSIC_load_num_subgroups: {
      uint32_t lanes = size[0] * size[1] * size[2], subgroup = options->subgroup_size;
      return options->num_subgroups && subgroup ? nir_imm_int(b, (int32_t)((lanes + subgroup - 1) / subgroup)) : NULL;
   }
   case NIR_INTRINSIC_load_subgroup_id: {
      uint32_t lanes = size[0] * size[1] * size[2], subgroup = options->subgroup_size;
      if (!options->subgroup_id || !subgroup)
         return NULL;
      if (lanes <= subgroup)
         return nir_imm_int(b, 0);
      return nir_udiv_imm(b, nir_read_first_invocation(b, nir_load_local_invocation_index(b)), subgroup);
   }
   default:
      return NULL;
   }
}

static struct nir_def *
lower_value(struct nir_builder *b, enum nir_intrinsic_op op, const struct nir_sysval_options *options)
{
   switch ((int)op) {
   case NIR_INTRINSIC_load_vertex_id:
      return options->vertex_id ? nir_iadd(b, nir_load_vertex_id_zero_base(b), nir_load_base_vertex(b)) : NULL;
   case NIR_INTRINSIC_load_subgroup_size:
      return options->subgroup_size ? nir_imm_int(b, (int32_t)options->subgroup_size) : NULL;
   case NIR_INTRINSIC_load_subgroup_eq_mask:
   case NIR_INTRINSIC_load_subgroup_ge_mask:
   case NIR_INTRINSIC_load_subgroup_gt_mask:
   case NIR_INTRINSIC_load_subgroup_le_mask:
   case NIR_INTRINSIC_load_subgroup_lt_mask: {
      if (!options->subgroup_masks)
         return NULL;
      struct nir_def *mask = subgroup_mask(b, op, options->subgroup_size);
      return mask;
   }
   case NIR_INTRINSIC_load_sample_pos:
      if (!options->sample_pos_from_frag_coord)
         return NULL;
      return nir_ffract(b, nir_channels(b, nir_load_frag_coord(b), 3));
   default:
      return lower_compute(b, op, options);
   }
}

bool
nir_lower_system_values(struct nir_shader *shader, const struct nir_sysval_options *options)
{
   bool progress = false;
   assert(!(options->local_invocation_id && options->local_invocation_index) &&
          "one of the two comes from the hardware");
   nir_foreach_block(block, shader) {
      for (struct nir_instr *instr = list_first(&block->instrs, struct nir_instr, link), *next;
           &instr->link != &block->instrs; instr = next) {
         next = list_entry(instr->link.next, struct nir_instr, link);
         if (instr->type != NIR_INSTR_INTRINSIC)
            continue;
         struct nir_intrinsic_instr *intrinsic = nir_as_intrinsic(instr);
         if (!(nir_intrinsic_infos[intrinsic->op].flags & NIR_INTRINSIC_FLAG_SYSVAL))
            continue;
         struct list_head *before = instr->link.prev;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         struct nir_def *value = lower_value(&b, intrinsic->op, options);
         if (!value)
            continue;
         nir_def_replace(&intrinsic->def, value);
         nir_instr_remove(instr);
         next = list_entry(before->next, struct nir_instr, link); /* what was built may be lowered further */
         progress = true;
      }
   }
   return progress;
}
