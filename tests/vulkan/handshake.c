/* Two queues: what the one writes the other reads: handshake [--missing 1] [--pair A-B]. With a semaphore the values
 * are right under every schedule. Without one (--missing 1) the model shows it: under schedules with turns some are
 * wrong. */
#include <stdio.h>
#include <string.h>

#include "vkt.h"

static const uint32_t step_comp[] = {
#include "step.comp.inc"
};

enum { ROUNDS = 24, WORDS = 64, STEPS = 4 };

struct step {
   uint32_t from, to, factor, term;
};

static struct vkx device, *vkx = &device;
static struct vkx_buffer buffer;
static VkPipelineLayout layout;
static VkPipeline pipeline;
static VkDescriptorSet set;
static struct vkx sides[2]; /* the writer, the reader */
static bool missing;

/* Steps one after the other, each with a word of its own; *value becomes the last one's. */
static VkCommandBuffer
record(struct vkx *side, uint32_t first, uint32_t *value)
{
   VkCommandBuffer cmd = vkx_begin(side);
   vkt_barrier(cmd);
   for (uint32_t i = first; i < first + STEPS; i++) {
      const struct step step = {i, i + 1, vkt_random() | 1, vkt_random()};
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
      vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(step), &step);
      vkCmdDispatch(cmd, 1, 1, 1);
      vkt_barrier(cmd);
      *value = *value * step.factor + step.term;
   }
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   return cmd;
}

static void
submit(struct vkx *side, VkCommandBuffer cmd, VkSemaphore wait, VkSemaphore signal)
{
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .waitSemaphoreCount = wait ? 1 : 0,
                              .pWaitSemaphores = &wait,
                              .pWaitDstStageMask = &stage,
                              .signalSemaphoreCount = signal ? 1 : 0,
                              .pSignalSemaphores = &signal,
                              .commandBufferCount = 1,
                              .pCommandBuffers = &cmd};
   vkx_check(vkQueueSubmit(side->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

/* Whether the last word is what all steps make of the first. */
static bool
is_right(VkSemaphore semaphore)
{
   uint32_t *words = buffer.map, value = vkt_random();
   memset(words, 0, WORDS * 4);
   words[0] = value;
   VkCommandBuffer writer = record(&sides[0], 0, &value), reader = record(&sides[1], STEPS, &value);
   submit(&sides[0], writer, VK_NULL_HANDLE, missing ? VK_NULL_HANDLE : semaphore);
   submit(&sides[1], reader, missing ? VK_NULL_HANDLE : semaphore, VK_NULL_HANDLE);
   vkx_check(vkDeviceWaitIdle(vkx->device), "vkDeviceWaitIdle");
   return words[2 * STEPS] == value;
}

static void
create(uint32_t first, uint32_t second)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const uint32_t which[2] = {first, second};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   buffer = vkt_buffer_create(vkx, WORDS * 4, 0);
   layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct step));
   pipeline = vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, step_comp, sizeof(step_comp)));
   set = vkt_set_create(vkx, set_layout, type, &buffer);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   for (unsigned i = 0; i < 2; i++) {
      const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                            .queueFamilyIndex = vkt_queues[which[i]].family};
      sides[i] = *vkx;
      sides[i].queue = vkt_queues[which[i]].queue;
      vkx_check(vkCreateCommandPool(vkx->device, &info, NULL, &sides[i].pool), "vkCreateCommandPool");
   }
}

int
main(int argc, char **argv)
{
   unsigned first = 0, second = 1, wrong = 0;
   missing = !strcmp(vkx_option(argc, argv, "--missing", "0"), "1");
   sscanf(vkx_option(argc, argv, "--pair", "0-1"), "%u-%u", &first, &second);
   vkt_all_queues = true;
   device = vkt_create("handshake");
   if (first >= vkt_num_queues || second >= vkt_num_queues) {
      vkt_expect(false, "queues %u and %u of %u", first, second, vkt_num_queues);
      return vkt_finish(vkx);
   }
   create(first, second);
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   VkSemaphore semaphore;
   vkx_check(vkCreateSemaphore(vkx->device, &info, NULL, &semaphore), "vkCreateSemaphore");
   for (unsigned round = 0; round < ROUNDS; round++)
      wrong += !is_right(semaphore);
   printf("%u of %u rounds are wrong\n", wrong, (unsigned)ROUNDS);
   vkt_expect(missing ? wrong > 0 : !wrong, "%u rounds are wrong", wrong);
   vkDestroySemaphore(vkx->device, semaphore, NULL);
   for (unsigned i = 0; i < 2; i++)
      vkDestroyCommandPool(vkx->device, sides[i].pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkt_sets_destroy(vkx);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}
