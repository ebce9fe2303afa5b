/* Values by vertex and weights of vertices in fragment shaders, of all topologies: strips that begin anew and have
 * repeated vertices, corners behind the eye, both windings, viewports upside down; of triangles with four samples,
 * too. The order of vertices and the weights are those of the Vulkan specification (Barycentric Interpolation),
 * computed here. Pipelines whose front is clockwise are linked of two libraries. */
#include <math.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t barycentric_vert[] = {
#include "barycentric.vert.inc"
};
static const uint32_t barycentric_frag[] = {
#include "barycentric.frag.inc"
};

static const uint32_t barycentric_samples_frag[] = {
#include "barycentric_samples.frag.inc"
};
static const uint32_t barycentric_each_frag[] = {
#include "barycentric_each.frag.inc"
};

enum { SIZE_PX = 16, PASSES = 4, MOST = 24, RESTART = 0xffff };

/* What is drawn with one shader. */
enum kind { ONE_SAMPLE, FOUR_SAMPLES, EACH_SAMPLE, KINDS };

/* Positions are those of an upright viewport: x and y in pixels, to be multiplied by w. */
static const struct scene {
   const char *name;
   VkPrimitiveTopology topology;
   unsigned vertices, indices;
   float at[MOST][3];
   uint16_t index[MOST];
} scenes[] = {
   {"list",
    VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    6,
    6,
    {{0, 0, 1}, {16, 0, 3}, {0, 16, 0.5f}, {16, 16, 1}, {16, 0, 2}, {0, 16, 4}},
    {2, 0, 1, 3, 4, 5}},
   {"strip",
    VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
    10,
    11,
    {{8, 0, 1},
     {4, 16, 2},
     {0, 0, 1},
     {4, 0, 3},
     {0, 16, 1},
     {12, 16, 1},
     {8, 16, 4},
     {16, 16, 1},
     {12, 0, 2},
     {16, 0, 1}},
    {2, 4, 3, 1, 0, RESTART, 6, 0, 5, 8, 7}},
   {"strip with repeated vertices",
    VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
    8,
    9,
    {{0, 0, 1}, {0, 16, 2}, {6, 0, 1}, {8, 0, 3}, {8, 16, 1}, {16, 0, 1}, {16, 16, 4}, {9, 9, 1}},
    {0, 1, 2, 2, 3, 4, 5, 6, 7}},
   {"fan",
    VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
    6,
    6,
    {{8, 8, 2}, {0, 0, 1}, {16, 0, 3}, {16, 16, 1}, {0, 16, 0.5f}, {0, 2, 1}},
    {0, 1, 2, 3, 4, 5}},
   {"corner behind the eye",
    VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    3,
    3,
    {{2, 1, 1}, {15, 3, 2}, {9, -20, -1}},
    {0, 1, 2}},
   {"lines",
    VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
    4,
    4,
    {{1, 3.5f, 1}, {15, 3.5f, 4}, {14, 9.5f, 2}, {2, 9.5f, 1}},
    {1, 0, 2, 3}},
   {"line strip",
    VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
    4,
    6,
    {{0, 3.5f, 1}, {7, 3.5f, 3}, {16, 3.5f, 1}, {5, 12.5f, 2}},
    {0, 1, 2, RESTART, 3, 0}},
   {"points", VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 3, 3, {{4, 4, 1}, {10, 4, 2}, {4, 12, 3}}, {2, 0, 1}},
};

struct primitive {
   unsigned count, vertex[3]; /* in the API's order; of a line and a point the last one again */
};

/* The n-th primitive of a run of `length` indices; false: there is none. */
static bool
assemble(VkPrimitiveTopology topology, unsigned n, unsigned length, struct primitive *p)
{
   unsigned odd = n & 1;
   switch ((int)topology) {
   case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
      *p = (struct primitive){1, {n, n, n}};
      return n < length;
   case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
      *p = (struct primitive){2, {2 * n, 2 * n + 1, 2 * n + 1}};
      return 2 * n + 1 < length;
   case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
      *p = (struct primitive){2, {n, n + 1, n + 1}};
      return n + 1 < length;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
      *p = (struct primitive){3, {3 * n, 3 * n + 1, 3 * n + 2}};
      return 3 * n + 2 < length;
   case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
      *p = (struct primitive){3, {n, n + 1 + odd, n + 2 - odd}};
      return n + 2 < length;
   default: /* others: a fan, which is all that is left of the scenes */
      *p = (struct primitive){3, {n + 1, n + 2, 0}};
      return n + 2 < length;
   }
}

