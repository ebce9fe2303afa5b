#include "gallium/auxiliary/aux_shader.h"
#include "gallium/drivers/radeonsi/shader/si_shader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/radeonsi/base/si_scratch.h"
#include "gallium/drivers/radeonsi/shader/si_geometry.h"
#include "gallium/drivers/radeonsi/shader/si_mesh.h"
#include "gallium/drivers/radeonsi/shader/si_task.h"
#include "gallium/drivers/radeonsi/shader/si_wave_size.h"
#include "util/log.h"

struct si_shader_options
si_shader_options(const struct si_screen *screen, const struct nir_shader *nir,
                  const struct pipe_pipeline_layout *layout)
{
   struct si_shader_options options = {
      .nir = {.layout = layout,
              .address32_hi = screen->info.address32_hi,
              .buffer_word3 = screen->info.raw_buffer_word3,
              .stores_spoil_loads = screen->info.stores_spoil_loads,
              .byte_word3 = screen->info.byte_word3,
              .aligns_attributes = true},
      .max_workgroup_invocations = screen->base.caps.max_workgroup_invocations,
      .max_shared_B = screen->base.caps.max_compute_shared_B,
      .max_wave_scratch_B = si_scratch_max_wave_B(screen),
      .aco =
         {
            .gen = screen->info.gen,
            .wave_size = si_wave_size(screen, nir),
            .address32_hi = screen->info.address32_hi,
            .float_mode = ACO_FLOAT_MODE_DEFAULT,
            .validate = debug_flag(DEBUG_VALIDATE),
            .listing = debug_flag(DEBUG_ASM),
         },
   };

   return options;
}

static bool
lower_abi(struct nir_shader *nir, const struct si_nir_options *options, const char **error)
{
   if (!options->layout)
      return true;
   if (nir->stage == NIR_STAGE_VERTEX && !si_nir_lower_vertex_inputs(nir, options, error))
      return false;
   if (!si_nir_lower_descriptors(nir, options, error))
      return false;
   if (options->xfb_sgpr && nir->info.xfb.buffers && !options->merged)
      (options->xfb_by_program ? si_nir_capture_ngg : si_nir_lower_xfb)(nir, options);
   return true;
}

static bool
scratch_fits(struct arena *arena, uint32_t scratch_B, const struct si_shader_options *options, const char **error)
{
   uint32_t max_B = options->max_wave_scratch_B / options->aco.wave_size;

   if (scratch_B > max_B)
      *error =
         arena_printf(arena, "%u bytes of private memory an invocation, and %u are the limit", scratch_B, max_B);
   return !*error;
}

/* The back end, which changes the nir; its texts only where somebody wants them. */
static bool
run_aco(struct arena *arena, const struct aco_stage *stage, const struct si_shader_options *options,
        struct aco_output *out, const char **error)
{
   struct si_shader_texts *texts = options->texts;
   struct aco_options aco = options->aco;

   aco.listing |= texts != NULL;
   if (texts && !aco.print_ir)
      aco.print_ir = "selection,register_allocation";
   if (texts)
      texts->nir = aux_nir_text(stage->shaders, stage->num_shaders);
   if (!aco_compile(arena, stage, &aco, out, error))
      return false;
   if (texts) {
      texts->machine_ir = strdup(out->ir);
      texts->assembly = strdup(out->listing);
   }
   return true;
}

/* What passes between two merged shaders, and what the second does with its vertices. */
static void
lower_merged(struct nir_shader *nir, const struct si_nir_options *options)
{
   if (nir->stage == NIR_STAGE_TESS_EVAL)
      NIR_PASS(nir, nir_lower_tess_eval_io, options->tess);
   if (!options->merged)
      return;
   NIR_PASS(nir, nir_lower_merged_io, options->merged_slots);
   if (nir->stage == NIR_STAGE_TESS_CTRL)
      NIR_PASS(nir, nir_lower_tess_control_io, options->tess);
   if (nir->stage != NIR_STAGE_GEOMETRY)
      return;
   const uint32_t vertex_B = nir_merged_vertex_B(options->merged_slots);

   if (options->emits_to_lds) {
      si_nir_emit_to_lds(nir, options);
      nir->info.shared_B = si_ngg_gs_lds_B(&nir->info, vertex_B, si_gs_place_B(options->gs_layout));
      return;
   }
   nir->info.shared_B = vertex_B * si_gs_subgroup(&nir->info, vertex_B).vertices;
   si_nir_emit_to_ring(nir, options);
}

