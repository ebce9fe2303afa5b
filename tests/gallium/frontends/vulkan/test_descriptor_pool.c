/* Descriptor pools: sets of all sizes come and go at random, and what is known of them is a list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "gallium/frontends/vulkan/vk_private.h"
#include "null_screen.h"
#include "util/macros.h"

#define ALIGNMENT_B 64u
#define DESCRIPTOR_B 64u /* so that sets are no larger than pools take them to be */
#define LARGEST 7u       /* descriptors of a set */

static struct vk_device *device;
static struct vk_set_layout layouts[LARGEST + 1];
static uint32_t seed;

void
vk_set_layout_unref(struct vk_device *of, struct vk_set_layout *layout, uint32_t references)
{
   if (layout)
      layout->references -= references;
}

uint32_t
vk_descriptor_size_B(const struct pipe_caps *caps, VkDescriptorType type,
                     const VkMutableDescriptorTypeCreateInfoEXT *lists, uint32_t index)
{
   assert_int_equal(type, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
   return caps->descriptor_size_B[PIPE_DESCRIPTOR_STORAGE_BUFFER];
}

void
vk_write_immutable_samplers(const struct pipe_screen *screen, const struct vk_descriptor_set *set)
{
   assert_int_equal(set->layout->layout.num_bindings, 0);
}

static uint32_t
random_below(uint32_t limit)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % limit;
}

static int
open_device(void **state)
{
   static const VkAllocationCallbacks none;
   device = calloc(1, sizeof(*device));
   device->alloc = vk_default_allocator;
   device->screen = null_screen_open(-1);
   device->screen->caps.descriptor_alignment_B = ALIGNMENT_B;
   for (unsigned i = 0; i < PIPE_DESCRIPTOR_KINDS; i++)
      device->screen->caps.descriptor_size_B[i] = DESCRIPTOR_B;
   for (unsigned i = 0; i <= LARGEST; i++)
      layouts[i] = (struct vk_set_layout){.allocator_copy = none, .layout = {.size_B = i * DESCRIPTOR_B}};
   return 0;
}

static int
close_device(void **state)
{
   device->screen->destroy(device->screen);
   free(device);
   return 0;
}

static VkDescriptorPool
create_pool(uint32_t sets, uint32_t descriptors, VkDescriptorPoolCreateFlags flags)
{
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, descriptors};
   const VkDescriptorPoolCreateInfo info = {.flags = flags, .maxSets = sets, .poolSizeCount = 1, .pPoolSizes = &size};
   VkDescriptorPool pool;
   assert_int_equal(indium_CreateDescriptorPool(VK_TO(VkDevice, device), &info, NULL, &pool), VK_SUCCESS);
   return pool;
}

static VkResult
allocate(VkDescriptorPool pool, uint32_t descriptors, VkDescriptorSet *set)
{
   const VkDescriptorSetLayout layout = VK_TO(VkDescriptorSetLayout, &layouts[descriptors]);
   const VkDescriptorSetAllocateInfo info = {.descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &layout};
   return indium_AllocateDescriptorSets(VK_TO(VkDevice, device), &info, set);
}

static void
free_set(VkDescriptorPool pool, VkDescriptorSet set)
{
   assert_int_equal(indium_FreeDescriptorSets(VK_TO(VkDevice, device), pool, 1, &set), VK_SUCCESS);
}

/* ---- random sets ---- */

#define SETS 100u
#define POOL_B ((uint64_t)SETS * 3 * DESCRIPTOR_B + SETS * ALIGNMENT_B)

static struct live {
   VkDescriptorSet set;
   uint32_t descriptors;
} live[SETS];
static uint32_t num_live;

static const struct vk_descriptor_set *
set_of(VkDescriptorSet handle)
{
   return (const struct vk_descriptor_set *)handle;
}

static int
compare_places(const void *a, const void *b)
{
   const uint64_t x = set_of(((const struct live *)a)->set)->set.offset_B,
                  y = set_of(((const struct live *)b)->set)->set.offset_B;
   return x < y ? -1 : x > y;
}

/* The largest piece that is free; sets must not lie on each other. */
static uint64_t
largest_gap_B(uint64_t *used_B)
{
   struct live sorted[SETS];
   uint64_t end_B = 0, largest_B = 0;
   uint32_t count = 0;
   *used_B = 0;
   for (uint32_t i = 0; i < num_live; i++) {
      if (live[i].descriptors)
         sorted[count++] = live[i];
   }
   qsort(sorted, count, sizeof(sorted[0]), compare_places);
   for (uint32_t i = 0; i < count; i++) {
      const uint64_t offset_B = set_of(sorted[i].set)->set.offset_B;
      assert_true(offset_B >= end_B && offset_B % ALIGNMENT_B == 0);
      largest_B = MAX2(largest_B, offset_B - end_B);
      end_B = offset_B + sorted[i].descriptors * DESCRIPTOR_B;
      *used_B += sorted[i].descriptors * DESCRIPTOR_B;
   }
   assert_true(end_B <= POOL_B);
   return MAX2(largest_B, POOL_B - end_B);
}

