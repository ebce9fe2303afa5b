/* Core features that no other program needs: depth clamp, clamped depth bias, blending of each target by itself and
 * with a second source, polygon modes, shading of samples. */
#include <math.h>
#include <stdlib.h>

#include "pass_helpers.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t two_targets_frag[] = {
#include "two_targets.frag.inc"
};
static const uint32_t dual_frag[] = {
#include "dual.frag.inc"
};
static const uint32_t cull_vert[] = {
#include "cull.vert.inc"
};
static const uint32_t samples_frag[] = {
#include "samples.frag.inc"
};
static const uint32_t samples_id_frag[] = {
#include "samples_id.frag.inc"
};
static const uint32_t samples_mask_frag[] = {
#include "samples_mask.frag.inc"
};
static const uint32_t samples_position_frag[] = {
#include "samples_position.frag.inc"
};
static const uint32_t distances_1_7_vert[] = {
#include "distances_1_7.vert.inc"
};
static const uint32_t distances_1_7_frag[] = {
#include "distances_1_7.frag.inc"
};
static const uint32_t distances_2_6_vert[] = {
#include "distances_2_6.vert.inc"
};
static const uint32_t distances_2_6_frag[] = {
#include "distances_2_6.frag.inc"
};
static const uint32_t distances_3_2_vert[] = {
#include "distances_3_2.vert.inc"
};
static const uint32_t distances_3_2_frag[] = {
#include "distances_3_2.frag.inc"
};
static const uint32_t distances_4_4_vert[] = {
#include "distances_4_4.vert.inc"
};
static const uint32_t distances_4_4_frag[] = {
#include "distances_4_4.frag.inc"
};
static const uint32_t distances_5_3_vert[] = {
#include "distances_5_3.vert.inc"
};
static const uint32_t distances_5_3_frag[] = {
#include "distances_5_3.frag.inc"
};
static const uint32_t distances_8_0_vert[] = {
#include "distances_8_0.vert.inc"
};
static const uint32_t distances_8_0_frag[] = {
#include "distances_8_0.frag.inc"
};
static const uint32_t quad_points_vert[] = {
#include "quad_points.vert.inc"
};
static const uint32_t distances_0_8_vert[] = {
#include "distances_0_8.vert.inc"
};
static const uint32_t distances_0_8_frag[] = {
#include "distances_0_8.frag.inc"
};
static const uint32_t distances_0_1_vert[] = {
#include "distances_0_1.vert.inc"
};
static const uint32_t distances_0_1_frag[] = {
#include "distances_0_1.frag.inc"
};

#define CLEAR VK_ATTACHMENT_LOAD_OP_CLEAR
#define WHITE BYTES(255, 255, 255, 255)

static struct vkt_target target;

/* Draws a white quad over [4, 12) x [4, 12) of the cleared target. */
static void
draw(const struct vkt_pipeline_info *info, float depth)
{
   struct vkt_pipeline_info full = *info;
   full.pass = target.pass;
   full.layout = quad_layout;
   if (!full.vertex.words)
      full.vertex = VKT_CODE(quad_vert);
   if (!full.fragment.words)
      full.fragment = VKT_CODE(quad_frag);
   VkPipeline pipeline = vkt_pipeline_create(vkx, &full);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   quad(cmd, pipeline, 4, 4, 12, 12, depth, full.fragment.words == dual_frag ? BYTES(51, 102, 153, 255) : WHITE);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static float
depth_at(uint32_t x, uint32_t y)
{
   vkt_read(vkx, &target.depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, &buffer);
   return ((float *)buffer.map)[y * SIZE + x];
}

static const VkPipelineRasterizationStateCreateInfo raster = {
   .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};

static void
test_depth(void)
{
   VkPipelineDepthStencilStateCreateInfo depth = write_all;
   VkPipelineRasterizationStateCreateInfo state = raster;
   depth.stencilTestEnable = VK_FALSE;
   const struct vkt_pipeline_info info = {.depth_stencil = &depth, .raster = &state};
   draw(&info, 1.5f);
   read_back(&target.color);
   expect("beyond the far plane", 0, 5, 5, 0);
   if (vkt_features.depthClamp) {
      state.depthClampEnable = VK_TRUE;
      draw(&info, 1.5f);
      read_back(&target.color);
      expect("depth clamp beyond the far plane", 0, 5, 5, WHITE);
      draw(&info, -0.5f);
      read_back(&target.color);
      expect("depth clamp before the near plane", 0, 5, 5, WHITE);
      vkt_expect(depth_at(5, 5) == 0, "depth clamp: %g", depth_at(5, 5));
      state.depthClampEnable = VK_FALSE;
   }
   if (vkt_features.depthBiasClamp) {
      state.depthBiasEnable = VK_TRUE;
      state.depthBiasConstantFactor = 1e7f;
      state.depthBiasClamp = 0.125f;
      draw(&info, 0.5f);
      vkt_expect(depth_at(5, 5) > 0.6249f && depth_at(5, 5) < 0.6251f, "clamped depth bias: %g", depth_at(5, 5));
      state.depthBiasConstantFactor = -1e7f;
      state.depthBiasClamp = -0.125f;
      draw(&info, 0.5f);
      vkt_expect(depth_at(5, 5) > 0.3749f && depth_at(5, 5) < 0.3751f, "clamped negative bias: %g", depth_at(5, 5));
   }
}

/* A primitive goes away if one of its distances is negative at all vertices. */
static void
test_cull_distance(void)
{
   if (!vkt_features.shaderCullDistance) {
      vkt_skip("cull distances");
      return;
   }
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                              .layout = quad_layout,
                                                                              .vertex = VKT_CODE(cull_vert),
                                                                              .fragment = VKT_CODE(quad_frag)});
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   quad(cmd, pipeline, 4, 4, 12, 12, 0, BYTES(200, 1, 2, 3));
   quad(cmd, pipeline, 16, 4, 24, 12, 0, BYTES(20, 1, 2, 3));
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&target.color);
   expect("cull distances", 0, 5, 5, BYTES(200, 1, 2, 3));
   expect("cull distances", 0, 11, 11, BYTES(200, 1, 2, 3));
   expect("negative cull distances", 0, 18, 6, 0);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* Fragments read all distances, of any mixture, besides as many other values as there are locations. */
