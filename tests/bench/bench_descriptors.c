#include "bench_descriptors.h"

#include <stdio.h>

#include "bench.h"

#define RUNS 9u
#define ARRAY 16u    /* descriptors of a binding */
#define SETS 64u     /* of a pool */
#define TARGET 2000000u /* descriptors, or sets, of a run */

struct set {
   VkDescriptorType type;
   VkDescriptorSetLayout layout;
   VkDescriptorPool pool;
   VkDescriptorSet sets[SETS];
};

static struct set
create_set(struct vkx *vkx, VkDescriptorType type, uint32_t count)
{
   struct set set = {.type = type};
   const VkDescriptorSetLayoutBinding binding = {0, type, count, VK_SHADER_STAGE_ALL, NULL};
   const VkDescriptorSetLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
   const VkDescriptorPoolSize size = {type, count * SETS};
   const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = SETS,
                                            .poolSizeCount = 1,
                                            .pPoolSizes = &size};
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &layout, NULL, &set.layout), "vkCreateDescriptorSetLayout");
   vkx_check(vkCreateDescriptorPool(vkx->device, &pool, NULL, &set.pool), "vkCreateDescriptorPool");
   return set;
}

static void
allocate_sets(struct vkx *vkx, struct set *set)
{
   VkDescriptorSetLayout layouts[SETS];
   for (uint32_t i = 0; i < SETS; i++)
      layouts[i] = set->layout;
   const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = set->pool,
                                             .descriptorSetCount = SETS,
                                             .pSetLayouts = layouts};
   vkx_check(vkAllocateDescriptorSets(vkx->device, &info, set->sets), "vkAllocateDescriptorSets");
}

static void
destroy_set(struct vkx *vkx, const struct set *set)
{
   vkDestroyDescriptorPool(vkx->device, set->pool, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set->layout, NULL);
}

/* What the writes name: one object for each element. */
struct objects {
   VkDescriptorBufferInfo buffers[ARRAY];
   VkDescriptorImageInfo images[ARRAY];
   VkBufferView views[ARRAY];
};

/* Million descriptors written a second, `count` a call, by a template or not. */
static double
update_rate(struct vkx *vkx, const struct objects *objects, VkDescriptorType type, uint32_t count, bool by_template)
{
   double rates[RUNS];
   struct set set = create_set(vkx, type, count);
   allocate_sets(vkx, &set);
   const VkDescriptorUpdateTemplateEntry entry = {0, 0, count, type, 0, sizeof(VkDescriptorBufferInfo)};
   const VkDescriptorUpdateTemplateCreateInfo info = {.sType =
                                                         VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
                                                      .descriptorUpdateEntryCount = 1,
                                                      .pDescriptorUpdateEntries = &entry,
                                                      .descriptorSetLayout = set.layout};
   VkDescriptorUpdateTemplate template;
   vkx_check(vkCreateDescriptorUpdateTemplate(vkx->device, &info, NULL, &template),
             "vkCreateDescriptorUpdateTemplate");
   VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                 .descriptorCount = count,
                                 .descriptorType = type,
                                 .pImageInfo = objects->images,
                                 .pBufferInfo = objects->buffers,
                                 .pTexelBufferView = objects->views};
   for (unsigned run = 0; run < RUNS; run++) {
      const double start = bench_now_s();
      for (uint32_t i = 0; i < TARGET / count; i++) {
         write.dstSet = set.sets[i % SETS];
         if (by_template)
            vkUpdateDescriptorSetWithTemplate(vkx->device, write.dstSet, template, objects->buffers);
         else
            vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
      }
      rates[run] = TARGET / (bench_now_s() - start) * 1e-6;
   }
   vkDestroyDescriptorUpdateTemplate(vkx->device, template, NULL);
   destroy_set(vkx, &set);
   return bench_median(rates, RUNS);
}

/* Million sets a second: what allocating them costs, and what vkResetDescriptorPool. */
static void
print_pool_rates(struct vkx *vkx)
{
   double allocations[RUNS], resets[RUNS];
   struct set set = create_set(vkx, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1);
   for (unsigned run = 0; run < RUNS; run++) {
      double allocation_s = 0, reset_s = 0;
      for (uint32_t i = 0; i < TARGET / SETS; i++) {
         const double start = bench_now_s();
         allocate_sets(vkx, &set);
         const double middle = bench_now_s();
         vkResetDescriptorPool(vkx->device, set.pool, 0);
         allocation_s += middle - start;
         reset_s += bench_now_s() - middle;
      }
      allocations[run] = TARGET / allocation_s * 1e-6;
      resets[run] = TARGET / reset_s * 1e-6;
   }
   destroy_set(vkx, &set);
   printf("  sets allocated, %u a call       %8.2f M/s\n", SETS, bench_median(allocations, RUNS));
   printf("  sets given back by a reset     %8.2f M/s\n", bench_median(resets, RUNS));
}

void
bench_descriptors(struct vkx *vkx)
{
   struct vkx_buffer buffer = vkx_buffer_create(
      vkx, 1 << 16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, true);
   struct vkx_image image =
      vkx_image_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, (VkExtent2D){64, 64}, 1, VK_SAMPLE_COUNT_1_BIT,
                       VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
   struct objects objects;
   for (uint32_t i = 0; i < ARRAY; i++) {
      const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = buffer.buffer,
                                           .format = VK_FORMAT_R8G8B8A8_UNORM,
                                           .offset = 256 * i,
                                           .range = 256};
      vkx_check(vkCreateBufferView(vkx->device, &info, NULL, &objects.views[i]), "vkCreateBufferView");
      objects.buffers[i] = (VkDescriptorBufferInfo){buffer.buffer, 256 * i, 256};
      objects.images[i] = (VkDescriptorImageInfo){NULL, image.view, VK_IMAGE_LAYOUT_GENERAL};
   }
   const struct {
      const char *name;
      VkDescriptorType type;
      uint32_t count;
      bool by_template;
   } rows[] = {
      {"buffers written, 1 a call", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, false},
      {"buffers written, 16 a call", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, ARRAY, false},
      {"buffers by template, 16 a call", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, ARRAY, true},
      {"texel buffers, 16 a call", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, ARRAY, false},
      {"images, 16 a call", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, ARRAY, false},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      printf("  %-30s %8.2f M/s\n", rows[i].name,
             update_rate(vkx, &objects, rows[i].type, rows[i].count, rows[i].by_template));
   print_pool_rates(vkx);
   for (uint32_t i = 0; i < ARRAY; i++)
      vkDestroyBufferView(vkx->device, objects.views[i], NULL);
   vkx_image_destroy(vkx, &image);
   vkx_buffer_destroy(vkx, &buffer);
}
