/* The code of shaders and the time to make their pipelines, on the no-op kernel driver, next to another driver of the
 * GPU in the same run: bench_code GPU MODULE.spv... prints what VK_KHR_pipeline_executable_properties says.
 *
 * A fragment shader NAME_x.spv or NAME.frag.spv stands behind the vertex shader NAME_vert.spv or NAME.vert.spv. The
 * program runs itself under `indium run` once per driver ("--case" is that inner run). What one of the drivers
 * refuses is left out of both sums. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "bench.h"
#include "bench_pipelines.h"
#include "util/macros.h"

#define RUNS 5
#define RUNS_S 0.5 /* no more runs of a pipeline behind so long */
#define MODULES 512
#define STATISTICS 64
#define MODULE_S 20 /* a driver that takes longer never ends */
#define LONGER 1.05 /* shaders with more than that of the other's instructions are named */

static const struct rival {
   const char *gpu, *driver;
} rivals[] = {{"m1", "honeykrisp"}, {"m1max", "honeykrisp"}, {"m2", "honeykrisp"}, {"navi21", "radv"}};

static const struct {
   const char *title, *names[3]; /* as the drivers call it */
   uint8_t divisor;              /* of the first: threads in a wave */
} columns[] = {{"instructions", {"Instructions", "Instruction Count"}, 1},
               {"bytes", {"Code size", "Code Size"}, 1},
               {"registers", {"GPRs", "VGPRs"}, 1},
               {"uniforms", {"Uniforms", "SGPRs"}, 1},
               {"waves", {"Threads", "Waves", "Subgroups per SIMD"}, 32}};

#define COLUMNS ARRAY_SIZE(columns)

static const struct {
   const char *title;
   VkShaderStageFlags stage;
} kinds[] = {{"compute", VK_SHADER_STAGE_COMPUTE_BIT},
             {"vertex", VK_SHADER_STAGE_VERTEX_BIT},
             {"fragment", VK_SHADER_STAGE_FRAGMENT_BIT}};

#define KINDS ARRAY_SIZE(kinds)

struct measure {
   bool made;
   double ms;
   uint64_t values[KINDS][COLUMNS]; /* no instructions: it has no such shader */
};

/* ---- the inner run ---- */

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
      for (unsigned k = 0; k < KINDS; k++) {
         uint64_t values[COLUMNS] = {0};
         if (!(all[i].stages & kinds[k].stage))
            continue;
         read_statistics(vkx, pipeline, i, values);
         if (values[0] > m->values[k][0])
            memcpy(m->values[k], values, sizeof(values));
      }
   }
}

/* The vertex shader for a fragment shader's file. */
static void
find_partner(const char *path, char *partner, size_t size)
{
   const char *name = strrchr(path, '/'), *end = strstr(name ? name : path, ".frag.spv");
   const char *part = strrchr(name ? name : path, '_');
   const char *from = end ? end : part;
   snprintf(partner, size, "%.*s%s", from ? (int)(from - path) : 0, path, end ? ".vert.spv" : "_vert.spv");
}

static bool
load_pipeline(struct arena *arena, const char *path, struct bench_pipeline *p)
{
   char partner[4096];
   p->count = 1;
   if (!bench_module_load(arena, path, &p->modules[0]) || p->modules[0].stage == NIR_STAGE_COMPUTE)
      return p->modules[0].nir;
   if (p->modules[0].stage != NIR_STAGE_FRAGMENT)
      return false;
   find_partner(path, partner, sizeof(partner));
   p->modules[1] = p->modules[0];
   p->count = 2;
   return bench_module_load(arena, partner, &p->modules[0]) && p->modules[0].stage == NIR_STAGE_VERTEX;
}

