/* VK_KHR_device_address_commands: what draws read, draws, copies, queries, conditions and captures by address. */
#include "pass_helpers.h"

static const uint32_t vertex_code[] = {
#include "address_commands.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "quad.frag.inc"
};
static const uint32_t compute_code[] = {
#include "unsized.inc"
};

enum { WORDS = 1024, HALF_B = 2 * WORDS };
#define STORAGE VK_ADDRESS_COMMAND_STORAGE_BUFFER_USAGE_BIT_KHR
#define PROC(name) VKT_PROC(vkx, name)
#define WHITE BYTES(255, 255, 255, 255)

/* A buffer for everything that has an address, at an offset of its memory. Another buffer lies at the same place, and
 * is smaller: a range that it does not have is not its. */
struct place {
   VkBuffer buffer, inner;
   VkDeviceMemory memory;
   VkDeviceAddress address;
   uint32_t *words;
};

static VkBufferUsageFlags
all_usages(void)
{
   VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                              VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                              VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                              VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
   if (vkt_has("VK_EXT_conditional_rendering"))
      usage |= VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;
   if (vkt_has("VK_EXT_transform_feedback"))
      usage |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
               VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT;
   return usage;
}

static struct place
create(void)
{
   struct place out;
   VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4 * WORDS, .usage = all_usages()};
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                            .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
   VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags};
   const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   VkMemoryRequirements needs;
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &out.buffer), "vkCreateBuffer");
   info.size = 64;
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &out.inner), "vkCreateBuffer");
   vkGetBufferMemoryRequirements(vkx->device, out.buffer, &needs);
   while (!(needs.memoryTypeBits >> allocate.memoryTypeIndex & 1) ||
          (vkx->memory.memoryTypes[allocate.memoryTypeIndex].propertyFlags & wanted) != wanted)
      allocate.memoryTypeIndex++;
   const VkDeviceSize offset_B = (4096 + needs.alignment - 1) / needs.alignment * needs.alignment;
   allocate.allocationSize = offset_B + needs.size;
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &out.memory), "vkAllocateMemory");
   vkx_check(vkBindBufferMemory(vkx->device, out.buffer, out.memory, offset_B), "vkBindBufferMemory");
   vkx_check(vkBindBufferMemory(vkx->device, out.inner, out.memory, offset_B), "vkBindBufferMemory");
   void *map;
   vkx_check(vkMapMemory(vkx->device, out.memory, 0, VK_WHOLE_SIZE, 0, &map), "vkMapMemory");
   out.words = (uint32_t *)((char *)map + offset_B);
   const VkBufferDeviceAddressInfo of = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = out.buffer};
   out.address = PROC(vkGetBufferDeviceAddressKHR)(vkx->device, &of);
   memset(out.words, 0, 4 * WORDS);
   return out;
}

static void
destroy(const struct place *place)
{
   vkDestroyBuffer(vkx->device, place->inner, NULL);
   vkDestroyBuffer(vkx->device, place->buffer, NULL);
   vkFreeMemory(vkx->device, place->memory, NULL);
}

static VkDeviceAddressRangeKHR
range(const struct place *place, uint32_t word, uint32_t count)
{
   return (VkDeviceAddressRangeKHR){place->address + 4 * word, 4 * count};
}

static VkStridedDeviceAddressRangeKHR
strided(const struct place *place, uint32_t word, uint32_t count, uint32_t stride_B)
{
   return (VkStridedDeviceAddressRangeKHR){place->address + 4 * word, 4 * count, stride_B};
}

static void
range_barrier(VkCommandBuffer cmd, const struct place *place)
{
   const VkMemoryRangeBarrierKHR barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR,
      .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
      .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT | VK_ACCESS_2_HOST_READ_BIT,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .addressRange = range(place, 0, WORDS),
      .addressFlags = STORAGE};
   const VkMemoryRangeBarriersInfoKHR ranges = {.sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR,
                                                .memoryRangeBarrierCount = 1,
                                                .pMemoryRangeBarriers = &barrier};
   const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .pNext = &ranges};
   PROC(vkCmdPipelineBarrier2KHR)(cmd, &info);
}

