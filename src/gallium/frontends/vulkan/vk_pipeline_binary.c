#include "gallium/frontends/vulkan/vk_pipeline_binary.h"

#include <stdlib.h>

#include "gallium/frontends/vulkan/vk_shader_object.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "util/log.h"
#include "util/macros.h"

#define MAGIC UINT64_C(0x3142504d55494449) /* "IDUIMPB1" */

/* After it, at multiples of 8 bytes, the program; then each stage: its head, and its bytes (vk_shader_binary.c). */
struct head {
   uint64_t magic, checksum; /* checksum: of all after this */
   uint8_t uuid[VK_UUID_SIZE];
   uint32_t point, stages, num_sources, reserved;
   uint64_t program_B;
};
#define CHECKED_FROM offsetof(struct head, uuid)

struct source {
   uint64_t size_B;
   uint32_t stage, has_robustness;
   uint32_t robustness[4]; /* storage buffers, uniform buffers, vertex inputs, images */
};

struct vk_pipeline_binary {
   struct vk_saved *saved;
};

static const struct head *
head_of(const struct vk_saved *binary)
{
   return (const struct head *)binary->bytes;
}

bool
vk_pipeline_binary_has_program(const struct vk_saved *binary)
{
   return head_of(binary)->program_B;
}

const struct vk_saved *
vk_pipeline_binary_of(const void *chain)
{
   const VkPipelineBinaryInfoKHR *info = vk_find_struct(chain, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
   if (!info || !info->binaryCount)
      return NULL;
   return ((const struct vk_pipeline_binary *)info->pPipelineBinaries[0])->saved;
}

/* ---- to pipelines ---- */

enum pipe_result
vk_pipeline_binary_load(struct vk_device *device, const struct vk_saved *binary, struct vk_pipeline *pipeline)
{
   const struct head *head = head_of(binary);
   if (head->point != (uint32_t)pipeline->point || !head->program_B) {
      log_error("a pipeline with a binary of another kind of pipeline");
      return PIPE_INVALID_SHADER;
   }
   pipeline->stages = head->stages;
   return device->screen->program_load(device->screen, head + 1, head->program_B, &pipeline->program);
}

static struct vk_stage_copy *
read_source(struct vk_device *device, const struct source *source)
{
   const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                       .stage = (VkShaderStageFlagBits)source->stage,
                                       .codeType = VK_SHADER_CODE_TYPE_BINARY_EXT,
                                       .codeSize = source->size_B,
                                       .pCode = source + 1};
   VkResult result;
   struct vk_stage_copy *copy = vk_shader_binary_read(device, &info, &result);
   if (!copy || !source->has_robustness)
      return copy;
   copy->robustness = (VkPipelineRobustnessCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO,
      .pNext = (void *)copy->info.pNext,
      .storageBuffers = (VkPipelineRobustnessBufferBehavior)source->robustness[0],
      .uniformBuffers = (VkPipelineRobustnessBufferBehavior)source->robustness[1],
      .vertexInputs = (VkPipelineRobustnessBufferBehavior)source->robustness[2],
      .images = (VkPipelineRobustnessImageBehavior)source->robustness[3],
   };
   copy->info.pNext = &copy->robustness;
   return copy;
}

bool
vk_pipeline_binary_stages(struct vk_device *device, const struct vk_saved *binary,
                          struct vk_stage_copy *stages[NIR_STAGES])
{
   const struct head *head = head_of(binary);
   const char *at = (const char *)(head + 1) + align_up(head->program_B, 8);
   const char *end = (const char *)head + binary->size_B;
   for (uint32_t i = 0; i < head->num_sources; i++) {
      const struct source *source = (const struct source *)at;
      if (at > end || (size_t)(end - at) < sizeof(*source) || source->size_B > (size_t)(end - at) - sizeof(*source) ||
          !(source->stage & head->stages))
         return false;
      const enum nir_stage stage = vk_shader_stage(source->stage);
      if (stage >= NIR_STAGES || stages[stage] || !(stages[stage] = read_source(device, source)))
         return false;
      at += align_up(sizeof(*source) + source->size_B, 8);
   }
   return true;
}

