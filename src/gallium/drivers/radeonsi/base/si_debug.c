#include "gallium/drivers/radeonsi/base/si_debug.h"

#include "util/log.h"

bool
si_debug(enum si_debug choice)
{
   static const char *const names[SI_DEBUG_COUNT] = {[SI_DEBUG_LAYERS] = "layers",
                                                     [SI_DEBUG_WHOLEPIXELS] = "wholepixels",
                                                     [SI_DEBUG_DRAIN] = "drain",
                                                     [SI_DEBUG_WAVE32] = "wave32",
                                                     [SI_DEBUG_WAVE64] = "wave64",
                                                     [SI_DEBUG_NOHTILE] = "nohtile",
                                                     [SI_DEBUG_NONGG] = "nongg",
                                                     [SI_DEBUG_DCC] = "dcc",
                                                     [SI_DEBUG_NODCC] = "nodcc",
                                                     [SI_DEBUG_NOOUTOFORDER] = "nooutoforder",
                                                     [SI_DEBUG_ASSUME_NO_Z_FIGHTS] = "assume_no_z_fights",
                                                     [SI_DEBUG_COMMUTATIVE_BLEND_ADD] = "commutative_blend_add"};
   static struct debug_words words = {"RADEONSI_DEBUG", names, SI_DEBUG_COUNT, ATOMIC_FLAG_INIT};
   return debug_word(&words, choice);
}
