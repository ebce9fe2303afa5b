/* Creates one object of every kind and destroys them again, all with the counting allocator (part of instance.c). */
/* size: a script, one step after the other */
#ifndef INSTANCE_SCRIPT_H
#define INSTANCE_SCRIPT_H

struct script {
   VkInstance instance;
   VkPhysicalDevice physical;
   VkDevice device;
   PFN_vkGetDeviceProcAddr get;
   VkCommandPool command_pool;
   VkCommandBuffer commands[2];
   VkBuffer buffer;
   VkDeviceMemory memory, image_memory;
   VkBufferView buffer_view;
   VkImage image;
   VkImageView image_view;
   VkSampler sampler;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout pipeline_layout, empty_layout;
   VkDescriptorPool pool;
   VkDescriptorSet sets[2];
   VkDescriptorUpdateTemplate template;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkShaderModule modules[3];
   VkPipelineCache cache;
   VkPipeline pipelines[2];
   VkShaderEXT shaders[3];
   VkQueryPool queries;
   VkFence fence;
   VkSemaphore semaphore, timeline;
   VkEvent event;
};

#define CALL(s, name) ((PFN_##name)(s)->get((s)->device, #name))
/* Creates; ends the function if there was no memory. */
#define MAKE(s, name, info, out)                                                                                     \
   do {                                                                                                              \
      VkResult result_ = CALL(s, name)((s)->device, info, &callbacks, out);                                          \
      if (result_ != VK_SUCCESS)                                                                                     \
         return result_;                                                                                             \
   } while (0)

static VkResult
make_device(struct script *s)
{
   uint32_t one = 1;
   VkResult result = create_instance(0, NULL, &callbacks, &s->instance);
   if (result != VK_SUCCESS)
      return result;
   result = INSTANCE_PROC(s->instance, vkEnumeratePhysicalDevices)(s->instance, &one, &s->physical);
   if (result < 0 || !one)
      return result < 0 ? result : VK_ERROR_INITIALIZATION_FAILED;
   static const char *const extensions[] = {"VK_KHR_timeline_semaphore", "VK_KHR_synchronization2",
                                            "VK_KHR_external_semaphore_fd", "VK_KHR_dynamic_rendering",
                                            "VK_EXT_shader_object"};
   result = create_device(s->instance, s->physical, 5, extensions, NULL, &callbacks, &s->device);
   s->get = INSTANCE_PROC(s->instance, vkGetDeviceProcAddr);
   return result;
}

static VkResult
make_resources(struct script *s)
{
   MAKE(
      s, vkCreateBuffer,
      (&(VkBufferCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = 4096,
                             .usage = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT}),
      &s->buffer);
   MAKE(s, vkAllocateMemory,
        (&(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = 65536}),
        &s->memory);
   CALL(s, vkBindBufferMemory)(s->device, s->buffer, s->memory, 0);
   MAKE(s, vkCreateBufferView,
        (&(VkBufferViewCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = s->buffer,
                                   .format = VK_FORMAT_R32_UINT,
                                   .range = VK_WHOLE_SIZE}),
        &s->buffer_view);
   MAKE(s, vkCreateImage,
        (&(VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = VK_FORMAT_R8G8B8A8_UNORM,
                              .extent = {16, 16, 1},
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT}),
        &s->image);
   VkMemoryRequirements needed;
   CALL(s, vkGetImageMemoryRequirements)(s->device, s->image, &needed);
   MAKE(s, vkAllocateMemory,
        (&(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needed.size}),
        &s->image_memory);
   CALL(s, vkBindImageMemory)(s->device, s->image, s->image_memory, 0);
   MAKE(s, vkCreateImageView,
        (&(VkImageViewCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = s->image,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = VK_FORMAT_R8G8B8A8_UNORM,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}}),
        &s->image_view);
   MAKE(s, vkCreateSampler, (&(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO}), &s->sampler);
   MAKE(s, vkCreateQueryPool,
        (&(VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryCount = 2}), &s->queries);
   MAKE(s, vkCreateFence, (&(VkFenceCreateInfo){.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO}), &s->fence);
   MAKE(s, vkCreateSemaphore, (&(VkSemaphoreCreateInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO}),
        &s->semaphore);
   const VkSemaphoreTypeCreateInfo timeline = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                               .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                               .initialValue = 1};
   MAKE(s, vkCreateSemaphore,
        (&(VkSemaphoreCreateInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &timeline}),
        &s->timeline);
   MAKE(s, vkCreateEvent, (&(VkEventCreateInfo){.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO}), &s->event);
   return VK_SUCCESS;
}