static unsigned
primitives_of(const struct scene *scene, struct primitive list[MOST])
{
   unsigned count = 0;
   for (unsigned first = 0, end; first < scene->indices; first = end + 1) {
      struct primitive p;
      for (end = first; end < scene->indices && scene->index[end] != RESTART;)
         end++;
      for (unsigned n = 0; assemble(scene->topology, n, end - first, &p); n++) {
         for (unsigned i = 0; i < 3; i++)
            p.vertex[i] = scene->index[first + p.vertex[i]];
         list[count++] = p;
      }
   }
   return count;
}

/* Weights in perspective (they are divided by their sum) at a place: of a triangle by the areas of the vertices as
 * homogeneous points, of a line along x. */
static void
weigh(const struct scene *scene, const struct primitive *p, double x, double y, double weights[3])
{
   const float *v[3];
   for (unsigned i = 0; i < 3; i++)
      v[i] = scene->at[p->vertex[i]];
   memset(weights, 0, 3 * sizeof(*weights));
   if (p->count == 1) {
      weights[0] = fabs(x - (double)v[0][0]) < 2 && fabs(y - (double)v[0][1]) < 2 ? 1 : -1;
      return;
   }
   if (p->count == 2) {
      double t = (x - (double)v[0][0]) / ((double)v[1][0] - (double)v[0][0]);
      if (fabs(y - (double)v[0][1]) > 0.5 || (double)v[0][1] != (double)v[1][1]) {
         weights[0] = -1;
         return;
      }
      weights[0] = (1 - t) / (double)v[0][2];
      weights[1] = t / (double)v[1][2];
   }
   for (unsigned i = 0; i < 3 && p->count == 3; i++) {
      const float *a = v[(i + 1) % 3], *b = v[(i + 2) % 3];
      weights[i] =
         (((double)a[0] - x) * ((double)b[1] - y) - ((double)b[0] - x) * ((double)a[1] - y)) * (double)(a[2] * b[2]);
   }
   double sum = weights[0] + weights[1] + weights[2];
   for (unsigned i = 0; i < 3 && sum != 0; i++)
      weights[i] /= sum;
}

/* 1: inside, 0: outside, -1: nearer to an edge than rounding may move it. */
static int
covers(const struct scene *scene, const struct primitive *p, const double weights[3])
{
   double w = 0, least = 1;
   for (unsigned i = 0; i < p->count; i++) {
      w += weights[i] * (double)scene->at[p->vertex[i]][2];
      least = fmin(least, weights[i]);
   }
   if (!(fabs(weights[0]) + fabs(weights[1]) + fabs(weights[2]) > 0.5) || w < -0.01 || least < -0.01)
      return 0;
   return w > 0.05 && least > (p->count == 3 ? 0.01 : 0.02) ? 1 : -1;
}

/* 1: the primitive is what the pixel shows, all of it if there are samples, 0: it shows nothing of it, -1: unknown.
 */
static int
shows(const struct scene *scene, const struct primitive *p, enum kind kind, unsigned x, unsigned y)
{
   double weights[3];
   int all;
   weigh(scene, p, x + 0.5, y + 0.5, weights);
   all = covers(scene, p, weights);
   for (unsigned corner = 0; corner < 4 && kind != ONE_SAMPLE; corner++) {
      weigh(scene, p, x + (corner & 1), y + (corner >> 1), weights);
      all = covers(scene, p, weights) == all ? all : -1;
   }
   return all;
}

