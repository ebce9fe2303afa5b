/* Samples that convert from Y'CbCr become samples of planes and arithmetic. Source: the Vulkan specification, chapter
 * "Sampler Y'CbCr conversion". */
#include <math.h>

#include "compiler/nir/nir_deref.h"
#include "compiler/nir/nir_passes.h"
#include "util/arena.h"
#include "util/macros.h"

struct lower {
   struct nir_builder b;
   const struct nir_ycbcr_binding *bindings;
   uint32_t count;
   const char **error;
};

static const struct nir_ycbcr_binding *
find_binding(const struct lower *l, const struct nir_variable *var)
{
   for (uint32_t i = 0; var && var->mode == NIR_VAR_UNIFORM && i < l->count; i++) {
      if (l->bindings[i].set == var->set && l->bindings[i].binding == var->binding)
         return &l->bindings[i];
   }
   return NULL;
}

/* ---- planes as elements of arrays ---- */

static const struct nir_type *
array_of_planes(struct arena *arena, const struct nir_type *type, uint32_t planes)
{
   if (type->base != NIR_TYPE_ARRAY)
      return nir_type_array(arena, type, planes, 0);
   return nir_type_array(arena, array_of_planes(arena, type->element, planes), type->length, 0);
}

static void
retype_variables(struct lower *l)
{
   struct nir_shader *shader = l->b.shader;
   nir_foreach_variable(var, shader) {
      const struct nir_ycbcr_binding *binding = find_binding(l, var);
      if (binding && binding->planes > 1)
         var->type = array_of_planes(shader->arena, var->type, binding->planes);
   }
   nir_retype_derefs(shader, NIR_VAR_UNIFORM);
}

/* The deref of a texture or sampler, at a plane if its binding has several. */
static struct nir_def *
at_plane(struct lower *l, struct nir_def *deref, uint32_t plane)
{
   struct nir_deref_instr *element = nir_as_deref(deref->parent);
   const struct nir_ycbcr_binding *binding = find_binding(l, nir_deref_variable(element));
   if (!binding || binding->planes == 1)
      return deref;
   return &nir_build_deref_array_imm(&l->b, element, plane)->def;
}

/* UINT32_MAX: no constant says which. */
static uint32_t
element_of(struct nir_deref_instr *deref)
{
   uint32_t element = 0, stride = 1;
   for (; deref->deref_type == NIR_DEREF_ARRAY; deref = nir_deref_parent(deref)) {
      if (!nir_src_is_const(deref->index))
         return UINT32_MAX;
      element += stride * (uint32_t)nir_src_comp_as_uint(deref->index, 0);
      stride *= MAX2(nir_deref_parent(deref)->type->length, 1u);
   }
   return element;
}

/* ---- samples ---- */

static struct nir_def *
src_of(const struct nir_tex_instr *tex, enum nir_tex_src_type type)
{
   const int index = nir_tex_src_index(tex, type);
   return index < 0 ? NULL : tex->src[index].src.def;
}

/* A texture instruction of the same kind of image; not inserted. */
static struct nir_tex_instr *
same_kind(struct lower *l, const struct nir_tex_instr *tex, enum nir_tex_op op, enum nir_base_type type)
{
   struct nir_tex_instr *made = nir_tex_create(l->b.shader, op);
   made->dim = tex->dim;
   made->is_array = tex->is_array;
   made->dest_type = type;
   return made;
}

static struct nir_def *
plane_size(struct lower *l, const struct nir_tex_instr *tex, uint32_t plane)
{
   struct nir_tex_instr *size = same_kind(l, tex, NIR_TXS, NIR_TYPE_INT);
   nir_tex_add_src(size, NIR_TEX_SRC_TEXTURE_DEREF, at_plane(l, src_of(tex, NIR_TEX_SRC_TEXTURE_DEREF), plane));
   nir_tex_add_src(size, NIR_TEX_SRC_LOD, nir_imm_int(&l->b, 0));
   return nir_build_tex(&l->b, size, tex->is_array ? 3 : 2, 32);
}

