/* Sampling, fetching, gathering and queries of sampled images; combining images with samplers. */
#include <string.h>

#include "compiler/spirv/spirv_image.h"

static void
check_image_operands_mask(struct spirv_emit *e, uint32_t mask, uint32_t allowed)
{
   spirv_require(e->m, !(mask & ~allowed), "image operands %#x do not belong here", mask & ~allowed);
}

bool
spirv_is_sparse(const uint32_t *w)
{
   uint32_t opcode = spirv_opcode(w);
   return (opcode >= SpvOpImageSparseSampleImplicitLod && opcode <= SpvOpImageSparseDrefGather) ||
          opcode == SpvOpImageSparseRead;
}

uint32_t
spirv_dense_opcode(const uint32_t *w)
{
   uint32_t opcode = spirv_opcode(w);
   if (opcode == SpvOpImageSparseRead)
      return SpvOpImageRead;
   return spirv_is_sparse(w) ? opcode - SpvOpImageSparseSampleImplicitLod + SpvOpImageSampleImplicitLod : opcode;
}

/* Sparse instructions give a structure of a code and a texel. */
const struct spirv_type *
spirv_texel_type(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   if (!spirv_is_sparse(w))
      return type;
   spirv_require(e->m,
                 type->kind == SPIRV_TYPE_STRUCT && type->length == 2 && spirv_is_int(type->members[0].type) &&
                    type->members[0].type->components == 1 && type->members[0].type->bit_size == 32,
                 "the result is no structure of a residency code and a texel");
   return type->members[1].type;
}

void
spirv_set_texel(struct spirv_emit *e, const uint32_t *w, struct nir_def *texel, struct nir_def *code)
{
   if (!code) {
      spirv_set_def(e, w, texel);
      return;
   }
   const struct spirv_type *type = spirv_result_type(e, w);
   struct spirv_ssa *result = spirv_ssa_new(e, type);
   spirv_ssa_put(e, result, 0, spirv_ssa_of_def(e, type->members[0].type, code));
   spirv_ssa_put(e, result, 1, spirv_ssa_of_def(e, type->members[1].type, texel));
   spirv_set_ssa(e, w, result);
}

/* Reads the optional image operands that start at w[at]. */
struct spirv_image_operands
spirv_image_operands(struct spirv_emit *e, const uint32_t *w, uint32_t at, uint32_t allowed)
{
   struct spirv_image_operands o = {0};
   if (at >= spirv_length(w))
      return o;
   o.mask = w[at++];
   const uint32_t ignored =
      SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask | SpvImageOperandsNontemporalMask;
   check_image_operands_mask(
      e, o.mask, allowed | ignored | SpvImageOperandsNonPrivateTexelMask | SpvImageOperandsVolatileTexelMask);
   if (o.mask & SpvImageOperandsBiasMask)
      o.bias = spirv_def(e, w[at++]);
   if (o.mask & SpvImageOperandsLodMask) {
      o.lod_type = spirv_type_of(e, w[at]);
      o.lod = spirv_def(e, w[at++]);
   }
   if (o.mask & SpvImageOperandsGradMask) {
      o.ddx = spirv_def(e, w[at++]);
      o.ddy = spirv_def(e, w[at++]);
   }
   for (uint32_t bit = SpvImageOperandsConstOffsetMask; bit <= SpvImageOperandsOffsetMask; bit <<= 1) {
      if (o.mask & bit) {
         spirv_require(e->m, bit == SpvImageOperandsOffsetMask || e->m->ids[w[at]].kind == SPIRV_ID_CONSTANT,
                       "the offset is no constant");
         spirv_require(e->m, !o.offset && spirv_is_int(spirv_type_of(e, w[at])), "the offset is no integer");
         o.offset = spirv_def(e, w[at++]);
      }
   }
   if (o.mask & SpvImageOperandsConstOffsetsMask)
      o.offsets = spirv_constant(e->m, w[at++]);
   if (o.mask & SpvImageOperandsSampleMask)
      o.sample = spirv_index(e, w[at++]);
   if (o.mask & SpvImageOperandsMinLodMask)
      o.min_lod = spirv_def(e, w[at++]);
   if (o.mask & SpvImageOperandsMakeTexelAvailableMask) {
      spirv_scope(e, w[at++]);
      o.access |= NIR_ACCESS_COHERENT;
   }
   if (o.mask & SpvImageOperandsMakeTexelVisibleMask) {
      spirv_scope(e, w[at++]);
      o.access |= NIR_ACCESS_COHERENT;
   }
   if (o.mask & SpvImageOperandsVolatileTexelMask)
      o.access |= NIR_ACCESS_VOLATILE;
   return o;
}

