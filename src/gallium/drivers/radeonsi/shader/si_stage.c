#include "gallium/drivers/radeonsi/shader/si_stage.h"

#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "gallium/drivers/radeonsi/si_screen.h"

/* A row per stage: the hardware stage that runs only its shader, without NGG, and the arguments that user_data.txt
 * lists. NULL: the driver does not have the stage. */
static const struct {
   enum aco_hw_stage hw;
   struct aco_args (*args)(void);
} stages[NIR_STAGES] = {
   [NIR_STAGE_VERTEX] = {ACO_HW_VS, si_args_vs},
   [NIR_STAGE_TESS_CTRL] = {ACO_HW_HS, si_args_tess}, /* merged */
   [NIR_STAGE_TESS_EVAL] = {ACO_HW_VS, si_args_tess},
   [NIR_STAGE_GEOMETRY] = {ACO_HW_VS, si_args_vs}, /* its copy shader */
   [NIR_STAGE_FRAGMENT] = {ACO_HW_PS, si_args_ps},
   [NIR_STAGE_COMPUTE] = {ACO_HW_CS, si_args_cs},
   [NIR_STAGE_TASK] = {ACO_HW_CS, si_args_ts}, /* on another ring */
   [NIR_STAGE_MESH] = {ACO_HW_GS, si_args_ms},
};

const struct amd_stage_regs *
si_stage_regs(enum amd_gen gen, enum aco_hw_stage hw)
{
   static const enum amd_hw_stage of[ACO_HW_STAGES] = {[ACO_HW_VS] = AMD_HW_VS,
                                                       [ACO_HW_HS] = AMD_HW_HS,
                                                       [ACO_HW_GS] = AMD_HW_GS,
                                                       [ACO_HW_PS] = AMD_HW_PS,
                                                       [ACO_HW_CS] = AMD_HW_CS};

   return &amd_stage_regs[gen][of[hw]];
}

bool
si_has_stage(const struct si_screen *screen, enum nir_stage stage)
{
   const bool has = (stage != NIR_STAGE_MESH && stage != NIR_STAGE_TASK) || (screen->info.has_mesh && screen->ngg);

   return has && stages[stage].args != NULL;
}

struct aco_stage
si_stage(const struct si_screen *screen, struct nir_shader *nir)
{
   /* What transform feedback captures leaves the vertex shader of the geometry engine that counts it. Source: RADV.
    */
   const bool counted = nir->info.xfb.buffers && !screen->info.ngg_only;
   const bool ngg = nir->stage != NIR_STAGE_FRAGMENT && nir->stage != NIR_STAGE_COMPUTE && screen->ngg && !counted;

   return (struct aco_stage){
      .hw = ngg ? ACO_HW_GS : stages[nir->stage].hw,
      .num_shaders = 1,
      .shaders = {nir},
      .args = stages[nir->stage].args ? stages[nir->stage].args() : aco_no_args(),
   };
}

/* ES-GS; in the legacy pipeline the copy shader, too, which is made once that is compiled: what of its vertices lies
 * where is known then. */
static unsigned
list_geometry(const struct si_screen *screen, struct nir_shader *const shaders[NIR_STAGES], struct aco_stage *list)
{
   struct nir_shader *evaluation = shaders[NIR_STAGE_TESS_EVAL];
   const struct aco_args args = evaluation ? si_args_tess() : si_args_gs();

   list[0] = (struct aco_stage){
      .hw = ACO_HW_GS,
      .num_shaders = 2,
      .shaders = {evaluation ? evaluation : shaders[NIR_STAGE_VERTEX], shaders[NIR_STAGE_GEOMETRY]},
      .args = args};
   if (screen->info.ngg_only)
      return 1;
   list[1] = (struct aco_stage){.hw = ACO_HW_VS, .args = args};
   return 2;
}

/* LS-HS. */
static struct aco_stage
hull(struct nir_shader *const shaders[NIR_STAGES])
{
   return (struct aco_stage){.hw = ACO_HW_HS,
                             .num_shaders = 2,
                             .shaders = {shaders[NIR_STAGE_VERTEX], shaders[NIR_STAGE_TESS_CTRL]},
                             .args = si_args_tess()};
}

unsigned
si_stage_list(const struct si_screen *screen, struct nir_shader *const shaders[NIR_STAGES],
              struct aco_stage list[NIR_STAGES])
{
   unsigned count = 0;

   if (shaders[NIR_STAGE_TESS_CTRL])
      list[count++] = hull(shaders);
   if (shaders[NIR_STAGE_GEOMETRY])
      count += list_geometry(screen, shaders, list + count);
   else if (shaders[NIR_STAGE_MESH])
      list[count++] = si_stage(screen, shaders[NIR_STAGE_MESH]);
   else if (shaders[NIR_STAGE_TESS_EVAL])
      list[count++] = si_stage(screen, shaders[NIR_STAGE_TESS_EVAL]);
   else
      list[count++] = si_stage(screen, shaders[NIR_STAGE_VERTEX]);
   if (shaders[NIR_STAGE_FRAGMENT])
      list[count++] = si_stage(screen, shaders[NIR_STAGE_FRAGMENT]);
   return count;
}
