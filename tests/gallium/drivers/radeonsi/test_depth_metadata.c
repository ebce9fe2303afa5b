/* Compressed depth of one and of several samples: registers of its target and what its descriptors say are those that
 * RADV 26.1.6 programs for images of 32x32 pixels. */
#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/resource/si_target.h"
#include "util/format_enum.h"
#include "written.h"

#include "amd/hw/descriptors.h"

enum { GFX9, GFX10, GFX10_3, GFX11, COLUMNS };

static const struct {
   const char *chip;
   unsigned column;
} chips[] = {{"vega10", GFX9},     {"raven", GFX9},   {"navi10", GFX10}, {"navi21", GFX10_3},
             {"vangogh", GFX10_3}, {"navi31", GFX11}, {"gfx1150", GFX11}};

/* DB_Z_INFO, and DB_STENCIL_INFO where there is stencil. RADV compresses 16 bits of four samples on GFX9, too, but
 * makes them plain for textures (0xa0000149). */
static const struct {
   uint32_t format, samples, z[COLUMNS], stencil[COLUMNS];
} rows[] = {
   {FORMAT_D16_UNORM, 1, {0xa2808141, 0xa2800981, 0xa2800981, 0xa2900981}, {0}},
   {FORMAT_D16_UNORM, 2, {0xa1808145, 0xa1900985, 0xa1900985, 0xa1900985}, {0}},
   {FORMAT_D16_UNORM, 4, {0x00000149, 0xa1900989, 0xa1900989, 0xa1900989}, {0}},
   {FORMAT_D16_UNORM, 8, {0xa180804d, 0xa190098d, 0xa190098d, 0xa190098d}, {0}},
   {FORMAT_D32_SFLOAT, 1, {0xa2808143, 0xa2800983, 0xa2800983, 0xa2900983}, {0}},
   {FORMAT_D32_SFLOAT, 2, {0xa2808047, 0xa2900987, 0xa2900987, 0xa2900987}, {0}},
   {FORMAT_D32_SFLOAT, 4, {0xa280804b, 0xa290098b, 0xa290098b, 0xa290098b}, {0}},
   {FORMAT_D32_SFLOAT, 8, {0xa280804f, 0xa290098f, 0xa290098f, 0xa290098f}, {0}},
   {FORMAT_D32_SFLOAT_S8_UINT,
    1,
    {0xa2808143, 0xa2800983, 0xa2800983, 0xa2900983},
    {0x00008141, 0x00000981, 0x00000981, 0x00100981}},
   {FORMAT_D32_SFLOAT_S8_UINT,
    2,
    {0xa2808047, 0xa2900987, 0xa2900987, 0xa2900987},
    {0x00008041, 0x00100981, 0x00100981, 0x00100981}},
   {FORMAT_D32_SFLOAT_S8_UINT,
    4,
    {0xa280804b, 0xa110098b, 0xa290098b, 0xa290098b},
    {0x00008041, 0x00100981, 0x00100981, 0x00100981}},
   {FORMAT_D32_SFLOAT_S8_UINT,
    8,
    {0xa280804f, 0xa290098f, 0xa290098f, 0xa290098f},
    {0x00008041, 0x00100981, 0x00100981, 0x00100981}},
};

static struct pipe_resource *
create(struct pipe_screen *screen, uint32_t format, uint32_t samples)
{
   const struct pipe_image_desc desc = {.type = PIPE_IMAGE_2D,
                                        .format = format,
                                        .width_px = 32,
                                        .height_px = 32,
                                        .depth_px = 1,
                                        .levels = 1,
                                        .layers = 1,
                                        .samples = (uint8_t)samples,
                                        .usage = PIPE_USAGE_DEPTH_STENCIL | PIPE_USAGE_SAMPLED};
   struct pipe_resource *image;

   assert_int_equal(screen->image_create(screen, &desc, &image), PIPE_OK);
   return image;
}

static uint32_t
sampled_word6(struct pipe_screen *screen, struct pipe_resource *image, uint32_t format)
{
   const struct pipe_image_view_desc desc = {.image = image,
                                             .type = PIPE_VIEW_2D,
                                             .format = format,
                                             .range = {.aspects = PIPE_ASPECT_DEPTH, .levels = 1, .layers = 1},
                                             .usage = PIPE_USAGE_SAMPLED};
   struct pipe_image_view *view;

   assert_int_equal(screen->image_view_create(screen, &desc, &view), PIPE_OK);
   uint32_t word = si_image_view(view)->sampled[6];
   screen->image_view_destroy(screen, view);
   return word;
}

static void
check(struct si_screen *screen, unsigned row, unsigned column)
{
   struct pipe_resource *image = create(&screen->base, rows[row].format, rows[row].samples);
   bool compressed = rows[row].z[column] & S_DB_Z_INFO_TILE_SURFACE_ENABLE(1);
   uint32_t word6 = sampled_word6(&screen->base, image, rows[row].format);
   struct si_depth_target target;

   si_depth_target_init(&screen->info, &target, si_resource(image), (struct si_layers){.count = 1});
   assert_int_equal(target.z_info, rows[row].z[column]);
   if (rows[row].stencil[column])
      assert_int_equal(target.stencil_info, rows[row].stencil[column]);
   assert_int_equal(G_SQ_IMG_RSRC_WORD6_COMPRESSION_EN(word6), compressed);
   if (column != GFX9)
      assert_int_equal(G_SQ_IMG_RSRC_WORD6_ITERATE_256(word6), rows[row].samples > 1);
   screen->base.resource_destroy(&screen->base, image);
}

static void
targets(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      struct si_screen *screen = screen_of(chips[i].chip);

      for (unsigned row = 0; row < ARRAY_SIZE(rows); row++)
         check(screen, row, chips[i].column);
      screen->base.destroy(&screen->base);
   }
}

/* Vulkan lets queues of several families write different texels of such an image at once, while a copy makes all of a
 * level plain. */
static void
concurrent(void **state)
{
   for (unsigned i = 0; i < 4 * ARRAY_SIZE(chips); i++) {
      struct si_screen *screen = screen_of(chips[i / 4].chip);
      bool depth = i & 1, several = i & 2;
      const struct pipe_image_desc desc = {.type = PIPE_IMAGE_2D,
                                           .format = depth ? FORMAT_D32_SFLOAT : FORMAT_R8G8B8A8_UNORM,
                                           .width_px = 1024,
                                           .height_px = 1024,
                                           .depth_px = 1,
                                           .levels = 1,
                                           .layers = 1,
                                           .samples = 1,
                                           .usage = depth ? PIPE_USAGE_DEPTH_STENCIL : PIPE_USAGE_COLOR,
                                           .concurrent = several};
      struct pipe_resource *image;

      assert_int_equal(screen->base.image_create(&screen->base, &desc, &image), PIPE_OK);
      assert_int_equal(si_resource(image)->has_metadata, !several);
      screen->base.resource_destroy(&screen->base, image);
      screen->base.destroy(&screen->base);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(targets), cmocka_unit_test(concurrent)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
