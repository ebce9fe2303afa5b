/* Shaders that were compiled apart, each with each: two vertex shaders, three fragment shaders, whose interfaces lie
 * and are interpolated differently, in triangles of all kinds and points. Linked from two libraries, from nested ones
 * and with optimisation, they draw what whole pipelines draw, to the bit; -o FILE writes that, --against FILE finds
 * it again, nearly. Lines on stderr say when all that is left is to link (linked_test.py). --time: how long whole
 * pipelines, libraries and links take, for bin/bench. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vkt_draw.h"

static const uint32_t a_vert[] = {
#include "linked_a.vert.inc"
};
static const uint32_t b_vert[] = {
#include "linked_b.vert.inc"
};
static const uint32_t a_frag[] = {
#include "linked_a.frag.inc"
};
static const uint32_t b_frag[] = {
#include "linked_b.frag.inc"
};
static const uint32_t c_frag[] = {
#include "linked_c.frag.inc"
};

enum { SIZE = 64, SIZE_B = 4 * SIZE * SIZE, VERTICES = 8, TOPOLOGIES = 4, VERTS = 2, FRAGS = 3 }; /* px */

static const struct vkt_code verts[VERTS] = {VKT_CODE(a_vert), VKT_CODE(b_vert)};
static const struct vkt_code frags[FRAGS] = {VKT_CODE(a_frag), VKT_CODE(b_frag), VKT_CODE(c_frag)};
static const VkPrimitiveTopology topologies[TOPOLOGIES] = {
   VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
   VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
/* A hub and what is around it: nothing of it symmetric. */
static const float places[VERTICES][2] = {{-0.1f, 0.05f}, {-0.95f, -0.2f}, {-0.6f, -0.9f}, {0.15f, -0.75f},
                                          {0.9f, -0.6f},  {0.7f, 0.35f},   {0.1f, 0.95f},  {-0.75f, 0.7f}};

static struct vkx vkx;
static struct vkt_target target;
static struct vkx_buffer vertices, pixels;
static VkPipelineLayout layout;

#define VERTEX_INPUT VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define PRE_RASTER VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
#define FRAGMENT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
#define OUTPUT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT

/* parts: 0 of a whole pipeline. Libraries keep what optimisation needs. */
static VkPipeline
create(VkGraphicsPipelineLibraryFlagsEXT parts, unsigned topology, struct vkt_code vertex, struct vkt_code fragment)
{
   const VkGraphicsPipelineLibraryCreateInfoEXT library = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = parts};
   const VkVertexInputBindingDescription binding = {0, sizeof(places[0]), VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 1,
                                                       .pVertexAttributeDescriptions = &attribute};
   const struct vkt_pipeline_info info = {
      .next = parts ? &library : NULL,
      .flags = parts
                  ? VK_PIPELINE_CREATE_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT
                  : 0,
      .pass = target.pass,
      .layout = layout,
      .vertex = vertex,
      .fragment = fragment,
      .topology = topologies[topology],
      .points = topologies[topology] == VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
      .vertex_input = &input,
      .viewports = 2,
   };
   return vkt_pipeline_create(&vkx, &info);
}

static VkPipeline
link_libraries(VkPipelineCreateFlags flags, const VkPipeline libraries[2])
{
   const VkPipelineLibraryCreateInfoKHR list = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = libraries};
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &list, .flags = flags, .layout = layout};
   VkPipeline pipeline;
   vkx_check(vkCreateGraphicsPipelines(vkx.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "link");
   return pipeline;
}

