#include "util/run_counts.h"

#include <stdio.h>

void
run_counts_report(struct run_counts *counts)
{
   const char *line = atomic_load(&counts->submits) ? counts->noop : counts->nothing;
   if (!atomic_flag_test_and_set(&counts->reported) && *line)
      dprintf(2, "%s\n", line);
}
