/* Records against words that were observed (tests/asahi/lib/recordings) and numbers that are published: what values
 * become as bits, and what is told of bits that mean nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "asahi/hw/chips.h"
#include "asahi/hw/record_table.h"
#include "asahi/hw/records.h"

#define EXPECT_WORDS(got, ...) \
   do { \
      const uint32_t expected[] = {__VA_ARGS__}; \
      assert_memory_equal(got, expected, sizeof(expected)); \
   } while (0)

static void
test_words(void **unused)
{
   (void)unused;
   uint32_t words[8];
   agx_front_face_pack(words, &(struct agx_front_face){.line_width_px = 1.0f,
                                                       .disable_depth_write = true,
                                                       .depth_function = AGX_ZS_FUNC_ALWAYS});
   EXPECT_WORDS(words, 0x07200f00);
   agx_cull_pack(
      words, &(struct agx_cull){.flat_shading_vertex = AGX_PPP_VERTEX_0, .depth_clip = true, .front_face_ccw = true});
   EXPECT_WORDS(words, 0x00010480);
   agx_region_clip_pack(words, &(struct agx_region_clip){.enable = true, .max_x_tl = 16, .max_y_tl = 16});
   EXPECT_WORDS(words, 0x8000000f, 0x0000000f);
   agx_fragment_shader_pack(words, &(struct agx_fragment_shader){.uniforms = 64,
                                                                 .textures = 8,
                                                                 .preshader_registers = 16,
                                                                 .cf_bindings_count = 2,
                                                                 .pipeline = 0xfff902c0,
                                                                 .cf_bindings = 0xfff90200});
   EXPECT_WORDS(words, 0x00021012, 0xfff902c0, 0xfff90200, 0);
   agx_vdm_index_list_pack(words, &(struct agx_vdm_index_list){.primitive = AGX_PRIMITIVE_TRIANGLES,
                                                               .index_count_present = true,
                                                               .instance_count_present = true,
                                                               .start_present = true});
   EXPECT_WORDS(words, 0x61c00600);
   agx_usc_uniform_pack(words, &(struct agx_usc_uniform){.start = 12, .size = 4, .buffer = 0x2fffd74418});
   EXPECT_WORDS(words, 0x18400c1d, 0x2fffd744);
   agx_usc_shared_pack(words, &(struct agx_usc_shared){.layout = AGX_SHARED_LAYOUT_32X32,
                                                       .uses_shared_memory = true,
                                                       .sample_count = 1,
                                                       .sample_stride_B = 8,
                                                       .threadgroup_B = 8192});
   EXPECT_WORDS(words, 0x2010bd4d);
   agx_usc_shared_pack(words, &(struct agx_usc_shared){.layout = AGX_SHARED_LAYOUT_VERTEX_COMPUTE,
                                                       .sample_count = 1,
                                                       .threadgroup_B = 65536});
   EXPECT_WORDS(words, 0x0000904d);
   agx_sampler_pack(words, &(struct agx_sampler){.maximum_lod = 14.0f,
                                                 .maximum_anisotropy = 1,
                                                 .mip_filter = AGX_MIP_FILTER_NEAREST,
                                                 .wrap_s = AGX_WRAP_CLAMP_TO_BORDER,
                                                 .wrap_t = AGX_WRAP_CLAMP_TO_BORDER,
                                                 .wrap_r = AGX_WRAP_CLAMP_TO_BORDER});
   EXPECT_WORDS(words, 0x680e0000, 0x0000001b);
}

static void
test_descriptors(void **unused)
{
   (void)unused;
   uint32_t words[6];
   struct agx_pbe pbe = {.dimension = AGX_TEXTURE_DIMENSION_2D,
                         .layout = AGX_LAYOUT_GPU,
                         .channels = AGX_CHANNELS_R8G8B8A8,
                         .swizzle_g = AGX_CHANNEL_G,
                         .swizzle_b = AGX_CHANNEL_B,
                         .swizzle_a = AGX_CHANNEL_A,
                         .width_px = 512,
                         .height_px = 512,
                         .compressed = true,
                         .address = 0x2fffe8c000,
                         .levels = 1,
                         .layers = 1,
                         .extended = true,
                         .metadata = 0x2ffff8c000};
   agx_pbe_pack(words, &pbe);
   EXPECT_WORDS(words, 0xffe40a22, 0x08007fc1, 0xfffe8c00, 0x80000002, 0xffff8c00, 0x00000002);
   /* Of one form, the bits of others are not there: a stride where layers were. */
   pbe.layout = AGX_LAYOUT_LINEAR;
   pbe.extended = false;
   pbe.stride_B = 1024;
   agx_pbe_pack(words, &pbe);
   assert_int_equal(words[3], 0x0003fc02);
   struct agx_pbe again;
   agx_pbe_unpack(&again, words);
   assert_int_equal(again.stride_B, 1024);
   assert_int_equal(again.layers, 0);
   assert_string_equal(agx_record_form(agx_record(AGX_RECORD_PBE), words)->name, "linear");
}

