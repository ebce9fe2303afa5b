/* VK_KHR_maintenance10: resolves of images by mode and of depth and stencil, vkCmdEndRendering2KHR, sample masks that
 * are not given, sRGB in resolves. */
#include "pass_helpers.h"

static const uint32_t vertex_code[] = {
#include "quad.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "quad.frag.inc"
};

#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define SAMPLES VK_SAMPLE_COUNT_4_BIT
#define ZERO VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
#define AVERAGE VK_RESOLVE_MODE_AVERAGE_BIT
#define MIN VK_RESOLVE_MODE_MIN_BIT
#define MAX VK_RESOLVE_MODE_MAX_BIT
#define NONE VK_RESOLVE_MODE_NONE

/* Of the four samples, in order. Averages and halves are exact. */
static const float depths[4] = {0.25f, 0.125f, 0.75f, 0.625f};
static const uint32_t stencils[4] = {40, 10, 90, 20}, reds[4] = {255, 0, 255, 0};

static PFN_vkCmdBeginRenderingKHR begin_rendering;
static PFN_vkCmdEndRendering2KHR end_rendering;
static PFN_vkCmdResolveImage2KHR resolve_image;

/* ---- four samples that differ ---- */

struct images {
   struct vkt_image color, ds;
   VkImageView color_view, ds_view;
};

static struct images
images_create(VkFormat color)
{
   struct images out;
   out.color = image_create(color, 1, SAMPLES, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   out.ds = image_create(DS, 1, SAMPLES, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   out.color_view = view_create(&out.color);
   out.ds_view = view_create(&out.ds);
   return out;
}

static void
images_destroy(const struct images *images)
{
   struct vkt_image both[2] = {images->color, images->ds};
   const VkImageView views[2] = {images->color_view, images->ds_view};
   destroy_images(2, both, 2, views);
}

/* Writes one sample's colour, depth and stencil. */
static VkPipeline
sample_pipeline(VkFormat color, uint32_t sample)
{
   const VkPipelineRenderingCreateInfo formats = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                  .colorAttachmentCount = 1,
                                                  .pColorAttachmentFormats = &color,
                                                  .depthAttachmentFormat = DS,
                                                  .stencilAttachmentFormat = DS};
   const VkStencilOpState face = {.passOp = VK_STENCIL_OP_REPLACE,
                                  .compareOp = VK_COMPARE_OP_ALWAYS,
                                  .writeMask = 0xff,
                                  .reference = stencils[sample]};
   const VkPipelineDepthStencilStateCreateInfo tests = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .depthTestEnable = VK_TRUE,
                                                        .depthWriteEnable = VK_TRUE,
                                                        .depthCompareOp = VK_COMPARE_OP_ALWAYS,
                                                        .stencilTestEnable = VK_TRUE,
                                                        .front = face,
                                                        .back = face};
   const VkSampleMask mask = 1u << sample;
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.next = &formats,
                                                               .layout = quad_layout,
                                                               .vertex = VKT_CODE(vertex_code),
                                                               .fragment = VKT_CODE(fragment_code),
                                                               .samples = SAMPLES,
                                                               .sample_mask = &mask,
                                                               .depth_stencil = &tests});
}

static void
fill(const struct images *images)
{
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = images->color_view,
                                            .imageLayout = GENERAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   VkRenderingAttachmentInfo ds = color;
   ds.imageView = images->ds_view;
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, extent},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &color,
                                 .pDepthAttachment = &ds,
                                 .pStencilAttachment = &ds};
   const VkRenderingEndInfoKHR end = {.sType = VK_STRUCTURE_TYPE_RENDERING_END_INFO_KHR};
   VkPipeline pipelines[4];
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &images->color, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkt_transition(cmd, &images->ds, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   begin_rendering(cmd, &info);
   vkt_set_viewport(cmd, extent);
   for (uint32_t i = 0; i < 4; i++) {
      pipelines[i] = sample_pipeline(images->color.info.format, i);
      quad(cmd, pipelines[i], 0, 0, SIZE, SIZE, depths[i], BYTES(reds[i], 255, 0, 255));
   }
   end_rendering(cmd, &end);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < 4; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
}

/* ---- resolves of a part into an image that is all ones ---- */

struct modes {
   VkResolveModeFlagBits main, stencil;
   bool given;
};

static void
resolve(const struct vkt_image *from, const struct vkt_image *to, const struct modes *modes)
{
   const VkImageAspectFlags aspects = vkt_aspects(from->info.format);
   const VkImageAspectFlags left = (modes->main ? 0 : DEPTH) | (modes->stencil ? 0 : STENCIL);
   const VkImageSubresourceLayers layers = {aspects & ~left, 0, 0, 1};
   const VkImageResolve2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2,
                                   .srcSubresource = layers,
                                   .srcOffset = {8, 0, 0},
                                   .dstSubresource = layers,
                                   .dstOffset = {4, 8, 0},
                                   .extent = {16, 16, 1}};
   const VkResolveImageModeInfoKHR mode_info = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR,
                                                .resolveMode = modes->main,
                                                .stencilResolveMode = modes->stencil};
   const VkResolveImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                     .pNext = modes->given ? &mode_info : NULL,
                                     .srcImage = from->image,
                                     .srcImageLayout = GENERAL,
                                     .dstImage = to->image,
                                     .dstImageLayout = GENERAL,
                                     .regionCount = 1,
                                     .pRegions = &region};
   const VkImageSubresourceRange all = {aspects, 0, 1, 0, 1};
   const VkClearColorValue ones = {.float32 = {1, 1, 1, 1}};
   const VkClearDepthStencilValue far = {1, 255};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, to, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   if (aspects == COLOR)
      vkCmdClearColorImage(cmd, to->image, GENERAL, &ones, 1, &all);
   else
      vkCmdClearDepthStencilImage(cmd, to->image, GENERAL, &far, 1, &all);
   vkt_barrier(cmd);
   resolve_image(cmd, &info);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static bool
