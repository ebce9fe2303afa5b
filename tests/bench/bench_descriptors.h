/* Speed of descriptor updates and pools: prints a line for each. */
#ifndef INDIUM_BENCH_DESCRIPTORS_H
#define INDIUM_BENCH_DESCRIPTORS_H

#include "vkx.h"

void bench_descriptors(struct vkx *vkx);

#endif
