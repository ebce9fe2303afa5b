/* VK_EXT_descriptor_buffer: descriptors as bytes that the application puts where it likes, and sets as addresses. */
#include "gallium/frontends/vulkan/vk_private.h"
#include "util/macros.h"

/* ---- layouts ---- */

VKAPI_ATTR void VKAPI_CALL
indium_GetDescriptorSetLayoutSizeEXT(VkDevice device, VkDescriptorSetLayout layout, VkDeviceSize *pLayoutSizeInBytes)
{
   *pLayoutSizeInBytes = ((const struct vk_set_layout *)layout)->layout.size_B;
}

VKAPI_ATTR void VKAPI_CALL
indium_GetDescriptorSetLayoutBindingOffsetEXT(VkDevice device, VkDescriptorSetLayout layout, uint32_t binding,
                                              VkDeviceSize *pOffset)
{
   const struct pipe_set_layout *set = &((const struct vk_set_layout *)layout)->layout;
   *pOffset = binding < set->num_bindings ? set->bindings[binding].offset_B : 0;
}

/* ---- descriptors ---- */

static struct pipe_image_view *
view_of(const VkDescriptorImageInfo *info)
{
   VK_FROM(vk_image_view, view, info ? info->imageView : VK_NULL_HANDLE);
   return view ? view->planes[0] : NULL;
}

static struct pipe_sampler *
sampler_of(VkSampler handle)
{
   VK_FROM(vk_sampler, sampler, handle);
   return sampler ? sampler->sampler : NULL;
}

/* Of a sampler that converts, one for each plane. */
static void
write_image_samplers(const struct pipe_screen *screen, const VkDescriptorImageInfo *info, size_t size_B,
                     uint8_t *words)
{
   const uint32_t one_B = screen->caps.descriptor_size_B[PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER];
   VK_FROM(vk_image_view, view, info ? info->imageView : VK_NULL_HANDLE);
   VK_FROM(vk_sampler, sampler, info ? info->sampler : VK_NULL_HANDLE);
   const uint32_t planes = sampler ? MAX2(sampler->conversion.planes, 1u) : 1;
   for (uint32_t i = 0; i < planes && (i + 1) * (size_t)one_B <= size_B; i++)
      screen->descriptor_write_image_sampler(screen, view ? view->planes[i < view->num_planes ? i : 0] : NULL,
                                             !sampler               ? NULL
                                             : i && sampler->chroma ? sampler->chroma
                                                                    : sampler->sampler,
                                             words + i * one_B);
}

static void
write_buffer(const struct pipe_screen *screen, const VkDescriptorAddressInfoEXT *info, void *words)
{
   const bool is_null = !info || !info->address;
   screen->descriptor_write_address(screen, is_null ? 0 : info->address, is_null ? 0 : info->range, words);
}

static void
write_texels(const struct pipe_screen *screen, const VkDescriptorAddressInfoEXT *info, void *words)
{
   if (info && info->address)
      screen->descriptor_write_texels(screen, info->format, info->address, info->range, words);
   else
      screen->descriptor_write_texel_buffer(screen, NULL, words);
}

VKAPI_ATTR void VKAPI_CALL
indium_GetDescriptorEXT(VkDevice _device, const VkDescriptorGetInfoEXT *pDescriptorInfo, size_t dataSize,
                        void *pDescriptor)
{
   VK_FROM(vk_device, device, _device);
   const struct pipe_screen *screen = device->screen;
   const VkDescriptorDataEXT *data = &pDescriptorInfo->data;
   switch ((uint32_t)vk_descriptor_kind(pDescriptorInfo->type)) {
   case PIPE_DESCRIPTOR_SAMPLER:
      screen->descriptor_write_sampler(sampler_of(data->pSampler ? *data->pSampler : VK_NULL_HANDLE), pDescriptor);
      return;
   case PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
      write_image_samplers(screen, data->pCombinedImageSampler, dataSize, pDescriptor);
      return;
   case PIPE_DESCRIPTOR_SAMPLED_IMAGE:
   case PIPE_DESCRIPTOR_INPUT_ATTACHMENT:
      screen->descriptor_write_image(screen, view_of(data->pSampledImage), false, pDescriptor);
      return;
   case PIPE_DESCRIPTOR_STORAGE_IMAGE:
      screen->descriptor_write_image(screen, view_of(data->pStorageImage), true, pDescriptor);
      return;
   case PIPE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER:
   case PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER:
      write_texels(screen, data->pUniformTexelBuffer, pDescriptor);
      return;
   case PIPE_DESCRIPTOR_UNIFORM_BUFFER:
   case PIPE_DESCRIPTOR_STORAGE_BUFFER:
      write_buffer(screen, data->pUniformBuffer, pDescriptor);
      return;
   default: /* others: have no descriptor of their own */
      return;
   }
}

