/* Sources: LLVM 19, GCNHazardRecognizer.cpp and AMDGPU.td (which chips); Mesa, README-ISA.md and what its compiler
 * puts between. Where these two differ the weaker demand holds. */
#include "amd/sim/wave/wave_forwards.h"

#include <stddef.h>
#include <string.h>

#include "amd/sim/wave/wave_private.h"
#include "util/macros.h"

/* Vector instructions between that make it harmless. */
enum { TRANS_USE_VECTORS = 6, TRANS_USE_TRANS = 2, PARTIAL_WRITES = 3, PARTIAL_READ = 5, PARTIAL_ALL = 7 };
enum { DIRECT_VECTORS = 15 };
enum { UNLOCKED_VECTORS = 4 }; /* as far back as s_delay_alu counts: assumed */

/* Parts of s_waitcnt_depctr that are 0. */
static bool
waits(const struct code *c, unsigned low, unsigned bits)
{
   return c->in.op == AMD_OP_s_waitcnt_depctr && !(c->in.simm16 >> low & ((1u << bits) - 1));
}

static bool
is_vector(const struct code *c)
{
   return (c->in.enc >= AMD_ENC_VOP1 && c->in.enc <= AMD_ENC_VOP3P) || c->in.enc == AMD_ENC_VINTERP ||
          c->in.enc == AMD_ENC_VOPD;
}

static bool
is_scalar(const struct code *c)
{
   return c->in.enc >= AMD_ENC_SOP1 && c->in.enc <= AMD_ENC_SOPP;
}

static bool
is_memory(const struct code *c)
{
   return c->in.enc >= AMD_ENC_DS && c->in.enc <= AMD_ENC_SCRATCH;
}

/* By SCC or VCC: it waits for scalar results (Mesa 26). */
static bool
branches_by_scalar(const struct code *c)
{
   return c->in.op == AMD_OP_s_cbranch_scc0 || c->in.op == AMD_OP_s_cbranch_scc1 ||
          c->in.op == AMD_OP_s_cbranch_vccz || c->in.op == AMD_OP_s_cbranch_vccnz;
}

/* ---- what it reads and writes ---- */

static void
add_vgprs(struct wave_vgpr_list *list, unsigned operand, unsigned size_dw)
{
   for (unsigned i = 0; i < size_dw && amd_is_vgpr((uint16_t)(operand + i)) && list->count < ARRAY_SIZE(list->reg);
        i++) {
      uint8_t reg = (uint8_t)(operand + i - AMD_VGPR0);
      if (!memchr(list->reg, reg, list->count))
         list->reg[list->count++] = reg;
   }
}

/* Of what the table says, C and D are so small a part. */
static unsigned
parts_of(const struct code *c, unsigned lanes)
{
   return lanes == 64 && wave_is_product(c->in.op) ? 2 : 1;
}

static void
add_sources(struct wave_vgpr_list *list, const struct code *c, unsigned lanes)
{
   for (unsigned i = 0; i < 3; i++)
      add_vgprs(list, c->in.src[i], c->info->src[i].size_dw / (i == 2 ? parts_of(c, lanes) : 1));
   const bool keeps_half = c->in.op == AMD_OP_v_fma_mixlo_f16 || c->in.op == AMD_OP_v_fma_mixhi_f16;
   if (c->info->flags & AMD_FLAG_READS_DST && !keeps_half) /* Mesa 26 asks for nothing there, LLVM does */
      add_vgprs(list, c->in.dst, c->info->dst.size_dw);
   if (c->second)
      add_sources(list, c->second, lanes);
}

static void
add_results(struct wave_vgpr_list *list, const struct code *c, unsigned lanes)
{
   const bool swaps = c->in.op == AMD_OP_v_swap_b32 || c->in.op == AMD_OP_v_swap_b16;
   add_vgprs(list, c->in.dst, c->info->dst.size_dw / parts_of(c, lanes));
   if (swaps)
      add_vgprs(list, c->in.src[0], 1);
   if (c->second)
      add_results(list, c->second, lanes);
}

/* Sources of the two halves of a VOPD, both first or both second ones, both even or both odd VGPRs. */
static void
add_unlocked(struct wave_vgpr_list *list, const struct code *c)
{
   for (unsigned i = 0; i < 2 && c->second; i++) {
      const uint16_t x = c->in.src[i], y = c->second->in.src[i];
      if (!amd_is_vgpr(x) || !amd_is_vgpr(y) || (x ^ y) & 1)
         continue;
      add_vgprs(list, x, 1);
      add_vgprs(list, y, 1);
   }
}

