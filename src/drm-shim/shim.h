/* State shared by the files of the shim: one lock, one condition, one device. */
#ifndef INDIUM_DRM_SHIM_SHIM_H
#define INDIUM_DRM_SHIM_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#include "drm-shim/vendor.h"

/* Guards everything in the shim. Recursion is a bug. */
void shim_lock(void);
void shim_unlock(void);

/* By the calling thread. */
bool shim_holds_lock(void);

/* Something that a waiter may look at has changed. The lock is held. */
void shim_wake(void);

/* Sleeps until shim_wake or until the time (absolute, CLOCK_MONOTONIC, ns; INT64_MAX: no limit) has come: then false.
 * The lock is held, and given up while sleeping. */
bool shim_sleep(int64_t until_ns);

int64_t shim_now_ns(void);

/* False in the child of a vfork(2), which has descriptors of its own but this process's memory. */
bool shim_is_own_process(void);

/* The device; initialises the shim at the first call. */
const struct shim_vendor *shim_vendor(void);

/* calloc that ends the process when memory is gone. */
void *shim_alloc(size_t size_B);

#endif
