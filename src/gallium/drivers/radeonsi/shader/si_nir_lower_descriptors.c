#include "amd/common/ac_descriptor.h"
#include "gallium/auxiliary/aux_nir_descriptors.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"
#include "gallium/drivers/radeonsi/shader/si_task.h"
#include "util/macros.h"
#include "util/mutant.h"

/* count dwords at a byte offset from a pointer's low half. */
static struct nir_def *
load_at(struct nir_builder *b, uint32_t address32_hi, struct nir_def *low, struct nir_def *offset_B, unsigned count)
{
   struct nir_def *halves[2] = {low, nir_imm_int(b, (int32_t)address32_hi)};
   struct nir_def *address = nir_pack_64_2x32(b, nir_vec(b, halves, 2));

   return nir_load_global_constant(b, count, 32, address, offset_B, .access = NIR_ACCESS_CAN_REORDER, .align_mul = 4);
}

struct nir_def *
si_nir_load_table(struct nir_builder *b, uint32_t address32_hi, unsigned sgpr, struct nir_def *offset_B,
                  unsigned count)
{
   return load_at(b, address32_hi, nir_load_scalar_arg(b, 1, .base = (int32_t)sgpr), offset_B, count);
}

struct lower {
   struct aux_nir_descriptors d;
   uint32_t address32_hi, buffer_word3;
   uint32_t direct_sets; /* that have an SGPR each */
   bool stores_spoil_loads;
};

/* The low half of the address of what a descriptor lies in. */
static struct nir_def *
base_of(struct lower *l, const struct aux_descriptor *place)
{
   struct nir_builder *b = place->b;

   if (place->is_dynamic)
      return nir_load_scalar_arg(b, 1, .base = SI_SGPR_DYNAMIC_BUFFERS);
   if (place->set < l->direct_sets)
      return nir_load_scalar_arg(b, 1, .base = (int32_t)(SI_SGPR_SETS + place->set));
   return si_nir_load_table(b, l->address32_hi, SI_SGPR_MORE_SETS,
                            nir_imm_int(b, 4 * (int32_t)(place->set - l->direct_sets)), 1);
}

/* Four words of a descriptor, from a byte offset on. */
static struct nir_def *
load_words(struct lower *l, const struct aux_descriptor *place, uint32_t inside_B)
{
   return load_at(place->b, l->address32_hi, base_of(l, place), aux_descriptor_offset(place, inside_B), 4);
}

/* The V# of bytes in the set. */
static struct nir_def *
inline_block(struct lower *l, const struct aux_descriptor *place)
{
   struct nir_builder *b = place->b;
   struct nir_def *words[AC_BUFFER_DESCRIPTOR_DW] = {
      nir_iadd(b, base_of(l, place), place->offset_B),
      nir_imm_int(b, (int32_t)S_SQ_BUF_RSRC_WORD1_BASE_ADDRESS_HI(l->address32_hi)),
      nir_imm_int(b, (int32_t)place->binding->count),
      nir_imm_int(b, (int32_t)l->buffer_word3),
   };

   return nir_vec(b, words, ARRAY_SIZE(words));
}

/* The V# of a vulkan_resource_index. */
static struct nir_def *
load_buffer(struct lower *l, struct nir_def *resource)
{
   struct aux_descriptor place;

   if (!aux_find_buffer(&l->d, resource, &place))
      return NULL;
   return place.binding->kind == PIPE_DESCRIPTOR_INLINE_UNIFORM_BLOCK ? inline_block(l, &place)
                                                                      : load_words(l, &place, 0);
}

static bool
lower_buffer_source(struct lower *l, struct nir_intrinsic_instr *instr, unsigned src)
{
   struct nir_def *words;

   l->d.b.cursor = nir_before_instr(&instr->instr);
   words = load_buffer(l, instr->src[src].def);
   if (words)
      nir_src_rewrite(&instr->src[src], words);
   return words != NULL;
}

struct words_of_image {
   struct nir_def *low, *high;
};

static bool
load_image(struct lower *l, struct nir_def *deref, struct words_of_image *words)
{
   struct aux_descriptor place;

   if (!aux_find_deref(&l->d, deref, &place))
      return false;
   words->low = load_words(l, &place, 0);
   words->high = nir_as_deref(deref->parent)->type->dim == NIR_DIM_BUF ? words->low : load_words(l, &place, 16);
   return true;
}

