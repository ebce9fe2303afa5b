/* Many descriptor sets; push descriptors, by writes and by templates; inline uniform blocks; mutable descriptors. */
#include <string.h>

#include "vkt_dispatch.h"
#include "vkt_sets.h"

static bool radv; /* leave out what RADV does wrong */
static const uint32_t many_code[] = {
#include "sets_many_7.inc"
};
static const uint32_t all_code[] = {
#include "sets_many_31.inc"
};
static const uint32_t push_code[] = {
#include "sets_push.inc"
};
static const uint32_t inline_code[] = {
#include "sets_inline.inc"
};

static const uint32_t mutable_code[] = {
#include "sets_mutable.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define COMPUTE VK_SHADER_STAGE_COMPUTE_BIT
#define STEP_B 256u /* between the places in the buffer */
#define PLACES 40u
#define MAX_SETS 32u

static struct vkx *vkx;
static struct vkx_buffer values, output; /* values: word j of place i is 1000 * i + j */

static void
expect_word(const char *what, uint32_t index, uint32_t wanted)
{
   const uint32_t got = ((uint32_t *)output.map)[index];
   vkt_expect(got == wanted, "%s: word %u is %u, not %u", what, index, got, wanted);
}

static VkDescriptorBufferInfo
place(uint32_t index)
{
   return (VkDescriptorBufferInfo){values.buffer, index * STEP_B, 64};
}

/* ---- as many sets as there may be ---- */

static void
write_buffer(VkDescriptorSet set, const VkDescriptorBufferInfo *info)
{
   const struct vkt_descriptor buffer = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         .buffer = info->buffer,
                                         .offset_B = info->offset,
                                         .range_B = info->range};
   vkt_descriptor_write(vkx, set, 0, 0, &buffer);
}

static void
dispatch_many(uint32_t count, VkPipelineLayout layout, VkPipeline pipeline, const VkDescriptorSet *sets)
{
   memset(output.map, 0, output.size);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   /* From both ends, the last ones twice. */
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t set = i % 2 ? i / 2 : count - 1 - i / 2;
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, set, 1, &sets[set], 0, NULL);
   }
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 1; i < count; i++)
      expect_word("sets", i, 1000 * i);
   /* The last set changes, the others stay. */
   const VkDescriptorBufferInfo other = place(PLACES - 1);
   write_buffer(sets[count - 1], &other);
   cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, count, sets, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, count - 1, 1, &sets[1], 0, NULL);
   vkt_barrier(cmd);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 1; i + 1 < count; i++)
      expect_word("sets, again", i, 1000 * i);
   expect_word("the last set is another", count - 1, 1000);
}

static void
many_sets(void)
{
   const uint32_t count = vkx->properties.limits.maxBoundDescriptorSets >= MAX_SETS ? MAX_SETS : 8;
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, COMPUTE, NULL};
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MAX_SETS};
   if (vkx->properties.limits.maxBoundDescriptorSets < count) {
      vkt_skip("eight sets");
      return;
   }
   VkDescriptorSetLayout layouts[MAX_SETS];
   VkDescriptorSet sets[MAX_SETS];
   VkDescriptorPool pool = vkt_pool_create(vkx, NULL, 0, MAX_SETS, 1, &size);
   for (uint32_t i = 0; i < count; i++)
      layouts[i] = i ? layouts[0] : vkt_set_layout_create(vkx, NULL, 0, 1, &binding);
   vkt_sets_allocate(vkx, NULL, pool, count, layouts, sets);
   const VkDescriptorBufferInfo out = {output.buffer, 0, VK_WHOLE_SIZE};
   write_buffer(sets[0], &out);
   for (uint32_t i = 1; i < count; i++) {
      const VkDescriptorBufferInfo info = place(i);
      write_buffer(sets[i], &info);
   }
   const struct vkt_code code = count == MAX_SETS ? VKT_CODE(all_code) : VKT_CODE(many_code);
   VkPipelineLayout layout = vkt_pipeline_layout_create(vkx, 0, count, layouts, 4);
   VkPipeline pipeline = vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, code.words, code.size_B));
   dispatch_many(count, layout, pipeline, sets);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, layouts[0], NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
}

