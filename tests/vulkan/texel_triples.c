/* Texel buffers with three components of 32 bits, and the same words as texels of one and four in the same program:
 * what a texel has, the one that a fourth component is, zeros outside, and sizes. */
#include <string.h>

#include "vkt_dispatch.h"

static const uint32_t code[] = {
#include "texel_triples.inc"
};

enum { LANES = 64, WORDS = 96, OFFSET_B = 64, ROWS = 5, FLOATS = 0, INTS, UINTS, HALVES, KINDS };

static const VkFormat formats[3][3] = {
   {VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32_SINT, VK_FORMAT_R32G32B32_UINT},
   {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_SINT, VK_FORMAT_R32_UINT},
   {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R32G32B32A32_UINT},
};
static const unsigned components[3] = {3, 1, 4};

/* Word i of a buffer, and of a result that has it. Floats are eighths, so that 16 bits hold them, too. */
static uint32_t
word(unsigned kind, unsigned i)
{
   const float eighth = (float)(i + 1) / 8;
   uint32_t bits;
   memcpy(&bits, &eighth, 4);
   return kind == FLOATS || kind == HALVES ? bits : kind == INTS ? 0u - 0x01000001 * i : 0xff000000 + 0x10001 * i;
}

static uint32_t
expected(unsigned kind, uint32_t texel, unsigned component, unsigned count)
{
   static const uint32_t one[KINDS] = {0x3f800000, 1, 1, 8};
   const uint32_t at = texel * count + component;
   if (component == 3 && count < 4)
      return one[kind];
   if (component >= count || texel >= WORDS / count)
      return 0;
   return kind == HALVES ? at + 1 : word(kind, at);
}

/* Outside, a fourth component may be zero, too. */
static void
check(const uint32_t *results, unsigned count)
{
   static const char *const names[KINDS] = {"floats", "ints", "uints", "halves"};
   for (unsigned kind = 0; kind < KINDS; kind++) {
      unsigned wrong = 0;
      for (uint32_t i = 0; i < LANES * 4; i++) {
         const uint32_t texel = i / 4 < 60 ? i / 4 : UINT32_MAX / 16, got = results[kind * LANES * 4 + i];
         wrong += got != expected(kind, texel, i % 4, count) && !(got == 0 && texel >= WORDS / count);
      }
      vkt_expect(!wrong, "%s of %u components: %u values wrong, texel 1 is %08x %08x %08x %08x", names[kind], count,
                 wrong, results[kind * LANES * 4 + 4], results[kind * LANES * 4 + 5], results[kind * LANES * 4 + 6],
                 results[kind * LANES * 4 + 7]);
   }
   for (unsigned i = 0; i < 4; i++)
      vkt_expect(results[KINDS * LANES * 4 + i] == WORDS / count, "size of buffer %u is %u, not %u", i,
                 results[KINDS * LANES * 4 + i], WORDS / count);
}

static VkBufferView
view_of(struct vkx *vkx, const struct vkx_buffer *buffer, VkFormat format)
{
   const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                        .buffer = buffer->buffer,
                                        .format = format,
                                        .offset = OFFSET_B,
                                        .range = WORDS * 4};
   VkBufferView view;
   vkx_check(vkCreateBufferView(vkx->device, &info, NULL, &view), "vkCreateBufferView");
   return view;
}

struct objects {
   struct vkx_buffer texels[KINDS], result;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
};

static void
dispatch(struct vkx *vkx, const struct objects *o, unsigned shape)
{
   struct vkt_descriptor descriptors[KINDS + 1] = {
      [KINDS] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = o->result.buffer}};
   VkDescriptorPool pool = VK_NULL_HANDLE;
   for (unsigned i = 0; i < KINDS; i++)
      descriptors[i] = (struct vkt_descriptor){VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                               .texels = view_of(vkx, &o->texels[i], formats[shape][i % HALVES])};
   const VkDescriptorSet set = vkt_bindings_create(vkx, &pool, o->set_layout, KINDS + 1, descriptors);
   memset(o->result.map, 0x77, ROWS * LANES * 16);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, o->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, o->layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   check(o->result.map, components[shape]);
   for (unsigned i = 0; i < KINDS; i++)
      vkDestroyBufferView(vkx->device, descriptors[i].texels, NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
}

static bool
offers_triples(const struct vkx *vkx)
{
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, VK_FORMAT_R32G32B32_SFLOAT, &properties);
   return properties.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
}

int
main(void)
{
   static const VkDescriptorType types[KINDS + 1] = {
      VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
      VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   vkt_robust = true;
   struct vkx vkx = vkt_create("texel_triples");
   struct objects o = {.result = vkt_buffer_create(&vkx, ROWS * LANES * 16, 0)};
   for (unsigned i = 0; i < KINDS; i++) {
      o.texels[i] = vkt_addressed_create(&vkx, OFFSET_B + 2 * WORDS * 4, 0x55); /* not for storage texels */
      memset(o.texels[i].map, 0x55, OFFSET_B + 2 * WORDS * 4);
      for (unsigned w = 0; w < WORDS; w++)
         ((uint32_t *)o.texels[i].map)[OFFSET_B / 4 + w] = word(i, w);
   }
   o.set_layout = vkx_set_layout_create(&vkx, KINDS + 1, types, VK_SHADER_STAGE_COMPUTE_BIT);
   o.layout = vkx_pipeline_layout_create(&vkx, o.set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   o.pipeline = vkx_compute_pipeline_create(&vkx, o.layout, vkx_shader_create(&vkx, code, sizeof(code)));
   for (unsigned shape = offers_triples(&vkx) ? 0 : 1; shape < 3; shape++)
      dispatch(&vkx, &o, shape);
   if (!offers_triples(&vkx))
      vkt_skip("texels of three components");
   vkDestroyPipeline(vkx.device, o.pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, o.layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, o.set_layout, NULL);
   for (unsigned i = 0; i < KINDS; i++)
      vkx_buffer_destroy(&vkx, &o.texels[i]);
   vkx_buffer_destroy(&vkx, &o.result);
   return vkt_finish(&vkx);
}
