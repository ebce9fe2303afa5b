/* Registers of LS, HS and the tessellator. */
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"

bool
amd_draw_state_tess(struct amd_tess_state *t, const struct amd_gpu *gpu)
{
   const struct amd_regs *regs = gpu->regs;
   enum amd_gen gen = gpu->model->gen;
   uint32_t config = amd_regs_get(regs, R_VGT_LS_HS_CONFIG), param = amd_regs_get(regs, R_VGT_TF_PARAM);
   uint32_t offchip = amd_regs_get(regs, R_VGT_HS_OFFCHIP_PARAM);
   *t = (struct amd_tess_state){.enabled = G_VGT_SHADER_STAGES_EN_HS_EN(amd_regs_get(regs, R_VGT_SHADER_STAGES_EN))};
   if (!t->enabled)
      return true;
   t->config = (struct amd_tess_config){
      .domain = G_VGT_TF_PARAM_TYPE(param),
      .partitioning = G_VGT_TF_PARAM_PARTITIONING(param),
      .topology = G_VGT_TF_PARAM_TOPOLOGY(param),
      .min = amd_regs_get_float(regs, R_VGT_HOS_MIN_TESS_LEVEL),
      .max = amd_regs_get_float(regs, R_VGT_HOS_MAX_TESS_LEVEL),
   };
   t->patches = G_VGT_LS_HS_CONFIG_NUM_PATCHES(config);
   t->in_vertices = G_VGT_LS_HS_CONFIG_HS_NUM_INPUT_CP(config);
   t->out_vertices = G_VGT_LS_HS_CONFIG_HS_NUM_OUTPUT_CP(config);
   t->ls_vgpr_comp_cnt = G_SPI_SHADER_PGM_RSRC1_HS_LS_VGPR_COMP_CNT(amd_regs_get(regs, R_SPI_SHADER_PGM_RSRC1_HS));
   t->parts = gpu->model->traits->tess_rings_by_engine ? (uint8_t)gpu->chip->num_se : 1;
   t->factors = amd_regs_get_va(regs, R_VGT_TF_MEMORY_BASE, R_VGT_TF_MEMORY_BASE_HI(gen));
   t->factors_B = G_VGT_TF_RING_SIZE_SIZE(gen, amd_regs_get(regs, R_VGT_TF_RING_SIZE)) * 4;
   t->offchip_buffers = G_VGT_HS_OFFCHIP_PARAM_OFFCHIP_BUFFERING(gen, offchip) + 1;
   t->offchip_buffer_B = (8192u >> G_VGT_HS_OFFCHIP_PARAM_OFFCHIP_GRANULARITY(gen, offchip)) * 4;
   if (!t->patches || !t->in_vertices || t->in_vertices > AMD_PRIM_IN_VERTICES || !t->out_vertices ||
       t->out_vertices > AMD_PRIM_IN_VERTICES)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "threadgroups of %u patches with %u vertices in and %u out (VGT_LS_HS_CONFIG 0x%x)",
                           t->patches, t->in_vertices, t->out_vertices, config);
   bool is_line = t->config.topology == V_OUTPUT_LINE, is_isoline = t->config.domain == V_TESS_ISOLINE;
   if (t->config.domain > V_TESS_QUAD || t->config.partitioning > V_PART_FRAC_EVEN ||
       t->config.topology > V_OUTPUT_TRIANGLE_CCW || (t->config.topology != V_OUTPUT_POINT && is_line != is_isoline))
      return sim_fault_set(
         gpu->fault, SIM_FAULT_STATE, sim_va(0),
         "the tessellator has no domain %u with partitioning %u and topology %u (VGT_TF_PARAM 0x%x)",
         t->config.domain, t->config.partitioning, t->config.topology, param);
   return true;
}

unsigned
amd_tess_factor_count(unsigned domain)
{
   return domain == V_TESS_QUAD ? 6 : domain == V_TESS_TRIANGLE ? 4 : 2;
}

unsigned
amd_tess_prim_vertices(unsigned topology)
{
   return topology == V_OUTPUT_POINT ? 1 : topology == V_OUTPUT_LINE ? 2 : 3;
}

uint32_t
amd_tess_group_factors_B(const struct amd_tess_state *tess)
{
   return tess->patches * amd_tess_factor_count(tess->config.domain) * 4;
}

uint32_t
amd_tess_factors_at_B(const struct amd_tess_state *tess, uint32_t group)
{
   return group % tess->parts * tess->factors_B + group / tess->parts * amd_tess_group_factors_B(tess);
}

uint32_t
amd_tess_offchip_at_B(const struct amd_tess_state *tess, uint32_t group)
{
   return (group % tess->parts * tess->offchip_buffers + group / tess->parts) * tess->offchip_buffer_B;
}
