#include "asahi/compiler/agx.h"
#include "gallium/auxiliary/aux_nir_descriptors.h"
#include "gallium/drivers/asahi/nir/agx_nir.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "util/macros.h"
#include "util/mutant.h"

struct lower {
   struct aux_nir_descriptors d;
   bool loads_images; /* storage images, somewhere */
   const struct agx_descriptor_rules *rules;
   struct agx_nir_border *borders; /* a list */
};

static struct nir_def *
load_words(const struct aux_descriptor *place, unsigned first, unsigned count)
{
   struct nir_builder *b = place->b;
   struct nir_def *base = place->is_dynamic ? agx_nir_address_arg(b, AGX_TABLE_ADDRESSES, 2 * AGX_TABLE_DYNAMIC)
                                            : agx_nir_address_arg(b, AGX_TABLE_SETS, 2 * place->set);

   return nir_load_global_constant(b, count, 32, base, aux_descriptor_offset(place, 4 * first),
                                   .access = NIR_ACCESS_CAN_REORDER, .align_mul = 4);
}

/* ---- buffers ---- */

/* The words of a buffer in the set. */
static struct nir_def *
inline_block(const struct aux_descriptor *place)
{
   struct nir_builder *b = place->b;
   struct nir_def *base = agx_nir_address_arg(b, AGX_TABLE_SETS, 2 * place->set);
   struct nir_def *address = nir_unpack_64_2x32(b, nir_iadd(b, base, nir_u2u64(b, place->offset_B)));
   struct nir_def *words[AGX_BUFFER_DESCRIPTOR_DW] = {nir_channel(b, address, 0), nir_channel(b, address, 1),
                                                      nir_imm_int(b, (int32_t)place->binding->count),
                                                      nir_imm_int(b, 0)};

   return nir_vec(b, words, ARRAY_SIZE(words));
}

/* The words of a vulkan_resource_index. */
static struct nir_def *
load_buffer(struct lower *l, struct nir_def *resource)
{
   struct aux_descriptor place;

   if (!aux_find_buffer(&l->d, resource, &place))
      return NULL;
   if (place.binding->kind == PIPE_DESCRIPTOR_INLINE_UNIFORM_BLOCK)
      return inline_block(&place);
   /* The table of dynamic buffers is pushed word by word where it is known which. */
   if (place.is_dynamic && place.b == &l->d.top)
      return agx_nir_arg(place.b, AGX_TABLE_DYNAMIC, nir_as_load_const(place.offset_B->parent)->value[0].u32 / 4,
                         AGX_BUFFER_DESCRIPTOR_DW);
   return load_words(&place, 0, AGX_BUFFER_DESCRIPTOR_DW);
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

/* ---- images ---- */

/* How shaders name a descriptor to the texture unit. word: where its record begins. */
static struct nir_def *
handle_of(struct lower *l, const struct aux_descriptor *place, unsigned word)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *parts[2] = {
      nir_imm_int(b, AGX_SET_UNIFORM(place->set)),
      nir_iadd_imm(b, place->offset_B, 4 * word),
   };

   return nir_vec(b, parts, 2);
}

/* The place of a texel of a buffer in the image that stands for it; outside of the buffer it is outside of the
 * image. */
static struct nir_def *
texel_coord(struct lower *l, const struct aux_descriptor *place, struct nir_def *index)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *inside = nir_ult(b, index, load_words(place, AGX_TEXTURE_SIZE, 1));
   struct nir_def *at = nir_bcsel(b, inside, index, nir_imm_int(b, -1)), *zero = nir_imm_int(b, 0);
   struct nir_def *parts[4] = {nir_iand_imm(b, at, (1 << AGX_TEXEL_ROW_LOG2) - 1),
                               nir_ushr_imm(b, at, AGX_TEXEL_ROW_LOG2), zero, zero};

   return nir_vec(b, parts, 4);
}

