/* One-line messages on stderr and debug switches from the environment. */
#ifndef INDIUM_UTIL_LOG_H
#define INDIUM_UTIL_LOG_H

#include <stdbool.h>

/* Prints "indium: <message>\n" in one write. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* True if the comma-separated list in the environment variable INDIUM_DEBUG names the flag. */
bool debug_flag(const char *name);

#endif
