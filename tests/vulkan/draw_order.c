/* Draws one after another whose pixel shaders work on the same memory: in ordered sections, and with barriers between
 * them. draw_order MISTAKE leaves out one of the things that keep them in order:
 *
 *   unordered   every other draw has no ordered section
 *   read        no barrier between a draw that writes and one that reads what it has written
 *   write       no barrier between a draw that reads and one that overwrites what it has read
 *
 * Status 1: wrong pixels. */
#include <stdio.h>
#include <string.h>

#include "vkt_draw.h"

enum { SIZE = 16, PIXELS = SIZE * SIZE, DRAWS = 12, INSTANCES = 3, TURNS = 4 };
enum step { ORDERED, ORDERED_TOO, UNORDERED, WRITE, READ, STEPS };

static const uint32_t vertex_code[] = {
#include "draw_order.vert.inc"
};
static const uint32_t fragment_0[] = {
#include "draw_order_0.frag.inc"
};
static const uint32_t fragment_1[] = {
#include "draw_order_1.frag.inc"
};
static const uint32_t fragment_2[] = {
#include "draw_order_2.frag.inc"
};
static const uint32_t fragment_3[] = {
#include "draw_order_3.frag.inc"
};

struct push {
   uint32_t first, x, y;
};

struct scene {
   struct vkx *vkx;
   struct vkt_target target;
   VkPipelineLayout layout;
   VkDescriptorSet set;
   VkPipeline pipelines[STEPS];
   PFN_vkCmdBeginRenderingKHR begin_rendering;
   PFN_vkCmdEndRenderingKHR end_rendering;
   VkCommandBuffer cmd;
};

/* Nothing waits where a rendering begins or ends: a render pass would have dependencies. */
static void
begin(const struct scene *s)
{
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = s->target.views[0],
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, s->target.extent},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &color};
   s->begin_rendering(s->cmd, &info);
   vkt_set_viewport(s->cmd, s->target.extent);
   vkCmdBindDescriptorSets(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0, NULL);
}

static void
draw(const struct scene *s, enum step step, uint32_t id, uint32_t instances)
{
   const struct push push = {id, 0, 0};
   vkCmdBindPipeline(s->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[step]);
   vkCmdPushConstants(s->cmd, s->layout, VKT_QUAD_STAGES, 0, sizeof(push), &push);
   vkCmdDraw(s->cmd, 3, instances, 0, 0);
}

/* Between two draws, or not. */
static void
barrier(const struct scene *s, bool there)
{
   static const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                          .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                          .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
   if (!there)
      return;
   s->end_rendering(s->cmd);
   vkCmdPipelineBarrier(s->cmd, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 1,
                        &memory, 0, NULL, 0, NULL);
   begin(s);
}

/* In ordered sections: every other draw has another pipeline. */
static void
change_in_order(struct scene *s, const struct vkx_buffer *words, enum step second)
{
   uint32_t expected[PIXELS] = {0}, wrong = 0;
   memset(words->map, 0, sizeof(expected));
   s->cmd = vkx_begin(s->vkx);
   begin(s);
   for (uint32_t i = 0; i < DRAWS; i++)
      draw(s, i % 2 ? second : ORDERED, i * INSTANCES + 1, INSTANCES);
   s->end_rendering(s->cmd);
   vkt_barrier(s->cmd);
   vkx_submit_and_wait(s->vkx, s->cmd);
   for (uint32_t i = 0; i < PIXELS; i++) {
      for (uint32_t n = 0; n < DRAWS * INSTANCES; n++) {
         const uint32_t dx = n % INSTANCES % 5, dy = n % INSTANCES % 3;
         expected[i] = i % SIZE >= dx && i / SIZE >= dy ? expected[i] * 3 + n + 1 : expected[i];
      }
      wrong += expected[i] != ((const uint32_t *)words->map)[i];
   }
   vkt_expect(!wrong, "ordered sections: %u wrong pixels", wrong);
}

