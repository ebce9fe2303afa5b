/* Selection of what primitive ordered pixel shading has of its own (docs/drivers/amd/pops.md). */
#include "amd/compiler/aco_select.h"
#include "util/mutant.h"

#define MSG_ORDERED_PS_DONE 7
/* Bit 0 clear waits for "export ready", and GFX11 has no other bit. AMD, ACO and LLVM 19 pass 0; 2 is GFX12's. */
#define EVENT_EXPORT_READY 0

static struct aco_instr *
effect(struct isel *c, unsigned op, unsigned num_ops, unsigned simm16)
{
   struct aco_instr *instr = isel_emit(c, op, 0, num_ops);
   instr->simm16 = (uint16_t)simm16;
   instr->side_effects = true;
   return instr;
}

static void
await_waves(struct isel *c, struct aco_operand collision)
{
   struct aco_instr *instr = isel_emit(c, ACO_P_AWAIT_WAVES, 1, 1);
   instr->ops[0] = collision;
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_S1), .rc = ACO_S1};
   instr->side_effects = true;
}

void
isel_await_memory(struct isel *c)
{
   effect(c, AMD_OP_s_waitcnt, 0, 0);
   if (c->program->target->vscnt_max)
      effect(c, AMD_OP_s_waitcnt_vscnt, 1, 0)->ops[0] = aco_op_fixed(AMD_NULL);
}

static void
leave_section(struct isel *c)
{
   isel_await_memory(c);
   effect(c, AMD_OP_s_sendmsg, 0, MSG_ORDERED_PS_DONE);
   /* Where lanes ran out before, the end of the shader leaves the section. */
   c->left_section = true;
   c->unleft = c->region->skips;
   c->region->skips = NULL;
}

/* The instruction waits for all counters itself. */
void
isel_end_in_section(struct isel *c)
{
   effect(c, AMD_OP_s_endpgm_ordered_ps_done, 0, 0);
}

bool
isel_pops(struct isel *c, struct nir_intrinsic_instr *intr)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_collision_waveid_amd:
      isel_set(c, &intr->def, 0, aco_op_temp(c->program, c->collision_waveid));
      return true;
   case NIR_INTRINSIC_load_intrawave_collision_amd:
      isel_set(c, &intr->def, 0, aco_op_temp(c->program, c->intrawave_collision));
      return true;
   case NIR_INTRINSIC_await_waves_amd:
      await_waves(c, isel_as_s(c, isel_src(c, &intr->src[0], 0), 1));
      return true;
   case NIR_INTRINSIC_await_exports_amd:
      effect(c, AMD_OP_s_wait_event, 0, EVENT_EXPORT_READY);
      if (mutant("export-early"))
         isel_export_nothing(c);
      return true;
   case NIR_INTRINSIC_invalidate_caches_amd:
      isel_invalidate(c, NIR_SCOPE_DEVICE);
      return true;
   case NIR_INTRINSIC_ordered_ps_done_amd:
      leave_section(c);
      return true;
   default: /* others: not of POPS */
      return false;
   }
}