static void
test_read_distances(bool radv)
{
#define MIXTURE(clips, culls) \
   {clips, culls, VKT_CODE(distances_##clips##_##culls##_vert), VKT_CODE(distances_##clips##_##culls##_frag)}
   const struct {
      uint32_t clips, culls;
      struct vkt_code vertex, fragment;
   } mixtures[] = {MIXTURE(1, 7), MIXTURE(2, 6), MIXTURE(3, 2), MIXTURE(4, 4),
                   MIXTURE(5, 3), MIXTURE(8, 0), MIXTURE(0, 8), MIXTURE(0, 1)};
   for (unsigned m = 0; m < sizeof(mixtures) / sizeof(mixtures[0]); m++) {
      const uint32_t clips = mixtures[m].clips, culls = mixtures[m].culls;
      if ((clips && !vkt_features.shaderClipDistance) || (culls && !vkt_features.shaderCullDistance))
         continue;
      /* RADV 22.3.6 gives fragments none of the second four, if neither of the two kinds has more than four. */
      if (radv && clips == 3 && culls == 2)
         continue;
      VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                                 .layout = quad_layout,
                                                                                 .vertex = mixtures[m].vertex,
                                                                                 .fragment = mixtures[m].fragment});
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
      for (uint32_t i = 0; i < clips + culls; i++)
         quad(cmd, pipeline, i % 4 * 8, i / 4 * 8, i % 4 * 8 + 8, i / 4 * 8 + 8, (float)i, 0);
      vkCmdEndRenderPass(cmd);
      vkx_submit_and_wait(vkx, cmd);
      read_back(&target.color);
      for (uint32_t i = 0; i < clips + culls; i++) {
         const uint32_t first = i < clips ? 16 * i : 16 * (i - clips) + 128;
         for (uint32_t x = 0; x < 8; x += 7)
            expect("a distance that fragments read", 0, i % 4 * 8 + x, i / 4 * 8 + 3,
                   BYTES(first + x + 1, 10, 38, 255));
      }
      vkDestroyPipeline(vkx->device, pipeline, NULL);
   }
}

