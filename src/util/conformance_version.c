#include "util/conformance_version.h"

#include <stdio.h>
#include <string.h>

bool
conformance_version_parse(const char *text, uint8_t version[4])
{
   /* The newest Vulkan is 1.4. No Vulkan version had more than 11 releases, none of these more than 5 patches
    * (github.com/KhronosGroup/VK-GL-CTS, tags vulkan-cts-*). */
   static const uint8_t least[4] = {1, 0, 0, 0}, most[4] = {1, 4, 15, 15};
   char canonical[16];
   unsigned n[4];
   if (sscanf(text, "%3u.%3u.%3u.%3u", &n[0], &n[1], &n[2], &n[3]) != 4)
      return false;
   snprintf(canonical, sizeof(canonical), "%u.%u.%u.%u", n[0], n[1], n[2], n[3]);
   for (unsigned i = 0; i < 4; i++) {
      if (n[i] < least[i] || n[i] > most[i])
         return false;
      version[i] = (uint8_t)n[i];
   }
   return !strcmp(text, canonical);
}