/* By barriers: one draw writes, the next one reads, and that again. */
static void
write_and_read(struct scene *s, const struct vkx_buffer *words, bool ahead_of_read, bool ahead_of_write)
{
   uint32_t expected[2 * PIXELS] = {0}, wrong = 0;
   memset(words->map, 0, sizeof(expected));
   s->cmd = vkx_begin(s->vkx);
   begin(s);
   for (uint32_t turn = 0; turn < TURNS; turn++) {
      draw(s, WRITE, turn + 1, 1);
      barrier(s, ahead_of_read);
      draw(s, READ, 0, 1);
      barrier(s, ahead_of_write);
   }
   s->end_rendering(s->cmd);
   vkt_barrier(s->cmd);
   vkx_submit_and_wait(s->vkx, s->cmd);
   for (uint32_t turn = 0; turn < TURNS; turn++) {
      for (uint32_t i = 0; i < PIXELS; i++)
         expected[i] = (turn + 1) * 1000 + i;
      for (uint32_t i = 0; i < PIXELS; i++) {
         uint32_t sum = 0;
         for (uint32_t n = 0; n < 4; n++)
            sum = sum * 5 + expected[(n * 64 - 1 - i) % PIXELS];
         expected[PIXELS + i] = expected[PIXELS + i] * 7 + sum;
      }
   }
   for (uint32_t i = 0; i < PIXELS; i++)
      wrong += expected[PIXELS + i] != ((const uint32_t *)words->map)[PIXELS + i];
   vkt_expect(!wrong, "barriers: %u wrong pixels", wrong);
}

static void
create_pipelines(struct scene *s)
{
   static const struct vkt_code codes[STEPS] = {{fragment_0, sizeof(fragment_0)},
                                                {fragment_0, sizeof(fragment_0)},
                                                {fragment_1, sizeof(fragment_1)},
                                                {fragment_2, sizeof(fragment_2)},
                                                {fragment_3, sizeof(fragment_3)}};
   static const VkPipelineColorBlendAttachmentState nothing = {.colorWriteMask = 0};
   static const VkFormat color = VK_FORMAT_R8G8B8A8_UNORM;
   static const VkPipelineRenderingCreateInfo formats = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                         .colorAttachmentCount = 1,
                                                         .pColorAttachmentFormats = &color};
   for (unsigned i = 0; i < STEPS; i++)
      s->pipelines[i] =
         vkt_pipeline_create(s->vkx, &(struct vkt_pipeline_info){.next = &formats,
                                                                 .layout = s->layout,
                                                                 .vertex = VKT_CODE(vertex_code),
                                                                 .fragment = codes[i],
                                                                 .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                                 .blend = &nothing});
}

int
main(int argc, char **argv)
{
   static const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const char *mistake = argc > 1 ? argv[1] : "";
   struct vkx device = vkt_create("draw_order");
   struct scene s = {.vkx = &device};
   vkt_expect(vkt_has("VK_EXT_fragment_shader_interlock"), "the device has fragment shader interlock");
   struct vkx_buffer words = vkt_buffer_create(s.vkx, 2 * PIXELS * sizeof(uint32_t), 0);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(s.vkx, 1, &type, VKT_QUAD_STAGES);
   s.layout = vkx_pipeline_layout_create(s.vkx, set_layout, VKT_QUAD_STAGES, sizeof(struct push));
   s.set = vkt_set_create(s.vkx, set_layout, type, &words);
   s.target = vkt_target_create(s.vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, (VkExtent2D){SIZE, SIZE}, 1,
                                VK_SAMPLE_COUNT_1_BIT);
   s.begin_rendering = VKT_PROC(s.vkx, vkCmdBeginRenderingKHR);
   s.end_rendering = VKT_PROC(s.vkx, vkCmdEndRenderingKHR);
   s.cmd = vkx_begin(s.vkx);
   vkt_transition(s.cmd, &s.target.color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vkx_submit_and_wait(s.vkx, s.cmd);
   create_pipelines(&s);
   change_in_order(&s, &words, !strcmp(mistake, "unordered") ? UNORDERED : ORDERED_TOO);
   write_and_read(&s, &words, strcmp(mistake, "read"), strcmp(mistake, "write"));
   for (unsigned i = 0; i < STEPS; i++)
      vkDestroyPipeline(s.vkx->device, s.pipelines[i], NULL);
   vkt_target_destroy(s.vkx, &s.target);
   vkt_sets_destroy(s.vkx);
   vkDestroyPipelineLayout(s.vkx->device, s.layout, NULL);
   vkDestroyDescriptorSetLayout(s.vkx->device, set_layout, NULL);
   vkx_buffer_destroy(s.vkx, &words);
   return vkt_finish(s.vkx);
}
