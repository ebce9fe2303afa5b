/* Selection of operations between the lanes of a wave. */
#include "amd/compiler/aco_select.h"

struct aco_operand
isel_dpp_mov(struct isel *c, struct aco_operand src, unsigned ctrl, const struct aco_operand *old)
{
   struct aco_instr *instr = isel_emit(c, AMD_OP_v_mov_b32, 1, old ? 2 : 1);
   instr->ops[0] = src;
   if (old) { /* lanes without a source keep this */
      instr->ops[1] = *old;
      instr->tied = true;
   }
   instr->dpp = true;
   instr->bound_ctrl = !old;
   instr->dpp_ctrl = (uint16_t)ctrl;
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
   return isel_result(c, instr, 0);
}

void
isel_quad_swizzle(struct isel *c, struct aco_operand src, unsigned ctrl, struct aco_operand *out)
{
   *out = isel_dpp_mov(c, isel_as_v(c, src, 1), ctrl, NULL);
}

/* ---- dword by dword ---- */

typedef struct aco_operand (*dword_fn)(struct isel *c, struct aco_operand x, const void *data);

/* Applies fn to each dword of each component. Booleans go through 0 and 1. */
static void
per_dword(struct isel *c, struct nir_intrinsic_instr *intr, dword_fn fn, const void *data)
{
   const struct nir_src *src = &intr->src[0];
   for (unsigned i = 0; i < intr->def.num_components; i++) {
      if (intr->def.bit_size == 1) {
         struct aco_operand x = fn(c, isel_bool_v(c, src, i), data);
         isel_set_mask(c, &intr->def, i, isel_v2(c, AMD_OP_v_cmp_ne_u32, c->program->lm, k(0), isel_as_v(c, x, 1)));
      } else if (intr->def.bit_size == 64) {
         struct aco_operand parts[2];
         isel_split64(c, isel_as_v(c, isel_src(c, src, i), 2), &parts[0], &parts[1]);
         for (unsigned n = 0; n < 2; n++)
            parts[n] = fn(c, parts[n], data);
         isel_set(c, &intr->def, i, isel_vector(c, aco_is_v(&parts[0]) ? ACO_V2 : ACO_S2, 2, parts));
      } else {
         isel_set(c, &intr->def, i, fn(c, isel_as_v(c, isel_src(c, src, i), 1), data));
      }
   }
}

static struct aco_operand
lowest_bit(struct isel *c, struct aco_operand mask)
{
   return isel_s1(c, c->program->wave_size == 64 ? AMD_OP_s_ff1_i32_b64 : AMD_OP_s_ff1_i32_b32, ACO_S1, mask);
}

struct aco_operand
isel_first_active(struct isel *c, struct aco_operand op, unsigned size_dw)
{
   if (c->masks->exact.kind == ACO_OP_NONE || !aco_is_v(&op))
      return isel_as_s(c, op, size_dw);
   struct aco_operand lane = lowest_bit(c, isel_active(c)), parts[2];
   isel_split(c, op, size_dw, parts);
   for (unsigned i = 0; i < size_dw; i++)
      parts[i] = isel_op2(c, AMD_OP_v_readlane_b32, ACO_S1, parts[i], lane);
   return isel_vector(c, aco_rc_s(size_dw), size_dw, parts);
}

static struct aco_operand
first_lane(struct isel *c, struct aco_operand x, const void *data)
{
   return isel_first_active(c, x, 1);
}

static struct aco_operand
read_lane(struct isel *c, struct aco_operand x, const void *lane)
{
   return isel_op2(c, AMD_OP_v_readlane_b32, ACO_S1, x, *(const struct aco_operand *)lane);
}

static struct aco_operand
quad_dword(struct isel *c, struct aco_operand x, const void *ctrl)
{
   return isel_dpp_mov(c, x, *(const unsigned *)ctrl, NULL);
}

