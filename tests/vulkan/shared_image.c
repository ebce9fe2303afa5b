#include "shared_image.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void
shared_image_bind(struct vkx *vkx, struct vkt_image *image, int fd)
{
   const VkExportMemoryAllocateInfo exported = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                                .handleTypes = DMA_BUF};
   const VkImportMemoryFdInfoKHR imported = {
      .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, .handleType = DMA_BUF, .fd = fd};
   const VkMemoryDedicatedAllocateInfo dedicated = {.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
                                                    .pNext = fd >= 0 ? (const void *)&imported : &exported,
                                                    .image = image->image};
   VkMemoryRequirements needs;
   vkGetImageMemoryRequirements(vkx->device, image->image, &needs);
   const VkDeviceSize size_B = fd >= 0 ? (VkDeviceSize)lseek(fd, 0, SEEK_END) : needs.size;
   vkt_expect(needs.size <= size_B, "%lu bytes are imported, %lu needed", (unsigned long)size_B,
              (unsigned long)needs.size);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .pNext = &dedicated,
                                          .allocationSize = size_B,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &image->memory), "vkAllocateMemory");
   vkx_check(vkBindImageMemory(vkx->device, image->image, image->memory, 0), "vkBindImageMemory");
   image->info.pNext = NULL;
}

int
shared_image_export(struct vkx *vkx, VkDeviceMemory memory)
{
   const VkMemoryGetFdInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, .memory = memory, .handleType = DMA_BUF};
   int fd = -1;
   vkx_check(VKT_PROC(vkx, vkGetMemoryFdKHR)(vkx->device, &info, &fd), "vkGetMemoryFdKHR");
   return fd;
}

bool
shared_image_send(int link, const void *message, size_t size_B, int fd)
{
   char control[CMSG_SPACE(sizeof(int))] = {0};
   struct iovec data = {(void *)message, size_B};
   struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1};
   if (fd >= 0) {
      header.msg_control = control;
      header.msg_controllen = sizeof(control);
      struct cmsghdr *c = CMSG_FIRSTHDR(&header);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(sizeof(int));
      memcpy(CMSG_DATA(c), &fd, sizeof(int));
   }
   return vkt_expect(sendmsg(link, &header, MSG_NOSIGNAL) == (ssize_t)size_B, "the other side takes a message");
}

bool
shared_image_receive(int link, void *message, size_t size_B, int *fd)
{
   char control[CMSG_SPACE(sizeof(int))] = {0};
   struct iovec data = {message, size_B};
   struct msghdr header = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
   *fd = -1;
   if (!vkt_expect(recvmsg(link, &header, MSG_WAITALL) == (ssize_t)size_B, "the other side answers"))
      return false;
   struct cmsghdr *c = CMSG_FIRSTHDR(&header);
   if (c)
      memcpy(fd, CMSG_DATA(c), sizeof(int));
   return true;
}