/* The residency code of a texel of a buffer: 0 if it has memory, or is outside. Units of the hardware cannot tell. */
static struct nir_def *
texel_residency(struct lower *l, const struct aux_descriptor *place, struct nir_def *index)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *words = load_words(place, AGX_TEXTURE_SOFTWARE, 4), *zero = nir_imm_int(b, 0);
   struct nir_def *is_sparse = nir_ine_imm(b, nir_channel(b, words, 1), 0);
   struct nir_def *asks = nir_iand(b, is_sparse, nir_ult(b, index, nir_channel(b, words, 2)));
   struct nir_def *place_B = nir_iand_imm(b, nir_imul(b, index, nir_channel(b, words, 3)), ~3u);
   struct nir_def *at = nir_iadd(b, nir_pack_64_2x32(b, nir_channels(b, words, 3)), nir_u2u64(b, place_B));
   struct nir_def *there = nir_load_global(b, 1, 32, nir_bcsel(b, asks, at, nir_imm_int64(b, 0)), .align_mul = 4);

   return nir_bcsel(b, nir_iand(b, asks, nir_ieq_imm(b, there, 0)), nir_imm_int(b, 1), zero);
}

static struct nir_def *
minify(struct nir_builder *b, struct nir_def *size, struct nir_def *lod)
{
   return lod ? nir_umax(b, nir_ushr(b, size, lod), nir_imm_int(b, 1)) : size;
}

/* The numbers of a size query: those of the dimension at a level, then the layers. */
static struct nir_def *
load_size(struct lower *l, const struct aux_descriptor *place, enum nir_image_dim dim, bool is_array,
          struct nir_def *lod)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *words = load_words(place, AGX_TEXTURE_SIZE, 2), *xy = nir_channel(b, words, 0), *parts[3];
   struct nir_def *z = nir_iadd_imm(b, nir_iand_imm(b, nir_channel(b, words, 1), 0xffff), 1);
   struct nir_def *is_null = nir_ige(b, nir_channel(b, words, 1), nir_imm_int(b, 0));
   unsigned count = 0;

   if (dim == NIR_DIM_BUF)
      return xy;
   parts[count++] = minify(b, nir_iadd_imm(b, nir_iand_imm(b, xy, 0xffff), 1), lod);
   if (dim != NIR_DIM_1D)
      parts[count++] = minify(b, nir_iadd_imm(b, nir_ushr_imm(b, xy, 16), 1), lod);
   if (dim == NIR_DIM_3D)
      parts[count++] = minify(b, z, lod);
   else if (is_array)
      parts[count++] = z;
   for (unsigned i = 0; i < count; i++)
      parts[i] = nir_bcsel(b, is_null, nir_imm_int(b, 0), parts[i]);
   return nir_vec(b, parts, count);
}

static struct nir_def *
load_samples(struct lower *l, const struct aux_descriptor *place)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *word = load_words(place, AGX_TEXTURE_LAYERS, 1);
   struct nir_def *log2 = nir_iand_imm(b, nir_ushr_imm(b, word, 20), 15);

   return nir_ishl(b, nir_ushr_imm(b, word, 31), log2);
}

static struct nir_def *
load_levels(struct lower *l, const struct aux_descriptor *place)
{
   struct nir_builder *b = &l->d.b;

   return nir_iand_imm(b, nir_ushr_imm(b, load_words(place, AGX_TEXTURE_LAYERS, 1), 16), 15);
}

/* ---- places outside of an image ---- */

/* The unit reads garbage from layers outside and the last level for levels outside; x outside of all reads as zero.
 */
static struct nir_def *
outside_unless(struct nir_builder *b, struct nir_def *inside, struct nir_def *coord)
{
   struct nir_def *parts[NIR_MAX_COMPONENTS];

   for (unsigned i = 0; i < coord->num_components; i++)
      parts[i] = nir_channel(b, coord, i);
   parts[0] = nir_bcsel(b, inside, parts[0], nir_imm_intN(b, -1, coord->bit_size));
   return nir_vec(b, parts, coord->num_components);
}

/* Layers of cubes are faces. */
static struct nir_def *
check_layer(struct lower *l, const struct aux_descriptor *place, enum nir_image_dim dim, bool is_array,
            struct nir_def *coord)
{
   struct nir_builder *b = &l->d.b;

   if (dim != NIR_DIM_CUBE && !is_array)
      return coord;
   struct nir_def *layers = nir_iadd_imm(b, nir_iand_imm(b, load_words(place, AGX_TEXTURE_LAYERS, 1), 0xffff), 1);
   struct nir_def *layer = nir_u2uN(b, nir_channel(b, coord, dim == NIR_DIM_1D ? 1 : 2), 32);

   if (dim == NIR_DIM_CUBE)
      layers = is_array ? nir_imul_imm(b, layers, 6) : nir_imm_int(b, 6);
   return outside_unless(b, nir_ult(b, layer, layers), coord);
}

