/* One allocated instruction in the words of the ISA table. */
#include "amd/compiler/aco_ir.h"

#include <string.h>

#define WAIT_EXP_NONE 7 /* aco_waits.c waits */

static void
set_source(struct amd_inst *inst, unsigned place, const struct aco_operand *op, const struct amd_op_info *info)
{
   switch ((enum aco_operand_kind)op->kind) {
   case ACO_OP_NONE:
      inst->src[place] = AMD_OPERAND_NONE;
      break;
   case ACO_OP_UNDEF:
      inst->src[place] = info->src[place].cls == AMD_CLASS_VGPR ? AMD_VGPR0 : AMD_INT_0;
      break;
   case ACO_OP_TEMP:
   case ACO_OP_FIXED:
      inst->src[place] = op->reg;
      break;
   case ACO_OP_CONST:
      inst->src[place] = info->src[place].cls == AMD_CLASS_LITERAL
                            ? AMD_LITERAL
                            : aco_const_operand(op->value, (enum amd_type)info->src[place].type);
      if (inst->src[place] == AMD_LITERAL)
         inst->literal = op->value;
      break;
   }
}

bool
aco_is_nsa(const struct aco_program *program, const struct aco_instr *instr)
{
   bool row = true;
   if (!(aco_encs(program, instr) & 1u << AMD_ENC_MIMG))
      return false;
   unsigned end = instr->num_ops - instr->tied;
   for (unsigned i = 4; i < end; i++)
      row &= instr->ops[i].reg == instr->ops[0].reg + i - 3;
   return !row;
}

/* Addresses of an MIMG instruction after the first: nothing to say when they stand in a row. */
static void
set_image_addresses(const struct aco_program *program, const struct aco_instr *instr, struct amd_inst *inst)
{
   unsigned end = instr->num_ops - instr->tied;
   if (!aco_is_nsa(program, instr))
      return;
   inst->nsa_count = (uint8_t)(end - 4);
   for (unsigned i = 4; i < end; i++)
      inst->nsa[i - 4] = (uint8_t)(instr->ops[i].reg - AMD_VGPR0);
}

/* The short forms take a VGPR as second source: swaps the sources where the operation allows it. */
static void
commute(const struct aco_program *program, struct amd_inst *inst, uint32_t encs)
{
   const struct amd_op_info *info = aco_info(program, inst->op);
   if (!(encs & (1u << AMD_ENC_VOP2 | 1u << AMD_ENC_VOPC)) || !(info->flags & AMD_FLAG_COMMUTES) || inst->modifier ||
       amd_is_vgpr(inst->src[1]) || !amd_is_vgpr(inst->src[0]))
      return;
   uint16_t src = inst->src[0];
   inst->op = info->commuted;
   inst->src[0] = inst->src[1];
   inst->src[1] = src;
   inst->neg = (uint8_t)((inst->neg & ~3u) | (inst->neg & 1) << 1 | (inst->neg >> 1 & 1));
   inst->abs = (uint8_t)((inst->abs & ~3u) | (inst->abs & 1) << 1 | (inst->abs >> 1 & 1));
   inst->op_sel = (uint8_t)((inst->op_sel & ~3u) | (inst->op_sel & 1) << 1 | (inst->op_sel >> 1 & 1));
}

static void
set_dpp(const struct aco_instr *instr, struct amd_inst *inst)
{
   inst->modifier = AMD_MOD_DPP16;
   inst->dpp_ctrl = instr->dpp_ctrl;
   inst->row_mask = instr->row_mask;
   inst->bank_mask = instr->bank_mask;
   inst->bound_ctrl = instr->bound_ctrl;
   inst->fetch_inactive = instr->fetch_inactive;
}

/* False if it needs another literal than what has one already. */
static bool
set_half(const struct aco_program *program, const struct aco_instr *instr, struct amd_inst *inst, bool *has_literal,
         uint32_t *literal)
{
   for (unsigned i = 0; i < MIN2(instr->num_ops - (unsigned)instr->tied, 3u); i++) {
      set_source(inst, i, &instr->ops[i], aco_info(program, instr->op));
      if (inst->src[i] != AMD_LITERAL)
         continue;
      if (*has_literal && *literal != inst->literal)
         return false;
      *has_literal = true;
      *literal = inst->literal;
   }
   inst->dst = instr->defs[0].reg;
   return true;
}

