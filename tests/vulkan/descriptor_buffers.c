/* VK_EXT_descriptor_buffer: sets of all kinds of descriptors, made by vkGetDescriptorEXT, at two places of a buffer
 * that the processor fills and of one that the GPU copies them to; a set of embedded samplers. */
#include <string.h>

#include "vkt_draw.h"

static const uint32_t code[] = {
#include "descriptor_buffers.inc"
};

enum { COUNT = 64, SIZE_PX = 8, SETS = 3, PLACE_B = 4096, BUFFER_B = 4 * PLACE_B, VARIANTS = 2 };

struct parts {
   struct vkx *vkx;
   VkPhysicalDeviceDescriptorBufferPropertiesEXT properties;
   VkDescriptorSetLayout layouts[SETS];
   VkPipelineLayout layout;
   VkSampler sampler;
   struct vkt_image images[2]; /* read; written */
   VkImageView views[2];
   struct vkx_buffer base[VARIANTS], outs[2], texels;
};

static void
create_layouts(struct parts *p, bool pushed)
{
   const VkDescriptorSetLayoutBinding buffers[3] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {2, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
   const VkDescriptorSetLayoutBinding images[3] = {
      {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
   const VkDescriptorSetLayoutBinding sampler = {0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                                 &p->sampler};
   const VkDescriptorSetLayoutBinding *bindings[SETS] = {buffers, images, &sampler};
   for (uint32_t i = 0; i < SETS; i++) {
      const VkDescriptorSetLayoutCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
         .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT |
                  (i == 2 ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT : 0) |
                  (i == 1 && pushed ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0),
         .bindingCount = i == 2 ? 1 : 3,
         .pBindings = bindings[i]};
      vkx_check(vkCreateDescriptorSetLayout(p->vkx->device, &info, NULL, &p->layouts[i]), "a set layout");
   }
   const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = SETS, .pSetLayouts = p->layouts};
   vkx_check(vkCreatePipelineLayout(p->vkx->device, &info, NULL, &p->layout), "a pipeline layout");
}

static void
destroy_layouts(const struct parts *p)
{
   vkDestroyPipelineLayout(p->vkx->device, p->layout, NULL);
   for (unsigned i = 0; i < SETS; i++)
      vkDestroyDescriptorSetLayout(p->vkx->device, p->layouts[i], NULL);
}

static void
create_resources(struct parts *p)
{
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   vkx_check(vkCreateSampler(p->vkx->device, &sampler, NULL, &p->sampler), "vkCreateSampler");
   VkCommandBuffer cmd = vkx_begin(p->vkx);
   for (unsigned i = 0; i < 2; i++) {
      const VkClearColorValue color = {.uint32 = {5, 0, 0, 0}};
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      p->images[i] = vkt_image_create(
         p->vkx,
         (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                             .format = VK_FORMAT_R32_UINT,
                             .extent = {SIZE_PX, SIZE_PX, 1},
                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                      VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
         false);
      p->views[i] = vkt_view_create(p->vkx, &p->images[i], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
      vkt_transition(cmd, &p->images[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkCmdClearColorImage(cmd, p->images[i].image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
      p->outs[i] = vkt_addressed_create(p->vkx, COUNT * 4, 0xcc);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(p->vkx, cmd);
   for (uint32_t i = 0; i < VARIANTS; i++) {
      p->base[i] = vkt_addressed_create(p->vkx, 256, 0);
      *(uint32_t *)p->base[i].map = 100 * (i + 1);
   }
   p->texels = vkt_addressed_create(p->vkx, COUNT * 4, 0);
   for (uint32_t i = 0; i < COUNT; i++)
      ((uint32_t *)p->texels.map)[i] = 3 * i;
}

/* One descriptor to where its binding has it. */
static void
put(const struct parts *p, char *set, unsigned layout, uint32_t binding, size_t size_B, uint32_t element,
    VkDescriptorType type, VkDescriptorDataEXT data)
{ /* size: what vkGetDescriptorEXT takes, and its place */
   VkDeviceSize offset_B;
   const VkDescriptorGetInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = type, .data = data};
   VKT_PROC(p->vkx, vkGetDescriptorSetLayoutBindingOffsetEXT)(p->vkx->device, p->layouts[layout], binding, &offset_B);
   VKT_PROC(p->vkx, vkGetDescriptorEXT)(p->vkx->device, &info, size_B, set + offset_B + element * size_B);
}

static VkDescriptorAddressInfoEXT
address_of(const struct parts *p, const struct vkx_buffer *buffer, VkDeviceSize size_B, VkFormat format)
{
   return (VkDescriptorAddressInfoEXT){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                       .address = vkt_address(p->vkx, buffer),
                                       .range = size_B,
                                       .format = format};
}

/* Set 0 of a variant: the second one has the output buffers in the other order. */
static void
put_buffers(const struct parts *p, char *set, unsigned variant)
{
   const VkDescriptorAddressInfoEXT base = address_of(p, &p->base[variant], 16, VK_FORMAT_UNDEFINED);
   const VkDescriptorAddressInfoEXT texels = address_of(p, &p->texels, COUNT * 4, VK_FORMAT_R32_UINT);
   put(p, set, 0, 0, p->properties.uniformBufferDescriptorSize, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
       (VkDescriptorDataEXT){.pUniformBuffer = &base});
   for (uint32_t i = 0; i < 2; i++) {
      const VkDescriptorAddressInfoEXT out = address_of(p, &p->outs[i ^ variant], COUNT * 4, VK_FORMAT_UNDEFINED);
      put(p, set, 0, 1, p->properties.storageBufferDescriptorSize, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
          (VkDescriptorDataEXT){.pStorageBuffer = &out});
   }
   put(p, set, 0, 2, p->properties.uniformTexelBufferDescriptorSize, 0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
       (VkDescriptorDataEXT){.pUniformTexelBuffer = &texels});
}

static void
put_images(const struct parts *p, char *set)
{
   const VkDescriptorImageInfo infos[2] = {{p->sampler, p->views[0], VK_IMAGE_LAYOUT_GENERAL},
                                           {VK_NULL_HANDLE, p->views[1], VK_IMAGE_LAYOUT_GENERAL}};
   put(p, set, 1, 0, p->properties.sampledImageDescriptorSize, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
       (VkDescriptorDataEXT){.pSampledImage = &infos[0]});
   put(p, set, 1, 1, p->properties.combinedImageSamplerDescriptorSize, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
       (VkDescriptorDataEXT){.pCombinedImageSampler = &infos[0]});
   put(p, set, 1, 2, p->properties.storageImageDescriptorSize, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
       (VkDescriptorDataEXT){.pStorageImage = &infos[1]});
}

/* By way of a file descriptor, which other memory was exported to. */
static VkDeviceMemory
allocate_imported(struct vkx *vkx, VkMemoryAllocateInfo allocate)
{
   const VkExternalMemoryHandleTypeFlagBits handle = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
   const VkExportMemoryAllocateInfo exported = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, allocate.pNext,
                                                handle};
   VkImportMemoryFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, allocate.pNext, handle, -1};
   VkDeviceMemory first, second;
   allocate.pNext = &exported;
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &first), "vkAllocateMemory");
   const VkMemoryGetFdInfoKHR get = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, NULL, first, handle};
   vkx_check(VKT_PROC(vkx, vkGetMemoryFdKHR)(vkx->device, &get, &import.fd), "vkGetMemoryFdKHR");
   allocate.pNext = &import;
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &second), "vkAllocateMemory");
   vkFreeMemory(vkx->device, first, NULL);
   return second;
}

