/* Libraries whose layouts have independent sets: each lacks those that only the other's shader reads. Where the
 * dynamic buffers of a set begin among all, both together say. Rectangles whose places and colours are in dynamic
 * buffers; their pixels follow. */
#include <string.h>

#include "vkt_draw.h"
#include "vkt_sets.h"

static const uint32_t vertex_code[] = {
#include "linked_sets.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "linked_sets.frag.inc"
};

enum { SIZE = 16, SETS = 3, OFFSET_B = 256, PLACES = 4, BUFFER_B = 4096 };

static struct vkx vkx;
static struct vkt_target target;
static struct vkx_buffer buffer, pixels;
static VkDescriptorSetLayout set_layouts[SETS];
static VkDescriptorSet sets[SETS];
static VkDescriptorPool pool;

#define UNIFORM VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
#define STORAGE VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC
#define BOTH (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT)

static const VkDescriptorSetLayoutBinding bindings[SETS][2] = {
   {{0, UNIFORM, 1, BOTH, NULL}, {1, UNIFORM, 1, BOTH, NULL}},
   {{0, STORAGE, 1, BOTH, NULL}},
   {{3, UNIFORM, 1, BOTH, NULL}},
};
static const uint32_t counts[SETS] = {2, 1, 1};

static void
create_sets(void)
{
   const VkDescriptorPoolSize sizes[2] = {{UNIFORM, 3}, {STORAGE, 1}};
   pool = vkt_pool_create(&vkx, NULL, 0, SETS, 2, sizes);
   for (unsigned i = 0; i < SETS; i++) {
      set_layouts[i] = vkt_set_layout_create(&vkx, NULL, 0, counts[i], bindings[i]);
      vkt_sets_allocate(&vkx, NULL, pool, 1, &set_layouts[i], &sets[i]);
      for (unsigned j = 0; j < counts[i]; j++) {
         const struct vkt_descriptor range = {
            .type = bindings[i][j].descriptorType, .buffer = buffer.buffer, .range_B = 16};
         vkt_descriptor_write(&vkx, sets[i], bindings[i][j].binding, 0, &range);
      }
   }
}

/* which: bit per set that is there. */
static VkPipelineLayout
create_layout(unsigned which)
{
   VkDescriptorSetLayout list[SETS];
   for (unsigned i = 0; i < SETS; i++)
      list[i] = which >> i & 1 ? set_layouts[i] : VK_NULL_HANDLE;
   return vkt_pipeline_layout_create(&vkx, VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT, SETS, list, 0);
}

/* Layouts and libraries go before the pipeline is used. */
static VkPipeline
create_pipeline(unsigned vertex_sets, unsigned fragment_sets, VkPipelineLayout all)
{
   const VkPipelineLayout layouts[2] = {create_layout(vertex_sets), create_layout(fragment_sets)};
   VkPipeline libraries[2], pipeline;
   for (unsigned i = 0; i < 2; i++) {
      const VkGraphicsPipelineLibraryCreateInfoEXT parts = {
         .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
         .flags = i ? VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
                    : VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                         VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT};
      libraries[i] = vkt_pipeline_create(
         &vkx, &(struct vkt_pipeline_info){.next = &parts,
                                           .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
                                           .pass = target.pass,
                                           .layout = layouts[i],
                                           .vertex = i ? (struct vkt_code){0} : VKT_CODE(vertex_code),
                                           .fragment = i ? VKT_CODE(fragment_code) : (struct vkt_code){0}});
      vkDestroyPipelineLayout(vkx.device, layouts[i], NULL);
   }
   const VkPipelineLibraryCreateInfoKHR list = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = libraries};
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &list, .layout = all};
   vkx_check(vkCreateGraphicsPipelines(vkx.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "link");
   for (unsigned i = 0; i < 2; i++)
      vkDestroyPipeline(vkx.device, libraries[i], NULL);
   return pipeline;
}

/* At OFFSET_B * i: corners, sizes, colours, and more of colours; all different. */
static const float values[PLACES][4] = {{-0.5f, -0.25f}, {0.75f, 1}, {0.25f, 0, 0.5f, 1}, {0, 0.5f, 0.25f, 0}};
static const uint8_t wanted[4] = {64, 128, 191, 255};

static void
test(unsigned vertex_sets, unsigned fragment_sets)
{
   VkPipelineLayout all = create_layout(7);
   VkPipeline pipeline = create_pipeline(vertex_sets, fragment_sets, all);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, all, 2, 1, &sets[2], 1, (uint32_t[]){2 * OFFSET_B});
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, all, 0, 2, sets, 3,
                           (uint32_t[]){0, OFFSET_B, 3 * OFFSET_B});
   vkCmdDraw(cmd, 4, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
   unsigned wrong = 0;
   for (unsigned i = 0; i < SIZE * SIZE; i++) {
      bool inside = i % SIZE >= 4 && i % SIZE < 10 && i / SIZE >= 6 && i / SIZE < 14;
      for (unsigned c = 0; c < 4; c++) {
         int difference = ((const uint8_t *)pixels.map)[4 * i + c] - (inside ? wanted[c] : 0);
         wrong += difference < -1 || difference > 1;
      }
   }
   vkt_expect(!wrong, "sets %x of the vertex shader's layout, %x of the fragment shader's: %u bytes", vertex_sets,
              fragment_sets, wrong);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, all, NULL);
}

int
main(void)
{
   vkt_libraries = true;
   vkx = vkt_create("linked_sets");
   if (!vkt_has("VK_EXT_graphics_pipeline_library")) {
      vkt_skip("VK_EXT_graphics_pipeline_library");
      vkx_destroy(&vkx);
      return 77;
   }
   target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, (VkExtent2D){SIZE, SIZE}, 1,
                              VK_SAMPLE_COUNT_1_BIT);
   buffer = vkt_buffer_create(&vkx, BUFFER_B, 0);
   pixels = vkt_buffer_create(&vkx, 4 * SIZE * SIZE, 1);
   for (unsigned i = 0; i < PLACES; i++)
      memcpy((char *)buffer.map + OFFSET_B * i, values[i], sizeof(values[i]));
   create_sets();
   test(7, 7);
   test(1, 6);
   test(1, 7);
   test(3, 6);
   for (unsigned i = 0; i < SETS; i++)
      vkDestroyDescriptorSetLayout(vkx.device, set_layouts[i], NULL);
   vkDestroyDescriptorPool(vkx.device, pool, NULL);
   vkx_buffer_destroy(&vkx, &buffer);
   vkx_buffer_destroy(&vkx, &pixels);
   vkt_target_destroy(&vkx, &target);
   return vkt_finish(&vkx);
}
