#include "gallium/drivers/radeonsi/cs/si_gen_gfx11.h"

#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/cs/si_gen_rdna.h"
#include "util/mutant.h"

/* Late allocation is off, and all compute units take part: see placement_registers() of si_gen_gfx10.c. */
static void
placement_registers(struct si_pm4 *regs)
{
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC3_PS,
              S_SPI_SHADER_PGM_RSRC3_PS_CU_EN(0xffff) | S_SPI_SHADER_PGM_RSRC3_PS_WAVE_LIMIT(0x3f) |
                 S_SPI_SHADER_PGM_RSRC3_PS_LDS_GROUP_SIZE(1));
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC4_PS, 0);
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC4_GS, S_SPI_SHADER_PGM_RSRC4_GS_CU_EN(AMD_GFX11, 1));
}

void
si_gfx11_graphics_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_rdna_graphics_registers(regs);
   si_rdna_ngg_registers(regs, info);
   si_pm4_reg(regs, R_VGT_DRAW_PAYLOAD_CNTL, S_VGT_DRAW_PAYLOAD_CNTL_EN_VRS_RATE(info->pops->has_vrs));
   placement_registers(regs);
   if (mutant("rates-fine-in-order"))
      si_pm4_reg(regs, R_PA_SC_VRS_SURFACE_CNTL_1, S_PA_SC_VRS_SURFACE_CNTL_1_FORCE_SC_VRS_RATE_FINE_POPS(1));
}

void
si_gfx11_compute_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_rdna_compute_registers(regs);
   si_pm4_reg(regs, R_COMPUTE_STATIC_THREAD_MGMT_SE4, UINT32_MAX);
   si_pm4_reg(regs, R_COMPUTE_STATIC_THREAD_MGMT_SE5, UINT32_MAX);
   si_pm4_reg(regs, R_COMPUTE_STATIC_THREAD_MGMT_SE6, UINT32_MAX);
   si_pm4_reg(regs, R_COMPUTE_STATIC_THREAD_MGMT_SE7, UINT32_MAX);
   /* Workgroups that go to one engine before the next one. Source: RADV. */
   si_pm4_reg(regs, R_COMPUTE_DISPATCH_INTERLEAVE, S_COMPUTE_DISPATCH_INTERLEAVE_INTERLEAVE(64));
}

/* The throttles are what RADV and radeonsi program. */
void
si_gfx11_ring_registers(struct si_pm4 *regs, uint64_t ring_va)
{
   si_pm4_reg(regs, R_SPI_GS_THROTTLE_CNTL1, 0x12355123);
   si_pm4_reg(regs, R_SPI_GS_THROTTLE_CNTL2, 0x1544d);
   si_pm4_reg(regs, R_SPI_ATTRIBUTE_RING_BASE, (uint32_t)(ring_va >> 16));
   si_pm4_reg(regs, R_SPI_ATTRIBUTE_RING_SIZE,
              S_SPI_ATTRIBUTE_RING_SIZE_MEM_SIZE((SI_GFX11_RING_PART_B >> 16) - 1) |
                 S_SPI_ATTRIBUTE_RING_SIZE_L1_POLICY(1));
}

/* An end-of-pipe event counts, and the command processor waits for the count (pixel wait sync). */
uint32_t *
si_gfx11_wait_idle(uint32_t dw[SI_GFX11_IDLE_DW])
{
   const struct amd_pm4_release_mem count = {
      .event_type = V_BOTTOM_OF_PIPE_TS, .event_index = V_EVENT_INDEX_END_OF_PIPE, .pws_enable = true};
   const struct amd_pm4_acquire_mem wait = {.pws_stage_sel = V_PWS_STAGE_CP_ME,
                                            .pws_counter_sel = V_PWS_COUNTER_TS,
                                            .pws_ena2 = true,
                                            .coher_size = UINT64_C(0x1ffffffffffffff),
                                            .pws_ena = true};

   return amd_pm4_acquire_mem_pack(amd_pm4_release_mem_pack(dw, &count), &wait);
}

/* Backends by bits: 21 in one dword, the others in the next. Source: RADV. */
uint32_t *
si_gfx11_count_pipes(uint32_t dw[SI_GFX11_COUNT_PIPES_DW], const struct ac_gpu_info *info)
{
   const struct amd_pm4_pixel_pipe_stat_control packet = {.event_type = V_PIXEL_PIPE_STAT_CONTROL,
                                                          .event_index = V_EVENT_INDEX_ZPASS,
                                                          .stride = 2,
                                                          .instance_en_lo = info->enabled_rb_mask & 0x1fffff,
                                                          .instance_en_hi = info->enabled_rb_mask >> 21};

   return amd_pm4_pixel_pipe_stat_control_pack(dw, PKT3_EVENT_WRITE, &packet);
}
