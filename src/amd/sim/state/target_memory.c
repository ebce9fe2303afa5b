#include "amd/sim/state/target_memory.h"

#include <stdlib.h>

#include "util/macros.h"
#include "util/within_memory.h"

#define MAX_COPY_B (UINT64_C(1) << 28)

struct copy {
   struct sim_va base;
   uint64_t size_B;
   uint8_t *host;
};

/* How many bytes are mapped in a row; *whole_B: in how many of them the host's memory is in one piece. */
static uint64_t
measure(const struct sim_vm *vm, struct sim_va base, uint64_t size_B, uint64_t *whole_B)
{
   uint8_t *first = NULL;
   uint64_t at_B = 0;
   *whole_B = 0;
   while (at_B < size_B) {
      uint64_t run_B;
      bool hole;
      uint8_t *host = sim_vm_lookup(vm, sim_va_add(base, (int64_t)at_B), SIM_READ | SIM_WRITE, &run_B, &hole);
      if (!host && !hole)
         break;
      first = at_B ? first : host;
      if (host && first && at_B == *whole_B && host == first + at_B)
         *whole_B += run_B;
      at_B += run_B;
   }
   return MIN2(at_B, size_B);
}

static bool
make_copy(struct amd_targets *targets, struct sim_va base, uint64_t size_B, const char *what, uint8_t **host)
{
   const struct amd_gpu *gpu = targets->gpu;
   struct sim_va bad;
   if (size_B > MAX_COPY_B)
      return sim_fault_set(gpu->fault, SIM_FAULT_STATE, base, "%s of %lu MiB in several pieces", what,
                           (unsigned long)(size_B >> 20));
   struct copy *copy = dynarray_grow(&targets->copies, sizeof(*copy));
   *copy = (struct copy){.base = base, .size_B = size_B};
   copy->host = need_malloc("a target in pieces", size_B);
   *host = copy->host;
   return sim_vm_read(gpu->vm, base, copy->host, size_B, &bad) ||
          sim_fault_set(gpu->fault, SIM_FAULT_ADDRESS, bad, "%s: read of 0x%012lx", what, (long)bad.va);
}

bool
amd_target_map(struct amd_targets *targets, struct sim_va base, uint64_t size_B, const char *what, uint8_t **host,
               uint64_t *run_B)
{
   const struct amd_gpu *gpu = targets->gpu;
   bool hole;
   *host = sim_vm_lookup(gpu->vm, base, SIM_READ | SIM_WRITE, run_B, &hole);
   if (*host && *run_B >= size_B)
      return true;
   if (!*host && !hole)
      return sim_fault_set(gpu->fault, SIM_FAULT_ADDRESS, base, "%s at unmapped address 0x%012lx", what,
                           (long)base.va);
   uint64_t whole_B, mapped_B = measure(gpu->vm, base, size_B, &whole_B);
   if (*host && whole_B >= mapped_B) {
      *run_B = whole_B;
      return true;
   }
   *run_B = mapped_B;
   return make_copy(targets, base, mapped_B, what, host);
}

bool
amd_target_store(const struct amd_targets *targets, struct sim_va base, uint64_t offset_B, uint64_t size_B)
{
   const struct amd_gpu *gpu = targets->gpu;
   dynarray_for_each(struct copy, copy, &targets->copies) {
      struct sim_va at = sim_va_add(base, (int64_t)offset_B), bad;
      if (copy->base.va != base.va || offset_B >= copy->size_B)
         continue;
      if (!sim_vm_write(gpu->vm, at, copy->host + offset_B, MIN2(size_B, copy->size_B - offset_B), &bad))
         return sim_fault_set(gpu->fault, SIM_FAULT_STORE, bad, "write of a target at 0x%012lx", (long)bad.va);
   }
   return true;
}

void
amd_targets_forget(struct amd_targets *targets)
{
   dynarray_for_each(struct copy, copy, &targets->copies)
      free(copy->host);
   targets->copies.size_B = 0;
}
