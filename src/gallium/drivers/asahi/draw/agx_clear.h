/* Programs of clears inside of renderings: compiled when a rendering first wants one, kept by the screen. */
#ifndef INDIUM_AGX_CLEAR_H
#define INDIUM_AGX_CLEAR_H

#include "gallium/drivers/asahi/agx_context.h"

bool agx_clears_init(struct agx_screen *screen);
void agx_clears_finish(struct agx_screen *screen);

#endif
