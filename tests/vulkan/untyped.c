/* VK_KHR_shader_untyped_pointers: each row of the results reads the same words in another way. */
#include <string.h>

#include "vkt_draw.h"

static const uint32_t code[] = {
#include "untyped.inc"
};

enum { LANES = 64, ROWS = 16, IN_WORDS = LANES + 4, PUSH_CONSTANTS = 6, ATOMIC = 9 };
enum { IN, UNIFORMS, OUT, BUFFERS };

struct push {
   uint64_t address, unused;
   uint32_t words[4];
};

static const struct push constants = {.words = {0x3f800000, 0xdeadbeef, 0x7fc00001, 5}};

static uint32_t
in_word(uint32_t i)
{
   return 0x40000000 + 0x10001 * i;
}

static uint32_t
uniform_word(uint32_t i)
{
   return 0x3f000000 + 0x203 * i;
}

/* Word `lane` of a row. */
static uint32_t
expected(unsigned row, uint32_t lane)
{
   const uint32_t first = lane & ~3u;
   switch (row) {
   case 1:
      return in_word(first + 3);
   case 2:
      return in_word(lane | 1);
   case 4:
   case 5:
      return uniform_word(lane);
   case PUSH_CONSTANTS:
      return constants.words[lane & 3];
   case 7:
      return 7 * lane;
   case 8:
      return in_word(first + 2);
   case ATOMIC:
      return lane ? 0 : LANES * (LANES - 1) / 2;
   case 10:
      return lane & 1 ? IN_WORDS / 4 : IN_WORDS;
   case 12:
      return in_word(first + 4 + 2);
   case 13:
      return in_word(lane & 1 ? first : lane);
   case 14:
      return in_word(first);
   case 15:
      return in_word((lane & 3) + (lane >> 2 & 3));
   default: /* others: the words in their order */
      return in_word(lane);
   }
}

static void
dispatch(struct vkx *vkx, const struct vkx_buffer *buffers)
{
   const VkDescriptorType types[BUFFERS] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                            VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, BUFFERS, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout =
      vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(struct push));
   VkPipeline pipeline = vkx_compute_pipeline_create(vkx, layout, vkx_shader_create(vkx, code, sizeof(code)));
   struct vkt_descriptor descriptors[BUFFERS];
   struct push push = constants;
   VkDescriptorPool pool = VK_NULL_HANDLE;
   push.address = vkt_address(vkx, &buffers[IN]);
   for (unsigned i = 0; i < BUFFERS; i++)
      descriptors[i] = (struct vkt_descriptor){.type = types[i], .buffer = buffers[i].buffer};
   VkDescriptorSet set = vkt_bindings_create(vkx, &pool, set_layout, BUFFERS, descriptors);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

int
main(int argc, char **argv)
{
   static const char *const names[] = {"--quirks", NULL};
   vkx_expect_options(argc, argv, names, "untyped [--quirks radv]");
   const bool radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   struct vkx vkx = vkt_create("untyped");
   if (!vkt_has("VK_KHR_shader_untyped_pointers")) {
      vkt_skip("VK_KHR_shader_untyped_pointers");
      vkt_expect(true, "nothing");
      return vkt_finish(&vkx);
   }
   struct vkx_buffer buffers[BUFFERS] = {[IN] = vkt_addressed_create(&vkx, IN_WORDS * 4, 0),
                                         [UNIFORMS] = vkt_buffer_create(&vkx, LANES * 4, 0),
                                         [OUT] = vkt_buffer_create(&vkx, ROWS * LANES * 4, 0)};
   for (uint32_t i = 0; i < IN_WORDS; i++)
      ((uint32_t *)buffers[IN].map)[i] = in_word(i);
   for (uint32_t i = 0; i < LANES; i++)
      ((uint32_t *)buffers[UNIFORMS].map)[i] = uniform_word(i);
   memset(buffers[OUT].map, 0, ROWS * LANES * 4);
   dispatch(&vkx, buffers);
   for (unsigned row = 0; row < ROWS; row++) {
      unsigned wrong = 0;
      uint32_t first = 0;
      /* RADV reads the first of four words for all indices (found.md). */
      if (radv && row == PUSH_CONSTANTS)
         continue;
      for (uint32_t lane = 0; lane < LANES; lane++) {
         const uint32_t got = ((uint32_t *)buffers[OUT].map)[row * LANES + lane];
         first = got != expected(row, lane) && !wrong++ ? lane : first;
      }
      vkt_expect(!wrong, "row %u: %u words wrong, the first %u: %08x, not %08x", row, wrong, first,
                 ((uint32_t *)buffers[OUT].map)[row * LANES + first], expected(row, first));
   }
   for (unsigned i = 0; i < BUFFERS; i++)
      vkx_buffer_destroy(&vkx, &buffers[i]);
   return vkt_finish(&vkx);
}
