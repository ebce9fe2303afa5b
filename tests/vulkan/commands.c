/* Draws and dispatches with all kinds of parameters, direct and indirect; push constants; command buffers of both
 * levels, used once and again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t record_vert[] = {
#include "record.vert.inc"
};
static const uint32_t groups_comp[] = {
#include "groups.comp.inc"
};
static const uint32_t push_comp[] = {
#include "push.comp.inc"
};
static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MAX_RECORDS 256u
#define SIZE 32u

/* What a shader invocation writes. */
struct record {
   uint32_t words[8];
};

struct records {
   uint32_t count, unused[3];
   struct record list[MAX_RECORDS];
};

static int
compare_records(const void *a, const void *b)
{
   return memcmp(a, b, sizeof(struct record));
}

/* Whether the same records were written, in any order. */
static void
expect_records(struct records *got, struct record *expected, uint32_t count, const char *what, unsigned row)
{
   bool same = got->count == count;
   if (same) {
      qsort(got->list, count, sizeof(struct record), compare_records);
      qsort(expected, count, sizeof(struct record), compare_records);
      same = !memcmp(got->list, expected, count * sizeof(struct record));
   }
   vkt_expect(same, "%s, row %u: %u records, expected %u", what, row, got->count, count);
   for (uint32_t i = 0; i < count && i < got->count && !same; i++) {
      if (memcmp(&got->list[i], &expected[i], sizeof(struct record))) {
         for (unsigned w = 0; w < 8; w++)
            printf("  %x/%x", got->list[i].words[w], expected[i].words[w]);
         printf("\n");
         return;
      }
   }
}

struct scene {
   struct vkx *vkx;
   struct vkt_target target;
   struct vkx_buffer records, vertices, indirect;
   VkDescriptorSetLayout set_layout;
   VkDescriptorSet set;
   VkPipelineLayout draw_layout, compute_layout, quad_layout;
   VkPipeline points, groups, push, quad;
};

/* Vertex buffer: 64 numbers per vertex, 64 per instance, then indices of 32, 16 and 8 bits. */
#define INSTANCES_AT (64 * 4)
#define INDICES_AT(size_B) (128 * 4 + ((size_B) == 4 ? 0 : (size_B) == 2 ? 32 * 4 : 32 * 6))

static uint32_t
index_of(uint32_t i)
{
   return (i * 7 + 3) % 29;
}

static void
fill_vertices(struct scene *scene)
{
   uint32_t *words = scene->vertices.map;
   uint16_t *shorts = (uint16_t *)((char *)words + INDICES_AT(2));
   uint8_t *bytes = (uint8_t *)words + INDICES_AT(1);
   for (uint32_t i = 0; i < 64; i++) {
      words[i] = 1000 + i;
      words[64 + i] = 2000 + i;
   }
   for (uint32_t i = 0; i < 32; i++) {
      words[128 + i] = index_of(i);
      shorts[i] = (uint16_t)index_of(i);
      bytes[i] = (uint8_t)index_of(i);
   }
}

static VkPipeline
create_points(const struct scene *scene)
{
   const VkVertexInputBindingDescription bindings[2] = {{0, 4, VK_VERTEX_INPUT_RATE_VERTEX},
                                                        {1, 4, VK_VERTEX_INPUT_RATE_INSTANCE}};
   const VkVertexInputAttributeDescription attributes[2] = {{0, 0, VK_FORMAT_R32_UINT, 0},
                                                            {1, 1, VK_FORMAT_R32_UINT, 0}};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 2,
                                                       .pVertexBindingDescriptions = bindings,
                                                       .vertexAttributeDescriptionCount = 2,
                                                       .pVertexAttributeDescriptions = attributes};
   VkPipelineColorBlendAttachmentState none = {0};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   struct vkt_pipeline_info info = {.pass = scene->target.pass,
                                    .layout = scene->draw_layout,
                                    .vertex = VKT_CODE(record_vert),
                                    .vertex_input = &input,
                                    .blend = &none,
                                    .raster = &raster,
                                    .points = true};
   return vkt_pipeline_create(scene->vkx, &info);
}

