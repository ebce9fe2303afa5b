/* What ordering costs: examples/oit on the model with and without interlock, pixel against sample interlock, the loop
 * over the layers of a wave on and off at several overlaps; then how long an interlock shader compiles, next to the
 * same shader without.
 *
 * The figures of the model are steps of its clock, read from the timeline; they are the same on every machine. Started
 * alone, the program runs `indium run` for each row ("--compile" is the inner run of the last table). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "render.h"

static const uint32_t vertex_code[] = {
#include "oit.vert.inc"
};
static const uint32_t codes[] = {
#include "oit_blend_PIXEL.frag.inc"
};
static const uint32_t codes_unordered[] = {
#include "oit_blend_UNORDERED.frag.inc"
};
static const uint32_t kbuffer_codes[] = {
#include "oit_kbuffer_PIXEL.frag.inc"
};
static const uint32_t kbuffer_codes_unordered[] = {
#include "oit_kbuffer_UNORDERED.frag.inc"
};

#define PIPELINES 101u

/* ---- on the model ---- */

struct row {
   const char *name, *debug, *args; /* debug: INDIUM_DEBUG of the run */
};

static const struct row rows[] = {
   {"1x unordered", "", "--unordered"},
   {"1x pixel", "", "--interlock pixel"},
   {"1x k-buffer, unordered", "", "--kbuffer --unordered"},
   {"1x k-buffer, pixel", "", "--kbuffer --interlock pixel"},
   {NULL, NULL, NULL},
   {"4x unordered", "", "--samples 4 --unordered"},
   {"4x pixel", "", "--samples 4 --interlock pixel"},
   {"4x sample", "", "--samples 4 --interlock sample"},
   {"8x unordered", "", "--samples 8 --unordered"},
   {"8x pixel", "", "--samples 8 --interlock pixel"},
   {"8x sample", "", "--samples 8 --interlock sample"},
   {NULL, NULL, NULL},
   {"1x pixel, 1,000 triangles, no loop", "nolayers", "--triangles 1000"},
   {"1x pixel, 1,000 triangles, loop", "layers", "--triangles 1000"},
   {"1x pixel, 10,000 triangles, no loop", "nolayers", ""},
   {"1x pixel, 10,000 triangles, loop", "layers", ""},
   {"4x pixel, 1,000 triangles, no loop", "nolayers", "--samples 4 --triangles 1000"},
   {"4x pixel, 1,000 triangles, loop", "layers", "--samples 4 --triangles 1000"},
   {"4x pixel, 10,000 triangles, no loop", "nolayers", "--samples 4"},
   {"4x pixel, 10,000 triangles, loop", "layers", "--samples 4"},
   {"4x sample, 10,000 triangles, no loop", "nolayers", "--samples 4 --interlock sample"},
   {"4x sample, 10,000 triangles, loop", "layers", "--samples 4 --interlock sample"},
};

struct totals {
   unsigned waves;
   double steps, in_waves, waiting, seconds;
};

/* Sums of a timeline as `indium trace` prints them: kind, count, total, mean, longest. */
static void
read_summary(const char *indium, const char *trace, struct totals *totals)
{
   char command[8400], line[512], kind[64];
   snprintf(command, sizeof(command), "%s trace %s", indium, trace);
   FILE *pipe = popen(command, "r");
   while (pipe && fgets(line, sizeof(line), pipe)) {
      unsigned count;
      double total, first, last;
      if (sscanf(line, "%*u events on %*u tracks from %lf to %lf", &first, &last) == 2) {
         totals->steps = last - first;
      } else if (sscanf(line, "%63s %u %lf", kind, &count, &total) == 3) {
         if (!strcmp(kind, "wave")) {
            totals->waves = count;
            totals->in_waves = total;
         } else if (!strcmp(kind, "wait")) {
            totals->waiting = total;
         }
      }
   }
   if (pipe)
      pclose(pipe);
}

