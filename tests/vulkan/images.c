/* Storage images of every dimension with every atomic operation, fetches and sizes, in the vertex and the fragment
 * shader of one draw and in a compute shader. What each invocation has to see is plain arithmetic. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t vertex_code[] = {
#include "images_vert.inc"
};
static const uint32_t fragment_code[] = {
#include "images_frag.inc"
};
static const uint32_t compute_code[] = {
#include "images_comp.inc"
};
static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t fill_code[] = {
#include "images_fill.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
enum { LANES = 256, STAGES = 3, MAX_ROWS = 160, BINDINGS = 15, SAMPLES = 4 };
static const char *const stage_names[STAGES] = {"vertex", "fragment", "compute"};

/* By binding: what the shader names there. */
static const struct kind {
   const char *name;
   VkDescriptorType type;
   VkImageViewType view;
   VkFormat format;
   uint32_t width, height, depth, layers, samples; /* buffers: texels */
} kinds[BINDINGS] = {
   {"results", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0, STAGES *MAX_ROWS *LANES, 0, 0, 0, 0},
   {"1D", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_1D, VK_FORMAT_R32_UINT, 800, 1, 1, 1, 1},
   {"1D array", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_FORMAT_R32_UINT, 200, 1, 1, 4, 1},
   {"2D", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_UINT, 51, 17, 1, 1, 1},
   {"2D array", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R32_UINT, 25, 8, 1, 4, 1},
   {"3D", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_3D, VK_FORMAT_R32_UINT, 24, 9, 5, 1, 1},
   {"cube", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_CUBE, VK_FORMAT_R32_UINT, 16, 16, 1, 6, 1},
   {"cube array", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, VK_FORMAT_R32_UINT, 8, 8, 1, 18,
    1},
   {"buffer", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 0, VK_FORMAT_R32_UINT, 800, 0, 0, 0, 0},
   {"2D, signed", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_SINT, 48, 16, 1, 1, 1},
   {"multisampled", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_UINT, 8, 9, 1, 1,
    SAMPLES},
   {"multisampled array", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R32_UINT,
    9, 4, 1, 2, SAMPLES},
   {"texels", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 0, VK_FORMAT_R32_UINT, 300, 0, 0, 0, 0},
   {"2D, float", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_SFLOAT, 48, 16, 1, 1, 1},
   {"numbers", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0, STAGES, 0, 0, 0, 0},
};

struct scene {
   struct vkx *vkx;
   struct vkt_image images[BINDINGS];
   VkImageView views[BINDINGS];
   struct vkx_buffer buffers[BINDINGS];
   VkBufferView buffer_views[BINDINGS];
   VkSampler sampler;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
};

/* ---- what invocations have to see ---- */

struct results {
   uint32_t rows[MAX_ROWS];
   const char *names[MAX_ROWS];
   unsigned count;
};

static void
put(struct results *r, const char *name, uint32_t x)
{
   r->names[r->count] = name;
   r->rows[r->count++] = x;
}

static void
put_all(struct results *r, const char *name, uint32_t a, uint32_t b)
{
   const uint32_t after[] = {a + b, a & b, a | b, a ^ b, a < b ? a : b, a > b ? a : b};
   put(r, name, a);
   for (unsigned i = 0; i < ARRAY_SIZE(after); i++) {
      put(r, name, a);
      put(r, name, after[i]);
   }
}

static void
put_sizes(struct results *r, unsigned binding, unsigned count)
{
   const struct kind *k = &kinds[binding];
   const uint32_t per = k->view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY ? 6 : 1;
   put(r, k->name, k->width);
   if (k->view == VK_IMAGE_VIEW_TYPE_1D_ARRAY)
      put(r, k->name, k->layers);
   else if (count > 1)
      put(r, k->name, k->height);
   if (count > 2)
      put(r, k->name, k->depth > 1 ? k->depth : k->layers / per);
}

static uint32_t
bits(float x)
{
   uint32_t word;
   memcpy(&word, &x, 4);
   return word;
}

