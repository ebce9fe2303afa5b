/* Descriptors: every kind, arrays, dynamic offsets, copies, templates, immutable samplers; pools that run out. */
#include <string.h>

#include "vkt.h"
#include "vkt_sets.h"

static const uint32_t descriptors_comp[] = {
#include "descriptors.comp.inc"
};
static const uint32_t many_comp[] = {
#include "descriptors_many.comp.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define STEP_B 256u /* between the places in the buffer: at least every alignment of offsets */
#define WORDS 9u

static struct vkx *vkx;
static struct vkx_buffer values, output; /* values: word i * STEP_B / 4 + j is 1000 * i + j */

struct scene {
   VkSampler nearest;
   struct vkt_image images[3];
   VkImageView views[3];
   VkBufferView texels[3];
   VkDescriptorSetLayout layouts[3];
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorPool pool;
};

static const VkDescriptorSetLayoutBinding bindings[] = {
   /* 8 before 7: the order in the list is free. */
   {8, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 2, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
   {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 4, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
   {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
   {3, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
   {4, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
   {5, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
   {6, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
   {7, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
};

static void
create_layouts(struct scene *s)
{
   VkDescriptorSetLayoutBinding first[ARRAY_SIZE(bindings)];
   memcpy(first, bindings, sizeof(bindings));
   first[7].pImmutableSamplers = &s->nearest;
   const VkDescriptorSetLayoutBinding dynamic[2] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
   const VkDescriptorSetLayoutBinding out = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                             NULL};
   s->layouts[0] = vkt_set_layout_create(vkx, NULL, 0, ARRAY_SIZE(first), first);
   s->layouts[1] = vkt_set_layout_create(vkx, NULL, 0, 2, dynamic);
   s->layouts[2] = vkt_set_layout_create(vkx, NULL, 0, 1, &out);
   s->layout = vkt_pipeline_layout_create(vkx, 0, 3, s->layouts, 8);
   s->pipeline =
      vkx_compute_pipeline_create(vkx, s->layout, vkx_shader_create(vkx, descriptors_comp, sizeof(descriptors_comp)));
}

/* Texel (x, y) of image i is {i, x, y, 255}. */
static void
create_images(struct scene *s)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (uint32_t i = 0; i < 3; i++) {
      s->images[i] =
         vkt_image_create(vkx,
                          (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                              .format = VK_FORMAT_R8G8B8A8_UNORM,
                                              .extent = {2, 2, 1},
                                              .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                                       VK_IMAGE_USAGE_STORAGE_BIT},
                          false);
      s->views[i] = vkt_view_create(vkx, &s->images[i], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
      uint32_t *texels = (uint32_t *)output.map + 4 * i;
      for (uint32_t t = 0; t < 4; t++)
         texels[t] = 0xff000000 | (t / 2) << 16 | (t % 2) << 8 | i;
      const VkBufferImageCopy copy = {
         .bufferOffset = 16 * i, .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {2, 2, 1}};
      vkt_transition(cmd, &s->images[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkCmdCopyBufferToImage(cmd, output.buffer, s->images[i].image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

static void
create_views(struct scene *s)
{
   for (uint32_t i = 0; i < 3; i++) {
      const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = values.buffer,
                                           .format = VK_FORMAT_R32_UINT,
                                           .offset = (20 + i) * STEP_B,
                                           .range = i == 2 ? VK_WHOLE_SIZE : 64};
      vkx_check(vkCreateBufferView(vkx->device, &info, NULL, &s->texels[i]), "vkCreateBufferView");
   }
}

static VkDescriptorSet
set_create(const struct scene *s, uint32_t layout)
{
   VkDescriptorSet set;
   vkt_sets_allocate(vkx, NULL, s->pool, 1, &s->layouts[layout], &set);
   return set;
}

/* ---- what a set holds; all three ways to write it take the same data ---- */

struct contents {
   VkDescriptorBufferInfo uniforms[4], storages[3];
   VkBufferView texels, storage_texels;
   VkDescriptorImageInfo combined[2], image, storage_images[2];
};

static VkDescriptorBufferInfo
place(uint32_t index)
{
   return (VkDescriptorBufferInfo){values.buffer, index * STEP_B, 64};
}

static struct contents
contents_of(const struct scene *s, uint32_t variant)
{
   struct contents c = {.texels = s->texels[variant], .storage_texels = s->texels[variant + 1]};
   for (uint32_t i = 0; i < 4; i++)
      c.uniforms[i] = place(1 + 4 * variant + i);
   for (uint32_t i = 0; i < 3; i++)
      c.storages[i] = place(10 + 3 * variant + i);
   for (uint32_t i = 0; i < 2; i++)
      c.combined[i] = (VkDescriptorImageInfo){s->nearest, s->views[variant ? 1 - i : i], VK_IMAGE_LAYOUT_GENERAL};
   c.image = (VkDescriptorImageInfo){VK_NULL_HANDLE, s->views[2 - variant], VK_IMAGE_LAYOUT_GENERAL};
   for (uint32_t i = 0; i < 2; i++)
      c.storage_images[i] =
         (VkDescriptorImageInfo){VK_NULL_HANDLE, s->views[(1 + variant + i) % 3], VK_IMAGE_LAYOUT_GENERAL};
   return c;
}

static const struct member {
   uint32_t binding, count;
   VkDescriptorType type;
   size_t at, step_B;
} members[] = {
   {0, 4, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, offsetof(struct contents, uniforms), sizeof(VkDescriptorBufferInfo)},
   {2, 3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, offsetof(struct contents, storages), sizeof(VkDescriptorBufferInfo)},
   {3, 1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, offsetof(struct contents, texels), sizeof(VkBufferView)},
   {4, 1, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, offsetof(struct contents, storage_texels), sizeof(VkBufferView)},
   {5, 2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, offsetof(struct contents, combined),
    sizeof(VkDescriptorImageInfo)},
   {6, 1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, offsetof(struct contents, image), sizeof(VkDescriptorImageInfo)},
   {8, 2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, offsetof(struct contents, storage_images), sizeof(VkDescriptorImageInfo)},
};

static void
write_set(VkDescriptorSet set, const struct contents *c)
{
   VkWriteDescriptorSet writes[ARRAY_SIZE(members)];
   for (unsigned i = 0; i < ARRAY_SIZE(members); i++) {
      const void *data = (const char *)c + members[i].at;
      writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                         .dstSet = set,
                                         .dstBinding = members[i].binding,
                                         .descriptorCount = members[i].count,
                                         .descriptorType = members[i].type,
                                         .pBufferInfo = data,
                                         .pImageInfo = data,
                                         .pTexelBufferView = data};
   }
   vkUpdateDescriptorSets(vkx->device, ARRAY_SIZE(writes), writes, 0, NULL);
}

static void
write_by_template(const struct scene *s, VkDescriptorSet set, const struct contents *c)
{
   VkDescriptorUpdateTemplateEntry entries[ARRAY_SIZE(members)];
   for (unsigned i = 0; i < ARRAY_SIZE(members); i++)
      entries[i] = (VkDescriptorUpdateTemplateEntry){
         members[i].binding, 0, members[i].count, members[i].type, members[i].at, members[i].step_B};
   const VkDescriptorUpdateTemplateCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = ARRAY_SIZE(entries),
      .pDescriptorUpdateEntries = entries,
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
      .descriptorSetLayout = s->layouts[0]};
   VkDescriptorUpdateTemplate template;
   vkx_check(vkCreateDescriptorUpdateTemplate(vkx->device, &info, NULL, &template), "template");
   vkUpdateDescriptorSetWithTemplate(vkx->device, set, template, c);
   vkDestroyDescriptorUpdateTemplate(vkx->device, template, NULL);
}

static void
copy_set(VkDescriptorSet from, VkDescriptorSet to)
{
   VkCopyDescriptorSet copies[ARRAY_SIZE(members)];
   for (unsigned i = 0; i < ARRAY_SIZE(members); i++)
      copies[i] = (VkCopyDescriptorSet){.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                        .srcSet = from,
                                        .srcBinding = members[i].binding,
                                        .dstSet = to,
                                        .dstBinding = members[i].binding,
                                        .descriptorCount = members[i].count};
   vkUpdateDescriptorSets(vkx->device, 0, NULL, ARRAY_SIZE(copies), copies);
}

/* Dynamic buffers: two uniform at places 30 and 31, one storage at 32; the offsets go on top. */
static void
write_dynamic(VkDescriptorSet set)
{
   const VkDescriptorBufferInfo infos[3] = {place(30), place(31), place(32)};
   for (uint32_t i = 0; i < 3; i++) {
      const struct vkt_descriptor descriptor = {.type = i < 2 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
                                                              : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC,
                                                .buffer = infos[i].buffer,
                                                .offset_B = infos[i].offset,
                                                .range_B = infos[i].range};
      vkt_descriptor_write(vkx, set, i / 2, i % 2, &descriptor);
   }
}

static void
expected_words(uint32_t variant, uint32_t element, const uint32_t *offsets, uint32_t words[WORDS])
{
   uint32_t e = element;
   words[0] = 1000 * (1 + 4 * variant + (e & 3));
   words[1] = 1000 * (10 + 3 * variant + e % 3);
   words[2] = 1000 * (20 + variant) + e;
   words[3] = 1000 * (21 + variant) + e;
   words[4] = 0xff010000 | ((e & 1) ^ variant); /* (0, 1) of combined[e & 1] */
   words[5] = 0xff010000 | (2 - variant);       /* repeats */
   words[6] = 0xff010000 | (e & 1) << 8 | (1 + variant + (e >> 1)) % 3;
   words[7] = 1000 * (30 + (e & 1) + offsets[e & 1] / STEP_B);
   words[8] = 1000 * (32 + offsets[2] / STEP_B);
}

/* Runs the shader for some elements with the sets and compares what it saw. */
static void
check_sets(const struct scene *s, const char *what, VkDescriptorSet first, uint32_t variant)
{
   static const uint32_t offsets[3] = {0, 2 * STEP_B, 5 * STEP_B};
   VkDescriptorSet sets[3] = {first, set_create(s, 1), set_create(s, 2)};
   const struct vkt_descriptor out = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = output.buffer};
   vkt_descriptor_write(vkx, sets[2], 0, 0, &out);
   write_dynamic(sets[1]);
   memset(output.map, 0, output.size);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 2, 1, &sets[2], 0, NULL);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 2, sets, 3, offsets);
   for (uint32_t element = 0; element < 4; element++) {
      const uint32_t push[2] = {element, element * 16};
      vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 8, push);
      vkCmdDispatch(cmd, 1, 1, 1);
      vkt_barrier(cmd);
   }
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t element = 0; element < 4; element++) {
      uint32_t expected[WORDS];
      expected_words(variant, element, offsets, expected);
      for (unsigned w = 0; w < WORDS; w++) {
         uint32_t got = ((uint32_t *)output.map)[element * 16 + w];
         vkt_expect(got == expected[w], "%s: element %u, word %u is %x, not %x", what, element, w, got, expected[w]);
      }
      uint32_t stored = ((uint32_t *)values.map)[(21 + variant) * STEP_B / 4 + element + 8];
      vkt_expect(stored == element + 500, "%s: stored texel %u is %u", what, element, stored);
   }
}

static void
test_contents(const struct scene *s)
{
   struct contents contents[2] = {contents_of(s, 0), contents_of(s, 1)};
   VkDescriptorSet written = set_create(s, 0), templated = set_create(s, 0), copied = set_create(s, 0);
   write_set(written, &contents[0]);
   check_sets(s, "written", written, 0);
   write_by_template(s, templated, &contents[1]);
   check_sets(s, "by a template", templated, 1);
   copy_set(templated, copied);
   write_set(templated, &contents[0]);
   check_sets(s, "copied", copied, 1);
   check_sets(s, "written again", templated, 0);
}

/* ---- pools ---- */

static void
test_pools(const struct scene *s)
{
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
   VkDescriptorPool pool = vkt_pool_create(vkx, NULL, 0, 4, 1, &size);
   VkDescriptorSet sets[5];
   for (unsigned round = 0; round < 2; round++) {
      for (unsigned i = 0; i < 4; i++)
         vkt_expect(vkt_sets_try(vkx, NULL, pool, 1, &s->layouts[2], &sets[i]) == VK_SUCCESS, "set %u of 4, round %u",
                    i, round);
      vkt_expect(vkt_sets_try(vkx, NULL, pool, 1, &s->layouts[2], &sets[4]) == VK_ERROR_OUT_OF_POOL_MEMORY &&
                    !sets[4],
                 "one set too many");
      vkx_check(vkResetDescriptorPool(vkx->device, pool, 0), "vkResetDescriptorPool");
   }
   const VkDescriptorSetLayout many[5] = {s->layouts[2], s->layouts[2], s->layouts[2], s->layouts[2], s->layouts[2]};
   vkt_expect(vkt_sets_try(vkx, NULL, pool, 5, many, sets) == VK_ERROR_OUT_OF_POOL_MEMORY && !sets[0] && !sets[4],
              "five sets of four at once");
   /* RADV gives nothing back before a reset. */
   vkx_check(vkResetDescriptorPool(vkx->device, pool, 0), "vkResetDescriptorPool");
   vkt_expect(vkt_sets_try(vkx, NULL, pool, 1, &s->layouts[2], &sets[0]) == VK_SUCCESS,
              "a set after five were too many");
   vkDestroyDescriptorPool(vkx->device, pool, NULL);

   pool = vkt_pool_create(vkx, NULL, VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT, 4, 1, &size);
   for (unsigned i = 0; i < 4; i++)
      vkt_sets_allocate(vkx, NULL, pool, 1, &s->layouts[2], &sets[i]);
   VkResult full = vkt_sets_try(vkx, NULL, pool, 1, &s->layouts[2], &sets[4]);
   vkt_expect(full == VK_ERROR_OUT_OF_POOL_MEMORY, "a full pool with free: %d", full);
   const VkDescriptorSet two[3] = {sets[2], VK_NULL_HANDLE, sets[0]};
   vkx_check(vkFreeDescriptorSets(vkx->device, pool, 3, two), "vkFreeDescriptorSets");
   vkt_expect(vkt_sets_try(vkx, NULL, pool, 1, &s->layouts[2], &sets[0]) == VK_SUCCESS &&
                 vkt_sets_try(vkx, NULL, pool, 1, &s->layouts[2], &sets[2]) == VK_SUCCESS,
              "sets that were freed");
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
}

/* Descriptors run out while sets are left, and a pool with holes. */
static void
test_exhaustion(const struct scene *s)
{
   const VkDescriptorSetLayoutBinding large = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64, VK_SHADER_STAGE_COMPUTE_BIT,
                                               NULL};
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 256};
   VkDescriptorSetLayout layout = vkt_set_layout_create(vkx, NULL, 0, 1, &large);
   VkDescriptorPool pool =
      vkt_pool_create(vkx, NULL, VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT, 1000, 1, &size);
   VkDescriptorSet sets[1000];
   VkResult result = VK_SUCCESS;
   uint32_t count = 0;
   while (count < 1000 && (result = vkt_sets_try(vkx, NULL, pool, 1, &layout, &sets[count])) == VK_SUCCESS)
      count++;
   vkt_expect(count >= 4 && (count == 1000 || result == VK_ERROR_OUT_OF_POOL_MEMORY),
              "descriptors run out after %u sets: %d", count, result);
   for (uint32_t i = 0; i < count; i += 2)
      vkx_check(vkFreeDescriptorSets(vkx->device, pool, 1, &sets[i]), "vkFreeDescriptorSets");
   vkt_expect(vkt_sets_try(vkx, NULL, pool, 1, &layout, &sets[0]) == VK_SUCCESS, "a set in a hole");
   vkx_check(vkResetDescriptorPool(vkx->device, pool, 0), "vkResetDescriptorPool");
   vkt_expect(vkt_sets_try(vkx, NULL, pool, 1, &layout, &sets[0]) == VK_SUCCESS, "a set after a reset");
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, layout, NULL);
}

enum { MANY = 1000 };

static void
dispatch_many(VkPipelineLayout layout, VkPipeline pipeline, const VkDescriptorSet *set)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   uint32_t wanted = 0;
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < MANY; i++)
      wanted = wanted * 3 + 1000 * (i % 40);
   vkt_expect(*(uint32_t *)output.map == wanted, "many buffers: %u, not %u", *(uint32_t *)output.map, wanted);
}

