/* Tiles of compute: a threadgroup whose program's USC_SHARED has the layout of a tile has memory for the samples of
 * one, which its threads load and store by explicit coordinates and which goes to images as a block (imgwblk). */
#ifndef INDIUM_ASAHI_SIM_TILE_IMAGEBLOCK_H
#define INDIUM_ASAHI_SIM_TILE_IMAGEBLOCK_H

#include "asahi/sim/base/program.h"
#include "asahi/sim/wave/wave.h"

struct agx_imageblocks;

/* Sets hooks, start, retire and user of a launch whose grid is set. NULL: the program has no tiles, and the launch is
 * as it was; and after a fault. To be freed after the launch has run. */
struct agx_imageblocks *agx_imageblocks_create(struct agx_wave_launch *launch, struct sim_fault *fault);
void agx_imageblocks_free(void *blocks); /* NULL: nothing */

#endif
