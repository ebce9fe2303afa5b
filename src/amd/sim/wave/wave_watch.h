/* Who watches waves and changes nothing: the timeline and the search for races. Internal to the engine. */
#ifndef INDIUM_AMD_SIM_WAVE_WATCH_H
#define INDIUM_AMD_SIM_WAVE_WATCH_H

#include "amd/sim/wave/wave_private.h"

/* wave_trace.c: serial phases. The output stays the caller's. */
struct sim_trace;
struct sim_timeline *wave_trace_create(struct sim_trace *out);
void wave_trace_destroy(struct sim_timeline *trace);
void wave_trace_retire(struct sim_timeline *trace, const struct wave *wave);
void wave_trace_round(struct sim_timeline *trace, const struct sim_rounds *rounds);
void wave_trace_end_launch(struct sim_timeline *trace, const struct sim_rounds *rounds, bool ok);

/* wave_race.c, only if the launch has races. Of one lane, before wave_outstanding(). */
void wave_race_note(struct wave *wave, const struct code *code, unsigned lane, struct sim_va va, unsigned size_B,
                    enum counter counter);
/* A load by the scalar unit, for all lanes. */
void wave_race_note_scalar(struct wave *wave, const struct code *code, struct sim_va va, unsigned size_B);
/* Whether loads of what is mostly constant are noted there: of pages only that pixel waves have written to. */
bool wave_race_may_meet(const struct wave *wave, struct sim_va va);
/* Of one lane in LDS, if its group is watched; flags: SIM_LDS_*. */
void wave_race_note_lds(struct wave *wave, const struct code *code, uint32_t address_B, unsigned size_B,
                        unsigned flags, const void *value);
void wave_race_done(struct wave *wave);
void wave_race_retire(struct wave *wave);
void wave_race_print(const void *program, uint32_t pc_B, char *text, unsigned size);

#endif