static VkResult
make_descriptors(struct script *s)
{
   const VkDescriptorSetLayoutBinding bindings[3] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2, VK_SHADER_STAGE_ALL, NULL},
      {2, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, &s->sampler}};
   const VkDescriptorPoolSize sizes[3] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 4},
                                          {VK_DESCRIPTOR_TYPE_SAMPLER, 2}};
   const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 64};
   MAKE(s, vkCreateDescriptorSetLayout,
        (&(VkDescriptorSetLayoutCreateInfo){
           .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 3, .pBindings = bindings}),
        &s->set_layout);
   MAKE(s, vkCreatePipelineLayout,
        (&(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &s->set_layout}),
        &s->pipeline_layout);
   MAKE(s, vkCreatePipelineLayout,
        (&(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range}),
        &s->empty_layout);
   MAKE(s, vkCreateDescriptorPool,
        (&(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = 2,
                                       .poolSizeCount = 3,
                                       .pPoolSizes = sizes}),
        &s->pool);
   const VkDescriptorSetLayout layouts[2] = {s->set_layout, s->set_layout};
   const VkDescriptorSetAllocateInfo allocate_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                      .descriptorPool = s->pool,
                                                      .descriptorSetCount = 2,
                                                      .pSetLayouts = layouts};
   VkResult result = CALL(s, vkAllocateDescriptorSets)(s->device, &allocate_info, s->sets);
   if (result != VK_SUCCESS)
      return s->sets[0] || s->sets[1] ? VK_ERROR_UNKNOWN : result;
   const VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 1,
                                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   MAKE(s, vkCreateDescriptorUpdateTemplate,
        (&(VkDescriptorUpdateTemplateCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
                                                 .descriptorUpdateEntryCount = 1,
                                                 .pDescriptorUpdateEntries = &entry,
                                                 .descriptorSetLayout = s->set_layout}),
        &s->template);
   return VK_SUCCESS;
}

static VkResult
make_modules(struct script *s)
{
   static const uint32_t *const codes[3] = {quad_vert, quad_frag, count_comp};
   static const size_t sizes[3] = {sizeof(quad_vert), sizeof(quad_frag), sizeof(count_comp)};
   for (unsigned i = 0; i < 3; i++)
      MAKE(s, vkCreateShaderModule,
           (&(VkShaderModuleCreateInfo){
              .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizes[i], .pCode = codes[i]}),
           &s->modules[i]);
   MAKE(s, vkCreatePipelineCache,
        (&(VkPipelineCacheCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO}), &s->cache);
   return VK_SUCCESS;
}

