#include "util/open_output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/log.h"

FILE *
open_output(const char *variable)
{
   const char *path = getenv(variable), *process = path ? strstr(path, "%p") : NULL;
   char own[4096];
   if (path && !strcmp(path, "-"))
      return stderr;
   if (process) {
      snprintf(own, sizeof(own), "%.*s%d%s", (int)(process - path), path, getpid(), process + 2);
      path = own;
   }
   FILE *file = path ? fopen(path, "we") : NULL;
   if (path && !file) {
      log_error("%s=%s: cannot be written: %s", variable, path, strerror(errno));
      exit(2);
   }
   return file;
}
