/* Selection of texture operations. */
#include "amd/compiler/aco_select_mimg.h"
#include "compiler/nir/nir_residency.h"

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
   unsigned layer = count;
   if (tex->dim == NIR_DIM_1D && c->program->target->flat_1d)
      out[count++] = k(float_bits(0.5f)); /* the middle of the only row */
   if (tex->is_array) {
      out[count++] =
         tex->op == NIR_LOD ? k(0) : isel_v1(c, AMD_OP_v_rndne_f32, ACO_V1, isel_as_v(c, isel_src(c, src, layer), 1));
   }
   return count;
}

static enum kind
sample_kind(const struct isel *c, const struct nir_tex_instr *tex, const struct tex_sources *s)
{
   const struct nir_src *lod = s->src[NIR_TEX_SRC_LOD], *bias = s->src[NIR_TEX_SRC_BIAS];
   bool clamp = s->src[NIR_TEX_SRC_MIN_LOD];
   if (tex->op == NIR_TXD)
      return clamp ? KIND_GRAD_CLAMP : KIND_GRAD;
   if (lod && !isel_is_zero(lod))
      return KIND_LOD;
   if (lod || (tex->op == NIR_TG4 && !bias))
      return KIND_ZERO;
   if (bias)
      return clamp ? KIND_BIAS_CLAMP : KIND_BIAS;
   return clamp                                                                   ? KIND_CLAMP
          : c->nir->stage != NIR_STAGE_FRAGMENT && !c->nir->info.derivative_group ? KIND_ZERO
                                                                                  : KIND_PLAIN;
}

/* In the order of the instruction; returns their number. */
static unsigned
sample_address(struct isel *c, struct nir_tex_instr *tex, const struct tex_sources *s, enum kind kind, bool offset,
               struct aco_operand address[ISEL_MAX_ADDRESSES])
{
   unsigned count = 0;
   if (offset)
      address[count++] = packed_offset(c, s->src[NIR_TEX_SRC_OFFSET]);
   if (s->src[NIR_TEX_SRC_BIAS])
      address[count++] = isel_src(c, s->src[NIR_TEX_SRC_BIAS], 0);
   if (s->src[NIR_TEX_SRC_COMPARATOR])
      address[count++] = isel_src(c, s->src[NIR_TEX_SRC_COMPARATOR], 0);
   for (unsigned i = 0; i < 2 && tex->op == NIR_TXD; i++) {
      const struct nir_src *derivative = s->src[i ? NIR_TEX_SRC_DDY : NIR_TEX_SRC_DDX];
      for (unsigned n = 0; n < derivative->def->num_components; n++)
         address[count++] = isel_src(c, derivative, n);
      if (tex->dim == NIR_DIM_1D && c->program->target->flat_1d)
         address[count++] = k(0);
   }
   count += sample_coords(c, tex, s->src[NIR_TEX_SRC_COORD], address + count);
   if (kind == KIND_LOD)
      address[count++] = isel_src(c, s->src[NIR_TEX_SRC_LOD], 0);
   else if (s->src[NIR_TEX_SRC_MIN_LOD])
      address[count++] = isel_src(c, s->src[NIR_TEX_SRC_MIN_LOD], 0);
   return count;
}

/* What asks whether the texel is there: the instruction itself, or one after it. */
static const struct nir_def *
residency_of(const struct nir_tex_instr *tex)
{
   const struct nir_tex_instr *code = tex->is_sparse ? tex : nir_residency_of_tex(tex);
   return code ? &code->def : NULL;
}

static unsigned
result_components(const struct nir_tex_instr *tex, bool one_for_all)
{
   if (tex->op == NIR_TG4)
      return 4;
   if (tex->op == NIR_LOD)
      return 2;
   return one_for_all || tex->is_sparse ? 1 : MIN2(isel_used_components(&tex->def), 4);
}

