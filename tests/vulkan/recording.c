/* Command buffers: secondaries inside and outside of passes, executed more than once; primaries that are submitted
 * again, recorded again, reset one by one or with their pool; long ones. */
#include <stdio.h>
#include <string.h>

#include "pass_helpers.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t count_comp[] = {
#include "count.comp.inc"
};

static struct vkt_target target;
static VkPipeline pipeline, compute;
static VkPipelineLayout compute_layout;
static VkDescriptorSet set;
static struct vkx_buffer counter;

static VkCommandPool
pool_create(VkCommandPoolCreateFlags flags)
{
   const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .flags = flags};
   VkCommandPool pool;
   vkx_check(vkCreateCommandPool(vkx->device, &info, NULL, &pool), "vkCreateCommandPool");
   return pool;
}

static void
allocate(VkCommandPool pool, VkCommandBufferLevel level, uint32_t count, VkCommandBuffer *cmds)
{
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = pool,
                                             .level = level,
                                             .commandBufferCount = count};
   vkx_check(vkAllocateCommandBuffers(vkx->device, &info, cmds), "vkAllocateCommandBuffers");
}

static void
begin_commands(VkCommandBuffer cmd, VkCommandBufferUsageFlags flags, bool secondary)
{
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
   const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = flags,
                                          .pInheritanceInfo = secondary ? &inheritance : NULL};
   vkx_check(vkBeginCommandBuffer(cmd, &info), "vkBeginCommandBuffer");
}

static void
submit_all(uint32_t count, const VkCommandBuffer *cmds)
{
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = count, .pCommandBuffers = cmds};
   vkx_check(vkQueueSubmit(vkx->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

/* Adds 32 to the counter. */
static void
count_once(VkCommandBuffer cmd)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, compute);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, compute_layout, 0, 1, &set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkt_barrier(cmd);
}

static void
expect_count(const char *what, uint32_t times)
{
   vkx_check(vkQueueWaitIdle(vkx->queue), "vkQueueWaitIdle");
   uint32_t got = *(volatile uint32_t *)counter.map;
   vkt_expect(got == 32 * times, "%s: counted %u of %u", what, got / 32, times);
   *(volatile uint32_t *)counter.map = 0;
}

/* ---- secondaries inside of a pass ---- */

static void
test_inside(void)
{
   VkCommandBuffer secondaries[3], cmd;
   const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(BYTES(9, 9, 9, 9))};
   const VkClearRect rect = {{{20, 20}, {4, 4}}, 0, 1};
   for (uint32_t i = 0; i < 3; i++) {
      secondaries[i] = vkt_secondary_begin(vkx, &target, 0, false);
      quad(secondaries[i], pipeline, 8 * i, 0, 8 * i + 8, 8, 0.5f, BYTES(10 * i + 1, 2, 3, 4));
      if (i == 1)
         vkCmdClearAttachments(secondaries[i], 1, &clear, 1, &rect);
      vkx_check(vkEndCommandBuffer(secondaries[i]), "vkEndCommandBuffer");
   }
   for (unsigned round = 0; round < 2; round++) {
      cmd = vkx_begin(vkx);
      vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      vkCmdExecuteCommands(cmd, 2, secondaries);
      vkCmdExecuteCommands(cmd, 1, &secondaries[2]);
      vkCmdExecuteCommands(cmd, 1, &secondaries[0]);
      vkCmdEndRenderPass(cmd);
      /* The primary continues by itself: nothing of the secondaries' state is left. */
      vkt_target_begin(cmd, &target, target.load_pass, VK_SUBPASS_CONTENTS_INLINE);
      quad(cmd, pipeline, 0, 24, 8, SIZE, 0.5f, BYTES(5, 5, 5, 5));
      vkCmdEndRenderPass(cmd);
      vkx_submit_and_wait(vkx, cmd);
      read_back(&target.color);
      for (uint32_t i = 0; i < 3; i++)
         expect("a secondary's quad", 0, 8 * i + 4, 4, BYTES(10 * i + 1, 2, 3, 4));
      expect("a secondary's clear", 0, 21, 23, BYTES(9, 9, 9, 9));
      expect("no secondary's", 0, 25, 4, 0);
      expect("the primary's quad", 0, 3, 30, BYTES(5, 5, 5, 5));
   }
   /* Two primaries with the same secondary in one submit. */
   VkCommandBuffer both[2] = {vkx_begin(vkx), vkx_begin(vkx)};
   for (unsigned i = 0; i < 2; i++) {
      vkt_target_begin(both[i], &target, target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
      vkCmdExecuteCommands(both[i], 1, &secondaries[i ? 2 : 1]);
      vkCmdExecuteCommands(both[i], 1, &secondaries[1]);
      vkCmdEndRenderPass(both[i]);
      vkx_check(vkEndCommandBuffer(both[i]), "vkEndCommandBuffer");
   }
   submit_all(2, both);
   vkx_check(vkQueueWaitIdle(vkx->queue), "vkQueueWaitIdle");
   read_back(&target.color);
   expect("the second primary", 0, 20, 4, BYTES(21, 2, 3, 4));
   expect("the second primary", 0, 12, 4, BYTES(11, 2, 3, 4));
   expect("the second primary", 0, 4, 4, 0);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 3, secondaries);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 2, both);
}