/* Value of any lane of a wave64 without LDS: each lane is read in turn and kept where it is the wanted one. */
static struct aco_operand
permute_by_reading(struct isel *c, struct aco_operand x, struct aco_operand index)
{
   struct aco_operand wanted = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(63), isel_as_v(c, index, 1)), result = k(0);
   for (unsigned lane = 0; lane < 64; lane++) {
      struct aco_operand value = isel_op2(c, AMD_OP_v_readlane_b32, ACO_S1, x, k(lane));
      struct aco_operand is_lane = isel_v2(c, AMD_OP_v_cmp_eq_u32, c->program->lm, k(lane), wanted);
      result = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, result, value, is_lane);
   }
   return result;
}

/* Value of any lane. In wave64 ds_bpermute stays within 32 lanes from GFX10 on (LLVM AMDGPU), so the values of a
 * compute shader go through a part of the LDS after the shader's own, one dword per invocation. */
static struct aco_operand
permute(struct isel *c, struct aco_operand x, const void *lane)
{
   struct aco_operand index = *(const struct aco_operand *)lane, none = {0};
   if (c->program->wave_size == 32 || c->program->target->whole_bpermute) {
      struct aco_operand address = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, k(2), isel_as_v(c, index, 1));
      return isel_op2(c, AMD_OP_ds_bpermute_b32, ACO_V1, address, x);
   }
   const uint32_t *size = c->nir->info.workgroup_size;
   const uint32_t base_B = (uint32_t)align_up(c->nir->info.shared_B, 4);
   const uint32_t end_B = base_B + 4 * (uint32_t)align_up(size[0] * size[1] * size[2], 64);
   if (c->nir->stage != NIR_STAGE_COMPUTE || c->program->options->no_shuffle_lds || end_B > c->program->target->lds_B)
      return permute_by_reading(c, x, index);
   c->program->lds_B = end_B;
   struct aco_operand own = isel_local_index(c);
   struct aco_operand first = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(~63u), isel_as_v(c, own, 1));
   struct aco_operand wanted = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(63), isel_as_v(c, index, 1));
   wanted = isel_v2(c, AMD_OP_v_or_b32, ACO_V1, first, wanted);
   struct aco_operand addresses[2] = {isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, k(2), isel_as_v(c, own, 1)),
                                      isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, k(2), wanted)};
   struct aco_instr *write = isel_emit(c, AMD_OP_ds_write_b32, 0, 3), *read;
   write->ops[0] = addresses[0];
   write->ops[1] = x;
   write->ops[2] = none;
   read = isel_emit(c, AMD_OP_ds_read_b32, 1, 3);
   read->ops[0] = addresses[1];
   read->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
   write->offset = read->offset = (int32_t)base_B;
   return isel_result(c, read, 0);
}

/* ---- votes and ballots ---- */

static struct aco_operand
active_bits(struct isel *c, struct aco_operand mask)
{
   return isel_s2(c, ISEL_LM(c, s_and), c->program->lm, mask, isel_active(c));
}

/* all: none of the active lanes says no; any: one says yes. */
static void
vote(struct isel *c, struct nir_intrinsic_instr *intr, struct aco_operand mask, bool all)
{
   if (mask.kind == ACO_OP_CONST)
      mask = isel_as_s(c, mask, aco_rc_size_dw(c->program->lm));
   if (!all) {
      active_bits(c, mask);
      isel_set_scc(c, &intr->def, 0);
      return;
   }
   isel_s2(c, ISEL_LM(c, s_andn2), c->program->lm, isel_active(c), mask);
   isel_use_scc(c);
   struct aco_operand result = isel_op2(c, AMD_OP_s_cselect_b32, ACO_S1, k(0), k(1));
   if (intr->def.divergent) {
      isel_scmp(c, AMD_OP_s_cmp_lg_u32, result, k(0));
      isel_set_scc(c, &intr->def, 0);
   } else {
      isel_set(c, &intr->def, 0, result);
   }
}

