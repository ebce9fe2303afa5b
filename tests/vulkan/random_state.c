#include <math.h>

#include "random_pipeline.h"

static void
choose_viewport(struct random_tile *tile, struct random_draw *draw, const struct random_targets *targets)
{
   VkViewport *viewport = &draw->viewport;
   const bool whole = chance(tile, 40);
   *viewport = (VkViewport){0, 0, (float)targets->extent.width, (float)targets->extent.height, 0, 1};
   if (!whole)
      *viewport = (VkViewport){(float)rnd(tile, 33) - 8,
                               (float)rnd(tile, 33) - 8,
                               (float)(8 + rnd(tile, 89)),
                               (float)(8 + rnd(tile, 89)),
                               0,
                               1};
   if (!whole && !tile->strict) /* devices do not clip at the middle of a pixel */
      viewport->x += (float)rnd(tile, 4) / 4, viewport->y += (float)rnd(tile, 4) / 4;
   if (chance(tile, 30)) {
      viewport->y += viewport->height;
      viewport->height = -viewport->height;
   }
   if (chance(tile, 30)) {
      viewport->minDepth = (float)rnd(tile, 5) / 4;
      viewport->maxDepth = (float)rnd(tile, 5) / 4;
   }
   /* Nothing may be drawn outside of the render area. */
   draw->scissor = targets->area;
   if (chance(tile, 40)) {
      const uint32_t x = rnd(tile, draw->scissor.extent.width / 2), y = rnd(tile, draw->scissor.extent.height / 2);
      draw->scissor.offset.x += (int32_t)x;
      draw->scissor.offset.y += (int32_t)y;
      draw->scissor.extent.width -= x + rnd(tile, draw->scissor.extent.width - x) / 2;
      draw->scissor.extent.height -= y + rnd(tile, draw->scissor.extent.height - y) / 2;
      if (chance(tile, 3))
         draw->scissor.extent.width = 0;
   }
   say(tile, " vp %g,%g %gx%g %g..%g", viewport->x, viewport->y, viewport->width, viewport->height,
       viewport->minDepth, viewport->maxDepth);
   say(tile, " scissor %d,%d %ux%u", draw->scissor.offset.x, draw->scissor.offset.y, draw->scissor.extent.width,
       draw->scissor.extent.height);
}