/* What images_fill.comp stores. */
static uint32_t
sample_value(uint32_t x, uint32_t y, uint32_t layer, uint32_t sample)
{
   return x + 16 * y + 256 * layer + 4096 * sample;
}

static void
expect(uint32_t id, struct results *r)
{
   const uint32_t a = id * 0x9e3779b1u + 77, b = (id + 3) * 0x85ebca6bu;
   r->count = 0;
   for (unsigned binding = 1; binding <= 8; binding++)
      put_all(r, kinds[binding].name, a, b);
   put(r, "exchange", a);
   put(r, "exchange", b);
   for (unsigned i = 0; i < 2; i++) {
      put(r, "compare and swap", a);
      put(r, "compare and swap", id & 1 && a != b ? a : b);
   }
   put(r, "signed min", a);
   put(r, "signed min", (int32_t)a < (int32_t)b ? a : b);
   put(r, "signed max", a);
   put(r, "signed max", (int32_t)a > (int32_t)b ? a : b);
   put(r, "float", bits((float)id / 8));
   put_sizes(r, 1, 1);
   put_sizes(r, 2, 2);
   put_sizes(r, 3, 2);
   put_sizes(r, 8, 1);
   put_sizes(r, 4, 3);
   put_sizes(r, 5, 3);
   put_sizes(r, 6, 2);
   put_sizes(r, 12, 1);
   put_sizes(r, 7, 3);
   put_sizes(r, 10, 2);
   put(r, "OpImageQuerySamples", SAMPLES);
   put_sizes(r, 11, 3);
   put(r, "OpImageQuerySamples", SAMPLES);
   put(r, "fetch of a sample", sample_value(id % 8, id / 8 % 8, 0, id / 64));
   put(r, "fetch of a sample of a layer", sample_value(id % 8, id / 8 % 4, id / 32 % 2, id / 64));
   put(r, "fetch of a texel buffer", 1000 + id * id);
}

/* The numbers that `row` of a stage drew: 0 .. LANES - 1, each once. */
static bool
is_permutation(const uint32_t *results)
{
   bool seen[LANES] = {false};
   for (unsigned i = 0; i < LANES; i++) {
      if (results[i] >= LANES || seen[results[i]])
         return false;
      seen[results[i]] = true;
   }
   return true;
}

static void
check(const struct scene *s, unsigned stage)
{
   struct results want;
   unsigned wrong[MAX_ROWS] = {0};
   const uint32_t *got = (uint32_t *)s->buffers[0].map + stage * MAX_ROWS * LANES;
   for (uint32_t id = 0; id < LANES; id++) {
      expect(id, &want);
      for (unsigned i = 0; i < want.count; i++) {
         if (got[i * LANES + id] != want.rows[i] && wrong[i]++ < 1)
            printf("   %s, row %u %s, invocation %u: %#x, not %#x\n", stage_names[stage], i, want.names[i], id,
                   got[i * LANES + id], want.rows[i]);
      }
   }
   for (unsigned i = 0; i < want.count; i++)
      vkt_expect(!wrong[i], "%s, row %u, %s: %u of %u", stage_names[stage], i, want.names[i], wrong[i], LANES);
   for (unsigned i = 0; i < 2; i++)
      vkt_expect(is_permutation(got + (want.count + i) * LANES), "%s: numbers from a counter in %s",
                 stage_names[stage], i ? "an image" : "a buffer");
}

/* ---- objects ---- */

