/* Encoding and decoding: a walk over the fields that isa_formats.txt gives for the encoding. */
#include <string.h>

#include "amd/hw/isa_private.h"

/* src0 of the first dword announces the second (RDNA 2 ISA, table "VSRC"). */
enum {
   MARK_DPP8 = 233,
   MARK_DPP8_FI = 234,
   MARK_SDWA = 249,
   MARK_DPP16 = 250,
};

/* Second dword format, with AMD_ENC_VOPC in SDWA differing. */
static enum isa_format
second_format(enum amd_modifier modifier, enum amd_enc enc)
{
   if (modifier == AMD_MOD_DPP16)
      return ISA_FORMAT_DPP16;
   if (modifier == AMD_MOD_DPP8)
      return ISA_FORMAT_DPP8;
   return enc == AMD_ENC_VOPC ? ISA_FORMAT_SDWAB : ISA_FORMAT_SDWA;
}

static bool
is_short_vector(enum amd_enc enc)
{
   return enc == AMD_ENC_VOP1 || enc == AMD_ENC_VOP2 || enc == AMD_ENC_VOPC;
}

static enum isa_format
format_of(enum amd_enc enc, const struct amd_op_info *info)
{
   return enc == AMD_ENC_VOP3 && info->sdst.cls ? ISA_FORMAT_VOP3B : (enum isa_format)enc;
}

const struct amd_op_info *
amd_isa_op_info(enum amd_op op)
{
   return &isa_ops[op];
}

enum amd_op
amd_isa_commuted(enum amd_op op)
{
   return (enum amd_op)isa_ops[op].commuted;
}

int
amd_isa_opcode(enum amd_gen gen, enum amd_op op, enum amd_enc enc)
{
   for (unsigned i = 0; i < 2; i++)
      if (isa_numbers[op][gen][i].enc == enc && enc != AMD_ENC_NONE)
         return isa_numbers[op][gen][i].opcode;
   return -1;
}

enum amd_op
amd_isa_op_by_name(const char *name)
{
   static const char *const suffixes[] = {"", "_e32", "_e64", "_sdwa", "_dpp"};
   size_t length = strlen(name);
   for (unsigned s = 0; s < 5; s++) {
      size_t cut = strlen(suffixes[s]);
      if (length <= cut || strcmp(name + length - cut, suffixes[s]))
         continue;
      for (unsigned op = 0; op < AMD_OP_COUNT; op++)
         if (!strncmp(isa_ops[op].name, name, length - cut) && !isa_ops[op].name[length - cut])
            return (enum amd_op)op;
   }
   return AMD_OP_COUNT;
}

struct amd_inst
amd_inst_init(enum amd_op op, enum amd_enc enc)
{
   struct amd_inst inst = AMD_INST_INIT;
   inst.op = (uint16_t)op;
   inst.enc = (uint8_t)enc;
   bool mix = op == AMD_OP_v_fma_mix_f32 || op == AMD_OP_v_fma_mixlo_f16 || op == AMD_OP_v_fma_mixhi_f16;
   if (enc == AMD_ENC_VOP3P && !mix)
      inst.op_sel_hi = 7;
   return inst;
}

/* Operands that the encoding implies: VCC of the short carry and compare forms, the literal of fmamk. */
static bool
implied_operands_fit(const struct amd_inst *inst, const struct amd_op_info *info)
{
   enum amd_enc enc = (enum amd_enc)inst->enc;
   if (enc == AMD_ENC_VOPC && inst->modifier != AMD_MOD_SDWA && info->dst.cls && inst->dst != AMD_VCC_LO)
      return false;
   if (enc == AMD_ENC_VOP2 && info->sdst.cls && inst->sdst != AMD_VCC_LO)
      return false;
   for (unsigned i = 0; i < 3; i++) {
      if (info->src[i].cls == AMD_CLASS_LITERAL && inst->src[i] != AMD_LITERAL)
         return false;
      if (enc == AMD_ENC_VOP2 && info->src[i].cls == AMD_CLASS_MASK && inst->src[i] != AMD_VCC_LO)
         return false;
   }
   return true;
}

static void
set_implied_operands(struct amd_inst *inst, const struct amd_op_info *info)
{
   if (inst->enc == AMD_ENC_VOPC && inst->modifier != AMD_MOD_SDWA && info->dst.cls)
      inst->dst = AMD_VCC_LO;
   if (inst->enc == AMD_ENC_VOP2 && info->sdst.cls)
      inst->sdst = AMD_VCC_LO;
   /* One field names the data of an atomic and, with glc, the result. */
   bool one_field = inst->enc == AMD_ENC_MUBUF || inst->enc == AMD_ENC_MIMG;
   if (one_field && info->flags & AMD_FLAG_ATOMIC && inst->glc && info->dst.cls)
      inst->dst = inst->src[3];
   for (unsigned i = 0; i < 3; i++) {
      if (info->src[i].cls == AMD_CLASS_LITERAL)
         inst->src[i] = AMD_LITERAL;
      if (inst->enc == AMD_ENC_VOP2 && info->src[i].cls == AMD_CLASS_MASK)
         inst->src[i] = AMD_VCC_LO;
   }
}

