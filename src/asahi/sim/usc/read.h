/* Records in memory, read for the model: every bit of them has to be one that somebody knows. */
#ifndef INDIUM_ASAHI_SIM_USC_READ_H
#define INDIUM_ASAHI_SIM_USC_READ_H

#include "asahi/hw/record_table.h"
#include "asahi/sim/base/gpu.h"

/* what: for the report, such as "a USC list". */
bool agx_read_memory(const struct agx_gpu *gpu, uint64_t va, void *data, uint64_t size_B, const char *what);

/* Dumps it, and looks for bits and values without a meaning; va: where it lies. */
bool agx_check_record(const struct agx_gpu *gpu, const struct agx_record *record, uint64_t va, const void *bytes);

/* Both. bytes: record->size_B of them. */
bool agx_read_record(const struct agx_gpu *gpu, const struct agx_record *record, uint64_t va, void *bytes);

static inline uint64_t
agx_join_va(uint32_t high, uint32_t low)
{
   return (uint64_t)high << 32 | low;
}

#endif
