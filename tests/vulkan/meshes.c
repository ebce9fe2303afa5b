/* Closed and thin meshes at random, many of whose triangles share a pixel, drawn over each other: which comes last,
 * and what each adds to what is there, depends on the order. The witness is a rasteriser in C: places are 16ths of
 * pixels, and colours such that no factor rounds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "choices.h"
#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "meshes.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "meshes.frag.inc"
};

#define SIZE 64
#define SUB 16 /* places in a pixel */
#define TILES 40u
#define DRAWS 3u
#define MOST_VERTICES 256u
#define MOST_INDICES 1536u

struct vertex {
   int32_t place[2];
   float color[4];
};

struct mesh {
   struct vertex vertices[MOST_VERTICES];
   uint16_t indices[MOST_INDICES];
   uint32_t num_vertices, num_indices, instances;
   unsigned equation;
};

/* Each gives the result of the same colours in another order another value. */
static const VkPipelineColorBlendAttachmentState equations[] = {
   {.colorWriteMask = 0xf},
   {VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
    VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_OP_ADD, 0xf},
   {VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD,
    VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, 0xf},
   {VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_OP_REVERSE_SUBTRACT, VK_BLEND_FACTOR_ONE,
    VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_OP_REVERSE_SUBTRACT, 0xf},
};
#define EQUATIONS (sizeof(equations) / sizeof(equations[0]))

/* Of each draw of a tile. */
enum kind { STAR, STACK, BALL, TORUS, KINDS };
enum { KIND, INSTANCES, EQUATION, DRAW_CHOICES };
#define DRAW_TABLE(which)                                                                                            \
   {.name = "shape of the " which " mesh", .values = KINDS},                                                         \
      {.name = "instances of the " which " mesh", .values = 3},                                                      \
      {.name = "blending of the " which " mesh", .values = EQUATIONS}
static const struct choice table[] = {DRAW_TABLE("first"), DRAW_TABLE("second"), DRAW_TABLE("third")};
static struct choices choices = {.table = table, .count = DRAWS * DRAW_CHOICES};

static float
blend(unsigned equation, float src, float alpha, float dst)
{
   switch (equation) {
   case 0:
      return src;
   case 1:
      return src + dst * alpha;
   case 2:
      return src * alpha + dst * (1 - alpha);
   default: /* others: the last row */
      return dst * alpha - src;
   }
}

/* ---- meshes ---- */

static void
add_vertex(struct mesh *mesh, double x, double y)
{
   struct vertex *vertex = &mesh->vertices[mesh->num_vertices++];
   vertex->place[0] = (int32_t)lround(x);
   vertex->place[1] = (int32_t)lround(y);
   for (unsigned i = 0; i < 3; i++)
      vertex->color[i] = (float)(1 + vkt_random_below(15));
   vertex->color[3] = vkt_random_below(4) ? 0.5f : 1;
}

static void
add_triangle(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
   const uint32_t corners[3] = {a, b, c}, first = vkt_random_below(3); /* whose colour it has */
   for (uint32_t i = 0; i < 3; i++)
      mesh->indices[mesh->num_indices++] = (uint16_t)corners[(first + i) % 3];
}

/* Rows of vertices around an axis, each row with its own radius and height; the last and the first row's quads meet
 * if it is a torus. Seen from the side, so that one half lies over the other. */
static void
make_closed(struct mesh *mesh, uint32_t rows, uint32_t columns, bool torus)
{
   const double x = 200 + vkt_random_below(600), y = 200 + vkt_random_below(600);
   const double radius = 4 + vkt_random_below(160), thin = 2 + vkt_random_below(40);
   for (uint32_t row = 0; row < rows; row++) {
      for (uint32_t column = 0; column < columns; column++) {
         const double a = 6.283185307 * column / columns, b = (torus ? 6.283185307 : 3.14159265) * row / rows;
         const double around = torus ? radius + thin * cos(b) : radius * sin(b);
         const double along = torus ? thin * sin(b) : radius * cos(b);
         add_vertex(mesh, x + around * cos(a), y + around * sin(a) * 0.3 + along);
      }
   }
   for (uint32_t row = 0; row + !torus < rows; row++) {
      for (uint32_t column = 0; column < columns; column++) {
         const uint32_t right = (column + 1) % columns, below = (row + 1) % rows * columns;
         add_triangle(mesh, row * columns + column, row * columns + right, below + column);
         add_triangle(mesh, row * columns + right, below + right, below + column);
      }
   }
}

