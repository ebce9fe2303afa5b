/* What the environment asks of a device; `indium run` sets it. A variable that cannot be understood, and a file that
 * cannot be written, end the process with a message and status 2. */
#ifndef INDIUM_DRM_SHIM_SETTINGS_H
#define INDIUM_DRM_SHIM_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "drm-shim/mode.h"

#define SHIM_MAX_THREADS 64

unsigned shim_read_threads(void);          /* INDIUM_THREADS, of the model; all that the host has */
uint64_t shim_read_budget(void);           /* INDIUM_BUDGET; 0: the model's own */
bool shim_read_switch(const char *name);   /* 0 or 1; 0 */
bool shim_read_races(enum shim_mode mode); /* INDIUM_RACES, which noop mode has nothing for */
/* From 1 to most. */
unsigned shim_read_count(const char *name, unsigned otherwise, unsigned most);

/* A program that went well has not, if what it was run for is not in the file: `failed` is asked at the process's
 * end. Of several calls, the last one's counts. */
void shim_need_outputs(bool (*failed)(void));

#endif
