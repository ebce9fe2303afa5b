/* Decodes a program, and binds each instruction to the functions that execute and check it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "amd/sim/base/model.h"
#include "amd/sim/report.h"
#include "amd/sim/wave/exec.h"
#include "amd/sim/wave/wave_private.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/within_memory.h"

static enum step
run_undecodable(struct wave *wave, const struct code *code)
{
   return wave_fault(wave, code, SIM_FAULT_INSTRUCTION, sim_va(wave->program->va.va + 4ull * code->pc_dw),
                     "unknown instruction 0x%08x", code->in.literal);
}

static enum step
run_unmapped(struct wave *wave, const struct code *code)
{
   struct sim_va va = sim_va(wave->program->va.va + 4ull * code->pc_dw);
   return wave_fault(wave, code, SIM_FAULT_ADDRESS, va, "runs into memory that is unmapped or not executable");
}

static enum step
run_unmodelled(struct wave *wave, const struct code *code)
{
   return wave_fault(wave, code, SIM_FAULT_INSTRUCTION, sim_va(wave->program->va.va + 4ull * code->pc_dw),
                     "instruction without a model");
}

static bool
is_16bit(unsigned type)
{
   return (type >= AMD_TYPE_B16 && type <= AMD_TYPE_U16) || (type >= AMD_TYPE_V2F16 && type <= AMD_TYPE_V2U16);
}

static void
bind_constant(struct source *s, unsigned n, unsigned type, uint32_t literal)
{
   uint64_t v = 0;
   if (n == AMD_LITERAL)
      v = type == AMD_TYPE_F64   ? (uint64_t)literal << 32
          : type == AMD_TYPE_I64 ? (uint64_t)(int32_t)literal
                                 : literal;
   else if (n >= AMD_FLOAT_0_5 && n <= AMD_FLOAT_INV_2PI) {
      const struct amd_inline_float *f = &amd_isa_inline_floats[n - AMD_FLOAT_0_5];
      v = is_16bit(type) ? f->f16 : s->dw == 2 ? f->f64 : f->f32;
   } else if (n >= AMD_INT_0 && n <= 192)
      v = n - AMD_INT_0;
   else if (n >= 193 && n <= 208)
      v = (uint64_t)-(int64_t)(n - 192);
   /* 235..238 apertures: the model has none, as if at 0. */
   s->kind = SOURCE_CONST;
   s->lo = (uint32_t)v;
   s->hi = (uint32_t)(v >> 32);
}

static bool
is_mix(unsigned op)
{
   return (op >= AMD_OP_v_fma_mix_f32 && op <= AMD_OP_v_fma_mixhi_f16) ||
          (op >= AMD_OP_v_mad_mix_f32 && op <= AMD_OP_v_mad_mixhi_f16);
}

/* Of mixed operations op_sel_hi says which sources are halves. So are their constants: Mesa's compiler relies on it.
 */
static unsigned
source_type(const struct amd_inst *in, const struct amd_operand_info *info, unsigned i)
{
   return is_mix(in->op) && in->op_sel_hi >> i & 1 ? AMD_TYPE_F16 : info->type;
}

static void
bind_source(struct code *c, unsigned i)
{
   const struct amd_operand_info *info = &c->info->src[i];
   struct source *s = &c->src[i];
   unsigned n = c->in.src[i];
   if (!info->cls || n == AMD_OPERAND_NONE)
      return;
   s->dw = info->size_dw;
   s->reg = (uint16_t)n;
   if (n >= AMD_VGPR0)
      s->kind = SOURCE_VGPR;
   else if (n < 128 && n != AMD_NULL)
      s->kind = info->cls == AMD_CLASS_MASK ? SOURCE_MASK : SOURCE_SGPR;
   else if (n == AMD_SCC)
      s->kind = SOURCE_SCC;
   else if (n == AMD_VCCZ)
      s->kind = SOURCE_VCCZ;
   else if (n == AMD_EXECZ)
      s->kind = SOURCE_EXECZ;
   else if (n == AMD_POPS_EXITING_WAVE_ID)
      s->kind = SOURCE_POPS;
   else if (n == AMD_NULL)
      bind_constant(s, AMD_INT_0, info->type, 0);
   else
      bind_constant(s, n, source_type(&c->in, info, i), c->in.literal);
}