enum { SGPRS = 108 };

static void
add_scalars(uint64_t set[2], unsigned first, unsigned count, unsigned end)
{
   for (unsigned reg = first; reg < first + count && reg < end; reg++)
      set[reg / 64] |= UINT64_C(1) << reg % 64;
}

void
wave_forwards_bind(struct code *c, unsigned lanes)
{
   struct wave_forward_operands *operands = &c->forwards;
   add_sources(&operands->read, c, lanes);
   add_results(&operands->written, c, lanes);
   add_unlocked(&operands->unlocked, c);
   for (unsigned i = 0; i < 2 && wave_is_product(c->in.op); i++)
      add_vgprs(&operands->factors, c->in.src[i], c->info->src[i].size_dw);
   for (unsigned i = 0; i < 3; i++) {
      const struct amd_operand_info *source = &c->info->src[i];
      const unsigned count = source->cls == AMD_CLASS_MASK ? 2 : source->size_dw;
      if (!source->cls)
         continue;
      add_scalars(operands->scalars, c->in.src[i], count, SGPRS);
      add_scalars(operands->scalars_and_exec, c->in.src[i], count, AMD_EXEC_HI + 1);
   }
   if (c->info->flags & AMD_FLAG_READS_EXEC)
      add_scalars(operands->scalars_and_exec, AMD_EXEC_LO, 2, AMD_EXEC_HI + 1);
   if (c->info->flags & AMD_FLAG_READS_VCC)
      add_scalars(operands->scalars_and_exec, AMD_VCC_LO, 1, AMD_EXEC_HI + 1);
   if (c->info->dst.cls)
      add_scalars(operands->results, c->in.dst, 2, SGPRS);
   if (c->info->sdst.cls)
      add_scalars(operands->results, c->in.sdst, 2, SGPRS);
}

static bool
meet(const uint64_t a[2], const uint64_t b[2])
{
   return (a[0] & b[0]) | (a[1] & b[1]);
}

/* ---- what an instruction runs into ---- */

/* vopd-interlock: it depends on timing, so only the schedule that prefers trouble has it. */
static bool
loses_interlock(const struct wave *w, const struct wave_vgpr_list *unlocked)
{
   const struct wave_forwards *f = &w->forwards;
   bool loses = false;
   for (unsigned i = 0; i < unlocked->count; i++) {
      const uint32_t by = f->vgpr[unlocked->reg[i]].written;
      loses |= by > MAX2(f->done, f->ordered) && f->vectors - by < UNLOCKED_VECTORS;
   }
   return loses && w->base.rounds->schedule.kind == SIM_SCHEDULE_WORST;
}

static const char *
find_in_vector(const struct wave *w, const struct code *c)
{
   const struct wave_forwards *f = &w->forwards;
   const struct wave_vgpr_list *read = &c->forwards.read;
   for (unsigned i = 0; i < read->count && w->program->traits->forwards_trans_late; i++) {
      uint32_t by = f->vgpr[read->reg[i]].by_trans, trans = f->vgpr[read->reg[i]].trans;
      if (by > f->done && f->vectors - by < TRANS_USE_VECTORS && f->transcendentals - trans < TRANS_USE_TRANS)
         return "valu-trans-use";
   }
   if (loses_interlock(w, &c->forwards.unlocked))
      return "vopd-interlock";
   for (unsigned i = 0; i < c->forwards.factors.count && f->product && f->product == f->vectors; i++)
      if (memchr(f->product_written.reg, c->forwards.factors.reg[i], f->product_written.count))
         return "wmma-chain";
   bool permutes = c->in.op == AMD_OP_v_permlane16_b32 || c->in.op == AMD_OP_v_permlanex16_b32 ||
                   c->in.op == AMD_OP_v_permlane64_b32;
   if (permutes && f->compared_into_exec)
      return "vcmpx-permlane";
   /* One register from before a write of EXEC and one from after it. */
   for (unsigned i = 0; i < read->count && w->state.lanes == 64; i++) {
      const uint32_t first = f->vgpr[read->reg[i]].written;
      for (unsigned j = 0; j < read->count && first > MAX2(f->done, f->ordered); j++) {
         uint32_t second = f->vgpr[read->reg[j]].written;
         bool exec_differs = second > first && f->vgpr[read->reg[i]].execs != f->vgpr[read->reg[j]].execs;
         if (exec_differs && second - first - 1 < PARTIAL_WRITES && f->vectors - second < PARTIAL_READ &&
             f->vectors - first < PARTIAL_ALL)
            return "valu-partial-forwarding";
      }
   }
   return NULL;
}

