/* What a foreign command stream does with unordered accesses: draws that lose a side effect, flush without need, or
 * can hang. docs/drivers/intel/uav.md says what this can tell and what not. */
#ifndef INDIUM_INTEL_SIM_STREAM_CHECK_H
#define INDIUM_INTEL_SIM_STREAM_CHECK_H

#include <stdio.h>

#include "intel/sim/stream_text.h"

struct intel_stream_counts {
   unsigned draws, hz_ops;
   unsigned stores;                                   /* draws of which a stage writes memory */
   unsigned pixel;                                    /* of which the pixel shader does */
   unsigned lost;                                     /* with work that no pixel shader does */
   unsigned needless;                                 /* flushes */
   unsigned hangs;                                    /* draws that can hang */
   unsigned coherency;                                /* that require it */
   unsigned accesses[INTEL_STAGES], uav_only, forced; /* bits that are set */
   unsigned unknown;                                  /* draws of which it cannot be told whether they write memory */
};

/* Prints a line a finding, and with `all` one a draw. False with a sentence in error: a batch could not be read. */
bool intel_stream_check(FILE *out, const struct intel_stream *stream, bool all, struct intel_stream_counts *counts,
                        char error[160]);

#endif