static struct measure
measure_module(struct vkx *vkx, const char *path)
{
   struct measure m = {.made = false};
   struct arena arena = {0};
   struct bench_pipeline p = {.count = 0};
   double times[RUNS];
   unsigned runs = 0;
   if (load_pipeline(&arena, path, &p)) {
      const double begin = bench_now_s();
      bench_pipeline_init(vkx, &p);
      m.made = true;
      while (m.made && runs < RUNS && (!runs || bench_now_s() - begin < RUNS_S)) {
         const double start = bench_now_s();
         const VkPipeline pipeline = bench_pipeline_create(vkx, &p);
         times[runs] = (bench_now_s() - start) * 1e3;
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

/* A line for each module, which the outer run reads. */
static int
inner(char **paths)
{
   VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR features = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
      .pipelineExecutableInfo = VK_TRUE};
   struct vkx vkx = vkx_create_with("bench", VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME, &features);
   for (; *paths; paths++) {
      alarm(MODULE_S);
      const struct measure m = measure_module(&vkx, *paths);
      printf("module %d %.4f", m.made, m.ms);
      for (unsigned i = 0; i < KINDS * COLUMNS; i++)
         printf(" %" PRIu64, m.values[i / COLUMNS][i % COLUMNS]);
      printf("\n");
      fflush(stdout);
   }
   _exit(0); /* the objects go with the process */
}

/* ---- both drivers ---- */

static bool
parse(char *line, struct measure *m)
{
   char *at = line + strlen("module ");
   if (strncmp(line, "module ", strlen("module ")))
      return false; /* what programs say of the device */
   m->made = strtoul(at, &at, 10);
   m->ms = strtod(at, &at);
   for (unsigned i = 0; i < KINDS * COLUMNS; i++)
      m->values[i / COLUMNS][i % COLUMNS] = strtoull(at, &at, 10);
   return true;
}

/* From the first module on, until one ends the process; returns how many were measured. */
static unsigned
run_some(const char *command, char **paths, struct measure *measures, unsigned most)
{
   char *all = NULL, line[1024];
   size_t size;
   unsigned count = 0;
   FILE *text = open_memstream(&all, &size);
   fputs(command, text);
   for (; *paths; paths++)
      fprintf(text, " '%s'", *paths);
   fputs(" 2>/dev/null", text);
   fclose(text);
   FILE *output = popen(all, "r");
   while (output && count < most && fgets(line, sizeof(line), output))
      count += parse(line, &measures[count]);
   if (output)
      pclose(output);
   free(all);
   return count;
}

/* One that ends the process, or that never ends, is not made. */
static void
run_driver(const char *indium, const char *self, const char *gpu, const char *driver, char **paths,
           struct measure *measures, unsigned total)
{
   char command[9000];
   snprintf(command, sizeof(command), "'%s' run --gpu %s --mode noop --driver %s --plain -- '%s' --case", indium, gpu,
            driver, self);
   for (unsigned done = 0; done < total; done++)
      done += run_some(command, paths + done, measures + done, total - done);
}

/* ---- tables ---- */

static void
print_sums(const char *driver, const struct measure *measures, unsigned kind, const bool *counted, unsigned count)
{
   double times[MODULES];
   uint64_t sums[COLUMNS] = {0};
   unsigned used = 0;
   for (unsigned i = 0; i < count; i++) {
      if (!counted[i])
         continue;
      times[used++] = measures[i].ms;
      for (unsigned c = 0; c < COLUMNS; c++)
         sums[c] += measures[i].values[kind][c];
   }
   printf("  %-12s", driver);
   for (unsigned c = 0; c < COLUMNS; c++)
      printf(" %8" PRIu64 " %s", sums[c], columns[c].title);
   printf(" %8.3f ms a pipeline, median\n", used ? bench_median(times, used) : 0);
}

static double
ratio_of(const struct measure *a, const struct measure *b, unsigned kind)
{
   return (double)a->values[kind][0] / (double)b->values[kind][0];
}

/* Returns how many shaders both drivers have made. */
static unsigned
print_kind(const char *const *drivers, struct measure (*measures)[MODULES], unsigned kind, char **paths,
           unsigned total)
{
   static bool counted[MODULES];
   unsigned both = 0;
   double logs = 0;
   for (unsigned i = 0; i < total; i++) {
      const struct measure *a = &measures[0][i], *b = &measures[1][i];
      counted[i] = a->made && b->made && a->values[kind][0] && b->values[kind][0];
      both += counted[i];
      logs += counted[i] ? log(ratio_of(a, b, kind)) : 0;
   }
   if (!both)
      return 0;
   printf("%u %s shaders, %.3f of the instructions in the geometric mean:\n", both, kinds[kind].title,
          exp(logs / both));
   for (unsigned k = 0; k < 2; k++)
      print_sums(drivers[k], measures[k], kind, counted, total);
   for (unsigned i = 0; i < total; i++) {
      const double ratio = counted[i] ? ratio_of(&measures[0][i], &measures[1][i], kind) : 0;
      if (counted[i] && (ratio > LONGER || getenv("BENCH_EACH")))
         printf("    %5.2f %6" PRIu64 " %6" PRIu64 " %s\n", ratio, measures[0][i].values[kind][0],
                measures[1][i].values[kind][0], strrchr(paths[i], '/') ? strrchr(paths[i], '/') + 1 : paths[i]);
   }
   return both;
}

int
main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--case"))
      return inner(argv + 2);
   if (argc < 3) {
      fprintf(stderr, "usage: bench_code GPU MODULE.spv...\n");
      return 2;
   }
   static struct measure measures[2][MODULES];
   char self[4096], indium[4160];
   const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
   self[length > 0 ? length : 0] = 0;
   snprintf(indium, sizeof(indium), "%.*s/src/tools/indium", (int)(strstr(self, "/tests/bench/") - self), self);
   const char *drivers[2] = {"indium", "radv"};
   for (unsigned i = 0; i < ARRAY_SIZE(rivals); i++)
      drivers[1] = strcmp(rivals[i].gpu, argv[1]) ? drivers[1] : rivals[i].driver;
   setenv("RADV_DEBUG", "nocache", 1); /* else later pipelines come from memory or disk */
   setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
   const unsigned total = MIN2((unsigned)argc - 2, MODULES);
   unsigned both = 0;
   printf("%u modules on %s, no-op kernel driver; longer than %.2f of the other's is named\n", total, argv[1],
          LONGER);
   fflush(stdout);
   for (unsigned k = 0; k < 2; k++)
      run_driver(indium, self, argv[1], drivers[k], argv + 2, measures[k], total);
   for (unsigned kind = 0; kind < KINDS; kind++)
      both += print_kind(drivers, measures, kind, argv + 2, total);
   if (!both)
      fprintf(stderr, "bench_code: no shader that both drivers make (is %s there? bin/peers)\n", drivers[1]);
   return both == 0;
}