/* The weights of a primitive's vertices at a place, times `share` more of them. */
static void
add_weights(const struct scene *scene, const struct primitive *p, bool perspective, double x, double y, double share,
            double texel[4])
{
   /* size: a pixel and the primitive over it */
   double weights[3], sum = 0;
   weigh(scene, p, x, y, weights);
   for (unsigned i = 0; i < 3; i++)
      sum += weights[i] *= perspective ? 1 : (double)scene->at[p->vertex[i]][2];
   for (unsigned i = 0; i < 3; i++)
      texel[i] += weights[i] / sum * share;
}

/* What the shader makes of the primitive in a pixel. */
static void
shade(const struct scene *scene, const struct primitive *p, enum kind kind, unsigned pass, unsigned x, unsigned y,
      double texel[4])
{
   /* size: a pixel and the primitive over it */
   static const double samples[4][2] = {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}};
   memset(texel, 0, 4 * sizeof(*texel));
   if (kind == EACH_SAMPLE) {
      for (unsigned i = 0; i < 4; i++)
         add_weights(scene, p, !pass, x + samples[i][0], y + samples[i][1], 0.25, texel);
   } else if (kind == FOUR_SAMPLES) {
      add_weights(scene, p, !pass, x + (pass ? 0.5 : samples[2][0]), y + (pass ? 0.5 : samples[2][1]), 1, texel);
   } else if (pass == 0) {
      for (unsigned i = 0; i < 4; i++)
         texel[i] = p->vertex[i % 3];
      return;
   } else {
      double dx = pass == 3 ? 0.25 : 0, dy = pass == 3 && p->count == 3 ? -0.25 : 0;
      add_weights(scene, p, pass != 2, x + 0.5 + dx, y + 0.5 + dy, 1, texel);
   }
   texel[3] = kind != ONE_SAMPLE ? p->vertex[2]
              : pass == 1        ? p->vertex[x % 3] * 0.5
              : pass == 2        ? -(double)p->vertex[(x + 1) % 3]
                                 : 0;
}

/* What a pixel must have; false: nothing is known. */
static bool
expected(const struct scene *scene, enum kind kind, unsigned pass, unsigned x, unsigned y, double texel[4])
{
   struct primitive list[MOST];
   unsigned count = primitives_of(scene, list);
   bool known = false;
   for (unsigned k = 0; k < count; k++) {
      int shown = shows(scene, &list[k], kind, x, y);
      if (shown < 0)
         return false;
      if (shown)
         shade(scene, &list[k], kind, pass, x, y, texel);
      known |= shown;
   }
   return known;
}

static void
check(const float *texels, const struct scene *scene, enum kind kind, unsigned pass, bool upside_down,
      const char *name)
{
   /* Offsets and samples do not turn with the viewport. */
   bool turns = kind == ONE_SAMPLE ? pass != 3 : kind == FOUR_SAMPLES && pass == 1;
   /* Parts that clipping leaves have centroids of their own. */
   bool clipped = kind == FOUR_SAMPLES && pass == 1 && scene->at[scene->vertices - 1][2] < 0;
   unsigned wrong = 0, compared = 0, at = 0;
   if (clipped || (upside_down && !turns))
      return;
   for (unsigned i = 0; i < SIZE_PX * SIZE_PX; i++) {
      double want[4];
      unsigned y = i / SIZE_PX;
      const float *texel = &texels[4 * (i % SIZE_PX + SIZE_PX * (upside_down ? SIZE_PX - 1 - y : y))];
      if (!expected(scene, kind, pass, i % SIZE_PX, y, want))
         continue;
      compared++;
      for (unsigned c = 0; c < 4; c++) {
         if (!(fabs((double)texel[c] - want[c]) <= 1e-4)) {
            at = wrong++ ? at : i;
            break;
         }
      }
   }
   double want[4] = {0};
   expected(scene, kind, pass, at % SIZE_PX, at / SIZE_PX, want);
   const float *texel =
      &texels[4 * (at % SIZE_PX + SIZE_PX * (upside_down ? SIZE_PX - 1 - at / SIZE_PX : at / SIZE_PX))];
   vkt_expect(!wrong && compared >= 12,
              "%s, %s, shader %u, pass %u: %u of %u wrong (at %u, %u: %g %g %g %g, not %g %g %g %g)", scene->name,
              name, kind, pass, wrong, compared, at % SIZE_PX, at / SIZE_PX, (double)texel[0], (double)texel[1],
              (double)texel[2], (double)texel[3], want[0], want[1], want[2], want[3]);
}

