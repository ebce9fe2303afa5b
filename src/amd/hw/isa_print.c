/* Instruction text as LLVM's disassembler prints it for GFX10.3. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "amd/hw/isa_print_names.h"
#include "amd/hw/isa_private.h"

struct out {
   char *text;
   size_t size, length;
};

static void
put(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
put(struct out *out, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   size_t room = out->length < out->size ? out->size - out->length : 0;
   int n = vsnprintf(room ? out->text + out->length : NULL, room, format, args);
   va_end(args);
   out->length += n > 0 ? (size_t)n : 0;
}

static const char *const special_names[256] = {
   [AMD_M0] = "m0", [AMD_NULL] = "null",
   [AMD_SHARED_BASE] = "src_shared_base", [AMD_SHARED_LIMIT] = "src_shared_limit",
   [AMD_PRIVATE_BASE] = "src_private_base", [AMD_PRIVATE_LIMIT] = "src_private_limit",
   [AMD_POPS_EXITING_WAVE_ID] = "src_pops_exiting_wave_id",
   [AMD_VCCZ] = "src_vccz", [AMD_EXECZ] = "src_execz", [AMD_SCC] = "src_scc",
};

static const char *const float_names[9] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"};

static void
put_range(struct out *out, const char *prefix, unsigned first, unsigned count)
{
   if (count <= 1)
      put(out, "%s%u", prefix, first);
   else
      put(out, "%s[%u:%u]", prefix, first, first + count - 1);
}

static void
put_scalar_register(struct out *out, unsigned n, unsigned size_dw)
{
   if (n < AMD_VCC_LO)
      put_range(out, "s", n, size_dw);
   else if (n == AMD_VCC_LO || n == AMD_VCC_HI)
      put(out, "%s", size_dw >= 2 ? "vcc" : n == AMD_VCC_LO ? "vcc_lo" : "vcc_hi");
   else if (n < AMD_M0)
      put_range(out, "ttmp", n - 108, size_dw);
   else if (n == AMD_EXEC_LO || n == AMD_EXEC_HI)
      put(out, "%s", size_dw >= 2 ? "exec" : n == AMD_EXEC_LO ? "exec_lo" : "exec_hi");
   else
      put(out, "%s", special_names[n]);
}

static bool
is_int16(unsigned type)
{
   return type == AMD_TYPE_I16 || type == AMD_TYPE_U16;
}

/* Bits of the inline float constants in 16-bit integer operands, where LLVM prints the number. */
static const uint16_t float_bits16[9] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};

static void
put_operand(struct out *out, const struct amd_inst *inst, unsigned n, struct amd_operand_info info, bool wave64)
{
   unsigned size = info.cls == AMD_CLASS_MASK ? (wave64 ? 2 : 1) : info.size_dw;
   if (n >= AMD_VGPR0)
      put_range(out, "v", n - AMD_VGPR0, size);
   else if (n <= AMD_EXEC_HI)
      put_scalar_register(out, n, size);
   else if (n <= 192)
      put(out, "%u", n - 128);
   else if (n <= 208)
      put(out, "-%u", n - 192);
   else if (n >= AMD_FLOAT_0_5 && n <= AMD_FLOAT_INV_2PI && is_int16(info.type))
      put(out, "0x%x", float_bits16[n - AMD_FLOAT_0_5]);
   else if (n == AMD_FLOAT_INV_2PI && info.size_dw == 2 && info.cls != AMD_CLASS_MASK)
      put(out, "0.15915494309189532");
   else if (n >= AMD_FLOAT_0_5 && n <= AMD_FLOAT_INV_2PI)
      put(out, "%s", float_names[n - AMD_FLOAT_0_5]);
   else if (n == AMD_LITERAL)
      put(out, "0x%x", inst->literal);
   else
      put(out, "%s", special_names[n] ? special_names[n] : "?");
}

static void
put_source(struct out *out, const struct amd_inst *inst, unsigned i, bool wave64)
{
   const struct amd_op_info *info = &isa_ops[inst->op];
   unsigned n = inst->src[i];
   bool vop3p = inst->enc == AMD_ENC_VOP3P;
   bool neg = !vop3p && inst->neg >> i & 1, abs = !vop3p && inst->abs >> i & 1;
   bool mix = vop3p && inst->op >= AMD_OP_v_fma_mix_f32 && inst->op <= AMD_OP_v_fma_mixhi_f16;
   if (mix) {
      neg = inst->neg >> i & 1;
      abs = inst->neg_hi >> i & 1;
   }
   bool sext = inst->modifier == AMD_MOD_SDWA && inst->sdwa_sext >> i & 1;
   bool constant = n < AMD_VGPR0 && n > AMD_EXEC_HI;
   bool wrap_neg = neg && constant && !abs;
   put(out, "%s%s%s", wrap_neg ? "neg(" : neg ? "-" : "", abs ? "|" : "", sext ? "sext(" : "");
   put_operand(out, inst, n, info->src[i], wave64);
   put(out, "%s%s%s", sext ? ")" : "", abs ? "|" : "", wrap_neg ? ")" : "");
}

