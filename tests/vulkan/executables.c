/* VK_KHR_pipeline_executable_properties: which executables pipelines have, their statistics and texts, in two calls
 * and with too little room; only what the pipeline was created to keep; the same with a pipeline cache; executables
 * that are not there. With an argument (vert, frag, comp): prints the assembly of that shader instead. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "vkt_dispatch.h"
#include "vkt_draw.h"

static const uint32_t fixed_code[] = {
#include "subgroup_1_5.comp.inc"
};
static const uint32_t varying_code[] = {
#include "subgroup_1_6.comp.inc"
};
static const uint32_t compute_code[] = {
#include "executables.comp.inc"
};
static const uint32_t vertex_code[] = {
#include "quad.vert.inc"
};
static const uint32_t fragment_code[] = {
#include "quad.frag.inc"
};

enum {
   STATISTICS = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
   TEXTS = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR,
   MAX = 64,
   LDS_B = 4000, /* of the compute shader */
};

static PFN_vkGetPipelineExecutablePropertiesKHR get_executables;
static PFN_vkGetPipelineExecutableStatisticsKHR get_statistics;
static PFN_vkGetPipelineExecutableInternalRepresentationsKHR get_texts;

/* ---- texts: how many lines each has that are instructions ---- */

static unsigned
lines(const char *text, char first)
{
   unsigned count = 0;
   for (const char *at = text; *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : at + strlen(at))
      count += *at == first;
   return count;
}

