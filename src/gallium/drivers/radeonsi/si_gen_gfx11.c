#include "gallium/drivers/radeonsi/si_gen_gfx11.h"

#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_gen_rdna.h"
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
unsigned
si_gfx11_wait_idle(uint32_t dw[SI_GFX11_IDLE_DW])
{
   const uint32_t words[SI_GFX11_IDLE_DW] = {
      PKT3(PKT3_RELEASE_MEM, 7),
      S_RELEASE_MEM_OP_EVENT_TYPE(V_BOTTOM_OF_PIPE_TS) | S_RELEASE_MEM_OP_EVENT_INDEX(V_EVENT_INDEX_END_OF_PIPE) |
         S_RELEASE_MEM_OP_PWS_ENABLE(1),
      0,
      0,
      0,
      0,
      0,
      0,
      PKT3(PKT3_ACQUIRE_MEM, 7),
      S_ACQUIRE_MEM_COHER_CNTL_PWS_STAGE_SEL(V_PWS_STAGE_CP_ME) |
         S_ACQUIRE_MEM_COHER_CNTL_PWS_COUNTER_SEL(V_PWS_COUNTER_TS) | S_ACQUIRE_MEM_COHER_CNTL_PWS_ENA2(1),
      UINT32_MAX,
      0x1ffffff,
      0,
      0,
      S_ACQUIRE_MEM_POLL_INTERVAL_PWS_ENA(1),
      0,
   };

   memcpy(dw, words, sizeof(words));
   return SI_GFX11_IDLE_DW;
}

/* Bits 10:9 are the stride of the counters, bits 31:11 and those of the next word a backend each. Source: RADV. */
unsigned
si_gfx11_count_pipes(uint32_t dw[SI_GFX11_COUNT_PIPES_DW], const struct ac_gpu_info *info)
{
   dw[0] = PKT3(PKT3_EVENT_WRITE, SI_GFX11_COUNT_PIPES_DW - 1);
   dw[1] = S_EVENT_WRITE_EVENT_EVENT_TYPE(V_PIXEL_PIPE_STAT_CONTROL) |
           S_EVENT_WRITE_EVENT_EVENT_INDEX(V_EVENT_INDEX_ZPASS);
   dw[2] = 2u << 9 | info->enabled_rb_mask << 11;
   dw[3] = info->enabled_rb_mask >> 21;
   return SI_GFX11_COUNT_PIPES_DW;
}
