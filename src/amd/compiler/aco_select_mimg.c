/* Selection: what texturing and images share. */
#include "amd/compiler/aco_select_mimg.h"

unsigned
isel_dim_code(enum nir_image_dim dim, bool array)
{
   switch (dim) {
   case NIR_DIM_1D:
      return array ? 4 : 0;
   case NIR_DIM_3D:
      return 2;
   case NIR_DIM_CUBE:
      return 3;
   case NIR_DIM_MS:
   case NIR_DIM_SUBPASS_MS:
      return array ? 7 : 6;
   case NIR_DIM_SUBPASS:
      return 5;
   case NIR_DIM_2D:
   case NIR_DIM_BUF:
      return array ? 5 : 1;
   }
   return 1;
}

unsigned
isel_coord_count(enum nir_image_dim dim, bool array)
{
   unsigned count = dim == NIR_DIM_1D ? 1 : dim == NIR_DIM_3D || dim == NIR_DIM_CUBE ? 3 : 2;
   if (dim == NIR_DIM_SUBPASS || dim == NIR_DIM_SUBPASS_MS)
      return 2 + array;
   return count + (array && dim != NIR_DIM_CUBE);
}

unsigned
isel_flatten_1d(const struct isel *c, enum nir_image_dim dim, struct aco_operand *texel, unsigned count)
{
   if (dim != NIR_DIM_1D || !c->program->target->flat_1d)
      return count;
   for (unsigned i = count; i > 1; i--)
      texel[i] = texel[i - 1];
   texel[1] = k(0);
   return count + 1;
}

unsigned
isel_used_components(const struct nir_def *def)
{
   unsigned used = 0;
   nir_foreach_use(src, def) {
      if (!src->parent_instr || src->parent_instr->type != NIR_INSTR_ALU)
         return def->num_components;
      const struct nir_alu_instr *alu = nir_as_alu(src->parent_instr);
      for (unsigned i = 0; i < nir_op_infos[alu->op].num_srcs; i++) {
         if (&alu->src[i].src != src)
            continue;
         unsigned count = nir_op_infos[alu->op].src_components[i];
         for (unsigned n = 0; n < (count ? count : alu->def.num_components); n++)
            used = MAX2(used, alu->src[i].swizzle[n] + 1u);
      }
   }
   return MAX2(used, 1);
}

bool
isel_is_zero(const struct nir_src *src)
{
   return nir_src_is_const(*src) && (nir_src_comp_as_uint(*src, 0) & (uint32_t)bit_mask(src->def->bit_size)) == 0;
}

bool
isel_image_descriptor(struct isel *c, const struct nir_src *lo, const struct nir_src *hi, struct aco_operand *out)
{
   if (lo->def->divergent || (hi && hi->def->divergent)) {
      aco_fail(c->program, "a descriptor differs between lanes: lower it to a loop first");
      return false;
   }
   if (!hi) {
      *out = isel_src_vec_s(c, lo);
      return true;
   }
   struct aco_operand halves[2] = {isel_src_vec_s(c, lo), isel_src_vec_s(c, hi)};
   /* The same texture again in this block: the copy of before. */
   for (unsigned i = 0; i < ARRAY_SIZE(c->textures); i++) {
      if (c->textures[i].block == c->block && c->textures[i].lo == halves[0].value &&
          c->textures[i].hi == halves[1].value) {
         *out = c->textures[i].whole;
         return true;
      }
   }
   *out = isel_vector(c, ACO_S8, 2, halves);
   unsigned at = c->next_texture++ % ARRAY_SIZE(c->textures);
   c->textures[at].block = c->block;
   c->textures[at].lo = halves[0].value;
   c->textures[at].hi = halves[1].value;
   c->textures[at].whole = *out;
   return true;
}

struct aco_operand
isel_before_status(struct isel *c, unsigned result_dw, bool status)
{
   struct aco_operand zeros[8], none = {0};
   if (!status)
      return none;
   for (unsigned i = 0; i < result_dw + 1; i++)
      zeros[i] = k(0);
   return isel_vector(c, aco_rc_v(result_dw + 1), result_dw + 1, zeros);
}

struct aco_instr *
isel_mimg(struct isel *c, unsigned op, const struct aco_operand *addresses, unsigned count,
          struct aco_operand texture, struct aco_operand sampler, struct aco_operand data, unsigned dmask,
          unsigned result_dw, struct aco_operand before)
{
   bool tied = before.kind != ACO_OP_NONE, tfe = tied && data.kind == ACO_OP_NONE;
   struct aco_operand regs[ISEL_MAX_ADDRESSES] = {{0}};
   for (unsigned i = 0; i < count; i++)
      regs[i] = aco_is_v(&addresses[i]) ? addresses[i] : isel_as_v(c, addresses[i], 1);
   if (count > c->program->target->max_image_addresses) {
      regs[0] = isel_vector(c, aco_rc_v(count), count, regs);
      count = 1;
   }
   struct aco_instr *instr = isel_emit(c, op, result_dw ? 1 : 0, 3 + count + tied);
   instr->ops[0] = regs[0];
   instr->ops[1] = texture;
   instr->ops[2] = sampler;
   instr->ops[3] = data;
   for (unsigned i = 1; i < count; i++)
      instr->ops[3 + i] = regs[i];
   if (tied)
      instr->ops[3 + count] = before;
   instr->tied = tied;
   instr->tfe = tfe;
   instr->dmask = (uint8_t)dmask;
   if (result_dw) {
      aco_rc rc = aco_rc_v(result_dw + tfe);
      instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, rc), .rc = rc};
   }
   return instr;
}

