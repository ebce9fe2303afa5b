/* One row of bin/bench speed: a compute shader over some invocations, a few times. Names no driver, so that it runs
 * on the model and on lavapipe alike; bin/bench_speed.py measures their processor time. bench_speed CASE [--count N]
 * [--times N]; prints a sum of the results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkx.h"

static const uint32_t gather_code[] = {
#include "speed_GATHER.inc"
};
static const uint32_t loads_code[] = {
#include "speed_LOADS.inc"
};
static const uint32_t shared_code[] = {
#include "speed_SHARED.inc"
};
static const uint32_t integer_code[] = {
#include "speed_INTEGER.inc"
};
static const uint32_t mandelbrot_code[] = {
#include "speed_MANDELBROT.inc"
};
static const uint32_t transcendental_code[] = {
#include "speed_TRANSCENDENTAL.inc"
};

static const struct shader {
   const char *name;
   const uint32_t *code;
   size_t size_B;
} shaders[] = {
   {"gather", gather_code, sizeof(gather_code)},
   {"loads", loads_code, sizeof(loads_code)},
   {"shared", shared_code, sizeof(shared_code)},
   {"integer", integer_code, sizeof(integer_code)},
   {"mandelbrot", mandelbrot_code, sizeof(mandelbrot_code)},
   {"transcendental", transcendental_code, sizeof(transcendental_code)},
};

#define USAGE "usage: bench_speed gather|loads|shared|integer|mandelbrot|transcendental [--count N] [--times N]\n"

static const struct shader *
find_shader(const char *name)
{
   for (size_t i = 0; i < sizeof(shaders) / sizeof(shaders[0]); i++)
      if (!strcmp(shaders[i].name, name))
         return &shaders[i];
   fprintf(stderr, USAGE);
   exit(2);
}

static VkDescriptorSet
create_set(struct vkx *vkx, VkDescriptorPool *pool, VkDescriptorSetLayout layout, const struct vkx_buffer *buffers)
{
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
   const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
   vkx_check(vkCreateDescriptorPool(vkx->device, &info, NULL, pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = *pool,
                                                 .descriptorSetCount = 1,
                                                 .pSetLayouts = &layout};
   VkDescriptorSet set;
   vkx_check(vkAllocateDescriptorSets(vkx->device, &allocate, &set), "vkAllocateDescriptorSets");
   const VkDescriptorBufferInfo infos[2] = {{buffers[0].buffer, 0, VK_WHOLE_SIZE},
                                            {buffers[1].buffer, 0, VK_WHOLE_SIZE}};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set,
                                       .descriptorCount = 2,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       .pBufferInfo = infos};
   vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
   return set;
}

static void
dispatch(VkCommandBuffer cmd, VkPipelineLayout layout, uint32_t count)
{
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(count), &count);
   vkCmdDispatch(cmd, count / 64, 1, 1);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
}

int
main(int argc, char **argv)
{
   const struct shader *shader = find_shader(argc > 1 ? argv[1] : "");
   vkx_expect_options(argc - 1, argv + 1, (const char *const[]){"--count", "--times", NULL},
                      "bench_speed CASE [--count N] [--times N]");
   const uint32_t count = (uint32_t)strtoul(vkx_option(argc, argv, "--count", "65536"), NULL, 0) / 64 * 64;
   const uint32_t times = (uint32_t)strtoul(vkx_option(argc, argv, "--times", "1"), NULL, 0);
   if (!count || count > 1u << 22) {
      fprintf(stderr, "bench_speed: --count is from 64 to 4194304\n");
      return 2;
   }
   struct vkx vkx = vkx_create("bench_speed");
   struct vkx_buffer buffers[2];
   for (unsigned b = 0; b < 2; b++) {
      buffers[b] = vkx_buffer_create(&vkx, count * 16ull, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true);
      for (uint32_t i = 0; i < count * 4; i++)
         ((uint32_t *)buffers[b].map)[i] = (i + b) * 2654435761u;
   }
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   VkPipeline pipeline =
      vkx_compute_pipeline_create(&vkx, layout, vkx_shader_create(&vkx, shader->code, shader->size_B));
   VkDescriptorPool pool;
   VkDescriptorSet set = create_set(&vkx, &pool, set_layout, buffers);
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   for (uint32_t i = 0; i < times; i++)
      dispatch(cmd, layout, count);
   vkx_submit_and_wait(&vkx, cmd);
   uint32_t sum = 0;
   for (uint32_t i = 0; i < count * 4; i++)
      sum = (sum ^ ((uint32_t *)buffers[0].map)[i]) * 16777619u;
   printf("%s: %08x\n", shader->name, sum);
   vkDestroyDescriptorPool(vkx.device, pool, NULL);
   vkDestroyPipeline(vkx.device, pipeline, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
   for (unsigned b = 0; b < 2; b++)
      vkx_buffer_destroy(&vkx, &buffers[b]);
   vkx_destroy(&vkx);
   return 0;
}
