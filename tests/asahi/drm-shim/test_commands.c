/* Mutated command buffers: each is refused, or taken for what it says. */
#include <asahi_drm.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "commands_try.h"

static uint32_t seed = 1;

static uint32_t
next_random(uint32_t end)
{
   seed = seed * 1664525 + 1013904223;
   return (seed >> 8) % end;
}

static size_t
put(uint8_t *data, unsigned type, const void *payload, size_t size_B)
{
   uint16_t barrier = type > DRM_ASAHI_CMD_COMPUTE ? DRM_ASAHI_BARRIER_NONE : 0;
   struct drm_asahi_cmd_header header = {(uint16_t)type, (uint16_t)size_B, barrier, barrier};
   memcpy(data, &header, sizeof(header));
   memcpy(data + sizeof(header), payload, size_B);
   return sizeof(header) + size_B;
}

/* Attachments, the triangle's render command with timestamps, a dispatch. */
static size_t
make(uint8_t *data)
{
   const struct drm_asahi_attachment attachment = {.pointer = 0x2000000000, .size = 0x40800};
   const struct drm_asahi_cmd_render render = {
      .flags = DRM_ASAHI_RENDER_PROCESS_EMPTY_TILES,
      .vdm_ctrl_stream_base = 0x2fffd64400,
      .width_px = 512,
      .height_px = 512,
      .layers = 1,
      .utile_width_px = 32,
      .utile_height_px = 32,
      .samples = 1,
      .sample_size_B = 8,
      .ts_vtx = {{1, 0}, {1, 8}},
      .ts_frag = {{1, 16}, {1, 24}},
   };
   const struct drm_asahi_cmd_compute compute = {.cdm_ctrl_stream_base = 0x2fef44400};
   size_t size_B = put(data, DRM_ASAHI_SET_FRAGMENT_ATTACHMENTS, &attachment, sizeof(attachment));
   size_B += put(data + size_B, DRM_ASAHI_CMD_RENDER, &render, sizeof(render));
   return size_B + put(data + size_B, DRM_ASAHI_CMD_COMPUTE, &compute, sizeof(compute));
}

static void
mutated(void **state)
{
   static const uint8_t values[] = {0, 1, 2, 3, 4, 5, 8, 16, 24, 32, 64, 0x7f, 0x80, 0xff};
   uint8_t good[512], data[512];
   unsigned taken = 0, refused = 0;
   size_t size_B = make(good);
   assert_int_equal(commands_try(good, size_B), 0);
   for (unsigned step = 0; step < 50000; step++) {
      memcpy(data, good, size_B);
      for (unsigned i = next_random(4); i-- > 0;)
         data[next_random((uint32_t)size_B)] = values[next_random(sizeof(values))];
      size_t cut_B = next_random(4) ? size_B : next_random((uint32_t)size_B + 1);
      int result = commands_try(data, cut_B);
      assert_true(result == 0 || result == -EINVAL || result == -ENOENT || result == -ERANGE);
      taken += result == 0;
      refused += result != 0;
   }
   assert_true(taken > 5000 && refused > 5000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(mutated)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
