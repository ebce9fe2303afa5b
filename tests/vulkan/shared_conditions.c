/* One command buffer that is pending on several compute queues at once, and one secondary in command buffers with
 * different conditions: each dispatch asks the condition of its own queue (VK_EXT_conditional_rendering). */
#include <string.h>

#include "vkt.h"

static const uint32_t count_comp[] = {
#include "count.comp.inc"
};

enum { GROUP = 32, DISPATCHES = 6, SUBMITS = 3, MAX_LANES = 2 }; /* GROUP: invocations of count.comp */

static struct vkx device, *vkx = &device;
static struct vkx_buffer words, data; /* conditions: word 0 is 0, word 1 is not; what the shader counts */
static VkPipeline pipeline;
static VkPipelineLayout layout;
static VkDescriptorSet set;
static struct vkx lanes[MAX_LANES]; /* compute queues of one family */
static uint32_t num_lanes;

static VkCommandBuffer
begin(VkCommandBufferLevel level)
{
   const VkCommandBufferInheritanceConditionalRenderingInfoEXT conditional = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
      .conditionalRenderingEnable = VK_TRUE};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                       .pNext = &conditional};
   const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                          .pInheritanceInfo = &inheritance};
   const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                 .commandPool = lanes[0].pool,
                                                 .level = level,
                                                 .commandBufferCount = 1};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx->device, &allocate, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &info), "vkBeginCommandBuffer");
   return cmd;
}

static void
end(VkCommandBuffer cmd)
{
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
}

static void
record_dispatches(VkCommandBuffer cmd)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   for (unsigned i = 0; i < DISPATCHES; i++) {
      vkCmdDispatch(cmd, 1, 1, 1);
      vkt_barrier(cmd);
   }
}

/* Pending on all lanes at once, several times. */
static void
submit_all(const VkCommandBuffer cmds[MAX_LANES])
{
   *(uint32_t *)data.map = 0;
   for (unsigned i = 0; i < SUBMITS * num_lanes; i++) {
      const VkSubmitInfo info = {
         .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmds[i % num_lanes]};
      vkx_check(vkQueueSubmit(lanes[i % num_lanes].queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
   }
   vkx_check(vkDeviceWaitIdle(vkx->device), "vkDeviceWaitIdle");
}

static void
expect_submits(uint32_t submits, const char *what, uint32_t word, bool inverted)
{
   const uint32_t wanted = submits * DISPATCHES * GROUP, got = *(const uint32_t *)data.map;
   vkt_expect(got == wanted, "%s, word %u, inverted %d: %u invocations, not %u", what, word, inverted, got, wanted);
}

static void
test_one_command_buffer(uint32_t word, bool inverted)
{
   const VkCommandBuffer cmd = begin(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
   vkt_begin_condition(vkx, cmd, &words, word, inverted);
   record_dispatches(cmd);
   VKT_PROC(vkx, vkCmdEndConditionalRenderingEXT)(cmd);
   end(cmd);
   submit_all((const VkCommandBuffer[MAX_LANES]){cmd, cmd});
   expect_submits(word != inverted ? SUBMITS * num_lanes : 0, "one command buffer", word, inverted);
}

/* The first lane's condition is the given one, the other lane has none, or the opposite. */
static void
test_one_secondary(uint32_t word, bool inverted, bool opposite)
{
   const VkCommandBuffer secondary = begin(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
   VkCommandBuffer cmds[MAX_LANES];
   record_dispatches(secondary);
   end(secondary);
   for (uint32_t i = 0; i < num_lanes; i++) {
      cmds[i] = begin(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
      if (!i || opposite)
         vkt_begin_condition(vkx, cmds[i], &words, i ? !word : word, inverted);
      vkCmdExecuteCommands(cmds[i], 1, &secondary);
      if (!i || opposite)
         VKT_PROC(vkx, vkCmdEndConditionalRenderingEXT)(cmds[i]);
      end(cmds[i]);
   }
   submit_all(cmds);
   const bool first = word != inverted;
   expect_submits(SUBMITS * (first + (num_lanes > 1 && (!opposite || !first))), "one secondary", word, inverted);
}

static void
create_lanes(void)
{
   for (uint32_t i = 0; i < vkt_num_queues && num_lanes < MAX_LANES; i++) {
      const VkQueueFlags kinds = vkt_queues[i].flags & (VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT);
      if (kinds != VK_QUEUE_COMPUTE_BIT || (num_lanes && vkt_queues[i].family != lanes[0].family))
         continue;
      lanes[num_lanes] = *vkx;
      lanes[num_lanes].family = vkt_queues[i].family;
      lanes[num_lanes++].queue = vkt_queues[i].queue;
   }
   const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = lanes[0].family};
   if (num_lanes)
      vkx_check(vkCreateCommandPool(vkx->device, &info, NULL, &lanes[0].pool), "vkCreateCommandPool");
}

static void
create(void)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   words = vkx_buffer_create(vkx, 64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT, true);
   memcpy(words.map, (const uint32_t[2]){0, 1}, 8);
   data = vkt_buffer_create(vkx, 64, 0);
   layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   pipeline = vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, count_comp, sizeof(count_comp)));
   set = vkt_set_create(vkx, set_layout, type, &data);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

static void
destroy(void)
{
   vkDestroyCommandPool(vkx->device, lanes[0].pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkt_sets_destroy(vkx);
   vkx_buffer_destroy(vkx, &data);
   vkx_buffer_destroy(vkx, &words);
}

static bool
inherits_conditions(void)
{
   VkPhysicalDeviceConditionalRenderingFeaturesEXT has = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   return has.inheritedConditionalRendering;
}

int
main(void)
{
   vkt_all_queues = true;
   device = vkt_create("shared_conditions");
   create_lanes();
   if (!vkt_has("VK_EXT_conditional_rendering") || !num_lanes) {
      vkt_skip("VK_EXT_conditional_rendering on compute queues");
      return vkt_finish(vkx);
   }
   create();
   for (uint32_t i = 0; i < 4; i++) {
      test_one_command_buffer(i % 2, i / 2);
      if (inherits_conditions()) {
         test_one_secondary(i % 2, i / 2, false);
         test_one_secondary(i % 2, i / 2, true);
      }
   }
   destroy();
   return vkt_finish(vkx);
}
