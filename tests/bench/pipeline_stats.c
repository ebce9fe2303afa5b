/* What the driver makes of modules, on the no-op kernel driver: pipeline_stats COMPUTE.spv|VERTEX.spv:FRAGMENT.spv...
 * prints of each pipeline what VK_KHR_pipeline_executable_properties says, for `bin/shader-db --driver`:
 *
 *    columns instructions ...
 *    pipeline MADE MS        a line for each: whether the driver takes it, and the processor time of that, without a
 * cache stage compute ...       of the one before; a column of which the driver says nothing is "-"
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "bench.h"
#include "bench_pipelines.h"
#include "util/macros.h"

#define RUNS 5
#define RUNS_S 0.5 /* no more runs of a pipeline after so long */
#define STATISTICS 64
#define PIPELINE_S 20 /* a driver that takes longer never ends */

/* As the drivers call it. Threads are counted in simd-groups. */
static const struct {
   const char *title, *names[3];
   uint8_t divisor; /* of the first */
} columns[] = {{"instructions", {"Instructions", "Instruction Count"}, 1},
               {"code", {"Code size", "Code Size"}, 1},
               {"registers", {"GPRs", "VGPRs"}, 1},
               {"uniforms", {"Uniforms", "SGPRs"}, 1},
               {"preamble", {"Preamble instructions"}, 1},
               {"loops", {"Loops"}, 1},
               {"spills", {"Spills", "Spilled VGPRs"}, 1},
               {"fills", {"Fills"}, 1},
               {"scratch", {"Scratch", "Scratch size"}, 1},
               {"waves", {"Threads", "Waves", "Subgroups per SIMD"}, 32}};

enum { INSTRUCTIONS, COLUMNS = ARRAY_SIZE(columns) };

static const struct {
   const char *title;
   VkShaderStageFlags bit;
} stages[] = {{"compute", VK_SHADER_STAGE_COMPUTE_BIT},
              {"vertex", VK_SHADER_STAGE_VERTEX_BIT},
              {"fragment", VK_SHADER_STAGE_FRAGMENT_BIT}};

#define UNKNOWN UINT64_MAX

struct measure {
   bool made;
   double ms;
   uint64_t values[ARRAY_SIZE(stages)][COLUMNS];
};

#define GET(vkx, name) ((PFN_##name)vkGetDeviceProcAddr((vkx)->device, #name))

static void
read_statistics(struct vkx *vkx, VkPipeline pipeline, uint32_t executable, uint64_t *values)
{
   const VkPipelineExecutableInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline, .executableIndex = executable};
   VkPipelineExecutableStatisticKHR all[STATISTICS] = {{0}};
   uint32_t count = STATISTICS;
   for (unsigned i = 0; i < STATISTICS; i++)
      all[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
   vkx_check(GET(vkx, vkGetPipelineExecutableStatisticsKHR)(vkx->device, &info, &count, all),
             "vkGetPipelineExecutableStatisticsKHR");
   for (uint32_t i = 0; i < count; i++) {
      for (unsigned n = 0; n < COLUMNS * ARRAY_SIZE(columns->names); n++) {
         const unsigned c = n / ARRAY_SIZE(columns->names), k = n % ARRAY_SIZE(columns->names);
         if (columns[c].names[k] && !strcasecmp(all[i].name, columns[c].names[k]))
            values[c] = all[i].value.u64 / (k ? 1 : columns[c].divisor);
      }
   }
}

/* Of several executables of a stage the longest counts: drivers put small ones around it. */
static void
read_executables(struct vkx *vkx, VkPipeline pipeline, struct measure *m)
{
   const VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
   VkPipelineExecutablePropertiesKHR all[STATISTICS] = {{0}};
   uint32_t count = STATISTICS;
   for (unsigned i = 0; i < STATISTICS; i++)
      all[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
   vkx_check(GET(vkx, vkGetPipelineExecutablePropertiesKHR)(vkx->device, &info, &count, all),
             "vkGetPipelineExecutablePropertiesKHR");
   for (uint32_t i = 0; i < count; i++) {
      for (unsigned k = 0; k < ARRAY_SIZE(stages); k++) {
         uint64_t values[COLUMNS];
         memset(values, 0xff, sizeof(values));
         if (!(all[i].stages & stages[k].bit))
            continue;
         read_statistics(vkx, pipeline, i, values);
         if (m->values[k][INSTRUCTIONS] == UNKNOWN || values[INSTRUCTIONS] > m->values[k][INSTRUCTIONS])
            memcpy(m->values[k], values, sizeof(values));
      }
   }
}

/* "VERTEX:FRAGMENT", or one path. */
static bool
load_pipeline(struct arena *arena, char *paths, struct bench_pipeline *p)
{
   char *second = strchr(paths, ':');
   p->count = second ? 2 : 1;
   if (second)
      *second++ = 0;
   if (!bench_module_load(arena, paths, &p->modules[0]))
      return false;
   if (!second)
      return p->modules[0].stage == NIR_STAGE_COMPUTE;
   return p->modules[0].stage == NIR_STAGE_VERTEX && bench_module_load(arena, second, &p->modules[1]) &&
          p->modules[1].stage == NIR_STAGE_FRAGMENT;
}

static double
processor_s(void)
{
   struct timespec time;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static struct measure
measure_pipeline(struct vkx *vkx, char *paths)
{
   struct measure m = {.made = false};
   memset(m.values, 0xff, sizeof(m.values));
   struct arena arena = {0};
   struct bench_pipeline p = {.count = 0};
   double times[RUNS];
   unsigned runs = 0;
   if (load_pipeline(&arena, paths, &p)) {
      const double begin = processor_s();
      bench_pipeline_init(vkx, &p);
      m.made = true;
      while (m.made && runs < RUNS && (!runs || processor_s() - begin < RUNS_S)) {
         const double start = processor_s();
         const VkPipeline pipeline = bench_pipeline_create(vkx, &p);
         times[runs] = (processor_s() - start) * 1e3;
         m.made = pipeline != VK_NULL_HANDLE;
         if (m.made && !runs++)
            read_executables(vkx, pipeline, &m);
         vkDestroyPipeline(vkx->device, pipeline, NULL);
      }
      m.ms = m.made ? bench_median(times, runs) : 0;
   }
   for (unsigned i = 0; i < p.count; i++)
      free(p.modules[i].words);
   arena_free(&arena);
   return m;
}

static void
print(const struct measure *m)
{
   printf("pipeline %d %.4f\n", m->made, m->ms);
   for (unsigned k = 0; k < ARRAY_SIZE(stages); k++) {
      if (m->values[k][INSTRUCTIONS] == UNKNOWN)
         continue;
      printf("stage %s", stages[k].title);
      for (unsigned c = 0; c < COLUMNS; c++) {
         if (m->values[k][c] == UNKNOWN)
            printf(" -");
         else
            printf(" %" PRIu64, m->values[k][c]);
      }
      printf("\n");
   }
   fflush(stdout);
}

int
main(int argc, char **argv)
{
   VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
      .pipelineExecutableInfo = VK_TRUE};
   struct vkx vkx =
      vkx_create_with("pipeline_stats", VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME, &features);
   printf("columns");
   for (unsigned c = 0; c < COLUMNS; c++)
      printf(" %s", columns[c].title);
   printf("\n");
   fflush(stdout); /* a driver may end the process */
   for (int i = 1; i < argc; i++) {
      alarm(PIPELINE_S);
      const struct measure m = measure_pipeline(&vkx, argv[i]);
      print(&m);
   }
   _exit(0); /* the objects go with the process */
}