static void
choose_raster(struct random_tile *tile, struct random_draw *draw, const struct random_targets *targets)
{
   VkPipelineRasterizationStateCreateInfo *raster = &draw->raster;
   *raster = (VkPipelineRasterizationStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   raster->depthClampEnable = chance(tile, 20) && need(tile, vkt_features.depthClamp);
   raster->rasterizerDiscardEnable = chance(tile, 2);
   raster->cullMode = chance(tile, 70) ? 0 : chance(tile, 5) ? 3 : 1 + rnd(tile, 2);
   raster->frontFace = (VkFrontFace)rnd(tile, 2);
   /* The size of the points of polygons, and what polygons without area leave, is up to the device. */
   if (!tile->strict && chance(tile, 30) && need(tile, vkt_features.fillModeNonSolid))
      raster->polygonMode = (VkPolygonMode)(1 + rnd(tile, 2));
   raster->depthBiasEnable = chance(tile, 25);
   /* Other depths than the viewport's are undefined unless they are clamped. */
   if ((raster->depthBiasEnable || draw->fragment_shader % 3 == 1) && need(tile, vkt_features.depthClamp))
      raster->depthClampEnable = VK_TRUE;
   raster->depthBiasConstantFactor = (float)rnd(tile, 17) - 8;
   raster->depthBiasSlopeFactor = chance(tile, 50) ? (float)rnd(tile, 5) - 2 : 0;
   if (chance(tile, 30) && need(tile, vkt_features.depthBiasClamp))
      raster->depthBiasClamp = ((float)rnd(tile, 9) - 4) / 65536;
   const bool triangles = draw->assembly.topology >= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
   if ((triangles ? raster->polygonMode == VK_POLYGON_MODE_LINE
                  : draw->assembly.topology != VK_PRIMITIVE_TOPOLOGY_POINT_LIST)) {
      tile->vague = true; /* lines are not strict */
      if (chance(tile, 50) && need(tile, vkt_features.wideLines))
         raster->lineWidth = 1 + (float)rnd(tile, 40) / 8;
   }
   choose_viewport(tile, draw, targets);
   if (raster->depthBiasEnable && draw->mode == 6)
      draw->mode = 5; /* without a depth attachment nobody knows the unit of the bias */
   if (raster->depthBiasEnable)
      tile->slack += 20.0f / 65535; /* of the unit of depths of 16 bits only the order is certain */
   say(tile, " cull %u front %u poly %u%s%s%s", raster->cullMode, raster->frontFace, raster->polygonMode,
       raster->depthClampEnable ? " clamp" : "", raster->rasterizerDiscardEnable ? " none" : "",
       raster->depthBiasEnable ? " bias" : "");
   if (raster->depthBiasEnable)
      say(tile, "(%g %g %g)", raster->depthBiasConstantFactor, raster->depthBiasSlopeFactor, raster->depthBiasClamp);
}

static VkStencilOpState
choose_stencil(struct random_tile *tile)
{
   return (VkStencilOpState){
      .failOp = (VkStencilOp)rnd(tile, 8),
      .passOp = (VkStencilOp)rnd(tile, 8),
      .depthFailOp = (VkStencilOp)rnd(tile, 8),
      .compareOp = chance(tile, 60) ? VK_COMPARE_OP_ALWAYS : (VkCompareOp)rnd(tile, 8),
      .compareMask = chance(tile, 60) ? 0xff : rnd(tile, 256),
      .writeMask = chance(tile, 60) ? 0xff : rnd(tile, 256),
      .reference = rnd(tile, 256),
   };
}

static void
choose_depth(struct random_tile *tile, struct random_draw *draw)
{
   VkPipelineDepthStencilStateCreateInfo *depth = &draw->depth;
   *depth = (VkPipelineDepthStencilStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = chance(tile, 60),
      .depthWriteEnable = chance(tile, 70),
      .depthCompareOp = chance(tile, 50) ? VK_COMPARE_OP_ALWAYS : (VkCompareOp)rnd(tile, 8),
      .stencilTestEnable = chance(tile, 50),
   };
   depth->front = choose_stencil(tile);
   depth->back = chance(tile, 30) ? depth->front : choose_stencil(tile);
   depth->depthBoundsTestEnable = chance(tile, 5) && need(tile, vkt_features.depthBounds);
   depth->minDepthBounds = (float)rnd(tile, 3) / 8;
   depth->maxDepthBounds = 0.5f + (float)rnd(tile, 5) / 8;
   say(tile, " z %d%d op %d s %d", depth->depthTestEnable, depth->depthWriteEnable, depth->depthCompareOp,
       depth->stencilTestEnable);
   for (unsigned i = 0; i < 2 && depth->stencilTestEnable; i++) {
      const VkStencilOpState *face = i ? &depth->back : &depth->front;
      say(tile, " (%d%d%d %d %02x %02x %02x)", face->failOp, face->passOp, face->depthFailOp, face->compareOp,
          face->compareMask, face->writeMask, face->reference);
   }
}

static bool
is_among(VkFormat format, const VkFormat *formats, unsigned count)
{
   while (count && formats[count - 1] != format)
      count--;
   return count;
}

static bool
can_blend(VkFormat format)
{
   /* clang-format off */
   static const VkFormat formats[] = {
      VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB,
      VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_R16_SFLOAT,
      VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R5G6B5_UNORM_PACK16,
      VK_FORMAT_A1R5G5B5_UNORM_PACK16, VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM, VK_FORMAT_R8_SNORM,
      VK_FORMAT_R16_SNORM, VK_FORMAT_R16G16_SNORM, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT,
      VK_FORMAT_R32G32B32A32_SFLOAT};
   /* clang-format on */
   return is_among(format, formats, sizeof(formats) / sizeof(formats[0]));
}

/* RADV 22.3.6 exports no alpha for SRC1_ALPHA and formats of one or two wide components. */
static bool
radv_drops_alpha(const VkPipelineColorBlendAttachmentState *blend, VkFormat format)
{
   static const VkFormat formats[] = {VK_FORMAT_R16_UNORM,    VK_FORMAT_R16G16_UNORM, VK_FORMAT_R16_SNORM,
                                      VK_FORMAT_R16G16_SNORM, VK_FORMAT_R32_SFLOAT,   VK_FORMAT_R32G32_SFLOAT};
   return is_among(format, formats, sizeof(formats) / sizeof(formats[0])) &&
          (blend->srcColorBlendFactor >= VK_BLEND_FACTOR_SRC1_ALPHA ||
           blend->dstColorBlendFactor >= VK_BLEND_FACTOR_SRC1_ALPHA);
}

/* All targets hold bytes, whole numbers, or what logical operations do not write. lavapipe's operations on whole
 * numbers of ten bits are on 32 bits, of which the largest fit is kept. */
static bool
exact_bytes(const struct random_targets *targets)
{
   for (uint32_t i = 0; i < targets->colors; i++) {
      const VkFormat f = targets->formats[i];
      if (f == VK_FORMAT_R5G6B5_UNORM_PACK16 || f == VK_FORMAT_A1R5G5B5_UNORM_PACK16 || f == VK_FORMAT_R16_UNORM ||
          f == VK_FORMAT_A2B10G10R10_UNORM_PACK32 || f == VK_FORMAT_A2B10G10R10_UINT_PACK32)
         return false;
   }
   return true;
}

static void
choose_blend(struct vkx *vkx, struct random_tile *tile, struct random_draw *draw,
             const struct random_targets *targets, uint32_t subpass)
{
   const bool dual = draw->fragment_shader == SHADER_DUAL;
   const uint32_t skip = targets->input && subpass;
   draw->blend = (VkPipelineColorBlendStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = targets->input ? (subpass ? targets->colors - 1 : 1) : targets->colors,
      .blendConstants = {(float)rnd(tile, 256) / 255, (float)rnd(tile, 256) / 255, (float)rnd(tile, 256) / 255,
                         (float)rnd(tile, 256) / 255},
      .logicOpEnable = draw->mode == 0 && targets->samples == 1 && exact_bytes(targets) && chance(tile, 30),
      .logicOp = (VkLogicOp)rnd(tile, 16),
   };
   if (draw->blend.logicOpEnable && need(tile, vkt_features.logicOp))
      say(tile, " logic %d", draw->blend.logicOp);
   const bool each = chance(tile, 70) && need(tile, vkt_features.independentBlend);
   const bool blends = (chance(tile, 50) || dual) && !draw->blend.logicOpEnable;
   for (uint32_t i = 0; i < 8; i++) {
      const uint32_t factors = dual ? 19 : 15;
      draw->blends[i] = (VkPipelineColorBlendAttachmentState){
         .blendEnable = blends,
         .srcColorBlendFactor = (VkBlendFactor)rnd(tile, factors),
         .dstColorBlendFactor = (VkBlendFactor)rnd(tile, factors),
         .colorBlendOp = (VkBlendOp)rnd(tile, 5),
         .srcAlphaBlendFactor = (VkBlendFactor)rnd(tile, factors),
         .dstAlphaBlendFactor = (VkBlendFactor)rnd(tile, factors),
         .alphaBlendOp = (VkBlendOp)rnd(tile, 5),
         .colorWriteMask = chance(tile, 70) ? 0xf : rnd(tile, 16),
      };
      if (!each)
         draw->blends[i] = draw->blends[0];
   }
   bool all = true;
   for (uint32_t i = 0; i < draw->blend.attachmentCount; i++)
      all &= can_blend(targets->formats[i + skip]);
   float slack = 0;
   for (uint32_t i = 0; i < draw->blend.attachmentCount; i++) {
      VkPipelineColorBlendAttachmentState *b = &draw->blends[i];
      b->blendEnable &= each ? can_blend(targets->formats[i + skip]) : all;
      if (b->blendEnable) {
         need(tile, random_format_has(vkx, targets->formats[i + skip], VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT));
         tile->radv_fails |= radv_drops_alpha(b, targets->formats[i + skip]);
         say(tile, " blend%u %d %d %d, %d %d %d", i, b->srcColorBlendFactor, b->colorBlendOp, b->dstColorBlendFactor,
             b->srcAlphaBlendFactor, b->alphaBlendOp, b->dstAlphaBlendFactor);
         slack = targets->formats[i + skip] == VK_FORMAT_R5G6B5_UNORM_PACK16 ||
                       targets->formats[i + skip] == VK_FORMAT_A1R5G5B5_UNORM_PACK16
                    ? 0.035f
                    : fmaxf(slack, 0.006f);
      }
      if (b->colorWriteMask != 0xf)
         say(tile, " mask%u %x", i, b->colorWriteMask);
   }
   tile->slack += slack;
}

static void
choose_samples(struct random_tile *tile, struct random_draw *draw, const struct random_targets *targets)
{
   draw->multisample = (VkPipelineMultisampleStateCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = targets->samples};
   draw->sample_mask = chance(tile, 75) ? UINT32_MAX : 1 + rnd(tile, 15);
   if (tile->strict && targets->samples == 1)
      draw->sample_mask |= 1; /* lavapipe has no mask for one sample */
   draw->multisample.alphaToCoverageEnable = !tile->strict && targets->types == TYPES_FLOAT && chance(tile, 10);
   tile->vague |= draw->multisample.alphaToCoverageEnable;
   tile->radv_fails |= draw->multisample.alphaToCoverageEnable; /* it dithers, and ours does not */
   if (targets->samples > 1 && chance(tile, 25) && need(tile, vkt_features.sampleRateShading)) {
      draw->multisample.sampleShadingEnable = VK_TRUE;
      draw->multisample.minSampleShading = tile->strict ? 1 : (float)rnd(tile, 3) / 2;
      tile->vague |= draw->multisample.minSampleShading < 1;
   }
   if (draw->sample_mask != UINT32_MAX)
      say(tile, " samples %x", draw->sample_mask);
   say(tile, "%s%s", draw->multisample.alphaToCoverageEnable ? " alpha to coverage" : "",
       draw->multisample.sampleShadingEnable ? " sample shading" : "");
}

static void
choose_shaders(struct random_tile *tile, struct random_draw *draw, const struct random_targets *targets,
               uint32_t subpass)
{
   static const float slopes[] = {0, 0, 0, 1};
   static const float steps[] = {0, 1, 2, -1};
   struct random_push *push = &draw->push;
   draw->mode = chance(tile, 40) ? 0 : (int32_t)rnd(tile, 7);
   draw->vertex_shader = chance(tile, 20) ? SHADER_CLIP : SHADER_VERTEX;
   draw->fragment_shader = targets->types * 3 + (chance(tile, 15) ? 1 : chance(tile, 20) ? 2 : 0);
   if (targets->input && subpass) {
      draw->fragment_shader = SHADER_INPUT;
      tile->slack += 0.02f; /* what is read may have five bits */
   } else if (targets->types == TYPES_FLOAT && targets->colors == 1 && chance(tile, 60) &&
              need(tile, vkt_features.dualSrcBlend)) {
      draw->fragment_shader = SHADER_DUAL;
   }
   if (targets->types != TYPES_FLOAT && (draw->mode == 1 || draw->mode == 2 || draw->mode == 6))
      draw->mode = 0;
   push->scale[3] = PICK(tile, slopes);
   push->scale[1] = push->scale[3] != 0 ? 0 : (float)(16 + rnd(tile, 25)) / 64;
   push->scale[2] = PICK(tile, steps);
   tile->pixels += push->scale[3] != 0 ? 12 : 0;
   push->misc[0] = 1 + (float)(rnd(tile, 80) * 2 + 1) / 8;
   push->misc[1] = chance(tile, 25);
   push->misc[2] = chance(tile, 25);
   /* Whether points beyond the clip volume are drawn is left to the device. */
   push->misc[3] = draw->assembly.topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ? 0.5f : 1;
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned j = 0; j < 2; j++)
         push->clip[i][j] = (float)rnd(tile, 9) / 8 - 0.5f;
      push->clip[i][2] = (float)(rnd(tile, 64) * 2 + 1) / 128;
   }
   tile->pixels += draw->vertex_shader == SHADER_CLIP ? 24 : 0;
   /* lavapipe drops some of slivers, and rounds the edges of points in another way. */
   tile->pixels += draw->assembly.topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST ? 80 : 12;
   push->fragment[0] = (float)rnd(tile, 33) / 64;
   push->fragment[1] = (float)rnd(tile, 4);
   say(tile, " mode %d shader %u,%u w %g slope %g", draw->mode, draw->vertex_shader, draw->fragment_shader,
       push->misc[1], push->scale[3]);
}

