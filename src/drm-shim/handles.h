/* Small positive numbers for pointers, lowest free first. A zeroed table is empty. */
#ifndef INDIUM_DRM_SHIM_HANDLES_H
#define INDIUM_DRM_SHIM_HANDLES_H

#include <stdint.h>

#include "util/dynarray.h"

struct shim_handles {
   struct dynarray slots; /* void *; slot i is handle i + 1, NULL if free */
   uint32_t first_free;   /* no slot below is free */
};

uint32_t shim_handles_add(struct shim_handles *handles, void *pointer);

/* NULL for a number that is no handle. */
void *shim_handles_get(const struct shim_handles *handles, uint32_t handle);

/* The number, which is a handle, stands for another pointer. */
void shim_handles_replace(struct shim_handles *handles, uint32_t handle, void *pointer);

/* Frees the number and returns what it stood for, or NULL. */
void *shim_handles_remove(struct shim_handles *handles, uint32_t handle);

/* Handles are below this. */
uint32_t shim_handles_end(const struct shim_handles *handles);
void shim_handles_free(struct shim_handles *handles);

#endif
