/* The texture unit and the pixel back end: places against ail, filters against double arithmetic written here from
 * the specification. */
#include <math.h>

#include "asahi/sim/tex/tex.h"
#include "../layout/layout_try.h"
#include "image.h"

/* ---- places ---- */

struct dimension {
   const char *name;
   uint8_t dim;
   struct ail_image image;
};

#define SHAPE(d, t, w, h, z, n, l, s) \
   {.format = FORMAT_R32_UINT, .dimension = d, .tiling = t, .width_px = w, .height_px = h, .depth_px = z, \
    .layers = n, .levels = l, .samples = s}

static const struct dimension dimensions[] = {
   {"array of rows", AGX_DIM_1D_ARRAY, SHAPE(AIL_1D, AIL_TILING_LINEAR, 77, 1, 1, 3, 1, 1)},
   {"linear array", AGX_DIM_2D_ARRAY, SHAPE(AIL_2D, AIL_TILING_LINEAR, 50, 9, 1, 3, 1, 1)},
   {"GPU-tiled array", AGX_DIM_2D_ARRAY, SHAPE(AIL_2D, AIL_TILING_GPU, 150, 70, 1, 3, 6, 1)},
   {"twiddled array", AGX_DIM_2D_ARRAY, SHAPE(AIL_2D, AIL_TILING_TWIDDLED, 40, 100, 1, 2, 7, 1)},
   {"3D", AGX_DIM_3D, SHAPE(AIL_3D, AIL_TILING_GPU, 33, 20, 7, 1, 5, 1)},
   {"two samples", AGX_DIM_2D_MS_ARRAY, SHAPE(AIL_2D, AIL_TILING_GPU, 70, 40, 1, 2, 1, 2)},
   {"four samples", AGX_DIM_2D_MS_ARRAY, SHAPE(AIL_2D, AIL_TILING_GPU, 70, 40, 1, 2, 1, 4)},
};

/* Coordinates of the i-th element in order x, y, layer, sample, and the registers that say so. */
struct place {
   uint32_t x, y, layer, sample;
};

static void
set_coords(const struct dimension *d, const struct place *at, uint32_t coords[5][32], unsigned lane, bool is_16)
{
   bool is_row = d->dim == AGX_DIM_1D_ARRAY;
   coords[0][lane] = at->x;
   coords[1][lane] = is_row ? at->layer : at->y;
   if (is_row)
      return;
   bool has_samples = d->image.samples > 1;
   coords[2][lane] = !has_samples ? at->layer : is_16 ? at->sample : at->sample | at->layer << 16;
   coords[3][lane] = at->layer;
}

static uint32_t
value_at(const struct place *at, uint32_t level)
{
   return 1 + at->x + at->y * 1000 + at->layer * 1000000 + at->sample * 100000000 + level * 10000000;
}

/* Writes every sample of a level with imgw, 32 at a time. */
static void
write_level(struct picture *p, const struct dimension *d, uint32_t level, uint32_t count, const uint32_t size[4])
{
   struct agx_tex_write w = {.dim = d->dim};
   image_pbe(&p->layout, level, w.pbe);
   for (uint32_t i = 0; i < count; i += 32) {
      w.exec = count - i >= 32 ? ~0u : (1u << (count - i)) - 1;
      w.coords_16 = i / 32 & 1;
      for (unsigned lane = 0; lane < 32; lane++) {
         uint32_t n = i + lane;
         struct place at = {n % size[0], n / size[0] % size[1], n / size[0] / size[1] % size[2],
                            n / size[0] / size[1] / size[2]};
         set_coords(d, &at, w.coords, lane, w.coords_16);
         w.data[0][lane] = value_at(&at, level);
      }
      struct sim_fault fault = {0};
      assert_true(agx_tex_write(p->memory.vm, &w, &fault));
   }
}