static void
vote_equal(struct isel *c, struct nir_intrinsic_instr *intr)
{
   bool is_float = intr->op == NIR_INTRINSIC_vote_feq;
   unsigned bits = intr->src[0].def->bit_size;
   struct aco_operand all = {0};
   for (unsigned i = 0; i < intr->src[0].def->num_components; i++) {
      unsigned dw = bits == 64 ? 2 : 1;
      struct aco_operand x = bits == 1 ? isel_bool_v(c, &intr->src[0], i) : isel_src(c, &intr->src[0], i);
      x = isel_as_v(c, is_float || bits == 1 ? x : isel_extend(c, x, bits, false), dw);
      unsigned op = !is_float    ? (dw == 2 ? AMD_OP_v_cmp_eq_u64 : AMD_OP_v_cmp_eq_u32)
                    : bits == 16 ? AMD_OP_v_cmp_eq_f16
                    : dw == 2    ? AMD_OP_v_cmp_eq_f64
                                 : AMD_OP_v_cmp_eq_f32;
      struct aco_operand equal = isel_v2(c, op, c->program->lm, isel_first_active(c, x, dw), x);
      all = i ? isel_s2(c, ISEL_LM(c, s_and), c->program->lm, all, equal) : equal;
   }
   vote(c, intr, all, true);
}

static void
ballot(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand mask = active_bits(c, isel_bool_mask(c, &intr->src[0], 0)), words[4] = {k(0), k(0), k(0), k(0)};
   if (c->program->wave_size == 64)
      isel_split64(c, mask, &words[0], &words[1]);
   else
      words[0] = mask;
   for (unsigned i = 0; i < 4; i++)
      isel_set(c, &intr->def, i, words[i]);
}

/* The mask that a u32x4 ballot holds, uniform. */
static struct aco_operand
ballot_mask(struct isel *c, const struct nir_src *src)
{
   struct aco_operand words[2];
   unsigned count = c->program->wave_size / 32;
   for (unsigned i = 0; i < count; i++)
      words[i] = isel_as_s(c, isel_src(c, src, i), 1);
   return isel_vector(c, c->program->lm, count, words);
}

static void
ballot_counts(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand count = k(0), lo = isel_src(c, &intr->src[0], 0), hi = isel_src(c, &intr->src[0], 1);
   bool wide = c->program->wave_size == 64;
   if (intr->op == NIR_INTRINSIC_ballot_bit_count_reduce) {
      count = isel_v2(c, AMD_OP_v_bcnt_u32_b32, ACO_V1, lo, k(0));
      isel_set(c, &intr->def, 0, wide ? isel_v2(c, AMD_OP_v_bcnt_u32_b32, ACO_V1, hi, count) : count);
      return;
   }
   count = isel_v2(c, AMD_OP_v_mbcnt_lo_u32_b32, ACO_V1, lo, k(0));
   if (wide)
      count = isel_v2(c, AMD_OP_v_mbcnt_hi_u32_b32, ACO_V1, hi, count);
   if (intr->op == NIR_INTRINSIC_ballot_bit_count_inclusive) {
      struct aco_operand own = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, k(0), k(1), ballot_mask(c, &intr->src[0]));
      count = isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, own, count);
   }
   isel_set(c, &intr->def, 0, count);
}

static void
ballot_find(struct isel *c, struct nir_intrinsic_instr *intr)
{
   bool lsb = intr->op == NIR_INTRINSIC_ballot_find_lsb, wide = c->program->wave_size == 64;
   struct aco_operand mask = ballot_mask(c, &intr->src[0]);
   if (lsb) {
      isel_set(c, &intr->def, 0, lowest_bit(c, mask));
      return;
   }
   struct aco_operand zeros = isel_s1(c, wide ? AMD_OP_s_flbit_i32_b64 : AMD_OP_s_flbit_i32_b32, ACO_S1, mask);
   isel_set(c, &intr->def, 0, isel_s2(c, AMD_OP_s_sub_u32, ACO_S1, k(wide ? 63 : 31), zeros));
}

