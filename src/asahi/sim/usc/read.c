#include "asahi/sim/usc/read.h"

#include "asahi/sim/base/dump.h"

bool
agx_read_memory(const struct agx_gpu *gpu, uint64_t va, void *data, uint64_t size_B, const char *what)
{
   struct sim_va bad;
   if (sim_vm_read(gpu->vm, sim_va(va), data, size_B, &bad))
      return true;
   return sim_fault_set(gpu->fault, SIM_FAULT_ADDRESS, bad, "%s at 0x%llx: nothing is bound at 0x%llx", what,
                        (unsigned long long)va, (unsigned long long)bad.va);
}

bool
agx_check_record(const struct agx_gpu *gpu, const struct agx_record *record, uint64_t va, const void *bytes)
{
   char message[256];
   agx_dump_record(gpu->dump, record, va, bytes);
   if (!agx_record_fault(record, bytes, 0, message, sizeof(message)))
      return true;
   return sim_fault_set(gpu->fault, SIM_FAULT_PACKET, sim_va(va), "record at 0x%llx: %s", (unsigned long long)va,
                        message);
}

bool
agx_read_record(const struct agx_gpu *gpu, const struct agx_record *record, uint64_t va, void *bytes)
{
   return agx_read_memory(gpu, va, bytes, record->size_B, record->name) && agx_check_record(gpu, record, va, bytes);
}