static void
read_level(const struct picture *p, const struct dimension *d, uint32_t level, uint32_t count, const uint32_t size[4])
{
   struct agx_tex_request r = request_of(p, true, d->dim, &fetch_sampler);
   r.lod_type = AGX_LOD_TYPE_LOD_MIN;
   for (uint32_t i = 0; i < count; i += 32) {
      r.coords_16 = i / 32 & 1;
      struct agx_tex_result result;
      struct place at[32];
      for (unsigned lane = 0; lane < 32; lane++) {
         uint32_t n = MIN2(i + lane, count - 1);
         at[lane] = (struct place){n % size[0], n / size[0] % size[1], n / size[0] / size[1] % size[2],
                                   n / size[0] / size[1] / size[2]};
         set_coords(d, &at[lane], r.coords, lane, r.coords_16);
         r.lod[0][lane] = level;
      }
      run_request(p, &r, &result);
      for (unsigned lane = 0; lane < 32; lane++) {
         uint32_t want = value_at(&at[lane], level);
         assert_int_equal(result.value[0][lane], want);
         assert_int_equal(
            *(uint32_t *)picture_element(p, at[lane].x, at[lane].y, at[lane].layer, level, at[lane].sample), want);
      }
   }
}

static void
test_places(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(dimensions); i++) {
      const struct dimension *d = &dimensions[i];
      struct picture p;
      make_picture(&p, &d->image);
      for (unsigned pass = 0; pass < 2; pass++) {
         for (uint32_t l = 0; l < d->image.levels; l++) {
            bool is_3d = d->image.dimension == AIL_3D;
            uint32_t layers = is_3d ? MAX2(d->image.depth_px >> l, 1u) : d->image.layers;
            const uint32_t size[4] = {p.layout.levels[l].width_el, p.layout.levels[l].height_el, layers,
                                      d->image.samples};
            (pass ? read_level
                  : (void (*)(const struct picture *, const struct dimension *, uint32_t, uint32_t,
                              const uint32_t *))write_level)(&p, d, l, size[0] * size[1] * size[2] * size[3], size);
         }
      }
      image_unmap(&p.memory);
   }
}

/* Lanes outside write nothing and read the border, whichever side it is. */
static void
test_outside(void **state)
{
   static const uint32_t outside[][2] = {{16, 3}, {3, 16}, {0xfffffff0, 2}, {2, 0xffffffff}, {0xfff0, 0}, {100, 100}};
   struct picture p;
   make_picture(&p, &plain_image);
   struct agx_tex_write w = {.dim = AGX_DIM_2D_ARRAY, .exec = (1u << ARRAY_SIZE(outside)) - 1};
   image_pbe(&p.layout, 0, w.pbe);
   struct agx_sampler white = fetch_sampler;
   white.border_colour = AGX_BORDER_COLOUR_OPAQUE_WHITE;
   struct agx_tex_request r = request_of(&p, true, AGX_DIM_2D_ARRAY, &fetch_sampler),
                          of_white = request_of(&p, true, AGX_DIM_2D_ARRAY, &white);
   memset(p.memory.host, 0x55, p.layout.size_B);
   for (unsigned lane = 0; lane < ARRAY_SIZE(outside); lane++) {
      for (unsigned c = 0; c < 2; c++)
         w.coords[c][lane] = r.coords[c][lane] = of_white.coords[c][lane] = outside[lane][c];
      w.data[0][lane] = 0x12345678;
   }
   w.coords[2][2] = 1; /* no such layer */
   w.coords[0][2] = 2;
   struct sim_fault fault = {0};
   assert_true(agx_tex_write(p.memory.vm, &w, &fault));
   for (uint64_t i = 0; i < p.layout.size_B; i++)
      assert_int_equal(((uint8_t *)p.memory.host)[i], 0x55);
   struct agx_tex_result result;
   r.exec = of_white.exec = w.exec;
   run_request(&p, &r, &result);
   for (unsigned lane = 0; lane < ARRAY_SIZE(outside); lane++)
      assert_int_equal(result.value[0][lane] | result.value[3][lane], 0);
   run_request(&p, &of_white, &result);
   for (unsigned lane = 0; lane < ARRAY_SIZE(outside); lane++)
      assert_int_equal(result.value[0][lane], 1);
   image_unmap(&p.memory);
}

