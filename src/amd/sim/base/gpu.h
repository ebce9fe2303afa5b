/* What the blocks of the model share while a job runs: registers, memory, counters. */
#ifndef INDIUM_AMD_SIM_GPU_H
#define INDIUM_AMD_SIM_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "amd/hw/chips.h"
#include "amd/hw/reg_table.h"
#include "amd/sim/amd_sim.h"
#include "amd/sim/base/gds.h"
#include "amd/sim/base/model.h"
#include "amd/sim/base/reorder.h"
#include "sim/waves/pool.h"

/* Rings that run in parallel, each with registers and an order of its own. */
enum {
   AMD_COMPUTE_SLOT = 2, /* after the graphics ring and its constant engine */
   AMD_SDMA_SLOT = AMD_COMPUTE_SLOT + AMD_SIM_COMPUTE_RINGS,
   AMD_RING_SLOTS = AMD_SDMA_SLOT + AMD_SIM_SDMA_RINGS,
};

/* index: below the number of such rings. */
static inline unsigned
amd_ring_slot(enum amd_sim_ring ring, unsigned index)
{
   return ring == AMD_SIM_RING_COMPUTE ? AMD_COMPUTE_SLOT + index
          : ring == AMD_SIM_RING_SDMA  ? AMD_SDMA_SLOT + index
                                       : ring == AMD_SIM_RING_CE;
}

/* Values of the register spaces that packets reach. */
struct amd_regs {
   uint32_t config[(AMD_CONFIG_REG_END - AMD_CONFIG_REG_START) / 4];
   uint32_t sh[(AMD_SH_REG_END - AMD_SH_REG_START) / 4];
   uint32_t context[(AMD_CONTEXT_REG_END - AMD_CONTEXT_REG_START) / 4];
   uint32_t uconfig[(AMD_UCONFIG_REG_END - AMD_UCONFIG_REG_START) / 4];
   /* By packets since the last draw: any of context, the scissors of viewports. Lost: by what was written before. */
   bool context_written, scissors_written, scissors_lost;
};

/* A draw has taken them. */
static inline void
amd_regs_drawn(struct amd_regs *regs)
{
   regs->scissors_lost = (regs->scissors_lost || regs->context_written) && !regs->scissors_written;
   regs->context_written = regs->scissors_written = false;
}

/* Order of the SAMPLE_PIPELINESTAT event. */
enum amd_pipeline_stat {
   AMD_STAT_PS_INVOCATIONS,
   AMD_STAT_CLIP_PRIMITIVES,
   AMD_STAT_CLIP_INVOCATIONS,
   AMD_STAT_VS_INVOCATIONS,
   AMD_STAT_GS_INVOCATIONS,
   AMD_STAT_GS_PRIMITIVES,
   AMD_STAT_IA_PRIMITIVES,
   AMD_STAT_IA_VERTICES,
   AMD_STAT_HS_INVOCATIONS,
   AMD_STAT_DS_INVOCATIONS,
   AMD_STAT_CS_INVOCATIONS,
   AMD_STAT_COUNT,
};

enum {
   AMD_STREAMS = 4,
   AMD_STRMOUT_BUFFERS = 4,
};

struct amd_counters {
   uint64_t stats[AMD_STAT_COUNT];
   uint64_t prims_written[AMD_STREAMS], prims_needed[AMD_STREAMS]; /* stream output */
   uint32_t strmout_filled_dw[AMD_STRMOUT_BUFFERS];
   uint64_t zpass; /* samples that passed the depth and stencil tests while counting was on */
};

struct amd_gpu {
   const struct amd_chip *chip;
   const struct amd_model *model; /* of the chip's generation */
   struct sim_vm *vm;
   struct sim_pool *pool;
   struct sim_fault *fault;
   struct amd_regs *regs;
   struct amd_counters *counters;
   enum amd_sim_ring ring;
   unsigned slot; /* of the ring among all of the chip's: amd_ring_slot() */
   struct amd_reorder reorder;
   struct amd_order_check *order_check; /* of amd_sim_check_order(); NULL: none */
   struct amd_wave_engine *engine;
   struct amd_caches *caches;
   struct amd_gds *gds;
   struct amd_const_engine *const_engine;
   struct sim_races *races;              /* NULL: not looked for */
   struct amd_dump *dump;                /* of packets and registers; NULL: none */
   struct amd_report *report;            /* of what ran (report.h); NULL: none */
   bool reference;                       /* draws take no fast paths */
   bool *stats_on;                       /* between PIPELINESTAT_START and _STOP */
   struct amd_draw_memory **draw_memory; /* of draw.c, kept between draws */
   uint64_t *clock;                      /* of amd_sim_set_clock() */
   unsigned wait_limit_ms;               /* of amd_sim_set_wait() */
   /* Of amd_sim_set_waits(); NULL: nobody is told. */
   void (*wait_ended)(void *job, const void *host, bool waited);
   void *job;
};

/* What timestamps and shaders see. */
uint64_t amd_gpu_clock(const struct amd_gpu *gpu);

/* The slot of a register, or NULL if the offset is in no space. */
static inline uint32_t *
amd_regs_slot(struct amd_regs *regs, uint32_t offset_B)
{
   if (offset_B >= AMD_CONTEXT_REG_START && offset_B < AMD_CONTEXT_REG_END)
      return &regs->context[(offset_B - AMD_CONTEXT_REG_START) / 4];
   if (offset_B >= AMD_SH_REG_START && offset_B < AMD_SH_REG_END)
      return &regs->sh[(offset_B - AMD_SH_REG_START) / 4];
   if (offset_B >= AMD_UCONFIG_REG_START && offset_B < AMD_UCONFIG_REG_END)
      return &regs->uconfig[(offset_B - AMD_UCONFIG_REG_START) / 4];
   if (offset_B >= AMD_CONFIG_REG_START && offset_B < AMD_CONFIG_REG_END)
      return &regs->config[(offset_B - AMD_CONFIG_REG_START) / 4];
   return NULL;
}

/* offset_B: a register of the tables (R_...). */
static inline uint32_t
amd_regs_get(const struct amd_regs *regs, uint32_t offset_B)
{
   return *amd_regs_slot((struct amd_regs *)regs, offset_B);
}

/* An address from registers of its bits 39:8 and 47:40. */
static inline struct sim_va
amd_regs_get_va(const struct amd_regs *regs, uint32_t low_B, uint32_t high_B)
{
   return sim_va((uint64_t)amd_regs_get(regs, high_B) << 40 | (uint64_t)amd_regs_get(regs, low_B) << 8);
}

static inline float
amd_regs_get_float(const struct amd_regs *regs, uint32_t offset_B)
{
   union {
      uint32_t u;
      float f;
   } bits = {.u = amd_regs_get(regs, offset_B)};
   return bits.f;
}

#endif
