/* Meta operations on the modelled GPU: what comes back must be what arithmetic on the CPU says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "device.h"
#include "util/format_enum.h"
#include "util/macros.h"

#define HALF_B (DEVICE_BUFFER_B / 2)

static void
fill_random(void *data, size_t size_B)
{
   uint32_t x = 12345;
   uint8_t *bytes = data;

   for (size_t i = 0; i < size_B; i++) {
      x = x * 1664525 + 1013904223;
      bytes[i] = (uint8_t)(x >> 24);
   }
}

/* Every level and layer goes into the image, from there into another one, and back out. */
static void
round_trip(struct device *d, uint32_t format, uint32_t aspect, unsigned element_B, uint32_t width, uint32_t height,
           uint32_t levels, uint32_t layers)
{
   /* size: fields of an image */
   struct image a = device_image(d, format, width, height, levels, layers, 1);
   struct image b = device_image(d, format, width, height, levels, layers, 1);
   uint64_t offset_B = 0;

   fill_random(d->map, HALF_B);
   memset((char *)d->map + HALF_B, 0, HALF_B);
   device_begin(d);
   for (uint32_t level = 0; level < levels; level++) {
      struct pipe_image_copy copy = {
         .src = {aspect, level, 0, layers},
         .dst = {aspect, level, 0, layers},
         .extent = {MAX2(width >> level, 1u), MAX2(height >> level, 1u), 1},
      };
      uint64_t level_B = (uint64_t)copy.extent.width * copy.extent.height * element_B;

      for (uint32_t layer = 0; layer < layers; layer++)
         device_upload(d, &a, aspect, level, layer, offset_B + layer * level_B);
      device_barrier(d);
      d->ctx->copy_image(d->ctx, a.resource, b.resource, &copy);
      device_barrier(d);
      for (uint32_t layer = 0; layer < layers; layer++)
         device_download(d, &b, aspect, level, layer, HALF_B + offset_B + layer * level_B);
      offset_B += align_up(level_B * layers, 16);
   }
   assert_true(offset_B <= HALF_B);
   device_run(d);
   offset_B = 0;
   for (uint32_t level = 0; level < levels; level++) {
      uint64_t level_B = (uint64_t)MAX2(width >> level, 1u) * MAX2(height >> level, 1u) * element_B * layers;

      assert_memory_equal((char *)d->map + offset_B, (char *)d->map + HALF_B + offset_B, level_B);
      offset_B += align_up(level_B, 16);
   }
   device_image_free(d, &a);
   device_image_free(d, &b);
}

static void
test_copies(void **state)
{
   struct device *d = *state;

   round_trip(d, FORMAT_R8G8B8A8_UNORM, PIPE_ASPECT_COLOR, 4, 100, 37, 5, 2);
   round_trip(d, FORMAT_R8_UNORM, PIPE_ASPECT_COLOR, 1, 33, 17, 6, 1);
   round_trip(d, FORMAT_R32G32B32A32_SFLOAT, PIPE_ASPECT_COLOR, 16, 64, 64, 1, 1);
   round_trip(d, FORMAT_D32_SFLOAT, PIPE_ASPECT_DEPTH, 4, 200, 150, 8, 2);
   round_trip(d, FORMAT_D16_UNORM, PIPE_ASPECT_DEPTH, 2, 300, 100, 1, 3);
   round_trip(d, FORMAT_D32_SFLOAT_S8_UINT, PIPE_ASPECT_STENCIL, 1, 257, 130, 3, 1);
}

static struct pipe_subresource_range
all_of(const struct image *image, uint32_t aspects)
{
   return (struct pipe_subresource_range){aspects, 0, image->desc.levels, 0, image->desc.layers};
}