/* Two operations that share a literal; who has put them together has looked for the rest. */
static bool
set_pair(const struct aco_program *program, const struct aco_instr *instr, struct amd_inst *inst)
{
   struct amd_inst second = amd_inst_init((enum amd_op)instr->dual->op, AMD_ENC_VOPDY);
   uint32_t literal = 0;
   bool has_literal = false;
   *inst = amd_inst_init((enum amd_op)instr->op, AMD_ENC_VOPD);
   if (!set_half(program, instr, inst, &has_literal, &literal) ||
       !set_half(program, instr->dual, &second, &has_literal, &literal))
      return false;
   inst->dual_op = second.op;
   inst->dual_dst = second.dst;
   memcpy(inst->dual_src, second.src, sizeof(inst->dual_src));
   inst->literal = literal;
   return true;
}

bool
aco_hw_instr(const struct aco_program *program, const struct aco_instr *instr, struct amd_inst *inst)
{
   if (instr->dual)
      return set_pair(program, instr, inst);
   enum amd_op op = (enum amd_op)instr->op;
   const struct amd_op_info *info = aco_info(program, op);
   uint32_t encs = aco_encs(program, instr);
   bool mimg = encs & 1u << AMD_ENC_MIMG;
   *inst = amd_inst_init(op, encs & 1u << AMD_ENC_VOP3P ? AMD_ENC_VOP3P : AMD_ENC_NONE);
   bool buffer_atomic = !mimg && info->flags & AMD_FLAG_ATOMIC; /* the tied operand is the data */
   unsigned sources = MIN2(instr->num_ops - (instr->tied && !buffer_atomic), 4);
   for (unsigned i = 0; i < sources; i++)
      set_source(inst, i, &instr->ops[i], info);
   if (instr->num_defs && (instr->defs[0].temp || instr->defs[0].fixed))
      inst->dst = instr->defs[0].reg;
   if (instr->num_defs > 1)
      inst->sdst = instr->defs[1].reg;
   inst->neg = instr->neg;
   inst->abs = instr->abs;
   inst->op_sel = instr->opsel;
   if (instr->vop3p) {
      inst->op_sel_hi = instr->opsel_hi;
      inst->neg_hi = instr->neg_hi;
   }
   inst->clamp = instr->clamp;
   inst->omod = instr->omod;
   if (instr->dpp)
      set_dpp(instr, inst);
   inst->offset = instr->offset;
   inst->simm16 = instr->simm16;
   inst->glc = instr->glc;
   inst->dlc = instr->dlc;
   inst->slc = instr->slc;
   inst->gds = instr->gds;
   inst->offen = instr->offen;
   inst->idxen = instr->idxen;
   inst->unrm = instr->unrm;
   inst->dmask = instr->dmask;
   if (program->target->says_dims)
      inst->dim = instr->dim;
   else
      inst->da = instr->dim == 3 || instr->dim == 4 || instr->dim == 5 || instr->dim == 7;
   inst->d16 = instr->d16;
   inst->tfe = instr->tfe;
   inst->attr = instr->attr;
   inst->chan = instr->chan;
   inst->exp_target = instr->exp_target;
   inst->exp_en = instr->exp_en;
   inst->exp_done = instr->exp_done;
   inst->exp_vm = instr->exp_vm;
   inst->exp_compr = instr->exp_compr;
   inst->row_en = instr->exp_row;
   if (encs & 1u << AMD_ENC_VINTERP)
      inst->wait_exp = WAIT_EXP_NONE;
   if (mimg)
      set_image_addresses(program, instr, inst);
   commute(program, inst, encs);
   inst->enc = (uint8_t)amd_isa_pick_encoding(program->gen, inst);
   return inst->enc != AMD_ENC_NONE;
}