/* ---- copies ---- */

static void
test_copies(void)
{
   const uint32_t data[4] = {1, 2, 3, 4};
   struct place from = create(), to = create();
   const VkDeviceAddressRangeKHR update = range(&to, 500, 4), fill = range(&to, 700, 3);
   const VkDeviceMemoryCopyKHR regions[2] = {{.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
                                              .srcRange = range(&from, 100, 50),
                                              .srcFlags = STORAGE,
                                              .dstRange = range(&to, 3, 50),
                                              .dstFlags = STORAGE},
                                             {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
                                              .srcRange = range(&from, 0, 10),
                                              .srcFlags = STORAGE,
                                              .dstRange = range(&to, 60, 10),
                                              .dstFlags = STORAGE}};
   const VkCopyDeviceMemoryInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR, .regionCount = 2, .pRegions = regions};
   for (uint32_t i = 0; i < WORDS; i++)
      from.words[i] = 7 * i + 1;
   VkCommandBuffer cmd = vkx_begin(vkx);
   PROC(vkCmdCopyMemoryKHR)(cmd, &info);
   PROC(vkCmdUpdateMemoryKHR)(cmd, &update, STORAGE, sizeof(data), data);
   PROC(vkCmdFillMemoryKHR)(cmd, &fill, STORAGE, 0x55aa55aa);
   range_barrier(cmd, &to);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < WORDS; i++) {
      const uint32_t wanted = i - 3 < 50    ? from.words[i + 97]
                              : i - 60 < 10 ? from.words[i - 60]
                              : i - 500 < 4 ? data[i - 500]
                              : i - 700 < 3 ? 0x55aa55aa
                                            : 0;
      vkt_expect(to.words[i] == wanted, "word %u is %x, not %x", i, to.words[i], wanted);
   }
   destroy(&from);
   destroy(&to);
}

/* Through an image: rows of 16 texels in memory, of which 8 go into the image and come back without gaps. */
static void
test_images(void)
{
   struct place from = create(), to = create();
   struct vkt_image image = image_create(RGBA8, 1, 1, VK_IMAGE_USAGE_SAMPLED_BIT);
   VkDeviceMemoryImageCopyKHR region = {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_IMAGE_COPY_KHR,
                                        .addressRange = range(&from, 64, 64),
                                        .addressFlags = STORAGE,
                                        .addressRowLength = 16,
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageLayout = GENERAL,
                                        .imageOffset = {5, 6, 0},
                                        .imageExtent = {8, 4, 1}};
   const VkCopyDeviceMemoryImageInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR,
                                                .image = image.image,
                                                .regionCount = 1,
                                                .pRegions = &region};
   for (uint32_t i = 0; i < WORDS; i++)
      from.words[i] = 0x01020304 * i;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   PROC(vkCmdCopyMemoryToImageKHR)(cmd, &info);
   vkt_barrier(cmd);
   region.addressRange = range(&to, 200, 32);
   region.addressRowLength = 0;
   PROC(vkCmdCopyImageToMemoryKHR)(cmd, &info);
   region.addressRange = range(&to, 300, WORDS); /* wrong, but the copy fits; dEQP does so */
   PROC(vkCmdCopyImageToMemoryKHR)(cmd, &info);
   range_barrier(cmd, &to);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < 32; i++)
      vkt_expect(to.words[300 + i] == to.words[200 + i], "texel %u of a long range is %x", i, to.words[300 + i]);
   for (uint32_t i = 0; i < 32; i++)
      vkt_expect(to.words[200 + i] == from.words[64 + i / 8 * 16 + i % 8], "texel %u is %x", i, to.words[200 + i]);
   vkt_image_destroy(vkx, &image);
   destroy(&from);
   destroy(&to);
}

