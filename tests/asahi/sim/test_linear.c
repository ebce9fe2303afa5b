/* Every channels code, type and dimension, levels, compression, and a grid of strides: the model takes a descriptor
 * of a linear image exactly where the published document has such images (linear_rule.h), for reading and for
 * writing, and finds its pixels where the document's formula has them. What it refuses it says a sentence about. */
#include <stdio.h>

#include "../layout/linear_rule.h"
#include "image.h"
#include "asahi/sim/surface/surface.h"

enum { WIDTH = 37, HEIGHT = 5, LAYERS = 3, CHANNELS = 0x80, TYPES = 8, DIMENSIONS = 9, STRIDES = 13 };
#define LAYER_STRIDE_B 0x20000u

/* Bytes of a pixel by channels code (src/asahi/hw/desc.txt); 0: a block, or nothing that is known. */
static const uint8_t pixel_B[CHANNELS] = {
   [0x00] = 1, [0x09] = 2, [0x0a] = 2, [0x0b] = 2, [0x0c] = 2, [0x0d] = 2, [0x0e] = 2, [0x21] = 4,  [0x23] = 4,
   [0x25] = 4, [0x26] = 4, [0x27] = 4, [0x28] = 4, [0x31] = 8, [0x32] = 8, [0x36] = 4, [0x38] = 16,
};

/* A descriptor: pbe or texture. */
struct form {
   bool pbe, compressed, mipmapped;
   unsigned channels, type, dimension, level;
   enum agx_layout layout;
   uint32_t stride_B; /* as it is encoded, whatever the packer thinks */
};

static void
put_stride(const struct form *form, uint32_t words[6])
{
   const uint32_t code = form->pbe ? (form->stride_B - 4) & 0x1fffff : (form->stride_B - 16) >> 4 & 0x1ffff;
   const unsigned shift = form->pbe ? 8 : 14;
   words[3] &= ~((form->pbe ? 0x1fffffu : 0x1ffffu) << shift);
   words[3] |= code << shift;
}

static void
pack_texture(const struct form *form, uint32_t words[6])
{
   const struct agx_texture t = {.dimension = form->dimension,
                                 .layout = form->layout,
                                 .channels = form->channels,
                                 .type = form->type,
                                 .width_px = WIDTH,
                                 .height_px = HEIGHT,
                                 .first_level = form->level,
                                 .last_level = form->level,
                                 .address = IMAGE_VA,
                                 .unk_mipmapped = form->mipmapped,
                                 .compressed = form->compressed,
                                 .extended = true,
                                 .layers = LAYERS,
                                 .stride_B = 16,
                                 .layer_stride_B = LAYER_STRIDE_B,
                                 .metadata = IMAGE_VA + 0x100000};
   agx_texture_pack(words, &t);
}

static void
pack_pbe(const struct form *form, uint32_t words[6])
{
   const struct agx_pbe p = {.dimension = form->dimension,
                             .layout = form->layout,
                             .channels = form->channels,
                             .type = form->type,
                             .width_px = WIDTH,
                             .height_px = HEIGHT,
                             .level = form->level,
                             .levels = 2,
                             .address = IMAGE_VA,
                             .unk_mipmapped = form->mipmapped,
                             .compressed = form->compressed,
                             .extended = true,
                             .layers = LAYERS,
                             .stride_B = 16,
                             .layer_stride_B = LAYER_STRIDE_B,
                             .metadata = IMAGE_VA + 0x100000};
   agx_pbe_pack(words, &p);
}

static bool
decode(const struct form *form, struct agx_surface *surface, struct sim_fault *fault)
{
   uint32_t words[6];
   *fault = (struct sim_fault){0};
   (form->pbe ? pack_pbe : pack_texture)(form, words);
   if (form->layout == AGX_LAYOUT_LINEAR)
      put_stride(form, words);
   return (form->pbe ? agx_surface_of_pbe : agx_surface_of_texture)(surface, words, fault);
}

/* The model has the pixels, whatever the layout. */
static bool
is_known(const struct form *form)
{
   struct form tiled = *form;
   struct agx_surface surface;
   struct sim_fault fault;
   tiled.layout = AGX_LAYOUT_GPU;
   tiled.dimension = AGX_TEXTURE_DIMENSION_2D;
   tiled.compressed = tiled.mipmapped = false;
   tiled.level = 0;
   return decode(&tiled, &surface, &fault);
}