/* ---- push descriptors ---- */

struct pushed {
   VkDescriptorBufferInfo uniforms[2], storage;
   VkBufferView texels;
   VkDescriptorImageInfo image;
};

struct push {
   VkSampler sampler;
   struct vkt_image images[2]; /* of the colours 1 and 2 */
   VkImageView views[2];
   VkBufferView texels[2];
   VkDescriptorSetLayout layouts[2];
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorSet out;
};

static void
push_create(struct push *p)
{
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   vkx_check(vkCreateSampler(vkx->device, &sampler, NULL, &p->sampler), "vkCreateSampler");
   const VkDescriptorSetLayoutBinding out = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, COMPUTE, NULL};
   const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2, COMPUTE, NULL},
      {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, COMPUTE, NULL},
      {3, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, COMPUTE, NULL},
      {4, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, COMPUTE, &p->sampler}};
   p->layouts[0] = vkt_set_layout_create(vkx, NULL, 0, 1, &out);
   p->layouts[1] = vkt_set_layout_create(vkx, NULL, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                                         ARRAY_SIZE(bindings), bindings);
   p->layout = vkt_pipeline_layout_create(vkx, 0, 2, p->layouts, 4);
   p->pipeline = vkx_compute_pipeline_create(vkx, p->layout, vkx_shader_create(vkx, push_code, sizeof(push_code)));
   p->out = vkt_set_create(vkx, p->layouts[0], VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &output);
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (uint32_t i = 0; i < 2; i++) {
      const VkClearColorValue color = {.float32 = {(float)(i + 1) / 255}};
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
      p->images[i] =
         vkt_image_create(vkx,
                          (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                              .format = VK_FORMAT_R8G8B8A8_UNORM,
                                              .extent = {2, 2, 1},
                                              .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT},
                          false);
      p->views[i] = vkt_view_create(vkx, &p->images[i], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
      vkt_transition(cmd, &p->images[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkCmdClearColorImage(cmd, p->images[i].image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
      const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = values.buffer,
                                           .format = VK_FORMAT_R32_UINT,
                                           .offset = (20 + i) * STEP_B,
                                           .range = 64};
      vkx_check(vkCreateBufferView(vkx->device, &info, NULL, &p->texels[i]), "vkCreateBufferView");
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static void
push_destroy(struct push *p)
{
   vkDestroyPipeline(vkx->device, p->pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, p->layout, NULL);
   for (uint32_t i = 0; i < 2; i++) {
      vkDestroyDescriptorSetLayout(vkx->device, p->layouts[i], NULL);
      vkDestroyBufferView(vkx->device, p->texels[i], NULL);
      vkDestroyImageView(vkx->device, p->views[i], NULL);
      vkt_image_destroy(vkx, &p->images[i]);
   }
   vkDestroySampler(vkx->device, p->sampler, NULL);
}

static struct pushed
pushed(const struct push *p, uint32_t variant)
{
   return (struct pushed){.uniforms = {place(1 + 10 * variant), place(2 + 10 * variant)},
                          .storage = place(3 + 10 * variant),
                          .texels = p->texels[variant],
                          .image = {VK_NULL_HANDLE, p->views[variant], VK_IMAGE_LAYOUT_GENERAL}};
}

static const struct {
   uint32_t binding, count;
   VkDescriptorType type;
   size_t at, step_B;
} members[] = {
   {0, 2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, offsetof(struct pushed, uniforms), sizeof(VkDescriptorBufferInfo)},
   {2, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, offsetof(struct pushed, storage), 0},
   {3, 1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, offsetof(struct pushed, texels), 0},
   {4, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, offsetof(struct pushed, image), 0},
};

/* Those members whose bits are set, by writes. */
static uint32_t
writes_of(const struct pushed *contents, uint32_t mask, VkWriteDescriptorSet writes[ARRAY_SIZE(members)])
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < ARRAY_SIZE(members); i++) {
      const void *data = (const char *)contents + members[i].at;
      if (mask >> i & 1)
         writes[count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                  .dstBinding = members[i].binding,
                                                  .descriptorCount = members[i].count,
                                                  .descriptorType = members[i].type,
                                                  .pBufferInfo = data,
                                                  .pImageInfo = data,
                                                  .pTexelBufferView = data};
   }
   return count;
}

static VkDescriptorUpdateTemplate
template_create(const struct push *p)
{
   VkDescriptorUpdateTemplateEntry entries[ARRAY_SIZE(members)];
   for (uint32_t i = 0; i < ARRAY_SIZE(members); i++)
      entries[i] = (VkDescriptorUpdateTemplateEntry){
         members[i].binding, 0, members[i].count, members[i].type, members[i].at, members[i].step_B};
   const VkDescriptorUpdateTemplateCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = ARRAY_SIZE(entries),
      .pDescriptorUpdateEntries = entries,
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
      .pipelineLayout = p->layout,
      .set = 1};
   VkDescriptorUpdateTemplate template;
   vkx_check(vkCreateDescriptorUpdateTemplate(vkx->device, &info, NULL, &template), "template");
   return template;
}

static void
push_dispatch(const struct push *p, VkCommandBuffer cmd, uint32_t at)
{
   vkCmdPushConstants(cmd, p->layout, COMPUTE, 0, 4, &at);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
}

/* variants: of each member, as one follows the other in the output. */
static void
expect_pushed(const char *what, uint32_t at, const uint32_t variants[ARRAY_SIZE(members)])
{
   expect_word(what, at + 0, 1000 * (1 + 10 * variants[0]));
   expect_word(what, at + 1, 1000 * (2 + 10 * variants[0]));
   expect_word(what, at + 2, 1000 * (3 + 10 * variants[1]));
   expect_word(what, at + 3, 1000 * (20 + variants[2]) + 1);
   expect_word(what, at + 4, 1 + variants[3]);
}

static void
push_sets(void)
{
   struct push p;
   VkWriteDescriptorSet writes[ARRAY_SIZE(members)];
   if (!vkt_has("VK_KHR_push_descriptor")) {
      vkt_skip("VK_KHR_push_descriptor");
      return;
   }
   PFN_vkCmdPushDescriptorSetKHR push = VKT_PROC(vkx, vkCmdPushDescriptorSetKHR);
   PFN_vkCmdPushDescriptorSetWithTemplateKHR push_template = VKT_PROC(vkx, vkCmdPushDescriptorSetWithTemplateKHR);
   push_create(&p);
   const struct pushed contents[2] = {pushed(&p, 0), pushed(&p, 1)};
   VkDescriptorUpdateTemplate template = template_create(&p);
   memset(output.map, 0, output.size);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0, 1, &p.out, 0, NULL);
   push(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 1, writes_of(&contents[0], 15, writes), writes);
   push_dispatch(&p, cmd, 0);
   /* Each member by itself; what is pushed for draws is not for dispatches. */
   for (uint32_t i = 0; i < ARRAY_SIZE(members); i++) {
      push(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 1, writes_of(&contents[1], 1u << i, writes), writes);
      push(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p.layout, 1, writes_of(&contents[0], 15, writes), writes);
      push_dispatch(&p, cmd, 16 * (i + 1));
   }
   push_template(cmd, template, p.layout, 1, &contents[0]);
   push_dispatch(&p, cmd, 80);
   vkx_submit_and_wait(vkx, cmd);
   expect_pushed("all pushed", 0, (uint32_t[]){0, 0, 0, 0});
   for (uint32_t i = 0; i < ARRAY_SIZE(members); i++)
      expect_pushed("one more pushed", 16 * (i + 1), (uint32_t[]){1, i >= 1, i >= 2, i >= 3});
   expect_pushed("pushed by a template", 80, (uint32_t[]){0, 0, 0, 0});
   vkDestroyDescriptorUpdateTemplate(vkx->device, template, NULL);
   push_destroy(&p);
}

