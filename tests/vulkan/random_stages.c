/* Random pipelines over vertex, tessellation and geometry shaders, transform feedback, queries, restarts, layers,
 * viewports, views. On the device of this tree they are whole pipelines, linked from libraries, or shader objects.
 * What is drawn, captured and counted must be the same on every device: see random_tile.h. */
#include "random_stages.h"

#include <stdlib.h>

#include "pass_helpers.h"
#include "random_tile.h"
#include "vkt_objects.h"

enum { SIDE = 64, LAYERS = 2, CAPTURED_B = 1 << 18, VERTEX_B = 32, MOST_VERTICES = 64 };

enum { NO_CAPTURE, LARGE_CAPTURE, SMALL_CAPTURE, PAUSED_CAPTURE };

/* Choices of a pipeline and its draws. */
enum {
   TOPOLOGY, /* from TOPOLOGIES on evaluation shaders */
   CONTROL,  /* vertices that the control shader makes */
   GEOMETRY, /* 0: none; else what it makes, enum stages_output + 1 */
   INDICES,  /* none, u16, u32 */
   RESTART,
   INSTANCES,
   LAYERED,
   VIEWPORTS,
   VIEWS,
   WAY, /* whole, libraries, objects */
   DISCARD,
   CAPTURE,
   INDIRECT,
   SECONDARY,
   DRAWS,
   CHOICES,
};

enum { TOPOLOGIES = 10 };

static const struct choice table[CHOICES] = {
   [TOPOLOGY] = {"topology", TOPOLOGIES + STAGES_EVALUATIONS, 0, false},
   [CONTROL] = {"control", 2, 0, false},
   [GEOMETRY] = {"geometry", 4, 2, false},
   [INDICES] = {"indices", 3, 0, false},
   [RESTART] = {"restart", 2, 0, false},
   [INSTANCES] = {"instances", 3, 0, false},
   [LAYERED] = {"layers", 2, 0, false},
   [VIEWPORTS] = {"viewports", 2, 3, false},
   [VIEWS] = {"views", 2, 3, false},
   [WAY] = {"way", 3, 0, false},
   [DISCARD] = {"discard", 2, 4, false},
   [CAPTURE] = {"capture", 4, 0, false},
   [INDIRECT] = {"indirect", 2, 0, false},
   [SECONDARY] = {"secondary", 2, 3, false},
   [DRAWS] = {"draws", 3, 0, false},
};
/* The geometry shaders write layers, which views exclude. */
static const struct choices_never never[] = {{TOPOLOGY, 0, CONTROL, 1},
                                             {TOPOLOGY, 1, CONTROL, 1},
                                             {TOPOLOGY, 2, CONTROL, 1},
                                             {TOPOLOGY, 3, CONTROL, 1},
                                             {TOPOLOGY, 4, CONTROL, 1},
                                             {TOPOLOGY, 5, CONTROL, 1},
                                             {TOPOLOGY, 6, CONTROL, 1},
                                             {TOPOLOGY, 7, CONTROL, 1},
                                             {TOPOLOGY, 8, CONTROL, 1},
                                             {TOPOLOGY, 9, CONTROL, 1},
                                             {INDICES, 0, RESTART, 1},
                                             {GEOMETRY, 0, LAYERED, 1},
                                             {GEOMETRY, 0, VIEWPORTS, 1},
                                             {LAYERED, 1, VIEWS, 1},
                                             {GEOMETRY, 1, VIEWS, 1},
                                             {GEOMETRY, 2, VIEWS, 1},
                                             {GEOMETRY, 3, VIEWS, 1},
                                             {VIEWPORTS, 1, VIEWS, 1},
                                             {CAPTURE, LARGE_CAPTURE, VIEWS, 1},
                                             {CAPTURE, SMALL_CAPTURE, VIEWS, 1},
                                             {CAPTURE, PAUSED_CAPTURE, VIEWS, 1}};
static struct choices pairs = {
   .table = table, .count = CHOICES, .never = never, .never_count = sizeof(never) / sizeof(never[0])};

static struct vkt_target target, views; /* views: the same images, of two views */
static struct vkx_buffer indices, parameters, captured, counters, picture;
static VkQueryPool queries; /* of what is captured */
static VkPipelineLayout layout;