/* From numbers of their own, so that older tiles keep all else. */
static void
choose_extensions(struct random_tile *tile, struct random_draw *draw, const struct random_targets *targets)
{
   const uint32_t state = tile->state;
   tile->state = tile->state * 0x9e3779b1u | 1;
   draw->provokes_last = chance(tile, 30) && need(tile, vkt_has("VK_EXT_provoking_vertex"));
   /* Depth that is neither clipped nor clamped is left to the device. */
   if (chance(tile, 40) && need(tile, vkt_has("VK_EXT_depth_clip_enable")))
      draw->depth_clip = draw->raster.depthClampEnable ? 1 + rnd(tile, 2) : 2;
   draw->multisample.alphaToOneEnable =
      chance(tile, 20) && targets->types == TYPES_FLOAT && need(tile, vkt_features.alphaToOne);
   /* Vulkan excludes such lines from all three. */
   const VkPipelineMultisampleStateCreateInfo *m = &draw->multisample;
   draw->bresenham = chance(tile, 20) && !m->alphaToCoverageEnable && !m->alphaToOneEnable &&
                     !m->sampleShadingEnable && need(tile, vkt_has("VK_EXT_line_rasterization"));
   const bool switches = chance(tile, 10) && need(tile, vkt_has("VK_EXT_color_write_enable"));
   for (unsigned i = 0; i < 8; i++)
      draw->colors_written[i] = !switches || chance(tile, 50);
   if (draw->provokes_last || draw->depth_clip || switches || draw->bresenham || draw->multisample.alphaToOneEnable)
      say(tile, " last %d clip %u writes %d one %d bresenham %d", draw->provokes_last, draw->depth_clip, switches,
          draw->multisample.alphaToOneEnable, draw->bresenham);
   /* A device without conditions leaves out what one would. */
   if (chance(tile, 40))
      draw->condition = 1 + rnd(tile, 2);
   draw->condition_inverted = chance(tile, 50);
   draw->generated = chance(tile, 30);
   if (draw->condition || draw->generated)
      say(tile, " condition %d inverted %d generated %d", draw->condition, draw->condition_inverted, draw->generated);
   tile->state = state;
}

