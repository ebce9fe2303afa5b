/* IOKit with a kernel of the test's after it: it answers as the tables of src/asahi/hw/iogpu.txt say, in bytes that
 * are laid out by hand here, and runs nothing. */
#ifndef INDIUM_TESTS_FAKE_IOKIT_H
#define INDIUM_TESTS_FAKE_IOKIT_H

#include <stdbool.h>

#include "asahi/wrap/iokit.h"

#define FAKE_CONNECTION 0x707

/* What macOS answers to ALLOCATE_MEM and CREATE_SHMEM. */
struct fake_allocated {
   uint64_t gpu_va, cpu;
   uint32_t unk4[3], handle;
   uint64_t root_size;
   uint32_t guid, unk11[7];
   uint64_t sub_size;
} __attribute__((packed));

struct fake_shmem {
   uint64_t map;
   uint32_t size, id;
};

struct fake_iokit {
   kern_return_t result;
   /* Of the next response; its size if it is not the right one. */
   uint64_t gpu_va, cpu; /* cpu 0: memory of the test's own */
   bool no_cpu;
   size_t response_B;
   uint32_t next; /* handle or id */

   /* Of the last call. */
   bool is_async;
   uint32_t selector, input_count, wake_port;
   uint64_t input;
   size_t request_B;
   char request[256];
   unsigned calls, notifications;
   void *last; /* memory that it has given */
};

extern struct fake_iokit fake_iokit;

/* As at first. */
void fake_iokit_reset(void);

/* What dyld makes of a call of `replaced`: the tracer's entry point, or NULL. */
const void *fake_dyld(const void *replaced);
unsigned fake_dyld_count(void);

#define TRACED(function) ((__typeof__(function) *)fake_dyld((const void *)function))

#endif
