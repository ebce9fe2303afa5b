/* Workgroup memory: blocks with a layout that are the same memory, and memory that starts as zeros. */
#include <string.h>

#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(shared_layout){
#include "shared_layout.inc"
};
CODE(shared_zero_1){
#include "shared_zero_1.inc"
};
CODE(shared_zero_64){
#include "shared_zero_64.inc"
};
CODE(shared_zero_100){
#include "shared_zero_100.inc"
};
CODE(shared_plain){
#include "shared_plain.inc"
};

enum { GROUPS = 20, LINE = 64, WORDS = 256 };

static uint32_t
word_at(const uint8_t *memory, size_t at_B)
{
   uint32_t word;
   memcpy(&word, memory + at_B, sizeof(word));
   return word;
}

static uint32_t
half_at(const uint8_t *memory, size_t at_B)
{
   return word_at(memory, at_B) & 0xffff;
}

/* What shared_layout.comp computes: offsets of its blocks are those it says. */
static void
layout_result(uint32_t group, uint32_t result[LINE])
{
   uint8_t memory[WORDS * 4 + 4] = {0};
   for (uint32_t i = 0; i < WORDS; i++) {
      const uint32_t word = i * 0x01030507u + group;
      memcpy(memory + 4 * i, &word, 4);
   }
   for (uint32_t l = 0; l < LINE; l++)
      result[l] = memory[l % 7] + half_at(memory, 8 + 2 * (l % 12)) * 3 + word_at(memory, 32 + 4 * (l % 3)) * 5 +
                  word_at(memory, 48 + 8 * (l % 3) + 4 * (l & 1)) * 7 + half_at(memory, 256 + 4 * (l & 31) + 2) * 11;
   for (uint32_t l = 0; l < 19; l++) {
      const uint16_t half = (uint16_t)(0xb000 + l);
      if (l < 7)
         memory[l] = (uint8_t)(0xa0 + l);
      else
         memcpy(memory + 8 + 2 * (l - 7), &half, 2);
   }
   for (uint32_t l = 0; l < LINE; l++)
      result[l] += word_at(memory, 4 * l) * 13;
}

static void
run_layout(struct vkx *vkx)
{
   struct vkx_buffer out = vkt_buffer_create(vkx, GROUPS * LINE * 4, 0);
   vkt_dispatch(vkx, &(struct vkt_dispatch){VKT_CODE(shared_layout), 1, &out, .groups = GROUPS});
   uint32_t wrong = 0, result[LINE];
   for (uint32_t g = 0; g < GROUPS; g++) {
      layout_result(g, result);
      for (uint32_t l = 0; l < LINE; l++)
         wrong += ((uint32_t *)out.map)[g * LINE + l] != result[l];
   }
   vkt_expect(!wrong, "blocks with a layout: %u of %u wrong", wrong, GROUPS * LINE);
   vkx_buffer_destroy(vkx, &out);
}

static void
run_zero(struct vkx *vkx, struct vkt_code code, uint32_t size, uint32_t words)
{
   struct vkx_buffer out = vkt_buffer_create(vkx, GROUPS * size * 8, 0xff);
   vkt_dispatch(vkx, &(struct vkt_dispatch){code, 1, &out, .groups = GROUPS});
   uint32_t wrong = 0, dirty = 0;
   for (uint32_t i = 0; i < GROUPS * size; i++) {
      const uint32_t l = i % size, *result = (const uint32_t *)out.map + 2 * i;
      uint32_t used = words - l % words + l % 5 + 7 + ((l & 15) < size ? l & 15 : 0);
      for (uint32_t j = 0; j < 100; j++)
         used += ~j;
      dirty += result[0] != 0;
      wrong += result[1] != used;
   }
   vkt_expect(!dirty, "zeros, groups of %u: %u invocations found others", size, dirty);
   vkt_expect(!wrong, "zeros, groups of %u: %u of %u results wrong", size, wrong, GROUPS * size);
   vkx_buffer_destroy(vkx, &out);
}

int
main(void)
{
   struct vkx vkx = vkt_create("shared");
   if (vkt_has("VK_KHR_workgroup_memory_explicit_layout"))
      run_layout(&vkx);
   else
      vkt_skip("blocks of workgroup memory");
   if (vkt_has("VK_KHR_zero_initialize_workgroup_memory")) {
      run_zero(&vkx, VKT_CODE(shared_plain), 64, 7000);
      run_zero(&vkx, VKT_CODE(shared_zero_64), 64, 7000);
      run_zero(&vkx, VKT_CODE(shared_zero_100), 100, 13);
      run_zero(&vkx, VKT_CODE(shared_zero_1), 1, 13);
   } else {
      vkt_skip("zeros in workgroup memory");
   }
   vkt_sets_destroy(&vkx);
   return vkt_finish(&vkx);
}
