/* Who watches waves and changes nothing: the search for races. Internal to the engine. */
#ifndef INDIUM_ASAHI_SIM_WAVE_WATCH_H
#define INDIUM_ASAHI_SIM_WAVE_WATCH_H

#include "asahi/sim/wave/wave_private.h"

/* wave_race.c, only if the launch has races. Of one lane, as it asks for it. */
void wave_race_note(struct wave *wave, const struct code *code, unsigned lane, struct sim_va va, unsigned size_B);
/* Samples of an image by instruction and lane; size_B 0: none. */
void wave_race_note_image(struct wave *wave, const struct code *code, uint32_t lanes, const uint64_t va[LANES],
                          unsigned size_B);
void wave_race_begin(struct agx_wave_engine *engine);
void wave_race_retire(struct wave *wave);

#endif
