/* Random draws by generated commands. */
#ifndef RANDOM_GENERATED_H
#define RANDOM_GENERATED_H

#include "random_pipeline.h"

/* What a draw needs until it has run. */
struct random_generated {
   VkIndirectCommandsLayoutEXT layout;
   struct vkx_buffer stream, memory;
};

/* Does this tree's driver run, on a device that generates commands for graphics? The device of what follows. */
bool random_can_generate(struct vkx *device);

/* The draw's command, or its commands in memory, each as a sequence. All that they need is bound. */
void random_generated_draw(VkCommandBuffer cmd, const struct random_draw *draw, VkPipelineLayout layout,
                           VkPipeline pipeline, const struct vkx_buffer *commands,
                           struct random_generated *generated);
void random_generated_destroy(struct random_generated *generated);

#endif