static void
test_queries(void)
{
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 3};
   struct place to = create();
   const VkStridedDeviceAddressRangeKHR dst = strided(&to, 40, 3 * 4, 16);
   VkQueryPool pool;
   memset(to.words, 0x77, 4 * WORDS);
   vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &pool), "vkCreateQueryPool");
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, pool, 0, 3);
   for (uint32_t i = 0; i < 3; i++) {
      vkCmdBeginQuery(cmd, pool, i, 0);
      vkCmdEndQuery(cmd, pool, i);
   }
   PROC(vkCmdCopyQueryPoolResultsToMemoryKHR)(cmd, pool, 0, 3, &dst, STORAGE,
                                              VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   range_barrier(cmd, &to);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < 3; i++)
      vkt_expect(to.words[40 + 4 * i] == 0 && to.words[41 + 4 * i] && to.words[42 + 4 * i] == 0x77777777,
                 "query %u is %u, %x", i, to.words[40 + 4 * i], to.words[41 + 4 * i]);
   vkDestroyQueryPool(vkx->device, pool, NULL);
   destroy(&to);
}

static void
test_marker(void)
{
   struct place to = create();
   const VkMemoryMarkerInfoAMD info = {.sType = VK_STRUCTURE_TYPE_MEMORY_MARKER_INFO_AMD,
                                       .stage = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                       .dstRange = range(&to, 30, 1),
                                       .dstFlags = STORAGE,
                                       .marker = 0x1234};
   if (vkt_has("VK_AMD_buffer_marker")) {
      VkCommandBuffer cmd = vkx_begin(vkx);
      PROC(vkCmdWriteMarkerToMemoryAMD)(cmd, &info);
      range_barrier(cmd, &to);
      vkx_submit_and_wait(vkx, cmd);
      vkt_expect(to.words[30] == 0x1234, "a marker is %x", to.words[30]);
   } else {
      vkt_skip("VK_AMD_buffer_marker");
   }
   destroy(&to);
}

/* ---- dispatches ---- */

/* Lane i loads element i ^ 5 of an array behind a factor of 1, and adds element 0. */
static void
test_dispatch(void)
{
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct place in = create(), out = create(), groups = create();
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0);
   VkPipeline pipeline =
      vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, compute_code, sizeof(compute_code)));
   VkDescriptorPool pool = VK_NULL_HANDLE;
   VkDescriptorSet set = vkt_bindings_create(
      vkx, &pool, set_layout, 2,
      (struct vkt_descriptor[]){{.type = types[0], .buffer = in.buffer}, {.type = types[1], .buffer = out.buffer}});
   const VkDispatchIndirect2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
                                            .addressRange = range(&groups, 77, 3),
                                            .addressFlags = STORAGE};
   in.words[0] = 1;
   for (uint32_t i = 0; i < 256; i++)
      in.words[4 + i] = 5000 + i;
   for (uint32_t i = 77; i < 80; i++)
      groups.words[i] = 1;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   PROC(vkCmdDispatchIndirect2KHR)(cmd, &info);
   range_barrier(cmd, &out);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < 256; i++) {
      const uint32_t wanted = 10000 + (i ^ 20) + i % 4;
      vkt_expect(out.words[i] == wanted, "dispatched word %u is %u, not %u", i, out.words[i], wanted);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   destroy_sets(layout, set_layout, pool);
   destroy(&in);
   destroy(&out);
   destroy(&groups);
}

/* ---- draws ---- */

/* Where things lie in the one buffer of draws. Corners are in elements of two words; of vertices 10 to 13, indices 20
 * to 23. */
enum {
   CORNERS = 16,
   INDICES = 128,
   DRAW = 200,
   INDEXED_DRAW = 240,
   COUNT = 300,
   CONDITION = 310,
   CAPTURED = 400,
   COUNTER = 500
};

enum way { DIRECT, INDIRECT, INDEXED, INDIRECT_COUNT, INDEXED_COUNT, WAYS };

static struct vkt_target target;
static VkPipeline draw_pipeline;
static struct place data;