/* For descriptors, in memory that the processor sees. */
static struct vkx_buffer
create_buffer(struct vkx *vkx, bool imported)
{
   struct vkx_buffer buffer = {.size = BUFFER_B};
   const VkExternalMemoryBufferCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
                                                      .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .pNext = imported ? &external : NULL,
                                    .size = BUFFER_B,
                                    .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                             VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                                             VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
   VkMemoryRequirements needs;
   VkPhysicalDeviceMemoryProperties memory;
   vkGetBufferMemoryRequirements(vkx->device, buffer.buffer, &needs);
   vkGetPhysicalDeviceMemoryProperties(vkx->physical, &memory);
   const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   uint32_t type = 0;
   while (type < memory.memoryTypeCount &&
          (!(needs.memoryTypeBits >> type & 1) || (memory.memoryTypes[type].propertyFlags & wanted) != wanted))
      type++;
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                            .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .pNext = &flags,
                                          .allocationSize = needs.size,
                                          .memoryTypeIndex = type};
   if (imported)
      buffer.memory = allocate_imported(vkx, allocate);
   else
      vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &buffer.memory), "vkAllocateMemory");
   vkx_check(vkBindBufferMemory(vkx->device, buffer.buffer, buffer.memory, 0), "vkBindBufferMemory");
   vkx_check(vkMapMemory(vkx->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.map), "vkMapMemory");
   memset(buffer.map, 0, BUFFER_B);
   return buffer;
}