static bool
has_literal(const struct amd_inst *inst, const struct amd_op_info *info)
{
   bool is_memory = inst->enc >= AMD_ENC_VINTRP || inst->enc == AMD_ENC_SMEM;
   for (unsigned i = 0; i < info->src_count && !is_memory; i++)
      if (inst->src[i] == AMD_LITERAL)
         return true;
   return inst->op == AMD_OP_s_setreg_imm32_b32;
}

/* Modifiers that the encoding has no field for, or the operation no use, must be off. */
static bool
modifiers_fit(const struct amd_inst *inst, const struct amd_op_info *info)
{
   bool vop3 = inst->enc == AMD_ENC_VOP3, vop3p = inst->enc == AMD_ENC_VOP3P;
   bool sdwa = inst->modifier == AMD_MOD_SDWA, dpp16 = inst->modifier == AMD_MOD_DPP16;
   unsigned mods = vop3 || vop3p ? info->mods : sdwa || dpp16 ? 3u : 0u;
   if ((inst->neg & ~mods) || (!vop3p && (inst->abs & ~mods)) || (vop3p && (inst->neg_hi & ~mods)))
      return false;
   if ((vop3 || vop3p) ? inst->op_sel & ~info->op_sel : inst->op_sel)
      return false;
   if (inst->clamp && !(((vop3 || vop3p) && (info->flags & AMD_FLAG_CLAMP)) || sdwa))
      return false;
   if (inst->omod && !((vop3 && (info->flags & AMD_FLAG_OMOD)) || sdwa))
      return false;
   return inst->modifier == AMD_MOD_NONE ||
          (is_short_vector((enum amd_enc)inst->enc) && !has_literal(inst, info));
}

/* Loads straight into LDS are buffer loads only; typed buffers have no status dword. */
static bool
memory_bits_fit(const struct amd_inst *inst, const struct amd_op_info *info)
{
   bool to_lds = inst->enc == AMD_ENC_MUBUF && info->flags & AMD_FLAG_LOAD;
   return (!inst->lds || to_lds) && (!inst->tfe || inst->enc != AMD_ENC_MTBUF);
}

/* At most two different scalar values feed a vector instruction (one for 64-bit shifts): RDNA 2 ISA, "Constant bus". */
static bool
constant_bus_fits(const struct amd_inst *inst, const struct amd_op_info *info)
{
   if (inst->enc < AMD_ENC_VOP1 || inst->enc > AMD_ENC_VOP3P)
      return true;
   bool one = inst->op == AMD_OP_v_lshlrev_b64 || inst->op == AMD_OP_v_lshrrev_b64 || inst->op == AMD_OP_v_ashrrev_i64;
   uint32_t seen[5]; /* number and size: a pair and its first register are two values */
   unsigned count = 0;
   if (info->flags & AMD_FLAG_READS_VCC)
      seen[count++] = AMD_VCC_LO | 1u << 16;
   for (unsigned i = 0; i < info->src_count; i++) {
      uint32_t n = inst->src[i];
      bool scalar = n < AMD_INT_0 || (n > 208 && n < AMD_FLOAT_0_5) || n > AMD_FLOAT_INV_2PI;
      if (!scalar || n >= AMD_VGPR0 || n == AMD_NULL || info->src[i].cls == AMD_CLASS_VLANE ||
          inst->op == AMD_OP_v_permlane16_b32 || inst->op == AMD_OP_v_permlanex16_b32)
         continue;
      bool pair = info->src[i].size_dw == 2 && info->src[i].cls != AMD_CLASS_MASK && n != AMD_LITERAL;
      n |= pair ? 2u << 16 : 1u << 16;
      bool known = false;
      for (unsigned j = 0; j < count; j++)
         known |= seen[j] == n;
      if (!known)
         seen[count++] = n;
   }
   return count <= (one ? 1u : 2u);
}

