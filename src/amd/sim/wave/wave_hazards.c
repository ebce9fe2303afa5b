/* Source: LLVM 19, GCNHazardRecognizer.cpp; that a wait for the data ends vmem-scalar-write too: observed in what
 * RADV's compiler emits. */
#include "amd/sim/wave/wave_hazards.h"

#include <string.h>

#include "amd/sim/wave/wave_private.h"

static struct wave_scalars
range(unsigned reg, unsigned count)
{
   struct wave_scalars s = {{0}};
   for (unsigned i = reg; i < reg + count && i < 128; i++)
      s.bits[i / 64] |= UINT64_C(1) << i % 64;
   return s;
}

static void
add_scalars(struct wave_scalars *set, struct wave_scalars more)
{
   set->bits[0] |= more.bits[0];
   set->bits[1] |= more.bits[1];
}

static bool
meet(struct wave_scalars a, const struct wave_scalars *b)
{
   return (a.bits[0] & b->bits[0]) || (a.bits[1] & b->bits[1]);
}

static struct wave_scalars
reads(const struct wave *w, const struct code *c)
{
   struct wave_scalars s = {{0}};
   for (unsigned i = 0; i < c->use_count; i++)
      add_scalars(&s, range(c->uses[i].reg, c->uses[i].count));
   if (c->info->flags & AMD_FLAG_READS_EXEC)
      add_scalars(&s, range(AMD_EXEC_LO, w->state.lanes / 32));
   if (c->info->flags & AMD_FLAG_READS_M0)
      add_scalars(&s, range(AMD_M0, 1));
   return s;
}

static struct wave_scalars
writes(const struct wave *w, const struct code *c)
{
   const struct amd_op_info *info = c->info;
   unsigned mask_dw = w->state.lanes / 32;
   struct wave_scalars s = {{0}};
   if (info->dst.cls && c->in.dst != AMD_OPERAND_NONE)
      add_scalars(&s, range(c->in.dst, info->dst.cls == AMD_CLASS_MASK ? mask_dw : info->dst.size_dw));
   if (info->sdst.cls && c->in.sdst != AMD_OPERAND_NONE)
      add_scalars(&s, range(c->in.sdst, mask_dw));
   if (info->flags & AMD_FLAG_WRITES_EXEC)
      add_scalars(&s, range(AMD_EXEC_LO, mask_dw));
   if (info->flags & AMD_FLAG_WRITES_VCC)
      add_scalars(&s, range(AMD_VCC_LO, mask_dw));
   return s;
}

static bool
is_scalar(const struct code *c)
{
   return c->in.enc >= AMD_ENC_SOP1 && c->in.enc <= AMD_ENC_SOPP;
}

static bool
is_vector(const struct code *c)
{
   return c->in.enc >= AMD_ENC_VOP1 && c->in.enc <= AMD_ENC_VOP3P;
}

static bool
is_vmem(const struct code *c)
{
   return c->in.enc > AMD_ENC_DS && c->in.enc <= AMD_ENC_SCRATCH;
}

/* What waits have seen the end of. */
static void
note_wait(struct wave_hazards *h, const struct code *c)
{
   static const struct wave_scalars none;
   uint16_t imm = c->in.simm16;
   if (c->in.op == AMD_OP_s_waitcnt && !(imm & 0xc00f))
      h->by_loads = none;
   if (c->in.op == AMD_OP_s_waitcnt && !(imm & 0x3f00))
      h->by_lds = h->by_smem = none;
   if (c->in.op == AMD_OP_s_waitcnt_vscnt && !imm) {
      h->by_stores = none;
      h->lds = h->vmem = h->lds_then_branch = h->vmem_then_branch = false;
   }
   if (c->in.op == AMD_OP_s_waitcnt_depctr && !(imm & 0x1c))
      h->by_loads = h->by_stores = h->by_lds = none;
}

static void
note(struct wave *w, const struct code *c)
{
   static const struct wave_scalars none;
   struct wave_hazards *h = &w->hazards;
   bool lds = c->in.enc == AMD_ENC_DS, vmem = is_vmem(c);
   if (is_vector(c))
      h->by_loads = h->by_stores = h->by_lds = none;
   if (is_scalar(c) && c->in.enc != AMD_ENC_SOPP)
      h->by_smem = none;
   note_wait(h, c);
   if (lds)
      add_scalars(&h->by_lds, reads(w, c));
   if (vmem)
      add_scalars(c->info->flags & AMD_FLAG_VSCNT ? &h->by_stores : &h->by_loads, reads(w, c));
   if (c->in.enc == AMD_ENC_SMEM)
      add_scalars(&h->by_smem, reads(w, c));
   if (c->info->flags & AMD_FLAG_BRANCH) {
      h->lds_then_branch |= h->lds;
      h->vmem_then_branch |= h->vmem;
   }
   if (lds || vmem) { /* only the last of them before the branch counts */
      h->lds = lds;
      h->vmem = vmem;
      h->lds_then_branch = h->vmem_then_branch = false;
   }
}

const char *
wave_find_hazard(struct wave *w, const struct code *c)
{
   const struct wave_hazards *h = &w->hazards;
   struct wave_scalars written = writes(w, c);
   if ((is_scalar(c) || c->in.enc == AMD_ENC_SMEM) &&
       (meet(written, &h->by_loads) || meet(written, &h->by_stores) || meet(written, &h->by_lds)))
      return "vmem-scalar-write";
   if (is_vector(c) && meet(written, &h->by_smem))
      return "smem-vector-write";
   if ((is_vmem(c) && h->lds_then_branch) || (c->in.enc == AMD_ENC_DS && h->vmem_then_branch))
      return "lds-branch-vmem-war";
   if (c->info->flags & AMD_FLAG_BRANCH && c->in.enc == AMD_ENC_SOPP && c->in.simm16 == 0x3f)
      return "branch-offset-3f";
   if (c->in.enc == AMD_ENC_EXP && c->in.exp_target == 12 && !c->in.exp_vm && !c->in.exp_done &&
       !state_exec(&w->state))
      return "pos0-vm";
   note(w, c);
   return NULL;
}

bool
wave_hazards_alike(const struct wave_hazards *a, const struct wave_hazards *b)
{
   return !memcmp(&a->by_loads, &b->by_loads, sizeof(a->by_loads)) &&
          !memcmp(&a->by_stores, &b->by_stores, sizeof(a->by_stores)) &&
          !memcmp(&a->by_lds, &b->by_lds, sizeof(a->by_lds)) &&
          !memcmp(&a->by_smem, &b->by_smem, sizeof(a->by_smem)) && a->lds == b->lds && a->vmem == b->vmem &&
          a->lds_then_branch == b->lds_then_branch && a->vmem_then_branch == b->vmem_then_branch;
}

uint32_t
wave_hazards_hash(const struct wave_hazards *h)
{
   const struct wave_scalars *sets[] = {&h->by_loads, &h->by_stores, &h->by_lds, &h->by_smem};
   uint64_t sum = h->lds + 2u * h->vmem + 4u * h->lds_then_branch + 8u * h->vmem_then_branch;
   for (unsigned i = 0; i < 4; i++)
      sum = (sum ^ sets[i]->bits[0]) * 0x9e3779b97f4a7c15 + sets[i]->bits[1];
   return (uint32_t)(sum >> 32);
}
