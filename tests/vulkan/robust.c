/* Accesses beyond the ends of uniform, storage and texel buffers and of vertex buffers, with robustBufferAccess:
 * nothing outside of the buffers changes, and loads give zero or what the buffer holds (vertex attributes: also
 * 0, 0, 0, 1). --zero: with robustBufferAccess2 loads give zero and stores change nothing; --pipeline: that is asked
 * of the pipeline, on a device without these features. */
#include <stdio.h>
#include <string.h>

#include "vkt_dispatch.h"

static const uint32_t code[] = {
#include "robust.inc"
};
static const uint32_t small_code[] = {
#include "robust_small.inc"
};
static const uint32_t vertex_code[] = {
#include "robust_vert.inc"
};

enum { LANES = 64, ROWS = 10, WORDS = 37, BIND_OFFSET_B = 256, BUFFER_B = 4096 };

static const uint32_t edges[] = {0,          1,          8,          9,          10,         WORDS - 4,
                                 WORDS - 1,  WORDS,      WORDS + 1,  64,         100,        1000,
                                 4095,       0xffff,     0x10000,    0x3fffffff, 0x40000000, 0x7fffffff,
                                 0x80000000, 0xfffffffe, 0xffffffff, 0x20000000, 0x10000000};

static bool zero, by_pipeline;

/* What every buffer starts with. */
static uint32_t
pattern(unsigned buffer, unsigned word)
{
   return 0x1000000 * (buffer + 1) + word;
}

static void
fill(const struct vkx_buffer *buffer, unsigned number)
{
   for (unsigned i = 0; i < BUFFER_B / 4; i++)
      ((uint32_t *)buffer->map)[i] = pattern(number, i);
}

/* What a lane stores to the buffers that change. */
static uint32_t
stored_value(unsigned buffer, uint32_t index)
{
   return (buffer == 2 ? 0xbad0000u : 0xbad1000u) + index;
}

/* Offsets are bytes in 32 bits: an index beyond them is one within. */
static uint32_t
wrapped(uint32_t index)
{
   return index & 0x3fffffff;
}

/* Zero, a word of the range that is bound, or, where lanes store, what any of them does: beyond the end may be
 * within. index: of the word.
 */
static bool
is_harmless(uint32_t got, unsigned buffer, const uint32_t *indices, uint32_t index)
{
   const uint32_t first = pattern(buffer, BIND_OFFSET_B / 4);
   bool by_lane = false;
   if (zero)
      return got == 0 || (wrapped(index) < WORDS && (got == first + wrapped(index) || buffer == 2));
   for (unsigned lane = 0; lane < LANES && (buffer == 2 || buffer == 4); lane++)
      by_lane |= got == stored_value(buffer, indices[lane]);
   return got == 0 || (got >= first && got < first + WORDS) || by_lane;
}

struct setup {
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkBufferView views[2];
};

static struct setup
create_set(struct vkx *vkx, const struct vkx_buffer *buffers)
{
   static const VkDescriptorType types[7] = {
      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,       VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,       VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
      VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct vkt_descriptor descriptors[7];
   struct setup s = {.set_layout = vkx_set_layout_create(vkx, 7, types, VK_SHADER_STAGE_COMPUTE_BIT)};
   for (unsigned i = 0; i < 7; i++) {
      const bool texel = i == 3 || i == 4;
      if (texel) {
         const VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                              .buffer = buffers[i].buffer,
                                              .format = VK_FORMAT_R32_UINT,
                                              .offset = BIND_OFFSET_B,
                                              .range = WORDS * 4};
         vkx_check(vkCreateBufferView(vkx->device, &view, NULL, &s.views[i - 3]), "vkCreateBufferView");
      }
      descriptors[i] =
         (struct vkt_descriptor){types[i], .buffer = buffers[i].buffer, .offset_B = i < 5 ? BIND_OFFSET_B : 0,
                                 .range_B = i < 5 ? WORDS * 4 : 0, .texels = texel ? s.views[i - 3] : VK_NULL_HANDLE};
   }
   s.set = vkt_bindings_create(vkx, &s.pool, s.set_layout, 7, descriptors);
   return s;
}

