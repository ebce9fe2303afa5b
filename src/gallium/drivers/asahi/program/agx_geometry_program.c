#include "gallium/drivers/asahi/program/agx_geometry_program.h"

#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/asahi/assembly/agx_nir_geometry.h"

/* A location that the geometry shader does not write; 0: it has none for the number of the primitive. */
static unsigned
find_primitive_slot(const struct agx_slot_places *places)
{
   for (unsigned slot = NIR_SLOT_VAR0; slot <= NIR_SLOT_VAR31; slot++) {
      if (!places->components[slot] && places->components[NIR_SLOT_PRIMITIVE_ID])
         return slot;
   }
   return 0;
}

static void
capture(struct agx_program_geometry *geometry, const struct nir_xfb_output *out, const struct agx_slot_places *places)
{
   uint32_t first = 4 * ((uint32_t)places->place[out->slot] - 1) + out->component;

   for (uint32_t i = 0; i < out->count; i++) {
      struct agx_captured_output *last = &geometry->captured[geometry->num_captured];

      if (!(places->components[out->slot] >> (out->component + i) & 1))
         continue;
      if (i && last > geometry->captured && last[-1].word + last[-1].count == first + i &&
          last[-1].target == out->buffer)
         last[-1].count++;
      else
         geometry->captured[geometry->num_captured++] = (struct agx_captured_output){
            .word = first + i, .count = 1, .target = out->buffer, .offset_B = out->offset_B + 4 * i};
   }
}

bool
agx_lower_geometry(struct nir_shader *shaders[NIR_STAGES], const struct pipe_graphics_state *state,
                   struct agx_program_geometry *geometry, const char **error)
{
   struct nir_shader *vertex = shaders[NIR_STAGE_VERTEX], *shader = shaders[NIR_STAGE_GEOMETRY];
   const struct nir_shader_info *info = &shader->info;
   struct agx_slot_places inputs, outputs;

   nir_widen_io(vertex);
   nir_widen_io(shader);
   nir_widen_io(shaders[NIR_STAGE_FRAGMENT]);
   if (!agx_nir_gather_places(vertex, &inputs, error) || !agx_nir_gather_places(shader, &outputs, error))
      return false;
   unsigned primitive_slot = find_primitive_slot(&outputs);

   *geometry = (struct agx_program_geometry){
      .corners = agx_made_corners(info),
      .vertex_B = inputs.vertex_B,
      .emitted_B = outputs.vertex_B,
      .invocations = info->gs_invocations,
      .max_vertices = info->gs_vertices,
      .max_primitives = agx_max_primitives(info),
      .streams = agx_made_streams(info),
   };
   for (unsigned i = 0; i < info->xfb.num_outputs; i++)
      capture(geometry, &info->xfb.outputs[i], &outputs);
   if (primitive_slot)
      agx_nir_read_primitive_slot(shaders[NIR_STAGE_FRAGMENT], primitive_slot);
   shaders[NIR_STAGE_VERTEX] = agx_nir_fetch_emitted(shader, &outputs, primitive_slot);
   agx_nir_store_vertices(vertex, &inputs);
   agx_nir_geometry(shader, &inputs, &outputs, state->provoking_last);
   return true;
}
