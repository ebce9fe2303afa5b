/* Selection of sampling and fetches. Coordinates come as the hardware has them, but for the layer and the sample,
 * which become 16-bit numbers after the others. */
#include "asahi/compiler/agx_select_image.h"

#include "asahi/compiler/agx_select.h"
#include "compiler/nir/nir_residency.h"

struct sources {
   const struct nir_src *src[NIR_TEX_SRC_TYPE_COUNT];
};

static struct sources
sources_of(const struct nir_tex_instr *tex)
{
   struct sources s = {0};
   for (unsigned i = 0; i < tex->num_srcs; i++)
      s.src[tex->src[i].type] = &tex->src[i].src;
   return s;
}

static bool
is_fetch(const struct nir_tex_instr *tex)
{
   return tex->op == NIR_TXF || tex->op == NIR_TXF_MS;
}

/* ---- coordinates ---- */

/* The layer: the nearest of a float, that is not below 0; of an integer, beyond all where it has more than 16 bits.
 */
static struct agx_ref
layer_of(struct sel *c, const struct nir_tex_instr *tex, const struct sources *s, unsigned component)
{
   const struct nir_src *coord = s->src[NIR_TEX_SRC_COORD];
   if (is_fetch(tex))
      return sel_layer(c, coord, component);
   const struct agx_ref layer = agx_f_to_u16(&c->b, 16, sel_src(c, coord, component));
   c->b.last->mod.round = AGX_ROUND_RTE;
   return layer;
}

static struct agx_ref
coordinates(struct sel *c, const struct nir_tex_instr *tex, const struct sources *s)
{
   const struct nir_src *coord = s->src[NIR_TEX_SRC_COORD];
   struct agx_ref layer = agx_none(), sample = agx_none();
   const bool has_layer = tex->is_array && tex->op != NIR_LOD;
   if (has_layer)
      layer = layer_of(c, tex, s, coord->def->num_components - 1);
   if (tex->op == NIR_TXF_MS)
      sample = sel_as16(c, s->src[NIR_TEX_SRC_MS_INDEX], 0);
   if (tex->op == NIR_LOD && tex->is_array)
      layer = sel_imm(c, 16, 0);
   return sel_coordinates(c, coord, coord->def->num_components - has_layer, sample, layer);
}

/* ---- level of detail ---- */

/* Half floats of sampling, 16-bit integers of fetches. */
static struct agx_ref
level16(struct sel *c, const struct nir_tex_instr *tex, const struct nir_src *src)
{
   if (is_fetch(tex))
      return sel_as16(c, src, 0);
   const struct agx_ref level = sel_src(c, src, 0);
   return level.size == 16 ? level : agx_fadd(&c->b, 16, level, agx_fimm(AGX_FIMM_NEG_ZERO));
}

static struct agx_ref
gradients(struct sel *c, const struct nir_tex_instr *tex, const struct sources *s, unsigned *lod_type)
{
   const struct nir_src *dx = s->src[NIR_TEX_SRC_DDX], *dy = s->src[NIR_TEX_SRC_DDY];
   const struct nir_src *least = s->src[NIR_TEX_SRC_MIN_LOD];
   struct agx_ref parts[2 * NIR_MAX_COMPONENTS + 1];
   unsigned count = 0;
   for (unsigned i = 0; i < dx->def->num_components; i++) {
      parts[count++] = sel_src(c, dx, i);
      parts[count++] = sel_src(c, dy, i);
   }
   const unsigned words = count + !!least;
   *lod_type = least ? AGX_LOD_TYPE_LOD_GRAD_MIN : AGX_LOD_TYPE_LOD_GRAD;
   if (least)
      parts[count++] = level16(c, tex, least);
   return agx_build_collect(&c->b, 32, words, parts, count);
}

