/* States that are set while commands are recorded: pictures of random states, from pipelines that have them all, from
 * pipelines that have those beyond VK_EXT_extended_dynamic_state2, and from pipelines that have none, which are to be
 * the same to the bit. -o FILE writes those of the first, --against FILE finds them again, nearly. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamic_states.h"

static const uint32_t vertex_code[] = {
#include "linked_a.vert.inc"
};
static const uint32_t smooth_code[] = {
#include "linked_a.frag.inc"
};
static const uint32_t flat_code[] = {
#include "linked_c.frag.inc"
};

enum { SIZE = 48, SIZE_B = 4 * SIZE * SIZE, CASES = 160 }; /* px */

static const struct vkt_code frags[2] = {VKT_CODE(smooth_code), VKT_CODE(flat_code)};
static struct vkx vkx;
static struct vkt_target target;
static struct dynamic_shapes shapes;
static struct vkx_buffer pixels;
static VkPipelineLayout layout;
static bool has_all;

static VkPipeline
create(const struct dynamic_state *s, uint32_t num_dynamic)
{
   return dynamic_state_pipeline(&vkx, target.pass, NULL, layout, VKT_CODE(vertex_code), frags[s->fragment], s,
                                 num_dynamic);
}

static void
bind(VkCommandBuffer cmd, VkPipeline pipeline, const struct dynamic_state *s, uint32_t num_dynamic)
{
   if (!s->ahead)
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   if (num_dynamic)
      dynamic_state_set(cmd, s, num_dynamic == DYNAMIC_ALL);
   if (s->ahead)
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   dynamic_state_draw(cmd, &shapes, s, num_dynamic != 0);
}

/* What is under test over what a static pipeline has drawn. */
static void
picture(VkPipeline under, const struct dynamic_state *background, VkPipeline pipeline, const struct dynamic_state *s,
        uint32_t num_dynamic)
{
   const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdSetViewport(cmd, 1, 1, &viewport);
   vkCmdSetScissor(cmd, 1, 1, &scissor);
   bind(cmd, under, background, 0);
   bind(cmd, pipeline, s, num_dynamic);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   vkt_read(&vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &pixels);
}

/* Of states that all devices have; llvmpipe passes over the sample mask where there is one sample. */
static void
check_static(unsigned number, const struct dynamic_state *s, FILE *out, FILE *against)
{
   static uint8_t wanted[SIZE_B];
   if (s->logic_op_enable || s->tests.depthBoundsTestEnable || s->raster.polygonMode != VK_POLYGON_MODE_FILL ||
       !(s->sample_mask & 1))
      return;
   if (out)
      vkt_expect(fwrite(pixels.map, SIZE_B, 1, out) == 1, "cannot write");
   if (!against || !vkt_expect(fread(wanted, SIZE_B, 1, against) == 1, "the file is too short"))
      return;
   unsigned wrong = vkt_different(pixels.map, wanted, SIZE_B, 2);
   vkt_expect(wrong < SIZE_B / 30, "case %u, topology %u: %u bytes of the picture", number, s->topology, wrong);
}

/* The same, but for what the first states set. */
static struct dynamic_state
wrong_first_states(const struct dynamic_state *s)
{
   struct dynamic_state wrong = *s;
   wrong.topology = s->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST      ? s->topology
                    : s->topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST     ? VK_PRIMITIVE_TOPOLOGY_LINE_STRIP
                    : s->topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP    ? VK_PRIMITIVE_TOPOLOGY_LINE_LIST
                    : s->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN
                                                                         : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
   wrong.restart = false;
   wrong.stride = (s->stride + 1) % DYNAMIC_STRIDES;
   wrong.raster.cullMode ^= VK_CULL_MODE_FRONT_AND_BACK;
   wrong.raster.frontFace ^= 1;
   wrong.raster.rasterizerDiscardEnable ^= 1;
   wrong.raster.depthBiasEnable ^= 1;
   wrong.tests.depthTestEnable ^= 1;
   wrong.tests.depthWriteEnable ^= 1;
   wrong.tests.depthCompareOp ^= 7;
   wrong.tests.stencilTestEnable ^= 1;
   wrong.tests.depthBoundsTestEnable = VK_FALSE;
   wrong.tests.front = s->tests.back;
   wrong.tests.back = s->tests.front;
   return wrong;
}

