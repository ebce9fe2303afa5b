/* Multiview of mesh shaders: each view has its own layer, which mesh and fragment shaders know, by direct and
 * indirect draws and from a secondary command buffer. Every pixel is known. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t task_code[] = {
#include "mesh_views.task.inc"
};
static const uint32_t mesh_code[] = {
#include "mesh_views.mesh.inc"
};
static const uint32_t tasked_code[] = {
#include "mesh_views_tasks.mesh.inc"
};
static const uint32_t fragment_code[] = {
#include "mesh_views.frag.inc"
};

enum { WIDTH = 16, HEIGHT = 2, LAYERS = 6, VIEWS = 0x2d, TASK = 7, NO_TASK = 99 };
enum draw { DIRECT, INDIRECT, SECONDARY };

static struct vkx vkx;
static VkPipelineLayout layout;
static struct vkt_image image;
static VkImageView view;
static VkRenderPass pass;
static VkFramebuffer framebuffer;
static struct vkx_buffer pixels, arguments;

static void
create_pass(void)
{
   static const uint32_t mask = VIEWS;
   static const VkAttachmentDescription attachment = {.format = VK_FORMAT_R8G8B8A8_UINT,
                                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                      .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                      .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   static const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
   static const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &color};
   static const VkRenderPassMultiviewCreateInfo views = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO, .subpassCount = 1, .pViewMasks = &mask};
   static const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                               .pNext = &views,
                                               .attachmentCount = 1,
                                               .pAttachments = &attachment,
                                               .subpassCount = 1,
                                               .pSubpasses = &subpass};
   vkx_check(vkCreateRenderPass(vkx.device, &info, NULL, &pass), "vkCreateRenderPass");
   const VkFramebufferCreateInfo target = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                           .renderPass = pass,
                                           .attachmentCount = 1,
                                           .pAttachments = &view,
                                           .width = WIDTH,
                                           .height = HEIGHT,
                                           .layers = 1};
   vkx_check(vkCreateFramebuffer(vkx.device, &target, NULL, &framebuffer), "vkCreateFramebuffer");
}

static void
create_objects(void)
{
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
   vkx_check(vkCreatePipelineLayout(vkx.device, &info, NULL, &layout), "vkCreatePipelineLayout");
   image = vkt_image_create(&vkx,
                            (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                .format = VK_FORMAT_R8G8B8A8_UINT,
                                                .extent = {WIDTH, HEIGHT, 1},
                                                .arrayLayers = LAYERS,
                                                .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                         VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                         VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                            false);
   view = vkt_view_create(&vkx, &image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, LAYERS);
   pixels = vkt_buffer_create(&vkx, 4 * WIDTH * HEIGHT * LAYERS, 1);
   arguments = vkt_buffer_create(&vkx, 12, 0);
   create_pass();
}

static void
draw(VkCommandBuffer cmd, VkPipeline pipeline, bool tasks, enum draw how)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkt_set_viewport(cmd, (VkExtent2D){WIDTH, HEIGHT});
   if (how == DIRECT)
      VKT_PROC(&vkx, vkCmdDrawMeshTasksEXT)(cmd, tasks ? 1 : 2, 1, 1);
   else
      VKT_PROC(&vkx, vkCmdDrawMeshTasksIndirectEXT)(cmd, arguments.buffer, 0, 1, 12);
}

static VkCommandBuffer
record_secondary(VkPipeline pipeline, bool tasks)
{
   const struct vkt_target target = {.pass = pass, .framebuffer = framebuffer, .extent = {WIDTH, HEIGHT}};
   VkCommandBuffer cmd = vkt_secondary_begin(&vkx, &target, 0, false);
   draw(cmd, pipeline, tasks, DIRECT);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   return cmd;
}

static void
record(VkCommandBuffer cmd, VkPipeline pipeline, bool tasks, enum draw how)
{
   static const VkClearColorValue zeros;
   static const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, LAYERS};
   static const VkClearValue clear;
   const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = pass,
                                       .framebuffer = framebuffer,
                                       .renderArea = {{0, 0}, {WIDTH, HEIGHT}},
                                       .clearValueCount = 1,
                                       .pClearValues = &clear};
   VkCommandBuffer inner = how == SECONDARY ? record_secondary(pipeline, tasks) : VK_NULL_HANDLE;
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdClearColorImage(cmd, image.image, VK_IMAGE_LAYOUT_GENERAL, &zeros, 1, &all);
   vkt_barrier(cmd);
   vkCmdBeginRenderPass(cmd, &info,
                        inner ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
   if (inner)
      vkCmdExecuteCommands(cmd, 1, &inner);
   else
      draw(cmd, pipeline, tasks, how);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
}

static uint32_t
expected(bool tasks, uint32_t x, uint32_t layer)
{
   return x % 2 || !(VIEWS >> layer & 1) ? 0 : (tasks ? TASK : NO_TASK) | layer << 8 | layer << 16 | 1u << 24;
}

static void
test(const char *name, bool tasks, enum draw how)
{
   const struct vkt_code none = {0};
   VkPipeline pipeline = vkt_pipeline_create(
      &vkx, &(struct vkt_pipeline_info){.pass = pass,
                                        .layout = layout,
                                        .fragment = VKT_CODE(fragment_code),
                                        .task = tasks ? VKT_CODE(task_code) : none,
                                        .mesh = tasks ? VKT_CODE(tasked_code) : VKT_CODE(mesh_code)});
   VkCommandBuffer cmd = vkx_begin(&vkx);
   memcpy(arguments.map, (const uint32_t[3]){tasks ? 1 : 2, 1, 1}, 12);
   record(cmd, pipeline, tasks, how);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
   const uint32_t *found = pixels.map;
   uint32_t wrong = 0, first = 0;
   for (uint32_t i = WIDTH * HEIGHT * LAYERS; i-- > 0;) {
      if (found[i] != expected(tasks, i % WIDTH, i / (WIDTH * HEIGHT)))
         wrong++, first = i;
   }
   vkt_expect(!wrong, "%s%s: %u pixels, the first at %u of layer %u is %08x, not %08x", name, tasks ? ", tasks" : "",
              wrong, first % (WIDTH * HEIGHT), first / (WIDTH * HEIGHT), found[first],
              expected(tasks, first % WIDTH, first / (WIDTH * HEIGHT)));
   vkDestroyPipeline(vkx.device, pipeline, NULL);
}

static bool
has_views(void)
{
   VkPhysicalDeviceMeshShaderFeaturesEXT has = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
   if (vkt_has("VK_EXT_mesh_shader") && vkt_has("VK_KHR_spirv_1_4"))
      vkGetPhysicalDeviceFeatures2(vkx.physical, &features);
   return has.multiviewMeshShader;
}

static void
destroy_objects(void)
{
   vkDestroyFramebuffer(vkx.device, framebuffer, NULL);
   vkDestroyRenderPass(vkx.device, pass, NULL);
   vkx_buffer_destroy(&vkx, &arguments);
   vkx_buffer_destroy(&vkx, &pixels);
   vkDestroyImageView(vkx.device, view, NULL);
   vkt_image_destroy(&vkx, &image);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
}

int
main(void)
{
   vkt_mesh_shaders = true;
   vkx = vkt_create("mesh_views");
   if (!has_views()) {
      vkt_skip("multiviewMeshShader");
      vkx_destroy(&vkx);
      return 77;
   }
   create_objects();
   for (int tasks = 0; tasks < 2; tasks++) {
      test("direct draw", tasks, DIRECT);
      test("indirect draw", tasks, INDIRECT);
      test("secondary command buffer", tasks, SECONDARY);
   }
   destroy_objects();
   return vkt_finish(&vkx);
}
