/* Buffers that get memory block by block: shaders read and store in all ways that they can, blocks move, and a bind
 * waits for what it is told to. */
#include <string.h>

#include "sparse_binds.h"

static const uint32_t sparse_buffers_comp[] = {
#include "sparse_buffers.comp.inc"
};

static const uint32_t sparse_texels_comp[] = {
#include "sparse_texels.inc"
};

static const uint32_t sparse_scalars_comp[] = {
#include "sparse_scalars.comp.inc"
};

enum { BLOCKS = 4, STEP = 16, GROUP = 64 };
enum kind { READ, STORE, STORE_TEXELS, LOOP };

static struct vkx *vkx;
static struct sparse sparse;
static bool radv; /* its scalar loads of holes fault (docs/found.md) */
static VkDeviceSize block_B;
static VkDeviceMemory memory; /* of BLOCKS blocks */

struct program {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipeline;
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkBuffer buffer;
   VkBufferView view;
   struct vkx_buffer data;
};

static uint32_t
invocations(void)
{
   return (uint32_t)(BLOCKS * block_B / 4 / STEP);
}

static VkBuffer
create_buffer(VkBufferCreateFlags flags)
{
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT | flags,
      .size = BLOCKS * 65536,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
               VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
   VkBuffer buffer;
   VkMemoryRequirements needs;
   vkx_check(vkCreateBuffer(vkx->device, &info, NULL, &buffer), "vkCreateBuffer");
   vkGetBufferMemoryRequirements(vkx->device, buffer, &needs);
   vkt_expect(65536 % needs.alignment == 0 && needs.size >= info.size, "requirements of %llu bytes, alignment %llu",
              (unsigned long long)needs.size, (unsigned long long)needs.alignment);
   block_B = 65536;
   if (!memory)
      memory = sparse_memory(&sparse, &needs, BLOCKS * block_B);
   return buffer;
}

/* A set of the buffer as words, texels and image, and the data. */
static void
create_set(struct program *p)
{
   const VkDescriptorType types[4] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                      VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   p->set_layout = vkx_set_layout_create(vkx, 4, types, VK_SHADER_STAGE_COMPUTE_BIT);
   struct vkt_descriptor descriptors[4];
   for (uint32_t i = 0; i < 4; i++)
      descriptors[i] = (struct vkt_descriptor){types[i], .buffer = i ? p->data.buffer : p->buffer, .texels = p->view};
   p->pool = VK_NULL_HANDLE;
   p->set = vkt_bindings_create(vkx, &p->pool, p->set_layout, 4, descriptors);
}

static void
create_pipeline(struct program *p, const uint32_t *code, size_t size_B, VkFormat texels)
{
   const VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                        .buffer = p->buffer,
                                        .format = texels,
                                        .range = BLOCKS * block_B};
   vkx_check(vkCreateBufferView(vkx->device, &view, NULL, &p->view), "vkCreateBufferView");
   create_set(p);
   p->layout = vkx_pipeline_layout_create(vkx, p->set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 12);
   p->pipeline = vkx_compute_pipeline_create(vkx, p->layout, vkx_shader_create(vkx, code, size_B));
}

static void
create_program(struct program *p, VkBufferCreateFlags flags)
{
   *p = (struct program){.buffer = create_buffer(flags)};
   p->data = vkt_buffer_create(vkx, 16ull * invocations(), 0);
   create_pipeline(p, sparse_buffers_comp, sizeof(sparse_buffers_comp), VK_FORMAT_R32_UINT);
}

static void
destroy_pipeline(struct program *p)
{
   vkDestroyDescriptorPool(vkx->device, p->pool, NULL);
   vkDestroyPipeline(vkx->device, p->pipeline, NULL);
   vkDestroyPipelineLayout(vkx->device, p->layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, p->set_layout, NULL);
   vkDestroyBufferView(vkx->device, p->view, NULL);
}

static void
destroy_program(struct program *p)
{
   destroy_pipeline(p);
   vkDestroyBuffer(vkx->device, p->buffer, NULL);
   vkx_buffer_destroy(vkx, &p->data);
}

static VkCommandBuffer
record_words(const struct program *p, const uint32_t push[3])
{
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 1, &p->set, 0, NULL);
   vkCmdPushConstants(cmd, p->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 12, push);
   vkCmdDispatch(cmd, invocations() / GROUP, 1, 1);
   vkt_barrier(cmd);
   return cmd;
}