/* Results go through the texture's swizzle, data through the inverse in the PBE. */
/* Channels whose texels nobody knows: fetches outside are those of any image, the others fault. */
static void
test_no_texels(void **state)
{
   struct picture p;
   struct agx_tex_result result;
   struct agx_texture texture;
   struct sim_fault fault = {0};
   make_picture(&p, &plain_image);
   agx_texture_unpack(&texture, p.texture);
   texture.channels = AGX_CHANNELS_UNKNOWN_36;
   agx_texture_pack(p.texture, &texture);
   struct agx_tex_request r = request_of(&p, true, AGX_DIM_2D, &fetch_sampler);
   for (unsigned lane = 0; lane < AGX_TEX_LANES; lane++)
      r.coords[0][lane] = 16 + lane;
   run_request(&p, &r, &result);
   assert_int_equal(result.value[0][5], 0);
   r.coords[0][7] = 15;
   assert_false(agx_tex_run(p.memory.vm, &r, &result, &fault));
   assert_non_null(strstr(fault.message, "the model does not have texels of channels 0x36"));
   image_unmap(&p.memory);
}

static void
test_swizzles(void **state)
{
   struct ail_image image = plain_image;
   image.format = FORMAT_R8G8B8A8_UNORM;
   struct picture p;
   make_picture(&p, &image);
   struct agx_texture t;
   agx_texture_unpack(&t, p.texture);
   t.swizzle_r = AGX_CHANNEL_B;
   t.swizzle_b = AGX_CHANNEL_R;
   t.swizzle_g = AGX_CHANNEL_ZERO;
   t.swizzle_a = AGX_CHANNEL_ONE;
   agx_texture_pack(p.texture, &t);
   struct agx_tex_write w = {.dim = AGX_DIM_2D_ARRAY, .exec = 1};
   struct agx_pbe pbe;
   image_pbe(&p.layout, 0, w.pbe);
   agx_pbe_unpack(&pbe, w.pbe);
   pbe.swizzle_r = AGX_CHANNEL_G; /* the first byte is the second of the data */
   pbe.swizzle_g = AGX_CHANNEL_B;
   pbe.swizzle_b = AGX_CHANNEL_R;
   agx_pbe_pack(w.pbe, &pbe);
   for (unsigned c = 0; c < 4; c++)
      w.data[c][0] = float_bits((float)(c + 1) * 10.0f / 255.0f);
   assert_int_equal(agx_tex_write_components(w.pbe), 4);
   struct sim_fault fault = {0};
   assert_true(agx_tex_write(p.memory.vm, &w, &fault));
   static const uint8_t turned[4] = {20, 30, 10, 40};
   assert_memory_equal(picture_element(&p, 0, 0, 0, 0, 0), turned, 4);
   struct agx_tex_request r = request_of(&p, true, AGX_DIM_2D_ARRAY, &fetch_sampler);
   struct agx_tex_result result;
   run_request(&p, &r, &result);
   static const float want[4] = {10.0f / 255.0f, 0.0f, 20.0f / 255.0f, 1.0f};
   for (unsigned c = 0; c < 4; c++)
      assert_true(bits_float(result.value[c][0]) == want[c]);
   r.dst_16 = true;
   run_request(&p, &r, &result);
   assert_int_equal(result.value[3][0], 0x3c00);
   image_unmap(&p.memory);
}

/* ---- tiles ---- */

#define TILE_PX 32
#define TILE_SAMPLE_B 24 /* of which an image has some, from TILE_OFFSET_B on */
#define TILE_OFFSET_B 4

struct tile_row {
   uint32_t format;
   enum agx_format tile;
   unsigned components, component_B; /* of the image */
   bool is_half;                     /* the tile holds 0.5 in half floats, the image its 8 bits of 128 */
};

/* What the image is to hold for a sample of the tile. */
static void
expect_texel(const struct tile_row *row, const uint8_t *sample, bool reversed, uint8_t texel[16])
{
   for (unsigned c = 0; c < row->components; c++) {
      const unsigned from = reversed ? row->components - 1 - c : c;
      memcpy(texel + c * row->component_B, sample + TILE_OFFSET_B + from * row->component_B, row->component_B);
   }
   if (row->is_half)
      memset(texel, 128, 4);
}

