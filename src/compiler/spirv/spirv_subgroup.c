/* Group operations of a subgroup: OpGroupNonUniform* and the older OpSubgroup*KHR. */
#include "compiler/spirv/spirv_emit.h"
#include "util/macros.h"

static void
check_scope(struct spirv_emit *e, uint32_t id)
{
   spirv_require(e->m, spirv_scope(e, id) == NIR_SCOPE_SUBGROUP, "group operations exist for subgroups only");
}

/* ---- votes and ballots ---- */

static struct nir_def *
boolean(struct spirv_emit *e, uint32_t id)
{
   struct nir_def *def = spirv_def(e, id);
   spirv_require(e->m, def->bit_size == 1 && def->num_components == 1, "%%%u is no boolean", id);
   return def;
}

static struct nir_def *
ballot_value(struct spirv_emit *e, uint32_t id)
{
   struct nir_def *def = spirv_def(e, id);
   spirv_require(e->m, def->bit_size == 32 && def->num_components == 4 && spirv_is_int(spirv_type_of(e, id)),
                 "%%%u is no ballot", id);
   return def;
}

static struct nir_def *
all_equal(struct spirv_emit *e, uint32_t id)
{
   struct nir_builder *b = &e->b;
   struct nir_def *value = spirv_def(e, id);
   return spirv_is_float(spirv_type_of(e, id)) ? nir_vote_feq(b, value) : nir_vote_ieq(b, value);
}

static struct nir_def *
bit_count(struct spirv_emit *e, uint32_t operation, struct nir_def *ballot)
{
   switch (operation) {
   case SpvGroupOperationReduce:
      return nir_ballot_bit_count_reduce(&e->b, ballot);
   case SpvGroupOperationInclusiveScan:
      return nir_ballot_bit_count_inclusive(&e->b, ballot);
   case SpvGroupOperationExclusiveScan:
      return nir_ballot_bit_count_exclusive(&e->b, ballot);
   default:
      spirv_fail(e->m, "group operation %u does not exist here", operation);
   }
}

/* w: operands after the scope; NULL if the opcode is none of these. */
static struct nir_def *
vote_or_ballot(struct spirv_emit *e, uint32_t opcode, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   switch (opcode) {
   case SpvOpGroupNonUniformElect:
      return nir_elect(b);
   case SpvOpGroupNonUniformAll:
   case SpvOpSubgroupAllKHR:
      return nir_vote_all(b, boolean(e, w[0]));
   case SpvOpGroupNonUniformAny:
   case SpvOpSubgroupAnyKHR:
      return nir_vote_any(b, boolean(e, w[0]));
   case SpvOpGroupNonUniformQuadAllKHR:
      return nir_quad_vote_all(b, boolean(e, w[0]));
   case SpvOpGroupNonUniformQuadAnyKHR:
      return nir_quad_vote_any(b, boolean(e, w[0]));
   case SpvOpGroupNonUniformAllEqual:
   case SpvOpSubgroupAllEqualKHR:
      return all_equal(e, w[0]);
   case SpvOpGroupNonUniformBallot:
   case SpvOpSubgroupBallotKHR:
      return nir_ballot(b, boolean(e, w[0]));
   case SpvOpGroupNonUniformInverseBallot:
      return nir_inverse_ballot(b, ballot_value(e, w[0]));
   case SpvOpGroupNonUniformBallotBitExtract:
      return nir_ballot_bitfield_extract(b, ballot_value(e, w[0]), spirv_index(e, w[1]));
   case SpvOpGroupNonUniformBallotBitCount:
      return bit_count(e, w[0], ballot_value(e, w[1]));
   case SpvOpGroupNonUniformBallotFindLSB:
      return nir_ballot_find_lsb(b, ballot_value(e, w[0]));
   case SpvOpGroupNonUniformBallotFindMSB:
      return nir_ballot_find_msb(b, ballot_value(e, w[0]));
   default: /* others: not of this function */
      return NULL;
   }
}

/* ---- moving values between invocations ---- */

static struct nir_def *
quad_swap(struct spirv_emit *e, struct nir_def *value, uint32_t direction_id)
{
   uint32_t direction = spirv_constant_u32(e->m, direction_id);
   spirv_require(e->m, direction <= 2, "a quad has no direction %u", direction);
   return direction == 0   ? nir_quad_swap_horizontal(&e->b, value)
          : direction == 1 ? nir_quad_swap_vertical(&e->b, value)
                           : nir_quad_swap_diagonal(&e->b, value);
}