/* Whether a lane of the quad says yes; all: none says no. Helpers count. */
static void
quad_vote(struct isel *c, struct nir_intrinsic_instr *intr, bool all)
{
   struct aco_operand exec = aco_op_fixed(AMD_EXEC_LO), mask = isel_bool_mask(c, &intr->src[0], 0);
   exec.rc = c->program->lm;
   if (mask.kind == ACO_OP_CONST)
      mask = isel_as_s(c, mask, aco_rc_size_dw(c->program->lm));
   mask = all ? isel_s2(c, ISEL_LM(c, s_andn2), c->program->lm, exec, mask)
              : isel_s2(c, ISEL_LM(c, s_and), c->program->lm, mask, exec);
   mask = isel_s1(c, ISEL_LM(c, s_wqm), c->program->lm, mask);
   isel_set_mask(c, &intr->def, 0, all ? isel_s1(c, ISEL_LM(c, s_not), c->program->lm, mask) : mask);
}

static void
elect(struct isel *c, struct nir_intrinsic_instr *intr)
{
   bool wide = c->program->wave_size == 64;
   struct aco_operand first = lowest_bit(c, isel_active(c));
   struct aco_operand mask = isel_s2(c, wide ? AMD_OP_s_lshl_b64 : AMD_OP_s_lshl_b32, c->program->lm,
                                     wide ? isel_as_s(c, k(1), 2) : k(1), first);
   isel_set(c, &intr->def, 0, mask);
}

static void
bitfield_extract(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand index = isel_as_v(c, isel_src(c, &intr->src[1], 0), 1), word = isel_src(c, &intr->src[0], 0);
   word = isel_as_v(c, word, 1);
   if (c->program->wave_size == 64) {
      struct aco_operand high = isel_v2(c, AMD_OP_v_cmp_lt_u32, c->program->lm, k(31), index);
      word = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, word, isel_as_v(c, isel_src(c, &intr->src[0], 1), 1), high);
   }
   struct aco_operand bit = isel_v3(c, AMD_OP_v_bfe_u32, ACO_V1, word, index, k(1));
   isel_set_mask(c, &intr->def, 0, isel_v2(c, AMD_OP_v_cmp_ne_u32, c->program->lm, k(0), bit));
}

/* ---- shuffles ---- */

static struct aco_operand
own_lane(struct isel *c)
{
   struct aco_operand id = isel_v2(c, AMD_OP_v_mbcnt_lo_u32_b32, ACO_V1, k(UINT32_MAX), k(0));
   return c->program->wave_size == 64 ? isel_v2(c, AMD_OP_v_mbcnt_hi_u32_b32, ACO_V1, k(UINT32_MAX), id) : id;
}

/* Of a group of a power of two lanes: the lane whose number in the group is the lowest bits of `number`. */
static struct aco_operand
lane_of_group(struct isel *c, unsigned group, struct aco_operand number)
{
   struct aco_operand low = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(group - 1), isel_as_v(c, number, 1));
   if (group >= c->program->wave_size)
      return low;
   return isel_v2(c, AMD_OP_v_or_b32, ACO_V1, low,
                  isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(~(group - 1)), own_lane(c)));
}

static void
rotate(struct isel *c, struct nir_intrinsic_instr *intr)
{
   const unsigned cluster = nir_intrinsic_cluster_size(intr);
   struct aco_operand sum = isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, own_lane(c), isel_src(c, &intr->src[1], 0));
   struct aco_operand lane = lane_of_group(c, cluster ? cluster : c->program->wave_size, sum);
   per_dword(c, intr, permute, &lane);
}

static void
quad_broadcast(struct isel *c, struct nir_intrinsic_instr *intr)
{
   if (nir_src_is_const(intr->src[1])) {
      const unsigned ctrl = 0x55 * ((unsigned)nir_src_comp_as_uint(intr->src[1], 0) & 3);
      per_dword(c, intr, quad_dword, &ctrl);
   } else {
      struct aco_operand lane = lane_of_group(c, 4, isel_src(c, &intr->src[1], 0));
      per_dword(c, intr, permute, &lane);
   }
}