static void
sample(struct isel *c, struct nir_tex_instr *tex, const struct tex_sources *s, struct aco_operand texture)
{
   struct aco_operand address[ISEL_MAX_ADDRESSES], sampler, none = {0};
   const struct nir_src *desc = s->src[NIR_TEX_SRC_SAMPLER_DESC], *by = s->src[NIR_TEX_SRC_OFFSET];
   if (!desc || !isel_image_descriptor(c, desc, NULL, &sampler)) {
      aco_fail(c->program, "a texture operation has no sampler");
      return;
   }
   if (tex->op == NIR_TXD && tex->dim == NIR_DIM_CUBE && s->src[NIR_TEX_SRC_DDX]->def->num_components != 2) {
      aco_fail(c->program, "explicit derivatives of cube maps are lowered before");
      return;
   }
   bool offset = by && (by->def->num_components > 1 || !isel_is_zero(by)), gather = tex->op == NIR_TG4;
   bool compares = tex->is_shadow && !gather && tex->op != NIR_LOD; /* one result for all components */
   enum kind kind = sample_kind(c, tex, s);
   unsigned count = sample_address(c, tex, s, kind, offset, address);
   unsigned op = gather               ? gather_ops[offset][tex->is_shadow][kind]
                 : tex->op == NIR_LOD ? AMD_OP_image_get_lod
                                      : sample_ops[offset][tex->is_shadow][kind];
   const struct nir_def *code = residency_of(tex);
   unsigned result = result_components(tex, compares);
   unsigned dmask = gather ? 1u << (tex->is_shadow ? 0 : tex->gather_component) : (1u << result) - 1;
   struct aco_instr *instr =
      isel_mimg(c, op, address, count, texture, sampler, none, dmask, result, isel_before_status(c, result, code));
   /* cube maps, arrays of them too, are one kind to the hardware */
   instr->dim = (uint8_t)isel_dim_code(tex->dim, tex->is_array);
   instr->reorder = !c->nir->info.interlock; /* an ordered section may store to what it samples */
   isel_set_texels(c, &tex->def, code, isel_result(c, instr, 0), result, tex->dest_type);
   for (unsigned i = 1; compares && i < tex->def.num_components; i++)
      isel_set(c, &tex->def, i, c->values[tex->def.index].comp[0]);
}

static void
fetch(struct isel *c, struct nir_tex_instr *tex, const struct tex_sources *s, struct aco_operand texture)
{
   struct aco_operand address[8], none = {0};
   unsigned count = isel_coord_count(tex->dim, tex->is_array), result = result_components(tex, false);
   const struct nir_def *code = residency_of(tex);
   const struct nir_src *lod = s->src[NIR_TEX_SRC_LOD], *offset = s->src[NIR_TEX_SRC_OFFSET];
   for (unsigned i = 0; i < count; i++) {
      address[i] = isel_src(c, s->src[NIR_TEX_SRC_COORD], i);
      if (offset && i < offset->def->num_components)
         address[i] = isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, isel_src(c, offset, i), isel_as_v(c, address[i], 1));
   }
   count = isel_flatten_1d(c, tex->dim, address, count);
   bool mip = tex->op == NIR_TXF && lod && !isel_is_zero(lod);
   if (tex->op == NIR_TXF_MS)
      address[count++] = isel_src(c, s->src[NIR_TEX_SRC_MS_INDEX], 0);
   else if (mip)
      address[count++] = isel_src(c, lod, 0);
   unsigned op = mip ? AMD_OP_image_load_mip : AMD_OP_image_load;
   struct aco_instr *instr = isel_mimg(c, op, address, count, texture, none, none, (1u << result) - 1, result,
                                       isel_before_status(c, result, code));
   instr->dim = (uint8_t)isel_dim_code(tex->op == NIR_TXF_MS ? NIR_DIM_MS : tex->dim, tex->is_array);
   instr->unrm = true;
   instr->reorder = !c->nir->info.interlock;
   isel_set_texels(c, &tex->def, code, isel_result(c, instr, 0), result, tex->dest_type);
}

void
isel_tex(struct isel *c, struct nir_tex_instr *tex)
{
   struct tex_sources s = {{0}};
   for (unsigned i = 0; i < tex->num_srcs; i++)
      s.src[tex->src[i].type] = &tex->src[i].src;
   const struct nir_src *lo = s.src[NIR_TEX_SRC_TEXTURE_DESC], *hi = s.src[NIR_TEX_SRC_TEXTURE_DESC_HI];
   if (!lo || s.src[NIR_TEX_SRC_PROJECTOR] || tex->has_gather_offsets) {
      aco_fail(c->program, "a texture operation was not lowered: no descriptor, a projector or four offsets");
      return;
   }
   if (tex->is_sparse && c->values[tex->def.index].comp[0].kind != ACO_OP_NONE)
      return; /* came with the texel */
   if (tex->dim == NIR_DIM_BUF) {
      if (tex->op == NIR_TXF) {
         isel_texel_buffer_load(c, &tex->def, residency_of(tex), lo, isel_src(c, s.src[NIR_TEX_SRC_COORD], 0),
                                tex->dest_type, 0, true);
         return;
      }
      struct aco_operand words[4], desc;
      if (isel_image_descriptor(c, lo, NULL, &desc)) {
         isel_split(c, desc, 4, words);
         isel_set(c, &tex->def, 0, words[2]);
      }
      return;
   }
   struct aco_operand texture, zero = k(0);
   if (!hi || !isel_image_descriptor(c, lo, hi, &texture)) {
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
      isel_size_query(c, &tex->def, texture, s.src[NIR_TEX_SRC_LOD] ? isel_src(c, s.src[NIR_TEX_SRC_LOD], 0) : zero,
                      tex->dim, tex->is_array);
      break;
   case NIR_QUERY_LEVELS:
   case NIR_TEXTURE_SAMPLES:
      isel_descriptor_query(c, &tex->def, texture, tex->op == NIR_TEXTURE_SAMPLES);
      break;
   }
}