static VkResult
make_pass(struct script *s)
{
   const VkAttachmentDescription attachment = {
      .format = VK_FORMAT_R8G8B8A8_UNORM, .samples = VK_SAMPLE_COUNT_1_BIT, .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference ref = {0, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &ref};
   MAKE(s, vkCreateRenderPass,
        (&(VkRenderPassCreateInfo){.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = 1,
                                   .pAttachments = &attachment,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass}),
        &s->pass);
   MAKE(s, vkCreateFramebuffer,
        (&(VkFramebufferCreateInfo){.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                    .renderPass = s->pass,
                                    .attachmentCount = 1,
                                    .pAttachments = &s->image_view,
                                    .width = 16,
                                    .height = 16,
                                    .layers = 1}),
        &s->framebuffer);
   return VK_SUCCESS;
}

static VkResult
make_pipelines(struct script *s)
{
   VkPipelineShaderStageCreateInfo stages[3];
   for (unsigned i = 0; i < 3; i++)
      stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                    .stage = i == 2 ? VK_SHADER_STAGE_COMPUTE_BIT
                                                             : i    ? VK_SHADER_STAGE_FRAGMENT_BIT
                                                                    : VK_SHADER_STAGE_VERTEX_BIT,
                                                    .module = s->modules[i],
                                                    .pName = "main"};
   const VkComputePipelineCreateInfo compute = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stages[2], .layout = s->pipeline_layout};
   VkResult result =
      CALL(s, vkCreateComputePipelines)(s->device, s->cache, 1, &compute, &callbacks, &s->pipelines[0]);
   if (result != VK_SUCCESS)
      return result;
   const VkViewport viewport = {0, 0, 16, 16, 0, 1};
   const VkRect2D scissor = {{0, 0}, {16, 16}};
   const VkPipelineColorBlendAttachmentState blend = {.colorWriteMask = 0xf};
   const VkGraphicsPipelineCreateInfo graphics = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = 2,
      .pStages = stages,
      .pVertexInputState =
         &(VkPipelineVertexInputStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO},
      .pInputAssemblyState =
         &(VkPipelineInputAssemblyStateCreateInfo){.sType =
                                                      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO},
      .pViewportState =
         &(VkPipelineViewportStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                              .viewportCount = 1,
                                              .pViewports = &viewport,
                                              .scissorCount = 1,
                                              .pScissors = &scissor},
      .pRasterizationState =
         &(VkPipelineRasterizationStateCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1},
      .pMultisampleState =
         &(VkPipelineMultisampleStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                 .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT},
      .pColorBlendState =
         &(VkPipelineColorBlendStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                .attachmentCount = 1,
                                                .pAttachments = &blend},
      .layout = s->empty_layout,
      .renderPass = s->pass,
   };
   return CALL(s, vkCreateGraphicsPipelines)(s->device, s->cache, 1, &graphics, &callbacks, &s->pipelines[1]);
}

static VkResult
make_shaders(struct script *s)
{
   static const uint32_t *const codes[3] = {quad_vert, quad_frag, count_comp};
   static const size_t sizes[3] = {sizeof(quad_vert), sizeof(quad_frag), sizeof(count_comp)};
   const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 64};
   VkShaderCreateInfoEXT infos[3];
   for (unsigned i = 0; i < 3; i++)
      infos[i] = (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                         .stage = i == 2 ? VK_SHADER_STAGE_COMPUTE_BIT
                                                  : i    ? VK_SHADER_STAGE_FRAGMENT_BIT
                                                         : VK_SHADER_STAGE_VERTEX_BIT,
                                         .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                         .codeSize = sizes[i],
                                         .pCode = codes[i],
                                         .pName = "main",
                                         .setLayoutCount = i == 2,
                                         .pSetLayouts = &s->set_layout,
                                         .pushConstantRangeCount = i != 2,
                                         .pPushConstantRanges = &range};
   VkResult result = CALL(s, vkCreateShadersEXT)(s->device, 3, infos, &callbacks, s->shaders);
   if (result != VK_SUCCESS)
      return result;
   /* The compute shader again, from its binary. */
   static char binary[16384];
   size_t size_B = sizeof(binary);
   result = CALL(s, vkGetShaderBinaryDataEXT)(s->device, s->shaders[2], &size_B, binary);
   CALL(s, vkDestroyShaderEXT)(s->device, s->shaders[2], &callbacks);
   infos[2].codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
   infos[2].codeSize = size_B;
   infos[2].pCode = binary;
   s->shaders[2] = VK_NULL_HANDLE;
   return result == VK_SUCCESS ? CALL(s, vkCreateShadersEXT)(s->device, 1, &infos[2], &callbacks, &s->shaders[2])
                               : result;
}

