/* Storage images and input attachments: reads, writes, queries and pointers to texels. */
#include "compiler/spirv/spirv_image.h"

/* Padded with zeros to the four components that image intrinsics take. */
static struct nir_def *
coordinate(struct spirv_emit *e, const struct spirv_type *image, uint32_t id)
{
   struct nir_def *coord = spirv_def(e, id), *parts[4];
   unsigned count = spirv_dim_components(image->dim) + (image->is_arrayed && image->dim != NIR_DIM_CUBE);
   spirv_require(e->m, spirv_is_int(spirv_type_of(e, id)) && coord->bit_size == 32, "the coordinate is no integer");
   spirv_require(e->m, coord->num_components >= count, "the coordinate has too few components");
   for (unsigned i = 0; i < 4; i++)
      parts[i] = i < count ? nir_channel(&e->b, coord, i) : spirv_int_constant(e, 0);
   return nir_vec(&e->b, parts, 4);
}

static const struct spirv_type *
storage_image(struct spirv_emit *e, const struct spirv_handle *handle)
{
   spirv_require(e->m, handle->type->kind == SPIRV_TYPE_IMAGE && handle->image_type->sampled == 2,
                 "the operand is no storage image");
   return handle->image_type;
}

/* ---- input attachments ---- */

/* The coordinate is an offset from the fragment's own position, as in SPIR-V. */
static void
read_attachment(struct spirv_emit *e, const uint32_t *w, const struct spirv_handle *handle)
{
   struct spirv_image_operands o = spirv_image_operands(e, w, 5, SpvImageOperandsSampleMask);
   const struct spirv_type *image = handle->image_type, *type = spirv_result_type(e, w);
   struct nir_def *coord = spirv_def(e, w[4]);
   bool multisampled = image->dim == NIR_DIM_SUBPASS_MS;
   spirv_require(e->m, spirv_is_int(spirv_type_of(e, w[4])) && coord->num_components == 2 && coord->bit_size == 32,
                 "the coordinate is no vector of 2 integers");
   spirv_require(e->m, multisampled == !!o.sample, "a sample belongs to a multisampled attachment");
   spirv_require(e->m, type->components == 4 && type->element == image->element,
                 "the result type does not fit the image");
   struct nir_tex_instr *tex = nir_tex_create(e->shader, multisampled ? NIR_TXF_MS : NIR_TXF);
   tex->dim = image->dim;
   tex->dest_type = image->element->base;
   nir_tex_add_src(tex, NIR_TEX_SRC_TEXTURE_DEREF, &handle->image->def);
   nir_tex_add_src(tex, NIR_TEX_SRC_COORD, coord);
   if (multisampled)
      nir_tex_add_src(tex, NIR_TEX_SRC_MS_INDEX, o.sample);
   else
      nir_tex_add_src(tex, NIR_TEX_SRC_LOD, spirv_int_constant(e, 0));
   spirv_set_def(e, w, nir_build_tex(&e->b, tex, 4, 32));
}

/* ---- storage images ---- */

static struct nir_def *
sample_or_zero(struct spirv_emit *e, const struct spirv_type *image, struct nir_def *sample)
{
   spirv_require(e->m, image->is_multisampled == !!sample, "a sample belongs to a multisampled image");
   return sample ? sample : spirv_int_constant(e, 0);
}

/* The image operand that VK_AMD_shader_image_load_store_lod adds. */
static uint32_t
level_operand(struct spirv_emit *e)
{
   return spirv_has(e->m, SpvCapabilityImageReadWriteLodAMD) ? SpvImageOperandsLodMask : 0;
}

static struct nir_def *
level_or_zero(struct spirv_emit *e, const struct spirv_type *image, const struct spirv_image_operands *o)
{
   spirv_require(e->m, !o->lod || (!image->is_multisampled && image->dim != NIR_DIM_BUF && spirv_is_int(o->lod_type)),
                 "the level of detail is no integer, or the image has no levels");
   return o->lod ? o->lod : spirv_int_constant(e, 0);
}

/* 32 bits, or integers of 64 in images of them (Int64ImageEXT). */
static bool
is_texel_size(const struct spirv_type *image, const struct spirv_type *type)
{
   return type->bit_size == image->element->bit_size;
}

