/* System values that follow from others, and operations between threads that the hardware does not have.
 *
 * A shuffle takes the low bits of the index from all threads of the quad, those that do not run among them, so it is
 * of use with constants only. What else moves values goes by reductions, to which threads that do not run add
 * nothing; where each thread names another one, or an operation has no reduction, a loop visits all that run. */
#include <assert.h>

#include "asahi/compiler/agx_lower_nir.h"

/* ---- system values ---- */

static struct nir_def *
mask_of(struct nir_builder *b, enum nir_intrinsic_op op)
{
   struct nir_def *own = nir_ishl(b, nir_imm_int(b, 1), nir_load_subgroup_invocation(b));
   struct nir_def *below = nir_iadd_imm(b, own, -1), *mask = own;
   if (op == NIR_INTRINSIC_load_subgroup_lt_mask || op == NIR_INTRINSIC_load_subgroup_ge_mask)
      mask = below;
   else if (op == NIR_INTRINSIC_load_subgroup_le_mask || op == NIR_INTRINSIC_load_subgroup_gt_mask)
      mask = nir_ior(b, below, own);
   if (op == NIR_INTRINSIC_load_subgroup_ge_mask || op == NIR_INTRINSIC_load_subgroup_gt_mask)
      mask = nir_inot(b, mask);
   struct nir_def *const parts[] = {mask, nir_imm_int(b, 0), nir_imm_int(b, 0), nir_imm_int(b, 0)};
   return nir_vec(b, parts, 4);
}

static bool
lower_system(struct nir_builder *b, struct nir_intrinsic_instr *intr, const struct agx_options *options)
{
   const uint32_t *size = b->shader->info.workgroup_size;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_workgroup_size: {
      struct nir_def *const parts[] = {nir_imm_int(b, (int32_t)size[0]), nir_imm_int(b, (int32_t)size[1]),
                                       nir_imm_int(b, (int32_t)size[2])};
      return agx_replace_intrinsic(intr, nir_vec(b, parts, 3));
   }
   case NIR_INTRINSIC_load_num_subgroups:
      return agx_replace_intrinsic(intr, nir_imm_int(b, (int32_t)(size[0] * size[1] * size[2] + 31) / 32));
   case NIR_INTRINSIC_load_subgroup_size:
      return agx_replace_intrinsic(intr, nir_imm_int(b, 32));
   case NIR_INTRINSIC_load_subgroup_eq_mask:
   case NIR_INTRINSIC_load_subgroup_ge_mask:
   case NIR_INTRINSIC_load_subgroup_gt_mask:
   case NIR_INTRINSIC_load_subgroup_le_mask:
   case NIR_INTRINSIC_load_subgroup_lt_mask:
      return agx_replace_intrinsic(intr, mask_of(b, intr->op));
   default: /* others: are registers */
      return false;
   }
}

bool
agx_lower_nir_system(struct nir_shader *nir, const struct agx_options *options)
{
   return agx_lower_each_intrinsic(nir, lower_system, options);
}

/* ---- votes and ballots ---- */

static struct nir_def *
low_ballot(struct nir_builder *b, struct nir_def *condition)
{
   return nir_channel(b, nir_ballot(b, condition), 0);
}

static struct nir_def *
vote_all(struct nir_builder *b, struct nir_def *condition)
{
   return nir_ieq_imm(b, low_ballot(b, nir_inot(b, condition)), 0);
}

/* Threads 0 to the own one, without or with it. */
static struct nir_def *
before(struct nir_builder *b, bool inclusive)
{
   struct nir_def *own = nir_ishl(b, nir_imm_int(b, inclusive ? 2 : 1), nir_load_subgroup_invocation(b));
   /* 2 << 31 is 0, and 0 - 1 are all. */
   return nir_iadd_imm(b, own, -1);
}

