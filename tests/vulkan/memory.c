/* Memory of shaders: large private arrays in every stage, small types in buffers and shared memory, memory made
 * visible between workgroups, all of the shared memory. */
#include <string.h>

#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(scratch_24_comp){
#include "scratch_24_comp.inc"
};
CODE(scratch_24_vert){
#include "scratch_24_vert.inc"
};
CODE(scratch_24_frag){
#include "scratch_24_frag.inc"
};
CODE(scratch_1000_comp){
#include "scratch_1000_comp.inc"
};
CODE(scratch_1000_vert){
#include "scratch_1000_vert.inc"
};
CODE(scratch_1000_frag){
#include "scratch_1000_frag.inc"
};
CODE(scratch_4000_comp){
#include "scratch_4000_comp.inc"
};
CODE(scratch_4000_vert){
#include "scratch_4000_vert.inc"
};
CODE(scratch_4000_frag){
#include "scratch_4000_frag.inc"
};
CODE(scratch_group){
#include "scratch_group.inc"
};
CODE(spill_vert){
#include "spill_vert.inc"
};
CODE(small_storage){
#include "small_storage.inc"
};
CODE(last_group){
#include "last_group.inc"
};
CODE(quad_code){
#include "quad.vert.inc"
};

enum { COUNT = 256, ROUNDS = 40 };

/* What scratch.glsl computes. */
static uint32_t
scratch_result(uint32_t x, unsigned size, uint32_t *words)
{
   struct {
      uint32_t a[3], b[5];
   } pairs[7];
   uint32_t sum = 0;
   for (uint32_t i = 0; i < ROUNDS; i++)
      words[(x * 7 + i * 97) % size] = x ^ i;
   for (uint32_t i = 0; i < ROUNDS; i++) {
      const uint32_t at = (x * 7 + i * 5 % ROUNDS * 97) % size;
      sum = sum * 31 + words[at];
      words[at] += sum;
   }
   for (uint32_t i = 0; i < 7; i++) {
      pairs[i].a[0] = x, pairs[i].a[1] = x * i, pairs[i].a[2] = i;
      for (uint32_t j = 0; j < 5; j++)
         pairs[i].b[j] = x + i * j;
   }
   pairs[x % 7].a[x % 3] += 17;
   pairs[(x + 1) % 7].b[x % 5] = sum;
   for (uint32_t i = 0; i < 7; i++) {
      const uint32_t *a = pairs[(i + x) % 7].a, *b = pairs[(i + x) % 7].b;
      sum = sum * 31 + a[0] + a[1] + a[2] + b[i % 5] + b[x % 5];
   }
   return sum;
}

static void
check_scratch(const char *stage, unsigned size, const struct vkx_buffer *in, const struct vkx_buffer *out,
              unsigned count)
{
   uint32_t words[4000];
   unsigned wrong = 0;
   for (unsigned i = 0; i < count; i++)
      wrong += ((uint32_t *)out->map)[i] != scratch_result(((uint32_t *)in->map)[i], size, words);
   vkt_expect(!wrong, "private array of %u words, %s: %u of %u wrong", size, stage, wrong, count);
}

static void
draw(struct vkx *vkx, struct vkt_code vertex, struct vkt_code fragment, const struct vkx_buffer *buffers)
{
   const VkShaderStageFlags stages = VKT_QUAD_STAGES;
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, types[2] = {type, type};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 2, types, stages);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, stages, sizeof(struct vkt_quad));
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &buffers[0]);
   const VkDescriptorBufferInfo out = {buffers[1].buffer, 0, VK_WHOLE_SIZE};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set,
                                       .dstBinding = 1,
                                       .descriptorCount = 1,
                                       .descriptorType = type,
                                       .pBufferInfo = &out};
   vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
   const VkExtent2D extent = {16, 16};
   struct vkt_target target =
      vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   VkPipeline pipeline = vkt_pipeline_create(
      vkx,
      &(struct vkt_pipeline_info){
         .pass = target.pass, .layout = layout, .vertex = vertex, .fragment = fragment, .points = !fragment.words});
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   if (fragment.words)
      vkt_draw_quad(cmd, layout, extent, 0, 0, 16, 16, 0, (const float[4]){0});
   else
      vkCmdDraw(cmd, COUNT, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_target_destroy(vkx, &target);
}