/* With all four components. */
static struct nir_def *
texel_of(struct spirv_emit *e, const struct spirv_type *type, struct nir_def *texel)
{
   struct nir_def *parts[4], *zero = nir_imm_intN(&e->b, 0, type->bit_size);
   for (unsigned i = 0; i < 4; i++)
      parts[i] = i < texel->num_components ? nir_channel(&e->b, texel, i) : zero;
   return nir_vec(&e->b, parts, 4);
}

static void
read_image(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_handle *handle = spirv_handle(e, w[3]);
   const struct spirv_type *image = storage_image(e, handle), *type = spirv_texel_type(e, w);
   struct nir_def *code = NULL;
   if (image->dim == NIR_DIM_SUBPASS || image->dim == NIR_DIM_SUBPASS_MS) {
      spirv_require(e->m, !spirv_is_sparse(w), "an input attachment has no residency");
      read_attachment(e, w, handle);
      return;
   }
   const uint32_t allowed = SpvImageOperandsSampleMask | SpvImageOperandsMakeTexelVisibleMask | level_operand(e);
   struct spirv_image_operands o = spirv_image_operands(e, w, 5, allowed);
   spirv_require(e->m, image->format || spirv_has(e->m, SpvCapabilityStorageImageReadWithoutFormat),
                 "a read without format needs StorageImageReadWithoutFormat");
   spirv_require(e->m,
                 spirv_is_vector_or_scalar(type) && is_texel_size(image, type) && type->base == image->element->base,
                 "the result type does not fit the image");
   struct nir_def *coord = coordinate(e, image, w[4]), *sample = sample_or_zero(e, image, o.sample);
   struct nir_def *level = level_or_zero(e, image, &o);
#define INDICES                                                                                                      \
   .image_dim = image->dim, .image_array = image->is_arrayed, .format = image->format,                               \
   .access = handle->access | o.access
   struct nir_def *texel =
      nir_image_deref_load(&e->b, 4, type->bit_size, &handle->image->def, coord, sample, level, INDICES);
   if (spirv_is_sparse(w))
      code = nir_image_deref_residency(&e->b, &handle->image->def, coord, sample, level, INDICES);
#undef INDICES
   spirv_set_texel(e, w, nir_resize_vector(&e->b, texel, type->components), code);
}

static void
write_image(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_handle *handle = spirv_handle(e, w[1]);
   const struct spirv_type *image = storage_image(e, handle), *type = spirv_type_of(e, w[3]);
   const uint32_t allowed = SpvImageOperandsSampleMask | SpvImageOperandsMakeTexelAvailableMask | level_operand(e);
   struct spirv_image_operands o = spirv_image_operands(e, w, 4, allowed);
   struct nir_def *texel = spirv_def(e, w[3]);
   spirv_require(e->m, image->dim < NIR_DIM_SUBPASS, "a write to an input attachment");
   spirv_require(e->m, image->format || spirv_has(e->m, SpvCapabilityStorageImageWriteWithoutFormat),
                 "a write without format needs StorageImageWriteWithoutFormat");
   spirv_require(e->m,
                 spirv_is_vector_or_scalar(type) && is_texel_size(image, type) && !type->has_bool &&
                    (type->base == NIR_TYPE_FLOAT) == (image->element->base == NIR_TYPE_FLOAT),
                 "the texel type does not fit the image");
   nir_image_deref_store(&e->b, &handle->image->def, coordinate(e, image, w[2]), sample_or_zero(e, image, o.sample),
                         texel_of(e, type, texel), level_or_zero(e, image, &o), .image_dim = image->dim,
                         .image_array = image->is_arrayed, .format = image->format,
                         .access = handle->access | o.access, .src_type = image->element->base);
}

