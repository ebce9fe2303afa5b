/* VK_KHR_fragment_shading_rate: draws with random rates of pipelines, primitives and an attachment, combined in all
 * ways, behind vertex and mesh shaders, with and without a depth buffer, ordered sections, exports of depth and reads
 * of the sample mask. Each pixel must hold the rate and the centre of its fragment, each draw must have run once for
 * each fragment, all as C works it out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "vkt_draw.h"

/* More than a block of HTILE on Navi 21 (1024 x 1024 pixels) and Van Gogh (512 x 256). */
enum { WIDTH = 1035, HEIGHT = 265, TILE = 8, TILES_X = 130, TILES_Y = 34, DRAWS = 40, ROUNDS = 6, MAX_DRAWS = 64 };
enum kind { PLAIN, INTERLOCK, DEPTH, MASK, QUIET /* changes no memory */, SLOPE, NO_SECTION, KINDS };

static const uint32_t vertex_plain[] = {
#include "shading_rates_0.vert.inc"
};
static const uint32_t vertex_rate[] = {
#include "shading_rates_1.vert.inc"
};
static const uint32_t mesh_plain[] = {
#include "shading_rates_0.mesh.inc"
};
static const uint32_t mesh_rate[] = {
#include "shading_rates_1.mesh.inc"
};
static const uint32_t fragment_0[] = {
#include "shading_rates_0.frag.inc"
};
static const uint32_t fragment_1[] = {
#include "shading_rates_1.frag.inc"
};
static const uint32_t fragment_2[] = {
#include "shading_rates_2.frag.inc"
};
static const uint32_t fragment_3[] = {
#include "shading_rates_3.frag.inc"
};
static const uint32_t fragment_4[] = {
#include "shading_rates_4.frag.inc"
};
static const uint32_t fragment_5[] = {
#include "shading_rates_5.frag.inc"
};
static const uint32_t fragment_6[] = {
#include "shading_rates_6.frag.inc"
};

struct push {
   float depth;
   uint32_t rate, draw;
   float slope; /* depth to add at the right edge */
};

/* Of one direction each: logarithms of sizes. */
struct rate {
   uint32_t x, y;
};

struct draw {
   enum kind kind;
   bool by_primitive, by_mesh, is_static;
   struct rate rate, primitive;
   VkFragmentShadingRateCombinerOpKHR ops[2];
   VkConservativeRasterizationModeEXT conservative; /* off, or over */
   VkRect2D rect;
   float depth;
};

struct words {
   uint32_t runs[MAX_DRAWS];
   uint32_t traces[HEIGHT * WIDTH];
};

static struct vkx *vkx;
static VkPhysicalDeviceFragmentShadingRatePropertiesKHR properties;
static PFN_vkCmdSetFragmentShadingRateKHR set_rate;
static PFN_vkCmdBeginRenderingKHR begin_rendering;
static PFN_vkCmdEndRenderingKHR end_rendering;
static VkPipelineLayout layout;
static bool has_meshes;
static VkShaderStageFlags stages;
static uint8_t texels[TILES_Y * TILES_X];
static struct draw draws[DRAWS];

enum {
   KIND,
   BY_PRIMITIVE,
   BY_MESH,
   STATIC,
   RATE,
   PRIMITIVE,
   FIRST_OP,
   SECOND_OP,
   CONSERVATIVE,
   ATTACHED,
   HAS_DEPTH,
   CHOICES
};

static struct choice table[CHOICES] = {
   [KIND] = {"kind", KINDS, .found = true},
   [BY_PRIMITIVE] = {"by primitive", 2, .found = true},
   [BY_MESH] = {"mesh shader", 2, .found = true},
   [STATIC] = {"rate of the pipeline", 2, .found = true},
   [RATE] = {"rate", 4, .found = true},
   [PRIMITIVE] = {"primitive's rate", 4, .found = true},
   [FIRST_OP] = {"first combiner", 5, .found = true},
   [SECOND_OP] = {"second combiner", 5, .found = true},
   [CONSERVATIVE] = {"conservative rasterization", 2, .found = true},
   [ATTACHED] = {"attachment", 2, .found = true},
   [HAS_DEPTH] = {"depth", 2, .found = true},
};
static struct choices pairs = {.table = table, .count = CHOICES};
static uint32_t expected[HEIGHT][WIDTH];
static float depths[HEIGHT][WIDTH];
static struct words counted;

