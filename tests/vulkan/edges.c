/* Valid uses at the edge: handles that are null, arrays without elements, pipeline caches with foreign and damaged
 * data, draws and dispatches of nothing, viewports upside down and of no height, scissors that leave nothing. */
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

#define CLEARED BYTES(60, 70, 80, 90)

/* ---- null handles ---- */

static void
test_null_handles(void)
{
   VkDevice d = vkx->device;
   vkDestroyBuffer(d, VK_NULL_HANDLE, NULL);
   vkDestroyBufferView(d, VK_NULL_HANDLE, NULL);
   vkDestroyImage(d, VK_NULL_HANDLE, NULL);
   vkDestroyImageView(d, VK_NULL_HANDLE, NULL);
   vkDestroySampler(d, VK_NULL_HANDLE, NULL);
   vkDestroySamplerYcbcrConversion(d, VK_NULL_HANDLE, NULL);
   vkDestroyShaderModule(d, VK_NULL_HANDLE, NULL);
   vkDestroyPipeline(d, VK_NULL_HANDLE, NULL);
   vkDestroyPipelineCache(d, VK_NULL_HANDLE, NULL);
   vkDestroyPipelineLayout(d, VK_NULL_HANDLE, NULL);
   vkDestroyDescriptorSetLayout(d, VK_NULL_HANDLE, NULL);
   vkDestroyDescriptorPool(d, VK_NULL_HANDLE, NULL);
   vkDestroyDescriptorUpdateTemplate(d, VK_NULL_HANDLE, NULL);
   vkDestroyRenderPass(d, VK_NULL_HANDLE, NULL);
   vkDestroyFramebuffer(d, VK_NULL_HANDLE, NULL);
   vkDestroyQueryPool(d, VK_NULL_HANDLE, NULL);
   vkDestroyFence(d, VK_NULL_HANDLE, NULL);
   vkDestroySemaphore(d, VK_NULL_HANDLE, NULL);
   vkDestroyEvent(d, VK_NULL_HANDLE, NULL);
   vkDestroyCommandPool(d, VK_NULL_HANDLE, NULL);
   vkFreeMemory(d, VK_NULL_HANDLE, NULL);
   vkFreeCommandBuffers(d, vkx->pool, 2, (VkCommandBuffer[2]){NULL, NULL});
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_SAMPLER, 1};
   const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                            .maxSets = 1,
                                            .poolSizeCount = 1,
                                            .pPoolSizes = &size};
   VkDescriptorPool pool;
   vkx_check(vkCreateDescriptorPool(d, &info, NULL, &pool), "vkCreateDescriptorPool");
   VkResult result = vkFreeDescriptorSets(d, pool, 2, (VkDescriptorSet[2]){VK_NULL_HANDLE, VK_NULL_HANDLE});
   vkt_expect(result == VK_SUCCESS, "vkFreeDescriptorSets of null: %d", result);
   vkDestroyDescriptorPool(d, pool, NULL);
   vkDestroyDevice(NULL, NULL);
   vkDestroyInstance(NULL, NULL);
}

/* ---- arrays without elements ---- */

static void
test_empty_arrays(void)
{
   VkDescriptorSetLayout layouts[2];
   const VkDescriptorSetLayoutBinding none = {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, VK_SHADER_STAGE_ALL, NULL};
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_SAMPLER, 1};
   for (uint32_t i = 0; i < 2; i++) {
      const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .bindingCount = i,
                                                    .pBindings = i ? &none : NULL};
      vkx_check(vkCreateDescriptorSetLayout(vkx->device, &info, NULL, &layouts[i]), "vkCreateDescriptorSetLayout");
   }
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 2, .poolSizeCount = 1, .pPoolSizes = &size};
   VkDescriptorPool pool;
   VkDescriptorSet sets[2];
   vkx_check(vkCreateDescriptorPool(vkx->device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = pool,
                                                 .descriptorSetCount = 2,
                                                 .pSetLayouts = layouts};
   VkResult result = vkAllocateDescriptorSets(vkx->device, &allocate, sets);
   vkt_expect(result == VK_SUCCESS, "sets without descriptors: %d", result);
   vkUpdateDescriptorSets(vkx->device, 0, NULL, 0, NULL);
   const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 2, .pSetLayouts = layouts};
   VkPipelineLayout layout;
   vkx_check(vkCreatePipelineLayout(vkx->device, &info, NULL, &layout), "vkCreatePipelineLayout");
   const VkSubmitInfo nothing = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
   const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkFence fence;
   vkx_check(vkCreateFence(vkx->device, &fence_info, NULL, &fence), "vkCreateFence");
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 2, sets, 0, NULL);
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                        NULL, 0, NULL);
   vkx_submit_and_wait(vkx, cmd);
   vkt_expect(vkQueueSubmit(vkx->queue, 0, NULL, VK_NULL_HANDLE) == VK_SUCCESS, "a submit of nothing");
   for (uint32_t count = 0; count < 2; count++) {
      result = vkQueueSubmit(vkx->queue, count, &nothing, fence);
      vkt_expect(result == VK_SUCCESS, "a submit of %u times nothing: %d", count, result);
      result = vkWaitForFences(vkx->device, 1, &fence, VK_TRUE, UINT64_MAX);
      vkt_expect(result == VK_SUCCESS, "its fence: %d", result);
      vkx_check(vkResetFences(vkx->device, 1, &fence), "vkResetFences");
   }
   vkDestroyFence(vkx->device, fence, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, layouts[0], NULL);
   vkDestroyDescriptorSetLayout(vkx->device, layouts[1], NULL);
}

