/* Descriptor indexing: invocations that use different descriptors of every kind at once, sets that are written after
 * they were bound, elements that nobody writes, last bindings of variable count. Rounds choose at random how the
 * indices of invocations differ, how many elements there are and, where the device has them, which are null. */
#include <string.h>

#include "vkt_dispatch.h"
#include "vkt_sets.h"

static const uint32_t code[] = {
#include "indexing.comp.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define COMPUTE VK_SHADER_STAGE_COMPUTE_BIT
#define STEP_B 1024u /* between the places in the buffer */
#define PLACES 100u
enum { LANES = 128, WORDS = 16, BUFFERS = 8, IMAGES = 4, MAX_VARIABLE = 40 };

/* Places in the buffer: of uniforms, storages, texels, storage texels and the last binding. */
enum { UNIFORMS = 0, STORAGES = 10, TEXELS = 20, STORAGE_TEXELS = 30, VARIABLES = 40 };

/* Kinds of descriptors of which elements may be null, a bit each. */
enum {
   N_UNIFORMS,
   N_STORAGES,
   N_TEXELS,
   N_STORAGE_TEXELS,
   N_COMBINED,
   N_SAMPLED,
   N_STORAGE_IMAGES,
   N_VARIABLES,
   N_KINDS
};

struct round {
   uint32_t num_variable, spread; /* spread: bits of an index that differ between invocations */
   uint64_t nulls[N_KINDS];
};

static struct vkx *vkx;
static struct vkx_buffer values, output, indices; /* values: word j of place i is 1000 * i + j */

struct scene {
   VkSampler samplers[2]; /* repeat, clamp */
   struct vkt_image images[IMAGES];
   VkImageView views[IMAGES];
   VkBufferView texels[2][IMAGES];
   VkDescriptorSetLayout layouts[2];
   VkPipelineLayout layout;
   VkPipeline pipeline;
};

/* One more of each array than is written. */
static const struct {
   VkDescriptorType type;
   uint32_t count;
} bindings[] = {
   {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
   {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
   {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, BUFFERS + 1},
   {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BUFFERS + 1},
   {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, IMAGES + 1},
   {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, IMAGES + 1},
   {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, IMAGES + 1},
   {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, IMAGES + 1},
   {VK_DESCRIPTOR_TYPE_SAMPLER, 2},
   {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, IMAGES + 1},
};

static VkDescriptorSetLayout
layout_create(uint32_t count, const VkDescriptorSetLayoutBinding *list, VkDescriptorBindingFlags more)
{
   VkDescriptorBindingFlags flags[ARRAY_SIZE(bindings)];
   for (uint32_t i = 0; i < count; i++)
      flags[i] = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT | VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                 VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT | more;
   const VkDescriptorSetLayoutBindingFlagsCreateInfo binding_flags = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
      .bindingCount = count,
      .pBindingFlags = flags};
   const VkDescriptorSetLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                 .pNext = &binding_flags,
                                                 .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT,
                                                 .bindingCount = count,
                                                 .pBindings = list};
   VkDescriptorSetVariableDescriptorCountLayoutSupport variable = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT};
   VkDescriptorSetLayoutSupport support = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT,
                                           .pNext = &variable};
   vkGetDescriptorSetLayoutSupport(vkx->device, &info, &support);
   vkt_expect(support.supported && (!more || variable.maxVariableDescriptorCount >= MAX_VARIABLE),
              "vkGetDescriptorSetLayoutSupport: %u", variable.maxVariableDescriptorCount);
   VkDescriptorSetLayout layout;
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &info, NULL, &layout), "vkCreateDescriptorSetLayout");
   return layout;
}

static void
create_layouts(struct scene *s)
{
   VkDescriptorSetLayoutBinding first[ARRAY_SIZE(bindings)];
   for (uint32_t i = 0; i < ARRAY_SIZE(bindings); i++)
      first[i] = (VkDescriptorSetLayoutBinding){i, bindings[i].type, bindings[i].count, COMPUTE, NULL};
   const VkDescriptorSetLayoutBinding last = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MAX_VARIABLE, COMPUTE, NULL};
   s->layouts[0] = layout_create(ARRAY_SIZE(first), first, 0);
   s->layouts[1] = layout_create(1, &last, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT);
   s->layout = vkt_pipeline_layout_create(vkx, 0, 2, s->layouts, 4);
   s->pipeline = vkx_compute_pipeline_create(vkx, s->layout, vkx_shader_create(vkx, code, sizeof(code)));
}