inside(uint32_t i)
{
   return i % SIZE - 4 < 16 && i / SIZE - 8 < 16;
}

static const char *
name_of(VkResolveModeFlagBits mode)
{
   return mode == ZERO      ? "sample 0"
          : mode == AVERAGE ? "average"
          : mode == MIN     ? "min"
          : mode == MAX     ? "max"
                            : "none";
}

static void
check_depth(const struct vkt_image *image, VkResolveModeFlagBits mode)
{
   const float wanted = mode == ZERO      ? 0.25f
                        : mode == AVERAGE ? 0.4375f
                        : mode == MIN     ? 0.125f
                        : mode == MAX     ? 0.75f
                                          : 1;
   unsigned wrong = 0;
   vkt_read(vkx, image, DEPTH, 0, &buffer);
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      wrong += ((const float *)buffer.map)[i] != (inside(i) ? wanted : 1);
   vkt_expect(!wrong, "depth, %s: %u are wrong, one is %g", name_of(mode), wrong,
              (double)((const float *)buffer.map)[10 * SIZE + 10]);
}

static void
check_stencil(const struct vkt_image *image, VkResolveModeFlagBits mode)
{
   const uint32_t wanted = mode == ZERO ? 40 : mode == MIN ? 10 : mode == MAX ? 90 : 255;
   unsigned wrong = 0;
   vkt_read(vkx, image, STENCIL, 0, &buffer);
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      wrong += ((const uint8_t *)buffer.map)[i] != (inside(i) ? wanted : 255);
   vkt_expect(!wrong, "stencil, %s: %u are wrong, one is %u", name_of(mode), wrong,
              ((const uint8_t *)buffer.map)[10 * SIZE + 10]);
}

static void
test_depth_stencil(const struct images *images)
{
   static const struct modes all[] = {
      {ZERO, ZERO, true}, {AVERAGE, MIN, true}, {MIN, MAX, true}, {MAX, NONE, true}, {NONE, MAX, true}};
   struct vkt_image single = image_create(DS, 1, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   VkPhysicalDeviceDepthStencilResolveProperties has = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &has};
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
      if (all[i].main & ~has.supportedDepthResolveModes || all[i].stencil & ~has.supportedStencilResolveModes) {
         vkt_skip("a mode");
         continue;
      }
      resolve(&images->ds, &single, &all[i]);
      check_depth(&single, all[i].main);
      check_stencil(&single, all[i].stencil);
   }
   vkt_image_destroy(vkx, &single);
}

static void
test_color(const struct images *images, const struct modes *modes, uint32_t wanted)
{
   struct vkt_image single = image_create(images->color.info.format, 1, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   resolve(&images->color, &single, modes);
   vkt_read(vkx, &single, COLOR, 0, &buffer);
   for (uint32_t i = 0; i < SIZE * SIZE; i += SIZE + 1) {
      const uint32_t value = ((const uint32_t *)buffer.map)[i], expected = inside(i) ? wanted : UINT32_MAX;
      const int32_t red = (int32_t)(value & 0xff) - (int32_t)(expected & 0xff);
      vkt_expect(red >= -1 && red <= 1 && !((value ^ expected) & 0xffffff00), "colour %u: %08x, not %08x", i, value,
                 expected);
   }
   vkt_image_destroy(vkx, &single);
}

/* Half of the samples are 1: the average is 128, or 188 where it is one of linear values. */
static void
test_srgb(void)
{
   VkPhysicalDeviceMaintenance10PropertiesKHR of_10 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_PROPERTIES_KHR};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             .pNext = &of_10};
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   const uint32_t average = of_10.resolveSrgbFormatAppliesTransferFunction ? 188 : 128;
   struct images images = images_create(VK_FORMAT_R8G8B8A8_SRGB);
   fill(&images);
   test_color(&images, &(struct modes){.given = false}, BYTES(average, 255, 0, 255));
   images_destroy(&images);
}

int
main(void)
{
   struct vkx device = vkt_create("maintenance_10");
   vkx = &device;
   if (vkt_has("VK_KHR_maintenance10")) {
      begin_rendering = VKT_PROC(vkx, vkCmdBeginRenderingKHR);
      end_rendering = VKT_PROC(vkx, vkCmdEndRendering2KHR);
      resolve_image = VKT_PROC(vkx, vkCmdResolveImage2KHR);
      buffer = vkt_buffer_create(vkx, 4 * SIZE * SIZE, 0);
      quad_layout = vkt_quad_layout_create(vkx);
      struct images images = images_create(RGBA8);
      fill(&images);
      test_depth_stencil(&images);
      test_color(&images, &(struct modes){.given = false}, BYTES(128, 255, 0, 255));
      test_color(&images, &(struct modes){AVERAGE, NONE, true}, BYTES(128, 255, 0, 255));
      images_destroy(&images);
      test_srgb();
      vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
      vkx_buffer_destroy(vkx, &buffer);
   } else {
      vkt_skip("VK_KHR_maintenance10");
   }
   return vkt_finish(vkx);
}
