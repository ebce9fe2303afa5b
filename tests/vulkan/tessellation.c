/* Tessellation: domains, spacings, points and lines, factors of every kind, vertices of patches before and behind the
 * control shader, outputs of patches and outputs that are read back, origins of domains. 16 patches fill a cell of
 * 16 x 16 texels each with four numbers; which texels and which numbers is known. */
#include <math.h>

#include "pass_helpers.h"

#define MODULE(name) static const uint32_t name[] = {
MODULE(vertex_code)
#include "tessellated.vert.inc"
}
;
MODULE(fragment_code)
#include "tessellated.frag.inc"
}
;
MODULE(number_code)
#include "tessellated_number.frag.inc"
}
;
MODULE(control_3)
#include "tessellated_3.tesc.inc"
}
;
MODULE(control_5)
#include "tessellated_5.tesc.inc"
}
;
MODULE(control_32)
#include "tessellated_32.tesc.inc"
}
;
MODULE(triangles_equal)
#include "tessellated_triangles_equal_3.tese.inc"
}
;
MODULE(triangles_odd)
#include "tessellated_triangles_odd_5.tese.inc"
}
;
MODULE(triangles_even)
#include "tessellated_triangles_even_3.tese.inc"
}
;
MODULE(quads_equal)
#include "tessellated_quads_equal_3.tese.inc"
}
;
MODULE(quads_odd)
#include "tessellated_quads_odd_5.tese.inc"
}
;
MODULE(quads_even)
#include "tessellated_quads_even_32.tese.inc"
}
;
MODULE(lines_equal)
#include "tessellated_lines_equal_3.tese.inc"
}
;
MODULE(lines_odd)
#include "tessellated_lines_odd_5.tese.inc"
}
;
MODULE(points_equal)
#include "tessellated_points_equal_3.tese.inc"
}
;
MODULE(pass_code)
#include "tessellated.geom.inc"
}
;

enum { SIDE = 64, CELL = 16, PATCHES = 16 };
enum shape { TRIANGLES, QUADS, LINES, POINTS };

struct scene {
   const char *name;
   enum shape shape;
   uint32_t vertices, made; /* of a patch, ahead of the control shader and behind it */
   struct vkt_code control, evaluation, geometry;
   bool culls, lower_left; /* culls: clockwise triangles */
   bool numbers;           /* the fragment shader has the patch's number of its own */
   bool dynamic;           /* size of patches and origin of domains are set by commands */
   uint32_t instances;     /* besides the first; the last one draws over the others */
};

static struct vkt_target target;
static struct vkx_buffer result, factors;
static VkDescriptorSetLayout set_layout;
static VkDescriptorSet set;
static VkPipelineLayout layout;

/* 0, negative ones and NaN cull; all others are clamped. */
static float
factor(uint32_t patch)
{
   const float of[PATCHES] = {1, 2, 3, 4.5f, 5, 7.25f, 8, 0, 16, NAN, 31.7f, 64, 100, 0.5f, -1, 10};
   return of[patch];
}

/* Of points of equal spacing: it rounds up to 15. */
static void
write_factors(enum shape shape)
{
   float *to = factors.map;
   for (uint32_t i = 0; i < 6 * PATCHES; i++) {
      const float f = factor(i / 6);
      to[i] = f > 0 && shape == POINTS ? 14.1f : f > 0 && shape == LINES && i % 6 == 0 ? 16 : f;
   }
}

