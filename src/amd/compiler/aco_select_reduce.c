/* Selection of reductions and scans over the lanes of a wave: all lanes run, inactive ones hold the value that
 * changes nothing, and the lanes are combined in log2 steps. Values of 64 bits move as two dwords.
 *
 * Where lanes have parted, registers hold values of lanes that are elsewhere: aco_preserve_lanes.c keeps them. */
#include "amd/compiler/aco_select.h"

struct reduction {
   enum nir_op op;
   uint16_t code; /* of dwords and of float64; integers of 64 bits: by isel_int64() */
   bool wide, is_float;
   uint32_t identity[2];
};

/* Operations and identities by size; integers of 16 bits are combined as 32. */
static const struct row {
   uint16_t op16, op32, op64;
   uint32_t identity16, identity32, identity64[2];
} rows[NIR_OP_COUNT] = {
   [NIR_OP_iadd] = {0, AMD_OP_v_add_nc_u32, 0, 0, 0, {0, 0}},
   [NIR_OP_imul] = {0, AMD_OP_v_mul_lo_u32, 0, 0, 1, {1, 0}},
   [NIR_OP_imin] = {0, AMD_OP_v_min_i32, 0, 0, 0x7fffffff, {0xffffffff, 0x7fffffff}},
   [NIR_OP_imax] = {0, AMD_OP_v_max_i32, 0, 0, 0x80000000, {0, 0x80000000}},
   [NIR_OP_umin] = {0, AMD_OP_v_min_u32, 0, 0, 0xffffffff, {0xffffffff, 0xffffffff}},
   [NIR_OP_umax] = {0, AMD_OP_v_max_u32, 0, 0, 0, {0, 0}},
   [NIR_OP_iand] = {0, AMD_OP_v_and_b32, 0, 0, 0xffffffff, {0xffffffff, 0xffffffff}},
   [NIR_OP_ior] = {0, AMD_OP_v_or_b32, 0, 0, 0, {0, 0}},
   [NIR_OP_ixor] = {0, AMD_OP_v_xor_b32, 0, 0, 0, {0, 0}},
   [NIR_OP_fadd] = {AMD_OP_v_add_f16, AMD_OP_v_add_f32, AMD_OP_v_add_f64, 0x8000, 0x80000000, {0, 0x80000000}},
   [NIR_OP_fmul] = {AMD_OP_v_mul_f16, AMD_OP_v_mul_f32, AMD_OP_v_mul_f64, 0x3c00, 0x3f800000, {0, 0x3ff00000}},
   [NIR_OP_fmin] = {AMD_OP_v_min_f16, AMD_OP_v_min_f32, AMD_OP_v_min_f64, 0x7c00, 0x7f800000, {0, 0x7ff00000}},
   [NIR_OP_fmax] = {AMD_OP_v_max_f16, AMD_OP_v_max_f32, AMD_OP_v_max_f64, 0xfc00, 0xff800000, {0, 0xfff00000}},
};

static bool
find_reduction(enum nir_op op, unsigned bits, struct reduction *r)
{
   const struct row *row = &rows[op];
   if (!row->op32)
      return false;
   *r = (struct reduction){
      .op = op, .code = row->op32, .wide = bits == 64, .is_float = row->op16 != 0, .identity = {row->identity32}};
   if (r->wide) {
      r->code = row->op64;
      r->identity[0] = row->identity64[0];
      r->identity[1] = row->identity64[1];
   } else if (bits == 16 && r->is_float) {
      r->code = row->op16;
      r->identity[0] = row->identity16;
   } else if (bits == 1 && op == NIR_OP_iand) {
      r->identity[0] = 1;
   } else if (op == NIR_OP_imin || op == NIR_OP_imax) { /* small ones are combined sign-extended */
      r->identity[0] = (uint32_t)((int32_t)r->identity[0] >> (32 - MAX2(bits, 2)));
   }
   return true;
}

/* ---- dword by dword ---- */

static unsigned
split(struct isel *c, const struct reduction *r, struct aco_operand x, struct aco_operand *parts)
{
   parts[0] = x;
   if (r->wide)
      isel_split64(c, x, &parts[0], &parts[1]);
   return r->wide ? 2 : 1;
}

static struct aco_operand
join(struct isel *c, const struct reduction *r, const struct aco_operand *parts)
{
   return r->wide ? isel_vector(c, aco_is_v(&parts[0]) ? ACO_V2 : ACO_S2, 2, parts) : parts[0];
}