static void
create_image(struct scene *s, unsigned binding)
{
   const struct kind *k = &kinds[binding];
   const bool cube = k->view == VK_IMAGE_VIEW_TYPE_CUBE || k->view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
   const bool line = k->view == VK_IMAGE_VIEW_TYPE_1D || k->view == VK_IMAGE_VIEW_TYPE_1D_ARRAY;
   s->images[binding] = vkt_image_create(
      s->vkx,
      (VkImageCreateInfo){.flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                          .imageType = line           ? VK_IMAGE_TYPE_1D
                                       : k->depth > 1 ? VK_IMAGE_TYPE_3D
                                                      : VK_IMAGE_TYPE_2D,
                          .format = k->format,
                          .extent = {k->width, k->height, k->depth},
                          .arrayLayers = k->layers,
                          .samples = (VkSampleCountFlagBits)k->samples,
                          .usage = k->samples > 1 ? VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                                                  : VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT},
      false);
   s->views[binding] =
      vkt_view_create(s->vkx, &s->images[binding], k->view, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, k->layers);
   VkCommandBuffer cmd = vkx_begin(s->vkx);
   vkt_transition(cmd, &s->images[binding], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   const VkClearColorValue zero = {.uint32 = {0, 0, 0, 0}};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, k->layers};
   if (k->samples == 1)
      vkCmdClearColorImage(cmd, s->images[binding].image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &range);
   vkt_barrier(cmd);
   vkx_submit_and_wait(s->vkx, cmd);
}

static void
write_set(struct scene *s)
{
   for (unsigned i = 0; i < BINDINGS; i++) {
      const VkDescriptorBufferInfo buffer = {s->buffers[i].buffer, 0, VK_WHOLE_SIZE};
      const VkDescriptorImageInfo image = {s->sampler, s->views[i], VK_IMAGE_LAYOUT_GENERAL};
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = s->set,
                                          .dstBinding = i,
                                          .descriptorCount = 1,
                                          .descriptorType = kinds[i].type,
                                          .pBufferInfo = &buffer,
                                          .pImageInfo = &image,
                                          .pTexelBufferView = &s->buffer_views[i]};
      vkUpdateDescriptorSets(s->vkx->device, 1, &write, 0, NULL);
   }
}

static void
create_objects(struct scene *s)
{
   VkDevice device = s->vkx->device;
   VkDescriptorType types[BINDINGS];
   VkDescriptorPoolSize sizes[BINDINGS];
   for (unsigned i = 0; i < BINDINGS; i++) {
      types[i] = kinds[i].type;
      sizes[i] = (VkDescriptorPoolSize){types[i], 1};
      if (kinds[i].height) {
         create_image(s, i);
         continue;
      }
      s->buffers[i] = vkt_buffer_create(s->vkx, kinds[i].width * 4, 0);
      const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = s->buffers[i].buffer,
                                           .format = VK_FORMAT_R32_UINT,
                                           .range = VK_WHOLE_SIZE};
      if (kinds[i].format)
         vkx_check(vkCreateBufferView(device, &info, NULL, &s->buffer_views[i]), "vkCreateBufferView");
   }
   for (uint32_t i = 0; i < kinds[12].width; i++)
      ((uint32_t *)s->buffers[12].map)[i] = 1000 + i * i;
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   vkx_check(vkCreateSampler(device, &sampler, NULL, &s->sampler), "vkCreateSampler");
   s->set_layout = vkx_set_layout_create(s->vkx, BINDINGS, types, VK_SHADER_STAGE_ALL);
   s->layout = vkx_pipeline_layout_create(s->vkx, s->set_layout, VKT_QUAD_STAGES, 36);
   const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = 1,
                                            .poolSizeCount = BINDINGS,
                                            .pPoolSizes = sizes};
   vkx_check(vkCreateDescriptorPool(device, &pool, NULL, &s->pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = s->pool,
                                                 .descriptorSetCount = 1,
                                                 .pSetLayouts = &s->set_layout};
   vkx_check(vkAllocateDescriptorSets(device, &allocate, &s->set), "vkAllocateDescriptorSets");
   write_set(s);
}

static void
destroy_objects(struct scene *s)
{
   VkDevice device = s->vkx->device;
   for (unsigned i = 0; i < BINDINGS; i++) {
      vkDestroyBufferView(device, s->buffer_views[i], NULL);
      vkDestroyImageView(device, s->views[i], NULL);
      if (kinds[i].height)
         vkt_image_destroy(s->vkx, &s->images[i]);
      else
         vkx_buffer_destroy(s->vkx, &s->buffers[i]);
   }
   vkDestroySampler(device, s->sampler, NULL);
   vkDestroyDescriptorPool(device, s->pool, NULL);
   vkDestroyPipelineLayout(device, s->layout, NULL);
   vkDestroyDescriptorSetLayout(device, s->set_layout, NULL);
}

