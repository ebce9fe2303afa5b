/* The asahi kernel driver's side: device, address spaces, queues, submits. The shim's lock guards everything here.
 *
 * Which errors the ioctls return is the kernel driver's (drivers/gpu/drm/asahi of the Asahi tree); where it leaves to
 * chance what the interface's header promises, the header counts. */
#ifndef INDIUM_ASAHI_DRM_SHIM_ASAHI_SHIM_H
#define INDIUM_ASAHI_DRM_SHIM_ASAHI_SHIM_H

#include <asahi_drm.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "asahi/hw/chips.h"
#include "asahi/sim/agx_sim.h"
#include "drm-shim/bo.h"
#include "drm-shim/fence.h"
#include "drm-shim/file.h"
#include "drm-shim/handles.h"
#include "drm-shim/mapping.h"
#include "drm-shim/mode.h"
#include "drm-shim/worker.h"
#include "sim/record/recorder.h"
#include "util/dynarray.h"

#define ASAHI_PAGE_B UINT64_C(0x4000)
/* The addresses of a VM that are not the firmware's: 2^39 bytes without the first page and the last two. */
#define ASAHI_VM_START UINT64_C(0x4000)
#define ASAHI_VM_END UINT64_C(0x7fffff8000)
#define ASAHI_VM_KERNEL_MIN_B UINT64_C(0x20000000)
#define ASAHI_MAX_COMMANDS 64
#define ASAHI_MAX_ATTACHMENTS 16
#define ASAHI_TIMESTAMP_HZ UINT64_C(1000000000)

struct asahi_device {
   const struct agx_chip *chip;
   enum shim_mode mode;
   struct sim_schedule schedule;
   uint64_t budget;         /* of a simd group (asahi/sim/wave/wave.h), 0: the default */
   unsigned threads;        /* of the model */
   bool reference;          /* the model has no fast paths */
   bool no_soft_faults;     /* the kernel announces none, and programs fault where nothing is mapped */
   struct sim_trace *trace; /* NULL: none */
   FILE *dump;              /* of records; NULL: none */
   bool races;              /* reported on stderr */
   FILE *record;            /* of recorder, which is NULL without */
   struct sim_recorder *recorder;
   struct agx_sim *sim; /* made at the first submit that needs it */
};
extern struct asahi_device asahi_device;

struct asahi_bo {
   struct shim_bo base;
   uint64_t private_to;           /* sim_vm_serial() of the only address space that may show it; 0: any may */
   struct sim_recorded *recorded; /* NULL: in no recording */
};

/* An address space. Changes count at once, also for what runs: programs wait before they unbind. Buffers that it has
 * lost live on while jobs of it are under way. */
struct asahi_vm {
   unsigned refs;
   bool closed;          /* the handle is gone: nothing is bound any more once the jobs are done */
   unsigned jobs;        /* submitted and not done */
   struct dynarray lost; /* struct shim_bo *, references */
   struct sim_vm *vm;
   uint64_t kernel_start, kernel_end; /* not for the program */
   struct shim_mappings mappings;     /* what vm shows; flags: DRM_ASAHI_BIND_* */
};

struct asahi_queue {
   unsigned refs;
   uint32_t id;
   bool closed; /* the handle is gone */
   struct list_head link;
   struct shim_worker worker;
   struct asahi_vm *vm; /* a reference */
   uint64_t usc_exec_base;
   uint64_t fence_context;
   uint64_t submit_count;
   unsigned job_count; /* submitted and not done */
};

/* A range of a buffer that commands write timestamps to. */
struct asahi_object {
   unsigned refs;
   struct shim_bo *bo; /* a reference */
   uint64_t offset_B, size_B;
};

/* One open of the node. */
struct asahi_file {
   struct shim_handles vms, queues, objects; /* struct asahi_vm *, asahi_queue *, asahi_object * */
};

static inline struct asahi_file *
asahi_file(struct shim_file *file)
{
   return file->vendor_data;
}

/* -- address spaces (vm.c) -- */

int asahi_vm_create(struct shim_file *file, void *arg);
int asahi_vm_destroy(struct shim_file *file, void *arg);
int asahi_vm_bind(struct shim_file *file, void *arg);
void asahi_vm_unref(struct asahi_vm *vm);