static struct nir_def *
load_sampler(struct lower *l, struct nir_def *deref)
{
   struct aux_descriptor place;

   if (!aux_find_deref(&l->d, deref, &place))
      return NULL;
   return load_words(l, &place, aux_is_lone_sampler(&place, deref) ? 0 : 4 * AC_IMAGE_DESCRIPTOR_DW);
}

/* Adds a source to an instruction that is in place. */
static void
attach_src(struct nir_tex_instr *tex, enum nir_tex_src_type type, struct nir_def *def)
{
   struct nir_tex_src *src = &tex->src[tex->num_srcs++];

   src->type = type;
   nir_src_init(&src->src, def);
   src->src.parent_instr = &tex->instr;
   list_add_tail(&src->src.use_link, &def->uses);
}

/* Sizes, levels and samples of null images are 0. Source: RADV takes a second word of 0 for a null descriptor. */
static struct nir_def *
zero_if_null(struct nir_builder *b, const struct words_of_image *words, struct nir_def *result)
{
   struct nir_def *is_null = nir_ieq_imm(b, nir_channel(b, words->low, 1), 0), *parts[4];

   for (unsigned i = 0; i < result->num_components; i++)
      parts[i] = nir_bcsel(b, is_null, nir_imm_int(b, 0), nir_channel(b, result, i));
   return nir_vec(b, parts, result->num_components);
}

static bool
is_query(const struct nir_tex_instr *tex)
{
   return tex->dim != NIR_DIM_BUF &&
          (tex->op == NIR_TXS || tex->op == NIR_QUERY_LEVELS || tex->op == NIR_TEXTURE_SAMPLES);
}

/* The uses move to the new value, whose sources come after them. */
static void
zero_query_of_null(struct lower *l, struct nir_tex_instr *tex, const struct words_of_image *words)
{
   struct list_head uses;

   list_init(&uses);
   list_append_all(&uses, &tex->def.uses);
   l->d.b.cursor = nir_after_instr(&tex->instr);
   struct nir_def *result = zero_if_null(&l->d.b, words, &tex->def);
   list_for_each(struct nir_src, use, &uses, use_link)
      use->def = result;
   list_append_all(&result->uses, &uses);
}

static bool
lower_tex(struct lower *l, struct nir_tex_instr *tex)
{
   struct words_of_image words = {0};

   l->d.b.cursor = nir_before_instr(&tex->instr);
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      struct nir_tex_src *src = &tex->src[i];
      struct nir_def *deref = src->src.def;

      if (src->type == NIR_TEX_SRC_TEXTURE_DEREF) {
         if (!load_image(l, deref, &words))
            return false;
         nir_src_rewrite(&src->src, words.low);
         src->type = NIR_TEX_SRC_TEXTURE_DESC;
         if (tex->dim != NIR_DIM_BUF)
            attach_src(tex, NIR_TEX_SRC_TEXTURE_DESC_HI, words.high);
      } else if (src->type == NIR_TEX_SRC_SAMPLER_DEREF) {
         struct nir_def *sampler = load_sampler(l, deref);

         if (!sampler)
            return false;
         nir_src_rewrite(&src->src, sampler);
         src->type = NIR_TEX_SRC_SAMPLER_DESC;
      }
   }
   if (is_query(tex))
      zero_query_of_null(l, tex, &words);
   return true;
}