/* ---- running ---- */

static VkRenderPass
fill_pass_create(struct vkx *vkx)
{
   const VkAttachmentDescription attachment = {.format = VK_FORMAT_R32_UINT,
                                               .samples = VK_SAMPLE_COUNT_4_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                               .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &reference};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

/* A value for each sample of a layer, by a shader for each sample. */
static void
fill_layer(struct scene *s, unsigned binding, uint32_t layer, VkPipeline pipeline, VkRenderPass pass)
{
   const struct kind *k = &kinds[binding];
   VkImageView view =
      vkt_view_create(s->vkx, &s->images[binding], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, layer, 1);
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = pass,
                                         .attachmentCount = 1,
                                         .pAttachments = &view,
                                         .width = k->width,
                                         .height = k->height,
                                         .layers = 1};
   VkFramebuffer framebuffer;
   vkx_check(vkCreateFramebuffer(s->vkx->device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = pass,
                                        .framebuffer = framebuffer,
                                        .renderArea = {{0, 0}, {k->width, k->height}}};
   VkCommandBuffer cmd = vkx_begin(s->vkx);
   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   vkt_set_viewport(cmd, (VkExtent2D){k->width, k->height});
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vkt_draw_quad(cmd, s->layout, (VkExtent2D){k->width, k->height}, 0, 0, k->width, k->height, 0,
                 (const float[4]){(float)layer, 0, 0, 0});
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkx_submit_and_wait(s->vkx, cmd);
   vkDestroyFramebuffer(s->vkx->device, framebuffer, NULL);
   vkDestroyImageView(s->vkx->device, view, NULL);
}

static void
fill_samples(struct scene *s)
{
   VkRenderPass pass = fill_pass_create(s->vkx);
   VkPipeline pipeline = vkt_pipeline_create(s->vkx, &(struct vkt_pipeline_info){.pass = pass,
                                                                                 .layout = s->layout,
                                                                                 .vertex = VKT_CODE(quad_vert),
                                                                                 .fragment = VKT_CODE(fill_code),
                                                                                 .samples = VK_SAMPLE_COUNT_4_BIT});
   fill_layer(s, 10, 0, pipeline, pass);
   for (uint32_t layer = 0; layer < kinds[11].layers; layer++)
      fill_layer(s, 11, layer, pipeline, pass);
   vkDestroyPipeline(s->vkx->device, pipeline, NULL);
   vkDestroyRenderPass(s->vkx->device, pass, NULL);
}

int
main(void)
{
   struct vkx vkx = vkt_create("images");
   struct scene s = {.vkx = &vkx};
   create_objects(&s);
   fill_samples(&s);
   struct vkt_target target = vkt_target_create(&vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED,
                                                (VkExtent2D){16, 16}, 1, VK_SAMPLE_COUNT_1_BIT);
   VkPipeline graphics = vkt_pipeline_create(&vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                               .layout = s.layout,
                                                                               .vertex = VKT_CODE(vertex_code),
                                                                               .fragment = VKT_CODE(fragment_code),
                                                                               .points = true});
   VkPipeline compute =
      vkx_compute_pipeline_create(&vkx, s.layout, vkx_shader_create(&vkx, compute_code, sizeof(compute_code)));
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.layout, 0, 1, &s.set, 0, NULL);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, graphics);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, compute);
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdDraw(cmd, LANES, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkCmdDispatch(cmd, LANES / 64, 1, 1);
   vkt_barrier(cmd);
   vkx_submit_and_wait(&vkx, cmd);
   for (unsigned stage = 0; stage < STAGES; stage++)
      check(&s, stage);
   vkDestroyPipeline(vkx.device, graphics, NULL);
   vkDestroyPipeline(vkx.device, compute, NULL);
   vkt_target_destroy(&vkx, &target);
   destroy_objects(&s);
   return vkt_finish(&vkx);
}