/* ---- what it is ---- */

/* NULL: not tessellated. */
static const struct stages_evaluation *
evaluation_of(void)
{
   const unsigned number = pairs.now[TOPOLOGY];
   return number < TOPOLOGIES ? NULL : &stages_evaluations[number - TOPOLOGIES];
}

struct stages {
   VkPrimitiveTopology topology;
   uint32_t patch_vertices; /* 0: none */
   uint32_t input, output;  /* enum stages_input: of the geometry shader; enum stages_output: what is drawn */
   uint32_t count, draws, instances;
   uint32_t room_B; /* of the captured buffer */
};

static bool
is_strip(VkPrimitiveTopology topology)
{
   return topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP || topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ||
          topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN ||
          topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY ||
          topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
}

/* By topology, what a geometry shader gets, and what is drawn without one. */
static const uint8_t inputs[] = {STAGES_POINTS,
                                 STAGES_LINES,
                                 STAGES_LINES,
                                 STAGES_TRIANGLES,
                                 STAGES_TRIANGLES,
                                 STAGES_TRIANGLES,
                                 STAGES_LINES_ADJACENCY,
                                 STAGES_LINES_ADJACENCY,
                                 STAGES_TRIANGLES_ADJACENCY,
                                 STAGES_TRIANGLES_ADJACENCY};
static const uint8_t outputs[] = {
   STAGES_MADE_POINTS,    STAGES_MADE_LINES, STAGES_MADE_LINES, STAGES_MADE_TRIANGLES, STAGES_MADE_TRIANGLES,
   STAGES_MADE_TRIANGLES, STAGES_MADE_LINES, STAGES_MADE_LINES, STAGES_MADE_TRIANGLES, STAGES_MADE_TRIANGLES};

static struct stages
choose(struct random_tile *tile)
{
   const unsigned *now = pairs.now;
   const struct stages_evaluation *evaluation = evaluation_of();
   struct stages s = {.topology = evaluation ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : (VkPrimitiveTopology)now[TOPOLOGY]};
   if (evaluation) {
      static const uint8_t tessellated[] = {STAGES_POINTS, STAGES_LINES, STAGES_TRIANGLES};
      s.patch_vertices = 1 + rnd(tile, 6);
      s.output = evaluation->output;
      s.input = tessellated[s.output];
   } else {
      s.input = inputs[s.topology];
      s.output = outputs[s.topology];
   }
   if (now[GEOMETRY])
      s.output = now[GEOMETRY] - 1;
   s.draws = 1 + now[DRAWS];
   s.instances = 1 + now[INSTANCES];
   s.count = rnd(tile, evaluation ? 20 : MOST_VERTICES);
   s.room_B = now[CAPTURE] == SMALL_CAPTURE ? VERTEX_B * (1 + rnd(tile, 40)) : CAPTURED_B;
   return s;
}

static bool
restarts(const struct stages *s)
{
   return pairs.now[RESTART] && pairs.now[INDICES] && is_strip(s->topology);
}

static const struct vkt_target *
drawn_to(void)
{
   return pairs.now[VIEWS] ? &views : &target;
}

static VkPipeline
pipeline_of(const struct stages *s, uint32_t seed)
{
   const unsigned *now = pairs.now;
   const struct {
      uint32_t seed;
      float center;
      VkBool32 layered, viewports;
   } values = {seed, s->output == STAGES_MADE_POINTS ? 0.5f : 0, now[LAYERED] && now[GEOMETRY], now[VIEWPORTS]};
   const VkSpecializationMapEntry entries[4] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}, {3, 12, 4}};
   const VkSpecializationInfo specialization = {4, entries, sizeof(values), &values};
   const VkPipelineTessellationStateCreateInfo tessellation = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = s->patch_vertices};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = now[DISCARD],
      .lineWidth = 1};
   const struct stages_evaluation *evaluation = evaluation_of();
   const struct vkt_code none = {0};
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){
                                      .pass = drawn_to()->pass,
                                      .layout = layout,
                                      .viewports = 1 + now[VIEWPORTS],
                                      .topology = s->topology,
                                      .tessellation = evaluation ? &tessellation : NULL,
                                      .raster = &raster,
                                      .restart = restarts(s),
                                      .points = s->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                      .specialization = &specialization,
                                      .vertex = evaluation || now[GEOMETRY] ? stages_vertex : stages_vertex_captures,
                                      .control = evaluation ? stages_controls[now[CONTROL]] : none,
                                      .evaluation = !evaluation     ? none
                                                    : now[GEOMETRY] ? evaluation->code
                                                                    : evaluation->captures,
                                      .geometry = now[GEOMETRY] ? stages_geometries[s->input][s->output] : none,
                                      .fragment = stages_fragment,
                                   });
}