/* Lines of the text called "assembly" that begin with a tab; 0 if there is none. */
static unsigned
check_texts(struct vkx *vkx, const char *what, const VkPipelineExecutableInfoKHR *info, bool captured)
{
   VkPipelineExecutableInternalRepresentationKHR texts[MAX] = {{0}};
   uint32_t count = MAX, instructions = 0;
   for (unsigned i = 0; i < MAX; i++)
      texts[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
   vkt_expect(get_texts(vkx->device, info, &count, texts) == VK_SUCCESS && captured == (count > 0), "%s: %u texts",
              what, count);
   for (unsigned i = 0; i < count; i++) {
      const size_t size_B = texts[i].dataSize;
      char *text = malloc(size_B + 1);
      texts[i].pData = text;
      memset(text, 'x', size_B + 1);
      uint32_t one = i + 1;
      VkResult result = get_texts(vkx->device, info, &one, texts);
      vkt_expect(result == (one < count ? VK_INCOMPLETE : VK_SUCCESS) && texts[i].dataSize == size_B &&
                    text[size_B] == 'x' && (!texts[i].isText || strlen(text) == size_B - 1),
                 "%s: text %s of %zu bytes", what, texts[i].name, size_B);
      if (!strcasecmp(texts[i].name, "assembly"))
         instructions = lines(text, '\t');
      texts[i].dataSize = size_B / 2;
      memset(text, 'x', size_B + 1);
      result = get_texts(vkx->device, info, &one, texts);
      vkt_expect(result == VK_INCOMPLETE && texts[i].dataSize <= size_B / 2 && text[size_B / 2] == 'x',
                 "%s: half of text %s", what, texts[i].name);
      texts[i].pData = NULL;
      free(text);
   }
   return instructions;
}

/* ---- statistics ---- */

static uint64_t most_graphics_lds_B; /* RADV's primitive shaders cull with some */

static const VkPipelineExecutableStatisticKHR *
find(const VkPipelineExecutableStatisticKHR *all, uint32_t count, const char *name)
{
   for (unsigned i = 0; i < count; i++) {
      if (!strcasecmp(all[i].name, name) && all[i].format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR)
         return &all[i];
   }
   return NULL;
}

/* instructions: that the text shows, 0 if there is none. */
static void
check_statistics(struct vkx *vkx, const char *what, const VkPipelineExecutableInfoKHR *info, bool captured,
                 bool compute, unsigned instructions)
{
   VkPipelineExecutableStatisticKHR all[MAX] = {{0}};
   uint32_t count = 0, less;
   for (unsigned i = 0; i < MAX; i++)
      all[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
   vkt_expect(get_statistics(vkx->device, info, &count, NULL) == VK_SUCCESS && captured == (count > 0) &&
                 count <= MAX,
              "%s: %u statistics", what, count);
   if (!count)
      return;
   less = count - 1;
   vkt_expect(get_statistics(vkx->device, info, &less, all) == VK_INCOMPLETE && less == count - 1 &&
                 !all[less].name[0],
              "%s: statistics but one", what);
   less = MAX;
   vkt_expect(get_statistics(vkx->device, info, &less, all) == VK_SUCCESS && less == count, "%s: all statistics",
              what);
   for (unsigned i = 0; i < count; i++)
      vkt_expect(all[i].name[0] && all[i].description[0], "%s: statistic %u has no name", what, i);
   const VkPipelineExecutableStatisticKHR *lds = find(all, count, "LDS size"), *code = find(all, count, "Code size");
   const VkPipelineExecutableStatisticKHR *shown = find(all, count, "Instructions"),
                                          *loops = find(all, count, "Loops");
   if (lds)
      vkt_expect(compute ? lds->value.u64 >= LDS_B && lds->value.u64 < LDS_B + 1024
                         : lds->value.u64 <= most_graphics_lds_B,
                 "%s: %llu bytes of LDS", what, (unsigned long long)lds->value.u64);
   if (code && shown) /* an instruction has one to five words */
      vkt_expect(shown->value.u64 && code->value.u64 >= 4 * shown->value.u64 &&
                    code->value.u64 <= 20 * shown->value.u64,
                 "%s: %llu instructions", what, (unsigned long long)shown->value.u64);
   if (loops) /* none has a number of turns that is known */
      vkt_expect(loops->value.u64 == (compute ? 2 : 0), "%s: %llu loops", what, (unsigned long long)loops->value.u64);
   if (shown && instructions)
      vkt_expect(shown->value.u64 == instructions, "%s: %llu instructions, and %u in the text", what,
                 (unsigned long long)shown->value.u64, instructions);
}

/* ---- pipelines ---- */

static uint32_t lanes;             /* of every wave; 0: 32 or 64 */
static bool prescribes;            /* a compute pipeline asks for so many */
static VkShaderStageFlags printed; /* 0: check */

static void
print_assembly(struct vkx *vkx, const VkPipelineExecutableInfoKHR *info)
{
   VkPipelineExecutableInternalRepresentationKHR texts[MAX] = {{0}};
   uint32_t count = MAX;
   for (unsigned i = 0; i < MAX; i++)
      texts[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
   get_texts(vkx->device, info, &count, texts);
   for (unsigned i = 0; i < count; i++)
      texts[i].pData = calloc(1, texts[i].dataSize);
   get_texts(vkx->device, info, &count, texts);
   for (unsigned i = 0; i < count; i++) {
      if (!strcasecmp(texts[i].name, "assembly"))
         printf("%s", (const char *)texts[i].pData);
      free(texts[i].pData);
   }
}

static void
check_pipeline(struct vkx *vkx, const char *what, VkPipeline pipeline, VkPipelineCreateFlags flags,
               VkShaderStageFlags stages)
{
   const VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
   VkPipelineExecutablePropertiesKHR executables[4] = {{0}};
   VkShaderStageFlags seen = 0;
   uint32_t count = 0, less = 0;
   for (unsigned i = 0; i < 4; i++)
      executables[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
   vkt_expect(get_executables(vkx->device, &info, &count, NULL) == VK_SUCCESS && count > 0 && count <= 4,
              "%s: %u executables", what, count);
   vkt_expect(get_executables(vkx->device, &info, &less, executables) == VK_INCOMPLETE && !less, "%s: no room", what);
   vkt_expect(get_executables(vkx->device, &info, &count, executables) == VK_SUCCESS, "%s: executables", what);
   for (uint32_t i = 0; i < count; i++) {
      const VkPipelineExecutableInfoKHR executable = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline, .executableIndex = i};
      seen |= executables[i].stages;
      vkt_expect(executables[i].name[0] && executables[i].subgroupSize >= (lanes ? lanes : 32) &&
                    executables[i].subgroupSize <= (lanes ? lanes : 64),
                 "%s: executable %s with subgroups of %u", what, executables[i].name, executables[i].subgroupSize);
      unsigned instructions = 0;
      if (executables[i].stages & printed)
         print_assembly(vkx, &executable);
      if (flags & TEXTS)
         instructions = check_texts(vkx, what, &executable, true);
      if (flags & STATISTICS)
         check_statistics(vkx, what, &executable, true, executables[i].stages == VK_SHADER_STAGE_COMPUTE_BIT,
                          instructions);
   }
   /* A driver may have a fragment shader of its own, as RADV has. */
   vkt_expect((seen & stages) == stages && !(seen & ~(stages | VK_SHADER_STAGE_FRAGMENT_BIT)),
              "%s: executables of stages %#x, not %#x", what, seen, stages);
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

static VkPipeline
create_compute(struct vkx *vkx, VkPipelineLayout layout, VkShaderModule module, VkPipelineCache cache,
               VkPipelineCreateFlags flags)
{
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = lanes};
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = flags,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = prescribes ? &size : NULL,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main"},
      .layout = layout,
   };
   VkPipeline pipeline = VK_NULL_HANDLE;
   const VkResult result = vkCreateComputePipelines(vkx->device, cache, 1, &info, NULL, &pipeline);
   vkt_expect(result == VK_SUCCESS, "a compute pipeline with flags %#x: %d", flags, result);
   return pipeline;
}

static void
check_compute(struct vkx *vkx, VkPipelineCreateFlags flags)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   VkShaderModule module = vkx_shader_create(vkx, compute_code, sizeof(compute_code));
   const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
   VkPipelineCache cache;
   vkCreatePipelineCache(vkx->device, &info, NULL, &cache);
   check_pipeline(vkx, "compute", create_compute(vkx, layout, module, VK_NULL_HANDLE, flags), flags,
                  VK_SHADER_STAGE_COMPUTE_BIT);
   /* What is in the cache without texts is asked for with them. */
   vkDestroyPipeline(vkx->device, create_compute(vkx, layout, module, cache, 0), NULL);
   check_pipeline(vkx, "cached compute", create_compute(vkx, layout, module, cache, flags), flags,
                  VK_SHADER_STAGE_COMPUTE_BIT);
   vkDestroyPipelineCache(vkx->device, cache, NULL);
   vkDestroyShaderModule(vkx->device, module, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

static void
check_graphics(struct vkx *vkx, VkPipelineCreateFlags flags, bool fragment)
{
   const VkExtent2D extent = {16, 16};
   struct vkt_target target =
      vkt_target_create(vkx, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, extent, 1, VK_SAMPLE_COUNT_1_BIT);
   VkPipelineLayout layout = vkt_quad_layout_create(vkx);
   struct vkt_pipeline_info info = {
      .pass = target.pass, .layout = layout, .vertex = VKT_CODE(vertex_code), .flags = flags};
   if (fragment)
      info.fragment = VKT_CODE(fragment_code);
   check_pipeline(vkx, fragment ? "graphics" : "graphics without fragment shader", vkt_pipeline_create(vkx, &info),
                  flags, VK_SHADER_STAGE_VERTEX_BIT | (fragment ? VK_SHADER_STAGE_FRAGMENT_BIT : 0));
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkt_target_destroy(vkx, &target);
}

/* Executables that a pipeline does not have are refused: invalid use, for which Vulkan promises nothing. */
static void
check_absent(struct vkx *vkx)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, VK_SHADER_STAGE_COMPUTE_BIT, 4);
   VkShaderModule module = vkx_shader_create(vkx, compute_code, sizeof(compute_code));
   VkPipeline pipeline = create_compute(vkx, layout, module, VK_NULL_HANDLE, STATISTICS | TEXTS);
   const uint32_t numbers[] = {1, 2, 31, 32, UINT32_MAX};
   for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
      const VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                                .pipeline = pipeline,
                                                .executableIndex = numbers[i]};
      VkPipelineExecutableStatisticKHR statistics[MAX] = {{0}};
      VkPipelineExecutableInternalRepresentationKHR texts[MAX] = {{0}};
      uint32_t counts[2] = {MAX, MAX};
      vkt_expect(get_statistics(vkx->device, &info, &counts[0], statistics) == VK_ERROR_UNKNOWN &&
                    get_texts(vkx->device, &info, &counts[1], texts) == VK_ERROR_UNKNOWN,
                 "executable %u of a compute pipeline", numbers[i]);
   }
   vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyShaderModule(vkx->device, module, NULL);
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

