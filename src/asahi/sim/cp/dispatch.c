#include "asahi/sim/cp/dispatch.h"

#include <stdio.h>
#include <string.h>

#include "asahi/hw/hw_limits.h"
#include "asahi/sim/usc/read.h"
#include "asahi/sim/usc/usc.h"
#include "asahi/sim/base/dump.h"
#include "asahi/sim/tile/imageblock.h"
#include "asahi/sim/wave/wave.h"
#include "util/within_memory.h"

static bool
read_sizes(const struct agx_gpu *gpu, const struct agx_dispatch *dispatch, uint32_t threads[3], uint32_t group[3])
{
   uint32_t words[6];
   bool local = dispatch->launch.mode == AGX_CDM_MODE_INDIRECT_LOCAL;
   memcpy(threads, dispatch->threads, sizeof(dispatch->threads));
   memcpy(group, dispatch->group_threads, sizeof(dispatch->group_threads));
   if (dispatch->launch.mode == AGX_CDM_MODE_DIRECT)
      return true;
   if (!agx_read_memory(gpu, dispatch->indirect_va, words, local ? 24 : 12, "indirect sizes"))
      return false;
   if (local)
      memcpy(group, words + 3, 12);
   for (unsigned i = 0; i < 3; i++) {
      uint64_t count = local ? words[i] : (uint64_t)words[i] * group[i];
      if (count > UINT32_MAX)
         return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(dispatch->indirect_va),
                              "indirect sizes at 0x%llx: %u groups of %u threads",
                              (unsigned long long)dispatch->indirect_va, words[i], group[i]);
      threads[i] = (uint32_t)count;
   }
   return true;
}

static bool
fail(const struct agx_gpu *gpu, const struct agx_dispatch *dispatch, const uint32_t threads[3],
     const uint32_t group[3], const char *what)
{
   return sim_fault_set(gpu->fault, SIM_FAULT_STATE, sim_va(dispatch->va),
                        "dispatch %u, at 0x%llx: %ux%ux%u threads in groups of %ux%ux%u: %s", dispatch->number,
                        (unsigned long long)dispatch->va, threads[0], threads[1], threads[2], group[0], group[1],
                        group[2], what);
}

bool
agx_dispatch_run(const struct agx_gpu *gpu, const struct agx_dispatch *dispatch, struct agx_program *program)
{
   uint32_t threads[3], group[3];
   const struct agx_cdm_launch *launch = &dispatch->launch;
   char name[32];
   agx_dump_line(gpu->dump, "dispatch %u", dispatch->number);
   if (!read_sizes(gpu, dispatch, threads, group))
      return false;
   if (launch->mode != AGX_CDM_MODE_DIRECT)
      agx_dump_line(gpu->dump, "sizes %u %u %u, %u %u %u", threads[0], threads[1], threads[2], group[0], group[1],
                    group[2]);
   if (!threads[0] || !threads[1] || !threads[2])
      return true; /* Honeykrisp dispatches none for empty copies, directly too */

   struct agx_wave_launch waves = {.program = program, .name = name, .vm = gpu->vm, .soft_faults = gpu->soft_faults};
   snprintf(name, sizeof(name), "dispatch %u", dispatch->number);
   if (!agx_wave_set_grid(&waves, threads, group))
      return fail(gpu, dispatch, threads, group, "groups have 1 to 1024 threads, a dispatch fewer than 2^32 groups");
   const struct agx_usc_request request = {
      .stage = AGX_STAGE_COMPUTE,
      .offset_B = launch->pipeline,
      .uniforms = launch->uniforms,
      .textures = launch->textures,
      .samplers = launch->samplers,
      .preshader_registers = launch->preshader_registers,
      .helper = dispatch->helper,
   };
   if (!agx_usc_read(gpu, &request, program))
      return false;
   if (group[0] * group[1] * group[2] > agx_max_threads(program->registers))
      return fail(gpu, dispatch, threads, group, "so many threads with the program's registers fit into no core");
   struct agx_imageblocks *blocks = agx_imageblocks_create(&waves, gpu->fault);
   struct owned owned;
   own(&owned, agx_imageblocks_free, blocks);
   bool ok = !gpu->fault->kind && agx_wave_run(gpu->engine, &waves, gpu->fault);
   disown(&owned);
   return ok;
}