/* Slivers that meet in one pixel. */
static void
make_star(struct mesh *mesh, uint32_t rays)
{
   const double x = 200 + vkt_random_below(600), y = 200 + vkt_random_below(600);
   add_vertex(mesh, x, y);
   for (uint32_t i = 0; i < rays; i++) {
      const double angle = 6.283185307 * i / rays, radius = 3 + vkt_random_below(200);
      add_vertex(mesh, x + radius * cos(angle), y + radius * sin(angle));
   }
   for (uint32_t i = 0; i < rays; i++)
      add_triangle(mesh, 0, 1 + i, 1 + (i + 1) % rays);
}

/* Rectangles over each other, of which no two have the same edges. */
static void
make_stack(struct mesh *mesh, uint32_t count)
{
   const uint32_t x = 100 + vkt_random_below(600), y = 100 + vkt_random_below(600);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t first = mesh->num_vertices;
      const double x0 = x + vkt_random_below(20), y0 = y + vkt_random_below(20);
      const double x1 = x0 + 5 + vkt_random_below(60), y1 = y0 + 5 + vkt_random_below(60);
      add_vertex(mesh, x0, y0);
      add_vertex(mesh, x1, y0);
      add_vertex(mesh, x0, y1);
      add_vertex(mesh, x1, y1);
      add_triangle(mesh, first, first + 1, first + 2);
      add_triangle(mesh, first + 2, first + 1, first + 3);
   }
}

static void
make_mesh(struct mesh *mesh, const unsigned chosen[DRAW_CHOICES])
{
   const enum kind kind = chosen[KIND];
   mesh->num_vertices = mesh->num_indices = 0;
   if (kind == STAR)
      make_star(mesh, 3 + vkt_random_below(100));
   else if (kind == STACK)
      make_stack(mesh, 2 + vkt_random_below(40));
   else
      make_closed(mesh, 3 + vkt_random_below(6), 3 + vkt_random_below(26), kind == TORUS);
   mesh->instances = 1 + chosen[INSTANCES];
   mesh->equation = chosen[EQUATION];
}

/* ---- the witness ---- */

/* Twice the area to the right of the edge, in a system whose y goes down. */
static int64_t
side(const int32_t a[2], const int32_t b[2], const int32_t p[2])
{
   return (int64_t)(b[0] - a[0]) * (p[1] - a[1]) - (int64_t)(b[1] - a[1]) * (p[0] - a[0]);
}

/* Centres on an edge belong to the triangle whose top or left edge that is. */
static bool
is_inside(const int32_t a[2], const int32_t b[2], const int32_t p[2])
{
   const int64_t area = side(a, b, p);
   const bool top = a[1] == b[1] && b[0] > a[0], left = b[1] < a[1];
   return area > 0 || (!area && (top || left));
}

static void
rasterise(const struct mesh *mesh, const uint16_t corners[3], int32_t shift, float (*image)[4])
{
   int32_t at[3][2];
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned j = 0; j < 2; j++)
         at[i][j] = mesh->vertices[corners[i]].place[j] + shift;
   }
   const int64_t area = side(at[0], at[1], at[2]);
   const int32_t *a = at[0], *b = at[area < 0 ? 2 : 1], *c = at[area < 0 ? 1 : 2];
   const float *color = mesh->vertices[corners[0]].color;
   for (int32_t i = 0; area && i < SIZE * SIZE; i++) {
      const int32_t p[2] = {i % SIZE * SUB + SUB / 2, i / SIZE * SUB + SUB / 2};
      if (!is_inside(a, b, p) || !is_inside(b, c, p) || !is_inside(c, a, p))
         continue;
      for (unsigned k = 0; k < 4; k++)
         image[i][k] = blend(mesh->equation, color[k], color[3], image[i][k]);
   }
}

static void
draw_by_hand(const struct mesh *mesh, float (*image)[4])
{
   for (uint32_t instance = 0; instance < mesh->instances; instance++) {
      for (uint32_t i = 0; i < mesh->num_indices; i += 3)
         rasterise(mesh, mesh->indices + i, 3 * (int32_t)instance, image);
   }
}

