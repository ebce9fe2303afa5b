/* VK_KHR_maintenance9: bit operations of all sizes, attributes that a pipeline lacks, query pools that start reset,
 * events that are set without a dependency, barriers of slices, devices without queues, families that share images.
 */
#include <string.h>

#include "vkt_draw.h"

static const uint32_t bits_code[] = {
#include "wide_bits.inc"
};
static const uint32_t vertex_code[] = {
#include "no_attribute.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "no_attribute.frag.inc"
};

enum { LANES = 64, SIZES = 3, RESULTS = 5, SIDE = 16, SLICES = 4, SLICE_B = 4 * SIDE * SIDE };
#define GENERAL VK_IMAGE_LAYOUT_GENERAL
#define UNTOLD 0x5a5a5a5a

static struct vkx vkx;

/* ---- bits ---- */

static uint64_t
low(uint64_t x, uint32_t bits)
{
   return bits == 0 ? 0 : x & UINT64_MAX >> (64 - bits);
}

/* What a lane stores for a size, bit by bit. */
static void
compute(uint64_t base, uint64_t insert, uint32_t bits, uint32_t offset, uint32_t count, uint64_t out[RESULTS])
{
   memset(out, 0, RESULTS * sizeof(out[0]));
   for (uint32_t i = 0; i < bits; i++) {
      const uint64_t one = base >> i & 1;
      const bool in_field = i >= offset && i < offset + count;
      out[0] |= (in_field ? insert >> (i - offset) & 1 : one) << i;
      out[1] |= (count ? base >> (offset + (i < count ? i : count - 1)) & 1 : 0) << i;
      out[2] |= i < count ? (base >> (offset + i) & 1) << i : 0;
      out[3] |= one << (bits - 1 - i);
      out[4] += one;
   }
}

static uint64_t
random_64(void)
{
   return (uint64_t)vkt_random() << 32 | vkt_random();
}

struct field {
   uint8_t offset, count;
};

static struct field
random_field(uint32_t bits, uint32_t lane)
{
   const uint32_t offset = lane == 0 ? 0 : lane == 1 ? bits : vkt_random_below(bits + 1);
   return (struct field){(uint8_t)offset, (uint8_t)(lane == 0   ? bits
                                                    : lane == 2 ? 0
                                                                : vkt_random_below(bits - offset + 1))};
}

static void
dispatch(const struct vkx_buffer *in, const struct vkx_buffer *out)
{
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0);
   VkPipeline pipeline =
      vkx_compute_pipeline_create(&vkx, layout, vkx_shader_create(&vkx, bits_code, sizeof(bits_code)));
   VkDescriptorPool pool = VK_NULL_HANDLE;
   VkDescriptorSet set = vkt_bindings_create(
      &vkx, &pool, set_layout, 2,
      (struct vkt_descriptor[]){{.type = types[0], .buffer = in->buffer}, {.type = types[1], .buffer = out->buffer}});
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkDestroyDescriptorPool(vkx.device, pool, NULL);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
}

static void
test_bits(void)
{
   static const uint32_t sizes[SIZES] = {8, 16, 64};
   static const char *const names[RESULTS] = {"insert", "signed extract", "unsigned extract", "reverse", "count"};
   struct lane {
      uint64_t base, insert;
      struct field fields[4];
   };
   if (!vkt_int8 || !vkt_features.shaderInt16 || !vkt_features.shaderInt64)
      return vkt_skip("integers of 8, 16 and 64 bits");
   struct vkx_buffer in = vkt_buffer_create(&vkx, LANES * sizeof(struct lane), 0),
                     out = vkt_buffer_create(&vkx, LANES * SIZES * RESULTS * 8, 0);
   struct lane *lanes = in.map;
   for (uint32_t i = 0; i < LANES; i++) {
      lanes[i] = (struct lane){.base = random_64(), .insert = random_64()};
      for (uint32_t j = 0; j < SIZES; j++)
         lanes[i].fields[j] = random_field(sizes[j], i);
   }
   dispatch(&in, &out);
   for (uint32_t i = 0; i < LANES * SIZES; i++) {
      const struct lane *lane = &lanes[i / SIZES];
      const uint32_t bits = sizes[i % SIZES];
      const struct field field = lane->fields[i % SIZES];
      const uint64_t *got = (const uint64_t *)out.map + RESULTS * i;
      uint64_t wanted[RESULTS];
      compute(low(lane->base, bits), low(lane->insert, bits), bits, field.offset, field.count, wanted);
      for (uint32_t j = 0; j < RESULTS; j++)
         vkt_expect(got[j] == wanted[j], "%s of %u bits, field %u + %u of %llx: %llx, not %llx", names[j], bits,
                    field.offset, field.count, (unsigned long long)lane->base, (unsigned long long)got[j],
                    (unsigned long long)wanted[j]);
   }
   vkx_buffer_destroy(&vkx, &in);
   vkx_buffer_destroy(&vkx, &out);
}

