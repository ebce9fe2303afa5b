#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "tools/indium.h"

bool
build_path(const char *file, char path[PATH_MAX])
{
   ssize_t size_B = readlink("/proc/self/exe", path, PATH_MAX - 1 - strlen(file));
   if (size_B < 0)
      return false;
   path[size_B] = 0;
   for (unsigned up = 0; up < 3; up++) {
      char *slash = strrchr(path, '/');
      if (!slash)
         return false;
      *slash = 0;
   }
   strcat(path, "/");
   strcat(path, file);
   return true;
}
