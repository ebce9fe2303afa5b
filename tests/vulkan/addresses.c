/* Memory that shaders find by address (VK_KHR_buffer_device_address): lists, structures, atomics and arithmetic with
 * pointers in all stages, with the values of addresses.glsl. */
#include <string.h>

#include "vkt_draw.h"

#define CODE(name) static const uint32_t name[] =
CODE(addresses_comp){
#include "addresses_comp.inc"
};
CODE(addresses_vert){
#include "addresses_vert.inc"
};
CODE(addresses_frag){
#include "addresses_frag.inc"
};
CODE(address_numbers){
#include "address_numbers.inc"
};
CODE(quad_vert){
#include "quad.vert.inc"
};

enum { COUNT = 256, NODES = 13, WORDS = 8, PUSH_B = 48 };

struct node {
   uint64_t next;
   uint32_t value, pad;
};

/* In scalar layout, like struct Mixed of the shader. */
struct mixed {
   float a[3], b, rows[2][3], columns[2][3];
   uint32_t list[3][3], tail[4];
};

struct counters {
   uint32_t add, low, high, bits, swap, taken[COUNT];
};

struct scene {
   struct vkx vkx;
   struct vkx_buffer nodes[2], mixed, counters, result;
   uint64_t push[4];
   uint32_t values[NODES]; /* of the list, in its order */
};

static void
fill(struct scene *s)
{
   uint64_t vas[NODES];
   struct node *nodes[NODES];
   for (unsigned i = 0; i < NODES; i++) {
      nodes[i] = (struct node *)s->nodes[i & 1].map + i;
      vas[i] = vkt_address(&s->vkx, &s->nodes[i & 1]) + i * sizeof(struct node);
   }
   for (unsigned i = 0, at = 0; i < NODES; i++, at = (at + 5) % NODES) {
      *nodes[at] = (struct node){.next = vas[(at + 5) % NODES], .value = 7 * at * at + 1};
      s->values[i] = 7 * at * at + 1;
   }
   const struct mixed mixed = {.a = {2, 3, 5},
                               .b = 7,
                               .rows = {{1, 0, 2}, {3, 1, 1}},
                               .columns = {{1, 2, 3}, {4, 5, 6}},
                               .list = {{10, 20, 30}, {40, 50, 60}, {70, 80, 90}},
                               .tail = {100, 200, 300, 400}};
   memcpy((char *)s->mixed.map + 4, &mixed, sizeof(mixed)); /* such a structure is aligned to 4 bytes only */
   s->push[0] = vas[0];
   s->push[1] = vkt_address(&s->vkx, &s->mixed) + 4;
   s->push[2] = vkt_address(&s->vkx, &s->counters);
   s->push[3] = vkt_address(&s->vkx, &s->result);
}

static void
expected(const struct scene *s, uint32_t i, uint32_t words[WORDS])
{
   static const uint32_t list[3][3] = {{10, 20, 30}, {40, 50, 60}, {70, 80, 90}};
   words[0] = 0;
   for (uint32_t j = 0; j < i % 9; j++)
      words[0] = words[0] * 3 + s->values[j];
   words[1] = 30 + 39 * 3 + 48 * 5 + 12 * 7 + 14 * 11 + list[i % 3][0] * 13 + list[i % 3][1] + list[(i + 1) % 3][2] +
              100 * ((i & 3) + 1);
   words[2] = (i % 3 ? (i + 1) & 3 : i & 3) * 100 + 200 + 2 * i;
   words[3] = 1;
   words[4] = words[i & 1] + 1;
   words[5] = words[3 + (i & 1)] + 5;
   words[6] = i;
   words[7] = 90;
}

static void
check(const struct scene *s, const char *stage, bool has_swap)
{
   uint32_t wrong = 0, bits = 0, words[WORDS];
   bool seen[COUNT] = {false};
   const struct counters *counters = s->counters.map;
   for (uint32_t i = 0; i < COUNT; i++) {
      expected(s, i, words);
      wrong += memcmp(words, (const uint32_t *)s->result.map + i * WORDS, sizeof(words)) != 0;
      bits ^= i * i;
      if (counters->taken[i] < COUNT)
         seen[counters->taken[i]] = true;
   }
   vkt_expect(!wrong, "%s: %u of %u invocations read or wrote wrong values", stage, wrong, COUNT);
   vkt_expect(counters->add == COUNT && counters->low == 1000 - (COUNT - 1) && counters->high == 1000 + COUNT - 1,
              "%s: counters %u, %u, %u", stage, counters->add, counters->low, counters->high);
   vkt_expect(counters->bits == (bits ^ 0x12345678), "%s: bits %#x, not %#x", stage, counters->bits,
              bits ^ 0x12345678);
   vkt_expect(counters->swap == (has_swap ? 5 + COUNT * (COUNT - 1) / 2 : 5), "%s: exchanges %u", stage,
              counters->swap);
   for (uint32_t i = 0, missing = 0; i < COUNT; i++) {
      missing += !seen[i];
      if (i == COUNT - 1)
         vkt_expect(!missing, "%s: %u of %u have no number of their own", stage, missing, COUNT);
   }
}