static void
add_one(VkDescriptorPool pool)
{
   const uint32_t descriptors = random_below(LARGEST + 1);
   uint64_t used_B;
   const uint64_t largest_B = largest_gap_B(&used_B), size_B = descriptors * DESCRIPTOR_B;
   const VkResult wanted = num_live == SETS            ? VK_ERROR_OUT_OF_POOL_MEMORY
                           : size_B <= largest_B       ? VK_SUCCESS
                           : size_B <= POOL_B - used_B ? VK_ERROR_FRAGMENTED_POOL
                                                       : VK_ERROR_OUT_OF_POOL_MEMORY;
   VkDescriptorSet set;
   assert_int_equal(allocate(pool, descriptors, &set), wanted);
   if (wanted == VK_SUCCESS)
      live[num_live++] = (struct live){set, descriptors};
}

static void
test_random_sets(void **state)
{
   unsigned full = 0;
   seed = 5;
   VkDescriptorPool pool = create_pool(SETS, 3 * SETS, VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT);
   for (unsigned i = 0; i < 20000; i++) {
      const uint32_t adds = i / 500 % 2 ? 60 : 45; /* of 100: it fills up, and empties */
      if (!num_live || random_below(100) < adds) {
         add_one(pool);
      } else {
         const uint32_t which = random_below(num_live);
         free_set(pool, live[which].set);
         live[which] = live[--num_live];
      }
      full += num_live > SETS / 2;
      if (!random_below(3000)) {
         assert_int_equal(indium_ResetDescriptorPool(VK_TO(VkDevice, device), pool, 0), VK_SUCCESS);
         num_live = 0;
      }
   }
   assert_true(full > 1000);
   indium_DestroyDescriptorPool(VK_TO(VkDevice, device), pool, NULL);
   for (unsigned i = 0; i <= LARGEST; i++)
      assert_int_equal(layouts[i].references, 0);
   num_live = 0;
}

/* ---- many sets ---- */

/* Holes all over the pool, which are filled again. What looks at each set for each of them does not come to an end
 * within the test's time. */
static void
test_many_sets(void **state)
{
   enum { MANY = 1 << 18 };
   VkDescriptorPool pool = create_pool(MANY, MANY, VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT);
   VkDescriptorSet *sets = malloc(MANY * sizeof(*sets));
   for (unsigned round = 0; round < 3; round++) {
      for (unsigned i = 0; i < MANY; i++)
         assert_int_equal(allocate(pool, 1, &sets[i]), VK_SUCCESS);
      for (unsigned i = 0; i < MANY; i += 2)
         free_set(pool, sets[i]);
      for (unsigned i = 0; i < MANY; i += 2)
         assert_int_equal(allocate(pool, 1, &sets[i]), VK_SUCCESS);
      for (unsigned i = MANY; i-- && round == 1;)
         free_set(pool, sets[i]);
      assert_int_equal(indium_ResetDescriptorPool(VK_TO(VkDevice, device), pool, 0), VK_SUCCESS);
   }
   free(sets);
   indium_DestroyDescriptorPool(VK_TO(VkDevice, device), pool, NULL);
}

/* Of a pool whose sets are not freed a call that fails takes back what it has made. */
static void
test_all_or_none(void **state)
{
   VkDescriptorSetLayout list[5];
   VkDescriptorSet sets[5];
   VkDescriptorPool pool = create_pool(4, 4, 0);
   for (unsigned i = 0; i < 5; i++)
      list[i] = VK_TO(VkDescriptorSetLayout, &layouts[1]);
   VkDescriptorSetAllocateInfo info = {.descriptorPool = pool, .descriptorSetCount = 5, .pSetLayouts = list};
   for (unsigned round = 0; round < 3; round++) {
      info.descriptorSetCount = 5;
      assert_int_equal(indium_AllocateDescriptorSets(VK_TO(VkDevice, device), &info, sets),
                       VK_ERROR_OUT_OF_POOL_MEMORY);
      info.descriptorSetCount = 4;
      assert_int_equal(indium_AllocateDescriptorSets(VK_TO(VkDevice, device), &info, sets), VK_SUCCESS);
      for (unsigned i = 0; i < 4; i++)
         assert_int_equal(set_of(sets[i])->set.offset_B, i * DESCRIPTOR_B);
      assert_int_equal(layouts[1].references, 4);
      assert_int_equal(indium_ResetDescriptorPool(VK_TO(VkDevice, device), pool, 0), VK_SUCCESS);
   }
   indium_DestroyDescriptorPool(VK_TO(VkDevice, device), pool, NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_sets), cmocka_unit_test(test_many_sets),
                                      cmocka_unit_test(test_all_or_none)};
   return cmocka_run_group_tests(tests, open_device, close_device);
}