void
isel_set_texels(struct isel *c, const struct nir_def *def, const struct nir_def *code, struct aco_operand vec,
                unsigned count, enum nir_base_type type)
{
   struct aco_operand parts[8];
   isel_split(c, vec, count + (code != NULL), parts);
   if (code)
      isel_set(c, code, 0, parts[count]);
   for (unsigned i = 0; def != code && i < def->num_components; i++) {
      struct aco_operand x = i < count ? parts[i] : k(0);
      if (def->bit_size == 16 && type == NIR_TYPE_FLOAT && i < count)
         x = isel_v1(c, AMD_OP_v_cvt_f16_f32, ACO_V1, x);
      isel_set(c, def, i, x);
   }
}

void
isel_size_query(struct isel *c, struct nir_def *def, struct aco_operand texture, struct aco_operand lod,
                enum nir_image_dim dim, bool array)
{
   struct aco_operand none = {0}, parts[4];
   unsigned result = def->num_components;
   bool one_d_array = dim == NIR_DIM_1D && array;
   unsigned dmask = one_d_array ? 5 : (1u << result) - 1;
   struct aco_instr *instr =
      isel_mimg(c, AMD_OP_image_get_resinfo, &lod, 1, texture, none, none, dmask, result, none);
   instr->dim = (uint8_t)isel_dim_code(dim, array);
   instr->unrm = true;
   instr->reorder = true;
   isel_split(c, isel_result(c, instr, 0), result, parts);
   for (unsigned i = 0; i < result; i++) {
      if (dim == NIR_DIM_CUBE && i == 2) { /* x / 6 = (x * 0xaaaaaaab) >> 34 */
         struct aco_operand high = isel_v2(c, AMD_OP_v_mul_hi_u32, ACO_V1, isel_as_v(c, k(0xaaaaaaab), 1), parts[i]);
         parts[i] = isel_v2(c, AMD_OP_v_lshrrev_b32, ACO_V1, k(2), high);
      }
      isel_set(c, def, i, parts[i]);
   }
}

/* Fields of the T#: LAST_LEVEL 19:16 and BASE_LEVEL 15:12 of dword 3, TYPE 31:28. */
void
isel_descriptor_query(struct isel *c, struct nir_def *def, struct aco_operand texture, bool samples)
{
   struct aco_operand words[8];
   isel_split(c, texture, 8, words);
   struct aco_operand last = isel_s2(c, AMD_OP_s_bfe_u32, ACO_S1, words[3], k(16 | 4 << 16));
   if (samples) {
      struct aco_operand type = isel_s2(c, AMD_OP_s_lshr_b32, ACO_S1, words[3], k(28));
      struct aco_operand count = isel_s2(c, AMD_OP_s_lshl_b32, ACO_S1, k(1), last);
      isel_scmp(c, AMD_OP_s_cmp_ge_u32, type, k(14));
      isel_set(c, def, 0, isel_scc_select(c, ACO_S1, count, k(1)));
      return;
   }
   struct aco_operand base = isel_s2(c, AMD_OP_s_bfe_u32, ACO_S1, words[3], k(12 | 4 << 16));
   struct aco_operand levels = isel_s2(c, AMD_OP_s_sub_u32, ACO_S1, last, base);
   isel_set(c, def, 0, isel_s2(c, AMD_OP_s_add_u32, ACO_S1, levels, k(1)));
}

void
isel_texel_buffer_load(struct isel *c, struct nir_def *def, const struct nir_def *code, const struct nir_src *desc,
                       struct aco_operand index, enum nir_base_type type, uint32_t access, bool reorder)
{
   static const uint16_t ops[4] = {AMD_OP_buffer_load_format_x, AMD_OP_buffer_load_format_xy,
                                   AMD_OP_buffer_load_format_xyz, AMD_OP_buffer_load_format_xyzw};
   struct aco_operand words;
   if (!isel_image_descriptor(c, desc, NULL, &words))
      return;
   unsigned result = def == code ? 1 : MIN2(isel_used_components(def), 4);
   index = isel_as_v(c, index, 1);
   struct aco_operand before = isel_before_status(c, result, code);
   struct aco_instr *instr = isel_emit(c, ops[result - 1], 1, code ? 5 : 4);
   instr->ops[0] = index;
   instr->ops[1] = words;
   instr->ops[2] = k(0);
   if (code)
      instr->ops[4] = before;
   instr->tied = instr->tfe = code;
   instr->idxen = true;
   instr->reorder = reorder;
   isel_set_coherence(c, instr, access, true);
   aco_rc rc = aco_rc_v(result + (code != NULL));
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, rc), .rc = rc};
   isel_set_texels(c, def, code, isel_result(c, instr, 0), result, type);
}
