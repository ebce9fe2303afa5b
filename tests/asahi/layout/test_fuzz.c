/* Descriptions of any value give an error or a consistent layout; queries of any value stay inside it. */
#include "layout_try.h"

/* A good image with some of its fields replaced. */
static struct ail_image
any_image(struct random *random)
{
   struct ail_image image = random_image(random, 1u << (1 + random_below(random, 14)));
   uint32_t *const fields[] = {&image.format, &image.width_px, &image.height_px, &image.depth_px,
                               &image.layers, &image.levels,   &image.samples,   &image.stride_B};
   for (uint32_t i = random_below(random, 4); i > 0; i--)
      *fields[random_below(random, ARRAY_SIZE(fields))] = any_number(random);
   bool *const flags[] = {&image.compressed, &image.sparse, &image.writeable, &image.renderable, &image.force_stride};
   for (uint32_t i = random_below(random, 3); i > 0; i--)
      *flags[random_below(random, ARRAY_SIZE(flags))] ^= true;
   if (random_below(random, 8) == 0)
      image.dimension = (enum ail_dimension)any_number(random);
   if (random_below(random, 8) == 0)
      image.tiling = (enum ail_tiling)any_number(random);
   return image;
}

static void
test_descriptions(void **state)
{
   struct random random = {20261010};
   unsigned good = 0, rules[AIL_ERROR_COUNT] = {0}, seen = 0;
   for (unsigned i = 0; i < 60000; i++) {
      struct ail_image image = any_image(&random);
      enum ail_error error = layout_try(&random, &image);
      rules[error]++;
      good += error == AIL_OK;
   }
   for (unsigned i = 0; i < AIL_ERROR_COUNT; i++)
      seen += rules[i] != 0;
   assert_true(good > 10000 && seen > 25);
}

/* Every format there is, with a plain description. */
static void
test_formats(void **state)
{
   struct random random = {20261122};
   unsigned good = 0;
   for (uint32_t format = 0; format < 1000600000; format = format == 300 ? 1000000000 : format + 1) {
      struct ail_image image = {.format = format,
                                .dimension = AIL_2D,
                                .width_px = 100,
                                .height_px = 60,
                                .depth_px = 1,
                                .layers = 1,
                                .levels = 7,
                                .samples = 1};
      good += layout_try(&random, &image) == AIL_OK;
   }
   assert_true(good > 150);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_descriptions), cmocka_unit_test(test_formats)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
