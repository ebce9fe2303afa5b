/* A prefix sum over 4M integers and a histogram, with shared memory, barriers and atomics. Checks itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkx.h"

static const uint32_t scan_code[] = {
#include "scan.comp.inc"
};
static const uint32_t add_code[] = {
#include "add.comp.inc"
};
static const uint32_t histogram_code[] = {
#include "histogram.comp.inc"
};

#define BLOCK 1024u
#define BINS 256u

/* Two storage buffers. */
static VkDescriptorSet
create_set(struct vkx *vkx, VkDescriptorPool pool, VkDescriptorSetLayout layout, const struct vkx_buffer *first,
           const struct vkx_buffer *second)
{
   const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &layout};
   VkDescriptorSet set;
   vkx_check(vkAllocateDescriptorSets(vkx->device, &info, &set), "vkAllocateDescriptorSets");
   const VkDescriptorBufferInfo buffers[2] = {{first->buffer, 0, VK_WHOLE_SIZE}, {second->buffer, 0, VK_WHOLE_SIZE}};
   const VkWriteDescriptorSet write = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .dstSet = set,
      .descriptorCount = 2,
      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .pBufferInfo = buffers,
   };
   vkUpdateDescriptorSets(vkx->device, 1, &write, 0, NULL);
   return set;
}

static void
dispatch(VkCommandBuffer cmd, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set, uint32_t count,
         uint32_t groups)
{
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(count), &count);
   vkCmdDispatch(cmd, groups, 1, 1);
   vkx_memory_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
}

static uint32_t
input(uint32_t i)
{
   uint32_t x = i * 1664525u + 1013904223u;
   return (x ^ x >> 13) & 0xffff;
}

/* Number of wrong sums and bins. */
static uint32_t
check(const uint32_t *data, const uint32_t *bins, uint32_t count)
{
   uint32_t expected_bins[BINS] = {0}, sum = 0, wrong = 0;
   for (uint32_t i = 0; i < count; i++) {
      sum += input(i);
      wrong += data[i] != sum;
      uint32_t x = sum * 2654435761u;
      expected_bins[(x ^ x >> 15) & 255]++;
   }
   for (uint32_t i = 0; i < BINS; i++)
      wrong += bins[i] != expected_bins[i];
   return wrong;
}

static uint32_t
parse(int argc, char **argv)
{
   vkx_expect_options(argc, argv, (const char *const[]){"--count", NULL}, "compute [--count N]");
   const uint32_t count = (uint32_t)strtoul(vkx_option(argc, argv, "--count", "4194304"), NULL, 0);
   if (count == 0 || count > BLOCK * BLOCK * BLOCK) {
      fprintf(stderr, "usage: compute [--count N], N from 1 to %u\n", BLOCK * BLOCK * BLOCK);
      exit(2);
   }
   return count;
}

int
main(int argc, char **argv)
{
   const uint32_t count = parse(argc, argv);
   const uint32_t blocks = (count + BLOCK - 1) / BLOCK, superblocks = (blocks + BLOCK - 1) / BLOCK;
   struct vkx vkx = vkx_create("compute");
   const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
   struct vkx_buffer data = vkx_buffer_create(&vkx, count * 4ull, usage, true);
   struct vkx_buffer sums = vkx_buffer_create(&vkx, blocks * 4ull, usage, true);
   struct vkx_buffer super_sums = vkx_buffer_create(&vkx, superblocks * 4ull, usage, true);
   struct vkx_buffer totals = vkx_buffer_create(&vkx, 4096, usage, true);
   struct vkx_buffer bins = vkx_buffer_create(&vkx, BINS * 4, usage, true);
   for (uint32_t i = 0; i < count; i++)
      ((uint32_t *)data.map)[i] = input(i);
   memset(bins.map, 0, BINS * 4);

   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&vkx, 2, types, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(&vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   VkPipeline scan = vkx_compute_pipeline_create(&vkx, layout, vkx_shader_create(&vkx, scan_code, sizeof(scan_code)));
   VkPipeline add = vkx_compute_pipeline_create(&vkx, layout, vkx_shader_create(&vkx, add_code, sizeof(add_code)));
   VkPipeline histogram =
      vkx_compute_pipeline_create(&vkx, layout, vkx_shader_create(&vkx, histogram_code, sizeof(histogram_code)));
   const VkDescriptorPoolSize pool_size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8};
   const VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                 .maxSets = 4,
                                                 .poolSizeCount = 1,
                                                 .pPoolSizes = &pool_size};
   VkDescriptorPool pool;
   vkx_check(vkCreateDescriptorPool(vkx.device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
   VkDescriptorSet data_set = create_set(&vkx, pool, set_layout, &data, &sums);
   VkDescriptorSet sums_set = create_set(&vkx, pool, set_layout, &sums, &super_sums);
   VkDescriptorSet super_set = create_set(&vkx, pool, set_layout, &super_sums, &totals);
   VkDescriptorSet bins_set = create_set(&vkx, pool, set_layout, &data, &bins);

   const double start = vkx_seconds();
   VkCommandBuffer cmd = vkx_begin(&vkx);
   dispatch(cmd, scan, layout, data_set, count, blocks);
   dispatch(cmd, scan, layout, sums_set, blocks, superblocks);
   dispatch(cmd, scan, layout, super_set, superblocks, 1);
   dispatch(cmd, add, layout, sums_set, blocks, superblocks);
   dispatch(cmd, add, layout, data_set, count, blocks);
   dispatch(cmd, histogram, layout, bins_set, count, 64);
   vkx_submit_and_wait(&vkx, cmd);
   printf("%u integers in %.3f s\n", count, vkx_seconds() - start);
   const uint32_t wrong = check(data.map, bins.map, count);
   printf(wrong ? "FAILED: %u wrong values\n" : "ok: every sum and bin is right\n", wrong);

   vkDestroyDescriptorPool(vkx.device, pool, NULL);
   vkDestroyPipeline(vkx.device, scan, NULL);
   vkDestroyPipeline(vkx.device, add, NULL);
   vkDestroyPipeline(vkx.device, histogram, NULL);
   vkDestroyPipelineLayout(vkx.device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx.device, set_layout, NULL);
   struct vkx_buffer *buffers[] = {&data, &sums, &super_sums, &totals, &bins};
   for (unsigned i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
      vkx_buffer_destroy(&vkx, buffers[i]);
   vkx_destroy(&vkx);
   return wrong != 0;
}
