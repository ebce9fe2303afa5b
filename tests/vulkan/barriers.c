/* Every way to write a buffer or an image, then exactly the barrier that Vulkan asks for, then every way to read it:
 * each of the three in the primary command buffer or in a secondary.
 * The reader has seen the old value before, from everywhere: whatever a driver leaves out of a barrier gives an old
 * value, or a report where the device makes one. */
#include <string.h>

#include "vkt_draw.h"

static const uint32_t access_comp[] = {
#include "access.comp.inc"
};
static const uint32_t access_frag[] = {
#include "access.frag.inc"
};
static const uint32_t access_vert[] = {
#include "access.vert.inc"
};
static const uint32_t access_attribute_vert[] = {
#include "access_attribute.vert.inc"
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define SIZE 16u
#define SLOT 256u /* words of a reader's results */

enum {
   DISPATCH,
   DRAW,
   POINTS,
   ATTRIBUTE,
   INDEXED,
   DRAW_INDIRECT,
   DISPATCH_INDIRECT,
   COPY,
   COPY_MUCH,
   FILL,
   UPDATE,
   ATTACHMENT,
   CLEAR,
   COPY_IMAGE
};

/* mode: of the shaders. */
static const struct access {
   const char *name;
   uint8_t kind, mode;
   bool image, writes;
   uint16_t results; /* of a reader */
   VkPipelineStageFlags stage;
   VkAccessFlags access;
} accesses[] = {
#define COMPUTE VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define FRAGMENT VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT
#define VERTEX VK_PIPELINE_STAGE_VERTEX_SHADER_BIT
#define INPUT VK_PIPELINE_STAGE_VERTEX_INPUT_BIT
#define INDIRECT VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT
#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define OUTPUT VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT
   {"compute store", DISPATCH, 4, false, true, 0, COMPUTE, VK_ACCESS_SHADER_WRITE_BIT},
   {"fragment store", DRAW, 4, false, true, 0, FRAGMENT, VK_ACCESS_SHADER_WRITE_BIT},
   {"vertex store", POINTS, 9, false, true, 0, VERTEX, VK_ACCESS_SHADER_WRITE_BIT},
   {"fill", FILL, 0, false, true, 0, TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT},
   {"update", UPDATE, 0, false, true, 0, TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT},
   {"small copy", COPY, 0, false, true, 0, TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT},
   {"large copy", COPY_MUCH, 0, false, true, 0, TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT},
   {"compute load", DISPATCH, 0, false, false, 256, COMPUTE, VK_ACCESS_SHADER_READ_BIT},
   {"compute uniform", DISPATCH, 1, false, false, 256, COMPUTE, VK_ACCESS_UNIFORM_READ_BIT},
   {"fragment load", DRAW, 0, false, false, 256, FRAGMENT, VK_ACCESS_SHADER_READ_BIT},
   {"fragment uniform", DRAW, 1, false, false, 256, FRAGMENT, VK_ACCESS_UNIFORM_READ_BIT},
   {"vertex load", POINTS, 10, false, false, 256, VERTEX, VK_ACCESS_SHADER_READ_BIT},
   {"attribute", ATTRIBUTE, 0, false, false, 256, INPUT, VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT},
   {"index", INDEXED, 7, false, false, 1, INPUT, VK_ACCESS_INDEX_READ_BIT},
   {"indirect draw", DRAW_INDIRECT, 8, false, false, 1, INDIRECT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT},
   {"indirect dispatch", DISPATCH_INDIRECT, 6, false, false, 1, INDIRECT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT},
   {"copy", COPY, 0, false, false, 1, TRANSFER, VK_ACCESS_TRANSFER_READ_BIT},
   {"compute image store", DISPATCH, 5, true, true, 0, COMPUTE, VK_ACCESS_SHADER_WRITE_BIT},
   {"fragment image store", DRAW, 5, true, true, 0, FRAGMENT, VK_ACCESS_SHADER_WRITE_BIT},
   {"attachment", ATTACHMENT, 6, true, true, 0, OUTPUT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT},
   {"clear", CLEAR, 0, true, true, 0, TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT},
   {"copy to image", COPY_IMAGE, 0, true, true, 0, TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT},
   {"compute image load", DISPATCH, 2, true, false, 256, COMPUTE, VK_ACCESS_SHADER_READ_BIT},
   {"compute texel", DISPATCH, 3, true, false, 256, COMPUTE, VK_ACCESS_SHADER_READ_BIT},
   {"fragment image load", DRAW, 2, true, false, 256, FRAGMENT, VK_ACCESS_SHADER_READ_BIT},
   {"fragment texel", DRAW, 3, true, false, 256, FRAGMENT, VK_ACCESS_SHADER_READ_BIT},
   {"copy from image", COPY_IMAGE, 0, true, false, 256, TRANSFER, VK_ACCESS_TRANSFER_READ_BIT},
};

/* Words of the buffer that the accesses are about: its first is the value, then what indirect arguments need. */
#define BUFFER_B (64u << 10)

struct test {
   struct vkx *vkx;
   struct vkx_buffer x, results, source;
   struct vkt_image images[2]; /* the one that is touched, and a target for draws that touch something else */
   VkImageView views[2];
   VkFramebuffer framebuffers[2];
   VkRenderPass pass;
   VkSampler sampler;
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkPipelineLayout layout;
   VkPipeline compute, triangle, points, attribute;
   VkCommandBuffer secondaries[6]; /* of the commands that are being recorded */
   uint32_t num_secondaries;
};

static const VkExtent2D extent = {SIZE, SIZE};
#define STAGES (VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT)

/* What draws write to their own target is of no interest, but they come one after the other. */
static VkRenderPass
create_pass(struct vkx *vkx)
{
   const VkAttachmentDescription attachment = {.format = VK_FORMAT_R32_UINT,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                               .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                               .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1, .pColorAttachments = &color};
   const VkSubpassDependency before = {.srcSubpass = VK_SUBPASS_EXTERNAL,
                                       .srcStageMask = OUTPUT,
                                       .dstStageMask = OUTPUT,
                                       .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                       .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .dependencyCount = 1,
                                        .pDependencies = &before};
   VkRenderPass pass;
   vkx_check(vkCreateRenderPass(vkx->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static void
create_set(struct test *t)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                            VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                            VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   VkDevice device = t->vkx->device;
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   t->set_layout = vkx_set_layout_create(t->vkx, ARRAY_SIZE(types), types, STAGES);
   t->layout = vkx_pipeline_layout_create(t->vkx, t->set_layout, STAGES, 12);
   vkx_check(vkCreateSampler(device, &sampler, NULL, &t->sampler), "vkCreateSampler");
   const VkBuffer buffers[] = {t->x.buffer, t->x.buffer, t->results.buffer};
   struct vkt_descriptor descriptors[ARRAY_SIZE(types)];
   for (unsigned i = 0; i < ARRAY_SIZE(types); i++)
      descriptors[i] =
         (struct vkt_descriptor){types[i], .buffer = i < 3 ? buffers[i] : VK_NULL_HANDLE, .range_B = i < 2 ? 256 : 0,
                                 .view = t->views[0], .sampler = t->sampler};
   t->set = vkt_bindings_create(t->vkx, &t->pool, t->set_layout, ARRAY_SIZE(types), descriptors);
}

static void
create_pipelines(struct test *t)
{
   const VkVertexInputBindingDescription binding = {0, 0, VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 1,
                                                       .pVertexAttributeDescriptions = &attribute};
   struct vkt_pipeline_info info = {.pass = t->pass,
                                    .layout = t->layout,
                                    .vertex = VKT_CODE(access_vert),
                                    .fragment = VKT_CODE(access_frag),
                                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   t->compute =
      vkx_compute_pipeline_create(t->vkx, t->layout, vkx_shader_create(t->vkx, access_comp, sizeof(access_comp)));
   t->triangle = vkt_pipeline_create(t->vkx, &info);
   info.points = true;
   t->points = vkt_pipeline_create(t->vkx, &info);
   info.vertex = VKT_CODE(access_attribute_vert);
   info.vertex_input = &input;
   t->attribute = vkt_pipeline_create(t->vkx, &info);
}

static void
create(struct test *t)
{
   struct vkx *vkx = t->vkx;
   t->x = vkt_buffer_create(vkx, BUFFER_B, 0);
   t->source = vkt_buffer_create(vkx, 4 * BUFFER_B, 0);
   t->results = vkt_buffer_create(vkx, 2 * SLOT * 4, 0);
   t->pass = create_pass(vkx);
   for (unsigned i = 0; i < 2; i++) {
      t->images[i] = vkt_image_create(
         vkx,
         (VkImageCreateInfo){.imageType = VK_IMAGE_TYPE_2D,
                             .format = VK_FORMAT_R32_UINT,
                             .extent = {SIZE, SIZE, 1},
                             .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                      VK_IMAGE_USAGE_TRANSFER_DST_BIT},
         false);
      t->views[i] = vkt_view_create(vkx, &t->images[i], VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1);
      const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                            .renderPass = t->pass,
                                            .attachmentCount = 1,
                                            .pAttachments = &t->views[i],
                                            .width = SIZE,
                                            .height = SIZE,
                                            .layers = 1};
      vkx_check(vkCreateFramebuffer(vkx->device, &info, NULL, &t->framebuffers[i]), "vkCreateFramebuffer");
   }
   create_set(t);
   create_pipelines(t);
   VkCommandBuffer cmd = vkx_begin(vkx);
   for (unsigned i = 0; i < 2; i++)
      vkt_transition(cmd, &t->images[i], VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkx_submit_and_wait(vkx, cmd);
}

static void
destroy(struct test *t)
{
   VkDevice device = t->vkx->device;
   const VkPipeline pipelines[] = {t->compute, t->triangle, t->points, t->attribute};
   for (unsigned i = 0; i < ARRAY_SIZE(pipelines); i++)
      vkDestroyPipeline(device, pipelines[i], NULL);
   for (unsigned i = 0; i < 2; i++) {
      vkDestroyFramebuffer(device, t->framebuffers[i], NULL);
      vkDestroyImageView(device, t->views[i], NULL);
      vkt_image_destroy(t->vkx, &t->images[i]);
   }
   vkDestroyRenderPass(device, t->pass, NULL);
   vkDestroyPipelineLayout(device, t->layout, NULL);
   vkDestroyDescriptorPool(device, t->pool, NULL);
   vkDestroyDescriptorSetLayout(device, t->set_layout, NULL);
   vkDestroySampler(device, t->sampler, NULL);
   vkx_buffer_destroy(t->vkx, &t->x);
   vkx_buffer_destroy(t->vkx, &t->source);
   vkx_buffer_destroy(t->vkx, &t->results);
}

/* Where the next command is recorded: in the primary itself, or in a secondary. framebuffer: it is inside of a pass.
 * State does not cross: all is bound here. */
static VkCommandBuffer
enter(struct test *t, VkCommandBuffer primary, bool secondary, VkFramebuffer framebuffer, const uint32_t *constants)
{
   VkCommandBuffer cmd = primary;
   if (secondary) {
      const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                    .commandPool = t->vkx->pool,
                                                    .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                                    .commandBufferCount = 1};
      const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                          .renderPass = framebuffer ? t->pass : VK_NULL_HANDLE,
                                                          .framebuffer = framebuffer};
      const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                              .pInheritanceInfo = &inheritance,
                                              .flags =
                                                 framebuffer ? VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT : 0};
      vkx_check(vkAllocateCommandBuffers(t->vkx->device, &allocate, &cmd), "vkAllocateCommandBuffers");
      vkx_check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
      t->secondaries[t->num_secondaries++] = cmd;
   }
   if (constants)
      vkCmdPushConstants(cmd, t->layout, STAGES, 0, 12, constants);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, t->compute);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, t->layout, 0, 1, &t->set, 0, NULL);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, t->layout, 0, 1, &t->set, 0, NULL);
   return cmd;
}

