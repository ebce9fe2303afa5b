/* Shaders that were compiled separately, each with each: two vertex shaders, three fragment shaders, whose interfaces
 * lie and are interpolated differently, in triangles of all kinds and points, stored as they are or blended. Linked
 * from two libraries, from four, from nested ones and with optimisation, they draw what whole pipelines draw, to the
 * bit; -o FILE writes that, --against FILE finds it again, nearly. Lines on stderr say when all that is left is to
 * link (linked_test.py). --time: how long whole pipelines, libraries and links take, for bin/bench. */
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

enum {
   SIZE = 64,
   SIZE_B = 4 * SIZE * SIZE,
   VERTICES = 8,
   TOPOLOGIES = 4,
   VERTS = 2,
   FRAGS = 3,
   OUTPUTS = 2
}; /* px */

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

/* Opaque, or over what is there, by colours that are constant. */
static const VkPipelineColorBlendAttachmentState blends[OUTPUTS] = {
   {.colorWriteMask = 0xf},
   {VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
    VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_MAX, VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_B_BIT}};
static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_BLEND_CONSTANTS};

/* parts: 0 of a whole pipeline. Libraries keep what optimisation needs. */
static VkPipeline
create(VkGraphicsPipelineLibraryFlagsEXT parts, unsigned topology, struct vkt_code vertex, struct vkt_code fragment,
       unsigned output)
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
      .blend = &blends[output],
      .num_dynamic = 1,
      .dynamic = dynamic,
   };
   return vkt_pipeline_create(&vkx, &info);
}

static VkPipeline
link_libraries(VkPipelineCreateFlags flags, unsigned count, const VkPipeline *libraries)
{
   const VkPipelineLibraryCreateInfoKHR list = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = count, .pLibraries = libraries};
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
   vkCmdSetBlendConstants(cmd, (float[4]){0.75f, 0.5f, 0.25f, 0.5f});
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &(VkDeviceSize){0});
   vkCmdDraw(cmd, VERTICES, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
}

/* Which of each there is: topology, shaders, output. */
struct which {
   unsigned topology, vertex, fragment, output;
};

enum { ALL = TOPOLOGIES * VERTS * FRAGS * OUTPUTS };

static struct which
which_of(unsigned number)
{
   return (struct which){number / OUTPUTS / FRAGS / VERTS, number / OUTPUTS / FRAGS % VERTS, number / OUTPUTS % FRAGS,
                         number % OUTPUTS};
}

static void
compare(const char *how, VkPipeline pipeline, const uint8_t *whole, struct which which)
{
   draw(pipeline);
   unsigned wrong = vkt_different(pixels.map, whole, SIZE_B, 0);
   vkt_expect(!wrong, "%s, topology %u, shaders %u and %u, output %u: %u bytes", how, which.topology, which.vertex,
              which.fragment, which.output, wrong);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
}

struct libraries {
   VkPipeline vertex[TOPOLOGIES][VERTS], fragment[FRAGS][OUTPUTS]; /* of two parts */
   VkPipeline pre_raster[VERTS], input[TOPOLOGIES], shader[FRAGS], output[OUTPUTS];
   VkPipeline of_two[ALL], of_four[ALL];
};

/* All links one after the other; what they are made of goes before they are used. */
static void
create_libraries(struct libraries *l)
{
   const struct vkt_code none = {0};
   for (unsigned t = 0; t < TOPOLOGIES; t++) {
      l->input[t] = create(VERTEX_INPUT, t, none, none, 0);
      for (unsigned v = 0; v < VERTS; v++)
         l->vertex[t][v] = create(VERTEX_INPUT | PRE_RASTER, t, verts[v], none, 0);
   }
   for (unsigned v = 0; v < VERTS; v++)
      l->pre_raster[v] = create(PRE_RASTER, 0, verts[v], none, 0);
   for (unsigned f = 0; f < FRAGS; f++) {
      l->shader[f] = create(FRAGMENT, 0, none, frags[f], 0);
      for (unsigned o = 0; o < OUTPUTS; o++)
         l->fragment[f][o] = create(FRAGMENT | OUTPUT, 0, none, frags[f], o);
   }
   for (unsigned o = 0; o < OUTPUTS; o++)
      l->output[o] = create(OUTPUT, 0, none, none, o);
   fprintf(stderr, "linked: only links from here\n");
   for (unsigned i = 0; i < ALL; i++) {
      const struct which w = which_of(i);
      l->of_two[i] =
         link_libraries(0, 2, (VkPipeline[]){l->vertex[w.topology][w.vertex], l->fragment[w.fragment][w.output]});
      l->of_four[i] = link_libraries(
         0, 4,
         (VkPipeline[]){l->shader[w.fragment], l->input[w.topology], l->output[w.output], l->pre_raster[w.vertex]});
   }
   fprintf(stderr, "linked: up to here\n");
}

/* The pipeline from nested libraries, and optimised: they compile what they want. */
static void
compare_slow_links(const struct libraries *l, const uint8_t *whole, struct which which)
{
   const VkPipeline fragment = l->fragment[which.fragment][which.output];
   VkPipeline both = link_libraries(VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                                       VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT,
                                    2, (VkPipeline[]){l->pre_raster[which.vertex], l->input[which.topology]});
   VkPipeline nested = link_libraries(0, 2, (VkPipeline[]){fragment, both});
   VkPipeline optimised =
      link_libraries(VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT, 2, (VkPipeline[]){both, fragment});
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
   for (unsigned f = 0; f < FRAGS; f++) {
      vkDestroyPipeline(vkx.device, l->shader[f], NULL);
      for (unsigned o = 0; o < OUTPUTS; o++)
         vkDestroyPipeline(vkx.device, l->fragment[f][o], NULL);
   }
   for (unsigned o = 0; o < OUTPUTS; o++)
      vkDestroyPipeline(vkx.device, l->output[o], NULL);
}

