/* A command buffer of macOS in words, as agx_decode.h has those of Linux. */
#ifndef INDIUM_ASAHI_LIB_AGX_DECODE_IOGPU_H
#define INDIUM_ASAHI_LIB_AGX_DECODE_IOGPU_H

#include "asahi/lib/agx_decode.h"

/* buffer: from its header on, all that there is. What is not right follows '#' and is counted. */
void agx_decode_iogpu(struct agx_decode *decode, const void *buffer, size_t size_B);

#endif
