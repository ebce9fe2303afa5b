/* Vertex attributes of all formats, with strides, offsets and divisors; and state that is set while recording. */
#include <math.h>
#include <string.h>

#include "attribute_formats.h"
#include "vkt_draw.h"

static const uint32_t attributes_vert[] = {
#include "attributes.vert.inc"
};
static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define VERTICES 6u
#define SIZE 16u

static const uint32_t doubles_vert[] = {
#include "attributes_double.inc"
};
static const uint32_t integers_vert[] = {
#include "attributes_integer.inc"
};

static struct vkx *vkx;
static struct vkx_buffer records, vertices;

static struct vkt_target target;
static VkPipelineLayout layout, quad_layout;
static VkDescriptorSet set;

/* How a format lies in the buffer. */
struct place {
   uint32_t offset_B, stride_B, binding_B;
   bool per_instance;
   uint32_t divisor;
};

static VkPipeline
attribute_pipeline(VkFormat format, uint32_t which, const struct place *p)
{
   const VkVertexInputBindingDescription bindings[2] = {
      {0, 0, VK_VERTEX_INPUT_RATE_VERTEX},
      {3, p->stride_B, p->per_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX}};
   static const VkFormat others[3] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8G8B8A8_SINT};
   VkVertexInputAttributeDescription attributes[3];
   for (uint32_t i = 0; i < 3; i++)
      attributes[i] = i == which ? (VkVertexInputAttributeDescription){i, 3, format, p->offset_B}
                                 : (VkVertexInputAttributeDescription){i, 0, others[i], 0};
   const VkVertexInputBindingDivisorDescriptionEXT divisor = {3, p->divisor};
   const VkPipelineVertexInputDivisorStateCreateInfoEXT divisors = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
      .vertexBindingDivisorCount = 1,
      .pVertexBindingDivisors = &divisor};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .pNext = p->per_instance && p->divisor != 1 ? &divisors : NULL,
                                                       .vertexBindingDescriptionCount = 2,
                                                       .pVertexBindingDescriptions = bindings,
                                                       .vertexAttributeDescriptionCount = 3,
                                                       .pVertexAttributeDescriptions = attributes};
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                               .layout = layout,
                                                               .points = true,
                                                               .vertex = VKT_CODE(attributes_vert),
                                                               .vertex_input = &input});
}

static void
draw_points(VkPipeline pipeline, uint32_t which, const struct place *p, uint32_t instances, uint32_t first_instance)
{
   const VkDeviceSize zero = 0, at = p->binding_B;
   VkCommandBuffer cmd = vkx_begin(vkx);
   memset(records.map, 0xee, records.size);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   vkCmdBindVertexBuffers(cmd, 0, 1, &vertices.buffer, &zero);
   vkCmdBindVertexBuffers(cmd, 3, 1, &vertices.buffer, &at);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 4, &which);
   vkCmdDraw(cmd, VERTICES, instances, 0, first_instance);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* Components of 64 bits: as many as the format has, and what is at the next location. */
static void
test_wide(VkFormat format, uint32_t components, const struct vkt_code *vertex)
{
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, format, &properties);
   if (!(properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT))
      return;
   const uint32_t offset_B = 8 * vkt_random_below(3), stride_B = offset_B + 8 * components + 8 * vkt_random_below(2);
   const VkVertexInputBindingDescription binding = {0, stride_B, VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attributes[2] = {{0, 0, format, offset_B},
                                                            {2, 0, VK_FORMAT_R8_UINT, offset_B}};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 2,
                                                       .pVertexAttributeDescriptions = attributes};
   VkPipeline pipeline = vkt_pipeline_create(
      vkx, &(struct vkt_pipeline_info){
              .pass = target.pass, .layout = layout, .points = true, .vertex = *vertex, .vertex_input = &input});
   const struct place none = {0};
   uint8_t *bytes = vertices.map;
   for (uint32_t i = 0; i < 1024; i++)
      bytes[i] = (uint8_t)(vkt_random() & 0x7f);
   draw_points(pipeline, 0, &none, 1, 0);
   for (uint32_t v = 0; v < VERTICES; v++) {
      const uint8_t *got = (uint8_t *)records.map + 48 * v, *from = bytes + v * stride_B + offset_B;
      vkt_expect(!memcmp(got, from, 8 * components) && got[32] == *from, "format %d, vertex %u", format, v);
   }
}

