#include "drm-shim/mode.h"

#include <stdlib.h>
#include <string.h>

#include "util/log.h"

enum shim_mode
shim_read_mode(void)
{
   const char *mode = getenv("INDIUM_MODE");
   if (!mode || !strcmp(mode, "model"))
      return SHIM_MODE_MODEL;
   if (!strcmp(mode, "noop"))
      return SHIM_MODE_NOOP;
   log_error("INDIUM_MODE=%s: neither model nor noop", mode);
   exit(2);
}
