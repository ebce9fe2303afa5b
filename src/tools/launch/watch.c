#include "tools/launch/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/macros.h"
#include "util/run_counts.h"

static struct run_counts *counts; /* NULL: nothing is watched */

/* memory: the descriptor of the counts; program: one that is readable when the program has ended. Only these and
 * stderr stay open: who reads the program's output sees its end. */
static _Noreturn void
watch(int memory, int program)
{
   struct pollfd ended = {.fd = program, .events = POLLIN};
   const int top = MAX2(MAX2(memory, program), 2);
   for (int fd = 0; fd < top; fd++) {
      if (fd != 2 && fd != memory && fd != program)
         close(fd);
   }
   syscall(SYS_close_range, top + 1, ~0U, 0);
   if (chdir("/")) {
   }
   while (poll(&ended, 1, -1) < 0) {
   }
   run_counts_report(counts);
   _exit(0);
}

/* A child of nobody: the program does not find it among its own. */
static bool
start_watch(int memory)
{
   const int program = (int)syscall(SYS_pidfd_open, getpid(), 0); /* close-on-exec */
   const pid_t child = program < 0 ? -1 : fork();
   if (!child) {
      setsid(); /* before the program starts: a signal to its group is not for the watcher */
      const pid_t watcher = fork();
      if (!watcher)
         watch(memory, program);
      counts->watcher = watcher;
      _exit(0);
   }
   if (child > 0)
      waitpid(child, NULL, 0); /* an error where SIGCHLD is ignored, but not before the child's end */
   if (program >= 0)
      close(program);
   return counts->watcher > 0;
}

static void
write_lines(const char *chip, const char *driver, bool noop)
{
   snprintf(counts->nothing, sizeof(counts->nothing),
            "indium run: %s got no submits: what the program drew, if anything, was not drawn by driver %s", chip,
            driver);
   if (noop)
      snprintf(counts->noop, sizeof(counts->noop),
               "indium run: nothing that %s got has run (mode noop): pictures are empty", chip);
}

void
watch_submits(const char *chip, const char *driver, bool noop)
{
   char path[64];
   const int memory = memfd_create("indium-counts", MFD_CLOEXEC);
   void *map = MAP_FAILED;
   if (memory >= 0 && !ftruncate(memory, sizeof(*counts)))
      map = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
   unsetenv(RUN_COUNTS_VARIABLE); /* of a run around this one */
   if (map != MAP_FAILED) {
      counts = map;
      counts->program = getpid();
      if (fstat(STDERR_FILENO, &counts->said_to))
         counts->said_to = (struct stat){0};
      write_lines(chip, driver, noop);
      if (start_watch(memory)) {
         snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)counts->watcher, memory);
         setenv(RUN_COUNTS_VARIABLE, path, 1);
      }
   }
   if (memory >= 0)
      close(memory);
}

bool
watch_end(void)
{
   if (counts)
      run_counts_report(counts);
   return counts && !atomic_load(&counts->submits);
}

void
watch_nothing(void)
{
   if (counts)
      atomic_flag_test_and_set(&counts->reported);
}
