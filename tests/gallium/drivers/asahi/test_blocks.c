/* Levels of compressed formats as texels: in the view's image each block lies where it does in the level, and the
 * column or row that the view may have more lies in the level's padding. All widths next to some heights, and the
 * reverse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_gpu.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "util/format_enum.h"
#include "util/macros.h"

enum { MAX_BLOCKS = 300 };

static struct pipe_screen *screen;
static unsigned larger; /* views with a column or a row more */

/* Places along an axis: 0, powers of two, and the end. */
static uint32_t
next_place(uint32_t at, uint32_t size)
{
   const uint32_t next = at ? 2 * at : 1;

   return at + 1 == size || next < size ? next : size - 1;
}

static void
compare_places(const struct ail_layout *level_of, unsigned level, const struct ail_layout *seen)
{
   const struct ail_level *l = &level_of->levels[level];
   const uint32_t width = seen->image.width_px, height = seen->image.height_px;

   for (uint32_t y = 0; y < l->height_el; y = next_place(y, l->height_el)) {
      for (uint32_t x = 0; x < l->width_el; x = next_place(x, l->width_el)) {
         if (ail_element_offset_B(level_of, x, y, 0, level, 0) - l->offset_B !=
             ail_element_offset_B(seen, x, y, 0, 0, 0))
            fail_msg("%ux%u, level %u: block %u %u", level_of->image.width_px, level_of->image.height_px, level, x,
                     y);
      }
   }
   assert_in_range(width - l->width_el, 0, 1);
   assert_in_range(height - l->height_el, 0, 1);
   assert_true(ail_element_offset_B(seen, width - 1, height - 1, 0, 0, 0) < l->size_B);
   larger += width > l->width_el || height > l->height_el;
}

static void
try_image(const struct pipe_image_desc *desc, uint32_t texels)
{
   struct pipe_resource *image;
   struct pipe_image_view *view;

   assert_int_equal(screen->image_create(screen, desc, &image), PIPE_OK);
   const struct ail_layout *layout = &agx_resource(image)->planes[AGX_PLANE_MAIN];

   for (unsigned level = 0; level < desc->levels; level++) {
      const struct pipe_image_view_desc info = {.image = image,
                                                .type = PIPE_VIEW_2D,
                                                .format = texels,
                                                .usage = PIPE_USAGE_SAMPLED | PIPE_USAGE_STORAGE,
                                                .range = {PIPE_ASPECT_COLOR, level, 1, 0, 1}};

      assert_int_equal(screen->image_view_create(screen, &info, &view), PIPE_OK);
      assert_int_equal(agx_image_view(view)->width_px, layout->levels[level].width_el);
      assert_int_equal(agx_image_view(view)->height_px, layout->levels[level].height_el);
      compare_places(layout, level, &agx_image_view(view)->blocks.planes[AGX_PLANE_MAIN]);
      screen->image_view_destroy(screen, view);
   }
   screen->resource_destroy(screen, image);
}

static const struct kind {
   uint32_t format, texels, block_width_px, block_height_px;
} kinds[] = {
   {FORMAT_BC1_RGBA_UNORM_BLOCK, FORMAT_R32G32_UINT, 4, 4},
   {FORMAT_BC3_UNORM_BLOCK, FORMAT_R32G32B32A32_UINT, 4, 4},
   {FORMAT_ASTC_6x5_UNORM_BLOCK, FORMAT_R32G32B32A32_UINT, 6, 5},
   {FORMAT_ASTC_12x12_UNORM_BLOCK, FORMAT_R32G32B32A32_UINT, 12, 12},
};

/* The size in blocks; the last one of a row and of a column may be cut. */
static void
try_size(const struct kind *kind, uint32_t width, uint32_t height, bool cut)
{
   struct pipe_image_desc desc = {.type = PIPE_IMAGE_2D,
                                  .format = kind->format,
                                  .width_px = width * kind->block_width_px - cut,
                                  .height_px = height * kind->block_height_px - (cut ? kind->block_height_px - 1 : 0),
                                  .depth_px = 1,
                                  .layers = 1,
                                  .samples = 1,
                                  .usage = PIPE_USAGE_SAMPLED | PIPE_USAGE_STORAGE,
                                  .block_views = true,
                                  .other_views = true};

   desc.levels = (uint32_t)log2_floor(MAX2(desc.width_px, desc.height_px)) + 1;
   try_image(&desc, kind->texels);
}

static void
test_levels(void **state)
{
   static const uint32_t sides[] = {1, 3, 31, 32, 33, 64, 65, 127, 129, 200};

   screen = fake_screen_create();
   for (unsigned i = 0; i < ARRAY_SIZE(kinds) * MAX_BLOCKS; i++) {
      const uint32_t side = 1 + i / ARRAY_SIZE(kinds);

      for (unsigned j = 0; j < ARRAY_SIZE(sides); j++) {
         try_size(&kinds[i % ARRAY_SIZE(kinds)], side, sides[j], i / 8 & 1);
         try_size(&kinds[i % ARRAY_SIZE(kinds)], sides[j], side, i / 8 & 1);
      }
   }
   print_message("%u views with a column or a row more\n", larger);
   assert_true(larger > 1000);
   screen->destroy(screen);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
