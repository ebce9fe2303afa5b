/* Buffer objects: shared memory, mapped once for the model. Each is a memory file while there are descriptors, so
 * that it can be handed to others as it is; the others get a file when they are exported. The shim's lock is held. */
#ifndef INDIUM_DRM_SHIM_BO_H
#define INDIUM_DRM_SHIM_BO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/list.h"

struct shim_file;

/* The vendor's struct starts with this one; it is zeroed after it. */
struct shim_bo {
   unsigned refs;
   uint64_t size_B;        /* whole pages */
   void *map;              /* the shim's own mapping of all of it */
   int fd;                 /* the memory file; -1: none yet, or never */
   bool is_user_memory;    /* the application's own at map, which has no file */
   bool is_private;        /* must not be exported */
   bool is_exported;       /* others may have it */
   uint32_t flink_name;    /* 0: none (drm-shim/flink.h) */
   unsigned mapping_count; /* in all address spaces (drm-shim/mapping.h) */

   unsigned handle_count; /* of all files */

   /* private */
   dev_t device;
   ino_t inode;
   struct list_head link;
};

/* One reference, zeroed memory. NULL when out of memory. */
struct shim_bo *shim_bo_create(uint64_t size_B);

/* Around memory of the application. */
struct shim_bo *shim_bo_wrap(void *memory, uint64_t size_B);

/* Whether it shows memory of the application in [first, end). */
static inline bool
shim_bo_wraps_some(const struct shim_bo *bo, uintptr_t first, uintptr_t end)
{
   const uintptr_t start = (uintptr_t)bo->map;
   return bo->is_user_memory && start < end && start + bo->size_B > first;
}

/* Of any buffer. */
bool shim_bo_wraps(uintptr_t first, uintptr_t end);

/* The buffer behind an exported fd, or a new one around a memory file of another process. NULL if it is neither. */
struct shim_bo *shim_bo_import(int fd);

/* mmap(2) of the buffer from offset_B on; not of user memory. */
void *shim_bo_mmap(const struct shim_bo *bo, void *address, size_t size_B, int protection, int flags,
                   uint64_t offset_B);

static inline bool
shim_bo_has_no_file(const struct shim_bo *bo)
{
   return bo->fd < 0 && !bo->is_user_memory;
}

/* Makes sure that fd is a file: 0 or a negative errno. Not of user memory. */
int shim_bo_need_file(struct shim_bo *bo);

struct shim_bo *shim_bo_ref(struct shim_bo *bo);
void shim_bo_unref(struct shim_bo *bo);

/* The new handle holds a reference of its own. */
uint32_t shim_bo_add_handle(struct shim_file *file, struct shim_bo *bo);

/* The buffer's handle in the file or 0. */
uint32_t shim_bo_find_handle(struct shim_file *file, const struct shim_bo *bo);
struct shim_bo *shim_bo_get(struct shim_file *file, uint32_t handle);

/* -EINVAL if it is no handle. */
int shim_bo_close_handle(struct shim_file *file, uint32_t handle);

/* Fake offset for mmap(2) of the DRM file; the low bits are the offset in the buffer. */
#define SHIM_BO_OFFSET_BITS 36
static inline uint64_t
shim_bo_mmap_offset(uint32_t handle)
{
   return (uint64_t)handle << SHIM_BO_OFFSET_BITS;
}

/* Duplicates fd to a high number, out of the application's way, and closes it. */
int shim_move_fd_up(int fd);

/* Memory at `map`, shared and without a file, becomes the file's, wherever the process has mapped it: 0 or a negative
 * errno. What is written to it meanwhile may be lost. */
int shim_move_to_file(const void *map, uint64_t size_B, int fd);

/* Nothing is unmapped until they are released, since shim_move_to_file() would put the file over what others map
 * there next. Nothing is allocated meanwhile, as allocators unmap. Taken after the lock. */
void shim_hold_mappings(void);
void shim_release_mappings(void);

#endif
