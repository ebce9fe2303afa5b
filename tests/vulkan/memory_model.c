/* The Vulkan memory model: what workgroups write for the last of them, ordered by each means that the model has. */
#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(memory_model_0){
#include "memory_model_0.inc"
};
CODE(memory_model_1){
#include "memory_model_1.inc"
};
CODE(memory_model_2){
#include "memory_model_2.inc"
};
CODE(memory_model_3){
#include "memory_model_3.inc"
};
CODE(memory_model_4){
#include "memory_model_4.inc"
};

enum { GROUPS = 40, COUNT = GROUPS * 64 };

static void
run_way(struct vkx *vkx, const char *way, struct vkt_code code)
{
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, COUNT * 4, 0), vkt_buffer_create(vkx, 64, 0)};
   uint32_t sum = 0, *words = buffers[0].map;
   const uint32_t *counters = buffers[1].map;
   for (uint32_t i = 0; i < COUNT; i++) {
      words[i] = vkt_random();
      sum += (words[i] * 3 + 1) * (i + 1);
   }
   vkt_dispatch(vkx, &(struct vkt_dispatch){code, 2, buffers, .groups = GROUPS});
   vkt_expect(counters[0] == GROUPS && counters[1] == sum, "%s: %u groups finished, sum %u, not %u", way, counters[0],
              counters[1], sum);
   for (unsigned i = 0; i < 2; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

int
main(void)
{
   struct vkx vkx = vkt_create("memory_model");
   if (vkt_has("VK_KHR_vulkan_memory_model")) {
      run_way(&vkx, "semantics of atomics and barriers", VKT_CODE(memory_model_0));
      run_way(&vkx, "accesses visible to the device", VKT_CODE(memory_model_1));
      run_way(&vkx, "memory barriers", VKT_CODE(memory_model_2));
      run_way(&vkx, "volatile memory", VKT_CODE(memory_model_3));
      run_way(&vkx, "atomic loads and stores", VKT_CODE(memory_model_4));
   } else {
      vkt_skip("the Vulkan memory model");
   }
   vkt_sets_destroy(&vkx);
   return vkt_finish(&vkx);
}