/* ---- pipeline caches ---- */

static VkPipeline
cached_pipeline(VkPipelineCache cache, VkPipelineLayout layout)
{
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = vkx_shader_create(vkx, count_comp, sizeof(count_comp)),
                .pName = "main"},
      .layout = layout};
   VkPipeline pipeline = VK_NULL_HANDLE;
   VkResult result = vkCreateComputePipelines(vkx->device, cache, 1, &info, NULL, &pipeline);
   vkt_expect(result == VK_SUCCESS && pipeline, "a pipeline with a cache: %d", result);
   vkDestroyShaderModule(vkx->device, info.stage.module, NULL);
   return pipeline;
}

static VkPipelineCache
cache_create(size_t size_B, const void *data)
{
   const VkPipelineCacheCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = size_B, .pInitialData = data};
   VkPipelineCache cache = VK_NULL_HANDLE;
   VkResult result = vkCreatePipelineCache(vkx->device, &info, NULL, &cache);
   vkt_expect(result == VK_SUCCESS && cache, "a cache of %zu bytes: %d", size_B, result);
   return cache;
}

/* The header, and what happens when there is less room than data. */
static size_t
check_data(VkPipelineCache cache, uint8_t data[1 << 16])
{
   size_t size_B = 0, room_B;
   vkt_expect(vkGetPipelineCacheData(vkx->device, cache, &size_B, NULL) == VK_SUCCESS && size_B >= 32 &&
                 size_B <= 1 << 16,
              "the size of a cache: %zu", size_B);
   room_B = size_B;
   memset(data, 0xcc, 1 << 16);
   vkt_expect(vkGetPipelineCacheData(vkx->device, cache, &room_B, data) == VK_SUCCESS && room_B <= size_B,
              "the data of a cache");
   VkPipelineCacheHeaderVersionOne header;
   memcpy(&header, data, sizeof(header));
   vkt_expect(header.headerSize == 32 && header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
                 header.vendorID == vkx->properties.vendorID && header.deviceID == vkx->properties.deviceID &&
                 !memcmp(header.pipelineCacheUUID, vkx->properties.pipelineCacheUUID, VK_UUID_SIZE),
              "the header of a cache");
   uint8_t little[40];
   for (room_B = 0; room_B < 32; room_B += 8) {
      size_t got_B = room_B;
      memset(little, 0xcc, sizeof(little));
      VkResult result = vkGetPipelineCacheData(vkx->device, cache, &got_B, little);
      vkt_expect(result == VK_INCOMPLETE && got_B <= room_B && little[room_B] == 0xcc, "%zu bytes of a cache: %d",
                 room_B, result);
   }
   return size_B;
}