/* ---- inline uniform blocks ---- */

#define FIRST_B 20u /* no multiple of 16 */
#define SECOND_B 128u

static VkDescriptorPool
inline_pool_create(void)
{
   const VkDescriptorPoolSize sizes[3] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
                                          {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 2 * (FIRST_B + SECOND_B)},
                                          {VK_DESCRIPTOR_TYPE_SAMPLER, 1}};
   const VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
      .maxInlineUniformBlockBindings = 4};
   return vkt_pool_create(vkx, &blocks, VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT, 3, ARRAY_SIZE(sizes),
                          sizes);
}

static void
write_bytes(VkDescriptorSet set, uint32_t binding, uint32_t first_B, uint32_t size_B, const void *data)
{
   const VkWriteDescriptorSetInlineUniformBlock block = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK, .dataSize = size_B, .pData = data};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .pNext = &block,
                                       .dstSet = set,
                                       .dstBinding = binding,
                                       .dstArrayElement = first_B,
                                       .descriptorCount = size_B,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK};
   vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
}

static void
copy_elements(VkDescriptorSet from, VkDescriptorSet to, uint32_t binding, uint32_t size_B)
{
   const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                     .srcSet = from,
                                     .srcBinding = binding,
                                     .dstSet = to,
                                     .dstBinding = binding,
                                     .descriptorCount = size_B};
   vkUpdateDescriptorSets(vkx->device, 0, NULL, 1, &copy);
}

