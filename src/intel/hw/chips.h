/* One row per chip: what the kernel driver reports of it. The rows are in chips.toml. */
#ifndef INDIUM_INTEL_HW_CHIPS_H
#define INDIUM_INTEL_HW_CHIPS_H

#include <stdint.h>

#include "intel/hw/uav_state.h"

#define INTEL_PCI_VENDOR 0x8086

struct intel_chip {
   const char *name;    /* hsw */
   const char *product; /* HD Graphics 4600 (Haswell GT2) */
   enum intel_gen gen;
   uint32_t device_id, revision;
   uint32_t slices, subslices /* of a slice */, eus /* of a subslice */;
   uint32_t timestamp_Hz;
   uint32_t va_bits;  /* of an address space */
   uint64_t system_B; /* memory that buffers may have */
};

extern const struct intel_chip intel_chips[];
extern const unsigned intel_chip_count;

/* NULL if no row has the name. */
const struct intel_chip *intel_chip_by_name(const char *name);

#endif