static void
fill_data(void)
{
   const VkDrawIndirectCommand draw = {4, 1, 10, 0};
   const VkDrawIndexedIndirectCommand indexed = {4, 1, 20, -100, 0};
   memset(data.words, 0, 4 * WORDS);
   for (uint32_t i = 0; i < 4; i++) {
      data.words[CORNERS + 2 * (10 + i)] = i;
      ((uint16_t *)&data.words[INDICES])[20 + i] = (uint16_t)(110 + i); /* less the offset of vertices */
   }
   memcpy(&data.words[DRAW], &draw, sizeof(draw));
   memcpy(&data.words[INDEXED_DRAW], &indexed, sizeof(indexed));
   data.words[COUNT] = 1;
}

static VkPipeline
create_pipeline(void)
{
   const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX}; /* the stride is dynamic */
   const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 1,
                                                       .pVertexAttributeDescriptions = &attribute};
   const VkDynamicState stride = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE_EXT;
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                               .layout = quad_layout,
                                                               .vertex = VKT_CODE(vertex_code),
                                                               .fragment = VKT_CODE(fragment_code),
                                                               .vertex_input = &input,
                                                               .num_dynamic = 1,
                                                               .dynamic = &stride});
}

static VkCommandBuffer
begin_draws(void)
{
   const VkBindVertexBuffer3InfoKHR vertices = {.sType = VK_STRUCTURE_TYPE_BIND_VERTEX_BUFFER_3_INFO_KHR,
                                                .setStride = VK_TRUE,
                                                .addressRange = strided(&data, CORNERS, 2 * 14, 8),
                                                .addressFlags = STORAGE};
   const VkBindIndexBuffer3InfoKHR indices = {.sType = VK_STRUCTURE_TYPE_BIND_INDEX_BUFFER_3_INFO_KHR,
                                              .addressRange = range(&data, INDICES, 12),
                                              .addressFlags = STORAGE,
                                              .indexType = VK_INDEX_TYPE_UINT16};
   const struct vkt_quad push = {-1, -1, 1, 1, {1, 1, 1, 1}, 0};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, draw_pipeline);
   vkCmdPushConstants(cmd, quad_layout, VKT_QUAD_STAGES, 0, sizeof(push), &push);
   PROC(vkCmdBindVertexBuffers3KHR)(cmd, 0, 1, &vertices);
   PROC(vkCmdBindIndexBuffer3KHR)(cmd, &indices);
   return cmd;
}

static void
end_draws(VkCommandBuffer cmd, const char *what, uint32_t number, bool drawn)
{
   vkx_submit_and_wait(vkx, cmd);
   read_back(&target.color);
   const uint32_t *texels = buffer.map;
   for (uint32_t i = 0; i < SIZE * SIZE; i += 11)
      vkt_expect(texels[i] == (drawn ? WHITE : 0), "%s %u: texel %u is %08x", what, number, i, texels[i]);
}

static void
draw(VkCommandBuffer cmd, enum way way)
{
   const bool indexed = way == INDEXED || way == INDEXED_COUNT;
   const VkStridedDeviceAddressRangeKHR at =
      indexed ? strided(&data, INDEXED_DRAW, 5, 20) : strided(&data, DRAW, 4, 16);
   const VkDrawIndirect2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR,
                                        .addressRange = at,
                                        .addressFlags = STORAGE,
                                        .drawCount = 1};
   const VkDrawIndirectCount2InfoKHR counted = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_COUNT_2_INFO_KHR,
                                                .addressRange = at,
                                                .addressFlags = STORAGE,
                                                .countAddressRange = range(&data, COUNT, 1),
                                                .countAddressFlags = STORAGE,
                                                .maxDrawCount = 1};
   switch (way) {
   case DIRECT:
      vkCmdDraw(cmd, 4, 1, 10, 0);
      break;
   case INDIRECT:
      PROC(vkCmdDrawIndirect2KHR)(cmd, &info);
      break;
   case INDEXED:
      PROC(vkCmdDrawIndexedIndirect2KHR)(cmd, &info);
      break;
   case INDIRECT_COUNT:
      PROC(vkCmdDrawIndirectCount2KHR)(cmd, &counted);
      break;
   case INDEXED_COUNT:
      PROC(vkCmdDrawIndexedIndirectCount2KHR)(cmd, &counted);
      break;
   case WAYS:
      break;
   }
}

