/* The i915 kernel driver's side without a GPU: device, contexts, address spaces, buffers; a submit is looked at,
 * written down if asked for, and done at once. The shim's lock guards everything here.
 *
 * Which errors the ioctls return is the kernel driver's (drivers/gpu/drm/i915). */
#ifndef INDIUM_INTEL_DRM_SHIM_INTEL_SHIM_H
#define INDIUM_INTEL_DRM_SHIM_INTEL_SHIM_H

#include <i915_drm.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "drm-shim/bo.h"
#include "drm-shim/file.h"
#include "drm-shim/handles.h"
#include "drm-shim/mapping.h"
#include "intel/hw/chips.h"
#include "intel/sim/walk.h"
#include "util/dynarray.h"

#define I915_PAGE_B UINT64_C(4096)
#define I915_MAX_ENGINES 64 /* of a context, as the kernel's */

struct intel_device {
   const struct intel_chip *chip;
   FILE *dump; /* of submitted batches; NULL: none */
   uint64_t submits;
   unsigned contexts; /* made so far */
};
extern struct intel_device intel_device;

struct intel_bo {
   struct shim_bo base;
   uint32_t tiling, stride; /* SET_TILING: for who asks */
   uint32_t caching;
};

/* An address space. Buffers show where they were put at their first submit, or where the program pins them. */
struct intel_vm {
   unsigned refs;
   struct shim_mappings mappings;
};

struct intel_context {
   unsigned number;              /* of all of the process, for the dump */
   struct intel_walk_state walk; /* the same: what its batches have set */
   struct intel_vm *vm;          /* a reference */
   bool has_engines;             /* SETPARAM has chosen them: submits give an index */
   unsigned engine_count;
   uint16_t engines[I915_MAX_ENGINES]; /* classes */
   int64_t priority;
   uint64_t flags; /* of 1 << I915_CONTEXT_PARAM_*, those that hold a switch */
};

/* One open of the node. */
struct intel_file {
   struct shim_handles contexts, vms; /* struct intel_context *, struct intel_vm * */
   struct intel_context *first;       /* context 0 */
};

static inline struct intel_file *
intel_file(struct shim_file *file)
{
   return file->vendor_data;
}

/* -- what the device tells of itself (param.c, query.c) -- */

int intel_getparam(struct shim_file *file, void *arg);
int intel_query(struct shim_file *file, void *arg);
int intel_reg_read(struct shim_file *file, void *arg);
int intel_get_aperture(struct shim_file *file, void *arg);
int intel_reset_stats(struct shim_file *file, void *arg);

/* -- contexts and address spaces (context.c) -- */

int intel_context_create(struct shim_file *file, void *arg);
int intel_context_destroy(struct shim_file *file, void *arg);
int intel_context_getparam(struct shim_file *file, void *arg);
int intel_context_setparam(struct shim_file *file, void *arg);
int intel_vm_create(struct shim_file *file, void *arg);
int intel_vm_destroy(struct shim_file *file, void *arg);

/* NULL: there is none of this number; 0 is the file's own. */
struct intel_context *intel_context_get(struct shim_file *file, uint32_t id);
struct intel_context *intel_context_new(void);
void intel_context_free(struct intel_context *context);

/* The buffer's mapping, or NULL. Valid until the next change. */
struct shim_mapping *intel_vm_find(struct intel_vm *vm, const struct shim_bo *bo);
void intel_vm_forget(struct intel_vm *vm, const struct shim_bo *bo);
void intel_vm_unref(struct intel_vm *vm);

/* Shows the buffer there and nothing else. */
void intel_vm_pin(struct intel_vm *vm, struct shim_bo *bo, uint64_t va);

/* Where there is room, `wish` if it is there; below 2^32 for who cannot say more. False: the space is full. */
bool intel_vm_place(struct intel_vm *vm, struct shim_bo *bo, uint64_t wish, uint64_t alignment_B, bool high);

/* -- buffers (gem.c, gem_map.c) -- */

int intel_gem_create(struct shim_file *file, void *arg);
int intel_gem_create_ext(struct shim_file *file, void *arg);
int intel_gem_userptr(struct shim_file *file, void *arg);
int intel_gem_mmap(struct shim_file *file, void *arg);
int intel_gem_mmap_offset(struct shim_file *file, void *arg);
int intel_gem_pread(struct shim_file *file, void *arg);
int intel_gem_pwrite(struct shim_file *file, void *arg);
int intel_gem_set_tiling(struct shim_file *file, void *arg);
int intel_gem_get_tiling(struct shim_file *file, void *arg);
int intel_gem_set_caching(struct shim_file *file, void *arg);
int intel_gem_get_caching(struct shim_file *file, void *arg);
int intel_gem_busy(struct shim_file *file, void *arg);
int intel_gem_wait(struct shim_file *file, void *arg);
int intel_gem_madvise(struct shim_file *file, void *arg);
int intel_gem_nothing(struct shim_file *file, void *arg); /* SET_DOMAIN, SW_FINISH: all memory is coherent */
int intel_gem_throttle(struct shim_file *file, void *arg);

/* -- submits (execbuf.c, relocate.c, exec_fence.c) -- */

int intel_execbuffer2(struct shim_file *file, void *arg);

struct intel_exec_object {
   struct drm_i915_gem_exec_object2 user;
   struct shim_bo *bo;
   uint64_t va;
};

struct intel_exec {
   struct shim_file *file;
   struct drm_i915_gem_execbuffer2 *args;
   struct intel_context *context;
   struct intel_exec_object *objects;
   struct dynarray signals; /* struct intel_signal (exec_fence.c) */
};

/* Writes the addresses of buffers where the program's relocations name them. 0 or a negative errno. */
int intel_relocate(struct intel_exec *exec);

/* Looks at everything that is waited for (all of it has happened) and collects what is to be signaled. */
int intel_exec_read_fences(struct intel_exec *exec);
/* The submit is done. */
int intel_exec_signal(struct intel_exec *exec);
void intel_exec_free_fences(struct intel_exec *exec);

/* -- what was submitted, as text (dump.c) -- */

/* The head of what INDIUM_DUMP_STATE names. */
void intel_dump_start(void);
void intel_dump_submit(const struct intel_exec *exec, const char *engine, const struct intel_exec_object *batch);

/* What this shim does not know is said on stderr: silence would look like an answer. Returns -EINVAL. */
int intel_unknown(const char *what, uint64_t value);

#endif
