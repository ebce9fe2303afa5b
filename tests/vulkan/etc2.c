/* Blocks of ETC2 and EAC, one of each format, whose texels follow from the Khronos Data Format Specification 1.3,
 * chapters 21 and 22: a base colour, to which all texels add the first value of a table. */
#include <math.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t code[] = {
#include "etc2.comp.inc"
};

/* Individual mode: 4 bits a component twice, table 0, all texels add 2: 255, 138, 2. */
#define RGB 0xff, 0x88, 0x00, 0x00, 0, 0, 0, 0
/* Differential mode, opaque: 5 bits a component: 255, 132 + 2, 2. */
#define RGB1 31 << 3, 16 << 3, 0, 2, 0, 0, 0, 0
/* The same, not opaque: where an index is 2, nothing. */
#define HOLE 31 << 3, 16 << 3, 0, 0, 0xff, 0xff, 0, 0
/* A base, no multiplier (EAC of 11 bits: one eighth), table 0, all texels add -3. */
#define EAC(base) base, 0, 0, 0, 0, 0, 0, 0

static const struct {
   VkFormat format;
   const char *name;
   uint8_t block[16];
   float texel[4]; /* as it is in the block, without the curve of sRGB */
} rows[] = {
   {VK_FORMAT_ETC2_R8G8B8_UNORM_BLOCK, "RGB", {RGB}, {1, 138 / 255.0f, 2 / 255.0f, 1}},
   {VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK, "sRGB", {RGB}, {1, 138 / 255.0f, 2 / 255.0f, 1}},
   {VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK, "RGBA1", {RGB1}, {1, 134 / 255.0f, 2 / 255.0f, 1}},
   {VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, "sRGBA1", {RGB1}, {1, 134 / 255.0f, 2 / 255.0f, 1}},
   {VK_FORMAT_ETC2_R8G8B8A1_UNORM_BLOCK, "RGBA1 without colour", {HOLE}, {0, 0, 0, 0}},
   {VK_FORMAT_ETC2_R8G8B8A8_UNORM_BLOCK, "RGBA", {EAC(100), RGB}, {1, 138 / 255.0f, 2 / 255.0f, 100 / 255.0f}},
   {VK_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK, "sRGBA", {EAC(100), RGB}, {1, 138 / 255.0f, 2 / 255.0f, 100 / 255.0f}},
   {VK_FORMAT_EAC_R11_UNORM_BLOCK, "R11", {EAC(100)}, {801 / 2047.0f, 0, 0, 1}},
   {VK_FORMAT_EAC_R11_SNORM_BLOCK, "R11 with a sign", {EAC(0xce)}, {-403 / 1023.0f, 0, 0, 1}},
   {VK_FORMAT_EAC_R11G11_UNORM_BLOCK, "RG11", {EAC(100), EAC(7)}, {801 / 2047.0f, 57 / 2047.0f, 0, 1}},
   {VK_FORMAT_EAC_R11G11_SNORM_BLOCK,
    "RG11 with a sign",
    {EAC(50), EAC(0xce)},
    {397 / 1023.0f, -403 / 1023.0f, 0, 1}},
};

static float
linear(float x)
{
   return x <= 0.04045f ? x / 12.92f : powf((x + 0.055f) / 1.055f, 2.4f);
}

struct objects {
   struct vkx_buffer block, result;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkSampler sampler;
};

static struct vkt_image
upload(struct vkx *vkx, const struct objects *o, unsigned row)
{
   struct vkt_image image =
      vkt_image_create(vkx,
                       (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                                           .format = rows[row].format,
                                           .extent = {4, 4, 1},
                                           .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
                       false);
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {4, 4, 1}};
   memcpy(o->block.map, rows[row].block, sizeof(rows[row].block));
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkt_transition(cmd, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyBufferToImage(cmd, o->block.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   return image;
}

static void
check(struct vkx *vkx, const struct objects *o, unsigned row)
{
   const bool srgb = rows[row].name[0] == 's';
   struct vkt_image image = upload(vkx, o, row);
   VkImageView view = vkt_view_create(vkx, &image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
   const struct vkt_descriptor descriptors[2] = {
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .view = view, .sampler = o->sampler},
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = o->result.buffer}};
   VkDescriptorPool pool = VK_NULL_HANDLE;
   VkDescriptorSet set = vkt_bindings_create(vkx, &pool, o->set_layout, 2, descriptors);
   memset(o->result.map, 0x77, 64);
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, o->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, o->layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   const float *got = o->result.map;
   bool right = true;
   for (unsigned i = 0; i < 16; i++) {
      const float wanted = srgb && i % 4 < 3 ? linear(rows[row].texel[i % 4]) : rows[row].texel[i % 4];
      right &= fabsf(got[i] - wanted) < 0.001f;
   }
   vkt_expect(right, "%s: %g %g %g %g", rows[row].name, (double)got[0], (double)got[1], (double)got[2],
              (double)got[3]);
   vkDestroyDescriptorPool(vkx->device, pool, NULL);
   vkDestroyImageView(vkx->device, view, NULL);
   vkt_image_destroy(vkx, &image);
}

int
main(void)
{
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   struct vkx vkx = vkt_create("etc2");
   if (!vkt_features.textureCompressionETC2) {
      vkt_skip("textureCompressionETC2");
      vkt_expect(true, "nothing");
      return vkt_finish(&vkx);
   }
   struct objects o = {.block = vkt_buffer_create(&vkx, 16, 0), .result = vkt_buffer_create(&vkx, 64, 0)};
   o.set_layout = vkx_set_layout_create(&vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   o.layout = vkx_pipeline_layout_create(&vkx, o.set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   o.pipeline = vkx_compute_pipeline_create(&vkx, o.layout, vkx_shader_create(&vkx, code, sizeof(code)));
   vkx_check(vkCreateSampler(vkx.device, &sampler, NULL, &o.sampler), "vkCreateSampler");
   for (unsigned row = 0; row < sizeof(rows) / sizeof(*rows); row++)
      check(&vkx, &o, row);
   vkDestroySampler(vkx.device, o.sampler, NULL);
   vkDestroyPipeline(vkx.device, o.pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, o.layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, o.set_layout, NULL);
   vkx_buffer_destroy(&vkx, &o.block);
   vkx_buffer_destroy(&vkx, &o.result);
   return vkt_finish(&vkx);
}
