/* Work of random tiles on queues of all kinds, one piece after another. */
#ifndef RANDOM_LANES_H
#define RANDOM_LANES_H

#include "random_tile.h"

enum lane_kind { LANE_GRAPHICS, LANE_COMPUTE, LANE_TRANSFER, LANE_KINDS };

/* Looks for queues of the device, which has vkt_all_queues. True if there is more than one kind. */
bool random_lanes_create(struct vkx *vkx);
void random_lanes_destroy(void);

/* The kind itself, or LANE_GRAPHICS if the device has no such queue, or one that copies only some boxes. */
enum lane_kind random_lane_kind(enum lane_kind kind);

/* The families of all of them: for images that they share. */
const uint32_t *random_lane_families(uint32_t *count);

/* Commands for a queue of that kind. Submitted, they wait for all that was submitted so. */
VkCommandBuffer random_lane_begin(enum lane_kind kind);
void random_lane_submit(enum lane_kind kind, VkCommandBuffer cmd);

/* Waits for everything, whose commands are gone then. */
void random_lanes_wait(void);

#endif