/* ---- from pipelines ---- */

/* 0: out of memory. */
static size_t
source_B(const VkPipelineShaderStageCreateInfo *stage, struct vk_device *device)
{
   struct vk_shader_object object = {.source = vk_stage_copy(device, stage)};
   const size_t size_B = object.source ? align_up(sizeof(struct source) + vk_shader_binary_size(&object), 8) : 0;
   vk_stage_copy_unref(device, object.source);
   return size_B;
}

static bool
add_sources_B(struct vk_device *device, const VkPipelineShaderStageCreateInfo *const stages[NIR_STAGES],
              size_t *size_B)
{
   for (unsigned i = 0; i < NIR_STAGES; i++) {
      const size_t more_B = stages[i] ? source_B(stages[i], device) : 0;
      if (stages[i] && !more_B)
         return false;
      *size_B += more_B;
   }
   return true;
}

static char *
write_source(struct vk_device *device, const VkPipelineShaderStageCreateInfo *stage, char *at)
{
   const VkPipelineRobustnessCreateInfo *robustness =
      vk_find_struct(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO);
   struct source *source = (struct source *)at;
   struct vk_shader_object object = {.source = vk_stage_copy(device, stage)};
   if (!object.source)
      return NULL;
   source->stage = stage->stage;
   source->size_B = vk_shader_binary_size(&object);
   source->has_robustness = robustness != NULL;
   if (robustness) {
      source->robustness[0] = robustness->storageBuffers;
      source->robustness[1] = robustness->uniformBuffers;
      source->robustness[2] = robustness->vertexInputs;
      source->robustness[3] = robustness->images;
   }
   vk_shader_binary_write(device, &object, source + 1);
   vk_stage_copy_unref(device, object.source);
   return at + align_up(sizeof(*source) + source->size_B, 8);
}

/* The binary's bytes but for its checksum; NULL when out of memory. */
static struct head *
make_bytes(struct vk_device *device, const struct vk_pipeline *pipeline, const struct vk_saved *program,
           const VkPipelineShaderStageCreateInfo *const stages[NIR_STAGES], size_t *size_B)
{
   const size_t program_B = program ? program->size_B : 0;
   *size_B = sizeof(struct head) + align_up(program_B, 8);
   if (!program && stages && !add_sources_B(device, stages, size_B))
      return NULL;
   struct head *head = calloc(1, *size_B);
   const struct vk_cache_uuid uuid = vk_cache_uuid(&device->screen->caps);
   if (!head)
      return NULL;
   head->magic = MAGIC;
   head->point = pipeline->point;
   head->stages = pipeline->stages;
   head->program_B = program_B;
   memcpy(head->uuid, uuid.bytes, sizeof(uuid.bytes));
   if (program)
      memcpy(head + 1, program->bytes, program_B);
   char *at = (char *)(head + 1);
   for (unsigned i = 0; i < NIR_STAGES && !program && stages && at; i++) {
      if (!stages[i])
         continue;
      at = write_source(device, stages[i], at);
      head->stages |= 1u << i;
      head->num_sources++;
   }
   if (!at)
      free(head);
   return at ? head : NULL;
}

static struct vk_saved *
saved_of(struct head *head, size_t size_B)
{
   struct vk_cache_key key = {hash_more((struct hash_128){0}, (char *)head + CHECKED_FROM, size_B - CHECKED_FROM)};
   head->checksum = key.hash.low;
   return vk_saved(&key, head, size_B);
}

enum pipe_result
vk_pipeline_binary_capture(struct vk_device *device, struct vk_pipeline *pipeline, const struct vk_saved *binary,
                           const struct vk_saved *program,
                           const VkPipelineShaderStageCreateInfo *const stages[NIR_STAGES])
{
   size_t size_B;
   if (binary) {
      pipeline->captured = vk_saved_ref((struct vk_saved *)binary);
      return PIPE_OK;
   }
   struct head *head = make_bytes(device, pipeline, program, stages, &size_B);
   pipeline->captured = head ? saved_of(head, size_B) : NULL;
   free(head);
   return pipeline->captured ? PIPE_OK : PIPE_OUT_OF_HOST_MEMORY;
}

