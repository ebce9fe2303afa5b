/* Writes random instructions of every row of the table, one a line: "hexadecimal words|wave32 text|wave64 text".
 *
 * Usage: isa_random CPU SEED VARIANTS 32|64. Before it writes a line it checks that decoding the words
 * gives them back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amd/hw/isa.h"
#include "isa_cpu.h"

static uint64_t state;
static enum amd_gen gen;

static uint32_t
rnd(uint32_t bound)
{
   state = state * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(state >> 33) % bound;
}

static bool
coin(unsigned one_in)
{
   return rnd(one_in) == 0;
}

static bool
named(const struct amd_inst *inst, const char *part)
{
   return strstr(amd_isa_op_name((enum amd_op)inst->op), part);
}

static bool
has_true16(void)
{
   return gen == AMD_GFX11 || gen == AMD_GFX11_5;
}

static bool
is_short(unsigned enc)
{
   return enc == AMD_ENC_VOP1 || enc == AMD_ENC_VOP2 || enc == AMD_ENC_VOPC;
}

static bool
is_half(struct amd_operand_info info)
{
   return info.type == AMD_TYPE_B16 || info.type == AMD_TYPE_F16 || info.type == AMD_TYPE_I16 ||
          info.type == AMD_TYPE_U16;
}

/* Which operands may be high halves as far as LLVM without true16 knows: those that could before. */
static unsigned
llvm_op_sel(const struct amd_inst *inst, const struct amd_op_info *info)
{
   if (!has_true16() || inst->enc == AMD_ENC_VOP3P || inst->enc == AMD_ENC_VINTERP)
      return info->op_sel;
   return info->op_sel & amd_isa_op_info(AMD_GFX10_3, (enum amd_op)inst->op)->op_sel;
}

static uint16_t
random_vgpr(unsigned size)
{
   return amd_vgpr(rnd(257 - (size ? size : 1)));
}

/* Aligned as the assembler wants it: pairs to 2, larger to 4. */
static uint16_t
random_sgpr(unsigned size)
{
   unsigned align = size >= 3 ? 4 : size == 2 ? 2 : 1;
   if (size <= 2 && coin(8))
      return size == 2 ? AMD_VCC_LO : (uint16_t)(AMD_VCC_LO + rnd(2));
   return (uint16_t)(rnd((106 - size) / align) * align);
}

static uint16_t
random_constant(unsigned type)
{
   /* In 16-bit integers LLVM prints floats as numbers that it cannot tell from literals. */
   bool int16 = type == AMD_TYPE_I16 || type == AMD_TYPE_U16;
   switch (rnd(int16 ? 2 : 3)) {
   case 0:
      return (uint16_t)(AMD_INT_0 + rnd(65));
   case 1:
      return (uint16_t)(193 + rnd(16));
   default: /* 1 / (2 pi) of matrices of bf16 LLVM writes with more digits */
      return (uint16_t)(AMD_FLOAT_0_5 + rnd(type == AMD_TYPE_MATRIX ? 8 : 9));
   }
}

static uint16_t
random_operand(struct amd_inst *inst, struct amd_operand_info info, bool wave64, bool allow_literal, bool vgpr_only)
{
   unsigned size = info.size_dw ? info.size_dw : 1;
   bool halves = has_true16() && is_short(inst->enc) && is_half(info); /* of the lower registers */
   switch ((enum amd_operand_class)info.cls) {
   case AMD_CLASS_VGPR:
      return halves ? amd_vgpr(rnd(128)) : random_vgpr(size);
   case AMD_CLASS_MASK:
      return wave64 ? random_sgpr(2) : random_sgpr(1);
   case AMD_CLASS_SGPR:
      return random_sgpr(size);
   case AMD_CLASS_VLANE:
      return coin(2) ? (uint16_t)rnd(100) : (uint16_t)(AMD_INT_0 + rnd(32));
   case AMD_CLASS_LITERAL:
      inst->literal = info.type == AMD_TYPE_F16 ? 0x1001 + 2 * rnd(0x3000) : rnd(0x7fffffff) | 0x10000;
      return AMD_LITERAL;
   case AMD_CLASS_SSRC:
   case AMD_CLASS_SRC:
      if (info.cls == AMD_CLASS_SRC && (vgpr_only || coin(2)))
         return halves ? amd_vgpr(rnd(128)) : random_vgpr(size);
      if (info.type == AMD_TYPE_MATRIX || (coin(3) && size <= 2 && info.type != AMD_TYPE_WIDE))
         return random_constant(info.type);
      bool int16 = info.type == AMD_TYPE_I16 || info.type == AMD_TYPE_U16; /* floats there print like literals */
      if (allow_literal && coin(4) && size == 1 && !int16) {
         inst->literal = 0x1001 + 2 * rnd(0x3000); /* odd: no inline constant */
         return AMD_LITERAL;
      }
      return random_sgpr(size);
   case AMD_CLASS_NONE:
      break;
   }
   return AMD_OPERAND_NONE;
}