static void
check_loads(const uint32_t *results, const uint32_t *indices)
{
   static const char *const names[ROWS] = {"uniform", "uniform, last of four", "storage", "length",
                                           "texel",   "textureSize",           "image",   "imageSize",
                                           "atomic",  "storage, fourth"};
   for (unsigned row = 0; row < ROWS; row++) {
      unsigned wrong = 0;
      for (unsigned lane = 0; lane < LANES; lane++) {
         const uint32_t got = results[row * LANES + lane], i = indices[lane];
         const uint32_t at = row == 0 ? 4 * i : row == 1 ? 4 * i + 3 : row == 9 ? i + 3 : i;
         const unsigned buffer = row < 2 ? 0 : row < 4 || row == 9 ? 1 : row < 6 ? 3 : row < 8 ? 4 : 2;
         const bool inside = at < WORDS && i < WORDS, is_size = row == 3 || row == 5 || row == 7;
         const bool changes = row == 6 || row == 8; /* another lane may have stored there */
         if (zero && row == 8)                      /* what an atomic outside gives is undefined */
            continue;
         const bool ok = is_size                     ? got == WORDS
                         : inside && changes && zero ? true
                         : inside && !changes        ? got == pattern(buffer, BIND_OFFSET_B / 4 + at)
                                                     : is_harmless(got, buffer, indices, at);
         if (!ok && wrong++ < 2)
            printf("   %s, index %#x: %#x\n", names[row], i, got);
      }
      vkt_expect(!wrong, "%s: %u of %u loads wrong", names[row], wrong, LANES);
   }
}

/* Nothing outside of the bound ranges changed, and inside only what was stored there. */
static void
check_stores(const struct vkx_buffer *buffers, const uint32_t *indices)
{
   for (unsigned b = 0; b < 5; b++) {
      unsigned outside = 0, inside = 0;
      const uint32_t *words = buffers[b].map;
      for (unsigned w = 0; w < BUFFER_B / 4; w++) {
         const bool bound = w >= BIND_OFFSET_B / 4 && w < BIND_OFFSET_B / 4 + WORDS;
         bool stored = false, right = words[w] == pattern(b, w);
         for (unsigned lane = 0; lane < LANES && bound && (b == 2 || b == 4); lane++) {
            const uint32_t i = indices[lane], want = stored_value(b, i);
            const bool here = i == w - BIND_OFFSET_B / 4, around = wrapped(i) == w - BIND_OFFSET_B / 4;
            if (here && !stored)
               right = words[w] == want;
            stored |= here;
            right |= i >= WORDS && words[w] == want && (!zero || around); /* what goes beyond may come here */
         }
         outside += !bound && !right;
         inside += bound && !right;
      }
      vkt_expect(!outside, "buffer %u: %u words changed outside", b, outside);
      vkt_expect(!inside, "buffer %u: %u words wrong inside", b, inside);
   }
}

static VkPipeline
create_pipeline(struct vkx *vkx, VkPipelineLayout layout)
{
   const VkPipelineRobustnessCreateInfo robustness = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO,
      .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2,
      .uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2,
      .vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT,
      .images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT};
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                             .pNext = by_pipeline ? &robustness : NULL,
                                             .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                       .module = vkx_shader_create(vkx, code, sizeof(code)),
                                                       .pName = "main"},
                                             .layout = layout};
   VkPipeline pipeline;
   vkx_check(vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "pipeline");
   vkDestroyShaderModule(vkx->device, info.stage.module, NULL);
   return pipeline;
}

