/* Geometry shaders: what primitives of each topology have as vertices, invocations, strips and their cuts, lines,
 * points and their sizes, numbers of vertices that vary, layers, viewports, distances, primitive ids. The expected
 * texels are known: 64 x 64 of them, of four numbers. */
#include "pass_helpers.h"

#define MODULE(name) static const uint32_t name[] = {
MODULE(vertex_code)
#include "geometry.vert.inc"
}
;
MODULE(fragment_code)
#include "geometry.frag.inc"
}
;
MODULE(primitive_code)
#include "geometry_primitive.frag.inc"
}
;
MODULE(points_code)
#include "geometry_points.geom.inc"
}
;
MODULE(lines_code)
#include "geometry_lines.geom.inc"
}
;
MODULE(triangles_code)
#include "geometry_triangles.geom.inc"
}
;
MODULE(lines_adjacency_code)
#include "geometry_lines_adjacency.geom.inc"
}
;
MODULE(triangles_adjacency_code)
#include "geometry_triangles_adjacency.geom.inc"
}
;
MODULE(boxes_code)
#include "geometry_boxes.geom.inc"
}
;
MODULE(strip_code)
#include "geometry_strip.geom.inc"
}
;
MODULE(line_strips_code)
#include "geometry_line_strips.geom.inc"
}
;
MODULE(layers_code)
#include "geometry_layers.geom.inc"
}
;
MODULE(some_code)
#include "geometry_some.geom.inc"
}
;
MODULE(distances_code)
#include "geometry_distances.geom.inc"
}
;
MODULE(sizes_code)
#include "geometry_sizes.geom.inc"
}
;
MODULE(pass_code)
#include "geometry_pass.geom.inc"
}
;
MODULE(relaxed_code)
#include "geometry_relaxed.geom.inc"
}
;
MODULE(relaxed_fragment_code)
#include "geometry_relaxed.frag.inc"
}
;
MODULE(many_code)
#include "geometry_many.geom.inc"
}
;
MODULE(room_code)
#include "geometry_room.geom.inc"
}
;

enum { SIDE = 64, LAYERS = 6, TEXELS = SIDE * SIDE };

struct texel {
   uint32_t of[4];
};

static struct vkt_target target;
static struct vkx_buffer result;
static struct texel expected[LAYERS][TEXELS];

static void
put(uint32_t layer, uint32_t number, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{ /* size: a texel */
   expected[layer][number] = (struct texel){{a, b, c, d}};
}

struct scene {
   const char *name;
   VkPrimitiveTopology topology;
   struct vkt_code geometry, fragment;
   uint32_t vertices, instances, viewports;
};

static VkPipeline
pipeline_of(const struct scene *scene)
{
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){
                                      .pass = target.pass,
                                      .layout = quad_layout,
                                      .topology = scene->topology,
                                      .points = scene->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                      .vertex = VKT_CODE(vertex_code),
                                      .geometry = scene->geometry,
                                      .fragment = scene->fragment.words ? scene->fragment : VKT_CODE(fragment_code),
                                      .viewports = scene->viewports,
                                   });
}

/* Of several, the first is the left half and the second the right one. */
static void
set_viewports(VkCommandBuffer cmd, uint32_t count)
{
   const VkViewport viewports[2] = {{0, 0, SIDE / 2, SIDE, 0, 1}, {SIDE / 2, 0, SIDE / 2, SIDE, 0, 1}};
   const VkRect2D scissors[2] = {{{0, 0}, {SIDE, SIDE}}, {{0, 0}, {SIDE, SIDE}}};
   vkCmdSetViewport(cmd, 0, count, viewports);
   vkCmdSetScissor(cmd, 0, count, scissors);
}

/* The first layers as they are expected. */
static void
compare(const struct scene *scene)
{
   const struct texel *texels = result.map;
   uint32_t wrong = 0, at = 0;
   for (uint32_t i = 0; i < LAYERS * TEXELS; i++) {
      if (!memcmp(&texels[i], &expected[i / TEXELS][i % TEXELS], sizeof(*texels)))
         continue;
      at = wrong++ ? at : i;
   }
   const uint32_t *is = texels[at].of, *was = expected[at / TEXELS][at % TEXELS].of;
   vkt_expect(!wrong, "%s: %u texels are wrong; layer %u, pixel %u, %u is %u %u %u %u instead of %u %u %u %u",
              scene->name, wrong, at / TEXELS, at % SIDE, at % TEXELS / SIDE, is[0], is[1], is[2], is[3], was[0],
              was[1], was[2], was[3]);
   memset(expected, 0, sizeof(expected));
}

