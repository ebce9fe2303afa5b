/* Images that are tiled and detiled through the driver: by the processor (VK_EXT_host_image_copy) next to memcpy(),
 * and by copies from and to buffers on the model, whose time is that of the processor that runs it, next to a copy
 * between buffers; clears of compressed targets, next to those of targets that are not. bench_layouts [GPU]: next to
 * Honeykrisp.
 *
 * Started without arguments, the program runs itself under `indium run` once per driver ("--case" is that inner run).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "vkx.h"

#define HOST_PX 2048u
#define DEVICE_PX 512u
#define RUNS 15u
#define HOST_B ((VkDeviceSize)HOST_PX * HOST_PX * 4)
#define DEVICE_B ((VkDeviceSize)DEVICE_PX * DEVICE_PX * 4)
#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define GENERAL VK_IMAGE_LAYOUT_GENERAL

static struct vkx vkx;

struct image {
   VkImage image;
   VkDeviceMemory memory;
};

static struct image
create(uint32_t side_px, VkImageUsageFlags usage)
{
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R8G8B8A8_UNORM,
                                   .extent = {side_px, side_px, 1},
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = usage};
   struct image image;
   VkMemoryRequirements needs;
   vkx_check(vkCreateImage(vkx.device, &info, NULL, &image.image), "vkCreateImage");
   vkGetImageMemoryRequirements(vkx.device, image.image, &needs);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .allocationSize = needs.size,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   vkx_check(vkAllocateMemory(vkx.device, &allocate, NULL, &image.memory), "vkAllocateMemory");
   vkx_check(vkBindImageMemory(vkx.device, image.image, image.memory, 0), "vkBindImageMemory");
   VkCommandBuffer cmd = vkx_begin(&vkx);
   vkx_image_barrier(cmd, image.image, COLOR, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL,
                     VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_PIPELINE_STAGE_TRANSFER_BIT,
                     VK_ACCESS_TRANSFER_WRITE_BIT);
   vkx_submit_and_wait(&vkx, cmd);
   return image;
}

static void
destroy(struct image *image)
{
   vkDestroyImage(vkx.device, image->image, NULL);
   vkFreeMemory(vkx.device, image->memory, NULL);
}

/* ---- by the processor ---- */

static PFN_vkCopyMemoryToImageEXT copy_in;
static PFN_vkCopyImageToMemoryEXT copy_out;

static void
host_in(const struct image *image, void *memory)
{
   const VkMemoryToImageCopyEXT region = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY_EXT,
                                          .pHostPointer = memory,
                                          .imageSubresource = {COLOR, 0, 0, 1},
                                          .imageExtent = {HOST_PX, HOST_PX, 1}};
   const VkCopyMemoryToImageInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO_EXT,
                                            .dstImage = image->image,
                                            .dstImageLayout = GENERAL,
                                            .regionCount = 1,
                                            .pRegions = &region};
   vkx_check(copy_in(vkx.device, &info), "vkCopyMemoryToImageEXT");
}

static void
host_out(const struct image *image, void *memory)
{
   const VkImageToMemoryCopyEXT region = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY_EXT,
                                          .pHostPointer = memory,
                                          .imageSubresource = {COLOR, 0, 0, 1},
                                          .imageExtent = {HOST_PX, HOST_PX, 1}};
   const VkCopyImageToMemoryInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO_EXT,
                                            .srcImage = image->image,
                                            .srcImageLayout = GENERAL,
                                            .regionCount = 1,
                                            .pRegions = &region};
   vkx_check(copy_out(vkx.device, &info), "vkCopyImageToMemoryEXT");
}

/* Between two pieces of the application's memory. */
static void
host_memcpy(const struct image *image, void *memory)
{
   memcpy((char *)memory + HOST_B, memory, HOST_B);
}

static void
bench_host(void)
{
   static const struct {
      const char *name;
      void (*copy)(const struct image *image, void *memory);
   } rows[] = {{"processor, into an image", host_in},
               {"processor, out of an image", host_out},
               {"processor, memcpy", host_memcpy}};
   struct image image = create(HOST_PX, VK_IMAGE_USAGE_HOST_TRANSFER_BIT_EXT | VK_IMAGE_USAGE_SAMPLED_BIT);
   char *memory = malloc(2 * HOST_B);
   copy_in = (PFN_vkCopyMemoryToImageEXT)vkGetDeviceProcAddr(vkx.device, "vkCopyMemoryToImageEXT");
   copy_out = (PFN_vkCopyImageToMemoryEXT)vkGetDeviceProcAddr(vkx.device, "vkCopyImageToMemoryEXT");
   memset(memory, 0x5a, 2 * HOST_B);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      double rates[RUNS];
      rows[i].copy(&image, memory);
      for (unsigned run = 0; run < RUNS; run++) {
         const double start = bench_now_s();
         rows[i].copy(&image, memory);
         rates[run] = (double)HOST_B / (bench_now_s() - start) * 1e-9;
      }
      printf("  %-38s %8.2f GB/s\n", rows[i].name, bench_median(rates, RUNS));
   }
   free(memory);
   destroy(&image);
}

