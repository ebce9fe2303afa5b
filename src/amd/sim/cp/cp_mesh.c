/* Workgroups of mesh shaders that packets start. */
#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "amd/sim/cp/cp.h"
#include "amd/sim/draw/draw.h"
#include "util/macros.h"

/* A draw of one vertex for each workgroup; the shader gets their numbers in user data. */
bool
amd_cp_run_mesh(struct amd_cp *cp, const uint32_t size[3], uint32_t size_reg_dw)
{
   uint64_t count = (uint64_t)size[0] * size[1] * size[2];
   for (unsigned i = 0; i < 3 && size_reg_dw; i++) {
      if (!amd_cp_set_user_reg(cp, size_reg_dw + i, size[i]))
         return false;
   }
   if (count > UINT32_MAX)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_HANG, cp->packet_va, "%u x %u x %u workgroups", size[0], size[1],
                           size[2]);
   const struct amd_draw draw = {.count_el = (uint32_t)count, .instances = 1, .groups = {size[0], size[1], size[2]}};
   return amd_cp_run_draw(cp, &draw);
}

static bool
draw_indirect(struct amd_cp *cp, const uint32_t *payload)
{
   uint32_t draws = payload[3], size_reg_dw = G_DISPATCH_MESH_INDIRECT_MULTI_REGS_XYZ_DIM_REG(payload[1]);
   uint32_t index_reg_dw = G_DISPATCH_MESH_INDIRECT_MULTI_REGS_DRAW_INDEX_REG(payload[1]);
   if (cp->gpu->model->traits->mesh_size_is_optional &&
       !G_DISPATCH_MESH_INDIRECT_MULTI_CONTROL_XYZ_DIM_ENABLE(payload[2]))
      size_reg_dw = 0;
   if (!G_DISPATCH_MESH_INDIRECT_MULTI_CONTROL_DRAW_INDEX_ENABLE(payload[2]))
      index_reg_dw = 0;
   if (G_DISPATCH_MESH_INDIRECT_MULTI_CONTROL_COUNT_INDIRECT_ENABLE(payload[2])) {
      uint32_t limit = draws;
      if (!amd_cp_read_ahead(cp, amd_cp_va(payload[4] & ~3u, payload[5]), &draws, 4))
         return false;
      draws = MIN2(draws, limit);
   }
   for (uint32_t i = 0; i < draws; i++) {
      uint32_t size[3];
      struct sim_va va = sim_va_add(cp->ring->indirect_base, (int64_t)payload[0] + (int64_t)i * payload[6]);
      if (!amd_cp_read_ahead(cp, va, size, sizeof(size)) || !amd_cp_set_user_reg(cp, index_reg_dw, i) ||
          !amd_cp_run_mesh(cp, size, size_reg_dw))
         return false;
   }
   return true;
}

bool
amd_cp_mesh_packet(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   return G_PKT3_OPCODE(header) == PKT3_DISPATCH_MESH_DIRECT ? amd_cp_run_mesh(cp, payload, 0)
                                                             : draw_indirect(cp, payload);
}
