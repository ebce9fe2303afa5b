/* What an application gets for bad input: errors, never a crash. Run on the model; returns 0 if all is as it
 * should. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "vkt.h"

static const uint32_t endless_code[] = {
#include "endless.comp.inc"
};

static const uint32_t too_much_constant[] = {
/* BuiltIn WorkgroupSize */
#include "too_much_constant.inc"
};
static const uint32_t too_much_mode[] = {
/* LocalSizeId */
#include "too_much_mode.inc"
};
static const uint32_t too_much_fixed[] = {
/* LocalSize 1024 64 1 */
#include "too_much_fixed.inc"
};

static const uint32_t vertex_code[] = {
#include "states.vert.inc"
};
static const uint32_t tess_ctrl_code[] = {
#include "pass.tesc.inc"
};
static const uint32_t tess_eval_code[] = {
#include "pass.tese.inc"
};
static const uint32_t geometry_code[] = {
#include "pass.geom.inc"
};

static const uint32_t doubles_code[] = {
#include "doubles.vert.inc"
};

static unsigned failed, passed;

static void
expect(bool condition, const char *what)
{
   printf("%s: %s\n", condition ? "ok" : "FAILED", what);
   *(condition ? &passed : &failed) += 1;
}

/* VK_SUCCESS of vkCreateShaderModule is allowed if the pipeline then fails. */
static bool
is_rejected(struct vkx *vkx, const uint32_t *code, size_t size_B, VkPipelineLayout layout)
{
   const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_B, .pCode = code};
   VkShaderModule module;
   if (vkCreateShaderModule(vkx->device, &info, NULL, &module) != VK_SUCCESS)
      return true;
   const VkComputePipelineCreateInfo pipeline_info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main"},
      .layout = layout,
   };
   VkPipeline pipeline;
   VkResult result = vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline);
   if (result == VK_SUCCESS)
      vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyShaderModule(vkx->device, module, NULL);
   return result != VK_SUCCESS;
}

static void
test_shaders(struct vkx *vkx, VkPipelineLayout layout)
{
   uint32_t words[sizeof(endless_code) / 4];
   bool all = true;
   for (size_t count = 1; count < sizeof(endless_code) / 4; count += 3)
      all &= is_rejected(vkx, endless_code, count * 4, layout);
   expect(all, "a truncated module is rejected");
   uint32_t seed = 1;
   all = true;
   for (unsigned run = 0; run < 200; run++) {
      for (size_t i = 0; i < sizeof(words) / 4; i++)
         words[i] = i < 5 ? endless_code[i] : (seed = seed * 1664525u + 1013904223u);
      all &= is_rejected(vkx, words, sizeof(words), layout);
   }
   expect(all, "random words are rejected");
   memset(words, 0, sizeof(words));
   expect(is_rejected(vkx, words, sizeof(words), layout), "zeros are rejected");
   for (unsigned run = 0; run < 500; run++) { /* may be accepted, must not crash */
      memcpy(words, endless_code, sizeof(words));
      seed = seed * 1664525u + 1013904223u;
      const size_t word = 5 + (seed >> 8) % (sizeof(words) / 4 - 5);
      seed = seed * 1664525u + 1013904223u;
      words[word] ^= 1u << (seed >> 27);
      is_rejected(vkx, words, sizeof(words), layout);
   }
   expect(true, "500 modules with one bit flipped were survived");
}

/* Allocations of one memory type until they fail: how many. */
static uint32_t
fill_heap(struct vkx *vkx, uint32_t type, VkDeviceSize size_B, VkDeviceMemory *memories, uint32_t max)
{
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = size_B, .memoryTypeIndex = type};
   VkResult result = VK_SUCCESS;
   uint32_t count = 0;
   while (count < max && (result = vkAllocateMemory(vkx->device, &info, NULL, &memories[count])) == VK_SUCCESS)
      count++;
   expect(result == VK_ERROR_OUT_OF_DEVICE_MEMORY, "a full heap is out of device memory");
   return count;
}

/* Bits of the types that a storage buffer may have. Others may be short of addresses (for descriptors). */
static uint32_t
types_of_buffers(struct vkx *vkx)
{
   struct vkx_buffer buffer = vkx_buffer_create(vkx, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true);
   VkMemoryRequirements needs;
   vkGetBufferMemoryRequirements(vkx->device, buffer.buffer, &needs);
   vkx_buffer_destroy(vkx, &buffer);
   return needs.memoryTypeBits;
}