void
random_draw_choose(struct vkx *vkx, struct random_tile *tile, struct random_draw *draw,
                   const struct random_targets *targets, uint32_t subpass, uint8_t *const maps[3])
{
   static const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT,
                                           VK_DYNAMIC_STATE_SCISSOR,
                                           VK_DYNAMIC_STATE_LINE_WIDTH,
                                           VK_DYNAMIC_STATE_DEPTH_BIAS,
                                           VK_DYNAMIC_STATE_BLEND_CONSTANTS,
                                           VK_DYNAMIC_STATE_DEPTH_BOUNDS,
                                           VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
                                           VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
                                           VK_DYNAMIC_STATE_STENCIL_REFERENCE};
   *draw = (struct random_draw){.assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO}};
   say(tile, "\n   ");
   draw->assembly.topology = (VkPrimitiveTopology)(chance(tile, 82) ? 3 + rnd(tile, 3)
                                                   : tile->strict   ? 0
                                                                    : rnd(tile, 3));
   choose_shaders(tile, draw, targets, subpass);
   random_vertices(vkx, tile, draw, draw->mode == 0, maps[0]);
   random_command(tile, draw, maps[1], maps[2]);
   choose_raster(tile, draw, targets);
   choose_depth(tile, draw);
   choose_blend(vkx, tile, draw, targets, subpass);
   choose_samples(tile, draw, targets);
   for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
      if (chance(tile, 50))
         draw->dynamic[draw->num_dynamic++] = states[i];
   }
   choose_extensions(tile, draw, targets);
}
