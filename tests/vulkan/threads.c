/* Many threads on two devices: each creates and destroys objects of its own, records, submits to the queue that the
 * threads of a device share (locked, as the API demands) and checks what came out. Layouts and the pipeline cache are
 * shared. The order of the threads is not fixed, what each of them must find is. */
#include <pthread.h>
#include <string.h>

#include "vkt_draw.h"

static const uint32_t quad_vert[] = {
#include "quad.vert.inc"
};
static const uint32_t quad_frag[] = {
#include "quad.frag.inc"
};
static const uint32_t count_comp[] = {
#include "count.comp.inc"
};

#define THREADS 5u
#define ROUNDS 20u
#define SIZE 24u
#define GENERAL VK_IMAGE_LAYOUT_GENERAL

static const VkExtent2D extent = {SIZE, SIZE};

/* What the threads of a device share. */
struct shared {
   struct vkx vkx;
   pthread_mutex_t queue_lock;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout compute_layout, quad_layout;
   VkPipelineCache cache;
};

struct worker {
   struct shared *shared;
   struct vkx vkx; /* with a command pool of its own */
   pthread_t thread;
   uint32_t number, seed;
   uint32_t bad_counts, bad_pixels, bad_queries, bad_results, rounds;
};

static uint32_t
below(struct worker *w, uint32_t limit)
{
   w->seed = w->seed * 1664525u + 1013904223u;
   return (w->seed >> 8) % limit;
}

/* What a round makes. */
struct round {
   VkDescriptorPool pool;
   VkDescriptorSet set;
   VkPipeline compute, graphics;
   struct vkt_target target;
   struct vkx_buffer data, pixels;
   VkQueryPool queries;
   VkFence fence;
   VkCommandBuffer commands[2]; /* primary, secondary */
   uint32_t groups[2], width;
};

static VkPipeline
create_compute(struct worker *w)
{
   VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                       .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                 .module = vkx_shader_create(&w->vkx, count_comp, sizeof(count_comp)),
                                                 .pName = "main"},
                                       .layout = w->shared->compute_layout};
   VkPipeline pipeline;
   vkx_check(vkCreateComputePipelines(w->vkx.device, w->shared->cache, 1, &info, NULL, &pipeline),
             "vkCreateComputePipelines");
   vkDestroyShaderModule(w->vkx.device, info.stage.module, NULL);
   return pipeline;
}

static void
create_set(struct worker *w, struct round *r)
{
   const struct vkt_descriptor data = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .buffer = r->data.buffer};
   r->set = vkt_bindings_create(&w->vkx, &r->pool, w->shared->set_layout, 1, &data);
}

static struct round
create_round(struct worker *w)
{
   struct round r = {.groups = {1 + below(w, 4), 1 + below(w, 4)}, .width = 1 + below(w, SIZE - 1)};
   r.data = vkt_buffer_create(&w->vkx, 1024 << below(w, 6), 0);
   r.pixels = vkt_buffer_create(&w->vkx, 4 * SIZE * SIZE, 0);
   create_set(w, &r);
   r.compute = create_compute(w);
   r.target = vkt_target_create(&w->vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, extent, 1, 1);
   r.graphics = vkt_pipeline_create(&w->vkx, &(struct vkt_pipeline_info){.pass = r.target.pass,
                                                                         .layout = w->shared->quad_layout,
                                                                         .vertex = VKT_CODE(quad_vert),
                                                                         .fragment = VKT_CODE(quad_frag)});
   const VkQueryPoolCreateInfo queries = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1};
   vkx_check(vkCreateQueryPool(w->vkx.device, &queries, NULL, &r.queries), "vkCreateQueryPool");
   const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   vkx_check(vkCreateFence(w->vkx.device, &fence, NULL, &r.fence), "vkCreateFence");
   for (unsigned i = 0; i < 2; i++) {
      const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = w->vkx.pool,
                                                .level = i ? VK_COMMAND_BUFFER_LEVEL_SECONDARY
                                                           : VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
      vkx_check(vkAllocateCommandBuffers(w->vkx.device, &info, &r.commands[i]), "vkAllocateCommandBuffers");
   }
   return r;
}

static void
record_counts(struct worker *w, const struct round *r, VkCommandBuffer cmd, uint32_t groups)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, r->compute);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, w->shared->compute_layout, 0, 1, &r->set, 0, NULL);
   vkCmdDispatch(cmd, groups, 1, 1);
}

static void
record(struct worker *w, const struct round *r)
{
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .pInheritanceInfo = &inheritance};
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {SIZE, SIZE, 1}};
   const float color[4] = {(float)w->number / 255, 0, 0, 1};
   VkCommandBuffer cmd = r->commands[0], secondary = r->commands[1];
   vkx_check(vkBeginCommandBuffer(secondary, &begin), "vkBeginCommandBuffer");
   record_counts(w, r, secondary, r->groups[1]);
   vkx_check(vkEndCommandBuffer(secondary), "vkEndCommandBuffer");
   vkx_check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
   vkCmdFillBuffer(cmd, r->data.buffer, 0, VK_WHOLE_SIZE, 0);
   vkCmdResetQueryPool(cmd, r->queries, 0, 1);
   vkt_barrier(cmd);
   record_counts(w, r, cmd, r->groups[0]);
   vkCmdExecuteCommands(cmd, 1, &secondary);
   vkt_target_begin(cmd, &r->target, r->target.pass, VK_SUBPASS_CONTENTS_INLINE);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->graphics);
   vkCmdBeginQuery(cmd, r->queries, 0, vkt_features.occlusionQueryPrecise ? VK_QUERY_CONTROL_PRECISE_BIT : 0);
   vkt_draw_quad(cmd, w->shared->quad_layout, extent, 0, 0, r->width, SIZE, 0, color);
   vkCmdEndQuery(cmd, r->queries, 0);
   vkCmdEndRenderPass(cmd);
   vkt_barrier(cmd);
   vkCmdCopyImageToBuffer(cmd, r->target.color.image, GENERAL, r->pixels.buffer, 1, &copy);
   vkt_barrier(cmd);
   vkx_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
}

