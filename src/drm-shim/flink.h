/* Names of buffers that all clients of the card's nodes know (GEM_FLINK). The shim's lock is held. */
#ifndef INDIUM_DRM_SHIM_FLINK_H
#define INDIUM_DRM_SHIM_FLINK_H

#include <stdint.h>

struct shim_bo;

/* The buffer's name, which it gets at the first call. */
uint32_t shim_flink_name(struct shim_bo *bo);

/* NULL: there is no such name. */
struct shim_bo *shim_flink_find(uint32_t name);

/* No file has a handle of it any more. */
void shim_flink_forget(struct shim_bo *bo);

#endif