/* A pipeline for one case, and one for all of its fragment shader. */
static void
compare(unsigned number, VkPipeline under, const struct dynamic_state *background, const struct dynamic_state *s,
        VkPipeline all[2], const uint8_t wanted[SIZE_B])
{
   const uint32_t nums[2] = {DYNAMIC_FIRST, DYNAMIC_ALL};
   if (has_all && !all[s->fragment])
      all[s->fragment] = create(s, DYNAMIC_ALL);
   const struct dynamic_state wrong_first = wrong_first_states(s);
   VkPipeline pipelines[2] = {create(&wrong_first, DYNAMIC_FIRST), all[s->fragment]};
   for (unsigned i = 0; i < (has_all ? 2 : 1); i++) {
      picture(under, background, pipelines[i], s, nums[i]);
      unsigned wrong = vkt_different(pixels.map, wanted, SIZE_B, 0);
      vkt_expect(!wrong, "case %u, %u states: %u bytes", number, nums[i], wrong);
   }
   vkDestroyPipeline(vkx.device, pipelines[0], NULL);
}

static void
test(FILE *out, FILE *against)
{
   static uint8_t wanted[SIZE_B];
   VkPipeline all[2] = {VK_NULL_HANDLE};
   const struct dynamic_state background = {
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
      .raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1},
      .tests = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                .depthTestEnable = VK_TRUE,
                .depthWriteEnable = VK_TRUE,
                .depthCompareOp = VK_COMPARE_OP_LESS,
                .stencilTestEnable = VK_TRUE,
                .front = {.passOp = VK_STENCIL_OP_INCREMENT_AND_WRAP,
                          .compareOp = VK_COMPARE_OP_ALWAYS,
                          .compareMask = 0xff,
                          .writeMask = 0xff},
                .back = {.passOp = VK_STENCIL_OP_INCREMENT_AND_WRAP,
                         .depthFailOp = VK_STENCIL_OP_INVERT,
                         .compareOp = VK_COMPARE_OP_ALWAYS,
                         .compareMask = 0xff,
                         .writeMask = 0xff}},
      .format = VK_FORMAT_R32G32_SFLOAT,
      .blend = {.colorWriteMask = 0xf},
      .color_written = VK_TRUE,
      .sample_mask = 1};
   VkPipeline under = create(&background, 0);
   unsigned changed = 0;
   for (unsigned i = 0; i < CASES; i++) {
      const struct dynamic_state chosen = dynamic_state_random();
      struct dynamic_state s = chosen;
      s.tests.depthBoundsTestEnable &= vkt_features.depthBounds;
      s.logic_op_enable &= vkt_features.logicOp;
      VkPipeline pipeline = create(&s, 0);
      picture(under, &background, pipeline, &s, 0);
      vkDestroyPipeline(vkx.device, pipeline, NULL);
      changed += vkt_different(wanted, pixels.map, SIZE_B, 0) != 0;
      memcpy(wanted, pixels.map, SIZE_B);
      check_static(i, &chosen, out, against);
      if (!out)
         compare(i, under, &background, &s, all, wanted);
   }
   vkt_expect(changed > CASES / 2, "%u pictures", changed);
   dynamic_states_expect_pairs();
   vkDestroyPipeline(vkx.device, all[0], NULL);
   vkDestroyPipeline(vkx.device, all[1], NULL);
   vkDestroyPipeline(vkx.device, under, NULL);
}

int
main(int argc, char **argv)
{
   const char *out = vkx_option(argc, argv, "-o", NULL), *against = vkx_option(argc, argv, "--against", NULL);
   FILE *files[2] = {out ? fopen(out, "wb") : NULL, against ? fopen(against, "rb") : NULL};
   if ((out && !files[0]) || (against && !files[1])) {
      fprintf(stderr, "dynamic: cannot open the file\n");
      return 1;
   }
   vkx = vkt_create("dynamic");
   target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT_S8_UINT, (VkExtent2D){SIZE, SIZE},
                              1, VK_SAMPLE_COUNT_1_BIT);
   shapes = dynamic_shapes_create(&vkx);
   pixels = vkt_buffer_create(&vkx, SIZE_B, 1);
   layout = vkx_pipeline_layout_create(&vkx, VK_NULL_HANDLE, 0, 0);
   has_all = dynamic_states_has_all();
   dynamic_states_init(&vkx);
   if (vkt_has("VK_EXT_extended_dynamic_state") && vkt_has("VK_EXT_extended_dynamic_state2"))
      test(files[0], files[1]);
   else
      vkt_skip("VK_EXT_extended_dynamic_state2");
   for (unsigned i = 0; i < 2; i++)
      if (files[i])
         fclose(files[i]);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   dynamic_shapes_destroy(&vkx, &shapes);
   vkx_buffer_destroy(&vkx, &pixels);
   vkt_target_destroy(&vkx, &target);
   return vkt_finish(&vkx);
}
