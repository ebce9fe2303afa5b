/* One dispatch: a launch of threadgroups. */
#ifndef INDIUM_ASAHI_SIM_CP_DISPATCH_H
#define INDIUM_ASAHI_SIM_CP_DISPATCH_H

#include "asahi/hw/records.h"
#include "asahi/sim/base/gpu.h"
#include "asahi/sim/base/program.h"

struct agx_dispatch {
   unsigned number; /* in the command, from 0: for reports */
   uint64_t va;     /* of the record, for reports */
   struct agx_cdm_launch launch;
   uint64_t indirect_va;                  /* with modes INDIRECT_*: of the sizes */
   uint32_t threads[3], group_threads[3]; /* what is not there */
   struct agx_helper helper;
};

/* Reads what is indirect and the program, and runs. program: room for one. False after a guest fault. */
bool agx_dispatch_run(const struct agx_gpu *gpu, const struct agx_dispatch *dispatch, struct agx_program *program);

#endif
