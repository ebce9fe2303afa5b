#include "drm-shim/counts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drm-shim/real.h"
#include "util/run_counts.h"

static struct run_counts *counts; /* NULL: nobody asks */

/* The last that the program does: its own text comes first. What it forked says nothing. */
static void
report(void)
{
   if (getpid() != counts->program)
      return;
   fflush(stdout);
   run_counts_report(counts);
}

/* Early: later the program may not be allowed to open files. */
__attribute__((constructor)) static void
find_counts(void)
{
   const char *path = getenv(RUN_COUNTS_VARIABLE);
   const int fd = path ? real()->open(path, O_RDWR | O_CLOEXEC) : -1;
   if (fd < 0)
      return;
   void *map = real()->mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   real()->close(fd);
   counts = map == MAP_FAILED ? NULL : map;
   if (counts && getpid() == counts->program)
      atexit(report);
}

void
shim_count_submit(void)
{
   if (counts)
      atomic_fetch_add(&counts->submits, 1);
}