/* Where chroma is cosited with the first of its texels of luma, its texels lie further to the left or the top. */
static struct nir_def *
plane_coord(struct lower *l, const struct nir_tex_instr *tex, const struct nir_ycbcr *conversion, uint32_t plane)
{
   struct nir_builder *b = &l->b;
   struct nir_def *coord = src_of(tex, NIR_TEX_SRC_COORD), *parts[4], *size;
   if (!plane || (conversion->chroma_shift_tl[0] == 0 && conversion->chroma_shift_tl[1] == 0))
      return coord;
   size = plane_size(l, tex, plane);
   for (unsigned i = 0; i < coord->num_components; i++) {
      const float shift_tl = i < 2 ? conversion->chroma_shift_tl[i] : 0;
      parts[i] = nir_channel(b, coord, i);
      if (shift_tl == 0)
         continue;
      struct nir_def *texel = nir_frcp(b, nir_i2fN(b, nir_channel(b, size, i), coord->bit_size));
      parts[i] = nir_fadd(b, parts[i], nir_fmul_imm(b, texel, shift_tl));
   }
   return nir_vec(b, parts, coord->num_components);
}

static struct nir_def *
sample_plane(struct lower *l, const struct nir_tex_instr *tex, const struct nir_ycbcr *conversion, uint32_t plane)
{
   struct nir_tex_instr *sample = same_kind(l, tex, tex->op, tex->dest_type);
   sample->is_sparse = tex->is_sparse;
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      const enum nir_tex_src_type type = tex->src[i].type;
      struct nir_def *def = tex->src[i].src.def;
      if (type == NIR_TEX_SRC_TEXTURE_DEREF || type == NIR_TEX_SRC_SAMPLER_DEREF)
         def = at_plane(l, def, plane);
      else if (type == NIR_TEX_SRC_COORD)
         def = plane_coord(l, tex, conversion, plane);
      nir_tex_add_src(sample, type, def);
   }
   return nir_build_tex(&l->b, sample, tex->is_sparse ? tex->def.num_components : 4, tex->def.bit_size);
}

/* ---- arithmetic ---- */

/* Of texels whose components are the highest bits of larger ones. */
static double
stored_scale(const struct nir_ycbcr *conversion)
{
   const double all = ldexp(1, conversion->stored_bits);
   return (all - 1) / (all - ldexp(1, conversion->stored_bits - conversion->bits));
}

static struct nir_def *
pick(struct lower *l, const struct nir_ycbcr *conversion, struct nir_def *const planes[], unsigned i,
     unsigned bit_size)
{
   const struct nir_ycbcr_source from = conversion->sources[i];
   switch (from.kind) {
   case NIR_YCBCR_ZERO:
      return nir_imm_floatN(&l->b, 0, bit_size);
   case NIR_YCBCR_ONE:
      return nir_imm_floatN(&l->b, 1, bit_size);
   case NIR_YCBCR_TEXEL:
      break;
   }
   struct nir_def *value = nir_channel(&l->b, planes[from.plane], from.channel);
   return conversion->stored_bits == conversion->bits ? value : nir_fmul_imm(&l->b, value, stored_scale(conversion));
}

/* R, G, B are Cr, Y', Cb of integers of n bits over 2^n - 1. */
static void
expand_range(struct nir_builder *b, const struct nir_ycbcr *conversion, struct nir_def *value[3])
{
   const double max = ldexp(1, conversion->bits) - 1, unit = ldexp(1, conversion->bits - 8);
   for (unsigned i = 0; i < 3; i++) {
      const bool luma = i == 1;
      if (conversion->narrow)
         value[i] = nir_fadd_imm(b, nir_fmul_imm(b, value[i], max / ((luma ? 219 : 224) * unit)),
                                 luma ? -16.0 / 219 : -128.0 / 224);
      else if (!luma)
         value[i] = nir_fadd_imm(b, value[i], -128 * unit / max);
   }
}