static void
test_caches(void)
{
   static uint8_t data[1 << 16], changed[1 << 16];
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   VkPipelineCache caches[5] = {cache_create(0, NULL)};
   VkPipeline pipeline = cached_pipeline(caches[0], layout);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   size_t size_B = check_data(caches[0], data);
   caches[1] = cache_create(size_B, data);
   caches[2] = cache_create(16, data); /* half of a header */
   memcpy(changed, data, size_B);
   changed[8] ^= 0xff; /* another vendor's */
   caches[3] = cache_create(size_B, changed);
   memcpy(changed, data, size_B);
   for (size_t i = 32; i < size_B; i++) /* a sound header, and noise */
      changed[i] = (uint8_t)vkt_random();
   memset(changed + size_B, 0xa5, 64);
   caches[4] = cache_create(size_B + 64, changed);
   for (unsigned i = 1; i < 5; i++) {
      pipeline = cached_pipeline(caches[i], layout);
      vkDestroyPipeline(vkx->device, pipeline, NULL);
      check_data(caches[i], data);
   }
   VkResult result = vkMergePipelineCaches(vkx->device, caches[0], 3, &caches[1]);
   vkt_expect(result == VK_SUCCESS, "vkMergePipelineCaches: %d", result);
   for (unsigned i = 0; i < 5; i++)
      vkDestroyPipelineCache(vkx->device, caches[i], NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

/* ---- draws of nothing, odd viewports and scissors ---- */

static const VkRect2D full = {{0, 0}, {SIZE, SIZE}};

static void
draw(VkCommandBuffer cmd, VkViewport viewport, VkRect2D scissor, uint32_t vertices, uint32_t instances)
{
   vkCmdSetViewport(cmd, 0, 1, &viewport);
   vkCmdSetScissor(cmd, 0, 1, &scissor);
   vkCmdDraw(cmd, vertices, instances, 0, 0);
}

/* None of these draws covers a pixel. */
static void
draw_nothing(VkCommandBuffer cmd, const struct vkx_buffer *parameters)
{
   const VkViewport normal = {0, 0, SIZE, SIZE, 0, 1};
   draw(cmd, normal, full, 0, 1);
   draw(cmd, normal, full, 4, 0);
   draw(cmd, normal, full, 2, 1); /* half of a triangle */
   draw(cmd, (VkViewport){0, 0, SIZE, 0, 0, 1}, full, 4, 1);
   draw(cmd, (VkViewport){-4 * (float)SIZE, 0, SIZE, SIZE, 0, 1}, full, 4, 1);
   draw(cmd, normal, (VkRect2D){{0, 0}, {0, 0}}, 4, 1);
   draw(cmd, normal, (VkRect2D){{5, 5}, {0, 9}}, 4, 1);
   draw(cmd, normal, (VkRect2D){{SIZE, SIZE}, {SIZE, SIZE}}, 4, 1);
   draw(cmd, normal, (VkRect2D){{INT32_MAX - 5, 0}, {5, 5}}, 4, 1);
   vkCmdSetScissor(cmd, 0, 1, &full);
   vkCmdBindIndexBuffer(cmd, parameters->buffer, 256, VK_INDEX_TYPE_UINT16);
   vkCmdDrawIndexed(cmd, 0, 1, 0, 0, 0);
   vkCmdDrawIndexed(cmd, 4, 0, 0, 0, 0);
   vkCmdDrawIndirect(cmd, parameters->buffer, 0, 0, 16);
   vkCmdDrawIndirect(cmd, parameters->buffer, 0, 1, 0);         /* no vertices */
   vkCmdDrawIndexedIndirect(cmd, parameters->buffer, 64, 1, 0); /* no instances */
}

static void
test_draws(void)
{
   struct vkt_target target = vkt_target_create(vkx, RGBA8, VK_FORMAT_D32_SFLOAT, extent, 1, 1);
   const VkPipelineDepthStencilStateCreateInfo write = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .depthTestEnable = VK_TRUE,
                                                        .depthWriteEnable = VK_TRUE,
                                                        .depthCompareOp = VK_COMPARE_OP_ALWAYS};
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                              .layout = quad_layout,
                                                                              .vertex = VKT_CODE(quad_vert),
                                                                              .fragment = VKT_CODE(quad_frag),
                                                                              .depth_stencil = &write});
   struct vkx_buffer parameters = vkt_buffer_create(vkx, 1024, 0);
   *(VkDrawIndirectCommand *)parameters.map = (VkDrawIndirectCommand){0, 1, 0, 0};
   *(VkDrawIndexedIndirectCommand *)((char *)parameters.map + 64) = (VkDrawIndexedIndirectCommand){4, 0, 0, 0, 0};
   struct vkt_quad shown = {-1, -1, 1, 0, {1, 1, 1, 1}, 0.25f}; /* the upper half */
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, quad_layout, VKT_QUAD_STAGES, 0, sizeof(shown), &shown);
   draw_nothing(cmd, &parameters);
   /* Upside down: the upper half of clip space comes to the lower one of [0, 16)^2; depth runs from 1 to 0.5. */
   draw(cmd, (VkViewport){0, 16, 16, -16, 1, 0.5f}, full, 4, 1);
   /* Pixels [16, 32) x [16, 24), of which the scissor leaves one. */
   draw(cmd, (VkViewport){16, 16, 16, 16, 0, 1}, (VkRect2D){{20, 20}, {1, 1}}, 4, 1);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &buffer);
   uint32_t drawn = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      drawn += ((uint32_t *)buffer.map)[i] != 0;
   vkt_expect(drawn == 16 * 8 + 1, "%u pixels are drawn, not %u", drawn, 16 * 8 + 1);
   expect("upside down", 0, 5, 4, 0);
   expect("upside down", 0, 5, 12, UINT32_MAX);
   expect("one pixel", 0, 20, 20, UINT32_MAX);
   vkt_read(vkx, &target.depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, &buffer);
   const float *depth = buffer.map;
   vkt_expect(depth[12 * SIZE + 5] == 0.875f && depth[20 * SIZE + 20] == 0.25f, "depth of odd viewports: %f %f",
              depth[12 * SIZE + 5], depth[20 * SIZE + 20]);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkx_buffer_destroy(vkx, &parameters);
   vkt_target_destroy(vkx, &target);
}