/* The program has destroyed it. The reference of the handle goes. */
void asahi_vm_close(struct asahi_vm *vm);
void asahi_vm_forget_bo(struct asahi_vm *vm, const struct shim_bo *bo);
void asahi_vm_job_done(struct asahi_vm *vm);

/* -- buffers (gem.c) -- */

int asahi_gem_create(struct shim_file *file, void *arg);
int asahi_gem_mmap_offset(struct shim_file *file, void *arg);
int asahi_gem_bind_object(struct shim_file *file, void *arg);
void asahi_object_unref(struct asahi_object *object);

/* -- commands (commands.c) -- */

/* Where a timestamp goes. object: a reference; NULL: nowhere. */
struct asahi_timestamp {
   struct asahi_object *object;
   uint64_t offset_B; /* in the object */
};

enum { ASAHI_TS_START, ASAHI_TS_END, ASAHI_TS_FRAGMENT_START, ASAHI_TS_FRAGMENT_END, ASAHI_TS_COUNT };

struct asahi_command {
   bool is_render;
   struct drm_asahi_cmd_header header;
   union {
      struct drm_asahi_cmd_render render;
      struct drm_asahi_cmd_compute compute;
   };
   struct asahi_timestamp timestamps[ASAHI_TS_COUNT]; /* of vertex work or compute, and of fragment work */
};

/* Appends the hardware commands (struct asahi_command) of a flat buffer; 0 or a negative errno. The array has what
 * was read so far also after an error. */
int asahi_commands_read(struct asahi_file *file, const void *data, size_t size_B, struct dynarray *commands);
void asahi_commands_free(struct dynarray *commands);

/* -- queues (submit.c) -- */

int asahi_queue_create(struct shim_file *file, void *arg);
int asahi_queue_destroy(struct shim_file *file, void *arg);
/* The handle is gone: jobs that have not begun are dropped. */
void asahi_queue_close(struct asahi_queue *queue);
void asahi_queue_unref(struct asahi_queue *queue);
/* In the child of a fork(2). */
void asahi_queues_forked(void);
int asahi_submit(struct shim_file *file, void *arg);

/* What noop mode does with a submit: it looks whether the streams are there, writes the timestamps, and is done. 0,
 * or the error of the submit's fence. */
int asahi_skip(const struct asahi_queue *queue, uint64_t number, const struct dynarray *commands);

/* -- jobs of the model (job.c) -- */

struct asahi_job {
   struct shim_job base;
   struct asahi_queue *queue; /* a reference */
   uint64_t number;           /* of the submit in the queue, from 1 */
   struct shim_fence *fence;
   struct dynarray commands; /* struct asahi_command */
   void *bytes;              /* of the command buffer, for a recording */
   size_t size_B;
};

void asahi_jobs_init(void); /* once the device is known */
void asahi_queue_init_worker(struct asahi_queue *queue);

/* Until the queue has room. May give up the lock. */
void asahi_queue_wait_for_room(struct asahi_queue *queue);

/* Before asahi_job_submit(), under the same lock: what may fail. */
bool asahi_job_prepare(struct asahi_queue *queue);

/* Takes the job; it runs when its waits are over. */
void asahi_job_submit(struct asahi_job *job);

/* Frees a job that is in no queue. */
void asahi_job_free(struct asahi_job *job);

/* -- a recording, if there is one (record.c) -- */

/* Of what INDIUM_RECORD names. */
void asahi_record_start(const char *driver, const char *schedule);
void asahi_record_bind(const struct asahi_vm *vm, const struct shim_mapping *mapping, unsigned access);
void asahi_record_unbind(const struct asahi_vm *vm, const struct shim_mapping *mapping);
void asahi_record_forget(struct shim_bo *bo);

/* Noop mode: the flat command buffer of a submit that was taken. */
void asahi_record_submit(const struct asahi_queue *queue, uint64_t number, const void *commands, size_t size_B);

/* Around a job that runs. While a recording is made they run one after the other. fault: NULL without one. */
void asahi_record_begin(const struct asahi_job *job);
void asahi_record_end(const struct asahi_job *job, const struct sim_fault *fault);

#endif
