/* Multisampling, exactly: triangles with depth test into attachments of N samples; every sample of colour and depth
 * and every pixel of the resolved picture must be what the CPU computes from the standard sample locations. Colours
 * are multiples of 8, so that averages of up to 8 samples are whole numbers.
 *
 * msaa [--samples 2|4|8] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "render.h"
#include "vkt.h"

static const uint32_t vertex_code[] = {
#include "msaa.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "msaa.frag.inc"
};
static const uint32_t fetch_code[] = {
#include "msaa.comp.inc"
};

#define WIDTH 200u
#define HEIGHT 120u
#define TRIANGLES 300u
#define CLEAR_DEPTH 4096u

struct vertex {
   int32_t x, y;
   uint32_t rgba, depth;
};

struct msaa {
   struct vkx vkx;
   uint32_t samples;
   struct vkx_image color, depth, resolved;
   struct vkx_buffer vertices, fetched, picture;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkPipelineLayout draw_layout, fetch_layout;
   VkPipeline draw, fetch;
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
};

static uint32_t
next_random(uint32_t *state)
{
   *state = *state * 1664525 + 1013904223;
   return *state >> 8;
}

/* Some large, many small, some thinner than a pixel, some with edges through samples, some over the border. */
static void
make_triangles(struct vertex *vertices)
{
   uint32_t state = 1;

   for (uint32_t i = 0; i < TRIANGLES; i++) {
      uint32_t rgba = (next_random(&state) << 8 & 0xf8f8f800) | (next_random(&state) & 0xf8);
      uint32_t depth = next_random(&state) % 4096, reach = i % 3 == 0 ? 24 : i % 3 == 1 ? 400 : 60 * 256;
      int32_t x = (int32_t)(next_random(&state) % (WIDTH * 256)), y = (int32_t)(next_random(&state) % (HEIGHT * 256));

      for (unsigned k = 0; k < 3; k++) {
         vertices[3 * i + k] = (struct vertex){
            .x = x + (int32_t)(next_random(&state) % (2 * reach)) - (int32_t)reach,
            .y = y + (int32_t)(next_random(&state) % (2 * reach)) - (int32_t)reach,
            .rgba = rgba,
            .depth = depth,
         };
         if (i % 4 == 0) { /* onto sample positions */
            vertices[3 * i + k].x &= ~15;
            vertices[3 * i + k].y &= ~15;
         }
      }
   }
}