unsigned
spirv_dim_components(enum nir_image_dim dim)
{
   switch (dim) {
   case NIR_DIM_1D:
   case NIR_DIM_BUF:
      return 1;
   case NIR_DIM_3D:
   case NIR_DIM_CUBE:
      return 3;
   case NIR_DIM_2D:
   case NIR_DIM_MS:
   case NIR_DIM_SUBPASS:
   case NIR_DIM_SUBPASS_MS:
      return 2;
   }
   return 0;
}

/* ---- building ---- */

static struct nir_tex_instr *
create(struct spirv_emit *e, enum nir_tex_op op, const struct spirv_handle *handle, bool with_sampler)
{
   const struct spirv_type *image = handle->image_type;
   spirv_require(e->m, image, "the operand is no image");
   spirv_require(e->m, !with_sampler || handle->sampler, "the image has no sampler");
   struct nir_tex_instr *tex = nir_tex_create(e->shader, op);
   tex->dim = image->dim;
   tex->is_array = image->is_arrayed;
   tex->dest_type = image->element->base;
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_DEREF, &handle->image->def);
   if (with_sampler)
      nir_tex_add_src(tex, NIR_TEX_SRC_SAMPLER_DEREF, &handle->sampler->def);
   return tex;
}

static struct nir_def *
first_components(struct spirv_emit *e, struct nir_def *def, unsigned count)
{
   spirv_require(e->m, def->num_components >= count, "the coordinate has too few components");
   return nir_channels(&e->b, def, (1u << count) - 1);
}

static struct nir_def *
exact_components(struct spirv_emit *e, struct nir_def *def, unsigned count, const char *what)
{
   spirv_require(e->m, def->num_components == count && def->bit_size == 32, "%s has the wrong size", what);
   return def;
}

/* Another instruction gives the residency of the texel. */
static struct nir_def *
residency(struct spirv_emit *e, const struct nir_tex_instr *tex)
{
   struct nir_tex_instr *code = nir_tex_create(e->shader, tex->op);
   code->dim = tex->dim;
   code->is_array = tex->is_array;
   code->is_shadow = tex->is_shadow;
   code->is_sparse = true;
   code->dest_type = NIR_TYPE_UINT;
   code->gather_component = tex->gather_component;
   code->has_gather_offsets = tex->has_gather_offsets;
   memcpy(code->gather_offsets, tex->gather_offsets, sizeof(code->gather_offsets));
   for (unsigned i = 0; i < tex->num_srcs; i++)
      nir_tex_add_src(code, tex->src[i].type, tex->src[i].src.def);
   return nir_build_tex(&e->b, code, 1, 32);
}

static void
set_result(struct spirv_emit *e, const uint32_t *w, struct nir_tex_instr *tex, unsigned components)
{
   const struct spirv_type *type = spirv_texel_type(e, w);
   spirv_require(e->m,
                 spirv_is_vector_or_scalar(type) && type->components == components && type->bit_size == 32 &&
                    (type->base == NIR_TYPE_FLOAT) == (tex->dest_type == NIR_TYPE_FLOAT) && !type->has_bool,
                 "the result type does not fit the image");
   struct nir_def *texel = nir_build_tex(&e->b, tex, components, 32);
   spirv_set_texel(e, w, texel, spirv_is_sparse(w) ? residency(e, tex) : NULL);
}

/* ---- sampling ---- */

enum sample_flag {
   EXPLICIT = 1,
   DREF = 2,
   PROJ = 4,
};

