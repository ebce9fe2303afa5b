/* Speed of the whole driver: draws recorded a second, pipeline creation and descriptors, on the no-op kernel driver,
 * next to another driver of the GPU in the same run (RADV, Honeykrisp); then a frame of examples/scene on the model,
 * next to Navi 21 in the same run, with its memory. bench_vulkan [GPU]
 *
 * Started without arguments, the program runs itself under `indium run` once per driver ("--case" is that inner run).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "bench_descriptors.h"
#include "render.h"

static const uint32_t vertex_code[] = {
#include "mesh.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "mesh.frag.inc"
};

#define DRAWS 200000u
#define RUNS 9u
#define PIPELINES 41u
#define SCENES 3u

struct bench {
   struct vkx vkx;
   struct vkx_image target, depth, resolve;
   struct vkx_buffer buffer;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkDescriptorPool pool;
   VkDescriptorSet sets[2];
   VkPipeline pipeline;
};

static const VkExtent2D extent = {64, 64};

static bool finds_modules;

/* Drivers that keep what modules were compiled to, and ask the device's own cache where the application has none,
 * find nothing, unless they may: in each copy of the code another tool says that it has made it. */
static VkShaderModule
create_module(struct bench *bench, const uint32_t *code, size_t size_B)
{
   static uint32_t tool;
   uint32_t *copy = malloc(size_B);
   memcpy(copy, code, size_B);
   copy[2] = finds_modules ? 0 : ++tool;
   VkShaderModule module = vkx_shader_create(&bench->vkx, copy, size_B);
   free(copy);
   return module;
}

static VkPipeline
create_pipeline(struct bench *bench)
{
   const VkVertexInputBindingDescription bindings[2] = {{0, 32, VK_VERTEX_INPUT_RATE_VERTEX},
                                                        {1, 32, VK_VERTEX_INPUT_RATE_INSTANCE}};
   const VkVertexInputAttributeDescription attributes[5] = {
      {0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0},     {1, 0, VK_FORMAT_R32G32B32_SFLOAT, 12},
      {2, 0, VK_FORMAT_R32G32_SFLOAT, 24},       {3, 1, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
      {4, 1, VK_FORMAT_R32G32B32A32_SFLOAT, 16},
   };
   const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 2,
      .pVertexBindingDescriptions = bindings,
      .vertexAttributeDescriptionCount = 5,
      .pVertexAttributeDescriptions = attributes,
   };
   return render_pipeline_create(&bench->vkx,
                                 &(struct pipeline_info){
                                    .pass = bench->pass,
                                    .layout = bench->layout,
                                    .samples = VK_SAMPLE_COUNT_4_BIT,
                                    .extent = extent,
                                    .vertex_input = &input,
                                    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                    .depth_test = true,
                                    .depth_write = true,
                                    .vertex = create_module(bench, vertex_code, sizeof(vertex_code)),
                                    .fragment = create_module(bench, fragment_code, sizeof(fragment_code)),
                                 });
}

static void
create_sets(struct bench *bench)
{
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   bench->set_layout =
      vkx_set_layout_create(&bench->vkx, 2, types, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT);
   bench->layout = vkx_pipeline_layout_create(&bench->vkx, bench->set_layout, 0, 0);
   const VkDescriptorPoolSize sizes[2] = {{types[0], 2}, {types[1], 2}};
   const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 2, .poolSizeCount = 2, .pPoolSizes = sizes};
   vkx_check(vkCreateDescriptorPool(bench->vkx.device, &info, NULL, &bench->pool), "vkCreateDescriptorPool");
   const VkDescriptorSetLayout layouts[2] = {bench->set_layout, bench->set_layout};
   const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .descriptorPool = bench->pool,
                                                 .descriptorSetCount = 2,
                                                 .pSetLayouts = layouts};
   vkx_check(vkAllocateDescriptorSets(bench->vkx.device, &allocate, bench->sets), "vkAllocateDescriptorSets");
   for (unsigned i = 0; i < 2; i++) {
      const VkDescriptorBufferInfo buffer = {bench->buffer.buffer, 1024 * i, 1024};
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = bench->sets[i],
                                          .descriptorCount = 1,
                                          .descriptorType = types[0],
                                          .pBufferInfo = &buffer};
      vkUpdateDescriptorSets(bench->vkx.device, 1, &write, 0, NULL);
   }
}

