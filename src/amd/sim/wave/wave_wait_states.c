/* Sources: Vega ISA, "Manually Inserted Wait States (NOPs)"; LLVM 19, GCNHazardRecognizer.cpp. */
#include "amd/sim/wave/wave_wait_states.h"

#include "amd/sim/wave/wave_private.h"
#include "util/macros.h"

enum { LANE_SELECT_WAIT = 4, DIV_FMAS_WAIT = 4, VCCZ_WAIT = 5, MEMORY_SCALAR_WAIT = 5, DPP_EXEC_WAIT = 5 };
enum { DPP_VGPR_WAIT = 2, HWREG_WAIT = 2, M0_WAIT = 1, STORE_DATA_WAIT = 1 };

static bool
is_vector(const struct code *c)
{
   return c->in.enc >= AMD_ENC_VOP1 && c->in.enc <= AMD_ENC_VINTRP;
}

static bool
is_memory(const struct code *c)
{
   return c->in.enc > AMD_ENC_DS && c->in.enc <= AMD_ENC_SCRATCH;
}

/* Whether fewer than `needed` wait states lie between what happened `at` and now. */
static bool
too_soon(const struct wave_wait_states *s, uint32_t at, unsigned needed)
{
   return at && s->now - at < needed;
}

static bool
scalars_too_soon(const struct wave_wait_states *s, unsigned reg, unsigned count, unsigned needed)
{
   for (unsigned i = reg; i < reg + count && i < 128; i++)
      if (too_soon(s, s->scalar_by_vector[i], needed))
         return true;
   return false;
}

static const char *
find_in_vector(const struct wave_wait_states *s, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   bool lane = in->op == AMD_OP_v_readlane_b32 || in->op == AMD_OP_v_writelane_b32;
   if (lane && in->src[1] < 128 && scalars_too_soon(s, in->src[1], 1, LANE_SELECT_WAIT))
      return "valu-lane-select";
   bool fmas = in->op == AMD_OP_v_div_fmas_f32 || in->op == AMD_OP_v_div_fmas_f64;
   if (fmas && scalars_too_soon(s, AMD_VCC_LO, 2, DIV_FMAS_WAIT))
      return "valu-vcc-div-fmas";
   for (unsigned i = 0; i < 3; i++)
      if ((c->src[i].kind == SOURCE_VCCZ && scalars_too_soon(s, AMD_VCC_LO, 2, VCCZ_WAIT)) ||
          (c->src[i].kind == SOURCE_EXECZ && scalars_too_soon(s, AMD_EXEC_LO, 2, VCCZ_WAIT)))
         return "valu-vccz-execz";
   if (in->modifier == AMD_MOD_DPP16 && amd_is_vgpr(in->src[0]) &&
       too_soon(s, s->vgpr[in->src[0] - AMD_VGPR0], DPP_VGPR_WAIT))
      return "valu-dpp-vgpr";
   if (in->modifier == AMD_MOD_DPP16 && scalars_too_soon(s, AMD_EXEC_LO, 2, DPP_EXEC_WAIT))
      return "valu-exec-dpp";
   if (amd_is_vgpr(in->dst) && too_soon(s, s->store, STORE_DATA_WAIT) && in->dst < s->store_end &&
       in->dst + c->info->dst.size_dw > s->store_first)
      return "vmem-store-data";
   return NULL;
}

static bool
reads_m0_late(const struct code *c)
{
   const struct amd_inst *in = &c->in;
   return c->info->flags & AMD_FLAG_READS_M0 && (is_vector(c) || in->enc == AMD_ENC_DS || in->enc == AMD_ENC_SOP1 ||
                                                 in->op == AMD_OP_s_sendmsg || in->op == AMD_OP_s_sendmsghalt);
}

static const char *
find(const struct wave_wait_states *s, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   for (unsigned i = 0; i < c->use_count && is_memory(c); i++)
      if (c->uses[i].reg < 128 && scalars_too_soon(s, c->uses[i].reg, c->uses[i].count, MEMORY_SCALAR_WAIT))
         return "valu-sgpr-vmem";
   if (reads_m0_late(c) && too_soon(s, s->m0_by_scalar, M0_WAIT))
      return "salu-m0";
   bool hwreg = in->op == AMD_OP_s_getreg_b32 || in->op == AMD_OP_s_setreg_b32 || in->op == AMD_OP_s_setreg_imm32_b32;
   if (hwreg && too_soon(s, s->setreg[amd_hwreg_id(in->simm16)], HWREG_WAIT))
      return "setreg-getreg";
   return is_vector(c) ? find_in_vector(s, c) : NULL;
}

static void
note_scalars(struct wave_wait_states *s, unsigned reg, unsigned count)
{
   for (unsigned i = reg; i < reg + count && i < 128; i++)
      s->scalar_by_vector[i] = s->now + 1;
}