static void
leave(VkCommandBuffer primary, VkCommandBuffer cmd)
{
   if (cmd == primary)
      return;
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   vkCmdExecuteCommands(primary, 1, &cmd);
}

static void
draw(struct test *t, VkCommandBuffer primary, bool secondary, const struct access *a, const uint32_t *constants)
{
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = t->pass,
                                        .framebuffer = t->framebuffers[a->kind == ATTACHMENT ? 0 : 1],
                                        .renderArea = {{0, 0}, extent}};
   const VkDeviceSize zero = 0;
   vkCmdBeginRenderPass(primary, &begin,
                        secondary ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE);
   VkCommandBuffer cmd = enter(t, primary, secondary, begin.framebuffer, constants);
   vkt_set_viewport(cmd, extent);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                     a->kind == ATTRIBUTE                       ? t->attribute
                     : a->kind == DRAW || a->kind == ATTACHMENT ? t->triangle
                                                                : t->points);
   if (a->kind == ATTRIBUTE)
      vkCmdBindVertexBuffers(cmd, 0, 1, &t->x.buffer, &zero);
   if (a->kind == INDEXED) {
      vkCmdBindIndexBuffer(cmd, t->x.buffer, 0, VK_INDEX_TYPE_UINT32);
      vkCmdDrawIndexed(cmd, 1, 1, 0, 0, 0);
   } else if (a->kind == DRAW_INDIRECT) {
      vkCmdDrawIndirect(cmd, t->x.buffer, 0, 1, 16);
   } else {
      vkCmdDraw(cmd, a->kind == DRAW || a->kind == ATTACHMENT ? 3 : SLOT, 1, 0, 0);
   }
   leave(primary, cmd);
   vkCmdEndRenderPass(primary);
}

