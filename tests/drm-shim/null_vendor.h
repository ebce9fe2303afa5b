/* The kernel interface of tests/drm-shim/null_vendor.c. */
#ifndef INDIUM_TEST_NULL_VENDOR_H
#define INDIUM_TEST_NULL_VENDOR_H

#include <stdint.h>

#define NULL_CREATE 2 /* from DRM_COMMAND_BASE */

struct null_create {
   uint64_t size_B;
   uint32_t tag;      /* any number */
   uint32_t handle;   /* out */
   uint64_t offset_B; /* out: for mmap(2) */
   uint64_t freed;    /* out: sum of the tags of the buffers that are gone */
};

#endif