static void
put_mask_list(struct out *out, const char *name, unsigned bits, unsigned count)
{
   put(out, " %s:[", name);
   for (unsigned i = 0; i < count; i++)
      put(out, "%s%u", i ? "," : "", bits >> i & 1);
   put(out, "]");
}

static void
put_dpp(struct out *out, const struct amd_inst *inst)
{
   if (inst->modifier == AMD_MOD_DPP8) {
      put(out, " dpp8:[");
      for (unsigned i = 0; i < 8; i++)
         put(out, "%s%u", i ? "," : "", inst->dpp8 >> 3 * i & 7);
      put(out, "]%s", inst->fetch_inactive ? " fi:1" : "");
      return;
   }
   unsigned c = inst->dpp_ctrl;
   if (c < AMD_DPP_ROW_SHL)
      put(out, " quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6 & 3);
   else if (c == AMD_DPP_ROW_MIRROR)
      put(out, " row_mirror");
   else if (c == AMD_DPP_ROW_HALF_MIRROR)
      put(out, " row_half_mirror");
   else
      put(out, " %s:%u",
          c < AMD_DPP_ROW_SHR ? "row_shl" : c < AMD_DPP_ROW_ROR ? "row_shr" : c < 0x130 ? "row_ror" :
          c < AMD_DPP_ROW_XMASK ? "row_share" : "row_xmask", c & 15);
   put(out, " row_mask:0x%x bank_mask:0x%x%s%s", inst->row_mask, inst->bank_mask, inst->bound_ctrl ? " bound_ctrl:1" : "",
       inst->fetch_inactive ? " fi:1" : "");
}

static void
put_sdwa(struct out *out, const struct amd_inst *inst)
{
   static const char *const sels[8] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "?"};
   static const char *const unused[4] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?"};
   const struct amd_op_info *info = &isa_ops[inst->op];
   if (inst->enc != AMD_ENC_VOPC)
      put(out, " dst_sel:%s dst_unused:%s", sels[inst->sdwa_dst_sel], unused[inst->sdwa_dst_unused]);
   put(out, " src0_sel:%s", sels[inst->sdwa_src_sel[0]]);
   if (info->src_count > 1)
      put(out, " src1_sel:%s", sels[inst->sdwa_src_sel[1]]);
}

static const char *
vector_suffix(enum amd_gen gen, const struct amd_inst *inst)
{
   if (inst->modifier)
      return inst->modifier == AMD_MOD_SDWA ? "_sdwa" : "_dpp";
   if (inst->enc == AMD_ENC_VINTRP)
      return "_e32";
   uint32_t both = isa_ops[inst->op].gen[gen].encs;
   if (!(both & 1u << AMD_ENC_VOP3) || !(both & ~(1u << AMD_ENC_VOP3)) || inst->op == AMD_OP_v_nop)
      return "";
   return inst->enc == AMD_ENC_VOP3 ? "_e64" : "_e32";
}

static void
put_vector_modifiers(struct out *out, const struct amd_inst *inst)
{
   const struct amd_op_info *info = &isa_ops[inst->op];
   bool vop3p = inst->enc == AMD_ENC_VOP3P;
   bool mix = vop3p && inst->op >= AMD_OP_v_fma_mix_f32 && inst->op <= AMD_OP_v_fma_mixhi_f16;
   unsigned all = (1u << info->src_count) - 1;
   if (inst->enc == AMD_ENC_VOP3 && inst->op_sel) {
      unsigned bits = (inst->op_sel & all) | (inst->op_sel >> 3 & 1u) << info->src_count;
      bool permlane = inst->op == AMD_OP_v_permlane16_b32 || inst->op == AMD_OP_v_permlanex16_b32;
      put_mask_list(out, "op_sel", bits, permlane ? 2 : info->src_count + 1u);
   }
   if (vop3p) {
      if (inst->op_sel & all)
         put_mask_list(out, "op_sel", inst->op_sel, info->src_count);
      if ((inst->op_sel_hi & all) != (mix ? 0 : all))
         put_mask_list(out, "op_sel_hi", inst->op_sel_hi, info->src_count);
      if (!mix && inst->neg & all)
         put_mask_list(out, "neg_lo", inst->neg, info->src_count);
      if (!mix && inst->neg_hi & all)
         put_mask_list(out, "neg_hi", inst->neg_hi, info->src_count);
   }
   if (inst->clamp)
      put(out, " clamp");
   static const char *const omods[4] = {"", " mul:2", " mul:4", " div:2"};
   put(out, "%s", omods[inst->omod]);
   if (inst->modifier == AMD_MOD_SDWA)
      put_sdwa(out, inst);
   else if (inst->modifier)
      put_dpp(out, inst);
}

