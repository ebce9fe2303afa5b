/* Draws with and without ordered sections one after another in a pass, at several sample counts: pixel and sample
 * interlock, also shaded for each sample. Each kind of draw changes words of its own, so what one pipeline leaves in
 * the state would show in the next one's. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

enum { SIZE = 16, INSTANCES = 10, DRAWS = 20, WORDS = 8 /* of a pixel */ };
enum kind { UNORDERED, PIXEL, SAMPLE, PIXEL_OF_EACH, SAMPLE_OF_EACH, KINDS };

static const uint32_t vertex_code[] = {
#include "interlock_draws.vert.inc"
};
static const uint32_t fragment_0[] = {
#include "interlock_draws_0.frag.inc"
};
static const uint32_t fragment_1[] = {
#include "interlock_draws_1.frag.inc"
};
static const uint32_t fragment_2[] = {
#include "interlock_draws_2.frag.inc"
};
static const uint32_t fragment_3[] = {
#include "interlock_draws_3.frag.inc"
};
static const uint32_t fragment_4[] = {
#include "interlock_draws_4.frag.inc"
};

struct push {
   uint32_t first, x, y;
};

static struct vkx *vkx;
static uint32_t expected[KINDS][SIZE * SIZE][WORDS];

/* Every kind comes behind every other one. */
static enum kind
kind_of(unsigned draw)
{
   return (enum kind)((draw + draw / KINDS * (draw % KINDS)) % KINDS);
}

static struct push
push_of(unsigned draw)
{
   return (struct push){draw * INSTANCES + 1, draw % 7, draw * 5 % 11};
}

/* What an invocation of a primitive does to its words; the samples of one primitive do the same. */
static void
change(enum kind kind, uint32_t words[WORDS], uint32_t id, unsigned samples)
{
   if (kind == UNORDERED)
      words[0] += id;
   for (unsigned s = 0; s < samples && (kind == SAMPLE || kind == SAMPLE_OF_EACH); s++)
      words[s] = words[s] * 3 + id;
   for (unsigned s = 0; s < (kind == PIXEL ? 1 : kind == PIXEL_OF_EACH ? samples : 0); s++)
      words[0] = words[0] * 3 + id;
}

static void
run_in_order(unsigned samples)
{
   memset(expected, 0, sizeof(expected));
   for (unsigned draw = 0; draw < DRAWS; draw++) {
      const struct push push = push_of(draw);
      for (unsigned i = 0; i < INSTANCES; i++)
         for (unsigned y = push.y + i % 3; y < SIZE; y++)
            for (unsigned x = push.x + i % 5; x < SIZE; x++)
               change(kind_of(draw), expected[kind_of(draw)][y * SIZE + x], push.first + i, samples);
   }
}

static void
test_samples(unsigned samples, VkPipelineLayout layout, VkDescriptorSet set, const struct vkx_buffer *words)
{
   static const struct vkt_code codes[KINDS] = {{fragment_0, sizeof(fragment_0)},
                                                {fragment_1, sizeof(fragment_1)},
                                                {fragment_2, sizeof(fragment_2)},
                                                {fragment_3, sizeof(fragment_3)},
                                                {fragment_4, sizeof(fragment_4)}};
   struct vkt_target target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){SIZE, SIZE}, 1, (VkSampleCountFlagBits)samples);
   static const VkPipelineColorBlendAttachmentState nothing = {.colorWriteMask = 0};
   VkPipeline pipelines[KINDS];
   for (unsigned i = 0; i < KINDS; i++)
      pipelines[i] =
         vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                              .layout = layout,
                                                              .vertex = VKT_CODE(vertex_code),
                                                              .fragment = codes[i],
                                                              .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                              .samples = (VkSampleCountFlagBits)samples,
                                                              .blend = &nothing});
   memset(words->map, 0, sizeof(expected));
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   for (unsigned draw = 0; draw < DRAWS; draw++) {
      const struct push push = push_of(draw);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[kind_of(draw)]);
      vkCmdPushConstants(cmd, layout, VKT_QUAD_STAGES, 0, sizeof(push), &push);
      vkCmdDraw(cmd, 3, INSTANCES, 0, 0);
   }
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   run_in_order(samples);
   const uint32_t(*have)[SIZE * SIZE][WORDS] = words->map;
   for (unsigned kind = 0; kind < KINDS; kind++) {
      unsigned wrong = 0;
      for (unsigned i = 0; i < SIZE * SIZE; i++)
         wrong += memcmp(expected[kind][i], have[kind][i], sizeof(have[kind][i])) != 0;
      vkt_expect(!wrong, "%u samples, kind %u: %u wrong pixels", samples, kind, wrong);
      vkDestroyPipeline(vkx->device, pipelines[kind], NULL);
   }
   vkt_target_destroy(vkx, &target);
}

int
main(void)
{
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct vkx device = vkt_create("interlock_draws");
   vkx = &device;
   vkt_expect(vkt_has("VK_EXT_fragment_shader_interlock"), "the device has fragment shader interlock");
   struct vkx_buffer words = vkt_buffer_create(vkx, sizeof(expected), 0);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VKT_QUAD_STAGES);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct push));
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &words);
   VkPhysicalDeviceProperties properties;
   vkGetPhysicalDeviceProperties(device.physical, &properties);
   for (unsigned samples = 1; samples <= 8 && properties.limits.framebufferColorSampleCounts & samples; samples *= 2)
      test_samples(samples, layout, set, &words);
   vkt_sets_destroy(vkx);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &words);
   return vkt_finish(vkx);
}
