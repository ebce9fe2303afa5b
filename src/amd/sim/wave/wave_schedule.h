/* The groups of a launch that are resident, and what the serial phase does with them. Internal to the engine. */
#ifndef INDIUM_AMD_SIM_WAVE_SCHEDULE_H
#define INDIUM_AMD_SIM_WAVE_SCHEDULE_H

#include "amd/sim/wave/wave_private.h"

/* Groups [head, next) of the launch are resident, group g in slot g % window. */
struct residents {
   uint32_t head, next, window;
   uint32_t head_slot; /* head % window */
};

static inline uint32_t
resident_slot(const struct residents *r, uint32_t group)
{
   uint32_t slot = r->head_slot + (group - r->head);
   return slot < r->window ? slot : slot - r->window;
}

static inline struct group *
resident_group(const struct amd_wave_engine *engine, const struct residents *r, uint32_t group)
{
   return &engine->groups[resident_slot(r, group)];
}

/* Lands stores (all, if nothing else can go on: last), wakes and ends waves. False after a fault. */
bool wave_schedule_land(struct amd_wave_engine *engine, const struct residents *r, bool last,
                        struct sim_fault *fault);
/* Gives quanta to the waves of the next round and lists their groups in chosen. */
void wave_schedule_choose(struct amd_wave_engine *engine, const struct residents *r);
bool wave_schedule_late_load(const struct wave *wave); /* of the parallel phase: it lands late */
bool wave_schedule_stays_in_l0(const struct wave *wave, const struct code *store); /* no wait makes it land */
/* A fault that names what the resident waves wait for. */
bool wave_schedule_hang(const struct amd_wave_engine *engine, const struct residents *r, struct sim_fault *fault);

#endif
