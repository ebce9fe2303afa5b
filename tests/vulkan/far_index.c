/* Indices of 64 bits into arrays in physical storage, beyond 2^32. GLSL converts them to 32 bits: here that
 * conversion goes from the module. */
#include <string.h>

#include "vkt_dispatch.h"

static const uint32_t code[] = {
#include "far_index.inc"
};

enum { COUNT = 64, U_CONVERT = 113, ACCESS_CHAIN = 65, NOP = 0 };

static unsigned
replace_indices(uint32_t *words, unsigned count, uint32_t narrow, uint32_t wide)
{
   unsigned replaced = 0;
   for (unsigned at = 5; at < count; at += words[at] >> 16) {
      for (unsigned i = 4; (words[at] & 0xffff) == ACCESS_CHAIN && i < words[at] >> 16; i++) {
         if (words[at + i] != narrow)
            continue;
         words[at + i] = wide;
         replaced++;
      }
   }
   return replaced;
}

/* Chains take what conversions to 32 bits took; the conversions become nops. How many indices that are. */
static unsigned
widen_indices(uint32_t *words, unsigned count)
{
   unsigned replaced = 0;
   for (unsigned at = 5; at < count; at += words[at] >> 16) {
      if ((words[at] & 0xffff) != U_CONVERT)
         continue;
      const unsigned of_chains = replace_indices(words, count, words[at + 2], words[at + 3]);
      for (unsigned i = 0; i < 4 && of_chains; i++)
         words[at + i] = 1u << 16 | NOP;
      replaced += of_chains;
   }
   return replaced;
}

static void
test(struct vkx *vkx, struct vkt_code wide, uint64_t index)
{
   struct vkx_buffer array = vkt_addressed_create(vkx, COUNT * 8 + 8, 0);
   struct vkx_buffer data = vkt_buffer_create(vkx, 16 + COUNT * 8, 0);
   uint32_t *words = array.map;
   uint64_t *out = data.map;
   unsigned wrong = 0;
   for (unsigned i = 0; i < 2 * COUNT; i++)
      words[i] = vkt_random();
   out[0] = vkt_address(vkx, &array);
   out[1] = index;
   vkt_dispatch(vkx, &(struct vkt_dispatch){wide, 1, &data, .groups = COUNT / 64});
   for (unsigned i = 0; i < COUNT; i++)
      wrong += out[2 + i] != ((uint64_t)words[i] << 32 | words[2 * i + 1]);
   vkt_expect(!wrong, "index %#llx: %u elements are wrong", (unsigned long long)index, wrong);
   vkx_buffer_destroy(vkx, &array);
   vkx_buffer_destroy(vkx, &data);
}

int
main(void)
{
   static const uint64_t indices[] = {
      0, 1000, UINT64_C(1) << 31, UINT64_C(0xffffffe0), UINT64_C(1) << 32, (UINT64_C(1) << 35) + 7};
   struct vkx vkx = vkt_create("far_index");
   static uint32_t words[sizeof(code) / 4];
   memcpy(words, code, sizeof(code));
   vkt_expect(widen_indices(words, sizeof(code) / 4) == 2, "the module's two indices are found");
   if (!vkt_has("VK_KHR_buffer_device_address") || !vkt_features.shaderInt64) {
      vkt_skip("VK_KHR_buffer_device_address or shaderInt64");
      return vkt_finish(&vkx);
   }
   for (unsigned i = 0; i < sizeof(indices) / sizeof(*indices); i++)
      test(&vkx, VKT_CODE(words), indices[i]);
   return vkt_finish(&vkx);
}
