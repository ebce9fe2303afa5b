/* Formats that only one generation has. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/surface/formats.h"
#include "util/macros.h"

/* Blocks of GFX9 that no later generation has. Numbers: the register database; sizes and colours: the Khronos Data
 * Format Specification (a block of zeros: base colour 0, the first modifier, which is 2, -3 or with one bit of alpha
 * none). */
static void
gfx9_has_etc2(void **state)
{
   enum { UNORM = 0, SNORM = 1, SRGB = 9 };
   static const struct {
      uint8_t layout, number, size_B;
      float red, alpha;
   } formats[] = {{24, UNORM, 8, 2 / 255.0f, 1},   {24, SRGB, 8, 2 / 255.0f / 12.92f, 1},
                  {25, UNORM, 16, 2 / 255.0f, 0},  {28, UNORM, 8, 0, 1},
                  {26, SNORM, 8, -3 / 1023.0f, 1}, {27, UNORM, 16, 1 / 2047.0f, 1}};
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      const struct amd_sq_img_rsrc rsrc = {.data_format = formats[i].layout, .num_format = formats[i].number};
      const struct sim_texel_format *format = amd_format_unified(amd_format_of_image(AMD_GFX9, &rsrc));
      static const uint8_t block[16];
      uint32_t bits[4];
      float color[4];
      assert_int_equal(format->size_B, formats[i].size_B);
      sim_texel_decode_block(format, block, 1, 1, bits);
      memcpy(color, bits, 16);
      assert_true(fabsf(color[0] - formats[i].red) < 1e-5f);
      assert_true(color[3] == formats[i].alpha);
   }
   assert_int_equal(amd_format_of_image(AMD_GFX10, &(struct amd_sq_img_rsrc){.format = 24}), 24);
}

/* Stencil next to depth of 16 and 32 bits (S8_16, S8_32: the register database): whose HTILE it shares. */
static void
stencil_of_gfx9_tells_its_depth(void **state)
{
   assert_int_equal(amd_format_depth_log2(&(struct amd_sq_img_rsrc){.data_format = 59}, 0), 1);
   assert_int_equal(amd_format_depth_log2(&(struct amd_sq_img_rsrc){.data_format = 60}, 0), 2);
   assert_int_equal(amd_format_depth_log2(&(struct amd_sq_img_rsrc){.data_format = 1}, 0), 0);
   assert_int_equal(amd_format_depth_log2(&(struct amd_sq_img_rsrc){.format = 60}, 0), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(gfx9_has_etc2),
      cmocka_unit_test(stencil_of_gfx9_tells_its_depth),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