static unsigned
sdwa_bits(const struct amd_op_info *info, unsigned i)
{
   unsigned t = info->src[i].type;
   return t == AMD_TYPE_F16 || t == AMD_TYPE_F32;
}

static void
random_vector_modifiers(struct amd_inst *inst, const struct amd_op_info *info)
{
   unsigned all = (1u << info->src_count) - 1;
   if (inst->enc == AMD_ENC_VOP3 || inst->enc == AMD_ENC_VOP3P || inst->enc == AMD_ENC_VINTERP) {
      inst->neg = (uint8_t)(rnd(8) & info->mods & all);
      if (inst->enc == AMD_ENC_VOP3P)
         inst->neg_hi = (uint8_t)(rnd(8) & info->mods & all);
      else if (inst->enc == AMD_ENC_VOP3)
         inst->abs = (uint8_t)(rnd(8) & info->mods & all);
      inst->op_sel = coin(2) ? (uint8_t)(rnd(16) & llvm_op_sel(inst, info)) : 0;
      inst->clamp = (info->flags & AMD_FLAG_CLAMP) && coin(3);
      inst->omod = (info->flags & AMD_FLAG_OMOD) && inst->enc == AMD_ENC_VOP3 && coin(3) ? (uint8_t)(1 + rnd(3)) : 0;
      if (inst->enc == AMD_ENC_VOP3P && coin(2))
         inst->op_sel_hi = (uint8_t)(rnd(8) & all) | (uint8_t)(all == 3 ? 4 : 0);
   }
   if (inst->modifier == AMD_MOD_DPP16) {
      static const uint16_t controls[] = {0x101, 0x10f, 0x112, 0x121, 0x12f, 0x140,
                                          0x141, 0x150, 0x15f, 0x161, 0x16f};
      static const uint16_t controls_gfx9[] = {0x101, 0x10f, 0x112, 0x121, 0x12f, 0x140,
                                               0x141, 0x130, 0x134, 0x142, 0x143};
      inst->dpp_ctrl = coin(2) ? (uint16_t)rnd(256) : (gen == AMD_GFX9 ? controls_gfx9 : controls)[rnd(11)];
      inst->row_mask = (uint8_t)rnd(16);
      inst->bank_mask = (uint8_t)rnd(16);
      inst->bound_ctrl = coin(2);
      inst->fetch_inactive = gen != AMD_GFX9 && coin(2);
      for (unsigned i = 0; i < info->src_count && i < 2 && is_short(inst->enc); i++) {
         bool f = sdwa_bits(info, i) && (info->mods >> i & 1);
         inst->neg |= (uint8_t)((f && coin(3)) << i);
         inst->abs |= (uint8_t)((f && coin(3)) << i);
      }
   } else if (inst->modifier == AMD_MOD_DPP8) {
      inst->dpp8 = rnd(1 << 24);
      inst->fetch_inactive = coin(2);
   } else if (inst->modifier == AMD_MOD_SDWA) {
      inst->clamp = (info->flags & AMD_FLAG_CLAMP) && coin(3);
      bool is_float = info->dst.type == AMD_TYPE_F16 || info->dst.type == AMD_TYPE_F32;
      inst->omod = (info->flags & AMD_FLAG_OMOD) && is_float && coin(3) ? (uint8_t)(1 + rnd(3)) : 0;
      if (inst->enc != AMD_ENC_VOPC) {
         inst->sdwa_dst_sel = (uint8_t)rnd(7);
         inst->sdwa_dst_unused = (uint8_t)rnd(3);
      }
      for (unsigned i = 0; i < info->src_count && i < 2; i++) {
         inst->sdwa_src_sel[i] = (uint8_t)rnd(7);
         bool f = sdwa_bits(info, i) && (info->mods >> i & 1),
              n = !sdwa_bits(info, i) && info->src[i].type != AMD_TYPE_B32;
         inst->neg |= (uint8_t)((f && coin(3)) << i);
         inst->abs |= (uint8_t)((f && coin(3)) << i);
         inst->sdwa_sext |= (uint8_t)((n && coin(3)) << i);
      }
      if (inst->enc == AMD_ENC_VOPC)
         inst->clamp = inst->clamp && coin(2);
   }
}