/* ---- textures ---- */

static struct nir_def *
src_of(const struct nir_tex_instr *tex, enum nir_tex_src_type type)
{
   int index = nir_tex_src_index(tex, type);

   return index < 0 ? NULL : tex->src[index].src.def;
}

/* Queries of sizes, levels and samples. */
static struct nir_def *
lower_query(struct lower *l, const struct nir_tex_instr *tex, const struct aux_descriptor *texture)
{
   if (tex->op == NIR_TXS)
      return load_size(l, texture, tex->dim, tex->is_array, src_of(tex, NIR_TEX_SRC_LOD));
   return tex->op == NIR_QUERY_LEVELS ? load_levels(l, texture) : load_samples(l, texture);
}

/* Sets a source of an instruction that is in place. */
static void
set_src(struct nir_tex_instr *tex, enum nir_tex_src_type type, struct nir_def *def)
{
   int index = nir_tex_src_index(tex, type);

   if (index >= 0) {
      nir_src_rewrite(&tex->src[index].src, def);
      return;
   }
   struct nir_tex_src *src = &tex->src[tex->num_srcs++];

   src->type = type;
   nir_src_init(&src->src, def);
   src->src.parent_instr = &tex->instr;
   list_add_tail(&src->src.use_link, &def->uses);
}

static void
drop_src(struct nir_tex_instr *tex, enum nir_tex_src_type type)
{
   int index = nir_tex_src_index(tex, type);

   if (index < 0)
      return;
   for (int i = index; i + 1 < tex->num_srcs; i++) {
      nir_src_rewrite(&tex->src[i].src, tex->src[i + 1].src.def);
      tex->src[i].type = tex->src[i + 1].type;
   }
   list_remove(&tex->src[--tex->num_srcs].src.use_link);
}

/* Layers of sampled arrays are clamped. */
static void
clamp_layer(struct lower *l, struct nir_tex_instr *tex, const struct aux_descriptor *texture)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *coord = src_of(tex, NIR_TEX_SRC_COORD), *parts[4];
   unsigned last = coord->num_components - 1u;
   struct nir_def *most = nir_iand_imm(b, load_words(texture, AGX_TEXTURE_LAYERS, 1), 0xffff);

   for (unsigned i = 0; i < last; i++)
      parts[i] = nir_channel(b, coord, i);
   struct nir_def *layer = nir_fmax(b, nir_fround_even(b, nir_channel(b, coord, last)), nir_imm_float(b, 0));
   parts[last] = nir_fmin(b, layer, nir_u2f32(b, most));
   set_src(tex, NIR_TEX_SRC_COORD, nir_vec(b, parts, last + 1));
}

/* The hardware's samplers have no bias of levels. Explicit derivatives take it as a factor. */
static void
add_bias(struct lower *l, struct nir_tex_instr *tex, const struct aux_descriptor *sampler, unsigned word)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *bias;

   if (tex->op != NIR_TEX && tex->op != NIR_TXB && tex->op != NIR_TXL && tex->op != NIR_TXD && tex->op != NIR_LOD)
      return;
   bias = load_words(sampler, word + 1, 1);
   if (tex->op == NIR_TXD) {
      struct nir_def *factor = nir_fexp2(b, bias);

      set_src(tex, NIR_TEX_SRC_DDX, nir_fmul(b, src_of(tex, NIR_TEX_SRC_DDX), factor));
      set_src(tex, NIR_TEX_SRC_DDY, nir_fmul(b, src_of(tex, NIR_TEX_SRC_DDY), factor));
      return;
   }
   enum nir_tex_src_type type = tex->op == NIR_TXL ? NIR_TEX_SRC_LOD : NIR_TEX_SRC_BIAS;
   struct nir_def *own = src_of(tex, type);

   set_src(tex, type, own ? nir_fadd(b, own, bias) : bias);
   if (tex->op == NIR_TEX)
      tex->op = NIR_TXB;
}

static bool
biases(const struct aux_descriptor *sampler)
{
   struct pipe_sampler *const *fixed = sampler->binding->immutable_samplers;

   for (unsigned i = 0; fixed && i < sampler->binding->count; i++) {
      if (agx_pipe_sampler(fixed[i])->lod_bias != 0)
         return true;
   }
   return !fixed;
}

