/* Hardware stages that run two shaders, LS-HS and ES-GS: their waves have threads of two kinds, each numbered from
 * the first lane on. The wave starts with its system SGPRs in front of the user's, of which s3 is merged_wave_info:
 *
 *    7:0 threads of the first kind   15:8 of the second   23:16 GS: the wave's id in its messages
 *    27:24 the wave's number in the workgroup             31:28 how many there are
 *
 * Both shaders are one here (nir_merge_shaders()): all lanes run it, and two branches choose those that each is for.
 * Sources: the arguments that public compilers declare (LLVM AMDGPU, radeonsi, RADV). */
#include "amd/compiler/aco_select.h"

enum { MERGED_WAVE_INFO = 3, WAVE_NUMBER = 24 | 4 << 16 /* as s_bfe_u32 takes it */ };
enum { MESSAGE_ID = 0xf, MSG_GS_DONE = 3 };

bool
isel_is_merged(const struct isel *c)
{
   return c->program->hw == ACO_HW_GS || c->program->hw == ACO_HW_HS;
}

struct aco_operand
isel_system_sgpr(const struct isel *c, unsigned number)
{
   return aco_op_temp(c->program, c->system_sgpr[number]);
}

/* As a bit field the count is the width, from bit 0 on, of a mask; 64 is one. */
struct aco_operand
isel_threads(struct isel *c, unsigned at)
{
   struct aco_operand info = isel_system_sgpr(c, MERGED_WAVE_INFO), low, high;
   struct aco_operand width = isel_s2(c, AMD_OP_s_lshl_b32, ACO_S1, info, k(16 - at));
   struct aco_operand mask = isel_s2(c, AMD_OP_s_bfe_u64, ACO_S2, k(UINT32_MAX), width);
   if (c->program->wave_size == 64)
      return mask;
   isel_split64(c, mask, &low, &high);
   return low;
}

struct aco_operand
isel_thread(struct isel *c)
{
   unsigned log2 = log2_floor(c->program->wave_size);
   struct aco_operand info = isel_system_sgpr(c, MERGED_WAVE_INFO);
   struct aco_operand wave = isel_s2(c, AMD_OP_s_bfe_u32, ACO_S1, info, k(WAVE_NUMBER));
   return isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, isel_s2(c, AMD_OP_s_lshl_b32, ACO_S1, wave, k(log2)),
                  isel_lane_id(c));
}

void
isel_set_exec(struct isel *c, struct aco_operand mask)
{
   struct aco_instr *instr = isel_emit(c, ISEL_LM(c, s_mov), 1, 1);
   instr->ops[0] = mask;
   isel_fixed_result(instr, AMD_EXEC_LO);
}

/* The message is from the active lanes. What they have stored is there before they say that they are done. */
static void
send_message(struct isel *c, struct nir_intrinsic_instr *intr)
{
   const uint16_t message = (uint16_t)nir_intrinsic_base(intr);
   struct aco_operand value = isel_as_s(c, isel_src(c, &intr->src[0], 0), 1);
   if ((message & MESSAGE_ID) == MSG_GS_DONE)
      isel_await_memory(c);
   struct aco_instr *move = isel_emit(c, AMD_OP_s_mov_b32, 1, 1);
   move->ops[0] = value;
   isel_fixed_result(move, AMD_M0);
   struct aco_instr *send = isel_emit(c, AMD_OP_s_sendmsg, 0, 0);
   send->simm16 = message;
   send->side_effects = true;
}

/* All lanes have one mode, so EXEC does not count; a branch that no lane takes may skip it. */
static void
set_float_mode(struct isel *c, unsigned asked)
{
   enum { MODE_BITS = 8 };
   struct aco_operand mode = isel_s1(c, AMD_OP_s_mov_b32, ACO_S1, k(aco_float_mode(ACO_FLOAT_MODE_DEFAULT, asked)));
   struct aco_instr *set = isel_emit(c, AMD_OP_s_setreg_b32, 0, 1);
   set->ops[0] = mode;
   set->simm16 = amd_hwreg(AMD_HWREG_MODE, 0, MODE_BITS);
   set->side_effects = true;
}

bool
isel_merged(struct isel *c, struct nir_intrinsic_instr *intr)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_runs_first:
      isel_set_mask(c, &intr->def, 0, isel_threads(c, 0));
      return true;
   case NIR_INTRINSIC_load_runs_second:
      isel_set_mask(c, &intr->def, 0, isel_threads(c, 8));
      return true;
   case NIR_INTRINSIC_load_local_invocation_index:
      isel_set(c, &intr->def, 0, isel_thread(c));
      return true;
   case NIR_INTRINSIC_load_system_sgpr_amd:
      isel_set(c, &intr->def, 0, isel_system_sgpr(c, (unsigned)nir_intrinsic_base(intr)));
      return true;
   case NIR_INTRINSIC_export_primitive_amd:
      isel_export_primitive(c, isel_src(c, &intr->src[0], 0));
      return true;
   case NIR_INTRINSIC_export_counts_amd:
      c->ngg.vertices = isel_as_s(c, isel_src(c, &intr->src[0], 0), 1);
      c->ngg.primitives = isel_as_s(c, isel_src(c, &intr->src[1], 0), 1);
      return true;
   case NIR_INTRINSIC_set_float_mode_amd:
      set_float_mode(c, (unsigned)nir_intrinsic_base(intr));
      return true;
   case NIR_INTRINSIC_send_message_amd:
      send_message(c, intr);
      return true;
   default: /* others: of all stages */
      return false;
   }
}
