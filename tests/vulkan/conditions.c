/* VK_EXT_conditional_rendering: draws, clears of attachments and dispatches run or do not, as a word in a buffer
 * says; all else runs. Also in secondaries, and in those that secondaries execute (VK_EXT_nested_command_buffer). */
#include "pass_helpers.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t count_comp[] = {
#include "count.comp.inc"
};

/* Who records what depends on the condition. */
enum way { PRIMARY, SECONDARY, NESTED, WAYS };
static const char *const ways[WAYS] = {"primary", "secondary", "nested"};

#define DRAWN BYTES(10, 20, 30, 40)
#define CLEARED_PART BYTES(50, 60, 70, 80)
#define GROUP 32u /* invocations of count.comp */

static const uint32_t indices[4] = {0, 1, 2, 3};
static const VkDrawIndirectCommand draw_command = {4, 1, 0, 0};
static const VkDrawIndexedIndirectCommand indexed_command = {4, 1, 0, 0, 0};
static const VkDispatchIndirectCommand dispatch_command = {3, 1, 1};
enum { INDICES_AT = 0, DRAW_AT = 64, INDEXED_AT = 128, DISPATCH_AT = 192 };

static struct vkt_target target;
static struct vkx_buffer words, parameters, data; /* conditions; of draws; what shaders count */
static VkPipeline draws, dispatches;
static VkPipelineLayout count_layout;
static VkDescriptorSetLayout set_layout;
static VkDescriptorSet set;

static void
push_quad(VkCommandBuffer cmd, uint32_t column)
{
   struct vkt_quad q = {2.0f * (float)column / SIZE - 1, -1, 2.0f * (float)(column + 4) / SIZE - 1, 1, {0}, 0};
   unorm(DRAWN, q.color);
   vkCmdPushConstants(cmd, quad_layout, VKT_QUAD_STAGES, 0, sizeof(q), &q);
}

/* Four columns each. */
static void
record_draws(VkCommandBuffer cmd)
{
   VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(CLEARED_PART)};
   const VkClearRect rect = {{{16, 0}, {4, SIZE}}, 0, 1};
   vkt_set_viewport(cmd, extent);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
   vkCmdBindIndexBuffer(cmd, parameters.buffer, INDICES_AT, VK_INDEX_TYPE_UINT32);
   push_quad(cmd, 0);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   push_quad(cmd, 4);
   vkCmdDrawIndexed(cmd, 4, 1, 0, 0, 0);
   push_quad(cmd, 8);
   vkCmdDrawIndirect(cmd, parameters.buffer, DRAW_AT, 1, sizeof(draw_command));
   push_quad(cmd, 12);
   vkCmdDrawIndexedIndirect(cmd, parameters.buffer, INDEXED_AT, 1, sizeof(indexed_command));
   vkCmdClearAttachments(cmd, 1, &clear, 1, &rect);
}

static void
record_dispatches(VkCommandBuffer cmd)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, dispatches);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, count_layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 2, 1, 1);
   vkCmdDispatchIndirect(cmd, parameters.buffer, DISPATCH_AT);
}

/* in_pass: of the target. */
static VkCommandBuffer
begin_secondary(VkCommandPool pool, bool in_pass)
{
   const VkCommandBufferInheritanceConditionalRenderingInfoEXT conditional = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT,
      .conditionalRenderingEnable = VK_TRUE};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                       .pNext = &conditional,
                                                       .renderPass = in_pass ? target.pass : VK_NULL_HANDLE};
   const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = in_pass ? VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT : 0,
                                          .pInheritanceInfo = &inheritance};
   const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                 .commandPool = pool,
                                                 .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                                 .commandBufferCount = 1};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx->device, &allocate, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &info), "vkBeginCommandBuffer");
   return cmd;
}

static void
record_by(VkCommandBuffer cmd, VkCommandPool pool, enum way way, bool in_pass)
{
   if (way == PRIMARY) {
      (in_pass ? record_draws : record_dispatches)(cmd);
      return;
   }
   VkCommandBuffer secondary = begin_secondary(pool, in_pass);
   record_by(secondary, pool, way - 1, in_pass);
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   vkCmdExecuteCommands(cmd, 1, &secondary);
}

static void
end_condition(VkCommandBuffer cmd)
{
   VKT_PROC(vkx, vkCmdEndConditionalRenderingEXT)(cmd);
}

/* The word becomes the value on the device. */
static void
set_word(VkCommandBuffer cmd, uint32_t word, uint32_t value)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT};
   vkCmdFillBuffer(cmd, words.buffer, 4 * word, 4, value);
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT, 0, 1,
                        &barrier, 0, NULL, 0, NULL);
}

static void
check(uint32_t value, bool inverted, enum way way)
{
   const bool runs = (value != 0) != inverted;
   char what[96];
   snprintf(what, sizeof(what), "value %x, inverted %d, %s", value, inverted, ways[way]);
   read_back(&target.color);
   for (uint32_t column = 0; column < 16; column++)
      expect(what, 0, column, 5, runs ? DRAWN : 0);
   expect(what, 0, 17, 5, runs ? CLEARED_PART : 0);
   expect(what, 0, 22, 5, DRAWN);
   expect(what, 0, 27, 5, 0);
   const uint32_t *counted = data.map, wanted = runs ? 5 * GROUP : 0;
   vkt_expect(counted[0] == wanted, "%s: %u invocations, not %u", what, counted[0], wanted);
   vkt_expect(counted[1] == 7, "%s: a fill does not depend on it", what);
}

