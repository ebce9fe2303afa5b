/* One field of an encoding to and from struct amd_inst. */
#include "amd/hw/isa_private.h"

/* Defined numbers of the 8-bit scalar source space, GFX10 and GFX10.3 (RDNA 2 ISA, table "SSRC"). */
static bool
is_scalar_source(uint32_t n)
{
   return n <= 208 || (n >= 235 && n <= 248) || (n >= 251 && n <= 253) || n == AMD_LITERAL;
}

static uint16_t *
place_of(struct amd_inst *inst, unsigned place)
{
   return place == 0 ? &inst->dst : place == 1 ? &inst->sdst : &inst->src[place - 2];
}

static bool
row_has_place(const struct amd_op_info *info, unsigned place)
{
   return place == 0 ? info->dst.cls : place == 1 ? info->sdst.cls : info->src[place - 2].cls;
}

static unsigned
operand_class(const struct amd_op_info *info, unsigned place)
{
   return place == 0 ? info->dst.cls : place == 1 ? info->sdst.cls : info->src[place - 2].cls;
}

/* In VOP3 the second source of a VOP2 or VOPC operation is no longer bound to VGPRs. */
static bool
needs_vgpr(const struct amd_inst *inst, const struct amd_op_info *info, unsigned place)
{
   return operand_class(info, place) == AMD_CLASS_VGPR && !(place == 3 && inst->enc == AMD_ENC_VOP3);
}

/* Pairs of scalar registers begin at even numbers, larger groups at multiples of four. */
static bool
is_aligned(const struct amd_op_info *info, unsigned place, uint32_t n)
{
   unsigned size_dw = place == 0 ? info->dst.size_dw : place == 1 ? info->sdst.size_dw : info->src[place - 2].size_dw;
   if (n >= 128 || operand_class(info, place) == AMD_CLASS_MASK || size_dw < 2)
      return true;
   /* s0-s105, VCC, trap registers, EXEC; M0 stands alone. */
   unsigned end = n < AMD_VCC_LO ? AMD_VCC_LO : n < 108 ? 108 : n < AMD_M0 ? AMD_M0 : n < AMD_NULL ? 0 : 128;
   return n == AMD_NULL || (n % (size_dw == 2 ? 2 : 4) == 0 && n + size_dw <= end);
}

/* Whether the class of the row's place admits the number n. */
static bool
class_admits(const struct amd_inst *inst, const struct amd_op_info *info, unsigned place, uint32_t n)
{
   bool vgpr = n >= AMD_VGPR0 && n < 512;
   if (!is_aligned(info, place, n))
      return false;
   switch ((enum amd_operand_class)operand_class(info, place)) {
   case AMD_CLASS_VGPR:
      return vgpr || (!needs_vgpr(inst, info, place) && is_scalar_source(n));
   case AMD_CLASS_SGPR:
   case AMD_CLASS_MASK:
      return n < 128;
   case AMD_CLASS_SSRC:
   case AMD_CLASS_VLANE:
      return is_scalar_source(n);
   case AMD_CLASS_SRC:
      return vgpr || is_scalar_source(n);
   case AMD_CLASS_LITERAL:
      return n == AMD_LITERAL;
   case AMD_CLASS_NONE:
      break;
   }
   return false;
}

/* v_fmamk names the literal before the VGPR, which stands in the field of the second source. */
static unsigned
effective_place(const struct amd_op_info *info, unsigned place, enum isa_kind kind)
{
   if (kind == ISA_KIND_k && !info->dst.cls)
      return 2;
   return place == 3 && info->src[1].cls == AMD_CLASS_LITERAL ? 4 : place;
}

/* v_cmpx in VOP3 names EXEC in its result field. */
static bool
writes_exec_only(const struct amd_inst *inst, const struct amd_op_info *info, enum isa_kind kind)
{
   return kind == ISA_KIND_d && inst->enc == AMD_ENC_VOP3 && info->flags & AMD_FLAG_WRITES_EXEC;
}

