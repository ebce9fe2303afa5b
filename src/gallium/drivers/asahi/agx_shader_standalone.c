#include "gallium/drivers/asahi/agx_shader_standalone.h"

#include "asahi/hw/chips.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/auxiliary/aux_shader_standalone.h"
#include "gallium/drivers/asahi/assembly/agx_nir_geometry.h"
#include "gallium/drivers/asahi/nir/agx_nir_graphics.h"
#include "gallium/drivers/asahi/program/agx_program.h"
#include "util/format_enum.h"

#define ATTRIBUTE_B 16

/* The other stage reads all that a vertex shader writes. */
static bool
lower_vertex(struct nir_shader *nir, const char **error)
{
   struct pipe_vertex_attribute attributes[PIPE_MAX_VERTEX_ATTRIBUTES];
   const struct agx_vertex_inputs inputs = {attributes, PIPE_MAX_VERTEX_ATTRIBUTES, AGX_NOWHERE_HI};
   struct agx_fragment_reads reads = {0};
   struct agx_varyings varyings;
   struct agx_vertex_outputs outputs;

   for (unsigned i = 0; i < PIPE_MAX_VERTEX_ATTRIBUTES; i++)
      attributes[i] = (struct pipe_vertex_attribute){.format = FORMAT_R32G32B32A32_SFLOAT,
                                                     .location = (uint8_t)i,
                                                     .binding = (uint8_t)i,
                                                     .stride_B = ATTRIBUTE_B};
   agx_nir_gather_vertex_outputs(nir, &outputs);
   for (unsigned slot = NIR_SLOT_VAR0; slot <= NIR_SLOT_VAR31; slot++)
      reads.components.slot[slot] = outputs.components.slot[slot];
   *error = "more varyings than the hardware has";
   if (!agx_varyings_link(&varyings, &outputs, &reads, (struct agx_primitives){.topology = PIPE_TRIANGLE_LIST}) ||
       !agx_nir_lower_vertex_inputs(nir, &inputs, error) ||
       !agx_nir_lower_vertex_outputs(nir, &varyings.vertex, error))
      return false;
   agx_nir_lower_vertex_sysvals(nir);
   return true;
}

/* The other stage writes all that a fragment shader reads; targets of one sample without blending. */
static bool
lower_fragment(struct nir_shader *nir, const char **error)
{
   struct agx_fragment_reads reads;
   struct agx_fragment_key key = {.sample_mask = ~0u};
   struct agx_fragment_info info;
   struct agx_varyings varyings;
   struct agx_vertex_outputs outputs = {0};
   uint32_t formats[PIPE_MAX_COLOR_TARGETS] = {0};

   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      if (nir->info.outputs_written >> (NIR_SLOT_FRAG_DATA0 + i) & 1)
         formats[i] = FORMAT_R8G8B8A8_UNORM;
      key.color_write_mask[i] = 0xf;
   }
   agx_nir_gather_fragment_reads(nir, &reads);
   outputs.components = reads.components;
   *error = reads.error ? reads.error : "more varyings than the hardware has";
   return !reads.error && agx_tile_layout_init(&key.tile, formats, PIPE_MAX_COLOR_TARGETS, 1) &&
          agx_varyings_link(&varyings, &outputs, &reads, (struct agx_primitives){.topology = PIPE_TRIANGLE_LIST}) &&
          agx_nir_lower_fragment(nir, &varyings.fragment, &key, &info, error);
}

/* As compute; the vertex shader writes all that there is. */
static bool
lower_geometry(struct nir_shader *nir, const char **error)
{
   struct agx_slot_places inputs = {.vertex_B = 16 * NIR_SLOT_COUNT}, outputs;

   static_assert(NIR_SLOT_COUNT <= UINT8_MAX, "places are numbers of 8 bits");
   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++)
      inputs.place[slot] = (uint8_t)(slot + 1);
   nir_widen_io(nir);
   if (!agx_nir_gather_places(nir, &outputs, error))
      return false;
   agx_nir_geometry(nir, &inputs, &outputs, &(struct agx_geometry_options){0});
   return true;
}

/* What the rest of the pipeline would say. */
static bool (*const lower[NIR_STAGES])(struct nir_shader *nir, const char **error) = {
   [NIR_STAGE_VERTEX] = lower_vertex,
   [NIR_STAGE_GEOMETRY] = lower_geometry,
   [NIR_STAGE_FRAGMENT] = lower_fragment,
};

bool
agx_shader_standalone_compile(struct arena *arena, const struct agx_chip *chip, struct nir_shader *nir,
                              const char *print_ir, struct agx_output *out, const char **error)
{
   struct agx_screen *screen = arena_new(arena, struct agx_screen);
   struct agx_arguments arguments;

   screen->chip = chip;
   agx_screen_set_gen(screen, chip->gen, chip->num_dies);
   agx_init_descriptor_write(screen);
   agx_init_limits(&screen->base.caps);
   struct agx_shader_options options =
      agx_shader_options(screen, aux_shader_standalone_layout(nir, &screen->base.caps));
   if (lower[nir->stage])
      nir_gather_info(nir);
   nir_lower_variables(nir);
   if (lower[nir->stage]) {
      if (!lower[nir->stage](nir, error))
         return false;
      nir_remove_dead_variables(nir, NIR_VAR_SHADER_IN | NIR_VAR_SHADER_OUT);
   }
   options.agx.validate = true;
   options.agx.listing = true;
   options.agx.print_ir = print_ir;
   return agx_shader_try_compile(arena, nir, &options, &arguments, out, error);
}
