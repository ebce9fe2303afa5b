/* Pointers that are values: variable_pointers.spvasm, with what it must find. */
#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(variable_pointers){
#include "variable_pointers.inc"
};

CODE(pointer_numbers){
#include "pointer_numbers.inc"
};

CODE(pointer_compares){
#include "pointer_compares.inc"
};

enum { COUNT = 256, FAR = 300, WORDS_A = FAR + COUNT + 9, WORDS_B = FAR + COUNT + 4, RESULTS = 8 };

static void
expected(const uint32_t *a, const uint32_t *b, uint32_t i, uint32_t results[RESULTS])
{
   const bool odd = i / 64 & 1;
   const uint32_t *chosen = odd ? a : b;
   results[0] = chosen[i];
   results[1] = chosen[i] + chosen[i + 1] + chosen[i + 2] + chosen[i + 3] + chosen[i + 4];
   results[2] = chosen[i + 3];
   results[3] = odd ? a[i + 1] : b[i];
   results[4] = odd ? WORDS_A : WORDS_B;
   results[5] = odd ? b[i] : a[i];
   results[6] = (i ^ 1) * 7;
   results[7] = chosen[FAR + i];
}

static void
run_pointers(struct vkx *vkx)
{
   struct vkx_buffer buffers[3] = {vkt_buffer_create(vkx, WORDS_A * 4, 0), vkt_buffer_create(vkx, WORDS_B * 4, 0),
                                   vkt_buffer_create(vkx, COUNT * RESULTS * 4, 0)};
   static uint32_t a[WORDS_A], b[WORDS_B];
   for (uint32_t i = 0; i < WORDS_A; i++)
      a[i] = ((uint32_t *)buffers[0].map)[i] = vkt_random();
   for (uint32_t i = 0; i < WORDS_B; i++)
      b[i] = ((uint32_t *)buffers[1].map)[i] = vkt_random();
   vkt_dispatch(vkx, &(struct vkt_dispatch){VKT_CODE(variable_pointers), 3, buffers, .groups = COUNT / 64});
   uint32_t wrong[RESULTS] = {0}, stored = 0, results[RESULTS];
   for (uint32_t i = 0; i < COUNT; i++) {
      expected(a, b, i, results);
      for (uint32_t r = 0; r < RESULTS; r++)
         wrong[r] += ((uint32_t *)buffers[2].map)[i * RESULTS + r] != results[r];
      stored += ((uint32_t *)buffers[0].map)[FAR + i] != a[FAR + i] + 100;
      stored += ((uint32_t *)buffers[1].map)[FAR + i] != b[FAR + i] + 100;
   }
   static const char *const what[RESULTS] = {"a selected pointer",
                                             "a pointer that steps through a loop",
                                             "elements before a pointer",
                                             "a pointer of a function and a variable",
                                             "the length of a selected array",
                                             "an array of pointers",
                                             "workgroup memory",
                                             "an atomic"};
   for (uint32_t r = 0; r < RESULTS; r++)
      vkt_expect(!wrong[r], "%s: %u of %u wrong", what[r], wrong[r], COUNT);
   vkt_expect(!stored, "%u stores are missing", stored);
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

/* pointer_numbers.spvasm. */
static void
run_numbers(struct vkx *vkx)
{
   struct vkx_buffer buffers[3] = {vkt_buffer_create(vkx, 256, 0), vkt_buffer_create(vkx, 256, 0),
                                   vkt_buffer_create(vkx, 64 * 16, 0)};
   vkt_dispatch(vkx, &(struct vkt_dispatch){VKT_CODE(pointer_numbers), 3, buffers, .groups = 1});
   uint32_t wrong[3] = {0};
   const uint32_t(*results)[4] = buffers[2].map;
   for (uint32_t l = 0; l < 64; l++) {
      const bool odd = l & 1;
      const uint32_t bits = (odd ? 1 : 4) | (l == 5 ? 2 : 0) | (odd ? 8 : 0) | (l == 5 ? 16 : 0);
      wrong[0] += results[l][0] != bits;
      wrong[1] += results[l][1] != l - 5 || results[l][2] != 5 - l;
      wrong[2] += results[l][3] != l;
   }
   vkt_expect(!wrong[0], "compared pointers: %u wrong", wrong[0]);
   vkt_expect(!wrong[1], "differences of pointers: %u wrong", wrong[1]);
   vkt_expect(!wrong[2], "memory under compared pointers: %u wrong", wrong[2]);
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

/* pointer_compares.spvasm. */
static void
run_compares(struct vkx *vkx)
{
   struct vkx_buffer buffers[3] = {vkt_buffer_create(vkx, 256, 0), vkt_buffer_create(vkx, 256, 0),
                                   vkt_buffer_create(vkx, 64 * 4, 0)};
   vkt_dispatch(vkx, &(struct vkt_dispatch){VKT_CODE(pointer_compares), 3, buffers, .groups = 1});
   uint32_t wrong = 0;
   for (uint32_t l = 0; l < 64; l++)
      wrong += ((const uint32_t *)buffers[2].map)[l] != (l & 1 ? 1 : 8);
   vkt_expect(!wrong, "pointers that are compared alone: %u wrong", wrong);
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

int
main(void)
{
   struct vkx vkx = vkt_create("variable_pointers");
   VkPhysicalDeviceVariablePointersFeatures features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES};
   VkPhysicalDeviceFeatures2 query = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features};
   vkGetPhysicalDeviceFeatures2(vkx.physical, &query);
   if (!features.variablePointers) {
      vkt_skip("variable pointers");
      return vkt_finish(&vkx);
   }
   run_pointers(&vkx);
   if (vkt_has("VK_KHR_spirv_1_4") || vkx.properties.apiVersion >= VK_API_VERSION_1_2) {
      run_numbers(&vkx);
      run_compares(&vkx);
   } else {
      vkt_skip("comparisons of pointers");
   }
   vkt_sets_destroy(&vkx);
   return vkt_finish(&vkx);
}
