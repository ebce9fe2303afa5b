#include "gallium/drivers/radeonsi/cs/si_gen_rdna.h"

#include "amd/hw/registers.h"

void
si_rdna_graphics_registers(struct si_pm4 *regs)
{
   si_pm4_reg(regs, R_VGT_MULTI_PRIM_IB_RESET_INDX, UINT32_MAX);
   si_pm4_reg(regs, R_GE_MAX_VTX_INDX, UINT32_MAX);
   si_pm4_reg(regs, R_GE_MIN_VTX_INDX, 0);
   si_pm4_reg(regs, R_GE_INDX_OFFSET, 0);
   si_pm4_reg(regs, R_GE_STEREO_CNTL, 0);
   si_pm4_reg(regs, R_GE_USER_VGPR_EN, 0);
   si_pm4_reg(regs, R_VGT_INSTANCE_BASE_ID, 0);
   /* Only with late allocation; see placement_registers() of si_gen_gfx10.c. */
   si_pm4_reg(regs, R_GE_PC_ALLOC, S_GE_PC_ALLOC_OVERSUB_EN(0) | S_GE_PC_ALLOC_NUM_PC_LINES(1023));
   si_pm4_reg(regs, R_SPI_SHADER_REQ_CTRL_PS,
              S_SPI_SHADER_REQ_CTRL_PS_SOFT_GROUPING_EN(1) | S_SPI_SHADER_REQ_CTRL_PS_NUMBER_OF_REQUESTS_PER_CU(3));
   for (unsigned i = 0; i < 4; i++)
      si_pm4_reg(regs, R_SPI_SHADER_USER_ACCUM_PS_0 + 4 * i, 0);
}

void
si_rdna_ngg_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   /* How many vertices ahead are looked up for reuse. */
   si_pm4_reg(regs, R_PA_CL_NGG_CNTL, S_PA_CL_NGG_CNTL_VERTEX_REUSE_DEPTH(info->ngg_reuse_depth));
   for (unsigned i = 0; i < 4; i++)
      si_pm4_reg(regs, R_SPI_SHADER_USER_ACCUM_ESGS_0 + 4 * i, 0);
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC3_GS,
              S_SPI_SHADER_PGM_RSRC3_GS_CU_EN(0xffff) | S_SPI_SHADER_PGM_RSRC3_GS_WAVE_LIMIT(0x3f));
}

void
si_rdna_compute_registers(struct si_pm4 *regs)
{
   for (unsigned i = 0; i < 4; i++)
      si_pm4_reg(regs, R_COMPUTE_USER_ACCUM_0 + 4 * i, 0);
   si_pm4_reg(regs, R_COMPUTE_DISPATCH_TUNNEL, 0);
   si_pm4_reg(regs, R_COMPUTE_DESTINATION_EN_SE0, UINT32_MAX);
   si_pm4_reg(regs, R_COMPUTE_DESTINATION_EN_SE1, UINT32_MAX);
   si_pm4_reg(regs, R_COMPUTE_DESTINATION_EN_SE2, UINT32_MAX);
   si_pm4_reg(regs, R_COMPUTE_DESTINATION_EN_SE3, UINT32_MAX);
}