static void
test_wides(void)
{
   const struct vkt_code doubles = VKT_CODE(doubles_vert), integers = VKT_CODE(integers_vert);
   for (uint32_t i = 0; i < 4; i++) {
      if (vkt_features.shaderFloat64)
         test_wide(VK_FORMAT_R64_SFLOAT + 3 * i, i + 1, &doubles);
      if (vkt_features.shaderInt64)
         test_wide(VK_FORMAT_R64_UINT + 3 * i, i + 1, &integers);
   }
}

static void
test_format(const struct attribute_family *family, uint32_t kind_index)
{
   const VkFormat format = family->first + kind_index;
   const char kind = family->kinds[kind_index];
   const uint32_t which = kind == 'i' ? 1 : kind == 'I' ? 2 : 0;
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, format, &properties);
   if (!(properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT))
      return;
   const uint32_t size_B = attribute_size_B(family), unit_B = family->packed ? 4 : family->bits[0] / 8;
   struct place p = {
      .offset_B = unit_B * vkt_random_below(4), .binding_B = unit_B * vkt_random_below(5), .divisor = 1};
   p.stride_B = vkt_random_below(6) ? p.offset_B + size_B + unit_B * vkt_random_below(3) : 0;
   uint8_t *bytes = vertices.map;
   for (uint32_t i = 0; i < 1024; i += 2) {
      uint16_t half = (uint16_t)(kind == 'f' ? 0x3800 + vkt_random_below(0x800) : vkt_random());
      memcpy(bytes + i, &half, 2);
   }
   draw_points(attribute_pipeline(format, which, &p), which, &p, 1, 0);
   for (uint32_t v = 0; v < VERTICES; v++) {
      uint32_t expected[4], *got = (uint32_t *)records.map + 4 * v;
      attribute_expected(family, kind, bytes + p.binding_B + p.offset_B + v * p.stride_B, expected);
      bool same = true;
      for (unsigned c = 0; c < 4; c++)
         same &= attribute_is_close(kind, got[c], expected[c]);
      vkt_expect(same, "format %d, offset %u, stride %u, vertex %u: %x %x %x %x, not %x %x %x %x", format, p.offset_B,
                 p.stride_B, v, got[0], got[1], got[2], got[3], expected[0], expected[1], expected[2], expected[3]);
   }
}

static void
test_divisors(void)
{
   static const uint32_t rows[] = {1, 0, 2, 3, 5};
   for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
      if (rows[r] != 1 && !vkt_has("VK_EXT_vertex_attribute_divisor")) {
         vkt_skip("divisors");
         return;
      }
      const struct place p = {.stride_B = 4, .per_instance = true, .divisor = rows[r]};
      const uint32_t first = 2, instances = 7;
      for (uint32_t i = 0; i < 64; i++)
         ((uint32_t *)vertices.map)[i] = 100 + i;
      draw_points(attribute_pipeline(VK_FORMAT_R32_UINT, 1, &p), 1, &p, instances, first);
      for (uint32_t i = first; i < first + instances; i++) {
         uint32_t step = rows[r] ? (i - first) / rows[r] : 0, got = ((uint32_t *)records.map)[(i * 8 + 1) * 4];
         vkt_expect(got == 100 + first + step, "divisor %u, instance %u: %u", rows[r], i, got);
      }
   }
}

/* Two structs have the limit; draws of test_divisors() start at an instance that is not 0. */
static void
test_divisor_properties(void)
{
   VkPhysicalDeviceVertexAttributeDivisorPropertiesKHR newer = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_KHR};
   VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT older = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT, .pNext = &newer};
   VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &older};
   if (!vkt_has("VK_KHR_vertex_attribute_divisor") || !vkt_has("VK_EXT_vertex_attribute_divisor")) {
      vkt_skip("VK_KHR_vertex_attribute_divisor");
      return;
   }
   vkGetPhysicalDeviceProperties2(vkx->physical, &all);
   vkt_expect(newer.maxVertexAttribDivisor >= 65535 && newer.maxVertexAttribDivisor == older.maxVertexAttribDivisor,
              "maxVertexAttribDivisor: %u and %u", newer.maxVertexAttribDivisor, older.maxVertexAttribDivisor);
   vkt_expect(newer.supportsNonZeroFirstInstance, "supportsNonZeroFirstInstance");
}

/* ---- state that is set while recording ---- */

static const VkDynamicState dynamic_states[] = {
   VK_DYNAMIC_STATE_LINE_WIDTH,       VK_DYNAMIC_STATE_DEPTH_BIAS,           VK_DYNAMIC_STATE_BLEND_CONSTANTS,
   VK_DYNAMIC_STATE_DEPTH_BOUNDS,     VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
   VK_DYNAMIC_STATE_STENCIL_REFERENCE};

