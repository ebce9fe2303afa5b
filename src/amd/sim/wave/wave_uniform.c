/* Programs whose lanes all do the same, or all those of a primitive: straight lines without memory, of instructions
 * whose results are functions of what they read, lane by lane. They read what they have written, what all waves start
 * with, and parameters of primitives. EXEC stays as it was: lanes that export have written, too. */
#include "amd/sim/wave/wave_private.h"

/* What the part of the program so far has done. */
struct walk {
   struct sim_registers written;
   struct wave_uniform *found;
};

/* Results depend on nothing but the sources and MODE. */
static bool
is_function_of_lanes(enum amd_op op)
{
   switch ((int)op) {
   case AMD_OP_v_mov_b32:
   case AMD_OP_v_cvt_pkrtz_f16_f32:
   case AMD_OP_v_cvt_pknorm_i16_f32:
   case AMD_OP_v_cvt_pknorm_u16_f32:
   case AMD_OP_v_cvt_pknorm_i16_f16:
   case AMD_OP_v_cvt_pknorm_u16_f16:
   case AMD_OP_v_cvt_pk_u16_u32:
   case AMD_OP_v_cvt_pk_i16_i32:
   case AMD_OP_v_cvt_f16_f32:
   case AMD_OP_v_cvt_f32_f16:
   case AMD_OP_v_cvt_f32_u32:
   case AMD_OP_v_cvt_f32_i32:
   case AMD_OP_v_cvt_u32_f32:
   case AMD_OP_v_cvt_i32_f32:
   case AMD_OP_v_pack_b32_f16:
   case AMD_OP_v_perm_b32:
   case AMD_OP_v_add_f32:
   case AMD_OP_v_sub_f32:
   case AMD_OP_v_mul_f32:
   case AMD_OP_v_max_f32:
   case AMD_OP_v_min_f32:
   case AMD_OP_v_max_u32:
   case AMD_OP_v_min_u32:
   case AMD_OP_v_max_i32:
   case AMD_OP_v_min_i32:
   case AMD_OP_v_med3_f32:
   case AMD_OP_v_med3_i32:
   case AMD_OP_v_and_b32:
   case AMD_OP_v_or_b32:
   case AMD_OP_v_lshlrev_b32:
   case AMD_OP_v_lshrrev_b32:
   case AMD_OP_v_lshl_or_b32:
   case AMD_OP_v_and_or_b32:
      return true;
   default: /* others: look at other lanes, or are not worth a line */
      return false;
   }
}

static bool
is_function_of_scalars(enum amd_op op)
{
   switch ((int)op) {
   case AMD_OP_s_mov_b32:
   case AMD_OP_s_mov_b64:
   case AMD_OP_s_movk_i32:
   case AMD_OP_s_and_b32:
   case AMD_OP_s_or_b32:
   case AMD_OP_s_lshl_b32:
   case AMD_OP_s_lshr_b32:
   case AMD_OP_s_pack_ll_b32_b16:
   case AMD_OP_s_cvt_pk_rtz_f16_f32:
   case AMD_OP_s_cvt_f16_f32:
   case AMD_OP_s_cvt_f32_f16:
   case AMD_OP_s_cvt_f32_u32:
   case AMD_OP_s_cvt_f32_i32:
   case AMD_OP_s_add_f32:
   case AMD_OP_s_sub_f32:
   case AMD_OP_s_mul_f32:
   case AMD_OP_s_max_f32:
   case AMD_OP_s_min_f32:
      return true;
   default: /* others: as above */
      return false;
   }
}

/* Waits and hints. */
static bool
computes_nothing(enum amd_op op)
{
   switch ((int)op) {
   case AMD_OP_v_nop:
   case AMD_OP_s_nop:
   case AMD_OP_s_waitcnt:
   case AMD_OP_s_waitcnt_depctr:
   case AMD_OP_s_setprio:
   case AMD_OP_s_inst_prefetch:
   case AMD_OP_s_version:
   case AMD_OP_s_clause:
   case AMD_OP_s_delay_alu:
   case AMD_OP_s_endpgm:
      return true;
   default: /* others: as above */
      return false;
   }
}

static bool
is_written(const struct walk *walk, unsigned reg)
{
   return walk->written.bits[reg / 64] >> reg % 64 & 1;
}

/* Whether the registers hold the same in all lanes. Those that waves start with are looked at later. */
static bool
may_read(struct walk *walk, unsigned reg, unsigned count)
{
   for (unsigned i = reg; i < reg + count; i++) {
      if (i >= SIM_PENDING_REGISTERS || (!is_written(walk, i) && i >= AMD_WAVE_START_SGPRS))
         return false;
      if (!is_written(walk, i))
         walk->found->sgprs = (uint8_t)MAX2(walk->found->sgprs, i + 1);
   }
   return true;
}