static void
draw(const struct scene *scene)
{
   VkPipeline pipeline = pipeline_of(scene);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   if (scene->viewports)
      set_viewports(cmd, scene->viewports);
   vkCmdDraw(cmd, scene->vertices, scene->instances, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &result);
   compare(scene);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* ---- vertices of primitives ---- */

#define TOPOLOGY(name) VK_PRIMITIVE_TOPOLOGY_##name

/* Vulkan, "Triangle Strips With Adjacency", of n triangles. */
static void
strip_with_adjacency(uint32_t i, uint32_t n, uint32_t *to)
{
   const uint32_t first = 2 * i, before = i == 0 ? 1 : first - 2, after = i == n - 1 ? first + 5 : first + 6;
   const uint32_t even[6] = {first, before, first + 2, after, first + 4, first + 3};
   const uint32_t odd[6] = {first, first + 3, first + 4, after, first + 2, before};
   memcpy(to, i & 1 ? odd : even, sizeof(even));
}

/* Vertices of primitive i of n; how many. */
static uint32_t
corners(VkPrimitiveTopology topology, uint32_t i, uint32_t n, uint32_t *to)
{
   static const uint8_t sizes[] = {1, 2, 2, 3, 3, 3, 4, 4, 6, 6};
   const uint32_t size = sizes[topology];
   const bool strip = topology == TOPOLOGY(LINE_STRIP) || topology == TOPOLOGY(LINE_STRIP_WITH_ADJACENCY);
   for (uint32_t k = 0; k < size; k++)
      to[k] = (strip ? i : size * i) + k;
   if (topology == TOPOLOGY(TRIANGLE_STRIP))
      memcpy(to, (const uint32_t[]){i, i + 1 + i % 2, i + 2 - i % 2}, 12);
   if (topology == TOPOLOGY(TRIANGLE_FAN))
      memcpy(to, (const uint32_t[]){i + 1, i + 2, 0}, 12);
   if (topology == TOPOLOGY(TRIANGLE_STRIP_WITH_ADJACENCY))
      strip_with_adjacency(i, n, to);
   return size;
}

static uint32_t
primitives_of(VkPrimitiveTopology topology, uint32_t vertices)
{
   static const uint8_t least[] = {1, 2, 2, 3, 3, 3, 4, 4, 6, 6}, more[] = {1, 2, 1, 3, 1, 1, 4, 1, 6, 2};
   return (vertices - least[topology]) / more[topology] + 1;
}

/* Both invocations of each primitive, of each instance: the second instance's come over those of the first. */
static void
expect_vertices(VkPrimitiveTopology topology, uint32_t vertices, uint32_t instances)
{
   const uint32_t n = primitives_of(topology, vertices);
   for (uint32_t i = 0; i < n * 2; i++) {
      uint32_t labels[6] = {99, 99, 99, 99, 99, 99};
      const uint32_t count = corners(topology, i / 2, n, labels);
      for (uint32_t k = 0; k < count; k++)
         labels[k] += 1000 * (instances - 1);
      put(0, 2 * i, labels[0], labels[1], labels[2], labels[3]);
      put(0, 2 * i + 1, labels[4], labels[5], i / 2, i % 2);
   }
}

static void
test_vertices(void)
{
   static const struct {
      const char *name;
      VkPrimitiveTopology topology;
      struct vkt_code code;
      uint32_t vertices, instances;
   } cases[] = {
      {"points", TOPOLOGY(POINT_LIST), VKT_CODE(points_code), 777, 1},
      {"lines", TOPOLOGY(LINE_LIST), VKT_CODE(lines_code), 301, 1},
      {"line strip", TOPOLOGY(LINE_STRIP), VKT_CODE(lines_code), 300, 2},
      {"triangles", TOPOLOGY(TRIANGLE_LIST), VKT_CODE(triangles_code), 1000, 1},
      {"triangle strip", TOPOLOGY(TRIANGLE_STRIP), VKT_CODE(triangles_code), 401, 1},
      {"triangle fan", TOPOLOGY(TRIANGLE_FAN), VKT_CODE(triangles_code), 90, 3},
      {"lines with neighbours", TOPOLOGY(LINE_LIST_WITH_ADJACENCY), VKT_CODE(lines_adjacency_code), 444, 1},
      {"line strip with neighbours", TOPOLOGY(LINE_STRIP_WITH_ADJACENCY), VKT_CODE(lines_adjacency_code), 200, 1},
      {"triangles with neighbours", TOPOLOGY(TRIANGLE_LIST_WITH_ADJACENCY), VKT_CODE(triangles_adjacency_code), 900,
       1},
      {"triangle strip with neighbours", TOPOLOGY(TRIANGLE_STRIP_WITH_ADJACENCY), VKT_CODE(triangles_adjacency_code),
       200, 1},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      expect_vertices(cases[i].topology, cases[i].vertices, cases[i].instances);
      draw(&(struct scene){.name = cases[i].name,
                           .topology = cases[i].topology,
                           .geometry = cases[i].code,
                           .vertices = cases[i].vertices,
                           .instances = cases[i].instances});
   }
}

/* ---- what is made ---- */

static void
fill(uint32_t layer, uint32_t x, uint32_t y, uint32_t width, uint32_t height, const uint32_t value[4])
{ /* size: a box */
   for (uint32_t i = 0; i < width * height; i++)
      put(layer, (y + i / width) * SIDE + x + i % width, value[0], value[1], value[2], value[3]);
}

static void
expect_boxes(uint32_t primitives, uint32_t boxes, bool ids)
{
   for (uint32_t number = 0; number < primitives * boxes; number++)
      fill(0, number % 32 * 2, number / 32 * 2, 2, 2,
           (const uint32_t[]){number / boxes, number % boxes, number, ids ? 100 + number : 7});
}

static void
test_boxes(void)
{
   struct scene scene = {"boxes", TOPOLOGY(POINT_LIST), VKT_CODE(boxes_code), {0}, 160, 1, 0};
   expect_boxes(160, 6, false);
   draw(&scene);
   scene.name = "primitive ids of a geometry shader";
   scene.fragment = VKT_CODE(primitive_code);
   expect_boxes(160, 6, true);
   draw(&scene);
   scene.name = "many vertices";
   scene.geometry = VKT_CODE(many_code);
   scene.vertices = 48;
   expect_boxes(48, 21, true);
   draw(&scene);
}

/* Triangle k has the columns from 2k, a triangle's half each; where two meet, either may have the pixel: four by two
 * pixels of two triangles. */
static void
test_strip(void)
{
   for (uint32_t primitive = 0; primitive < 32; primitive++) {
      for (uint32_t i = 0; i < 17; i++) {
         const uint32_t left = i / 2 * 4;
         for (uint32_t y = 0; y < 2; y++) {
            for (uint32_t x = 0; x < 4; x++) {
               const bool upper = (float)x + 0.5f < 4 - 2 * ((float)y + 0.5f);
               if (left + x < 36 && upper == (i % 2 == 0))
                  put(0, (2 * primitive + y) * SIDE + left + x, i, primitive, 1, 1);
            }
         }
      }
   }
   draw(&(struct scene){"a long strip", TOPOLOGY(POINT_LIST), VKT_CODE(strip_code), {0}, 32, 1, 0});
}

static void
test_lines(void)
{
   for (uint32_t primitive = 0; primitive < 8; primitive++) {
      for (uint32_t i = 0; i < 6; i++) {
         if (i % 3 < 2)
            fill(0, 4 + i % 3 * 8, 2 * primitive + 16 * (i / 3), 8, 1, (const uint32_t[]){i, primitive, 2, 2});
      }
   }
   draw(&(struct scene){"line strips", TOPOLOGY(POINT_LIST), VKT_CODE(line_strips_code), {0}, 8, 1, 0});
}

static void
test_layers(void)
{
   for (uint32_t layer = 0; layer < LAYERS; layer++)
      fill(layer, layer & 1 ? SIDE / 2 : 0, 0, SIDE / 2, SIDE, (const uint32_t[]){3, layer, 3, 3});
   if (vkt_features.multiViewport)
      draw(&(struct scene){"layers and viewports", TOPOLOGY(POINT_LIST), VKT_CODE(layers_code), {0}, 3, 1, 2});
}

static void
test_some(void)
{
   for (uint32_t primitive = 0; primitive < 64; primitive++) {
      for (uint32_t i = 0; i < primitive % 9; i++) {
         if ((primitive + i) % 4 != 3)
            put(0, 64 * i + primitive, primitive, i, 0, 4);
      }
   }
   draw(&(struct scene){"numbers that vary", TOPOLOGY(POINT_LIST), VKT_CODE(some_code), {0}, 64, 1, 0});
}

/* Vertices of triangles, all read ahead of the first message; the same by relaxed floats, whose 16 bits hold them. */
static void
test_pass(void)
{
   const struct scene scenes[2] = {
      {"vertices one by one", TOPOLOGY(TRIANGLE_LIST), VKT_CODE(pass_code), {0}, 192, 1, 0},
      {"relaxed floats", TOPOLOGY(TRIANGLE_LIST), VKT_CODE(relaxed_code), VKT_CODE(relaxed_fragment_code), 192, 1,
       0}};
   for (unsigned scene = 0; scene < 2; scene++) {
      for (uint32_t i = 0; i < 64 * 3; i++)
         put(0, 64 * (i / 3) + i % 3, i + 7, 3 * i, 1, 2);
      draw(&scenes[scene]);
   }
}

static void
test_distances(void)
{
   for (uint32_t primitive = 0; primitive < 64; primitive += 2)
      fill(0, primitive % 8 * 8, primitive / 8 * 8, 4, 8, (const uint32_t[]){primitive, 5, 5, 5});
   if (vkt_features.shaderClipDistance && vkt_features.shaderCullDistance)
      draw(&(struct scene){"distances", TOPOLOGY(POINT_LIST), VKT_CODE(distances_code), {0}, 64, 1, 0});
   for (uint32_t primitive = 0; primitive < 64; primitive++) {
      const uint32_t half = 1 + primitive % 4;
      fill(0, primitive % 8 * 8 + 4 - half, primitive / 8 * 8 + 4 - half, 2 * half, 2 * half,
           (const uint32_t[]){primitive, 6, 6, 6});
   }
   if (vkt_features.shaderTessellationAndGeometryPointSize && vkt_features.largePoints)
      draw(&(struct scene){"sizes of points", TOPOLOGY(POINT_LIST), VKT_CODE(sizes_code), {0}, 64, 1, 0});
}

/* Draws that each have room for 750,000 vertices. */
enum { LARGE_DRAWS = 4, LARGE_POINTS = 256 };

static VkCommandBuffer
record_large(VkPipeline pipeline)
{
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                       .renderPass = target.pass};
   const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                          .pInheritanceInfo = &inheritance};
   const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                 .commandPool = vkx->pool,
                                                 .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                                 .commandBufferCount = 1};
   VkCommandBuffer cmd;
   vkx_check(vkAllocateCommandBuffers(vkx->device, &allocate, &cmd), "vkAllocateCommandBuffers");
   vkx_check(vkBeginCommandBuffer(cmd, &info), "vkBeginCommandBuffer");
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkt_set_viewport(cmd, target.extent);
   for (uint32_t i = 0; i < LARGE_DRAWS; i++)
      vkCmdDraw(cmd, LARGE_POINTS, 1, 0, i);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   return cmd;
}

