/* Programs that look at an index before they load from there: nothing is loaded ahead that is not mapped. Only a
 * device without soft faults shows it. */
#include "vkt_dispatch.h"

static const uint32_t code[] = {
#include "guarded.inc"
};

enum { LANES = 64, WORDS = 16 };

static uint32_t
pattern(unsigned buffer, unsigned word)
{
   return 1000 * (buffer + 1) + word;
}

static uint32_t
expected(uint32_t index, uint32_t count)
{
   uint32_t sum = 1;
   if (index < count)
      sum += pattern(0, 4 * index) + pattern(1, index);
   for (uint32_t i = index; i < count; i++)
      sum += pattern(1, 3 * i);
   return sum;
}

int
main(void)
{
   struct vkx vkx = vkt_create("guarded");
   static const uint32_t indices[] = {0, 1, 3, 4, 5, 0x1000, 0x10000, 0x4000000, 0xfffffff, 0x3fffffff, 0x7fffffff};
   for (unsigned n = 0; n < sizeof(indices) / sizeof(indices[0]); n++) {
      const uint32_t push[2] = {indices[n], 4};
      struct vkx_buffer buffers[3];
      for (unsigned b = 0; b < 3; b++) {
         buffers[b] = vkt_buffer_create(&vkx, b < 2 ? WORDS * 4 : LANES * 4, 0xaa);
         for (unsigned i = 0; i < WORDS && b < 2; i++)
            ((uint32_t *)buffers[b].map)[i] = pattern(b, i);
      }
      vkt_dispatch(&vkx, &(struct vkt_dispatch){.code = VKT_CODE(code),
                                                .num_buffers = 3,
                                                .buffers = buffers,
                                                .uniforms = 1,
                                                .groups = 1,
                                                .push = push,
                                                .push_B = sizeof(push)});
      unsigned wrong = 0;
      for (unsigned lane = 0; lane < LANES; lane++)
         wrong += ((uint32_t *)buffers[2].map)[lane] != expected(push[0], push[1]);
      vkt_expect(!wrong, "index %#x: %u of %u differ", push[0], wrong, LANES);
      for (unsigned b = 0; b < 3; b++)
         vkx_buffer_destroy(&vkx, &buffers[b]);
   }
   return vkt_finish(&vkx);
}