/* Values of other lanes; with fill, lanes without a source get the identity. */
static struct aco_operand
move(struct isel *c, const struct reduction *r, struct aco_operand x, unsigned ctrl, bool fill)
{
   struct aco_operand parts[2];
   unsigned count = split(c, r, x, parts);
   for (unsigned i = 0; i < count; i++) {
      struct aco_operand old = fill ? isel_as_v(c, k(r->identity[i]), 1) : k(0);
      parts[i] = isel_dpp_mov(c, parts[i], ctrl, fill ? &old : NULL);
   }
   return join(c, r, parts);
}

static struct aco_operand
read_lane(struct isel *c, const struct reduction *r, struct aco_operand x, unsigned lane)
{
   struct aco_operand parts[2];
   unsigned count = split(c, r, x, parts);
   for (unsigned i = 0; i < count; i++)
      parts[i] = isel_op2(c, AMD_OP_v_readlane_b32, ACO_S1, parts[i], k(lane));
   return join(c, r, parts);
}

#define SWIZZLE_XOR_16 (0x10 << 10 | 0x1f)

/* Value of lane `lane ^ 16` (rows exchanged): v_permlanex16 with the identity selects, or through LDS's crossbar. */
static struct aco_operand
swap_rows(struct isel *c, const struct reduction *r, struct aco_operand x)
{
   bool crossbar = !aco_info(c->program, AMD_OP_v_permlanex16_b32)->encs;
   struct aco_operand parts[2], lo = {0}, hi = {0};
   unsigned count = split(c, r, x, parts);
   if (!crossbar) {
      lo = isel_as_s(c, k(0x76543210), 1);
      hi = isel_as_s(c, k(0xfedcba98), 1);
   }
   for (unsigned i = 0; i < count; i++) {
      if (crossbar) {
         parts[i] = isel_op1(c, AMD_OP_ds_swizzle_b32, ACO_V1, parts[i]);
         c->block->instrs[c->block->count - 1]->offset = SWIZZLE_XOR_16;
         continue;
      }
      struct aco_instr *instr = isel_emit(c, AMD_OP_v_permlanex16_b32, 1, 3);
      instr->ops[0] = parts[i];
      instr->ops[1] = lo;
      instr->ops[2] = hi;
      instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
      parts[i] = isel_result(c, instr, 0);
   }
   return join(c, r, parts);
}

/* Lanes whose bit is set in the mask take a, others b. */
static struct aco_operand
by_mask(struct isel *c, const struct reduction *r, struct aco_operand mask, struct aco_operand a,
        struct aco_operand b)
{
   struct aco_operand pa[2], pb[2];
   unsigned count = split(c, r, a, pa);
   split(c, r, b, pb);
   for (unsigned i = 0; i < count; i++)
      pa[i] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, pb[i], pa[i], mask);
   return join(c, r, pa);
}

static struct aco_operand
mask_of(struct isel *c, uint64_t mask)
{
   struct aco_operand parts[2] = {k((uint32_t)mask), k((uint32_t)(mask >> 32))};
   return c->program->wave_size == 32 ? isel_as_s(c, parts[0], 1) : isel_vector(c, ACO_S2, 2, parts);
}

/* ---- steps: every lane of x is defined ---- */

static struct aco_operand
combine(struct isel *c, const struct reduction *r, struct aco_operand a, struct aco_operand b)
{
   if (r->wide && !r->is_float)
      return isel_int64(c, r->op, a, isel_as_v(c, b, 2));
   return isel_v2(c, r->code, r->wide ? ACO_V2 : ACO_V1, a, isel_as_v(c, b, r->wide ? 2 : 1));
}

/* All lanes of each cluster hold the cluster's result. */
static struct aco_operand
reduce_steps(struct isel *c, const struct reduction *r, struct aco_operand x, unsigned cluster)
{
   static const uint16_t ctrl[4] = {0xb1, 0x4e, AMD_DPP_ROW_HALF_MIRROR, AMD_DPP_ROW_MIRROR}; /* quad xor 1, xor 2 */
   for (unsigned i = 0; i < 4 && 2u << i <= cluster; i++)
      x = combine(c, r, move(c, r, x, ctrl[i], false), x);
   if (cluster >= 32)
      x = combine(c, r, swap_rows(c, r, x), x);
   if (cluster >= 64)
      x = combine(c, r, read_lane(c, r, x, 0), read_lane(c, r, x, 32));
   return x;
}