/* Copies of a value come from words of `source` that hold it and the indirect arguments after it. */
static void
copy_buffer(const struct test *t, VkCommandBuffer cmd, const struct access *a, uint32_t slot, uint32_t value)
{
   VkBufferCopy region = {.dstOffset = slot * SLOT * 4, .size = 4};
   if (!a->writes) {
      vkCmdCopyBuffer(cmd, t->x.buffer, t->results.buffer, 1, &region);
      return;
   }
   region = (VkBufferCopy){.srcOffset = value % 2 * 2 * BUFFER_B, .size = a->kind == COPY ? 4 : BUFFER_B};
   vkCmdCopyBuffer(cmd, t->source.buffer, t->x.buffer, 1, &region);
}

static void
touch_image(const struct test *t, VkCommandBuffer cmd, const struct access *a, uint32_t slot, uint32_t value)
{
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   const VkClearColorValue clear = {.uint32 = {value}};
   VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                               .imageExtent = {SIZE, SIZE, 1}};
   region.bufferOffset = a->writes ? (value % 2 * 2 + 1) * BUFFER_B : slot * SLOT * 4;
   if (a->kind == CLEAR)
      vkCmdClearColorImage(cmd, t->images[0].image, VK_IMAGE_LAYOUT_GENERAL, &clear, 1, &range);
   else if (a->writes)
      vkCmdCopyBufferToImage(cmd, t->source.buffer, t->images[0].image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   else
      vkCmdCopyImageToBuffer(cmd, t->images[0].image, VK_IMAGE_LAYOUT_GENERAL, t->results.buffer, 1, &region);
}

