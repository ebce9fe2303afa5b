/* Scalar comparisons. */
#include "amd/sim/wave/exec_salu_private.h"
#include "util/macros.h"

static enum step
s_cmp_eq_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)scalar_low(w, c, 0) == (int32_t)scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_lg_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)scalar_low(w, c, 0) != (int32_t)scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_gt_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)scalar_low(w, c, 0) > (int32_t)scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_ge_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)scalar_low(w, c, 0) >= (int32_t)scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_lt_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)scalar_low(w, c, 0) < (int32_t)scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_le_i32(struct wave *w, const struct code *c)
{
   w->state.scc = (int32_t)scalar_low(w, c, 0) <= (int32_t)scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_eq_u32(struct wave *w, const struct code *c)
{
   w->state.scc = scalar_low(w, c, 0) == scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_lg_u32(struct wave *w, const struct code *c)
{
   w->state.scc = scalar_low(w, c, 0) != scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_gt_u32(struct wave *w, const struct code *c)
{
   w->state.scc = scalar_low(w, c, 0) > scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_ge_u32(struct wave *w, const struct code *c)
{
   w->state.scc = scalar_low(w, c, 0) >= scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_lt_u32(struct wave *w, const struct code *c)
{
   w->state.scc = scalar_low(w, c, 0) < scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_le_u32(struct wave *w, const struct code *c)
{
   w->state.scc = scalar_low(w, c, 0) <= scalar_low(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_eq_u64(struct wave *w, const struct code *c)
{
   w->state.scc = exec_scalar(w, c, 0) == exec_scalar(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_cmp_lg_u64(struct wave *w, const struct code *c)
{
   w->state.scc = exec_scalar(w, c, 0) != exec_scalar(w, c, 1);
   return STEP_NEXT;
}

static enum step
s_bitcmp0_b32(struct wave *w, const struct code *c)
{
   w->state.scc = (exec_scalar(w, c, 0) >> (exec_scalar(w, c, 1) & 31) & 1) == 0;
   return STEP_NEXT;
}

static enum step
s_bitcmp0_b64(struct wave *w, const struct code *c)
{
   w->state.scc = (exec_scalar(w, c, 0) >> (exec_scalar(w, c, 1) & 63) & 1) == 0;
   return STEP_NEXT;
}

static enum step
s_bitcmp1_b32(struct wave *w, const struct code *c)
{
   w->state.scc = (exec_scalar(w, c, 0) >> (exec_scalar(w, c, 1) & 31) & 1) == 1;
   return STEP_NEXT;
}

static enum step
s_bitcmp1_b64(struct wave *w, const struct code *c)
{
   w->state.scc = (exec_scalar(w, c, 0) >> (exec_scalar(w, c, 1) & 63) & 1) == 1;
   return STEP_NEXT;
}

static const scalar_fn handlers[] = {
   [AMD_OP_s_cmp_eq_i32] = s_cmp_eq_i32,   [AMD_OP_s_cmp_lg_i32] = s_cmp_lg_i32,
   [AMD_OP_s_cmp_gt_i32] = s_cmp_gt_i32,   [AMD_OP_s_cmp_ge_i32] = s_cmp_ge_i32,
   [AMD_OP_s_cmp_lt_i32] = s_cmp_lt_i32,   [AMD_OP_s_cmp_le_i32] = s_cmp_le_i32,
   [AMD_OP_s_cmp_eq_u32] = s_cmp_eq_u32,   [AMD_OP_s_cmp_lg_u32] = s_cmp_lg_u32,
   [AMD_OP_s_cmp_gt_u32] = s_cmp_gt_u32,   [AMD_OP_s_cmp_ge_u32] = s_cmp_ge_u32,
   [AMD_OP_s_cmp_lt_u32] = s_cmp_lt_u32,   [AMD_OP_s_cmp_le_u32] = s_cmp_le_u32,
   [AMD_OP_s_cmp_eq_u64] = s_cmp_eq_u64,   [AMD_OP_s_cmp_lg_u64] = s_cmp_lg_u64,
   [AMD_OP_s_bitcmp0_b32] = s_bitcmp0_b32, [AMD_OP_s_bitcmp0_b64] = s_bitcmp0_b64,
   [AMD_OP_s_bitcmp1_b32] = s_bitcmp1_b32, [AMD_OP_s_bitcmp1_b64] = s_bitcmp1_b64,
};

bool
exec_sopc_bind(struct code *c)
{
   return scalar_bind(c, handlers, ARRAY_SIZE(handlers));
}
