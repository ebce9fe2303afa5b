/* What the device's submits add to a recording (sim/record/recorder.h): in noop mode in the order of the calls, as
 * nothing has to run for it; else in the order in which they run. */
#include <inttypes.h>
#include <string.h>

#include "asahi/drm-shim/asahi_shim.h"
#include "asahi/sim/recorded.h"
#include "drm-shim/settings.h"
#include "drm-shim/shim.h"
#include "sim/record/snapshot.h"
#include "util/macros.h"
#include "util/open_output.h"
#include "util/within_memory.h"

void
asahi_record_start(const char *driver, const char *schedule)
{
   asahi_device.record = open_output("INDIUM_RECORD");
   if (!asahi_device.record)
      return;
   asahi_device.recorder = sim_recorder_create(asahi_device.record, driver, asahi_device.chip->name, schedule,
                                               asahi_device.no_soft_faults ? AGX_OPTION_NO_SOFT_FAULTS : NULL);
   if (!asahi_device.recorder)
      out_of_memory("the recording", 0);
}

/* A page that shows again and again is one mapping a page. */
void
asahi_record_bind(const struct asahi_vm *vm, const struct shim_mapping *mapping, unsigned access)
{
   struct asahi_bo *bo = (struct asahi_bo *)mapping->bo;
   uint64_t one_B = mapping->repeat_B ? mapping->repeat_B : mapping->size_B;
   if (!asahi_device.recorder)
      return;
   if (!bo->recorded)
      bo->recorded = sim_recorder_add(asahi_device.recorder, bo->base.map, bo->base.size_B,
                                      shim_bo_has_no_file(&bo->base) ? SIM_SNAPSHOT_MAPPED : bo->base.fd);
   for (uint64_t done_B = 0; done_B < mapping->size_B; done_B += one_B)
      sim_recorder_map(asahi_device.recorder, sim_vm_serial(vm->vm), sim_va(mapping->va + done_B), one_B, access,
                       bo->recorded, mapping->offset_B);
}

void
asahi_record_unbind(const struct asahi_vm *vm, const struct shim_mapping *mapping)
{
   if (asahi_device.recorder)
      sim_recorder_unmap(asahi_device.recorder, sim_vm_serial(vm->vm), sim_va(mapping->va), mapping->size_B);
}

void
asahi_record_forget(struct shim_bo *base)
{
   struct asahi_bo *bo = (struct asahi_bo *)base;
   if (asahi_device.recorder && bo->recorded)
      sim_recorder_remove(asahi_device.recorder, bo->recorded);
}

/* The commands may end within a word. */
static void
print_submit(const struct asahi_queue *queue, uint64_t number, const void *commands, size_t size_B)
{
   FILE *out = asahi_device.record;
   fprintf(out, "submit %" PRIu64 " queue # queue %u, submit %" PRIu64 "\n  usc 0x%" PRIx64 "\n",
           sim_vm_serial(queue->vm->vm), queue->id, number, queue->usc_exec_base);
   for (size_t at_B = 0; at_B < size_B; at_B += 4) {
      uint32_t word = 0;
      memcpy(&word, (const char *)commands + at_B, MIN2(size_B - at_B, sizeof(word)));
      fprintf(out, "%s%08x", at_B % 32 ? " " : at_B ? "\n  words " : "  words ", word);
   }
   fputc('\n', out);
}

void
asahi_record_submit(const struct asahi_queue *queue, uint64_t number, const void *commands, size_t size_B)
{
   if (!asahi_device.recorder)
      return;
   sim_recorder_update(asahi_device.recorder);
   print_submit(queue, number, commands, size_B);
   fflush(asahi_device.record); /* whatever the program's end is */
}

static bool running; /* a job that is recorded */

void
asahi_record_begin(const struct asahi_job *job)
{
   if (!asahi_device.recorder)
      return;
   while (running)
      shim_sleep(INT64_MAX);
   running = true;
   sim_recorder_begin(asahi_device.recorder, job->queue->vm->vm);
   print_submit(job->queue, job->number, job->bytes, job->size_B);
}

void
asahi_record_end(const struct asahi_job *job, const struct sim_fault *fault)
{
   if (!asahi_device.recorder)
      return;
   sim_recorder_end(asahi_device.recorder, job->queue->vm->vm, fault);
   running = false;
   shim_wake();
}
