/* Storage images: loads and stores by handles, atomics by addresses, queries as loads. */
#include "gallium/drivers/asahi/nir/agx_nir_lower_descriptors_private.h"
#include "util/mutant.h"

/* An element that an instruction names. */
struct element {
   struct nir_def *place[3], *inside; /* x, y, layer; inside of the image, and one of its samples */
   struct agx_nir_level level;
   struct agx_nir_sample sample; /* count_log2 is NULL without several samples */
};

/* Coordinates that the image has. */
static struct nir_def *
is_inside(struct lower_descriptors *l, const struct aux_descriptor *image, const struct nir_intrinsic_instr *instr)
{
   struct nir_builder *b = &l->d.b;
   enum nir_image_dim dim = nir_intrinsic_image_dim(instr);
   bool is_array = nir_intrinsic_image_array(instr);
   struct nir_def *size = agx_image_size(l, image, dim, is_array, NULL), *inside = NULL, *coord = instr->src[1].def;

   for (unsigned i = 0; i < size->num_components; i++) {
      struct nir_def *end = nir_channel(b, size, i), *in;

      /* Layers of cube arrays are faces. */
      if (dim == NIR_DIM_CUBE && i == 2)
         end = nir_imul_imm(b, end, 6);
      in = nir_ult(b, nir_channel(b, coord, i), end);
      inside = inside ? nir_iand(b, inside, in) : in;
   }
   if (dim == NIR_DIM_CUBE && !is_array)
      inside = nir_iand(b, inside, nir_ult_imm(b, nir_channel(b, coord, 2), 6));
   if (dim == NIR_DIM_MS)
      inside = nir_iand(b, inside, nir_ult(b, nir_u2uN(b, instr->src[2].def, 32), agx_image_samples(l, image)));
   return inside;
}

/* Of a load, a store or an atomic. */
static struct element
element_of(struct lower_descriptors *l, const struct aux_descriptor *image, const struct nir_intrinsic_instr *instr)
{
   struct nir_builder *b = &l->d.b;
   enum nir_image_dim dim = nir_intrinsic_image_dim(instr);
   bool is_array = nir_intrinsic_image_array(instr);
   struct nir_def *zero = nir_imm_int(b, 0), *coord = instr->src[1].def;
   unsigned count = dim == NIR_DIM_BUF || (dim == NIR_DIM_1D && !is_array)                        ? 1
                    : dim == NIR_DIM_3D || dim == NIR_DIM_CUBE || (is_array && dim != NIR_DIM_1D) ? 3
                                                                                                  : 2;
   struct element e = {.inside = is_inside(l, image, instr)};

   for (unsigned i = 0; i < 3; i++)
      e.place[i] = i < count ? nir_channel(b, coord, i) : zero;
   /* 1D arrays have the layer after x. */
   if (dim == NIR_DIM_1D && is_array) {
      e.place[2] = e.place[1];
      e.place[1] = zero;
   }
   struct nir_def *words = agx_descriptor_words(image, AGX_STORAGE_ADDRESS, 4);
   e.level = (struct agx_nir_level){
      .start = nir_pack_64_2x32(b, nir_channels(b, words, 3)),
      .layer_B = nir_ishl_imm(b, nir_u2u64(b, nir_channel(b, words, 2)), 7),
      .tiles = nir_channel(b, words, 3),
      .row_B = nir_ishl_imm(b, nir_iand_imm(b, nir_channel(b, words, 3), (1u << AGX_TILES_WIDTH) - 1), 4),
      .level = dim == NIR_DIM_BUF ? zero : agx_descriptor_words(image, AGX_STORAGE_LEVEL, 1),
      .straight = true, /* blocks are being walked */
   };
   if (dim == NIR_DIM_MS) {
      e.sample.number = nir_u2uN(b, instr->src[2].def, 32);
      e.sample.count_log2 = agx_image_samples_log2(l, image);
   }
   return e;
}

/* The address of an element for an atomic; nowhere if it is outside of the image. */
static struct nir_def *
atomic_address(struct lower_descriptors *l, const struct aux_descriptor *image,
               const struct nir_intrinsic_instr *instr)
{
   struct nir_builder *b = &l->d.b;
   struct element e = element_of(l, image, instr);
   struct nir_def *address;

   if (nir_intrinsic_image_dim(instr) == NIR_DIM_BUF)
      address = nir_iadd(b, e.level.start, nir_u2u64(b, nir_ishl_imm(b, e.place[0], 2)));
   else
      address = agx_nir_element_address(b, &e.level, e.place);
   if (e.sample.number)
      address = nir_iadd(b, address, nir_u2u64(b, nir_ishl_imm(b, e.sample.number, 2)));
   return nir_bcsel(b, e.inside, address, nir_imm_int64(b, (int64_t)l->rules->nowhere));
}