static void
test_polygon_modes(void)
{
   VkPipelineRasterizationStateCreateInfo state = raster;
   const struct vkt_pipeline_info info = {.raster = &state};
   if (!vkt_features.fillModeNonSolid)
      return;
   /* Edges of the two triangles: the sides and the diagonal from (12, 4) to (4, 12). */
   state.polygonMode = VK_POLYGON_MODE_LINE;
   draw(&info, 0);
   read_back(&target.color);
   expect("lines: inside", 0, 6, 6, 0);
   expect("lines: inside", 0, 10, 10, 0);
   const uint32_t *texel = buffer.map;
   unsigned side = 0, diagonal = 0;
   for (uint32_t y = 5; y < 11; y++) {
      side += (texel[y * SIZE + 3] | texel[y * SIZE + 4]) == WHITE;
      diagonal += (texel[y * SIZE + 15 - y] | texel[y * SIZE + 16 - y]) == WHITE;
   }
   vkt_expect(side == 6 && diagonal == 6, "lines: %u pixels of a side, %u of the diagonal", side, diagonal);
   state.polygonMode = VK_POLYGON_MODE_POINT;
   draw(&info, 0);
   read_back(&target.color);
   unsigned points = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      points += texel[i] == WHITE;
   vkt_expect(points >= 4 && points <= 16, "points: %u pixels", points);
   expect("points: inside", 0, 7, 7, 0);
   /* Vulkan leaves their size open; AMD's chips take the vertices'. */
   const struct vkt_pipeline_info large = {.raster = &state, .vertex = VKT_CODE(quad_points_vert)};
   if (!vkt_features.largePoints || vkx->properties.vendorID != 0x1002)
      return;
   draw(&large, 0);
   read_back(&target.color);
   points = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      points += texel[i] == WHITE;
   vkt_expect(points == 4 * 9, "points of 3 pixels: %u pixels", points);
   expect("points of 3 pixels", 0, 3, 3, WHITE);
}

static void
test_dual_source(void)
{
   const VkPipelineColorBlendAttachmentState blend = {.blendEnable = VK_TRUE,
                                                      .srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR,
                                                      .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR,
                                                      .srcAlphaBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA,
                                                      .dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO,
                                                      .colorWriteMask = 0xf};
   if (!vkt_features.dualSrcBlend)
      return;
   draw(&(struct vkt_pipeline_info){.blend = &blend, .fragment = VKT_CODE(dual_frag)}, 0);
   read_back(&target.color);
   expect("a second source", 0, 5, 5, BYTES(51, 102, 153, 51));
   expect("a second source", 0, 3, 5, 0);
}

/* Formats of one and two components; most: code of 1, 0: floats. */
static const struct {
   VkFormat format;
   uint32_t component_B;
   float most;
} narrow[] = {{VK_FORMAT_R8_UNORM, 1, 255},       {VK_FORMAT_R8G8_UNORM, 1, 255},  {VK_FORMAT_R16_UNORM, 2, 65535},
              {VK_FORMAT_R16G16_UNORM, 2, 65535}, {VK_FORMAT_R16_SNORM, 2, 32767}, {VK_FORMAT_R16G16_SNORM, 2, 32767},
              {VK_FORMAT_R32_SFLOAT, 4, 0},       {VK_FORMAT_R32G32_SFLOAT, 4, 0}};

static const struct {
   VkBlendFactor factor;
   float value;
} alphas[] = {{VK_BLEND_FACTOR_SRC_ALPHA, 0.2f},
              {VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, 0.8f},
              {VK_BLEND_FACTOR_SRC_ALPHA_SATURATE, 0},
              {VK_BLEND_FACTOR_SRC1_ALPHA, 0.6f},
              {VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA, 0.4f}};

/* Blending reads the alphas of both sources though the target has none: by dual.frag 0.2, and the quad's 0.6. */
static void
test_source_alpha(unsigned format, unsigned factor)
{
   const VkPipelineColorBlendAttachmentState blend = {.blendEnable = VK_TRUE,
                                                      .srcColorBlendFactor = alphas[factor].factor,
                                                      .dstColorBlendFactor = VK_BLEND_FACTOR_ZERO,
                                                      .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                      .dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO,
                                                      .colorWriteMask = 0xf};
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, narrow[format].format, &properties);
   if (!vkt_features.dualSrcBlend ||
       !(properties.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT))
      return;
   struct vkt_target to = vkt_target_create(vkx, narrow[format].format, VK_FORMAT_UNDEFINED, extent, 1, 1);
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = to.pass,
                                                                              .layout = quad_layout,
                                                                              .vertex = VKT_CODE(quad_vert),
                                                                              .fragment = VKT_CODE(dual_frag),
                                                                              .blend = &blend});
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &to, to.pass, VK_SUBPASS_CONTENTS_INLINE);
   quad(cmd, pipeline, 0, 0, SIZE, SIZE, 0, BYTES(9, 9, 9, 153));
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&to.color);
   uint32_t code = 0;
   float value;
   memcpy(&code, buffer.map, narrow[format].component_B);
   memcpy(&value, buffer.map, sizeof(value));
   value = narrow[format].most ? (float)code / narrow[format].most : value;
   vkt_expect(fabsf(value - alphas[factor].value) < 0.003f, "factor %d of format %d: %g, not %g",
              alphas[factor].factor, narrow[format].format, value, alphas[factor].value);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkt_target_destroy(vkx, &to);
}