static struct scene
scene_create(struct vkx *vkx)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct scene scene = {
      .vkx = vkx,
      .target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, (VkExtent2D){SIZE, SIZE}, 1,
                                  VK_SAMPLE_COUNT_1_BIT),
      .records = vkt_buffer_create(vkx, sizeof(struct records), 0),
      .vertices = vkt_buffer_create(vkx, 4096, 0),
      .indirect = vkt_buffer_create(vkx, 4096, 0),
      .set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT),
   };
   scene.set = vkt_set_create(vkx, scene.set_layout, type, &scene.records);
   scene.draw_layout = vkx_pipeline_layout_create(vkx, scene.set_layout, VK_SHADER_STAGE_VERTEX_BIT, 4);
   scene.compute_layout = vkx_pipeline_layout_create(vkx, scene.set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 128);
   scene.quad_layout = vkt_quad_layout_create(vkx);
   scene.points = create_points(&scene);
   scene.quad = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = scene.target.pass,
                                                                     .layout = scene.quad_layout,
                                                                     .vertex = VKT_CODE(quad_vert),
                                                                     .fragment = VKT_CODE(quad_frag)});
   scene.push =
      vkx_compute_pipeline_create(vkx, scene.compute_layout, vkx_shader_create(vkx, push_comp, sizeof(push_comp)));
   VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = VK_PIPELINE_CREATE_DISPATCH_BASE,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = vkx_shader_create(vkx, groups_comp, sizeof(groups_comp)),
                .pName = "main"},
      .layout = scene.compute_layout,
   };
   vkx_check(vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &scene.groups), "pipeline");
   vkDestroyShaderModule(vkx->device, info.stage.module, NULL);
   fill_vertices(&scene);
   return scene;
}

static void
scene_destroy(struct scene *scene)
{
   VkDevice device = scene->vkx->device;
   vkDestroyPipeline(device, scene->points, NULL);
   vkDestroyPipeline(device, scene->groups, NULL);
   vkDestroyPipeline(device, scene->push, NULL);
   vkDestroyPipeline(device, scene->quad, NULL);
   vkDestroyPipelineLayout(device, scene->draw_layout, NULL);
   vkDestroyPipelineLayout(device, scene->compute_layout, NULL);
   vkDestroyPipelineLayout(device, scene->quad_layout, NULL);
   vkDestroyDescriptorSetLayout(device, scene->set_layout, NULL);
   vkt_sets_destroy(scene->vkx);
   vkx_buffer_destroy(scene->vkx, &scene->records);
   vkx_buffer_destroy(scene->vkx, &scene->vertices);
   vkx_buffer_destroy(scene->vkx, &scene->indirect);
   vkt_target_destroy(scene->vkx, &scene->target);
}

static void
bind_points(const struct scene *scene, VkCommandBuffer cmd, uint32_t tag)
{
   const VkBuffer buffers[2] = {scene->vertices.buffer, scene->vertices.buffer};
   const VkDeviceSize offsets[2] = {0, INSTANCES_AT};
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene->points);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene->draw_layout, 0, 1, &scene->set, 0, NULL);
   vkCmdBindVertexBuffers(cmd, 0, 2, buffers, offsets);
   vkCmdPushConstants(cmd, scene->draw_layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 4, &tag);
}

/* ---- draws ---- */

struct draw {
   uint32_t count, instances, first;
   int32_t vertex_offset;
   uint32_t first_instance;
};

static const struct draw_row {
   uint32_t index_B; /* 0: not indexed */
   uint32_t num_draws;
   struct draw draws[3];
} draw_rows[] = {
   {0, 1, {{7, 1, 0, 0, 0}}},
   {0, 2, {{3, 2, 5, 0, 0}, {4, 3, 0, 0, 11}}},
   {0, 3, {{1, 1, 63, 0, 63}, {0, 5, 0, 0, 0}, {2, 1, 9, 0, 1}}},
   {4, 1, {{8, 1, 0, 0, 0}}},
   {4, 2, {{5, 2, 3, 6, 0}, {4, 2, 20, -2, 9}}},
   {2, 3, {{9, 1, 1, 0, 0}, {3, 0, 0, 0, 0}, {2, 4, 30, 20, 3}}},
   {1, 2, {{9, 1, 1, 0, 0}, {5, 1, 7, 4, 5}}},
};

/* What the draws of a row write; draw_id counts if they are one multi-draw. */
static uint32_t
expected_draws(const struct draw_row *row, uint32_t num_draws, bool multi, uint32_t tag, struct record *out)
{
   uint32_t n = 0;
   for (uint32_t d = 0; d < num_draws; d++) {
      const struct draw *draw = &row->draws[d];
      for (uint32_t i = 0; i < draw->instances; i++) {
         for (uint32_t v = 0; v < draw->count; v++) {
            uint32_t base = row->index_B ? (uint32_t)draw->vertex_offset : draw->first;
            uint32_t vertex = row->index_B ? index_of(draw->first + v) + base : base + v;
            uint32_t instance = draw->first_instance + i;
            out[n++] = (struct record){
               {vertex, instance, base, draw->first_instance, multi ? d : 0, 1000 + vertex, 2000 + instance, tag}};
         }
      }
   }
   return n;
}

static void
bind_indices(const struct scene *scene, VkCommandBuffer cmd, uint32_t index_B)
{
   if (index_B)
      vkCmdBindIndexBuffer(cmd, scene->vertices.buffer, INDICES_AT(index_B),
                           index_B == 4   ? VK_INDEX_TYPE_UINT32
                           : index_B == 2 ? VK_INDEX_TYPE_UINT16
                                          : VK_INDEX_TYPE_UINT8_EXT);
}