static struct nir_def *
movement(struct spirv_emit *e, uint32_t opcode, const uint32_t *w)
{
   struct nir_builder *b = &e->b;
   switch (opcode) {
   case SpvOpGroupNonUniformBroadcast:
      spirv_require(e->m, e->m->version >= 0x105 || e->m->ids[w[1]].kind == SPIRV_ID_CONSTANT,
                    "before SPIR-V 1.5 the invocation must be constant");
      return nir_read_invocation(b, spirv_def(e, w[0]), spirv_index(e, w[1]));
   case SpvOpSubgroupReadInvocationKHR:
      return nir_read_invocation(b, spirv_def(e, w[0]), spirv_index(e, w[1]));
   case SpvOpGroupNonUniformBroadcastFirst:
   case SpvOpSubgroupFirstInvocationKHR:
      return nir_read_first_invocation(b, spirv_def(e, w[0]));
   case SpvOpGroupNonUniformShuffle:
      return nir_shuffle(b, spirv_def(e, w[0]), spirv_index(e, w[1]));
   case SpvOpGroupNonUniformShuffleXor:
      return nir_shuffle_xor(b, spirv_def(e, w[0]), spirv_index(e, w[1]));
   case SpvOpGroupNonUniformShuffleUp:
      return nir_shuffle_up(b, spirv_def(e, w[0]), spirv_index(e, w[1]));
   case SpvOpGroupNonUniformShuffleDown:
      return nir_shuffle_down(b, spirv_def(e, w[0]), spirv_index(e, w[1]));
   case SpvOpGroupNonUniformQuadBroadcast:
      spirv_require(e->m, e->m->version >= 0x105 || e->m->ids[w[1]].kind == SPIRV_ID_CONSTANT,
                    "before SPIR-V 1.5 the invocation must be constant");
      return nir_quad_broadcast(b, spirv_def(e, w[0]), spirv_index(e, w[1]));
   case SpvOpGroupNonUniformQuadSwap:
      return quad_swap(e, spirv_def(e, w[0]), w[1]);
   default: /* others: not of this function */
      return NULL;
   }
}

static struct nir_def *
rotate(struct spirv_emit *e, const uint32_t *w)
{
   uint32_t cluster = 0;
   if (spirv_length(w) == 7) {
      cluster = spirv_constant_u32(e->m, w[6]);
      spirv_require(e->m, is_power_of_two(cluster) && cluster <= 128, "a cluster of %u invocations", cluster);
   }
   return nir_rotate(&e->b, spirv_def(e, w[4]), spirv_index(e, w[5]), .cluster_size = cluster);
}

/* ---- arithmetic ---- */

enum kind {
   KIND_INT,
   KIND_FLOAT,
   KIND_BOOL,
};

static const struct {
   uint16_t opcode, op; /* enum nir_op */
   uint8_t kind;
} reductions[] = {
   {SpvOpGroupNonUniformIAdd, NIR_OP_iadd, KIND_INT},
   {SpvOpGroupNonUniformFAdd, NIR_OP_fadd, KIND_FLOAT},
   {SpvOpGroupNonUniformIMul, NIR_OP_imul, KIND_INT},
   {SpvOpGroupNonUniformFMul, NIR_OP_fmul, KIND_FLOAT},
   {SpvOpGroupNonUniformSMin, NIR_OP_imin, KIND_INT},
   {SpvOpGroupNonUniformUMin, NIR_OP_umin, KIND_INT},
   {SpvOpGroupNonUniformFMin, NIR_OP_fmin, KIND_FLOAT},
   {SpvOpGroupNonUniformSMax, NIR_OP_imax, KIND_INT},
   {SpvOpGroupNonUniformUMax, NIR_OP_umax, KIND_INT},
   {SpvOpGroupNonUniformFMax, NIR_OP_fmax, KIND_FLOAT},
   {SpvOpGroupNonUniformBitwiseAnd, NIR_OP_iand, KIND_INT},
   {SpvOpGroupNonUniformBitwiseOr, NIR_OP_ior, KIND_INT},
   {SpvOpGroupNonUniformBitwiseXor, NIR_OP_ixor, KIND_INT},
   {SpvOpGroupNonUniformLogicalAnd, NIR_OP_iand, KIND_BOOL},
   {SpvOpGroupNonUniformLogicalOr, NIR_OP_ior, KIND_BOOL},
   {SpvOpGroupNonUniformLogicalXor, NIR_OP_ixor, KIND_BOOL},
   /* of SPV_AMD_shader_ballot */
   {SpvOpGroupIAdd, NIR_OP_iadd, KIND_INT},
   {SpvOpGroupFAdd, NIR_OP_fadd, KIND_FLOAT},
   {SpvOpGroupFMin, NIR_OP_fmin, KIND_FLOAT},
   {SpvOpGroupUMin, NIR_OP_umin, KIND_INT},
   {SpvOpGroupSMin, NIR_OP_imin, KIND_INT},
   {SpvOpGroupFMax, NIR_OP_fmax, KIND_FLOAT},
   {SpvOpGroupUMax, NIR_OP_umax, KIND_INT},
   {SpvOpGroupSMax, NIR_OP_imax, KIND_INT},
   {SpvOpGroupIAddNonUniformAMD, NIR_OP_iadd, KIND_INT},
   {SpvOpGroupFAddNonUniformAMD, NIR_OP_fadd, KIND_FLOAT},
   {SpvOpGroupFMinNonUniformAMD, NIR_OP_fmin, KIND_FLOAT},
   {SpvOpGroupUMinNonUniformAMD, NIR_OP_umin, KIND_INT},
   {SpvOpGroupSMinNonUniformAMD, NIR_OP_imin, KIND_INT},
   {SpvOpGroupFMaxNonUniformAMD, NIR_OP_fmax, KIND_FLOAT},
   {SpvOpGroupUMaxNonUniformAMD, NIR_OP_umax, KIND_INT},
   {SpvOpGroupSMaxNonUniformAMD, NIR_OP_imax, KIND_INT},
};