static void
run_scratch(struct vkx *vkx)
{
   static const struct {
      unsigned size;
      struct vkt_code comp, vert, frag;
   } cases[] = {{24, VKT_CODE(scratch_24_comp), VKT_CODE(scratch_24_vert), VKT_CODE(scratch_24_frag)},
                {1000, VKT_CODE(scratch_1000_comp), VKT_CODE(scratch_1000_vert), VKT_CODE(scratch_1000_frag)},
                {4000, VKT_CODE(scratch_4000_comp), VKT_CODE(scratch_4000_vert), VKT_CODE(scratch_4000_frag)}};
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned stage = 0; stage < 3; stage++) {
         struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, COUNT * 4, 0), vkt_buffer_create(vkx, COUNT * 4, 0)};
         for (unsigned j = 0; j < COUNT; j++)
            ((uint32_t *)buffers[0].map)[j] = vkt_random();
         if (stage == 0)
            vkt_dispatch(vkx, &(struct vkt_dispatch){cases[i].comp, 2, buffers, .groups = COUNT / 64});
         else if (stage == 1)
            draw(vkx, cases[i].vert, (struct vkt_code){NULL, 0}, buffers);
         else
            draw(vkx, VKT_CODE(quad_code), cases[i].frag, buffers);
         check_scratch(stage == 0   ? "compute"
                       : stage == 1 ? "vertex"
                                    : "fragment",
                       cases[i].size, &buffers[0], &buffers[1], COUNT);
         vkx_buffer_destroy(vkx, &buffers[0]);
         vkx_buffer_destroy(vkx, &buffers[1]);
      }
   }
}

/* A workgroup that meets at a barrier with all of its arrays. */
static void
run_scratch_group(struct vkx *vkx)
{
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, COUNT * 4, 0), vkt_buffer_create(vkx, COUNT * 4, 0)};
   for (unsigned j = 0; j < COUNT; j++)
      ((uint32_t *)buffers[0].map)[j] = vkt_random();
   vkt_dispatch(vkx, &(struct vkt_dispatch){VKT_CODE(scratch_group), 2, buffers, .groups = 1});
   check_scratch("workgroup", 4000, &buffers[0], &buffers[1], COUNT);
   vkx_buffer_destroy(vkx, &buffers[0]);
   vkx_buffer_destroy(vkx, &buffers[1]);
}

/* What spill.vert computes, in as many vertices as fill several waves. */
static void
run_spill(struct vkx *vkx)
{
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, COUNT * 4, 0), vkt_buffer_create(vkx, COUNT * 4, 0)};
   uint32_t *inputs = buffers[0].map, wrong = 0;
   for (unsigned i = 0; i < COUNT; i++)
      inputs[i] = vkt_random();
   draw(vkx, VKT_CODE(spill_vert), (struct vkt_code){NULL, 0}, buffers);
   for (unsigned i = 0; i < COUNT; i++) {
      uint32_t sum = inputs[i];
      for (uint32_t n = 100; n < 400; n++)
         sum = sum * 31 + inputs[(inputs[i] + n * 7) % COUNT];
      wrong += ((uint32_t *)buffers[1].map)[i] != sum;
   }
   vkt_expect(!wrong, "more values than registers, vertex: %u of %u wrong", wrong, COUNT);
   vkx_buffer_destroy(vkx, &buffers[0]);
   vkx_buffer_destroy(vkx, &buffers[1]);
}

/* struct Mixed of small_storage.comp, in scalar layout. */
struct __attribute__((packed, aligned(4))) mixed {
   uint8_t a, pad0;
   uint16_t b;
   uint8_t c[3], pad1;
   uint16_t d;
   uint16_t e[3];
   int8_t f, pad2;
   uint16_t g[4];
   uint16_t pad3;
   uint32_t h;
   int8_t i[4];
};

static bool
is_mixed_right(const struct mixed *from, const struct mixed *to)
{
   const uint8_t a = (uint8_t)(from->a + 3);
   bool ok = to->a == a && to->b == (uint16_t)(from->b * 5) && to->f == (int8_t)-from->f &&
             to->d == (uint16_t)(from->d + 0x400) && to->h == (from->h ^ (uint16_t)(from->e[1] + a));
   for (unsigned i = 0; i < 3; i++)
      ok &= to->c[i] == from->c[(i + 2) % 3] && to->e[i] == (uint16_t)(from->e[i] + a);
   for (unsigned i = 0; i < 4; i++)
      ok &= to->g[i] == from->g[3 - i] && to->i[i] == from->i[i] >> 1;
   return ok && to->pad0 == 0xaa && to->pad1 == 0xaa;
}