/* SDWA sources: SGPRs, VGPRs and inline constants (81 integers, then 9 floats), no literal. */
static bool
sdwa_admits(uint16_t n)
{
   return n < 128 || (n >= AMD_INT_0 && n <= AMD_INT_0 + 80) || (n >= AMD_FLOAT_0_5 && n <= AMD_FLOAT_INV_2PI) ||
          amd_is_vgpr(n);
}

static bool
place_get(const struct amd_inst *inst, unsigned place, enum isa_kind kind, uint32_t *value)
{
   const struct amd_op_info *info = amd_isa_op_info(inst->op);
   place = effective_place(info, place, kind);
   bool used = row_has_place(info, place);
   uint16_t n = *place_of((struct amd_inst *)inst, place);
   *value = 0;
   if (kind == ISA_KIND_flag) {
      *value = used && n < AMD_VGPR0;
      return true;
   }
   if (!used) {
      *value = writes_exec_only(inst, info, kind) ? AMD_EXEC_LO : 0;
      return n == AMD_OPERAND_NONE;
   }
   if (inst->modifier == AMD_MOD_SDWA && (kind == ISA_KIND_v || kind == ISA_KIND_a) && place >= 2) {
      *value = n & 0xff; /* the flag tells scalar registers from VGPRs */
      return sdwa_admits(n);
   }
   /* An address, or a result in memory, that this use does not have. */
   bool optional = n == AMD_OPERAND_NONE && kind == ISA_KIND_v && inst->enc >= AMD_ENC_MUBUF && inst->enc <= AMD_ENC_EXP;
   if (optional)
      return true;
   if (!class_admits(inst, info, place, n))
      return false;
   switch (kind) {
   case ISA_KIND_a:
      *value = n;
      return n < 512;
   case ISA_KIND_c:
      *value = n;
      return n < 256;
   case ISA_KIND_s:
   case ISA_KIND_k:
      *value = n;
      return n < 128;
   case ISA_KIND_s2:
      *value = n / 2;
      return n < 128 && n % 2 == 0;
   case ISA_KIND_s4:
      *value = n / 4;
      return n < 128 && n % 4 == 0;
   case ISA_KIND_v:
   case ISA_KIND_d:
      *value = n & 0xff;
      return amd_is_vgpr(n) || (kind == ISA_KIND_d && n < 128 && operand_class(info, place) != AMD_CLASS_VGPR);
   case ISA_KIND_flag:
      break;
   }
   return false;
}

static bool
place_set(struct amd_inst *inst, unsigned place, enum isa_kind kind, uint32_t value)
{
   const struct amd_op_info *info = amd_isa_op_info(inst->op);
   place = effective_place(info, place, kind);
   if (!row_has_place(info, place))
      return value == (writes_exec_only(inst, info, kind) ? AMD_EXEC_LO : 0);
   uint32_t n = value;
   switch (kind) {
   case ISA_KIND_flag:
      if (value)
         *place_of(inst, place) -= AMD_VGPR0;
      return sdwa_admits(*place_of(inst, place));
   case ISA_KIND_s2:
      n = value * 2;
      break;
   case ISA_KIND_s4:
      n = value * 4;
      break;
   case ISA_KIND_v:
      n = AMD_VGPR0 + value;
      break;
   case ISA_KIND_d:
      n = operand_class(info, place) == AMD_CLASS_VGPR ? AMD_VGPR0 + value : value;
      break;
   case ISA_KIND_a:
   case ISA_KIND_c:
   case ISA_KIND_s:
   case ISA_KIND_k:
      break;
   }
   *place_of(inst, place) = (uint16_t)n;
   /* The marker of a second dword stands where src0 will be. */
   return (inst->modifier && place == 2) || class_admits(inst, info, place, n);
}