/* The picture of the whole pipeline: lit at all, and as the file has it. Edges and rounding may differ. */
static void
check_whole(const uint8_t *whole, FILE *out, FILE *against, struct which which)
{
   static const uint8_t clear[SIZE_B];
   static uint8_t wanted[SIZE_B];
   unsigned lit = vkt_different(whole, clear, SIZE_B, 0);
   vkt_expect(lit > 300, "topology %u, shaders %u and %u, output %u: %u bytes lit", which.topology, which.vertex,
              which.fragment, which.output, lit);
   if (out)
      vkt_expect(fwrite(whole, SIZE_B, 1, out) == 1, "cannot write");
   if (!against || !vkt_expect(fread(wanted, SIZE_B, 1, against) == 1, "the file is too short"))
      return;
   unsigned wrong = vkt_different(whole, wanted, SIZE_B, 2);
   vkt_expect(wrong < SIZE_B / 100, "topology %u, shaders %u and %u, output %u: %u bytes of the picture",
              which.topology, which.vertex, which.fragment, which.output, wrong);
}

static void
test(FILE *out, FILE *against)
{
   static uint8_t whole[ALL][SIZE_B];
   /* A witness's own links are its own business. */
   bool has_libraries = vkt_has("VK_EXT_graphics_pipeline_library") && !out;
   static struct libraries libraries;
   if (has_libraries)
      create_libraries(&libraries);
   else if (!out)
      vkt_skip("VK_EXT_graphics_pipeline_library");
   for (unsigned i = 0; i < ALL; i++) {
      const struct which which = which_of(i);
      VkPipeline pipeline = create(0, which.topology, verts[which.vertex], frags[which.fragment], which.output);
      draw(pipeline);
      memcpy(whole[i], pixels.map, SIZE_B);
      vkDestroyPipeline(vkx.device, pipeline, NULL);
      check_whole(whole[i], out, against, which);
      if (has_libraries && !which.output)
         compare_slow_links(&libraries, whole[i], which);
   }
   if (!has_libraries)
      return;
   destroy_libraries(&libraries);
   for (unsigned i = 0; i < ALL; i++) {
      compare("of two", libraries.of_two[i], whole[i], which_of(i));
      compare("of four", libraries.of_four[i], whole[i], which_of(i));
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

struct times {
   double whole[RUNS], two[RUNS], link_two[RUNS], four[RUNS], link_four[RUNS];
};

/* What has passed since the last call. */
static double
lap_ms(void)
{
   static double last;
   const double now = now_ms(), lap = now - last;
   last = now;
   return lap;
}

static void
take_times(struct times *times, unsigned i)
{
   static uint32_t copies[6][4096];
   const struct vkt_code none = {0};
   VkPipeline pipelines[9];
   lap_ms();
   pipelines[0] = create(0, 1, fresh(verts[0], copies[0]), fresh(frags[0], copies[1]), 1);
   times->whole[i] = lap_ms();
   pipelines[1] = create(VERTEX_INPUT | PRE_RASTER, 1, fresh(verts[0], copies[2]), none, 1);
   pipelines[2] = create(FRAGMENT | OUTPUT, 1, none, fresh(frags[0], copies[3]), 1);
   times->two[i] = lap_ms();
   pipelines[3] = link_libraries(0, 2, &pipelines[1]);
   times->link_two[i] = lap_ms();
   pipelines[4] = create(VERTEX_INPUT, 1, none, none, 1);
   pipelines[5] = create(PRE_RASTER, 1, fresh(verts[0], copies[4]), none, 1);
   pipelines[6] = create(FRAGMENT, 1, none, fresh(frags[0], copies[5]), 1);
   pipelines[7] = create(OUTPUT, 1, none, none, 1);
   times->four[i] = lap_ms();
   pipelines[8] = link_libraries(0, 4, &pipelines[4]);
   times->link_four[i] = lap_ms();
   for (unsigned j = 0; j < 9; j++)
      vkDestroyPipeline(vkx.device, pipelines[j], NULL);
}

static void
print_times(void)
{
   static struct times times;
   for (unsigned i = 0; i < RUNS; i++)
      take_times(&times, i);
   printf("  whole pipeline                 %8.3f ms\n", median(times.whole));
   printf("  two libraries                  %8.3f ms\n", median(times.two));
   printf("  link of both                   %8.3f ms\n", median(times.link_two));
   printf("  four libraries                 %8.3f ms\n", median(times.four));
   printf("  link of four                   %8.3f ms\n", median(times.link_four));
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
   const bool timed = argc > 1 && !strcmp(argv[1], "--time");
   vkt_libraries = true;
   vkt_generated_query = !timed; /* programs that count are longer */
   vkx = vkt_create("linked");
   target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, (VkExtent2D){SIZE, SIZE}, 1,
                              VK_SAMPLE_COUNT_1_BIT);
   vertices = vkt_buffer_create(&vkx, sizeof(places), 0);
   pixels = vkt_buffer_create(&vkx, SIZE_B, 1);
   memcpy(vertices.map, places, sizeof(places));
   layout = vkx_pipeline_layout_create(&vkx, VK_NULL_HANDLE, 0, 0);
   if (!timed)
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
   if (!timed)
      return vkt_finish(&vkx);
   vkx_destroy(&vkx);
   return 0;
}