/* Every type fills its heap, which all types of the heap share; freed memory can be had again. */
static void
test_full_heaps(struct vkx *vkx)
{
   enum { MAX = 256 };
   VkDeviceMemory memories[MAX], other;
   const VkPhysicalDeviceMemoryProperties *m = &vkx->memory;
   const uint32_t of_buffers = types_of_buffers(vkx);
   for (uint32_t type = 0; type < m->memoryTypeCount; type++) {
      if (!(of_buffers >> type & 1))
         continue;
      const uint32_t heap = m->memoryTypes[type].heapIndex;
      const VkDeviceSize heap_B = m->memoryHeaps[heap].size, size_B = heap_B / 37 & ~(VkDeviceSize)4095;
      uint32_t count = fill_heap(vkx, type, size_B, memories, MAX);
      char what[64];
      snprintf(what, sizeof(what), "memory type %u: %u of 37 parts of its heap", type, count);
      expect(count == 36 || count == 37, what); /* the driver's own memory may take a part */
      for (uint32_t i = 0; i < m->memoryTypeCount; i++) {
         if (m->memoryTypes[i].heapIndex == heap)
            expect(fill_heap(vkx, i, size_B, &other, 1) == 0, "another type of a full heap");
      }
      vkFreeMemory(vkx->device, memories[--count], NULL);
      count += fill_heap(vkx, type, size_B, &memories[count], MAX - count);
      for (uint32_t i = 0; i < count; i++)
         vkFreeMemory(vkx->device, memories[i], NULL);
      expect(count == 36 || count == 37, "what is freed can be had again");
   }
}

static void
test_memory(struct vkx *vkx)
{
   const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = 1ull << 50};
   VkDeviceMemory memory;
   VkResult result = vkAllocateMemory(vkx->device, &info, NULL, &memory);
   expect(result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY,
          "a petabyte is out of memory");
}

/* ---- one storage buffer ---- */

#define INVOCATIONS 1024u

struct binding {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   struct vkx_buffer buffer;
   VkDescriptorPool pool;
   VkDescriptorSet set;
};

static struct binding
binding_create(struct vkx *vkx)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   const VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT;
   struct binding binding = {.set_layout = vkx_set_layout_create(vkx, 1, &type, stages)};
   binding.layout = vkx_pipeline_layout_create(vkx, binding.set_layout, 0, 0);
   binding.buffer = vkx_buffer_create(vkx, 4 * INVOCATIONS, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, true);
   const struct vkt_descriptor descriptor = {type, .buffer = binding.buffer.buffer};
   binding.set = vkt_bindings_create(vkx, &binding.pool, binding.set_layout, 1, &descriptor);
   return binding;
}

static void
binding_destroy(struct vkx *vkx, struct binding *binding)
{
   vkDestroyDescriptorPool(vkx->device, binding->pool, NULL);
   vkx_buffer_destroy(vkx, &binding->buffer);
   vkDestroyPipelineLayout(vkx->device, binding->layout, NULL);
   vkDestroyDescriptorSetLayout(vkx->device, binding->set_layout, NULL);
}

/* One group. */
static void
dispatch(struct vkx *vkx, const struct binding *binding, VkPipeline pipeline, bool bind)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
   VkCommandBuffer cmd = vkx_begin(vkx);
   vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   if (bind)
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, binding->layout, 0, 1, &binding->set, 0, NULL);
   vkCmdDispatch(cmd, 1, 1, 1);
   vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                        NULL, 0, NULL);
   vkx_submit_and_wait(vkx, cmd);
}

/* ---- shaders that want more than there is ---- */

struct wish {
   uint32_t size[3], shared_words, private_words;
   enum { REFUSED, GRANTED, BY_CHIP } granted; /* BY_CHIP: a chip may have that much, and then it must be right */
};

/* 1024 invocations and 8192 words of shared memory are promised limits; a workgroup of AMD's has 16384 words. Scratch
 * memory: of AMD's waves 13 bits of KiB in SPI_TMPRING_SIZE, which are 32764 words in each of 64 lanes; of AGX's
 * threads 128 KiW. */
static const struct wish wishes[] = {
   {{1, 1, 1}, 1, 2, GRANTED},         {{1024, 1, 1}, 8192, 2, GRANTED},   {{16, 8, 8}, 8192, 40, GRANTED},
   {{4, 4, 64}, 100, 2, GRANTED},      {{64, 1, 1}, 16, 32700, GRANTED},   {{1025, 1, 1}, 1, 2, REFUSED},
   {{1024, 64, 1}, 65536, 2, REFUSED}, {{1, 1, 65536}, 1, 2, REFUSED},     {{32, 33, 1}, 1, 2, REFUSED},
   {{8, 8, 17}, 1, 2, REFUSED},        {{65536, 65536, 1}, 1, 2, REFUSED}, {{64, 1, 0}, 1, 2, REFUSED},
   {{64, 1, 1}, 8193, 2, BY_CHIP},     {{64, 1, 1}, 16384, 2, BY_CHIP},    {{64, 1, 1}, 16385, 2, REFUSED},
   {{64, 1, 1}, 65536, 2, REFUSED},    {{64, 1, 1}, 1 << 22, 2, REFUSED},  {{64, 1, 1}, 1 << 30, 2, REFUSED},
   {{64, 1, 1}, 1, 32765, BY_CHIP},    {{64, 1, 1}, 1, 100000, BY_CHIP},   {{64, 1, 1}, 1, 1 << 20, REFUSED},
   {{64, 1, 1}, 1, 1 << 30, REFUSED}};