/* Of memory that the queue binds. */
static struct vkx_buffer
create_sparse(struct vkx *vkx, VkQueue queue)
{
   struct vkx_buffer buffer = {.size = BUFFER_B};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                    .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
                                    .size = BUFFER_B,
                                    .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                             VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                                             VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                             VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   VkMemoryRequirements needs;
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
   vkGetBufferMemoryRequirements(vkx->device, buffer.buffer, &needs);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .allocationSize = needs.size,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   vkx_check(vkAllocateMemory(vkx->device, &allocate, NULL, &buffer.memory), "vkAllocateMemory");
   const VkSparseMemoryBind bind = {0, needs.size, buffer.memory, 0, 0};
   const VkSparseBufferMemoryBindInfo of_buffer = {buffer.buffer, 1, &bind};
   const VkBindSparseInfo binds = {
      .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &of_buffer};
   vkx_check(vkQueueBindSparse(queue, 1, &binds, VK_NULL_HANDLE), "vkQueueBindSparse");
   vkx_check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
   return buffer;
}

static VkPipeline
create_pipeline(const struct parts *p)
{
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                             .flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                             .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                       .module = vkx_shader_create(p->vkx, code, sizeof(code)),
                                                       .pName = "main"},
                                             .layout = p->layout};
   VkPipeline pipeline;
   vkx_check(vkCreateComputePipelines(p->vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "a pipeline");
   vkDestroyShaderModule(p->vkx->device, info.stage.module, NULL);
   return pipeline;
}

/* Set 1 is pushed, all of it and then a part once more; in between come the embedded samplers of set 2. */
static void
record_pushes(struct parts *p, VkCommandBuffer cmd, VkPipelineLayout layout)
{
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                      VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   VkDescriptorImageInfo images[3];
   VkWriteDescriptorSet writes[3];
   for (uint32_t i = 0; i < 3; i++) {
      images[i] = (VkDescriptorImageInfo){p->sampler, p->views[i / 2], VK_IMAGE_LAYOUT_GENERAL};
      writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                         .dstBinding = i,
                                         .descriptorCount = 1,
                                         .descriptorType = types[i],
                                         .pImageInfo = &images[i]};
   }
   PFN_vkCmdPushDescriptorSetKHR push = VKT_PROC(p->vkx, vkCmdPushDescriptorSetKHR);
   push(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 1, 3, writes);
   VKT_PROC(p->vkx, vkCmdBindDescriptorBufferEmbeddedSamplersEXT)
   (cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 2);
   push(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 1, 1, &writes[2]);
}

/* Set 1 is in the buffer of set 0, or where the GPU has copied it, or pushed. */
enum way { TOGETHER, COPIED, PUSHED };