/* The hardware compares each dword with the size in the V#. */
static uint8_t
robust_by_hardware(uint8_t wanted)
{
   return wanted == NIR_ROBUST_ZERO ? NIR_ROBUST_DWORDS : NIR_ROBUST_NONE;
}

/* All passes on one shader. */
static bool
lower(struct nir_shader *nir, const struct si_shader_options *options, const char **error)
{
   if (options->nir.copies) {
      si_nir_copy_emitted(nir, &options->nir);
      nir_optimize(nir);
      return true;
   }
   nir->info.robust_uniform = robust_by_hardware(nir->info.robust_uniform);
   nir->info.robust_storage = robust_by_hardware(nir->info.robust_storage);
   nir_lower_variables(nir);
   NIR_PASS(nir, nir_widen_io);
   if (nir->stage == NIR_STAGE_FRAGMENT)
      si_nir_lower_barycentric(nir, options->nir.topology);
   NIR_PASS(nir, nir_lower_image_64);
   NIR_PASS(nir, nir_lower_derivative_group);
   nir_gather_info(nir);
   if (options->nir.counts_generated && !options->nir.merged)
      si_nir_count_generated(nir, &options->nir);
   bool fits = aux_shader_fits(nir, options->max_workgroup_invocations, options->max_shared_B, error) &&
               lower_abi(nir, &options->nir, error) &&
               (!options->nir.mesh || si_nir_lower_mesh(nir, &options->nir, error));
   if (fits && nir->stage == NIR_STAGE_TASK)
      si_nir_lower_task(nir, &options->nir);
   if (fits) {
      lower_merged(nir, &options->nir);
      nir_optimize(nir);
   }
   aux_nir_print(nir);
   return fits;
}

/* Primitive ids of both shaders are different ones, so those of the evaluation shader become the VGPR that has them.
 */
static void
keep_tessellation(struct nir_shader *evaluation, struct nir_shader *geometry)
{
   enum { PATCH_ID_VGPR = 8 };

   geometry->info.tess_domain = evaluation->info.tess_domain;
   nir_foreach_block(block, evaluation) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC || nir_as_intrinsic(instr)->op != NIR_INTRINSIC_load_primitive_id)
            continue;
         struct nir_builder b = nir_builder_at(evaluation, nir_before_instr(instr));

         nir_def_replace(nir_instr_def(instr), nir_load_vector_arg(&b, 1, .base = PATCH_ID_VGPR));
         nir_instr_remove(instr);
      }
   }
}

/* In NGG, where what follows the geometry shader is of both. */
static void
merge(struct aco_stage *stage, const struct si_nir_options *options)
{
   struct nir_shader *geometry = stage->shaders[1];

   if (stage->shaders[0]->stage == NIR_STAGE_TESS_EVAL)
      keep_tessellation(stage->shaders[0], geometry);
   aco_merge_shaders(stage->shaders[0], geometry);
   si_nir_export_emitted(geometry, options);
   nir_optimize(geometry);
   stage->shaders[0] = geometry;
   stage->num_shaders = 1;
   stage->merged = true;
}

bool
si_shader_try_compile(struct arena *arena, const struct aco_stage *stage, const struct si_shader_options *options,
                      struct aco_output *out, const char **error)
{
   *error = NULL;
   for (unsigned i = 0; i < stage->num_shaders; i++) {
      if (!lower(stage->shaders[i], options, error))
         return false;
   }
   struct aco_stage one = *stage;

   if (options->nir.emits_to_lds)
      merge(&one, &options->nir);
   return run_aco(arena, &one, options, out, error) && scratch_fits(arena, out->scratch_B, options, error);
}

bool
si_shader_compile(struct arena *arena, const struct aco_stage *stage, const struct si_shader_options *options,
                  struct aco_output *out)
{
   const struct nir_shader *nir = stage->shaders[stage->num_shaders - 1];
   const char *error;

   if (si_shader_try_compile(arena, stage, options, out, &error)) {
      if (options->aco.listing)
         fprintf(stderr, "%s shader %s, hash %016" PRIx64 ":\n%s", nir_stage_names[nir->stage],
                 nir->name ? nir->name : "without a name", out->stats.hash, out->listing);
      return true;
   }
   log_error("%s shader %s: %s", nir_stage_names[nir->stage], nir->name ? nir->name : "without a name", error);
   return false;
}
