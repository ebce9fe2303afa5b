/* The amdgpu kernel driver's side: device, address spaces, contexts, submits. The shim's lock guards everything
 * here. */
#ifndef INDIUM_AMD_DRM_SHIM_AMD_SHIM_H
#define INDIUM_AMD_DRM_SHIM_AMD_SHIM_H

#include <amdgpu_drm.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "amd/drm-shim/newer_uapi.h"
#include "amd/hw/chips.h"
#include "amd/sim/amd_sim.h"
#include "drm-shim/bo.h"
#include "drm-shim/fence.h"
#include "drm-shim/file.h"
#include "drm-shim/handles.h"
#include "drm-shim/mapping.h"
#include "drm-shim/mode.h"
#include "drm-shim/worker.h"
#include "sim/record/recorder.h"
#include "util/dynarray.h"
#include "util/list.h"

#define AMD_GFX_RINGS 1
#define AMD_COMPUTE_RINGS AMD_SIM_COMPUTE_RINGS
#define AMD_MAX_RINGS 4
#define AMD_IPS 3 /* AMDGPU_HW_IP_GFX, _COMPUTE, _DMA */
#define AMD_PAGE_B 4096

struct amd_device {
   const struct amd_chip *chip;
   enum shim_mode mode;
   struct sim_schedule schedule;
   uint64_t budget;         /* of a wave (amd/sim/wave/wave.h), 0: the default */
   struct sim_trace *trace; /* NULL: none */
   bool races;              /* reported on stderr */
   unsigned threads;        /* of the model */
   FILE *report;            /* of what ran, at the end; NULL: none */
   FILE *dump;              /* of packets and registers; NULL: none */
   bool out_of_order;       /* draws are rasterised so whatever the driver says */
   bool reference;          /* the model has no fast paths */
   const char *order_check; /* file for the report of draws tried in other orders; NULL: they are not */
   unsigned order_seeds;
   FILE *record; /* of recorder, which is NULL without */
   struct sim_recorder *recorder;
   struct amd_sim *sim; /* made at the first submit that needs it */
   uint64_t vram_used_B, visible_vram_used_B, gtt_used_B;
   unsigned user_buffers;     /* that show the application's memory */
   unsigned changing;         /* threads that wait to change what is mapped there */
   uint64_t user_map_changes; /* so far, and new mappings of such buffers */
};
extern struct amd_device amd_device;

/* Of each heap, what the kernel keeps for itself. */
#define AMD_HEAP_RESERVED_B (16u << 20)

enum amd_heap {
   AMD_HEAP_NONE, /* on the chip, or of another process, where it counts */
   AMD_HEAP_VRAM,
   AMD_HEAP_VISIBLE_VRAM, /* the part that the CPU reaches; also counts as VRAM */
   AMD_HEAP_GTT,
};

struct amd_bo {
   struct shim_bo base;
   struct drm_amdgpu_gem_create_in create;
   enum amd_heap heap; /* where it lies: not always what `create` prefers */
   uint64_t metadata_flags, tiling_info;
   uint32_t metadata_B;
   uint32_t metadata[64];
   struct sim_recorded *recorded; /* NULL: in no recording */
   bool read_only;                /* memory of the application that the GPU must not write */
};

/* -- address space (va.c) -- */

/* One open of the node; lives on while jobs of it run. */
struct amd_file {
   unsigned refs;
   struct sim_vm *vm;             /* what the GPU sees now */
   struct shim_mappings mappings; /* what the calls so far have asked for; flags: AMDGPU_VM_PAGE_* */
   struct list_head updates;      /* changes of vm that wait for jobs */
   struct list_head jobs;         /* submitted and not done, in the order of submission */
   uint64_t job_count;
   struct amd_vm_fault vm_fault; /* the last one */
   uint64_t busy_ns[AMD_IPS];    /* of the jobs that are done */
   uint64_t user_map_changes;    /* of the device, as of the last look */
   struct shim_handles contexts, bo_lists;
   struct list_head link;
};

extern struct list_head amd_files; /* all */

static inline struct amd_file *
amd_file(struct shim_file *file)
{
   return file->vendor_data;
}

void amd_file_unref(struct amd_file *file);

int amd_gem_va(struct shim_file *file, void *arg);

/* Before a job: takes away what the application has unmapped of its memory, and shows what is there again. */
void amd_va_follow_user_memory(struct amd_file *file);

/* As struct shim_vendor has it. */
void amd_va_user_pages_change(uintptr_t first, uintptr_t end);

/* Applies the changes of the address space whose jobs are done. */
void amd_va_flush(struct amd_file *file);

/* True if a job submitted now must wait for the jobs before it because addresses are mapped anew after them. */
bool amd_va_blocks(const struct amd_file *file);
void amd_va_forget_bo(struct amd_file *file, struct amd_bo *bo);
void amd_va_destroy(struct amd_file *file);

