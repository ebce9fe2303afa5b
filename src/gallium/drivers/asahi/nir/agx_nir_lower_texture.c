/* Textures and samplers: handles and coordinates as the hardware wants them, queries as loads. */
#include "asahi/compiler/agx.h"
#include "gallium/drivers/asahi/nir/agx_nir_lower_descriptors_private.h"

static struct nir_def *
src_of(const struct nir_tex_instr *tex, enum nir_tex_src_type type)
{
   int index = nir_tex_src_index(tex, type);

   return index < 0 ? NULL : tex->src[index].src.def;
}

/* Queries of sizes, levels and samples. */
static struct nir_def *
lower_query(struct lower_descriptors *l, const struct nir_tex_instr *tex, const struct aux_descriptor *texture)
{
   if (tex->op == NIR_TXS)
      return agx_image_size(l, texture, tex->dim, tex->is_array, src_of(tex, NIR_TEX_SRC_LOD));
   return tex->op == NIR_QUERY_LEVELS ? agx_image_levels(l, texture) : agx_image_samples(l, texture);
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
clamp_layer(struct lower_descriptors *l, struct nir_tex_instr *tex, const struct aux_descriptor *texture)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *coord = src_of(tex, NIR_TEX_SRC_COORD), *parts[4];
   unsigned last = coord->num_components - 1u;
   struct nir_def *most = nir_iand_imm(b, agx_descriptor_words(texture, AGX_TEXTURE_LAYERS, 1), 0xffff);

   for (unsigned i = 0; i < last; i++)
      parts[i] = nir_channel(b, coord, i);
   struct nir_def *layer = nir_fmax(b, nir_fround_even(b, nir_channel(b, coord, last)), nir_imm_float(b, 0));
   parts[last] = nir_fmin(b, layer, nir_u2f32(b, most));
   set_src(tex, NIR_TEX_SRC_COORD, nir_vec(b, parts, last + 1));
}

/* The hardware's samplers have no bias of levels. Explicit derivatives take it as a factor. */
static void
add_bias(struct lower_descriptors *l, struct nir_tex_instr *tex, const struct aux_descriptor *sampler, unsigned word)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *bias;

   if (tex->op != NIR_TEX && tex->op != NIR_TXB && tex->op != NIR_TXL && tex->op != NIR_TXD && tex->op != NIR_LOD)
      return;
   bias = agx_descriptor_words(sampler, word + 1, 1);
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
note_border(struct lower_descriptors *l, struct nir_tex_instr *tex, const struct aux_descriptor *sampler,
            unsigned word)
{
   struct nir_builder *b = &l->d.b;
   struct agx_nir_border *border;

   if (!l->rules->custom_borders || tex->is_shadow || tex->is_sparse || tex->op == NIR_LOD ||
       !has_custom_border(sampler))
      return;
   border = arena_new(b->shader->arena, struct agx_nir_border);
   border->tex = tex;
   border->words = agx_descriptor_words(sampler, word + AGX_SAMPLER_ZEROS, 2);
   border->color = agx_descriptor_words(sampler, word + AGX_SAMPLER_BORDER, 4);
   border->next = l->borders;
   l->borders = border;
}

static bool
lower_sampler(struct lower_descriptors *l, struct nir_tex_instr *tex, struct nir_def *deref)
{
   struct nir_builder *b = &l->d.b;
   struct aux_descriptor sampler;

   if (!aux_find_deref(&l->d, deref, &sampler))
      return false;
   unsigned word = aux_is_lone_sampler(&sampler, deref) ? 0 : AGX_TEXTURE_DESCRIPTOR_DW;
   struct nir_def *parts[2] = {nir_imm_int(b, AGX_HANDLE_HEAP), agx_descriptor_words(&sampler, word, 1)};

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
static void
keep_cube_derivatives(struct lower_descriptors *l, struct nir_tex_instr *tex)
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

/* A fetch of a level or layer that does not exist reads zero. */
static void
check_place(struct lower_descriptors *l, struct nir_tex_instr *tex, const struct aux_descriptor *texture)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *coord = agx_check_layer(l, texture, tex->dim, tex->is_array, src_of(tex, NIR_TEX_SRC_COORD));
   int level = nir_tex_src_index(tex, NIR_TEX_SRC_LOD);

   if (level >= 0 && !(nir_src_is_const(tex->src[level].src) && !nir_src_comp_as_uint(tex->src[level].src, 0)))
      coord = agx_outside_unless(
         b, nir_ult(b, nir_u2uN(b, tex->src[level].src.def, 32), agx_image_levels(l, texture)), coord);
   set_src(tex, NIR_TEX_SRC_COORD, coord);
}