static void
touch(struct test *t, VkCommandBuffer primary, bool secondary, const struct access *a, uint32_t slot, uint32_t value)
{
   const uint32_t constants[3] = {a->mode, slot, value};
   if (a->kind == DRAW || a->kind == POINTS || a->kind == ATTRIBUTE || a->kind == INDEXED ||
       a->kind == DRAW_INDIRECT || a->kind == ATTACHMENT) {
      draw(t, primary, secondary, a, constants);
      return;
   }
   VkCommandBuffer cmd = enter(t, primary, secondary, VK_NULL_HANDLE, constants);
   switch (a->kind) {
   case DISPATCH:
      vkCmdDispatch(cmd, SLOT, 1, 1);
      break;
   case DISPATCH_INDIRECT:
      vkCmdDispatchIndirect(cmd, t->x.buffer, 0);
      break;
   case FILL:
      vkCmdFillBuffer(cmd, t->x.buffer, 0, 4, value);
      break;
   case UPDATE:
      vkCmdUpdateBuffer(cmd, t->x.buffer, 0, 4, &value);
      break;
   case COPY:
   case COPY_MUCH:
      copy_buffer(t, cmd, a, slot, value);
      break;
   default: /* others: on images */
      touch_image(t, cmd, a, slot, value);
      break;
   }
   leave(primary, cmd);
}

/* Where a reader leaves its results. */
static void
result_scope(const struct access *a, VkPipelineStageFlags *stage, VkAccessFlags *access)
{
   bool copies = a->kind == COPY || a->kind == COPY_IMAGE;
   *access = copies ? VK_ACCESS_TRANSFER_WRITE_BIT : VK_ACCESS_SHADER_WRITE_BIT;
   *stage = copies                                                ? TRANSFER
            : a->kind == DISPATCH || a->kind == DISPATCH_INDIRECT ? COMPUTE
            : a->kind == DRAW                                     ? FRAGMENT
                                                                  : VERTEX;
}

