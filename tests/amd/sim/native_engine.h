/* A wave engine whose shaders are C functions, so that tests of the fixed blocks need no shader code. A program's
 * address is the function's number. Link this in place of the interpreter. */
#ifndef INDIUM_TESTS_NATIVE_ENGINE_H
#define INDIUM_TESTS_NATIVE_ENGINE_H

#include "amd/sim/wave/wave.h"

enum { NATIVE_MAX_SHADERS = 16 };

/* Runs one wave: reads *start, appends exports to result->exports (room for AMD_WAVE_MAX_EXPORTS). */
typedef void (*native_shader)(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count);

/* Shader number n in [1, NATIVE_MAX_SHADERS) runs when a launch's program is at 256 * n. */
extern native_shader native_shaders[NATIVE_MAX_SHADERS];

/* Appends an export of four floats a lane. values[lane][component]. */
void native_export(struct amd_wave_export *exports, uint32_t *count, unsigned target, uint64_t exec, bool last,
                   float values[AMD_WAVE_MAX_LANES][4]);

/* Attribute channel of a lane: P0 + I * P10 + J * P20. */
float native_interp(const struct amd_wave_start *start, unsigned attr, unsigned chan, unsigned lane, float i,
                    float j);

#endif
