#include "gallium/drivers/radeonsi/cs/si_gen_gfx9.h"

#include "amd/hw/registers.h"

void
si_gfx9_graphics_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_pm4_reg(regs, R_VGT_MULTI_PRIM_IB_RESET_INDX, UINT32_MAX);
   si_pm4_reg(regs, R_VGT_VERTEX_REUSE_BLOCK_CNTL, S_VGT_VERTEX_REUSE_BLOCK_CNTL_VTX_REUSE_DEPTH(30));
   si_pm4_reg(regs, R_VGT_MAX_VTX_INDX(info->gen), UINT32_MAX);
   si_pm4_reg(regs, R_VGT_MIN_VTX_INDX(info->gen), 0);
   si_pm4_reg(regs, R_VGT_INDX_OFFSET(info->gen), 0);
   si_pm4_reg(regs, R_VGT_INSTANCE_BASE_ID, 0);
   /* Nothing is binned, by the scan converter that does not know bins. Source: RADV and radeonsi. */
   si_pm4_reg(regs, R_PA_SC_BINNER_CNTL_0,
              S_PA_SC_BINNER_CNTL_0_BINNING_MODE(V_DISABLE_BINNING_USE_LEGACY_SC) |
                 S_PA_SC_BINNER_CNTL_0_DISABLE_START_OF_PRIM(1));
   /* Late allocation is off, and all compute units take part: see placement_registers() of si_gen_gfx10.c. */
   si_pm4_reg(regs, R_SPI_SHADER_LATE_ALLOC_VS, S_SPI_SHADER_LATE_ALLOC_VS_LIMIT(0));
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC3_PS,
              S_SPI_SHADER_PGM_RSRC3_PS_CU_EN(0xffff) | S_SPI_SHADER_PGM_RSRC3_PS_WAVE_LIMIT(0x3f));
   si_pm4_reg(regs, R_SPI_SHADER_PGM_RSRC3_VS,
              S_SPI_SHADER_PGM_RSRC3_VS_CU_EN(0xffff) | S_SPI_SHADER_PGM_RSRC3_VS_WAVE_LIMIT(0x3f));
}

void
si_gfx9_compute_registers(struct si_pm4 *regs, const struct ac_gpu_info *info)
{
   si_pm4_reg(regs, R_COMPUTE_STATIC_THREAD_MGMT_SE0, UINT32_MAX);
   si_pm4_reg(regs, R_COMPUTE_STATIC_THREAD_MGMT_SE1, UINT32_MAX);
   si_pm4_reg(regs, R_COMPUTE_STATIC_THREAD_MGMT_SE2, UINT32_MAX);
   si_pm4_reg(regs, R_COMPUTE_STATIC_THREAD_MGMT_SE3, UINT32_MAX);
   si_pm4_reg(regs, R_CP_COHER_START_DELAY, 0);
}

/* Engines take groups of 128 primitives in turn. The work distributor must wait for the end of a packet where a
 * primitive needs those before it: fans, triangle strips with neighbours, draws by a byte count, and what restarts
 * but points, line strips and triangle strips. Where it does not and there are more than two engines, IA must wait
 * for the end of an instance. Strips that restart end waves of vertices early (erratum gfx9-restart-strips). Source:
 * RADV and radeonsi. */
uint32_t
si_gfx9_primitive_groups(unsigned num_se, enum pipe_topology topology, bool restart, bool byte_count)
{
   bool restarts_well = topology == PIPE_POINT_LIST || topology == PIPE_LINE_STRIP || topology == PIPE_TRIANGLE_STRIP;
   bool joined = topology == PIPE_TRIANGLE_FAN || topology == PIPE_TRIANGLE_STRIP_ADJACENCY;
   bool whole = num_se < 4 || byte_count || joined || (restart && !restarts_well);

   return S_IA_MULTI_VGT_PARAM_PRIMGROUP_SIZE(127) |
          S_IA_MULTI_VGT_PARAM_PARTIAL_VS_WAVE_ON(restart && restarts_well) |
          S_IA_MULTI_VGT_PARAM_WD_SWITCH_ON_EOP(whole) | S_IA_MULTI_VGT_PARAM_SWITCH_ON_EOI(!whole && num_se > 2) |
          S_IA_MULTI_VGT_PARAM_EN_INST_OPT_BASIC(1) | S_IA_MULTI_VGT_PARAM_EN_INST_OPT_ADV(1);
}

/* L2 (TC) is written back and invalidated, as RADV does before shaders read. */
uint32_t *
si_gfx9_acquire(uint32_t *dw, bool code)
{
   const struct amd_pm4_acquire_mem_gfx9 packet = {.tc_wb_action_ena = true,
                                                   .tcl1_action_ena = true,
                                                   .tc_action_ena = true,
                                                   .sh_kcache_action_ena = true,
                                                   .sh_icache_action_ena = code,
                                                   .coher_size = UINT64_C(0xffffffffffffff),
                                                   .clocks = 10};

   return amd_pm4_acquire_mem_gfx9_pack(dw, &packet);
}

/* Lines that are not coherent (NC) are all that there is to write back; without NC and with TC_ACTION L1 goes too. */
void
si_gfx9_release(struct amd_pm4_release_mem *packet, bool invalidate)
{
   packet->tc_wb_action_ena = true;
   packet->tc_action_ena = invalidate;
   packet->tc_nc_action_ena = !invalidate;
}

uint32_t *
si_gfx9_dump_counters(uint32_t dw[SI_GFX9_COUNTERS_DW], uint64_t va)
{
   const struct amd_pm4_event_write_address packet = {
      .event_type = V_ZPASS_DONE, .event_index = V_EVENT_INDEX_ZPASS, .address = va};

   return amd_pm4_event_write_address_pack(dw, &packet);
}
