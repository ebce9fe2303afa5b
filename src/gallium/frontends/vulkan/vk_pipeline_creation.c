/* What descriptions of all pipelines say of their creation. */
#include <time.h>

#include "gallium/frontends/vulkan/vk_pipeline.h"

VkPipelineCreateFlags2
vk_pipeline_flags(VkPipelineCreateFlags flags, const void *chain)
{
   const VkPipelineCreateFlags2CreateInfo *more =
      vk_find_struct(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
   return more ? more->flags : flags;
}

static uint64_t
clock_ns(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct vk_feedback
vk_feedback_begin(const void *chain)
{
   return (struct vk_feedback){
      .info = vk_find_struct(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO),
      .start_ns = clock_ns(),
   };
}

/* All stages are compiled together: none has a time of its own. */
void
vk_feedback_end(const struct vk_feedback *feedback, bool hit)
{
   const VkPipelineCreationFeedbackCreateInfo *info = feedback->info;
   if (!info)
      return;
   *info->pPipelineCreationFeedback = (VkPipelineCreationFeedback){
      .flags = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT |
               (hit ? VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT : 0),
      .duration = clock_ns() - feedback->start_ns,
   };
   for (uint32_t i = 0; i < info->pipelineStageCreationFeedbackCount; i++)
      info->pPipelineStageCreationFeedbacks[i] = (VkPipelineCreationFeedback){0};
}

bool
vk_pipelines_continue(VkResult one, VkPipelineCreateFlags2 flags, VkResult *all)
{
   if (one < 0 || (one > 0 && *all == VK_SUCCESS))
      *all = one;
   return one == VK_SUCCESS || !(flags & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT);
}