static void
put_vector(struct out *out, const struct amd_inst *inst, bool wave64)
{
   const struct amd_op_info *info = &isa_ops[inst->op];
   const char *separator = " ";
   struct amd_operand_info results[2] = {info->dst, info->sdst};
   const uint16_t places[2] = {inst->dst, inst->sdst};
   for (unsigned i = 0; i < 2; i++) {
      if (!results[i].cls)
         continue;
      put(out, "%s", separator);
      put_operand(out, inst, places[i], results[i], wave64);
      separator = ", ";
   }
   for (unsigned i = 0; i < info->src_count; i++) {
      put(out, "%s", separator);
      put_source(out, inst, i, wave64);
      separator = ", ";
   }
   if (inst->enc == AMD_ENC_VINTRP) {
      static const char *const params[] = {"p10", "p20", "p0"};
      if (inst->op == AMD_OP_v_interp_mov_f32)
         put(out, ", %s", params[inst->simm16 % 3]);
      put(out, ", attr%u.%c", inst->attr, "xyzw"[inst->chan]);
   }
   put_vector_modifiers(out, inst);
}

static void
put_scalar(struct out *out, const struct amd_inst *inst)
{
   const struct amd_op_info *info = &isa_ops[inst->op];
   const char *separator = " ";
   if (inst->op == AMD_OP_s_setreg_b32 || inst->op == AMD_OP_s_setreg_imm32_b32) {
      put(out, " ");
      char text[64];
      isa_print_hwreg(inst->simm16, text, sizeof(text));
      put(out, "%s", text);
      separator = ", ";
   }
   if (info->dst.cls) {
      put(out, "%s", separator);
      put_operand(out, inst, inst->dst, info->dst, false);
      separator = ", ";
   }
   for (unsigned i = 0; i < info->src_count; i++) {
      put(out, "%s", separator);
      put_operand(out, inst, inst->src[i], info->src[i], false);
      separator = ", ";
   }
   if (inst->op == AMD_OP_s_setreg_imm32_b32) {
      char text[32];
      isa_print_literal32(inst->literal, text, sizeof(text));
      put(out, ", %s", text);
      return;
   }
   if ((inst->enc != AMD_ENC_SOPK && inst->enc != AMD_ENC_SOPP) || inst->op == AMD_OP_s_setreg_b32)
      return;
   char text[160];
   if (isa_print_simm16((enum amd_op)inst->op, inst->simm16, text, sizeof(text)))
      put(out, "%s%s", separator, text);
}

static void
put_smem(struct out *out, const struct amd_inst *inst)
{
   const struct amd_op_info *info = &isa_ops[inst->op];
   const char *separator = " ";
   if (info->dst.cls) {
      put(out, " ");
      put_operand(out, inst, inst->dst, info->dst, false);
      separator = ", ";
   }
   if (info->src[0].cls) {
      put(out, "%s", separator);
      put_operand(out, inst, inst->src[0], info->src[0], false);
      bool immediate_only = inst->src[1] == AMD_NULL || inst->src[1] == AMD_OPERAND_NONE;
      put(out, ", ");
      if (immediate_only)
         put(out, "%s0x%x", inst->offset < 0 ? "-" : "", (unsigned)(inst->offset < 0 ? -inst->offset : inst->offset));
      else
         put_operand(out, inst, inst->src[1], info->src[1], false);
      if (!immediate_only && inst->offset)
         put(out, " offset:%s0x%x", inst->offset < 0 ? "-" : "", (unsigned)(inst->offset < 0 ? -inst->offset : inst->offset));
   }
   put(out, "%s%s", inst->glc ? " glc" : "", inst->dlc ? " dlc" : "");
}

