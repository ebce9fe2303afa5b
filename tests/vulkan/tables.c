/* Tables of constants after the code of each stage: shaders/tables.glsl says what belongs where. */
#include "vkt_dispatch.h"

static const uint32_t compute_code[] = {
#include "tables_comp.inc"
};
static const uint32_t wild_code[] = {
#include "tables_wild.inc"
};
static const uint32_t vertex_code[] = {
#include "tables_vert.inc"
};
static const uint32_t fragment_code[] = {
#include "tables_frag.inc"
};

static const uint32_t control_code[] = {
#include "tables_tesc.inc"
};
static const uint32_t evaluation_code[] = {
#include "tables_tese.inc"
};
static const uint32_t geometry_code[] = {
#include "tables_geom.inc"
};

enum { SIZE_PX = 16, PIXELS = SIZE_PX * SIZE_PX, COUNT = 1024, GROUP = 64, WORDS = 256 };

static uint32_t
word(uint32_t i)
{
   return i % WORDS * 2654435761u + 12345;
}

static uint32_t
look(uint32_t i, uint32_t same)
{
   uint32_t row = i % 20, sum = word(i) * 31 + word(same);
   sum += (row * 6 + i % 3 * 2 + i % 2) * 7;
   sum += (i + 3) % 20 * 100 + i % 3 * 3 + i / 3 % 3;
   return (i + same) % 20 % 3 == 1 ? sum : ~sum;
}

static void
compute(struct vkx *vkx)
{
   struct vkx_buffer out = vkt_buffer_create(vkx, COUNT * 4, 0xaa);
   unsigned wrong = 0;
   vkt_dispatch(vkx, &(struct vkt_dispatch){
                        .code = VKT_CODE(compute_code), .num_buffers = 1, .buffers = &out, .groups = COUNT / GROUP});
   for (uint32_t i = 0; i < COUNT; i++)
      wrong += ((uint32_t *)out.map)[i] != look(i, i / GROUP);
   vkt_expect(!wrong, "compute: %u of %u differ", wrong, COUNT);
   vkx_buffer_destroy(vkx, &out);
}

static bool
is_of_table(uint32_t value)
{
   uint32_t at = 0;
   while (at < WORDS && value != word(at))
      at++;
   return !value || at < WORDS;
}

/* What is read outside of the table is 0 or something of it: no fault, and nothing of the code before it. */
static void
read_outside(struct vkx *vkx)
{
   enum { READS = COUNT + COUNT / GROUP };
   struct vkx_buffer buffers[2] = {vkt_buffer_create(vkx, READS * 4, 0xaa), vkt_buffer_create(vkx, READS * 4, 0)};
   const uint32_t *outs = buffers[0].map;
   uint32_t *indices = buffers[1].map;
   unsigned wrong = 0;
   for (uint32_t i = 0; i < READS; i++)
      indices[i] = i < 512 ? i : i < 768 ? 511 - i : vkt_random() << vkt_random_below(24);
   vkt_dispatch(vkx, &(struct vkt_dispatch){
                        .code = VKT_CODE(wild_code), .num_buffers = 2, .buffers = buffers, .groups = COUNT / GROUP});
   for (uint32_t i = 0; i < READS; i++)
      wrong += indices[i] < WORDS ? outs[i] != word(indices[i]) : !is_of_table(outs[i]);
   vkt_expect(!wrong, "indices outside: %u of %u differ", wrong, READS);
   for (unsigned i = 0; i < 2; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

static VkPipeline
create_pipeline(struct vkx *vkx, VkRenderPass pass, VkPipelineLayout layout, bool all_stages)
{
   static const VkPipelineTessellationStateCreateInfo patches = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
   struct vkt_pipeline_info info = {
      .pass = pass, .layout = layout, .vertex = VKT_CODE(vertex_code), .fragment = VKT_CODE(fragment_code)};
   if (all_stages) {
      info.control = VKT_CODE(control_code);
      info.evaluation = VKT_CODE(evaluation_code);
      info.geometry = VKT_CODE(geometry_code);
      info.tessellation = &patches;
      info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
   }
   return vkt_pipeline_create(vkx, &info);
}

static void
draw(struct vkx *vkx, bool all_stages)
{
   const uint32_t between = all_stages ? look(21, 3) ^ look(31, 5) ^ look(41, 7) : 0;
   struct vkt_target target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){SIZE_PX, SIZE_PX}, 1, VK_SAMPLE_COUNT_1_BIT);
   struct vkx_buffer out = vkt_buffer_create(vkx, PIXELS * 4, 0xaa);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   VkDescriptorSet set = vkt_set_create(vkx, set_layout, type, &out);
   VkPipeline pipeline = create_pipeline(vkx, target.pass, layout, all_stages);
   VkCommandBuffer cmd = vkx_begin(vkx);
   unsigned wrong = 0;
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < PIXELS; i++)
      wrong += ((uint32_t *)out.map)[i] != (look(5, 77) ^ between ^ look(i, 11));
   vkt_expect(!wrong, "%s stages: %u of %u differ", all_stages ? "all" : "two", wrong, PIXELS);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_target_destroy(vkx, &target);
   vkx_buffer_destroy(vkx, &out);
   vkt_sets_destroy(vkx);
}

int
main(void)
{
   struct vkx vkx = vkt_create("tables");
   compute(&vkx);
   read_outside(&vkx);
   draw(&vkx, false);
   if (vkt_features.tessellationShader && vkt_features.geometryShader)
      draw(&vkx, true);
   else
      vkt_skip("tessellationShader, geometryShader");
   return vkt_finish(&vkx);
}