static VkResult
create_wish(struct vkx *vkx, VkPipelineLayout layout, const uint32_t *code, size_t size_B, const struct wish *wish,
            VkPipeline *pipeline)
{
   VkSpecializationMapEntry entries[5];
   for (uint32_t i = 0; i < 5; i++)
      entries[i] = (VkSpecializationMapEntry){i, 4 * i, 4};
   const VkSpecializationInfo constants = {5, entries, 20, wish};
   const VkShaderModuleCreateInfo module_info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_B, .pCode = code};
   VkShaderModule module;
   vkx_check(vkCreateShaderModule(vkx->device, &module_info, NULL, &module), "vkCreateShaderModule");
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = &constants},
      .layout = layout,
   };
   VkResult result = vkCreateComputePipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
   vkDestroyShaderModule(vkx->device, module, NULL);
   return result;
}

static bool
is_granted(struct vkx *vkx, const struct binding *binding, VkPipeline pipeline, const struct wish *wish)
{
   const uint32_t invocations = wish->size[0] * wish->size[1] * wish->size[2];
   uint32_t *data = binding->buffer.map;
   for (uint32_t i = 0; i < invocations; i++)
      data[i] = i * 37;
   dispatch(vkx, binding, pipeline, true);
   for (uint32_t i = 0; i < invocations; i++) {
      if (data[i] != i + 7 + 3 * ((wish->shared_words - 1 + i * 37) % wish->shared_words))
         return false;
   }
   return true;
}

static void
test_too_much(struct vkx *vkx, const struct binding *binding)
{
   const struct {
      const uint32_t *code;
      size_t size_B;
   } modules[2] = {{too_much_constant, sizeof(too_much_constant)}, {too_much_mode, sizeof(too_much_mode)}};
   VkPipeline pipeline;
   for (unsigned i = 0; i < 2 * sizeof(wishes) / sizeof(wishes[0]); i++) {
      const struct wish *wish = &wishes[i / 2];
      char what[128];
      VkResult result =
         create_wish(vkx, binding->layout, modules[i % 2].code, modules[i % 2].size_B, wish, &pipeline);
      bool ok = wish->granted == BY_CHIP || (result == VK_SUCCESS) == (wish->granted == GRANTED);
      if (result == VK_SUCCESS && wish->granted != REFUSED)
         ok = is_granted(vkx, binding, pipeline, wish);
      if (result == VK_SUCCESS)
         vkDestroyPipeline(vkx->device, pipeline, NULL);
      snprintf(what, sizeof(what), "%ux%ux%u invocations, %u words of shared and %u of private memory: %s",
               wish->size[0], wish->size[1], wish->size[2], wish->shared_words, wish->private_words,
               wish->granted == GRANTED   ? "right"
               : wish->granted == BY_CHIP ? "right or refused"
                                          : "refused");
      expect(ok, what);
   }
   expect(create_wish(vkx, binding->layout, too_much_fixed, sizeof(too_much_fixed), &wishes[0], &pipeline) !=
             VK_SUCCESS,
          "65536 invocations by LocalSize are refused");
}

/* The set that the command buffer before has bound is not written through. */
static void
test_unbound_set(struct vkx *vkx, const struct binding *binding)
{
   static const struct wish wish = {{64, 1, 1}, 1, 2, GRANTED};
   VkPipeline pipeline;
   uint32_t *data = binding->buffer.map;
   bool untouched = true;
   vkx_check(create_wish(vkx, binding->layout, too_much_mode, sizeof(too_much_mode), &wish, &pipeline),
             "vkCreateComputePipelines");
   expect(is_granted(vkx, binding, pipeline, &wish), "a dispatch with its set");
   for (uint32_t i = 0; i < 64; i++)
      data[i] = 1000 + i;
   dispatch(vkx, binding, pipeline, false);
   for (uint32_t i = 0; i < 64; i++)
      untouched &= data[i] == 1000 + i;
   expect(untouched, "a dispatch without its set writes nothing");
   expect(is_granted(vkx, binding, pipeline, &wish), "a dispatch with its set after one without");
   vkDestroyPipeline(vkx->device, pipeline, NULL);
}

