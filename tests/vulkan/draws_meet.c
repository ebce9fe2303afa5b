/* Draws of a pass that meet in every pixel, once each: some add to what is there, some cover it, some test depth
 * themselves, some have ordered sections. What comes out is whole numbers, and others if draws change places. */
#include <string.h>

#include "vkt_draw.h"

enum { SIZE = 64, DRAWS = 24, ROUNDS = 12, COVERS = 6 /* one draw in so many hides what was wrong before */ };
enum kind { ADD, COVER, ADD_OWN_DEPTH, COVER_OWN_DEPTH, ADD_IN_SECTION, COVER_IN_SECTION, KINDS };

static const uint32_t vertex_code[] = {
#include "quad.vert.inc"
};
static const uint32_t color_code[] = {
#include "quad.frag.inc"
};
static const uint32_t depth_code[] = {
#include "quad_depth.frag.inc"
};
static const uint32_t section_code[] = {
#include "draws_meet.frag.inc"
};

struct draw {
   enum kind kind;
   bool nearer; /* passes where it is nearer than what is there; else always */
   unsigned depth, value;
};

struct scene {
   struct vkx *vkx;
   VkPipelineLayout layout;
   VkDescriptorSet set;
   struct vkx_buffer words, pixels;
   unsigned kinds;
};

struct result {
   unsigned color, depth;
   uint32_t word;
};

static bool
covers(enum kind kind)
{
   return kind == COVER || kind == COVER_OWN_DEPTH || kind == COVER_IN_SECTION;
}

static struct draw
random_draw(unsigned kinds)
{
   const unsigned pair = vkt_random_below(kinds / 2), cover = !vkt_random_below(COVERS);
   return (struct draw){.kind = (enum kind)(pair * 2 + cover),
                        .nearer = vkt_random_below(2),
                        .depth = 1 + vkt_random_below(7),
                        .value = 1 + vkt_random_below(4)};
}

/* Sections run before the tests, unless the shader asks for early ones. */
static void
change(struct result *r, const struct draw *d)
{
   if (d->kind == ADD_IN_SECTION || d->kind == COVER_IN_SECTION)
      r->word = r->word * 3 + d->value;
   if (d->nearer && d->depth >= r->depth)
      return;
   r->depth = d->depth;
   r->color = (covers(d->kind) ? 0 : r->color) + d->value;
}

static VkPipeline
pipeline_create(const struct scene *s, VkRenderPass pass, enum kind kind, bool nearer)
{
   static const VkPipelineColorBlendAttachmentState add = {.blendEnable = VK_TRUE,
                                                           .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                           .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                           .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                           .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                           .colorWriteMask = 0xf};
   const struct vkt_code codes[KINDS] = {VKT_CODE(color_code), VKT_CODE(color_code),   VKT_CODE(depth_code),
                                         VKT_CODE(depth_code), VKT_CODE(section_code), VKT_CODE(section_code)};
   const VkPipelineDepthStencilStateCreateInfo tests = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = VK_TRUE,
      .depthWriteEnable = VK_TRUE,
      .depthCompareOp = nearer ? VK_COMPARE_OP_LESS : VK_COMPARE_OP_ALWAYS};
   return vkt_pipeline_create(s->vkx, &(struct vkt_pipeline_info){.pass = pass,
                                                                  .layout = s->layout,
                                                                  .vertex = VKT_CODE(vertex_code),
                                                                  .fragment = codes[kind],
                                                                  .depth_stencil = &tests,
                                                                  .blend = covers(kind) ? NULL : &add});
}

static struct result
record(const struct scene *s, VkCommandBuffer cmd, const struct vkt_target *target, VkPipeline pipelines[KINDS][2])
{
   struct result right = {.depth = 8};
   for (unsigned i = 0; i < DRAWS; i++) {
      const struct draw d = random_draw(s->kinds);
      const float value = (float)d.value / 255.0f, color[4] = {value, value, value, value};
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[d.kind][d.nearer]);
      vkt_draw_quad(cmd, s->layout, target->extent, 0, 0, SIZE, SIZE, (float)d.depth / 8.0f, color);
      change(&right, &d);
   }
   return right;
}

static unsigned
wrong_pixels(const struct scene *s, const struct vkt_target *target, const struct result *right)
{
   const uint8_t *have = s->pixels.map;
   const uint32_t *words = s->words.map;
   unsigned wrong = 0;
   vkt_read(s->vkx, &target->color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &s->pixels);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      wrong += have[i * 4] != right->color || (s->kinds == KINDS && words[i] != right->word);
   return wrong;
}

static void
test_round(const struct scene *s, unsigned round)
{
   VkPipeline pipelines[KINDS][2];
   struct vkt_target target = vkt_target_create(s->vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT,
                                                (VkExtent2D){SIZE, SIZE}, 1, VK_SAMPLE_COUNT_1_BIT);
   for (unsigned i = 0; i < s->kinds * 2; i++)
      pipelines[i / 2][i % 2] = pipeline_create(s, target.pass, (enum kind)(i / 2), i % 2);
   memset(s->words.map, 0, SIZE * SIZE * sizeof(uint32_t));
   VkCommandBuffer cmd = vkx_begin(s->vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0, NULL);
   const struct result right = record(s, cmd, &target, pipelines);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(s->vkx, cmd);
   const unsigned wrong = wrong_pixels(s, &target, &right);
   vkt_expect(!wrong, "round %u: %u wrong pixels", round, wrong);
   for (unsigned i = 0; i < s->kinds * 2; i++)
      vkDestroyPipeline(s->vkx->device, pipelines[i / 2][i % 2], NULL);
   vkt_target_destroy(s->vkx, &target);
}

int
main(void)
{
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct vkx device = vkt_create("draws_meet");
   struct scene s = {.vkx = &device, .kinds = KINDS};
   if (!vkt_has("VK_EXT_fragment_shader_interlock")) {
      vkt_skip("fragment shader interlock");
      s.kinds = ADD_IN_SECTION;
   }
   s.words = vkt_buffer_create(&device, SIZE * SIZE * sizeof(uint32_t), 0);
   s.pixels = vkt_buffer_create(&device, SIZE * SIZE * 4, 0);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&device, 1, &type, VKT_QUAD_STAGES);
   s.layout = vkx_pipeline_layout_create(&device, set_layout, VKT_QUAD_STAGES, sizeof(struct vkt_quad));
   s.set = vkt_set_create(&device, set_layout, type, &s.words);
   for (unsigned round = 0; round < ROUNDS; round++)
      test_round(&s, round);
   vkt_sets_destroy(&device);
   vkDestroyPipelineLayout(device.device, s.layout, NULL);
   vkDestroyDescriptorSetLayout(device.device, set_layout, NULL);
   vkx_buffer_destroy(&device, &s.words);
   vkx_buffer_destroy(&device, &s.pixels);
   return vkt_finish(&device);
}
