/* Random draws: each seed is a pass of random attachments with a few draws of random state. Run it on two drivers and
 * compare: see random_tile.h. */
#include <stdlib.h>
#include <string.h>

#include "random_generated.h"
#include "random_scene.h"
#include "random_set.h"
#include "vkt_draw.h"

#define GENERAL VK_IMAGE_LAYOUT_GENERAL
#define UNUSED VK_ATTACHMENT_UNUSED
#define MOST_ATTACHMENTS 17u

static struct vkx *vkx;
static struct vkx_buffer buffers[RANDOM_DRAWS][3], result, conditions;
static struct random_generated generated[RANDOM_DRAWS];
static bool generates, has_descriptor_buffers;

static VkAttachmentDescription
describe(const struct attachment *a, bool resolve)
{
   return (VkAttachmentDescription){0,
                                    a->info.format,
                                    a->info.samples,
                                    resolve ? VK_ATTACHMENT_LOAD_OP_DONT_CARE : a->loads[0],
                                    VK_ATTACHMENT_STORE_OP_STORE,
                                    a->loads[1],
                                    VK_ATTACHMENT_STORE_OP_STORE,
                                    GENERAL,
                                    GENERAL};
}

/* Colours, their resolved images, depth. */
static VkRenderPass
create_pass(const struct random_scene *scene)
{
   const struct random_targets *targets = &scene->targets;
   const uint32_t n = targets->colors;
   VkAttachmentDescription descriptions[MOST_ATTACHMENTS];
   VkAttachmentReference colors[8], resolves[8];
   uint32_t count = 0, preserved = 0;
   for (uint32_t i = 0; i < n; i++) {
      colors[i] = (VkAttachmentReference){scene->colors[i].unused ? UNUSED : count, GENERAL};
      descriptions[count++] = describe(&scene->colors[i], false);
   }
   for (uint32_t i = 0; i < n && targets->samples > 1; i++) {
      resolves[i] = (VkAttachmentReference){scene->colors[i].unused ? UNUSED : count, GENERAL};
      descriptions[count++] = describe(&scene->resolves[i], true);
   }
   const VkAttachmentReference depth = {count, GENERAL};
   if (targets->depth)
      descriptions[count++] = describe(&scene->depth, false);
   const VkSubpassDescription subpasses[2] = {
      {.colorAttachmentCount = targets->input ? 1 : n,
       .pColorAttachments = colors,
       .pResolveAttachments = targets->samples > 1 ? resolves : NULL,
       .pDepthStencilAttachment = targets->depth ? &depth : NULL},
      {.colorAttachmentCount = n - 1,
       .pColorAttachments = colors + 1,
       .inputAttachmentCount = 1,
       .pInputAttachments = colors,
       .pDepthStencilAttachment = targets->depth ? &depth : NULL,
       .preserveAttachmentCount = 0,
       .pPreserveAttachments = &preserved},
   };
   VkSubpassDependency dependencies[3];
   const VkAccessFlags access = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
   const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, inside = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
   const uint32_t last = targets->input;
   dependencies[0] = (VkSubpassDependency){VK_SUBPASS_EXTERNAL, 0, all, inside, access, access, 0};
   dependencies[1] = (VkSubpassDependency){last, VK_SUBPASS_EXTERNAL, inside, all, access, access, 0};
   dependencies[2] = (VkSubpassDependency){0, 1, inside, inside, access, access, VK_DEPENDENCY_BY_REGION_BIT};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = count,
                                        .pAttachments = descriptions,
                                        .subpassCount = 1 + last,
                                        .pSubpasses = subpasses,
                                        .dependencyCount = 2 + last,
                                        .pDependencies = dependencies};
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

/* All attachments in the order of the pass; all of them hold what was before. */
static uint32_t
create_attachments(struct random_scene *scene, VkCommandBuffer cmd, struct attachment **list)
{
   const struct random_targets *targets = &scene->targets;
   uint32_t count = 0;
   for (uint32_t i = 0; i < targets->colors; i++)
      list[count++] = &scene->colors[i];
   for (uint32_t i = 0; i < targets->colors && targets->samples > 1; i++)
      list[count++] = &scene->resolves[i];
   if (targets->depth)
      list[count++] = &scene->depth;
   for (uint32_t i = 0; i < count; i++) {
      struct attachment *a = list[i];
      const VkImageAspectFlags aspects = vkt_aspects(a->info.format);
      a->image = vkt_image_create(vkx, a->info, false);
      a->view = vkt_view_create(vkx, &a->image, VK_IMAGE_VIEW_TYPE_2D, aspects, a->level, a->layer, 1);
      const VkImageSubresourceRange range = {aspects, a->level, 1, 0, VK_REMAINING_ARRAY_LAYERS};
      vkt_transition(cmd, &a->image, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL);
      if (aspects == VK_IMAGE_ASPECT_COLOR_BIT)
         vkCmdClearColorImage(cmd, a->image.image, GENERAL, &a->before.color, 1, &range);
      else
         vkCmdClearDepthStencilImage(cmd, a->image.image, GENERAL, &a->before.depthStencil, 1, &range);
   }
   vkt_barrier(cmd);
   return count;
}