/* Data VGPR of MUBUF, MTBUF and MIMG: the result of a load, the source of a store, both for an atomic. */
static bool
data_get(const struct amd_inst *inst, uint32_t *value)
{
   const struct amd_op_info *info = amd_isa_op_info(inst->op);
   bool source = info->src[3].cls;
   uint16_t n = source ? inst->src[3] : inst->dst;
   *value = n & 0xff;
   if (source && inst->dst != AMD_OPERAND_NONE && inst->dst != n)
      return false;
   if (n == AMD_OPERAND_NONE) {
      *value = 0;
      return inst->lds || (!source && !info->dst.cls);
   }
   return amd_is_vgpr(n);
}

static bool
data_set(struct amd_inst *inst, uint32_t value)
{
   const struct amd_op_info *info = amd_isa_op_info(inst->op);
   if (!info->src[3].cls && !info->dst.cls)
      return value == 0;
   if (info->src[3].cls)
      inst->src[3] = amd_vgpr(value);
   if (info->dst.cls && !(info->flags & AMD_FLAG_ATOMIC) && !inst->lds)
      inst->dst = amd_vgpr(value);
   return true;
}

static bool
sdwab_dst(struct amd_inst *inst, uint32_t *value, bool set)
{
   bool has = amd_isa_op_info(inst->op)->dst.cls;
   if (!set) {
      *value = !has || inst->dst == AMD_VCC_LO ? 0 : 0x80u | inst->dst;
      return has ? inst->dst < 128 : inst->dst == AMD_OPERAND_NONE;
   }
   if (!has)
      return *value == 0;
   inst->dst = *value & 0x80 ? (uint16_t)(*value & 0x7f) : AMD_VCC_LO;
   return (*value & 0x80) || *value == 0;
}

static bool
saddr(struct amd_inst *inst, uint32_t *value, bool set)
{
   if (!set) {
      *value = inst->src[2] == AMD_OPERAND_NONE ? AMD_NULL : inst->src[2];
      return *value < 128;
   }
   inst->src[2] = *value == AMD_NULL ? AMD_OPERAND_NONE : (uint16_t)*value;
   return true;
}

/* v_interp_mov takes a parameter number in simm16, the others a VGPR. */
static bool
interp(struct amd_inst *inst, uint32_t *value, bool set)
{
   bool mov = !amd_isa_op_info(inst->op)->src[0].cls;
   if (set && mov)
      inst->simm16 = (uint16_t)*value;
   else if (set)
      inst->src[0] = amd_vgpr(*value);
   else
      *value = mov ? inst->simm16 : inst->src[0] & 0xffu;
   return mov ? *value < 3 : amd_is_vgpr(inst->src[0]);
}

/* Scalar offset and immediate offset of SMEM: an instruction without operands (s_dcache_inv) has neither. */
static bool
is_signed(enum isa_field_name name)
{
   return name == ISA_FIELD_soffset21 || name == ISA_FIELD_soffset12;
}

static bool
offset_get(const struct amd_inst *inst, unsigned width, bool sign, uint32_t *value)
{
   *value = (uint32_t)inst->offset & ((1u << width) - 1);
   int32_t low = sign ? -(1 << (width - 1)) : 0, high = sign ? (1 << (width - 1)) - 1 : (1 << width) - 1;
   return inst->offset >= low && inst->offset <= high;
}

static unsigned
offset_width(enum isa_field_name name)
{
   return name == ISA_FIELD_soffset21 ? 21 : name == ISA_FIELD_offset16 ? 16 : name == ISA_FIELD_offset11 ? 11 : 12;
}

/* Plain members, each a small unsigned number: one list for both directions.
 */