static void
note_vgprs(struct code *c, unsigned reg, unsigned count)
{
   if (reg >= AMD_VGPR0 && reg < 512)
      c->vgpr_end = (uint16_t)MAX2(c->vgpr_end, reg - AMD_VGPR0 + MAX2(count, 1));
}

static void
add_use(struct code *c, unsigned reg, unsigned count)
{
   if (count)
      note_vgprs(c, reg, count);
   if (!count || reg >= 512 || (reg >= 128 && reg < AMD_VGPR0) || reg == AMD_NULL)
      return;
   c->uses[c->use_count++] = (struct use){(uint16_t)reg, (uint16_t)MIN2(count, 512 - reg)};
   for (unsigned i = reg; i < MIN2(reg + count, 512); i++)
      sim_registers_add(&c->used, i);
}

/* Registers of an image instruction's address that count. The layer makes no difference to a level of detail, and
 * Mesa's compilers give none: its register may hold anything, or still wait for it. */
static unsigned
image_address_dw(const struct amd_inst *in)
{
   enum { DIM_1D, DIM_2D, DIM_1D_ARRAY = 4, DIM_2D_ARRAY };
   struct amd_inst layer = *in;
   if (in->op == AMD_OP_image_get_lod && in->dim >= DIM_1D_ARRAY)
      layer.dim = in->dim == DIM_1D_ARRAY ? DIM_1D : DIM_2D;
   return amd_isa_image_address_dw(&layer);
}

/* Registers that must not be poison: sources, and the results of what is not a load itself. */
static void
bind_uses(struct code *c, unsigned lanes)
{
   const struct amd_inst *in = &c->in;
   unsigned mask_dw = lanes == 64 ? 2 : 1, parts = lanes == 64 && wave_is_product(in->op) ? 2 : 1;
   bool memory = in->enc >= AMD_ENC_DS && in->enc <= AMD_ENC_SCRATCH;
   for (unsigned i = 0; i < 4; i++) {
      unsigned count = c->info->src[i].size_dw / (i == 2 ? parts : 1);
      if (!c->info->src[i].cls || in->src[i] == AMD_OPERAND_NONE)
         continue;
      if (c->info->src[i].cls == AMD_CLASS_MASK)
         count = mask_dw;
      if ((in->enc == AMD_ENC_MUBUF || in->enc == AMD_ENC_MTBUF) && i == 0)
         count = (unsigned)in->offen + in->idxen;
      if (in->enc == AMD_ENC_MIMG && i == 0)
         count = in->nsa_count ? 1 : image_address_dw(in);
      if (in->enc == AMD_ENC_MIMG && i == 3)
         count = amd_isa_image_data_dw(in);
      if ((in->enc == AMD_ENC_GLOBAL && i == 0 && in->src[2] != AMD_OPERAND_NONE))
         count = 1;
      if (in->enc == AMD_ENC_SCRATCH && i == 0 && in->src[2] != AMD_OPERAND_NONE)
         continue; /* the address is SADDR, and the field says nothing */
      if (in->enc == AMD_ENC_EXP && (in->exp_compr ? i > 1 || !(in->exp_en >> 2 * i & 3) : !(in->exp_en >> i & 1)))
         continue;
      add_use(c, in->src[i], count);
   }
   if (!memory && in->enc != AMD_ENC_SMEM) {
      if (c->info->dst.cls && in->dst != AMD_OPERAND_NONE)
         add_use(c, in->dst, c->info->dst.cls == AMD_CLASS_MASK ? mask_dw : c->info->dst.size_dw / parts);
      if (c->info->sdst.cls)
         add_use(c, in->sdst, mask_dw);
      if (c->info->flags & AMD_FLAG_READS_VCC)
         add_use(c, AMD_VCC_LO, mask_dw);
   }
   if (c->info->flags & AMD_FLAG_READS_M0)
      add_use(c, AMD_M0, 1);
   if (c->info->dst.cls == AMD_CLASS_VGPR && in->dst != AMD_OPERAND_NONE)
      note_vgprs(c, in->dst,
                 in->enc == AMD_ENC_MIMG ? amd_isa_image_data_dw(in)
                                         : c->info->dst.size_dw / parts + (unsigned)in->tfe);
   for (unsigned i = 0; i < in->nsa_count && i + 1 < image_address_dw(in); i++)
      add_use(c, amd_vgpr(in->nsa[i]), 1);
   if (in->enc == AMD_ENC_EXP) /* may name VGPRs that are not there: exec_export.c */
      c->vgpr_end = 0;
}