static void
inline_dispatch(const char *what, VkPipelineLayout layout, VkPipeline pipeline, VkDescriptorSet set)
{
   memset(output.map, 0xaa, output.size);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   expect_word(what, 0, 101);
   expect_word(what, 1, 104);
   expect_word(what, 2, 214);
   for (uint32_t i = 0; i < SECOND_B / 16; i++)
      expect_word(what, 16 + i, 200 + 4 * i + i % 4);
}

/* ---- immutable samplers, of which a set has fewer than its layout ---- */

#define MANY_SAMPLERS 64u

static VkDescriptorSetLayout
samplers_layout_create(VkSampler sampler)
{
   VkSampler samplers[MANY_SAMPLERS];
   for (uint32_t i = 0; i < MANY_SAMPLERS; i++)
      samplers[i] = sampler;
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_SAMPLER, MANY_SAMPLERS, COMPUTE, samplers};
   const VkDescriptorBindingFlags flags = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT;
   const VkDescriptorSetLayoutBindingFlagsCreateInfo all_flags = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
      .bindingCount = 1,
      .pBindingFlags = &flags};
   return vkt_set_layout_create(vkx, &all_flags, 0, 1, &binding);
}

/* With one sampler. */
static VkDescriptorSet
samplers_create(VkDescriptorPool pool, VkDescriptorSetLayout layout)
{
   const uint32_t count = 1;
   const VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
      .descriptorSetCount = 1,
      .pDescriptorCounts = &count};
   VkDescriptorSet set;
   vkt_sets_allocate(vkx, &counts, pool, 1, &layout, &set);
   return set;
}

