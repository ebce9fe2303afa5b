/* Damaged submissions on the model: whatever is wrong in streams, records, descriptors, programs and data comes to a
 * fault or to nothing, and never to a crash or to no end. Each runs in a process of its own.
 *
 * test_damaged FOLDER COUNT [FIRST]: COUNT seeds of each recording of FOLDER that is small enough, from FIRST on. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "damaged_try.h"

/* False if it crashed, or took a minute. */
static bool
try_seed(const char *path, uint64_t seed)
{
   int status;
   fflush(NULL);
   pid_t child = fork();
   if (!child) {
      if (!freopen("/dev/null", "w", stdout) ||
          !freopen(getenv("DAMAGED_LOG") ? getenv("DAMAGED_LOG") : "/dev/null", "a", stderr))
         _exit(3);
      setrlimit(RLIMIT_CPU, &(struct rlimit){60, 60});
      damaged_try(path, &(struct random_source){.seed = (uint32_t)seed * 2654435761u});
      exit(0);
   }
   if (child < 0 || waitpid(child, &status, 0) != child)
      return false;
   if (WIFEXITED(status) && !WEXITSTATUS(status))
      return true;
   printf("%s, seed %llu: %s %d\n", path, (unsigned long long)seed, WIFSIGNALED(status) ? "signal" : "status",
          WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
   return false;
}

int
main(int argc, char **argv)
{
   uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 0, first = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
   unsigned crashed = 0;
   for (unsigned i = 0; i < DAMAGED_RECORDINGS; i++) {
      char path[4096];
      snprintf(path, sizeof(path), "%s/%s", argv[1], damaged_names[i]);
      for (uint64_t seed = first; seed < first + count; seed++)
         crashed += !try_seed(path, seed);
   }
   printf("%llu seeds of each recording: %u crashed\n", (unsigned long long)count, crashed);
   return crashed || !count;
}