static bool
has_custom_border(const struct aux_descriptor *sampler)
{
   struct pipe_sampler *const *fixed = sampler->binding->immutable_samplers;

   for (unsigned i = 0; fixed && i < sampler->binding->count; i++) {
      if (agx_pipe_sampler(fixed[i])->has_custom_border)
         return true;
   }
   return !fixed;
}

/* What is compared has one of the hardware's borders. */
static void
note_border(struct lower *l, struct nir_tex_instr *tex, const struct aux_descriptor *sampler, unsigned word)
{
   struct nir_builder *b = &l->d.b;
   struct agx_nir_border *border;

   if (!l->rules->custom_borders || tex->is_shadow || tex->is_sparse || tex->op == NIR_LOD ||
       !has_custom_border(sampler))
      return;
   border = arena_new(b->shader->arena, struct agx_nir_border);
   border->tex = tex;
   border->words = load_words(sampler, word + AGX_SAMPLER_ZEROS, 2);
   border->color = load_words(sampler, word + AGX_SAMPLER_BORDER, 4);
   border->next = l->borders;
   l->borders = border;
}

static bool
lower_sampler(struct lower *l, struct nir_tex_instr *tex, struct nir_def *deref)
{
   struct nir_builder *b = &l->d.b;
   struct aux_descriptor sampler;

   if (!aux_find_deref(&l->d, deref, &sampler))
      return false;
   unsigned word = aux_is_lone_sampler(&sampler, deref) ? 0 : AGX_TEXTURE_DESCRIPTOR_DW;
   struct nir_def *parts[2] = {nir_imm_int(b, AGX_HANDLE_HEAP), load_words(&sampler, word, 1)};

   drop_src(tex, NIR_TEX_SRC_SAMPLER_DEREF);
   set_src(tex, NIR_TEX_SRC_SAMPLER_HANDLE, nir_vec(b, parts, 2));
   if (biases(&sampler))
      add_bias(l, tex, &sampler, word);
   note_border(l, tex, &sampler, word);
   return true;
}

/* A step along the axes of a cube's face that the direction `coord` meets, d = (ds, dt) in faces, as one of the
 * direction: in the plane of the face, where the major axis does not change. */
static struct nir_def *
direction_derivative(struct nir_builder *b, struct nir_def *coord, struct nir_def *d)
{
   struct nir_def *face = nir_channel(b, nir_cube_face(b, coord), 3), *size[3];
   struct nir_def *is_x = nir_flt_imm(b, face, 1.5f), *is_z = nir_fge_imm(b, face, 3.5f);
   struct nir_def *is_minus =
      nir_ior(b, nir_ior(b, nir_feq_imm(b, face, 1), nir_feq_imm(b, face, 3)), nir_feq_imm(b, face, 5));
   struct nir_def *sign = nir_bcsel(b, is_minus, nir_imm_float(b, -1), nir_imm_float(b, 1)),
                  *zero = nir_imm_float(b, 0);

   for (unsigned i = 0; i < 3; i++)
      size[i] = nir_fabs(b, nir_channel(b, coord, i));
   struct nir_def *major = nir_fmax(b, nir_fmax(b, size[0], size[1]), size[2]);
   struct nir_def *scale = nir_fmul_imm(b, major, 2);
   struct nir_def *s = nir_fmul(b, nir_channel(b, d, 0), scale), *t = nir_fmul(b, nir_channel(b, d, 1), scale);
   struct nir_def *parts[3] = {
      nir_bcsel(b, is_x, zero, nir_bcsel(b, is_z, nir_fmul(b, s, sign), s)),
      nir_bcsel(b, nir_ior(b, is_x, is_z), nir_fneg(b, t), zero),
      nir_bcsel(b, is_x, nir_fneg(b, nir_fmul(b, s, sign)), nir_bcsel(b, is_z, zero, nir_fmul(b, t, sign))),
   };
   return nir_vec(b, parts, 3);
}

/* Explicit derivatives of cube maps. nir_lower_tex() makes them derivatives on a face, as other hardware wants them;
 * this one takes those of the direction. With a fourth component they are none of nir_lower_tex()'s business, up to
 * agx_nir_trim_cube_derivatives(). */
