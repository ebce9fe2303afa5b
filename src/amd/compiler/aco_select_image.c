/* Selection of texture sampling and of images and texel buffers. */
#include "amd/compiler/aco_select.h"

static struct aco_operand
k(uint32_t value)
{
   return aco_op_const(value);
}

/* Values of the dim field: RDNA 2 ISA, "MIMG", DIM. */
static unsigned
dim_code(enum nir_image_dim dim, bool array)
{
   switch (dim) {
   case NIR_DIM_1D: return array ? 4 : 0;
   case NIR_DIM_3D: return 2;
   case NIR_DIM_CUBE: return 3;
   case NIR_DIM_MS:
   case NIR_DIM_SUBPASS_MS: return array ? 7 : 6;
   case NIR_DIM_SUBPASS: return 5;
   case NIR_DIM_2D:
   case NIR_DIM_BUF: return array ? 5 : 1;
   }
   return 1;
}

static unsigned
coord_count(enum nir_image_dim dim, bool array)
{
   unsigned count = dim == NIR_DIM_1D ? 1 : dim == NIR_DIM_3D || dim == NIR_DIM_CUBE ? 3 : 2;
   if (dim == NIR_DIM_SUBPASS || dim == NIR_DIM_SUBPASS_MS)
      return 2 + array;
   return count + (array && dim != NIR_DIM_CUBE);
}

/* Highest component of a value that is read, plus one. */
static unsigned
used_components(const struct nir_def *def)
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

static bool
descriptor(struct isel *c, const struct nir_src *lo, const struct nir_src *hi, struct aco_operand *out)
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

/* An MIMG instruction with its addresses as separate VGPRs (the emitter finds out whether they stand in a row). */
static struct aco_instr *
mimg(struct isel *c, unsigned op, const struct aco_operand *addresses, unsigned count, struct aco_operand texture,
     struct aco_operand sampler, struct aco_operand data, unsigned dmask, unsigned result_dw)
{
   struct aco_operand regs[16] = {{0}};
   for (unsigned i = 0; i < count; i++)
      regs[i] = aco_is_v(&addresses[i]) ? addresses[i] : isel_as_v(c, addresses[i], 1);
   struct aco_instr *instr = isel_emit(c, op, result_dw ? 1 : 0, 3 + count);
   instr->ops[0] = regs[0];
   instr->ops[1] = texture;
   instr->ops[2] = sampler;
   instr->ops[3] = data;
   for (unsigned i = 1; i < count; i++)
      instr->ops[3 + i] = regs[i];
   instr->dmask = (uint8_t)dmask;
   if (result_dw) {
      aco_rc rc = aco_rc_v(result_dw);
      instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, rc), .rc = rc};
   }
   return instr;
}

/* Components of a result of `count` dwords; missing ones are 0. 16-bit results come from 32-bit ones. */
static void
set_result(struct isel *c, const struct nir_def *def, struct aco_operand vec, unsigned count, enum nir_base_type type)
{
   struct aco_operand parts[8];
   isel_split(c, vec, count, parts);
   for (unsigned i = 0; i < def->num_components; i++) {
      struct aco_operand x = i < count ? parts[i] : k(0);
      if (def->bit_size == 16 && type == NIR_TYPE_FLOAT && i < count)
         x = isel_v1(c, AMD_OP_v_cvt_f16_f32, ACO_V1, x);
      isel_set(c, def, i, x);
   }
}

/* ---- sampling ---- */

struct tex_sources {
   const struct nir_src *src[NIR_TEX_SRC_SAMPLER_DESC + 1];
};