/* More descriptors in a shader than there are registers for. */
static void
test_many(void)
{
   const VkDescriptorSetLayoutBinding all[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MANY, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MANY + 1};
   const struct vkt_descriptor out = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = output.buffer};
   VkDescriptorSet set;
   if (vkx->properties.limits.maxPerStageDescriptorStorageBuffers <= MANY) {
      vkt_skip("a thousand buffers");
      return;
   }
   VkDescriptorSetLayout set_layout = vkt_set_layout_create(vkx, NULL, 0, 2, all);
   VkPipelineLayout layout = vkt_pipeline_layout_create(vkx, 0, 1, &set_layout, 0);
   VkPipeline pipeline =
      vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, many_comp, sizeof(many_comp)));
   VkDescriptorPool pool = vkt_pool_create(vkx, NULL, 0, 1, 1, &size);
   vkt_sets_allocate(vkx, NULL, pool, 1, &set_layout, &set);
   for (uint32_t i = 0; i < MANY; i++)
      vkt_descriptor_write(vkx, set, 0, i,
                           &(struct vkt_descriptor){.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                    .buffer = values.buffer,
                                                    .offset_B = i % 40 * STEP_B,
                                                    .range_B = STEP_B});
   vkt_descriptor_write(vkx, set, 1, 0, &out);
   dispatch_many(layout, pipeline, &set);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