static void
put_ds(struct out *out, const struct amd_inst *inst)
{
   const struct amd_op_info *info = &isa_ops[inst->op];
   const char *separator = " ";
   if (info->dst.cls) {
      put(out, " ");
      put_operand(out, inst, inst->dst, info->dst, false);
      separator = ", ";
   }
   for (unsigned i = 0; i < 3; i++) {
      if (!info->src[i].cls)
         continue;
      put(out, "%s", separator);
      put_operand(out, inst, inst->src[i], info->src[i], false);
      separator = ", ";
   }
   unsigned offset = (unsigned)inst->offset;
   if (inst->op == AMD_OP_ds_swizzle_b32) {
      char text[64];
      isa_print_swizzle(offset, text, sizeof(text));
      put(out, "%s", text);
   } else if (info->flags & AMD_FLAG_TWO_OFFSETS) {
      if (offset & 0xff)
         put(out, " offset0:%u", offset & 0xff);
      if (offset >> 8)
         put(out, " offset1:%u", offset >> 8);
   } else if (offset) {
      put(out, " offset:%u", offset);
   }
   put(out, "%s", inst->gds ? " gds" : "");
}

static unsigned
data_size(const struct amd_inst *inst)
{
   const struct amd_op_info *info = &isa_ops[inst->op];
   return (info->src[3].cls ? info->src[3].size_dw : info->dst.size_dw) + inst->tfe;
}

static void
put_buffer(struct out *out, const struct amd_inst *inst)
{
   const struct amd_op_info *info = &isa_ops[inst->op];
   if (!info->src[1].cls)
      return;
   const char *separator = " ";
   unsigned data = info->src[3].cls ? inst->src[3] : inst->dst;
   if (!inst->lds) {
      put(out, " ");
      put_range(out, "v", data - AMD_VGPR0, data_size(inst));
      separator = ", ";
   }
   put(out, "%s", separator);
   if (inst->offen || inst->idxen)
      put_range(out, "v", (unsigned)inst->src[0] - AMD_VGPR0, inst->offen && inst->idxen ? 2 : 1);
   else
      put(out, "off");
   put(out, ", ");
   put_operand(out, inst, inst->src[1], info->src[1], false);
   put(out, ", ");
   put_operand(out, inst, inst->src[2], info->src[2], false);
   char format[48];
   if (inst->enc == AMD_ENC_MTBUF && isa_print_buffer_format(inst->format, format, sizeof(format)))
      put(out, "%s", format);
   put(out, "%s%s", inst->idxen ? " idxen" : "", inst->offen ? " offen" : "");
   if (inst->offset)
      put(out, " offset:%d", inst->offset);
   put(out, "%s%s%s%s%s", inst->glc ? " glc" : "", inst->slc ? " slc" : "", inst->dlc ? " dlc" : "", inst->tfe ? " tfe" : "",
       inst->lds ? " lds" : "");
}

static void
put_image(struct out *out, const struct amd_inst *inst)
{
   static const char *const dims[8] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
   const struct amd_op_info *info = &isa_ops[inst->op];
   unsigned data = info->src[3].cls ? inst->src[3] : inst->dst;
   unsigned address = (unsigned)inst->src[0] - AMD_VGPR0, address_dw = amd_isa_image_address_dw(inst);
   put(out, " ");
   put_range(out, "v", data - AMD_VGPR0, amd_isa_image_data_dw(inst));
   put(out, ", ");
   if (inst->nsa_count) {
      put(out, "[v%u", address);
      for (unsigned i = 0; i < inst->nsa_count && i + 1 < address_dw; i++)
         put(out, ", v%u", inst->nsa[i]);
      put(out, "]");
   } else {
      put_range(out, "v", address, address_dw > 12 ? 16 : address_dw);
   }
   put(out, ", ");
   put_range(out, "s", inst->src[1], 8);
   if (info->src[2].cls) {
      put(out, ", ");
      put_range(out, "s", inst->src[2], 4);
   }
   put(out, " dmask:0x%x dim:SQ_RSRC_IMG_%s%s%s%s%s", inst->dmask, dims[inst->dim & 7], inst->unrm ? " unorm" : "",
       inst->glc ? " glc" : "", inst->slc ? " slc" : "", inst->dlc ? " dlc" : "");
   put(out, "%s%s%s%s%s", inst->r128 ? " r128" : "", inst->a16 ? " a16" : "", inst->tfe ? " tfe" : "", inst->lwe ? " lwe" : "",
       inst->d16 ? " d16" : "");
}