/* ---- pixels that one draw covers many times ---- */

/* Every layer counts, whatever order their pixels run in. */
static void
test_overlap(void)
{
   enum { DIRECT = 60, INDEXED = 20 };
   struct vkt_target target = vkt_target_create(vkx, RGBA8, VK_FORMAT_D32_SFLOAT, extent, 1, 1);
   const VkPipelineColorBlendAttachmentState add = {.blendEnable = VK_TRUE,
                                                    .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                    .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                    .colorBlendOp = VK_BLEND_OP_ADD,
                                                    .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                    .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                    .alphaBlendOp = VK_BLEND_OP_ADD,
                                                    .colorWriteMask = 15};
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                              .layout = quad_layout,
                                                                              .vertex = VKT_CODE(quad_vert),
                                                                              .fragment = VKT_CODE(quad_frag),
                                                                              .blend = &add});
   struct vkx_buffer indices = vkt_buffer_create(vkx, 64, 0);
   for (uint32_t i = 0; i < 4; i++)
      ((uint32_t *)indices.map)[i] = i;
   struct vkt_quad quad = {-1, -1, 1, 1, {0}, 0};
   unorm(BYTES(1, 2, 3, 0), quad.color);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, quad_layout, VKT_QUAD_STAGES, 0, sizeof(quad), &quad);
   draw(cmd, (VkViewport){0, 0, SIZE, SIZE, 0, 1}, full, 4, DIRECT);
   vkCmdBindIndexBuffer(cmd, indices.buffer, 0, VK_INDEX_TYPE_UINT32);
   vkCmdDrawIndexed(cmd, 4, INDEXED, 0, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &buffer);
   const uint32_t sum = DIRECT + INDEXED, want = BYTES(sum, 2 * sum, 3 * sum, 0);
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      wrong += ((uint32_t *)buffer.map)[i] != want;
   vkt_expect(!wrong, "%u pixels that %u layers cover are not their sum", wrong, sum);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkx_buffer_destroy(vkx, &indices);
   vkt_target_destroy(vkx, &target);
}

/* ---- dispatches of nothing ---- */

static void
test_dispatches(void)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   VkPipeline pipeline = cached_pipeline(VK_NULL_HANDLE, layout);
   struct vkx_buffer data = vkt_buffer_create(vkx, 4096, 0), parameters = vkt_buffer_create(vkx, 64, 0);
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &data);
   ((uint32_t *)parameters.map)[0] = 7; /* 7 x 0 x 0 groups */
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 0, 1, 1);
   vkCmdDispatch(cmd, 1, 0, 1);
   vkCmdDispatch(cmd, 1, 1, 0);
   vkCmdDispatchBase(cmd, 0, 0, 0, 0, 0, 0);
   vkCmdDispatchIndirect(cmd, parameters.buffer, 0);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   uint32_t written = 0;
   for (uint32_t i = 0; i < 1024; i++)
      written += ((uint32_t *)data.map)[i] != 0;
   vkt_expect(!written, "dispatches of nothing write %u words", written);
   cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   written = ((uint32_t *)data.map)[0];
   vkt_expect(written == 32, "one group counts %u invocations", written);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &data);
   vkx_buffer_destroy(vkx, &parameters);
}

int
main(void)
{
   struct vkx device = vkt_create("edges");
   vkx = &device;
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   quad_layout = vkt_quad_layout_create(vkx);
   test_null_handles();
   test_empty_arrays();
   test_caches();
   test_draws();
   test_overlap();
   test_dispatches();
   vkt_sets_destroy(vkx);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}