static struct bench
create_bench(void)
{
   struct bench bench = {.vkx = vkx_create_with("bench", NULL, NULL)};
   struct vkx *vkx = &bench.vkx;
   const VkImageUsageFlags color = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
   bench.target =
      vkx_image_create(vkx, COLOR_FORMAT, extent, 1, VK_SAMPLE_COUNT_4_BIT, color, VK_IMAGE_ASPECT_COLOR_BIT);
   bench.depth = vkx_image_create(vkx, DEPTH_FORMAT, extent, 1, VK_SAMPLE_COUNT_4_BIT,
                                  VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_IMAGE_ASPECT_DEPTH_BIT);
   bench.resolve =
      vkx_image_create(vkx, COLOR_FORMAT, extent, 1, VK_SAMPLE_COUNT_1_BIT, color, VK_IMAGE_ASPECT_COLOR_BIT);
   bench.buffer =
      vkx_buffer_create(vkx, 1 << 16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, true);
   bench.pass = render_pass_create(vkx, VK_SAMPLE_COUNT_4_BIT);
   const VkImageView views[3] = {bench.target.view, bench.depth.view, bench.resolve.view};
   bench.framebuffer = render_framebuffer_create(vkx, bench.pass, 3, views, extent);
   create_sets(&bench);
   bench.pipeline = create_pipeline(&bench);
   return bench;
}

enum change { CHANGE_NOTHING, CHANGE_VERTEX_BUFFER, CHANGE_DESCRIPTOR_SET };

/* Million draws recorded a second. */
static double
draw_rate(struct bench *bench, enum change change)
{
   double rates[RUNS];
   for (unsigned run = 0; run < RUNS; run++) {
      VkCommandBuffer cmd = vkx_begin(&bench->vkx);
      const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                           .renderPass = bench->pass,
                                           .framebuffer = bench->framebuffer,
                                           .renderArea = {{0, 0}, extent},
                                           .clearValueCount = 2,
                                           .pClearValues = (VkClearValue[2]){{{{0}}}}};
      const VkBuffer buffers[2] = {bench->buffer.buffer, bench->buffer.buffer};
      vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
      vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, bench->pipeline);
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, bench->layout, 0, 1, bench->sets, 0, NULL);
      vkCmdBindVertexBuffers(cmd, 0, 2, buffers, (VkDeviceSize[2]){0, 0});
      const double start = bench_now_s();
      for (uint32_t i = 0; i < DRAWS; i++) {
         if (change == CHANGE_VERTEX_BUFFER)
            vkCmdBindVertexBuffers(cmd, 0, 1, buffers, &(VkDeviceSize){(i & 1) * 256});
         else if (change == CHANGE_DESCRIPTOR_SET)
            vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, bench->layout, 0, 1, &bench->sets[i & 1], 0,
                                    NULL);
         vkCmdDraw(cmd, 3, 1, 0, 0);
      }
      rates[run] = DRAWS / (bench_now_s() - start) * 1e-6;
      vkCmdEndRenderPass(cmd);
      vkEndCommandBuffer(cmd);
      vkFreeCommandBuffers(bench->vkx.device, bench->vkx.pool, 1, &cmd);
   }
   return bench_median(rates, RUNS);
}

/* Milliseconds for a vertex and fragment pipeline, with its shader modules, without any cache. */
static double
pipeline_time(struct bench *bench)
{
   double times[PIPELINES];
   for (unsigned i = 0; i < PIPELINES; i++) {
      const double start = bench_now_s();
      VkPipeline pipeline = create_pipeline(bench);
      times[i] = (bench_now_s() - start) * 1e3;
      vkDestroyPipeline(bench->vkx.device, pipeline, NULL);
   }
   return bench_median(times, PIPELINES);
}

/* The same, and what is found of them in a cache: the driver's own, which is on. */
static void
print_cached(void)
{
   char folder[] = "/tmp/bench.XXXXXX", command[64];
   if (!mkdtemp(folder))
      return;
   setenv("MESA_SHADER_CACHE_DIR", folder, 1);
   setenv("MESA_SHADER_CACHE_DISABLE", "false", 1);
   unsetenv("RADV_DEBUG");
   finds_modules = true;
   struct bench bench = create_bench();
   printf("  the same, from the cache       %8.3f ms\n", pipeline_time(&bench));
   fflush(stdout);
   snprintf(command, sizeof(command), "rm -r %s", folder);
   if (system(command))
      printf("%s is left\n", folder);
}