static void
query_storage(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_handle *handle = spirv_handle(e, w[3]);
   const struct spirv_type *image = storage_image(e, handle), *type = spirv_result_type(e, w);
   spirv_require(e->m, image->dim < NIR_DIM_SUBPASS && spirv_is_int(type), "the types do not fit");
   if (spirv_opcode(w) == SpvOpImageQuerySamples) {
      spirv_require(e->m, image->is_multisampled, "the image is not multisampled");
      spirv_set_def(e, w,
                    nir_image_deref_samples(&e->b, &handle->image->def, .image_dim = image->dim,
                                            .image_array = image->is_arrayed, .format = image->format));
      return;
   }
   unsigned components = (image->dim == NIR_DIM_CUBE ? 2 : spirv_dim_components(image->dim)) + image->is_arrayed;
   spirv_set_def(e, w,
                 nir_image_deref_size(&e->b, components, &handle->image->def, spirv_int_constant(e, 0),
                                      .image_dim = image->dim, .image_array = image->is_arrayed,
                                      .format = image->format));
}

/* ---- texels in memory ---- */

static void
texel_pointer(struct spirv_emit *e, const uint32_t *w)
{
   const struct spirv_pointer *image = spirv_pointer(e, w[3]);
   const struct spirv_type *type = spirv_result_type(e, w), *image_type = image->type;
   spirv_require(e->m,
                 image->deref && image_type->kind == SPIRV_TYPE_IMAGE && image_type->sampled == 2 &&
                    image_type->dim < NIR_DIM_SUBPASS,
                 "%%%u points to no storage image", w[3]);
   spirv_require(e->m,
                 type->kind == SPIRV_TYPE_POINTER && type->storage == SpvStorageClassImage &&
                    type->element == image_type->element,
                 "the result type does not fit the image");
   struct spirv_pointer *texel = arena_new(&e->m->temp, struct spirv_pointer);
   *texel = (struct spirv_pointer){.type = type->element,
                                   .storage = SpvStorageClassImage,
                                   .deref = image->deref,
                                   .access = image->access,
                                   .is_texel = true,
                                   .image = image_type,
                                   .is_mutable = true};
   texel->coord = coordinate(e, image_type, w[4]);
   texel->sample = spirv_index(e, w[5]);
   spirv_set_pointer(e, w[2], texel);
}

struct nir_def *
spirv_image_atomic(struct spirv_emit *e, const struct spirv_pointer *t, enum nir_atomic_op op,
                   struct nir_def *compare, struct nir_def *data, uint32_t access)
{
   access |= t->access;
   if (compare)
      return nir_image_deref_atomic_swap(&e->b, &t->deref->def, t->coord, t->sample, compare, data,
                                         .image_dim = t->image->dim, .image_array = t->image->is_arrayed,
                                         .format = t->image->format, .access = access, .atomic_op = op);
   return nir_image_deref_atomic(&e->b, &t->deref->def, t->coord, t->sample, data, .image_dim = t->image->dim,
                                 .image_array = t->image->is_arrayed, .format = t->image->format, .access = access,
                                 .atomic_op = op);
}

struct nir_def *
spirv_image_load_texel(struct spirv_emit *e, const struct spirv_pointer *t, uint32_t access)
{
   struct nir_def *texel =
      nir_image_deref_load(&e->b, 4, t->type->bit_size, &t->deref->def, t->coord, t->sample, spirv_int_constant(e, 0),
                           .image_dim = t->image->dim, .image_array = t->image->is_arrayed,
                           .format = t->image->format, .access = access | t->access);
   return nir_channel(&e->b, texel, 0);
}

void
spirv_image_store_texel(struct spirv_emit *e, const struct spirv_pointer *t, struct nir_def *value, uint32_t access)
{
   nir_image_deref_store(&e->b, &t->deref->def, t->coord, t->sample, texel_of(e, t->type, value),
                         spirv_int_constant(e, 0), .image_dim = t->image->dim, .image_array = t->image->is_arrayed,
                         .format = t->image->format, .access = access | t->access,
                         .src_type = t->image->element->base);
}

bool
spirv_emit_image(struct spirv_emit *e, const uint32_t *w)
{
   switch (spirv_dense_opcode(w)) {
   case SpvOpImageRead:
      read_image(e, w);
      return true;
   case SpvOpImageWrite:
      write_image(e, w);
      return true;
   case SpvOpImageQuerySize:
   case SpvOpImageQuerySamples:
      query_storage(e, w);
      return true;
   case SpvOpImageTexelPointer:
      texel_pointer(e, w);
      return true;
   default: /* others: not of this file */
      return false;
   }
}