static uint32_t
combine_axis(uint32_t a, uint32_t b, VkFragmentShadingRateCombinerOpKHR op)
{
   switch ((int)op) {
   case VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR:
      return a;
   case VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR:
      return b;
   case VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MIN_KHR:
      return a < b ? a : b;
   case VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MAX_KHR:
      return a > b ? a : b;
   default: /* others: VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MUL_KHR */
      return a + b;
   }
}

static struct rate
combine(struct rate a, struct rate b, VkFragmentShadingRateCombinerOpKHR op)
{
   return (struct rate){combine_axis(a.x, b.x, op), combine_axis(a.y, b.y, op)};
}

static struct rate
clamp(struct rate rate)
{
   return (struct rate){rate.x > 1 ? 1 : rate.x, rate.y > 1 ? 1 : rate.y};
}

static bool
is_single(const struct draw *draw)
{
   const enum kind kind = draw->kind;
   return (draw->conservative && !properties.fragmentShadingRateWithConservativeRasterization) ||
          ((kind == INTERLOCK || kind == NO_SECTION) && !properties.fragmentShadingRateWithFragmentShaderInterlock) ||
          (kind == DEPTH && !properties.fragmentShadingRateWithShaderDepthStencilWrites) ||
          (kind == MASK && !properties.fragmentShadingRateWithShaderSampleMask);
}

/* Of a draw at a pixel. */
static struct rate
rate_at(const struct draw *draw, bool attached, uint32_t x, uint32_t y)
{
   const struct rate one = {0};
   const uint8_t texel = texels[y / TILE * TILES_X + x / TILE];
   const struct rate tile = {texel >> 2, texel & 3};

   if (is_single(draw))
      return one;
   struct rate rate = clamp(combine(draw->rate, draw->by_primitive ? draw->primitive : one, draw->ops[0]));
   return clamp(combine(rate, attached ? clamp(tile) : one, draw->ops[1]));
}

static void
run_draw(uint32_t index, bool attached, bool tests_depth)
{
   const struct draw *draw = &draws[index];
   bool seen[HEIGHT][WIDTH] = {{false}};

   tests_depth &= draw->kind != SLOPE;

   for (uint32_t y = (uint32_t)draw->rect.offset.y; y < draw->rect.offset.y + draw->rect.extent.height; y++)
      for (uint32_t x = (uint32_t)draw->rect.offset.x; x < draw->rect.offset.x + draw->rect.extent.width; x++) {
         const struct rate rate = rate_at(draw, attached, x, y);
         const uint32_t first_x = x >> rate.x << rate.x, first_y = y >> rate.y << rate.y;

         /* What changes memory runs, whether it passes the test or not. */
         counted.runs[index] += draw->kind != QUIET && !seen[first_y][first_x];
         seen[first_y][first_x] = true;
         if (tests_depth && draw->depth > depths[y][x])
            continue;
         depths[y][x] = tests_depth ? draw->depth : depths[y][x];
         if (draw->kind == SLOPE) {
            expected[y][x] = 4 * (2 * first_x + (1u << rate.x));
            continue;
         }
         expected[y][x] =
            rate.x << 2 | rate.y | (2 * first_x + (1u << rate.x)) << 8 | (2 * first_y + (1u << rate.y)) << 20;
      }
   if (draw->kind != INTERLOCK)
      return;
   /* A fragment traces all of its pixels, covered or not. */
   for (uint32_t y = 0; y < HEIGHT; y++)
      for (uint32_t x = 0; x < WIDTH; x++) {
         const struct rate rate = rate_at(draw, attached, x, y);
         uint32_t *trace = &counted.traces[y * WIDTH + x];

         if (seen[y >> rate.y << rate.y][x >> rate.x << rate.x])
            *trace = *trace * 3 + index + 1;
      }
}

static struct rate
random_rate(void)
{
   return (struct rate){vkt_random_below(2), vkt_random_below(2)};
}

