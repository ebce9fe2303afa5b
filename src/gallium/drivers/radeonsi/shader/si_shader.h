/* From nir to code in memory. */
#ifndef INDIUM_SI_SHADER_H
#define INDIUM_SI_SHADER_H

#include "amd/compiler/aco.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"
#include "gallium/drivers/radeonsi/si_screen.h"

/* What the shaders of a hardware stage became, as text; each from malloc(). */
struct si_shader_texts {
   char *nir, *machine_ir, *assembly;
};

struct si_shader_options {
   struct si_shader_texts *texts; /* filled if not NULL */
   struct si_nir_options nir;     /* layout NULL: an internal shader that reads its user SGPRs by number */
   uint32_t max_workgroup_invocations, max_shared_B;
   uint32_t max_wave_scratch_B;
   struct aco_options aco;
};

/* Options of shaders that no pass has changed yet, with everything that does not depend on the pipeline. nir: the
 * first one of the hardware stage. */
struct si_shader_options si_shader_options(const struct si_screen *screen, const struct nir_shader *nir,
                                           const struct pipe_pipeline_layout *layout);

/* Runs all passes on the shaders of a hardware stage, and the back end; the code lies in the arena. False with *error
 * in an arena. */
bool si_shader_try_compile(struct arena *arena, const struct aco_stage *stage,
                           const struct si_shader_options *options, struct aco_output *out, const char **error);

/* The same; false after logging one line. */
bool si_shader_compile(struct arena *arena, const struct aco_stage *stage, const struct si_shader_options *options,
                       struct aco_output *out);

#endif