static struct nir_def *
lower_texel_buffer(struct lower *l, struct nir_intrinsic_instr *instr, struct nir_def *words)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *index = instr->op == NIR_INTRINSIC_image_deref_size ? NULL : nir_channel(b, instr->src[1].def, 0);
   struct nir_def *result;

   switch ((int)instr->op) {
   case NIR_INTRINSIC_image_deref_load:
      result = nir_load_texel_buffer(b, instr->def.bit_size, words, index, .access = nir_intrinsic_access(instr));
      return nir_resize_vector(b, result, instr->def.num_components);
   case NIR_INTRINSIC_image_deref_residency:
      return nir_texel_buffer_residency_amd(b, words, index, .access = nir_intrinsic_access(instr));
   case NIR_INTRINSIC_image_deref_store:
      nir_store_texel_buffer(b, words, index, instr->src[3].def, .access = nir_intrinsic_access(instr));
      return NULL;
   case NIR_INTRINSIC_image_deref_atomic:
      return nir_texel_buffer_atomic(b, words, index, instr->src[3].def, .access = nir_intrinsic_access(instr),
                                     .atomic_op = nir_intrinsic_atomic_op(instr));
   case NIR_INTRINSIC_image_deref_atomic_swap:
      return nir_texel_buffer_atomic_swap(b, words, index, instr->src[3].def, instr->src[4].def,
                                          .access = nir_intrinsic_access(instr),
                                          .atomic_op = nir_intrinsic_atomic_op(instr));
   default: /* others: image_deref_size, all that is left of lower_image_intrinsic() for a buffer */
      return nir_texel_buffer_size(b, words);
   }
}

static struct nir_def *
lower_image(struct lower *l, struct nir_intrinsic_instr *instr, const struct words_of_image *words)
{
   struct nir_builder *b = &l->d.b;
   enum nir_image_dim dim = nir_intrinsic_image_dim(instr);
   bool array = nir_intrinsic_image_array(instr);
   uint32_t format = nir_intrinsic_format(instr), access = nir_intrinsic_access(instr);
   struct nir_def *lo = words->low, *hi = words->high;

#define IMAGE .image_dim = dim, .image_array = array, .format = format, .access = access
   switch ((int)instr->op) {
   case NIR_INTRINSIC_image_deref_load:
      return nir_image_load(b, instr->def.num_components, instr->def.bit_size, lo, hi, instr->src[1].def,
                            instr->src[2].def, instr->src[3].def, IMAGE);
   case NIR_INTRINSIC_image_deref_residency:
      return nir_image_residency_amd(b, lo, hi, instr->src[1].def, instr->src[2].def, instr->src[3].def, IMAGE);
   case NIR_INTRINSIC_image_deref_store:
      nir_image_store(b, lo, hi, instr->src[1].def, instr->src[2].def, instr->src[3].def, instr->src[4].def, IMAGE,
                      .src_type = nir_intrinsic_src_type(instr));
      return NULL;
   case NIR_INTRINSIC_image_deref_atomic:
      return nir_image_atomic(b, lo, hi, instr->src[1].def, instr->src[2].def, instr->src[3].def, IMAGE,
                              .atomic_op = nir_intrinsic_atomic_op(instr));
   case NIR_INTRINSIC_image_deref_atomic_swap:
      return nir_image_atomic_swap(b, lo, hi, instr->src[1].def, instr->src[2].def, instr->src[3].def,
                                   instr->src[4].def, IMAGE, .atomic_op = nir_intrinsic_atomic_op(instr));
   case NIR_INTRINSIC_image_deref_size:
      return zero_if_null(b, words, nir_image_size(b, instr->def.num_components, lo, hi, instr->src[1].def, IMAGE));
   default: /* others: image_deref_samples, all that is left of lower_image_intrinsic() */
      return zero_if_null(b, words, nir_image_samples(b, lo, hi, IMAGE));
   }
#undef IMAGE
}

/* Erratum image-load-dcc: loads may not know that stores compress. */
static void
hide_compressed_stores(struct nir_builder *b, struct words_of_image *words)
{
   struct nir_def *high[4];

   for (unsigned i = 0; i < 4; i++)
      high[i] = nir_channel(b, words->high, i);
   high[2] = nir_iand_imm(b, high[2], C_SQ_IMG_RSRC_WORD6_WRITE_COMPRESS_ENABLE);
   words->high = nir_vec(b, high, 4);
}

/* A residency code comes with the texel, if all sources are the same. */
static bool
loads_image(const struct nir_intrinsic_instr *instr)
{
   return instr->op == NIR_INTRINSIC_image_deref_load || instr->op == NIR_INTRINSIC_image_deref_residency;
}