enum { WRITER = 1, BARRIER = 2, READER = 4, PLACES = 8 };

/* secondaries: which of the three are in secondaries of their own. */
static void
test_pair(struct test *t, const struct access *writer, const struct access *reader, unsigned secondaries)
{
   static uint32_t next;
   const uint32_t first = next++ % 50 * 2 + 2, values[2] = {first, first + 1};
   uint32_t *source = t->source.map, *x = t->x.map, *results = t->results.map;
   memset(results, 0, 2 * SLOT * 4);
   /* The second to fourth words suit indirect draws and dispatches. */
   for (unsigned v = 0; v < 2; v++) {
      uint32_t *words = source + values[v] % 2 * 2 * BUFFER_B / 4;
      for (unsigned i = 0; i < 4; i++)
         words[i] = i == 0 ? values[v] : i == 1 || reader->kind == DISPATCH_INDIRECT;
      for (unsigned i = 0; i < SIZE * SIZE; i++)
         words[BUFFER_B / 4 + i] = values[v];
   }
   memcpy(x, source, 16);
   VkPipelineStageFlags result_stage;
   VkAccessFlags result_access;
   result_scope(reader, &result_stage, &result_access);
   VkCommandBuffer cmd = vkx_begin(t->vkx);
   t->num_secondaries = 0;
   for (unsigned v = 0; v < 2; v++) {
      touch(t, cmd, secondaries & WRITER, writer, v, values[v]);
      VkCommandBuffer between = enter(t, cmd, secondaries & BARRIER, VK_NULL_HANDLE, NULL);
      vkx_memory_barrier(between, writer->stage, writer->access, reader->stage, reader->access);
      leave(cmd, between);
      touch(t, cmd, secondaries & READER, reader, v, values[v]);
      if (v == 0) /* a write after a read needs no more than its turn */
         vkCmdPipelineBarrier(cmd, reader->stage | result_stage, writer->stage, 0, 0, NULL, 0, NULL, 0, NULL);
   }
   vkx_memory_barrier(cmd, result_stage, result_access, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
   vkx_submit_and_wait(t->vkx, cmd);
   if (t->num_secondaries)
      vkFreeCommandBuffers(t->vkx->device, t->vkx->pool, t->num_secondaries, t->secondaries);
   unsigned wrong = 0, at = 0;
   for (unsigned v = 0; v < 2; v++)
      for (unsigned i = 0; i < reader->results; i++)
         if (results[v * SLOT + i] != values[v] && !wrong++)
            at = v * SLOT + i;
   vkt_expect(!wrong, "%s, then %s, secondaries %u: %u of %u wrong, number %u is %u, not %u", writer->name,
              reader->name, secondaries, wrong, 2 * reader->results, at, results[at], values[at / SLOT]);
}

static bool
pairs(const struct access *writer, const struct access *reader)
{
   return writer->writes && !reader->writes && writer->image == reader->image;
}

/* RADV 22.3.6 leaves the first vertex of a draw to its pipeline's draw before, although a secondary in between has
 * put something else of another pipeline into that register. */
static bool
radv_fails(const struct access *writer, const struct access *reader, unsigned secondaries)
{
   return reader->kind == ATTRIBUTE && (writer->kind == DRAW || writer->kind == POINTS) &&
          !(secondaries & WRITER) != !(secondaries & READER);
}

int
main(int argc, char **argv)
{
   struct vkx vkx = vkt_create("barriers");
   struct test t = {.vkx = &vkx};
   const bool radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   create(&t);
   for (unsigned w = 0; w < ARRAY_SIZE(accesses); w++)
      for (unsigned r = 0; r < ARRAY_SIZE(accesses); r++)
         for (unsigned s = 0; s < PLACES && pairs(&accesses[w], &accesses[r]); s++)
            if (!radv || !radv_fails(&accesses[w], &accesses[r], s))
               test_pair(&t, &accesses[w], &accesses[r], s);
   destroy(&t);
   return vkt_finish(&vkx);
}