static VkPipeline
pipeline_of(const struct scene *scene)
{
   static const VkDynamicState states[] = {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT,
                                           VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT};
   const VkPipelineTessellationDomainOriginStateCreateInfo origin = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
      .domainOrigin = VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT};
   const VkPipelineTessellationStateCreateInfo tessellation = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
      .pNext = scene->lower_left && !scene->dynamic ? &origin : NULL,
      .patchControlPoints = scene->dynamic ? 1 : scene->vertices};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .cullMode = scene->culls ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE,
      .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
      .lineWidth = 1};
   return vkt_pipeline_create(
      vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                       .layout = layout,
                                       .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
                                       .tessellation = &tessellation,
                                       .raster = &raster,
                                       .num_dynamic = scene->dynamic ? 2 : 0,
                                       .dynamic = states,
                                       .vertex = VKT_CODE(vertex_code),
                                       .control = scene->control,
                                       .evaluation = scene->evaluation,
                                       .geometry = scene->geometry,
                                       .fragment = scene->numbers ? VKT_CODE(number_code) : VKT_CODE(fragment_code)});
}

/* Whether a texel of a cell belongs to the patch: 0, 1, or -1 where either may be. */
static int
covers(enum shape shape, uint32_t x, uint32_t y)
{
   if (shape == TRIANGLES && x + y == CELL - 1)
      return -1;
   if (shape == LINES && x == CELL - 1)
      return -1;
   return shape != TRIANGLES || x + y < CELL - 1;
}

static void
expected(const struct scene *scene, uint32_t patch, uint32_t to[4])
{
   const uint32_t n = scene->vertices, m = scene->made;
   const uint32_t sum = n * n * patch + n * (n - 1) / 2 + 100 * n * scene->instances;
   const uint32_t parts = m < 5 ? m : 5;
   to[0] = patch;
   to[1] = n;
   to[2] = m * sum + m * (m - 1) / 2;
   to[3] = sum + 1000 * (parts - 1) + 10 * parts * (parts - 1) / 2 * 10000;
}

/* Behind a tessellator, the number of a primitive is its patch's (Direct3D, RADV), or primitives are counted. */
static bool
numbers_patches(void)
{
   return strstr(vkx->properties.deviceName, "Indium") || strstr(vkx->properties.deviceName, "RADV");
}

static bool
is_as_expected(const struct scene *scene, const uint32_t texel[4], const uint32_t expected[4])
{
   const uint32_t first = (scene->numbers || scene->geometry.words) && !numbers_patches();
   return !memcmp(texel + first, expected + first, 16 - 4 * first);
}

static void
compare(const struct scene *scene)
{
   static const uint32_t zeros[4];
   const uint32_t(*texels)[4] = result.map;
   uint32_t wrong = 0, at = 0, was[4] = {0};
   for (uint32_t i = 0; i < SIDE * SIDE; i++) {
      const uint32_t x = i % SIDE, y = i / SIDE, patch = y / CELL * 4 + x / CELL;
      const int covered = covers(scene->shape, x % CELL, y % CELL);
      const bool culled = !(factor(patch) > 0) || (scene->culls && scene->lower_left);
      uint32_t value[4];
      expected(scene, patch, value);
      if (covered < 0 || is_as_expected(scene, texels[i], covered && !culled ? value : zeros))
         continue;
      if (!wrong++)
         memcpy(was, covered && !culled ? value : zeros, 16), at = i;
   }
   const uint32_t *is = texels[at];
   vkt_expect(!wrong, "%s: %u texels are wrong; %u, %u is %u %u %u %u instead of %u %u %u %u", scene->name, wrong,
              at % SIDE, at / SIDE, is[0], is[1], is[2], is[3], was[0], was[1], was[2], was[3]);
}