static void
random_vector(struct amd_inst *inst, const struct amd_op_info *info, bool wave64)
{
   bool vop3 = inst->enc == AMD_ENC_VOP3 || inst->enc == AMD_ENC_VOP3P;
   bool literal = !inst->modifier;
   inst->dst = random_operand(inst, info->dst, wave64, false, false);
   inst->sdst = random_operand(inst, info->sdst, wave64, false, false);
   if (inst->enc == AMD_ENC_VOPC && info->dst.cls && (inst->modifier != AMD_MOD_SDWA || coin(2)))
      inst->dst = AMD_VCC_LO;
   if (inst->enc == AMD_ENC_VOP2 && info->sdst.cls)
      inst->sdst = AMD_VCC_LO;
   for (unsigned i = 0; i < info->src_count; i++) {
      struct amd_operand_info operand = info->src[i];
      if (vop3 && i == 1 && operand.cls == AMD_CLASS_VGPR && coin(2) && info->encs != 1u << AMD_ENC_VOP3)
         operand.cls = AMD_CLASS_SRC;
      bool vgpr_only = inst->modifier == AMD_MOD_DPP16 || inst->modifier == AMD_MOD_DPP8;
      inst->src[i] = random_operand(inst, operand, wave64, literal, vgpr_only);
      if (inst->modifier == AMD_MOD_SDWA && i < 2 && info->src[i].cls != AMD_CLASS_MASK)
         inst->src[i] = coin(2) || (operand.cls == AMD_CLASS_VGPR && i == 0) ? random_vgpr(1)
                        : coin(2)                                            ? (uint16_t)rnd(104)
                                                                             : random_constant(info->src[i].type);
      if (operand.cls == AMD_CLASS_MASK && inst->enc == AMD_ENC_VOP2)
         inst->src[i] = AMD_VCC_LO;
   }
   random_vector_modifiers(inst, info);
}