static VkFramebuffer
create_framebuffer(const struct random_scene *scene, VkRenderPass pass, uint32_t count, struct attachment **list)
{
   VkImageView views[MOST_ATTACHMENTS];
   for (uint32_t i = 0; i < count; i++)
      views[i] = list[i]->view;
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = pass,
                                         .attachmentCount = count,
                                         .pAttachments = views,
                                         .width = scene->targets.extent.width,
                                         .height = scene->targets.extent.height,
                                         .layers = 1};
   VkFramebuffer framebuffer;
   vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
   return framebuffer;
}

/* A draw and the clears ahead of it, under its condition. */
static void
record_draw(const struct random_scene *scene, VkCommandBuffer cmd, uint32_t i, VkPipelineLayout layout,
            VkPipeline pipeline)
{
   const struct clears *clears = &scene->clears[i];
   const struct random_draw *draw = &scene->draw[i];
   const bool has_conditions = vkt_has("VK_EXT_conditional_rendering");
   if (draw->condition == CONDITION_FAILS && !has_conditions)
      return;
   if (draw->condition && has_conditions) {
      ((uint32_t *)conditions.map)[i] = (draw->condition == CONDITION_HOLDS) != draw->condition_inverted;
      vkt_begin_condition(vkx, cmd, &conditions, i, draw->condition_inverted);
   }
   if (clears->count)
      vkCmdClearAttachments(cmd, clears->count, clears->attachments, clears->rects, clears->rect);
   random_draw_bind(cmd, draw, layout, pipeline, buffers[i]);
   if (draw->generated && generates)
      random_generated_draw(cmd, draw, layout, pipeline, &buffers[i][2], &generated[i]);
   else
      random_draw_record(cmd, draw, buffers[i]);
   if (draw->condition && has_conditions)
      VKT_PROC(vkx, vkCmdEndConditionalRenderingEXT)(cmd);
}

static void
record_draws(struct random_scene *scene, VkCommandBuffer cmd, VkRenderPass pass, VkPipelineLayout layout,
             VkPipeline *pipelines, VkQueryPool queries)
{
   const uint32_t subpasses = 1 + scene->targets.input;
   for (uint32_t subpass = 0, i = 0; subpass < subpasses; subpass++) {
      if (subpass)
         vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
      for (; i < (subpass + 1 < subpasses ? scene->first_of_second : scene->draws); i++) {
         pipelines[i] = random_pipeline_create(vkx, &scene->draw[i], layout, pass, subpass);
         vkCmdBeginQuery(cmd, queries, i, VK_QUERY_CONTROL_PRECISE_BIT);
         record_draw(scene, cmd, i, layout, pipelines[i]);
         vkCmdEndQuery(cmd, queries, i);
      }
   }
}

/* Draws all of it; the query counts lie at the start of the result. */
static void
run_pass(struct random_scene *scene, VkCommandBuffer cmd, uint32_t count, struct attachment **list)
{
   struct random_set set = {.in_buffer = scene->descriptor_buffer && has_descriptor_buffers};
   random_set_create(vkx, &set);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set.layout, VKT_QUAD_STAGES, sizeof(struct random_push));
   VkRenderPass pass = create_pass(scene);
   VkFramebuffer framebuffer = create_framebuffer(scene, pass, count, list);
   VkPipeline pipelines[RANDOM_DRAWS];
   const VkQueryPoolCreateInfo query_info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                             .queryType = VK_QUERY_TYPE_OCCLUSION,
                                             .queryCount = RANDOM_DRAWS};
   VkQueryPool queries;
   vkx_check(vkCreateQueryPool(vkx->device, &query_info, NULL, &queries), "vkCreateQueryPool");
   vkCmdResetQueryPool(cmd, queries, 0, RANDOM_DRAWS);
   if (scene->targets.input)
      random_set_bind(vkx, cmd, &set, layout, scene->colors[0].view);
   for (uint32_t i = 0; i < scene->draws; i++)
      scene->draw[i].pipeline_flags = set.in_buffer ? VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
   VkClearValue clears[MOST_ATTACHMENTS];
   for (uint32_t i = 0; i < count; i++)
      clears[i] = list[i]->clear;
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = pass,
                                        .framebuffer = framebuffer,
                                        .renderArea = scene->targets.area,
                                        .clearValueCount = count,
                                        .pClearValues = clears};
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   record_draws(scene, cmd, pass, layout, pipelines, queries);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   memset(result.map, 0, RANDOM_DRAWS * 4);
   vkx_check(vkGetQueryPoolResults(vkx->device, queries, 0, scene->draws, RANDOM_DRAWS * 4, result.map, 4,
                                   VK_QUERY_RESULT_WAIT_BIT),
             "vkGetQueryPoolResults");
   for (uint32_t i = 0; i < scene->draws; i++) {
      random_generated_destroy(&generated[i]);
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
   }
   vkDestroyQueryPool(vkx->device, queries, NULL);
   random_set_destroy(vkx, &set);
   vkDestroyFramebuffer(vkx->device, framebuffer, NULL);
   vkDestroyRenderPass(vkx->device, pass, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
}