static bool
bind(struct code *c, unsigned lanes)
{
   if (exec_cache_bind(c) || exec_index_bind(c))
      return true;
   switch ((enum amd_enc)c->in.enc) {
   case AMD_ENC_SOP1:
   case AMD_ENC_SOP2:
   case AMD_ENC_SOPK:
   case AMD_ENC_SOPC:
   case AMD_ENC_SOPP:
      return exec_salu_bind(c);
   case AMD_ENC_SMEM:
      return exec_smem_bind(c);
   case AMD_ENC_VOP1:
   case AMD_ENC_VOP2:
   case AMD_ENC_VOPC:
   case AMD_ENC_VOP3:
   case AMD_ENC_VOP3P:
      return exec_interp_bind(c) || exec_valu_bind(c);
   case AMD_ENC_VINTRP:
   case AMD_ENC_VINTERP:
   case AMD_ENC_LDSDIR:
      return exec_interp_bind(c);
   case AMD_ENC_VOPD:
      return exec_dual_bind(c, lanes);
   case AMD_ENC_DS:
      return exec_ordered_bind(c) || (c->in.gds ? exec_gds_bind(c) : exec_ds_bind(c));
   case AMD_ENC_MUBUF:
   case AMD_ENC_MTBUF:
   case AMD_ENC_FLAT:
   case AMD_ENC_GLOBAL:
   case AMD_ENC_SCRATCH:
      return exec_memory_bind(c);
   case AMD_ENC_MIMG:
      return exec_image_bind(c);
   case AMD_ENC_EXP:
      return exec_export_bind(c);
   case AMD_ENC_VOPDY: /* decoded with the first half */
   case AMD_ENC_NONE:
      break;
   }
   return false;
}

/* An instruction with operand 239: the id is read first. A loop that sees the same id again lets others run. */
static enum step
run_polling(struct wave *w, const struct code *c)
{
   bool unchanged;
   enum step step = wave_pops_poll(w, c, &unchanged);
   step = step == STEP_NEXT ? c->run_polling(w, c) : step;
   w->base.spin_end = unchanged ? w->base.instructions + SPIN_INSTRUCTIONS : 0;
   return step == STEP_NEXT && unchanged ? STEP_YIELD : step;
}

/* The id is scalar; vector instructions with it are not modelled. */
static void
bind_polling(struct code *c)
{
   bool scalar = c->in.enc >= AMD_ENC_SOP1 && c->in.enc <= AMD_ENC_SOPP;
   for (unsigned i = 0; i < 4; i++) {
      if (c->src[i].kind == SOURCE_POPS && c->run != run_polling) {
         c->run_polling = scalar ? c->run : run_unmodelled;
         c->run = run_polling;
      }
   }
}

/* GFX9: those that GFX9 brought or that accumulate keep the upper half. Source: LLVM 19, zeroesHigh16BitsOfDest. */
static bool
clears_high(const struct code *c)
{
   bool keeps = c->info->op_sel & 8 || c->in.op == AMD_OP_v_mac_f16 || c->in.op == AMD_OP_v_madmk_f16 ||
                c->in.op == AMD_OP_v_madak_f16 || c->in.enc == AMD_ENC_VOP3P;
   return c->info->dst.type >= AMD_TYPE_B16 && c->info->dst.type <= AMD_TYPE_U16 && !keeps;
}