static struct nir_def *
of_ballot(struct nir_builder *b, const struct nir_intrinsic_instr *intr)
{
   struct nir_def *mask = nir_channel(b, intr->src[0].def, 0);
   switch ((int)intr->op) {
   case NIR_INTRINSIC_inverse_ballot:
      return nir_ine_imm(b, nir_iand_imm(b, nir_ushr(b, mask, nir_load_subgroup_invocation(b)), 1), 0);
   case NIR_INTRINSIC_ballot_bitfield_extract:
      return nir_ine_imm(b, nir_iand_imm(b, nir_ushr(b, mask, intr->src[1].def), 1), 0);
   case NIR_INTRINSIC_ballot_bit_count_reduce:
      return nir_bit_count(b, mask);
   case NIR_INTRINSIC_ballot_bit_count_inclusive:
      return nir_bit_count(b, nir_iand(b, mask, before(b, true)));
   case NIR_INTRINSIC_ballot_bit_count_exclusive:
      return nir_bit_count(b, nir_iand(b, mask, before(b, false)));
   case NIR_INTRINSIC_ballot_find_lsb:
      return nir_find_lsb(b, mask);
   case NIR_INTRINSIC_ballot_find_msb:
      return nir_ufind_msb(b, mask);
   default: /* others: no ballots */
      return NULL;
   }
}

/* ---- the value of one thread ---- */

/* What selection takes: 16 or 32 bits. */
static struct nir_def *
as_word(struct nir_builder *b, struct nir_def *x)
{
   return x->bit_size == 1 ? nir_b2i32(b, x) : x->bit_size == 8 ? nir_u2u32(b, x) : x;
}

static struct nir_def *
from_word(struct nir_builder *b, struct nir_def *x, unsigned bits)
{
   return bits == 1 ? nir_ine_imm(b, x, 0) : bits == 8 ? nir_u2u8(b, x) : x;
}

static struct nir_def *
reduce_or(struct nir_builder *b, struct nir_def *x, unsigned cluster_size)
{
   struct nir_intrinsic_instr *reduce = nir_intrinsic_create(b->shader, NIR_INTRINSIC_reduce);
   nir_src_init(&reduce->src[0], x);
   reduce->num_components = 1;
   nir_intrinsic_set_reduction_op(reduce, NIR_OP_ior);
   nir_intrinsic_set_cluster_size(reduce, cluster_size);
   nir_def_init(b->shader, &reduce->instr, &reduce->def, 1, x->bit_size);
   nir_builder_insert(b, &reduce->instr);
   return &reduce->def;
}

/* x of the one thread for which `chosen` holds. */
static struct nir_def *
value_of(struct nir_builder *b, struct nir_def *x, struct nir_def *chosen)
{
   struct nir_def *out[NIR_MAX_COMPONENTS];
   for (unsigned i = 0; i < x->num_components; i++) {
      struct nir_def *part = nir_channel(b, x, i);
      if (part->bit_size == 64) {
         struct nir_def *both = nir_unpack_64_2x32(b, part), *words[2];
         for (unsigned w = 0; w < 2; w++)
            words[w] = value_of(b, nir_channel(b, both, w), chosen);
         out[i] = nir_pack_64_2x32(b, nir_vec(b, words, 2));
         continue;
      }
      struct nir_def *word = as_word(b, part);
      word = reduce_or(b, nir_bcsel(b, chosen, word, nir_imm_zero(b, 1, word->bit_size)), 0);
      out[i] = from_word(b, word, x->bit_size);
   }
   return nir_vec(b, out, x->num_components);
}

static struct nir_def *
value_of_first(struct nir_builder *b, struct nir_def *x)
{
   return value_of(b, x, nir_elect(b));
}

static struct nir_def *
value_of_thread(struct nir_builder *b, struct nir_def *x, struct nir_def *thread)
{
   return value_of(b, x, nir_ieq(b, thread, nir_load_subgroup_invocation(b)));
}

static struct nir_def *
vote_equal(struct nir_builder *b, struct nir_def *x, bool is_float)
{
   struct nir_def *first = value_of_first(b, x), *same = NULL;
   for (unsigned i = 0; i < x->num_components; i++) {
      struct nir_def *a = nir_channel(b, x, i), *f = nir_channel(b, first, i);
      struct nir_def *equal = is_float ? nir_feq(b, a, f) : nir_ieq(b, a, f);
      same = same ? nir_iand(b, same, equal) : equal;
   }
   return vote_all(b, same);
}

/* ---- a loop over the threads that run ---- */

/* What a turn makes of the result so far. thread: whose turn it is; value: that thread's. */
typedef struct nir_def *turn(struct nir_builder *b, const struct nir_intrinsic_instr *intr, struct nir_def *so_far,
                             struct nir_def *thread, struct nir_def *value);