/* Stores go another way than loads: an invocation that loads what it has stored must wait for it. */
static void
fence_images(struct lower_descriptors *l)
{
   if (l->loads_images && !mutant("agx-image-fence-missing"))
      nir_barrier(&l->d.b, .execution_scope = NIR_SCOPE_NONE, .memory_scope = NIR_SCOPE_WORKGROUP,
                  .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_UNIFORM);
}

static struct nir_def *
lower_atomic(struct lower_descriptors *l, const struct nir_intrinsic_instr *instr, struct nir_def *address)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *before;

   if (instr->op == NIR_INTRINSIC_image_deref_atomic)
      before = nir_global_atomic(b, address, instr->src[3].def, .access = nir_intrinsic_access(instr),
                                 .atomic_op = nir_intrinsic_atomic_op(instr));
   else
      before =
         nir_global_atomic_swap(b, address, instr->src[3].def, instr->src[4].def,
                                .access = nir_intrinsic_access(instr), .atomic_op = nir_intrinsic_atomic_op(instr));
   fence_images(l);
   return before;
}

/* The pixel back end's coordinates. */
static void
lower_store(struct lower_descriptors *l, const struct nir_intrinsic_instr *instr, const struct aux_descriptor *image)
{
   struct nir_builder *b = &l->d.b;
   enum nir_image_dim dim = nir_intrinsic_image_dim(instr);
   bool is_array = nir_intrinsic_image_array(instr);
   struct nir_def *at = instr->src[1].def;

   if (dim == NIR_DIM_BUF) {
      at = agx_texel_coord(l, image, nir_channel(b, at, 0));
      dim = NIR_DIM_2D;
   } else if (dim == NIR_DIM_MS) {
      struct element e = element_of(l, image, instr);

      at = agx_outside_unless(b, e.inside, agx_nir_sample_place(b, &e.level, e.place, &e.sample));
      at = nir_resize_vector(b, at, 4);
      dim = NIR_DIM_2D;
      is_array = true;
   }
   nir_image_store_agx(b, agx_descriptor_handle(l, image, AGX_STORAGE_PBE), at, instr->src[2].def,
                       nir_resize_vector(b, instr->src[3].def, 4), nir_imm_int(b, 0), .image_dim = dim,
                       .image_array = is_array, .access = nir_intrinsic_access(instr));
   fence_images(l);
}

static struct nir_def *
lower_image(struct lower_descriptors *l, struct nir_intrinsic_instr *instr, const struct aux_descriptor *image)
{
   struct nir_builder *b = &l->d.b;
   enum nir_image_dim dim = nir_intrinsic_image_dim(instr);
   bool array = nir_intrinsic_image_array(instr), buffer = dim == NIR_DIM_BUF;
   bool has_coord = instr->op != NIR_INTRINSIC_image_deref_size && instr->op != NIR_INTRINSIC_image_deref_samples;
   struct nir_def *coord = has_coord ? instr->src[1].def : NULL;
   enum nir_image_dim seen = buffer ? NIR_DIM_2D : dim;
   struct nir_def *at = coord && buffer ? agx_texel_coord(l, image, nir_channel(b, coord, 0)) : coord;

#define IMAGE .image_dim = seen, .image_array = array, .access = nir_intrinsic_access(instr)
   switch ((int)instr->op) {
   case NIR_INTRINSIC_image_deref_load:
      at = buffer ? at : agx_check_layer(l, image, dim, array, at);
      return nir_resize_vector(b,
                               nir_image_load_agx(b, instr->def.bit_size, agx_descriptor_handle(l, image, 0), at,
                                                  instr->src[2].def, buffer ? nir_imm_int(b, 0) : instr->src[3].def,
                                                  IMAGE),
                               instr->def.num_components);
   case NIR_INTRINSIC_image_deref_residency:
      if (buffer)
         return agx_texel_residency(l, image, nir_channel(b, coord, 0));
      return nir_image_residency_agx(b, agx_descriptor_handle(l, image, 0), at, instr->src[2].def, instr->src[3].def,
                                     IMAGE);
   case NIR_INTRINSIC_image_deref_store:
      lower_store(l, instr, image);
      return NULL;
   case NIR_INTRINSIC_image_deref_atomic:
   case NIR_INTRINSIC_image_deref_atomic_swap:
      return lower_atomic(l, instr, atomic_address(l, image, instr));
   case NIR_INTRINSIC_image_deref_size:
      return nir_resize_vector(b, agx_image_size(l, image, dim, array, NULL), instr->def.num_components);
   default: /* others: image_deref_samples, all that is left */
      return agx_image_samples(l, image);
   }
#undef IMAGE
}

bool
agx_nir_lower_storage_image(struct lower_descriptors *l, struct nir_intrinsic_instr *instr)
{
   struct aux_descriptor image;
   struct nir_def *result;

   l->d.b.cursor = nir_before_instr(&instr->instr);
   if (!aux_find_deref(&l->d, instr->src[0].def, &image))
      return false;
   result = lower_image(l, instr, &image);
   if (result)
      nir_def_replace(&instr->def, result);
   nir_instr_remove(&instr->instr);
   return true;
}
