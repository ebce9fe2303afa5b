#ifndef INDIUM_UTIL_OPEN_OUTPUT_H
#define INDIUM_UTIL_OPEN_OUTPUT_H

#include <stdio.h>

/* The file that an environment variable names, opened for writing; stderr for "-"; NULL without the variable. "%p" in
 * the name is the process. A file that cannot be written ends the process with a message and status 2. */
FILE *open_output(const char *variable);

/* The same file, at its end, for a line that somebody else in this process adds; the caller closes it. One that
 * cannot be written is told of, and NULL. */
FILE *append_output(const char *variable);

#endif
