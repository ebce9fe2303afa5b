/* Selection of image loads and stores; handles and coordinates. */
#include "asahi/compiler/agx_select_image.h"
#include "compiler/nir/nir_residency.h"

/* The first component of a handle is constant, though the vector need not be. */
static bool
handle_space(struct sel *c, const struct nir_src *handle, uint32_t *space)
{
   const struct nir_instr *parent = handle->def->parent;
   if (nir_src_is_const(*handle)) {
      *space = (uint32_t)nir_src_comp_as_uint(*handle, 0);
      return true;
   }
   if (parent->type == NIR_INSTR_ALU && nir_as_alu(parent)->op == NIR_OP_vec2) {
      const struct nir_alu_src *src = &nir_as_alu(parent)->src[0];
      if (nir_src_is_const(src->src)) {
         *space = (uint32_t)nir_src_comp_as_uint(src->src, src->swizzle[0]);
         return true;
      }
   }
   agx_ir_fail(c->ir, "a handle whose space is not constant");
   return false;
}

struct sel_texture
sel_texture(struct sel *c, const struct nir_src *handle)
{
   uint32_t space;
   if (!handle_space(c, handle, &space))
      return (struct sel_texture){0};
   if (space != AGX_HANDLE_STATE)
      return (struct sel_texture){agx_uniform(space, 64, 1), sel_src(c, handle, 1)};
   if (!nir_src_is_const(*handle))
      return (struct sel_texture){agx_none(), sel_as16(c, handle, 1)};
   const unsigned number = (unsigned)nir_src_comp_as_uint(*handle, 1);
   c->out->texture_states = (uint8_t)MAX2(c->out->texture_states, number + 1);
   return (struct sel_texture){agx_none(), agx_state(AGX_TS, number)};
}

struct agx_ref
sel_sampler(struct sel *c, const struct nir_src *handle)
{
   uint32_t space = AGX_HANDLE_STATE, number = 0;
   if (handle && !handle_space(c, handle, &space))
      return agx_none();
   if (handle && (space == AGX_HANDLE_HEAP || !nir_src_is_const(*handle)))
      return sel_as16(c, handle, 1);
   if (handle)
      number = (uint32_t)nir_src_comp_as_uint(*handle, 1);
   c->out->sampler_states = (uint8_t)MAX2(c->out->sampler_states, number + 1);
   return agx_state(AGX_SS, number);
}

unsigned
sel_dim(enum nir_image_dim dim, bool is_array)
{
   static const uint8_t dims[][2] = {
      [NIR_DIM_1D] = {AGX_DIM_1D, AGX_DIM_1D_ARRAY}, [NIR_DIM_2D] = {AGX_DIM_2D, AGX_DIM_2D_ARRAY},
      [NIR_DIM_3D] = {AGX_DIM_3D, AGX_NO_DIM},       [NIR_DIM_CUBE] = {AGX_DIM_CUBE, AGX_DIM_CUBE_ARRAY},
      [NIR_DIM_BUF] = {AGX_NO_DIM, AGX_NO_DIM},      [NIR_DIM_MS] = {AGX_DIM_2D_MS, AGX_DIM_2D_MS_ARRAY},
      [NIR_DIM_SUBPASS] = {AGX_NO_DIM, AGX_NO_DIM},  [NIR_DIM_SUBPASS_MS] = {AGX_NO_DIM, AGX_NO_DIM},
   };
   return dims[dim][is_array];
}

struct agx_ref
sel_layer(struct sel *c, const struct nir_src *coord, unsigned component)
{
   const struct agx_ref layer = sel_src(c, coord, component);
   if (layer.size == 16)
      return layer;
   const struct agx_ref most = sel_imm(c, 32, 0xffff);
   return sel_low(c, sel_icsel(c, 32, AGX_ICOND_ULT, layer, most, layer, most));
}

struct agx_ref
sel_coordinates(struct sel *c, const struct nir_src *coord, unsigned count, struct agx_ref sample,
                struct agx_ref layer)
{
   struct agx_ref parts[NIR_MAX_COMPONENTS + 2];
   if (sample.kind == AGX_NONE && layer.kind == AGX_NONE)
      return sel_slice(c, coord, 0, count);
   unsigned total = 0;
   for (unsigned i = 0; i < count; i++)
      parts[total++] = sel_src(c, coord, i);
   if (sample.kind != AGX_NONE)
      parts[total++] = sample;
   if (layer.kind != AGX_NONE)
      parts[total++] = layer;
   const unsigned size = parts[0].size;
   return agx_build_collect(&c->b, size, size == 16 ? total : count + 1, parts, total);
}

/* ---- images ---- */

