#include "gallium/drivers/radeonsi/shader/si_stage.h"

#include "amd/hw/registers.h"
#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "gallium/drivers/radeonsi/si_screen.h"

/* A row per stage: the hardware stage that runs its shader alone, without NGG, and the arguments that user_data.txt
 * lists. NULL: the driver does not have the stage. */
static const struct {
   enum aco_hw_stage hw;
   struct aco_args (*args)(void);
} stages[NIR_STAGES] = {
   [NIR_STAGE_VERTEX] = {ACO_HW_VS, si_args_vs},
   [NIR_STAGE_FRAGMENT] = {ACO_HW_PS, si_args_ps},
   [NIR_STAGE_COMPUTE] = {ACO_HW_CS, si_args_cs},
};

struct si_hw_regs
si_hw_regs(enum amd_gen gen, enum aco_hw_stage hw)
{
   switch (hw) {
   case ACO_HW_VS:
      return (struct si_hw_regs){R_SPI_SHADER_PGM_LO_VS, R_SPI_SHADER_PGM_RSRC1_VS, R_SPI_SHADER_USER_DATA_VS_0,
                                 S_SPI_SHADER_PGM_RSRC1_VS_MEM_ORDERED(1)};
   case ACO_HW_GS:
      return (struct si_hw_regs){R_SPI_SHADER_PGM_LO_ES(gen), R_SPI_SHADER_PGM_RSRC1_GS, R_SPI_SHADER_USER_DATA_GS_0,
                                 S_SPI_SHADER_PGM_RSRC1_GS_MEM_ORDERED(1)};
   case ACO_HW_PS:
      return (struct si_hw_regs){R_SPI_SHADER_PGM_LO_PS, R_SPI_SHADER_PGM_RSRC1_PS, R_SPI_SHADER_USER_DATA_PS_0,
                                 S_SPI_SHADER_PGM_RSRC1_PS_MEM_ORDERED(1)};
   case ACO_HW_CS:
   case ACO_HW_STAGES:
      break;
   }
   return (struct si_hw_regs){R_COMPUTE_PGM_LO, R_COMPUTE_PGM_RSRC1, R_COMPUTE_USER_DATA_0,
                              S_COMPUTE_PGM_RSRC1_MEM_ORDERED(1)};
}

bool
si_has_stage(enum nir_stage stage)
{
   return stages[stage].args != NULL;
}

struct aco_stage
si_stage(const struct si_screen *screen, struct nir_shader *nir)
{
   const bool ngg = nir->stage == NIR_STAGE_VERTEX && screen->ngg;

   return (struct aco_stage){
      .hw = ngg ? ACO_HW_GS : stages[nir->stage].hw,
      .num_shaders = 1,
      .shaders = {nir},
      .args = si_has_stage(nir->stage) ? stages[nir->stage].args() : (struct aco_args){0},
   };
}

unsigned
si_stage_list(const struct si_screen *screen, struct nir_shader *const shaders[NIR_STAGES],
              struct aco_stage list[NIR_STAGES])
{
   unsigned count = 0;

   nir_foreach_stage(stage, NIR_STAGES_PRE_RASTER) {
      if (shaders[stage])
         list[count++] = si_stage(screen, shaders[stage]);
   }
   if (shaders[NIR_STAGE_FRAGMENT])
      list[count++] = si_stage(screen, shaders[NIR_STAGE_FRAGMENT]);
   return count;
}