static struct agx_ref
level(struct sel *c, const struct nir_tex_instr *tex, const struct sources *s, unsigned *lod_type)
{
   const struct nir_src *bias = s->src[NIR_TEX_SRC_BIAS], *lod = s->src[NIR_TEX_SRC_LOD];
   const struct nir_src *least = s->src[NIR_TEX_SRC_MIN_LOD];
   if (tex->op == NIR_TXD)
      return gradients(c, tex, s, lod_type);
   const bool is_zero = !lod || (nir_src_is_const(*lod) && !(nir_src_comp_as_uint(*lod, 0) & 0x7fffffff));
   *lod_type = AGX_LOD_TYPE_AUTO_LOD;
   if (is_fetch(tex) && is_zero)
      return agx_imm(0);
   if (tex->op == NIR_TXL || is_fetch(tex)) {
      *lod_type = AGX_LOD_TYPE_LOD_MIN;
      return level16(c, tex, lod);
   }
   if (tex->op == NIR_TG4 || c->ir->stage != NIR_STAGE_FRAGMENT) { /* without derivatives: the first level */
      *lod_type = AGX_LOD_TYPE_LOD_MIN;
      return sel_imm(c, 16, 0);
   }
   if (least) {
      const struct agx_ref parts[] = {bias ? level16(c, tex, bias) : sel_imm(c, 16, 0), level16(c, tex, least)};
      *lod_type = AGX_LOD_TYPE_AUTO_LOD_BIAS_MIN;
      return agx_build_collect(&c->b, 16, 2, parts, 2);
   }
   if (bias) {
      *lod_type = AGX_LOD_TYPE_AUTO_LOD_BIAS;
      return level16(c, tex, bias);
   }
   return agx_imm(0);
}

/* ---- comparison and offset ---- */

/* 4 signed bits an axis. */
static struct agx_ref
packed_offset(struct sel *c, const struct nir_src *offset)
{
   struct agx_builder *b = &c->b;
   struct agx_ref packed = agx_none();
   uint32_t constant = 0;
   if (nir_src_is_const(*offset)) {
      for (unsigned i = 0; i < offset->def->num_components; i++)
         constant |= ((uint32_t)nir_src_comp_as_uint(*offset, i) & 15) << 4 * i;
      return sel_imm(c, 16, constant);
   }
   for (unsigned i = 0; i < offset->def->num_components; i++) {
      const struct agx_ref low = agx_and(b, 16, sel_as16(c, offset, i), agx_imm(15));
      packed = i ? agx_or(b, 16, packed, agx_shl(b, 16, low, agx_imm(4 * i))) : low;
   }
   return packed;
}

static struct agx_ref
comparison(struct sel *c, const struct sources *s)
{
   struct agx_ref parts[2];
   unsigned count = 0;
   if (s->src[NIR_TEX_SRC_COMPARATOR])
      parts[count++] = sel_src(c, s->src[NIR_TEX_SRC_COMPARATOR], 0);
   if (s->src[NIR_TEX_SRC_OFFSET])
      parts[count++] = packed_offset(c, s->src[NIR_TEX_SRC_OFFSET]);
   /* The reference lies in a register, not across two. */
   if (count == 2)
      return agx_build_collect(&c->b, 32, 2, parts, 2);
   return count ? parts[0] : agx_none();
}

/* ---- results ---- */

/* Components that something reads: the registers of the others are spared. */
static unsigned
used_components(const struct nir_def *def)
{
   unsigned used = 0;
   nir_foreach_use(use, def) {
      if (!use->parent_instr || use->parent_instr->type != NIR_INSTR_ALU)
         return sel_full_mask(def->num_components);
      const struct nir_alu_instr *alu = nir_as_alu(use->parent_instr);
      const struct nir_alu_src *src = container_of(use, struct nir_alu_src, src);
      const unsigned fixed = nir_op_infos[alu->op].src_components[src - alu->src];
      for (unsigned i = 0; i < (fixed ? fixed : alu->def.num_components); i++)
         used |= 1u << src->swizzle[i];
   }
   return used ? used : 1;
}

/* ---- residency ---- */

void
sel_set_sparse(struct sel *c, const struct nir_def *texel, const struct nir_def *code, unsigned mask,
               struct agx_ref result)
{
   struct agx_ref parts[NIR_MAX_COMPONENTS + 1] = {0};
   const unsigned count = (unsigned)__builtin_popcount(mask);
   agx_build_split(&c->b, result, sel_size(code), parts, count + 1);
   sel_set(c, code, 0, parts[count]);
   for (unsigned i = 0, at = 0; texel && i < texel->num_components; i++) {
      if (mask >> i & 1)
         sel_set(c, texel, i, parts[at++]);
   }
}