/* ---- an attribute that is not there ---- */

static uint32_t
default_alpha(void)
{
   VkPhysicalDeviceMaintenance9PropertiesKHR of_9 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_PROPERTIES_KHR};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &of_9};
   vkGetPhysicalDeviceProperties2(vkx.physical, &properties);
   return of_9.defaultVertexAttributeValue == VK_DEFAULT_VERTEX_ATTRIBUTE_VALUE_ZERO_ZERO_ZERO_ONE_KHR ? 255 : 0;
}

static void
test_attribute(void)
{
   const VkExtent2D extent = {SIDE, SIDE};
   struct vkt_target target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, extent, 1, 1);
   VkPipelineLayout layout = vkt_quad_layout_create(&vkx);
   struct vkx_buffer got = vkt_buffer_create(&vkx, SLICE_B, 0);
   VkPipeline pipeline = vkt_pipeline_create(&vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                               .layout = layout,
                                                                               .vertex = VKT_CODE(vertex_code),
                                                                               .fragment = VKT_CODE(fragment_code)});
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &got);
   const uint32_t value = ((const uint32_t *)got.map)[SIDE + 1], wanted = 0xbf8040 | default_alpha() << 24;
   vkt_expect(value == wanted, "an attribute that is not there gives %08x, not %08x", value, wanted);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkt_target_destroy(&vkx, &target);
   vkx_buffer_destroy(&vkx, &got);
}

/* ---- queries and events ---- */

static void
test_queries(void)
{
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                       .flags = VK_QUERY_POOL_CREATE_RESET_BIT_KHR,
                                       .queryType = VK_QUERY_TYPE_OCCLUSION,
                                       .queryCount = 4};
   VkQueryPool pool;
   uint32_t values[2] = {7, 7};
   vkx_check(vkCreateQueryPool(vkx.device, &info, NULL, &pool), "vkCreateQueryPool");
   VkResult result = vkGetQueryPoolResults(vkx.device, pool, 3, 1, sizeof(values), values, sizeof(values),
                                           VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   vkt_expect(result == VK_NOT_READY && values[1] == 0, "a new query is not available: %d", result);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkCmdBeginQuery(cmd, pool, 3, 0);
   vkCmdEndQuery(cmd, pool, 3);
   vkx_submit_and_wait(&vkx, cmd);
   result = vkGetQueryPoolResults(vkx.device, pool, 3, 1, sizeof(values), values, sizeof(values),
                                  VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   vkt_expect(result == VK_SUCCESS && values[0] == 0 && values[1], "it counts without a reset: %d", result);
   vkDestroyQueryPool(vkx.device, pool, NULL);
}

/* Only the wait says what depends on the event. */
static void
test_event(void)
{
   const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                              .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT};
   VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                  .dependencyFlags = VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR,
                                  .memoryBarrierCount = 1,
                                  .pMemoryBarriers = &memory};
   const VkBufferCopy copy = {.size = 64};
   struct vkx_buffer from = vkt_buffer_create(&vkx, 64, 1), to = vkt_buffer_create(&vkx, 64, 2);
   VkEvent event;
   vkx_check(vkCreateEvent(vkx.device, &info, NULL, &event), "vkCreateEvent");
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkCmdFillBuffer(cmd, from.buffer, 0, 64, 0x12345678);
   VKT_PROC(&vkx, vkCmdSetEvent2KHR)(cmd, event, &dependency);
   memory.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
   memory.dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
   memory.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
   VKT_PROC(&vkx, vkCmdWaitEvents2KHR)(cmd, 1, &event, &dependency);
   vkCmdCopyBuffer(cmd, from.buffer, to.buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_expect(*(const uint32_t *)to.map == 0x12345678, "the copy waits for the event");
   vkDestroyEvent(vkx.device, event, NULL);
   vkx_buffer_destroy(&vkx, &from);
   vkx_buffer_destroy(&vkx, &to);
}

