/* Memory of what CB and DB write. Sparse images have theirs in pieces, with holes between them: a draw works on a
 * copy of such a surface, and the lines that it has written go back when it ends. Holes read zero and swallow writes
 * (as in sim/vm/vm.h). */
#ifndef INDIUM_AMD_SIM_TARGET_MEMORY_H
#define INDIUM_AMD_SIM_TARGET_MEMORY_H

#include "amd/sim/base/gpu.h"
#include "amd/sim/state/layouts.h"
#include "util/dynarray.h"

/* Of the targets of draws that share buffers. */
struct amd_targets {
   const struct amd_gpu *gpu;  /* that the draw runs on */
   struct amd_layouts layouts; /* of this draw and earlier ones */
   struct dynarray copies;     /* target_memory.c */
};

/* The host's memory of size_B bytes, or of as many as are mapped in a row (*run_B). what: for the fault. False after
 * a fault. */
bool amd_target_map(struct amd_targets *targets, struct sim_va base, uint64_t size_B, const char *what,
                    uint8_t **host, uint64_t *run_B);

/* A part of the surface at base has been written: it goes back if the draw worked on a copy. */
bool amd_target_store(const struct amd_targets *targets, struct sim_va base, uint64_t offset_B, uint64_t size_B);

/* The draw's copies go. */
void amd_targets_forget(struct amd_targets *targets);

#endif