/* ---- draws ---- */

static void
write_indices(struct random_tile *tile, const struct stages *s)
{
   for (uint32_t i = 0; i < MOST_VERTICES; i++) {
      const uint32_t index = chance(tile, 12) ? UINT32_MAX : rnd(tile, 50);
      ((uint32_t *)indices.map)[i] = restarts(s) ? index : index % 50;
   }
   for (uint32_t i = 0; i < MOST_VERTICES && pairs.now[INDICES] == 1; i++)
      ((uint16_t *)indices.map)[i] = (uint16_t)((uint32_t *)indices.map)[i];
}

static void
record_draw(VkCommandBuffer cmd, const struct stages *s, uint32_t number)
{
   const VkDeviceSize at_B = 32 * number;
   if (pairs.now[INDICES]) {
      const VkDrawIndexedIndirectCommand command = {s->count, s->instances, 0, (int32_t)number, number};
      memcpy((char *)parameters.map + at_B, &command, sizeof(command));
      if (pairs.now[INDIRECT])
         vkCmdDrawIndexedIndirect(cmd, parameters.buffer, at_B, 1, sizeof(command));
      else
         vkCmdDrawIndexed(cmd, s->count, s->instances, 0, (int32_t)number, number);
      return;
   }
   const VkDrawIndirectCommand command = {s->count, s->instances, number, number};
   memcpy((char *)parameters.map + at_B, &command, sizeof(command));
   if (pairs.now[INDIRECT])
      vkCmdDrawIndirect(cmd, parameters.buffer, at_B, 1, sizeof(command));
   else
      vkCmdDraw(cmd, s->count, s->instances, number, number);
}

static void
begin_capture(VkCommandBuffer cmd, bool resumes)
{
   const VkDeviceSize at_B = 0;
   VKT_PROC(vkx, vkCmdBeginTransformFeedbackEXT)(cmd, 0, resumes, &counters.buffer, &at_B);
}

static void
end_capture(VkCommandBuffer cmd)
{
   const VkDeviceSize at_B = 0;
   VKT_PROC(vkx, vkCmdEndTransformFeedbackEXT)(cmd, 0, 1, &counters.buffer, &at_B);
}

/* Between two captures: the counter is read where it was written. */
static void
pause_capture(VkCommandBuffer cmd)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
                                    .dstAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT};
   end_capture(cmd);
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1,
                        &barrier, 0, NULL, 0, NULL);
   begin_capture(cmd, true);
}

/* The second one is moved by whole pixels. */
static void
set_viewports(VkCommandBuffer cmd)
{
   const VkViewport viewports[2] = {{0, 0, SIDE, SIDE, 0, 1}, {16, 8, SIDE, SIDE, 0, 1}};
   const VkRect2D scissors[2] = {{{0, 0}, {SIDE, SIDE}}, {{0, 0}, {SIDE, SIDE - 2}}};
   vkCmdSetViewport(cmd, 0, 1 + pairs.now[VIEWPORTS], viewports);
   vkCmdSetScissor(cmd, 0, 1 + pairs.now[VIEWPORTS], scissors);
}

