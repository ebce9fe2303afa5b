#include "random_lanes.h"

static struct vkx lanes[LANE_KINDS]; /* the device with a queue of the kind; no pool: there is none */
static uint32_t families[LANE_KINDS], num_families;
static VkSemaphore timeline;
static uint64_t submitted;

enum { MOST_PENDING = 8 };
static struct {
   enum lane_kind kind;
   VkCommandBuffer cmd;
} pending[MOST_PENDING];
static unsigned num_pending;

/* Which kind a family is; LANE_KINDS: none. */
static enum lane_kind
kind_of(const VkQueueFamilyProperties *family)
{
   const VkExtent3D *grain = &family->minImageTransferGranularity;
   if (family->queueFlags & VK_QUEUE_GRAPHICS_BIT)
      return LANE_GRAPHICS;
   if (family->queueFlags & VK_QUEUE_COMPUTE_BIT)
      return LANE_COMPUTE;
   return family->queueFlags & VK_QUEUE_TRANSFER_BIT && grain->width == 1 && grain->height == 1 && grain->depth == 1
             ? LANE_TRANSFER
             : LANE_KINDS;
}

static void
create_lane(const struct vkx *vkx, struct vkx *lane, const struct vkt_queue *queue)
{
   const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                         .queueFamilyIndex = queue->family};
   *lane = *vkx;
   lane->queue = queue->queue;
   lane->family = queue->family;
   vkx_check(vkCreateCommandPool(vkx->device, &info, NULL, &lane->pool), "vkCreateCommandPool");
   families[num_families++] = queue->family;
}

bool
random_lanes_create(struct vkx *vkx)
{
   VkQueueFamilyProperties all[16];
   uint32_t count = 16;
   const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                           .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
   vkGetPhysicalDeviceQueueFamilyProperties(vkx->physical, &count, all);
   for (uint32_t i = 0; i < vkt_num_queues; i++) {
      const enum lane_kind kind = kind_of(&all[vkt_queues[i].family]);
      if (kind < LANE_KINDS && !lanes[kind].pool)
         create_lane(vkx, &lanes[kind], &vkt_queues[i]);
   }
   if (num_families < 2 || !vkt_has("VK_KHR_timeline_semaphore"))
      return false;
   vkx_check(vkCreateSemaphore(vkx->device, &info, NULL, &timeline), "vkCreateSemaphore");
   return true;
}

void
random_lanes_destroy(void)
{
   for (unsigned i = 0; i < LANE_KINDS; i++) {
      if (lanes[i].pool)
         vkDestroyCommandPool(lanes[i].device, lanes[i].pool, NULL);
   }
   if (timeline)
      vkDestroySemaphore(lanes[LANE_GRAPHICS].device, timeline, NULL);
}

enum lane_kind
random_lane_kind(enum lane_kind kind)
{
   return lanes[kind].pool ? kind : LANE_GRAPHICS;
}

const uint32_t *
random_lane_families(uint32_t *count)
{
   *count = num_families;
   return families;
}

VkCommandBuffer
random_lane_begin(enum lane_kind kind)
{
   return vkx_begin(&lanes[kind]);
}

void
random_lane_submit(enum lane_kind kind, VkCommandBuffer cmd)
{
   const uint64_t before = submitted++, after = submitted;
   const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = 1,
                                                 .pWaitSemaphoreValues = &before,
                                                 .signalSemaphoreValueCount = 1,
                                                 .pSignalSemaphoreValues = &after};
   const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .pNext = &values,
                                .waitSemaphoreCount = 1,
                                .pWaitSemaphores = &timeline,
                                .pWaitDstStageMask = &all,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &cmd,
                                .signalSemaphoreCount = 1,
                                .pSignalSemaphores = &timeline};
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   vkx_check(vkQueueSubmit(lanes[kind].queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
   pending[num_pending].kind = kind;
   pending[num_pending++].cmd = cmd;
   if (num_pending == MOST_PENDING)
      random_lanes_wait();
}

void
random_lanes_wait(void)
{
   const struct vkx *vkx = &lanes[LANE_GRAPHICS];
   const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                     .semaphoreCount = 1,
                                     .pSemaphores = &timeline,
                                     .pValues = &submitted};
   vkx_check(VKT_PROC(vkx, vkWaitSemaphoresKHR)(vkx->device, &wait, UINT64_MAX), "vkWaitSemaphores");
   while (num_pending) {
      num_pending--;
      vkFreeCommandBuffers(vkx->device, lanes[pending[num_pending].kind].pool, 1, &pending[num_pending].cmd);
   }
}