static void
test_source_alphas(bool radv)
{
   for (unsigned i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++) {
      for (unsigned j = 0; j < sizeof(alphas) / sizeof(alphas[0]); j++) {
         /* RADV 22.3.6 exports no alpha for factors of the second source. */
         if (!radv || narrow[i].component_B == 1 || alphas[j].factor < VK_BLEND_FACTOR_SRC1_COLOR)
            test_source_alpha(i, j);
      }
   }
}

/* Alpha to coverage reads the first output's alpha though there is no target. */
static void
test_coverage_without_color(void)
{
   const VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_4_BIT;
   const VkFormat format = VK_FORMAT_D32_SFLOAT;
   struct vkt_image image = image_create(format, 1, samples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
   const VkImageView view = view_create(&image);
   const VkAttachmentDescription cleared = attachment(format, samples, CLEAR);
   const VkAttachmentReference unused = {VK_ATTACHMENT_UNUSED, GENERAL}, depth = {0, GENERAL};
   const VkQueryPoolCreateInfo query_info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 2};
   for (uint32_t colors = 0; colors < 2; colors++) {
      const VkSubpassDescription subpass = {
         .colorAttachmentCount = colors, .pColorAttachments = &unused, .pDepthStencilAttachment = &depth};
      VkRenderPass pass = pass_create(1, &cleared, 1, &subpass, NULL);
      VkFramebuffer framebuffer = framebuffer_create(pass, 1, &view, 1);
      VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = pass,
                                                                                 .layout = quad_layout,
                                                                                 .vertex = VKT_CODE(quad_vert),
                                                                                 .fragment = VKT_CODE(quad_frag),
                                                                                 .samples = samples,
                                                                                 .no_color = !colors,
                                                                                 .alpha_to_coverage = true});
      const VkClearValue clear = {.depthStencil = {1, 0}};
      VkQueryPool pool;
      vkx_check(vkCreateQueryPool(vkx->device, &query_info, NULL, &pool), "vkCreateQueryPool");
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkCmdResetQueryPool(cmd, pool, 0, 2);
      begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 1, &clear);
      for (uint32_t i = 0; i < 2; i++) {
         vkCmdBeginQuery(cmd, pool, i, 0);
         quad(cmd, pipeline, 3, 3, 9, 9, 0, BYTES(9, 9, 9, i ? 255 : 0));
         vkCmdEndQuery(cmd, pool, i);
      }
      vkCmdEndRenderPass(cmd);
      vkx_submit_and_wait(vkx, cmd);
      uint32_t counts[2] = {0};
      vkGetQueryPoolResults(vkx->device, pool, 0, 2, sizeof(counts), counts, 4, 0);
      vkt_expect(!counts[0] && counts[1], "alpha to coverage, %u unused targets: alpha 0 and 1 count %u and %u",
                 colors, counts[0], counts[1]);
      vkDestroyQueryPool(vkx->device, pool, NULL);
      destroy_pass(pass, framebuffer, 1, &pipeline);
   }
   destroy_images(1, &image, 1, &view);
}

/* The first target adds, the second of integers is masked. */
static void
test_independent(void)
{
   const VkFormat uint8 = VK_FORMAT_R8G8B8A8_UINT;
   const VkPipelineColorBlendAttachmentState blends[3] = {{.blendEnable = VK_TRUE,
                                                           .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                           .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                           .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                           .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                           .colorWriteMask = 0xb},
                                                          {0},
                                                          {.colorWriteMask = 0x6}};
   if (!vkt_features.independentBlend)
      return;
   struct vkt_image images[2] = {image_create(RGBA8, 1, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
                                 image_create(uint8, 1, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)};
   const VkImageView views[2] = {view_create(&images[0]), view_create(&images[1])};
   const VkAttachmentDescription attachments[2] = {attachment(RGBA8, 1, CLEAR), attachment(uint8, 1, CLEAR)};
   const VkAttachmentReference refs[3] = {{0, GENERAL}, {VK_ATTACHMENT_UNUSED, GENERAL}, {1, GENERAL}};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 3, .pColorAttachments = refs};
   VkRenderPass pass = pass_create(2, attachments, 1, &subpass, NULL);
   VkFramebuffer framebuffer = framebuffer_create(pass, 2, views, 1);
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = pass,
                                                                              .layout = quad_layout,
                                                                              .colors = 3,
                                                                              .vertex = VKT_CODE(quad_vert),
                                                                              .fragment = VKT_CODE(two_targets_frag),
                                                                              .blends = blends});
   const VkClearValue clears[2] = {clear_color(BYTES(1, 2, 3, 4)), {.color = {.uint32 = {5, 6, 7, 8}}}};
   VkCommandBuffer cmd = vkx_begin(vkx);
   begin(cmd, pass, framebuffer, (VkRect2D){{0, 0}, extent}, 2, clears);
   quad(cmd, pipeline, 10, 10, 20, 20, 0, BYTES(10, 20, 30, 40));
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&images[0]);
   expect("blending of the first target", 0, 12, 12, BYTES(11, 22, 3, 44));
   read_back(&images[1]);
   expect("the mask of the second target", 0, 12, 12, BYTES(5, 22, 33, 8));
   destroy_images(2, images, 2, views);
   destroy_pass(pass, framebuffer, 1, &pipeline);
}