/* ---- binding ---- */

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindDescriptorBuffersEXT(VkCommandBuffer commandBuffer, uint32_t bufferCount,
                                   const VkDescriptorBufferBindingInfoEXT *pBindingInfos)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   for (uint32_t i = 0; i < MIN2(bufferCount, VK_MAX_DESCRIPTOR_BUFFERS); i++)
      cmd->descriptor_buffers[i] = pBindingInfos[i].address;
}

static void
set_offsets(VkCommandBuffer commandBuffer, VkPipelineBindPoint point, const VkSetDescriptorBufferOffsetsInfoEXT *info)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   static const struct pipe_dynamic_buffers no_buffers;
   for (uint32_t i = 0; i < info->setCount; i++) {
      const struct pipe_descriptor_set set = {
         .va = cmd->descriptor_buffers[MIN2(info->pBufferIndices[i], VK_MAX_DESCRIPTOR_BUFFERS - 1)] +
               info->pOffsets[i]};
      cmd->pipe->bind_descriptor_set(cmd->pipe, vk_bind_point(point), info->firstSet + i, &set, &no_buffers);
   }
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDescriptorBufferOffsetsEXT(VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint,
                                        VkPipelineLayout layout, uint32_t firstSet, uint32_t setCount,
                                        const uint32_t *pBufferIndices, const VkDeviceSize *pOffsets)
{
   const VkSetDescriptorBufferOffsetsInfoEXT info = {
      .firstSet = firstSet, .setCount = setCount, .pBufferIndices = pBufferIndices, .pOffsets = pOffsets};
   set_offsets(commandBuffer, pipelineBindPoint, &info);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdSetDescriptorBufferOffsets2EXT(VkCommandBuffer commandBuffer,
                                         const VkSetDescriptorBufferOffsetsInfoEXT *pSetDescriptorBufferOffsetsInfo)
{
   const VkSetDescriptorBufferOffsetsInfoEXT *info = pSetDescriptorBufferOffsetsInfo;
   if (info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT)
      set_offsets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, info);
   if (info->stageFlags & ~(VkShaderStageFlags)VK_SHADER_STAGE_COMPUTE_BIT)
      set_offsets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, info);
}

/* A set of only immutable samplers: pushed, since the command buffer has memory for that. What the application has
 * pushed to another set stays. */
VKAPI_ATTR void VKAPI_CALL
indium_CmdBindDescriptorBufferEmbeddedSamplersEXT(VkCommandBuffer commandBuffer,
                                                  VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
                                                  uint32_t set)
{
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   vk_push_immutable_samplers(cmd, pipelineBindPoint, layout, set);
}

VKAPI_ATTR void VKAPI_CALL
indium_CmdBindDescriptorBufferEmbeddedSamplers2EXT(
   VkCommandBuffer commandBuffer,
   const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *pBindDescriptorBufferEmbeddedSamplersInfo)
{
   const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *info = pBindDescriptorBufferEmbeddedSamplersInfo;
   VK_FROM(vk_command_buffer, cmd, commandBuffer);
   if (info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT)
      vk_push_immutable_samplers(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, info->layout, info->set);
   if (info->stageFlags & ~(VkShaderStageFlags)VK_SHADER_STAGE_COMPUTE_BIT)
      vk_push_immutable_samplers(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, info->layout, info->set);
}

/* ---- descriptors that are the same when the application runs again: those of buffers are made of addresses, which
 * bufferDeviceAddressCaptureReplay brings back; those of images of the addresses of memory, or of sparse images ----
 */

const void *
vk_captured_data(const void *chain)
{
   const VkOpaqueCaptureDescriptorDataCreateInfoEXT *info =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_OPAQUE_CAPTURE_DESCRIPTOR_DATA_CREATE_INFO_EXT);
   return info ? info->opaqueCaptureDescriptorData : NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetBufferOpaqueCaptureDescriptorDataEXT(VkDevice device, const VkBufferCaptureDescriptorDataInfoEXT *pInfo,
                                               void *pData)
{
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetImageOpaqueCaptureDescriptorDataEXT(VkDevice _device, const VkImageCaptureDescriptorDataInfoEXT *pInfo,
                                              void *pData)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_image, image, pInfo->image);
   const uint64_t va = image->desc.sparse ? device->screen->resource_address(image->planes[0]) : 0;
   memcpy(pData, &va, sizeof(va));
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetImageViewOpaqueCaptureDescriptorDataEXT(VkDevice device,
                                                  const VkImageViewCaptureDescriptorDataInfoEXT *pInfo, void *pData)
{
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetSamplerOpaqueCaptureDescriptorDataEXT(VkDevice _device, const VkSamplerCaptureDescriptorDataInfoEXT *pInfo,
                                                void *pData)
{
   VK_FROM(vk_device, device, _device);
   const uint32_t place = device->screen->sampler_place(sampler_of(pInfo->sampler));
   memcpy(pData, &place, sizeof(place));
   return VK_SUCCESS;
}
