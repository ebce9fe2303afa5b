/* What ordering costs: examples/oit on the model with and without interlock, sample interlock that compares samples
 * or whole pixels, overlapping quads in waves of their own or taking turns in one; then how long an interlock shader
 * compiles, next to the same shader without. What the driver does for these figures: docs/drivers/amd/pops.md.
 *
 * The figures of the model are about the pixel shaders' waves, read from the timeline, and the same on every machine:
 * a step is a round in which every resident wave (of 256) may run 32 instructions; "waiting" is the share of the
 * waves' lives spent before the section. "seconds" is how long the model took. Started without arguments, the program
 * runs `indium run` for each row ("--compile" is the inner run of the last table). Argument: the chip; navi21. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amd/common/ac_pops_caps.h"
#include "amd/hw/chips.h"
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
   const char *name, *args;
   const char *debug; /* RADEONSI_DEBUG of the run */
   bool turns;        /* all rows after the first such are about quads that share waves */
};

/* Groups between empty rows; the first of a group is what the others are measured by. */
static const struct row rows[] = {
   {"1x, no interlock", "--unordered", "", false},
   {"1x, pixel interlock", "--interlock pixel", "", false},
   {0},
   {"1x k-buffer, no interlock", "--kbuffer --unordered", "", false},
   {"1x k-buffer, pixel interlock", "--kbuffer --interlock pixel", "", false},
   {0},
   {"4x, no interlock", "--samples 4 --interlock sample --unordered", "", false},
   {"4x, sample interlock", "--samples 4 --interlock sample", "", false},
   {"4x, sample interlock by pixels", "--samples 4 --interlock sample", "wholepixels", false},
   {0},
   {"4x and a word of the pixel, no interlock", "--samples 4 --unordered", "", false},
   {"4x and a word of the pixel, pixel interlock", "--samples 4", "", false},
   {0},
   {"8x, no interlock", "--samples 8 --interlock sample --unordered", "", false},
   {"8x, sample interlock", "--samples 8 --interlock sample", "", false},
   {"8x, sample interlock by pixels", "--samples 8 --interlock sample", "wholepixels", false},
   {0},
   {"8x and a word of the pixel, no interlock", "--samples 8 --unordered", "", false},
   {"8x and a word of the pixel, pixel interlock", "--samples 8", "", false},
#define TURNS(name, args)                                                                                            \
   {.turns = true}, {name ", waves of their own", args, "", true}, {name ", turns", args, "layers", true}
   TURNS("1x, 300 triangles", "--triangles 300"),
   TURNS("1x, 3,000 triangles", "--triangles 3000"),
   TURNS("1x, 10,000 triangles", ""),
   TURNS("1x k-buffer, 3,000 triangles", "--kbuffer --triangles 3000"),
   TURNS("4x sample, 3,000 triangles", "--samples 4 --interlock sample --triangles 3000"),
   TURNS("4x pixel, 300 triangles", "--samples 4 --triangles 300"),
   TURNS("4x pixel, 3,000 triangles", "--samples 4 --triangles 3000"),
   TURNS("4x pixel, 10,000 triangles", "--samples 4"),
#undef TURNS
};

struct totals {
   unsigned waves;
   double steps, in_waves, waiting, seconds;
};

/* Sums of a timeline's rows as `indium trace` prints them: kind, count, total, mean, longest. */
static void
read_summary(const char *indium, const char *trace, const char *only, struct totals *totals)
{
   char command[8400], line[512], kind[64];
   snprintf(command, sizeof(command), "%s trace %s --only '%s'", indium, trace, only);
   FILE *pipe = popen(command, "r");
   while (pipe && fgets(line, sizeof(line), pipe)) {
      unsigned count;
      double total, first, last;
      if (sscanf(line, "%*u events on %*u tracks from %lf to %lf", &first, &last) == 2) {
         totals->steps = floor((last - first) / 1000); /* sim/waves/rounds.h: SIM_ROUND_TIME */
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

/* first: steps of the group's first row, 0 if this is it. */
static int
run_row(const char *build, const char *gpu, const struct row *row, double *first)
{
   char indium[4160], command[16384], trace[] = "/tmp/bench_pops_XXXXXX";
   struct totals totals = {0};
   int file = mkstemp(trace);
   snprintf(indium, sizeof(indium), "%s/src/tools/indium", build);
   snprintf(command, sizeof(command),
            "RADEONSI_DEBUG=%s %s run --gpu %s --schedule round-robin --trace %s -- %s/examples/oit --width 480 "
            "--height 270 "
            "%s",
            row->debug, indium, gpu, trace, build, row->args);
   FILE *pipe = popen(command, "r");
   char line[512];
   while (pipe && fgets(line, sizeof(line), pipe)) {
      const char *time = strrchr(line, ':');
      if (time)
         sscanf(time, ": %lf s", &totals.seconds);
   }
   int status = pipe ? pclose(pipe) : 1;
   if (!status) {
      read_summary(indium, trace, strstr(row->args, "unordered") ? "pixel waves" : "packer", &totals);
      *first = *first > 0 ? *first : totals.steps;
      printf("%-48s %7u %8.0f %8.2f %7.1f%% %8.2f\n", row->name, totals.waves, totals.steps, totals.steps / *first,
             totals.in_waves > 0 ? 100 * totals.waiting / totals.in_waves : 0, totals.seconds);
   } else {
      printf("%-48s failed\n", row->name);
   }
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
   const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                       .vertexBindingDescriptionCount = 1,
                                                       .pVertexBindingDescriptions = &binding,
                                                       .vertexAttributeDescriptionCount = 3,
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
   const char *gpu = argc > 1 ? argv[1] : "navi21";
   const struct amd_chip *chip = amd_chip_by_name(gpu);
   if (!chip || !ac_pops_caps(chip->gfx_target)) {
      fprintf(stderr, "bench_pops: %s has no ordered pixel shading\n", gpu);
      return 2;
   }
   const bool turns = ac_pops_caps(chip->gfx_target)->intrawave;
   char self[4096], command[8400];
   ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
   self[length > 0 ? length : 0] = 0;
   char build[4096];
   snprintf(build, sizeof(build), "%.*s", (int)(strstr(self, "/tests/bench/") - self), self);
   int status = 0;
   double first = 0;
   printf("%-48s %7s %8s %8s %8s %8s\n", "oit, 480x270, 10,000 triangles", "waves", "steps", "of first", "waiting",
          "seconds");
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]) && (turns || !rows[i].turns); i++) {
      first = rows[i].name ? first : 0;
      status |= rows[i].name ? run_row(build, gpu, &rows[i], &first) : putchar('\n') != '\n';
   }
   printf("\nvertex + fragment pipeline, no-op kernel driver, medians:\n");
   fflush(stdout);
   snprintf(command, sizeof(command), "%s/src/tools/indium run --gpu %s --mode noop -- %s --compile", build, gpu,
            self);
   return status | system(command);
}