/* Both levels of a null image are 0; for the unit it is an image of one texel. */
static void
check_lod(struct lower_descriptors *l, struct nir_tex_instr *tex, const struct aux_descriptor *texture)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *is_null = agx_image_is_null(l, texture), *both[2] = {is_null, is_null};

   b->cursor = nir_after_instr(&tex->instr);
   struct nir_def *zero = nir_imm_zero(b, 2, tex->def.bit_size);
   struct nir_def *lod = nir_bcsel(b, nir_vec(b, both, 2), zero, &tex->def);

   nir_foreach_use_safe(use, &tex->def) {
      if (use->parent_instr != lod->parent)
         nir_src_rewrite(use, lod);
   }
   b->cursor = nir_before_instr(&tex->instr);
}

static void
note_triple(struct lower_descriptors *l, struct nir_tex_instr *tex, const struct aux_descriptor *texture,
            struct nir_def *index)
{
   struct agx_nir_triple *triple = arena_new(l->d.b.shader->arena, struct agx_nir_triple);

   triple->tex = tex;
   triple->index = index;
   triple->address = agx_descriptor_words(texture, AGX_STORAGE_ADDRESS, 2);
   triple->size = agx_descriptor_words(texture, AGX_TEXTURE_SIZE, 2);
   triple->next = l->triples;
   l->triples = triple;
}

/* A buffer is an image of rows for the texture unit. */
static void
lower_texel_fetch(struct lower_descriptors *l, struct nir_tex_instr *tex, const struct aux_descriptor *texture)
{
   struct nir_builder *b = &l->d.b;
   struct nir_def *index = nir_channel(b, src_of(tex, NIR_TEX_SRC_COORD), 0);

   set_src(tex, NIR_TEX_SRC_COORD, nir_channels(b, agx_texel_coord(l, texture, index), 3));
   drop_src(tex, NIR_TEX_SRC_LOD);
   tex->dim = NIR_DIM_2D;
   note_triple(l, tex, texture, index);
}

bool
agx_nir_lower_texture(struct lower_descriptors *l, struct nir_tex_instr *tex)
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

      nir_def_replace(&tex->def, agx_texel_residency(l, &texture, index));
      nir_instr_remove(&tex->instr);
      return true;
   }
   if (tex->dim == NIR_DIM_BUF) {
      lower_texel_fetch(l, tex, &texture);
   } else if (fetch) {
      check_place(l, tex, &texture);
   } else if (tex->is_array && tex->op != NIR_LOD) {
      clamp_layer(l, tex, &texture);
   }
   if (tex->op == NIR_TXD && tex->dim == NIR_DIM_CUBE)
      keep_cube_derivatives(l, tex);
   if (tex->op == NIR_LOD)
      check_lod(l, tex, &texture);
   drop_src(tex, NIR_TEX_SRC_TEXTURE_DEREF);
   set_src(tex, NIR_TEX_SRC_TEXTURE_HANDLE, agx_descriptor_handle(l, &texture, 0));
   if (fetch)
      drop_src(tex, NIR_TEX_SRC_SAMPLER_DEREF);
   else if (sampler)
      return lower_sampler(l, tex, sampler);
   return true;
}
