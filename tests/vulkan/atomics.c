/* Atomics that return what was there: each of the counted kinds must hand every number out once. */
#include <stdio.h>
#include <string.h>

#include "vkt.h"

static const uint32_t code[] = {
#include "atomics.comp.inc"
};

enum { GROUPS = 5, INVOCATIONS = GROUPS * 64, COUNTED = 6, KINDS = 8 };

/* Whether the numbers are 0 .. INVOCATIONS - 1 in any order. */
static bool
is_permutation(const uint32_t *numbers)
{
   bool seen[INVOCATIONS] = {false};
   for (uint32_t i = 0; i < INVOCATIONS; i++) {
      if (numbers[i] >= INVOCATIONS || seen[numbers[i]])
         return false;
      seen[numbers[i]] = true;
   }
   return true;
}

/* An exchange hands every number out once, but for the last, which stays; the first gets `initial`. */
static bool
is_chain(const uint32_t *numbers, uint32_t initial, uint32_t last)
{
   bool seen[INVOCATIONS] = {false}, first = false;
   for (uint32_t i = 0; i < INVOCATIONS; i++) {
      if (numbers[i] == initial && !first) {
         first = true;
         continue;
      }
      if (numbers[i] >= INVOCATIONS || seen[numbers[i]] || numbers[i] == last)
         return false;
      seen[numbers[i]] = true;
   }
   return first && last < INVOCATIONS;
}

int
main(void)
{
   /* size: a list of steps */
   struct vkx vkx = vkx_create("atomics");
   const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
   struct vkx_buffer counters = vkx_buffer_create(&vkx, 64, usage, true);
   struct vkx_buffer numbers = vkx_buffer_create(&vkx, KINDS * INVOCATIONS * 4, usage, true);
   struct vkx_buffer texels = vkx_buffer_create(&vkx, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
   struct vkx_image image =
      vkx_image_create(&vkx, VK_FORMAT_R32_UINT, (VkExtent2D){4, 4}, 1, VK_SAMPLE_COUNT_1_BIT,
                       VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                       VK_IMAGE_ASPECT_COLOR_BIT);
   const uint32_t initial[6] = {0, 0, UINT32_MAX, 0xabcdef, 0, (uint32_t)-5000};
   memcpy(counters.map, initial, sizeof(initial));

   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 3, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, set_layout, 0, 0);
   VkPipeline pipeline = vkx_compute_pipeline_create(&vkx, layout, vkx_shader_create(&vkx, code, sizeof(code)));
   const struct vkt_descriptor descriptors[3] = {
      {types[0], .buffer = counters.buffer}, {types[1], .buffer = numbers.buffer}, {types[2], .view = image.view}};
   VkDescriptorPool pool = VK_NULL_HANDLE;
   const VkDescriptorSet set = vkt_bindings_create(&vkx, &pool, set_layout, 3, descriptors);

   VkCommandBuffer cmd = vkx_begin(&vkx);
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   vkx_image_barrier(cmd, image.image, range.aspectMask, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL,
                     VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_PIPELINE_STAGE_TRANSFER_BIT,
                     VK_ACCESS_TRANSFER_WRITE_BIT);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &(VkClearColorValue){.uint32 = {0}}, 1, &range);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, GROUPS, 1, 1);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT);
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {4, 4, 1}};
   vkCmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, texels.buffer, 1, &region);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_HOST_READ_BIT);
   vkx_submit_and_wait(&vkx, cmd);

   static const char *const names[COUNTED] = {"buffer add",
                                              "image add",
                                              "shared add",
                                              "buffer compare-and-swap",
                                              "image compare-and-swap",
                                              "shared compare-and-swap"};
   const uint32_t *got = numbers.map, *end = counters.map, *texel = texels.map;
   unsigned failed = 0;
   for (unsigned kind = 0; kind < COUNTED; kind++) {
      const bool ok = is_permutation(got + kind * INVOCATIONS);
      printf("%s: %s\n", ok ? "ok" : "FAILED", names[kind]);
      failed += !ok;
   }
   const bool exchanges =
      is_chain(got + 6 * INVOCATIONS, 0xabcdef, end[3]) && is_chain(got + 7 * INVOCATIONS, 0, texel[12]);
   const bool ends = end[0] == INVOCATIONS && end[1] == INVOCATIONS && end[2] == 1000 - (INVOCATIONS - 1) &&
                     end[4] == UINT32_MAX && (int32_t)end[5] == INVOCATIONS - 1 - 1000 &&
                     texel[2 * 4 + 1] == INVOCATIONS && texel[3] == INVOCATIONS;
   printf("%s: exchanges\n%s: final values\n", exchanges ? "ok" : "FAILED", ends ? "ok" : "FAILED");
   failed += !exchanges + !ends;

   vkDestroyDescriptorPool(vkx.device, pool, NULL);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
   vkx_image_destroy(&vkx, &image);
   vkx_buffer_destroy(&vkx, &counters);
   vkx_buffer_destroy(&vkx, &numbers);
   vkx_buffer_destroy(&vkx, &texels);
   vkx_destroy(&vkx);
   return failed != 0;
}