static void
set_result(struct sel *c, const struct nir_def *def, unsigned mask, struct agx_ref result)
{
   struct agx_ref parts[NIR_MAX_COMPONENTS] = {0};
   if (mask == sel_full_mask(def->num_components)) {
      sel_set_vec(c, def, result);
      return;
   }
   const unsigned count = (unsigned)__builtin_popcount(mask);
   if (count == 1)
      parts[0] = result;
   else
      agx_build_split(&c->b, result, sel_size(def), parts, count);
   for (unsigned i = 0, at = 0; i < def->num_components; i++) {
      if (mask >> i & 1)
         sel_set(c, def, i, parts[at++]);
   }
}

static unsigned
dimension(const struct nir_tex_instr *tex)
{
   return sel_dim(tex->dim, tex->is_array);
}

void
sel_tex(struct sel *c, struct nir_tex_instr *tex)
{
   const struct sources s = sources_of(tex);
   const bool wide = tex->def.bit_size == 32;
   const struct nir_tex_instr *sparse = tex->is_sparse ? tex : wide ? nir_residency_of_tex(tex) : NULL;
   const bool query = tex->op == NIR_TXS || tex->op == NIR_QUERY_LEVELS || tex->op == NIR_TEXTURE_SAMPLES;
   if (query || !s.src[NIR_TEX_SRC_TEXTURE_HANDLE] || s.src[NIR_TEX_SRC_PROJECTOR] || tex->has_gather_offsets ||
       dimension(tex) == AGX_NO_DIM) {
      agx_ir_fail(c->ir, "a texture instruction that was not lowered");
      return;
   }
   if (tex->is_sparse && c->values[tex->def.index].comp[0].kind != AGX_NONE)
      return; /* came with the texel */
   static const uint8_t gathers[] = {AGX_GATHER_GATHER_R, AGX_GATHER_GATHER_G, AGX_GATHER_GATHER_B,
                                     AGX_GATHER_GATHER_A};
   unsigned lod_type;
   struct sel_texture texture = sel_texture(c, s.src[NIR_TEX_SRC_TEXTURE_HANDLE]);
   const struct agx_ref sampler = sel_sampler(c, s.src[NIR_TEX_SRC_SAMPLER_HANDLE]);
   const struct agx_ref lod = level(c, tex, &s, &lod_type), compare = comparison(c, &s);
   const struct agx_ref coords = coordinates(c, tex, &s);
   const unsigned mask = tex->op == NIR_LOD ? 3 : tex->is_sparse ? 1 : used_components(&tex->def);
   const struct agx_ref dst =
      agx_ir_value(c->ir, sel_size(&tex->def), (unsigned)__builtin_popcount(mask) + (sparse != NULL));
   if (is_fetch(tex))
      agx_smpi_to(&c->b, dst, texture.heap, texture.number, sampler, coords, lod, compare);
   else
      agx_smpf_to(&c->b, dst, texture.heap, texture.number, sampler, coords, lod, compare);
   struct agx_modifiers *mod = &c->b.last->mod;
   mod->dim = dimension(tex);
   mod->mask = mask;
   mod->lod_type = lod_type;
   mod->shadow = s.src[NIR_TEX_SRC_COMPARATOR] != NULL;
   mod->query_lod = tex->op == NIR_LOD;
   mod->sparse = sparse != NULL;
   mod->gather = tex->op == NIR_TG4 ? gathers[tex->gather_component] : AGX_GATHER_NONE;
   if (lod_type == AGX_LOD_TYPE_AUTO_LOD || lod_type == AGX_LOD_TYPE_AUTO_LOD_BIAS)
      c->out->fs.disables_tri_merging |= !is_fetch(tex);
   if (sparse)
      sel_set_sparse(c, tex->is_sparse ? NULL : &tex->def, &sparse->def, mask, dst);
   else
      set_result(c, &tex->def, mask, dst);
}
