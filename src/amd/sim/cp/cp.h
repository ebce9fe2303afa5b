/* Command processor: reads indirect buffers and executes their packets in order. */
#ifndef INDIUM_AMD_SIM_CP_H
#define INDIUM_AMD_SIM_CP_H

#include "amd/sim/cache/meta_cache.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/base/gpu.h"
#include "util/dynarray.h"

/* Spaces of registers that have copies in memory. */
enum amd_space {
   AMD_SPACE_SH,
   AMD_SPACE_CONTEXT,
   AMD_SPACE_UCONFIG,
   AMD_SPACE_OTHER, /* no copy */
   AMD_SPACES,
};

struct amd_shadow {
   struct sim_va va;     /* of the copy; 0: not told yet */
   bool loaded, written; /* LOAD_*_REG loads it; writes of registers go there too */
};

/* Registers and counters of one ring. They outlive jobs. */
struct amd_ring {
   struct amd_regs regs;
   struct sim_va indirect_base, index_base, task_control;
   uint32_t index_buffer_size_el, num_instances;
   struct amd_shadow shadow[AMD_SPACES];
   bool predicated, visible, draws_skipped; /* SET_PREDICATION is active; its condition; which says skip */
   uint32_t pws[3];                         /* by V_PWS_COUNTER_*: releases so far */
   struct dynarray batch;                   /* struct amd_batch_draw (cp_batch.h) */
   uint64_t draws;                          /* so far */
   bool relaxed;                            /* a mark says so (amd/hw/order_mark.h) */
};

struct amd_cp {
   struct amd_gpu *gpu;
   struct amd_ring *ring;
   /* While a packet waits for memory: lets jobs of other rings run. Called with the lock of the model held; returns
    * the same way. False: the job has failed on another ring. */
   bool (*wait)(void *data);
   bool (*pause)(void *data); /* the same ahead of packets, also others; NULL: never. False after a fault */
   void *wait_data;

   uint64_t packets; /* executed in this job; bounds loops of chained buffers */
   struct sim_va buffer_va;
   struct sim_va packet_va;
   const char *packet_name;
   uint32_t skip_dw; /* COND_EXEC: dwords still to skip */
   /* Set by INDIRECT_BUFFER with CHAIN. */
   bool chained;
   struct sim_va chain_va;
   uint32_t chain_size_dw;
   unsigned depth;
};

/* Runs one buffer and what it calls and chains to. False after a fault. */
bool amd_cp_run(struct amd_cp *cp, struct sim_va va, uint32_t size_dw);

/* Context registers get their values after CLEAR_STATE. */
void amd_cp_clear_state(enum amd_gen gen, struct amd_regs *regs);

/* Writes a register that a packet names; faults on unknown registers and unknown bits. */
bool amd_cp_set_reg(struct amd_cp *cp, uint32_t offset_B, uint32_t value);

/* Memory for packets: faults on unmapped addresses and on writes that are under way there. read_ahead: by PFP, which
 * does not wait for what ME waits for. */
bool amd_cp_read(struct amd_cp *cp, struct sim_va va, void *data, uint64_t size_B);
bool amd_cp_read_ahead(struct amd_cp *cp, struct sim_va va, void *data, uint64_t size_B);
/* Without the check of writes under way: polling, atomics. */
bool amd_cp_poll(struct amd_cp *cp, struct sim_va va, void *data, uint64_t size_B);
bool amd_cp_write(struct amd_cp *cp, struct sim_va va, const void *data, uint64_t size_B);
/* By ME, of a packet that PFP has gone past. */
bool amd_cp_write_late(struct amd_cp *cp, struct sim_va va, const void *data, uint64_t size_B);

