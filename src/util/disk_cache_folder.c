/* Where the cache on disk is, and how large, by the environment variables of Mesa. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "util/disk_cache.h"
#include "util/log.h"

#define DEFAULT_B (UINT64_C(1) << 30)

static const char *
get(const char *variable)
{
   const char *value = getenv(variable);
   return value && *value ? value : NULL;
}

static bool
is_disabled(void)
{
   static const char *const words[] = {"1", "true", "t", "yes", "y"};
   const char *value = get("MESA_SHADER_CACHE_DISABLE");
   bool disabled = geteuid() != getuid() || getegid() != getgid();
   for (unsigned i = 0; value && i < sizeof(words) / sizeof(words[0]); i++)
      disabled |= !strcasecmp(value, words[i]);
   return disabled;
}

/* The bits that a unit stands for; -1: it is none. */
static int
shift_of(const char *unit)
{
   switch (*unit && unit[1] ? '?' : tolower((unsigned char)*unit)) {
   case 'k':
      return 10;
   case 'm':
      return 20;
   case '\0':
   case 'g':
      return 30;
   default: /* others: no units */
      return -1;
   }
}

static uint64_t
max_size_B(void)
{
   const char *text = get("MESA_SHADER_CACHE_MAX_SIZE");
   char *end = NULL;
   if (!text)
      return DEFAULT_B;
   errno = 0;
   uint64_t number = strtoull(text, &end, 10);
   int shift = shift_of(end);
   if (end == text || !isdigit((unsigned char)*text) || errno || shift < 0 || !number ||
       number > UINT64_MAX >> 1 >> shift) {
      log_error("MESA_SHADER_CACHE_MAX_SIZE is \"%s\", which is no size such as 512M; it counts as 1G", text);
      return DEFAULT_B;
   }
   return number << shift;
}

char *
disk_cache_folder(const char *name, uint64_t *max_B)
{
   const char *own = get("MESA_SHADER_CACHE_DIR"), *cache = get("XDG_CACHE_HOME"), *home = get("HOME");
   char *folder = NULL;
   int length = -1;
   if (is_disabled())
      return NULL;
   *max_B = max_size_B();
   if (own || cache)
      length = asprintf(&folder, "%s/%s", own ? own : cache, name);
   else if (home)
      length = asprintf(&folder, "%s/.cache/%s", home, name);
   return length < 0 ? NULL : folder;
}