static VkCommandBuffer
record(const struct program *p, enum kind kind, uint32_t loops)
{
   return record_words(p, (const uint32_t[3]){kind, STEP, loops});
}

static void
run_binds(const struct program *p, enum kind kind)
{
   vkx_submit_and_wait(vkx, record(p, kind, 0));
}

/* from[b]: the block whose values block b shows, -1 without memory. */
static void
check(const struct program *p, const int from[BLOCKS], const char *when)
{
   static const char *const ways[4] = {"a load", "a fetch", "an image load", "an atomic"};
   const uint32_t words = (uint32_t)(block_B / 4), (*read)[4] = p->data.map;
   memset(p->data.map, 0xee, p->data.size);
   run_binds(p, READ);
   for (uint32_t way = 0; way < 4; way++) {
      uint32_t wrong = 0;
      for (uint32_t i = 0; i < invocations(); i++) {
         uint32_t at = i * STEP + i % STEP, block = at / words;
         uint32_t wanted = from[block] < 0 ? 0 : 1 + (uint32_t)from[block] * words + at % words;
         wrong += (from[block] >= 0 || sparse.strict) && read[i][way] != wanted;
      }
      vkt_expect(!wrong, "%s: %s gives %u of %u words wrong", when, ways[way], wrong, invocations());
   }
}

static void
bind_block(const struct program *p, uint32_t block, int to)
{
   sparse_bind_buffer(&sparse, p->buffer, block * block_B, block_B, to < 0 ? VK_NULL_HANDLE : memory,
                      to < 0 ? 0 : (VkDeviceSize)to * block_B);
}

/* Programs learn of texels of all sizes whether they have memory. Blocks 0 and 2 are there. */
static void
test_residency(struct program *p)
{
   static const struct {
      VkFormat format;
      uint32_t left, right, mask; /* of indices, and the bits of a word that its texel begins with */
   } texels[] = {{VK_FORMAT_R32_UINT, 0, 0, UINT32_MAX},
                 {VK_FORMAT_R8_UINT, 2, 0, 0xff},
                 {VK_FORMAT_R16G16B16A16_UINT, 0, 1, 0xffff},
                 {VK_FORMAT_R32G32B32A32_UINT, 0, 2, UINT32_MAX}};
   const uint32_t words = (uint32_t)(block_B / 4), (*read)[4] = p->data.map;
   for (unsigned t = 0; t < sizeof(texels) / sizeof(texels[0]); t++) {
      struct program own = {.buffer = p->buffer, .data = p->data};
      const uint32_t push[3] = {STEP, texels[t].left, texels[t].right};
      uint32_t wrong = 0;
      create_pipeline(&own, sparse_texels_comp, sizeof(sparse_texels_comp), texels[t].format);
      memset(p->data.map, 0xee, p->data.size);
      vkx_submit_and_wait(vkx, record_words(&own, push));
      for (uint32_t i = 0; i < invocations(); i++) {
         const uint32_t at = i * STEP + i % STEP, there = at / words % 2 == 0;
         const uint32_t value = there ? (1 + at) & texels[t].mask : 0;
         wrong += read[i][0] != there || read[i][2] != there;
         /* Other words have not been stored. */
         if (at % (1u << texels[t].right) == 0 && (there || sparse.strict))
            wrong += read[i][1] != value || read[i][3] != value;
      }
      vkt_expect(!wrong, "residency of texels of format %d: %u of %u wrong", texels[t].format, wrong, invocations());
      destroy_pipeline(&own);
   }
}

/* Whole subgroups read one word: from memory, and from none. Blocks 0 and 2 are there. */
static void
test_scalars(struct program *p)
{
   struct program own = {.buffer = p->buffer, .data = p->data};
   const uint32_t count = invocations() / BLOCKS, groups = invocations() / GROUP, (*read)[4] = p->data.map;
   const uint32_t push[3] = {STEP, BLOCKS, count};
   uint32_t wrong = 0;
   create_pipeline(&own, sparse_scalars_comp, sizeof(sparse_scalars_comp), VK_FORMAT_R32_UINT);
   memset(p->data.map, 0xee, p->data.size);
   vkx_submit_and_wait(vkx, record_words(&own, push));
   for (uint32_t i = 0; i < groups * BLOCKS; i++) {
      const uint32_t block = i % BLOCKS, k = block * count + i / BLOCKS, at = k * STEP + k % STEP;
      wrong += (block % 2 == 0 || sparse.strict) && read[i][0] != (block % 2 ? 0 : 1 + at);
   }
   vkt_expect(!wrong, "words that all lanes read: %u of %u", wrong, groups * BLOCKS);
   destroy_pipeline(&own);
}