/* Shades the samples of pixels from..to, and reads their means back; how many invocations there were. */
static uint32_t
shade_samples(struct vkt_code fragment, uint32_t from, uint32_t to)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct vkt_target four = vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_4_BIT);
   struct vkt_image resolved = image_create(RGBA8, 1, 1, 0);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &buffer);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = four.pass,
                                                                              .layout = layout,
                                                                              .samples = VK_SAMPLE_COUNT_4_BIT,
                                                                              .vertex = VKT_CODE(quad_vert),
                                                                              .fragment = fragment});
   const VkImageResolve region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .extent = {SIZE, SIZE, 1}};
   *(uint32_t *)buffer.map = 0;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &resolved, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
   vkt_target_begin(cmd, &four, four.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   quad(cmd, pipeline, from, from, to, to, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkCmdResolveImage(cmd, four.color.image, GENERAL, resolved.image, GENERAL, 1, &region);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   uint32_t count = *(uint32_t *)buffer.map;
   read_back(&resolved);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_sets_destroy(vkx);
   vkt_image_destroy(vkx, &resolved);
   vkt_target_destroy(vkx, &four);
   return count;
}

/* A fragment shader with SampleId or SamplePosition in its interface runs for each sample. */
static void
test_sample_shading(const char *what, struct vkt_code fragment)
{
   const uint32_t count = shade_samples(fragment, 4, 12);
   vkt_expect(count == 4 * 64, "%s: %u invocations of 256 samples", what, count);
   expect(what, 0, 6, 9, BYTES(100, 0, 0, 255)); /* where the colour is by sample: 40, 80, 120, 160 */
}

/* In column i the samples of mask i have one value, the others another. Means between two values of the format may go
 * to either, but not by which samples it are (Honeykrisp's and old RADV's do). */
static void
test_means(void)
{
   static const int some[4] = {5, 10, 20, 25}, others[4] = {223, 172, 238, 187};
   const bool ours = strstr(vkx->properties.deviceName, "(Indium)") != NULL;
   shade_samples(VKT_CODE(samples_mask_frag), 0, SIZE);
   const uint8_t *texels = buffer.map;
   for (unsigned mask = 0; mask < 16; mask++) {
      const int n = __builtin_popcount(mask);
      for (unsigned i = 0; i < 4; i++) {
         const int is = texels[4 * mask + i], sum = n * some[i] + (4 - n) * others[i];
         const int first = texels[4 * ((1u << n) - 1) + i];
         vkt_expect(abs(4 * is - sum) <= 2 && (is == first || !ours),
                    "mean of mask %u, component %u: %d, of the first %d samples %d", mask, i, is, n, first);
      }
   }
}

static void
test_samples(void)
{
   if (!vkt_features.sampleRateShading)
      return;
   test_sample_shading("SampleId", VKT_CODE(samples_frag));
   test_sample_shading("SampleId, listed only", VKT_CODE(samples_id_frag));
   test_sample_shading("SamplePosition, listed only", VKT_CODE(samples_position_frag));
   test_means();
}

int
main(int argc, char **argv)
{
   const bool radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   struct vkx device = vkt_create("features");
   vkx = &device;
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   quad_layout = vkt_quad_layout_create(vkx);
   target = vkt_target_create(vkx, RGBA8, VK_FORMAT_D32_SFLOAT, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   test_depth();
   test_cull_distance();
   test_read_distances(radv);
   test_polygon_modes();
   test_dual_source();
   test_source_alphas(radv);
   test_coverage_without_color();
   test_independent();
   test_samples();
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkx_buffer_destroy(vkx, &buffer);
   return vkt_finish(vkx);
}
