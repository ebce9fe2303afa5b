/* Descriptors of GFX9 as the model reads them: formats of two numbers, sizes, levels, layers and the pitch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "amd/common/ac_descriptor.h"
#include "amd/common/ac_format.h"
#include "amd/common/ac_surface.h"
#include "amd/hw/chips.h"
#include "amd/sim/surface/formats.h"
#include "amd/sim/tex/tex_image.h"
#include "util/format_enum.h"

static const uint8_t xyzw[4] = {V_SQ_SEL_X, V_SQ_SEL_Y, V_SQ_SEL_Z, V_SQ_SEL_W};

static struct ac_surface
layout(uint32_t width, uint32_t height, unsigned levels, unsigned samples)
{
   struct ac_surface surface;

   assert_true(ac_surface_init(&surface,
                               &(struct ac_surface_desc){.gen = AMD_GFX9,
                                                         .gb_addr_config = amd_chip_by_name("vega10")->gb_addr_config,
                                                         .width_px = width,
                                                         .height_px = height,
                                                         .slices = 6,
                                                         .levels = levels,
                                                         .element_B = 4,
                                                         .block_width_px = 1,
                                                         .block_height_px = 1,
                                                         .samples = (uint8_t)samples}));
   return surface;
}

static void
all_formats(void **state)
{
   struct ac_surface surface = layout(16, 16, 1, 1);
   unsigned images = 0, buffers = 0;

   for (uint32_t format = 1; format < FORMAT_ASTC_4x4_UNORM_BLOCK; format++) {
      uint32_t image = ac_format_image(format), buffer = ac_format_buffer(format), words[AC_IMAGE_DESCRIPTOR_DW];

      ac_image_descriptor(
         AMD_GFX9,
         &(struct ac_image_view){
            .surface = &surface, .type = AC_VIEW_2D, .format = image, .width_px = 16, .height_px = 16, .depth_px = 1},
         words);
      const struct amd_sq_img_rsrc as_image = amd_sq_img_rsrc_unpack(AMD_GFX9, words);
      assert_int_equal(amd_format_of_image(AMD_GFX9, &as_image), image);
      ac_typed_buffer_descriptor(
         AMD_GFX9, &(struct ac_typed_buffer){.size_B = 4, .element_B = 4, .format = buffer, .select = xyzw}, words);
      const struct amd_sq_buf_rsrc as_buffer = amd_sq_buf_rsrc_unpack(AMD_GFX9, words);
      assert_int_equal(amd_format_of_buffer(AMD_GFX9, &as_buffer), buffer);
      images += image != 0;
      buffers += buffer != 0;
   }
   assert_true(images > 90 && buffers > 60);
   const uint32_t raw[4] = {0, 0, 0, ac_raw_buffer_word3(AMD_GFX9)};
   const struct amd_sq_buf_rsrc as_raw = amd_sq_buf_rsrc_unpack(AMD_GFX9, raw);
   assert_int_equal(amd_format_of_buffer(AMD_GFX9, &as_raw), V_GFX10_FORMAT_32_FLOAT);
}

static void
check_view(uint32_t width, uint32_t height, unsigned levels, unsigned samples)
{
   struct ac_surface surface = layout(width, height, levels, samples);
   uint32_t words[AC_IMAGE_DESCRIPTOR_DW];
   struct sim_fault fault = {0};

   ac_image_descriptor(AMD_GFX9,
                       &(struct ac_image_view){.surface = &surface,
                                               .va = UINT64_C(0x123456780000),
                                               .type = AC_VIEW_2D_ARRAY,
                                               .format = ac_format_image(FORMAT_R8G8B8A8_UNORM),
                                               .select = {4, 5, 6, 7},
                                               .width_px = width,
                                               .height_px = height,
                                               .depth_px = 1,
                                               .last_level = levels - 1,
                                               .base_layer = 2,
                                               .last_layer = 5},
                       words);
   const struct tex_image *image = tex_image_get(words, amd_chip_by_name("vega10"), &fault);

   assert_non_null(image);
   assert_int_equal(image->desc.base_256B, UINT64_C(0x1234567800));
   assert_int_equal(image->desc.width_px, width);
   assert_int_equal(image->desc.height_px, height);
   assert_int_equal(image->desc.levels, levels);
   assert_int_equal(1u << image->desc.samples_log2, samples);
   assert_int_equal(image->desc.mode, surface.mode);
   assert_int_equal(image->last_level, levels - 1);
   assert_int_equal(image->base_array, 2);
   assert_int_equal(image->last_array, 5);
   for (unsigned level = 0; level < levels; level++) {
      struct amd_surface model;

      assert_true(amd_surface_init(&model, &image->desc, level, &fault));
      assert_int_equal(model.slice_B, surface.slice_B);
      assert_int_equal(amd_surface_offset(&model, 0, 0, 5, samples - 1),
                       ac_surface_offset_B(&surface, level, 0, 0, 5, samples - 1));
   }
}

static void
views(void **state)
{
   check_view(1023, 517, 4, 1);
   check_view(100, 30, 1, 1);
   check_view(200, 300, 1, 4);
   check_view(16384, 1, 15, 1);
}

static void
samplers(void **state)
{
   uint32_t old[AC_SAMPLER_DESCRIPTOR_DW], words[AC_SAMPLER_DESCRIPTOR_DW];
   const struct ac_sampler sampler = {.clamp_x = 2, .min_linear = true, .aniso_log2 = 2, .max_lod = 4};

   ac_sampler_descriptor(AMD_GFX10, &sampler, old);
   ac_sampler_descriptor(AMD_GFX9, &sampler, words);
   assert_int_equal(words[0] ^ old[0], 1u << 31); /* COMPAT_MODE */
   assert_int_equal(words[1], old[1]);
   assert_int_equal(words[2] ^ old[2], 1u << 30); /* FILTER_PREC_FIX */
   assert_int_equal(words[3], old[3]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_formats),
      cmocka_unit_test(views),
      cmocka_unit_test(samplers),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