static bool
has(const struct wave_vgpr_set *set, unsigned reg)
{
   return set->bits[reg / 64] >> reg % 64 & 1;
}

/* A VGPR that LDSDIR writes: who may still use it? */
static const char *
find_in_direct(const struct wave_forwards *f, const struct code *c)
{
   unsigned reg = c->in.dst - AMD_VGPR0;
   uint32_t used = f->vgpr[reg].used, since = f->vectors - used;
   bool trans = f->last_transcendental >= used; /* they run in parallel with the others: nothing can be counted */
   if (used > f->done && since < DIRECT_VECTORS && c->in.wait_vdst > (trans ? 0 : since))
      return "lds-direct-valu";
   if (has(&f->loads, reg) || has(&f->stores, reg) || has(&f->lds, reg))
      return "lds-direct-vmem";
   return NULL;
}

static const char *
find(const struct wave *w, const struct code *c)
{
   bool masks = w->state.lanes == 64 && (is_vector(c) || (is_scalar(c) && c->in.enc != AMD_ENC_SOPP));
   if (masks && meet(w->forwards.masks_written, c->forwards.scalars))
      return "valu-mask-write";
   if (c->in.enc == AMD_ENC_LDSDIR)
      return find_in_direct(&w->forwards, c);
   return is_vector(c) ? find_in_vector(w, c) : NULL;
}

/* ---- the state after an instruction ---- */

static void
note_vector(struct wave_forwards *f, const struct code *c)
{
   const struct wave_vgpr_list *read = &c->forwards.read, *written = &c->forwards.written;
   bool trans = c->info->flags & AMD_FLAG_TRANS;
   f->vectors++;
   f->transcendentals += trans;
   f->last_transcendental = trans ? f->vectors : f->last_transcendental;
   f->compared_into_exec = c->info->flags & AMD_FLAG_WRITES_EXEC;
   if (wave_is_product(c->in.op)) {
      f->product = f->vectors;
      f->product_written = *written;
   }
   for (unsigned i = 0; i < read->count; i++)
      f->vgpr[read->reg[i]].used = f->vectors;
   for (unsigned i = 0; i < written->count; i++) {
      unsigned reg = written->reg[i];
      f->vgpr[reg].used = f->vgpr[reg].written = f->vectors;
      f->vgpr[reg].execs = f->execs;
      f->vgpr[reg].by_trans = trans ? f->vectors : 0;
      f->vgpr[reg].trans = f->transcendentals;
   }
   memset(&f->loads, 0, sizeof(f->loads));
   memset(&f->stores, 0, sizeof(f->stores));
   memset(&f->lds, 0, sizeof(f->lds));
}

/* Lane masks that vector instructions read; one that reads another scalar ends it, before the write or after it. */
static void
note_masks(struct wave_forwards *f, const struct code *c)
{
   bool scalar = false;
   for (unsigned i = 0; i < 3; i++)
      scalar |= c->info->src[i].cls && (c->in.src[i] < AMD_EXEC_LO || c->in.src[i] == AMD_LITERAL);
   if (scalar) {
      memset(f->masks, 0, sizeof(f->masks));
      memset(f->masks_written, 0, sizeof(f->masks_written));
   }
   bool fmas = c->in.op == AMD_OP_v_div_fmas_f32 || c->in.op == AMD_OP_v_div_fmas_f64;
   unsigned mask = fmas ? AMD_VCC_LO : c->info->src[2].cls == AMD_CLASS_MASK ? c->in.src[2] : AMD_EXEC_LO;
   for (unsigned reg = mask; reg < mask + 2 && reg < SGPRS; reg++) {
      f->masks[reg / 64] |= UINT64_C(1) << reg % 64;
      memset(f->by_vector, 0, sizeof(f->by_vector)); /* only what is written after it tells that it is done */
   }
}

/* SGPRs, or EXEC, that a vector instruction writes: scalar writes ahead of it have been done (observed: Mesa 26 waits
 * for none of them after such an instruction). */
