/* Draws with and without ordered sections one after another in a pass, at several sample counts: pixel and sample
 * interlock, also shaded for each sample, and sections that only read what those of other draws write. Primitives
 * cover some of a pixel's samples at their edges. Each kind of draw changes words of its own, so what one pipeline
 * leaves in the state would show in the next one's. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

enum { SIZE = 16, INSTANCES = 10, DRAWS = 42, WORDS = 8 /* of a pixel */ };
enum kind { UNORDERED, PIXEL, SAMPLE, PIXEL_OF_EACH, SAMPLE_OF_EACH, READ_PIXEL, READ_SAMPLE, KINDS };

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
static const uint32_t fragment_5[] = {
#include "interlock_draws_5.frag.inc"
};
static const uint32_t fragment_6[] = {
#include "interlock_draws_6.frag.inc"
};

struct push {
   uint32_t first, x, y;
};

static struct vkx *vkx;
static uint32_t expected[KINDS][SIZE * SIZE][WORDS];

/* Vulkan, "Standard sample locations": x, y in 16ths of a pixel, by the logarithm of the number of samples. */
static const uint8_t locations[4][8][2] = {
   {{8, 8}},
   {{12, 12}, {4, 4}},
   {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
   {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}},
};

/* Every kind comes after every other one. */
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

/* The samples right of and below the corner of an instance, which lies between two 16ths of a pixel. */
static uint32_t
coverage(const struct push *push, unsigned i, unsigned x, unsigned y, unsigned samples_log2)
{
   const unsigned id = push->first + i;
   const float left = (float)(push->x + i % 5) + (float)(id * 3 % 8) / 8 + 1.0f / 32,
               top = (float)(push->y + i % 3) + (float)(id * 5 % 8) / 8 + 1.0f / 32;
   uint32_t mask = 0;
   for (unsigned s = 0; s < 1u << samples_log2; s++) {
      const uint8_t *at = locations[samples_log2][s];
      mask |= (uint32_t)((float)x + (float)at[0] / 16 > left && (float)y + (float)at[1] / 16 > top) << s;
   }
   return mask;
}

/* What an invocation of a primitive does to its words; the samples of one primitive do the same. */
static void
change(enum kind kind, unsigned pixel, uint32_t id, uint32_t mask)
{
   uint32_t *words = expected[kind][pixel];
   if (kind == UNORDERED)
      words[0] += mask ? id : 0;
   if (kind == PIXEL)
      words[0] = mask ? words[0] * 3 + id : words[0];
   if (kind == READ_PIXEL)
      words[0] += mask ? expected[PIXEL][pixel][0] * id : 0;
   for (unsigned s = 0; s < WORDS; s++) {
      if (!(mask >> s & 1))
         continue;
      if (kind == SAMPLE || kind == SAMPLE_OF_EACH)
         words[s] = words[s] * 3 + id;
      else if (kind == PIXEL_OF_EACH)
         words[0] = words[0] * 3 + id;
      else if (kind == READ_SAMPLE)
         words[s] += expected[SAMPLE][pixel][s] * id;
   }
}

static void
run_in_order(unsigned samples_log2)
{
   memset(expected, 0, sizeof(expected));
   for (unsigned draw = 0; draw < DRAWS; draw++) {
      const struct push push = push_of(draw);
      for (unsigned i = 0; i < INSTANCES; i++)
         for (unsigned pixel = 0; pixel < SIZE * SIZE; pixel++)
            change(kind_of(draw), pixel, push.first + i,
                   coverage(&push, i, pixel % SIZE, pixel / SIZE, samples_log2));
   }
}

static void
test_samples(unsigned samples_log2, VkPipelineLayout layout, VkDescriptorSet set, const struct vkx_buffer *words)
{
   static const struct vkt_code codes[KINDS] = {{fragment_0, sizeof(fragment_0)}, {fragment_1, sizeof(fragment_1)},
                                                {fragment_2, sizeof(fragment_2)}, {fragment_3, sizeof(fragment_3)},
                                                {fragment_4, sizeof(fragment_4)}, {fragment_5, sizeof(fragment_5)},
                                                {fragment_6, sizeof(fragment_6)}};
   const unsigned samples = 1u << samples_log2;
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
   run_in_order(samples_log2);
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
   vkt_expect(properties.limits.standardSampleLocations, "samples are where Vulkan says");
   for (unsigned i = 0; i < 4 && properties.limits.framebufferColorSampleCounts >> i & 1; i++)
      test_samples(i, layout, set, &words);
   vkt_sets_destroy(vkx);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &words);
   return vkt_finish(vkx);
}