/* Inclusive scan over all lanes. */
static struct aco_operand
scan_steps(struct isel *c, const struct reduction *r, struct aco_operand x)
{
   /* Rows 1 and 3 get the last lane of the row before; then the upper half gets that of the lower. */
   static const struct {
      uint64_t mask;
      uint8_t lane;
   } ends[3] = {{0x00000000ffff0000, 15}, {0xffff000000000000, 47}, {0xffffffff00000000, 31}};
   for (unsigned shift = 1; shift <= 8; shift *= 2)
      x = combine(c, r, move(c, r, x, AMD_DPP_ROW_SHR + shift, true), x);
   for (unsigned i = 0; i < (c->program->wave_size == 64 ? 3 : 1); i++) {
      struct aco_operand sum = combine(c, r, read_lane(c, r, x, ends[i].lane), x);
      x = by_mask(c, r, mask_of(c, ends[i].mask), sum, x);
   }
   return x;
}

/* One lane further: lane 0 gets the identity. */
static struct aco_operand
shift_lanes(struct isel *c, const struct reduction *r, struct aco_operand x)
{
   struct aco_operand shifted = move(c, r, x, AMD_DPP_ROW_SHR + 1, true);
   for (unsigned lane = 16; lane < c->program->wave_size; lane += 16)
      shifted = by_mask(c, r, mask_of(c, UINT64_C(1) << lane), read_lane(c, r, x, lane - 1), shifted);
   return shifted;
}

/* ---- one component ---- */

static struct aco_operand
source(struct isel *c, const struct reduction *r, const struct nir_intrinsic_instr *intr, unsigned component)
{
   unsigned bits = intr->def.bit_size;
   if (bits == 1)
      return isel_bool_v(c, &intr->src[0], component);
   struct aco_operand x = isel_src(c, &intr->src[0], component);
   if (bits == 8 || (bits == 16 && !r->is_float))
      x = isel_extend(c, x, bits, r->op == NIR_OP_imin || r->op == NIR_OP_imax);
   return isel_as_v(c, x, r->wide ? 2 : 1);
}

struct aco_operand
isel_begin_whole(struct isel *c)
{
   struct aco_instr *instr = isel_emit(c, ISEL_LM(c, s_or_saveexec), 1, 1);
   instr->ops[0] = k(UINT32_MAX);
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, c->program->lm), .rc = c->program->lm};
   instr->preserves_lanes = c->divergence_depth != 0;
   return isel_result(c, instr, 0);
}

struct aco_operand
isel_end_whole(struct isel *c, struct aco_operand saved, struct aco_operand x)
{
   if (!c->divergence_depth) {
      isel_end_exact(c, saved);
      return x;
   }
   c->program->preserves_lanes = true;
   struct aco_instr *others = isel_emit(c, ISEL_LM(c, s_not), 1, 1);
   others->ops[0] = saved;
   others->preserves_lanes = true;
   isel_fixed_result(others, AMD_EXEC_LO);
   isel_end_exact(c, saved);
   /* A value of its own: what is spilled after the section is that of the active lanes. */
   struct aco_instr *copy = isel_emit(c, ACO_P_PARALLELCOPY, 1, 1);
   copy->ops[0] = x;
   copy->defs[0] = (struct aco_def){.temp = aco_temp(c->program, x.rc), .rc = x.rc};
   return isel_result(c, copy, 0);
}

void
isel_reduce(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct reduction r;
   unsigned bits = intr->def.bit_size, cluster = c->program->wave_size;
   enum nir_op op = nir_intrinsic_reduction_op(intr);
   if (!find_reduction(op, bits, &r)) {
      aco_fail(c->program, "no reduction by %s", nir_op_infos[op].name);
      return;
   }
   if (intr->op == NIR_INTRINSIC_reduce && nir_intrinsic_cluster_size(intr))
      cluster = MIN2(nir_intrinsic_cluster_size(intr), cluster);
   struct aco_operand identity[2] = {k(r.identity[0]), k(r.identity[1])};
   for (unsigned i = 0; i < intr->def.num_components; i++) {
      struct aco_operand x = source(c, &r, intr, i), active = isel_active(c);
      if (active.kind == ACO_OP_FIXED)
         active = isel_op1(c, ISEL_LM(c, s_mov), c->program->lm, active);
      struct aco_operand saved = isel_begin_whole(c);
      x = by_mask(c, &r, active, x, r.wide ? isel_vector(c, ACO_V2, 2, identity) : identity[0]);
      if (intr->op == NIR_INTRINSIC_reduce) {
         x = reduce_steps(c, &r, x, cluster);
      } else {
         if (intr->op == NIR_INTRINSIC_exclusive_scan)
            x = shift_lanes(c, &r, x);
         x = scan_steps(c, &r, x);
      }
      x = isel_end_whole(c, saved, x);
      if (bits == 1)
         isel_set_mask(c, &intr->def, i, isel_v2(c, AMD_OP_v_cmp_ne_u32, c->program->lm, k(0), x));
      else
         isel_set(c, &intr->def, i, x);
   }
}