static void
record(VkCommandBuffer cmd, const struct stages *s, VkPipeline pipeline)
{
   const unsigned *now = pairs.now;
   const VkDeviceSize none = 0, size_B = s->room_B;
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   set_viewports(cmd);
   vkCmdBindIndexBuffer(cmd, indices.buffer, 0, now[INDICES] == 1 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32);
   if (now[CAPTURE]) {
      VKT_PROC(vkx, vkCmdBindTransformFeedbackBuffersEXT)(cmd, 0, 1, &captured.buffer, &none, &size_B);
      vkCmdBeginQuery(cmd, queries, 0, 0);
      begin_capture(cmd, false);
   }
   for (uint32_t i = 0; i < s->draws; i++) {
      if (i && now[CAPTURE] == PAUSED_CAPTURE)
         pause_capture(cmd);
      record_draw(cmd, s, i);
   }
   if (now[CAPTURE]) {
      end_capture(cmd);
      vkCmdEndQuery(cmd, queries, 0);
   }
}

static void
draw(const struct stages *s, VkPipeline pipeline)
{
   VkCommandBuffer secondary = VK_NULL_HANDLE, cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, queries, 0, 1);
   vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_target_begin(cmd, drawn_to(), drawn_to()->pass,
                    pairs.now[SECONDARY] ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
                                         : VK_SUBPASS_CONTENTS_INLINE);
   if (pairs.now[SECONDARY]) {
      secondary = vkt_secondary_begin(vkx, drawn_to(), 0, false);
      record(secondary, s, pipeline);
      vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
      vkCmdExecuteCommands(cmd, 1, &secondary);
   } else {
      record(cmd, s, pipeline);
   }
   vkCmdEndRenderPass(cmd);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   if (secondary)
      vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
}

/* ---- what is compared ---- */

/* Devices turn captured triangles: the least of the three. */
static void
turn_triangle(uint8_t *triangle)
{
   uint8_t turned[5 * VERTEX_B];
   unsigned least = 0;
   memcpy(turned, triangle, 3 * VERTEX_B);
   memcpy(turned + 3 * VERTEX_B, triangle, 2 * VERTEX_B);
   for (unsigned i = 1; i < 3; i++) {
      if (memcmp(turned + i * VERTEX_B, turned + least * VERTEX_B, 3 * VERTEX_B) < 0)
         least = i;
   }
   memcpy(triangle, turned + least * VERTEX_B, 3 * VERTEX_B);
}

static uint32_t primitive_B;

static int
compare_primitives(const void *a, const void *b)
{
   return memcmp(a, b, primitive_B);
}

static void
sort_captured(const struct stages *s, uint64_t primitives)
{
   primitive_B = (s->output + 1) * VERTEX_B;
   for (uint64_t i = 0; i < primitives && s->output == STAGES_MADE_TRIANGLES; i++)
      turn_triangle((uint8_t *)captured.map + i * primitive_B);
   if (evaluation_of())
      qsort(captured.map, primitives, primitive_B, compare_primitives);
}

static void
report(struct random_tile *tile, const struct stages *s)
{
   uint64_t counts[2] = {0};
   if (!tile->unsupported && pairs.now[CAPTURE]) {
      vkx_check(vkGetQueryPoolResults(vkx->device, queries, 0, 1, sizeof(counts), counts, 16,
                                      VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
      sort_captured(s, counts[0]);
   }
   /* The order of tessellated primitives, and which vertex of them is the first one, is the device's choice: so is
    * what a geometry shader makes of them, and which of them fit into a buffer. */
   const bool by_vertex = evaluation_of() && pairs.now[GEOMETRY];
   const bool vague = tile->vague;
   tile->vague |= by_vertex;
   tile_result(tile, "counts", VK_FORMAT_UNDEFINED, VK_IMAGE_ASPECT_COLOR_BIT, 1, 1, counts);
   tile->vague |= evaluation_of() && counts[0] != counts[1];
   tile_result(tile, "captured", VK_FORMAT_UNDEFINED, VK_IMAGE_ASPECT_COLOR_BIT, 2, CAPTURED_B / 16, captured.map);
   if (!tile->unsupported)
      vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &picture);
   /* Which pixels lines and points beside pixels' centres have is its choice, too. */
   tile->vague =
      vague || by_vertex || s->output == STAGES_MADE_LINES || (evaluation_of() && s->output == STAGES_MADE_POINTS);
   tile_result(tile, "picture", VK_FORMAT_R32_UINT, VK_IMAGE_ASPECT_COLOR_BIT, SIDE, SIDE * SIDE * LAYERS,
               picture.map);
}

static void
say_all(struct random_tile *tile, const struct stages *s)
{
   for (unsigned i = 0; i < CHOICES; i++)
      say(tile, " %s %u", table[i].name, pairs.now[i]);
   say(tile, " count %u, %u to a patch, room for %u bytes", s->count, s->patch_vertices, s->room_B);
}

/* ---- life ---- */

static VkRenderPass
views_pass(void)
{
   static const uint32_t mask = (1 << LAYERS) - 1;
   const VkAttachmentDescription attachment = {.format = target.color.info.format,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                               .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
   const VkRenderPassMultiviewCreateInfo multiview = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO, .subpassCount = 1, .pViewMasks = &mask};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .pNext = &multiview,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static void
create_views(void)
{
   views = target;
   views.pass = views_pass();
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = views.pass,
                                         .attachmentCount = 1,
                                         .pAttachments = target.views,
                                         .width = SIDE,
                                         .height = SIDE,
                                         .layers = 1};
   vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &views.framebuffer), "vkCreateFramebuffer");
}