static void
random_memory(struct amd_inst *inst, const struct amd_op_info *info)
{
   /* size: one switch over the memory encodings */
   inst->dst = random_operand(inst, info->dst, false, false, false);
   for (unsigned i = 0; i < 4; i++)
      inst->src[i] = random_operand(inst, info->src[i], false, false, false);
   bool atomic = info->flags & AMD_FLAG_ATOMIC;
   bool any = info->src[0].cls || info->dst.cls || inst->op == AMD_OP_buffer_store_lds_dword;
   inst->gds = named(inst, "ds_gws") || named(inst, "ds_ordered");
   if (!any)
      return;
   inst->slc = coin(3);
   inst->dlc = coin(3);
   inst->glc = coin(2);
   if (inst->enc != AMD_ENC_DS && inst->enc != AMD_ENC_SMEM && atomic && !inst->glc)
      inst->dst = AMD_OPERAND_NONE;
   else if (atomic && info->src[3].cls)
      inst->dst = inst->src[3];
   switch (inst->enc) {
   case AMD_ENC_SMEM:
      inst->slc = false;
      inst->glc = inst->glc && (info->flags & (AMD_FLAG_LOAD | AMD_FLAG_STORE | AMD_FLAG_ATOMIC));
      inst->dlc = inst->dlc && (info->flags & (AMD_FLAG_LOAD | AMD_FLAG_STORE | AMD_FLAG_ATOMIC));
      if (named(inst, "probe"))
         inst->simm16 = (uint16_t)rnd(128);
      if (info->src[0].cls) {
         inst->src[1] = coin(2) ? AMD_NULL : random_sgpr(1);
         inst->offset = inst->src[1] == AMD_NULL || coin(2) ? (int)rnd(1 << 20) : 0;
         if (coin(4) && info->src[0].size_dw != 4 && inst->src[1] == AMD_NULL)
            inst->offset = -inst->offset;
      }
      break;
   case AMD_ENC_DS:
      inst->glc = inst->dlc = inst->slc = false;
      inst->offset = (int)rnd(65536);
      if (inst->op == AMD_OP_ds_swizzle_b32 && inst->offset < 0x8000) {
         /* Each pattern has many encodings: the one that the assembler chooses. */
         int and = (int)rnd(32), or = (int)rnd(32) & ~and, xor = (int)rnd(32) & and;
         inst->offset = and | or << 5 | xor << 10;
      }
      inst->gds = inst->gds || (coin(8) && !named(inst, "swizzle") && !named(inst, "permute"));
      break;
   case AMD_ENC_MTBUF:
      inst->format = (uint8_t)rnd(128);
      __attribute__((fallthrough));
   case AMD_ENC_MUBUF:
      inst->offset = (int)rnd(4096);
      inst->dlc = inst->dlc && !atomic;
      inst->offen = coin(2);
      inst->idxen = coin(2);
      if (!inst->offen && !inst->idxen)
         inst->src[0] = AMD_OPERAND_NONE;
      inst->src[2] = coin(2) ? random_sgpr(1) : (uint16_t)(AMD_INT_0 + rnd(65));
      if (inst->enc == AMD_ENC_MUBUF && coin(8) && (info->flags & AMD_FLAG_LOAD) && info->dst.size_dw == 1 &&
          !named(inst, "d16")) {
         inst->lds = true;
         inst->dst = AMD_OPERAND_NONE;
      }
      if (inst->op == AMD_OP_buffer_store_lds_dword) {
         inst->lds = true;
         inst->offen = inst->idxen = inst->tfe = false;
      }
      break;
   case AMD_ENC_GLOBAL:
      inst->offset = (int)rnd(4096) - 2048;
      inst->src[2] = coin(2) ? AMD_OPERAND_NONE : (uint16_t)(2 * rnd(50));
      break;
   case AMD_ENC_SCRATCH:
      inst->offset = (int)rnd(4096) - 2048;
      inst->src[2] = coin(2) ? AMD_OPERAND_NONE : (uint16_t)rnd(100);
      if (inst->src[2] != AMD_OPERAND_NONE)
         inst->src[0] = AMD_OPERAND_NONE;
      break;
   default: /* others: LDS and the like */
      inst->offset = (int)rnd(2048);
   }
}

static void
random_image(struct amd_inst *inst, const struct amd_op_info *info)
{
   inst->src[0] = random_vgpr(13);
   inst->src[1] = random_sgpr(8);
   inst->src[2] = info->src[2].cls ? random_sgpr(4) : AMD_OPERAND_NONE;
   bool atomic = info->flags & AMD_FLAG_ATOMIC;
   inst->dmask = (uint8_t)(1 + rnd(15));
   if (atomic)
      inst->dmask = named(inst, "cmpswap") ? (coin(2) ? 3 : 15) : coin(2) ? 1 : 3;
   if (info->image & AMD_IMAGE_GATHER || named(inst, "image_msaa_load"))
      inst->dmask = (uint8_t)(1u << rnd(4));
   inst->dim = (uint8_t)rnd(8);
   if (info->flags & AMD_FLAG_SAMPLE)
      inst->dim = (uint8_t)rnd(6);
   if (info->image & AMD_IMAGE_GATHER)
      inst->dim = coin(2) ? 1 : 5;
   if (info->image & AMD_IMAGE_LOD && inst->dim > 5)
      inst->dim = 1; /* no levels in multisampled images */
   if (named(inst, "image_msaa_load"))
      inst->dim = (uint8_t)(6 + rnd(2));
   inst->unrm = coin(2);
   inst->glc = coin(2);
   inst->slc = coin(2);
   inst->dlc = coin(2);
   inst->da = gen == AMD_GFX9 && coin(2);
   inst->lwe = coin(4) && !atomic;
   inst->tfe = coin(4) && !atomic;
   inst->a16 = coin(4);
   inst->d16 = coin(4) && !atomic && !named(inst, "image_get_");
   inst->r128 = coin(8);
   if (info->image & AMD_IMAGE_GATHER || named(inst, "image_msaa_load"))
      inst->d16 = inst->d16 && !inst->tfe; /* LLVM counts the result of that pair differently from form to form */
   if (info->dst.cls && (!atomic || inst->glc))
      inst->dst = random_vgpr(6);
   if (info->src[3].cls) {
      inst->src[3] = random_vgpr(6);
      inst->tfe = inst->lwe = false;
      if (inst->dst != AMD_OPERAND_NONE)
         inst->dst = inst->src[3];
   }
   unsigned needed = amd_isa_image_address_dw(inst);
   if (coin(2) && needed > 1 && needed <= 13)
      for (inst->nsa_count = (uint8_t)(needed - 1), needed = 0; needed < inst->nsa_count; needed++)
         inst->nsa[needed] = (uint8_t)rnd(256);
}