static int
inner(void)
{
   struct bench bench = create_bench();
   printf("  draw, no state change          %8.2f M/s\n", draw_rate(&bench, CHANGE_NOTHING));
   printf("  draw, vertex buffer change     %8.2f M/s\n", draw_rate(&bench, CHANGE_VERTEX_BUFFER));
   printf("  draw, descriptor set change    %8.2f M/s\n", draw_rate(&bench, CHANGE_DESCRIPTOR_SET));
   printf("  vertex+fragment pipeline       %8.2f ms\n", pipeline_time(&bench));
   print_cached();
   bench_descriptors(&bench.vkx);
   fflush(stdout);
   _exit(0); /* the objects go with the process */
}

/* Runs a command and returns its exit status. */
static int
run_command(char *const argv[])
{
   int status;
   pid_t child = fork();
   if (child == 0) {
      execv(argv[0], argv);
      perror(argv[0]);
      _exit(127);
   }
   waitpid(child, &status, 0);
   return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Seconds that examples/scene says its frame took; below 0 if it failed. *peak_MiB: the largest resident memory of
 * the processes that were started so far. */
static double
scene_frame(const char *build, const char *gpu, double *peak_MiB)
{
   char command[3 * 4096], line[256];
   double frame_s = -1;
   struct rusage usage;
   snprintf(command, sizeof(command), "'%s/src/tools/indium' run --gpu %s -- '%s/examples/scene' -o /dev/null", build,
            gpu, build);
   FILE *output = popen(command, "r");
   while (output && fgets(line, sizeof(line), output)) {
      const char *frame = strstr(line, "frame ");
      if (frame)
         frame_s = atof(frame + 6);
   }
   int status = output ? pclose(output) : 1;
   getrusage(RUSAGE_CHILDREN, &usage);
   *peak_MiB = (double)usage.ru_maxrss / 1024;
   return status ? -1 : frame_s;
}

/* The GPU's frame of the scene, and Navi 21's in turns with it. The exit status. */
static int
bench_scene(const char *build, const char *gpu)
{
   const char *const gpus[2] = {gpu, "navi21"};
   const unsigned count = strcmp(gpu, "navi21") ? 2 : 1;
   double times[2][SCENES], medians[2], peak_MiB = 0, ours_MiB = 0;
   for (unsigned turn = 0; turn < SCENES; turn++) {
      for (unsigned i = 0; i < count; i++) {
         times[i][turn] = scene_frame(build, gpus[i], &peak_MiB);
         if (times[i][turn] < 0)
            return 1;
         ours_MiB = turn || i ? ours_MiB : peak_MiB;
      }
   }
   printf("scene, 1280x720, 4x MSAA, on the model, medians:\n");
   for (unsigned i = 0; i < count; i++) {
      medians[i] = bench_median(times[i], SCENES);
      printf("  frame on %-10s            %8.2f s\n", gpus[i], medians[i]);
   }
   if (count == 2)
      printf("  of navi21's time               %8.2f\n", medians[0] / medians[1]);
   printf("  peak memory %.0f MiB\n", ours_MiB);
   return 0;
}

int
main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--case"))
      return inner();
   char self[4096], build[4096], indium[4160];
   ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
   self[length > 0 ? length : 0] = 0;
   snprintf(build, sizeof(build), "%.*s", (int)(strstr(self, "/tests/bench/") - self), self);
   snprintf(indium, sizeof(indium), "%s/src/tools/indium", build);
   int status = 0;
   char *gpu = argc > 1 ? argv[1] : "navi21";
   char *drivers[2] = {"indium", gpu[0] == 'm' ? "honeykrisp" : "radv"};
   setenv("RADV_DEBUG", "nocache", 1); /* else its second pipeline comes from memory */
   setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
   for (unsigned i = 0; i < 2; i++) {
      char *command[] = {indium,     "run",     "--gpu", gpu,  "--mode", "noop", "--driver",
                         drivers[i], "--plain", "--",    self, "--case", NULL};
      printf("%s, no-op kernel driver, medians:\n", drivers[i]);
      fflush(stdout);
      status |= run_command(command);
      char linked[4160];
      snprintf(linked, sizeof(linked), "%s/tests/vulkan/linked", build);
      char *links[] = {indium,     "run",     "--gpu", gpu,    "--mode", "noop", "--driver",
                       drivers[i], "--plain", "--",    linked, "--time", NULL};
      status |= run_command(links);
   }
   fflush(stdout);
   return status | bench_scene(build, gpu);
}