static void
run_small(struct vkx *vkx)
{
   if (!vkt_has("VK_KHR_8bit_storage") || !vkt_has("VK_EXT_scalar_block_layout") || !vkt_int8 || !vkt_float16 ||
       !vkt_features.shaderInt16) {
      vkt_skip("small types in memory");
      return;
   }
   struct vkx_buffer buffers[4] = {vkt_buffer_create(vkx, COUNT * sizeof(struct mixed), 0),
                                   vkt_buffer_create(vkx, COUNT * sizeof(struct mixed), 0xaa),
                                   vkt_buffer_create(vkx, 4096, 0xaa), vkt_buffer_create(vkx, 4096, 0)};
   struct mixed *from = buffers[0].map, *to = buffers[1].map;
   uint8_t *bytes = buffers[2].map, before[4096];
   const uint16_t *halves = buffers[3].map;
   for (unsigned i = 0; i < COUNT * sizeof(*from); i++)
      ((uint8_t *)from)[i] = (uint8_t)vkt_random();
   for (unsigned i = 0; i < COUNT; i++) /* a number whose double is one */
      from[i].d = (uint16_t)(0x3c00 | (from[i].d & 0x83ff));
   for (unsigned i = 0; i < 4096; i++)
      before[i] = bytes[i] = (uint8_t)vkt_random();
   vkt_dispatch(vkx, &(struct vkt_dispatch){VKT_CODE(small_storage), 4, buffers, .groups = COUNT / 64});
   unsigned wrong[3] = {0};
   for (unsigned i = 0; i < COUNT; i++) {
      const unsigned other = (i & ~63u) + (i + 7) % 64;
      wrong[0] += !is_mixed_right(&from[i], &to[i]);
      wrong[1] += bytes[i] != (uint8_t)other || halves[i] != (uint16_t)(other * 3);
      wrong[2] += bytes[i + 1000] != (uint8_t)(before[i + 2000] + 1);
   }
   vkt_expect(!wrong[0], "a structure of small members: %u of %u wrong", wrong[0], COUNT);
   vkt_expect(!wrong[1], "small types in shared memory: %u of %u wrong", wrong[1], COUNT);
   vkt_expect(!wrong[2] && !memcmp(bytes + 1256, before + 1256, 1000), "bytes and their neighbours: %u wrong",
              wrong[2]);
   for (unsigned i = 0; i < 4; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

static void
run_last_group(struct vkx *vkx)
{
   const uint32_t groups = 40, words = vkx->properties.limits.maxComputeSharedMemorySize / 4 - 64;
   struct vkx_buffer buffers[3] = {vkt_buffer_create(vkx, groups * 64 * 4 + 20, 0), vkt_buffer_create(vkx, 64, 0),
                                   vkt_buffer_create(vkx, words * 4, 0)};
   const uint32_t constants[1] = {words & ~63u};
   vkt_dispatch(vkx, &(struct vkt_dispatch){VKT_CODE(last_group), 3, buffers, 1, constants, .groups = groups});
   uint32_t sum = 0, wrong = 0;
   for (uint32_t i = 0; i < groups * 64; i++)
      sum += i * i + 1;
   const uint32_t *counters = buffers[1].map, *transposed = buffers[2].map;
   vkt_expect(counters[0] == groups && counters[1] == sum, "%u groups finished, sum %u, not %u", counters[0],
              counters[1], sum);
   vkt_expect(counters[2] == groups * 64 + 5, "length of a run-time array: %u", counters[2]);
   for (uint32_t i = 0; i < constants[0]; i++)
      wrong += transposed[(i * 64 + i * 64 / constants[0]) % constants[0]] != i;
   vkt_expect(!wrong, "%u words of shared memory: %u wrong", constants[0], wrong);
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

int
main(void)
{
   struct vkx vkx = vkt_create("memory");
   run_scratch(&vkx);
   run_scratch_group(&vkx);
   run_spill(&vkx);
   run_small(&vkx);
   run_last_group(&vkx);
   vkt_sets_destroy(&vkx);
   return vkt_finish(&vkx);
}
