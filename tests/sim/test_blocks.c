/* Blocks of compressed formats: what every texel of random blocks becomes in Mesa's software decoder (llvmpipe of
 * Debian 12), line by line of a file: name, block, texels row by row. Then random blocks of all formats: texels that
 * are kept are those that are decoded anew. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/texel/block_memo.h"
#include "sim/texel/texel.h"
#include "util/macros.h"

static const char *const *files;
static int file_count;

/* max: what a component of 1 stands in the file as; 255: four components of 8 bits in hex. */
static const struct row {
   const char *name;
   enum sim_texel_layout layout;
   enum sim_numeric numeric;
   unsigned components, max;
   unsigned width, height; /* ASTC */
} rows[] = {
   {"ETC2_RGB", SIM_TEXEL_ETC2_RGB, SIM_UNORM, 4, 255, 4, 4},
   {"ETC2_PUNCH", SIM_TEXEL_ETC2_PUNCH, SIM_UNORM, 4, 255, 4, 4},
   {"ETC2_RGBA", SIM_TEXEL_ETC2_RGBA, SIM_UNORM, 4, 255, 4, 4},
   {"EAC_R", SIM_TEXEL_EAC_R, SIM_UNORM, 1, 2047, 4, 4},
   {"EAC_R_SNORM", SIM_TEXEL_EAC_R, SIM_SNORM, 1, 1023, 4, 4},
   {"EAC_RG", SIM_TEXEL_EAC_RG, SIM_UNORM, 2, 2047, 4, 4},
   {"EAC_RG_SNORM", SIM_TEXEL_EAC_RG, SIM_SNORM, 2, 1023, 4, 4},
   {"ASTC_4x4", SIM_TEXEL_ASTC, SIM_UNORM, 4, 255, 4, 4},
   {"ASTC_5x4", SIM_TEXEL_ASTC, SIM_UNORM, 4, 255, 5, 4},
   {"ASTC_6x5", SIM_TEXEL_ASTC, SIM_UNORM, 4, 255, 6, 5},
   {"ASTC_6x6", SIM_TEXEL_ASTC, SIM_UNORM, 4, 255, 6, 6},
   {"ASTC_8x5", SIM_TEXEL_ASTC, SIM_UNORM, 4, 255, 8, 5},
   {"ASTC_8x8", SIM_TEXEL_ASTC, SIM_UNORM, 4, 255, 8, 8},
   {"ASTC_10x6", SIM_TEXEL_ASTC, SIM_UNORM, 4, 255, 10, 6},
   {"ASTC_12x10", SIM_TEXEL_ASTC, SIM_UNORM, 4, 255, 12, 10},
   {"ASTC_12x12", SIM_TEXEL_ASTC, SIM_UNORM, 4, 255, 12, 12},
};

static const struct row *
find_row(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      if (!strcmp(rows[i].name, name))
         return &rows[i];
   }
   fail_msg("no format %s", name);
   return NULL;
}

static long
next_value(const struct row *row, char **text)
{
   if (row->max == 255) {
      char byte[3] = {(*text)[0], (*text)[1], 0};
      *text += 2;
      return strtol(byte, NULL, 16);
   }
   long value = strtol(*text, text, 10);
   *text += **text == ',';
   return value;
}

static void
check_line(const char *name, const char *hex, char *texels)
{
   const struct row *row = find_row(name);
   bool is_astc = row->layout == SIM_TEXEL_ASTC;
   struct sim_texel_format format =
      is_astc ? sim_texel_astc(row->numeric, row->width, row->height) : sim_texel_packed(row->layout, row->numeric);
   uint8_t block[16];
   for (unsigned i = 0; i < format.size_B; i++) {
      char byte[3] = {hex[2 * i], hex[2 * i + 1], 0};
      block[i] = (uint8_t)strtol(byte, NULL, 16);
   }
   for (unsigned i = 0; i < format.block_width * format.block_height; i++) {
      uint32_t value[4];
      sim_texel_decode_block(&format, block, i % format.block_width, i / format.block_width, value);
      for (unsigned c = 0; c < row->components; c++) {
         float number = bits_float(value[c]);
         /* ASTC has 16 bits, of which the file has the upper 8. */
         long is = is_astc ? (long)fminf(number * 256.0f, 255.0f) : lroundf(number * (float)row->max);
         assert_int_equal(is, next_value(row, &texels));
      }
   }
}