static void
start(void)
{
   const VkBufferUsageFlags usage =
      VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT;
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                       .queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
                                       .queryCount = 1};
   layout = vkt_quad_layout_create(vkx);
   target = vkt_target_create(vkx, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, (VkExtent2D){SIDE, SIDE}, LAYERS,
                              VK_SAMPLE_COUNT_1_BIT);
   create_views();
   indices = vkt_buffer_create(vkx, 4 * MOST_VERTICES, 0);
   parameters = vkt_buffer_create(vkx, 256, 0);
   picture = vkt_buffer_create(vkx, 4 * SIDE * SIDE * LAYERS, 0);
   captured = vkx_buffer_create(vkx, CAPTURED_B, usage, true);
   counters = vkx_buffer_create(vkx, 64, usage, true);
   vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &queries), "vkCreateQueryPool");
}

/* The witness always has whole pipelines. */
static void
choose_way(void)
{
   const bool has_objects = vkt_has("VK_EXT_shader_object"), has_parts = vkt_has("VK_EXT_graphics_pipeline_library");
   vkt_parts = pairs.now[WAY] == 1 && has_parts && vkt_is_indium(vkx);
   vkt_objects = pairs.now[WAY] == 2 && has_objects && vkt_is_indium(vkx);
}

static void
make(struct vkx *device, struct random_tile *tile)
{
   VkPhysicalDeviceFeatures features;
   vkx = device;
   vkGetPhysicalDeviceFeatures(vkx->physical, &features);
   need(tile, features.geometryShader && features.tessellationShader && features.multiViewport &&
                 vkt_has("VK_EXT_transform_feedback"));
   if (!target.pass && !tile->unsupported)
      start();
   tile->vague = false;
   choices_draw(&pairs, tile->seed);
   choices_count(&pairs);
   const struct stages s = choose(tile);
   say_all(tile, &s);
   if (!tile->unsupported) {
      choose_way();
      VkPipeline pipeline = pipeline_of(&s, tile->seed);
      memset(captured.map, 0xcd, CAPTURED_B);
      write_indices(tile, &s);
      draw(&s, pipeline);
      vkDestroyPipeline(vkx->device, pipeline, NULL);
      vkt_parts = vkt_objects = false;
   }
   report(tile, &s);
}

static void
finish(void)
{
   if (!target.pass)
      return;
   vkDestroyQueryPool(vkx->device, queries, NULL);
   vkDestroyFramebuffer(vkx->device, views.framebuffer, NULL);
   vkDestroyRenderPass(vkx->device, views.pass, NULL);
   vkx_buffer_destroy(vkx, &indices);
   vkx_buffer_destroy(vkx, &parameters);
   vkx_buffer_destroy(vkx, &picture);
   vkx_buffer_destroy(vkx, &captured);
   vkx_buffer_destroy(vkx, &counters);
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
}

int
main(int argc, char **argv)
{
   vkt_libraries = vkt_shader_objects = true;
   return random_tiles_main(argc, argv, &(struct random_program){"random_stages", make, finish, &pairs});
}
