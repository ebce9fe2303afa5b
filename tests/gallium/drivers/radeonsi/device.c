#include "device.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "gallium/drivers/radeonsi/si_public.h"
#include "gallium/winsys/amdgpu/amdgpu_winsys.h"
#include "util/macros.h"

int
device_setup(void **state)
{
   struct device *d = calloc(1, sizeof(*d));
   int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   struct amdgpu_ws *ws = fd < 0 ? NULL : amdgpu_ws_create(fd);

   close(fd);
   d->screen = ws ? si_screen_create(ws) : NULL;
   if (!d->screen)
      return -1;
   assert_int_equal(
      d->screen->queue_create(d->screen, &(struct pipe_queue_desc){.priority = PIPE_PRIORITY_MEDIUM}, &d->queue),
      PIPE_OK);
   assert_int_equal(d->screen->sync_create(d->screen, false, &d->sync), PIPE_OK);
   assert_int_equal(d->screen->memory_create(d->screen, 1, DEVICE_BUFFER_B, -1, &d->buffer_memory), PIPE_OK);
   assert_int_equal(d->screen->buffer_create(d->screen, DEVICE_BUFFER_B, &d->buffer), PIPE_OK);
   d->screen->resource_bind(d->buffer, d->buffer_memory, 0);
   d->map = d->screen->memory_map(d->screen, d->buffer_memory);
   d->ctx = d->screen->context_create(d->screen, 0);
   *state = d;
   return 0;
}

int
device_teardown(void **state)
{
   struct device *d = *state;

   d->ctx->destroy(d->ctx);
   d->screen->resource_destroy(d->screen, d->buffer);
   d->screen->memory_destroy(d->screen, d->buffer_memory);
   d->screen->sync_destroy(d->screen, d->sync);
   d->screen->queue_destroy(d->screen, d->queue);
   d->screen->destroy(d->screen);
   free(d);
   return 0;
}

void
device_begin(struct device *d)
{
   assert_int_equal(d->ctx->begin(d->ctx, NULL, false), PIPE_OK);
}

void
device_run(struct device *d)
{
   struct pipe_sync_point done = {.sync = d->sync};
   struct pipe_submit submit = {.num_signals = 1, .num_contexts = 1, .signals = &done, .contexts = &d->ctx};

   assert_int_equal(d->ctx->end(d->ctx), PIPE_OK);
   assert_int_equal(d->screen->queue_submit(d->queue, &submit), PIPE_OK);
   assert_int_equal(d->screen->sync_wait(d->screen, &done, 1, true, INT64_MAX), PIPE_OK);
   assert_int_equal(d->screen->sync_reset(d->screen, d->sync), PIPE_OK);
}

void
device_barrier(struct device *d)
{
   d->ctx->barrier(d->ctx, &(struct pipe_barrier){.src_stages = PIPE_STAGE_ALL,
                                                  .dst_stages = PIPE_STAGE_ALL,
                                                  .src_access = PIPE_ACCESS_ALL,
                                                  .dst_access = PIPE_ACCESS_ALL});
}

struct image
device_image(struct device *d, uint32_t format, uint32_t width, uint32_t height, uint32_t levels, uint32_t layers,
             unsigned samples)
{
   struct image image = {.desc = {
                            .type = PIPE_IMAGE_2D,
                            .format = format,
                            .width_px = width,
                            .height_px = height,
                            .depth_px = 1,
                            .levels = levels,
                            .layers = layers,
                            .samples = (uint8_t)samples,
                            .usage = UINT32_MAX,
                         }};
   struct pipe_memory_requirements needs;

   assert_int_equal(d->screen->image_create(d->screen, &image.desc, &image.resource), PIPE_OK);
   needs = d->screen->resource_requirements(image.resource);
   assert_int_equal(d->screen->memory_create(d->screen, 0, needs.size_B, -1, &image.memory), PIPE_OK);
   d->screen->resource_bind(image.resource, image.memory, 0);
   return image;
}

void
device_image_free(struct device *d, struct image *image)
{
   d->screen->resource_destroy(d->screen, image->resource);
   d->screen->memory_destroy(d->screen, image->memory);
}

static struct pipe_buffer_image_copy
whole_level(const struct image *image, uint32_t aspect, uint32_t level, uint32_t layer, uint64_t offset_B)
{
   return (struct pipe_buffer_image_copy){
      .offset_B = offset_B,
      .image = {.aspects = aspect, .level = level, .base_layer = layer, .layers = 1},
      .extent = {MAX2(image->desc.width_px >> level, 1u), MAX2(image->desc.height_px >> level, 1u), 1},
   };
}

void
device_upload(struct device *d, const struct image *image, uint32_t aspect, uint32_t level, uint32_t layer,
              uint64_t offset_B)
{
   struct pipe_buffer_image_copy region = whole_level(image, aspect, level, layer, offset_B);

   d->ctx->copy_buffer_to_image(d->ctx, d->buffer, image->resource, &region);
}

void
device_download(struct device *d, const struct image *image, uint32_t aspect, uint32_t level, uint32_t layer,
                uint64_t offset_B)
{
   struct pipe_buffer_image_copy region = whole_level(image, aspect, level, layer, offset_B);

   d->ctx->copy_image_to_buffer(d->ctx, image->resource, d->buffer, &region);
}