struct drawing {
   struct vkx *vkx;
   struct vkt_target targets[2]; /* of one sample, of four */
   VkPipelineLayout layout;
   struct vkx_buffer vertices, indices, out;
   bool has_libraries;
};

enum {
   VERTEX_PARTS = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                  VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
   FRAGMENT_PARTS = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |
                    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT
};

/* parts: 0 of a whole pipeline. */
static VkPipeline
create_part(struct drawing *d, const struct scene *scene, enum kind kind, VkFrontFace front,
            VkGraphicsPipelineLibraryFlagsEXT parts)
{
   static const struct vkt_code fragments[KINDS] = {VKT_CODE(barycentric_frag), VKT_CODE(barycentric_samples_frag),
                                                    VKT_CODE(barycentric_each_frag)};
   const VkGraphicsPipelineLibraryCreateInfoEXT library = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = parts};
   const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
   const VkPipelineVertexInputStateCreateInfo input = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, NULL, 0, 1, &binding, 1, &attribute};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .frontFace = front, .lineWidth = 1};
   const struct vkt_pipeline_info info = {
      .next = parts ? &library : NULL,
      .flags = parts ? VK_PIPELINE_CREATE_LIBRARY_BIT_KHR : 0,
      .pass = d->targets[kind != ONE_SAMPLE].pass,
      .layout = d->layout,
      .vertex = parts & FRAGMENT_PARTS ? (struct vkt_code){0} : VKT_CODE(barycentric_vert),
      .fragment = parts & VERTEX_PARTS ? (struct vkt_code){0} : fragments[kind],
      .topology = scene->topology,
      .points = scene->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
      .samples = kind == ONE_SAMPLE ? VK_SAMPLE_COUNT_1_BIT : VK_SAMPLE_COUNT_4_BIT,
      .restart = scene->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ||
                 scene->topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
      .raster = &raster,
      .vertex_input = &input,
   };
   return vkt_pipeline_create(d->vkx, &info);
}

/* linked: of two libraries, each with a shader and what it is compiled for. */
static VkPipeline
create_pipeline(struct drawing *d, const struct scene *scene, enum kind kind, VkFrontFace front, bool linked)
{
   const VkGraphicsPipelineLibraryFlagsEXT parts[2] = {VERTEX_PARTS, FRAGMENT_PARTS};
   VkPipeline libraries[2], pipeline;
   if (!linked)
      return create_part(d, scene, kind, front, 0);
   for (unsigned i = 0; i < 2; i++)
      libraries[i] = create_part(d, scene, kind, front, parts[i]);
   const VkPipelineLibraryCreateInfoKHR list = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 2, .pLibraries = libraries};
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &list, .layout = d->layout};
   vkx_check(vkCreateGraphicsPipelines(d->vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "link");
   for (unsigned i = 0; i < 2; i++)
      vkDestroyPipeline(d->vkx->device, libraries[i], NULL);
   return pipeline;
}

static void
set_vertices(const struct drawing *d, const struct scene *scene)
{
   float *positions = d->vertices.map;
   for (unsigned i = 0; i < scene->vertices; i++) {
      float w = scene->at[i][2];
      for (unsigned k = 0; k < 2; k++)
         positions[4 * i + k] = (scene->at[i][k] / (SIZE_PX / 2) - 1) * w;
      positions[4 * i + 2] = 0;
      positions[4 * i + 3] = w;
   }
   memcpy(d->indices.map, scene->index, sizeof(scene->index));
}

static void
resolve(VkCommandBuffer cmd, const struct drawing *d)
{
   const VkImageSubresourceLayers layer = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
   const VkImageResolve region = {.srcSubresource = layer, .dstSubresource = layer, .extent = {SIZE_PX, SIZE_PX, 1}};
   vkt_barrier(cmd);
   vkCmdResolveImage(cmd, d->targets[1].color.image, VK_IMAGE_LAYOUT_GENERAL, d->targets[0].color.image,
                     VK_IMAGE_LAYOUT_GENERAL, 1, &region);
}