static void
test_files(void **state)
{
   unsigned lines = 0;
   for (int i = 0; i < file_count; i++) {
      static char line[8192];
      FILE *file = fopen(files[i], "r");
      assert_non_null(file);
      while (fgets(line, sizeof(line), file)) {
         char *name = strtok(line, " "), *hex = strtok(NULL, " "), *texels = strtok(NULL, "\n");
         check_line(name, hex, texels);
         lines++;
      }
      fclose(file);
   }
   assert_true(lines >= 100);
}

static uint32_t
below(uint32_t n)
{
   static uint64_t state = 88172645463325252;
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return (uint32_t)((state >> 32) * n >> 32);
}

static struct sim_texel_format
some_format(void)
{
   static const uint8_t sides[][2] = {{4, 4}, {5, 4}, {6, 6}, {8, 5}, {10, 8}, {12, 12}};
   const uint8_t *side = sides[below(ARRAY_SIZE(sides))];
   const bool srgb = below(2);
   if (!below(4))
      return sim_texel_astc(srgb ? SIM_SRGB : SIM_UNORM, side[0], side[1]);
   const enum sim_texel_layout layout = SIM_TEXEL_BC1 + below(SIM_TEXEL_ASTC - SIM_TEXEL_BC1);
   static const enum sim_numeric others[] = {SIM_UNORM, SIM_SNORM, SIM_FLOAT};
   const bool has_sign = layout == SIM_TEXEL_BC4 || layout == SIM_TEXEL_BC5 || layout == SIM_TEXEL_BC6H ||
                         layout == SIM_TEXEL_EAC_R || layout == SIM_TEXEL_EAC_RG;
   return sim_texel_packed(layout, has_sign ? others[below(3)] : srgb ? SIM_SRGB : SIM_UNORM);
}

/* A few blocks, of which many differ in one bit only. BC7's modes are equally likely. */
static void
make_block(uint8_t block[16])
{
   static uint8_t blocks[64][16]; /* zeros at first */
   uint8_t *from = blocks[below(64)];
   const unsigned change = below(16);
   if (change < 4) {
      from[below(16)] ^= (uint8_t)(1u << below(8));
   } else if (change == 4) {
      for (unsigned i = 0; i < 16; i++)
         from[i] = (uint8_t)below(256);
      const unsigned mode = below(8);
      from[0] = (uint8_t)((from[0] | 1u) << mode);
   }
   memcpy(block, from, 16);
}

static void
test_kept(void **state)
{
   for (unsigned n = 0; n < 200000; n++) {
      static struct sim_texel_format format;
      static uint8_t block[16];
      if (!below(8))
         format = some_format();
      if (!below(2) || !format.size_B)
         make_block(block);
      format = format.size_B ? format : some_format();
      const unsigned x = below(format.block_width), y = below(format.block_height);
      uint32_t kept[4], anew[4];
      sim_block_memo_decode(&format, block, x, y, kept);
      sim_texel_decode_block(&format, block, x, y, anew);
      if (memcmp(kept, anew, sizeof(kept)))
         fail_msg("round %u, layout %u: 0x%08x 0x%08x 0x%08x 0x%08x, not 0x%08x 0x%08x 0x%08x 0x%08x", n,
                  format.layout, kept[0], kept[1], kept[2], kept[3], anew[0], anew[1], anew[2], anew[3]);
   }
}

int
main(int argc, char **argv)
{
   files = (const char *const *)argv + 1;
   file_count = argc - 1;
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_kept)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