static void
choose(struct draw *draw, uint32_t index)
{
   const uint32_t x = vkt_random_below(WIDTH), y = vkt_random_below(HEIGHT);

   *draw = (struct draw){
      .kind = (enum kind)vkt_random_below(KINDS),
      .by_primitive = vkt_random_below(2),
      .by_mesh = has_meshes && vkt_random_below(2),
      .is_static = !vkt_random_below(4),
      .conservative = vkt_has("VK_EXT_conservative_rasterization") ? vkt_random_below(2) : 0,
      .rate = random_rate(),
      .primitive = random_rate(),
      .ops = {(VkFragmentShadingRateCombinerOpKHR)vkt_random_below(5),
              (VkFragmentShadingRateCombinerOpKHR)vkt_random_below(5)},
      .rect = {{(int32_t)x, (int32_t)y}, {1 + vkt_random_below(WIDTH - x), 1 + vkt_random_below(HEIGHT - y)}},
      .depth = (float)vkt_random_below(16) / 16,
   };
   draw->depth *= draw->kind != SLOPE;
   /* Around the clear of depth: what knows bounds of it would drop the second one. */
   if (index == DRAWS / 2 - 1 || index == DRAWS / 2) {
      draw->kind = QUIET;
      draw->rect = (VkRect2D){{0, 0}, {WIDTH, HEIGHT}};
      draw->depth = index == DRAWS / 2 ? 0.5f : 0;
   }
}

static VkPipeline
create_pipeline(const struct draw *draw, bool attached, bool has_depth)
{
   static const VkFormat color = VK_FORMAT_R32_UINT;
   static const VkDynamicState dynamic = VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR;
   static const struct vkt_code codes[KINDS] = {{fragment_0, sizeof(fragment_0)}, {fragment_1, sizeof(fragment_1)},
                                                {fragment_2, sizeof(fragment_2)}, {fragment_3, sizeof(fragment_3)},
                                                {fragment_4, sizeof(fragment_4)}, {fragment_5, sizeof(fragment_5)},
                                                {fragment_6, sizeof(fragment_6)}};
   const VkPipelineFragmentShadingRateStateCreateInfoKHR rate = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR,
      .fragmentSize = {1u << draw->rate.x, 1u << draw->rate.y},
      .combinerOps = {draw->ops[0], draw->ops[1]}};
   const VkPipelineRenderingCreateInfo formats = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                  .pNext = draw->is_static ? &rate : NULL,
                                                  .colorAttachmentCount = 1,
                                                  .pColorAttachmentFormats = &color,
                                                  .depthAttachmentFormat =
                                                     has_depth ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_UNDEFINED};
   const VkPipelineDepthStencilStateCreateInfo depth = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .depthTestEnable = has_depth && draw->kind != SLOPE,
                                                        .depthWriteEnable = has_depth,
                                                        .depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL};
   const VkPipelineRasterizationConservativeStateCreateInfoEXT conservative = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT,
      .conservativeRasterizationMode = draw->conservative};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .pNext = draw->conservative ? &conservative : NULL,
      .lineWidth = 1};

   const struct vkt_code none = {0}, vertex = draw->by_primitive ? VKT_CODE(vertex_rate) : VKT_CODE(vertex_plain),
                         mesh = draw->by_primitive ? VKT_CODE(mesh_rate) : VKT_CODE(mesh_plain);

   return vkt_pipeline_create(
      vkx, &(struct vkt_pipeline_info){
              .next = &formats,
              .raster = &raster,
              .flags = attached ? VK_PIPELINE_CREATE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR : 0,
              .layout = layout,
              .vertex = draw->by_mesh ? none : vertex,
              .mesh = draw->by_mesh ? mesh : none,
              .fragment = codes[draw->kind],
              .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
              .depth_stencil = &depth,
              .num_dynamic = !draw->is_static,
              .dynamic = &dynamic});
}

