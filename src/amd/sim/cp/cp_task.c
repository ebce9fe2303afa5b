/* Task shaders. The compute ring runs their workgroups and gives each the number of an entry in two rings in memory,
 * for sizes of mesh dispatches and for payloads; the graphics ring takes these entries in order and runs their
 * meshes.
 *
 *    control buffer (dwords)                       entry n of the draw ring, 16 bytes at n mod entries
 *     1:0  next entry to be written                 0 to 2  workgroups of the mesh shader
 *     3:2  next entry to be read                    3       0: ready, if it equals (n / entries) mod 2
 *     5:4  first entry that is still in use                 1: nothing is here, the packet ends
 *     6    entries, a power of two
 *     8:7  address of the draw ring
 *
 * Source: Mesa's comments where it fills the control buffer and where it lowers task shaders. */
#include <string.h>

#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "amd/sim/cp/cp.h"
#include "amd/sim/cp/dispatch.h"
#include "amd/sim/cp/poll.h"
#include "util/macros.h"

enum {
   WRITE_B = 0,
   READ_B = 8,
   FREE_B = 16,
   CONTROL_B = 36,
   ENTRY_B = 16,
   STATE_B = 12, /* of an entry */
   READY = 1,
   END = 2,
};

struct control {
   uint64_t write, read, free; /* entries since the ring was made */
   uint32_t entries;
   struct sim_va ring;
};

static uint64_t
number_at(const uint32_t dw[2])
{
   return (uint64_t)dw[1] << 32 | dw[0];
}

static bool
read_control(struct amd_cp *cp, struct control *c)
{
   uint32_t dw[CONTROL_B / 4];
   *c = (struct control){0};
   if (!cp->ring->task_control.va)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_PACKET, cp->packet_va,
                           "no DISPATCH_TASK_STATE_INIT has told of a control buffer");
   if (!amd_cp_poll(cp, cp->ring->task_control, dw, sizeof(dw)))
      return false;
   *c = (struct control){number_at(&dw[0]), number_at(&dw[2]), number_at(&dw[4]), dw[6], sim_va(number_at(&dw[7]))};
   return (is_power_of_two(c->entries) && c->free <= c->read && c->read <= c->write &&
           c->write - c->free <= c->entries) ||
          sim_fault_set(cp->gpu->fault, SIM_FAULT_STATE, cp->ring->task_control,
                        "task control buffer with entries %llu to %llu in use, read up to %llu, of %u",
                        (unsigned long long)c->free, (unsigned long long)c->write, (unsigned long long)c->read,
                        c->entries);
}

/* Both engines take turns at the rings by what stands in them: no other wait is asked for. */
static bool
put(struct amd_cp *cp, struct sim_va va, const void *data, uint64_t size_B)
{
   struct sim_va bad;
   amd_caches_write(cp->gpu->caches, va, size_B);
   return sim_vm_write(cp->gpu->vm, va, data, size_B, &bad) ||
          sim_fault_set(cp->gpu->fault, SIM_FAULT_STORE, bad, "write to unmapped address 0x%012lx", (long)bad.va);
}

static bool
set_pointer(struct amd_cp *cp, unsigned offset_B, uint64_t value)
{
   return put(cp, sim_va_add(cp->ring->task_control, offset_B), &value, sizeof(value));
}

static struct sim_va
entry_va(const struct control *c, uint64_t number)
{
   return sim_va_add(c->ring, (int64_t)(number & (c->entries - 1)) * ENTRY_B);
}

static uint32_t
ready_bit(const struct control *c, uint64_t number)
{
   return number / c->entries & 1;
}

static bool
wait_for(struct amd_cp *cp, struct sim_va va, uint32_t function, uint32_t reference, uint32_t mask)
{
   const struct amd_poll poll = {va, function, reference, mask, cp->wait, cp->wait_data};
   return amd_poll(cp->gpu, &poll);
}

/* Waits until the graphics ring has left room in the rings. */
static bool
wait_for_room(struct amd_cp *cp, struct control *c)
{
   return read_control(cp, c) &&
          (c->write - c->free < c->entries || (wait_for(cp, sim_va_add(cp->ring->task_control, FREE_B),
                                                        V_WAIT_NOT_EQUAL, (uint32_t)c->free, UINT32_MAX) &&
                                               read_control(cp, c)));
}