static void
set_states(VkCommandBuffer cmd, const struct scene *scene)
{
   PFN_vkCmdSetPatchControlPointsEXT set_vertices = VKT_PROC(vkx, vkCmdSetPatchControlPointsEXT);
   PFN_vkCmdSetTessellationDomainOriginEXT set_origin = VKT_PROC(vkx, vkCmdSetTessellationDomainOriginEXT);
   set_vertices(cmd, scene->vertices);
   set_origin(cmd, scene->lower_left ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                                     : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
}

static void
draw(const struct scene *scene)
{
   VkPipeline pipeline = pipeline_of(scene);
   write_factors(scene->shape);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   if (scene->dynamic)
      set_states(cmd, scene);
   vkCmdDraw(cmd, scene->vertices * PATCHES, 1 + scene->instances, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &result);
   compare(scene);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

#define SCENE(name, shape, vertices, made, evaluation)                                                               \
   {                                                                                                                 \
      name, shape, vertices, made, VKT_CODE(control_##made), VKT_CODE(evaluation), {0}, .culls = false               \
   }

static bool
has_states(void)
{
   VkPhysicalDeviceExtendedDynamicState3FeaturesEXT third = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
   VkPhysicalDeviceExtendedDynamicState2FeaturesEXT second = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT, .pNext = &third};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &second};
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   return vkt_has("VK_EXT_extended_dynamic_state2") && vkt_has("VK_EXT_extended_dynamic_state3") &&
          second.extendedDynamicState2PatchControlPoints && third.extendedDynamicState3TessellationDomainOrigin;
}

static void
run_all(void)
{
   struct scene scenes[] = {SCENE("triangles, equal", TRIANGLES, 3, 3, triangles_equal),
                            SCENE("triangles, odd", TRIANGLES, 7, 5, triangles_odd),
                            SCENE("triangles, even", TRIANGLES, 1, 3, triangles_even),
                            SCENE("quads, equal", QUADS, 4, 3, quads_equal),
                            SCENE("quads, odd", QUADS, 32, 5, quads_odd),
                            SCENE("quads, even", QUADS, 2, 32, quads_even),
                            SCENE("isolines, equal", LINES, 2, 3, lines_equal),
                            SCENE("isolines, odd", LINES, 3, 5, lines_odd),
                            SCENE("points", POINTS, 3, 3, points_equal)};
   for (uint32_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
      if (scenes[i].shape != POINTS || vkt_features.shaderTessellationAndGeometryPointSize)
         draw(&scenes[i]);
   }
   struct scene turned = scenes[3];
   turned.culls = true;
   turned.name = "quads, upper left";
   draw(&turned);
   turned.lower_left = true;
   turned.name = "quads, lower left";
   draw(&turned);
   struct scene dynamic = turned;
   dynamic.dynamic = true;
   dynamic.name = "quads, states set by commands";
   if (has_states())
      draw(&dynamic);
   else
      vkt_skip("extendedDynamicState3TessellationDomainOrigin");
   struct scene numbered = scenes[4];
   numbered.numbers = true;
   numbered.instances = 2;
   numbered.name = "quads of three instances, numbered";
   draw(&numbered);
   struct scene passed = scenes[3];
   passed.geometry = VKT_CODE(pass_code);
   passed.instances = 1;
   passed.name = "quads of two instances and a geometry shader";
   if (vkt_features.geometryShader)
      draw(&passed);
}

static void
create(void)
{
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                 VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, NULL};
   const VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &info, NULL, &set_layout), "vkCreateDescriptorSetLayout");
   layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   target = vkt_target_create(vkx, VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_UNDEFINED, (VkExtent2D){SIDE, SIDE}, 1,
                              VK_SAMPLE_COUNT_1_BIT);
   result = vkt_buffer_create(vkx, SIDE * SIDE * 16, 0);
   factors = vkt_buffer_create(vkx, 6 * PATCHES * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   set = vkt_set_create(vkx, set_layout, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &factors);
}

static void
destroy(void)
{
   vkt_sets_destroy(vkx);
   vkx_buffer_destroy(vkx, &factors);
   vkx_buffer_destroy(vkx, &result);
   vkt_target_destroy(vkx, &target);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

int
main(int argc, char **argv)
{
   struct vkx created = vkt_create("tessellation");
   vkx = &created;
   if (vkt_features.tessellationShader) {
      create();
      run_all();
      destroy();
   } else {
      vkt_skip("tessellationShader");
   }
   return vkt_finish(vkx);
}