static unsigned
sample_flags(uint32_t opcode)
{
   static const uint8_t flags[] = {0,    EXPLICIT,        DREF,        DREF | EXPLICIT,
                                   PROJ, PROJ | EXPLICIT, PROJ | DREF, PROJ | DREF | EXPLICIT};
   return flags[opcode - SpvOpImageSampleImplicitLod];
}

static void
add_operands(struct spirv_emit *e, struct nir_tex_instr *tex, const struct spirv_image_operands *o)
{
   unsigned dims = spirv_dim_components(tex->dim);
   if (o->bias)
      nir_tex_add_src(tex, NIR_TEX_SRC_BIAS, exact_components(e, o->bias, 1, "the bias"));
   if (o->lod)
      nir_tex_add_src(tex, NIR_TEX_SRC_LOD, exact_components(e, o->lod, 1, "the level of detail"));
   if (o->ddx) {
      nir_tex_add_src(tex, NIR_TEX_SRC_DDX, exact_components(e, o->ddx, dims, "the derivative"));
      nir_tex_add_src(tex, NIR_TEX_SRC_DDY, exact_components(e, o->ddy, dims, "the derivative"));
   }
   if (o->offset) {
      spirv_require(e->m, tex->dim != NIR_DIM_CUBE, "an offset into a cube");
      nir_tex_add_src(tex, NIR_TEX_SRC_OFFSET, exact_components(e, o->offset, dims, "the offset"));
   }
   if (o->min_lod)
      nir_tex_add_src(tex, NIR_TEX_SRC_MIN_LOD, exact_components(e, o->min_lod, 1, "the minimum level"));
}

static enum nir_tex_op
sample_op(struct spirv_emit *e, unsigned flags, const struct spirv_image_operands *o)
{
   if (flags & EXPLICIT) {
      spirv_require(e->m, !o->lod != !o->ddx, "an explicit sample needs Lod or Grad");
      spirv_require(e->m, !o->lod || spirv_is_float(o->lod_type), "the level of detail is no float");
      return o->lod ? NIR_TXL : NIR_TXD;
   }
   spirv_require(e->m, !o->lod && !o->ddx, "an implicit sample with Lod or Grad");
   spirv_require(e->m, spirv_has_derivatives(e), "an implicit sample in a shader that has no derivatives");
   return o->bias ? NIR_TXB : NIR_TEX;
}

static void
sample(struct spirv_emit *e, const uint32_t *w)
{
   unsigned flags = sample_flags(spirv_dense_opcode(w));
   const uint32_t allowed =
      SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask | SpvImageOperandsMinLodMask |
      (flags & EXPLICIT ? SpvImageOperandsLodMask | SpvImageOperandsGradMask : SpvImageOperandsBiasMask);
   struct spirv_image_operands o = spirv_image_operands(e, w, flags & DREF ? 6 : 5, allowed);
   const struct spirv_handle *handle = spirv_handle(e, w[3]);
   struct nir_def *coord = spirv_def(e, w[4]);
   spirv_require(e->m, handle->type->kind == SPIRV_TYPE_SAMPLED_IMAGE, "%%%u is no sampled image", w[3]);
   spirv_require(e->m, handle->image_type->dim <= NIR_DIM_CUBE, "an image of this dimension cannot be sampled");
   spirv_require(e->m, spirv_is_float(spirv_type_of(e, w[4])) && coord->bit_size == 32, "the coordinate is no float");
   struct nir_tex_instr *tex = create(e, sample_op(e, flags, &o), handle, true);
   unsigned dims = spirv_dim_components(tex->dim) + tex->is_array;
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD, first_components(e, coord, dims));
   if (flags & PROJ) {
      spirv_require(e->m, !tex->is_array && tex->dim <= NIR_DIM_3D && coord->num_components > dims,
                    "a projection needs another component and an image without layers");
      nir_tex_add_src(tex, NIR_TEX_SRC_PROJECTOR, nir_channel(&e->b, coord, dims));
   }
   if (flags & DREF) {
      tex->is_shadow = true;
      spirv_require(e->m, spirv_is_float(spirv_type_of(e, w[5])), "the reference is no float");
      nir_tex_add_src(tex, NIR_TEX_SRC_COMPARATOR, exact_components(e, spirv_def(e, w[5]), 1, "the reference"));
   }
   add_operands(e, tex, &o);
   set_result(e, w, tex, flags & DREF ? 1 : 4);
}