/* Several in one secondary, which is executed twice. */
static void
test_large(void)
{
   const struct scene scene = {"large draws of a secondary", TOPOLOGY(POINT_LIST), VKT_CODE(room_code), {0}, 0, 0, 0};
   VkPipeline pipeline = pipeline_of(&scene);
   VkCommandBuffer secondary = record_large(pipeline);
   for (uint32_t i = 0; i < LARGE_DRAWS * LARGE_POINTS; i++)
      put(0, i, i % LARGE_POINTS, i / LARGE_POINTS, i % LARGE_POINTS, 9);
   for (unsigned time = 0; time < 2; time++) {
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      vkCmdExecuteCommands(cmd, 1, &secondary);
      vkCmdEndRenderPass(cmd);
      vkt_barrier(cmd);
      vkx_submit_and_wait(vkx, cmd);
   }
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &result);
   compare(&scene);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static void
run_all(void)
{
   quad_layout = vkt_quad_layout_create(vkx);
   target = vkt_target_create(vkx, VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_UNDEFINED, (VkExtent2D){SIDE, SIDE}, LAYERS,
                              VK_SAMPLE_COUNT_1_BIT);
   result = vkt_buffer_create(vkx, sizeof(expected), 0);
   test_vertices();
   test_boxes();
   test_strip();
   test_lines();
   test_layers();
   memset(expected, 0, sizeof(expected));
   test_some();
   test_pass();
   test_distances();
   test_large();
   vkx_buffer_destroy(vkx, &result);
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
}

int
main(int argc, char **argv)
{
   struct vkx created = vkt_create("geometry");
   vkx = &created;
   if (vkt_features.geometryShader)
      run_all();
   else
      vkt_skip("geometryShader");
   return vkt_finish(vkx);
}
