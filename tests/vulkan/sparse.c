/* Images that are there in part: shaders learn which texels are, and read 0 from the others. */
#include <string.h>

#include "vkt.h"

static const uint32_t sparse_comp[] = {
#include "sparse.comp.inc"
};

#define STEP 8u

static struct vkx *vkx;
static VkImage image;
static VkExtent3D block; /* what comes and goes at once; the image has 2x2 */
static VkDeviceMemory memory[2];

static const char *const kinds[3] = {"fetch", "image load", "sample"};

static uint32_t
value_of(uint32_t x, uint32_t y)
{
   return 1 + x + 1000 * y;
}

/* Blocks (0, 0) and (1, 1) are there. */
static bool
is_there(uint32_t x, uint32_t y)
{
   return x / block.width == y / block.height;
}

static const struct vkt_queue *
sparse_queue(void)
{
   for (uint32_t i = 0; i < vkt_num_queues; i++)
      if (vkt_queues[i].flags & VK_QUEUE_SPARSE_BINDING_BIT)
         return &vkt_queues[i];
   return NULL;
}

static uint32_t
memory_type(uint32_t allowed)
{
   for (uint32_t i = 0; i < vkx->memory.memoryTypeCount; i++)
      if (allowed >> i & 1 && vkx->memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
         return i;
   return 0;
}

/* False: the device has another layout of it. */
static bool
create_image(void)
{
   VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                             .flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT,
                             .imageType = VK_IMAGE_TYPE_2D,
                             .format = VK_FORMAT_R32_UINT,
                             .mipLevels = 1,
                             .arrayLayers = 1,
                             .samples = VK_SAMPLE_COUNT_1_BIT,
                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                      VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   VkSparseImageFormatProperties properties;
   uint32_t count = 1;
   vkGetPhysicalDeviceSparseImageFormatProperties(vkx->physical, info.format, info.imageType, info.samples,
                                                  info.usage, info.tiling, &count, &properties);
   if (!count)
      return false;
   block = properties.imageGranularity;
   info.extent = (VkExtent3D){2 * block.width, 2 * block.height, 1};
   vkx_check(vkCreateImage(vkx->device, &info, NULL, &image), "vkCreateImage");
   VkSparseImageMemoryRequirements sparse;
   vkGetImageSparseMemoryRequirements(vkx->device, image, &count, &sparse);
   return sparse.imageMipTailFirstLod > 0;
}

static void
bind_blocks(void)
{
   VkMemoryRequirements needs;
   VkSparseImageMemoryBind binds[2];
   vkGetImageMemoryRequirements(vkx->device, image, &needs);
   for (uint32_t i = 0; i < 2; i++) {
      const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.alignment,
                                         .memoryTypeIndex = memory_type(needs.memoryTypeBits)};
      vkx_check(vkAllocateMemory(vkx->device, &info, NULL, &memory[i]), "vkAllocateMemory");
      binds[i] = (VkSparseImageMemoryBind){
         .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0},
         .offset = {(int32_t)(i * block.width), (int32_t)(i * block.height), 0},
         .extent = {block.width, block.height, 1},
         .memory = memory[i],
      };
   }
   const VkSparseImageMemoryBindInfo of_image = {image, 2, binds};
   const VkBindSparseInfo info = {
      .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .imageBindCount = 1, .pImageBinds = &of_image};
   vkx_check(vkQueueBindSparse(sparse_queue()->queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
   vkx_check(vkQueueWaitIdle(sparse_queue()->queue), "vkQueueWaitIdle");
}

/* Of a value for each texel, those without memory too. */
static void
fill_image(struct vkx_buffer *buffer)
{
   const uint32_t w = 2 * block.width, h = 2 * block.height;
   uint32_t *texels = buffer->map;
   for (uint32_t i = 0; i < w * h; i++)
      texels[i] = value_of(i % w, i / w);
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {w, h, 1}};
   const struct vkt_image whole = {.image = image, .info = {.format = VK_FORMAT_R32_UINT}};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &whole, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyBufferToImage(cmd, buffer->buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

struct pipe {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkImageView view;
   VkSampler sampler;
};

static void
create_pipe(struct pipe *p, const struct vkx_buffer *data)
{
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   const struct vkt_image whole = {.image = image, .info = {.format = VK_FORMAT_R32_UINT}};
   p->set_layout = vkx_set_layout_create(vkx, 3, types, VK_SHADER_STAGE_COMPUTE_BIT);
   p->layout = vkx_pipeline_layout_create(vkx, p->set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 8);
   p->view = vkt_view_create(vkx, &whole, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   vkx_check(vkCreateSampler(vkx->device, &sampler, NULL, &p->sampler), "vkCreateSampler");
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = vkx_shader_create(vkx, sparse_comp, sizeof(sparse_comp)),
                .pName = "main"},
      .layout = p->layout};
   vkx_check(vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &p->pipeline),
             "vkCreateComputePipelines");
   vkDestroyShaderModule(vkx->device, info.stage.module, NULL);
   struct vkt_descriptor descriptors[3];
   for (uint32_t i = 0; i < 3; i++)
      descriptors[i] =
         (struct vkt_descriptor){types[i], .view = p->view, .sampler = p->sampler, .buffer = data->buffer};
   p->pool = VK_NULL_HANDLE;
   p->set = vkt_bindings_create(vkx, &p->pool, p->set_layout, 3, descriptors);
}