/* Published rows: LODs, and groups of a field of 4 bits. */
static void
test_values(void **unused)
{
   (void)unused;
   assert_int_equal(agx_lod_to_bits(-INFINITY), 0);
   assert_int_equal(agx_lod_to_bits(-0.1f), 0);
   assert_int_equal(agx_lod_to_bits(1.0f), 64);
   assert_int_equal(agx_lod_to_bits(14.0f), 0x380);
   assert_int_equal(agx_lod_to_bits(INFINITY), 0x380);
   static const unsigned groups[][2] = {{0, 1}, {1, 1}, {16, 1}, {17, 2}, {239, 15}, {240, 15}, {241, 0}, {256, 0}};
   for (unsigned i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
      assert_int_equal(agx_groups_to_bits(groups[i][0], 16, 4), groups[i][1]);
   for (unsigned bits = 0; bits < 16; bits++)
      assert_int_equal(agx_groups_to_bits(agx_groups_from_bits(bits, 16, 4), 16, 4), bits);
}

/* Bits at any place and of any width, against one bit at a time. */
static void
test_bits(void **unused)
{
   (void)unused;
   for (unsigned low = 0; low < 96; low++) {
      for (unsigned width = 1; width <= 64 && low + width <= 96; width++) {
         uint32_t words[3] = {0};
         uint64_t value = 0x9e3779b97f4a7c15u >> (64 - width);
         agx_bits_put(words, low, width, value);
         for (unsigned bit = 0; bit < 96; bit++) {
            bool is_set = bit >= low && bit < low + width && value >> (bit - low) & 1;
            assert_int_equal(words[bit / 32] >> bit % 32 & 1, is_set);
         }
         assert_true(agx_bits_get(words, low, width) == value);
      }
   }
}

static void
expect_fault(enum agx_record_id id, const void *bytes, const char *expected)
{
   char message[128];
   bool faulty = agx_record_fault(agx_record(id), bytes, 0, message, sizeof(message));
   assert_int_equal(faulty, expected != NULL);
   if (expected)
      assert_string_equal(message, expected);
}

static void
test_faults(void **unused)
{
   (void)unused;
   expect_fault(AGX_RECORD_CULL_2, &(uint32_t){0x20}, NULL);
   expect_fault(AGX_RECORD_CULL_2, &(uint32_t){0x2020}, "CULL_2: bit 13 is set, which nobody knows");
   expect_fault(AGX_RECORD_VDM_BARRIER, &(uint32_t){0x40000008}, "VDM_BARRIER.block is 0x2, not 0x1");
   expect_fault(AGX_RECORD_VDM_INDEX_LIST, &(uint32_t){0x60000200},
                "VDM_INDEX_LIST.primitive is 0x2, which nobody knows");
   expect_fault(AGX_RECORD_SAMPLER, (uint32_t[]){0x381, 0}, "SAMPLER.minimum_lod is 14.0156, more than 14");
   uint32_t terminate[8] = {0xc0000000, 0, 0, 0, 0, 0, 0, 1u << 31};
   expect_fault(AGX_RECORD_VDM_STREAM_TERMINATE, terminate,
                "VDM_STREAM_TERMINATE: bit 255 is set, which nobody knows");
}

/* The chips' names and numbers are Apple's and the kernel's. */
static void
test_gens(void **unused)
{
   (void)unused;
   enum agx_gen gen, other;
   assert_true(agx_gen_by_name_or_core("m1ultra", &gen) && agx_gen_by_name_or_core("g13s", &other) && gen == other);
   assert_true(agx_gen_find(13, 8, &other) && gen == other);
   assert_true(agx_gens[gen].clusters);
   assert_true(agx_gen_by_name_or_core("m2", &gen) && agx_gen_find(14, 1, &other) && gen == other);
   assert_false(agx_gens[gen].clusters);
   assert_true(agx_gen_by_name_or_core("g14c", &gen) && agx_gen_find(14, 4, &other) && gen == other);
   assert_string_equal(agx_chip_by_name_or_core("g14c")->name, "m2max");
   assert_string_equal(agx_chip_by_name_or_core("g13c")->name, "m1max");
   assert_false(agx_gen_by_name_or_core("g15g", &gen) || agx_gen_by_name_or_core("", &gen));
   assert_false(agx_gen_find(15, 1, &gen));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words), cmocka_unit_test(test_descriptors), cmocka_unit_test(test_values),
      cmocka_unit_test(test_bits),  cmocka_unit_test(test_faults),      cmocka_unit_test(test_gens),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