static void
draw(VkPipeline pipeline)
{
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdSetViewport(cmd, 1, 1, &viewport);
   vkCmdSetScissor(cmd, 1, 1, &scissor);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
   vkCmdDraw(cmd, VERTICES, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
}

static unsigned
different(const uint8_t *a, const uint8_t *b, int tolerance)
{
   unsigned count = 0;
   for (unsigned i = 0; i < SIZE_B; i++)
      count += abs(a[i] - b[i]) > tolerance;
   return count;
}

static void
compare(const char *how, VkPipeline pipeline, const uint8_t *whole, const unsigned which[3])
{
   draw(pipeline);
   unsigned wrong = different(pixels.map, whole, 0);
   vkt_expect(!wrong, "%s, topology %u, shaders %u and %u: %u bytes", how, which[0], which[1], which[2], wrong);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
}

struct libraries {
   VkPipeline vertex[TOPOLOGIES][VERTS], fragment[FRAGS], pre_raster[VERTS], input[TOPOLOGIES];
   VkPipeline linked[TOPOLOGIES][VERTS][FRAGS];
};

/* All links one behind the other; what they are made of goes before they are used. */
static void
create_libraries(struct libraries *l)
{
   const struct vkt_code none = {0};
   for (unsigned t = 0; t < TOPOLOGIES; t++) {
      l->input[t] = create(VERTEX_INPUT, t, none, none);
      for (unsigned v = 0; v < VERTS; v++)
         l->vertex[t][v] = create(VERTEX_INPUT | PRE_RASTER, t, verts[v], none);
   }
   for (unsigned v = 0; v < VERTS; v++)
      l->pre_raster[v] = create(PRE_RASTER, 0, verts[v], none);
   for (unsigned f = 0; f < FRAGS; f++)
      l->fragment[f] = create(FRAGMENT | OUTPUT, 0, none, frags[f]);
   fprintf(stderr, "linked: only links from here\n");
   for (unsigned t = 0; t < TOPOLOGIES; t++)
      for (unsigned v = 0; v < VERTS; v++)
         for (unsigned f = 0; f < FRAGS; f++)
            l->linked[t][v][f] = link_libraries(0, (VkPipeline[2]){l->vertex[t][v], l->fragment[f]});
   fprintf(stderr, "linked: up to here\n");
}

/* The pipeline from nested libraries, and optimised: they compile what they want. */
static void
compare_slow_links(const struct libraries *l, const uint8_t *whole, const unsigned which[3])
{
   VkPipeline both = link_libraries(VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                                       VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT,
                                    (VkPipeline[2]){l->pre_raster[which[1]], l->input[which[0]]});
   VkPipeline nested = link_libraries(0, (VkPipeline[2]){l->fragment[which[2]], both});
   VkPipeline optimised =
      link_libraries(VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT, (VkPipeline[2]){both, l->fragment[which[2]]});
   vkDestroyPipeline(vkx.device, both, NULL);
   compare("nested", nested, whole, which);
   compare("optimised", optimised, whole, which);
}

static void
destroy_libraries(const struct libraries *l)
{
   for (unsigned t = 0; t < TOPOLOGIES; t++) {
      vkDestroyPipeline(vkx.device, l->input[t], NULL);
      for (unsigned v = 0; v < VERTS; v++)
         vkDestroyPipeline(vkx.device, l->vertex[t][v], NULL);
   }
   for (unsigned v = 0; v < VERTS; v++)
      vkDestroyPipeline(vkx.device, l->pre_raster[v], NULL);
   for (unsigned f = 0; f < FRAGS; f++)
      vkDestroyPipeline(vkx.device, l->fragment[f], NULL);
}

/* The picture of the whole pipeline: lit at all, and as the file has it. Edges and rounding may differ. */
static void
check_whole(const uint8_t *whole, FILE *out, FILE *against, const unsigned which[3])
{
   static const uint8_t clear[SIZE_B];
   static uint8_t wanted[SIZE_B];
   unsigned lit = different(whole, clear, 0);
   vkt_expect(lit > 300, "topology %u, shaders %u and %u: %u bytes lit", which[0], which[1], which[2], lit);
   if (out)
      vkt_expect(fwrite(whole, SIZE_B, 1, out) == 1, "cannot write");
   if (!against || !vkt_expect(fread(wanted, SIZE_B, 1, against) == 1, "the file is too short"))
      return;
   unsigned wrong = different(whole, wanted, 2);
   vkt_expect(wrong < SIZE_B / 100, "topology %u, shaders %u and %u: %u bytes of the picture", which[0], which[1],
              which[2], wrong);
}

static void
test(FILE *out, FILE *against)
{
   static uint8_t whole[TOPOLOGIES][VERTS][FRAGS][SIZE_B];
   /* A witness's own links are its own business. */
   bool has_libraries = vkt_has("VK_EXT_graphics_pipeline_library") && !out;
   struct libraries libraries;
   if (has_libraries)
      create_libraries(&libraries);
   else if (!out)
      vkt_skip("VK_EXT_graphics_pipeline_library");
   for (unsigned i = 0; i < TOPOLOGIES * VERTS * FRAGS; i++) {
      const unsigned which[3] = {i / (VERTS * FRAGS), i / FRAGS % VERTS, i % FRAGS};
      uint8_t *picture = whole[which[0]][which[1]][which[2]];
      VkPipeline pipeline = create(0, which[0], verts[which[1]], frags[which[2]]);
      draw(pipeline);
      memcpy(picture, pixels.map, SIZE_B);
      vkDestroyPipeline(vkx.device, pipeline, NULL);
      check_whole(picture, out, against, which);
      if (has_libraries)
         compare_slow_links(&libraries, picture, which);
   }
   if (!has_libraries)
      return;
   destroy_libraries(&libraries);
   for (unsigned i = 0; i < TOPOLOGIES * VERTS * FRAGS; i++) {
      const unsigned which[3] = {i / (VERTS * FRAGS), i / FRAGS % VERTS, i % FRAGS};
      compare("linked", libraries.linked[which[0]][which[1]][which[2]], whole[which[0]][which[1]][which[2]], which);
   }
}

/* ---- time ---- */

enum { RUNS = 31 };

static double
now_ms(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int
ascending(const void *a, const void *b)
{
   double x = *(const double *)a, y = *(const double *)b;
   return (x > y) - (x < y);
}

static double
median(double times[RUNS])
{
   qsort(times, RUNS, sizeof(*times), ascending);
   return times[RUNS / 2];
}

/* The same code by another tool: drivers that keep what modules were compiled to find nothing. */
static struct vkt_code
fresh(struct vkt_code code, uint32_t copy[4096])
{
   static uint32_t tool;
   memcpy(copy, code.words, code.size_B);
   copy[2] = ++tool;
   return (struct vkt_code){copy, code.size_B};
}

static void
print_times(void)
{
   static uint32_t copies[4][4096];
   double whole[RUNS], libraries[RUNS], links[RUNS];
   const struct vkt_code none = {0};
   for (unsigned i = 0; i < RUNS; i++) {
      const double start = now_ms();
      VkPipeline pipelines[4] = {create(0, 1, fresh(verts[0], copies[0]), fresh(frags[0], copies[1]))};
      const double compiled = now_ms();
      pipelines[1] = create(VERTEX_INPUT | PRE_RASTER, 1, fresh(verts[0], copies[2]), none);
      pipelines[2] = create(FRAGMENT | OUTPUT, 1, none, fresh(frags[0], copies[3]));
      const double both = now_ms();
      pipelines[3] = link_libraries(0, &pipelines[1]);
      links[i] = now_ms() - both;
      libraries[i] = both - compiled;
      whole[i] = compiled - start;
      for (unsigned j = 0; j < 4; j++)
         vkDestroyPipeline(vkx.device, pipelines[j], NULL);
   }
   printf("  whole pipeline                 %8.3f ms\n", median(whole));
   printf("  two libraries                  %8.3f ms\n", median(libraries));
   printf("  link of both                   %8.3f ms\n", median(links));
}

int
main(int argc, char **argv)
{
   const char *out = vkx_option(argc, argv, "-o", NULL), *against = vkx_option(argc, argv, "--against", NULL);
   FILE *files[2] = {out ? fopen(out, "wb") : NULL, against ? fopen(against, "rb") : NULL};
   if ((out && !files[0]) || (against && !files[1])) {
      fprintf(stderr, "linked: cannot open the file\n");
      return 1;
   }
   vkt_libraries = true;
   vkx = vkt_create("linked");
   target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, (VkExtent2D){SIZE, SIZE}, 1,
                              VK_SAMPLE_COUNT_1_BIT);
   vertices = vkt_buffer_create(&vkx, sizeof(places), 0);
   pixels = vkt_buffer_create(&vkx, SIZE_B, 1);
   memcpy(vertices.map, places, sizeof(places));
   layout = vkx_pipeline_layout_create(&vkx, VK_NULL_HANDLE, 0, 0);
   if (argc < 2 || strcmp(argv[1], "--time") != 0)
      test(files[0], files[1]);
   else if (vkt_has("VK_EXT_graphics_pipeline_library"))
      print_times();
   for (unsigned i = 0; i < 2; i++)
      if (files[i])
         fclose(files[i]);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkx_buffer_destroy(&vkx, &vertices);
   vkx_buffer_destroy(&vkx, &pixels);
   vkt_target_destroy(&vkx, &target);
   return vkt_finish(&vkx);
}