static struct linear_rule_image
rule_of(const struct form *form)
{
   static const enum linear_rule_type types[DIMENSIONS] = {
      [AGX_TEXTURE_DIMENSION_1D] = LINEAR_RULE_1D,         [AGX_TEXTURE_DIMENSION_1D_ARRAY] = LINEAR_RULE_1D,
      [AGX_TEXTURE_DIMENSION_2D] = LINEAR_RULE_2D,         [AGX_TEXTURE_DIMENSION_2D_ARRAY] = LINEAR_RULE_2D,
      [AGX_TEXTURE_DIMENSION_2D_MS] = LINEAR_RULE_2D,      [AGX_TEXTURE_DIMENSION_3D] = LINEAR_RULE_3D,
      [AGX_TEXTURE_DIMENSION_CUBE] = LINEAR_RULE_CUBE,     [AGX_TEXTURE_DIMENSION_CUBE_ARRAY] = LINEAR_RULE_CUBE,
      [AGX_TEXTURE_DIMENSION_2D_MS_ARRAY] = LINEAR_RULE_2D};
   const bool samples =
      form->dimension == AGX_TEXTURE_DIMENSION_2D_MS || form->dimension == AGX_TEXTURE_DIMENSION_2D_MS_ARRAY;
   return (struct linear_rule_image){.type = types[form->dimension],
                                     .levels = form->mipmapped || form->level ? 2 : 1,
                                     .samples = samples ? 2 : 1,
                                     .is_block = !pixel_B[form->channels],
                                     .compressed = form->compressed,
                                     .row_B = (uint64_t)WIDTH * pixel_B[form->channels],
                                     .rows = HEIGHT,
                                     .stride_B = form->stride_B};
}

static void
compare_places(const struct form *form, const struct agx_surface *surface, const struct linear_rule_image *rule)
{
   assert_int_equal(surface->stride_B, form->stride_B);
   for (uint32_t layer = 0; layer < surface->layers; layer++) {
      for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
         assert_int_equal(agx_surface_offset_B(surface, i % WIDTH, i / WIDTH, layer, 0, 0),
                          layer * LAYER_STRIDE_B +
                             linear_rule_offset_B(rule, pixel_B[form->channels], i % WIDTH, i / WIDTH));
   }
}

static unsigned taken, refused;

static void
try_form(const struct form *form)
{
   const struct linear_rule_image rule = rule_of(form);
   const bool good = linear_rule_shape(&rule) && linear_rule_stride(&rule);
   struct agx_surface surface;
   struct sim_fault fault;
   const bool took = decode(form, &surface, &fault);
   if (took != good || (!took && !strstr(fault.message, "a strided linear image")))
      fail_msg("%s, channels 0x%02x, type %u, dimension %u, level %u, %smipmapped, %scompressed, stride %u: \"%s\"",
               form->pbe ? "PBE" : "texture", form->channels, form->type, form->dimension, form->level,
               form->mipmapped ? "" : "not ", form->compressed ? "" : "not ", form->stride_B, fault.message);
   *(took ? &taken : &refused) += 1;
   if (took)
      compare_places(form, &surface, &rule);
}

/* Textures have codes only for multiples of 16, PBEs for any number from 4 on. */
static void
try_strides(struct form *form)
{
   const uint32_t row_B = WIDTH * (pixel_B[form->channels] ? pixel_B[form->channels] : 8),
                  up_B = (row_B + 15) / 16 * 16;
   const uint32_t strides_B[STRIDES] = {16, up_B - 16, up_B, up_B + 16, 7 * up_B, 1u << 21,      4,
                                        8,  17,        24,   up_B + 8,  up_B + 1, (1u << 21) - 8};
   for (unsigned i = 0; i < (form->pbe ? STRIDES : 6); i++) {
      form->stride_B = strides_B[i];
      try_form(form);
   }
}

static void
test_limits(void **state)
{
   for (unsigned n = 0; n < 2 * CHANNELS * TYPES; n++) {
      struct form form = {.pbe = n & 1, .channels = n / 2 % CHANNELS, .type = n / 2 / CHANNELS};
      if (!is_known(&form))
         continue;
      for (unsigned m = 0; m < DIMENSIONS * 2 * 2 * 2; m++) {
         form.layout = AGX_LAYOUT_LINEAR;
         form.dimension = m % DIMENSIONS;
         form.mipmapped = m / DIMENSIONS & 1;
         form.level = m / DIMENSIONS >> 1 & 1;
         form.compressed = m / DIMENSIONS >> 2;
         try_strides(&form);
      }
   }
   print_message("%u descriptors taken, %u refused\n", taken, refused);
   assert_true(taken > 1000 && refused > taken);
}

/* "Strides must be nonzero": no code says 0. That of a PBE, counted modulo its bits, is the largest. */
static void
test_zero(void **state)
{
   struct form form = {.layout = AGX_LAYOUT_LINEAR, .channels = 0x28, .dimension = AGX_TEXTURE_DIMENSION_2D};
   struct agx_surface surface;
   struct sim_fault fault;
   for (unsigned pbe = 0; pbe < 2; pbe++) {
      form.pbe = pbe;
      assert_true(decode(&form, &surface, &fault));
      assert_int_equal(surface.stride_B, 1u << 21);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_limits), cmocka_unit_test(test_zero)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
