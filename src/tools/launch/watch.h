/* What `indium run` says when a run is over. */
#ifndef INDIUM_TOOLS_WATCH_H
#define INDIUM_TOOLS_WATCH_H

#include <stdbool.h>

/* Shares memory with the shims of this process, which is about to become the program, and starts a process that
 * outlives it: one of them writes a line on stderr if the device got no submits, or got some in noop mode. Without
 * memory or processes nothing is said. */
void watch_submits(const char *chip, const char *driver, bool noop);

/* The program has ended, and this process has outlived it: writes the line. Whether it is known that the device got
 * no submits. */
bool watch_end(void);

/* The program could not be started: nothing more is to be said. */
void watch_nothing(void);

#endif