/* Two operations for one instruction; most of the operands meet in a bank, so there are many tries. */
static void
random_pair(struct amd_inst *inst, const struct amd_op_info *info)
{
   enum amd_op op;
   do
      op = (enum amd_op)rnd(AMD_OP_COUNT);
   while (!(amd_isa_op_info(gen, op)->encs >> AMD_ENC_VOPDY & 1));
   const struct amd_op_info *second = amd_isa_op_info(gen, op);
   struct amd_inst y = amd_inst_init(op, AMD_ENC_VOP2);
   random_vector(inst, info, false);
   random_vector(&y, second, false);
   inst->dual_op = y.op;
   inst->dual_dst = y.dst;
   for (unsigned i = 0; i < 3; i++)
      inst->dual_src[i] = y.src[i];
   if (info->src_count == 3 && info->src[2].cls == AMD_CLASS_MASK)
      inst->src[2] = AMD_VCC_LO;
   bool selects = inst->op == AMD_OP_v_cndmask_b32 || y.op == AMD_OP_v_cndmask_b32, names_vcc = false;
   for (unsigned i = 0; i < 2; i++)
      names_vcc |= inst->src[i] == AMD_VCC_LO || y.src[i] == AMD_VCC_LO;
   if (selects && names_vcc)
      inst->dual_dst = inst->dst; /* the assembler counts the implied VCC separately */
   bool dot = inst->op == AMD_OP_v_dot2c_f32_f16 || y.op == AMD_OP_v_dot2c_f32_f16;
   inst->literal = inst->literal ? inst->literal : y.literal;
   if (dot && (inst->literal || inst->src[0] < AMD_VGPR0 || y.src[0] < AMD_VGPR0))
      inst->dual_dst = inst->dst; /* the assembler has no such pair; nor can this be encoded */
}

static bool
takes_immediate(const struct amd_inst *inst)
{
   switch ((int)inst->op) {
   case AMD_OP_s_barrier:
   case AMD_OP_s_wakeup:
   case AMD_OP_s_icache_inv:
   case AMD_OP_s_code_end:
   case AMD_OP_s_endpgm_ordered_ps_done:
   case AMD_OP_s_wait_idle:
   case AMD_OP_s_ttracedata:
   case AMD_OP_s_endpgm_saved:
   case AMD_OP_s_set_gpr_idx_off:
      return false;
   default: /* others: yes */
      return true;
   }
}