/* ---- by the device ---- */

struct device_case {
   const char *name;
   void (*record)(VkCommandBuffer cmd, const struct image *image, const struct vkx_buffer *buffer);
   VkImageUsageFlags usage;
};

static const VkBufferImageCopy whole = {.imageSubresource = {COLOR, 0, 0, 1},
                                        .imageExtent = {DEVICE_PX, DEVICE_PX, 1}};

static void
device_in(VkCommandBuffer cmd, const struct image *image, const struct vkx_buffer *buffer)
{
   vkCmdCopyBufferToImage(cmd, buffer->buffer, image->image, GENERAL, 1, &whole);
}

static void
device_out(VkCommandBuffer cmd, const struct image *image, const struct vkx_buffer *buffer)
{
   vkCmdCopyImageToBuffer(cmd, image->image, GENERAL, buffer->buffer, 1, &whole);
}

static void
device_copy(VkCommandBuffer cmd, const struct image *image, const struct vkx_buffer *buffer)
{
   vkCmdCopyBuffer(cmd, buffer->buffer, buffer->buffer, 1, &(VkBufferCopy){0, DEVICE_B, DEVICE_B});
}

static void
device_clear(VkCommandBuffer cmd, const struct image *image, const struct vkx_buffer *buffer)
{
   const VkClearColorValue color = {.float32 = {0.5f, 0.25f, 1, 1}};
   vkCmdClearColorImage(cmd, image->image, GENERAL, &color, 1, &(VkImageSubresourceRange){COLOR, 0, 1, 0, 1});
}

static void
bench_device(void)
{
   const VkImageUsageFlags copies = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
   const VkImageUsageFlags target = copies | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   const struct device_case cases[] = {
      {"model, buffer to image", device_in, copies},
      {"model, image to buffer", device_out, copies},
      {"model, buffer to buffer", device_copy, copies},
      {"model, buffer to compressed image", device_in, target},
      {"model, clear of a compressed image", device_clear, target},
      {"model, clear of one with storage", device_clear, target | VK_IMAGE_USAGE_STORAGE_BIT},
   };
   struct vkx_buffer buffer = vkx_buffer_create(
      &vkx, 2 * DEVICE_B, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      double times[RUNS];
      struct image image = create(DEVICE_PX, cases[i].usage);
      for (unsigned run = 0; run < RUNS; run++) {
         VkCommandBuffer cmd = vkx_begin(&vkx);
         cases[i].record(cmd, &image, &buffer);
         const double start = bench_now_s();
         vkx_submit_and_wait(&vkx, cmd);
         times[run] = (bench_now_s() - start) * 1e3;
      }
      printf("  %-38s %8.2f ms\n", cases[i].name, bench_median(times, RUNS));
      destroy(&image);
   }
   vkx_buffer_destroy(&vkx, &buffer);
}

static int
inner(void)
{
   const VkPhysicalDeviceHostImageCopyFeaturesEXT features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES_EXT, .hostImageCopy = VK_TRUE};
   vkx = vkx_create_with("bench", VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME, &features);
   bench_host();
   bench_device();
   vkx_destroy(&vkx);
   return 0;
}

int
main(int argc, char **argv)
{
   static const char *const drivers[] = {"indium", "honeykrisp"};
   const char *gpu = argc > 1 ? argv[1] : "m1";
   char self[4096], command[3 * 4096];
   int status = 0;
   if (!strcmp(gpu, "--case"))
      return inner();
   if (gpu[0] != 'm') {
      printf("layouts: of Apple's GPUs alone\n");
      return 0;
   }
   ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
   self[length > 0 ? length : 0] = 0;
   const int build = (int)(strstr(self, "/tests/bench/") - self);
   for (unsigned i = 0; i < 2; i++) {
      printf("%s, R8G8B8A8, %u px by the processor, %u px on the model, medians:\n", drivers[i], HOST_PX, DEVICE_PX);
      fflush(stdout);
      snprintf(command, sizeof(command), "'%.*s/src/tools/indium' run --gpu %s --driver %s -- '%s' --case", build,
               self, gpu, drivers[i], self);
      const int result = system(command);
      status |= WIFEXITED(result) ? WEXITSTATUS(result) : 1;
   }
   return status;
}
