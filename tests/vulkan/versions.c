/* What later versions of SPIR-V add: versions.spvasm as a module of each; and small extensions of it. */
#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(versions_1_4){
#include "versions_1_4.inc"
};
CODE(versions_1_5){
#include "versions_1_5.inc"
};
CODE(versions_1_6){
#include "versions_1_6.inc"
};

CODE(replicated){
#include "replicated.inc"
};

enum { COUNT = 64, RESULTS = 8, USED = 5 };

static void
expected(const uint32_t words[COUNT][4], uint32_t l, uint32_t results[USED])
{
   static const uint32_t table[4] = {3, 1, 4, 5};
   const uint32_t *mine = words[l], *next = words[(l + 1) % COUNT];
   const bool odd = l & 1;
   results[0] = mine[1 + l % 3];
   results[1] = odd ? mine[3] : next[3];
   results[2] = odd ? l + 7 * 3 : 12 + l * 3;
   results[3] = 7;
   for (uint32_t turn = 0; turn < 8; turn++)
      results[3] += table[turn & 3] * turn;
   results[4] = next[0];
}

static void
run_version(struct vkx *vkx, const char *name, struct vkt_code code)
{
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, COUNT * 16, 0),
                                   vkt_buffer_create(vkx, COUNT * RESULTS * 4, 0)};
   uint32_t(*words)[4] = buffers[0].map, wrong[USED] = {0}, results[USED];
   for (uint32_t i = 0; i < COUNT * 4; i++)
      words[i / 4][i % 4] = vkt_random();
   vkt_dispatch(vkx, &(struct vkt_dispatch){code, 2, buffers, .groups = 1});
   for (uint32_t l = 0; l < COUNT; l++) {
      expected((const uint32_t(*)[4])words, l, results);
      for (uint32_t r = 0; r < USED; r++)
         wrong[r] += ((uint32_t *)buffers[1].map)[l * RESULTS + r] != results[r];
   }
   for (uint32_t r = 0; r < USED; r++)
      vkt_expect(!wrong[r], "SPIR-V %s, result %u: %u of %u wrong", name, r, wrong[r], COUNT);
   for (unsigned i = 0; i < 2; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

static void
run_replicated(struct vkx *vkx)
{
   struct vkx_buffer out = vkt_buffer_create(vkx, COUNT * 16, 0);
   const uint32_t special = 1234;
   vkt_dispatch(vkx, &(struct vkt_dispatch){VKT_CODE(replicated), 1, &out, 1, &special, .groups = 1});
   const uint32_t(*results)[4] = out.map;
   uint32_t wrong = 0;
   for (uint32_t l = 0; l < COUNT; l++)
      wrong +=
         results[l][0] != 5 || results[l][1] != 0x40400000 || results[l][2] != special || results[l][3] != 3 * l;
   vkt_expect(!wrong, "composites of one constituent: %u of %u wrong", wrong, COUNT);
   vkx_buffer_destroy(vkx, &out);
}

int
main(void)
{
   struct vkx vkx = vkt_create("versions");
   const uint32_t version = vkx.properties.apiVersion;
   if (vkt_has("VK_KHR_spirv_1_4") || version >= VK_API_VERSION_1_2)
      run_version(&vkx, "1.4", VKT_CODE(versions_1_4));
   else
      vkt_skip("SPIR-V 1.4");
   if (version >= VK_API_VERSION_1_2)
      run_version(&vkx, "1.5", VKT_CODE(versions_1_5));
   else
      vkt_skip("SPIR-V 1.5");
   if (version >= VK_API_VERSION_1_3)
      run_version(&vkx, "1.6", VKT_CODE(versions_1_6));
   else
      vkt_skip("SPIR-V 1.6");
   if (vkt_has("VK_EXT_shader_replicated_composites") && vkt_has("VK_KHR_shader_relaxed_extended_instruction"))
      run_replicated(&vkx);
   else
      vkt_skip("replicated composites");
   vkt_sets_destroy(&vkx);
   return vkt_finish(&vkx);
}
