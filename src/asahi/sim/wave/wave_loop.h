/* What the search for endless loops asks of a wave, and what reports say of hangs: of struct sim_wave_model. */
#ifndef INDIUM_ASAHI_SIM_WAVE_LOOP_H
#define INDIUM_ASAHI_SIM_WAVE_LOOP_H

#include "sim/waves/rounds.h"

struct sim_traffic wave_traffic(const struct sim_wave *wave);
uint64_t wave_hash(const struct sim_wave *wave);
bool wave_has_other_inputs(const struct sim_wave *wave);
bool wave_meets_group(const struct sim_wave *wave);
struct sim_va wave_place_va(const struct sim_wave *wave);
void wave_describe_loop(const struct sim_wave *wave, char *text, size_t size_B);
bool wave_describe_wait(const struct sim_wave *wave, char *text, size_t size_B);
void wave_hang(struct sim_wave *wave, const char *message);

#endif
