/* Choices of the driver that the environment variable ASAHI_DEBUG makes, separated by commas. */
#ifndef INDIUM_AGX_DEBUG_H
#define INDIUM_AGX_DEBUG_H

#include <stdbool.h>

enum agx_debug {
   AGX_DEBUG_NOCOMPRESSION, /* "nocompression": no image is compressed */
   AGX_DEBUG_IMAGES,        /* "images": prints the layout of each image that is created, and why it was chosen */
   AGX_DEBUG_COUNT,
};

bool agx_debug(enum agx_debug choice);

#endif