static void
reset(struct scene *s)
{
   memset(s->result.map, 0, COUNT * WORDS * 4);
   *(struct counters *)s->counters.map = (struct counters){.low = UINT32_MAX, .bits = 0x12345678, .swap = 5};
}

static VkPipelineLayout
layout_create(struct vkx *vkx, VkShaderStageFlags stage)
{
   const VkPushConstantRange ranges[2] = {{stage, PUSH_B, 32}, {VK_SHADER_STAGE_VERTEX_BIT, 0, PUSH_B}};
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .pushConstantRangeCount = stage == VK_SHADER_STAGE_FRAGMENT_BIT ? 2 : 1,
                                            .pPushConstantRanges = ranges};
   VkPipelineLayout layout;
   vkx_check(vkCreatePipelineLayout(vkx->device, &info, NULL, &layout), "vkCreatePipelineLayout");
   return layout;
}

static void
dispatch(struct vkx *vkx, struct vkt_code code, const uint64_t push[4], uint32_t groups)
{
   VkPipelineLayout layout = layout_create(vkx, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipeline pipeline = vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, code.words, code.size_B));
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, PUSH_B, 32, push);
   vkCmdDispatch(cmd, groups, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
}

static void
run_compute(struct scene *s)
{
   reset(s);
   dispatch(&s->vkx, VKT_CODE(addresses_comp), s->push, COUNT / 64);
   check(s, "compute", true);
}

/* Words of 64 bits, each plus its address, from one half of a buffer to the other. */
static void
run_numbers(struct scene *s)
{
   uint64_t *words = s->result.map;
   const uint64_t va = vkt_address(&s->vkx, &s->result), push[4] = {va, va + 64 * 8};
   for (uint32_t i = 0; i < 64; i++)
      words[i] = (uint64_t)vkt_random() << 32 | vkt_random();
   dispatch(&s->vkx, VKT_CODE(address_numbers), push, 1);
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < 64; i++)
      wrong += words[64 + i] != words[i] + va + 8 * i;
   vkt_expect(!wrong, "addresses as numbers: %u wrong", wrong);
}

static void
run_draw(struct scene *s, bool vertices)
{
   struct vkx *vkx = &s->vkx;
   const VkExtent2D extent = {16, 16};
   const VkShaderStageFlags stage = vertices ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT;
   VkPipelineLayout layout = layout_create(vkx, stage);
   struct vkt_target target =
      vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   const struct vkt_code fragment = VKT_CODE(addresses_frag), none = {NULL, 0};
   VkPipeline pipeline = vkt_pipeline_create(
      vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                       .layout = layout,
                                       .vertex = vertices ? VKT_CODE(addresses_vert) : VKT_CODE(quad_vert),
                                       .fragment = vertices ? none : fragment,
                                       .points = vertices});
   reset(s);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdPushConstants(cmd, layout, stage, PUSH_B, sizeof(s->push), s->push);
   if (vertices) {
      vkCmdDraw(cmd, COUNT, 1, 0, 0);
   } else {
      const struct vkt_quad quad = {.x0 = -1, .y0 = -1, .x1 = 1, .y1 = 1};
      vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(quad), &quad);
      vkCmdDraw(cmd, 4, 1, 0, 0);
   }
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(s, vertices ? "vertices" : "fragments", vertices);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkt_target_destroy(vkx, &target);
}

int
main(void)
{
   struct scene s = {.vkx = vkt_create("addresses")};
   struct vkx *vkx = &s.vkx;
   if (vkt_has("VK_KHR_buffer_device_address") && vkt_features.shaderInt64) {
      s.nodes[0] = vkt_addressed_create(vkx, NODES * sizeof(struct node), 0);
      s.nodes[1] = vkt_addressed_create(vkx, NODES * sizeof(struct node), 0);
      s.mixed = vkt_addressed_create(vkx, sizeof(struct mixed) + 4, 0);
      s.counters = vkt_addressed_create(vkx, sizeof(struct counters), 0);
      s.result = vkt_addressed_create(vkx, COUNT * WORDS * 4, 0);
      fill(&s);
      run_compute(&s);
      if (vkt_features.vertexPipelineStoresAndAtomics)
         run_draw(&s, true);
      run_draw(&s, false);
      run_numbers(&s);
      struct vkx_buffer *buffers[] = {&s.nodes[0], &s.nodes[1], &s.mixed, &s.counters, &s.result};
      for (unsigned i = 0; i < 5; i++)
         vkx_buffer_destroy(vkx, buffers[i]);
   } else {
      vkt_skip("buffer device addresses");
   }
   return vkt_finish(vkx);
}