/* Rows by what is there: [compare][kind], with and without offset. */
enum kind {
   KIND_PLAIN,
   KIND_CLAMP,
   KIND_BIAS,
   KIND_BIAS_CLAMP,
   KIND_LOD,
   KIND_ZERO,
   KIND_GRAD,
   KIND_GRAD_CLAMP,
   KIND_COUNT
};
#define OPS(base)                                                                                                    \
   {AMD_OP_##base, AMD_OP_##base##_cl, AMD_OP_##base##_b, AMD_OP_##base##_b_cl,                                      \
    AMD_OP_##base##_l, AMD_OP_##base##_lz, AMD_OP_##base##_d, AMD_OP_##base##_d_cl}
#define OPS_O(base)                                                                                                  \
   {AMD_OP_##base##_o, AMD_OP_##base##_cl_o, AMD_OP_##base##_b_o, AMD_OP_##base##_b_cl_o, AMD_OP_##base##_l_o,       \
    AMD_OP_##base##_lz_o, AMD_OP_##base##_d_o, AMD_OP_##base##_d_cl_o}
#define OPS_G(base)                                                                                                  \
   {AMD_OP_##base, AMD_OP_##base##_cl, AMD_OP_##base##_b, AMD_OP_##base##_b_cl, AMD_OP_##base##_l, AMD_OP_##base##_lz}
#define OPS_GO(base)                                                                                                 \
   {AMD_OP_##base##_o, AMD_OP_##base##_cl_o, AMD_OP_##base##_b_o, AMD_OP_##base##_b_cl_o, AMD_OP_##base##_l_o,       \
    AMD_OP_##base##_lz_o}
static const uint16_t sample_ops[2][2][KIND_COUNT] = {
   {OPS(image_sample), OPS(image_sample_c)},
   {OPS_O(image_sample), OPS_O(image_sample_c)},
};
static const uint16_t gather_ops[2][2][KIND_COUNT] = {
   {OPS_G(image_gather4), OPS_G(image_gather4_c)},
   {OPS_GO(image_gather4), OPS_GO(image_gather4_c)},
};

static bool
is_zero(const struct nir_src *src)
{
   return nir_src_is_const(*src) && (nir_src_comp_as_uint(*src, 0) & (uint32_t)bit_mask(src->def->bit_size)) == 0;
}

/* Texel offsets as the address dword wants them: 6 bits signed at 0, 8, 16. */
static struct aco_operand
packed_offset(struct isel *c, const struct nir_src *src)
{
   struct aco_operand word = {0};
   for (unsigned i = 0; i < src->def->num_components; i++) {
      struct aco_operand x = isel_src(c, src, i);
      if (x.kind == ACO_OP_CONST && (!i || word.kind == ACO_OP_CONST)) {
         word = k((i ? word.value : 0) | (x.value & 0x3f) << (8 * i));
         continue;
      }
      x = isel_v2(c, AMD_OP_v_and_b32, ACO_V1, k(0x3f), isel_as_v(c, x, 1));
      word = i ? isel_v3(c, AMD_OP_v_lshl_or_b32, ACO_V1, x, k(8 * i), word) : x;
   }
   return word;
}

/* Coordinates as the hardware takes them: layers rounded, cube faces split into face coordinates and face. A query of
 * the level of detail names no layer. */
static unsigned
sample_coords(struct isel *c, const struct nir_tex_instr *tex, const struct nir_src *src, struct aco_operand *out)
{
   unsigned count = tex->dim == NIR_DIM_1D ? 1 : tex->dim == NIR_DIM_3D || tex->dim == NIR_DIM_CUBE ? 3 : 2;
   for (unsigned i = 0; i < count; i++)
      out[i] = isel_as_v(c, isel_src(c, src, i), 1);
   if (tex->dim == NIR_DIM_CUBE) {
      struct aco_operand x = out[0], y = out[1], z = out[2];
      struct aco_operand ma = isel_v3(c, AMD_OP_v_cubema_f32, ACO_V1, x, y, z);
      struct aco_instr *rcp = isel_valu(c, AMD_OP_v_rcp_f32, ACO_V1, 1, &ma);
      rcp->abs = 1;
      struct aco_operand inverse = isel_result(c, rcp, 0), half = k(float_bits(1.5f));
      out[0] = isel_v3(c, AMD_OP_v_fma_f32, ACO_V1, isel_v3(c, AMD_OP_v_cubesc_f32, ACO_V1, x, y, z), inverse, half);
      out[1] = isel_v3(c, AMD_OP_v_fma_f32, ACO_V1, isel_v3(c, AMD_OP_v_cubetc_f32, ACO_V1, x, y, z), inverse, half);
      out[2] = isel_v3(c, AMD_OP_v_cubeid_f32, ACO_V1, x, y, z);
      if (tex->is_array && tex->op != NIR_LOD) { /* face of layer n: 8 n + face */
         struct aco_operand layer = isel_v1(c, AMD_OP_v_rndne_f32, ACO_V1, isel_src(c, src, 3));
         out[2] = isel_v3(c, AMD_OP_v_fma_f32, ACO_V1, layer, k(float_bits(8)), out[2]);
      }
      return 3;
   }
   if (tex->is_array) {
      out[count] =
         tex->op == NIR_LOD ? k(0) : isel_v1(c, AMD_OP_v_rndne_f32, ACO_V1, isel_as_v(c, isel_src(c, src, count), 1));
      count++;
   }
   return count;
}

static void
sample(struct isel *c, struct nir_tex_instr *tex, const struct tex_sources *s, struct aco_operand texture)
{
   /* size: the order of address operands, one after the other */
   struct aco_operand address[16], sampler, coords[4];
   unsigned count = 0;
   const struct nir_src *lod = s->src[NIR_TEX_SRC_LOD], *bias = s->src[NIR_TEX_SRC_BIAS];
   bool offset = s->src[NIR_TEX_SRC_OFFSET] && !is_zero(s->src[NIR_TEX_SRC_OFFSET]), gather = tex->op == NIR_TG4;
   bool clamp = s->src[NIR_TEX_SRC_MIN_LOD];
   if (!s->src[NIR_TEX_SRC_SAMPLER_DESC] || !descriptor(c, s->src[NIR_TEX_SRC_SAMPLER_DESC], NULL, &sampler)) {
      aco_fail(c->program, "a texture operation has no sampler");
      return;
   }
   if (offset || (s->src[NIR_TEX_SRC_OFFSET] && s->src[NIR_TEX_SRC_OFFSET]->def->num_components > 1)) {
      offset = true;
      address[count++] = packed_offset(c, s->src[NIR_TEX_SRC_OFFSET]);
   }
   enum kind kind = tex->op == NIR_TXD                ? (clamp ? KIND_GRAD_CLAMP : KIND_GRAD)
                    : lod && !is_zero(lod)            ? KIND_LOD
                    : lod || (gather && !bias)        ? KIND_ZERO
                    : bias                            ? (clamp ? KIND_BIAS_CLAMP : KIND_BIAS)
                    : clamp                           ? KIND_CLAMP
                    : c->program->stage != NIR_STAGE_FRAGMENT ? KIND_ZERO : KIND_PLAIN;
   if (bias)
      address[count++] = isel_src(c, bias, 0);
   if (s->src[NIR_TEX_SRC_COMPARATOR])
      address[count++] = isel_src(c, s->src[NIR_TEX_SRC_COMPARATOR], 0);
   if (tex->op == NIR_TXD) {
      unsigned n = s->src[NIR_TEX_SRC_DDX]->def->num_components;
      if (tex->dim == NIR_DIM_CUBE) {
         aco_fail(c->program, "explicit derivatives of cube maps are lowered before");
         return;
      }
      for (unsigned i = 0; i < 2 * n; i++)
         address[count++] = isel_src(c, s->src[i < n ? NIR_TEX_SRC_DDX : NIR_TEX_SRC_DDY], i % n);
   }
   unsigned num_coords = sample_coords(c, tex, s->src[NIR_TEX_SRC_COORD], coords);
   for (unsigned i = 0; i < num_coords; i++)
      address[count++] = coords[i];
   if (kind == KIND_LOD)
      address[count++] = isel_src(c, lod, 0);
   else if (clamp)
      address[count++] = isel_src(c, s->src[NIR_TEX_SRC_MIN_LOD], 0);
   unsigned op = gather ? gather_ops[offset][tex->is_shadow][kind] : sample_ops[offset][tex->is_shadow][kind];
   if (tex->op == NIR_LOD)
      op = AMD_OP_image_get_lod;
   bool one = tex->is_shadow && !gather && tex->op != NIR_LOD; /* result of a comparison */
   unsigned result = one ? 1 : MIN2(used_components(&tex->def), 4);
   if (gather)
      result = 4;
   if (tex->op == NIR_LOD)
      result = 2;
   unsigned dmask = gather ? 1u << (tex->is_shadow ? 0 : tex->gather_component) : (1u << result) - 1;
   struct aco_operand none = {0};
   struct aco_instr *instr = mimg(c, op, address, count, texture, sampler, none, dmask, result);
   instr->dim = (uint8_t)dim_code(tex->dim, tex->is_array || tex->dim == NIR_DIM_CUBE);
   if (tex->dim == NIR_DIM_CUBE)
      instr->dim = 3;
   instr->reorder = true;
   struct aco_operand vec = isel_result(c, instr, 0);
   if (one) {
      for (unsigned i = 0; i < tex->def.num_components; i++)
         isel_set(c, &tex->def, i, vec);
      return;
   }
   set_result(c, &tex->def, vec, result, tex->dest_type);
}

/* ---- fetches and queries ---- */

static void
fetch(struct isel *c, struct nir_tex_instr *tex, const struct tex_sources *s, struct aco_operand texture)
{
   struct aco_operand address[8], none = {0};
   unsigned count = coord_count(tex->dim, tex->is_array), result = MIN2(used_components(&tex->def), 4);
   const struct nir_src *lod = s->src[NIR_TEX_SRC_LOD], *offset = s->src[NIR_TEX_SRC_OFFSET];
   for (unsigned i = 0; i < count; i++) {
      address[i] = isel_src(c, s->src[NIR_TEX_SRC_COORD], i);
      if (offset && i < offset->def->num_components)
         address[i] = isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, isel_src(c, offset, i), isel_as_v(c, address[i], 1));
   }
   bool mip = tex->op == NIR_TXF && lod && !is_zero(lod);
   if (tex->op == NIR_TXF_MS)
      address[count++] = isel_src(c, s->src[NIR_TEX_SRC_MS_INDEX], 0);
   else if (mip)
      address[count++] = isel_src(c, lod, 0);
   struct aco_instr *instr = mimg(c, mip ? AMD_OP_image_load_mip : AMD_OP_image_load, address, count, texture, none,
                                  none, (1u << result) - 1, result);
   instr->dim = (uint8_t)dim_code(tex->op == NIR_TXF_MS ? NIR_DIM_MS : tex->dim, tex->is_array);
   instr->unrm = true;
   instr->reorder = true;
   set_result(c, &tex->def, isel_result(c, instr, 0), result, tex->dest_type);
}

/* Width, height, depth or layers at a level: what image_get_resinfo returns, layers of cubes divided by faces. */
static void
size_query(struct isel *c, struct nir_def *def, struct aco_operand texture, struct aco_operand lod,
           enum nir_image_dim dim, bool array)
{
   struct aco_operand none = {0}, parts[4];
   unsigned result = def->num_components;
   bool one_d_array = dim == NIR_DIM_1D && array;
   unsigned dmask = one_d_array ? 5 : (1u << result) - 1;
   struct aco_instr *instr = mimg(c, AMD_OP_image_get_resinfo, &lod, 1, texture, none, none, dmask, result);
   instr->dim = (uint8_t)dim_code(dim, array);
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
static void
descriptor_query(struct isel *c, struct nir_def *def, struct aco_operand texture, bool samples)
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

static void
texel_buffer_load(struct isel *c, struct nir_def *def, const struct nir_src *desc, struct aco_operand index,
                  enum nir_base_type type, uint32_t access, bool reorder)
{
   static const uint16_t ops[4] = {AMD_OP_buffer_load_format_x, AMD_OP_buffer_load_format_xy,
                                   AMD_OP_buffer_load_format_xyz, AMD_OP_buffer_load_format_xyzw};
   struct aco_operand words;
   if (!descriptor(c, desc, NULL, &words))
      return;
   unsigned result = MIN2(used_components(def), 4);
   index = isel_as_v(c, index, 1);
   struct aco_instr *instr = isel_emit(c, ops[result - 1], 1, 4);
   instr->ops[0] = index;
   instr->ops[1] = words;
   instr->ops[2] = k(0);
   instr->idxen = true;
   instr->reorder = reorder;
   isel_set_coherence(instr, access, true);
   instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, aco_rc_v(result)), .rc = aco_rc_v(result)};
   set_result(c, def, isel_result(c, instr, 0), result, type);
}

void
isel_tex(struct isel *c, struct nir_tex_instr *tex)
{
   struct tex_sources s = {{0}};
   for (unsigned i = 0; i < tex->num_srcs; i++)
      s.src[tex->src[i].type] = &tex->src[i].src;
   const struct nir_src *lo = s.src[NIR_TEX_SRC_TEXTURE_DESC], *hi = s.src[NIR_TEX_SRC_TEXTURE_DESC_HI];
   if (!lo || s.src[NIR_TEX_SRC_PROJECTOR] || tex->is_sparse || tex->has_gather_offsets) {
      aco_fail(c->program, "a texture operation was not lowered: no descriptor, a projector, sparse or four offsets");
      return;
   }
   if (tex->dim == NIR_DIM_BUF) {
      if (tex->op == NIR_TXF) {
         texel_buffer_load(c, &tex->def, lo, isel_src(c, s.src[NIR_TEX_SRC_COORD], 0), tex->dest_type, 0, true);
         return;
      }
      struct aco_operand words[4], desc;
      if (descriptor(c, lo, NULL, &desc)) {
         isel_split(c, desc, 4, words);
         isel_set(c, &tex->def, 0, words[2]);
      }
      return;
   }
   struct aco_operand texture, zero = k(0);
   if (!hi || !descriptor(c, lo, hi, &texture)) {
      aco_fail(c->program, "a texture operation has half a descriptor");
      return;
   }
   switch (tex->op) {
   case NIR_TEX:
   case NIR_TXB:
   case NIR_TXL:
   case NIR_TXD:
   case NIR_TG4:
   case NIR_LOD:
      sample(c, tex, &s, texture);
      break;
   case NIR_TXF:
   case NIR_TXF_MS:
      fetch(c, tex, &s, texture);
      break;
   case NIR_TXS:
      size_query(c, &tex->def, texture, s.src[NIR_TEX_SRC_LOD] ? isel_src(c, s.src[NIR_TEX_SRC_LOD], 0) : zero,
                 tex->dim, tex->is_array);
      break;
   case NIR_QUERY_LEVELS:
   case NIR_TEXTURE_SAMPLES:
      descriptor_query(c, &tex->def, texture, tex->op == NIR_TEXTURE_SAMPLES);
      break;
   }
}

/* ---- storage images ---- */

static unsigned
image_address(struct isel *c, struct nir_intrinsic_instr *intr, struct aco_operand *address)
{
   enum nir_image_dim dim = nir_intrinsic_image_dim(intr);
   bool array = nir_intrinsic_image_array(intr);
   unsigned count = coord_count(dim, array);
   for (unsigned i = 0; i < count; i++)
      address[i] = isel_src(c, &intr->src[2], i);
   if (dim == NIR_DIM_MS || dim == NIR_DIM_SUBPASS_MS)
      address[count++] = isel_src(c, &intr->src[3], 0);
   return count;
}

static void
set_image_dim(struct nir_intrinsic_instr *intr, struct aco_instr *instr)
{
   enum nir_image_dim dim = nir_intrinsic_image_dim(intr);
   /* cubes as storage images are arrays of faces */
   instr->dim = (uint8_t)(dim == NIR_DIM_CUBE ? 5 : dim_code(dim, nir_intrinsic_image_array(intr)));
   instr->unrm = true;
   instr->r128 = false;
}

static void
image_atomic(struct isel *c, struct nir_intrinsic_instr *intr, bool swap)
{
   struct aco_operand address[8], texture, none = {0}, data[2];
   unsigned op = isel_atomics[nir_intrinsic_atomic_op(intr)].image, dw = swap ? 2 : 1;
   if (op == AMD_OP_COUNT || intr->def.bit_size != 32) {
      aco_fail(c->program, "no instruction for this atomic operation on an image");
      return;
   }
   if (!descriptor(c, &intr->src[0], &intr->src[1], &texture))
      return;
   unsigned count = image_address(c, intr, address);
   data[0] = isel_as_v(c, isel_src(c, &intr->src[swap ? 5 : 4], 0), 1);
   if (swap)
      data[1] = isel_as_v(c, isel_src(c, &intr->src[4], 0), 1);
   struct aco_operand vec = isel_vector(c, aco_rc_v(dw), dw, data);
   bool used = !list_is_empty(&intr->def.uses);
   for (unsigned i = 0; i < count; i++)
      address[i] = isel_as_v(c, address[i], 1);
   struct aco_operand exact = isel_begin_exact(c);
   if (used) { /* old values come into the registers of the data */
      vec = isel_op1(c, ACO_P_PARALLELCOPY, vec.rc, vec);
      address[count] = vec;
   }
   struct aco_instr *instr = mimg(c, op, address, count + used, texture, none, vec, (1u << dw) - 1, used ? dw : 0);
   set_image_dim(intr, instr);
   instr->tied = instr->glc = used;
   instr->side_effects = true;
   isel_end_exact(c, exact);
   if (used) {
      struct aco_operand parts[2];
      isel_split(c, isel_result(c, instr, 0), dw, parts);
      isel_set(c, &intr->def, 0, parts[0]);
   }
}

static void
image_store(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand address[8], texture, none = {0}, data[4];
   if (!descriptor(c, &intr->src[0], &intr->src[1], &texture))
      return;
   unsigned count = image_address(c, intr, address), n = intr->src[4].def->num_components;
   for (unsigned i = 0; i < count; i++)
      address[i] = isel_as_v(c, address[i], 1);
   for (unsigned i = 0; i < n; i++) {
      data[i] = isel_as_v(c, isel_src(c, &intr->src[4], i), 1);
      if (intr->src[4].def->bit_size == 16 && nir_intrinsic_src_type(intr) == NIR_TYPE_FLOAT)
         data[i] = isel_v1(c, AMD_OP_v_cvt_f32_f16, ACO_V1, data[i]);
   }
   struct aco_operand vec = isel_vector(c, aco_rc_v(n), n, data), exact = isel_begin_exact(c);
   bool mip = !is_zero(&intr->src[5]);
   if (mip)
      address[count++] = isel_src(c, &intr->src[5], 0);
   struct aco_instr *instr = mimg(c, mip ? AMD_OP_image_store_mip : AMD_OP_image_store, address, count, texture, none,
                                  vec, (1u << n) - 1, 0);
   set_image_dim(intr, instr);
   instr->side_effects = true;
   isel_set_coherence(instr, nir_intrinsic_access(intr), false);
   isel_end_exact(c, exact);
}

static void
image_load(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand address[8], texture, none = {0};
   if (!descriptor(c, &intr->src[0], &intr->src[1], &texture))
      return;
   unsigned count = image_address(c, intr, address), result = MIN2(used_components(&intr->def), 4);
   bool mip = !is_zero(&intr->src[4]);
   if (mip)
      address[count++] = isel_src(c, &intr->src[4], 0);
   struct aco_instr *instr = mimg(c, mip ? AMD_OP_image_load_mip : AMD_OP_image_load, address, count, texture, none,
                                  none, (1u << result) - 1, result);
   set_image_dim(intr, instr);
   isel_set_coherence(instr, nir_intrinsic_access(intr), true);
   set_result(c, &intr->def, isel_result(c, instr, 0), result, NIR_TYPE_UINT);
}

static void
texel_buffer_store(struct isel *c, struct nir_intrinsic_instr *intr)
{
   static const uint16_t ops[4] = {AMD_OP_buffer_store_format_x, AMD_OP_buffer_store_format_xy,
                                   AMD_OP_buffer_store_format_xyz, AMD_OP_buffer_store_format_xyzw};
   struct aco_operand desc, data[4], index = isel_as_v(c, isel_src(c, &intr->src[1], 0), 1);
   unsigned n = intr->src[2].def->num_components;
   if (!descriptor(c, &intr->src[0], NULL, &desc))
      return;
   for (unsigned i = 0; i < n; i++)
      data[i] = isel_src(c, &intr->src[2], i);
   struct aco_operand vec = isel_vector(c, aco_rc_v(n), n, data), exact = isel_begin_exact(c);
   struct aco_instr *instr = isel_emit(c, ops[n - 1], 0, 4);
   instr->ops[0] = index;
   instr->ops[1] = desc;
   instr->ops[2] = k(0);
   instr->ops[3] = vec;
   instr->idxen = true;
   instr->side_effects = true;
   isel_set_coherence(instr, nir_intrinsic_access(intr), false);
   isel_end_exact(c, exact);
}

static void
texel_buffer_atomic(struct isel *c, struct nir_intrinsic_instr *intr, bool swap)
{
   struct aco_operand desc, data[2], index = isel_as_v(c, isel_src(c, &intr->src[1], 0), 1);
   unsigned op = isel_atomics[nir_intrinsic_atomic_op(intr)].buffer, dw = swap ? 2 : 1;
   if (op == AMD_OP_COUNT || !descriptor(c, &intr->src[0], NULL, &desc)) {
      aco_fail(c->program, "no instruction for this atomic operation on a texel buffer");
      return;
   }
   data[0] = isel_src(c, &intr->src[swap ? 3 : 2], 0);
   if (swap)
      data[1] = isel_src(c, &intr->src[2], 0);
   struct aco_operand vec = isel_vector(c, aco_rc_v(dw), dw, data), exact;
   vec = isel_as_v(c, vec, dw);
   bool used = !list_is_empty(&intr->def.uses);
   if (used)
      vec = isel_op1(c, ACO_P_PARALLELCOPY, vec.rc, vec);
   exact = isel_begin_exact(c);
   struct aco_instr *instr = isel_emit(c, op, used ? 1 : 0, 4);
   instr->ops[0] = index;
   instr->ops[1] = desc;
   instr->ops[2] = k(0);
   instr->ops[3] = vec;
   instr->idxen = true;
   instr->tied = instr->glc = used;
   instr->side_effects = true;
   if (used) {
      instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
      isel_set(c, &intr->def, 0, isel_result(c, instr, 0));
   }
   isel_end_exact(c, exact);
}

bool
isel_image(struct isel *c, struct nir_intrinsic_instr *intr)
{
   /* size: a flat switch */
   struct aco_operand texture;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_image_load:
      image_load(c, intr);
      return true;
   case NIR_INTRINSIC_image_store:
      image_store(c, intr);
      return true;
   case NIR_INTRINSIC_image_atomic:
   case NIR_INTRINSIC_image_atomic_swap:
      image_atomic(c, intr, intr->op == NIR_INTRINSIC_image_atomic_swap);
      return true;
   case NIR_INTRINSIC_image_size:
      if (descriptor(c, &intr->src[0], &intr->src[1], &texture))
         size_query(c, &intr->def, texture, isel_src(c, &intr->src[2], 0), nir_intrinsic_image_dim(intr),
                    nir_intrinsic_image_array(intr));
      return true;
   case NIR_INTRINSIC_image_samples:
      if (descriptor(c, &intr->src[0], &intr->src[1], &texture))
         descriptor_query(c, &intr->def, texture, true);
      return true;
   case NIR_INTRINSIC_load_texel_buffer:
      texel_buffer_load(c, &intr->def, &intr->src[0], isel_src(c, &intr->src[1], 0), NIR_TYPE_UINT,
                        nir_intrinsic_access(intr), nir_intrinsic_access(intr) & NIR_ACCESS_CAN_REORDER);
      return true;
   case NIR_INTRINSIC_store_texel_buffer:
      texel_buffer_store(c, intr);
      return true;
   case NIR_INTRINSIC_texel_buffer_atomic:
   case NIR_INTRINSIC_texel_buffer_atomic_swap:
      texel_buffer_atomic(c, intr, intr->op == NIR_INTRINSIC_texel_buffer_atomic_swap);
      return true;
   default:
      return false;
   }
}