/* Blocks come, move and go; stores to those without memory are lost. */
static void
test_blocks(struct program *p)
{
   check(p, (int[]){-1, -1, -1, -1}, "nothing bound");
   bind_block(p, 0, 0);
   bind_block(p, 2, 2);
   run_binds(p, STORE);
   check(p, (int[]){0, -1, 2, -1}, "stored");
   if (!radv)
      test_scalars(p);
   if (vkt_features.shaderResourceResidency)
      test_residency(p);
   bind_block(p, 3, 3);
   run_binds(p, STORE_TEXELS);
   check(p, (int[]){0, -1, 2, 3}, "stored as texels");
   bind_block(p, 0, -1);
   bind_block(p, 3, 0);
   check(p, (int[]){-1, -1, 2, 0}, "moved");
   bind_block(p, 1, 3);
   check(p, (int[]){-1, 3, 2, 0}, "moved again");
}

/* Two buffers of the same memory, upside down. */
static void
test_alias(const struct program *p)
{
   struct program other;
   create_program(&other, VK_BUFFER_CREATE_SPARSE_ALIASED_BIT);
   for (uint32_t i = 0; i < BLOCKS; i++) {
      bind_block(p, i, (int)i);
      bind_block(&other, i, BLOCKS - 1 - (int)i);
   }
   run_binds(p, STORE);
   check(&other, (int[]){3, 2, 1, 0}, "aliased");
   destroy_program(&other);
}

/* Numbers of workgroups in a block, and in one that is not there: none. */
static void
test_indirect(const struct program *p)
{
   const uint32_t groups[3] = {invocations() / GROUP, 1, 1}, push[3] = {LOOP, STEP, 1}, *data = p->data.map;
   for (uint32_t i = 0; i < 2; i++) {
      if (i && !sparse.strict)
         continue;
      bind_block(p, 0, i ? -1 : 0);
      memset(p->data.map, 0xee, p->data.size);
      VkCommandBuffer cmd = vkx_begin(vkx);
      vkCmdUpdateBuffer(cmd, p->buffer, 0, sizeof(groups), groups);
      vkt_barrier(cmd);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 1, &p->set, 0, NULL);
      vkCmdPushConstants(cmd, p->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), push);
      vkCmdDispatchIndirect(cmd, p->buffer, 0);
      vkt_barrier(cmd);
      vkx_submit_and_wait(vkx, cmd);
      vkt_expect((data[0] == 0xeeeeeeee) == (i == 1), "an indirect dispatch %s its parameters",
                 i ? "without memory of" : "with");
   }
   bind_block(p, 0, 0);
}

/* A bind after a dispatch that reads what it takes away. */
static void
test_order(const struct program *p)
{
   const uint32_t loops = 400, *data = p->data.map;
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   VkSemaphore read_done;
   vkx_check(vkCreateSemaphore(vkx->device, &info, NULL, &read_done), "vkCreateSemaphore");
   for (uint32_t i = 0; i < BLOCKS; i++)
      bind_block(p, i, (int)i);
   run_binds(p, STORE);
   VkCommandBuffer cmd = record(p, LOOP, loops);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .commandBufferCount = 1,
                                .pCommandBuffers = &cmd,
                                .signalSemaphoreCount = 1,
                                .pSignalSemaphores = &read_done};
   vkx_check(vkQueueSubmit(vkx->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
   const VkSparseMemoryBind none = {.size = BLOCKS * block_B};
   const VkSparseBufferMemoryBindInfo of_buffer = {p->buffer, 1, &none};
   sparse_bind(&sparse, &(VkBindSparseInfo){.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                            .waitSemaphoreCount = 1,
                                            .pWaitSemaphores = &read_done,
                                            .bufferBindCount = 1,
                                            .pBufferBinds = &of_buffer});
   vkx_check(vkDeviceWaitIdle(vkx->device), "vkDeviceWaitIdle");
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < invocations(); i++) {
      uint32_t at = i * STEP + i % STEP;
      wrong += data[4 * i] != loops * (1 + at);
   }
   vkt_expect(!wrong, "a bind came before the reads that it waits for: %u of %u sums", wrong, invocations());
   check(p, (int[]){-1, -1, -1, -1}, "taken away");
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &cmd);
   vkDestroySemaphore(vkx->device, read_done, NULL);
}

