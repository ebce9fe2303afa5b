/* The words that mesh shaders export for a primitive. Source: RADV. */
#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/radeonsi/shader/si_mesh.h"
#include "util/mutant.h"

#define NULL_PRIMITIVE INT32_MIN

struct nir_def *
si_nir_mesh_primitive(struct nir_builder *b, const struct si_mesh_layout *layout, struct nir_def *bytes,
                      struct nir_def *vertices)
{
   struct nir_def *word = nir_imm_int(b, 0), *last = nir_iadd_imm(b, vertices, UINT64_MAX);

   for (unsigned n = 0; n < nir_primitive_vertices(b->shader->info.mesh_output); n++) {
      struct nir_def *vertex = nir_iand_imm(b, nir_ushr_imm(b, bytes, 8 * n), 0xff);

      word = nir_ior(b, word, nir_ishl_imm(b, nir_umin(b, vertex, last), 10 * n));
   }
   if (!layout->culls || mutant("mesh-culled-drawn"))
      return word;
   struct nir_def *culled = nir_ine_imm(b, nir_ushr_imm(b, bytes, 8 * SI_MESH_CULL_BYTE), 0);

   return nir_bcsel(b, culled, nir_imm_int(b, NULL_PRIMITIVE), word);
}

/* Rates are log2 of width << 2 | of height, each at most 1. */
static struct nir_def *
rate_word(struct nir_builder *b, const struct si_mesh_layout *layout, struct nir_def *rate)
{
   struct nir_def *one = nir_imm_int(b, 1);
   struct nir_def *x = nir_umin(b, nir_iand_imm(b, nir_ushr_imm(b, rate, 2), 3), one);
   struct nir_def *y = nir_umin(b, nir_iand_imm(b, rate, 3), one);

   return nir_ior(b, nir_ishl_imm(b, x, layout->rate_x_bit), nir_ishl_imm(b, y, layout->rate_y_bit));
}

struct nir_def *
si_nir_mesh_payload(struct nir_builder *b, const struct si_mesh_layout *layout,
                    struct nir_def *values[NIR_SLOT_COUNT][4])
{
   struct nir_def *layer = values[NIR_SLOT_LAYER][0], *viewport = values[NIR_SLOT_VIEWPORT][0];
   struct nir_def *rate = values[NIR_SLOT_SHADING_RATE][0], *word = nir_imm_int(b, 0);

   if (!layer && !viewport && !rate)
      return NULL;
   if (layer && !mutant("mesh-first-layer"))
      word = nir_ior(b, word, nir_ishl_imm(b, layer, layout->layer_bit));
   if (viewport)
      word = nir_ior(b, word, nir_ishl_imm(b, nir_iand_imm(b, viewport, 0xf), mutant("mesh-viewport") ? 21 : 20));
   return rate ? nir_ior(b, word, rate_word(b, layout, rate)) : word;
}
