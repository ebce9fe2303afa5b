/* Records of streams of dispatches, at the end of a stream. */
#ifndef INDIUM_AGX_ENCODE_CDM_H
#define INDIUM_AGX_ENCODE_CDM_H

#include "asahi/hw/gen.h"
#include "gallium/drivers/asahi/base/agx_cs.h"

/* counts: of struct agx_stage_code; usc_offset_B: of the USC list. threads: of the whole grid. */
struct agx_launch {
   uint32_t counts;
   uint32_t usc_offset_B;
   uint32_t threads[3];
   uint64_t groups_va; /* not 0: three counts of workgroups lie there instead */
   uint32_t workgroup[3];
   uint64_t texture_va; /* not 0: the words of texture state 0 (agx_compute_launch) */
};

void agx_cdm_encode_launch(struct agx_cs *cs, enum agx_gen gen, const struct agx_launch *launch);

/* What follows sees what came before, wherever it was written. */
void agx_cdm_encode_barrier(struct agx_cs *cs);

#endif