int
main(void)
{
   struct vkx device = vkt_create("descriptors");
   struct scene s = {0};
   static const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 64},
                                                {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64},
                                                {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 16},
                                                {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 16},
                                                {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 32},
                                                {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 16},
                                                {VK_DESCRIPTOR_TYPE_SAMPLER, 16},
                                                {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 16},
                                                {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 16},
                                                {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 16}};
   vkx = &device;
   values = vkt_buffer_create(vkx, 40 * STEP_B, 0);
   output = vkt_buffer_create(vkx, 4096, 0);
   for (uint32_t i = 0; i < 40 * STEP_B / 4; i++)
      ((uint32_t *)values.map)[i] = 1000 * (i / (STEP_B / 4)) + i % (STEP_B / 4);
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   vkx_check(vkCreateSampler(vkx->device, &sampler, NULL, &s.nearest), "vkCreateSampler");
   create_images(&s);
   create_views(&s);
   create_layouts(&s);
   s.pool = vkt_pool_create(vkx, NULL, 0, 32, ARRAY_SIZE(sizes), sizes);
   test_many();
   test_contents(&s);
   test_pools(&s);
   test_exhaustion(&s);
   vkDestroyDescriptorPool(vkx->device, s.pool, NULL);
   vkDestroyPipeline(vkx->device, s.pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, s.layout, NULL);
   for (unsigned i = 0; i < 3; i++) {
      vkDestroyDescriptorSetLayout(vkx->device, s.layouts[i], NULL);
      vkDestroyBufferView(vkx->device, s.texels[i], NULL);
      vkDestroyImageView(vkx->device, s.views[i], NULL);
      vkt_image_destroy(vkx, &s.images[i]);
   }
   vkDestroySampler(vkx->device, s.nearest, NULL);
   vkx_buffer_destroy(vkx, &values);
   vkx_buffer_destroy(vkx, &output);
   return vkt_finish(vkx);
}
