/* Images whose memory lies in pages. */
#ifndef RANDOM_SPARSE_H
#define RANDOM_SPARSE_H

#include "vkt.h"

/* Can such an image be one? */
bool random_can_be_sparse(struct vkx *vkx, const VkImageCreateInfo *info);

/* vkt_image_create(), with the pages of its memory in reverse order. */
struct vkt_image random_sparse_create(struct vkx *vkx, VkImageCreateInfo info);

#endif