static void
put_flat(struct out *out, const struct amd_inst *inst)
{
   const struct amd_op_info *info = &isa_ops[inst->op];
   const char *separator = " ";
   bool has_saddr = inst->src[2] != AMD_OPERAND_NONE;
   if (info->dst.cls && inst->dst != AMD_OPERAND_NONE && (!(info->flags & AMD_FLAG_ATOMIC) || inst->glc)) {
      put(out, " ");
      put_operand(out, inst, inst->dst, info->dst, false);
      separator = ", ";
   }
   if (info->src[0].cls) {
      bool off = inst->enc == AMD_ENC_SCRATCH && has_saddr;
      put(out, "%s", separator);
      if (off || inst->src[0] == AMD_OPERAND_NONE)
         put(out, "off");
      else
         put_range(out, "v", (unsigned)inst->src[0] - AMD_VGPR0, inst->enc == AMD_ENC_SCRATCH || has_saddr ? 1 : 2);
      separator = ", ";
   }
   if (info->src[1].cls) {
      put(out, "%s", separator);
      put_operand(out, inst, inst->src[1], info->src[1], false);
   }
   if (inst->enc != AMD_ENC_FLAT) {
      put(out, ", ");
      if (has_saddr)
         put_operand(out, inst, inst->src[2], info->src[2], false);
      else
         put(out, "off");
   }
   if (inst->offset)
      put(out, " offset:%d", inst->offset);
   put(out, "%s%s%s%s", inst->glc ? " glc" : "", inst->slc ? " slc" : "", inst->dlc ? " dlc" : "", inst->lds ? " lds" : "");
}

static void
put_export(struct out *out, const struct amd_inst *inst)
{
   unsigned t = inst->exp_target;
   if (t < 8)
      put(out, " mrt%u", t);
   else if (t == 8)
      put(out, " mrtz");
   else if (t == 9)
      put(out, " null");
   else if (t >= 12 && t <= 16)
      put(out, " pos%u", t - 12);
   else if (t == 20)
      put(out, " prim");
   else if (t >= 32)
      put(out, " param%u", t - 32);
   else
      put(out, " invalid_target_%u", t);
   for (unsigned i = 0; i < 4; i++) {
      /* Compressed: each register holds two components, named for both. */
      unsigned place = inst->exp_compr ? i / 2 : i;
      put(out, "%s ", i ? "," : "");
      if (inst->exp_en >> i & 1)
         put(out, "v%u", (unsigned)inst->src[place] - AMD_VGPR0);
      else
         put(out, "off");
   }
   put(out, "%s%s%s", inst->exp_done ? " done" : "", inst->exp_compr ? " compr" : "", inst->exp_vm ? " vm" : "");
}

int
amd_isa_print(enum amd_gen gen, const struct amd_inst *inst, bool wave64, char *text, size_t size)
{
   struct out out = {text, size, 0};
   if (size)
      text[0] = 0;
   put(&out, "%s%s", isa_ops[inst->op].name, inst->enc >= AMD_ENC_VOP1 && inst->enc <= AMD_ENC_VINTRP ? vector_suffix(gen, inst) : "");
   switch ((enum amd_enc)inst->enc) {
   case AMD_ENC_SOP1:
   case AMD_ENC_SOP2:
   case AMD_ENC_SOPK:
   case AMD_ENC_SOPC:
   case AMD_ENC_SOPP:
      put_scalar(&out, inst);
      break;
   case AMD_ENC_SMEM:
      put_smem(&out, inst);
      break;
   case AMD_ENC_VOP1:
   case AMD_ENC_VOP2:
   case AMD_ENC_VOPC:
   case AMD_ENC_VOP3:
   case AMD_ENC_VOP3P:
   case AMD_ENC_VINTRP:
      put_vector(&out, inst, wave64);
      break;
   case AMD_ENC_DS:
      put_ds(&out, inst);
      break;
   case AMD_ENC_MUBUF:
   case AMD_ENC_MTBUF:
      put_buffer(&out, inst);
      break;
   case AMD_ENC_MIMG:
      put_image(&out, inst);
      break;
   case AMD_ENC_FLAT:
   case AMD_ENC_GLOBAL:
   case AMD_ENC_SCRATCH:
      put_flat(&out, inst);
      break;
   case AMD_ENC_EXP:
      put_export(&out, inst);
      break;
   case AMD_ENC_NONE:
      break;
   }
   return (int)out.length;
}