static void
record_draw(VkCommandBuffer cmd, uint32_t index, const struct draw *draw, VkPipeline pipeline)
{
   const VkExtent2D size = {1u << draw->rate.x, 1u << draw->rate.y};
   const struct push push = {draw->depth, draw->primitive.x << 2 | draw->primitive.y, index,
                             draw->kind == SLOPE ? WIDTH / 4096.0f : 0};

   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, layout, stages, 0, sizeof(push), &push);
   vkCmdSetScissor(cmd, 0, 1, &draw->rect);
   if (!draw->is_static)
      set_rate(cmd, &size, draw->ops);
   if (draw->by_mesh)
      VKT_PROC(vkx, vkCmdDrawMeshTasksEXT)(cmd, 1, 1, 1);
   else
      vkCmdDraw(cmd, 3, 1, 0, 0);
}

/* A clear of depth between the draws: whatever knows bounds of it has to learn that. */
static void
clear_depth(VkCommandBuffer cmd)
{
   const VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT, .clearValue.depthStencil = {0.75f, 0}};
   const VkClearRect rect = {{{3, 5}, {WIDTH - 7, HEIGHT - 9}}, 0, 1};

   vkCmdClearAttachments(cmd, 1, &clear, 1, &rect);
   for (uint32_t y = 5; y < HEIGHT - 4; y++)
      for (uint32_t x = 3; x < WIDTH - 4; x++)
         depths[y][x] = 0.75f;
}

static struct vkt_image
create_image(VkFormat format, uint32_t width, uint32_t height, VkImageUsageFlags usage)
{
   return vkt_image_create(
      vkx,
      (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                          .format = format,
                          .extent = {width, height, 1},
                          .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      false);
}

enum { IMAGES = 5 };

struct scene {
   struct vkt_image color, depth, rates, other_color, other_depth;
   VkImageView views[IMAGES];
   struct vkx_buffer words, upload, back;
   VkDescriptorSet set;
};

static void
upload_rates(VkCommandBuffer cmd, const struct scene *s)
{
   /* The last ones are more than devices of 2x2 have. */
   static const uint8_t choices[] = {0, 1, 4, 5, 0, 1, 4, 5, 6, 9, 10};
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                     .imageExtent = {TILES_X, TILES_Y, 1}};

   for (unsigned i = 0; i < sizeof(texels); i++)
      texels[i] = choices[vkt_random_below(sizeof(choices))];
   memcpy(s->upload.map, texels, sizeof(texels));
   vkCmdCopyBufferToImage(cmd, s->upload.buffer, s->rates.image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   vkt_barrier(cmd);
}

static void
begin(VkCommandBuffer cmd, const struct scene *s, bool attached, bool has_depth, bool other)
{
   const VkRenderingFragmentShadingRateAttachmentInfoKHR rates = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
      .imageView = s->views[2],
      .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .shadingRateAttachmentTexelSize = {TILE, TILE}};
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = s->views[other ? 3 : 0],
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   const VkRenderingAttachmentInfo depth = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = s->views[other ? 4 : 1],
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                            .clearValue.depthStencil = {1, 0}};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .pNext = attached ? &rates : NULL,
                                 .renderArea = {{0, 0}, {WIDTH, HEIGHT}},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &color,
                                 .pDepthAttachment = has_depth ? &depth : NULL};
   const VkViewport viewport = {0, 0, WIDTH, HEIGHT, 0, 1};

   begin_rendering(cmd, &info);
   vkCmdSetViewport(cmd, 0, 1, &viewport);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &s->set, 0, NULL);
}

static void
compare(const struct scene *s, unsigned round)
{
   const uint32_t(*pixels)[WIDTH] = s->back.map;
   const struct words *words = s->words.map;

   for (uint32_t y = 0; y < HEIGHT; y++)
      for (uint32_t x = 0; x < WIDTH; x++)
         if (pixels[y][x] != expected[y][x]) {
            vkt_expect(false, "round %u, pixel (%u, %u): %08x, not %08x", round, x, y, pixels[y][x], expected[y][x]);
            return;
         }
   for (uint32_t i = 0; i < DRAWS; i++)
      vkt_expect(words->runs[i] == counted.runs[i], "round %u, draw %u of kind %u: runs %u times, not %u", round, i,
                 draws[i].kind, words->runs[i], counted.runs[i]);
   vkt_expect(!memcmp(words->traces, counted.traces, sizeof(counted.traces)), "round %u: traces in order", round);
}

