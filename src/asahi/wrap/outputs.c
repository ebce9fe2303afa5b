#include "asahi/wrap/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/log.h"
#include "util/open_output.h"

#define MAX_FILES 10000

static FILE *
open_text(const char *name)
{
   char path[4096];
   int fd = -1;
   if (!strcmp(name, "stderr"))
      return stderr;
   for (unsigned i = 0; fd < 0 && i < MAX_FILES; i++) {
      if (snprintf(path, sizeof(path), "%s.%04u", name, i) >= (int)sizeof(path))
         break;
      fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd < 0 && errno != EEXIST)
         break;
   }
   FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
   if (file)
      return file;
   log_error("AGXDECODE_DUMP_FILE=%s: cannot be written: %s", name, strerror(errno));
   exit(2);
}

void
agx_wrap_open_outputs(struct agx_wrap_settings *settings)
{
   const char *name = getenv("AGXDECODE_DUMP_FILE");
   settings->recording = open_output("INDIUM_WRAP");
   settings->text = name || !settings->recording ? open_text(name && *name ? name : "agxdecode.dump") : NULL;
}