/* A tile over the corner of an image, whose channels are in order or the other way round. */
static void
check_tile(const struct tile_row *row, bool reversed)
{
   static uint8_t tile[TILE_PX * TILE_PX * TILE_SAMPLE_B];
   const unsigned texel_B = row->components * row->component_B;
   struct ail_image image = plain_image;
   struct random random = {row->format};
   struct sim_fault fault = {0};
   struct picture p;
   struct agx_pbe pbe;

   image.format = row->format;
   image.width_px = 50;
   image.height_px = 45;
   make_picture(&p, &image);
   memset(p.memory.host, 0xaa, p.layout.size_B);
   for (unsigned b = 0; b < sizeof(tile); b++)
      tile[b] = (uint8_t)random_below(&random, 256);
   for (unsigned n = 0; n < TILE_PX * TILE_PX && row->is_half; n++) {
      for (unsigned c = 0; c < 4; c++)
         memcpy(tile + n * TILE_SAMPLE_B + TILE_OFFSET_B + 2 * c, (uint16_t[]){0x3800}, 2);
   }
   struct agx_tex_block b = {.dim = AGX_DIM_2D_ARRAY,
                             .format = (uint8_t)row->tile,
                             .tile = tile,
                             .sample_stride_B = TILE_SAMPLE_B,
                             .offset_B = TILE_OFFSET_B,
                             .tile_width_px = TILE_PX,
                             .tile_height_px = TILE_PX,
                             .samples = 1,
                             .x_px = 32,
                             .y_px = 32};
   image_pbe(&p.layout, 0, b.pbe);
   agx_pbe_unpack(&pbe, b.pbe);
   pbe.srgb = false; /* a tile in sRGB is stored as it is */
   if (reversed) {
      enum agx_channel *swizzle[4] = {&pbe.swizzle_r, &pbe.swizzle_g, &pbe.swizzle_b, &pbe.swizzle_a};
      for (unsigned c = 0; c < row->components; c++)
         *swizzle[c] = (enum agx_channel)(row->components - 1 - c);
   }
   agx_pbe_pack(b.pbe, &pbe);
   assert_true(agx_tex_write_block(p.memory.vm, &b, &fault));
   for (unsigned n = 0; n < 50 * 45; n++) {
      const uint32_t x = n % 50, y = n / 50;
      uint8_t want[16];
      memset(want, 0xaa, sizeof(want));
      if (x >= 32 && y >= 32)
         expect_texel(row, tile + ((y - 32) * TILE_PX + (x - 32)) * TILE_SAMPLE_B, reversed, want);
      assert_memory_equal(picture_element(&p, x, y, 0, 0, 0), want, texel_B);
   }
   image_unmap(&p.memory);
}

/* Raw bytes, numbers in another format, and half floats as i16. */
static void
test_blocks(void **state)
{
   static const struct tile_row rows[] = {
      {FORMAT_R8G8B8A8_UNORM, AGX_FORMAT_U8NORM, 4, 1, false}, {FORMAT_R8G8B8A8_UINT, AGX_FORMAT_I8, 4, 1, false},
      {FORMAT_R8G8B8A8_SINT, AGX_FORMAT_I8, 4, 1, false},      {FORMAT_R8G8_SINT, AGX_FORMAT_I8, 2, 1, false},
      {FORMAT_R32_UINT, AGX_FORMAT_I32, 1, 4, false},          {FORMAT_R32G32_SINT, AGX_FORMAT_I32, 2, 4, false},
      {FORMAT_R8G8B8A8_SRGB, AGX_FORMAT_SRGBA8, 4, 1, false},  {FORMAT_R16G16_UINT, AGX_FORMAT_I16, 2, 2, false},
      {FORMAT_R16G16B16A16_SINT, AGX_FORMAT_I16, 4, 2, false}, {FORMAT_R16G16_UNORM, AGX_FORMAT_U16NORM, 2, 2, false},
      {FORMAT_R32G32B32A32_SINT, AGX_FORMAT_I32, 4, 4, false}, {FORMAT_R8G8B8A8_UNORM, AGX_FORMAT_I16, 4, 1, true},
   };
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++)
      check_tile(&rows[i / 2], i % 2);
}

/* ---- filters ---- */

static double
texel_value(uint32_t x, uint32_t y, uint32_t level)
{
   return (double)((x * 37 + y * 91 + level * 53) % 256) / 255.0;
}

