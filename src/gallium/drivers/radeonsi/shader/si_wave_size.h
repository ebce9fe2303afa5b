/* How many lanes the waves of a program have. */
#ifndef INDIUM_SI_WAVE_SIZE_H
#define INDIUM_SI_WAVE_SIZE_H

#include "compiler/nir/nir_shader_info.h"

struct si_screen;

/* What applications are told that subgroups have: a shader that can see its subgroup has waves of this size,
 * unless its pipeline prescribes or leaves open another. */
#define SI_SUBGROUP_SIZE 64

/* 32 or 64, of a shader that no pass has changed yet. */
unsigned si_wave_size(const struct si_screen *screen, const struct nir_shader *nir);

#endif