static void
report(struct random_tile *tile, const struct attachment *a, const char *what, VkImageAspectFlags aspect)
{
   const uint32_t width = a->info.extent.width >> a->level, height = a->info.extent.height >> a->level;
   const uint32_t layers = a->info.arrayLayers * (a->info.extent.depth >> (a->info.extent.depth > 1 ? a->level : 0));
   if (!tile->unsupported)
      vkt_read(vkx, &a->image, aspect, a->level, &result);
   tile_result(tile, what, a->info.format, aspect, width, width * height * layers, result.map);
}

static void
report_all(struct random_tile *tile, const struct random_scene *scene)
{
   const struct random_targets *targets = &scene->targets;
   tile_result(tile, "samples passed", VK_FORMAT_UNDEFINED, VK_IMAGE_ASPECT_COLOR_BIT, RANDOM_DRAWS, RANDOM_DRAWS,
               result.map);
   for (uint32_t i = 0; i < targets->colors; i++) {
      char what[16] = "colour 0";
      what[7] = (char)('0' + i);
      report(tile, targets->samples > 1 ? &scene->resolves[i] : &scene->colors[i], what, VK_IMAGE_ASPECT_COLOR_BIT);
   }
   const VkImageAspectFlags aspects = targets->depth && targets->samples == 1 ? vkt_aspects(targets->depth) : 0;
   if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT)
      report(tile, &scene->depth, "depth", VK_IMAGE_ASPECT_DEPTH_BIT);
   if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT)
      report(tile, &scene->depth, "stencil", VK_IMAGE_ASPECT_STENCIL_BIT);
}

static void
make(struct vkx *device, struct random_tile *tile)
{
   static struct random_scene scene;
   struct attachment *list[MOST_ATTACHMENTS];
   uint32_t count = 0;
   vkx = device;
   if (!result.buffer) {
      generates = random_can_generate(vkx);
      has_descriptor_buffers = random_has_descriptor_buffers(vkx);
      result = vkt_buffer_create(vkx, 4 << 20, 0);
      conditions =
         vkx_buffer_create(vkx, RANDOM_DRAWS * 4,
                           vkt_has("VK_EXT_conditional_rendering") ? VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT
                                                                   : VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                           true);
   }
   memset(&scene, 0, sizeof(scene));
   uint8_t *maps[RANDOM_DRAWS][3];
   for (unsigned i = 0; i < RANDOM_DRAWS * 3; i++) {
      struct vkx_buffer *buffer = &buffers[i / 3][i % 3];
      if (!buffer->buffer)
         *buffer = vkt_buffer_create(vkx, RANDOM_DRAW_B, 0);
      maps[i / 3][i % 3] = memset(buffer->map, 0, RANDOM_DRAW_B);
   }
   random_scene_choose(vkx, tile, &scene, maps);
   if (!tile->unsupported) {
      VkCommandBuffer cmd = vkx_begin(vkx);
      count = create_attachments(&scene, cmd, list);
      run_pass(&scene, cmd, count, list);
      random_scene_count(&scene);
   }
   report_all(tile, &scene);
   for (uint32_t i = 0; i < count; i++) {
      vkDestroyImageView(vkx->device, list[i]->view, NULL);
      vkt_image_destroy(vkx, &list[i]->image);
   }
}

static void
finish(void)
{
   for (unsigned i = 0; i < RANDOM_DRAWS * 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i / 3][i % 3]);
   vkx_buffer_destroy(vkx, &conditions);
   vkx_buffer_destroy(vkx, &result);
}

int
main(int argc, char **argv)
{
   vkt_descriptor_buffers = true;
   vkt_generated_commands = !getenv("VK_INSTANCE_LAYERS"); /* Debian 12's validation ends with them */
   return random_tiles_main(argc, argv, &(struct random_program){"random_draws", make, finish, &random_draw_pairs});
}
