/* What the device's submissions add to a recording (sim/record/recorder.h). The order is that in which they run:
 * while a recording is made, one after the other, except where a packet waits for memory that another may have to
 * write. */
#include <inttypes.h>

#include "amd/drm-shim/amd_shim.h"
#include "drm-shim/shim.h"
#include "sim/record/snapshot.h"
#include "util/log.h"

#define LOOK_NS 10000000 /* whether a packet waits by now */

static unsigned running;
static bool overlaps;

void
amd_record_va(const struct amd_file *file, const struct shim_mapping *mapping, bool map)
{
   uint64_t space = sim_vm_serial(file->vm);
   struct amd_bo *bo = (struct amd_bo *)mapping->bo;
   if (!amd_device.recorder)
      return;
   if (!map) {
      sim_recorder_unmap(amd_device.recorder, space, sim_va(mapping->va), mapping->size_B);
      return;
   }
   if (bo && !bo->recorded)
      bo->recorded = sim_recorder_add(amd_device.recorder, bo->base.map, bo->base.size_B,
                                      shim_bo_has_no_file(&bo->base) ? SIM_SNAPSHOT_MAPPED : bo->base.fd);
   sim_recorder_map(amd_device.recorder, space, sim_va(mapping->va), mapping->size_B, amd_page_access(mapping->flags),
                    bo ? bo->recorded : NULL, mapping->offset_B);
}

void
amd_record_forget(struct amd_bo *bo)
{
   if (amd_device.recorder && bo->recorded)
      sim_recorder_remove(amd_device.recorder, bo->recorded);
}

void
amd_record_begin(const struct amd_job *job)
{
   FILE *out = amd_device.record;
   if (!amd_device.recorder)
      return;
   while (running && !amd_sim_is_waiting(amd_device.sim))
      shim_sleep(shim_now_ns() + LOOK_NS);
   if (running && !overlaps)
      log_error("the recording has a submission that waits for a later one: replay does not get past it");
   overlaps = running++;
   uint64_t clock = amd_sim_timestamp(amd_device.chip);
   sim_recorder_begin(amd_device.recorder, job->file->vm);
   amd_sim_set_clock(amd_device.sim, clock);
   fprintf(out, "submit %" PRIu64 " %s # context %u, ring %u, submit %" PRIu64 "\n", sim_vm_serial(job->file->vm),
           amd_sim_ring_names[job->ip], job->ctx->id, job->ring, job->seq);
   dynarray_for_each(const struct amd_sim_ib, ib, &job->ibs)
      fprintf(out, "  ib 0x%" PRIx64 " %u%s%s%s\n", ib->va.va, ib->size_dw, ib->sync_memory ? " sync" : "",
              ib->ring == (enum amd_sim_ring)job->ip ? "" : " ",
              ib->ring == (enum amd_sim_ring)job->ip ? "" : amd_sim_ring_names[ib->ring]);
   fprintf(out, "  clock %" PRIu64 "\n", clock);
}

void
amd_record_waited(void *data, const void *host, bool waited)
{
   shim_lock();
   sim_recorder_waited(amd_device.recorder, host, waited);
   shim_unlock();
}

void
amd_record_end(const struct amd_job *job, const struct sim_fault *fault)
{
   if (!amd_device.recorder)
      return;
   if (!overlaps)
      sim_recorder_end(amd_device.recorder, job->file->vm, fault);
   overlaps &= --running > 0;
}