/* A draw with shader objects, whose program is made then. */
static void
record_shaders(struct script *s, VkCommandBuffer cmd)
{
   const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = s->image_view,
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                      .renderArea = {{0, 0}, {16, 16}},
                                      .layerCount = 1,
                                      .colorAttachmentCount = 1,
                                      .pColorAttachments = &color};
   const VkViewport viewport = {0, 0, 16, 16, 0, 1};
   const VkRect2D scissor = {{0, 0}, {16, 16}};
   const VkColorComponentFlags mask = 0xf;
   CALL(s, vkCmdBeginRenderingKHR)(cmd, &rendering);
   CALL(s, vkCmdBindShadersEXT)(cmd, 2, stages, s->shaders);
   CALL(s, vkCmdSetViewportWithCountEXT)(cmd, 1, &viewport);
   CALL(s, vkCmdSetScissorWithCountEXT)(cmd, 1, &scissor);
   CALL(s, vkCmdSetPrimitiveTopologyEXT)(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
   CALL(s, vkCmdSetRasterizationSamplesEXT)(cmd, VK_SAMPLE_COUNT_1_BIT);
   CALL(s, vkCmdSetColorWriteMaskEXT)(cmd, 0, 1, &mask);
   CALL(s, vkCmdDraw)(cmd, 3, 1, 0, 0);
   CALL(s, vkCmdEndRenderingKHR)(cmd);
}

static VkResult
record(struct script *s)
{
   MAKE(s, vkCreateCommandPool, (&(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO}),
        &s->command_pool);
   const VkCommandBufferAllocateInfo allocate_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                      .commandPool = s->command_pool,
                                                      .commandBufferCount = 2};
   VkResult result = CALL(s, vkAllocateCommandBuffers)(s->device, &allocate_info, s->commands);
   if (result != VK_SUCCESS)
      return s->commands[0] || s->commands[1] ? VK_ERROR_UNKNOWN : result;
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   const VkRenderPassBeginInfo begin_pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                             .renderPass = s->pass,
                                             .framebuffer = s->framebuffer,
                                             .renderArea = {{0, 0}, {16, 16}}};
   const VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
   const VkClearRect rect = {{{0, 0}, {4, 4}}, 0, 1};
   VkCommandBuffer cmd = s->commands[0];
   result = CALL(s, vkBeginCommandBuffer)(cmd, &begin);
   if (result != VK_SUCCESS)
      return result;
   CALL(s, vkCmdBeginRenderPass)(cmd, &begin_pass, VK_SUBPASS_CONTENTS_INLINE);
   CALL(s, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[1]);
   for (uint32_t i = 0; i < 10000; i++) { /* more than one buffer holds */
      CALL(s, vkCmdPushConstants)(cmd, s->empty_layout, VK_SHADER_STAGE_ALL, 0, 4, &i);
      CALL(s, vkCmdDraw)(cmd, 3, 0, i, 0);
   }
   CALL(s, vkCmdClearAttachments)(cmd, 1, &clear, 1, &rect);
   CALL(s, vkCmdEndRenderPass)(cmd);
   record_shaders(s, cmd);
   return CALL(s, vkEndCommandBuffer)(cmd);
}

/* The semaphore's payload goes out and comes back as a temporary one. */
static VkResult
turn_around(struct script *s)
{
   VkSemaphoreGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                  .semaphore = s->semaphore,
                                  .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
   VkImportSemaphoreFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
                                        .semaphore = s->semaphore,
                                        .flags = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
                                        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
   VkResult result = CALL(s, vkGetSemaphoreFdKHR)(s->device, &get, &import.fd);
   if (result != VK_SUCCESS)
      return result;
   result = CALL(s, vkImportSemaphoreFdKHR)(s->device, &import);
   if (result != VK_SUCCESS)
      close(import.fd);
   return result;
}