static void
test_color_clears(void **state)
{
   struct device *d = *state;
   static const struct {
      uint32_t format;
      unsigned size_B;
      union pipe_clear_color color;
      uint8_t bytes[16];
   } rows[] = {
      {FORMAT_R8G8B8A8_UNORM, 4, {.f = {0, 1, 0.2f, 0.6f}}, {0, 255, 51, 153}},
      {FORMAT_B8G8R8A8_UNORM, 4, {.f = {0, 1, 0.2f, 0.6f}}, {51, 255, 0, 153}},
      {FORMAT_R8_SINT, 1, {.i = {-5}}, {251}},
      {FORMAT_R16G16_UINT, 4, {.u = {258, 65535}}, {2, 1, 255, 255}},
      {FORMAT_R16_UNORM, 2, {.f = {1}}, {255, 255}},
      {FORMAT_R16G16B16A16_SFLOAT, 8, {.f = {1, 0.5f, -2, 0}}, {0, 0x3c, 0, 0x38, 0, 0xc0, 0, 0}},
      {FORMAT_R32_SFLOAT, 4, {.f = {1}}, {0, 0, 0x80, 0x3f}},
      {FORMAT_R32G32B32A32_UINT,
       16,
       {.u = {1, 2, 0xdeadbeef, 4}},
       {1, 0, 0, 0, 2, 0, 0, 0, 0xef, 0xbe, 0xad, 0xde, 4}},
      {FORMAT_R5G6B5_UNORM_PACK16, 2, {.f = {1, 0, 0}}, {0, 0xf8}},
      {FORMAT_A2B10G10R10_UNORM_PACK32, 4, {.f = {1, 0, 0, 1}}, {0xff, 0x03, 0, 0xc0}},
   };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct image image = device_image(d, rows[i].format, 50, 30, 3, 2, 1);
      struct pipe_subresource_range range = all_of(&image, PIPE_ASPECT_COLOR);

      device_begin(d);
      d->ctx->clear_image(d->ctx, image.resource, &(struct pipe_clear_value){.color = rows[i].color}, &range);
      device_barrier(d);
      device_download(d, &image, PIPE_ASPECT_COLOR, 1, 1, 0);
      device_run(d);
      for (unsigned texel = 0; texel < 25 * 15; texel++)
         assert_memory_equal((char *)d->map + texel * rows[i].size_B, rows[i].bytes, rows[i].size_B);
      device_image_free(d, &image);
   }
}

static void
test_depth_clears(void **state)
{
   struct device *d = *state;
   struct image image = device_image(d, FORMAT_D32_SFLOAT_S8_UINT, 70, 40, 2, 1, 1);
   struct pipe_subresource_range both = all_of(&image, PIPE_ASPECT_DEPTH | PIPE_ASPECT_STENCIL);
   struct pipe_subresource_range stencil = all_of(&image, PIPE_ASPECT_STENCIL);

   device_begin(d);
   d->ctx->clear_image(d->ctx, image.resource, &(struct pipe_clear_value){.depth = 0.75f, .stencil = 0x5a}, &both);
   d->ctx->clear_image(d->ctx, image.resource, &(struct pipe_clear_value){.depth = 0.25f, .stencil = 0xa5}, &stencil);
   device_barrier(d);
   device_download(d, &image, PIPE_ASPECT_DEPTH, 0, 0, 0);
   device_download(d, &image, PIPE_ASPECT_STENCIL, 1, 0, HALF_B);
   device_run(d);
   for (unsigned i = 0; i < 70 * 40; i++)
      assert_true(((float *)d->map)[i] == 0.75f);
   for (unsigned i = 0; i < 35 * 20; i++)
      assert_int_equal(((uint8_t *)d->map)[HALF_B + i], 0xa5);
   device_image_free(d, &image);
}

static void
test_resolves(void **state)
{
   struct device *d = *state;

   for (unsigned samples = 2; samples <= 8; samples *= 2) {
      struct image ms = device_image(d, FORMAT_R8G8B8A8_UNORM, 60, 50, 1, 1, samples);
      struct image single = device_image(d, FORMAT_R8G8B8A8_UNORM, 60, 50, 1, 1, 1);
      struct pipe_subresource_range range = all_of(&ms, PIPE_ASPECT_COLOR);
      struct pipe_image_copy region = {
         .src = {PIPE_ASPECT_COLOR, 0, 0, 1}, .dst = {PIPE_ASPECT_COLOR, 0, 0, 1}, .extent = {60, 50, 1}};

      device_begin(d);
      d->ctx->clear_image(d->ctx, ms.resource, &(struct pipe_clear_value){.color = {.f = {1, 0.4f, 0, 0.2f}}},
                          &range);
      device_barrier(d);
      d->ctx->resolve_image(d->ctx, ms.resource, single.resource, &region, PIPE_RESOLVE_AVERAGE);
      device_barrier(d);
      device_download(d, &single, PIPE_ASPECT_COLOR, 0, 0, 0);
      device_run(d);
      for (unsigned i = 0; i < 60 * 50; i++)
         assert_memory_equal((char *)d->map + 4 * i, "\xff\x66\x00\x33", 4);
      device_image_free(d, &ms);
      device_image_free(d, &single);
   }
}

