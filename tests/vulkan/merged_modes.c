/* Stages of a pipeline that ask for different modes of 32-bit floats (VK_KHR_shader_float_controls), although
 * hardware may run two of them in the same waves. */
#include "pass_helpers.h"

#define CODE(name) static const uint32_t name[] =
CODE(vert_0){
#include "merged_modes_vert_0.inc"
};
CODE(vert_1){
#include "merged_modes_vert_1.inc"
};
CODE(vert_2){
#include "merged_modes_vert_2.inc"
};
CODE(vert_3){
#include "merged_modes_vert_3.inc"
};
CODE(tesc_0){
#include "merged_modes_tesc_0.inc"
};
CODE(tesc_1){
#include "merged_modes_tesc_1.inc"
};
CODE(tesc_2){
#include "merged_modes_tesc_2.inc"
};
CODE(tesc_3){
#include "merged_modes_tesc_3.inc"
};
CODE(tese_0){
#include "merged_modes_tese_0.inc"
};
CODE(tese_1){
#include "merged_modes_tese_1.inc"
};
CODE(tese_2){
#include "merged_modes_tese_2.inc"
};
CODE(tese_3){
#include "merged_modes_tese_3.inc"
};
CODE(geom_0){
#include "merged_modes_geom_0.inc"
};
CODE(geom_1){
#include "merged_modes_geom_1.inc"
};
CODE(geom_2){
#include "merged_modes_geom_2.inc"
};
CODE(geom_3){
#include "merged_modes_geom_3.inc"
};

enum { STAGES = 4, MODES = 4, FLUSH = 1, TO_ZERO = 2, NUMBERS_B = 16 };
enum stage { VERTEX, CONTROL, EVALUATION, GEOMETRY };

static const struct vkt_code codes[STAGES][MODES] = {
   {VKT_CODE(vert_0), VKT_CODE(vert_1), VKT_CODE(vert_2), VKT_CODE(vert_3)},
   {VKT_CODE(tesc_0), VKT_CODE(tesc_1), VKT_CODE(tesc_2), VKT_CODE(tesc_3)},
   {VKT_CODE(tese_0), VKT_CODE(tese_1), VKT_CODE(tese_2), VKT_CODE(tese_3)},
   {VKT_CODE(geom_0), VKT_CODE(geom_1), VKT_CODE(geom_2), VKT_CODE(geom_3)}};

static struct vkt_target target;
static struct vkx_buffer numbers;
static VkDescriptorSetLayout set_layout;
static VkDescriptorSet set;
static VkPipelineLayout layout;

static struct vkt_code
code_of(uint32_t stages, enum stage stage, const uint32_t *modes)
{
   return stages >> stage & 1 ? codes[stage][modes[stage]] : (struct vkt_code){0};
}

static VkPipeline
pipeline_of(uint32_t stages, const uint32_t *modes)
{
   const VkPipelineTessellationStateCreateInfo tessellation = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = VK_TRUE,
      .lineWidth = 1};
   const bool patches = stages >> CONTROL & 1;
   return vkt_pipeline_create(vkx,
                              &(struct vkt_pipeline_info){.pass = target.pass,
                                                          .layout = layout,
                                                          .topology = patches ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
                                                                              : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                          .tessellation = patches ? &tessellation : NULL,
                                                          .raster = &raster,
                                                          .vertex = code_of(stages, VERTEX, modes),
                                                          .control = code_of(stages, CONTROL, modes),
                                                          .evaluation = code_of(stages, EVALUATION, modes),
                                                          .geometry = code_of(stages, GEOMETRY, modes)});
}

/* 1 + 1.5 * 2^-24 is nearer to the next number than to 1; half of the least normal number is a denormal. */
static void
write_numbers(void)
{
   const float all[4] = {1, 0x1.8p-24f, 0x1p-126f, 0.5f};
   memset(numbers.map, 0xff, numbers.size);
   memcpy(numbers.map, all, sizeof(all));
}

static void
draw(uint32_t stages, const uint32_t *modes)
{
   VkPipeline pipeline = pipeline_of(stages, modes);
   const uint32_t *results = (const uint32_t *)numbers.map + NUMBERS_B / 4;
   write_numbers();
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkCmdDraw(cmd, 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned s = 0; s < STAGES; s++) {
      const uint32_t sum = modes[s] & TO_ZERO ? 0x3f800000 : 0x3f800001, half = modes[s] & FLUSH ? 0 : 0x400000;
      if (stages >> s & 1)
         vkt_expect(results[2 * s] == sum && results[2 * s + 1] == half,
                    "stage %u of 0x%x, modes %u %u %u %u: 0x%08x 0x%08x instead of 0x%08x 0x%08x", s, stages,
                    modes[0], modes[1], modes[2], modes[3], results[2 * s], results[2 * s + 1], sum, half);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* All pairs of modes of each two stages that follow each other. */
static void
draw_all(void)
{
   const uint32_t tessellation = 1 << VERTEX | 1 << CONTROL | 1 << EVALUATION;
   for (uint32_t i = 0; i < MODES * MODES; i++) {
      const uint32_t a = i % MODES, b = i / MODES;
      draw(1 << VERTEX | 1 << GEOMETRY, (const uint32_t[]){a, 0, 0, b});
      if (!vkt_features.tessellationShader)
         continue;
      draw(tessellation, (const uint32_t[]){a, b, (a + b) % MODES, 0});
      draw(tessellation | 1 << GEOMETRY, (const uint32_t[]){b, (a * b + 1) % MODES, a, b});
   }
}

static bool
has_modes(void)
{
   VkPhysicalDeviceFloatControlsProperties modes = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
   VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &modes};
   vkGetPhysicalDeviceProperties2(vkx->physical, &all);
   return modes.shaderDenormFlushToZeroFloat32 && modes.shaderDenormPreserveFloat32 &&
          modes.shaderRoundingModeRTEFloat32 && modes.shaderRoundingModeRTZFloat32;
}

static void
create(void)
{
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                 VK_SHADER_STAGE_ALL_GRAPHICS, NULL};
   const VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &info, NULL, &set_layout), "vkCreateDescriptorSetLayout");
   layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   target = vkt_target_create(vkx, RGBA8, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   numbers = vkt_buffer_create(vkx, NUMBERS_B + 8 * STAGES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   set = vkt_set_create(vkx, set_layout, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &numbers);
}

static void
destroy(void)
{
   vkt_sets_destroy(vkx);
   vkx_buffer_destroy(vkx, &numbers);
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

int
main(int argc, char **argv)
{
   struct vkx created = vkt_create("merged_modes");
   vkx = &created;
   if (vkt_features.geometryShader && vkt_features.vertexPipelineStoresAndAtomics && has_modes()) {
      create();
      draw_all();
      destroy();
   } else {
      vkt_skip("geometryShader, vertexPipelineStoresAndAtomics, modes of floats");
   }
   return vkt_finish(vkx);
}