static bool
lower_image_intrinsic(struct lower *l, struct nir_intrinsic_instr *instr)
{
   struct words_of_image words = {0};
   struct nir_def *result;

   l->d.b.cursor = nir_before_instr(&instr->instr);
   if (!load_image(l, instr->src[0].def, &words))
      return false;
   if (l->stores_spoil_loads && loads_image(instr) && nir_intrinsic_image_dim(instr) != NIR_DIM_BUF &&
       !mutant("loads-spoilt"))
      hide_compressed_stores(&l->d.b, &words);
   if (nir_intrinsic_image_dim(instr) == NIR_DIM_BUF)
      result = lower_texel_buffer(l, instr, words.low);
   else
      result = lower_image(l, instr, &words);
   if (result)
      nir_def_replace(&instr->def, result);
   nir_instr_remove(&instr->instr);
   return true;
}

static void
lower_push_constant(struct lower *l, struct nir_intrinsic_instr *instr)
{
   struct nir_builder *b = nir_src_is_const(instr->src[0]) ? &l->d.top : &l->d.b;
   struct nir_def *at;

   l->d.b.cursor = nir_before_instr(&instr->instr);
   if (b == &l->d.top)
      at = nir_imm_int(b, (int32_t)nir_src_comp_as_uint(instr->src[0], 0) + nir_intrinsic_base(instr));
   else
      at = nir_iadd_imm(b, instr->src[0].def, nir_intrinsic_base(instr));
   struct nir_def *halves[2] = {
      nir_load_scalar_arg(b, 1, .base = SI_SGPR_PUSH_CONSTANTS),
      nir_imm_int(b, (int32_t)l->address32_hi),
   };
   struct nir_def *address = nir_pack_64_2x32(b, nir_vec(b, halves, 2));
   struct nir_def *value = nir_load_global_constant(
      b, instr->def.num_components, instr->def.bit_size, address, at, .access = NIR_ACCESS_CAN_REORDER,
      .align_mul = nir_intrinsic_align_mul(instr), .align_offset = nir_intrinsic_align_offset(instr));
   nir_def_replace(&instr->def, value);
   nir_instr_remove(&instr->instr);
}

static bool
lower_intrinsic(struct lower *l, struct nir_intrinsic_instr *instr)
{
   switch ((int)instr->op) {
   case NIR_INTRINSIC_load_ubo:
   case NIR_INTRINSIC_load_ssbo:
   case NIR_INTRINSIC_ssbo_atomic:
   case NIR_INTRINSIC_ssbo_atomic_swap:
   case NIR_INTRINSIC_get_ssbo_size:
      return lower_buffer_source(l, instr, 0);
   case NIR_INTRINSIC_store_ssbo:
      return lower_buffer_source(l, instr, 1);
   case NIR_INTRINSIC_image_deref_load:
   case NIR_INTRINSIC_image_deref_residency:
   case NIR_INTRINSIC_image_deref_store:
   case NIR_INTRINSIC_image_deref_atomic:
   case NIR_INTRINSIC_image_deref_atomic_swap:
   case NIR_INTRINSIC_image_deref_size:
   case NIR_INTRINSIC_image_deref_samples:
      return lower_image_intrinsic(l, instr);
   case NIR_INTRINSIC_load_push_constant:
      lower_push_constant(l, instr);
      return true;
   default: /* others: without a descriptor */
      return true;
   }
}

bool
si_nir_lower_descriptors(struct nir_shader *shader, const struct si_nir_options *options, const char **error)
{
   struct lower l = {.d = {.layout = options->layout,
                           .dynamic_stride_B = 4 * AC_BUFFER_DESCRIPTOR_DW,
                           .used_sets = options->used_sets,
                           .error = error},
                     .address32_hi = options->address32_hi,
                     .buffer_word3 = options->buffer_word3,
                     .direct_sets = shader->stage == NIR_STAGE_TASK ? SI_TASK_DIRECT_SETS : SI_SGPR_SETS_COUNT,
                     .stores_spoil_loads = options->stores_spoil_loads};

   aux_nir_descriptors_init(&l.d, shader);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         bool ok = true;

         if (instr->type == NIR_INSTR_TEX)
            ok = lower_tex(&l, nir_as_tex(instr));
         else if (instr->type == NIR_INSTR_INTRINSIC)
            ok = lower_intrinsic(&l, nir_as_intrinsic(instr));
         if (!ok)
            return false;
      }
   }
   return true;
}
