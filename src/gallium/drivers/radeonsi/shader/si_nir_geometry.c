/* Where a geometry shader emits vertices, and what of them it passes on. */
#include "gallium/drivers/radeonsi/shader/si_nir_geometry.h"

#include <string.h>

static bool
is_intrinsic(const struct nir_instr *instr, enum nir_intrinsic_op op)
{
   return instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == op;
}

static unsigned
count_emissions(const struct nir_shader *shader)
{
   unsigned count = 0;

   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block)
         count += is_intrinsic(instr, NIR_INTRINSIC_emit_vertex);
   }
   return count;
}

static void
remember(struct nir_builder *b, struct si_emission *emission, struct nir_intrinsic_instr *store)
{
   const unsigned slot = nir_intrinsic_slot(store) + (unsigned)nir_src_comp_as_uint(store->src[1], 0);

   b->cursor = nir_before_instr(&store->instr);
   for (unsigned i = 0; i < store->src[0].def->num_components; i++) {
      if (nir_intrinsic_write_mask(store) >> i & 1)
         emission->values[slot][nir_intrinsic_component(store) + i] = nir_channel(b, store->src[0].def, i);
   }
   nir_instr_remove(&store->instr);
}

struct si_emission *
si_nir_find_emissions(struct nir_shader *shader, unsigned *count)
{
   struct si_emission *all = arena_array(shader->arena, struct si_emission, count_emissions(shader) + 1);
   struct nir_builder b = {.shader = shader};

   *count = 0;
   nir_foreach_block(block, shader) {
      memset(all[*count].values, 0, sizeof(all[*count].values));
      nir_foreach_instr_safe(instr, block) {
         if (is_intrinsic(instr, NIR_INTRINSIC_store_output))
            remember(&b, &all[*count], nir_as_intrinsic(instr));
         if (!is_intrinsic(instr, NIR_INTRINSIC_emit_vertex))
            continue;
         all[(*count)++].emit = nir_as_intrinsic(instr);
         memset(all[*count].values, 0, sizeof(all[*count].values));
      }
   }
   return all;
}

/* Transform feedback captures from all streams, the rest is of the one that is rasterised. */
static uint8_t
needed_components(const struct si_gs_layout *layout, const struct nir_xfb *xfb, unsigned slot, unsigned stream)
{
   uint8_t needed = stream == 0 && !(layout->unread >> slot & 1) ? 0xf : 0;

   for (unsigned i = 0; i < xfb->num_outputs; i++) {
      const struct nir_xfb_output *out = &xfb->outputs[i];

      if (out->slot == slot && xfb->streams[out->buffer] == stream)
         needed |= (uint8_t)(((1u << out->count) - 1) << out->component);
   }
   return needed;
}

void
si_gs_lay_out(struct si_gs_layout *layout, const struct nir_shader *shader, const struct si_emission *emissions,
              unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      struct si_gs_stream *stream = &layout->streams[nir_intrinsic_stream(emissions[i].emit)];

      stream->emitted = true;
      for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
         for (unsigned n = 0; n < 4; n++)
            stream->components[slot] |= (uint8_t)((emissions[i].values[slot][n] != NULL) << n);
      }
   }
   layout->max_vertices = shader->info.gs_vertices;
   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      struct si_gs_stream *stream = &layout->streams[s];

      for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
         stream->components[slot] &= needed_components(layout, &shader->info.xfb, slot, s);
         stream->first[slot] = stream->vertex_dw;
         stream->vertex_dw = (uint16_t)(stream->vertex_dw + __builtin_popcount(stream->components[slot]));
      }
   }
}
