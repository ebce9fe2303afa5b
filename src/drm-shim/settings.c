#include "drm-shim/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/log.h"
#include "util/macros.h"

static bool (*outputs_failed)(void);

unsigned
shim_read_threads(void)
{
   const char *text = getenv("INDIUM_THREADS");
   char *end = NULL;
   long count = text ? strtol(text, &end, 10) : sysconf(_SC_NPROCESSORS_ONLN);
   if (text && (!*text || *end || count < 1 || count > SHIM_MAX_THREADS)) {
      log_error("INDIUM_THREADS=%s: not a number from 1 to %d", text, SHIM_MAX_THREADS);
      exit(2);
   }
   return (unsigned)MIN2(MAX2(count, 1), SHIM_MAX_THREADS);
}

uint64_t
shim_read_budget(void)
{
   const char *text = getenv("INDIUM_BUDGET");
   bool good = text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 19;
   uint64_t budget = good ? strtoull(text, NULL, 10) : 0;
   if (text && !budget) {
      log_error("INDIUM_BUDGET=%s: not a number from 1 to 999999999999999999", text);
      exit(2);
   }
   return budget;
}

bool
shim_read_switch(const char *name)
{
   const char *text = getenv(name);
   if (text && strcmp(text, "0") && strcmp(text, "1")) {
      log_error("%s=%s: neither 0 nor 1", name, text);
      exit(2);
   }
   return text && *text == '1';
}

unsigned
shim_read_count(const char *name, unsigned otherwise, unsigned most)
{
   const char *text = getenv(name);
   char *end = NULL;
   const long count = text ? strtol(text, &end, 10) : (long)otherwise;
   if (text && (!*text || *end || count < 1 || count > (long)most)) {
      log_error("%s=%s: not a number from 1 to %u", name, text, most);
      exit(2);
   }
   return (unsigned)count;
}

bool
shim_read_races(enum shim_mode mode)
{
   const bool races = shim_read_switch("INDIUM_RACES");
   if (races && mode == SHIM_MODE_NOOP) {
      log_error("INDIUM_RACES=1: noop mode runs nothing whose accesses could be looked at");
      exit(2);
   }
   return races;
}

static void
fail_without_outputs(int status, void *unused)
{
   if (status || !outputs_failed())
      return;
   fflush(NULL);
   _exit(2);
}

void
shim_need_outputs(bool (*failed)(void))
{
   if (!outputs_failed)
      on_exit(fail_without_outputs, NULL);
   outputs_failed = failed;
}
