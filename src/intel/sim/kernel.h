/* What a kernel of the execution units writes to memory, told by its messages to the data ports. */
#ifndef INDIUM_INTEL_SIM_KERNEL_H
#define INDIUM_INTEL_SIM_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "intel/hw/uav_state.h"

/* Reads GPU memory; false: nothing is there. */
struct intel_memory {
   bool (*read)(void *data, uint64_t va, void *bytes, uint32_t size_B);
   void *data;
};

enum intel_stores {
   INTEL_STORES_NOT,
   INTEL_STORES_UNKNOWN, /* the end of the kernel was not found, or a message is made at run time */
   INTEL_STORES,
};

struct intel_kernel {
   enum intel_stores stores;
   uint32_t targets; /* 1 << entry of the binding table: of messages that write render targets */
};

/* Of the kernel at va, up to its first message that ends the thread. */
struct intel_kernel intel_kernel_read(enum intel_gen gen, const struct intel_memory *memory, uint64_t va);

#endif