/* Clears in a secondary: of the targets of three kinds, of depth and stencil, each at its place in the primary's
 * pass. */
static void
test_inherited_clears(void)
{
   static const VkFormat formats[4] = {RGBA8, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R32_SFLOAT, DS};
   struct vkt_image images[4];
   VkImageView views[4];
   VkAttachmentDescription attachments[4];
   VkAttachmentReference refs[4];
   for (uint32_t i = 0; i < 4; i++) {
      images[i] = image_create(
         formats[i], 1, 1, i < 3 ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
      views[i] = view_create(&images[i]);
      attachments[i] = attachment(formats[i], 1, VK_ATTACHMENT_LOAD_OP_CLEAR);
      refs[i] = (VkAttachmentReference){i, GENERAL};
   }
   const VkSubpassDescription subpass = {
      .colorAttachmentCount = 3, .pColorAttachments = refs, .pDepthStencilAttachment = &refs[3]};
   VkRenderPass pass = pass_create(4, attachments, 1, &subpass, NULL);
   VkFramebuffer framebuffer = framebuffer_create(pass, 4, views, 1);
   const struct vkt_target inherited = {.pass = pass, .framebuffer = framebuffer, .extent = extent};
   const VkClearAttachment clears[4] = {
      {VK_IMAGE_ASPECT_COLOR_BIT, 0, clear_color(BYTES(10, 20, 30, 40))},
      {VK_IMAGE_ASPECT_COLOR_BIT, 1, {.color = {.uint32 = {1, 2, 3, 4}}}},
      {VK_IMAGE_ASPECT_COLOR_BIT, 2, {.color = {.float32 = {0.5f}}}},
      {VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, {.depthStencil = {0.25f, 9}}}};
   static const uint32_t expected[4] = {BYTES(10, 20, 30, 40), BYTES(1, 2, 3, 4), 0x3f000000, 0x3e800000};
   const VkClearValue begin_values[4] = {{{{0}}}, {{{0}}}, {{{0}}}, {.depthStencil = {1, 0}}};
   VkCommandBuffer secondary = vkt_secondary_begin(vkx, &inherited, 0, false), cmd = vkx_begin(vkx);
   for (uint32_t i = 0; i < 4; i++) {
      const VkClearRect rect = {{{(int32_t)(4 * i), 2}, {4, 4}}, 0, 1};
      vkCmdClearAttachments(secondary, 1, &clears[i], 1, &rect);
   }
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = pass,
                                       .framebuffer = framebuffer,
                                       .renderArea = {{0, 0}, extent},
                                       .clearValueCount = 4,
                                       .pClearValues = begin_values};
   vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   vkCmdExecuteCommands(cmd, 1, &secondary);
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < 4; i++) {
      uint32_t background = i == 3 ? 0x3f800000 : 0;
      vkt_read(vkx, &images[i], i == 3 ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, &buffer);
      for (uint32_t j = 0; j < 4; j++)
         expect("a clear in a secondary", 0, 4 * j + 1, 3, i == j ? expected[i] : background);
   }
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
   destroy_images(4, images, 4, views);
   destroy_pass(pass, framebuffer, 0, NULL);
}

