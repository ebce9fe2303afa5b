/* Syncobjs without a kernel: nothing is ever waited for, but for submits of others if a test says so. */
#ifndef INDIUM_TEST_FAKE_SYNCOBJ_H
#define INDIUM_TEST_FAKE_SYNCOBJ_H

#include <stdbool.h>

/* While true, waits for submits of others find that there is none yet. */
extern _Atomic bool fake_not_submitted;
/* Signals by the CPU. */
extern _Atomic unsigned fake_num_cpu_signals;

#endif
