/* VK_EXT_transform_feedback and VK_EXT_primitives_generated_query with vertex shaders: bytes of the buffers, counters
 * and queries against what the CPU unrolls. */
#include "pass_helpers.h"

static const uint32_t xfb_vert[] = {
#include "xfb.vert.inc"
};
static const uint32_t count_vert[] = {
#include "xfb_count.vert.inc"
};
static const uint32_t xfb_frag[] = {
#include "xfb.frag.inc"
};

enum { BUFFERS = 3, MAX_VERTICES = 4096, BUFFER_B = 1 << 18, GUARD = 0xcd, BASE_B = 64 };

/* As xfb.vert has them. */
static const uint32_t bindings[BUFFERS] = {0, 1, 3}, strides_B[BUFFERS] = {32, 20, 56};

static struct vkt_target target;
static struct vkx_buffer buffers[BUFFERS], counters, indices, results, shaded;
static VkQueryPool captured, generated;
static bool preserves_provoking;

static PFN_vkCmdBindTransformFeedbackBuffersEXT bind;
static PFN_vkCmdBeginTransformFeedbackEXT begin_xfb;
static PFN_vkCmdEndTransformFeedbackEXT end_xfb;

/* ---- what is expected ---- */

struct vertex {
   uint32_t index, instance;
};

struct expected {
   struct vertex vertices[MAX_VERTICES];
   uint32_t count, per_primitive;
};

static const uint32_t restart_index = UINT32_MAX;

/* By topology: vertices of a primitive that are drawn; those that it takes; from one primitive to the next. */
static const uint32_t drawn[] = {1, 2, 2, 3, 3, 3, 2, 2, 3, 3}, taken[] = {1, 2, 2, 3, 3, 3, 4, 4, 6, 6};
static const uint32_t steps[] = {1, 2, 1, 3, 1, 1, 4, 1, 6, 2};

static bool
is_list(VkPrimitiveTopology topology)
{
   return steps[topology] == taken[topology];
}

/* Corner k of primitive i in a run of vertices. */
static uint32_t
corner(VkPrimitiveTopology topology, uint32_t i, uint32_t k)
{
   const bool strip = topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP ||
                      topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
   const uint32_t turned = strip && k ? i % 2 ? 3 - k : k : k, first = i * steps[topology];
   if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)
      return k == 2 ? 0 : i + 1 + k;
   if (taken[topology] == 6)
      return first + 2 * turned;
   return first + turned + (taken[topology] == 4);
}

static void
unroll_run(struct expected *to, VkPrimitiveTopology topology, const uint32_t *run, uint32_t count, uint32_t instance)
{
   const uint32_t primitives = count < taken[topology] ? 0 : (count - taken[topology]) / steps[topology] + 1;
   for (uint32_t i = 0; i < primitives; i++) {
      for (uint32_t k = 0; k < drawn[topology]; k++)
         to->vertices[to->count++] = (struct vertex){run[corner(topology, i, k)], instance};
   }
}

struct draw {
   VkPrimitiveTopology topology;
   uint32_t count, instances, first, first_instance;
   bool indexed;
};

static void
unroll(struct expected *to, const struct draw *draw)
{
   static uint32_t numbers[MAX_VERTICES];
   const uint32_t *all = indices.map;
   to->per_primitive = drawn[draw->topology];
   for (uint32_t i = 0; i < draw->instances; i++) {
      uint32_t run = 0;
      for (uint32_t k = 0; k < draw->count; k++) {
         const uint32_t index = draw->indexed ? all[k] : draw->first + k;
         if (index != restart_index || !draw->indexed)
            numbers[run++] = index;
         else {
            unroll_run(to, draw->topology, numbers, run, draw->first_instance + i);
            run = 0;
         }
      }
      unroll_run(to, draw->topology, numbers, run, draw->first_instance + i);
   }
}

static void
put(uint8_t *to, uint32_t offset_B, const void *from, size_t size_B)
{
   memcpy(to + offset_B, from, size_B);
}

/* One vertex in buffer b. */
static void
expect_vertex(uint8_t *to, unsigned b, struct vertex vertex)
{
   const float v = (float)vertex.index, n = (float)vertex.instance;
   const float vector[3] = {v, n, v + 0.5f}, place[5] = {v / 256, n / 256, 0.5f, 1, 1 + n};
   const float rest[9] = {v + 1, v + 2, v + 3, n + 4, n + 5, n + 6, v * 2, v * 4, n * 8};
   if (b == 0) {
      put(to, 4, &vertex, 8);
      put(to, 16, vector, 12);
   } else {
      put(to, b == 1 ? 0 : 8, b == 1 ? place : rest, b == 1 ? sizeof(place) : sizeof(rest));
   }
}