static void
submit(struct worker *w, const struct round *r)
{
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &r->commands[0]};
   pthread_mutex_lock(&w->shared->queue_lock);
   VkResult result = vkQueueSubmit(w->vkx.queue, 1, &info, r->fence);
   pthread_mutex_unlock(&w->shared->queue_lock);
   if (result == VK_SUCCESS)
      result = vkWaitForFences(w->vkx.device, 1, &r->fence, VK_TRUE, UINT64_MAX);
   w->bad_results += result != VK_SUCCESS || vkGetFenceStatus(w->vkx.device, r->fence) != VK_SUCCESS;
}

static void
check(struct worker *w, const struct round *r)
{
   const uint32_t *pixels = r->pixels.map, drawn = w->number | 0xff000000;
   uint64_t samples = 0;
   VkResult result = vkGetQueryPoolResults(w->vkx.device, r->queries, 0, 1, 8, &samples, 8, VK_QUERY_RESULT_64_BIT);
   w->bad_queries += result != VK_SUCCESS || (samples != r->width * SIZE && vkt_features.occlusionQueryPrecise);
   w->bad_counts += ((uint32_t *)r->data.map)[0] != 32 * (r->groups[0] + r->groups[1]);
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      w->bad_pixels += pixels[i] != (i % SIZE < r->width ? drawn : 0);
   w->rounds++;
}

static void
destroy_round(struct worker *w, struct round *r)
{
   vkFreeCommandBuffers(w->vkx.device, w->vkx.pool, 2, r->commands);
   vkDestroyFence(w->vkx.device, r->fence, NULL);
   vkDestroyQueryPool(w->vkx.device, r->queries, NULL);
   vkDestroyPipeline(w->vkx.device, r->graphics, NULL);
   vkDestroyPipeline(w->vkx.device, r->compute, NULL);
   vkDestroyDescriptorPool(w->vkx.device, r->pool, NULL);
   vkt_target_destroy(&w->vkx, &r->target);
   vkx_buffer_destroy(&w->vkx, &r->data);
   vkx_buffer_destroy(&w->vkx, &r->pixels);
}

static void *
run_thread(void *data)
{
   struct worker *w = data;
   for (uint32_t i = 0; i < ROUNDS; i++) {
      struct round r = create_round(w);
      record(w, &r);
      submit(w, &r);
      check(w, &r);
      destroy_round(w, &r);
   }
   return NULL;
}

static void
shared_create(struct shared *shared)
{
   struct vkx *vkx = &shared->vkx;
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   pthread_mutex_init(&shared->queue_lock, NULL);
   shared->set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   shared->compute_layout = vkx_pipeline_layout_create(vkx, shared->set_layout, 0, 0);
   shared->quad_layout = vkt_quad_layout_create(vkx);
   const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
   vkx_check(vkCreatePipelineCache(vkx->device, &info, NULL, &shared->cache), "vkCreatePipelineCache");
}

static void
shared_destroy(struct shared *shared)
{
   VkDevice device = shared->vkx.device;
   vkDestroyPipelineCache(device, shared->cache, NULL);
   vkDestroyPipelineLayout(device, shared->quad_layout, NULL);
   vkDestroyPipelineLayout(device, shared->compute_layout, NULL);
   vkDestroyDescriptorSetLayout(device, shared->set_layout, NULL);
   pthread_mutex_destroy(&shared->queue_lock);
}

int
main(void)
{
   struct shared shared[2];
   struct worker workers[THREADS];
   shared[0].vkx = vkt_create("threads");
   shared[1].vkx = vkt_create_second(&shared[0].vkx);
   shared_create(&shared[0]);
   shared_create(&shared[1]);
   for (uint32_t i = 0; i < THREADS; i++) {
      struct worker *w = &workers[i];
      *w = (struct worker){.shared = &shared[i % 3 == 2], .number = i + 1, .seed = 77 * i};
      w->vkx = w->shared->vkx;
      const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
      vkx_check(vkCreateCommandPool(w->vkx.device, &info, NULL, &w->vkx.pool), "vkCreateCommandPool");
      if (pthread_create(&w->thread, NULL, run_thread, w))
         return 1;
   }
   for (uint32_t i = 0; i < THREADS; i++) {
      struct worker *w = &workers[i];
      pthread_join(w->thread, NULL);
      vkt_expect(w->rounds == ROUNDS && !w->bad_results && !w->bad_counts && !w->bad_pixels && !w->bad_queries,
                 "thread %u: %u rounds, %u results, %u counts, %u pixels, %u queries are wrong", i, w->rounds,
                 w->bad_results, w->bad_counts, w->bad_pixels, w->bad_queries);
      vkDestroyCommandPool(w->vkx.device, w->vkx.pool, NULL);
   }
   shared_destroy(&shared[1]);
   shared_destroy(&shared[0]);
   vkDestroyCommandPool(shared[1].vkx.device, shared[1].vkx.pool, NULL);
   vkDestroyDevice(shared[1].vkx.device, NULL);
   return vkt_finish(&shared[0].vkx);
}