/* The condition begins outside of the pass, whose clear does not depend on it, or inside. */
static void
test(uint32_t value, bool inverted, enum way way, bool inside)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   memset(data.map, 0, 64);
   set_word(cmd, 3, value);
   if (!inside)
      vkt_begin_condition(vkx, cmd, &words, 3, inverted);
   vkt_target_begin(cmd, &target, target.pass,
                    way == PRIMARY ? VK_SUBPASS_CONTENTS_INLINE : VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   if (inside)
      vkt_begin_condition(vkx, cmd, &words, 3, inverted);
   record_by(cmd, vkx->pool, way, true);
   if (inside)
      end_condition(cmd);
   vkCmdEndRenderPass(cmd);
   if (inside)
      vkt_begin_condition(vkx, cmd, &words, 3, inverted);
   record_by(cmd, vkx->pool, way, false);
   vkCmdFillBuffer(cmd, data.buffer, 4, 4, 7);
   end_condition(cmd);
   /* After it all runs. */
   vkt_barrier(cmd);
   vkt_target_begin(cmd, &target, target.load_pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
   push_quad(cmd, 20);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(value, inverted, way);
}

/* On a queue that has no graphics. */
static void
test_compute_queue(uint32_t value, bool inverted, enum way way)
{
   const struct vkt_queue *queue = NULL;
   for (uint32_t i = 0; i < vkt_num_queues; i++) {
      if ((vkt_queues[i].flags & (VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT)) == VK_QUEUE_COMPUTE_BIT)
         queue = &vkt_queues[i];
   }
   if (!queue)
      return;
   struct vkx other = *vkx;
   const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .queueFamilyIndex = queue->family};
   vkx_check(vkCreateCommandPool(vkx->device, &info, NULL, &other.pool), "vkCreateCommandPool");
   other.family = queue->family;
   other.queue = queue->queue;
   VkCommandBuffer cmd = vkx_begin(&other);
   memset(data.map, 0, 64);
   set_word(cmd, 5, value);
   vkt_begin_condition(vkx, cmd, &words, 5, inverted);
   record_by(cmd, other.pool, way, false);
   end_condition(cmd);
   record_by(cmd, other.pool, way, false);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&other, cmd);
   const uint32_t wanted = ((value != 0) != inverted ? 10 : 5) * GROUP, got = *(uint32_t *)data.map;
   vkt_expect(got == wanted, "a compute queue, value %x, inverted %d, %s: %u invocations, not %u", value, inverted,
              ways[way], got, wanted);
   vkDestroyCommandPool(vkx->device, other.pool, NULL);
}

static void
start(void)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   parameters = vkt_buffer_create(vkx, 256, 0);
   data = vkt_buffer_create(vkx, 64, 0);
   words = vkx_buffer_create(vkx, 64,
                             VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
   memcpy((char *)parameters.map + INDICES_AT, indices, sizeof(indices));
   memcpy((char *)parameters.map + DRAW_AT, &draw_command, sizeof(draw_command));
   memcpy((char *)parameters.map + INDEXED_AT, &indexed_command, sizeof(indexed_command));
   memcpy((char *)parameters.map + DISPATCH_AT, &dispatch_command, sizeof(dispatch_command));
   target = vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, extent, 1, 1);
   quad_layout = vkt_quad_layout_create(vkx);
   draws = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                .layout = quad_layout,
                                                                .vertex = VKT_CODE(quad_vert),
                                                                .fragment = VKT_CODE(quad_frag)});
   set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   count_layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   dispatches =
      vkx_compute_pipeline_create(vkx, count_layout, vkx_shader_create(vkx, count_comp, sizeof(count_comp)));
   set = vkt_set_create(vkx, set_layout, type, &data);
}

static void
finish(void)
{
   vkt_sets_destroy(vkx);
   vkDestroyPipeline(vkx->device, dispatches, NULL);
   vkDestroyPipeline(vkx->device, draws, NULL);
   vkDestroyPipelineLayout(vkx->device, count_layout, NULL);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_target_destroy(vkx, &target);
   vkx_buffer_destroy(vkx, &words);
   vkx_buffer_destroy(vkx, &data);
   vkx_buffer_destroy(vkx, &parameters);
   vkx_buffer_destroy(vkx, &buffer);
}

/* How many ways there are: secondaries only where they inherit conditions. */
static unsigned
count_ways(void)
{
   VkPhysicalDeviceConditionalRenderingFeaturesEXT has = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   if (!has.inheritedConditionalRendering)
      return SECONDARY;
   return vkt_has("VK_EXT_nested_command_buffer") ? WAYS : NESTED;
}

int
main(void)
{
   static const uint32_t values[] = {0, 1, 0x100, 0x80000000};
   vkt_all_queues = true;
   struct vkx device = vkt_create("conditions");
   vkx = &device;
   if (!vkt_has("VK_EXT_conditional_rendering")) {
      vkt_skip("VK_EXT_conditional_rendering");
      return vkt_finish(vkx);
   }
   start();
   const unsigned count = count_ways();
   for (unsigned i = 0; i < 2 * sizeof(values) / sizeof(values[0]); i++) {
      for (unsigned way = 0; way < count; way++) {
         test(values[i / 2], i & 1, (enum way)way, false);
         if (way == PRIMARY)
            test(values[i / 2], i & 1, (enum way)way, true);
         test_compute_queue(values[i / 2], i & 1, (enum way)way);
      }
   }
   finish();
   return vkt_finish(vkx);
}
