/* Any bytes as a stream of Intel's packets: walked and checked without a crash, and to an end. */
#ifndef INDIUM_TESTS_INTEL_STREAM_TRY_H
#define INDIUM_TESTS_INTEL_STREAM_TRY_H

#include <stddef.h>
#include <stdint.h>

#include "intel/hw/uav_state.h"

struct stream_tried {
   unsigned packets, draws, ends; /* ends: 1 if the stream was read to its end */
};

/* The words lie at address 0x1000, and are batch and state memory. */
struct stream_tried stream_try(enum intel_gen gen, const uint32_t *words, unsigned count);

#endif