/* Another queue of the family whose command pool there is. */
static VkQueue
other_queue(void)
{
   for (uint32_t i = 0; i < vkt_num_queues; i++)
      if (vkt_queues[i].queue != sparse.queue && vkt_queues[i].family == vkx->family)
         return vkt_queues[i].queue;
   return VK_NULL_HANDLE;
}

static void
submit_alone(VkQueue queue, VkCommandBuffer cmd)
{
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
   vkx_check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
   vkx_check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

/* A bind that waits for the processor; meanwhile another queue reads what it takes away. */
static void
test_host_order(const struct program *p)
{
   const uint32_t *data = p->data.map;
   const uint64_t point = 1;
   const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                           .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
   const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = 1,
                                                 .pWaitSemaphoreValues = &point};
   const VkSparseMemoryBind none = {.size = BLOCKS * block_B};
   const VkSparseBufferMemoryBindInfo of_buffer = {p->buffer, 1, &none};
   VkSemaphore go;
   uint32_t wrong = 0;
   vkx_check(vkCreateSemaphore(vkx->device, &info, NULL, &go), "vkCreateSemaphore");
   for (uint32_t i = 0; i < BLOCKS; i++)
      bind_block(p, i, (int)i);
   run_binds(p, STORE);
   const VkBindSparseInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                  .pNext = &values,
                                  .waitSemaphoreCount = 1,
                                  .pWaitSemaphores = &go,
                                  .bufferBindCount = 1,
                                  .pBufferBinds = &of_buffer};
   vkx_check(vkQueueBindSparse(sparse.queue, 1, &bind, VK_NULL_HANDLE), "vkQueueBindSparse");
   VkCommandBuffer cmd = record(p, LOOP, 1);
   submit_alone(other_queue(), cmd);
   for (uint32_t i = 0; i < invocations(); i++)
      wrong += data[4 * i] != 1 + i * STEP + i % STEP;
   vkt_expect(!wrong, "a bind came before the processor's signal: %u of %u words", wrong, invocations());
   const VkSemaphoreSignalInfo signal = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = go, .value = point};
   vkx_check(VKT_PROC(vkx, vkSignalSemaphoreKHR)(vkx->device, &signal), "vkSignalSemaphoreKHR");
   vkx_check(vkQueueWaitIdle(sparse.queue), "vkQueueWaitIdle");
   check(p, (int[]){-1, -1, -1, -1}, "taken away at the signal");
   vkFreeCommandBuffers(vkx->device, vkx->pool, 1, &cmd);
   vkDestroySemaphore(vkx->device, go, NULL);
}

/* Batches without binds, and no batch at all, signal. */
static void
test_empty(void)
{
   const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   const VkBindSparseInfo nothing = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
   for (uint32_t i = 0; i < 2; i++) {
      VkFence fence;
      vkx_check(vkCreateFence(vkx->device, &info, NULL, &fence), "vkCreateFence");
      vkx_check(vkQueueBindSparse(sparse.queue, i, &nothing, fence), "vkQueueBindSparse");
      vkt_expect(vkWaitForFences(vkx->device, 1, &fence, VK_TRUE, 10000000000ull) == VK_SUCCESS,
                 "%u empty batches signal their fence", i);
      vkDestroyFence(vkx->device, fence, NULL);
   }
}

int
main(int argc, char **argv)
{
   radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   vkt_all_queues = vkt_sparse_buffers = true;
   struct vkx device = vkt_create("sparse_buffers");
   struct program p;
   vkx = &device;
   if (!sparse_start(&sparse, vkx) || !vkt_features.sparseResidencyBuffer)
      return vkt_finish(vkx);
   create_program(&p, vkt_features.sparseResidencyAliased ? VK_BUFFER_CREATE_SPARSE_ALIASED_BIT : 0);
   test_blocks(&p);
   if (vkt_features.sparseResidencyAliased)
      test_alias(&p);
   test_indirect(&p);
   test_order(&p);
   if (vkt_has("VK_KHR_timeline_semaphore") && other_queue())
      test_host_order(&p);
   test_empty();
   destroy_program(&p);
   sparse_finish(&sparse);
   return vkt_finish(vkx);
}