/* A packet's handler: payload of `count` dwords, checked against the packet table. */
typedef bool amd_cp_handler(struct amd_cp *cp, uint32_t header, const uint32_t *payload, uint32_t count);
/* cp_draw.c */
amd_cp_handler amd_cp_set_base;
amd_cp_handler amd_cp_index_base;
amd_cp_handler amd_cp_index_buffer_size;
amd_cp_handler amd_cp_index_type;
amd_cp_handler amd_cp_num_instances;
amd_cp_handler amd_cp_draw_index_auto;
amd_cp_handler amd_cp_draw_index_2;
amd_cp_handler amd_cp_draw_index_offset_2;
amd_cp_handler amd_cp_draw_indirect;
amd_cp_handler amd_cp_draw_index_indirect;
amd_cp_handler amd_cp_draw_indirect_multi;
amd_cp_handler amd_cp_draw_index_indirect_multi;
/* cp_event.c */
amd_cp_handler amd_cp_event_write;
amd_cp_handler amd_cp_release_mem;
amd_cp_handler amd_cp_event_write_zpass;
/* cp_memory.c */
amd_cp_handler amd_cp_write_data;
amd_cp_handler amd_cp_dma_data;
amd_cp_handler amd_cp_copy_data;
amd_cp_handler amd_cp_wait_reg_mem;
amd_cp_handler amd_cp_atomic_mem;
amd_cp_handler amd_cp_load_sh_reg_index;
amd_cp_handler amd_cp_load_context_reg_index;
/* cp_dispatch.c */
amd_cp_handler amd_cp_dispatch_direct;
amd_cp_handler amd_cp_dispatch_indirect;
/* cp_mesh.c */
amd_cp_handler amd_cp_dispatch_mesh_indirect_multi;
amd_cp_handler amd_cp_dispatch_mesh_direct;
/* cp_task.c */
amd_cp_handler amd_cp_dispatch_task_state_init;
amd_cp_handler amd_cp_dispatch_taskmesh_direct_ace;
amd_cp_handler amd_cp_dispatch_taskmesh_indirect_multi_ace;
amd_cp_handler amd_cp_dispatch_taskmesh_gfx;
/* cp_ce.c */
amd_cp_handler amd_cp_load_const_ram;
amd_cp_handler amd_cp_write_const_ram;
amd_cp_handler amd_cp_dump_const_ram;
amd_cp_handler amd_cp_increment_ce_counter;
amd_cp_handler amd_cp_increment_de_counter;
amd_cp_handler amd_cp_wait_on_ce_counter;
amd_cp_handler amd_cp_wait_on_de_counter_diff;
amd_cp_handler amd_cp_set_ce_de_counters;
/* cp_shadow.c */
amd_cp_handler amd_cp_context_control;
amd_cp_handler amd_cp_load_uconfig_reg;
amd_cp_handler amd_cp_load_context_reg;
amd_cp_handler amd_cp_load_sh_reg;
/* cp_reg_pairs.c */
amd_cp_handler amd_cp_set_context_reg_pairs;
amd_cp_handler amd_cp_set_context_reg_pairs_packed;
amd_cp_handler amd_cp_set_sh_reg_pairs;
amd_cp_handler amd_cp_set_sh_reg_pairs_packed;
/* cp_predicate.c */
amd_cp_handler amd_cp_set_predication;
/* cp_streamout.c */
amd_cp_handler amd_cp_strmout_buffer_update;
/* cp_cache.c */
amd_cp_handler amd_cp_acquire_mem;

/* cp_shadow.c; the first after each write of a register */
bool amd_cp_shadow(struct amd_cp *cp, uint32_t offset_B, uint32_t value);
/* cp_mesh.c; a draw of so many workgroups in each direction; size_reg_dw: where the shader wants that, 0: nowhere */
bool amd_cp_run_mesh(struct amd_cp *cp, const uint32_t size[3], uint32_t size_reg_dw);
/* cp_draw.c */
struct amd_draw;
bool amd_cp_run_draw(struct amd_cp *cp, const struct amd_draw *draw);
/* User data in a register that a packet names by its place in the SH space; place 0: nowhere. */
bool amd_cp_set_user_reg(struct amd_cp *cp, uint32_t offset_dw, uint32_t value);
/* Draws that have not ended run a bit further before waves of a new one, or of a dispatch, start. */
bool amd_cp_continue_draws(struct amd_cp *cp);
/* cp_dispatch.c; range: NULL: all groups */
struct amd_group_range;
bool amd_cp_run_dispatch(struct amd_cp *cp, const uint32_t dim[3], uint32_t initiator,
                         const struct amd_group_range *range);
/* cp_streamout.c */
void amd_cp_flush_streamout(struct amd_cp *cp);
bool amd_cp_sample_streamout(struct amd_cp *cp, struct sim_va va, unsigned stream);
/* Of a draw with USE_OPAQUE. */
bool amd_cp_opaque_count(struct amd_cp *cp, uint32_t *vertices);
/* cp_pws.c: a release that counts, of an end-of-pipe event; an acquire that waits for a count */
void amd_cp_pws_release(struct amd_cp *cp, uint32_t event, unsigned writers);
struct amd_pm4_acquire_mem;
bool amd_cp_pws_acquire(struct amd_cp *cp, const struct amd_pm4_acquire_mem *packet);

static inline enum amd_space
amd_cp_space(uint32_t offset_B)
{
   return offset_B >= AMD_UCONFIG_REG_START                           ? AMD_SPACE_UCONFIG
          : offset_B >= AMD_CONTEXT_REG_START                         ? AMD_SPACE_CONTEXT
          : offset_B >= AMD_SH_REG_START && offset_B < AMD_SH_REG_END ? AMD_SPACE_SH
                                                                      : AMD_SPACE_OTHER;
}

static inline uint32_t
amd_cp_space_start(enum amd_space space)
{
   static const uint32_t starts[AMD_SPACES] = {AMD_SH_REG_START, AMD_CONTEXT_REG_START, AMD_UCONFIG_REG_START, 0};
   return starts[space];
}

#endif