/* Of reductions; their number: none of these. */
static unsigned
row_of(uint32_t opcode)
{
   unsigned row = 0;
   while (row < ARRAY_SIZE(reductions) && reductions[row].opcode != opcode)
      row++;
   return row;
}

static struct nir_def *
reduction(struct spirv_emit *e, const uint32_t *w, unsigned row)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   enum nir_op op = (enum nir_op)reductions[row].op;
   struct nir_def *value = spirv_def_of(e, w[5], type);
   bool fits = reductions[row].kind == KIND_INT     ? spirv_is_int(type)
               : reductions[row].kind == KIND_FLOAT ? spirv_is_float(type)
                                                    : spirv_is_bool(type);
   bool clustered = w[4] == SpvGroupOperationClusteredReduce;
   uint32_t cluster = 0;
   spirv_require(e->m, fits, "the operation does not exist on this type");
   spirv_require(e->m, clustered == (spirv_length(w) == 7), "a cluster size belongs to a clustered reduction");
   if (clustered) {
      cluster = spirv_constant_u32(e->m, w[6]);
      spirv_require(e->m, is_power_of_two(cluster) && cluster <= 128, "a cluster of %u invocations", cluster);
   }
   switch (w[4]) {
   case SpvGroupOperationReduce:
   case SpvGroupOperationClusteredReduce:
      return nir_reduce(&e->b, value, .reduction_op = op, .cluster_size = cluster);
   case SpvGroupOperationInclusiveScan:
      return nir_inclusive_scan(&e->b, value, .reduction_op = op);
   case SpvGroupOperationExclusiveScan:
      return nir_exclusive_scan(&e->b, value, .reduction_op = op);
   default:
      spirv_fail(e->m, "group operation %u does not exist here", w[4]);
   }
}

bool
spirv_emit_subgroup(struct spirv_emit *e, const uint32_t *w)
{
   uint32_t opcode = spirv_opcode(w);
   bool is_group = opcode >= SpvOpGroupNonUniformElect && opcode <= SpvOpGroupNonUniformQuadSwap;
   bool is_khr = opcode >= SpvOpSubgroupBallotKHR && opcode <= SpvOpSubgroupReadInvocationKHR;
   bool is_quad = opcode == SpvOpGroupNonUniformQuadAllKHR || opcode == SpvOpGroupNonUniformQuadAnyKHR;
   bool is_rotation = opcode == SpvOpGroupNonUniformRotateKHR;
   const unsigned row = row_of(opcode);
   const bool reduces = row < ARRAY_SIZE(reductions);
   if (!is_group && !is_khr && !is_quad && !is_rotation && !reduces)
      return false;
   if (is_group || is_rotation || reduces)
      check_scope(e, w[3]);
   const uint32_t *operands = w + 3 + is_group;
   struct nir_def *result = is_rotation ? rotate(e, w)
                            : reduces   ? reduction(e, w, row)
                                        : vote_or_ballot(e, opcode, operands);
   if (!result)
      result = movement(e, opcode, operands);
   if (!result)
      return false;
   spirv_set_def(e, w, result);
   return true;
}