/* enum sim_access of AMDGPU_VM_PAGE_*. */
unsigned amd_page_access(uint32_t flags);

/* -- contexts and jobs (ctx.c, job.c) -- */

/* One queue: jobs of it run in order. */
struct amd_queue {
   struct shim_worker worker;
   struct amd_ctx *ctx;
   uint64_t fence_context;
   uint64_t last_seq;
   uint64_t lost_seq; /* this job and all later ones were not done; 0: none */
};

struct amd_ctx {
   unsigned refs;
   uint32_t id;
   bool closed; /* the handle is gone */
   bool guilty; /* a job of it faulted: it accepts no more */
   bool reported;
   uint32_t stable_pstate;                          /* AMDGPU_CTX_STABLE_PSTATE_*: kept, and without effect */
   struct amd_queue queues[AMD_IPS][AMD_MAX_RINGS]; /* [AMDGPU_HW_IP_*][ring] */
};

struct amd_job {
   struct shim_job base;
   struct list_head file_link;
   struct amd_file *file;
   struct amd_ctx *ctx;
   uint32_t ip, ring;
   uint64_t number;  /* in the file */
   uint64_t seq;     /* in the queue */
   int64_t start_ns; /* when it came to its turn; 0: not yet */
   bool lists_user_memory;
   struct shim_fence *fence;
   struct dynarray ibs;       /* struct amd_sim_ib */
   struct amd_bo *user_fence; /* a reference, or NULL */
   uint32_t user_fence_offset_B;
};

void amd_ctx_unref(struct amd_ctx *ctx);
void amd_jobs_init(void); /* once the device is known */
void amd_queue_init(struct amd_ctx *ctx, struct amd_queue *queue);
struct amd_queue *amd_ctx_queue(struct amd_ctx *ctx, uint32_t ip, uint32_t instance, uint32_t ring);

/* A new reference to the fence of a submit; -EINVAL if there is no such submit. seq 0: nothing; ~0: the last one. */
int amd_ctx_fence(struct shim_file *file, const struct drm_amdgpu_fence *fence, struct shim_fence **result);

/* The end of a wait as shim_sleep wants it: the kernel takes a negative time as none. */
int64_t amd_until_ns(uint64_t timeout_ns);

/* Until the queue has room, and nobody changes what is mapped of the application's memory, as the kernel blocks in
 * the ioctl. May give up the lock. */
void amd_job_wait_for_room(const struct amd_job *job);

/* Before amd_job_submit(), under the same lock: what may fail. */
bool amd_job_prepare(struct amd_job *job);

/* Takes the job (allocated, lists filled); starts it when its waits are over. Sets job->seq and number and returns
 * seq. */
uint64_t amd_job_submit(struct amd_job *job);

/* Frees a job that is in no list. */
void amd_job_free(struct amd_job *job);

/* Keeps what the fault of a job tells of its address space, for AMDGPU_INFO_GPUVM_FAULT (vm_fault.c). */
struct sim_fault;
void amd_vm_fault_note(struct amd_job *job, const struct sim_fault *fault);

/* -- a recording, if there is one (record.c) -- */

/* The GPU sees the mapping from now on, or no more. */
void amd_record_va(const struct amd_file *file, const struct shim_mapping *mapping, bool map);
void amd_record_forget(struct amd_bo *bo);

/* Around a job that runs. fault: NULL without one. */
void amd_record_begin(const struct amd_job *job);
void amd_record_waited(void *data, const void *host, bool waited); /* of struct amd_sim_waits */
void amd_record_end(const struct amd_job *job, const struct sim_fault *fault);

/* -- ioctls -- */

int amd_info(struct shim_file *file, void *arg);
int amd_gem_create(struct shim_file *file, void *arg);
int amd_gem_mmap(struct shim_file *file, void *arg);
int amd_gem_metadata(struct shim_file *file, void *arg);
int amd_gem_wait_idle(struct shim_file *file, void *arg);
int amd_gem_op(struct shim_file *file, void *arg);
int amd_gem_userptr(struct shim_file *file, void *arg);
int amd_bo_list(struct shim_file *file, void *arg);

/* Indirect buffers that a submit may have for one ring. */
unsigned amd_max_ibs(uint32_t ip);

/* Lists tell the kernel what must be resident. All buffers are, so a list is only checked, and tells whether
 * memory of the application is in it. */
int amd_bo_list_check(struct shim_file *file, const struct drm_amdgpu_bo_list_in *list, bool *has_user_memory);
int amd_ctx_ioctl(struct shim_file *file, void *arg);
int amd_cs(struct shim_file *file, void *arg);
int amd_wait_cs(struct shim_file *file, void *arg);
int amd_wait_fences(struct shim_file *file, void *arg);
int amd_fence_to_handle(struct shim_file *file, void *arg);

void amd_bo_free(struct shim_bo *bo);

/* As struct shim_vendor has it. */
void amd_print_fdinfo(FILE *out, struct shim_file *file);

#endif