static struct nir_def *
loop_over_threads(struct nir_builder *b, const struct nir_intrinsic_instr *intr, struct nir_def *start, turn *step)
{
   struct nir_def *x = intr->src[0].def, *all = low_ballot(b, nir_imm_bool(b, true));
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_block *entry = nir_cf_as_block(list_entry(loop->cf.link.prev, struct nir_cf_node, link));
   struct nir_phi_instr *left = nir_build_phi(b, 1, 32);
   struct nir_phi_instr *so_far = nir_build_phi(b, start->num_components, start->bit_size);
   struct nir_if *done = nir_push_if(b, nir_ieq_imm(b, &left->def, 0));
   nir_break(b);
   nir_pop_if(b, done);
   struct nir_def *thread = nir_find_lsb(b, &left->def);
   struct nir_def *made = step(b, intr, &so_far->def, thread, value_of_thread(b, x, thread));
   struct nir_def *rest = nir_iand(b, &left->def, nir_iadd_imm(b, &left->def, -1));
   struct nir_block *last = b->cursor.block;
   nir_phi_add_src(b->shader, left, entry, all);
   nir_phi_add_src(b->shader, left, last, rest);
   nir_phi_add_src(b->shader, so_far, entry, start);
   nir_phi_add_src(b->shader, so_far, last, made);
   nir_pop_loop(b, loop);
   return &so_far->def;
}

static struct nir_def *
wanted_thread(struct nir_builder *b, const struct nir_intrinsic_instr *intr)
{
   struct nir_def *by = intr->src[1].def, *own = nir_load_subgroup_invocation(b);
   switch ((int)intr->op) {
   case NIR_INTRINSIC_shuffle_xor:
      return nir_ixor(b, own, by);
   case NIR_INTRINSIC_shuffle_up:
      return nir_isub(b, own, by);
   case NIR_INTRINSIC_shuffle_down:
      return nir_iadd(b, own, by);
   case NIR_INTRINSIC_quad_broadcast:
      return nir_ior(b, nir_iand_imm(b, own, ~UINT64_C(3)), by);
   case NIR_INTRINSIC_shuffle:
      return by;
   case NIR_INTRINSIC_rotate: {
      const unsigned cluster = nir_intrinsic_cluster_size(intr) & 31 ? nir_intrinsic_cluster_size(intr) : 32;
      return nir_ior(b, nir_iand_imm(b, own, ~(uint64_t)(cluster - 1)),
                     nir_iand_imm(b, nir_iadd(b, own, by), cluster - 1));
   }
   default: /* others: none that lower_shuffle() gets */
      assert(!"a shuffle");
      return by;
   }
}

static struct nir_def *
shuffle_turn(struct nir_builder *b, const struct nir_intrinsic_instr *intr, struct nir_def *so_far,
             struct nir_def *thread, struct nir_def *value)
{
   return nir_bcsel(b, nir_ieq(b, wanted_thread(b, intr), thread), value, so_far);
}

static struct nir_def *
reduce_turn(struct nir_builder *b, const struct nir_intrinsic_instr *intr, struct nir_def *so_far,
            struct nir_def *thread, struct nir_def *value)
{
   struct nir_def *own = nir_load_subgroup_invocation(b), *counts;
   if (intr->op == NIR_INTRINSIC_inclusive_scan) {
      counts = nir_uge(b, own, thread);
   } else if (intr->op == NIR_INTRINSIC_exclusive_scan) {
      counts = nir_ult(b, thread, own);
   } else {
      const unsigned size = nir_intrinsic_cluster_size(intr);
      const uint64_t mask = size ? ~(uint64_t)(size - 1) : 0;
      counts = nir_ieq(b, nir_iand_imm(b, own, mask), nir_iand_imm(b, thread, mask));
   }
   struct nir_def *made = nir_build_alu(b, (enum nir_op)nir_intrinsic_reduction_op(intr), so_far, value, NULL, NULL);
   return nir_bcsel(b, counts, made, so_far);
}