/* Parameters of the row's draws at 64, a count at 0. */
static void
write_indirect(const struct scene *scene, const struct draw_row *row, uint32_t stride_B, uint32_t count)
{
   memset(scene->indirect.map, 0, scene->indirect.size);
   *(uint32_t *)scene->indirect.map = count;
   for (uint32_t d = 0; d < row->num_draws; d++) {
      const struct draw *draw = &row->draws[d];
      void *at = (char *)scene->indirect.map + 64 + d * stride_B;
      if (row->index_B)
         *(VkDrawIndexedIndirectCommand *)at = (VkDrawIndexedIndirectCommand){
            draw->count, draw->instances, draw->first, draw->vertex_offset, draw->first_instance};
      else
         *(VkDrawIndirectCommand *)at =
            (VkDrawIndirectCommand){draw->count, draw->instances, draw->first, draw->first_instance};
   }
}

enum draw_way { DIRECT, INDIRECT, INDIRECT_WIDE, COUNT_LESS, COUNT_MORE, DRAW_WAYS };

static void
record_draws(const struct scene *scene, VkCommandBuffer cmd, const struct draw_row *row, enum draw_way way,
             uint32_t stride_B)
{
   VkBuffer buffer = scene->indirect.buffer;
   PFN_vkCmdDrawIndirectCountKHR count = VKT_PROC(scene->vkx, vkCmdDrawIndirectCountKHR);
   PFN_vkCmdDrawIndexedIndirectCountKHR indexed_count = VKT_PROC(scene->vkx, vkCmdDrawIndexedIndirectCountKHR);
   for (uint32_t d = 0; d < row->num_draws && way == DIRECT; d++) {
      const struct draw *draw = &row->draws[d];
      if (row->index_B)
         vkCmdDrawIndexed(cmd, draw->count, draw->instances, draw->first, draw->vertex_offset, draw->first_instance);
      else
         vkCmdDraw(cmd, draw->count, draw->instances, draw->first, draw->first_instance);
   }
   if (way == DIRECT)
      return;
   if (way >= COUNT_LESS)
      (row->index_B ? indexed_count : count)(cmd, buffer, 64, buffer, 0, row->num_draws, stride_B);
   else if (row->index_B)
      vkCmdDrawIndexedIndirect(cmd, buffer, 64, row->num_draws, stride_B);
   else
      vkCmdDrawIndirect(cmd, buffer, 64, row->num_draws, stride_B);
}

static void
test_draws(struct scene *scene, enum draw_way way)
{
   static const char *const names[] = {"direct draws", "indirect draws", "indirect draws with a stride",
                                       "indirect draws, fewer by the count", "indirect draws, as many by the count"};
   struct records *records = scene->records.map;
   if (way >= COUNT_LESS && !vkt_has("VK_KHR_draw_indirect_count")) {
      vkt_skip(names[way]);
      return;
   }
   for (uint32_t r = 0; r < ARRAY_SIZE(draw_rows); r++) {
      const struct draw_row *row = &draw_rows[r];
      if (row->index_B == 1 && !vkt_has("VK_EXT_index_type_uint8"))
         continue;
      struct record expected[MAX_RECORDS];
      uint32_t drawn = way == COUNT_LESS ? row->num_draws - 1 : row->num_draws;
      uint32_t stride_B = (row->index_B ? 20 : 16) + (way == INDIRECT_WIDE ? 12 : 0);
      uint32_t count = expected_draws(row, drawn, way != DIRECT, 77 + r, expected);
      write_indirect(scene, row, stride_B, way == COUNT_LESS ? drawn : drawn + 5);
      memset(records, 0, sizeof(*records));
      VkCommandBuffer cmd = vkx_begin(scene->vkx);
      vkt_target_begin(cmd, &scene->target, scene->target.pass, VK_SUBPASS_CONTENTS_INLINE);
      bind_points(scene, cmd, 77 + r);
      bind_indices(scene, cmd, row->index_B);
      record_draws(scene, cmd, row, way, stride_B);
      vkCmdEndRenderPass(cmd);
      vkt_barrier(cmd);
      vkx_submit_and_wait(scene->vkx, cmd);
      expect_records(records, expected, count, names[way], r);
   }
}