/* A workgroup of 32, which sees the size of its subgroup. That is the device's unless it may vary; Indium then takes
 * waves of 32 where there are some. (RADV 26 has such waves in either case, and tells the shader the device's size.)
 */
static void
check_subgroups(struct vkx *vkx)
{
   VkPhysicalDeviceSubgroupProperties subgroups = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                             .pNext = &subgroups};
   vkGetPhysicalDeviceProperties2(vkx->physical, &properties);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkDescriptorSetLayout set_layout = vkx_set_layout_create(vkx, 1, &type, VK_SHADER_STAGE_COMPUTE_BIT);
   VkPipelineLayout layout = vkx_pipeline_layout_create(vkx, set_layout, 0, 0);
   for (unsigned varies = 0; varies < 2; varies++) {
      VkShaderModule module = varies ? vkx_shader_create(vkx, varying_code, sizeof(varying_code))
                                     : vkx_shader_create(vkx, fixed_code, sizeof(fixed_code));
      VkPipeline pipeline = create_compute(vkx, layout, module, VK_NULL_HANDLE, 0);
      const VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
      VkPipelineExecutablePropertiesKHR executable = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
      uint32_t count = 1, size = subgroups.subgroupSize;
      get_executables(vkx->device, &info, &count, &executable);
      if (varies && vkt_offers_lanes(vkx, 32))
         size = 32;
      vkt_expect(executable.subgroupSize == size, "SPIR-V 1.%u: subgroups of %u, not %u", 5 + varies,
                 executable.subgroupSize, size);
      vkDestroyPipeline(vkx->device, pipeline, NULL);
      vkDestroyShaderModule(vkx->device, module, NULL);
   }
   vkDestroyPipelineLayout(vkx->device, layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, set_layout, NULL);
}