static VkResult
submit(struct script *s)
{
   VkQueue queue;
   CALL(s, vkGetDeviceQueue)(s->device, 0, 0, &queue);
   const VkSubmitInfo first = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &s->commands[0],
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &s->semaphore};
   VkResult result = CALL(s, vkQueueSubmit)(queue, 1, &first, VK_NULL_HANDLE);
   if (result == VK_SUCCESS)
      result = turn_around(s);
   const VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = s->semaphore},
                               signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                         .semaphore = s->timeline,
                                         .value = 2};
   const VkSubmitInfo2 second = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                 .waitSemaphoreInfoCount = 1,
                                 .pWaitSemaphoreInfos = &wait,
                                 .signalSemaphoreInfoCount = 1,
                                 .pSignalSemaphoreInfos = &signal};
   if (result == VK_SUCCESS)
      result = CALL(s, vkQueueSubmit2KHR)(queue, 1, &second, VK_NULL_HANDLE);
   const VkSemaphoreWaitInfo until = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &s->timeline,
                                      .pValues = &signal.value};
   if (result == VK_SUCCESS)
      result = CALL(s, vkWaitSemaphoresKHR)(s->device, &until, UINT64_MAX);
   if (result == VK_SUCCESS)
      result = CALL(s, vkQueueSubmit)(queue, 0, NULL, s->fence);
   if (result == VK_SUCCESS)
      result = CALL(s, vkWaitForFences)(s->device, 1, &s->fence, VK_TRUE, UINT64_MAX);
   VkResult idle = CALL(s, vkQueueWaitIdle)(queue);
   return result == VK_SUCCESS ? idle : result;
}

static void
destroy_all(struct script *s)
{
#define DESTROY(name, handle) CALL(s, name)(s->device, handle, &callbacks)
   if (s->device) {
      DESTROY(vkDestroyCommandPool, s->command_pool);
      for (unsigned i = 0; i < 2; i++)
         DESTROY(vkDestroyPipeline, s->pipelines[i]);
      for (unsigned i = 0; i < 3; i++)
         DESTROY(vkDestroyShaderEXT, s->shaders[i]);
      DESTROY(vkDestroyPipelineCache, s->cache);
      for (unsigned i = 0; i < 3; i++)
         DESTROY(vkDestroyShaderModule, s->modules[i]);
      DESTROY(vkDestroyFramebuffer, s->framebuffer);
      DESTROY(vkDestroyRenderPass, s->pass);
      DESTROY(vkDestroyDescriptorUpdateTemplate, s->template);
      DESTROY(vkDestroyDescriptorPool, s->pool);
      DESTROY(vkDestroyPipelineLayout, s->empty_layout);
      DESTROY(vkDestroyPipelineLayout, s->pipeline_layout);
      DESTROY(vkDestroyDescriptorSetLayout, s->set_layout);
      DESTROY(vkDestroyEvent, s->event);
      DESTROY(vkDestroySemaphore, s->semaphore);
      DESTROY(vkDestroySemaphore, s->timeline);
      DESTROY(vkDestroyFence, s->fence);
      DESTROY(vkDestroyQueryPool, s->queries);
      DESTROY(vkDestroySampler, s->sampler);
      DESTROY(vkDestroyImageView, s->image_view);
      DESTROY(vkDestroyImage, s->image);
      DESTROY(vkFreeMemory, s->image_memory);
      DESTROY(vkDestroyBufferView, s->buffer_view);
      DESTROY(vkDestroyBuffer, s->buffer);
      DESTROY(vkFreeMemory, s->memory);
      CALL(s, vkDestroyDevice)(s->device, &callbacks);
   }
   if (s->instance)
      INSTANCE_PROC(s->instance, vkDestroyInstance)(s->instance, &callbacks);
}

static VkResult
run_script(void)
{
   static VkResult (*const steps[])(struct script *) = {make_device,  make_resources, make_descriptors,
                                                        make_modules, make_pass,      make_pipelines,
                                                        make_shaders, record,         submit};
   struct script s = {0};
   VkResult result = VK_SUCCESS;
   for (unsigned i = 0; i < ARRAY_SIZE(steps) && result == VK_SUCCESS; i++)
      result = steps[i](&s);
   destroy_all(&s);
   return result;
}

#endif