/* Texel (x, y) of image i, which is 2 << i wide, is {i, x, y, 255}. */
static void
create_images(struct scene *s)
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   uint32_t *texels = output.map;
   for (uint32_t i = 0; i < IMAGES; i++) {
      const uint32_t width = 2u << i;
      s->images[i] =
         vkt_image_create(vkx,
                          (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                              .format = VK_FORMAT_R8G8B8A8_UNORM,
                                              .extent = {width, 2, 1},
                                              .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                                       VK_IMAGE_USAGE_STORAGE_BIT},
                          false);
      s->views[i] = vkt_view_create(vkx, &s->images[i], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
      const VkBufferImageCopy copy = {.bufferOffset = (VkDeviceSize)((char *)texels - (char *)output.map),
                                      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {width, 2, 1}};
      for (uint32_t t = 0; t < 2 * width; t++)
         *texels++ = 0xff000000 | (t / width) << 16 | (t % width) << 8 | i;
      vkt_transition(cmd, &s->images[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vkCmdCopyBufferToImage(cmd, output.buffer, s->images[i].image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   }
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < 2 * IMAGES; i++) {
      const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = values.buffer,
                                           .format = VK_FORMAT_R32_UINT,
                                           .offset = (i / IMAGES ? STORAGE_TEXELS + i - IMAGES : TEXELS + i) * STEP_B,
                                           .range = STEP_B};
      vkx_check(vkCreateBufferView(vkx->device, &info, NULL, &s->texels[i / IMAGES][i % IMAGES]), "view");
   }
   for (uint32_t i = 0; i < 2; i++) {
      const VkSamplerAddressMode mode = i ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE : VK_SAMPLER_ADDRESS_MODE_REPEAT;
      const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                        .addressModeU = mode,
                                        .addressModeV = mode,
                                        .addressModeW = mode};
      vkx_check(vkCreateSampler(vkx->device, &info, NULL, &s->samplers[i]), "vkCreateSampler");
   }
}

/* num_variable: of the second set. */
static VkDescriptorPool
create_sets(const struct scene *s, uint32_t num_variable, VkDescriptorSet sets[2])
{
   VkDescriptorPoolSize sizes[ARRAY_SIZE(bindings) + 1];
   for (uint32_t i = 0; i < ARRAY_SIZE(bindings); i++)
      sizes[i] = (VkDescriptorPoolSize){bindings[i].type, bindings[i].count};
   sizes[ARRAY_SIZE(bindings)] = (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, num_variable};
   VkDescriptorPool pool =
      vkt_pool_create(vkx, NULL, VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT, 2, ARRAY_SIZE(sizes), sizes);
   const uint32_t counts[2] = {0, num_variable};
   const VkDescriptorSetVariableDescriptorCountAllocateInfo variable = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
      .descriptorSetCount = 2,
      .pDescriptorCounts = counts};
   vkt_sets_allocate(vkx, &variable, pool, 2, s->layouts, sets);
   return pool;
}

static bool
is_null(const struct round *round, unsigned kind, uint32_t element)
{
   return round->nulls[kind] >> element & 1;
}

static void
write_place(VkDescriptorSet set, uint32_t binding, uint32_t element, VkDescriptorType type, uint32_t place, bool null)
{
   const struct vkt_descriptor buffer = {.type = type,
                                         .buffer = null ? VK_NULL_HANDLE : values.buffer,
                                         .offset_B = null ? 0 : place * STEP_B,
                                         .range_B = null ? VK_WHOLE_SIZE : STEP_B - 4 * element};
   vkt_descriptor_write(vkx, set, binding, element, &buffer);
}

static void
write_images(const struct scene *s, VkDescriptorSet set, const struct round *round, uint32_t i)
{
   static const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                             VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
   static const uint32_t places[3] = {6, 7, 9};
   for (unsigned k = 0; k < 3; k++) {
      const bool null = is_null(round, N_COMBINED + k, i);
      const struct vkt_descriptor image = {
         .type = types[k], .sampler = s->samplers[0], .view = null ? VK_NULL_HANDLE : s->views[i]};
      vkt_descriptor_write(vkx, set, places[k], i, &image);
   }
   for (unsigned k = 0; k < 2; k++) {
      const struct vkt_descriptor texels = {
         .type = k ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
         .texels = is_null(round, N_TEXELS + k, i) ? VK_NULL_HANDLE : s->texels[k][i]};
      vkt_descriptor_write(vkx, set, 4 + k, i, &texels);
   }
}

