/* From nir to code. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_passes.h"
#include "gallium/auxiliary/aux_shader.h"
#include "gallium/drivers/asahi/nir/agx_nir.h"
#include "gallium/drivers/asahi/program/agx_program.h"
#include "util/log.h"
#include "util/mutant.h"

struct agx_shader_options
agx_shader_options(const struct agx_screen *screen, const struct pipe_pipeline_layout *layout)
{
   return (struct agx_shader_options){
      .layout = layout,
      .max_workgroup_invocations = screen->base.caps.max_workgroup_invocations,
      .max_shared_B = screen->base.caps.max_compute_shared_B,
      .agx =
         {
            .cluster_coherency = screen->cluster_coherency,
            .no_soft_faults = screen->no_soft_faults,
            .no_preamble_memory = true, /* the driver gives it none */
            .validate = debug_flag(DEBUG_VALIDATE),
            .listing = debug_flag(DEBUG_ASM),
         },
   };
}

/* The back end, which changes the nir; its texts only where somebody wants them. */
static bool
run_agx(struct arena *arena, struct nir_shader *nir, const struct agx_shader_options *options, unsigned uniforms_h,
        struct agx_output *out, const char **error)
{
   struct agx_shader_texts *texts = options->texts;
   struct agx_options agx = options->agx;

   agx.uniforms_h = uniforms_h;
   agx.listing |= texts != NULL;
   if (texts && !agx.print_ir)
      agx.print_ir = "selection,register_allocation";
   if (texts)
      texts->nir = aux_nir_text(&nir, 1);
   if (!agx_compile(arena, nir, &agx, out, error))
      return false;
   if (texts) {
      texts->machine_ir = out->ir ? strdup(out->ir) : NULL;
      texts->assembly = out->listing ? strdup(out->listing) : NULL;
   }
   return true;
}

uint32_t
agx_read_nowhere_hi(const struct agx_screen *screen)
{
   return screen->no_soft_faults && !mutant("agx-nowhere-attributes") ? AGX_NO_SOFT_FAULTS_READ_HI : AGX_NOWHERE_HI;
}

bool
agx_shader_try_compile(struct arena *arena, struct nir_shader *nir, const struct agx_shader_options *options,
                       struct agx_arguments *arguments, struct agx_output *out, const char **error)
{
   *error = NULL;
   *arguments = (struct agx_arguments){.reserved_h = options->reserved_h};
   nir_gather_info(nir);
   const bool has_page = options->agx.no_soft_faults && !mutant("agx-nowhere-atomics");
   const struct agx_descriptor_rules rules = {
      .nowhere = has_page ? (uint64_t)AGX_NO_SOFT_FAULTS_WRITE_HI << 32 : 0,
      .custom_borders = options->custom_borders,
   };
   bool fits =
      aux_shader_fits(nir, options->max_workgroup_invocations, options->max_shared_B, error) &&
      (!options->layout || agx_nir_lower_descriptors(nir, options->layout, &rules, &arguments->used_sets, error));
   if (fits && options->dispatch_base)
      agx_nir_lower_base_workgroup(nir);
   if (fits)
      nir_optimize(nir);
   agx_nir_trim_cube_derivatives(nir);
   fits = fits && agx_nir_assign_uniforms(nir, arguments, error);
   aux_nir_print(nir);
   if (!fits || !run_agx(arena, nir, options, arguments->halves, out, error))
      return false;
   if (out->scratch_B > AGX_SCRATCH_MAX_B)
      *error = arena_printf(arena, "%u bytes of private memory an invocation, and %u are the limit", out->scratch_B,
                            AGX_SCRATCH_MAX_B);
   return !*error;
}

bool
agx_shader_compile(struct arena *arena, struct nir_shader *nir, const struct agx_shader_options *options,
                   struct agx_arguments *arguments, struct agx_output *out)
{
   const char *error;

   if (agx_shader_try_compile(arena, nir, options, arguments, out, &error)) {
      if (options->agx.listing)
         fprintf(stderr, "%s shader %s, hash %016" PRIx64 ":\n%s", nir_stage_names[nir->stage],
                 nir->name ? nir->name : "without a name", out->stats.hash, out->listing);
      return true;
   }
   log_error("%s shader %s: %s", nir_stage_names[nir->stage], nir->name ? nir->name : "without a name", error);
   return false;
}