/* ---- commands ---- */

static struct vk_saved *
from_data(struct vk_device *device, const VkPipelineBinaryDataKHR *data)
{
   const struct vk_cache_uuid uuid = vk_cache_uuid(&device->screen->caps);
   struct head head;
   if (data->dataSize >= sizeof(head))
      memcpy(&head, data->pData, sizeof(head));
   const char *error = data->dataSize < sizeof(head) || head.magic != MAGIC ? "no binary of a pipeline"
                       : memcmp(head.uuid, uuid.bytes, VK_UUID_SIZE)        ? "of another device or driver"
                       : head.program_B > data->dataSize - sizeof(head)     ? "not as long as it says"
                                                                            : NULL;
   struct vk_saved *saved = error ? NULL : vk_saved(&(struct vk_cache_key){{0}}, data->pData, data->dataSize);
   if (saved) {
      saved->key.hash =
         hash_more((struct hash_128){0}, (char *)saved->bytes + CHECKED_FROM, saved->size_B - CHECKED_FROM);
      error = saved->key.hash.low != head.checksum ? "damaged" : NULL;
   }
   if (!error)
      return saved;
   log_error("vkCreatePipelineBinariesKHR: the data is %s", error);
   vk_saved_unref(saved);
   return NULL;
}

/* What is on disk of a pipeline that is described. */
static struct vk_saved *
from_cache(struct vk_device *device, const void *chain)
{
   const VkGraphicsPipelineCreateInfo *graphics =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
   const VkComputePipelineCreateInfo *compute = vk_find_struct(chain, VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
   struct vk_pipeline pipeline = {.point = graphics ? PIPE_BIND_GRAPHICS : PIPE_BIND_COMPUTE};
   struct vk_cache_key key;
   bool simple = true;
   size_t size_B;
   /* Which stages linked libraries have does not stand here. */
   const bool linked =
      graphics && vk_find_struct(graphics->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
   bool known = linked     ? false
                : graphics ? vk_graphics_pipeline_key(device, graphics, &key, &simple)
                : compute  ? vk_compute_pipeline_key(device, compute, &key)
                           : false;
   struct vk_saved *program = known && simple ? vk_cache_find_on_disk(device, &key) : NULL;
   pipeline.stages = compute ? VK_SHADER_STAGE_COMPUTE_BIT : 0;
   for (uint32_t i = 0; graphics && i < graphics->stageCount; i++)
      pipeline.stages |= graphics->pStages[i].stage;
   struct head *head = program ? make_bytes(device, &pipeline, program, NULL, &size_B) : NULL;
   struct vk_saved *saved = head ? saved_of(head, size_B) : NULL;
   vk_saved_unref(program);
   free(head);
   return saved;
}

static VkResult
create_binary(struct vk_device *device, struct vk_saved *saved, const VkAllocationCallbacks *allocator,
              VkPipelineBinaryKHR *out)
{
   struct vk_pipeline_binary *binary = vk_alloc(&device->alloc, allocator, sizeof(*binary));
   if (!binary) {
      vk_saved_unref(saved);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   binary->saved = saved;
   *out = VK_TO(VkPipelineBinaryKHR, binary);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_CreatePipelineBinariesKHR(VkDevice _device, const VkPipelineBinaryCreateInfoKHR *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkPipelineBinaryHandlesInfoKHR *pBinaries)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_pipeline, pipeline, pCreateInfo->pipeline);
   const VkPipelineBinaryKeysAndDataKHR *data = pCreateInfo->pKeysAndDataInfo;
   const uint32_t count = data ? data->binaryCount : 1;
   VkResult result = VK_SUCCESS;
   if (!pBinaries->pPipelineBinaries) {
      pBinaries->pipelineBinaryCount = count;
      return VK_SUCCESS;
   }
   const uint32_t room = MIN2(pBinaries->pipelineBinaryCount, count);
   for (uint32_t i = 0; i < pBinaries->pipelineBinaryCount; i++)
      pBinaries->pPipelineBinaries[i] = VK_NULL_HANDLE;
   pBinaries->pipelineBinaryCount = room;
   for (uint32_t i = 0; i < room && result >= 0; i++) {
      struct vk_saved *saved = data       ? from_data(device, &data->pPipelineBinaryData[i])
                               : pipeline ? (pipeline->captured ? vk_saved_ref(pipeline->captured) : NULL)
                                          : from_cache(device, pCreateInfo->pPipelineCreateInfo);
      result = saved              ? create_binary(device, saved, pAllocator, &pBinaries->pPipelineBinaries[i])
               : data || pipeline ? VK_ERROR_INITIALIZATION_FAILED
                                  : VK_PIPELINE_BINARY_MISSING_KHR;
   }
   return result == VK_SUCCESS && room < count ? VK_INCOMPLETE : result;
}

VKAPI_ATTR void VKAPI_CALL
indium_DestroyPipelineBinaryKHR(VkDevice _device, VkPipelineBinaryKHR pipelineBinary,
                                const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_device, device, _device);
   VK_FROM(vk_pipeline_binary, binary, pipelineBinary);
   if (!binary)
      return;
   vk_saved_unref(binary->saved);
   vk_free(&device->alloc, pAllocator, binary);
}

static void
fill_key(VkPipelineBinaryKeyKHR *to, const struct hash_128 *hash)
{
   memset(to->key, 0, sizeof(to->key));
   to->keySize = sizeof(*hash);
   memcpy(to->key, hash, sizeof(*hash));
}

/* Without a pipeline: that of the device, which all binaries depend on. */
VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPipelineKeyKHR(VkDevice _device, const VkPipelineCreateInfoKHR *pPipelineCreateInfo,
                         VkPipelineBinaryKeyKHR *pPipelineKey)
{
   VK_FROM(vk_device, device, _device);
   const void *chain = pPipelineCreateInfo ? pPipelineCreateInfo->pNext : NULL;
   const VkGraphicsPipelineCreateInfo *graphics =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
   const VkComputePipelineCreateInfo *compute = vk_find_struct(chain, VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
   struct vk_cache_key key = {vk_cache_base(device)};
   bool simple;
   if (graphics && !vk_graphics_pipeline_key(device, graphics, &key, &simple))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (compute)
      vk_compute_pipeline_key(device, compute, &key);
   fill_key(pPipelineKey, &key.hash);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_GetPipelineBinaryDataKHR(VkDevice device, const VkPipelineBinaryDataInfoKHR *pInfo,
                                VkPipelineBinaryKeyKHR *pPipelineBinaryKey, size_t *pPipelineBinaryDataSize,
                                void *pPipelineBinaryData)
{
   VK_FROM(vk_pipeline_binary, binary, pInfo->pipelineBinary);
   const size_t room_B = *pPipelineBinaryDataSize;
   fill_key(pPipelineBinaryKey, &binary->saved->key.hash);
   *pPipelineBinaryDataSize = binary->saved->size_B;
   if (!pPipelineBinaryData)
      return VK_SUCCESS;
   if (room_B < binary->saved->size_B)
      return VK_ERROR_NOT_ENOUGH_SPACE_KHR;
   memcpy(pPipelineBinaryData, binary->saved->bytes, binary->saved->size_B);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
indium_ReleaseCapturedPipelineDataKHR(VkDevice device, const VkReleaseCapturedPipelineDataInfoKHR *pInfo,
                                      const VkAllocationCallbacks *pAllocator)
{
   VK_FROM(vk_pipeline, pipeline, pInfo->pipeline);
   vk_saved_unref(pipeline->captured);
   pipeline->captured = NULL;
   return VK_SUCCESS;
}
