/* VK_EXT_legacy_vertex_attributes: attributes of all formats at all addresses, with all strides; integers that the
 * shader takes for the other kind of integers. */
#include <string.h>

#include "attribute_formats.h"
#include "vkt_draw.h"

static const uint32_t attributes_vert[] = {
#include "attributes.vert.inc"
};

#define VERTICES 6u
#define SIZE 16u

static struct vkx *vkx;
static struct vkx_buffer records, vertices;
static struct vkt_target target;
static VkPipelineLayout layout;
static VkPipeline pipeline;
static VkDescriptorSet set;
static bool radv;

/* How a format lies in the buffer, and which of the shader's inputs takes it. */
struct place {
   uint32_t offset_B, stride_B, binding_B, which;
   VkDeviceSize bound_B; /* from binding_B on */
};

static void
set_vertex_input(VkCommandBuffer cmd, VkFormat format, const struct place *p)
{
   static const VkFormat others[3] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8G8B8A8_SINT};
   const VkVertexInputBindingDescription2EXT bindings[2] = {
      {.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, .binding = 0, .divisor = 1},
      {.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
       .binding = 1,
       .stride = p->stride_B,
       .divisor = 1}};
   VkVertexInputAttributeDescription2EXT attributes[3];
   for (uint32_t i = 0; i < 3; i++)
      attributes[i] =
         (VkVertexInputAttributeDescription2EXT){.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
                                                 .location = i,
                                                 .binding = i == p->which,
                                                 .format = i == p->which ? format : others[i],
                                                 .offset = i == p->which ? p->offset_B : 0};
   VKT_PROC(vkx, vkCmdSetVertexInputEXT)(cmd, 2, bindings, 3, attributes);
}

static void
draw_points(VkFormat format, const struct place *p)
{
   const VkDeviceSize offsets[2] = {0, p->binding_B}, sizes[2] = {64, p->bound_B};
   const VkBuffer buffers[2] = {vertices.buffer, vertices.buffer};
   VkCommandBuffer cmd = vkx_begin(vkx);
   memset(records.map, 0xee, records.size);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
   set_vertex_input(cmd, format, p);
   VKT_PROC(vkx, vkCmdBindVertexBuffers2EXT)(cmd, 0, 2, buffers, offsets, sizes, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 4, &p->which);
   vkCmdDraw(cmd, VERTICES, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
}

/* Of the whole attribute, whatever parts it is fetched in. */
static bool
is_inside(const struct attribute_family *family, const struct place *p, uint32_t vertex)
{
   return p->offset_B + vertex * p->stride_B + attribute_size_B(family) <= p->bound_B;
}

static bool
is_nothing(const uint32_t got[4])
{
   return !got[0] && !got[1] && !got[2] && (got[3] <= 1 || got[3] == 0x3f800000);
}

static void
test_format(const struct attribute_family *family, uint32_t kind_index)
{
   const VkFormat format = family->first + kind_index;
   const char kind = family->kinds[kind_index];
   VkFormatProperties properties;
   vkGetPhysicalDeviceFormatProperties(vkx->physical, format, &properties);
   if (!(properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT))
      return;
   if (radv && family->bgra && !family->packed && attribute_size_B(family) == 4)
      return; /* RADV 26.1.6: zeros out of alignment */
   struct place p = {.offset_B = vkt_random_below(4), .binding_B = vkt_random_below(5)};
   p.stride_B = vkt_random_below(6) ? p.offset_B + attribute_size_B(family) + vkt_random_below(4) : 0;
   p.bound_B = vkt_random_below(2) ? 1024 : 1 + vkt_random_below(60);
   if (kind == 'i' || kind == 'I')
      p.which = 1 + vkt_random_below(2);
   uint8_t *bytes = vertices.map;
   for (uint32_t i = 0; i < 1024; i++)
      bytes[i] = (uint8_t)vkt_random();
   /* Halves are normal and positive. */
   for (uint32_t v = 0; v < VERTICES && kind == 'f'; v++) {
      uint8_t *at = bytes + p.binding_B + p.offset_B + v * p.stride_B;
      for (uint32_t i = 0; i < attribute_size_B(family); i += 2)
         at[i + 1] = (uint8_t)(0x38 + vkt_random_below(8));
   }
   draw_points(format, &p);
   for (uint32_t v = 0; v < VERTICES; v++) {
      uint32_t expected[4], *got = (uint32_t *)records.map + 4 * v;
      if (!is_inside(family, &p, v)) {
         vkt_expect(is_nothing(got), "format %d, vertex %u outside: %x %x %x %x", format, v, got[0], got[1], got[2],
                    got[3]);
         continue;
      }
      attribute_expected(family, kind, bytes + p.binding_B + p.offset_B + v * p.stride_B, expected);
      bool same = true;
      for (unsigned c = 0; c < 4; c++)
         same &= attribute_is_close(kind, got[c], expected[c]);
      vkt_expect(same, "format %d at %u + %u, stride %u, vertex %u: %x %x %x %x, not %x %x %x %x", format,
                 p.binding_B, p.offset_B, p.stride_B, v, got[0], got[1], got[2], got[3], expected[0], expected[1],
                 expected[2], expected[3]);
   }
}

static VkPipeline
create_pipeline(void)
{
   static const VkDynamicState dynamic = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
   return vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                               .layout = layout,
                                                               .points = true,
                                                               .vertex = VKT_CODE(attributes_vert),
                                                               .num_dynamic = 1,
                                                               .dynamic = &dynamic});
}

int
main(int argc, char **argv)
{
   radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   vkt_legacy_attributes = vkt_robust = vkt_robust2 = true;
   struct vkx device = vkt_create("legacy_attributes");
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   vkx = &device;
   if (!vkt_has("VK_EXT_legacy_vertex_attributes")) {
      vkt_skip("VK_EXT_legacy_vertex_attributes");
      return vkt_finish(vkx);
   }
   records = vkt_buffer_create(vkx, 8192, 0);
   vertices = vkt_buffer_create(vkx, 4096, 0);
   target = vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, (VkExtent2D){SIZE, SIZE}, 1,
                              VK_SAMPLE_COUNT_1_BIT);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_VERTEX_BIT);
   set = vkt_set_create(vkx, set_layout, type, &records);
   layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_VERTEX_BIT, 4);
   pipeline = create_pipeline();
   for (unsigned f = 0; f < ATTRIBUTE_FAMILIES; f++) {
      for (uint32_t k = 0; attribute_families[f].kinds[k]; k++)
         test_format(&attribute_families[f], k);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_sets_destroy(vkx);
   vkt_target_destroy(vkx, &target);
   vkx_buffer_destroy(vkx, &records);
   vkx_buffer_destroy(vkx, &vertices);
   return vkt_finish(vkx);
}