/* ---- the device ---- */

static void
create_pipelines(struct vkx *vkx, const struct vkt_target *target, VkPipelineLayout layout, VkPipeline *pipelines)
{
   const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attributes[2] = {
      {0, 0, VK_FORMAT_R32G32_SINT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct vertex, color)}};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 2,
                                                       .pVertexAttributeDescriptions = attributes};
   for (unsigned i = 0; i < EQUATIONS; i++)
      pipelines[i] =
         vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target->pass,
                                                              .layout = layout,
                                                              .vertex = VKT_CODE(vertex_code),
                                                              .fragment = VKT_CODE(fragment_code),
                                                              .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                              .vertex_input = &input,
                                                              .blend = &equations[i]});
}

static void
check_tile(struct vkx *vkx, const struct vkt_target *target, const VkPipeline *pipelines,
           const struct vkx_buffer *buffers, uint32_t tile)
{
   static struct mesh mesh;
   static float image[SIZE * SIZE][4];
   uint32_t covered = 0, wrong = 0;
   VkCommandBuffer cmd = vkx_begin(vkx);
   memset(image, 0, sizeof(image));
   choices_draw_new(&choices, tile, 16);
   choices_count(&choices);
   vkt_target_begin(cmd, target, target->pass, VK_SUBPASS_CONTENTS_INLINE);
   for (uint32_t draw = 0; draw < DRAWS; draw++) {
      const VkDeviceSize vertices_B = draw * sizeof(mesh.vertices), indices_B = draw * sizeof(mesh.indices);
      make_mesh(&mesh, choices.now + draw * DRAW_CHOICES);
      draw_by_hand(&mesh, image);
      memcpy((uint8_t *)buffers[0].map + vertices_B, mesh.vertices, sizeof(mesh.vertices));
      memcpy((uint8_t *)buffers[1].map + indices_B, mesh.indices, sizeof(mesh.indices));
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[mesh.equation]);
      vkCmdBindVertexBuffers(cmd, 0, 1, &buffers[0].buffer, &vertices_B);
      vkCmdBindIndexBuffer(cmd, buffers[1].buffer, indices_B, VK_INDEX_TYPE_UINT16);
      vkCmdDrawIndexed(cmd, mesh.num_indices, mesh.instances, 0, 0, 0);
   }
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target->color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &buffers[2]);
   const float(*drawn)[4] = buffers[2].map;
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      covered += image[i][3] != 0;
      wrong += memcmp(drawn[i], image[i], sizeof(image[i])) != 0;
   }
   vkt_expect(!wrong, "tile %u: %u of %u pixels are wrong", tile, wrong, covered);
   vkt_expect(covered > 8, "tile %u: %u pixels are covered", tile, covered);
}

int
main(int argc, char **argv)
{
   struct vkx vkx = vkt_create("meshes");
   struct vkt_target target = vkt_target_create(&vkx, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){SIZE, SIZE}, 1, VK_SAMPLE_COUNT_1_BIT);
   const struct vkx_buffer buffers[3] = {
      vkt_buffer_create(&vkx, DRAWS * sizeof(struct vertex[MOST_VERTICES]), 0),
      vkt_buffer_create(&vkx, DRAWS * sizeof(uint16_t[MOST_INDICES]), 0),
      vkt_buffer_create(&vkx, SIZE * SIZE * 16, 0),
   };
   VkPipelineLayout layout = vkt_quad_layout_create(&vkx);
   VkPipeline pipelines[EQUATIONS];
   create_pipelines(&vkx, &target, layout, pipelines);
   for (uint32_t tile = 0; tile < TILES; tile++)
      check_tile(&vkx, &target, pipelines, buffers, tile);
   vkt_expect(!choices_missing(&choices, stdout), "a pair of choices is in no tile");
   for (unsigned i = 0; i < EQUATIONS; i++)
      vkDestroyPipeline(vkx.device, pipelines[i], NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   for (unsigned i = 0; i < 3; i++) {
      struct vkx_buffer buffer = buffers[i];
      vkx_buffer_destroy(&vkx, &buffer);
   }
   vkt_target_destroy(&vkx, &target);
   return vkt_finish(&vkx);
}