/* The faces of cubes are layers. */
static struct agx_ref
image_coordinates(struct sel *c, const struct nir_intrinsic_instr *intr, unsigned *dim)
{
   static const uint8_t counts[] = {
      [NIR_DIM_1D] = 1, [NIR_DIM_2D] = 2, [NIR_DIM_3D] = 3, [NIR_DIM_CUBE] = 2, [NIR_DIM_BUF] = 0, [NIR_DIM_MS] = 2};
   enum nir_image_dim kind = nir_intrinsic_image_dim(intr);
   bool is_array = nir_intrinsic_image_array(intr);
   if (kind >= ARRAY_SIZE(counts) || !counts[kind]) {
      agx_ir_fail(c->ir, "an image that was not lowered");
      return agx_none();
   }
   const unsigned count = counts[kind];
   if (kind == NIR_DIM_CUBE) {
      kind = NIR_DIM_2D;
      is_array = true;
   }
   *dim = sel_dim(kind, is_array);
   const struct agx_ref sample = kind == NIR_DIM_MS ? sel_as16(c, &intr->src[2], 0) : agx_none();
   const struct agx_ref layer = is_array ? sel_layer(c, &intr->src[1], count) : agx_none();
   return sel_coordinates(c, &intr->src[1], count, sample, layer);
}

/* A texel, or whether it is there. */
static void
load_image(struct sel *c, struct nir_intrinsic_instr *intr)
{
   unsigned dim = 0;
   const bool only = intr->op == NIR_INTRINSIC_image_residency_agx;
   const struct nir_intrinsic_instr *sparse = only ? intr
                                              : sel_size(&intr->def) == 32
                                                 ? nir_residency_of_load(intr, NIR_INTRINSIC_image_residency_agx)
                                                 : NULL;
   if (only && c->values[intr->def.index].comp[0].kind != AGX_NONE)
      return; /* came with the texel */
   const struct sel_texture image = sel_texture(c, &intr->src[0]);
   const struct agx_ref coords = image_coordinates(c, intr, &dim);
   const unsigned mask = only ? 1 : 15;
   const struct agx_ref dst =
      agx_ir_value(c->ir, sel_size(&intr->def), (unsigned)__builtin_popcount(mask) + (sparse != NULL));
   const bool first = nir_src_is_const(intr->src[3]) && !nir_src_comp_as_uint(intr->src[3], 0);
   const struct agx_ref lod = first ? agx_imm(0) : sel_as16(c, &intr->src[3], 0);
   agx_smpi_to(&c->b, dst, image.heap, image.number, sel_sampler(c, NULL), coords, lod, agx_none());
   c->b.last->mod.lod_type = first ? AGX_LOD_TYPE_AUTO_LOD : AGX_LOD_TYPE_LOD_MIN;
   c->b.last->mod.dim = dim;
   c->b.last->mod.mask = mask;
   c->b.last->mod.sparse = sparse != NULL;
   c->b.last->mod.rw = true;
   c->b.last->mod.coherent = nir_intrinsic_access(intr) & NIR_ACCESS_COHERENT && c->options->cluster_coherency;
   if (sparse)
      sel_set_sparse(c, only ? NULL : &intr->def, &sparse->def, mask, dst);
   else
      sel_set_vec(c, &intr->def, dst);
}

static void
store_image(struct sel *c, struct nir_intrinsic_instr *intr)
{
   unsigned dim = 0;
   const struct sel_texture image = sel_texture(c, &intr->src[0]);
   const struct agx_ref coords = image_coordinates(c, intr, &dim);
   const bool first = nir_src_is_const(intr->src[4]) && !nir_src_comp_as_uint(intr->src[4], 0);
   const struct agx_ref lod = first ? agx_imm(0) : sel_as16(c, &intr->src[4], 0);
   agx_imgw(&c->b, sel_vec_src(c, &intr->src[3]), image.heap, image.number, coords, lod);
   c->b.last->mod.dim = dim;
   c->b.last->mod.coherency = sel_coherency(intr);
   c->out->fs.writes_memory = true;
}

static void
store_block(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const struct sel_texture image = sel_texture(c, &intr->src[0]);
   const bool layered = nir_intrinsic_image_array(intr);
   const bool samples = nir_intrinsic_image_dim(intr) == NIR_DIM_MS;
   /* The place is that of the tile. A layer is the only component, or follows a sample, as in coordinates; all are
    * stored. */
   struct agx_ref coords = sel_imm(c, 32, 0);
   if (layered) {
      struct agx_ref parts[2] = {sel_imm(c, 16, 0)};
      parts[samples] = sel_as16(c, &intr->src[2], 0);
      coords = agx_build_collect(&c->b, 32, 1, parts, samples + 1u);
   }
   agx_imgwblk(&c->b, sel_as16(c, &intr->src[1], 0), image.heap, image.number, coords, agx_imm(0));
   c->b.last->mod.dim = sel_dim(nir_intrinsic_image_dim(intr), layered);
   c->b.last->mod.format = nir_intrinsic_format(intr);
}

bool
sel_image(struct sel *c, struct nir_intrinsic_instr *intr)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_image_load_agx:
   case NIR_INTRINSIC_image_residency_agx:
      load_image(c, intr);
      return true;
   case NIR_INTRINSIC_image_store_agx:
      store_image(c, intr);
      return true;
   case NIR_INTRINSIC_store_block_agx:
      store_block(c, intr);
      return true;
   default: /* others: no images */
      return false;
   }
}
