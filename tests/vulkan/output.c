/* What fragment shaders do to pixels: discards and demotions, early tests, depth, stencil and coverage of their own,
 * two colours for one target, layers and viewports. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "coverage.h"
#include "vkt_draw.h"

static const uint32_t plain_vertex[] = {
#include "output_vert.inc"
};
static const uint32_t layers_vertex[] = {
#include "output_layers.inc"
};
#define FRAGMENT(n) static const uint32_t fragment_##n[] =
FRAGMENT(0){
#include "output_0.inc"
};
FRAGMENT(1){
#include "output_1.inc"
};
FRAGMENT(2){
#include "output_2.inc"
};
FRAGMENT(3){
#include "output_3.inc"
};
FRAGMENT(4){
#include "output_4.inc"
};
FRAGMENT(5){
#include "output_5.inc"
};
FRAGMENT(6){
#include "output_6.inc"
};
FRAGMENT(7){
#include "output_7.inc"
};
FRAGMENT(8){
#include "output_8.inc"
};
FRAGMENT(9){
#include "output_9.inc"
};
FRAGMENT(10){
#include "output_10.inc"
};
FRAGMENT(11){
#include "output_11.inc"
};
FRAGMENT(12){
#include "output_12.inc"
};
FRAGMENT(13){
#include "output_13.inc"
};
FRAGMENT(14){
#include "output_14.inc"
};
FRAGMENT(15){
#include "output_15.inc"
};
FRAGMENT(16){
#include "output_16.inc"
};
FRAGMENT(17){
#include "output_17.inc"
};
FRAGMENT(18){
#include "output_18.inc"
};
FRAGMENT(19){
#include "output_19.inc"
};

enum { SIZE_PX = 16, PIXELS = SIZE_PX * SIZE_PX, LAYERS = 4 };

enum name {
   EARLY,
   LATE,
   EARLY_DISCARD,
   LATE_DISCARD,
   TERMINATE,
   DEPTH_ANY,
   DEPTH_GREATER,
   DEPTH_LESS,
   DEPTH_UNCHANGED,
   STENCIL,
   DUAL_SOURCE,
   SAMPLE_MASK,
   EARLY_SAMPLE_MASK,
   DEMOTE,
   LOOPS,
   POINT,
   HELPER,
   PRIMITIVE,
   READ_LAYER,
   LAYER,
   CASES
};

static const struct test {
   const char *name;
   struct vkt_code fragment;
   const char *extension; /* needed */
} tests[CASES] = {
   [EARLY] = {"early_fragment_tests", VKT_CODE(fragment_0), NULL},
   [LATE] = {"tests after side effects", VKT_CODE(fragment_1), NULL},
   [EARLY_DISCARD] = {"early_fragment_tests and discard", VKT_CODE(fragment_2), NULL},
   [LATE_DISCARD] = {"discard", VKT_CODE(fragment_3), NULL},
   [TERMINATE] = {"terminateInvocation", VKT_CODE(fragment_18), "VK_KHR_shader_terminate_invocation"},
   [DEPTH_ANY] = {"gl_FragDepth", VKT_CODE(fragment_4), NULL},
   [DEPTH_GREATER] = {"depth_greater", VKT_CODE(fragment_5), NULL},
   [DEPTH_LESS] = {"depth_less", VKT_CODE(fragment_6), NULL},
   [DEPTH_UNCHANGED] = {"depth_unchanged", VKT_CODE(fragment_7), NULL},
   [STENCIL] = {"gl_FragStencilRefARB", VKT_CODE(fragment_8), "VK_EXT_shader_stencil_export"},
   [DUAL_SOURCE] = {"two colours", VKT_CODE(fragment_9), NULL},
   [SAMPLE_MASK] = {"gl_SampleMask", VKT_CODE(fragment_10), NULL},
   [EARLY_SAMPLE_MASK] = {"early_fragment_tests and gl_SampleMask", VKT_CODE(fragment_19), NULL},
   [DEMOTE] = {"demote", VKT_CODE(fragment_11), "VK_EXT_shader_demote_to_helper_invocation"},
   [LOOPS] = {"discard, break and return in loops", VKT_CODE(fragment_12), NULL},
   [POINT] = {"gl_PointCoord", VKT_CODE(fragment_13), NULL},
   [HELPER] = {"gl_HelperInvocation", VKT_CODE(fragment_14), NULL},
   [PRIMITIVE] = {"gl_PrimitiveID", VKT_CODE(fragment_15), NULL},
   [READ_LAYER] = {"gl_Layer, gl_ViewportIndex read", VKT_CODE(fragment_16), "VK_EXT_shader_viewport_index_layer"},
   [LAYER] = {"gl_Layer, gl_ViewportIndex", VKT_CODE(fragment_17), "VK_EXT_shader_viewport_index_layer"},
};

