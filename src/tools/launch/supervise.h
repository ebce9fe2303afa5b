/* Stays in the program's parent until the program ends. */
#ifndef INDIUM_TOOLS_SUPERVISE_H
#define INDIUM_TOOLS_SUPERVISE_H

#include <stdbool.h>

/* Forks. true in the child, which is to become the program, and ends with its parent; false in the parent, with the
 * program's exit status as a shell gives it (128 + N: ended by signal N), or 2 where there was no process for it. The
 * parent leaves a terminal's signals to the program. */
bool supervise(int *status);

#endif