/* Of a fetch. */
static void
check_place(struct lower *l, struct nir_tex_instr *tex, const struct aux_descriptor *texture)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *coord = check_layer(l, texture, tex->dim, tex->is_array, src_of(tex, NIR_TEX_SRC_COORD));
   int level = nir_tex_src_index(tex, NIR_TEX_SRC_LOD);

   if (level >= 0 && !(nir_src_is_const(tex->src[level].src) && !nir_src_comp_as_uint(tex->src[level].src, 0)))
      coord = outside_unless(b, nir_ult(b, nir_u2uN(b, tex->src[level].src.def, 32), load_levels(l, texture)), coord);
   set_src(tex, NIR_TEX_SRC_COORD, coord);
}

static void
keep_cube_derivatives(struct lower *l, struct nir_tex_instr *tex)
{
   static const enum nir_tex_src_type types[] = {NIR_TEX_SRC_DDX, NIR_TEX_SRC_DDY};
   struct nir_def *coord = nir_channels(&l->d.b, src_of(tex, NIR_TEX_SRC_COORD), 7);

   for (unsigned i = 0; i < ARRAY_SIZE(types); i++) {
      struct nir_def *d = src_of(tex, types[i]);

      if (d->num_components == 2)
         d = direction_derivative(&l->d.b, coord, d);
      set_src(tex, types[i], nir_resize_vector(&l->d.b, d, 4));
   }
}

void
agx_nir_trim_cube_derivatives(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_TEX || nir_as_tex(instr)->op != NIR_TXD ||
             nir_as_tex(instr)->dim != NIR_DIM_CUBE)
            continue;
         struct nir_tex_instr *tex = nir_as_tex(instr);
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));

         set_src(tex, NIR_TEX_SRC_DDX, nir_channels(&b, src_of(tex, NIR_TEX_SRC_DDX), 7));
         set_src(tex, NIR_TEX_SRC_DDY, nir_channels(&b, src_of(tex, NIR_TEX_SRC_DDY), 7));
      }
   }
}

static bool
lower_tex(struct lower *l, struct nir_tex_instr *tex)
{
   struct nir_def *deref = src_of(tex, NIR_TEX_SRC_TEXTURE_DEREF), *sampler = src_of(tex, NIR_TEX_SRC_SAMPLER_DEREF);
   bool fetch = tex->op == NIR_TXF || tex->op == NIR_TXF_MS;
   struct aux_descriptor texture;

   l->d.b.cursor = nir_before_instr(&tex->instr);
   if (!aux_find_deref(&l->d, deref, &texture))
      return false;
   if (tex->op == NIR_TXS || tex->op == NIR_QUERY_LEVELS || tex->op == NIR_TEXTURE_SAMPLES) {
      nir_def_replace(&tex->def, lower_query(l, tex, &texture));
      nir_instr_remove(&tex->instr);
      return true;
   }
   if (tex->dim == NIR_DIM_BUF && tex->is_sparse) {
      struct nir_def *index = nir_channel(&l->d.b, src_of(tex, NIR_TEX_SRC_COORD), 0);

      nir_def_replace(&tex->def, texel_residency(l, &texture, index));
      nir_instr_remove(&tex->instr);
      return true;
   }
   if (tex->dim == NIR_DIM_BUF) {
      struct nir_def *coord = texel_coord(l, &texture, nir_channel(&l->d.b, src_of(tex, NIR_TEX_SRC_COORD), 0));

      set_src(tex, NIR_TEX_SRC_COORD, nir_channels(&l->d.b, coord, 3));
      drop_src(tex, NIR_TEX_SRC_LOD);
      tex->dim = NIR_DIM_2D;
   } else if (fetch) {
      check_place(l, tex, &texture);
   } else if (tex->is_array && tex->op != NIR_LOD) {
      clamp_layer(l, tex, &texture);
   }
   if (tex->op == NIR_TXD && tex->dim == NIR_DIM_CUBE)
      keep_cube_derivatives(l, tex);
   drop_src(tex, NIR_TEX_SRC_TEXTURE_DEREF);
   set_src(tex, NIR_TEX_SRC_TEXTURE_HANDLE, handle_of(l, &texture, 0));
   if (fetch)
      drop_src(tex, NIR_TEX_SRC_SAMPLER_DEREF);
   else if (sampler)
      return lower_sampler(l, tex, sampler);
   return true;
}

/* ---- storage images ---- */