static void
count_choices(const struct draw *draw, bool attached, bool has_depth)
{
   const unsigned now[CHOICES] = {[KIND] = draw->kind,
                                  [BY_PRIMITIVE] = draw->by_primitive,
                                  [BY_MESH] = draw->by_mesh,
                                  [STATIC] = draw->is_static,
                                  [CONSERVATIVE] = draw->conservative,
                                  [RATE] = draw->rate.x + 2 * draw->rate.y,
                                  [PRIMITIVE] = draw->primitive.x + 2 * draw->primitive.y,
                                  [FIRST_OP] = draw->ops[0],
                                  [SECOND_OP] = draw->ops[1],
                                  [ATTACHED] = attached,
                                  [HAS_DEPTH] = has_depth};
   memcpy(pairs.now, now, sizeof(now));
   choices_count(&pairs);
}

/* Some draws go to other images first, with nothing between the renderings that waits. */
static void
test_round(const struct scene *s, unsigned round)
{
   const bool attached = properties.maxFragmentShadingRateAttachmentTexelSize.width && round % 3,
              has_depth = round % 2;
   VkPipeline pipelines[DRAWS];

   memset(expected, 0, sizeof(expected));
   memset(&counted, 0, sizeof(counted));
   memset(s->words.map, 0, sizeof(counted));
   for (uint32_t y = 0; y < HEIGHT; y++)
      for (uint32_t x = 0; x < WIDTH; x++)
         depths[y][x] = 1;
   VkCommandBuffer cmd = vkx_begin(vkx);
   if (attached)
      upload_rates(cmd, s);
   for (uint32_t i = 0; i < DRAWS; i++) {
      choose(&draws[i], i);
      count_choices(&draws[i], attached, has_depth);
      pipelines[i] = create_pipeline(&draws[i], attached, has_depth);
   }
   begin(cmd, s, attached, has_depth, true);
   for (uint32_t i = 0; i < DRAWS; i += DRAWS / 4)
      if (draws[i].kind != INTERLOCK) /* which would leave traces */
         record_draw(cmd, MAX_DRAWS - 1, &draws[i], pipelines[i]);
   end_rendering(cmd);
   begin(cmd, s, attached, has_depth, false);
   for (uint32_t i = 0; i < DRAWS; i++) {
      if (has_depth && i == DRAWS / 2)
         clear_depth(cmd);
      record_draw(cmd, i, &draws[i], pipelines[i]);
      run_draw(i, attached, has_depth);
   }
   end_rendering(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &s->color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &s->back);
   compare(s, round);
   for (uint32_t i = 0; i < DRAWS; i++)
      vkDestroyPipeline(vkx->device, pipelines[i], NULL);
}

/* From large to small, the last one with all numbers of samples. The result: those of the largest. */
static VkSampleCountFlags
test_list(void)
{
   PFN_vkGetPhysicalDeviceFragmentShadingRatesKHR get =
      (PFN_vkGetPhysicalDeviceFragmentShadingRatesKHR)vkGetInstanceProcAddr(
         vkx->instance, "vkGetPhysicalDeviceFragmentShadingRatesKHR");
   VkPhysicalDeviceFragmentShadingRateKHR rates[16];
   uint32_t count = 0, one = 1;

   for (unsigned i = 0; i < 16; i++)
      rates[i] = (VkPhysicalDeviceFragmentShadingRateKHR){
         .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_KHR};
   vkt_expect(get(vkx->physical, &count, NULL) == VK_SUCCESS && count >= 4 && count <= 16, "%u rates", count);
   vkt_expect(get(vkx->physical, &one, rates) == VK_INCOMPLETE && one == 1, "one of the rates");
   vkt_expect(get(vkx->physical, &count, rates) == VK_SUCCESS, "all rates");
   for (uint32_t i = 1; i < count; i++) {
      const VkExtent2D a = rates[i - 1].fragmentSize, b = rates[i].fragmentSize;

      vkt_expect(a.width > b.width || (a.width == b.width && a.height > b.height), "rate %u is larger than its next",
                 i);
   }
   vkt_expect(rates[count - 1].fragmentSize.width * rates[count - 1].fragmentSize.height == 1 &&
                 rates[count - 1].sampleCounts == ~0u,
              "1x1 goes with all samples");
   return rates[0].sampleCounts;
}