static int
run_row(const char *build, const struct row *row)
{
   char indium[4160], command[16384], trace[] = "/tmp/bench_pops_XXXXXX";
   struct totals totals = {0};
   int file = mkstemp(trace);
   snprintf(indium, sizeof(indium), "%s/src/tools/indium", build);
   snprintf(command, sizeof(command),
            "INDIUM_DEBUG=%s %s run --schedule round-robin --trace %s -- %s/examples/oit --width 640 --height 360 %s",
            row->debug, indium, trace, build, row->args);
   FILE *pipe = popen(command, "r");
   char line[512];
   while (pipe && fgets(line, sizeof(line), pipe)) {
      const char *time = strrchr(line, ':');
      if (time)
         sscanf(time, ": %lf s", &totals.seconds);
   }
   int status = pipe ? pclose(pipe) : 1;
   if (status)
      printf("%-38s failed\n", row->name);
   else
      read_summary(indium, trace, &totals);
   if (!status)
      printf("%-38s %8u %10.0f %8.1f%% %9.2f\n", row->name, totals.waves, totals.steps,
             totals.in_waves > 0 ? 100 * totals.waiting / totals.in_waves : 0, totals.seconds);
   fflush(stdout);
   if (file >= 0)
      close(file);
   unlink(trace);
   return status != 0;
}

/* ---- compile time ---- */

struct compile {
   struct vkx vkx;
   VkRenderPass pass;
   VkPipelineLayout layout;
};

static double
compile_ms(struct compile *c, const uint32_t *code, size_t size_B)
{
   const VkVertexInputBindingDescription binding = {0, 48, VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attributes[3] = {{0, 0, VK_FORMAT_R32G32_SINT, 0},
                                                            {1, 0, VK_FORMAT_R32G32B32A32_UINT, 8},
                                                            {2, 0, VK_FORMAT_R32G32B32A32_UINT, 24}};
   const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, .vertexBindingDescriptionCount = 1,
      .pVertexBindingDescriptions = &binding, .vertexAttributeDescriptionCount = 3,
      .pVertexAttributeDescriptions = attributes};
   const struct pipeline_info info = {
      .pass = c->pass,
      .layout = c->layout,
      .vertex = vkx_shader_create(&c->vkx, vertex_code, sizeof(vertex_code)),
      .fragment = vkx_shader_create(&c->vkx, code, size_B),
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .extent = {64, 64},
      .vertex_input = &input,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
   };
   double start = bench_now_s();
   VkPipeline pipeline = render_pipeline_create(&c->vkx, &info);
   double ms = (bench_now_s() - start) * 1e3;
   vkDestroyPipeline(c->vkx.device, pipeline, NULL);
   return ms;
}

/* The two take turns, so that noise meets both. */
static void
compare(struct compile *c, const char *name, const uint32_t *ordered, size_t ordered_B, const uint32_t *unordered,
        size_t unordered_B)
{
   double with[PIPELINES], without[PIPELINES];
   for (unsigned i = 0; i < PIPELINES; i++) {
      with[i] = compile_ms(c, ordered, ordered_B);
      without[i] = compile_ms(c, unordered, unordered_B);
   }
   double a = bench_median(with, PIPELINES), b = bench_median(without, PIPELINES);
   printf("  %-12s with %.3f ms, without %.3f ms: %.2f (limit 1.15)\n", name, a, b, a / b);
}

static int
compile(void)
{
   const VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT,
      .fragmentShaderPixelInterlock = VK_TRUE,
   };
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct compile c = {.vkx = vkx_create_with("bench", VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME, &features)};
   c.pass = render_pass_create(&c.vkx, VK_SAMPLE_COUNT_1_BIT);
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(&c.vkx, 1, &type, VK_SHADER_STAGE_FRAGMENT_BIT);
   c.layout = vkx_pipeline_layout_create(&c.vkx, set_layout, VK_SHADER_STAGE_FRAGMENT_BIT, 4);
   compare(&c, "blending", codes, sizeof(codes), codes_unordered, sizeof(codes_unordered));
   compare(&c, "k-buffer", kbuffer_codes, sizeof(kbuffer_codes), kbuffer_codes_unordered,
           sizeof(kbuffer_codes_unordered));
   fflush(stdout);
   _exit(0); /* the objects go with the process */
}

int
main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--compile"))
      return compile();
   char self[4096], command[8400];
   ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
   self[length > 0 ? length : 0] = 0;
   char build[4096];
   snprintf(build, sizeof(build), "%.*s", (int)(strstr(self, "/tests/bench/") - self), self);
   int status = 0;
   printf("%-38s %8s %10s %9s %9s\n", "oit, 640x360, 10,000 triangles", "waves", "steps", "waiting", "seconds");
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      status |= rows[i].name ? run_row(build, &rows[i]) : putchar('\n') != '\n';
   printf("\nvertex + fragment pipeline, no-op kernel driver, medians:\n");
   fflush(stdout);
   snprintf(command, sizeof(command), "%s/src/tools/indium run --mode noop -- %s --compile", build, self);
   return status | system(command);
}