static bool
pack_fields(const struct amd_inst *inst, enum isa_format format, bool skip_src0, int opcode, uint64_t *bits)
{
   const struct isa_format_info *f = &isa_formats[format];
   *bits = f->value;
   for (unsigned i = 0; i < f->field_count; i++) {
      const struct isa_field *field = &f->fields[i];
      uint32_t value;
      if (field->name == ISA_FIELD_op)
         value = (uint32_t)opcode;
      else if (skip_src0 && field->name == ISA_FIELD_src0_a)
         continue;
      else if (!isa_field_get(inst, (enum isa_field_name)field->name, &value))
         return false;
      uint64_t part = (uint64_t)(value >> field->shift) & ((UINT64_C(1) << field->width) - 1);
      *bits |= part << field->lo;
   }
   return true;
}

static unsigned
marker(const struct amd_inst *inst)
{
   switch ((enum amd_modifier)inst->modifier) {
   case AMD_MOD_SDWA:
      return MARK_SDWA;
   case AMD_MOD_DPP16:
      return MARK_DPP16;
   case AMD_MOD_DPP8:
      return inst->fetch_inactive ? MARK_DPP8_FI : MARK_DPP8;
   case AMD_MOD_NONE:
      break;
   }
   return 0;
}

bool
amd_isa_encode(enum amd_gen gen, const struct amd_inst *inst, uint32_t *out, unsigned *size_dw)
{
   if (inst->op >= AMD_OP_COUNT)
      return false;
   const struct amd_op_info *info = &isa_ops[inst->op];
   enum amd_enc enc = (enum amd_enc)inst->enc;
   int opcode = amd_isa_opcode(gen, (enum amd_op)inst->op, enc);
   if (opcode < 0 || (inst->modifier && !(info->gen[gen].modifiers & 1u << inst->modifier)))
      return false;
   if (!implied_operands_fit(inst, info) || !modifiers_fit(inst, info) || !constant_bus_fits(inst, info) ||
       !memory_bits_fit(inst, info))
      return false;
   enum isa_format format = format_of(enc, info);
   uint64_t bits;
   if (!pack_fields(inst, format, inst->modifier, opcode, &bits))
      return false;
   if (enc == AMD_ENC_SMEM && !(info->flags & AMD_FLAG_LOAD) && (inst->glc || inst->dlc))
      return false;
   bits |= marker(inst);
   unsigned n = 0;
   out[n++] = (uint32_t)bits;
   if (isa_formats[format].size_dw == 2)
      out[n++] = (uint32_t)(bits >> 32);
   if (inst->modifier) {
      if (!pack_fields(inst, second_format((enum amd_modifier)inst->modifier, enc), false, 0, &bits))
         return false;
      out[n++] = (uint32_t)bits;
   }
   if (has_literal(inst, info))
      out[n++] = inst->literal;
   for (unsigned i = 0; enc == AMD_ENC_MIMG && i < inst->nsa_count; i += 4) {
      uint32_t word = 0;
      for (unsigned j = 0; j < 4 && i + j < inst->nsa_count; j++)
         word |= (uint32_t)inst->nsa[i + j] << 8 * j;
      out[n++] = word;
   }
   *size_dw = n;
   return true;
}

static bool
unpack_fields(struct amd_inst *inst, enum isa_format format, uint64_t bits)
{
   const struct isa_format_info *f = &isa_formats[format];
   if ((bits & f->mask) != f->value)
      return false;
   /* From the low bits up: a place's number comes before the flag that says what it counts. */
   for (unsigned i = f->field_count; i-- > 0;) {
      const struct isa_field *field = &f->fields[i];
      uint32_t value = (uint32_t)(bits >> field->lo & ((UINT64_C(1) << field->width) - 1));
      if (field->name != ISA_FIELD_op && !isa_field_set(inst, (enum isa_field_name)field->name, field->shift, value))
         return false;
   }
   return true;
}

static int
opcode_in(enum isa_format format, uint64_t bits)
{
   const struct isa_format_info *f = &isa_formats[format];
   unsigned opcode = 0;
   for (unsigned i = 0; i < f->field_count; i++)
      if (f->fields[i].name == ISA_FIELD_op)
         opcode |= (unsigned)(bits >> f->fields[i].lo & ((1u << f->fields[i].width) - 1)) << f->fields[i].shift;
   return (int)opcode;
}

static enum amd_modifier
modifier_of(enum amd_enc enc, uint32_t word)
{
   unsigned src0 = word & 0x1ff;
   if (!is_short_vector(enc))
      return AMD_MOD_NONE;
   if (src0 == MARK_SDWA)
      return AMD_MOD_SDWA;
   if (src0 == MARK_DPP16)
      return AMD_MOD_DPP16;
   return src0 == MARK_DPP8 || src0 == MARK_DPP8_FI ? AMD_MOD_DPP8 : AMD_MOD_NONE;
}