static void
random_inst(struct amd_inst *inst, const struct amd_op_info *info, bool wave64)
{
   /* size: one switch over the encodings */
   switch ((enum amd_enc)inst->enc) {
   case AMD_ENC_SOP1:
   case AMD_ENC_SOP2:
   case AMD_ENC_SOPC:
   case AMD_ENC_SOPK:
   case AMD_ENC_SOPP:
      inst->dst = random_operand(inst, info->dst, wave64, false, false);
      for (unsigned i = 0; i < info->src_count; i++)
         inst->src[i] = random_operand(inst, info->src[i], wave64, true, false);
      if (inst->enc == AMD_ENC_SOPK || inst->enc == AMD_ENC_SOPP || inst->op == AMD_OP_s_set_gpr_idx_on)
         inst->simm16 = (uint16_t)(coin(2) ? rnd(65536) : rnd(80));
      if (inst->op == AMD_OP_s_waitcnt)
         inst->simm16 &= has_true16() ? 0xfff7 : gen == AMD_GFX9 ? 0xcf7f : 0xff7f;
      if (inst->op == AMD_OP_s_set_gpr_idx_mode || inst->op == AMD_OP_s_set_gpr_idx_on)
         inst->simm16 &= 15;
      if (inst->op == AMD_OP_s_sendmsg || inst->op == AMD_OP_s_sendmsghalt)
         inst->simm16 &= has_true16() ? 0xff : 0x37f;
      if (has_true16() && named(inst, "s_waitcnt_") && inst->enc == AMD_ENC_SOPK)
         inst->src[0] = AMD_NULL; /* the assembler takes no other */
      if (named(inst, "s_sendmsg_rtn"))
         inst->simm16 = (uint16_t)rnd(256);
      if (inst->op == AMD_OP_s_delay_alu)
         inst->simm16 = (uint16_t)(rnd(12) | rnd(6) << 4 | rnd(12) << 7);
      if (inst->op == AMD_OP_s_setreg_imm32_b32)
         inst->literal = 0x10000 + rnd(0x3f000000);
      if (inst->op == AMD_OP_s_version && coin(2))
         inst->simm16 &= 0xe0ff;
      if (!takes_immediate(inst))
         inst->simm16 = 0;
      break;
   case AMD_ENC_VOP1:
   case AMD_ENC_VOP2:
   case AMD_ENC_VOPC:
   case AMD_ENC_VOP3:
   case AMD_ENC_VOP3P:
   case AMD_ENC_VINTRP:
   case AMD_ENC_VINTERP:
      random_vector(inst, info, wave64);
      inst->wait_exp = inst->enc == AMD_ENC_VINTERP ? (uint8_t)rnd(8) : 0;
      if (named(inst, "v_interp") && inst->enc != AMD_ENC_VINTERP) {
         inst->attr = (uint8_t)rnd(33);
         inst->chan = (uint8_t)rnd(4);
         inst->simm16 = inst->op == AMD_OP_v_interp_mov_f32 ? (uint16_t)rnd(3) : 0;
         inst->high = named(inst, "_f16") && coin(2);
      }
      break;
   case AMD_ENC_MIMG:
      random_image(inst, info);
      break;
   case AMD_ENC_EXP: {
      static const uint8_t targets[] = {0, 7, 8, 9, 12, 13, 16, 20, 32, 63};
      static const uint8_t targets_11[] = {0, 7, 8, 12, 13, 16, 20, 21, 22};
      inst->exp_target = has_true16() ? targets_11[rnd(9)] : targets[rnd(10)];
      if (gen == AMD_GFX9 && inst->exp_target >= 16 && inst->exp_target <= 20) /* neither pos4 nor primitives */
         inst->exp_target = 15;
      inst->exp_en = (uint8_t)rnd(16);
      inst->exp_compr = coin(3) && !has_true16();
      if (inst->exp_compr)
         inst->exp_en = (uint8_t)(rnd(2) * 3 + rnd(2) * 12);
      inst->exp_done = coin(2);
      inst->exp_vm = coin(2) && !has_true16();
      inst->row_en = has_true16() && coin(2);
      for (unsigned i = 0; i < 4; i++)
         if (inst->exp_compr ? i < 2 && inst->exp_en >> 2 * i & 1 : inst->exp_en >> i & 1)
            inst->src[i] = random_vgpr(1);
      break;
   }
   case AMD_ENC_SMEM:
   case AMD_ENC_DS:
   case AMD_ENC_MUBUF:
   case AMD_ENC_MTBUF:
   case AMD_ENC_FLAT:
   case AMD_ENC_GLOBAL:
   case AMD_ENC_SCRATCH:
      random_memory(inst, info);
      break;
   case AMD_ENC_LDSDIR:
      inst->dst = random_vgpr(1);
      inst->wait_vdst = (uint8_t)rnd(16);
      inst->attr = inst->op == AMD_OP_lds_param_load ? (uint8_t)rnd(33) : 0;
      inst->chan = inst->op == AMD_OP_lds_param_load ? (uint8_t)rnd(4) : 0;
      break;
   case AMD_ENC_VOPD:
      random_pair(inst, info);
      break;
   case AMD_ENC_VOPDY:
   case AMD_ENC_NONE:
      break;
   }
}