/* ---- secondaries outside of passes; submits again; simultaneous use ---- */

static void
test_outside(void)
{
   VkCommandBuffer secondary, primaries[2];
   allocate(vkx->pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1, &secondary);
   allocate(vkx->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 2, primaries);
   begin_commands(secondary, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, true);
   count_once(secondary);
   vkCmdFillBuffer(secondary, counter.buffer, 64, 16, 0x01020304);
   vkt_barrier(secondary);
   count_once(secondary);
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   for (unsigned i = 0; i < 2; i++) {
      begin_commands(primaries[i], VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, false);
      count_once(primaries[i]);
      vkCmdExecuteCommands(primaries[i], 1, &secondary);
      vkCmdExecuteCommands(primaries[i], 1, &secondary);
      count_once(primaries[i]);
      vkx_check(vkEndCommandBuffer(primaries[i]), "vkEndCommandBuffer");
   }
   submit_all(2, primaries);
   for (unsigned i = 0; i < 5; i++)
      submit_all(1, &primaries[i % 2]);
   expect_count("primaries with secondaries, submitted seven times", 7 * 6);
   vkt_expect(((uint32_t *)counter.map)[16] == 0x01020304, "a fill of a secondary");
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 2, primaries);
}

/* ---- recorded again ---- */

static void
test_again(void)
{
   VkCommandPool pool = pool_create(VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
   VkCommandBuffer cmds[3];
   allocate(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 3, cmds);
   for (unsigned round = 0; round < 3; round++) {
      for (unsigned i = 0; i < 3; i++) {
         if (round == 1)
            vkx_check(vkResetCommandBuffer(cmds[i], i ? VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT : 0), "reset");
         begin_commands(cmds[i], round ? 0 : VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, false);
         for (unsigned n = 0; n <= i + round; n++)
            count_once(cmds[i]);
         vkx_check(vkEndCommandBuffer(cmds[i]), "vkEndCommandBuffer");
      }
      submit_all(3, cmds);
      expect_count("command buffers that are recorded again", 6 + 3 * round);
   }
   vkx_check(vkResetCommandPool(vkx->device, pool, 0), "vkResetCommandPool");
   vkTrimCommandPool(vkx->device, pool, 0);
   begin_commands(cmds[1], 0, false);
   count_once(cmds[1]);
   vkx_check(vkEndCommandBuffer(cmds[1]), "vkEndCommandBuffer");
   submit_all(1, &cmds[1]);
   vkx_check(vkQueueWaitIdle(vkx->queue), "vkQueueWaitIdle");
   submit_all(1, &cmds[1]);
   expect_count("after a reset of the pool", 2);
   vkx_check(vkResetCommandPool(vkx->device, pool, VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT), "reset");
   const VkCommandBuffer some[3] = {cmds[2], VK_NULL_HANDLE, cmds[0]};
   vkFreeCommandBuffers(vkx->device, pool, 3, some);
   begin_commands(cmds[1], 0, false); /* dies while it is recorded */
   count_once(cmds[1]);
   vkDestroyCommandPool(vkx->device, pool, NULL);
}

/* Recorded past several chunks of commands, in a primary and in a secondary. */
static void
test_long(void)
{
   enum { QUADS = 6000 };
   VkCommandBuffer secondary = vkt_secondary_begin(vkx, &target, 0, false), cmd = vkx_begin(vkx);
   for (uint32_t i = 0; i < QUADS; i++)
      quad(secondary, pipeline, i % SIZE, i / SIZE % 16, i % SIZE + 1, i / SIZE % 16 + 1, 0.5f,
           BYTES(i % SIZE, i / SIZE % 16, i / 512, 255));
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   vkt_target_begin(cmd, &target, target.pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   vkCmdExecuteCommands(cmd, 1, &secondary);
   vkCmdEndRenderPass(cmd);
   vkt_target_begin(cmd, &target, target.load_pass, VK_SUBPASS_CONTENTS_INLINE);
   for (uint32_t i = 0; i < QUADS; i++)
      quad(cmd, pipeline, i % SIZE, 16 + i / SIZE % 16, i % SIZE + 1, 17 + i / SIZE % 16, 0.5f,
           BYTES(i % SIZE, i / SIZE % 16, i / 512, 200));
   vkCmdEndRenderPass(cmd);
   vkx_submit_and_wait(vkx, cmd);
   read_back(&target.color);
   for (uint32_t i = QUADS - 512; i < QUADS; i += 37) {
      expect("a long secondary", 0, i % SIZE, i / SIZE % 16, BYTES(i % SIZE, i / SIZE % 16, i / 512, 255));
      expect("a long primary", 0, i % SIZE, 16 + i / SIZE % 16, BYTES(i % SIZE, i / SIZE % 16, i / 512, 200));
   }
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &secondary);
}

static unsigned
count_mappings(void)
{
   FILE *file = fopen("/proc/self/maps", "r");
   unsigned count = 0;
   for (int c; file && (c = getc(file)) != EOF;)
      count += c == '\n';
   if (file)
      fclose(file);
   return count;
}

/* A process has 65530 mappings, and often fewer descriptors: recording must not take one for every few commands. */
static void
test_mappings(void)
{
   enum { PIECE_W = 16384, PIECES = 512 };
   static uint32_t piece[PIECE_W];
   struct vkx_buffer all = vkt_buffer_create(vkx, 4ull * PIECE_W * PIECES, 0);
   VkCommandBuffer cmd = vkx_begin(vkx);
   uint32_t wrong = 0;
   const unsigned before = count_mappings();
   for (uint32_t i = 0; i < PIECES; i++) {
      for (uint32_t j = 0; j < PIECE_W; j++)
         piece[j] = i * 1000003 + j;
      vkCmdUpdateBuffer(cmd, all.buffer, 4ull * PIECE_W * i, sizeof(piece), piece);
   }
   const unsigned taken = count_mappings() - before;
   vkt_expect(before && taken < 64, "32 MiB of commands took %u mappings", taken);
   vkt_barrier(cmd);
   vkx_submit_and_wait(vkx, cmd);
   for (uint32_t i = 0; i < PIECES; i++) {
      for (uint32_t j = 0; j < PIECE_W; j++)
         wrong += ((uint32_t *)all.map)[i * PIECE_W + j] != i * 1000003 + j;
   }
   vkt_expect(!wrong, "32 MiB of commands: %u words", wrong);
   vkx_buffer_destroy(vkx, &all);
}

/* More command buffers in one submit than the kernel takes at once. */
static void
test_many(void)
{
   VkCommandBuffer cmds[300];
   allocate(vkx->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 300, cmds);
   for (unsigned i = 0; i < 300; i++) {
      begin_commands(cmds[i], 0, false);
      count_once(cmds[i]);
      vkx_check(vkEndCommandBuffer(cmds[i]), "vkEndCommandBuffer");
   }
   submit_all(300, cmds);
   expect_count("300 command buffers", 300);
   vkFreeCommandBuffers(vkx->device, vkx->pool, 300, cmds);
}

int
main(void)
{
   struct vkx device = vkt_create("recording");
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   vkx = &device;
   buffer = vkt_buffer_create(vkx, 64 << 10, 0);
   counter = vkt_buffer_create(vkx, 4096, 0);
   quad_layout = vkt_quad_layout_create(vkx);
   target = vkt_target_create(vkx, RGBA8, DS, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   set = vkt_set_create(vkx, set_layout, type, &counter);
   compute_layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   compute = vkx_compute_pipeline_create(vkx, compute_layout, vkx_shader_create(vkx, count_comp, sizeof(count_comp)));
   pipeline = vkt_pipeline_create(vkx, &(struct vkt_pipeline_info){.pass = target.pass,
                                                                   .layout = quad_layout,
                                                                   .vertex = VKT_CODE(quad_vert),
                                                                   .fragment = VKT_CODE(quad_frag)});
   test_inside();
   test_inherited_clears();
   test_outside();
   test_again();
   test_long();
   test_mappings();
   test_many();
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyPipeline(vkx->device, compute, NULL);
   vkDestroyPipelineLayout(vkx->device, compute_layout, NULL);
   vkDestroyPipelineLayout(vkx->device, quad_layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
   vkt_sets_destroy(vkx);
   vkt_target_destroy(vkx, &target);
   vkx_buffer_destroy(vkx, &buffer);
   vkx_buffer_destroy(vkx, &counter);
   return vkt_finish(vkx);
}