/* Selections and lane patterns that the second dword can hold but the hardware does not define. */
static bool
second_is_defined(const struct amd_inst *inst)
{
   if (inst->modifier == AMD_MOD_SDWA)
      return inst->sdwa_dst_sel <= AMD_SDWA_DWORD && inst->sdwa_dst_unused <= AMD_SDWA_UNUSED_PRESERVE &&
             inst->sdwa_src_sel[0] <= AMD_SDWA_DWORD && inst->sdwa_src_sel[1] <= AMD_SDWA_DWORD;
   unsigned c = inst->dpp_ctrl, row = c & 0x1f0;
   if (inst->modifier != AMD_MOD_DPP16 || c < AMD_DPP_ROW_SHL)
      return true;
   bool shift = row == AMD_DPP_ROW_SHL || row == AMD_DPP_ROW_SHR || row == AMD_DPP_ROW_ROR;
   return (shift && c & 15) || c == AMD_DPP_ROW_MIRROR || c == AMD_DPP_ROW_HALF_MIRROR || row == AMD_DPP_ROW_SHARE ||
          row == AMD_DPP_ROW_XMASK;
}

/* Reads the dwords after the base format. Returns the whole size, 0 if truncated or not defined. */
static unsigned
decode_tail(const uint32_t *words, unsigned count_dw, unsigned n, struct amd_inst *inst)
{
   const struct amd_op_info *info = &isa_ops[inst->op];
   if (inst->modifier) {
      if (n >= count_dw ||
          !unpack_fields(inst, second_format((enum amd_modifier)inst->modifier, (enum amd_enc)inst->enc), words[n++]) ||
          !second_is_defined(inst))
         return 0;
      inst->fetch_inactive |= (words[0] & 0x1ff) == MARK_DPP8_FI;
   }
   if (has_literal(inst, info)) {
      if (n >= count_dw || inst->modifier)
         return 0;
      inst->literal = words[n++];
   }
   if (inst->enc == AMD_ENC_MIMG && inst->nsa_count) {
      if (n + inst->nsa_count / 4u > count_dw)
         return 0;
      for (unsigned i = 0; i < inst->nsa_count; i++)
         inst->nsa[i] = (uint8_t)(words[n + i / 4] >> 8 * (i % 4));
      n += inst->nsa_count / 4u;
      unsigned needed = amd_isa_image_address_dw(inst);
      inst->nsa_count = (uint8_t)(needed && needed - 1 < inst->nsa_count ? needed - 1 : inst->nsa_count);
   }
   return n;
}

unsigned
amd_isa_decode(enum amd_gen gen, const uint32_t *words, unsigned count_dw, struct amd_inst *inst)
{
   if (!count_dw)
      return 0;
   uint64_t bits = words[0] | (count_dw > 1 ? (uint64_t)words[1] << 32 : 0);
   for (unsigned i = 0; i < ISA_DECODE_ORDER_COUNT; i++) {
      enum isa_format format = (enum isa_format)isa_decode_order[i];
      const struct isa_format_info *f = &isa_formats[format];
      if ((uint32_t)((bits ^ f->value) & f->mask))
         continue;
      const struct isa_op_list *list = &isa_op_lists[gen][format];
      int opcode = opcode_in(format, bits);
      if (opcode >= list->count || !list->ops[opcode] || f->size_dw > count_dw)
         return 0;
      *inst = (struct amd_inst){.op = (uint16_t)(list->ops[opcode] - 1), .enc = (uint8_t)format,
                                .dst = AMD_OPERAND_NONE, .sdst = AMD_OPERAND_NONE,
                                .src = {AMD_OPERAND_NONE, AMD_OPERAND_NONE, AMD_OPERAND_NONE, AMD_OPERAND_NONE}};
      inst->modifier = (uint8_t)modifier_of((enum amd_enc)format, words[0]);
      const struct amd_op_info *info = &isa_ops[inst->op];
      if (inst->modifier && !(info->gen[gen].modifiers & 1u << inst->modifier))
         return 0;
      /* Without operands the scalar offset may be null too. */
      if (format == ISA_FORMAT_SMEM && !info->src[1].cls && bits >> 57 == AMD_NULL)
         bits &= (UINT64_C(1) << 57) - 1;
      if (!unpack_fields(inst, format_of((enum amd_enc)format, info), f->size_dw == 1 ? (uint32_t)bits : bits))
         return 0;
      set_implied_operands(inst, info);
      inst->size_dw = (uint8_t)decode_tail(words, count_dw, f->size_dw, inst);
      return modifiers_fit(inst, info) && memory_bits_fit(inst, info) ? inst->size_dw : 0;
   }
   return 0;
}