/* The attachments hold black, depth 0.5, stencil 0x0f. A white quad of depth 0.5 is drawn. */
static const struct state {
   const char *name;
   VkCompareOp depth, stencil;
   bool bounds, blend;
   float bias, bounds_low, bounds_high, constants[4];
   uint32_t compare_mask, write_mask, reference[2]; /* of front, back */
   VkViewport viewport;
   VkRect2D scissor;
   uint32_t color, stencil_after; /* of pixel (4, 4) */
} states[] = {
#define ALWAYS VK_COMPARE_OP_ALWAYS
#define EQUAL VK_COMPARE_OP_EQUAL
#define FULL                                                                                                         \
   {                                                                                                                 \
      0, 0, SIZE, SIZE, 0, 1                                                                                         \
   }
#define ALL                                                                                                          \
   {                                                                                                                 \
      {0, 0},                                                                                                        \
      {                                                                                                              \
         SIZE, SIZE                                                                                                  \
      }                                                                                                              \
   }
   {"all as usual", ALWAYS, ALWAYS, false, false, 0, 0, 1, {0}, 255, 0, {0, 0}, FULL, ALL, ~0u, 0x0f},
   {"blend constants",
    ALWAYS,
    ALWAYS,
    false,
    true,
    0,
    0,
    1,
    {0.2f, 0.4f, 0.6f, 0.8f},
    255,
    0,
    {0, 0},
    FULL,
    ALL,
    0xcc996633,
    0x0f},
   {"inside depth bounds", ALWAYS, ALWAYS, true, false, 0, 0.4f, 0.6f, {0}, 255, 0, {0, 0}, FULL, ALL, ~0u, 0x0f},
   {"outside depth bounds", ALWAYS, ALWAYS, true, false, 0, 0.6f, 0.7f, {0}, 255, 0, {0, 0}, FULL, ALL, 0, 0x0f},
   {"not less", VK_COMPARE_OP_LESS, ALWAYS, false, false, 0, 0, 1, {0}, 255, 0, {0, 0}, FULL, ALL, 0, 0x0f},
   {"less by bias", VK_COMPARE_OP_LESS, ALWAYS, false, false, -100, 0, 1, {0}, 255, 0, {0, 0}, FULL, ALL, ~0u, 0x0f},
   {"depth range",
    VK_COMPARE_OP_LESS,
    ALWAYS,
    false,
    false,
    0,
    0,
    1,
    {0},
    255,
    0,
    {0, 0},
    {0, 0, SIZE, SIZE, 0, 0.9f},
    ALL,
    ~0u,
    0x0f},
   {"stencil compare mask", ALWAYS, EQUAL, false, false, 0, 0, 1, {0}, 0x0f, 0, {0xff, 0xff}, FULL, ALL, ~0u, 0x0f},
   {"other stencil compare mask",
    ALWAYS,
    EQUAL,
    false,
    false,
    0,
    0,
    1,
    {0},
    0xf0,
    0,
    {0xff, 0xff},
    FULL,
    ALL,
    0,
    0x0f},
   {"stencil write mask", ALWAYS, ALWAYS, false, false, 0, 0, 1, {0}, 255, 0x3c, {0xff, 0xff}, FULL, ALL, ~0u, 0x3f},
   {"reference of the face",
    ALWAYS,
    ALWAYS,
    false,
    false,
    0,
    0,
    1,
    {0},
    255,
    0xff,
    {0x55, 0xaa},
    FULL,
    ALL,
    ~0u,
    0xaa},
   {"reference of the other face",
    ALWAYS,
    ALWAYS,
    false,
    false,
    0,
    0,
    1,
    {0},
    255,
    0xff,
    {0x55, 0xaa},
    {0, SIZE, SIZE, -(float)SIZE, 0, 1},
    ALL,
    ~0u,
    0x55},
   {"scissor elsewhere", ALWAYS, ALWAYS, false, false, 0, 0, 1, {0}, 255, 0, {0, 0}, FULL, {{5, 0}, {8, 8}}, 0, 0x0f},
   {"viewport elsewhere",
    ALWAYS,
    ALWAYS,
    false,
    false,
    0,
    0,
    1,
    {0},
    255,
    0,
    {0, 0},
    {8, 8, 8, 8, 0, 1},
    ALL,
    0,
    0x0f},
   {"viewport here", ALWAYS, ALWAYS, false, false, 0, 0, 1, {0}, 255, 0, {0, 0}, {4, 4, 1, 1, 0, 1}, ALL, ~0u, 0x0f},
};

