#include "gallium/drivers/asahi/program/agx_lower_ahead.h"

#include "gallium/drivers/asahi/assembly/agx_nir_geometry.h"
#include "gallium/drivers/asahi/assembly/agx_nir_tessellation.h"
#include "util/mutant.h"

/* What the shaders that take part know. */
struct ahead {
   struct nir_shader **shaders;
   const struct nir_tess_io *io;
   struct agx_graphics_program *g;
   struct agx_slot_places outputs; /* of the shader that was lowered last */
   const char **error;
};

/* A location that nobody writes; 0: there is none for the number of the primitive. */
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
capture(struct agx_program_ahead *ahead, const struct nir_xfb_output *out, const struct agx_slot_places *places)
{
   uint32_t first = 4 * ((uint32_t)places->place[out->slot] - 1) + out->component;

   for (uint32_t i = 0; i < out->count; i++) {
      struct agx_captured_output *last = &ahead->captured[ahead->num_captured];

      if (!(places->components[out->slot] >> (out->component + i) & 1))
         continue;
      if (i && last > ahead->captured && last[-1].word + last[-1].count == first + i &&
          last[-1].target == out->buffer)
         last[-1].count++;
      else
         ahead->captured[ahead->num_captured++] = (struct agx_captured_output){
            .word = first + i, .count = 1, .target = out->buffer, .offset_B = out->offset_B + 4 * i};
   }
}

/* ---- stages ---- */

static bool
lower_vertex(struct ahead *a)
{
   struct nir_shader *vertex = a->shaders[NIR_STAGE_VERTEX];

   if (!agx_nir_gather_places(vertex, &a->outputs, a->error))
      return false;
   a->g->ahead.vertex_B = a->outputs.vertex_B;
   agx_nir_store_vertices(vertex, &a->outputs);
   return true;
}

static uint32_t
tess_corners(const struct nir_shader_info *info)
{
   return info->tess_points ? 1 : info->tess_domain == NIR_TESS_ISOLINES ? 2 : 3;
}

static void
fill_tess(struct ahead *a, const struct nir_shader_info *info)
{
   a->g->tess = (struct agx_program_tess){
      .corners = tess_corners(info),
      .vertices = a->io->vertices,
      .patch_B = nir_tess_memory_B(a->io, 1),
      .domain = info->tess_domain,
      .spacing = info->tess_spacing,
      .winding = info->tess_winding,
   };
   a->g->ahead.corners = a->g->tess.corners;
}

/* What primitives are numbered by that are drawn. */
static bool
reads_primitive_id(struct nir_shader *fragment)
{
   nir_foreach_block(block, fragment) {
      nir_foreach_instr(instr, block) {
         const struct nir_intrinsic_instr *load = agx_nir_as_op(instr, NIR_INTRINSIC_load_input);

         if (agx_nir_as_op(instr, NIR_INTRINSIC_load_primitive_id) ||
             (load && nir_intrinsic_slot(load) == NIR_SLOT_PRIMITIVE_ID))
            return true;
      }
   }
   return false;
}

static bool
lower_tessellation(struct ahead *a)
{
   struct nir_shader *evaluation = a->shaders[NIR_STAGE_TESS_EVAL];
   bool is_last = !a->shaders[NIR_STAGE_GEOMETRY];

   fill_tess(a, &evaluation->info);
   agx_nir_control(a->shaders[NIR_STAGE_TESS_CTRL], a->io, &a->outputs);
   if (is_last && !mutant("agx-tess-unnumbered") && reads_primitive_id(a->shaders[NIR_STAGE_FRAGMENT]))
      agx_nir_store_patch_number(evaluation);
   if (!agx_nir_gather_places(evaluation, &a->outputs, a->error))
      return false;
   if (is_last && !evaluation->info.xfb.buffers) {
      agx_nir_draw_points(evaluation, a->io);
      return true;
   }
   a->g->tess.point_B = a->outputs.vertex_B;
   agx_nir_evaluate(evaluation, a->io, &a->outputs);
   return true;
}

static bool
lower_geometry(struct ahead *a, bool provoking_last)
{
   struct nir_shader *shader = a->shaders[NIR_STAGE_GEOMETRY];
   const struct nir_shader_info *info = &shader->info;
   const struct agx_geometry_options options = {.provoking_last = provoking_last,
                                                .of_patches = a->io && !mutant("agx-tess-made-of")};
   struct agx_slot_places inputs = a->outputs;

   if (!agx_nir_gather_places(shader, &a->outputs, a->error))
      return false;
   a->g->geometry = (struct agx_program_geometry){
      .corners = agx_made_corners(info),
      .emitted_B = a->outputs.vertex_B,
      .invocations = info->gs_invocations,
      .max_vertices = info->gs_vertices,
      .max_primitives = agx_max_primitives(info),
      .streams = agx_made_streams(info),
   };
   a->g->ahead.corners = a->g->geometry.corners;
   agx_nir_geometry(shader, &inputs, &a->outputs, &options);
   return true;
}

/* ---- the draw ---- */

static void
fill_capture(struct ahead *a, const struct nir_xfb *xfb)
{
   for (unsigned i = 0; i < xfb->num_outputs; i++)
      capture(&a->g->ahead, &xfb->outputs[i], &a->outputs);
}

static void
lower_draw(struct ahead *a)
{
   unsigned primitive_slot = find_primitive_slot(&a->outputs);
   enum nir_stage last = a->shaders[NIR_STAGE_GEOMETRY] ? NIR_STAGE_GEOMETRY : NIR_STAGE_TESS_EVAL;
   struct nir_shader *shader = a->shaders[last];

   if (primitive_slot)
      agx_nir_read_primitive_slot(a->shaders[NIR_STAGE_FRAGMENT], primitive_slot);
   if (shader->stage == NIR_STAGE_VERTEX) {
      agx_nir_write_primitive_slot(shader, primitive_slot);
      a->shaders[last] = NULL;
      a->shaders[NIR_STAGE_VERTEX] = shader;
      return;
   }
   fill_capture(a, &shader->info.xfb);
   a->shaders[NIR_STAGE_VERTEX] = agx_nir_fetch_emitted(shader, &a->outputs, primitive_slot);
}

bool
agx_lower_ahead(struct nir_shader *shaders[NIR_STAGES], const struct pipe_graphics_state *state,
                const struct nir_tess_io *io, struct agx_graphics_program *g, const char **error)
{
   struct ahead a = {.shaders = shaders, .io = io, .g = g, .error = error};

   nir_foreach_stage(stage, NIR_STAGES_GRAPHICS) {
      if (shaders[stage])
         nir_widen_io(shaders[stage]);
   }
   if (!lower_vertex(&a) || (shaders[NIR_STAGE_TESS_EVAL] && !lower_tessellation(&a)) ||
       (shaders[NIR_STAGE_GEOMETRY] && !lower_geometry(&a, state->provoking_last)))
      return false;
   lower_draw(&a);
   return true;
}