/* The same triangle, seen from the same side. */
static bool
is_turned(const struct vertex *a, const struct vertex *b)
{
   for (unsigned turn = 0; turn < 3; turn++) {
      if (a[0].index == b[turn].index && a[1].index == b[(turn + 1) % 3].index &&
          a[2].index == b[(turn + 2) % 3].index)
         return true;
   }
   return false;
}

/* Strips and fans may start at any vertex of a triangle where a device does not preserve the provoking one, which is
 * the first then; of fans no device here says so. */
static void
turn_triangles(struct expected *expected, uint32_t first, const struct draw *draw)
{
   for (uint32_t i = first; i + 2 < expected->count && expected->per_primitive == 3 && !is_list(draw->topology) &&
                            !(preserves_provoking && draw->topology != VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN);
        i += 3) {
      struct vertex got[3];
      for (unsigned k = 0; k < 3; k++)
         memcpy(&got[k], (const char *)buffers[0].map + BASE_B + (i + k) * strides_B[0] + 4, 8);
      if (got[0].instance == expected->vertices[i].instance && is_turned(got, &expected->vertices[i]))
         memcpy(&expected->vertices[i], got, sizeof(got));
   }
}

/* The first `fit` vertices, then what was there. */
static void
check_buffers(const struct expected *expected, uint32_t fit, const char *what)
{
   static uint8_t want[BUFFER_B];
   for (unsigned b = 0; b < BUFFERS; b++) {
      memset(want, GUARD, BUFFER_B);
      for (uint32_t i = 0; i < fit; i++)
         expect_vertex(want + BASE_B + i * strides_B[b], b, expected->vertices[i]);
      uint32_t at = 0;
      while (at < BUFFER_B && want[at] == ((const uint8_t *)buffers[b].map)[at])
         at++;
      vkt_expect(at == BUFFER_B, "%s: buffer %u, byte %u (vertex %d of %u)", what, bindings[b], at,
                 ((int)at - BASE_B) / (int)strides_B[b], fit);
   }
}

/* ---- drawing ---- */

static void
fill_buffers(void)
{
   for (unsigned b = 0; b < BUFFERS; b++)
      memset(buffers[b].map, GUARD, BUFFER_B);
}

/* size_B: of each binding by buffers; 0: all. */
static void
bind_buffers(VkCommandBuffer cmd, const VkDeviceSize *sizes_B)
{
   for (unsigned b = 0; b < BUFFERS; b++) {
      const VkDeviceSize offset = BASE_B, size = sizes_B ? sizes_B[b] : VK_WHOLE_SIZE;
      bind(cmd, bindings[b], 1, &buffers[b].buffer, &offset, &size);
   }
}

static VkPipeline
pipeline_of(VkPrimitiveTopology topology, struct vkt_code vertex, bool restart, bool discard)
{
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = discard,
      .lineWidth = 1};
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                               .layout = quad_layout,
                                                               .vertex = vertex,
                                                               .fragment = VKT_CODE(xfb_frag),
                                                               .topology = topology,
                                                               .points = topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                               .restart = restart,
                                                               .raster = &raster});
}

static VkPipeline
pipeline_create(VkPrimitiveTopology topology, bool restart, bool discard)
{
   return pipeline_of(topology, VKT_CODE(xfb_vert), restart, discard);
}

static void
record_draw(VkCommandBuffer cmd, const struct draw *draw)
{
   if (draw->indexed)
      vkCmdDrawIndexed(cmd, draw->count, draw->instances, 0, 0, draw->first_instance);
   else
      vkCmdDraw(cmd, draw->count, draw->instances, draw->first, draw->first_instance);
}

static VkCommandBuffer
start_commands(void)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdResetQueryPool(cmd, captured, 0, 4);
   vkCmdResetQueryPool(cmd, generated, 0, 4);
   return cmd;
}

static void
finish_commands(VkCommandBuffer cmd)
{
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                      VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT | VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
   vkx_submit_and_wait(vkx, cmd);
}

