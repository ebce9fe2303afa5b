/* Inputs and outputs of 16 bits in all stages (storageInputOutput16): attributes, varyings of all kinds, colours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "small_io.vert.inc"
};
static const uint32_t float_code[] = {
#include "small_io_float.inc"
};
static const uint32_t int_code[] = {
#include "small_io_int.inc"
};
static const uint32_t uint_code[] = {
#include "small_io_uint.inc"
};

enum { SIZE_PX = 16, WHOLE_X = -300, WHOLE_Y = 32767, NATURAL_X = 65535, NATURAL_Y = 40000 };

struct vertex {
   _Float16 position[2];
   int16_t whole[2];
   uint16_t natural[2];
};

static const struct kind {
   const char *name;
   VkFormat format;
   struct vkt_code code;
} kinds[] = {{"floats", VK_FORMAT_R16G16B16A16_SFLOAT, VKT_CODE(float_code)},
             {"integers", VK_FORMAT_R16G16B16A16_SINT, VKT_CODE(int_code)},
             {"unsigned integers", VK_FORMAT_R16G16B16A16_UINT, VKT_CODE(uint_code)}};

static bool
is_right(unsigned kind, const uint16_t *texel, unsigned x, unsigned y)
{
   static const uint16_t whole[4] = {(uint16_t)WHOLE_X, WHOLE_Y, 0x8000, 128};
   static const uint16_t natural[4] = {NATURAL_X, NATURAL_Y, NATURAL_Y + 1, 0};
   const double want[4] = {x + 0.5, y + 0.5, (double)x - y, WHOLE_X};
   _Float16 got[4];
   if (kind)
      return !memcmp(texel, kind == 1 ? whole : natural, 8);
   memcpy(got, texel, 8);
   bool right = (double)got[3] == want[3];
   for (unsigned i = 0; i < 3; i++)
      right &= fabs((double)got[i] - want[i]) <= 2.0 / 128; /* halves of up to 16 have steps of 1/128 */
   return right;
}

static void
draw(struct vkx *vkx, unsigned k, const struct vkx_buffer *vertices)
{
   static const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX};
   static const VkVertexInputAttributeDescription attributes[3] = {
      {0, 0, VK_FORMAT_R16G16_SFLOAT, 0}, {1, 0, VK_FORMAT_R16G16_SINT, 4}, {2, 0, VK_FORMAT_R16G16_UINT, 8}};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 3,
                                                       .pVertexAttributeDescriptions = attributes};
   struct vkt_target target = vkt_target_create(vkx, kinds[k].format, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){SIZE_PX, SIZE_PX}, 1, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer out = vkt_buffer_create(vkx, SIZE_PX * SIZE_PX * 8, 0xcc);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, VK_NULL_HANDLE, 0, 0);
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                              .layout = layout,
                                                                              .vertex = VKT_CODE(vertex_code),
                                                                              .fragment = kinds[k].code,
                                                                              .vertex_input = &input});
   VkCommandBuffer cmd = vkx_begin(vkx);
   const VkDeviceSize offset = 0;
   unsigned wrong = 0;
   vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices->buffer, &offset);
   vkCmdDraw(cmd, 4, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &out);
   const uint16_t *texels = out.map;
   for (unsigned i = 0; i < SIZE_PX * SIZE_PX; i++)
      wrong += !is_right(k, texels + 4 * i, i % SIZE_PX, i / SIZE_PX);
   vkt_expect(!wrong, "%s: %u pixels are wrong; the first: %#x %#x %#x %#x", kinds[k].name, wrong, texels[0],
              texels[1], texels[2], texels[3]);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkx_buffer_destroy(vkx, &out);
   vkt_target_destroy(vkx, &target);
}

int
main(void)
{
   struct vkx vkx = vkt_create("small_io");
   VkPhysicalDevice16BitStorageFeatures small = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &small};
   vkGetPhysicalDeviceFeatures2(vkx.physical, &features);
   vkt_expect(true, "the device is there");
   if (!small.storageInputOutput16 || !vkt_float16 || !vkt_features.shaderInt16) {
      vkt_skip("storageInputOutput16");
      return vkt_finish(&vkx);
   }
   struct vkx_buffer vertices = vkt_buffer_create(&vkx, 4 * sizeof(struct vertex), 0);
   for (unsigned i = 0; i < 4; i++) {
      const struct vertex vertex = {{(_Float16)(i & 1 ? SIZE_PX : 0), (_Float16)(i & 2 ? SIZE_PX : 0)},
                                    {WHOLE_X, WHOLE_Y},
                                    {NATURAL_X, NATURAL_Y}};
      memcpy((struct vertex *)vertices.map + i, &vertex, sizeof(vertex));
   }
   for (unsigned k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
      draw(&vkx, k, &vertices);
   vkx_buffer_destroy(&vkx, &vertices);
   return vkt_finish(&vkx);
}