/* Stages and capabilities that the device may lack, and what is said then. Some modules are of another stage: that
 * the pipeline names it is enough. */
static const struct stage {
   VkShaderStageFlagBits bit;
   const uint32_t *code;
   size_t size_B;
   size_t feature_B; /* SIZE_MAX: of an extension */
   const char *sentence;
} stages[] = {
#define CODE(name) name##_code, sizeof(name##_code)
#define FEATURE(name) offsetof(VkPhysicalDeviceFeatures, name)
   {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, CODE(tess_ctrl), FEATURE(tessellationShader),
    "the device has no tess_ctrl shaders"},
   {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, CODE(tess_eval), FEATURE(tessellationShader),
    "the device has no tess_eval shaders"},
   {VK_SHADER_STAGE_GEOMETRY_BIT, CODE(geometry), FEATURE(geometryShader), "the device has no geometry shaders"},
   {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, CODE(vertex), FEATURE(tessellationShader),
    "the device has no tess_ctrl shaders"},
   {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, CODE(vertex), FEATURE(tessellationShader),
    "the device has no tess_eval shaders"},
   {VK_SHADER_STAGE_VERTEX_BIT, CODE(doubles), FEATURE(shaderFloat64), "capability Float64 is not supported on "},
   {VK_SHADER_STAGE_RAYGEN_BIT_KHR, CODE(vertex), SIZE_MAX, "the device has no such shaders"},
};

/* Of a module and a pipeline that discards its primitives, so that it needs little else. */
static bool
has_stage(struct vkx *vkx, const struct stage *stage, VkShaderModule vertex, VkPipelineLayout layout)
{
   const bool alone = stage->bit == VK_SHADER_STAGE_VERTEX_BIT;
   const VkShaderModuleCreateInfo module = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = stage->size_B, .pCode = stage->code};
   VkPipelineShaderStageCreateInfo infos[2] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_VERTEX_BIT,
       .module = vertex,
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage->bit, .pName = "main"},
   };
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = alone ? 1 : 2,
      .pStages = alone ? infos + 1 : infos,
      .pVertexInputState =
         &(VkPipelineVertexInputStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO},
      .pInputAssemblyState = &(
         VkPipelineInputAssemblyStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                 .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST},
      .pRasterizationState = &(
         VkPipelineRasterizationStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                 .rasterizerDiscardEnable = VK_TRUE,
                                                 .lineWidth = 1},
      .layout = layout,
   };
   VkPipeline pipeline;
   if (vkCreateShaderModule(vkx->device, &module, NULL, &infos[1].module) != VK_SUCCESS)
      return false;
   VkResult result = vkCreateGraphicsPipelines(vkx->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
   if (result == VK_SUCCESS)
      vkDestroyPipeline(vkx->device, pipeline, NULL);
   vkDestroyShaderModule(vkx->device, infos[1].module, NULL);
   return result == VK_SUCCESS;
}

/* A stage that the features do not promise is refused with its sentence, once, on stderr. */
static void
test_stages(struct vkx *vkx, VkPipelineLayout layout)
{
   VkShaderModule vertex = vkx_shader_create(vkx, vertex_code, sizeof(vertex_code));
   VkPhysicalDeviceFeatures features;
   vkGetPhysicalDeviceFeatures(vkx->physical, &features);
   for (unsigned i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
      if (stages[i].feature_B != SIZE_MAX && *(const VkBool32 *)((const char *)&features + stages[i].feature_B))
         continue;
      char text[1000] = "";
      FILE *log = tmpfile();
      int own = dup(STDERR_FILENO);
      dup2(fileno(log), STDERR_FILENO);
      bool has = has_stage(vkx, &stages[i], vertex, layout);
      dup2(own, STDERR_FILENO);
      close(own);
      rewind(log);
      text[fread(text, 1, sizeof(text) - 1, log)] = 0;
      fclose(log);
      const char *line = strchr(text, '\n');
      expect(!has && strstr(text, stages[i].sentence) && line && !line[1], stages[i].sentence);
   }
   vkDestroyShaderModule(vkx->device, vertex, NULL);
}

int
main(void)
{
   struct vkx vkx = vkx_create("bad_input");
   struct binding binding = binding_create(&vkx);
   test_shaders(&vkx, binding.layout);
   test_memory(&vkx);
   test_full_heaps(&vkx);
   test_too_much(&vkx, &binding);
   test_unbound_set(&vkx, &binding);
   test_stages(&vkx, binding.layout);
   binding_destroy(&vkx, &binding);
   vkx_destroy(&vkx);
   printf("%u passed, %u failed\n", passed, failed);
   return failed != 0;
}