static void
check_query(VkQueryPool pool, uint32_t query, unsigned count, const uint64_t *want, const char *what)
{
   uint64_t got[2] = {0};
   vkx_check(vkGetQueryPoolResults(vkx->device, pool, query, 1, sizeof(got), got, 8 * count,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
             "vkGetQueryPoolResults");
   for (unsigned i = 0; i < count; i++)
      vkt_expect(got[i] == want[i], "%s: value %u of the query is %llu, not %llu", what, i,
                 (unsigned long long)got[i], (unsigned long long)want[i]);
}

static void
capture(const struct draw *draw, const VkDeviceSize *sizes_B, uint32_t fit, bool discard, const char *what)
{
   static struct expected expected;
   VkPipeline pipeline = pipeline_create(draw->topology, draw->indexed, discard);
   VkCommandBuffer cmd = start_commands();
   fill_buffers();
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindIndexBuffer(cmd, indices.buffer, 0, VK_INDEX_TYPE_UINT32);
   bind_buffers(cmd, sizes_B);
   vkCmdBeginQuery(cmd, captured, 0, 0);
   if (generated)
      vkCmdBeginQuery(cmd, generated, 0, 0);
   begin_xfb(cmd, 0, 0, NULL, NULL);
   record_draw(cmd, draw);
   end_xfb(cmd, 0, 0, NULL, NULL);
   vkCmdEndQuery(cmd, captured, 0);
   if (generated)
      vkCmdEndQuery(cmd, generated, 0);
   vkCmdEndRenderPass(cmd);
   finish_commands(cmd);
   expected.count = 0;
   unroll(&expected, draw);
   turn_triangles(&expected, 0, draw);
   fit = fit < expected.count ? fit : expected.count;
   check_buffers(&expected, fit, what);
   const uint64_t counts[2] = {fit / expected.per_primitive, expected.count / expected.per_primitive};
   check_query(captured, 0, 2, counts, what);
   if (generated)
      check_query(generated, 0, 1, counts + 1, what);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static const VkPrimitiveTopology topologies[] = {VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                 VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                                                 VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
                                                 VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
                                                 VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
                                                 VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY};
static unsigned num_topologies; /* without geometry shaders, none with adjacency */

/* Few vertices, and more than several waves have. */
static void
test_topologies(void)
{
   static const uint32_t counts[] = {2, 7, 200};
   char what[64];
   for (unsigned i = 0; i < num_topologies * 3; i++) {
      const struct draw draw = {topologies[i / 3], counts[i % 3], 3, 5, 2, false};
      snprintf(what, sizeof(what), "topology %u, %u vertices", topologies[i / 3], counts[i % 3]);
      capture(&draw, NULL, UINT32_MAX, i & 1, what);
   }
}

static void
test_restart(void)
{
   uint32_t *to = indices.map;
   for (unsigned i = 0; i < 300; i++)
      to[i] = i * 11 % 23 == 0 ? restart_index : i * 7 % 61;
   for (unsigned i = 0; i < num_topologies; i++) {
      char what[64];
      const struct draw draw = {topologies[i], 300, 2, 0, 0, true};
      if (is_list(topologies[i]))
         continue;
      snprintf(what, sizeof(what), "restart, topology %u", topologies[i]);
      capture(&draw, NULL, UINT32_MAX, false, what);
   }
}

/* One of the buffers is full first; parts of primitives are not written. */
static void
test_overflow(void)
{
   for (unsigned b = 0; b < BUFFERS; b++) {
      for (uint32_t fit = 0; fit < 200; fit += 50) {
         const struct draw draw = {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 300, 1, 0, 0, false};
         VkDeviceSize sizes_B[BUFFERS] = {1 << 15, 1 << 15, 1 << 15};
         char what[64];
         sizes_B[b] = (fit + 1) * strides_B[b];
         snprintf(what, sizeof(what), "room for %u vertices in buffer %u", fit + 1, bindings[b]);
         capture(&draw, sizes_B, (fit + 1) / 3 * 3, true, what);
      }
   }
}

/* Begins where the counters are, ends there. */
static void
with_counters(VkCommandBuffer cmd, const struct draw *draw, bool first)
{
   VkBuffer of[4] = {counters.buffer, counters.buffer, VK_NULL_HANDLE, counters.buffer};
   const VkDeviceSize offsets[4] = {0, 4, 0, 12};
   begin_xfb(cmd, 0, first ? 0 : 4, first ? NULL : of, first ? NULL : offsets);
   record_draw(cmd, draw);
   end_xfb(cmd, 0, 4, of, offsets);
}

static void
counter_barrier(VkCommandBuffer cmd)
{
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                      VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
                      VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                      VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
}

/* Pauses in three passes; then draws as many vertices as buffer 0 has, after what is there. */
static void
test_resume(void)
{
   static struct expected expected;
   const struct draw draws[] = {{VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 41, 1, 0, 0, false},
                                {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 70, 2, 9, 0, false},
                                {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 5, 1, 3, 1, false}};
   VkPipeline pipeline = pipeline_create(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, false, true);
   VkCommandBuffer cmd = start_commands();
   fill_buffers();
   expected.count = 0;
   for (unsigned i = 0; i < 3; i++) {
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      bind_buffers(cmd, NULL);
      with_counters(cmd, &draws[i], i == 0);
      record_draw(cmd, &draws[i]); /* not captured */
      vkCmdEndRenderPass(cmd);
      counter_barrier(cmd);
      unroll(&expected, &draws[i]);
   }
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   bind_buffers(cmd, NULL);
   VkBuffer of[4] = {counters.buffer, counters.buffer, VK_NULL_HANDLE, counters.buffer};
   const VkDeviceSize offsets[4] = {0, 4, 0, 12};
   begin_xfb(cmd, 0, 4, of, offsets);
   VKT_PROC(vkx, vkCmdDrawIndirectByteCountEXT)(cmd, 2, 7, counters.buffer, 0, 2 * 32, 32);
   end_xfb(cmd, 0, 0, NULL, NULL);
   vkCmdEndRenderPass(cmd);
   finish_commands(cmd);
   const struct draw last = {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, expected.count - 2, 2, 0, 7, false};
   for (unsigned b = 0; b < BUFFERS; b++)
      vkt_expect(((const uint32_t *)counters.map)[bindings[b]] == expected.count * strides_B[b],
                 "counter %u is %u, not %u", bindings[b], ((const uint32_t *)counters.map)[bindings[b]],
                 expected.count * strides_B[b]);
   unroll(&expected, &last);
   turn_triangles(&expected, 0, &last);
   check_buffers(&expected, expected.count, "resumed");
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* Without transform feedback; a clear inside of the query does not count. */
static void
test_generated(bool discard)
{
   VkPipeline pipeline = pipeline_create(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, false, discard);
   const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(BYTES(1, 2, 3, 4))};
   const VkClearRect rect = {{{1, 1}, {4, 4}}, 0, 1};
   const uint64_t want[2] = {3 * 98 + 5, 0}, none[2] = {0, 0};
   VkCommandBuffer cmd = start_commands();
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBeginQuery(cmd, captured, 0, 0);
   vkCmdBeginQuery(cmd, generated, 1, 0);
   vkCmdDraw(cmd, 100, 3, 0, 0);
   vkCmdClearAttachments(cmd, 1, &clear, 1, &rect);
   vkCmdDraw(cmd, 7, 1, 0, 0);
   vkCmdEndQuery(cmd, generated, 1);
   vkCmdEndQuery(cmd, captured, 0);
   vkCmdDraw(cmd, 100, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkCmdCopyQueryPoolResults(cmd, generated, 1, 1, results.buffer, 0, 8, VK_QUERY_RESULT_WAIT_BIT);
   vkCmdCopyQueryPoolResults(cmd, captured, 0, 1, results.buffer, 16, 8, VK_QUERY_RESULT_WAIT_BIT);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_HOST_READ_BIT);
   finish_commands(cmd);
   check_query(generated, 1, 1, want, discard ? "generated and discarded" : "generated");
   check_query(captured, 0, 1, none, "without transform feedback");
   const uint32_t *copied = results.map;
   vkt_expect(copied[0] == want[0], "copied: %u generated primitives", copied[0]);
   vkt_expect(copied[4] == 0, "copied: %u captured primitives", copied[4]);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* Nothing else changes between the draws. */
static void
test_byte_counts(void)
{
   VkPipeline pipeline = pipeline_create(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, false, false);
   const uint64_t want = 1 + 2 * 5 + 3;
   VkCommandBuffer cmd = start_commands();
   *(uint32_t *)counters.map = 16 * 32 + 4;
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBeginQuery(cmd, generated, 0, 0);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   VKT_PROC(vkx, vkCmdDrawIndirectByteCountEXT)(cmd, 2, 0, counters.buffer, 0, 0, 32);
   VKT_PROC(vkx, vkCmdDrawIndirectByteCountEXT)(cmd, 1, 0, counters.buffer, 0, 6 * 32, 32);
   vkCmdEndQuery(cmd, generated, 0);
   vkCmdEndRenderPass(cmd);
   finish_commands(cmd);
   check_query(generated, 0, 1, &want, "draws by a byte count");
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* The copy of both values. */
static void
test_copy(void)
{
   const struct draw draw = {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 11, 1, 0, 0, false};
   const VkDeviceSize sizes_B[BUFFERS] = {1 << 10, 20 * 7, 1 << 10};
   capture(&draw, sizes_B, 6, false, "to be copied");
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdCopyQueryPoolResults(cmd, captured, 0, 1, results.buffer, 0, 24,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_HOST_READ_BIT);
   vkx_submit_and_wait(vkx, cmd);
   const uint64_t *copied = results.map;
   vkt_expect(copied[0] == 3 && copied[1] == 10 && copied[2] == 1, "copied: %llu written, %llu needed, %llu",
              (unsigned long long)copied[0], (unsigned long long)copied[1], (unsigned long long)copied[2]);
}

/* Vertices of points, which are shared by no primitives, are shaded once though they are captured and drawn. */
static void
test_count(void)
{
   const uint64_t shaded_va = vkt_address(vkx, &shaded);
   const VkDeviceSize sizes_B[BUFFERS] = {1 << 14, 20 * 30, 1 << 14};
   VkPipeline pipeline = pipeline_of(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VKT_CODE(count_vert), false, false);
   VkCommandBuffer cmd = start_commands();
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, quad_layout, VKT_QUAD_STAGES, 0, sizeof(shaded_va), &shaded_va);
   bind_buffers(cmd, sizes_B);
   begin_xfb(cmd, 0, 0, NULL, NULL);
   vkCmdDraw(cmd, 40, 3, 0, 0);
   end_xfb(cmd, 0, 0, NULL, NULL);
   vkCmdEndRenderPass(cmd);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
   finish_commands(cmd);
   vkt_expect(*(uint32_t *)shaded.map == 120, "120 vertices are captured and drawn: %u were shaded",
              *(uint32_t *)shaded.map);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static VkQueryPool
pool_create(VkQueryType type)
{
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = type, .queryCount = 4};
   VkQueryPool pool;
   vkx_check(vkCreateQueryPool(vkx->device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

static void
start(void)
{
   const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                                    VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                                    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
   bind = VKT_PROC(vkx, vkCmdBindTransformFeedbackBuffersEXT);
   begin_xfb = VKT_PROC(vkx, vkCmdBeginTransformFeedbackEXT);
   end_xfb = VKT_PROC(vkx, vkCmdEndTransformFeedbackEXT);
   quad_layout = vkt_quad_layout_create(vkx);
   target = vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   for (unsigned b = 0; b < BUFFERS; b++)
      buffers[b] = vkx_buffer_create(vkx, BUFFER_B, usage, true);
   counters = vkx_buffer_create(vkx, 64, usage, true);
   indices = vkt_buffer_create(vkx, 4 * MAX_VERTICES, 0);
   results = vkt_buffer_create(vkx, 64, 0);
   shaded = vkt_addressed_create(vkx, 4, 0);
   captured = pool_create(VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT);
   generated = pool_create(VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT);
}

static void
finish(void)
{
   vkDestroyQueryPool(vkx->device, captured, NULL);
   vkDestroyQueryPool(vkx->device, generated, NULL);
   for (unsigned b = 0; b < BUFFERS; b++)
      vkx_buffer_destroy(vkx, &buffers[b]);
   vkx_buffer_destroy(vkx, &counters);
   vkx_buffer_destroy(vkx, &indices);
   vkx_buffer_destroy(vkx, &results);
   vkx_buffer_destroy(vkx, &shaded);
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
}

static bool
device_preserves_provoking(void)
{
   VkPhysicalDeviceProvokingVertexFeaturesEXT provoking = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &provoking};
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   return provoking.transformFeedbackPreservesProvokingVertex;
}

int
main(void)
{
   struct vkx device = vkt_create("xfb");
   vkx = &device;
   if (!vkt_has("VK_EXT_transform_feedback") || !vkt_has("VK_EXT_primitives_generated_query")) {
      vkt_skip("VK_EXT_transform_feedback, VK_EXT_primitives_generated_query");
      return vkt_finish(vkx);
   }
   VkPhysicalDeviceFeatures features;
   vkGetPhysicalDeviceFeatures(vkx->physical, &features);
   num_topologies = features.geometryShader ? 10 : 6;
   preserves_provoking = device_preserves_provoking();
   start();
   test_topologies();
   test_restart();
   test_overflow();
   test_resume();
   test_generated(false);
   test_generated(true);
   test_byte_counts();
   test_copy();
   if (features.vertexPipelineStoresAndAtomics)
      test_count();
   finish();
   return vkt_finish(vkx);
}
