#include "gallium/drivers/radeonsi/si_stage.h"

#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_abi.h"

const struct si_stage si_stages[NIR_STAGES] = {
   [NIR_STAGE_VERTEX] =
      {
         .hw = SI_HW_VS,
         .args = {.num_user_sgprs = SI_SGPR_VS_COUNT,
                  .scratch_address = SI_SGPR_VS_SCRATCH,
                  .base_vertex = SI_SGPR_VS_BASE_VERTEX,
                  .base_instance = SI_SGPR_VS_BASE_INSTANCE,
                  .draw_id = SI_SGPR_VS_DRAW_ID,
                  .attribute_ring = SI_SGPR_VS_ATTRIBUTE_RING,
                  .view_index = ACO_NO_REG,
                  .num_workgroups = ACO_NO_REG,
                  .sample_positions = ACO_NO_REG},
      },
   [NIR_STAGE_FRAGMENT] =
      {
         .hw = SI_HW_PS,
         .args = {.num_user_sgprs = SI_SGPR_PS_COUNT,
                  .scratch_address = SI_SGPR_PS_SCRATCH,
                  .base_vertex = ACO_NO_REG,
                  .base_instance = ACO_NO_REG,
                  .draw_id = ACO_NO_REG,
                  .view_index = ACO_NO_REG,
                  .num_workgroups = ACO_NO_REG,
                  .sample_positions = SI_SGPR_PS_SAMPLE_POSITIONS,
                  .attribute_ring = ACO_NO_REG},
      },
   [NIR_STAGE_COMPUTE] =
      {
         .hw = SI_HW_CS,
         .args = {.num_user_sgprs = SI_SGPR_CS_COUNT,
                  .scratch_address = SI_SGPR_CS_SCRATCH,
                  .base_vertex = ACO_NO_REG,
                  .base_instance = ACO_NO_REG,
                  .draw_id = ACO_NO_REG,
                  .view_index = ACO_NO_REG,
                  .num_workgroups = SI_SGPR_CS_NUM_WORKGROUPS,
                  .sample_positions = ACO_NO_REG,
                  .attribute_ring = ACO_NO_REG},
      },
};

struct si_hw_regs
si_hw_regs(enum amd_gen gen, enum nir_stage stage, const struct aco_output *out)
{
   switch (stage == NIR_STAGE_VERTEX && out->vs.ngg ? SI_HW_GS : si_stages[stage].hw) {
   case SI_HW_VS:
      return (struct si_hw_regs){R_SPI_SHADER_PGM_LO_VS, R_SPI_SHADER_PGM_RSRC1_VS, R_SPI_SHADER_USER_DATA_VS_0,
                                 S_SPI_SHADER_PGM_RSRC1_VS_MEM_ORDERED(1)};
   case SI_HW_GS:
      return (struct si_hw_regs){R_SPI_SHADER_PGM_LO_ES(gen), R_SPI_SHADER_PGM_RSRC1_GS, R_SPI_SHADER_USER_DATA_GS_0,
                                 S_SPI_SHADER_PGM_RSRC1_GS_MEM_ORDERED(1)};
   case SI_HW_PS:
      return (struct si_hw_regs){R_SPI_SHADER_PGM_LO_PS, R_SPI_SHADER_PGM_RSRC1_PS, R_SPI_SHADER_USER_DATA_PS_0,
                                 S_SPI_SHADER_PGM_RSRC1_PS_MEM_ORDERED(1)};
   case SI_HW_CS:
      break;
   }
   return (struct si_hw_regs){R_COMPUTE_PGM_LO, R_COMPUTE_PGM_RSRC1, R_COMPUTE_USER_DATA_0,
                              S_COMPUTE_PGM_RSRC1_MEM_ORDERED(1)};
}