static void
note_results(struct wave_forwards *f, const struct code *c)
{
   const uint64_t *results = c->forwards.results;
   const bool exec = c->info->flags & AMD_FLAG_WRITES_EXEC;
   for (unsigned i = 0; i < 2; i++) {
      f->by_vector[i] |= results[i];
      f->scalars[i] |= results[i];
   }
   if (exec)
      add_scalars(f->scalars, AMD_EXEC_LO, 2, AMD_EXEC_HI + 1);
   if (exec || results[0] | results[1]) {
      memset(f->masks_written, 0, sizeof(f->masks_written));
      f->last_scalar = f->vectors;
   }
}

/* One that reads what a vector instruction has written waits for it, and so for all ahead of that, which have read
 * their masks, also where one was written in between, and, but for transcendentals, written their results. RADV
 * relies on it (with Mesa 26 for VGPRs, too); LLVM waits all the same. */
static void
note_scalar_sources(struct wave_forwards *f, const struct code *c)
{
   if (meet(f->by_vector, c->forwards.scalars)) {
      memset(f->masks, 0, sizeof(f->masks));
      memset(f->masks_written, 0, sizeof(f->masks_written));
      memset(f->by_vector, 0, sizeof(f->by_vector));
   }
   if (meet(f->scalars, c->forwards.scalars_and_exec)) {
      f->ordered = f->last_scalar;
      memset(f->scalars, 0, sizeof(f->scalars));
   }
}

static void
note_scalar(struct wave_forwards *f, const struct code *c)
{
   note_scalar_sources(f, c);
   const struct amd_op_info *info = c->info;
   unsigned size = info->dst.cls == AMD_CLASS_MASK ? 2 : info->dst.size_dw;
   if (!info->dst.cls || c->in.dst > AMD_EXEC_HI)
      size = 0;
   bool exec = info->flags & AMD_FLAG_WRITES_EXEC;
   for (unsigned reg = c->in.dst; reg < c->in.dst + size; reg++) {
      exec |= reg == AMD_EXEC_LO || reg == AMD_EXEC_HI;
      if (reg < SGPRS && f->masks[reg / 64] >> reg % 64 & 1)
         f->masks_written[reg / 64] |= UINT64_C(1) << reg % 64;
   }
   f->execs += exec;
}

static void
note_memory(struct wave_forwards *f, const struct code *c)
{
   bool lds = c->in.enc == AMD_ENC_DS, flat = c->in.enc == AMD_ENC_FLAT;
   struct wave_vgpr_set *set = lds ? &f->lds : c->info->flags & AMD_FLAG_VSCNT ? &f->stores : &f->loads;
   struct wave_vgpr_set used = {{0}};
   unsigned size =
      c->in.enc == AMD_ENC_MIMG ? amd_isa_image_data_dw(&c->in) : c->info->dst.size_dw + (unsigned)c->in.tfe;
   for (unsigned i = 0; i < c->use_count; i++)
      for (unsigned reg = c->uses[i].reg; reg >= AMD_VGPR0 && reg < c->uses[i].reg + c->uses[i].count; reg++)
         used.bits[(reg - AMD_VGPR0) / 64] |= UINT64_C(1) << (reg - AMD_VGPR0) % 64;
   for (unsigned reg = c->in.dst; amd_is_vgpr((uint16_t)reg) && reg < c->in.dst + size; reg++)
      used.bits[(reg - AMD_VGPR0) / 64] |= UINT64_C(1) << (reg - AMD_VGPR0) % 64;
   for (unsigned i = 0; i < 4; i++) {
      set->bits[i] |= used.bits[i];
      f->lds.bits[i] |= flat ? used.bits[i] : 0;
   }
}

static void
note_waits(struct wave_forwards *f, const struct code *c, enum amd_gen gen)
{
   static const struct wave_vgpr_set none;
   unsigned imm = c->in.simm16;
   if (c->in.op == AMD_OP_s_waitcnt && !amd_isa_wait_left(gen, AMD_WAIT_VM, imm))
      f->loads = none;
   if (c->in.op == AMD_OP_s_waitcnt && !amd_isa_wait_left(gen, AMD_WAIT_LGKM, imm))
      f->lds = none;
   if (c->in.op == AMD_OP_s_waitcnt_vscnt && !imm)
      f->stores = none;
   if (waits(c, 2, 3) || c->in.enc == AMD_ENC_EXP)
      f->loads = f->stores = f->lds = none;
   if (waits(c, 12, 4) || is_memory(c) || c->in.enc == AMD_ENC_EXP ||
       (c->in.enc == AMD_ENC_LDSDIR && !c->in.wait_vdst)) {
      f->done = f->vectors;
      memset(f->masks, 0, sizeof(f->masks)); /* who has read them is done: Mesa 26 relies on it */
   }
   if (waits(c, 0, 1) || is_memory(c) || c->in.enc == AMD_ENC_SMEM || branches_by_scalar(c))
      memset(f->masks_written, 0, sizeof(f->masks_written));
   if (waits(c, 0, 1)) /* also between the mask's reader and who writes it (LLVM, fixVALUMaskWriteHazard) */
      memset(f->masks, 0, sizeof(f->masks));
}

