/* A device behind the real winsys, for tests that run what they record. */
#ifndef INDIUM_TEST_DEVICE_H
#define INDIUM_TEST_DEVICE_H

#include "gallium/include/pipe/p_context.h"

#define DEVICE_BUFFER_B (4u << 20)

struct device {
   struct pipe_screen *screen;
   struct pipe_queue *queue;
   struct pipe_context *ctx;
   struct pipe_sync *sync;
   struct pipe_memory *buffer_memory;
   struct pipe_resource *buffer; /* mapped, 4 MiB */
   void *map;
};

/* Test setup and teardown; *state is a struct device. */
int device_setup(void **state);
int device_teardown(void **state);

void device_begin(struct device *d);
/* Ends, submits and waits until the work is done. */
void device_run(struct device *d);
/* Everything before is visible to everything after. */
void device_barrier(struct device *d);

/* An image with memory of its own. */
struct image {
   struct pipe_resource *resource;
   struct pipe_memory *memory;
   struct pipe_image_desc desc;
};

struct image device_image(struct device *d, uint32_t format, uint32_t width, uint32_t height, uint32_t levels,
                          uint32_t layers, unsigned samples); /* size: fields of an image */
void device_image_free(struct device *d, struct image *image);

/* Copies one layer of a level between the buffer and the image, without padding. */
void device_upload(struct device *d, const struct image *image, uint32_t aspect, uint32_t level, uint32_t layer,
                   uint64_t offset_B);
void device_download(struct device *d, const struct image *image, uint32_t aspect, uint32_t level, uint32_t layer,
                     uint64_t offset_B);

#endif
