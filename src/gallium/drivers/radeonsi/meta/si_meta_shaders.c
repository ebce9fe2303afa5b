/* The nir of the internal programs that are not GLSL: the one that needs a table of the chip, and those whose
 * arguments are user SGPRs. */
#include <stddef.h>

#include "amd/common/ac_htile.h"
#include "amd/hw/meta.h"
#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"

#define TABLE_B(field) offsetof(struct si_meta_table, field)

struct build {
   struct nir_builder b;
   const struct ac_gpu_info *info;
   struct nir_def *id; /* x, y, z of the invocation */
};

static struct nir_def *
load(struct build *s, size_t offset_B, unsigned count)
{
   return si_nir_load_table(&s->b, s->info->address32_hi, 0, nir_imm_int(&s->b, (int32_t)offset_B), count);
}

/* The invocation's place in the grid, and an if around what follows for those inside size. */
static struct nir_if *
begin(struct build *s)
{
   struct nir_builder *b = &s->b;
   struct nir_def *group = nir_load_workgroup_id(b), *local = nir_load_local_invocation_id(b);
   struct nir_def *size = load(s, TABLE_B(size), 4), *parts[3], *inside = NULL;

   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *at = nir_channel(b, group, i), *in;

      parts[i] = nir_iadd(b, nir_imul_imm(b, at, b->shader->info.workgroup_size[i]), nir_channel(b, local, i));
      in = nir_ult(b, parts[i], nir_channel(b, size, i));
      inside = inside ? nir_iand(b, inside, in) : in;
   }
   s->id = nir_vec(b, parts, 3);
   return nir_push_if(b, inside);
}

/* The bytes that bits of a coordinate add to an address inside a block of HTILE. axis: 0 x, 1 y, 2 slice. */
static struct nir_def *
htile_terms(struct build *s, const struct amd_meta_pattern *pattern, unsigned axis, struct nir_def *at)
{
   struct nir_builder *b = &s->b;
   struct nir_def *sum = nir_imm_int(b, 0);

   for (unsigned n = 0; n < 16; n++) {
      uint32_t bytes = 0;

      for (unsigned bit = 0; bit < pattern->bit_count; bit++) {
         uint32_t mask = axis == 0 ? pattern->bits[bit].x : axis == 1 ? pattern->bits[bit].y : pattern->bits[bit].z;

         bytes |= (mask >> n & 1) << bit;
      }
      if (bytes)
         sum = nir_ixor(b, sum, nir_imul_imm(b, nir_iand_imm(b, nir_ushr_imm(b, at, n), 1), bytes));
   }
   return sum;
}

/* A tile that is not compressed, of any depth and stencil, with the rate at its place: at most 2 pixels in each
 * direction. src_offset: first tile and the layer of the rates; dst_offset: the first slice; src_pitch_el: blocks of
 * a row, of a slice, before the level. Bits: 31:12 range of depth, 11:10 rate's y, 9:8 stencil's state, 7:6 rate's x,
 * 5:4 stencil's results, 3:0 depth's state. Source: RADV. */