static void
test_draws(void)
{
   for (enum way way = DIRECT; way < WAYS; way++) {
      fill_data();
      VkCommandBuffer cmd = begin_draws();
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
      draw(cmd, way);
      vkCmdEndRenderPass(cmd);
      end_draws(cmd, "way of drawing", way, true);
   }
}

static void
test_condition(void)
{
   const VkConditionalRenderingBeginInfo2EXT info = {.sType =
                                                        VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT,
                                                     .addressRange = range(&data, CONDITION, 1),
                                                     .addressFlags = STORAGE};
   if (!vkt_has("VK_EXT_conditional_rendering"))
      return vkt_skip("VK_EXT_conditional_rendering");
   for (uint32_t value = 0; value < 2; value++) {
      fill_data();
      data.words[CONDITION] = value;
      VkCommandBuffer cmd = begin_draws();
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
      PROC(vkCmdBeginConditionalRendering2EXT)(cmd, &info);
      draw(cmd, DIRECT);
      PROC(vkCmdEndConditionalRenderingEXT)(cmd);
      vkCmdEndRenderPass(cmd);
      end_draws(cmd, "condition", value, value);
   }
}

/* A strip is captured; then as many vertices are drawn as a counter says. */
static void
test_captures(void)
{
   const VkBindTransformFeedbackBuffer2InfoEXT bound = {
      .sType = VK_STRUCTURE_TYPE_BIND_TRANSFORM_FEEDBACK_BUFFER_2_INFO_EXT,
      .addressRange = range(&data, CAPTURED, 64),
      .addressFlags = VK_ADDRESS_COMMAND_TRANSFORM_FEEDBACK_BUFFER_USAGE_BIT_KHR};
   VkBindTransformFeedbackBuffer2InfoEXT counter = bound;
   if (!vkt_has("VK_EXT_transform_feedback"))
      return vkt_skip("VK_EXT_transform_feedback");
   counter.addressRange = range(&data, COUNTER, 1);
   fill_data();
   VkCommandBuffer cmd = begin_draws();
   PROC(vkCmdBindTransformFeedbackBuffers2EXT)(cmd, 0, 1, &bound);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   PROC(vkCmdBeginTransformFeedback2EXT)(cmd, 0, 0, NULL);
   draw(cmd, DIRECT);
   PROC(vkCmdEndTransformFeedback2EXT)(cmd, 0, 1, &counter);
   vkCmdEndRenderPass(cmd);
   range_barrier(cmd, &data);
   vkx_submit_and_wait(vkx, cmd);
   /* A strip of two triangles is a list of six vertices; the second one may turn. */
   vkt_expect(data.words[COUNTER] == 48, "the counter is %u", data.words[COUNTER]);
   for (uint32_t i = 0; i < 3; i++)
      vkt_expect(data.words[CAPTURED + 2 * i] == 10 + i && data.words[CAPTURED + 2 * i + 1] == i, "vertex %u is %u",
                 i, data.words[CAPTURED + 2 * i]);
   /* 14 vertices: the first ten are corner 0, the last ones are the four corners. */
   data.words[COUNTER] = 8 + 4 * 14;
   cmd = begin_draws();
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   PROC(vkCmdDrawIndirectByteCount2EXT)(cmd, 1, 0, &counter, 8, 4);
   vkCmdEndRenderPass(cmd);
   end_draws(cmd, "byte count", 14, true);
}

int
main(void)
{
   struct vkx device = vkt_create("address_commands");
   vkx = &device;
   if (!vkt_has("VK_KHR_device_address_commands")) {
      vkt_skip("VK_KHR_device_address_commands");
      return vkt_finish(vkx);
   }
   buffer = vkt_buffer_create(vkx, 4 * SIZE * SIZE, 0);
   quad_layout = vkt_quad_layout_create(vkx);
   target = vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, extent, 1, 1);
   data = create();
   draw_pipeline = create_pipeline();
   test_copies();
   test_images();
   test_queries();
   test_marker();
   test_dispatch();
   test_draws();
   test_condition();
   test_captures();
   vkDestroyPipeline(vkx->device, draw_pipeline, NULL);
   destroy(&data);
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}