/* Direct draws after an indirect one, and the other way round: nothing of the one's parameters stays. */
static void
test_mixed_draws(struct scene *scene)
{
   static const struct draw_row rows[3] = {
      {0, 1, {{2, 1, 4, 0, 3}}}, {0, 2, {{3, 1, 9, 0, 8}, {1, 1, 2, 0, 1}}}, {0, 1, {{2, 1, 4, 0, 3}}}};
   struct records *records = scene->records.map;
   struct record expected[MAX_RECORDS];
   uint32_t count = 0;
   write_indirect(scene, &rows[1], 16, 2);
   memset(records, 0, sizeof(*records));
   VkCommandBuffer cmd = vkx_begin(scene->vkx);
   vkt_target_begin(cmd, &scene->target, scene->target.pass, VK_SUBPASS_CONTENTS_INLINE);
   bind_points(scene, cmd, 5);
   for (unsigned i = 0; i < 3; i++) {
      record_draws(scene, cmd, &rows[i], i == 1 ? INDIRECT : DIRECT, 16);
      count += expected_draws(&rows[i], rows[i].num_draws, i == 1, 5, expected + count);
   }
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(scene->vkx, cmd);
   expect_records(records, expected, count, "direct and indirect draws", 0);
}

/* ---- dispatches ---- */

static const struct dispatch {
   uint32_t base[3], groups[3];
   bool indirect;
} dispatches[] = {
   {{0, 0, 0}, {3, 1, 1}, false}, {{0, 0, 0}, {2, 3, 4}, false}, {{2, 0, 5}, {3, 2, 1}, false},
   {{0, 7, 0}, {1, 4, 2}, false}, {{0, 0, 0}, {4, 2, 3}, true},  {{0, 0, 0}, {3, 0, 2}, true},
   {{0, 0, 0}, {1, 1, 1}, false},
};

static void
test_dispatches(struct scene *scene)
{
   struct records *records = scene->records.map;
   for (uint32_t r = 0; r < ARRAY_SIZE(dispatches); r++) {
      const struct dispatch *d = &dispatches[r];
      const uint32_t *n = d->groups;
      struct record expected[MAX_RECORDS];
      uint32_t count = 0;
      for (uint32_t i = 0; i < n[0] * n[1] * n[2]; i++) {
         uint32_t x = d->base[0] + i % n[0], y = d->base[1] + i / n[0] % n[1], z = d->base[2] + i / n[0] / n[1];
         expected[count++] = (struct record){{x, y, z, 0, n[0], n[1], n[2], y * 2 + 1}};
      }
      memset(records, 0, sizeof(*records));
      memcpy((char *)scene->indirect.map + 16, n, 12);
      VkCommandBuffer cmd = vkx_begin(scene->vkx);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, scene->groups);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, scene->compute_layout, 0, 1, &scene->set, 0, NULL);
      if (d->indirect)
         vkCmdDispatchIndirect(cmd, scene->indirect.buffer, 16);
      else
         vkCmdDispatchBase(cmd, d->base[0], d->base[1], d->base[2], n[0], n[1], n[2]);
      vkt_barrier(cmd);
      vkx_submit_and_wait(scene->vkx, cmd);
      expect_records(records, expected, count, "dispatch", r);
   }
}

/* ---- push constants: written in pieces, kept over binds and dispatches ---- */

static const struct {
   uint32_t offset_B, size_B;
} pieces[] = {{0, 128}, {40, 12}, {0, 4}, {124, 4}, {64, 64}};

static void
test_push_constants(struct scene *scene)
{
   uint32_t state[32], expected[ARRAY_SIZE(pieces)][32];
   VkCommandBuffer cmd = vkx_begin(scene->vkx);
   memset(scene->records.map, 0, scene->records.size);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, scene->compute_layout, 0, 1, &scene->set, 0, NULL);
   for (uint32_t p = 0; p < ARRAY_SIZE(pieces); p++) {
      for (uint32_t w = pieces[p].offset_B / 4; w < (pieces[p].offset_B + pieces[p].size_B) / 4; w++)
         state[w] = p << 16 | w;
      vkCmdPushConstants(cmd, scene->compute_layout, VK_SHADER_STAGE_COMPUTE_BIT, pieces[p].offset_B,
                         pieces[p].size_B, (char *)state + pieces[p].offset_B);
      if (p % 2 == 0)
         vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, scene->push);
      vkCmdDispatch(cmd, 1, 1, 1);
      vkt_barrier(cmd);
      vkCmdCopyBuffer(cmd, scene->records.buffer, scene->indirect.buffer, 1, &(VkBufferCopy){0, p * 128, 128});
      vkt_barrier(cmd);
      memcpy(expected[p], state, 128);
   }
   vkx_submit_and_wait(scene->vkx, cmd);
   vkt_expect(!memcmp(scene->indirect.map, expected, sizeof(expected)), "push constants");
}

int
main(void)
{
   struct vkx vkx = vkt_create("commands");
   struct scene scene = scene_create(&vkx);
   for (int way = DIRECT; way < DRAW_WAYS; way++)
      test_draws(&scene, (enum draw_way)way);
   test_mixed_draws(&scene);
   test_dispatches(&scene);
   test_push_constants(&scene);
   scene_destroy(&scene);
   return vkt_finish(&vkx);
}