static void
copy_rates(struct build *s)
{
   const struct amd_meta_pattern *pattern =
      amd_meta_find(s->info->gen, s->info->gb_addr_config, AMD_META_HTILE, V_SW_64KB_Z_X, true, 0, 0);
   enum { PLAIN = 0xfffff33fu, RATE_X = 6, RATE_Y = 10 };
   struct nir_builder *b = &s->b;
   struct nir_def *offset = load(s, TABLE_B(src_offset), 4), *pitch = load(s, TABLE_B(src_pitch_el), 4), *at[4],
                  *px[3];

   for (unsigned i = 0; i < 2; i++) {
      at[i] = nir_iadd(b, nir_channel(b, s->id, i), nir_channel(b, offset, i));
      px[i] = nir_imul_imm(b, at[i], AC_HTILE_TILE_PX);
   }
   at[2] = nir_channel(b, offset, 2);
   at[3] = nir_imm_int(b, 0);
   px[2] = nir_iadd(b, nir_channel(b, s->id, 2), nir_channel(b, load(s, TABLE_B(dst_offset), 4), 2));
   struct nir_def *texel =
      nir_image_load(b, 4, 32, load(s, TABLE_B(src), 4), load(s, TABLE_B(src) + 16, 4), nir_vec(b, at, 4), at[3],
                     at[3], .image_dim = NIR_DIM_2D, .image_array = true);
   struct nir_def *rate = nir_channel(b, texel, 0);
   struct nir_def *x = nir_umin(b, nir_iand_imm(b, nir_ushr_imm(b, rate, 2), 3), nir_imm_int(b, 1));
   struct nir_def *y = nir_umin(b, nir_iand_imm(b, rate, 3), nir_imm_int(b, 1));
   struct nir_def *tile = nir_ior(b, nir_ishl_imm(b, x, RATE_X), nir_ishl_imm(b, y, RATE_Y));
   struct nir_def *row = nir_imul(b, nir_ushr_imm(b, px[1], pattern->height_log2), nir_channel(b, pitch, 0));
   struct nir_def *slice = nir_imul(b, px[2], nir_channel(b, pitch, 1));
   struct nir_def *block = nir_iadd(b, nir_iadd(b, row, slice), nir_channel(b, pitch, 2));
   struct nir_def *to =
      nir_ishl_imm(b, nir_iadd(b, block, nir_ushr_imm(b, px[0], pattern->width_log2)), pattern->size_log2);

   for (unsigned axis = 0; axis < 3; axis++)
      to = nir_ixor(b, to, htile_terms(s, pattern, axis, px[axis]));
   nir_store_ssbo(b, nir_ior(b, tile, nir_imm_int(b, (int32_t)PLAIN)), load(s, TABLE_B(dst), 4), to, .write_mask = 1,
                  .align_mul = 4);
}

struct nir_shader *
si_meta_build_copy_rates(struct arena *arena, const struct ac_gpu_info *info)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_COMPUTE);

   shader->name = "copy_rates";
   shader->info.workgroup_size[0] = shader->info.workgroup_size[1] = 8;
   shader->info.workgroup_size[2] = 1;
   struct build s = {.b = nir_builder_create(shader), .info = info};
   struct nir_if *inside = begin(&s);

   copy_rates(&s);
   nir_pop_if(&s.b, inside);
   return shader;
}

/* A rectangle from user SGPRs. */
struct nir_shader *
si_meta_build_clear_vertex(struct arena *arena)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_VERTEX);
   struct nir_builder b = nir_builder_create(shader);
   struct nir_def *id = nir_load_vertex_id_zero_base(&b), *position[4];
   struct nir_def *args = nir_load_scalar_arg(&b, 4, .base = SI_SGPR_CLEAR_VS_CORNERS);

   shader->name = "clear vertex";
   position[0] = nir_bcsel(&b, nir_ieq_imm(&b, id, 2), nir_channel(&b, args, 2), nir_channel(&b, args, 0));
   position[1] = nir_bcsel(&b, nir_ieq_imm(&b, id, 1), nir_channel(&b, args, 3), nir_channel(&b, args, 1));
   position[2] = nir_load_scalar_arg(&b, 1, .base = SI_SGPR_CLEAR_VS_DEPTH);
   position[3] = nir_imm_float(&b, 1);
   nir_store_output(&b, nir_vec(&b, position, 4), nir_imm_int(&b, 0), .slot = NIR_SLOT_POS, .write_mask = 0xf,
                    .src_type = NIR_TYPE_FLOAT);
   nir_store_output(&b, nir_load_scalar_arg(&b, 1, .base = SI_SGPR_CLEAR_VS_LAYER), nir_imm_int(&b, 0),
                    .slot = NIR_SLOT_LAYER, .write_mask = 1, .src_type = NIR_TYPE_UINT);
   return shader;
}

/* The colour from user SGPRs. */
struct nir_shader *
si_meta_build_clear_fragment(struct arena *arena, enum si_meta_clear kind, unsigned num_targets)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_FRAGMENT);
   struct nir_builder b = nir_builder_create(shader);
   enum nir_base_type type = kind == SI_META_CLEAR_FLOAT    ? NIR_TYPE_FLOAT
                             : kind == SI_META_CLEAR_SINT16 ? NIR_TYPE_INT
                                                            : NIR_TYPE_UINT;

   shader->name = num_targets > 1 ? "clear fragment of any target" : "clear fragment";
   for (unsigned i = 0; i < num_targets; i++)
      nir_store_output(&b, nir_load_scalar_arg(&b, 4, .base = SI_SGPR_CLEAR_PS_COLOR), nir_imm_int(&b, 0),
                       .slot = NIR_SLOT_FRAG_DATA0 + i, .write_mask = 0xf, .src_type = type);
   return shader;
}