static VkRenderPass
create_pass(struct msaa *m)
{
   const VkSampleCountFlagBits samples = (VkSampleCountFlagBits)m->samples;
   const VkAttachmentDescription attachments[3] = {
      {.format = COLOR_FORMAT,
       .samples = samples,
       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .finalLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
      {.format = DEPTH_FORMAT,
       .samples = samples,
       .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .finalLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
      {.format = COLOR_FORMAT,
       .samples = VK_SAMPLE_COUNT_1_BIT,
       .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
       .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
       .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
   };
   const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkAttachmentReference depth = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
   const VkAttachmentReference resolve = {2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &color,
                                         .pResolveAttachments = &resolve,
                                         .pDepthStencilAttachment = &depth};
   const VkSubpassDependency after = {
      .srcSubpass = 0,
      .dstSubpass = VK_SUBPASS_EXTERNAL,
      .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
      .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
      .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT,
   };
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 3,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .dependencyCount = 1,
                                        .pDependencies = &after};
   VkRenderPass pass;

   vkx_check(vkCreateRenderPass(m->vkx.device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static VkPipeline
create_draw(struct msaa *m)
{
   static const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX};
   static const VkVertexInputAttributeDescription attributes[2] = {{0, 0, VK_FORMAT_R32G32_SINT, 0},
                                                                   {1, 0, VK_FORMAT_R32G32_UINT, 8}};
   const VkViewport viewport = {-1024, -1024, 4096, 4096, 0, 1};
   const VkRect2D scissor = {{0, 0}, {WIDTH, HEIGHT}};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 2,
                                                       .pVertexAttributeDescriptions = attributes};
   const struct pipeline_info info = {
      .pass = m->pass,
      .layout = m->draw_layout,
      .vertex = vkx_shader_create(&m->vkx, vertex_code, sizeof(vertex_code)),
      .fragment = vkx_shader_create(&m->vkx, fragment_code, sizeof(fragment_code)),
      .samples = (VkSampleCountFlagBits)m->samples,
      .extent = {WIDTH, HEIGHT},
      .viewport = &viewport,
      .scissor = &scissor,
      .vertex_input = &input,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
      .depth_test = true,
      .depth_write = true,
   };

   return render_pipeline_create(&m->vkx, &info);
}

static void
create_set(struct msaa *m)
{
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   const struct vkt_descriptor descriptors[3] = {
      {types[0], .view = m->color.view, .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
      {types[1], .view = m->depth.view, .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
      {types[2], .buffer = m->fetched.buffer}};

   m->set_layout = vkx_set_layout_create(&m->vkx, 3, types, VK_SHADER_STAGE_COMPUTE_BIT);
   m->set = vkt_bindings_create(&m->vkx, &m->pool, m->set_layout, 3, descriptors);
}

static void
create(struct msaa *m, const struct vertex *vertices)
{
   const VkExtent2D extent = {WIDTH, HEIGHT};
   const VkSampleCountFlagBits samples = (VkSampleCountFlagBits)m->samples;

   m->vkx = vkx_create("msaa");
   m->color =
      vkx_image_create(&m->vkx, COLOR_FORMAT, extent, 1, samples,
                       VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
   m->depth = vkx_image_create(&m->vkx, DEPTH_FORMAT, extent, 1, samples,
                               VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                               VK_IMAGE_ASPECT_DEPTH_BIT);
   m->resolved = vkx_image_create(&m->vkx, COLOR_FORMAT, extent, 1, VK_SAMPLE_COUNT_1_BIT,
                                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                  VK_IMAGE_ASPECT_COLOR_BIT);
   m->vertices =
      vkx_buffer_create(&m->vkx, TRIANGLES * 3 * sizeof(*vertices), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, true);
   memcpy(m->vertices.map, vertices, TRIANGLES * 3 * sizeof(*vertices));
   m->fetched = vkx_buffer_create(&m->vkx, WIDTH * HEIGHT * m->samples * 8, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true);
   m->picture = vkx_buffer_create(&m->vkx, WIDTH * HEIGHT * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
   m->pass = create_pass(m);
   m->framebuffer = render_framebuffer_create(
      &m->vkx, m->pass, 3, (VkImageView[]){m->color.view, m->depth.view, m->resolved.view}, extent);
   create_set(m);
   m->draw_layout = vkx_pipeline_layout_create(&m->vkx, VK_NULL_HANDLE, VK_SHADER_STAGE_VERTEX_BIT, 0);
   m->fetch_layout = vkx_pipeline_layout_create(&m->vkx, m->set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 12);
   m->draw = create_draw(m);
   m->fetch = vkx_compute_pipeline_create(&m->vkx, m->fetch_layout,
                                          vkx_shader_create(&m->vkx, fetch_code, sizeof(fetch_code)));
}

static void
render(struct msaa *m)
{
   const VkClearValue clears[2] = {{.color = {{0, 0, 0, 0}}}, {.depthStencil = {1, 0}}};
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = m->pass,
                                        .framebuffer = m->framebuffer,
                                        .renderArea = {{0, 0}, {WIDTH, HEIGHT}},
                                        .clearValueCount = 2,
                                        .pClearValues = clears};
   const uint32_t push[3] = {WIDTH, HEIGHT, m->samples};
   const VkDeviceSize zero = 0;
   VkCommandBuffer cmd = vkx_begin(&m->vkx);

   vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, m->draw);
   vkCmdBindVertexBuffers(cmd, 0, 1, &m->vertices.buffer, &zero);
   vkCmdDraw(cmd, TRIANGLES * 3, 1, 0, 0);
   vkCmdEndRenderPass(cmd);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, m->fetch);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, m->fetch_layout, 0, 1, &m->set, 0, NULL);
   vkCmdPushConstants(cmd, m->fetch_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), push);
   vkCmdDispatch(cmd, (WIDTH + 7) / 8, (HEIGHT + 7) / 8, 1);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
   render_read_back(cmd, &m->resolved, &m->picture);
   vkx_submit_and_wait(&m->vkx, cmd);
}

/* Colour and depth of every sample, two words each. */
static void
reference(uint32_t samples, const struct vertex *vertices, uint32_t *words)
{
   unsigned samples_log2 = (unsigned)__builtin_ctz(samples);

   for (uint32_t i = 0; i < WIDTH * HEIGHT * samples; i++) {
      words[2 * i] = 0;
      words[2 * i + 1] = CLEAR_DEPTH;
   }
   for (uint32_t i = 0; i < TRIANGLES; i++) {
      const struct vertex *v = vertices + 3 * i;
      const int32_t xy[3][2] = {{v[0].x, v[0].y}, {v[1].x, v[1].y}, {v[2].x, v[2].y}};
      struct coverage coverage = coverage_setup(xy, WIDTH, HEIGHT);

      for (int32_t y = coverage.top; y < coverage.bottom; y++) {
         for (int32_t x = coverage.left; x < coverage.right; x++) {
            uint32_t covered = coverage_of_pixel(&coverage, samples_log2, (uint32_t)x, (uint32_t)y);

            for (uint32_t s = 0; s < samples; s++) {
               uint32_t *sample = words + 2 * (((uint32_t)y * WIDTH + (uint32_t)x) * samples + s);

               if (covered >> s & 1 && v->depth < sample[1]) {
                  sample[0] = v->rgba;
                  sample[1] = v->depth;
               }
            }
         }
      }
   }
}

static uint32_t
average(uint32_t samples, const uint32_t *words)
{
   uint32_t result = 0;

   for (unsigned shift = 0; shift < 32; shift += 8) {
      uint32_t sum = 0;

      for (uint32_t s = 0; s < samples; s++)
         sum += words[2 * s] >> shift & 255;
      result |= sum / samples << shift;
   }
   return result;
}

static unsigned
check(const struct msaa *m, const struct vertex *vertices)
{
   uint32_t *words = malloc(WIDTH * HEIGHT * m->samples * 8);
   const uint32_t *fetched = m->fetched.map, *picture = m->picture.map;
   unsigned colors = 0, depths = 0, pixels = 0;

   reference(m->samples, vertices, words);
   for (uint32_t i = 0; i < WIDTH * HEIGHT * m->samples; i++) {
      colors += fetched[2 * i] != words[2 * i];
      depths += fetched[2 * i + 1] != words[2 * i + 1];
   }
   for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
      pixels += picture[i] != average(m->samples, words + 2 * i * m->samples);
   free(words);
   printf("%u samples: %u wrong colours, %u wrong depths, %u wrong pixels after the resolve\n", m->samples, colors,
          depths, pixels);
   return colors + depths + pixels;
}

static void
destroy(struct msaa *m)
{
   VkDevice device = m->vkx.device;

   vkDestroyPipeline(device, m->draw, NULL);
   vkDestroyPipeline(device, m->fetch, NULL);
   vkDestroyPipelineLayout(device, m->draw_layout, NULL);
   vkDestroyPipelineLayout(device, m->fetch_layout, NULL);
   vkDestroyDescriptorPool(device, m->pool, NULL);
   vkDestroyDescriptorSetLayout(device, m->set_layout, NULL);
   vkDestroyFramebuffer(device, m->framebuffer, NULL);
   vkDestroyRenderPass(device, m->pass, NULL);
   vkx_buffer_destroy(&m->vkx, &m->picture);
   vkx_buffer_destroy(&m->vkx, &m->fetched);
   vkx_buffer_destroy(&m->vkx, &m->vertices);
   vkx_image_destroy(&m->vkx, &m->resolved);
   vkx_image_destroy(&m->vkx, &m->depth);
   vkx_image_destroy(&m->vkx, &m->color);
   vkx_destroy(&m->vkx);
}

int
main(int argc, char **argv)
{
   static struct vertex vertices[TRIANGLES * 3];
   struct msaa m = {.samples = (uint32_t)atoi(vkx_option(argc, argv, "--samples", "4"))};
   unsigned wrong;

   if (m.samples != 2 && m.samples != 4 && m.samples != 8) {
      fprintf(stderr, "--samples: 2, 4 or 8\n");
      return 2;
   }
   make_triangles(vertices);
   create(&m, vertices);
   render(&m);
   wrong = check(&m, vertices);
   destroy(&m);
   return wrong != 0;
}