static enum step
run_spaced(struct wave *w, const struct code *c)
{
   const char *hazard = wave_find_missing_wait(w, c);
   if (hazard)
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "hazard %s (docs/errata.md)", hazard);
   return exec_is_indexed(w, c) ? exec_run_indexed(w, c) : c->run_checked(w, c);
}

static enum step
run_checked(struct wave *w, const struct code *c)
{
   const char *hazard = wave_find_hazard(w, c);
   return hazard ? wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "hazard %s (docs/errata.md)", hazard)
                 : c->run_checked(w, c);
}

static enum step
run_forwarded(struct wave *w, const struct code *c)
{
   const char *hazard = wave_find_forward(w, c);
   return hazard ? wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "hazard %s (docs/errata.md)", hazard)
                 : c->run_checked(w, c);
}

static enum step
run_counted(struct wave *w, const struct code *c)
{
   enum step step = c->run_counted(w, c);
   if (step != STEP_AGAIN && step != STEP_FAULT)
      amd_report_instruction(w->engine->report, c->in.op);
   return step;
}

void
wave_code_count(struct program *p)
{
   for (uint32_t i = 0; i < p->code_count; i++) {
      struct code *c = &p->codes[i];
      c->run_counted = c->run;
      c->run = c->info ? run_counted : c->run;
   }
}

/* What both halves read must be there before either runs. */
static void
bind_second(struct code *c, enum amd_gen gen, unsigned lanes)
{
   struct code *second = c->second = need_calloc("half an instruction", 1, sizeof(*second));
   second->in = amd_isa_second(&c->in);
   second->pc_dw = c->pc_dw;
   second->next_dw = c->next_dw;
   second->info = amd_isa_op_info(gen, (enum amd_op)second->in.op);
   second->plain = true;
   for (unsigned i = 0; i < 4; i++)
      bind_source(second, i);
   bind_uses(second, lanes);
   c->vgpr_end = MAX2(c->vgpr_end, second->vgpr_end);
   for (unsigned i = 0; i < second->use_count; i++)
      add_use(c, second->uses[i].reg, second->uses[i].count);
}

/* Which caches an access passes by. */
static uint8_t
path_of(const struct amd_inst *in, const struct amd_traits *traits)
{
   bool past_l1 = traits->cache_actions || (traits->one_scope_bit ? in->glc : in->dlc);
   return (uint8_t)((in->enc == AMD_ENC_SMEM ? AMD_PATH_SCALAR : 0) | (in->glc ? AMD_PATH_GLC : 0) |
                    (past_l1 ? AMD_PATH_DLC : 0));
}

static void
bind_code(struct code *c, enum amd_gen gen, unsigned lanes)
{
   c->info = amd_isa_op_info(gen, (enum amd_op)c->in.op);
   /* Without GLC an atomic by address returns nothing, whatever stands in VDST. */
   if (c->info->flags & AMD_FLAG_ATOMIC && c->in.enc >= AMD_ENC_FLAT && c->in.enc <= AMD_ENC_SCRATCH && !c->in.glc)
      c->in.dst = AMD_OPERAND_NONE;
   for (unsigned i = 0; i < 4; i++)
      bind_source(c, i);
   bind_uses(c, lanes);
   if (c->in.enc == AMD_ENC_VOPD)
      bind_second(c, gen, lanes);
   const struct amd_inst *in = &c->in;
   c->plain =
      !in->modifier && !in->neg && !in->abs && !in->op_sel && !in->clamp && !in->omod && in->enc != AMD_ENC_VOP3P;
   c->clears_high = amd_traits[gen].clears_high_half && clears_high(c);
   c->path = path_of(in, &amd_traits[gen]);
   if (!bind(c, lanes))
      c->run = run_unmodelled;
   bind_polling(c);
   c->run_checked = c->run;
   if (amd_traits[gen].has_hazards)
      c->run = run_checked;
   if (amd_traits[gen].has_forwards) {
      wave_forwards_bind(c, lanes);
      c->run = run_forwarded;
   }
   if (amd_traits[gen].has_wait_states)
      c->run = run_spaced;
}