static void
inline_blocks(void)
{
   if (!vkt_has("VK_EXT_inline_uniform_block")) {
      vkt_skip("VK_EXT_inline_uniform_block");
      return;
   }
   const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, COMPUTE, NULL},
      {1, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, FIRST_B, COMPUTE, NULL},
      {5, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, SECOND_B, COMPUTE, NULL}};
   VkDescriptorSetLayout set_layout = vkt_set_layout_create(vkx, NULL, 0, ARRAY_SIZE(bindings), bindings);
   VkPipelineLayout layout = vkt_pipeline_layout_create(vkx, 0, 1, &set_layout, 4);
   VkPipeline pipeline =
      vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, inline_code, sizeof(inline_code)));
   VkDescriptorPool pool = inline_pool_create();
   const VkSamplerCreateInfo sampler_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   VkSampler sampler;
   vkx_check(vkCreateSampler(vkx->device, &sampler_info, NULL, &sampler), "vkCreateSampler");
   VkDescriptorSetLayout samplers_layout =
      vkt_has("VK_EXT_descriptor_indexing") ? samplers_layout_create(sampler) : VK_NULL_HANDLE;
   VkDescriptorSet samplers = samplers_layout ? samplers_create(pool, samplers_layout) : VK_NULL_HANDLE;
   const VkDescriptorSetLayout set_layouts[2] = {set_layout, set_layout};
   VkDescriptorSet sets[2];
   vkt_sets_allocate(vkx, NULL, pool, 2, set_layouts, sets);
   uint32_t first[FIRST_B / 4], second[SECOND_B / 4];
   for (uint32_t i = 0; i < ARRAY_SIZE(first); i++)
      first[i] = 100 + i;
   for (uint32_t i = 0; i < ARRAY_SIZE(second); i++)
      second[i] = 200 + i;
   const VkDescriptorBufferInfo out = {output.buffer, 0, VK_WHOLE_SIZE};
   for (uint32_t i = 0; i < 2; i++)
      write_buffer(sets[i], &out);
   write_bytes(sets[0], 1, 0, FIRST_B, first);
   write_bytes(sets[0], 5, 0, 64, second);
   write_bytes(sets[0], 5, 64, SECOND_B - 64, second + 16);
   inline_dispatch("inline blocks", layout, pipeline, sets[0]);
   if (samplers && !radv) { /* the set after it stays; docs/found.md */
      vkFreeDescriptorSets(vkx->device, pool, 1, &samplers);
      samplers_create(pool, samplers_layout);
      inline_dispatch("inline blocks after samplers", layout, pipeline, sets[0]);
   }
   copy_elements(sets[0], sets[1], 1, FIRST_B);
   copy_elements(sets[0], sets[1], 5, SECOND_B);
   inline_dispatch("copied inline blocks", layout, pipeline, sets[1]);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, samplers_layout, NULL);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroySampler(vkx->device, sampler, NULL);
}

/* ---- mutable descriptors ---- */

enum { KINDS = 6 };
static const VkDescriptorType kinds[KINDS] = {
   VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,       VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
   VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
   VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,        VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};

struct mutable
{
   VkSampler sampler;
   struct vkt_image image; /* of the colour 3 */
   VkImageView view;
   VkBufferView texels[2];
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorPool pool;
   VkDescriptorSet sets[2];
};

static void
mutable_views(struct mutable *m)
{
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   const VkClearColorValue color = {.float32 = {3.0f / 255}};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   vkx_check(vkCreateSampler(vkx->device, &sampler, NULL, &m->sampler), "vkCreateSampler");
   m->image = vkt_image_create(vkx,
                               (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                                   .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                   .extent = {2, 2, 1},
                                                   .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                                            VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT},
                               false);
   m->view = vkt_view_create(vkx, &m->image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &m->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdClearColorImage(cmd, m->image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < 2; i++) {
      const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = values.buffer,
                                           .format = VK_FORMAT_R32_UINT,
                                           .offset = (20 + i) * STEP_B,
                                           .range = 64};
      vkx_check(vkCreateBufferView(vkx->device, &info, NULL, &m->texels[i]), "vkCreateBufferView");
   }
}

static void
mutable_sets(struct mutable *m)
{
   const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, COMPUTE, NULL},
                                                    {1, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, KINDS, COMPUTE, NULL},
                                                    {2, VK_DESCRIPTOR_TYPE_SAMPLER, 1, COMPUTE, &m->sampler}};
   const VkMutableDescriptorTypeListEXT list[2] = {{0, NULL}, {KINDS, kinds}};
   const VkMutableDescriptorTypeCreateInfoEXT lists = {.sType =
                                                          VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT,
                                                       .mutableDescriptorTypeListCount = 2,
                                                       .pMutableDescriptorTypeLists = list};
   m->set_layout = vkt_set_layout_create(vkx, &lists, 0, ARRAY_SIZE(bindings), bindings);
   const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
                                         {VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 2 * KINDS},
                                         {VK_DESCRIPTOR_TYPE_SAMPLER, 2}};
   m->pool = vkt_pool_create(vkx, &lists, 0, 2, ARRAY_SIZE(sizes), sizes);
   const VkDescriptorSetLayout layouts[2] = {m->set_layout, m->set_layout};
   vkt_sets_allocate(vkx, NULL, m->pool, 2, layouts, m->sets);
}

