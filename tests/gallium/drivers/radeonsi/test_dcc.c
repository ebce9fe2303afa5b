/* Which images have DCC, and of what size: RADV's choice, for those that are drawn to, stored to, or both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "util/format_enum.h"
#include "util/macros.h"

#include "dcc_of_radv.h"
#include "written.h"

static struct pipe_image_desc
description(unsigned row)
{
   bool small = dcc_of_radv[row].flags & SMALL;

   return (struct pipe_image_desc){
      .type = PIPE_IMAGE_2D,
      .format = dcc_of_radv[row].format,
      .width_px = small ? 64 : 1024,
      .height_px = small ? 64 : 768,
      .depth_px = 1,
      .levels = dcc_of_radv[row].levels,
      .layers = dcc_of_radv[row].layers,
      .samples = 1,
      .usage = PIPE_USAGE_SAMPLED | PIPE_USAGE_TRANSFER_SRC | PIPE_USAGE_TRANSFER_DST |
               (dcc_of_radv[row].flags & DRAWN ? PIPE_USAGE_COLOR : 0) |
               (dcc_of_radv[row].flags & STORED ? PIPE_USAGE_STORAGE : 0),
      .other_views = dcc_of_radv[row].flags & MUTABLE,
      .num_view_formats = dcc_of_radv[row].views[0] ? 2 : 0,
      .view_formats = dcc_of_radv[row].views,
   };
}

/* Components with a sign and without are kept separate here until GFX11, RADV lets clears know. */
static bool
differs(const struct si_screen *screen, unsigned row)
{
   return !screen->info.fdcc && dcc_of_radv[row].views[1] == FORMAT_R8G8B8A8_SNORM;
}

static uint64_t
metadata_B(struct si_screen *screen, const struct pipe_image_desc *desc)
{
   struct pipe_resource *handle;

   assert_int_equal(screen->base.image_create(&screen->base, desc, &handle), PIPE_OK);
   const struct si_resource *image = si_resource(handle);
   uint64_t size_B = image->has_metadata ? image->size_B - image->metadata_offset_B : 0;
   screen->base.resource_destroy(&screen->base, handle);
   return size_B;
}

static void
images_of_radv(void **state)
{
   static const char *const chips[] = {"navi10", "navi21", "vangogh", "navi31", "gfx1150", "vega10"};

   for (unsigned c = 0; c < ARRAY_SIZE(chips); c++) {
      struct si_screen *screen = screen_of(chips[c]);

      for (unsigned row = 0; row < ARRAY_SIZE(dcc_of_radv); row++) {
         const struct pipe_image_desc desc = description(row);
         uint32_t wanted_B = differs(screen, row) ? 0 : dcc_of_radv[row].size_B[c];
         uint64_t size_B = metadata_B(screen, &desc);

         if (size_B != wanted_B)
            fail_msg("row %u on %s: %u bytes of DCC, RADV has %u", row, chips[c], (unsigned)size_B, wanted_B);
      }
      screen->base.destroy(&screen->base);
   }
}

/* Atomics decompress: an image that may have them has no DCC, one of floats only where their feature is enabled. */
static void
atomics(void **state)
{
   static const uint32_t formats[] = {FORMAT_R32_UINT, FORMAT_R32_SINT, FORMAT_R32_SFLOAT};
   struct si_screen *screen = screen_of("navi21");

   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      struct pipe_image_desc desc = description(0);

      desc.format = formats[i];
      desc.usage |= PIPE_USAGE_STORAGE;
      assert_int_equal(metadata_B(screen, &desc) != 0, formats[i] == FORMAT_R32_SFLOAT);
      desc.float_atomics = true;
      assert_int_equal(metadata_B(screen, &desc), 0);
   }
   screen->base.destroy(&screen->base);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(images_of_radv), cmocka_unit_test(atomics)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
