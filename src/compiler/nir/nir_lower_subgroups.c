#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

static struct nir_def *
lane_id(struct nir_builder *b)
{
   return nir_load_subgroup_invocation(b);
}

/* The same operation on one component. */
static struct nir_def *
scalar_clone(struct nir_builder *b, const struct nir_intrinsic_instr *instr, unsigned component)
{
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[instr->op];
   struct nir_def *srcs[2] = {nir_channel(b, instr->src[0].def, component),
                              info->num_srcs > 1 ? instr->src[1].def : NULL};
   struct nir_intrinsic_instr *clone = nir_build_intrinsic(b, instr->op, 1, instr->def.bit_size, srcs, NULL);
   for (unsigned i = 0; i < info->num_indices; i++)
      clone->index[i] = instr->index[i];
   return &clone->def;
}

static struct nir_def *
to_scalar(struct nir_builder *b, const struct nir_intrinsic_instr *instr)
{
   struct nir_def *channels[NIR_MAX_COMPONENTS];
   for (unsigned c = 0; c < instr->num_components; c++)
      channels[c] = scalar_clone(b, instr, c);
   return nir_vec(b, channels, instr->num_components);
}

/* Number of set bits of the ballot in the lanes the mask (NULL: all) names. */
static struct nir_def *
count(struct nir_builder *b, struct nir_def *ballot, struct nir_def *mask, uint32_t subgroup_size)
{
   struct nir_def *total = NULL;
   for (unsigned i = 0; i < subgroup_size / 32; i++) {
      struct nir_def *word = nir_channel(b, ballot, i);
      word = nir_bit_count(b, mask ? nir_iand(b, word, nir_channel(b, mask, i)) : word);
      total = total ? nir_iadd(b, total, word) : word;
   }
   return total;
}

static struct nir_def *
test_bit(struct nir_builder *b, struct nir_def *ballot, struct nir_def *bit, uint32_t subgroup_size)
{
   struct nir_def *word = nir_channel(b, ballot, 0);
   for (unsigned i = 1; i < subgroup_size / 32; i++)
      word = nir_bcsel(b, nir_uge_imm(b, bit, 32 * i), nir_channel(b, ballot, i), word);
   return nir_ine_imm(b, nir_iand_imm(b, nir_ushr(b, word, bit), 1), 0);
}

static struct nir_def *
find(struct nir_builder *b, struct nir_def *ballot, bool lsb, uint32_t subgroup_size)
{
   struct nir_def *low = nir_channel(b, ballot, 0);
   struct nir_def *found = lsb ? nir_find_lsb(b, low) : nir_ufind_msb(b, low);
   if (subgroup_size == 32)
      return found;
   struct nir_def *high = nir_channel(b, ballot, 1);
   struct nir_def *above = nir_iadd_imm(b, lsb ? nir_find_lsb(b, high) : nir_ufind_msb(b, high), 32);
   struct nir_def *any_high = nir_ine_imm(b, high, 0);
   if (!lsb)
      return nir_bcsel(b, any_high, above, found);
   above = nir_bcsel(b, any_high, above, nir_imm_int(b, -1));
   return nir_bcsel(b, nir_ine_imm(b, low, 0), found, above);
}

static struct nir_def *
lower_ballot_op(struct nir_builder *b, const struct nir_intrinsic_instr *instr, uint32_t size)
{
   struct nir_def *ballot = instr->src[0].def;
   switch ((int)instr->op) {
   case NIR_INTRINSIC_inverse_ballot:
      return test_bit(b, ballot, lane_id(b), size);
   case NIR_INTRINSIC_ballot_bitfield_extract:
      return test_bit(b, ballot, instr->src[1].def, size);
   case NIR_INTRINSIC_ballot_bit_count_reduce:
      return count(b, ballot, NULL, size);
   case NIR_INTRINSIC_ballot_bit_count_inclusive:
      return count(b, ballot, nir_load_subgroup_le_mask(b), size);
   case NIR_INTRINSIC_ballot_bit_count_exclusive:
      return count(b, ballot, nir_load_subgroup_lt_mask(b), size);
   case NIR_INTRINSIC_ballot_find_lsb:
      return find(b, ballot, true, size);
   case NIR_INTRINSIC_ballot_find_msb:
      return find(b, ballot, false, size);
   default:
      return NULL;
   }
}

