/* Help for the definitions that replace functions of the C library. */
#ifndef INDIUM_DRM_SHIM_INTERPOSE_H
#define INDIUM_DRM_SHIM_INTERPOSE_H

#include "util/macros.h"

/* A second exported name for a function of this file; its type does not matter to the linker. */
#define INTERPOSE_ALIAS(name, function)                                                                              \
   __asm__(".globl " #name "\n.type " #name ", @function\n.set " #name ", " #function "\n");

#endif
