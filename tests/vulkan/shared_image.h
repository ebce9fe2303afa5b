/* Images whose memory two devices, or two processes over a socket, share as a dma-buf. */
#ifndef SHARED_IMAGE_H
#define SHARED_IMAGE_H

#include "vkt.h"

#define DMA_BUF VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT

/* Gives the image memory of its own, which can be exported, or that of the descriptor, which is taken over; -1: its
 * own. */
void shared_image_bind(struct vkx *vkx, struct vkt_image *image, int fd);
int shared_image_export(struct vkx *vkx, VkDeviceMemory memory);

/* A message to the other side and a descriptor, -1: none. False: the other side is gone, which is a failed check. */
bool shared_image_send(int link, const void *message, size_t size_B, int fd);
bool shared_image_receive(int link, void *message, size_t size_B, int *fd);

#endif
