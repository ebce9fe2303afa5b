#include "gallium/drivers/radeonsi/cs/si_gen_gfx10.h"

#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/cs/si_gen_rdna.h"

/* Where waves run. These registers are in no context: what is not written here is what the process before has left.
 * Vertex waves that start before their parameters have room (late allocation) must leave a compute unit to the pixel
 * waves that make room, and may deadlock with scratch (radeonsi and RADV turn it off then): it is off, and all units
 * take part. */
static void
placement_registers(struct si_pm4 *regs)
{
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC3_PS,
              S_SPI_SHADER_PGM_RSRC3_PS_CU_EN(0xffff) | S_SPI_SHADER_PGM_RSRC3_PS_WAVE_LIMIT(0x3f));
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC4_PS, 0xffff);
}

void
si_gfx10_graphics_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_rdna_graphics_registers(regs);
   si_pm4_reg(regs, R_VGT_VERTEX_REUSE_BLOCK_CNTL, S_VGT_VERTEX_REUSE_BLOCK_CNTL_VTX_REUSE_DEPTH(14));
   if (info->pops->has_vrs)
      si_pm4_reg(regs, R_VGT_DRAW_PAYLOAD_CNTL, S_VGT_DRAW_PAYLOAD_CNTL_EN_VRS_RATE(1));
   placement_registers(regs);
}

void
si_gfx10_legacy_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_pm4_reg(regs, R_SPI_SHADER_LATE_ALLOC_VS, S_SPI_SHADER_LATE_ALLOC_VS_LIMIT(0));
   si_pm4_reg(regs, R_SPI_SHADER_REQ_CTRL_VS, 0);
   for (unsigned i = 0; i < 4; i++)
      si_pm4_reg(regs, R_SPI_SHADER_USER_ACCUM_VS_0 + 4 * i, 0);
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC3_VS,
              S_SPI_SHADER_PGM_RSRC3_VS_CU_EN(0xffff) | S_SPI_SHADER_PGM_RSRC3_VS_WAVE_LIMIT(0x3f));
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC4_VS, 0xffff);
}

void
si_gfx10_ngg_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_rdna_ngg_registers(regs, info);
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC4_GS,
              S_SPI_SHADER_PGM_RSRC4_GS_CU_EN(info->gen, 0xffff) |
                 S_SPI_SHADER_PGM_RSRC4_GS_SPI_SHADER_LATE_ALLOC_GS(info->gen, 0));
}

void
si_gfx10_compute_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_rdna_compute_registers(regs);
   si_pm4_reg(regs, R_CP_COHER_START_DELAY, S_CP_COHER_START_DELAY_START_DELAY_COUNT(0x20));
}