/* One line, or nothing if the random operands cannot be encoded (constant bus). */
static bool
write_line(const struct amd_inst *inst, bool wave64)
{
   uint32_t words[AMD_INST_MAX_DW], again[AMD_INST_MAX_DW];
   unsigned size, size_again;
   const struct amd_op_info *info = amd_isa_op_info(gen, (enum amd_op)inst->op);
   if (!amd_isa_encode(gen, inst, words, &size))
      return false;
   struct amd_inst decoded;
   char text[256];
   for (unsigned i = 0; i < 3 && (info->flags & AMD_FLAG_READS_VCC); i++)
      if (inst->src[i] == AMD_VCC_LO || inst->src[i] == AMD_VCC_HI)
         return false; /* the assembler counts the implied VCC separately */
   if (wave64 && info->src[2].cls == AMD_CLASS_MASK && (inst->src[0] == inst->src[2] || inst->src[1] == inst->src[2]))
      return false; /* a pair and its first register count separately */
   if (amd_isa_decode(gen, words, size, &decoded) != size || !amd_isa_encode(gen, &decoded, again, &size_again) ||
       size_again != size || memcmp(words, again, size * 4)) {
      fprintf(stderr, "decoding does not give %s back (encoding %u, modifier %u: %08x %08x)\n",
              amd_isa_op_name((enum amd_op)inst->op), inst->enc, inst->modifier, words[0], words[1]);
      exit(1);
   }
   for (unsigned cut = 0; cut < size; cut++) {
      if (amd_isa_decode(gen, words, cut, &decoded)) {
         fprintf(stderr, "a truncated %s decodes\n", amd_isa_op_name((enum amd_op)inst->op));
         exit(1);
      }
   }
   amd_isa_decode(gen, words, size, &decoded);
   amd_isa_print(gen, &decoded, wave64, text, sizeof(text));
   for (unsigned i = 0; i < size; i++)
      printf("%08x%s", words[i], i + 1 < size ? " " : "");
   printf("|%s\n", text);
   return true;
}

int
main(int argc, char **argv)
{
   if (argc != 5 || !gen_of_cpu(argv[1], &gen))
      return 2;
   state = strtoull(argv[2], NULL, 0);
   unsigned variants = (unsigned)atoi(argv[3]);
   bool wave64 = argv[4][0] == '6';
   for (unsigned op = 0; op < AMD_OP_COUNT; op++) {
      const struct amd_op_info *info = amd_isa_op_info(gen, (enum amd_op)op);
      for (unsigned enc = 1; enc < AMD_ENC_COUNT; enc++) {
         if (!(info->encs >> enc & 1))
            continue;
         for (unsigned modifier = 0; modifier < 4; modifier++) {
            bool is_long = (enc == AMD_ENC_VOP3 || enc == AMD_ENC_VOP3P) && has_true16();
            if (modifier && ((!is_short(enc) && !is_long) || !(info->modifiers >> modifier & 1)))
               continue;
            if (enc == AMD_ENC_VOPDY || (enc == AMD_ENC_VOPD && wave64))
               continue;
            unsigned written = 0;
            for (unsigned i = 0; i < variants * 32 && written < variants; i++) {
               struct amd_inst inst = amd_inst_init((enum amd_op)op, (enum amd_enc)enc);
               inst.modifier = (uint8_t)modifier;
               random_inst(&inst, info, wave64);
               written += write_line(&inst, wave64);
            }
            if (!written && (!modifier || !is_long)) {
               fprintf(stderr, "no variant of %s (encoding %u, modifier %u) encodes\n",
                       amd_isa_op_name((enum amd_op)op), enc, modifier);
               return 1;
            }
         }
      }
   }
   return 0;
}