static void
draw(struct drawing *d, const struct scene *scene, enum kind kind, VkFrontFace front, bool upside_down)
{
   static const char *const names[2][2] = {{"counterclockwise", "counterclockwise, upside down"},
                                           {"clockwise", "clockwise, upside down"}};
   const VkViewport viewport = {0, upside_down ? SIZE_PX : 0, SIZE_PX, upside_down ? -SIZE_PX : SIZE_PX, 0, 1};
   const struct vkt_target *target = &d->targets[kind != ONE_SAMPLE];
   bool linked = kind == ONE_SAMPLE && front == VK_FRONT_FACE_CLOCKWISE && d->has_libraries;
   VkPipeline pipeline = create_pipeline(d, scene, kind, front, linked);
   set_vertices(d, scene);
   for (unsigned pass = 0; pass < (kind == ONE_SAMPLE ? PASSES : 2); pass++) {
      VkCommandBuffer cmd = vkx_begin(d->vkx);
      for (unsigned i = 0; i < 2; i++)
         vkt_transition(cmd, &d->targets[i].color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkt_target_begin(cmd, target, target->pass, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdSetViewport(cmd, 0, 1, &viewport);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      vkCmdBindVertexBuffers(cmd, 0, 1, &d->vertices.buffer, &(VkDeviceSize){0});
      vkCmdBindIndexBuffer(cmd, d->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
      vkCmdPushConstants(cmd, d->layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4, &pass);
      vkCmdDrawIndexed(cmd, scene->indices, 1, 0, 0, 0);
      vkCmdEndRenderPass(cmd);
      if (kind != ONE_SAMPLE)
         resolve(cmd, d);
      vkx_submit_and_wait(d->vkx, cmd);
      vkt_read(d->vkx, &d->targets[0].color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &d->out);
      check(d->out.map, scene, kind, pass, upside_down, names[front == VK_FRONT_FACE_CLOCKWISE][upside_down]);
   }
   vkDestroyPipeline(d->vkx->device, pipeline, NULL);
}

int
main(void)
{
   const VkFormat format = VK_FORMAT_R32G32B32A32_SFLOAT;
   const VkExtent2D extent = {SIZE_PX, SIZE_PX};
   vkt_libraries = true;
   struct vkx vkx = vkt_create("barycentric");
   if (!vkt_has("VK_KHR_fragment_shader_barycentric")) {
      vkt_skip("barycentric coordinates");
      return vkt_finish(&vkx);
   }
   struct drawing d = {
      .vkx = &vkx,
      .targets = {vkt_target_create(&vkx, format, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT),
                  vkt_target_create(&vkx, format, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_4_BIT)},
      .layout = vkx_pipeline_layout_create(&vkx, VK_NULL_HANDLE, VK_SHADER_STAGE_FRAGMENT_BIT, 4),
      .vertices = vkt_buffer_create(&vkx, MOST * 16, 0),
      .indices = vkt_buffer_create(&vkx, MOST * 2, 0),
      .out = vkt_buffer_create(&vkx, SIZE_PX * SIZE_PX * 16, 0),
      .has_libraries = vkt_has("VK_EXT_graphics_pipeline_library")};
   for (unsigned i = 0; i < sizeof(scenes) / sizeof(*scenes); i++) {
      for (unsigned way = 0; way < 4; way++) {
         bool triangles = scenes[i].topology >= VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
         for (unsigned kind = 0; kind < (triangles ? KINDS : 1); kind++)
            draw(&d, &scenes[i], (enum kind)kind, way & 1 ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE,
                 way & 2);
      }
   }
   vkx_buffer_destroy(&vkx, &d.vertices);
   vkx_buffer_destroy(&vkx, &d.indices);
   vkx_buffer_destroy(&vkx, &d.out);
   vkDestroyPipelineLayout(vkx.device, d.layout, NULL);
   for (unsigned i = 0; i < 2; i++)
      vkt_target_destroy(&vkx, &d.targets[i]);
   return vkt_finish(&vkx);
}
