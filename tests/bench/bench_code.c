/* The code of compute shaders and the time to make their pipelines, on the no-op kernel driver, next to another
 * driver of the GPU in the same run: bench_code GPU MODULE.spv... prints what VK_KHR_pipeline_executable_properties
 * says.
 *
 * It runs itself under `indium run` once per driver ("--case" is that inner run). Modules that are no compute shader,
 * or that one of the drivers refuses, are left out of both sums. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "bench.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "util/arena.h"
#include "util/macros.h"
#include "util/read_file.h"
#include "vkx.h"

#define SETS 4
#define BINDINGS 64
#define RUNS 5
#define MODULES 512
#define STATISTICS 64
#define MODULE_MAX_B (16 << 20)
#define MODULE_S 10 /* a driver that takes longer never ends */

static const struct rival {
   const char *gpu, *driver;
} rivals[] = {{"m1", "honeykrisp"}, {"m1max", "honeykrisp"}, {"m2", "honeykrisp"}, {"navi21", "radv"}};

static const struct {
   const char *title, *names[2]; /* as the drivers call it */
} columns[] = {{"instructions", {"Instructions", "Instruction Count"}},
               {"bytes", {"Code size", "Code Size"}},
               {"registers", {"GPRs", "VGPRs"}}};

#define COLUMNS ARRAY_SIZE(columns)

struct measure {
   bool made;
   double ms;
   uint64_t values[COLUMNS];
};

/* ---- the inner run ---- */

/* Images that are not combined with samplers are storage images where the shader has no samplers. */
static VkDescriptorType
descriptor_type(const struct nir_variable *var, const struct nir_type *type, bool has_samplers)
{
   if (var->mode == NIR_VAR_UBO)
      return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
   if (var->mode == NIR_VAR_SSBO)
      return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   if (type->base == NIR_TYPE_SAMPLER)
      return VK_DESCRIPTOR_TYPE_SAMPLER;
   if (type->base == NIR_TYPE_SAMPLED_IMAGE)
      return type->dim == NIR_DIM_BUF ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                      : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
   if (has_samplers)
      return type->dim == NIR_DIM_BUF ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
   return type->dim == NIR_DIM_BUF ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

static VkDescriptorSetLayout
set_layout(struct vkx *vkx, struct nir_shader *nir, unsigned set)
{
   VkDescriptorSetLayoutBinding bindings[BINDINGS];
   VkDescriptorSetLayout layout;
   uint32_t count = 0;
   bool has_samplers = false;
   nir_foreach_variable(var, nir)
      has_samplers |= var->mode == NIR_VAR_UNIFORM && var->type->base == NIR_TYPE_SAMPLER;
   nir_foreach_variable(var, nir) {
      const bool is_resource = var->mode == NIR_VAR_UBO || var->mode == NIR_VAR_SSBO || var->mode == NIR_VAR_UNIFORM;
      uint32_t elements = 1;
      const struct nir_type *type = var->type;
      for (; is_resource && type->base == NIR_TYPE_ARRAY; type = type->element)
         elements *= MAX2(type->length, 1u);
      if (!is_resource || var->set != set || count == BINDINGS)
         continue;
      bindings[count++] = (VkDescriptorSetLayoutBinding){.binding = var->binding,
                                                         .descriptorType = descriptor_type(var, type, has_samplers),
                                                         .descriptorCount = elements,
                                                         .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
   }
   const VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = bindings};
   vkx_check(vkCreateDescriptorSetLayout(vkx->device, &info, NULL, &layout), "vkCreateDescriptorSetLayout");
   return layout;
}

static VkPipelineLayout
pipeline_layout(struct vkx *vkx, struct nir_shader *nir)
{
   const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 128};
   VkDescriptorSetLayout sets[SETS];
   VkPipelineLayout layout;
   for (unsigned i = 0; i < SETS; i++)
      sets[i] = set_layout(vkx, nir, i);
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = SETS,
                                            .pSetLayouts = sets,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &push};
   vkx_check(vkCreatePipelineLayout(vkx->device, &info, NULL, &layout), "vkCreatePipelineLayout");
   return layout;
}

static void
read_statistics(struct vkx *vkx, VkPipeline pipeline, struct measure *m)
{
   PFN_vkGetPipelineExecutableStatisticsKHR get = (PFN_vkGetPipelineExecutableStatisticsKHR)vkGetDeviceProcAddr(
      vkx->device, "vkGetPipelineExecutableStatisticsKHR");
   const VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                             .pipeline = pipeline};
   VkPipelineExecutableStatisticKHR all[STATISTICS] = {{0}};
   uint32_t count = STATISTICS;
   for (unsigned i = 0; i < STATISTICS; i++)
      all[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
   vkx_check(get(vkx->device, &info, &count, all), "vkGetPipelineExecutableStatisticsKHR");
   for (uint32_t i = 0; i < count; i++) {
      for (unsigned c = 0; c < COLUMNS; c++) {
         if (!strcasecmp(all[i].name, columns[c].names[0]) || !strcasecmp(all[i].name, columns[c].names[1]))
            m->values[c] = all[i].value.u64;
      }
   }
}

