/* One access of a memory instruction, and its loads. Internal to exec_memory*.c. */
#ifndef INDIUM_AMD_SIM_EXEC_MEMORY_H
#define INDIUM_AMD_SIM_EXEC_MEMORY_H

#include "amd/sim/wave/exec_private.h"

/* One access of every lane: where each of its elements lies. */
struct exec_access {
   uint64_t exec;
   struct sim_va va[AMD_WAVE_MAX_LANES];  /* of the first element */
   uint32_t in_range[AMD_WAVE_MAX_LANES]; /* bit i: element i may be touched */
   /* Bytes of a lane that stay together, and from one such piece to the next; where in a piece the lane begins. */
   uint32_t piece_log2;
   uint64_t step_B;
   uint8_t into_B[AMD_WAVE_MAX_LANES];
};

/* Dwords that each lane loads side by side, all at 31 bits from one base. */
struct exec_places {
   struct sim_va base;
   uint32_t last;   /* offsets up to this one are in range; */
   uint32_t beyond; /* from this one on nothing is; between them it depends on the dword */
   _Alignas(32) uint32_t offset[AMD_WAVE_MAX_LANES + 1]; /* the last one: of no lane */
};

/* Of the byte `at_B` of what a lane touches. */
static inline struct sim_va
exec_byte_va(const struct exec_access *a, unsigned lane, unsigned at_B)
{
   uint32_t into_B = a->into_B[lane], last_B = into_B + at_B, inside_B = last_B & ((1u << a->piece_log2) - 1);
   return sim_va_add(a->va[lane], (int64_t)((last_B >> a->piece_log2) * a->step_B + inside_B) - into_B);
}

/* exec_places.c: where the lanes of a load begin; false: they do not lie that way, or some are half in range. */
bool exec_find_places(struct wave *wave, const struct code *code, struct exec_places *places);

/* exec_memory_load.c: what the lanes find, into their registers. False: the wave has a fault. */
bool exec_load_plain(struct wave *wave, const struct code *code, const struct exec_access *access);
bool exec_load_format(struct wave *wave, const struct code *code, const struct exec_access *access, unsigned format,
                      unsigned select);

#endif