static void
run_compute(struct vkx *vkx)
{
   struct vkx_buffer buffers[7];
   for (unsigned i = 0; i < 7; i++) {
      buffers[i] = vkt_buffer_create(vkx, BUFFER_B, 0);
      if (i < 5)
         fill(&buffers[i], i);
   }
   uint32_t *indices = buffers[6].map;
   for (unsigned i = 0; i < LANES; i++)
      indices[i] = i < sizeof(edges) / 4 ? edges[i] : i % 2 ? vkt_random() : vkt_random_below(2 * WORDS);
   struct setup s = create_set(vkx, buffers);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, s.set_layout, 0, 0);
   VkPipeline pipeline = create_pipeline(vkx, layout);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &s.set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check_loads(buffers[5].map, indices);
   check_stores(buffers, indices);
   for (unsigned i = 0; i < 2; i++)
      vkDestroyBufferView(vkx->device, s.views[i], NULL);
   vkDestroyDescriptorPool(vkx->device, s.pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, s.set_layout, NULL);
   for (unsigned i = 0; i < 7; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

/* No access of the shader fits into buffers of so many bytes. */
static void
run_small(struct vkx *vkx, uint32_t size_B)
{
   enum { UNIFORM, FROM, TO, COUNT, RESULTS, BUFFERS };
   struct vkx_buffer buffers[BUFFERS];
   unsigned wrong = 0;
   for (unsigned b = 0; b < BUFFERS; b++)
      buffers[b] = vkt_buffer_create(vkx,
                                     b == COUNT    ? 2
                                     : b < RESULTS ? size_B
                                                   : 3 * LANES * 16,
                                     0x11 * (int)(b + 1));
   vkt_dispatch(vkx, &(struct vkt_dispatch){.code = VKT_CODE(small_code),
                                            .num_buffers = BUFFERS,
                                            .buffers = buffers,
                                            .uniforms = 1 << UNIFORM,
                                            .groups = 1});
   for (unsigned i = 0; i < 3 * LANES * 4; i++) {
      const unsigned from = i / (LANES * 4);
      const uint32_t got = ((uint32_t *)buffers[RESULTS].map)[i];
      const bool stored = from == TO && got >= 0xbad0000 && got < 0xbad0000 + LANES && i % 4 < size_B / 4;
      wrong += got && got != 0x11111111 * (from + 1) && !stored;
   }
   vkt_expect(!wrong, "buffers of %u bytes: %u loads wrong", size_B, wrong);
   for (unsigned b = 0; b < BUFFERS; b++)
      vkx_buffer_destroy(vkx, &buffers[b]);
}

struct fetch {
   uint32_t stride_B, offset_B, components;
   bool null; /* no buffer is bound */
};

/* With robustBufferAccess2, what is outside is 0, and 0, 0, 1 stand for what the format lacks. */
static bool
is_fetched(const struct fetch *fetch, unsigned vertex, unsigned component, uint32_t got)
{
   const uint32_t at = vertex * fetch->stride_B + fetch->offset_B;
   const bool inside = !fetch->null && at + 4 * fetch->components <= 168;
   if (component >= fetch->components && (zero || inside))
      return got == (component == 3);
   if (inside)
      return got == pattern(0, at / 4 + component);
   return zero ? got == 0 : got < 2 || (got >= pattern(0, 0) && got < pattern(0, 42));
}

/* Vertex i of 64 reads after the end of the vertex buffer from the first index that does not fit on. */
static void
run_vertices(struct vkx *vkx, const struct fetch *fetch)
{
   static const VkFormat formats[] = {VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32_UINT,
                                      VK_FORMAT_R32G32B32A32_UINT};
   struct vkx_buffer vertices = vkt_buffer_create(vkx, 10 * 16 + 8, 0), out = vkt_buffer_create(vkx, 64 * 16, 0xaa);
   for (unsigned i = 0; i < 42; i++)
      ((uint32_t *)vertices.map)[i] = pattern(0, i);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_VERTEX_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &out);
   struct vkt_target target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){4, 4}, 1, VK_SAMPLE_COUNT_1_BIT);
   const VkVertexInputBindingDescription binding = {0, fetch->stride_B, VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attribute = {0, 0, formats[fetch->components - 1], fetch->offset_B};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 1,
                                                       .pVertexAttributeDescriptions = &attribute};
   VkPipeline pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                              .layout = layout,
                                                                              .vertex = VKT_CODE(vertex_code),
                                                                              .vertex_input = &input,
                                                                              .points = true});
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkCmdBindVertexBuffers(cmd, 0, 1, fetch->null ? &(VkBuffer){VK_NULL_HANDLE} : &vertices.buffer,
                          &(VkDeviceSize){0});
   vkCmdDraw(cmd, 64, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   unsigned wrong = 0;
   const uint32_t *got = out.map;
   for (unsigned i = 0; i < 4 * 64; i++) {
      if (!is_fetched(fetch, i / 4, i % 4, got[i]) && wrong++ < 3)
         printf("   vertex %u component %u: %#x\n", i / 4, i % 4, got[i]);
   }
   vkt_expect(!wrong, "vertices of %u bytes, %u components from %u%s: %u wrong", fetch->stride_B, fetch->components,
              fetch->offset_B, fetch->null ? ", no buffer" : "", wrong);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkx_buffer_destroy(vkx, &vertices);
   vkx_buffer_destroy(vkx, &out);
   vkt_target_destroy(vkx, &target);
}

int
main(int argc, char **argv)
{
   by_pipeline = argc > 1 && !strcmp(argv[1], "--pipeline");
   zero = by_pipeline || (argc > 1 && !strcmp(argv[1], "--zero"));
   vkt_robust = !by_pipeline;
   vkt_robust2 = zero && !by_pipeline;
   struct vkx vkx = vkt_create("robust");
   if (zero && !vkt_has(by_pipeline ? "VK_EXT_pipeline_robustness" : "VK_EXT_robustness2")) {
      vkt_skip("robustBufferAccess2");
      vkt_expect(true, "nothing");
      return vkt_finish(&vkx);
   }
   run_compute(&vkx);
   if (by_pipeline)
      return vkt_finish(&vkx);
   for (uint32_t size_B = 4; size_B < 16; size_B += 4)
      run_small(&vkx, size_B);
   static const uint32_t places[][2] = {{16, 0}, {20, 4}, {12, 8}, {0, 0}, {0, 160}};
   for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++) {
      for (uint32_t components = 1; components <= 4; components++) {
         run_vertices(&vkx, &(struct fetch){places[i][0], places[i][1], components, false});
         if (zero)
            run_vertices(&vkx, &(struct fetch){places[i][0], places[i][1], components, true});
      }
   }
   vkt_sets_destroy(&vkx);
   return vkt_finish(&vkx);
}