/* The address of an element for an atomic; nowhere if it is outside of the image. */
static struct nir_def *
atomic_address(struct lower *l, const struct aux_descriptor *image, enum nir_image_dim dim, bool is_array,
               struct nir_def *coord)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *size = load_size(l, image, dim, is_array, NULL), *inside = NULL, *parts[3];
   struct nir_def *zero = nir_imm_int(b, 0);
   unsigned count = size->num_components;

   for (unsigned i = 0; i < 3; i++)
      parts[i] = i < count ? nir_channel(b, coord, i) : zero;
   for (unsigned i = 0; i < count; i++) {
      struct nir_def *end = nir_channel(b, size, i), *in;

      /* Layers of cube arrays are faces. */
      if (dim == NIR_DIM_CUBE && i == 2)
         end = nir_imul_imm(b, end, 6);
      in = nir_ult(b, parts[i], end);
      inside = inside ? nir_iand(b, inside, in) : in;
   }
   if (dim == NIR_DIM_CUBE && !is_array)
      inside = nir_iand(b, inside, nir_ult_imm(b, parts[2] = nir_channel(b, coord, 2), 6));
   /* 1D arrays have the layer after x. */
   if (dim == NIR_DIM_1D && is_array) {
      parts[2] = parts[1];
      parts[1] = zero;
   }
   struct nir_def *words = load_words(image, AGX_STORAGE_ADDRESS, 4), *address;
   struct nir_def *of_level = dim == NIR_DIM_BUF ? zero : load_words(image, AGX_STORAGE_LEVEL, 1);
   struct agx_nir_level level = {
      .start = nir_pack_64_2x32(b, nir_channels(b, words, 3)),
      .layer_B = nir_ishl_imm(b, nir_u2u64(b, nir_channel(b, words, 2)), 7),
      .tiles = nir_channel(b, words, 3),
      .row_B = nir_ishl_imm(b, nir_iand_imm(b, nir_channel(b, words, 3), (1u << AGX_TILES_WIDTH) - 1), 4),
      .level = of_level,
      .straight = true, /* blocks are being walked */
   };

   if (dim == NIR_DIM_BUF)
      address = nir_iadd(b, level.start, nir_u2u64(b, nir_ishl_imm(b, parts[0], 2)));
   else
      address = agx_nir_element_address(b, &level, parts);
   return nir_bcsel(b, inside, address, nir_imm_int64(b, (int64_t)l->rules->nowhere));
}

/* Stores go another way than loads: an invocation that loads what it has stored must wait for it. */
static void
fence_images(struct lower *l)
{
   if (l->loads_images && !mutant("agx-image-fence-missing"))
      nir_barrier(&l->d.b, .execution_scope = NIR_SCOPE_NONE, .memory_scope = NIR_SCOPE_WORKGROUP,
                  .memory_semantics = NIR_SEMANTICS_ACQUIRE | NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_UNIFORM);
}

static struct nir_def *
lower_atomic(struct lower *l, const struct nir_intrinsic_instr *instr, struct nir_def *address)
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

static struct nir_def *
lower_image(struct lower *l, struct nir_intrinsic_instr *instr, const struct aux_descriptor *image)
{
   struct nir_builder *b = &l->d.b;
   enum nir_image_dim dim = nir_intrinsic_image_dim(instr);
   bool array = nir_intrinsic_image_array(instr), buffer = dim == NIR_DIM_BUF;
   bool has_coord = instr->op != NIR_INTRINSIC_image_deref_size && instr->op != NIR_INTRINSIC_image_deref_samples;
   struct nir_def *coord = has_coord ? instr->src[1].def : NULL;
   enum nir_image_dim seen = buffer ? NIR_DIM_2D : dim;
   struct nir_def *at = coord && buffer ? texel_coord(l, image, nir_channel(b, coord, 0)) : coord;

#define IMAGE .image_dim = seen, .image_array = array, .access = nir_intrinsic_access(instr)
   switch ((int)instr->op) {
   case NIR_INTRINSIC_image_deref_load:
      at = buffer ? at : check_layer(l, image, dim, array, at);
      return nir_resize_vector(b,
                               nir_image_load_agx(b, instr->def.bit_size, handle_of(l, image, 0), at,
                                                  instr->src[2].def, buffer ? nir_imm_int(b, 0) : instr->src[3].def,
                                                  IMAGE),
                               instr->def.num_components);
   case NIR_INTRINSIC_image_deref_residency:
      if (buffer)
         return texel_residency(l, image, nir_channel(b, coord, 0));
      return nir_image_residency_agx(b, handle_of(l, image, 0), at, instr->src[2].def, instr->src[3].def, IMAGE);
   case NIR_INTRINSIC_image_deref_store:
      nir_image_store_agx(b, handle_of(l, image, AGX_STORAGE_PBE), at, instr->src[2].def,
                          nir_resize_vector(b, instr->src[3].def, 4), nir_imm_int(b, 0), IMAGE);
      fence_images(l);
      return NULL;
   case NIR_INTRINSIC_image_deref_atomic:
   case NIR_INTRINSIC_image_deref_atomic_swap:
      return lower_atomic(l, instr, atomic_address(l, image, dim, array, coord));
   case NIR_INTRINSIC_image_deref_size:
      return nir_resize_vector(b, load_size(l, image, dim, array, NULL), instr->def.num_components);
   default: /* others: image_deref_samples, all that is left */
      return load_samples(l, image);
   }
#undef IMAGE
}