static struct measure
measure_module(struct vkx *vkx, const char *path)
{
   struct measure m = {.made = false};
   struct arena arena = {0};
   size_t size_B;
   const char *error;
   uint32_t *words = (uint32_t *)(void *)read_file(path, MODULE_MAX_B, &size_B);
   const struct spirv_options options = {.stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL};
   struct nir_shader *nir = words && spirv_find_stage(words, size_B / 4) == NIR_STAGE_COMPUTE
                               ? spirv_to_nir(&arena, words, size_B / 4, &options, &error)
                               : NULL;
   if (nir) {
      VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                          .flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
                                          .layout = pipeline_layout(vkx, nir)};
      info.stage = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                     .module = vkx_shader_create(vkx, words, size_B),
                                                     .pName = "main"};
      double times[RUNS];
      m.made = true;
      for (unsigned i = 0; i < RUNS && m.made; i++) {
         VkPipeline pipeline;
         const double start = bench_now_s();
         m.made = vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline) == VK_SUCCESS;
         times[i] = (bench_now_s() - start) * 1e3;
         if (m.made && !i)
            read_statistics(vkx, pipeline, &m);
         if (m.made)
            vkDestroyPipeline(vkx->device, pipeline, NULL);
      }
      m.ms = m.made ? bench_median(times, RUNS) : 0;
   }
   free(words);
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
      printf("%d %.4f", m.made, m.ms);
      for (unsigned c = 0; c < COLUMNS; c++)
         printf(" %" PRIu64, m.values[c]);
      printf("\n");
      fflush(stdout);
   }
   _exit(0); /* the objects go with the process */
}

/* ---- both drivers ---- */

/* From the first module on, until one ends the process; returns how many were measured. */
static unsigned
run_some(const char *command, char **paths, struct measure *measures, unsigned most)
{
   char *all = NULL, line[256];
   size_t size;
   unsigned count = 0;
   FILE *text = open_memstream(&all, &size);
   fputs(command, text);
   for (; *paths; paths++)
      fprintf(text, " '%s'", *paths);
   fputs(" 2>/dev/null", text);
   fclose(text);
   FILE *output = popen(all, "r");
   while (output && count < most && fgets(line, sizeof(line), output)) {
      struct measure m = {.made = false};
      int made;
      if (sscanf(line, "%d %lf %" SCNu64 " %" SCNu64 " %" SCNu64, &made, &m.ms, &m.values[0], &m.values[1],
                 &m.values[2]) != 2 + COLUMNS)
         continue; /* what programs say of the device */
      m.made = made;
      measures[count++] = m;
   }
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
   snprintf(command, sizeof(command), "'%s' run --gpu %s --mode noop --driver %s -- '%s' --case", indium, gpu, driver,
            self);
   for (unsigned done = 0; done < total; done++)
      done += run_some(command, paths + done, measures + done, total - done);
}

static void
print_sums(const char *driver, const struct measure *measures, const bool *counted, unsigned count)
{
   double times[MODULES];
   uint64_t sums[COLUMNS] = {0};
   unsigned used = 0;
   for (unsigned i = 0; i < count; i++) {
      if (!counted[i])
         continue;
      times[used++] = measures[i].ms;
      for (unsigned c = 0; c < COLUMNS; c++)
         sums[c] += measures[i].values[c];
   }
   printf("  %-12s", driver);
   for (unsigned c = 0; c < COLUMNS; c++)
      printf(" %8" PRIu64 " %s", sums[c], columns[c].title);
   printf(" %8.3f ms a pipeline, median\n", used ? bench_median(times, used) : 0);
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
   static bool counted[MODULES];
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
   for (unsigned k = 0; k < 2; k++)
      run_driver(indium, self, argv[1], drivers[k], argv + 2, measures[k], total);
   for (unsigned i = 0; i < total; i++)
      both += counted[i] = measures[0][i].made && measures[1][i].made;
   printf("%u compute shaders on %s, no-op kernel driver:\n", both, argv[1]);
   for (unsigned k = 0; k < 2; k++)
      print_sums(drivers[k], measures[k], counted, total);
   for (unsigned i = 0; i < total && getenv("BENCH_EACH"); i++)
      printf("%-60s %d %5" PRIu64 " %d %5" PRIu64 "\n", argv[2 + i], measures[0][i].made, measures[0][i].values[0],
             measures[1][i].made, measures[1][i].values[0]);
   return both == 0;
}