static bool
is_multisampled(enum name name)
{
   return name == SAMPLE_MASK || name == EARLY_SAMPLE_MASK;
}

struct push {
   float rectangle[4], color[4], depth, size;
};

/* What a case leaves. */
struct picture {
   const uint32_t *counter;
   const float (*values)[4];
   const uint8_t (*color)[4]; /* all layers */
   const float *depth;
   const uint8_t *stencil;
};

static bool
near(float a, float b)
{
   return fabsf(a - b) <= 1.5f / 255;
}

static float
curve(unsigned x, unsigned y)
{
   return (float)(x * x + 5 * y * y);
}

static bool
is_demote_right(const float *got, unsigned x, unsigned y)
{
   const unsigned x0 = x & ~1u, y0 = y & ~1u, at = y * SIZE_PX + (x & ~1u);
   if ((x + y) % 3 == 0)
      return got[0] == 0 && got[2] == 0; /* nothing was stored */
   const float dx = curve(x0 + 1, y) - curve(x0, y), dy = curve(x, y0 + 1) - curve(x, y0);
   return got[0] == dx && got[1] == dy && got[2] == 2 && got[3] == 2 * dx + (float)((at + 1) % 7) - (float)(at % 7);
}

/* The colour of LOOPS; alpha 0: discarded. */
static void
run_loops(unsigned x, unsigned y, uint8_t out[4])
{
   unsigned n = 0;
   memset(out, 0, 4);
   for (unsigned i = 0; i < 20; i++) {
      if (i == x) {
         if (y % 4 == 1)
            return;
         if (y % 4 == 2)
            break;
      }
      for (unsigned j = 0; j < i; j++) {
         if (j * 3 == y)
            continue;
         if (j > x && i > 18 && y == 15)
            return;
         n += j;
      }
      if (n > 200 && x == 7) {
         memset(out, 255, 4);
         return;
      }
   }
   out[0] = (uint8_t)(n % 256);
   out[1] = (uint8_t)(n / 256);
   out[2] = out[3] = 255;
}

static uint32_t
triangle_covers(unsigned x, unsigned y)
{
   static const int32_t xy[3][2] = {{0, 0}, {SIZE_PX * 256, 0}, {0, SIZE_PX * 256}};
   const struct coverage coverage = coverage_setup(xy, SIZE_PX, SIZE_PX);
   return coverage_of_pixel(&coverage, 0, x, y);
}

/* Covered pixels see whether their neighbours in the quad are helpers. */
static bool
is_helper_right(const float *got, unsigned x, unsigned y)
{
   if (!triangle_covers(x, y))
      return got[3] == 0;
   return got[3] == 1 && got[2] == 0 && got[0] == (float)!triangle_covers(x ^ 1, y) &&
          got[1] == (float)!triangle_covers(x, y ^ 1);
}

static bool
is_pixel_right(enum name name, const struct picture *p, unsigned x, unsigned y)
{
   /* size: a flat switch */
   const unsigned at = y * SIZE_PX + x;
   const uint8_t *c = p->color[at];
   const bool left = x < SIZE_PX / 2, odd = (x + y) % 2;
   const float r = (float)c[0] / 255, g = (float)c[1] / 255, b = (float)c[2] / 255;
   uint8_t want[4];
   switch ((int)name) {
   case EARLY:
   case LATE:
      return c[0] == (left ? 0 : 255) && p->depth[at] == (left ? 0.25f : 0.5f);
   case EARLY_DISCARD:
      return c[0] == (!left && odd ? 255 : 0) && p->depth[at] == (left ? 0.25f : 0.5f);
   case LATE_DISCARD:
   case TERMINATE:
      return c[0] == (!left && odd ? 255 : 0) && p->depth[at] == (left ? 0.25f : odd ? 0.5f : 1);
   case DEPTH_ANY: /* 0.25 on the left */
      return p->depth[at] == fminf(left ? 0.25f : 1, (float)at / 256);
   case DEPTH_GREATER:
      return p->depth[at] == fminf(left ? 0.25f : 1, 0.5f + (float)x / 64);
   case DEPTH_LESS:
      return p->depth[at] == fminf(left ? 0.25f : 1, 0.5f - (float)x / 64);
   case DEPTH_UNCHANGED:
      return p->depth[at] == (left ? 0.25f : 0.5f);
   case STENCIL:
      return p->stencil[at] == x * y;
   case DUAL_SOURCE: /* first * second + (0.5, 0.5, 0.5, 0.5) * (1 - second alpha) */
      return near(r, 0.2f * (float)x / 16 + 0.375f) && near(g, 0.4f * (float)y / 16 + 0.375f) &&
             near(b, 0.3f + 0.375f);
   case SAMPLE_MASK: /* resolved */
   case EARLY_SAMPLE_MASK:
      return near(r, (float)__builtin_popcount(x) / 4);
   case DEMOTE:
      return c[0] == ((x + y) % 3 ? 255 : 0) && is_demote_right(p->values[at], x, y);
   case LOOPS:
      run_loops(x, y, want);
      return !memcmp(c, want, 4);
   case POINT: /* 8 pixels wide in the middle of the top left quarter: vertex 0 at (5, 5) */
      return x < 1 || y < 1 || x > 8 || y > 8
                ? c[3] == 0
                : near(r, ((float)x - 0.5f) / 8) && near(g, ((float)y - 0.5f) / 8) && c[3] == 255;
   case HELPER:
      return is_helper_right(p->values[at], x, y);
   case PRIMITIVE:
      return c[0] == (triangle_covers(x, y) ? 0 : 1) && c[3] == 255;
   default: /* others: READ_LAYER, LAYER */
      for (unsigned layer = 0; layer < LAYERS; layer++) {
         c = p->color[layer * PIXELS + at];
         /* Viewport v covers all but the first v columns. */
         const unsigned v = layer % 3;
         if (x < v ? c[3] != 0 : c[0] != layer || c[1] != v || c[3] != 255)
            return false;
      }
      return true;
   }
}