static bool
lower_image_intrinsic(struct lower *l, struct nir_intrinsic_instr *instr)
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

/* ---- arguments ---- */

/* Whole words at constant places are arguments; what is indexed or smaller is loaded. */
static void
lower_push_constant(struct lower *l, struct nir_intrinsic_instr *instr)
{
   struct nir_builder *b = &l->d.b;
   int32_t base = nir_intrinsic_base(instr);
   struct nir_def *value;

   b->cursor = nir_before_instr(&instr->instr);
   if (nir_src_is_const(instr->src[0]) && instr->def.bit_size == 32) {
      uint32_t at_B = (uint32_t)base + (uint32_t)nir_src_comp_as_uint(instr->src[0], 0);

      value = agx_nir_arg(b, AGX_TABLE_PUSH, at_B / 4, instr->def.num_components);
   } else {
      value = nir_load_global_constant(b, instr->def.num_components, instr->def.bit_size,
                                       agx_nir_address_arg(b, AGX_TABLE_ADDRESSES, 2 * AGX_TABLE_PUSH),
                                       nir_iadd_imm(b, instr->src[0].def, base), .access = NIR_ACCESS_CAN_REORDER,
                                       .align_mul = nir_intrinsic_align_mul(instr),
                                       .align_offset = nir_intrinsic_align_offset(instr));
   }
   nir_def_replace(&instr->def, value);
   nir_instr_remove(&instr->instr);
}

/* System values that are words of tables. */
static const struct {
   enum nir_intrinsic_op op;
   uint8_t table, word, count;
} arguments[] = {
   {NIR_INTRINSIC_load_num_workgroups, AGX_TABLE_GRID, 0, 3},
   {NIR_INTRINSIC_load_base_vertex, AGX_TABLE_DRAW, 0, 1},
   {NIR_INTRINSIC_load_base_instance, AGX_TABLE_DRAW, 1, 1},
   {NIR_INTRINSIC_load_draw_id, AGX_TABLE_STAGE, AGX_GRAPHICS_DRAW_ID, 1},
   {NIR_INTRINSIC_load_view_index, AGX_TABLE_STAGE, AGX_GRAPHICS_VIEW_INDEX, 1},
};

static void
lower_argument(struct lower *l, struct nir_intrinsic_instr *instr)
{
   for (unsigned i = 0; i < ARRAY_SIZE(arguments); i++) {
      if (arguments[i].op != instr->op)
         continue;
      l->d.b.cursor = nir_before_instr(&instr->instr);
      nir_def_replace(&instr->def, agx_nir_arg(&l->d.b, arguments[i].table, arguments[i].word, arguments[i].count));
      nir_instr_remove(&instr->instr);
      return;
   }
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
      lower_argument(l, instr);
      return true;
   }
}

static bool
has_image_load(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_image_deref_load)
            return true;
      }
   }
   return false;
}

bool
agx_nir_lower_descriptors(struct nir_shader *shader, const struct pipe_pipeline_layout *layout,
                          const struct agx_descriptor_rules *rules, uint32_t *used_sets, const char **error)
{
   struct lower l = {
      .rules = rules,
      .d = {
         .layout = layout, .dynamic_stride_B = 4 * AGX_BUFFER_DESCRIPTOR_DW, .used_sets = used_sets, .error = error}};

   aux_nir_descriptors_init(&l.d, shader);
   l.loads_images = has_image_load(shader);
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
   for (const struct agx_nir_border *border = l.borders; border; border = border->next)
      agx_nir_add_border(shader, border);
   return true;
}
