/* Recordings of AMD GPUs: what their submissions say, and a form of them that people can read. */
#ifndef INDIUM_AMD_DRM_SHIM_DECODE_H
#define INDIUM_AMD_DRM_SHIM_DECODE_H

#include <stdio.h>

#include "amd/sim/amd_sim.h"
#include "sim/record/recording.h"

/* "submit SPACE RING" and its lines: "ib ADDRESS DWORDS [sync] [RING]" as struct amd_sim_ib, which are appended, and
 * "clock TICKS" (*clock, else 0). The text of the record stays. */
bool amd_submit_read(const struct sim_record *submit, struct dynarray *ibs, uint64_t *clock,
                     struct sim_record_error *error);

/* Prints a recording that says the same: packets by name and their registers by field, shaders as assembly.
 * Nothing is run, so what the GPU itself writes is not seen. */
bool amd_decode(const struct sim_recording *recording, FILE *out, struct sim_record_error *error);

#endif