static void
test(struct parts *p, VkPipeline pipeline, struct vkx_buffer buffers[2], unsigned variant, enum way way)
{ /* size: a dispatch and its check */
   const VkBufferUsageFlags usage =
      VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT;
   VkDescriptorBufferBindingInfoEXT infos[2];
   for (unsigned i = 0; i < 2; i++)
      infos[i] = (VkDescriptorBufferBindingInfoEXT){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                                                    .address = vkt_address(p->vkx, &buffers[i]),
                                                    .usage = usage};
   const bool copied = way == COPIED;
   const uint32_t indices[2] = {0, copied};
   const VkDeviceSize offsets[2] = {PLACE_B * variant, copied ? PLACE_B : 2 * PLACE_B};
   struct vkx_buffer read = vkt_buffer_create(p->vkx, COUNT * 4, 0xcc);
   VkCommandBuffer cmd = vkx_begin(p->vkx);
   if (copied) {
      const VkBufferCopy copy = {2 * PLACE_B, PLACE_B, PLACE_B};
      vkCmdCopyBuffer(cmd, buffers[0].buffer, buffers[1].buffer, 1, &copy);
   }
   vkt_barrier(cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   VKT_PROC(p->vkx, vkCmdBindDescriptorBuffersEXT)(cmd, 2, infos);
   VKT_PROC(p->vkx, vkCmdSetDescriptorBufferOffsetsEXT)
   (cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, way == PUSHED ? 1 : 2, indices, offsets);
   if (way == PUSHED)
      record_pushes(p, cmd, p->layout);
   else
      VKT_PROC(p->vkx, vkCmdBindDescriptorBufferEmbeddedSamplersEXT)
   (cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 2);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(p->vkx, cmd);
   vkt_read(p->vkx, &p->images[1], VK_IMAGE_ASPECT_COLOR_BIT, 0, &read);
   const uint32_t *sums = p->outs[variant].map, *sampled = p->outs[!variant].map, *stored = read.map;
   static const char *const names[] = {"", ", copied", ", pushed"};
   unsigned wrong = 0;
   for (uint32_t i = 0; i < COUNT; i++)
      wrong += sums[i] != 100 * (variant + 1) + 3 * i || sampled[i] != 5005 || stored[i] != 100 * (variant + 1) + i;
   vkt_expect(!wrong, "variant %u%s: %u wrong; the first: %u %u %u", variant, names[way], wrong, sums[0], sampled[0],
              stored[0]);
   vkx_buffer_destroy(p->vkx, &read);
}

static void
test_pushed(struct parts *p, struct vkx_buffer buffers[2])
{
   struct parts pushed = *p;
   create_layouts(&pushed, true);
   VkPipeline pipeline = create_pipeline(&pushed);
   test(&pushed, pipeline, buffers, 0, PUSHED);
   vkDestroyPipeline(p->vkx->device, pipeline, NULL);
   destroy_layouts(&pushed);
}

/* The GPU copies a set into a sparse buffer. */
static void
test_sparse(struct parts *p, VkPipeline pipeline, const struct vkx_buffer *filled)
{
   VkQueue queue = VK_NULL_HANDLE;
   for (uint32_t i = 0; i < vkt_num_queues && !queue; i++)
      queue = vkt_queues[i].flags & VK_QUEUE_SPARSE_BINDING_BIT ? vkt_queues[i].queue : VK_NULL_HANDLE;
   if (!queue) {
      vkt_skip("sparse resources");
      return;
   }
   struct vkx_buffer buffers[2] = {*filled, create_sparse(p->vkx, queue)};
   test(p, pipeline, buffers, 0, COPIED);
   vkDestroyBuffer(p->vkx->device, buffers[1].buffer, NULL);
   vkFreeMemory(p->vkx->device, buffers[1].memory, NULL);
}

int
main(int argc, char **argv)
{
   const bool radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   vkt_descriptor_buffers = vkt_all_queues = true;
   struct vkx vkx = vkt_create("descriptor_buffers");
   vkt_expect(true, "the device is there");
   if (!vkt_has("VK_EXT_descriptor_buffer")) {
      vkt_skip("VK_EXT_descriptor_buffer");
      return vkt_finish(&vkx);
   }
   struct parts p = {.vkx = &vkx,
                     .properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT}};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             .pNext = &p.properties};
   vkGetPhysicalDeviceProperties2(vkx.physical, &properties);
   create_resources(&p);
   create_layouts(&p, false);
   struct vkx_buffer buffers[2] = {create_buffer(&vkx, !radv && vkt_has("VK_KHR_external_memory_fd")),
                                   create_buffer(&vkx, false)};
   for (unsigned i = 0; i < VARIANTS; i++)
      put_buffers(&p, (char *)buffers[0].map + PLACE_B * i, i);
   put_images(&p, (char *)buffers[0].map + 2 * PLACE_B);
   VkPipeline pipeline = create_pipeline(&p);
   for (unsigned i = 0; i < 2 * VARIANTS; i++)
      test(&p, pipeline, buffers, i % VARIANTS, i >= VARIANTS ? COPIED : TOGETHER);
   test_pushed(&p, buffers);
   test_sparse(&p, pipeline, &buffers[0]);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   destroy_layouts(&p);
   for (unsigned i = 0; i < 2; i++) {
      vkDestroyImageView(vkx.device, p.views[i], NULL);
      vkt_image_destroy(&vkx, &p.images[i]);
      vkx_buffer_destroy(&vkx, &p.outs[i]);
      vkx_buffer_destroy(&vkx, &p.base[i]);
      vkx_buffer_destroy(&vkx, &buffers[i]);
   }
   vkDestroySampler(vkx.device, p.sampler, NULL);
   vkx_buffer_destroy(&vkx, &p.texels);
   return vkt_finish(&vkx);
}