/* A chain of R8 whose texels are texel_value(). */
static void
fill_picture(struct picture *p, uint32_t width, uint32_t height, uint32_t levels)
{
   struct ail_image image = plain_image;
   image.format = FORMAT_R8_UNORM;
   image.width_px = width;
   image.height_px = height;
   image.levels = levels;
   make_picture(p, &image);
   for (uint32_t l = 0; l < levels; l++) {
      for (uint32_t i = 0; i < p->layout.levels[l].width_el * p->layout.levels[l].height_el; i++) {
         uint32_t x = i % p->layout.levels[l].width_el, y = i / p->layout.levels[l].width_el;
         *picture_element(p, x, y, 0, l, 0) = (uint8_t)lround(texel_value(x, y, l) * 255.0);
      }
   }
}

/* Vulkan 16.6: -1 is the border. */
static int
wrapped(enum agx_wrap wrap, int i, int size)
{
   int turn = ((i % (2 * size)) + 2 * size) % (2 * size), mirror = i >= 0 ? i : -1 - i;
   switch (wrap) {
   case AGX_WRAP_REPEAT:
      return ((i % size) + size) % size;
   case AGX_WRAP_MIRRORED_REPEAT:
      return turn < size ? turn : 2 * size - 1 - turn;
   case AGX_WRAP_CLAMP_TO_BORDER:
      return i < 0 || i >= size ? -1 : i;
   case AGX_WRAP_MIRRORED_CLAMP_TO_EDGE:
      return mirror < size ? mirror : size - 1;
   case AGX_WRAP_CLAMP_GL:
   case AGX_WRAP_CLAMP_TO_EDGE:
      break;
   }
   return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static double
reference_texel(const struct picture *p, const struct agx_sampler *s, int x, int y, uint32_t level)
{
   int w = (int)p->layout.levels[level].width_el, h = (int)p->layout.levels[level].height_el;
   x = wrapped(s->wrap_s, x, w);
   y = wrapped(s->wrap_t, y, h);
   return x < 0 || y < 0 ? s->border_colour == AGX_BORDER_COLOUR_OPAQUE_WHITE
                         : texel_value((uint32_t)x, (uint32_t)y, level);
}

static double
reference_level(const struct picture *p, const struct agx_sampler *s, bool linear, double u, double v, uint32_t level)
{
   u *= p->layout.levels[level].width_el;
   v *= p->layout.levels[level].height_el;
   if (!linear)
      return reference_texel(p, s, (int)floor(u), (int)floor(v), level);
   double sum = 0.0, x = floor(u - 0.5), y = floor(v - 0.5), fx = u - 0.5 - x, fy = v - 0.5 - y;
   for (int i = 0; i < 4; i++)
      sum += (i & 1 ? fx : 1 - fx) * (i & 2 ? fy : 1 - fy) *
             reference_texel(p, s, (int)x + (i & 1), (int)y + (i >> 1), level);
   return sum;
}

static double
reference(const struct picture *p, const struct agx_sampler *s, double u, double v, double lod)
{
   double top = p->layout.image.levels - 1;
   lod = fmin(fmax(lod, s->minimum_lod), s->maximum_lod);
   bool linear = (lod > 0 ? s->minify : s->magnify) == AGX_FILTER_LINEAR;
   lod = fmin(fmax(lod, 0.0), top);
   if (s->mip_filter == AGX_MIP_FILTER_NONE)
      return reference_level(p, s, linear, u, v, 0);
   if (s->mip_filter == AGX_MIP_FILTER_NEAREST)
      return reference_level(p, s, linear, u, v, (uint32_t)fmax(ceil(lod + 0.5) - 1.0, 0.0));
   double low = floor(lod), between = lod - low;
   double a = reference_level(p, s, linear, u, v, (uint32_t)low);
   return between > 0 ? a + between * (reference_level(p, s, linear, u, v, (uint32_t)low + 1) - a) : a;
}

static struct agx_sampler
random_sampler(struct random *random)
{
   static const enum agx_wrap wraps[] = {AGX_WRAP_CLAMP_TO_EDGE, AGX_WRAP_REPEAT, AGX_WRAP_MIRRORED_REPEAT,
                                         AGX_WRAP_CLAMP_TO_BORDER, AGX_WRAP_MIRRORED_CLAMP_TO_EDGE};
   return (struct agx_sampler){
      .minimum_lod = random_below(random, 4) ? 0.0f : (float)random_below(random, 8) / 4.0f,
      .maximum_lod = random_below(random, 4) ? 14.0f : 2.5f,
      .maximum_anisotropy = 1,
      .magnify = (enum agx_filter)random_below(random, 2),
      .minify = (enum agx_filter)random_below(random, 2),
      .mip_filter = (enum agx_mip_filter)random_below(random, 3),
      .wrap_s = wraps[random_below(random, ARRAY_SIZE(wraps))],
      .wrap_t = wraps[random_below(random, ARRAY_SIZE(wraps))],
      .border_colour = random_below(random, 2) ? AGX_BORDER_COLOUR_OPAQUE_WHITE : AGX_BORDER_COLOUR_TRANSPARENT_BLACK,
   };
}

/* Coordinates that both ways round alike: none falls between two texels to the last bit. */
static float
random_coordinate(struct random *random)
{
   return (float)random_below(random, 4096) / 1024.0f - 1.5f + 1.0f / 8192.0f;
}

/* Levels given, from derivatives of the quad with a bias, and from gradients: the same level, in three ways. */
static void
test_filters(void **state)
{
   struct random random = {9};
   struct picture p;
   fill_picture(&p, 37, 22, 6);
   for (unsigned n = 0; n < 1500; n++) {
      struct agx_sampler s = random_sampler(&random);
      struct agx_tex_request r = request_of(&p, false, AGX_DIM_2D_ARRAY, &s);
      unsigned way = n % 3;
      static const uint8_t types[] = {AGX_LOD_TYPE_LOD_MIN_6, AGX_LOD_TYPE_AUTO_LOD_BIAS, AGX_LOD_TYPE_LOD_GRAD};
      r.lod_type = types[way];
      double lod[32];
      for (unsigned quad = 0; quad < 32; quad += 4) {
         float u = random_coordinate(&random), v = random_coordinate(&random);
         float step = ldexpf(1.0f, (int)random_below(&random, 5) - 6); /* only of u: the footprint is a line */
         float bias = (float)random_below(&random, 64) / 16.0f - 2.0f;
         for (unsigned lane = quad; lane < quad + 4; lane++) {
            r.coords[0][lane] = float_bits(u + (way == 1 && lane & 1 ? step : 0.0f));
            r.coords[1][lane] = float_bits(v);
            lod[lane] = log2(37.0 * (double)step) + (way == 1 ? (double)bias : 0.0);
            _Float16 given =
               (_Float16)(way == 0 ? (float)(lod[lane] = random_below(&random, 100) / 16.0 - 0.5) : bias);
            memcpy(&r.lod[0][lane], &given, 2);
            if (way == 2) {
               r.lod[0][lane] = float_bits(step);
               r.lod[1][lane] = r.lod[2][lane] = r.lod[3][lane] = 0;
            }
         }
      }
      struct agx_tex_result result;
      run_request(&p, &r, &result);
      for (unsigned lane = 0; lane < 32; lane++) {
         double want = reference(&p, &s, (double)bits_float(r.coords[0][lane]), (double)bits_float(r.coords[1][lane]),
                                 lod[lane]);
         assert_true(fabs((double)bits_float(result.value[0][lane]) - want) < 2e-4);
      }
   }
   image_unmap(&p.memory);
}

/* Gather and offsets, the comparison of each texel, and the query of the level. */
static void
test_gather_compare_query(void **state)
{
   struct random random = {10};
   struct picture p;
   fill_picture(&p, 37, 22, 6);
   for (unsigned n = 0; n < 300; n++) {
      struct agx_sampler s = random_sampler(&random);
      s.minimum_lod = 0.0f;
      s.compare_enable = true;
      s.compare_func = n % 2 ? AGX_COMPARE_FUNC_GREATER : AGX_COMPARE_FUNC_LEQUAL;
      struct agx_tex_request r = request_of(&p, false, AGX_DIM_2D_ARRAY, &s);
      r.gather = AGX_GATHER_GATHER_R;
      r.has_offset = true;
      r.shadow = n & 4;
      for (unsigned lane = 0; lane < 32; lane++) {
         r.coords[0][lane] = float_bits(random_coordinate(&random));
         r.coords[1][lane] = float_bits(random_coordinate(&random));
         r.zs[0][lane] = float_bits((float)random_below(&random, 1000) / 999.5f);
         r.zs[r.shadow][lane] = random_below(&random, 256);
      }
      struct agx_tex_result result;
      run_request(&p, &r, &result);
      for (unsigned i = 0; i < 4 * 32; i++) {
         static const int dx[4] = {0, 1, 1, 0}, dy[4] = {1, 1, 0, 0};
         unsigned lane = i / 4, c = i % 4;
         int packed = (int)r.zs[r.shadow][lane], ox = (packed & 15) - (packed & 8) * 2,
             oy = (packed >> 4) - (packed >> 4 & 8) * 2;
         int x = (int)floor((double)bits_float(r.coords[0][lane]) * 37.0 - 0.5) + dx[c] + ox;
         int y = (int)floor((double)bits_float(r.coords[1][lane]) * 22.0 - 0.5) + dy[c] + oy;
         double want = reference_texel(&p, &s, x, y, 0), ref = (double)bits_float(r.zs[0][lane]);
         if (r.shadow)
            want = n % 2 ? ref > want : ref <= want;
         assert_true(fabs((double)bits_float(result.value[c][lane]) - want) < 1e-6);
      }
   }
   struct agx_sampler s = {.maximum_anisotropy = 1, .maximum_lod = 3.0f, .mip_filter = AGX_MIP_FILTER_LINEAR};
   struct agx_tex_request r = request_of(&p, false, AGX_DIM_2D_ARRAY, &s);
   struct agx_tex_result result;
   r.query_lod = true;
   for (unsigned lane = 0; lane < 32; lane++)
      r.coords[0][lane] = lane & 1 ? float_bits(ldexpf(1.0f, (int)(lane / 4) - 3)) : 0;
   run_request(&p, &r, &result);
   for (unsigned lane = 0; lane < 32; lane++) {
      double lod = log2(37.0) + (double)(lane / 4) - 3.0;
      assert_true(fabs((double)bits_float(result.value[1][lane]) - lod) < 1e-5);
      assert_true(fabs((double)bits_float(result.value[0][lane]) - fmin(fmax(lod, 0.0), 3.0)) < 1e-5);
   }
   image_unmap(&p.memory);
}

/* Each face of both cubes of an array has its own value; directions to the middle of faces find it. */
static void
test_cubes(void **state)
{
   static const float directions[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
   struct ail_image image = plain_image;
   image.dimension = AIL_CUBE;
   image.layers = 12;
   struct picture p;
   make_picture(&p, &image);
   for (uint32_t i = 0; i < 16 * 16 * 12; i++)
      *(uint32_t *)picture_element(&p, i % 16, i / 16 % 16, i / 256, 0, 0) = 100 + i / 256;
   struct agx_sampler s = {.maximum_anisotropy = 1, .maximum_lod = 14.0f};
   struct agx_tex_request r = request_of(&p, false, AGX_DIM_CUBE_ARRAY, &s);
   for (unsigned lane = 0; lane < 32; lane++) {
      for (unsigned c = 0; c < 3; c++)
         r.coords[c][lane] = float_bits(directions[lane % 6][c] * 3.0f + 0.3f);
      r.coords[3][lane] = lane / 6 % 2;
   }
   struct agx_tex_result result;
   run_request(&p, &r, &result);
   for (unsigned lane = 0; lane < 32; lane++)
      assert_int_equal(result.value[0][lane], 100 + lane / 6 % 2 * 6 + lane % 6);
   image_unmap(&p.memory);
}

/* How many registers the engine reads. */
static void
test_operands(void **state)
{
   static const struct {
      struct agx_modifiers mod;
      bool has_offset, coords_16;
      uint8_t coords, lod, zs;
   } rows[] = {
      {{.dim = AGX_DIM_2D}, false, false, 2, 0, 0},
      {{.dim = AGX_DIM_2D_MS_ARRAY}, false, false, 3, 0, 0},
      {{.dim = AGX_DIM_2D_MS_ARRAY}, false, true, 4, 0, 0},
      {{.dim = AGX_DIM_CUBE_ARRAY, .lod_type = AGX_LOD_TYPE_LOD_GRAD_MIN, .shadow = 1}, true, false, 4, 7, 2},
      {{.dim = AGX_DIM_3D, .lod_type = AGX_LOD_TYPE_AUTO_LOD_BIAS_MIN}, true, false, 3, 2, 1},
      {{.dim = AGX_DIM_2D_ARRAY, .lod_type = AGX_LOD_TYPE_AUTO_LOD_BIAS, .query_lod = 1}, false, false, 2, 1, 0},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct agx_tex_operands o = agx_tex_operands(&rows[i].mod, rows[i].has_offset, rows[i].coords_16);
      assert_int_equal(o.coords, rows[i].coords);
      assert_int_equal(o.lod, rows[i].lod);
      assert_int_equal(o.zs, rows[i].zs);
   }
}

/* ---- bad input ---- */

static void
flip_bits(struct random *random, uint32_t *words, unsigned count)
{
   for (unsigned n = random_below(random, 6); n; n--)
      words[random_below(random, count)] ^= 1u << random_below(random, 32);
}

/* Descriptors, samplers and coordinates of any value: a result, or a fault with a sentence. */
static void
test_any_bits(void **state)
{
   static const uint8_t lod_types[] = {0, 1, 2, 4, 5, 6, 9, 12, 13};
   struct random random = {11};
   unsigned ran = 0, faults = 0;
   for (unsigned n = 0; n < 60; n++) {
      struct ail_image image = random_image(&random, 200);
      struct picture p;
      if (ail_layout_init(&p.layout, &image) || ail_format_channels(image.format) < 0)
         continue;
      make_picture(&p, &image);
      for (unsigned i = 0; i < 300; i++) {
         struct agx_sampler sampler = random_sampler(&random);
         struct agx_tex_request r = request_of(&p, i % 2, random_below(&random, 9), &sampler);
         struct agx_tex_write w = {.dim = r.dim, .exec = ~0u, .rtz = i & 4, .data_16 = i & 8};
         struct agx_tex_result result;
         struct sim_fault fault = {0};
         image_pbe(&p.layout, random_below(&random, image.levels), w.pbe);
         r.lod_type = r.fetch ? 2 : lod_types[random_below(&random, ARRAY_SIZE(lod_types))];
         r.gather = (uint8_t)(random_below(&random, 4) || r.fetch ? 0 : 1 + 2 * random_below(&random, 4));
         r.dst_16 = i & 16;
         r.shadow = !r.fetch && i & 32;
         r.has_offset = i & 64;
         flip_bits(&random, r.texture, 6);
         flip_bits(&random, r.sampler, 2);
         flip_bits(&random, w.pbe, 6);
         for (unsigned lane = 0; lane < 32; lane++) {
            for (unsigned c = 0; c < 5; c++) {
               r.coords[c][lane] = any_number(&random);
               w.coords[c][lane] = random_below(&random, 2) ? any_number(&random) : random_below(&random, 60);
            }
            for (unsigned c = 0; c < 7; c++)
               r.lod[c][lane] = any_number(&random);
            w.data[i % 4][lane] = r.zs[0][lane] = r.zs[1][lane] = any_number(&random);
         }
         bool ok = agx_tex_run(p.memory.vm, &r, &result, &fault);
         assert_true(ok == !fault.kind && ok == !fault.message[0]);
         ran += ok;
         fault = (struct sim_fault){0};
         ok = agx_tex_write(p.memory.vm, &w, &fault);
         assert_true(ok == !fault.kind && ok == !fault.message[0]);
         faults += !ok;
      }
      image_unmap(&p.memory);
   }
   assert_true(ran > 300 && faults > 300);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_outside),
      cmocka_unit_test(test_no_texels),
      cmocka_unit_test(test_swizzles),
      cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_filters),
      cmocka_unit_test(test_gather_compare_query),
      cmocka_unit_test(test_cubes),
      cmocka_unit_test(test_operands),
      cmocka_unit_test(test_any_bits),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
