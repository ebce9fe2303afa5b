/* The format table. Witnesses: vulkan_core.h for values, and rows written out by hand from the Vulkan
 * specification. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <vulkan/vulkan_core.h>

#include "util/format.h"
#include "util/format_enum.h"
#include "util/macros.h"

static void
test_values(void **state)
{
   assert_int_equal(FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM);
   assert_int_equal(FORMAT_A4R4G4B4_UNORM_PACK16, VK_FORMAT_A4R4G4B4_UNORM_PACK16);
   assert_int_equal(FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG, VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG);
   assert_int_equal(FORMAT_G16_B16_R16_3PLANE_444_UNORM, VK_FORMAT_G16_B16_R16_3PLANE_444_UNORM);
   assert_null(format_info(VK_FORMAT_UNDEFINED));
   assert_null(format_info(VK_FORMAT_ASTC_12x12_SRGB_BLOCK + 1));
   assert_null(format_info(UINT32_MAX));
   assert_null(format_by_name("UNDEFINED"));
   assert_null(format_by_name(""));
   assert_string_equal(format_info(VK_FORMAT_R4G4_UNORM_PACK8)->name, "R4G4_UNORM_PACK8");
   assert_string_equal(format_info(VK_FORMAT_ASTC_12x12_SRGB_BLOCK)->name, "ASTC_12x12_SRGB_BLOCK");
   const struct format_info *alias = format_by_name("VK_FORMAT_A4R4G4B4_UNORM_PACK16_EXT");
   assert_ptr_equal(alias, format_info(VK_FORMAT_A4R4G4B4_UNORM_PACK16));
}

/* "name size block_width block_height packed planes compression: component numeric bits shift, ..." */
static void
describe(const struct format_info *f, char *out, size_t size)
{
   int n = snprintf(out, size, "%s %u %ux%u pack%u planes%u %s:", f->name, f->block_size_B, f->block_width_el,
                    f->block_height_el, f->packed_bits, f->planes, f->compression ? f->compression : "-");
   for (unsigned i = 0; i < f->component_count; i++) {
      const struct format_component *c = &f->components[i];
      n += snprintf(out + n, size - (size_t)n, " %c%u.%u@%u", "RGBADS"[c->name], c -> numeric, c -> bits, c -> shift);
   }
}

static void
test_rows(void **state)
{
   static const char *const rows[] = {
      "R8G8B8A8_UNORM 4 1x1 pack0 planes1 -: R1.8@0 G1.8@8 B1.8@16 A1.8@24",
      "B8G8R8A8_SRGB 4 1x1 pack0 planes1 -: B9.8@0 G9.8@8 R9.8@16 A9.8@24",
      "R5G6B5_UNORM_PACK16 2 1x1 pack16 planes1 -: B1.5@0 G1.6@5 R1.5@11",
      "B5G5R5A1_UNORM_PACK16 2 1x1 pack16 planes1 -: A1.1@0 R1.5@1 G1.5@6 B1.5@11",
      "A1R5G5B5_UNORM_PACK16 2 1x1 pack16 planes1 -: B1.5@0 G1.5@5 R1.5@10 A1.1@15",
      "A2B10G10R10_UINT_PACK32 4 1x1 pack32 planes1 -: R5.10@0 G5.10@10 B5.10@20 A5.2@30",
      "A8B8G8R8_SNORM_PACK32 4 1x1 pack32 planes1 -: R2.8@0 G2.8@8 B2.8@16 A2.8@24",
      "B10G11R11_UFLOAT_PACK32 4 1x1 pack32 planes1 -: R7.11@0 G7.11@11 B7.10@22",
      "E5B9G9R9_UFLOAT_PACK32 4 1x1 pack32 planes1 -: R7.9@0 G7.9@9 B7.9@18",
      "X8_D24_UNORM_PACK32 4 1x1 pack32 planes1 -: D1.24@0",
      "D24_UNORM_S8_UINT 4 1x1 pack0 planes1 -: D1.24@0 S5.8@24",
      "D32_SFLOAT_S8_UINT 5 1x1 pack0 planes1 -: D8.32@0 S5.8@32",
      "S8_UINT 1 1x1 pack0 planes1 -: S5.8@0",
      "R64G64B64A64_SFLOAT 32 1x1 pack0 planes1 -: R8.64@0 G8.64@64 B8.64@128 A8.64@192",
      "R10X6_UNORM_PACK16 2 1x1 pack16 planes1 -: R1.10@6",
      "R10X6G10X6_UNORM_2PACK16 4 1x1 pack16 planes1 -: R1.10@6 G1.10@22",
      "G12X4B12X4G12X4R12X4_422_UNORM_4PACK16 8 2x1 pack16 planes1 -: G1.12@4 B1.12@20 G1.12@36 R1.12@52",
      "G8B8G8R8_422_UNORM 4 2x1 pack0 planes1 -: G1.8@0 B1.8@8 G1.8@16 R1.8@24",
      "G8_B8R8_2PLANE_420_UNORM 3 1x1 pack0 planes2 -: G1.8@0 B1.8@0 R1.8@8",
      "G10X6_B10X6_R10X6_3PLANE_444_UNORM_3PACK16 6 1x1 pack16 planes3 -: G1.10@6 B1.10@6 R1.10@6",
      "BC1_RGB_UNORM_BLOCK 8 4x4 pack0 planes1 BC: R1.0@0 G1.0@0 B1.0@0",
      "BC4_SNORM_BLOCK 8 4x4 pack0 planes1 BC: R2.0@0",
      "EAC_R11_SNORM_BLOCK 8 4x4 pack0 planes1 EAC: R2.0@0",
      "ASTC_10x6_SRGB_BLOCK 16 10x6 pack0 planes1 ASTC LDR: R9.0@0 G9.0@0 B9.0@0 A9.0@0",
      "R16G16_SFIXED5_NV 4 1x1 pack0 planes1 -: R10.16@0 G10.16@16",
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      char name[64], text[256];
      assert_int_equal(sscanf(rows[i], "%63s", name), 1);
      const struct format_info *info = format_by_name(name);
      assert_non_null(info);
      describe(info, text, sizeof(text));
      assert_string_equal(text, rows[i]);
   }
}

/* Every row: found by both keys, component bits disjoint and inside the block (or plane). */
static void
test_all(void **state)
{
   unsigned count = 0;
   for (uint32_t value = 0; value < 1000600000; value = value == 1000 ? 1000000000 : value + 1) {
      const struct format_info *info = format_info(value);
      if (!info)
         continue;
      count++;
      assert_int_equal(info->format, value);
      assert_ptr_equal(format_by_name(info->name), info);
      assert_true(info->block_size_B && info->block_width_el && info->block_height_el && info->planes);
      assert_in_range(info->component_count, 1, 4);
      uint64_t used[4] = {0};
      for (unsigned i = 0; i < info->component_count; i++) {
         const struct format_component *c = &info->components[i];
         assert_int_equal(c->bits == 0, info->compression != NULL);
         assert_int_not_equal(c->numeric, FORMAT_VOID);
         assert_true(c->shift + c->bits <= info->block_size_B * 8u);
         for (unsigned bit = c->shift; info->planes == 1 && bit < c->shift + c->bits; bit++) {
            assert_false(used[bit / 64] >> (bit % 64) & 1);
            used[bit / 64] |= UINT64_C(1) << (bit % 64);
         }
      }
   }
   assert_in_range(count, 247, 400);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_rows),
                                      cmocka_unit_test(test_all)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