/* ---- slices ---- */

static void
slice_barrier(VkCommandBuffer cmd, VkImage image, uint32_t first, uint32_t count)
{
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                         .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                         .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                         .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                         .newLayout = GENERAL,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .image = image,
                                         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, first, count}};
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1,
                        &barrier);
}

/* Slices become undefined, and are written again, one by one; those before keep what they have. */
static void
test_slices(void)
{
   struct vkt_image image = vkt_image_create(&vkx,
                                             (VkImageCreateInfo){.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT,
                                                                 .imageType = VK_IMAGE_TYPE_3D,
                                                                 .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                                 .extent = {SIDE, SIDE, SLICES},
                                                                 .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                                          VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                                                          VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
                                             false);
   struct vkx_buffer from = vkt_buffer_create(&vkx, SLICES * SLICE_B, 0), to = vkt_buffer_create(&vkx, from.size, 0);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   for (uint32_t i = 0; i < SLICES; i++) {
      const VkBufferImageCopy copy = {.bufferOffset = i * SLICE_B,
                                      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageOffset = {0, 0, (int32_t)i},
                                      .imageExtent = {SIDE, SIDE, 1}};
      memset((uint8_t *)from.map + i * SLICE_B, (int)(10 + i), SLICE_B);
      slice_barrier(cmd, image.image, i, i + 1 == SLICES ? VK_REMAINING_ARRAY_LAYERS : 1);
      vkCmdCopyBufferToImage(cmd, from.buffer, image.image, GENERAL, 1, &copy);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, &to);
   vkt_expect(!memcmp(from.map, to.map, from.size), "slices keep what other slices' barriers do not name");
   vkt_image_destroy(&vkx, &image);
   vkx_buffer_destroy(&vkx, &from);
   vkx_buffer_destroy(&vkx, &to);
}

/* ---- devices and families ---- */

static void
test_no_queues(void)
{
   VkPhysicalDeviceMaintenance9FeaturesKHR feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR, .maintenance9 = VK_TRUE};
   const char *name = "VK_KHR_maintenance9";
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .pNext = &feature,
                                    .enabledExtensionCount = 1,
                                    .ppEnabledExtensionNames = &name};
   struct vkx bare = vkx;
   VkResult result = vkCreateDevice(vkx.physical, &info, NULL, &bare.device);
   if (!vkt_expect(result == VK_SUCCESS, "a device without queues: %d", result))
      return;
   VkShaderModule module = vkx_shader_create(&bare, vertex_code, sizeof(vertex_code));
   vkDestroyShaderModule(bare.device, module, NULL);
   vkt_expect(vkDeviceWaitIdle(bare.device) == VK_SUCCESS, "it is idle");
   vkDestroyDevice(bare.device, NULL);
}

static void
test_families(void)
{
   VkQueueFamilyOwnershipTransferPropertiesKHR to[8] = {0};
   VkQueueFamilyProperties2 families[8] = {0};
   uint32_t count = 8;
   for (uint32_t i = 0; i < count; i++) {
      to[i].sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_OWNERSHIP_TRANSFER_PROPERTIES_KHR;
      to[i].optimalImageTransferToQueueFamilies = UNTOLD;
      families[i] = (VkQueueFamilyProperties2){.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, .pNext = &to[i]};
   }
   vkGetPhysicalDeviceQueueFamilyProperties2(vkx.physical, &count, families);
   if (to[0].optimalImageTransferToQueueFamilies == UNTOLD)
      return vkt_skip("who takes a family's images"); /* Honeykrisp 26 does not say */
   for (uint32_t i = 0; i < count; i++)
      vkt_expect(to[i].optimalImageTransferToQueueFamilies >> i & 1, "family %u takes its own images: %x", i,
                 to[i].optimalImageTransferToQueueFamilies);
}

int
main(void)
{
   vkx = vkt_create("maintenance_9");
   if (vkt_has("VK_KHR_maintenance9")) {
      test_bits();
      test_attribute();
      test_queries();
      test_event();
      test_slices();
      test_no_queues();
      test_families();
   } else {
      vkt_skip("VK_KHR_maintenance9");
   }
   return vkt_finish(&vkx);
}