int
main(int argc, char **argv)
{
   const char *quirks = vkx_option(argc, argv, "--quirks", "");
   if (!strcmp(quirks, "radv"))
      most_graphics_lds_B = 65536;
   lanes = (uint32_t)atoi(vkx_option(argc, argv, "--lanes", "0"));
   if (argc == 2)
      printed = !strcmp(argv[1], "vert")   ? VK_SHADER_STAGE_VERTEX_BIT
                : !strcmp(argv[1], "frag") ? VK_SHADER_STAGE_FRAGMENT_BIT
                                           : VK_SHADER_STAGE_COMPUTE_BIT;
   vkt_generated_query = false; /* `indium shader` prints programs of devices without it */
   struct vkx vkx = vkt_create("executables");
   if (!vkt_has("VK_KHR_pipeline_executable_properties")) {
      vkt_skip("VK_KHR_pipeline_executable_properties");
      return vkt_finish(&vkx);
   }
   get_executables = VKT_PROC(&vkx, vkGetPipelineExecutablePropertiesKHR);
   get_statistics = VKT_PROC(&vkx, vkGetPipelineExecutableStatisticsKHR);
   get_texts = VKT_PROC(&vkx, vkGetPipelineExecutableInternalRepresentationsKHR);
   if (printed) {
      printed == VK_SHADER_STAGE_COMPUTE_BIT ? check_compute(&vkx, TEXTS) : check_graphics(&vkx, TEXTS, true);
      return vkt_finish(&vkx);
   }
   const VkPipelineCreateFlags flags[] = {0, STATISTICS, TEXTS, STATISTICS | TEXTS};
   for (unsigned i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
      check_compute(&vkx, flags[i]);
      check_graphics(&vkx, flags[i], true);
   }
   check_graphics(&vkx, STATISTICS | TEXTS, false);
   /* The validation layer accepts SPIR-V up to 1.3, as Vulkan 1.1 does, and reports invalid use. */
   if (strcmp(quirks, "validation") && vkt_is_indium(&vkx)) {
      check_absent(&vkx);
      if (!lanes)
         check_subgroups(&vkx);
   }
   prescribes = true;
   for (lanes = 32; lanes <= 64; lanes *= 2) {
      if (vkt_offers_lanes(&vkx, lanes))
         check_compute(&vkx, 0);
   }
   return vkt_finish(&vkx);
}