static void
fetch(struct spirv_emit *e, const uint32_t *w)
{
   const uint32_t allowed = SpvImageOperandsLodMask | SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask |
                            SpvImageOperandsSampleMask;
   struct spirv_image_operands o = spirv_image_operands(e, w, 5, allowed);
   const struct spirv_handle *handle = spirv_handle(e, w[3]);
   spirv_require(e->m,
                 handle->type->kind == SPIRV_TYPE_IMAGE && handle->image_type->sampled == 1 &&
                    handle->image_type->dim != NIR_DIM_CUBE,
                 "%%%u cannot be fetched from", w[3]);
   bool multisampled = handle->image_type->is_multisampled;
   struct nir_tex_instr *tex = create(e, multisampled ? NIR_TXF_MS : NIR_TXF, handle, false);
   struct nir_def *coord = spirv_def(e, w[4]);
   spirv_require(e->m, spirv_is_int(spirv_type_of(e, w[4])) && coord->bit_size == 32, "the coordinate is no integer");
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD,
                   first_components(e, coord, spirv_dim_components(tex->dim) + tex->is_array));
   spirv_require(e->m, multisampled == !!o.sample, "a sample belongs to a multisampled image");
   spirv_require(e->m, !o.lod || (!multisampled && tex->dim != NIR_DIM_BUF && spirv_is_int(o.lod_type)),
                 "the level of detail is no integer, or the image has no levels");
   if (o.sample)
      nir_tex_add_src(tex, NIR_TEX_SRC_MS_INDEX, o.sample);
   else if (tex->dim != NIR_DIM_BUF && !o.lod)
      o.lod = spirv_int_constant(e, 0);
   add_operands(e, tex, &o);
   set_result(e, w, tex, 4);
}

/* ---- fragments ---- */

static const struct spirv_handle *
multisampled_image(struct spirv_emit *e, uint32_t id)
{
   const struct spirv_handle *handle = spirv_handle(e, id);
   spirv_require(e->m, handle->type->kind == SPIRV_TYPE_IMAGE && handle->image_type->is_multisampled,
                 "%%%u is no multisampled image", id);
   return handle;
}

/* Which fragment each sample shows, 4 bits each: its own, since no image here shares them between samples. */
static void
fetch_fragment_mask(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_type *type = spirv_result_type(e, w);
   multisampled_image(e, w[3]);
   spirv_require(e->m, spirv_is_int(type) && type->components == 1 && type->bit_size == 32,
                 "the result is no integer");
   spirv_set_def(e, w, spirv_int_constant(e, 0x76543210));
}

static void
fetch_fragment(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_handle *handle = multisampled_image(e, w[3]);
   const bool subpass = handle->image_type->dim == NIR_DIM_SUBPASS_MS;
   struct nir_tex_instr *tex = create(e, NIR_TXF_MS, handle, false);
   struct nir_def *coord = spirv_def(e, w[4]);
   spirv_require(e->m, spirv_is_int(spirv_type_of(e, w[4])) && coord->bit_size == 32, "the coordinate is no integer");
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD,
                   first_components(e, coord, subpass ? 2 : spirv_dim_components(tex->dim) + tex->is_array));
   nir_tex_add_src(tex, NIR_TEX_SRC_MS_INDEX, spirv_index(e, w[5]));
   set_result(e, w, tex, 4);
}

/* ---- gathering ---- */

static void
read_offsets(struct spirv_emit *e, struct nir_tex_instr *tex, const struct spirv_constant *offsets)
{
   const struct spirv_type *type = offsets->type;
   spirv_require(e->m,
                 type->kind == SPIRV_TYPE_ARRAY && type->length == 4 && spirv_is_int(type->element) &&
                    type->element->components == 2 && type->element->bit_size == 32,
                 "the offsets are no array of 4 vectors");
   tex->has_gather_offsets = true;
   for (unsigned i = 0; i < 4; i++) {
      const struct spirv_constant *offset = spirv_constant_part(offsets, i);
      for (unsigned c = 0; c < 2 && offset; c++) {
         int32_t value = offset->value[c].i32;
         spirv_require(e->m, value >= -128 && value <= 127, "an offset of %d", value);
         tex->gather_offsets[i][c] = (int8_t)value;
      }
   }
}