void
wave_forwards_start(struct wave_forwards *f)
{
   if (f->vectors >> 31)
      memset(f, 0, sizeof(*f));
   f->done = f->ordered = f->vectors;
   f->compared_into_exec = false;
   f->product = 0;
   memset(&f->loads, 0, sizeof(*f) - offsetof(struct wave_forwards, loads));
}

const char *
wave_find_forward(struct wave *w, const struct code *c)
{
   struct wave_forwards *f = &w->forwards;
   const char *hazard = find(w, c);
   if (hazard)
      return hazard;
   if (is_vector(c)) {
      note_vector(f, c);
      note_masks(f, c);
      note_results(f, c);
      return NULL;
   }
   note_waits(f, c, w->program->gen);
   if (is_scalar(c))
      note_scalar(f, c);
   if (is_memory(c))
      note_memory(f, c);
   return NULL;
}

/* ---- what is the same for all that comes ---- */

/* How many vector instructions ago it was, of uses and of results; all that is too long ago to matter is the same. */
static inline uint32_t
age(const struct wave_forwards *f, uint32_t number)
{
   return number ? MIN2(f->vectors - number, DIRECT_VECTORS) : DIRECT_VECTORS;
}

static inline uint32_t
age_of_result(const struct wave_forwards *f, uint32_t number)
{
   return number ? MIN2(f->vectors - number, PARTIAL_ALL) : PARTIAL_ALL;
}

/* Counts of other things matter where a VGPR was written not long ago. */
static bool
vgprs_differ(const struct wave_forwards *a, const struct wave_forwards *b)
{
   uint32_t differ = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(a->vgpr); i++) {
      const uint32_t written = age_of_result(a, a->vgpr[i].written), by_trans = age_of_result(a, a->vgpr[i].by_trans);
      const uint32_t execs = a->execs - a->vgpr[i].execs - (b->execs - b->vgpr[i].execs),
                     trans = a->transcendentals - a->vgpr[i].trans - (b->transcendentals - b->vgpr[i].trans);
      differ |= age(a, a->vgpr[i].used) ^ age(b, b->vgpr[i].used);
      differ |= written ^ age_of_result(b, b->vgpr[i].written);
      differ |= by_trans ^ age_of_result(b, b->vgpr[i].by_trans);
      differ |= (written < PARTIAL_ALL ? execs : 0) | (by_trans < PARTIAL_ALL ? trans : 0);
   }
   return differ;
}

bool
wave_forwards_alike(const struct wave_forwards *a, const struct wave_forwards *b)
{
   const size_t sets = offsetof(struct wave_forwards, loads);
   return age(a, a->done) == age(b, b->done) && age_of_result(a, a->ordered) == age_of_result(b, b->ordered) &&
          age_of_result(a, a->last_scalar) == age_of_result(b, b->last_scalar) &&
          age(a, a->last_transcendental) == age(b, b->last_transcendental) &&
          a->compared_into_exec == b->compared_into_exec &&
          !memcmp((const char *)a + sets, (const char *)b + sets, sizeof(*a) - sets) && !vgprs_differ(a, b);
}

uint32_t
wave_forwards_hash(const struct wave_forwards *f)
{
   uint32_t sum = age(f, f->last_transcendental) + 32 * age_of_result(f, f->ordered);
   for (uint32_t i = 0; i < ARRAY_SIZE(f->vgpr); i++) {
      const uint32_t ages = age(f, f->vgpr[i].used) + 32 * age_of_result(f, f->vgpr[i].written);
      sum += (ages + 1024 * age_of_result(f, f->vgpr[i].by_trans)) * (2 * i + 1);
   }
   return sum;
}