static void
get_properties(void)
{
   VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &properties};

   properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_PROPERTIES_KHR;
   vkGetPhysicalDeviceProperties2(vkx->physical, &all);
   set_rate = VKT_PROC(vkx, vkCmdSetFragmentShadingRateKHR);
   begin_rendering = VKT_PROC(vkx, vkCmdBeginRenderingKHR);
   end_rendering = VKT_PROC(vkx, vkCmdEndRenderingKHR);
}

static void
find_meshes(void)
{
   VkPhysicalDeviceMeshShaderFeaturesEXT has = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &has};
   if (vkt_has("VK_EXT_mesh_shader") && vkt_has("VK_KHR_spirv_1_4"))
      vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   has_meshes = has.primitiveFragmentShadingRateMeshShader;
   stages = VKT_QUAD_STAGES | (has_meshes ? VK_SHADER_STAGE_MESH_BIT_EXT : 0);
   table[BY_MESH].values = has_meshes ? 2 : 1;
}

enum { COUNTED_PX = 32 };

/* Runs of a draw at 2x2 over a target; located: its samples are where the application says. */
static uint32_t
count_fragments(const struct scene *s, uint32_t samples, bool located)
{
   static const VkFragmentShadingRateCombinerOpKHR keep[2] = {0};
   static const VkDynamicState dynamic = VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR;
   static const VkSampleLocationEXT at[8] = {{0.25f, 0.25f}, {0.75f, 0.75f}, {0.25f, 0.75f}, {0.75f, 0.25f},
                                             {0.5f, 0.125f}, {0.5f, 0.875f}, {0.125f, 0.5f}, {0.875f, 0.5f}};
   const struct push push = {0};
   const VkExtent2D size = {2, 2};
   const VkPipelineSampleLocationsStateCreateInfoEXT locations = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
      .sampleLocationsEnable = VK_TRUE,
      .sampleLocationsInfo = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                              .sampleLocationsPerPixel = (VkSampleCountFlagBits)samples,
                              .sampleLocationGridSize = {1, 1},
                              .sampleLocationsCount = samples,
                              .pSampleLocations = at}};
   struct vkt_target target =
      vkt_target_create(vkx, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, (VkExtent2D){COUNTED_PX, COUNTED_PX}, 1,
                        (VkSampleCountFlagBits)samples);
   VkPipeline pipeline =
      vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                           .layout = layout,
                                                           .vertex = VKT_CODE(vertex_plain),
                                                           .fragment = VKT_CODE(fragment_0),
                                                           .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                           .samples = (VkSampleCountFlagBits)samples,
                                                           .multisample_next = located ? &locations : NULL,
                                                           .num_dynamic = 1,
                                                           .dynamic = &dynamic});

   memset(s->words.map, 0, sizeof(counted.runs));
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &s->set, 0, NULL);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, layout, stages, 0, sizeof(push), &push);
   set_rate(cmd, &size, keep);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkt_target_destroy(vkx, &target);
   return *(const uint32_t *)s->words.map;
}

/* Fragments of 2x2 pixels where the list has them with so many samples, else of one. GFX11 hangs with eight
 * (vrs-8x-hang in docs/errata.md): this tree's driver has none there. */