static VkPipeline
state_pipeline(const struct state *s)
{
   const VkStencilOpState face = {.passOp = VK_STENCIL_OP_REPLACE, .compareOp = s->stencil};
   const VkPipelineDepthStencilStateCreateInfo depth = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                        .depthTestEnable = VK_TRUE,
                                                        .depthCompareOp = s->depth,
                                                        .depthBoundsTestEnable = s->bounds,
                                                        .stencilTestEnable = VK_TRUE,
                                                        .front = face,
                                                        .back = face};
   const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .lineWidth = 1,
      .depthBiasEnable = VK_TRUE,
      .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE};
   const VkPipelineColorBlendAttachmentState blend = {.blendEnable = s->blend,
                                                      .srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR,
                                                      .srcAlphaBlendFactor = VK_BLEND_FACTOR_CONSTANT_ALPHA,
                                                      .colorWriteMask = 0xf};
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.load_pass,
                                                               .layout = quad_layout,
                                                               .depth_stencil = &depth,
                                                               .raster = &raster,
                                                               .blend = &blend,
                                                               .vertex = VKT_CODE(quad_vert),
                                                               .fragment = VKT_CODE(quad_frag),
                                                               .num_dynamic = ARRAY_SIZE(dynamic_states),
                                                               .dynamic = dynamic_states});
}

static void
test_state(const struct state *s)
{
   const VkClearAttachment clears[2] = {
      {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {{0, 0, 0, 0}}}},
      {VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, {.depthStencil = {0.5f, 0x0f}}}};
   const VkClearRect whole = {ALL, 0, 1};
   const float white[4] = {1, 1, 1, 1};
   VkPipeline pipeline = state_pipeline(s);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.load_pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdClearAttachments(cmd, 2, clears, 1, &whole);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdSetViewport(cmd, 0, 1, &s->viewport);
   vkCmdSetScissor(cmd, 0, 1, &s->scissor);
   vkCmdSetLineWidth(cmd, 1);
   vkCmdSetDepthBias(cmd, s->bias, 0, 0);
   vkCmdSetBlendConstants(cmd, s->constants);
   vkCmdSetDepthBounds(cmd, s->bounds_low, s->bounds_high);
   vkCmdSetStencilCompareMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, s->compare_mask);
   vkCmdSetStencilWriteMask(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, s->write_mask);
   vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_FRONT_BIT, s->reference[0]);
   vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_BACK_BIT, s->reference[1]);
   vkt_draw_quad(cmd, quad_layout, target.extent, 0, 0, SIZE, SIZE, 0.5f, white);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   vkt_read(vkx, &target.color, VK_IMAGE_ASPECT_COLOR_BIT, 0, &records);
   uint32_t color = ((uint32_t *)records.map)[4 * SIZE + 4];
   vkt_read(vkx, &target.depth, VK_IMAGE_ASPECT_STENCIL_BIT, 0, &records);
   uint32_t stencil = ((uint8_t *)records.map)[4 * SIZE + 4];
   vkt_expect(color == s->color, "%s: colour %08x", s->name, color);
   vkt_expect(stencil == s->stencil_after, "%s: stencil %02x", s->name, stencil);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

int
main(int argc, char **argv)
{
   struct vkx device = vkt_create("vertices");
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   vkx = &device;
   records = vkt_buffer_create(vkx, 8192, 0);
   vertices = vkt_buffer_create(vkx, 4096, 0);
   target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT_S8_UINT, (VkExtent2D){SIZE, SIZE},
                              1, VK_SAMPLE_COUNT_1_BIT);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_VERTEX_BIT);
   set = vkt_set_create(vkx, set_layout, type, &records);
   layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_VERTEX_BIT, 4);
   quad_layout = vkt_quad_layout_create(vkx);
   for (unsigned f = 0; f < ATTRIBUTE_FAMILIES; f++) {
      for (uint32_t k = 0; attribute_families[f].kinds[k]; k++)
         test_format(&attribute_families[f], k);
   }
   test_divisors();
   /* Debian 12's validation layer does not know the newer struct, and wants both locations of four components of 64
    * bits from formats that have one. */
   if (strcmp(vkx_option(argc, argv, "--quirks", ""), "validation")) {
      test_wides();
      test_divisor_properties();
   }
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (unsigned i = 0; i < ARRAY_SIZE(states); i++) {
      if (!states[i].bounds || vkt_features.depthBounds)
         test_state(&states[i]);
   }
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_sets_destroy(vkx);
   vkt_target_destroy(vkx, &target);
   vkx_buffer_destroy(vkx, &records);
   vkx_buffer_destroy(vkx, &vertices);
   return vkt_finish(vkx);
}