static bool
may_read_sources(struct walk *walk, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   for (unsigned i = 0; i < 4; i++) {
      const struct source *s = &c->src[i];
      if (in->enc == AMD_ENC_EXP && (in->exp_compr ? i > 1 || !(in->exp_en >> 2 * i & 3) : !(in->exp_en >> i & 1)))
         continue;
      if (s->kind == SOURCE_NONE || s->kind == SOURCE_CONST)
         continue;
      if ((s->kind != SOURCE_VGPR && s->kind != SOURCE_SGPR) || !may_read(walk, s->reg, s->dw))
         return false;
   }
   return true;
}

static void
note_result(struct walk *walk, const struct code *c)
{
   for (unsigned i = 0; i < c->info->dst.size_dw; i++)
      sim_registers_add(&walk->written, (c->in.dst + i) % SIM_PENDING_REGISTERS);
}

static bool
takes_vector(struct walk *walk, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   const unsigned type = c->info->dst.type;
   bool of_half = (type >= AMD_TYPE_B16 && type <= AMD_TYPE_U16) || in->op_sel & 8;
   return is_function_of_lanes((enum amd_op)in->op) && !in->modifier && c->info->dst.cls == AMD_CLASS_VGPR &&
          !c->info->sdst.cls && !(c->info->flags & AMD_FLAG_READS_DST) && may_read_sources(walk, c) &&
          (!of_half || may_read(walk, in->dst, 1));
}

/* P0, P10 and P20 are the same in all of a primitive; M0 has to be PRIM_MASK. */
static bool
takes_parameter(struct walk *walk, const struct code *c)
{
   if (c->in.op != AMD_OP_v_interp_mov_f32 || c->in.modifier || !walk->found->mask_sgpr)
      return false;
   walk->found->alike = AMD_WAVES_ALIKE_BY_PRIMITIVE;
   return true;
}

static bool
takes_scalar(struct walk *walk, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   if (in->op == AMD_OP_s_mov_b32 && in->dst == AMD_M0) {
      /* Only parameters are read with M0. */
      bool first = !walk->found->mask_sgpr && c->src[0].kind == SOURCE_SGPR && c->src[0].reg < AMD_WAVE_START_SGPRS;
      walk->found->mask_sgpr = (uint8_t)(c->src[0].reg + 1);
      return first && !is_written(walk, c->src[0].reg);
   }
   return is_function_of_scalars((enum amd_op)in->op) && in->dst + c->info->dst.size_dw <= AMD_M0 &&
          may_read_sources(walk, c);
}

static bool
takes(struct walk *walk, const struct code *c)
{
   const enum amd_op op = (enum amd_op)c->in.op;
   if (!c->info)
      return false;
   if (computes_nothing(op))
      return true;
   switch ((int)c->in.enc) {
   case AMD_ENC_SOP1:
   case AMD_ENC_SOP2:
   case AMD_ENC_SOPK:
      return takes_scalar(walk, c);
   case AMD_ENC_VOP1:
   case AMD_ENC_VOP2:
   case AMD_ENC_VOP3:
   case AMD_ENC_VINTRP:
      return takes_parameter(walk, c) || takes_vector(walk, c);
   case AMD_ENC_VOPD:
      return takes_vector(walk, c) && takes_vector(walk, c->second);
   case AMD_ENC_EXP:
      return c->in.exp_target <= 9 && !c->in.row_en && may_read_sources(walk, c);
   default: /* others: memory, branches, lanes of each other */
      return false;
   }
}

void
wave_uniform_find(struct program *p)
{
   struct walk walk = {.found = &p->uniform};
   p->uniform = (struct wave_uniform){.alike = AMD_WAVES_ALIKE};
   for (uint32_t i = 0; i < p->code_count; i++) {
      const struct code *c = &p->codes[i];
      bool ends = i + 1 < p->code_count || c->in.op == AMD_OP_s_endpgm;
      if (!ends || !takes(&walk, c)) {
         p->uniform.alike = AMD_WAVES_DIFFER;
         return;
      }
      note_result(&walk, c);
      if (c->second)
         note_result(&walk, c->second);
   }
}

enum amd_waves_alike
amd_wave_alike(const struct amd_wave_engine *engine, const struct amd_wave_launch *launch, unsigned user_sgprs)
{
   bool watched = engine->reference || engine->trace || engine->report || launch->races || launch->pops ||
                  engine->rounds.schedule.kind != SIM_SCHEDULE_IN_ORDER;
   const struct program *p = watched ? NULL : wave_program_that_ran(engine, launch, launch->program);
   if (!p || p->uniform.sgprs > user_sgprs)
      return AMD_WAVES_DIFFER;
   if (p->uniform.alike == AMD_WAVES_ALIKE_BY_PRIMITIVE && p->uniform.mask_sgpr != user_sgprs + 1)
      return AMD_WAVES_DIFFER;
   return p->uniform.alike;
}