static void
test_samples(const struct scene *s, VkSampleCountFlags coarse)
{
   VkPhysicalDeviceProperties device;

   vkGetPhysicalDeviceProperties(vkx->physical, &device);
   const bool hangs =
      strstr(device.deviceName, "(navi31) (Indium)") || strstr(device.deviceName, "(gfx1150) (Indium)");
   vkt_expect(!hangs || !(coarse & VK_SAMPLE_COUNT_8_BIT), "no coarse fragments of 8 samples");
   vkt_expect(coarse < properties.maxFragmentShadingRateRasterizationSamples * 2u, "as many samples as there are");
   for (uint32_t samples = 1; samples <= 8; samples *= 2) {
      const uint32_t all = COUNTED_PX * COUNTED_PX, wanted = coarse & samples ? all / 4 : all;
      uint32_t runs = count_fragments(s, samples, false);
      vkt_expect(runs == wanted, "%u samples: %u fragments, not %u", samples, runs, wanted);
      if (samples == 1 || !vkt_has("VK_EXT_sample_locations"))
         continue;
      const uint32_t located = properties.fragmentShadingRateWithCustomSampleLocations ? wanted : all;
      runs = count_fragments(s, samples, true);
      vkt_expect(runs == located, "%u samples, located: %u fragments, not %u", samples, runs, located);
   }
}

static void
test_scene(unsigned first, unsigned end, VkSampleCountFlags coarse)
{
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VKT_QUAD_STAGES);
   struct scene s = {
      .color = create_image(VK_FORMAT_R32_UINT, WIDTH, HEIGHT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
      .depth = create_image(VK_FORMAT_D32_SFLOAT, WIDTH, HEIGHT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT),
      .rates =
         create_image(VK_FORMAT_R8_UINT, TILES_X, TILES_Y, VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR),
      .other_color = create_image(VK_FORMAT_R32_UINT, WIDTH, HEIGHT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT),
      .other_depth = create_image(VK_FORMAT_D32_SFLOAT, WIDTH, HEIGHT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT),
      .words = vkt_buffer_create(vkx, sizeof(struct words), 0),
      .upload = vkt_buffer_create(vkx, sizeof(texels), 0),
      .back = vkt_buffer_create(vkx, sizeof(expected), 0),
   };
   struct vkt_image *const images[IMAGES] = {&s.color, &s.depth, &s.rates, &s.other_color, &s.other_depth};

   layout = vkx_pipeline_layout_create(vkx, set_layout, stages, sizeof(struct push));
   s.set = vkt_set_create(vkx, set_layout, type, &s.words);
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < IMAGES; i++) {
      s.views[i] =
         vkt_view_create(vkx, images[i], VK_IMAGE_VIEW_TYPE_2D, vkt_aspects(images[i]->info.format), 0, 0, 1);
      vkt_transition(cmd, images[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   }
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned round = first; round < end; round++)
      test_round(&s, round);
   test_samples(&s, coarse);
   for (unsigned i = 0; i < IMAGES; i++) {
      vkDestroyImageView(vkx->device, s.views[i], NULL);
      vkt_image_destroy(vkx, images[i]);
   }
   vkt_sets_destroy(vkx);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &s.words);
   vkx_buffer_destroy(vkx, &s.upload);
   vkx_buffer_destroy(vkx, &s.back);
}

/* A device that does not list the extension must not take it either. */
static void
test_absent(void)
{
   static const char *const name = VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME;
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = vkx->family,
                                          .queueCount = 1,
                                          .pQueuePriorities = &priority};
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .queueCreateInfoCount = 1,
                                    .pQueueCreateInfos = &queue,
                                    .enabledExtensionCount = 1,
                                    .ppEnabledExtensionNames = &name};
   VkDevice device;

   vkt_expect(vkCreateDevice(vkx->physical, &info, NULL, &device) == VK_ERROR_EXTENSION_NOT_PRESENT,
              "a device without shading rates refuses them");
}

/* shading_rates [ROUND]: only that one. */
int
main(int argc, char **argv)
{
   vkt_shading_rates = vkt_mesh_shaders = true;
   struct vkx device = vkt_create("shading_rates");
   vkx = &device;
   if (!vkt_has("VK_KHR_fragment_shading_rate")) {
      vkt_skip("shading rates");
      test_absent();
      return vkt_finish(vkx);
   }
   get_properties();
   find_meshes();
   const VkSampleCountFlags coarse = test_list();
   const unsigned round = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
   test_scene(round, argc > 1 ? round + 1 : ROUNDS, coarse);
   const unsigned missing = argc > 1 ? 0 : choices_missing(&pairs, stdout);
   vkt_expect(!missing, "%u pairs of choices that no draw had", missing);
   return vkt_finish(vkx);
}
