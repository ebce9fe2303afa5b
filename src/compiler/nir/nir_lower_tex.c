/* Texture operations that no hardware has: projectors, gathers with four offsets, explicit derivatives of cube
 * maps. */

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

static struct nir_def *
src_of(const struct nir_tex_instr *tex, enum nir_tex_src_type type)
{
   int index = nir_tex_src_index(tex, type);
   return index < 0 ? NULL : tex->src[index].src.def;
}

/* Every non-array coordinate and the comparator are divided by the projector. (The SPIR-V projection operation.) */
static void
divide_by_projector(struct nir_builder *b, struct nir_tex_instr *tex)
{
   struct nir_def *inverse = nir_frcp(b, src_of(tex, NIR_TEX_SRC_PROJECTOR));
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      if (tex->src[i].type == NIR_TEX_SRC_COORD || tex->src[i].type == NIR_TEX_SRC_COMPARATOR)
         nir_src_rewrite(&tex->src[i].src, nir_fmul(b, tex->src[i].src.def, inverse));
   }
}

/* A copy without the sources of one kind; not inserted. */
static struct nir_tex_instr *
copy_without(struct nir_shader *shader, const struct nir_tex_instr *tex, enum nir_tex_op op, uint32_t dropped)
{
   struct nir_tex_instr *copy = nir_tex_create(shader, op);
   copy->dim = tex->dim;
   copy->is_array = tex->is_array;
   copy->is_shadow = tex->is_shadow;
   copy->is_sparse = tex->is_sparse;
   copy->gather_component = tex->gather_component;
   copy->dest_type = tex->dest_type;
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      if (!(dropped >> tex->src[i].type & 1))
         nir_tex_add_src(copy, tex->src[i].type, tex->src[i].src.def);
   }
   return copy;
}

static struct nir_def *
without_projector(struct nir_builder *b, const struct nir_tex_instr *tex)
{
   struct nir_tex_instr *copy = copy_without(b->shader, tex, tex->op, 1u << NIR_TEX_SRC_PROJECTOR);
   return nir_build_tex(b, copy, tex->def.num_components, tex->def.bit_size);
}

/* One gather per offset, of each the texel that a gather without offsets has at (i0, j0): component w. */
static struct nir_def *
gather_four_times(struct nir_builder *b, const struct nir_tex_instr *tex)
{
   struct nir_def *texels[4];
   for (unsigned i = 0; i < 4; i++) {
      struct nir_tex_instr *one = copy_without(b->shader, tex, NIR_TG4, 0);
      struct nir_def *offset[2] = {nir_imm_int(b, tex->gather_offsets[i][0]),
                                   nir_imm_int(b, tex->gather_offsets[i][1])};
      nir_tex_add_src(one, NIR_TEX_SRC_OFFSET, nir_vec(b, offset, 2));
      texels[i] = nir_build_tex(b, one, tex->def.num_components, tex->def.bit_size);
      if (!tex->is_sparse)
         texels[i] = nir_channel(b, texels[i], 3);
   }
   if (tex->is_sparse)
      return nir_ior(b, nir_ior(b, texels[0], texels[1]), nir_ior(b, texels[2], texels[3]));
   return nir_vec(b, texels, 4);
}

/* The vector (s, t, major axis) of the face, linear in `direction`; Vulkan's table of cube map faces. */
static void
face_axes(struct nir_builder *b, struct nir_def *face, struct nir_def *direction, struct nir_def *out[3])
{
   struct nir_def *x = nir_channel(b, direction, 0), *y = nir_channel(b, direction, 1),
                  *z = nir_channel(b, direction, 2);
   struct nir_def *is_x = nir_flt_imm(b, face, 1.5), *is_z = nir_fge_imm(b, face, 3.5);
   struct nir_def *is_minus =
      nir_ior(b, nir_ior(b, nir_feq_imm(b, face, 1), nir_feq_imm(b, face, 3)), nir_feq_imm(b, face, 5));
   struct nir_def *sign = nir_bcsel(b, is_minus, nir_imm_float(b, -1), nir_imm_float(b, 1));
   struct nir_def *minus_y = nir_fneg(b, y);
   out[0] = nir_bcsel(b, is_x, nir_fneg(b, nir_fmul(b, z, sign)), nir_bcsel(b, is_z, nir_fmul(b, x, sign), x));
   out[1] = nir_bcsel(b, nir_ior(b, is_x, is_z), minus_y, nir_fmul(b, z, sign));
   out[2] = nir_fmul(b, sign, nir_bcsel(b, is_x, x, nir_bcsel(b, is_z, z, y)));
}

/* The derivative, in faces, of the face coordinates for that of the direction, d: d(s / m) / 2 = (ds * m - s * dm) /
 * (2 m^2). */
static struct nir_def *
face_derivative(struct nir_builder *b, struct nir_def *face, struct nir_def *const axes[3], struct nir_def *d)
{
   struct nir_def *da[3], *value[2];
   face_axes(b, face, d, da);
   struct nir_def *scale = nir_fmul_imm(b, nir_frcp(b, nir_fmul(b, axes[2], axes[2])), 0.5);
   for (unsigned i = 0; i < 2; i++)
      value[i] = nir_fmul(b, nir_fsub(b, nir_fmul(b, da[i], axes[2]), nir_fmul(b, axes[i], da[2])), scale);
   return nir_vec(b, value, 2);
}

/* Explicit derivatives of a cube map become those on the face. */
static struct nir_def *
cube_by_face(struct nir_builder *b, const struct nir_tex_instr *tex)
{
   struct nir_def *coord = nir_channels(b, src_of(tex, NIR_TEX_SRC_COORD), 7);
   struct nir_def *face = nir_channel(b, nir_cube_face(b, coord), 3), *axes[3];
   face_axes(b, face, coord, axes);
   struct nir_tex_instr *sample =
      copy_without(b->shader, tex, NIR_TXD, 1u << NIR_TEX_SRC_DDX | 1u << NIR_TEX_SRC_DDY);
   nir_tex_add_src(sample, NIR_TEX_SRC_DDX, face_derivative(b, face, axes, src_of(tex, NIR_TEX_SRC_DDX)));
   nir_tex_add_src(sample, NIR_TEX_SRC_DDY, face_derivative(b, face, axes, src_of(tex, NIR_TEX_SRC_DDY)));
   return nir_build_tex(b, sample, tex->def.num_components, tex->def.bit_size);
}

static struct nir_def *
lower(struct nir_builder *b, struct nir_tex_instr *tex)
{
   if (src_of(tex, NIR_TEX_SRC_PROJECTOR)) {
      divide_by_projector(b, tex);
      return without_projector(b, tex);
   }
   if (tex->has_gather_offsets)
      return gather_four_times(b, tex);
   if (tex->op == NIR_TXD && tex->dim == NIR_DIM_CUBE && src_of(tex, NIR_TEX_SRC_DDX)->num_components == 3)
      return cube_by_face(b, tex);
   return NULL;
}

bool
nir_lower_tex(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_TEX)
            continue;
         struct nir_builder b = nir_builder_at(shader, nir_before_instr(instr));
         struct nir_def *by = lower(&b, nir_as_tex(instr));
         if (by) {
            nir_def_replace(&nir_as_tex(instr)->def, by);
            nir_instr_remove(instr);
            progress = true;
         }
      }
   }
   return progress;
}