static void
gather(struct spirv_emit *e, const uint32_t *w)
{
   const bool by_level = spirv_has(e->m, SpvCapabilityImageGatherBiasLodAMD);
   const uint32_t allowed = SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask |
                            SpvImageOperandsConstOffsetsMask |
                            (by_level ? SpvImageOperandsBiasMask | SpvImageOperandsLodMask : 0);
   struct spirv_image_operands o = spirv_image_operands(e, w, 6, allowed);
   const struct spirv_handle *handle = spirv_handle(e, w[3]);
   struct nir_def *coord = spirv_def(e, w[4]);
   spirv_require(e->m, !o.bias || (!o.lod && spirv_has_derivatives(e)),
                 "a bias beside a level of detail, or in a shader that has no derivatives");
   spirv_require(e->m,
                 handle->type->kind == SPIRV_TYPE_SAMPLED_IMAGE &&
                    (handle->image_type->dim == NIR_DIM_2D || handle->image_type->dim == NIR_DIM_CUBE),
                 "%%%u cannot be gathered from", w[3]);
   spirv_require(e->m, spirv_is_float(spirv_type_of(e, w[4])) && coord->bit_size == 32, "the coordinate is no float");
   struct nir_tex_instr *tex = create(e, NIR_TG4, handle, true);
   /* With that capability a gather without bias and level has the implicit level, too. */
   if (by_level && !o.bias && !o.lod && spirv_has_derivatives(e) && spirv_dense_opcode(w) == SpvOpImageGather)
      o.bias = nir_imm_floatN(&e->b, 0, 32);
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD,
                   first_components(e, coord, spirv_dim_components(tex->dim) + tex->is_array));
   if (spirv_dense_opcode(w) == SpvOpImageDrefGather) {
      tex->is_shadow = true;
      spirv_require(e->m, spirv_is_float(spirv_type_of(e, w[5])), "the reference is no float");
      nir_tex_add_src(tex, NIR_TEX_SRC_COMPARATOR, exact_components(e, spirv_def(e, w[5]), 1, "the reference"));
   } else {
      uint32_t component = spirv_constant_u32(e->m, w[5]);
      spirv_require(e->m, component < 4, "component %u does not exist", component);
      tex->gather_component = (uint8_t)component;
   }
   spirv_require(e->m, !o.offsets || !o.offset, "two kinds of offsets");
   if (o.offsets)
      read_offsets(e, tex, o.offsets);
   add_operands(e, tex, &o);
   set_result(e, w, tex, 4);
}

/* ---- queries ---- */

static void
query_lod(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_handle *handle = spirv_handle(e, w[3]);
   struct nir_def *coord = spirv_def(e, w[4]);
   spirv_require(e->m, handle->type->kind == SPIRV_TYPE_SAMPLED_IMAGE && handle->image_type->dim <= NIR_DIM_CUBE,
                 "%%%u has no level of detail", w[3]);
   spirv_require(e->m, spirv_is_float(spirv_type_of(e, w[4])) && coord->bit_size == 32 && spirv_has_derivatives(e),
                 "the level of detail needs a float coordinate and derivatives");
   struct nir_tex_instr *tex = create(e, NIR_LOD, handle, true);
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD, first_components(e, coord, spirv_dim_components(tex->dim)));
   tex->dest_type = NIR_TYPE_FLOAT;
   set_result(e, w, tex, 2);
}