static bool
is_counter_right(enum name name, uint32_t count)
{
   switch ((int)name) {
   case EARLY:
      return count == PIXELS / 2;
   case LATE:
      return count == PIXELS;
   case EARLY_DISCARD:
      return count == PIXELS / 4;
   case LATE_DISCARD:
   case TERMINATE:
      return count == PIXELS / 2;
   default: /* others: draw without a query */
      return count == 0;
   }
}

static VkPipeline
create_pipeline(struct vkx *vkx, enum name name, const struct vkt_target *target, VkPipelineLayout layout, bool first)
{
   const VkStencilOpState replace = {
      VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_REPLACE, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 7};
   const VkPipelineDepthStencilStateCreateInfo depth_stencil = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = VK_TRUE,
      .depthWriteEnable = VK_TRUE,
      .depthCompareOp = VK_COMPARE_OP_LESS,
      .stencilTestEnable = name == STENCIL,
      .front = replace,
      .back = replace,
   };
   const VkPipelineColorBlendAttachmentState blend = {
      .blendEnable = name == DUAL_SOURCE,
      .srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR,
      .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA,
      .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
      .colorWriteMask = first ? 0 : 0xf,
   };
   return vkt_pipeline_create(
      vkx,
      &(struct vkt_pipeline_info){
         .pass = target->pass,
         .layout = layout,
         .vertex = name >= READ_LAYER ? VKT_CODE(layers_vertex) : VKT_CODE(plain_vertex),
         .fragment = first ? tests[DEPTH_UNCHANGED].fragment : tests[name].fragment,
         .samples = is_multisampled(name) ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
         .points = name == POINT,
         .blend = &blend,
         .depth_stencil = target->depth.image && name != DUAL_SOURCE && name < READ_LAYER ? &depth_stencil : NULL,
         .viewports = name >= READ_LAYER ? 3 : 1,
      });
}

/* Draws a rectangle of columns [x0, x1). */
static void
draw(VkCommandBuffer cmd, VkPipelineLayout layout, VkPipeline pipeline, enum name name, float x1, float depth)
{
   struct push push = {{-1, -1, x1, 1}, {0}, depth, 8};
   uint32_t vertices = 4;
   if (name == POINT)
      push.rectangle[0] = push.rectangle[1] = 5.0f / 8 - 1, vertices = 1;
   if (name == HELPER)
      vertices = 3;
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
   vkCmdDraw(cmd, vertices, name >= READ_LAYER ? LAYERS : 1, 0, 0);
}

static void
record(VkCommandBuffer cmd, enum name name, const struct vkt_target *target, VkPipelineLayout layout,
       VkPipeline *pipelines)
{
   const bool split = name <= DEPTH_UNCHANGED;
   vkt_target_begin(cmd, target, target->pass, VK_SUBPASS_CONTENTS_INLINE);
   for (uint32_t i = 0; i < 3 && name >= READ_LAYER; i++) {
      const VkViewport viewport = {(float)i, 0, SIZE_PX - (float)i, SIZE_PX, 0, 1};
      const VkRect2D scissor = {{0, 0}, {SIZE_PX, SIZE_PX}};
      vkCmdSetViewport(cmd, i, 1, &viewport);
      vkCmdSetScissor(cmd, i, 1, &scissor);
   }
   if (name == DUAL_SOURCE) {
      const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {{0.5f, 0.5f, 0.5f, 0.5f}}}};
      vkCmdClearAttachments(cmd, 1, &clear, 1, &(VkClearRect){{{0, 0}, {SIZE_PX, SIZE_PX}}, 0, 1});
   }
   if (split)
      draw(cmd, layout, pipelines[0], name, 0, 0.25f);
   draw(cmd, layout, pipelines[1], name, 1, name == STENCIL || !split ? 0.75f : 0.5f);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
}

