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

bool
amd_cp_dispatch_mesh_indirect_multi(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_dispatch_mesh_indirect_multi packet = amd_pm4_dispatch_mesh_indirect_multi_unpack(payload);
   const bool has_size = !cp->gpu->model->traits->mesh_size_is_optional || packet.xyz_dim_enable;
   const uint32_t size_reg_dw = has_size ? packet.xyz_dim_reg : 0;
   const uint32_t index_reg_dw = packet.draw_index_enable ? packet.draw_index_reg : 0;
   uint32_t draws = packet.max_draws;
   if (packet.count_indirect_enable) {
      if (!amd_cp_read_ahead(cp, sim_va(packet.count_address & ~UINT64_C(3)), &draws, 4))
         return false;
      draws = MIN2(draws, packet.max_draws);
   }
   for (uint32_t i = 0; i < draws; i++) {
      uint32_t size[3];
      int64_t offset_B = (int64_t)packet.offset_B + (int64_t)i * packet.stride_B;
      struct sim_va va = sim_va_add(cp->ring->indirect_base, offset_B);
      if (!amd_cp_read_ahead(cp, va, size, sizeof(size)) || !amd_cp_set_user_reg(cp, index_reg_dw, i) ||
          !amd_cp_run_mesh(cp, size, size_reg_dw))
         return false;
   }
   return true;
}

bool
amd_cp_dispatch_mesh_direct(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_dispatch_mesh_direct packet = amd_pm4_dispatch_mesh_direct_unpack(payload);
   return amd_cp_run_mesh(cp, (const uint32_t[3]){packet.dim_x, packet.dim_y, packet.dim_z}, 0);
}