/* Clocks count cycles of the shader, or are the device's. */
static void
shader_clock(struct isel *c, struct nir_intrinsic_instr *intr)
{
   enum { MESSAGE_GET_REALTIME = 131 };
   const struct aco_target *target = c->program->target;
   bool device = nir_intrinsic_memory_scope(intr) == NIR_SCOPE_DEVICE;
   bool counter = !device && target->has_shader_cycles, message = device && target->has_clock_message;
   struct aco_operand parts[2] = {{0}, k(0)};
   struct aco_instr *instr = isel_emit(c,
                                       counter   ? AMD_OP_s_getreg_b32
                                       : message ? AMD_OP_s_sendmsg_rtn_b64
                                       : device  ? AMD_OP_s_memrealtime
                                                 : AMD_OP_s_memtime,
                                       1, 0);
   aco_rc rc = counter ? ACO_S1 : ACO_S2;
   instr->simm16 = counter ? (uint16_t)amd_hwreg(AMD_HWREG_SHADER_CYCLES, 0, 20) : message ? MESSAGE_GET_REALTIME : 0;
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, rc), .rc = rc};
   instr->side_effects = true;
   if (counter)
      parts[0] = isel_result(c, instr, 0);
   else
      isel_split(c, isel_result(c, instr, 0), 2, parts);
   for (unsigned i = 0; i < 2; i++)
      isel_set(c, &intr->def, i, parts[i]);
}

static void
shuffle(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand operand = isel_src(c, &intr->src[1], 0), lane = operand;
   if (intr->op != NIR_INTRINSIC_shuffle) {
      struct aco_operand id = own_lane(c);
      unsigned op = intr->op == NIR_INTRINSIC_shuffle_xor  ? AMD_OP_v_xor_b32
                    : intr->op == NIR_INTRINSIC_shuffle_up ? AMD_OP_v_sub_nc_u32
                                                           : AMD_OP_v_add_nc_u32;
      lane = isel_v2(c, op, ACO_V1, id, operand);
   }
   per_dword(c, intr, permute, &lane);
}

bool
isel_subgroup(struct isel *c, struct nir_intrinsic_instr *intr)
{
   /* size: a flat switch */
   struct aco_operand lane;
   unsigned ctrl;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_elect:
      elect(c, intr);
      return true;
   case NIR_INTRINSIC_vote_any:
   case NIR_INTRINSIC_vote_all:
      vote(c, intr, isel_bool_mask(c, &intr->src[0], 0), intr->op == NIR_INTRINSIC_vote_all);
      return true;
   case NIR_INTRINSIC_vote_feq:
   case NIR_INTRINSIC_vote_ieq:
      vote_equal(c, intr);
      return true;
   case NIR_INTRINSIC_ballot:
      ballot(c, intr);
      return true;
   case NIR_INTRINSIC_inverse_ballot:
      isel_set_mask(c, &intr->def, 0, ballot_mask(c, &intr->src[0]));
      return true;
   case NIR_INTRINSIC_ballot_bitfield_extract:
      bitfield_extract(c, intr);
      return true;
   case NIR_INTRINSIC_ballot_bit_count_reduce:
   case NIR_INTRINSIC_ballot_bit_count_inclusive:
   case NIR_INTRINSIC_ballot_bit_count_exclusive:
      ballot_counts(c, intr);
      return true;
   case NIR_INTRINSIC_ballot_find_lsb:
   case NIR_INTRINSIC_ballot_find_msb:
      ballot_find(c, intr);
      return true;
   case NIR_INTRINSIC_read_first_invocation:
      per_dword(c, intr, first_lane, NULL);
      return true;
   case NIR_INTRINSIC_read_invocation:
      lane = isel_src(c, &intr->src[1], 0);
      lane = lane.kind == ACO_OP_CONST ? k(lane.value & (c->program->wave_size - 1)) : isel_as_s(c, lane, 1);
      per_dword(c, intr, read_lane, &lane);
      return true;
   case NIR_INTRINSIC_shuffle:
   case NIR_INTRINSIC_shuffle_xor:
   case NIR_INTRINSIC_shuffle_up:
   case NIR_INTRINSIC_shuffle_down:
      shuffle(c, intr);
      return true;
   case NIR_INTRINSIC_quad_broadcast:
      quad_broadcast(c, intr);
      return true;
   case NIR_INTRINSIC_rotate:
      rotate(c, intr);
      return true;
   case NIR_INTRINSIC_quad_vote_any:
   case NIR_INTRINSIC_quad_vote_all:
      quad_vote(c, intr, intr->op == NIR_INTRINSIC_quad_vote_all);
      return true;
   case NIR_INTRINSIC_quad_swap_horizontal:
   case NIR_INTRINSIC_quad_swap_vertical:
   case NIR_INTRINSIC_quad_swap_diagonal:
      ctrl = 0x1b; /* diagonal */
      if (intr->op == NIR_INTRINSIC_quad_swap_horizontal)
         ctrl = 0xb1;
      else if (intr->op == NIR_INTRINSIC_quad_swap_vertical)
         ctrl = 0x4e;
      per_dword(c, intr, quad_dword, &ctrl);
      return true;
   case NIR_INTRINSIC_reduce:
   case NIR_INTRINSIC_inclusive_scan:
   case NIR_INTRINSIC_exclusive_scan:
      isel_reduce(c, intr);
      return true;
   case NIR_INTRINSIC_shader_clock:
      shader_clock(c, intr);
      return true;
   default: /* others: not of subgroups */
      return false;
   }
}