/* What changes nothing. */
static struct nir_def *
neutral(struct nir_builder *b, enum nir_op op, unsigned count, unsigned bits)
{
   struct nir_def *parts[NIR_MAX_COMPONENTS], *value = nir_imm_zero(b, 1, bits);
   const uint64_t top = UINT64_C(1) << (bits - 1);
   switch ((int)op) {
   case NIR_OP_imul:
      value = nir_imm_intN(b, 1, bits);
      break;
   case NIR_OP_iand:
   case NIR_OP_umin:
      value = nir_imm_intN(b, ~UINT64_C(0), bits);
      break;
   case NIR_OP_imin:
      value = nir_imm_intN(b, top - 1, bits);
      break;
   case NIR_OP_imax:
      value = nir_imm_intN(b, top, bits);
      break;
   case NIR_OP_fadd:
      value = nir_imm_floatN(b, -0.0, bits);
      break;
   case NIR_OP_fmul:
      value = nir_imm_floatN(b, 1, bits);
      break;
   case NIR_OP_fmin:
      value = nir_imm_floatN(b, __builtin_inf(), bits);
      break;
   case NIR_OP_fmax:
      value = nir_imm_floatN(b, -__builtin_inf(), bits);
      break;
   case NIR_OP_iadd:
   case NIR_OP_ior:
   case NIR_OP_ixor:
   case NIR_OP_umax:
      break;
   default: /* others: nir_validate() lets none of them reduce */
      assert(!"a reduction");
   }
   for (unsigned i = 0; i < count; i++)
      parts[i] = value;
   return nir_vec(b, parts, count);
}

static bool
has_reduction(const struct nir_intrinsic_instr *intr)
{
   const bool clusters =
      intr->op == NIR_INTRINSIC_reduce && nir_intrinsic_cluster_size(intr) && nir_intrinsic_cluster_size(intr) < 32;
   const unsigned bits = intr->def.bit_size;
   return nir_intrinsic_reduction_op(intr) != NIR_OP_imul && (bits == 16 || bits == 32) && !clusters &&
          intr->op != NIR_INTRINSIC_inclusive_scan;
}

static bool
lower_reduction(struct nir_builder *b, struct nir_intrinsic_instr *intr)
{
   const enum nir_op op = (enum nir_op)nir_intrinsic_reduction_op(intr);
   const bool one = intr->op == NIR_INTRINSIC_reduce && nir_intrinsic_cluster_size(intr) == 1;
   if (one)
      return agx_replace_intrinsic(intr, intr->src[0].def);
   if (has_reduction(intr))
      return false;
   struct nir_def *start = neutral(b, op, intr->def.num_components, intr->def.bit_size);
   return agx_replace_intrinsic(intr, loop_over_threads(b, intr, start, reduce_turn));
}

static bool
lower_shuffle(struct nir_builder *b, struct nir_intrinsic_instr *intr)
{
   const bool word = intr->def.bit_size == 16 || intr->def.bit_size == 32;
   if (nir_src_is_const(intr->src[1])) {
      if (intr->op == NIR_INTRINSIC_shuffle)
         return agx_replace_intrinsic(intr, value_of_thread(b, intr->src[0].def, intr->src[1].def));
      if (word)
         return false;
   }
   struct nir_def *start = nir_imm_zero(b, intr->def.num_components, intr->def.bit_size);
   return agx_replace_intrinsic(intr, loop_over_threads(b, intr, start, shuffle_turn));
}

/* Constant distances are two shuffles of the hardware's: up to the end of the cluster, and from its start. */
static bool
lower_rotate(struct nir_builder *b, struct nir_intrinsic_instr *intr)
{
   const unsigned bits = intr->def.bit_size;
   unsigned cluster = nir_intrinsic_cluster_size(intr);
   struct nir_def *own = nir_load_subgroup_invocation(b), *x = intr->src[0].def;
   cluster = cluster && cluster < 32 ? cluster : 32;
   if (nir_src_is_const(intr->src[1]) && (bits == 16 || bits == 32)) {
      const unsigned up = (unsigned)nir_src_comp_as_uint(intr->src[1], 0) & (cluster - 1);
      if (!up)
         return agx_replace_intrinsic(intr, x);
      struct nir_def *near = nir_shuffle_down(b, x, nir_imm_int(b, (int32_t)up));
      struct nir_def *around = nir_shuffle_up(b, x, nir_imm_int(b, (int32_t)(cluster - up)));
      struct nir_def *inside = nir_ult(b, nir_iand_imm(b, own, cluster - 1), nir_imm_int(b, (int32_t)(cluster - up)));
      return agx_replace_intrinsic(intr, nir_bcsel(b, inside, near, around));
   }
   struct nir_def *start = nir_imm_zero(b, intr->def.num_components, bits);
   return agx_replace_intrinsic(intr, loop_over_threads(b, intr, start, shuffle_turn));
}

/* By the hardware's reductions of quads, in which helpers count. */
static bool
lower_quad_vote(struct nir_builder *b, struct nir_intrinsic_instr *intr)
{
   const bool all = intr->op == NIR_INTRINSIC_quad_vote_all;
   struct nir_def *x = intr->src[0].def, *one = reduce_or(b, nir_b2i32(b, all ? nir_inot(b, x) : x), 4);
   return agx_replace_intrinsic(intr, all ? nir_ieq_imm(b, one, 0) : nir_ine_imm(b, one, 0));
}

