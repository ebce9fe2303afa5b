#include "gallium/frontends/vulkan/vk_stage_copy.h"

#include "gallium/frontends/vulkan/vk_shader.h"
#include "util/macros.h"

/* What points out of the description goes into one piece of memory after the struct. */
struct room {
   char *next;
   size_t used_B;
};

static void *
reserve(struct room *room, size_t size_B)
{
   char *to = room->next ? room->next + room->used_B : NULL;
   room->used_B += align_up(size_B, 16);
   return to;
}

static void *
copy_of(struct room *room, const void *from, size_t size_B)
{
   void *to = reserve(room, size_B);
   if (to && size_B)
      memcpy(to, from, size_B);
   return to;
}

static struct vk_shader_module *
module_of(struct room *room, struct vk_spirv code)
{
   struct vk_shader_module *module = reserve(room, sizeof(*module) + 4 * code.words);
   if (module) {
      module->words = code.words;
      memcpy(module->code, code.code, 4 * code.words);
   }
   return module;
}

/* Without memory only counts it. */
static void
fill(struct vk_stage_copy *copy, struct room *room, const VkPipelineShaderStageCreateInfo *stage)
{
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *subgroup_size =
      vk_find_struct(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
   const VkPipelineRobustnessCreateInfo *robustness =
      vk_find_struct(stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO);
   const VkSpecializationInfo *specialization = stage->pSpecializationInfo;
   copy->info = (VkPipelineShaderStageCreateInfo){
      .sType = stage->sType,
      .flags = stage->flags,
      .stage = stage->stage,
      .module = VK_TO(VkShaderModule, module_of(room, vk_stage_code(stage))),
      .pName = copy_of(room, stage->pName, strlen(stage->pName) + 1),
   };
   if (subgroup_size) {
      copy->subgroup_size = *subgroup_size;
      copy->subgroup_size.pNext = NULL;
      copy->info.pNext = &copy->subgroup_size;
   }
   if (robustness) {
      copy->robustness = *robustness;
      copy->robustness.pNext = (void *)copy->info.pNext;
      copy->info.pNext = &copy->robustness;
   }
   if (specialization) {
      size_t entries_B = specialization->mapEntryCount * sizeof(VkSpecializationMapEntry);
      copy->specialization = *specialization;
      copy->specialization.pMapEntries = copy_of(room, specialization->pMapEntries, entries_B);
      copy->specialization.pData = copy_of(room, specialization->pData, specialization->dataSize);
      copy->info.pSpecializationInfo = &copy->specialization;
   }
}

struct vk_stage_copy *
vk_stage_copy(struct vk_device *device, const VkPipelineShaderStageCreateInfo *stage)
{
   struct vk_stage_copy counted, *copy;
   struct room room = {0};
   fill(&counted, &room, stage);
   const size_t head_B = align_up(sizeof(*copy), 16);
   copy = vk_alloc(&device->alloc, NULL, head_B + room.used_B);
   if (!copy)
      return NULL;
   room = (struct room){.next = (char *)copy + head_B};
   fill(copy, &room, stage);
   copy->references = 1;
   return copy;
}

struct vk_stage_copy *
vk_stage_copy_ref(struct vk_stage_copy *copy)
{
   __atomic_add_fetch(&copy->references, 1, __ATOMIC_RELAXED);
   return copy;
}

void
vk_stage_copy_unref(struct vk_device *device, struct vk_stage_copy *copy)
{
   if (copy && __atomic_sub_fetch(&copy->references, 1, __ATOMIC_ACQ_REL) == 0)
      vk_free(&device->alloc, NULL, copy);
}
