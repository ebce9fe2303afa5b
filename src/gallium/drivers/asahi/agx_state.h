/* State of draws. */
#ifndef INDIUM_AGX_STATE_H
#define INDIUM_AGX_STATE_H

#include <stdint.h>

struct agx_graphics_state {
   uint32_t unused;
};

#endif
