/* The driver's state objects by what they say: of states that the application sets while it records. They live as
 * long as the device. */
#ifndef INDIUM_VK_STATE_OBJECTS_H
#define INDIUM_VK_STATE_OBJECTS_H

#include <pthread.h>

#include "gallium/include/pipe/p_screen.h"

#define VK_STATE_OBJECT_BUCKETS 64

enum vk_state_object_kind {
   VK_STATE_OBJECT_BLEND,
   VK_STATE_OBJECT_DEPTH_STENCIL,
   VK_STATE_OBJECT_RASTERIZER,
   VK_STATE_OBJECT_KINDS,
};

/* All zero but the lock: empty. */
struct vk_state_objects {
   pthread_mutex_t lock;
   struct vk_state_object *buckets[VK_STATE_OBJECT_KINDS][VK_STATE_OBJECT_BUCKETS];
};

void vk_state_objects_init(struct vk_state_objects *objects);
void vk_state_objects_finish(struct vk_state_objects *objects, struct pipe_screen *screen);

/* By any thread; NULL when out of memory. */
struct pipe_blend *vk_state_objects_blend(struct vk_state_objects *objects, struct pipe_screen *screen,
                                          const struct pipe_blend_desc *desc);
struct pipe_depth_stencil *vk_state_objects_depth_stencil(struct vk_state_objects *objects,
                                                          struct pipe_screen *screen,
                                                          const struct pipe_depth_stencil_desc *desc);
struct pipe_rasterizer *vk_state_objects_rasterizer(struct vk_state_objects *objects, struct pipe_screen *screen,
                                                    const struct pipe_rasterizer_desc *desc);

/* The words by which blend states are told apart: count of them. words: VK_BLEND_KEY_WORDS. */
#define VK_BLEND_KEY_WORDS (2 * PIPE_MAX_COLOR_TARGETS + 1)
unsigned vk_blend_key(const struct pipe_blend_desc *desc, uint32_t *words);

#endif