static void
write_sets(const struct scene *s, const VkDescriptorSet sets[2], const struct round *round)
{
   for (uint32_t i = 0; i < 2; i++) {
      const struct vkt_descriptor whole = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .buffer = i ? indices.buffer : output.buffer};
      const struct vkt_descriptor sampler = {.type = VK_DESCRIPTOR_TYPE_SAMPLER, .sampler = s->samplers[i]};
      vkt_descriptor_write(vkx, sets[0], i, 0, &whole);
      vkt_descriptor_write(vkx, sets[0], 8, i, &sampler);
   }
   for (uint32_t i = 0; i < BUFFERS; i++) {
      write_place(sets[0], 2, i, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, UNIFORMS + i, is_null(round, N_UNIFORMS, i));
      write_place(sets[0], 3, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, STORAGES + i, is_null(round, N_STORAGES, i));
   }
   for (uint32_t i = 0; i < IMAGES; i++)
      write_images(s, sets[0], round, i);
   for (uint32_t i = 0; i < round->num_variable; i++)
      write_place(sets[1], 0, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VARIABLES + i, is_null(round, N_VARIABLES, i));
}

static uint32_t
texel(uint32_t image, uint32_t x, uint32_t y)
{
   return 0xff000000 | y << 16 | x << 8 | image;
}

static void
expected_words(const struct round *round, uint32_t lane, uint32_t index, uint32_t words[12])
{
   const uint32_t u = index & 7, s = index >> 3 & 7, f = index >> 6 & 3, t = index >> 8 & 3, c = index >> 10 & 3;
   const uint32_t i = index >> 12 & 3, g = index >> 15 & 3, n = round->num_variable, v = (index >> 17) % n;
#define UNLESS_NULL(kind, element, value) (is_null(round, kind, element) ? 0 : (value))
   words[0] = UNLESS_NULL(N_UNIFORMS, u, 1000 * (UNIFORMS + u));
   words[1] = UNLESS_NULL(N_STORAGES, s, 1000 * (STORAGES + s));
   words[2] = UNLESS_NULL(N_STORAGES, s, STEP_B / 4 - s - 2);
   words[3] = UNLESS_NULL(N_TEXELS, f, 1000 * (TEXELS + f) + (lane & 3));
   words[4] = UNLESS_NULL(N_STORAGE_TEXELS, t, 1000 * (STORAGE_TEXELS + t) + (lane & 3));
   words[5] = UNLESS_NULL(N_COMBINED, c, texel(c, (2u << c) / 4, 1));
   words[6] = UNLESS_NULL(N_SAMPLED, i, texel(i, index >> 14 & 1 ? (2u << i) - 1 : (2u << i) / 4, 1));
   words[7] = UNLESS_NULL(N_SAMPLED, i, 2u << i);
   words[8] = UNLESS_NULL(N_STORAGE_IMAGES, g, texel(g, lane & 1, 1));
   words[9] = UNLESS_NULL(N_STORAGE_IMAGES, g, 2u << g);
   words[10] = UNLESS_NULL(N_VARIABLES, v, 1000 * (VARIABLES + v));
   words[11] = UNLESS_NULL(N_UNIFORMS, n & 7, 1000 * (UNIFORMS + (n & 7))) +
               UNLESS_NULL(N_VARIABLES, n - 1, 1000 * (VARIABLES + n - 1));
#undef UNLESS_NULL
}

/* The alpha of a null image is 0 or 1. */
static bool
is_expected(uint32_t got, uint32_t wanted, uint32_t word)
{
   const bool is_color = word == 5 || word == 6 || word == 8;
   return got == wanted || (is_color && !wanted && got == 0xff000000);
}

static void
fill_values(void)
{
   for (uint32_t i = 0; i < PLACES * STEP_B / 4; i++)
      ((uint32_t *)values.map)[i] = 1000 * (i / (STEP_B / 4)) + i % (STEP_B / 4);
   memset(output.map, 0xaa, output.size);
}

/* What invocations store: each to a place of its own, and sums. */
static void
check_stores(const struct round *round, const uint32_t *index)
{
   uint32_t sums[BUFFERS] = {0}, texel_sums[IMAGES] = {0}, wrong = 0;
   const uint32_t *words = values.map;
   const uint32_t step = STEP_B / 4;
   for (uint32_t lane = 0; lane < LANES; lane++) {
      const uint32_t s = index[lane] >> 3 & 7, t = index[lane] >> 8 & 3;
      sums[s] += is_null(round, N_STORAGES, s) ? 0 : lane + 1;
      texel_sums[t] += is_null(round, N_STORAGE_TEXELS, t) ? 0 : lane + 1;
      for (uint32_t i = 0; i < BUFFERS; i++)
         wrong += words[(STORAGES + i) * step + 2 + lane] !=
                  (i == s && !is_null(round, N_STORAGES, i) ? index[lane] : 1000 * (STORAGES + i) + 2 + lane);
      for (uint32_t i = 0; i < IMAGES; i++)
         wrong +=
            words[(STORAGE_TEXELS + i) * step + 16 + lane] !=
            (i == t && !is_null(round, N_STORAGE_TEXELS, i) ? index[lane] : 1000 * (STORAGE_TEXELS + i) + 16 + lane);
   }
   vkt_expect(!wrong, "%u stores wrong", wrong);
   for (uint32_t i = 0; i < BUFFERS; i++)
      vkt_expect(words[(STORAGES + i) * step + 1] == 1000 * (STORAGES + i) + 1 + sums[i], "sum %u", i);
   for (uint32_t i = 0; i < IMAGES; i++)
      vkt_expect(words[(STORAGE_TEXELS + i) * step + 8] == 1000 * (STORAGE_TEXELS + i) + 8 + texel_sums[i],
                 "sum of texels %u", i);
}