static void
test_blits(void **state)
{
   struct device *d = *state;
   struct image src = device_image(d, FORMAT_R8G8B8A8_UNORM, 40, 30, 1, 1, 1);
   struct image dst = device_image(d, FORMAT_R8G8B8A8_UNORM, 80, 60, 1, 1, 1);
   struct image srgb = device_image(d, FORMAT_R8G8B8A8_SRGB, 40, 30, 1, 1, 1);
   const uint32_t *in = d->map, *out = (const uint32_t *)((char *)d->map + HALF_B);
   struct pipe_image_blit twice = {
      .src = {PIPE_ASPECT_COLOR, 0, 0, 1},
      .dst = {PIPE_ASPECT_COLOR, 0, 0, 1},
      .src_offset = {{0, 0, 0}, {40, 30, 1}},
      .dst_offset = {{80, 0, 0}, {0, 60, 1}}, /* mirrored */
   };
   struct pipe_image_blit same = twice;

   same.dst_offset[0] = (struct pipe_offset){0, 0, 0};
   same.dst_offset[1] = (struct pipe_offset){40, 30, 1};
   fill_random(d->map, 40 * 30 * 4);
   device_begin(d);
   device_upload(d, &src, PIPE_ASPECT_COLOR, 0, 0, 0);
   device_barrier(d);
   d->ctx->blit_image(d->ctx, src.resource, dst.resource, &twice, PIPE_FILTER_NEAREST);
   d->ctx->blit_image(d->ctx, src.resource, srgb.resource, &same, PIPE_FILTER_LINEAR);
   device_barrier(d);
   device_download(d, &dst, PIPE_ASPECT_COLOR, 0, 0, HALF_B);
   device_download(d, &srgb, PIPE_ASPECT_COLOR, 0, 0, HALF_B + 80 * 60 * 4);
   device_run(d);
   for (unsigned y = 0; y < 60; y++) {
      for (unsigned x = 0; x < 80; x++)
         assert_int_equal(out[y * 80 + x], in[y / 2 * 40 + (79 - x) / 2]);
   }
   for (unsigned i = 0; i < 40 * 30 * 4; i++) {
      double linear = ((const uint8_t *)in)[i] / 255.0;
      double curve = linear < 0.0031308 ? linear * 12.92 : 1.055 * __builtin_pow(linear, 1 / 2.4) - 0.055;
      double want = (i % 4 == 3 ? linear : curve) * 255;
      double got = ((const uint8_t *)(out + 80 * 60))[i];

      assert_true(got >= want - 0.6 && got <= want + 0.6);
   }
   device_image_free(d, &src);
   device_image_free(d, &dst);
   device_image_free(d, &srgb);
}

static void
test_buffers(void **state)
{
   struct device *d = *state;
   const uint32_t *words = d->map;
   uint32_t data[20000];

   fill_random(data, sizeof(data));
   memset(d->map, 0, DEVICE_BUFFER_B);
   device_begin(d);
   d->ctx->fill_buffer(d->ctx, d->buffer, 1 << 20, 4096, 0xcafe);
   d->ctx->update_buffer(d->ctx, d->buffer, 64, sizeof(data), data);
   device_barrier(d);
   d->ctx->copy_buffer(d->ctx, d->buffer, d->buffer, &(struct pipe_buffer_copy){64, 2 << 20, sizeof(data)});
   d->ctx->event_write(d->ctx, d->buffer, 3 << 20, 1, PIPE_STAGE_ALL);
   d->ctx->event_wait(d->ctx, d->buffer, 3 << 20);
   device_run(d);
   assert_int_equal(words[(1 << 20) / 4 - 1], 0);
   assert_int_equal(words[(1 << 20) / 4], 0xcafe);
   assert_int_equal(words[(1 << 20) / 4 + 1023], 0xcafe);
   assert_int_equal(words[(1 << 20) / 4 + 1024], 0);
   assert_memory_equal(words + (2 << 20) / 4, data, sizeof(data));
   assert_int_equal(words[(3 << 20) / 4], 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_buffers),      cmocka_unit_test(test_copies),
                                      cmocka_unit_test(test_color_clears), cmocka_unit_test(test_depth_clears),
                                      cmocka_unit_test(test_resolves),     cmocka_unit_test(test_blits)};
   return cmocka_run_group_tests(tests, device_setup, device_teardown);
}