#define PLAIN_MEMBERS(X)                                                                                               \
   X(simm16, simm16) X(glc, glc) X(dlc, dlc) X(slc, slc) X(lds, lds) X(gds, gds) X(offen, offen) X(idxen, idxen)       \
   X(tfe, tfe) X(lwe, lwe) X(unrm, unrm) X(r128, r128) X(a16, a16) X(d16, d16) X(dmask, dmask) X(dim, dim)             \
   X(format, format) X(attr, attr) X(chan, chan) X(exp_vm, exp_vm) X(exp_done, exp_done) X(exp_compr, exp_compr)       \
   X(exp_target, exp_target) X(exp_en, exp_en) X(clamp, clamp) X(omod, omod) X(neg, neg) X(abs, abs)                   \
   X(op_sel, op_sel) X(op_sel_hi, op_sel_hi) X(neg_hi, neg_hi) X(row_mask, row_mask) X(bank_mask, bank_mask)           \
   X(bound_ctrl, bound_ctrl) X(fetch_inactive, fetch_inactive) X(dpp_ctrl, dpp_ctrl) X(dpp8, dpp8)                     \
   X(sdwa_sext, sdwa_sext) X(sdwa_src_sel0, sdwa_src_sel[0])                        \
   X(sdwa_dst_sel, sdwa_dst_sel) X(sdwa_dst_unused, sdwa_dst_unused)

bool
isa_field_get(const struct amd_inst *inst, enum isa_field_name name, uint32_t *value)
{
   struct amd_inst *in = (struct amd_inst *)inst; /* shared helpers; only written with set = true */
   if (name < ISA_FIELD_op)
      return place_get(inst, name / ISA_KIND_COUNT, (enum isa_kind)(name % ISA_KIND_COUNT), value);
   switch ((int)name) {
#define GET(field, member)                                                                                             \
   case ISA_FIELD_##field:                                                                                             \
      *value = inst->member;                                                                                           \
      return true;
      PLAIN_MEMBERS(GET)
   case ISA_FIELD_soffset21:
   case ISA_FIELD_offset16:
   case ISA_FIELD_offset12:
   case ISA_FIELD_soffset12:
   case ISA_FIELD_offset11:
      return offset_get(inst, offset_width(name), is_signed(name), value);
   case ISA_FIELD_sdwa_src_sel1:
      *value = amd_isa_op_info((enum amd_op)inst->op)->src_count > 1 ? inst->sdwa_src_sel[1] : 0;
      return true;
   case ISA_FIELD_nsa:
      *value = (inst->nsa_count + 3u) / 4;
      return inst->nsa_count <= 12;
   case ISA_FIELD_data:
      return data_get(inst, value);
   case ISA_FIELD_sdwab_dst:
      return sdwab_dst(in, value, false);
   case ISA_FIELD_saddr:
      return saddr(in, value, false);
   case ISA_FIELD_interp:
      return interp(in, value, false);
   default:
      return false;
   }
}

bool
isa_field_set(struct amd_inst *inst, enum isa_field_name name, unsigned shift, uint32_t value)
{
   if (name < ISA_FIELD_op)
      return place_set(inst, name / ISA_KIND_COUNT, (enum isa_kind)(name % ISA_KIND_COUNT), value);
   unsigned width = offset_width(name);
   switch ((int)name) {
#define SET(field, member)                                                                                             \
   case ISA_FIELD_##field:                                                                                             \
      inst->member |= value << shift;                                                                                  \
      return true;
      PLAIN_MEMBERS(SET)
   case ISA_FIELD_soffset21:
   case ISA_FIELD_soffset12:
      inst->offset = (int32_t)(value << (32 - width)) >> (32 - width);
      return true;
   case ISA_FIELD_offset16:
   case ISA_FIELD_offset12:
   case ISA_FIELD_offset11:
      inst->offset = (int32_t)value;
      return true;
   case ISA_FIELD_sdwa_src_sel1:
      inst->sdwa_src_sel[1] = (uint8_t)value;
      return value == 0 || amd_isa_op_info((enum amd_op)inst->op)->src_count > 1;
   case ISA_FIELD_nsa:
      inst->nsa_count = (uint8_t)(value * 4);
      return true;
   case ISA_FIELD_data:
      return data_set(inst, value);
   case ISA_FIELD_sdwab_dst:
      return sdwab_dst(inst, &value, true);
   case ISA_FIELD_saddr:
      return saddr(inst, &value, true);
   case ISA_FIELD_interp:
      return interp(inst, &value, true);
   default:
      return false;
   }
}