/* Where s_getpc_b64, s_add_u32, s_addc_u32 and s_setpc_b64 in a row jump to, in dwords of the program; or -1. */
static int64_t
far_target(const struct code *set, uint32_t count)
{
   if (count < 4 || set[-3].in.op != AMD_OP_s_getpc_b64 || set[-2].in.op != AMD_OP_s_add_u32 ||
       set[-1].in.op != AMD_OP_s_addc_u32 || set[-2].in.src[1] != AMD_LITERAL || set[-3].in.dst != set->in.src[0])
      return -1;
   return (int64_t)set[-3].next_dw + (int32_t)set[-2].in.literal / 4;
}

/* How far a branch reaches, as far as the instructions tell. */
static int64_t
branch_target(const struct code *c, uint32_t count)
{
   if (c->in.op == AMD_OP_s_setpc_b64)
      return far_target(c, count);
   if (c->info->flags & AMD_FLAG_BRANCH && (c->in.enc == AMD_ENC_SOPP || c->in.enc == AMD_ENC_SOPK))
      return (int64_t)c->next_dw + (int16_t)c->in.simm16;
   return -1;
}

void
wave_code_decode(struct program *p, const uint32_t *words, uint32_t available_dw, unsigned lanes)
{
   uint32_t capacity = 0, furthest = 0, pc = 0;
   for (bool end = false; !end;) {
      if (p->code_count == capacity) {
         capacity = capacity ? capacity * 2 : 256;
         p->codes = need_realloc("a program", p->codes, capacity * sizeof(*p->codes));
      }
      struct code *c = &p->codes[p->code_count++];
      *c = (struct code){.pc_dw = pc};
      bool passed_over = false;
      unsigned size =
         pc < available_dw ? wave_decode(p->gen, words + pc, available_dw - pc, &c->in, &passed_over) : 0;
      if (size && passed_over && !p->has_ignored) {
         p->has_ignored = true;
         p->ignored_dw = pc;
      }
      if (!size) {
         c->in = AMD_INST_INIT;
         c->in.literal = pc < available_dw ? words[pc] : 0;
         c->run = pc < available_dw ? run_undecodable : run_unmapped;
         c->next_dw = ++pc;
         end = pc > furthest || pc >= available_dw;
         continue;
      }
      pc += size;
      c->next_dw = pc;
      bind_code(c, p->gen, lanes);
      p->has_lds |= c->in.enc == AMD_ENC_DS;
      p->has_barrier |= c->in.op == AMD_OP_s_barrier;
      p->meets |= c->in.gds || (c->in.enc != AMD_ENC_DS && c->info->flags & (AMD_FLAG_STORE | AMD_FLAG_ATOMIC));
      int64_t target = branch_target(c, p->code_count);
      if (target > furthest && target < available_dw)
         furthest = (uint32_t)target;
      bool ends = c->info->flags & AMD_FLAG_END || c->in.op == AMD_OP_s_setpc_b64 || c->in.op == AMD_OP_s_branch;
      end = (ends && pc > furthest) || pc >= WAVE_MAX_PROGRAM_DW;
   }
   p->dw_count = MIN2(pc, available_dw);
   p->words = need_malloc("a program", p->dw_count * 4 + 4);
   p->index_of = need_malloc("a program", (p->dw_count + 1) * sizeof(uint32_t));
   memcpy(p->words, words, p->dw_count * 4);
   memset(p->index_of, 0xff, (p->dw_count + 1) * sizeof(uint32_t));
   for (uint32_t i = 0; i < p->code_count; i++)
      if (p->codes[i].pc_dw <= p->dw_count)
         p->index_of[p->codes[i].pc_dw] = i;
}