/* Kind k is element (first + k) % KINDS, and all elements are copied to the other set. */
static void
mutable_dispatch(const struct mutable *m, uint32_t first)
{
   const VkDescriptorBufferInfo buffers[2] = {place(1), place(2)}, out = {output.buffer, 0, VK_WHOLE_SIZE};
   for (uint32_t k = 0; k < KINDS; k++) {
      const VkDescriptorBufferInfo *buffer = &buffers[k % 2];
      const struct vkt_descriptor descriptor = {.type = kinds[k],
                                                .buffer = buffer->buffer,
                                                .offset_B = buffer->offset,
                                                .range_B = buffer->range,
                                                .view = m->view,
                                                .texels = m->texels[k % 2]};
      vkt_descriptor_write(vkx, m->sets[0], 1, (first + k) % KINDS, &descriptor);
   }
   copy_elements(m->sets[0], m->sets[1], 1, KINDS);
   write_buffer(m->sets[1], &out);
   memset(output.map, 0, output.size);
   ((uint32_t *)values.map)[2 * STEP_B / 4 + 1] = 0;
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, m->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, m->layout, 0, 1, &m->sets[1], 0, NULL);
   vkCmdPushConstants(cmd, m->layout, COMPUTE, 0, 4, &first);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const uint32_t expected[KINDS] = {1000, 2000, 20001, 21002, 3, 3};
   for (uint32_t k = 0; k < KINDS; k++)
      expect_word("mutable", k, expected[k]);
   vkt_expect(((uint32_t *)values.map)[2 * STEP_B / 4 + 1] == 4242, "a store through a mutable descriptor");
}

static void
mutable_descriptors(void)
{
   struct mutable m;
   if (!vkt_has("VK_EXT_mutable_descriptor_type")) {
      vkt_skip("VK_EXT_mutable_descriptor_type");
      return;
   }
   mutable_views(&m);
   mutable_sets(&m);
   m.layout = vkt_pipeline_layout_create(vkx, 0, 1, &m.set_layout, 4);
   m.pipeline =
      vkx_compute_pipeline_create(vkx, m.layout, vkx_shader_create(vkx, mutable_code, sizeof(mutable_code)));
   for (uint32_t first = 0; first < KINDS; first++)
      mutable_dispatch(&m, first);
   vkDestroyPipeline(vkx->device, m.pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, m.layout, NULL);
   vkDestroyDescriptorPool(vkx->device, m.pool, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, m.set_layout, NULL);
   for (uint32_t i = 0; i < 2; i++)
      vkDestroyBufferView(vkx->device, m.texels[i], NULL);
   vkDestroyImageView(vkx->device, m.view, NULL);
   vkt_image_destroy(vkx, &m.image);
   vkDestroySampler(vkx->device, m.sampler, NULL);
}

int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("sets");
   vkx = &device;
   radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   values = vkt_buffer_create(vkx, PLACES * STEP_B, 0);
   output = vkt_buffer_create(vkx, 4096, 0);
   for (uint32_t i = 0; i < PLACES * STEP_B / 4; i++)
      ((uint32_t *)values.map)[i] = 1000 * (i / (STEP_B / 4)) + i % (STEP_B / 4);
   many_sets();
   push_sets();
   inline_blocks();
   mutable_descriptors();
   vkt_sets_destroy(vkx);
   vkx_buffer_destroy(vkx, &values);
   vkx_buffer_destroy(vkx, &output);
   return vkt_finish(vkx);
}
