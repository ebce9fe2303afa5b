/* A random pass: its attachments, its draws and what they clear. */
#ifndef RANDOM_SCENE_H
#define RANDOM_SCENE_H

#include "random_pipeline.h"

/* An attachment: one level and layer of an image. */
struct attachment {
   VkImageCreateInfo info;
   uint32_t level, layer;
   VkClearValue before, clear;
   VkAttachmentLoadOp loads[2]; /* of depth and stencil */
   bool unused;
   struct vkt_image image;
   VkImageView view;
};

struct clears {
   uint32_t count, rects;
   VkClearAttachment attachments[3];
   VkClearRect rect[3];
};

struct random_scene {
   struct random_targets targets;
   struct attachment colors[8], resolves[8], depth;
   uint32_t draws, first_of_second; /* the first draw of the second subpass */
   bool descriptor_buffer;          /* where the device can */
   struct random_draw draw[RANDOM_DRAWS];
   struct clears clears[RANDOM_DRAWS];
};

/* maps: room for the vertices, indices and commands of each draw. */
void random_scene_choose(struct vkx *vkx, struct random_tile *tile, struct random_scene *scene,
                         uint8_t *const maps[RANDOM_DRAWS][3]);

/* Pairs of choices that draws had, and to count those of a scene. */
extern struct choices random_draw_pairs;
void random_scene_count(const struct random_scene *scene);

#endif