/* Workgroups as there is room. All see the entry of the first one. */
static bool
run_tasks(struct amd_cp *cp, const uint32_t dim[3], uint32_t initiator, uint32_t entry_reg_dw)
{
   uint64_t groups = (uint64_t)dim[0] * dim[1] * dim[2];
   struct control c;
   if (groups > UINT32_MAX)
      return sim_fault_set(cp->gpu->fault, SIM_FAULT_HANG, cp->packet_va, "%u x %u x %u workgroups", dim[0], dim[1],
                           dim[2]);
   if (!read_control(cp, &c) || !amd_cp_set_user_reg(cp, entry_reg_dw, (uint32_t)c.write))
      return false;
   for (struct amd_group_range range = {0, 0}; range.first < groups; range.first += range.count) {
      if (!wait_for_room(cp, &c))
         return false;
      range.count = (uint32_t)MIN2(c.entries - (c.write - c.free), groups - range.first);
      if (!amd_cp_run_dispatch(cp, dim, initiator, &range) || !set_pointer(cp, WRITE_B, c.write + range.count))
         return false;
   }
   return true;
}

static bool
end_tasks(struct amd_cp *cp)
{
   struct control c;
   if (!wait_for_room(cp, &c))
      return false;
   uint32_t state = END | ready_bit(&c, c.write);
   return put(cp, sim_va_add(entry_va(&c, c.write), STATE_B), &state, 4) && set_pointer(cp, WRITE_B, c.write + 1);
}

bool
amd_cp_dispatch_taskmesh_direct_ace(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_dispatch_taskmesh_direct_ace packet = amd_pm4_dispatch_taskmesh_direct_ace_unpack(payload);
   const uint32_t dim[3] = {packet.dim_x, packet.dim_y, packet.dim_z};
   return run_tasks(cp, dim, packet.initiator, packet.ring_entry_reg) && end_tasks(cp);
}

bool
amd_cp_dispatch_taskmesh_indirect_multi_ace(struct amd_cp *cp, uint32_t header, const uint32_t *payload,
                                            uint32_t count)
{
   const struct amd_pm4_dispatch_taskmesh_indirect_multi_ace packet =
      amd_pm4_dispatch_taskmesh_indirect_multi_ace_unpack(payload);
   const uint32_t index_reg_dw = packet.draw_index_enable ? packet.draw_index_reg : 0;
   const uint32_t size_reg_dw = packet.xyz_dim_enable ? packet.xyz_dim_reg : 0;
   uint32_t draws = packet.max_draws;
   if (packet.count_indirect_enable) {
      if (!amd_cp_read_ahead(cp, sim_va(packet.count_address & ~UINT64_C(3)), &draws, 4))
         return false;
      draws = MIN2(draws, packet.max_draws);
   }
   for (uint32_t i = 0; i < draws; i++) {
      uint32_t size[3];
      struct sim_va va = sim_va_add(sim_va(packet.address & ~UINT64_C(3)), (int64_t)i * packet.stride_B);
      if (!amd_cp_read_ahead(cp, va, size, sizeof(size)) || !amd_cp_set_user_reg(cp, index_reg_dw, i))
         return false;
      for (unsigned k = 0; k < 3 && size_reg_dw; k++) {
         if (!amd_cp_set_user_reg(cp, size_reg_dw + k, size[k]))
            return false;
      }
      if (!run_tasks(cp, size, packet.initiator, packet.ring_entry_reg))
         return false;
   }
   return end_tasks(cp);
}

/* Entries up to one that ends the packet. */
bool
amd_cp_dispatch_taskmesh_gfx(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   const struct amd_pm4_dispatch_taskmesh_gfx packet = amd_pm4_dispatch_taskmesh_gfx_unpack(payload);
   const bool has_size = !cp->gpu->model->traits->mesh_size_is_optional || packet.xyz_dim_enable;
   const uint32_t size_reg_dw = has_size ? packet.xyz_dim_reg : 0;
   for (bool ended = false; !ended;) {
      struct control c;
      uint32_t entry[ENTRY_B / 4];
      if (!read_control(cp, &c))
         return false;
      struct sim_va va = entry_va(&c, c.read);
      if (!wait_for(cp, sim_va_add(va, STATE_B), V_WAIT_EQUAL, ready_bit(&c, c.read), READY) ||
          !amd_cp_poll(cp, va, entry, sizeof(entry)) || !set_pointer(cp, READ_B, c.read + 1))
         return false;
      ended = entry[STATE_B / 4] & END;
      if (!ended && (!amd_cp_set_user_reg(cp, packet.ring_entry_reg, (uint32_t)c.read) ||
                     !amd_cp_run_mesh(cp, entry, size_reg_dw)))
         return false;
      if (!set_pointer(cp, FREE_B, c.read + 1))
         return false;
   }
   return true;
}

bool
amd_cp_dispatch_task_state_init(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count)
{
   cp->ring->task_control = sim_va(amd_pm4_dispatch_task_state_init_unpack(payload).control_address);
   return true;
}