/* Weights of red and blue in luma. */
static void
to_rgb(struct nir_builder *b, enum nir_ycbcr_model model, struct nir_def *value[3])
{
   static const double weights[][2] = {
      [NIR_YCBCR_709] = {0.2126, 0.0722}, [NIR_YCBCR_601] = {0.299, 0.114}, [NIR_YCBCR_2020] = {0.2627, 0.0593}};
   const double kr = weights[model][0], kb = weights[model][1], kg = 1 - kr - kb;
   struct nir_def *cr = value[0], *y = value[1], *cb = value[2];
   value[0] = nir_fadd(b, y, nir_fmul_imm(b, cr, 2 * (1 - kr)));
   value[1] = nir_fadd(b, nir_fadd(b, y, nir_fmul_imm(b, cb, -2 * kb * (1 - kb) / kg)),
                       nir_fmul_imm(b, cr, -2 * kr * (1 - kr) / kg));
   value[2] = nir_fadd(b, y, nir_fmul_imm(b, cb, 2 * (1 - kb)));
}

static struct nir_def *
convert(struct lower *l, const struct nir_tex_instr *tex, const struct nir_ycbcr *conversion)
{
   struct nir_def *planes[NIR_YCBCR_MAX_PLANES], *value[4];
   for (uint32_t i = 0; i < conversion->planes; i++)
      planes[i] = sample_plane(l, tex, conversion, i);
   if (tex->is_sparse) {
      for (uint32_t i = 1; i < conversion->planes; i++)
         planes[0] = nir_ior(&l->b, planes[0], planes[i]);
      return planes[0];
   }
   for (unsigned i = 0; i < 4; i++)
      value[i] = pick(l, conversion, planes, i, tex->def.bit_size);
   if (conversion->model != NIR_YCBCR_RGB)
      expand_range(&l->b, conversion, value);
   if (conversion->model != NIR_YCBCR_RGB && conversion->model != NIR_YCBCR_SAME)
      to_rgb(&l->b, conversion->model, value);
   return nir_vec(&l->b, value, tex->def.num_components);
}

/* ---- the pass ---- */

static bool
is_sample(const struct nir_tex_instr *tex)
{
   return tex->op == NIR_TEX || tex->op == NIR_TXB || tex->op == NIR_TXL || tex->op == NIR_TXD;
}

/* What the sampler of an instruction converts by, in *conversion: NULL if it does not. False: not known. */
static bool
find_conversion(struct lower *l, const struct nir_tex_instr *tex, const struct nir_ycbcr **conversion)
{
   struct nir_def *sampler = src_of(tex, NIR_TEX_SRC_SAMPLER_DEREF);
   *conversion = NULL;
   if (!sampler || !is_sample(tex))
      return true;
   struct nir_deref_instr *deref = nir_as_deref(sampler->parent);
   const struct nir_ycbcr_binding *binding = find_binding(l, nir_deref_variable(deref));
   if (!binding)
      return true;
   const uint32_t element = element_of(deref);
   if (element >= binding->count) {
      *l->error =
         arena_printf(l->b.shader->arena, "set %u, binding %u: samplers that convert are chosen by constants",
                      binding->set, binding->binding);
      return false;
   }
   *conversion = binding->elements[element].planes ? &binding->elements[element] : NULL;
   return true;
}

static bool
lower_tex(struct lower *l, struct nir_tex_instr *tex)
{
   const struct nir_ycbcr *conversion;
   l->b.cursor = nir_before_instr(&tex->instr);
   if (!find_conversion(l, tex, &conversion))
      return false;
   if (conversion) {
      nir_def_replace(&tex->def, convert(l, tex, conversion));
      nir_instr_remove(&tex->instr);
      return true;
   }
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      const enum nir_tex_src_type type = tex->src[i].type;
      if (type == NIR_TEX_SRC_TEXTURE_DEREF || type == NIR_TEX_SRC_SAMPLER_DEREF)
         nir_src_rewrite(&tex->src[i].src, at_plane(l, tex->src[i].src.def, 0));
   }
   return true;
}

bool
nir_lower_ycbcr(struct nir_shader *shader, const struct nir_ycbcr_binding *bindings, uint32_t count,
                const char **error)
{
   struct lower l = {.b = {.shader = shader}, .bindings = bindings, .count = count, .error = error};
   nir_lower_tex(shader);
   nir_opt_constant_folding(shader);
   retype_variables(&l);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_TEX && !lower_tex(&l, nir_as_tex(instr)))
            return false;
      }
   }
   return true;
}