static void
destroy_pipe(struct pipe *p)
{
   vkDestroyDescriptorPool(vkx->device, p->pool, NULL);
   vkDestroyPipeline(vkx->device, p->pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, p->layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, p->set_layout, NULL);
   vkDestroyImageView(vkx->device, p->view, NULL);
   vkDestroySampler(vkx->device, p->sampler, NULL);
}

static void
check(uint32_t kind, const uint32_t (*read)[2], uint32_t columns, uint32_t rows)
{
   uint32_t wrong = 0, there = 0;
   for (uint32_t i = 0; i < columns * rows; i++) {
      const uint32_t column = i % columns, row = i / columns;
      const uint32_t x = column * STEP + row % STEP, y = row * STEP + column % STEP;
      const bool resident = is_there(x, y), strict = vkx->properties.sparseProperties.residencyNonResidentStrict;
      there += resident;
      wrong += read[i][0] != resident || (resident ? read[i][1] != value_of(x, y) : strict && read[i][1]);
   }
   vkt_expect(!wrong && there == columns * rows / 2, "%s: %u of %u texels are not as they should be", kinds[kind],
              wrong, columns * rows);
}

static void
read_image(struct vkx_buffer *data)
{
   struct pipe p;
   const uint32_t columns = 2 * block.width / STEP, rows = 2 * block.height / STEP;
   create_pipe(&p, data);
   for (uint32_t kind = 0; kind < 3; kind++) {
      const uint32_t push[2] = {STEP, kind};
      memset(data->map, 0xee, columns * rows * 8);
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0, 1, &p.set, 0, NULL);
      vkCmdPushConstants(cmd, p.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), push);
      vkCmdDispatch(cmd, columns / 8, rows / 8, 1);
      vkt_barrier(cmd);
      vkx_submit_and_wait(vkx, cmd);
      check(kind, data->map, columns, rows);
   }
   destroy_pipe(&p);
}

int
main(void)
{
   vkt_all_queues = true;
   struct vkx device = vkt_create("sparse");
   vkx = &device;
   if (!vkt_features.sparseResidencyImage2D || !vkt_features.shaderResourceResidency || !sparse_queue()) {
      vkt_skip("sparse images");
      return vkt_finish(vkx);
   }
   if (!create_image()) {
      vkt_skip("sparse images without a tail");
   } else {
      struct vkx_buffer buffer = vkt_buffer_create(vkx, 16ull * block.width * block.height, 0);
      bind_blocks();
      fill_image(&buffer);
      read_image(&buffer);
      vkx_buffer_destroy(vkx, &buffer);
   }
   vkDestroyImage(vkx->device, image, NULL);
   for (uint32_t i = 0; i < 2; i++)
      vkFreeMemory(vkx->device, memory[i], NULL);
   return vkt_finish(vkx);
}