static void
note_vector(struct wave_wait_states *s, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   const struct amd_op_info *info = c->info;
   unsigned size = info->dst.cls == AMD_CLASS_MASK ? 2 : info->dst.size_dw;
   for (unsigned i = 0; amd_is_vgpr(in->dst) && i < size; i++)
      s->vgpr[(in->dst - AMD_VGPR0 + i) & 255] = s->now + 1;
   if (info->dst.cls && in->dst < 128)
      note_scalars(s, in->dst, size);
   if (info->sdst.cls && in->sdst < 128)
      note_scalars(s, in->sdst, 2);
   if (info->flags & AMD_FLAG_WRITES_EXEC)
      note_scalars(s, AMD_EXEC_LO, 2);
   if (info->flags & AMD_FLAG_WRITES_VCC)
      note_scalars(s, AMD_VCC_LO, 2);
}

/* What it overwrites nobody has to wait for: Mesa looks no further back, LLVM does. */
static void
note_scalar(struct wave_wait_states *s, const struct code *c)
{
   const unsigned size = c->info->dst.cls == AMD_CLASS_MASK ? 2 : c->info->dst.size_dw;
   if (c->in.dst == AMD_M0)
      s->m0_by_scalar = s->now + 1;
   for (unsigned i = c->in.dst; c->info->dst.cls && i < c->in.dst + size && i < AMD_VCC_LO; i++)
      s->scalar_by_vector[i] = 0;
}

static void
note_store(struct wave_wait_states *s, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   bool buffer = in->enc == AMD_ENC_MUBUF || in->enc == AMD_ENC_MTBUF;
   const struct amd_operand_info *data = &c->info->src[buffer ? 3 : 1];
   bool scalar_offset = buffer && in->src[2] < 128;
   if (in->enc == AMD_ENC_MIMG || !data->cls || data->size_dw <= 2 || scalar_offset)
      return;
   s->store = s->now + 1;
   s->store_first = in->src[buffer ? 3 : 1];
   s->store_end = (uint16_t)(s->store_first + data->size_dw);
}

/* How long ago it was; all that is too long ago to matter is the same. */
static inline uint32_t
age(const struct wave_wait_states *s, uint32_t at)
{
   enum { LONGEST_WAIT = 5 };
   return at ? MIN2(s->now - at, LONGEST_WAIT) : LONGEST_WAIT;
}

static bool
ages_differ(const struct wave_wait_states *a, const struct wave_wait_states *b, const uint32_t *of_a,
            const uint32_t *of_b, unsigned count)
{
   uint32_t differ = 0;
   for (unsigned i = 0; i < count; i++)
      differ |= age(a, of_a[i]) ^ age(b, of_b[i]);
   return differ;
}

bool
wave_wait_states_alike(const struct wave_wait_states *a, const struct wave_wait_states *b)
{
   return !ages_differ(a, b, a->scalar_by_vector, b->scalar_by_vector, ARRAY_SIZE(a->scalar_by_vector)) &&
          !ages_differ(a, b, a->vgpr, b->vgpr, ARRAY_SIZE(a->vgpr)) &&
          !ages_differ(a, b, a->setreg, b->setreg, ARRAY_SIZE(a->setreg)) &&
          !ages_differ(a, b, &a->m0_by_scalar, &b->m0_by_scalar, 1) && !ages_differ(a, b, &a->store, &b->store, 1) &&
          a->store_first == b->store_first && a->store_end == b->store_end;
}

uint32_t
wave_wait_states_hash(const struct wave_wait_states *s)
{
   uint32_t sum = age(s, s->m0_by_scalar) + 32 * age(s, s->store);
   for (uint32_t i = 0; i < ARRAY_SIZE(s->scalar_by_vector); i++)
      sum += age(s, s->scalar_by_vector[i]) * (2 * i + 1025);
   for (uint32_t i = 0; i < ARRAY_SIZE(s->vgpr); i++)
      sum += age(s, s->vgpr[i]) * (2 * i + 1);
   return sum;
}

void
wave_wait_states_start(struct wave_wait_states *s)
{
   enum { LONGER_THAN_ALL = 16 };
   if (s->now >> 31)
      memset(s, 0, sizeof(*s));
   s->now += LONGER_THAN_ALL;
}

const char *
wave_find_missing_wait(struct wave *w, const struct code *c)
{
   struct wave_wait_states *s = &w->wait_states;
   const char *hazard = find(s, c);
   if (hazard)
      return hazard;
   if (is_vector(c))
      note_vector(s, c);
   else if (is_memory(c) && c->info->flags & AMD_FLAG_STORE)
      note_store(s, c);
   else if ((c->in.enc >= AMD_ENC_SOP1 && c->in.enc <= AMD_ENC_SOPK) || c->in.enc == AMD_ENC_SMEM)
      note_scalar(s, c);
   if (c->in.op == AMD_OP_s_setreg_b32 || c->in.op == AMD_OP_s_setreg_imm32_b32)
      s->setreg[amd_hwreg_id(c->in.simm16)] = s->now + 1;
   s->now += c->in.op == AMD_OP_s_nop ? 1u + (c->in.simm16 & 15) : 1;
   return NULL;
}