static void
dispatch(const struct scene *s, const struct round *round)
{
   static const char *const names[12] = {"uniform",        "storage",   "length",   "texels",
                                         "storage texels", "combined",  "sampled",  "textureSize",
                                         "storage image",  "imageSize", "variable", "the same"};
   VkDescriptorSet sets[2];
   VkDescriptorPool pool = create_sets(s, round->num_variable, sets);
   uint32_t *index = indices.map, wrong[12] = {0}, first = vkt_random();
   for (uint32_t i = 0; i < LANES; i++)
      index[i] = (first & ~round->spread) | (vkt_random() & round->spread);
   fill_values();
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 2, sets, 0, NULL);
   vkCmdPushConstants(cmd, s->layout, COMPUTE, 0, 4, &round->num_variable);
   vkCmdDispatch(cmd, LANES / 64, 1, 1);
   vkt_barrier(cmd);
   write_sets(s, sets, round);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t lane = 0; lane < LANES; lane++) {
      uint32_t expected[12];
      expected_words(round, lane, index[lane], expected);
      for (uint32_t w = 0; w < 12; w++) {
         const uint32_t got = ((uint32_t *)output.map)[lane * WORDS + w];
         if (!is_expected(got, expected[w], w) && !wrong[w]++)
            vkt_expect(false, "%s of invocation %u: %x, not %x", names[w], lane, got, expected[w]);
      }
   }
   for (uint32_t w = 0; w < 12; w++)
      vkt_expect(!wrong[w], "%s: %u of %u wrong", names[w], wrong[w], LANES);
   check_stores(round, index);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
}

static bool
has_nulls(void)
{
   VkPhysicalDeviceRobustness2FeaturesEXT two = {.sType =
                                                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &two};
   if (!vkt_has("VK_EXT_robustness2"))
      return false;
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   return two.nullDescriptor;
}

static void
random_rounds(const struct scene *s, unsigned count)
{
   const bool nulls = has_nulls();
   for (unsigned i = 0; i < count; i++) {
      struct round round = {.num_variable = 1 + vkt_random_below(MAX_VARIABLE)};
      round.spread = vkt_random();
      round.spread &= vkt_random_below(2) ? vkt_random() : UINT32_MAX;
      for (unsigned k = 0; k < N_KINDS && nulls; k++)
         round.nulls[k] = vkt_random_below(3) ? (uint64_t)vkt_random() << 32 | vkt_random() : 0;
      dispatch(s, &round);
   }
}

int
main(void)
{
   struct vkx device = vkt_create("indexing");
   struct scene s = {0};
   vkx = &device;
   if (!vkt_has("VK_EXT_descriptor_indexing")) {
      vkt_skip("VK_EXT_descriptor_indexing");
      vkt_expect(true, "nothing");
      return vkt_finish(vkx);
   }
   values = vkt_buffer_create(vkx, PLACES * STEP_B, 0);
   output = vkt_buffer_create(vkx, LANES * WORDS * 4, 0);
   indices = vkt_buffer_create(vkx, LANES * 4, 0);
   create_images(&s);
   create_layouts(&s);
   dispatch(&s, &(struct round){MAX_VARIABLE, UINT32_MAX, {0}});
   dispatch(&s, &(struct round){1, UINT32_MAX, {0}});
   dispatch(&s, &(struct round){13, 0, {0}});
   random_rounds(&s, 6);
   vkDestroyPipeline(vkx->device, s.pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, s.layout, NULL);
   for (unsigned i = 0; i < 2; i++) {
      vkDestroyDescriptorSetLayout(vkx->device, s.layouts[i], NULL);
      vkDestroySampler(vkx->device, s.samplers[i], NULL);
   }
   for (unsigned i = 0; i < IMAGES; i++) {
      vkDestroyBufferView(vkx->device, s.texels[0][i], NULL);
      vkDestroyBufferView(vkx->device, s.texels[1][i], NULL);
      vkDestroyImageView(vkx->device, s.views[i], NULL);
      vkt_image_destroy(vkx, &s.images[i]);
   }
   vkx_buffer_destroy(vkx, &values);
   vkx_buffer_destroy(vkx, &output);
   vkx_buffer_destroy(vkx, &indices);
   return vkt_finish(vkx);
}
