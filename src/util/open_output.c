#include "util/open_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/log.h"

static FILE *
open_as(const char *variable, const char *mode)
{
   const char *path = getenv(variable), *process = path ? strstr(path, "%p") : NULL;
   char own[4096];
   if (path && !strcmp(path, "-"))
      return stderr;
   if (process) {
      snprintf(own, sizeof(own), "%.*s%d%s", (int)(process - path), path, getpid(), process + 2);
      path = own;
   }
   FILE *file = path ? fopen(path, mode) : NULL;
   if (path && !file)
      log_error("%s=%s: cannot be written: %s", variable, path, strerror(errno));
   return file;
}

FILE *
open_output(const char *variable)
{
   FILE *file = open_as(variable, "we");
   if (!file && getenv(variable))
      exit(2);
   /* Whoever appends meanwhile is not written over. */
   if (file && file != stderr)
      fcntl(fileno(file), F_SETFL, O_APPEND);
   return file;
}

FILE *
append_output(const char *variable)
{
   return open_as(variable, "ae");
}