static void
query(struct spirv_emit *e, const uint32_t *w, enum nir_tex_op op)
{
   const struct spirv_handle *handle = spirv_handle(e, w[3]);
   spirv_require(e->m, handle->image_type && (handle->type->kind == SPIRV_TYPE_IMAGE || op == NIR_QUERY_LEVELS),
                 "%%%u is no image", w[3]);
   enum nir_image_dim dim = handle->image_type->dim;
   struct nir_tex_instr *tex = create(e, op, handle, false);
   tex->dest_type = NIR_TYPE_UINT;
   unsigned components = 1;
   if (op == NIR_TXS) {
      components = (dim == NIR_DIM_CUBE ? 2 : spirv_dim_components(dim)) + tex->is_array;
      bool has_levels = dim <= NIR_DIM_CUBE;
      spirv_require(e->m, has_levels == (spirv_opcode(w) == SpvOpImageQuerySizeLod), "the image %s levels",
                    has_levels ? "has" : "has no");
      if (has_levels)
         nir_tex_add_src(tex, NIR_TEX_SRC_LOD, spirv_index(e, w[4]));
   } else if (op == NIR_TEXTURE_SAMPLES) {
      spirv_require(e->m, handle->image_type->is_multisampled, "the image is not multisampled");
   } else {
      spirv_require(e->m, dim <= NIR_DIM_CUBE, "the image has no levels");
   }
   set_result(e, w, tex, components);
}

/* ---- handles ---- */

static void
combine(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_handle *image = spirv_handle(e, w[3]), *sampler = spirv_handle(e, w[4]);
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m,
                 type->kind == SPIRV_TYPE_SAMPLED_IMAGE && image->type->kind == SPIRV_TYPE_IMAGE &&
                    sampler->type->kind == SPIRV_TYPE_SAMPLER,
                 "the types do not fit");
   /* Whether the image is used for comparisons may differ. */
   const struct spirv_type *to = type->element, *from = image->type;
   spirv_require(e->m,
                 to->dim == from->dim && to->is_arrayed == from->is_arrayed && to->element == from->element &&
                    to->sampled == from->sampled,
                 "the image types do not fit");
   struct spirv_handle *both = arena_new(&e->m->temp, struct spirv_handle);
   *both = (struct spirv_handle){.type = type,
                                 .image_type = image->image_type,
                                 .image = image->image,
                                 .sampler = sampler->sampler,
                                 .access = image->access | sampler->access};
   spirv_set_handle(e, w[2], both);
}

static void
take_image(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_handle *both = spirv_handle(e, w[3]);
   const struct spirv_type *type = spirv_result_type(e, w);
   spirv_require(e->m, both->type->kind == SPIRV_TYPE_SAMPLED_IMAGE && both->image_type == type,
                 "the types do not fit");
   struct spirv_handle *image = arena_dup(&e->m->temp, both, sizeof(*both));
   image->type = type;
   image->sampler = NULL;
   spirv_set_handle(e, w[2], image);
}

bool
spirv_emit_texture(struct spirv_emit *e, const uint32_t *w)
{
   uint32_t opcode = spirv_dense_opcode(w);
   if (opcode >= SpvOpImageSampleImplicitLod && opcode <= SpvOpImageSampleProjDrefExplicitLod) {
      sample(e, w);
      return true;
   }
   switch (opcode) {
   case SpvOpSampledImage:
      combine(e, w);
      return true;
   case SpvOpImage:
      take_image(e, w);
      return true;
   case SpvOpImageFetch:
      fetch(e, w);
      return true;
   case SpvOpFragmentMaskFetchAMD:
      fetch_fragment_mask(e, w);
      return true;
   case SpvOpFragmentFetchAMD:
      fetch_fragment(e, w);
      return true;
   case SpvOpImageGather:
   case SpvOpImageDrefGather:
      gather(e, w);
      return true;
   case SpvOpImageSparseTexelsResident:
      spirv_set_def(e, w, nir_ieq_imm(&e->b, spirv_index(e, w[3]), 0));
      return true;
   case SpvOpImageQueryLod:
      query_lod(e, w);
      return true;
   case SpvOpImageQueryLevels:
      query(e, w, NIR_QUERY_LEVELS);
      return true;
   case SpvOpImageQuerySizeLod:
      query(e, w, NIR_TXS);
      return true;
   case SpvOpImageQuerySize:
   case SpvOpImageQuerySamples:
      if (spirv_handle(e, w[3])->image_type && spirv_handle(e, w[3])->image_type->sampled == 2)
         return false; /* a storage image, see spirv_image.c */
      query(e, w, opcode == SpvOpImageQuerySize ? NIR_TXS : NIR_TEXTURE_SAMPLES);
      return true;
   default: /* others: not of this file */
      return false;
   }
}
