/* Numbers of 64 bits between the stages. shaders/wide.glsl says what belongs where. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "wide_vert.inc"
};
static const uint32_t fragment_code[] = {
#include "wide_frag.inc"
};
static const uint32_t whole_vertex_code[] = {
#include "wide_whole_vert.inc"
};
static const uint32_t whole_fragment_code[] = {
#include "wide_whole_frag.inc"
};

static const struct form {
   const char *name;
   struct vkt_code vertex, fragment;
   bool has_floats;
} forms[] = {{"integers", VKT_CODE(whole_vertex_code), VKT_CODE(whole_fragment_code), false},
             {"64-bit floats", VKT_CODE(vertex_code), VKT_CODE(fragment_code), true}};

enum { SIZE_PX = 16, PIXELS = SIZE_PX * SIZE_PX, REALS = 25, WHOLES = 11, ROWS = REALS + WHOLES + 4 };

static uint64_t
whole(uint32_t i, uint32_t v)
{
   return (uint64_t)(i + 1) * 0x123456789abcdef + (uint64_t)v * 0xfedcba987654321;
}

static uint64_t
real(const struct form *form, uint32_t i, uint32_t v)
{
   const double x = (double)i * 3.125 + (double)v / 1024.0 - 1e-9;
   uint64_t bits;
   memcpy(&bits, &x, 8);
   return form->has_floats ? bits : ~whole(i, v);
}

static uint64_t
expect(const struct form *form, unsigned row, uint32_t x, uint32_t y, uint32_t v)
{
   const float floats[2] = {(float)v + 0.5f, (float)v + 0.25f};
   uint64_t bits = 0;
   if (row < REALS)
      return real(form, row, v);
   if (row < REALS + WHOLES)
      return whole(row - REALS, v);
   switch (row - REALS - WHOLES) {
   case 0:
      return real(form, 10 + 3 * (x & 1) + y % 3, v);
   case 1:
      return whole(7 + (x & 3), v);
   default:
      memcpy(&bits, &floats[row - (ROWS - 2)], 4);
      return bits;
   }
}

static void
run_form(struct vkx *vkx, const struct form *form)
{
   const uint32_t first = 1; /* the vertex that provokes: indices are not 0, 1, 2 */
   struct vkt_target target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){SIZE_PX, SIZE_PX}, 1, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer out = vkt_buffer_create(vkx, ROWS * PIXELS * 8, 0xaa);
   struct vkx_buffer indices = vkt_buffer_create(vkx, 16, 0);
   memcpy(indices.map, (const uint32_t[3]){1, 2, 0}, 12);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &out);
   VkPipeline pipeline = vkt_pipeline_create(
      vkx, &(struct vkt_pipeline_info){
              .pass = target.pass, .layout = layout, .vertex = form->vertex, .fragment = form->fragment});
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkCmdBindIndexBuffer(cmd, indices.buffer, 0, VK_INDEX_TYPE_UINT32);
   vkCmdDrawIndexed(cmd, 3, 1, 0, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned row = 0; row < ROWS; row++) {
      unsigned wrong = 0;
      for (uint32_t i = 0; i < PIXELS; i++) {
         const uint64_t got = ((uint64_t *)out.map)[row * PIXELS + i];
         const uint64_t want = expect(form, row, i % SIZE_PX, i / SIZE_PX, first);
         if (got != want && wrong++ < 1)
            printf("   %s, row %u, pixel %u: %#llx, not %#llx\n", form->name, row, i, (unsigned long long)got,
                   (unsigned long long)want);
      }
      vkt_expect(!wrong, "%s, row %u: %u of %u", form->name, row, wrong, PIXELS);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_target_destroy(vkx, &target);
   vkx_buffer_destroy(vkx, &indices);
   vkx_buffer_destroy(vkx, &out);
   vkt_sets_destroy(vkx);
}

int
main(void)
{
   struct vkx vkx = vkt_create("wide");
   for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
      if (!vkt_features.shaderInt64 || (forms[i].has_floats && !vkt_features.shaderFloat64))
         vkt_skip(forms[i].name);
      else
         run_form(&vkx, &forms[i]);
   }
   return vkt_finish(&vkx);
}