static void
check(struct vkx *vkx, enum name name, const struct vkt_target *target, const struct vkx_buffer *data)
{
   struct vkx_buffer color = vkt_buffer_create(vkx, LAYERS * PIXELS * 4, 0),
                     depth = vkt_buffer_create(vkx, PIXELS * 4, 0), stencil = vkt_buffer_create(vkx, PIXELS, 0);
   const float *values = (const float *)data->map + 16;
   vkt_read(vkx, &target->color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &color);
   if (target->depth.image) {
      vkt_read(vkx, &target->depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, &depth);
      vkt_read(vkx, &target->depth, VK_IMAGE_ASPECT_STENCIL_BIT, 0, &stencil);
   }
   const struct picture picture = {data->map, (const float(*)[4])(const void *)values, color.map, depth.map,
                                   stencil.map};
   unsigned wrong = 0;
   for (unsigned i = 0; i < PIXELS; i++) {
      const unsigned x = i % SIZE_PX, y = i / SIZE_PX;
      if (is_pixel_right(name, &picture, x, y) || wrong++ > 2)
         continue;
      const uint8_t *c = picture.color[i];
      const float *v = picture.values[i];
      printf("   pixel %u %u: %u %u %u %u, depth %g, stencil %u, values %g %g %g %g\n", x, y, c[0], c[1], c[2], c[3],
             (double)picture.depth[i], picture.stencil[i], (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
   }
   vkt_expect(!wrong, "%s: %u of %u pixels wrong", tests[name].name, wrong, PIXELS);
   vkt_expect(is_counter_right(name, *picture.counter), "%s: %u invocations counted", tests[name].name,
              *picture.counter);
   vkx_buffer_destroy(vkx, &color);
   vkx_buffer_destroy(vkx, &depth);
   vkx_buffer_destroy(vkx, &stencil);
}

static void
resolve(VkCommandBuffer cmd, const struct vkt_target *from, const struct vkt_target *to)
{
   const VkImageSubresourceLayers all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
   const VkImageResolve region = {.srcSubresource = all, .dstSubresource = all, .extent = {SIZE_PX, SIZE_PX, 1}};
   vkt_transition(cmd, &to->color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdResolveImage(cmd, from->color.image, VK_IMAGE_LAYOUT_GENERAL, to->color.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                     &region);
   vkt_barrier(cmd);
}

static void
draw_output(struct vkx *vkx, enum name name)
{
   const VkExtent2D extent = {SIZE_PX, SIZE_PX};
   const bool multisampled = is_multisampled(name);
   const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM,
                  depth = multisampled || name >= READ_LAYER ? 0 : VK_FORMAT_D32_SFLOAT_S8_UINT;
   struct vkt_target target = vkt_target_create(vkx, format, depth, extent, name >= READ_LAYER ? LAYERS : 1,
                                                multisampled ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT);
   struct vkt_target resolved = vkt_target_create(vkx, format, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer data = vkt_buffer_create(vkx, 64 + PIXELS * 16, 0);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout =
      vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_VERTEX_BIT, sizeof(struct push));
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &data);
   VkPipeline pipelines[2] = {create_pipeline(vkx, name, &target, layout, true),
                              create_pipeline(vkx, name, &target, layout, false)};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   record(cmd, name, &target, layout, pipelines);
   if (multisampled)
      resolve(cmd, &target, &resolved);
   vkx_submit_and_wait(vkx, cmd);
   check(vkx, name, multisampled ? &resolved : &target, &data);
   vkDestroyPipeline(vkx->device, pipelines[0], NULL);
   vkDestroyPipeline(vkx->device, pipelines[1], NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &data);
   vkt_target_destroy(vkx, &target);
   vkt_target_destroy(vkx, &resolved);
}

int
main(void)
{
   struct vkx vkx = vkt_create("output");
   for (enum name name = 0; name < CASES; name++) {
      const bool offered = (!tests[name].extension || vkt_has(tests[name].extension)) &&
                           ((name != PRIMITIVE && name != READ_LAYER) || vkt_features.geometryShader) &&
                           (name != DUAL_SOURCE || vkt_features.dualSrcBlend);
      if (offered)
         draw_output(&vkx, name);
      else
         vkt_skip(tests[name].name);
   }
   vkt_sets_destroy(&vkx);
   return vkt_finish(&vkx);
}
