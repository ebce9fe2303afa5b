/* Binds a second of sparse buffers and images, one block and many blocks a call, each call waited for: on the no-op
 * kernel driver, which is the driver's own work, and on the model, which runs what writes page tables; next to
 * another driver of the GPU in the same run (Honeykrisp, RADV). bench_sparse [GPU]
 *
 * Started without arguments, the program runs itself under `indium run` once per driver and mode ("--case" is that
 * inner run). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "vkx.h"

enum { SIDE = 16, BLOCKS = SIDE * SIDE, RUNS = 9, SINGLE = 64 };

struct bench {
   struct vkx vkx;
   VkImage image;
   VkExtent3D block;
   VkBuffer buffer;
   VkDeviceSize block_B;
   VkDeviceMemory memory;
};

/* ---- what is bound ---- */

static void
create_image(struct bench *bench)
{
   VkSparseImageMemoryRequirements sparse;
   uint32_t count = 1;
   VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                             .flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT,
                             .imageType = VK_IMAGE_TYPE_2D,
                             .format = VK_FORMAT_R8G8B8A8_UNORM,
                             .extent = {128 * SIDE, 128 * SIDE, 1},
                             .mipLevels = 1,
                             .arrayLayers = 1,
                             .samples = VK_SAMPLE_COUNT_1_BIT,
                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   vkx_check(vkCreateImage(bench->vkx.device, &info, NULL, &bench->image), "vkCreateImage");
   vkGetImageSparseMemoryRequirements(bench->vkx.device, bench->image, &count, &sparse);
   bench->block = sparse.formatProperties.imageGranularity;
}

static void
create(struct bench *bench)
{
   VkMemoryRequirements needs;
   create_image(bench);
   bench->block_B = 65536;
   const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .flags =
                                         VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT,
                                      .size = BLOCKS * bench->block_B,
                                      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   vkx_check(vkCreateBuffer(bench->vkx.device, &buffer, NULL, &bench->buffer), "vkCreateBuffer");
   vkGetImageMemoryRequirements(bench->vkx.device, bench->image, &needs);
   VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .allocationSize = BLOCKS * bench->block_B};
   while (!(needs.memoryTypeBits >> memory.memoryTypeIndex & 1))
      memory.memoryTypeIndex++;
   vkx_check(vkAllocateMemory(bench->vkx.device, &memory, NULL, &bench->memory), "vkAllocateMemory");
}

static void
destroy(struct bench *bench)
{
   vkDestroyImage(bench->vkx.device, bench->image, NULL);
   vkDestroyBuffer(bench->vkx.device, bench->buffer, NULL);
   vkFreeMemory(bench->vkx.device, bench->memory, NULL);
   vkx_destroy(&bench->vkx);
}

/* ---- binds ---- */

/* Blocks from `first` on, in an order that no two neighbours share. */
static void
bind_image(struct bench *bench, uint32_t first, uint32_t count)
{
   VkSparseImageMemoryBind binds[BLOCKS];
   for (uint32_t i = 0; i < count; i++) {
      uint32_t at = (first + i) * 37 % BLOCKS;
      binds[i] = (VkSparseImageMemoryBind){
         .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0},
         .offset = {(int32_t)(at % SIDE * bench->block.width), (int32_t)(at / SIDE * bench->block.height), 0},
         .extent = bench->block,
         .memory = bench->memory,
         .memoryOffset = (first + i) % BLOCKS * bench->block_B};
   }
   const VkSparseImageMemoryBindInfo of_image = {bench->image, count, binds};
   const VkBindSparseInfo info = {
      .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .imageBindCount = 1, .pImageBinds = &of_image};
   vkx_check(vkQueueBindSparse(bench->vkx.queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
}

static void
bind_buffer(struct bench *bench, uint32_t first, uint32_t count)
{
   VkSparseMemoryBind binds[BLOCKS];
   for (uint32_t i = 0; i < count; i++)
      binds[i] = (VkSparseMemoryBind){(first + i) * 37 % BLOCKS * bench->block_B, bench->block_B, bench->memory,
                                      (first + i) % BLOCKS * bench->block_B, 0};
   const VkSparseBufferMemoryBindInfo of_buffer = {bench->buffer, count, binds};
   const VkBindSparseInfo info = {
      .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &of_buffer};
   vkx_check(vkQueueBindSparse(bench->vkx.queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
}

/* Blocks a second. */
static double
measure(struct bench *bench, void (*bind)(struct bench *bench, uint32_t first, uint32_t count), uint32_t a_call)
{
   double seconds[RUNS];
   uint32_t blocks = a_call == 1 ? SINGLE : BLOCKS;
   for (uint32_t run = 0; run < RUNS; run++) {
      double start = bench_now_s();
      for (uint32_t first = 0; first < blocks; first += a_call) {
         bind(bench, first + run, a_call);
         vkx_check(vkQueueWaitIdle(bench->vkx.queue), "vkQueueWaitIdle");
      }
      seconds[run] = bench_now_s() - start;
   }
   return blocks / bench_median(seconds, RUNS);
}

static int
inner(void)
{
   struct bench bench = {.vkx = vkx_create("bench_sparse")};
   VkPhysicalDeviceFeatures features;
   vkGetPhysicalDeviceFeatures(bench.vkx.physical, &features);
   if (!features.sparseResidencyImage2D || !features.sparseResidencyBuffer) {
      printf("  no sparse resources\n");
      vkx_destroy(&bench.vkx);
      return 0;
   }
   create(&bench);
   printf("  image blocks, %u a call    %8.0f a second\n", BLOCKS, measure(&bench, bind_image, BLOCKS));
   printf("  image blocks, 1 a call      %8.0f a second\n", measure(&bench, bind_image, 1));
   printf("  buffer blocks, %u a call   %8.0f a second\n", BLOCKS, measure(&bench, bind_buffer, BLOCKS));
   printf("  buffer blocks, 1 a call     %8.0f a second\n", measure(&bench, bind_buffer, 1));
   destroy(&bench);
   return 0;
}

static int
run_command(char *const command[])
{
   pid_t child = fork();
   int status = 1;
   if (!child) {
      execv(command[0], command);
      _exit(127);
   }
   waitpid(child, &status, 0);
   return status != 0;
}

int
main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--case"))
      return inner();
   char self[4096], indium[4160];
   ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
   self[length > 0 ? length : 0] = 0;
   snprintf(indium, sizeof(indium), "%.*s/src/tools/indium", (int)(strstr(self, "/tests/bench/") - self), self);
   char *gpu = argc > 1 ? argv[1] : "m1", *modes[2] = {"noop", "model"};
   char *drivers[2] = {"indium", gpu[0] == 'm' ? "honeykrisp" : "radv"};
   int status = 0;
   for (unsigned i = 0; i < 4; i++) {
      char *command[] = {indium,     "run",          "--gpu", gpu,  "--mode", modes[i / 2],
                         "--driver", drivers[i % 2], "--",    self, "--case", NULL};
      printf("%s, %s, medians:\n", drivers[i % 2], i < 2 ? "no-op kernel driver" : "model");
      fflush(stdout);
      status |= run_command(command);
   }
   return status;
}