/* The lane a move reads from, NULL if the operation is no move that the options lower. */
static struct nir_def *
source_lane(struct nir_builder *b, const struct nir_intrinsic_instr *instr,
            const struct nir_subgroup_options *options)
{
   struct nir_def *amount = nir_intrinsic_infos[instr->op].num_srcs > 1 ? instr->src[1].def : NULL;
   bool quad = options->quad, relative = options->shuffle_relative;
   switch ((int)instr->op) {
   case NIR_INTRINSIC_shuffle_xor:
      return relative ? nir_ixor(b, lane_id(b), amount) : NULL;
   case NIR_INTRINSIC_shuffle_up:
      return relative ? nir_isub(b, lane_id(b), amount) : NULL;
   case NIR_INTRINSIC_shuffle_down:
      return relative ? nir_iadd(b, lane_id(b), amount) : NULL;
   case NIR_INTRINSIC_quad_broadcast:
      return quad ? nir_ior(b, nir_iand_imm(b, lane_id(b), ~UINT64_C(3)), nir_iand_imm(b, amount, 3)) : NULL;
   case NIR_INTRINSIC_quad_swap_horizontal:
      return quad ? nir_ixor_imm(b, lane_id(b), 1) : NULL;
   case NIR_INTRINSIC_quad_swap_vertical:
      return quad ? nir_ixor_imm(b, lane_id(b), 2) : NULL;
   case NIR_INTRINSIC_quad_swap_diagonal:
      return quad ? nir_ixor_imm(b, lane_id(b), 3) : NULL;
   default:
      return NULL;
   }
}

static struct nir_def *
vote_equal(struct nir_builder *b, const struct nir_intrinsic_instr *instr)
{
   struct nir_def *all = NULL;
   for (unsigned c = 0; c < instr->num_components; c++) {
      struct nir_def *value = nir_channel(b, instr->src[0].def, c), *first = nir_read_first_invocation(b, value);
      struct nir_def *same =
         instr->op == NIR_INTRINSIC_vote_feq ? nir_feq(b, value, first) : nir_ieq(b, value, first);
      all = all ? nir_iand(b, all, same) : same;
   }
   return nir_vote_all(b, all);
}

static struct nir_def *
elect(struct nir_builder *b, uint32_t subgroup_size)
{
   struct nir_def *active = nir_ballot(b, nir_imm_bool(b, true));
   return nir_ieq(b, lane_id(b), find(b, active, true, subgroup_size));
}

static struct nir_def *
reduce_bool(struct nir_builder *b, const struct nir_intrinsic_instr *instr)
{
   struct nir_def *wide = nir_b2i32(b, instr->src[0].def);
   struct nir_intrinsic_instr *clone = nir_build_intrinsic(b, instr->op, wide->num_components, 32, &wide, NULL);
   for (unsigned i = 0; i < nir_intrinsic_infos[instr->op].num_indices; i++)
      clone->index[i] = instr->index[i];
   return nir_ine_imm(b, &clone->def, 0);
}

static struct nir_def *
lower(struct nir_builder *b, const struct nir_intrinsic_instr *instr, const struct nir_subgroup_options *options)
{
   enum nir_intrinsic_op op = instr->op;
   bool scan = op == NIR_INTRINSIC_reduce || op == NIR_INTRINSIC_inclusive_scan || op == NIR_INTRINSIC_exclusive_scan;
   if (options->vote_eq && (op == NIR_INTRINSIC_vote_feq || op == NIR_INTRINSIC_vote_ieq))
      return vote_equal(b, instr);
   if (options->elect && op == NIR_INTRINSIC_elect)
      return elect(b, options->subgroup_size);
   if (options->reduce_bool && scan && instr->def.bit_size == 1)
      return reduce_bool(b, instr);
   if (options->to_scalar && instr->num_components > 1 && op >= NIR_INTRINSIC_read_first_invocation)
      return to_scalar(b, instr);
   struct nir_def *lane = source_lane(b, instr, options);
   if (lane)
      return nir_shuffle(b, instr->src[0].def, lane);
   return options->ballot_ops ? lower_ballot_op(b, instr, options->subgroup_size) : NULL;
}

bool
nir_lower_subgroups(struct nir_shader *shader, const struct nir_subgroup_options *options)
{
   bool progress = false;
   assert(options->subgroup_size == 32 || options->subgroup_size == 64);
   nir_foreach_block(block, shader) {
      for (struct nir_instr *instr = list_first(&block->instrs, struct nir_instr, link), *next;
           &instr->link != &block->instrs; instr = next) {
         next = list_entry(instr->link.next, struct nir_instr, link);
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op < NIR_INTRINSIC_elect ||
             nir_as_intrinsic(instr)->op > NIR_INTRINSIC_exclusive_scan)
            continue;
         struct list_head *before = instr->link.prev;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         struct nir_def *value = lower(&b, nir_as_intrinsic(instr), options);
         if (!value)
            continue;
         nir_def_replace(&nir_as_intrinsic(instr)->def, value);
         nir_instr_remove(instr);
         next = list_entry(before->next, struct nir_instr, link); /* what was built may be lowered further */
         progress = true;
      }
   }
   return progress;
}
