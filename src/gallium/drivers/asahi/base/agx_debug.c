#include "gallium/drivers/asahi/base/agx_debug.h"

#include "util/log.h"

bool
agx_debug(enum agx_debug choice)
{
   static const char *const names[AGX_DEBUG_COUNT] = {
      [AGX_DEBUG_NOCOMPRESSION] = "nocompression", [AGX_DEBUG_IMAGES] = "images"};
   static struct debug_words words = {"ASAHI_DEBUG", names, AGX_DEBUG_COUNT, ATOMIC_FLAG_INIT};
   return debug_word(&words, choice);
}