/* Swaps in a quad of other sizes than the hardware's. */
static bool
lower_quad_swap(struct nir_builder *b, struct nir_intrinsic_instr *intr)
{
   const unsigned bits = intr->def.bit_size, count = intr->def.num_components;
   struct nir_def *out[NIR_MAX_COMPONENTS];
   if (bits == 16 || bits == 32)
      return false;
   for (unsigned i = 0; i < count; i++) {
      struct nir_def *x = nir_channel(b, intr->src[0].def, i), *words[2], *moved[2];
      const unsigned parts = bits == 64 ? 2 : 1;
      struct nir_def *both = bits == 64 ? nir_unpack_64_2x32(b, x) : as_word(b, x);
      for (unsigned w = 0; w < parts; w++) {
         words[w] = nir_channel(b, both, w);
         moved[w] = intr->op == NIR_INTRINSIC_quad_swap_horizontal ? nir_quad_swap_horizontal(b, words[w])
                    : intr->op == NIR_INTRINSIC_quad_swap_vertical ? nir_quad_swap_vertical(b, words[w])
                                                                   : nir_quad_swap_diagonal(b, words[w]);
      }
      out[i] = bits == 64 ? nir_pack_64_2x32(b, nir_vec(b, moved, 2)) : from_word(b, moved[0], bits);
   }
   return agx_replace_intrinsic(intr, nir_vec(b, out, count));
}

static bool
lower(struct nir_builder *b, struct nir_intrinsic_instr *intr, const struct agx_options *options)
{
   /* size: a flat switch */
   struct nir_def *made;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_vote_any:
      return agx_replace_intrinsic(intr, nir_ine_imm(b, low_ballot(b, intr->src[0].def), 0));
   case NIR_INTRINSIC_vote_all:
      return agx_replace_intrinsic(intr, vote_all(b, intr->src[0].def));
   case NIR_INTRINSIC_vote_ieq:
   case NIR_INTRINSIC_vote_feq:
      made = vote_equal(b, intr->src[0].def, intr->op == NIR_INTRINSIC_vote_feq);
      return agx_replace_intrinsic(intr, made);
   case NIR_INTRINSIC_inverse_ballot:
   case NIR_INTRINSIC_ballot_bitfield_extract:
   case NIR_INTRINSIC_ballot_bit_count_reduce:
   case NIR_INTRINSIC_ballot_bit_count_inclusive:
   case NIR_INTRINSIC_ballot_bit_count_exclusive:
   case NIR_INTRINSIC_ballot_find_lsb:
   case NIR_INTRINSIC_ballot_find_msb:
      return agx_replace_intrinsic(intr, of_ballot(b, intr));
   case NIR_INTRINSIC_read_first_invocation:
      return agx_replace_intrinsic(intr, value_of_first(b, intr->src[0].def));
   case NIR_INTRINSIC_read_invocation:
      return agx_replace_intrinsic(intr, value_of_thread(b, intr->src[0].def, intr->src[1].def));
   case NIR_INTRINSIC_shuffle:
   case NIR_INTRINSIC_shuffle_xor:
   case NIR_INTRINSIC_shuffle_up:
   case NIR_INTRINSIC_shuffle_down:
   case NIR_INTRINSIC_quad_broadcast:
      return lower_shuffle(b, intr);
   case NIR_INTRINSIC_quad_swap_horizontal:
   case NIR_INTRINSIC_quad_swap_vertical:
   case NIR_INTRINSIC_quad_swap_diagonal:
      return lower_quad_swap(b, intr);
   case NIR_INTRINSIC_rotate:
      return lower_rotate(b, intr);
   case NIR_INTRINSIC_quad_vote_any:
   case NIR_INTRINSIC_quad_vote_all:
      return lower_quad_vote(b, intr);
   case NIR_INTRINSIC_reduce:
   case NIR_INTRINSIC_inclusive_scan:
   case NIR_INTRINSIC_exclusive_scan:
      return lower_reduction(b, intr);
   default: /* others: the hardware has them */
      return false;
   }
}

bool
agx_lower_nir_subgroup(struct nir_shader *nir, const struct agx_options *options)
{
   return agx_lower_each_intrinsic(nir, lower, options);
}