/* The two CUs of a work-group processor have an L0 each; L1 is shared below. GFX9 has one cache for a CU, which a
 * workgroup never leaves. */
void
isel_invalidate(struct isel *c, enum nir_scope scope)
{
   bool gl1 = c->program->target->has_gl1, wide = scope > NIR_SCOPE_WORKGROUP;
   if (wide)
      isel_emit(c, gl1 ? AMD_OP_buffer_gl1_inv : AMD_OP_buffer_wbinvl1_vol, 0, 0)->side_effects = true;
   if (gl1 && scope >= NIR_SCOPE_WORKGROUP)
      isel_emit(c, AMD_OP_buffer_gl0_inv, 0, 0)->side_effects = true;
}

void
isel_barrier(struct isel *c, struct nir_intrinsic_instr *intr)
{
   enum nir_scope execution = nir_intrinsic_execution_scope(intr), memory = nir_intrinsic_memory_scope(intr);
   uint32_t semantics = nir_intrinsic_memory_semantics(intr), modes = nir_intrinsic_memory_modes(intr);
   const uint32_t *size = c->nir->info.workgroup_size;
   bool several = isel_is_merged(c) || size[0] * size[1] * size[2] > c->program->wave_size;
   bool group = execution == NIR_SCOPE_WORKGROUP && several;
   bool global = modes & (NIR_VAR_SSBO | NIR_VAR_UNIFORM | NIR_VAR_UBO);
   /* aco_waits.c waits for all outstanding memory at an s_barrier and at these marks. */
   struct aco_instr *instr;
   if (memory > NIR_SCOPE_SUBGROUP && semantics & (NIR_SEMANTICS_RELEASE | NIR_SEMANTICS_ACQUIRE)) {
      instr = isel_emit(c, AMD_OP_s_waitcnt, 0, 0);
      instr->side_effects = true;
      if (c->program->target->vscnt_max) {
         instr = isel_emit(c, AMD_OP_s_waitcnt_vscnt, 0, 1);
         instr->ops[0] = aco_op_fixed(AMD_NULL);
         instr->side_effects = true;
      }
   }
   if (group) {
      instr = isel_emit(c, AMD_OP_s_barrier, 0, 0);
      instr->side_effects = true;
   }
   if (global && semantics & NIR_SEMANTICS_ACQUIRE)
      isel_invalidate(c, memory);
}
