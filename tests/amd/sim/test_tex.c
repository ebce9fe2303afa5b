/* The texture unit against double arithmetic on small images. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex.h"
#include "util/macros.h"

enum { MEMORY_B = 4 << 20 };

static const uint64_t base = UINT64_C(0x200000000);
static struct sim_vm *vm;
static uint8_t *memory;

static int
setup(void **state)
{
   vm = sim_vm_create();
   memory = aligned_alloc(4096, MEMORY_B);
   memset(memory, 0, MEMORY_B);
   sim_vm_map(vm, sim_va(base), MEMORY_B, memory, SIM_READ | SIM_WRITE);
   return 0;
}

static int
teardown(void **state)
{
   sim_vm_destroy(vm);
   free(memory);
   return 0;
}

static void
describe(uint32_t t[8], unsigned type, unsigned format, unsigned w, unsigned h, unsigned depth, unsigned levels,
         unsigned mode)
{
   /* size: fields of a descriptor */
   memset(t, 0, 32);
   t[0] = (uint32_t)(base >> 8);
   t[1] = S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI(base >> 40) | S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, format) |
          S_SQ_IMG_RSRC_WORD1_WIDTH_LO(w - 1);
   t[2] = S_SQ_IMG_RSRC_WORD2_WIDTH_HI((w - 1) >> 2) | S_SQ_IMG_RSRC_WORD2_HEIGHT(h - 1) |
          S_SQ_IMG_RSRC_WORD2_RESOURCE_LEVEL(1);
   t[3] = S_SQ_IMG_RSRC_WORD3_DST_SEL_X(4) | S_SQ_IMG_RSRC_WORD3_DST_SEL_Y(5) | S_SQ_IMG_RSRC_WORD3_DST_SEL_Z(6) |
          S_SQ_IMG_RSRC_WORD3_DST_SEL_W(7) | S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(levels - 1) |
          S_SQ_IMG_RSRC_WORD3_TYPE(type) | S_SQ_IMG_RSRC_WORD3_SW_MODE(mode);
   t[4] = S_SQ_IMG_RSRC_WORD4_DEPTH(depth - 1);
   t[5] = S_SQ_IMG_RSRC_WORD5_MAX_MIP(AMD_GFX10_3, levels - 1);
}

static struct amd_tex_request
request_of(enum amd_tex_kind kind, unsigned dim)
{
   return (struct amd_tex_request){.kind = kind,
                                   .lod_mode = AMD_TEX_LOD_ZERO,
                                   .dim = (uint8_t)dim,
                                   .dmask = 15,
                                   .lanes = 64,
                                   .exec = 1,
                                   .chip = amd_chip_by_name("navi21")};
}

static void
read_lane(const struct amd_tex_request *r, unsigned lane, float out[4])
{
   static uint32_t result[4][AMD_TEX_LANES];
   struct sim_fault fault = {0};
   if (!amd_tex_read(vm, sim_va(0), r, result, &fault))
      fail_msg("%s", fault.message);
   for (unsigned c = 0; c < 4; c++)
      memcpy(&out[c], &result[c][lane], 4);
}

static void
read_lane0(const struct amd_tex_request *r, float out[4])
{
   read_lane(r, 0, out);
}

static uint32_t seed = 3;

static double
next_random(void)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) / 16777216.0;
}

static int
reference_wrap(unsigned mode, int i, int n)
{
   int period = 2 * n, m;
   switch (mode) {
   case V_SQ_TEX_WRAP:
      return ((i % n) + n) % n;
   case V_SQ_TEX_MIRROR:
      m = ((i % period) + period) % period;
      return m < n ? m : period - 1 - m;
   case V_SQ_TEX_CLAMP_LAST_TEXEL:
      return i < 0 ? 0 : i >= n ? n - 1 : i;
   case V_SQ_TEX_MIRROR_ONCE_LAST_TEXEL:
      m = i < 0 ? -1 - i : i;
      return m >= n ? n - 1 : m;
   default: /* others: to the border */
      return i >= 0 && i < n ? i : -1;
   }
}

/* NaN: rounding of floats decides. */
static double
nearest_256th(double x)
{
   double between = x * 256 - floor(x * 256);
   return fabs(between - 0.5) < 1e-2 ? NAN : floor(x * 256 + 0.5) / 256;
}

/* A 16x8 R32_FLOAT image of pitch 64. */
static void
bilinear_and_address_modes(void **state)
{
   enum { IMG_W = 16, IMG_H = 8, PITCH = 64 };
   float *texels = (float *)memory;
   for (unsigned i = 0; i < PITCH * IMG_H; i++)
      texels[i] = (float)next_random();
   static const unsigned modes[] = {V_SQ_TEX_WRAP, V_SQ_TEX_MIRROR, V_SQ_TEX_CLAMP_LAST_TEXEL,
                                    V_SQ_TEX_MIRROR_ONCE_LAST_TEXEL, V_SQ_TEX_CLAMP_BORDER};
   for (unsigned m = 0; m < ARRAY_SIZE(modes); m++) {
      for (unsigned linear = 0; linear < 2; linear++) {
         struct amd_tex_request r = request_of(AMD_TEX_SAMPLE, 1);
         describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT, IMG_W, IMG_H, 1, 1, 0);
         r.sampler[0] = S_SQ_IMG_SAMP_WORD0_CLAMP_X(modes[m]) | S_SQ_IMG_SAMP_WORD0_CLAMP_Y(modes[m]);
         r.sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
         r.sampler[2] = S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(linear) | S_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(linear);
         r.sampler[3] = S_SQ_IMG_SAMP_WORD3_BORDER_COLOR_TYPE(V_SQ_TEX_BORDER_COLOR_OPAQUE_WHITE);
         for (unsigned n = 0; n < 2000; n++) {
            float out[4];
            r.coord.f[0][0] = (float)(next_random() * 6 - 3);
            r.coord.f[1][0] = (float)(next_random() * 6 - 3);
            read_lane0(&r, out);
            double u = (double)r.coord.f[0][0] * IMG_W, v = (double)r.coord.f[1][0] * IMG_H;
            if (linear) {
               u = nearest_256th(u - 0.5);
               v = nearest_256th(v - 0.5);
            }
            if (isnan(u) || isnan(v))
               continue;
            int x = (int)floor(u), y = (int)floor(v);
            double expected = 0, fx = linear ? u - x : 0, fy = linear ? v - y : 0;
            for (int k = 0; k < 4; k++) {
               int tx = reference_wrap(modes[m], x + (k & 1), IMG_W),
                   ty = reference_wrap(modes[m], y + (k >> 1), IMG_H);
               double texel = tx < 0 || ty < 0 ? 1.0 : (double)texels[ty * PITCH + tx];
               expected += texel * (k & 1 ? fx : 1 - fx) * (k >> 1 ? fy : 1 - fy);
            }
            assert_true(fabs((double)out[0] - expected) < 1e-4);
            assert_true(out[3] == 1.0f);
         }
      }
   }
}

/* Clamped half way to the border (OpenGL's CLAMP) a nearest texel is one of the image's, where an offset ends too: it
 * belongs to the texel's place, which is what wraps (OpenGL 4.6, 8.14.3 and 8.14.2). */
static void
offsets_are_clamped_half_way(void **state)
{
   static const struct {
      float s;
      int8_t offset;
      float texel;
   } rows[] = {{0.5f, 0, 8},  {1.2f, 3, 15}, {0.9f, 3, 15}, {1.2f, -8, 11},
               {-0.3f, 6, 1}, {-0.3f, 2, 0}, {0.1f, -4, 0}};
   float *texels = (float *)memory;
   for (unsigned i = 0; i < 64; i++)
      texels[i] = (float)i;
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct amd_tex_request r = request_of(AMD_TEX_SAMPLE, 1);
      float out[4];
      describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT, 16, 1, 1, 1, 0);
      r.sampler[0] = S_SQ_IMG_SAMP_WORD0_CLAMP_X(V_SQ_TEX_CLAMP_HALF_BORDER);
      r.sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
      r.sampler[3] = S_SQ_IMG_SAMP_WORD3_BORDER_COLOR_TYPE(V_SQ_TEX_BORDER_COLOR_OPAQUE_WHITE);
      r.has_offset = true;
      for (unsigned lane = 0; lane < AMD_TEX_LANES; lane++)
         r.offset[0][lane] = rows[i].offset;
      r.coord.f[0][0] = rows[i].s;
      r.coord.f[1][0] = 0.5f;
      read_lane0(&r, out);
      assert_true(out[0] == rows[i].texel);
   }
}

/* Weights of filters, within a level and between two, are the nearest multiples of 1/256 (subTexelPrecisionBits,
 * mipmapPrecisionBits): two texels or levels of 0 and 1 show them. */
static void
weights_of_filters(void **state)
{
   enum { PITCH = 64, STEPS = 256 * 16 };
   struct amd_tex_request r = request_of(AMD_TEX_SAMPLE, 1);
   float *texels = (float *)memory, out[4];
   texels[1] = 1.0f;
   describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT, 2, 1, 1, 1, 0);
   r.sampler[0] =
      S_SQ_IMG_SAMP_WORD0_CLAMP_X(V_SQ_TEX_CLAMP_LAST_TEXEL) | S_SQ_IMG_SAMP_WORD0_CLAMP_Y(V_SQ_TEX_CLAMP_LAST_TEXEL);
   r.sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
   r.sampler[2] = S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(1) | S_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(1) |
                  S_SQ_IMG_SAMP_WORD2_MIP_FILTER(V_SQ_TEX_MIP_FILTER_LINEAR);
   for (unsigned i = 0; i <= STEPS; i++) {
      double weight = (double)i / STEPS;
      r.coord.f[0][0] = (float)((weight + 0.5) / 2);
      read_lane0(&r, out);
      assert_true(fmod((double)out[0] * 256, 1) == 0 && fabs((double)out[0] - weight) <= 1 / 512.0);
   }
   describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT, 2, 2, 1, 2, 0);
   for (unsigned i = 0; i < 2048; i++) /* the last level is first */
      texels[i] = i < PITCH ? 1.0f : 0.0f;
   r.lod_mode = AMD_TEX_LOD_EXPLICIT;
   for (unsigned i = 0; i <= STEPS; i++) {
      double lod = (double)i / STEPS;
      r.lod.f[0] = (float)lod;
      read_lane0(&r, out);
      assert_true(fmod((double)out[0] * 256, 1) == 0 && fabs((double)out[0] - lod) <= 1 / 512.0);
   }
   memset(memory, 0, 8192);
}

/* Three levels of constant colour: the level shows in the value. Linear images hold the last level first. */
static void
levels_of_detail(void **state)
{
   float *texels = (float *)memory;
   const unsigned start_el[3] = {64 * 4 + 64 * 8, 64 * 4, 0};
   for (unsigned level = 0; level < 3; level++) {
      for (unsigned i = 0; i < 64 * (16u >> level); i++)
         texels[start_el[level] + i] = (float)level;
   }
   struct amd_tex_request r = request_of(AMD_TEX_SAMPLE, 1);
   describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT, 16, 16, 1, 3, 0);
   for (unsigned mip = 0; mip < 3; mip++) {
      r.sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
      r.sampler[2] = S_SQ_IMG_SAMP_WORD2_MIP_FILTER(mip);
      for (float lod = -1.0f; lod < 4.0f; lod += 0.125f) {
         float out[4], clamped = lod < 0 ? 0 : lod > 2 ? 2 : lod;
         r.lod_mode = AMD_TEX_LOD_EXPLICIT;
         r.lod.f[0] = lod;
         read_lane0(&r, out);
         if (mip == V_SQ_TEX_MIP_FILTER_LINEAR)
            assert_true(fabsf(out[0] - clamped) < 1e-5f);
         else if (mip == V_SQ_TEX_MIP_FILTER_POINT && fabsf(clamped - floorf(clamped) - 0.5f) > 0.01f)
            assert_true(out[0] == roundf(clamped));
         else if (mip == V_SQ_TEX_MIP_FILTER_NONE)
            assert_true(out[0] == 0.0f);
      }
      /* Derivatives of 2 texels a pixel: level 1. */
      r.lod_mode = AMD_TEX_LOD_IMPLICIT;
      for (unsigned lane = 0; lane < 4; lane++) {
         r.coord.f[0][lane] = 0.3f + (float)(lane & 1) * 2.0f / 16.0f;
         r.coord.f[1][lane] = 0.3f + (float)(lane >> 1) * 0.5f / 16.0f;
      }
      float out[4];
      read_lane0(&r, out);
      assert_true(fabsf(out[0] - (mip ? 1.0f : 0.0f)) < 1e-5f);
   }
}

static void
shadow_and_gather(void **state)
{
   float *texels = (float *)memory;
   for (unsigned y = 0; y < 4; y++) {
      for (unsigned x = 0; x < 4; x++)
         texels[y * 64 + x] = (float)(y * 4 + x) / 16.0f;
   }
   struct amd_tex_request r = request_of(AMD_TEX_GATHER4, 1);
   float out[4];
   describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT, 4, 4, 1, 1, 0);
   r.sampler[0] = S_SQ_IMG_SAMP_WORD0_DEPTH_COMPARE_FUNC(V_SQ_TEX_DEPTH_COMPARE_LESS);
   r.sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
   r.sampler[2] = S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(1);
   r.dmask = 1;
   r.coord.f[0][0] = r.coord.f[1][0] = 0.5f; /* between texels 1 and 2 */
   read_lane0(&r, out);
   assert_true(out[0] == 9 / 16.0f && out[1] == 10 / 16.0f && out[2] == 6 / 16.0f && out[3] == 5 / 16.0f);
   r.kind = AMD_TEX_SAMPLE;
   r.compare = true;
   r.zcompare[0] = 7.5f / 16.0f; /* less than the lower two of the four */
   read_lane0(&r, out);
   assert_true(fabsf(out[0] - 0.5f) < 1e-6f);
   /* Texels of 2 are less than a reference of 3 only if that stays 3. */
   for (unsigned i = 0; i < 4 * 64; i++)
      texels[i] = 2.0f;
   r.sampler[0] = S_SQ_IMG_SAMP_WORD0_DEPTH_COMPARE_FUNC(V_SQ_TEX_DEPTH_COMPARE_GREATER);
   r.zcompare[0] = 3.0f;
   read_lane0(&r, out);
   assert_true(out[0] == 1.0f);
   describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT_CLAMP, 4, 4, 1, 1, 0);
   read_lane0(&r, out);
   assert_true(out[0] == 0.0f);
}

/* A direction and its image on the six faces, by the table of the Vulkan specification, against faces of one colour
 * each: seamless edges mix neighbours half and half. */
static void
cube_edges(void **state)
{
   float *texels = (float *)memory;
   for (unsigned face = 0; face < 6; face++) {
      for (unsigned i = 0; i < 64 * 4; i++)
         texels[face * 64 * 4 + i] = (float)(1 << face);
   }
   struct amd_tex_request r = request_of(AMD_TEX_SAMPLE, 3);
   float out[4];
   describe(r.resource, V_SQ_RSRC_IMG_CUBE, V_GFX10_FORMAT_32_FLOAT, 4, 4, 6, 1, 0);
   r.sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
   r.sampler[2] = S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(1);
   /* Of +X: left +Z, right -Z, top +Y, bottom -Y. */
   static const struct {
      float s, t, expected;
   } cases[] = {{1.5f, 1.5f, 1},
                {1.0f, 1.5f, (1 + 16) / 2.0f},
                {2.0f, 1.5f, (1 + 32) / 2.0f},
                {1.5f, 1.0f, (1 + 4) / 2.0f},
                {1.5f, 2.0f, (1 + 8) / 2.0f}};
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      r.coord.f[0][0] = cases[i].s;
      r.coord.f[1][0] = cases[i].t;
      r.coord.f[2][0] = 0;
      read_lane0(&r, out);
      assert_true(fabsf(out[0] - cases[i].expected) < 1e-4f);
   }
}

static unsigned
reference_face(const double r[3])
{
   double ax = fabs(r[0]), ay = fabs(r[1]), az = fabs(r[2]);
   return az >= ax && az >= ay ? (r[2] < 0 ? 5 : 4) : ay >= ax ? (r[1] < 0 ? 3 : 2) : r[0] < 0 ? 1 : 0;
}

/* s and t of a direction on the plane of a face: the table of the Vulkan specification, 16.5.1. */
static void
reference_on_face(unsigned face, const double r[3], double st[2])
{
   const double sc[6] = {-r[2], r[2], r[0], r[0], r[0], -r[0]}, tc[6] = {-r[1], -r[1], r[2], -r[2], -r[1], -r[1]};
   double major = fabs(r[face / 2]);
   st[0] = (sc[face] / major + 1) / 2;
   st[1] = (tc[face] / major + 1) / 2;
}

/* Level of a quad's directions on the plane of a face. */
static double
reference_cube_level(unsigned face, double directions[4][3], double size)
{
   double st[4][2];
   for (unsigned lane = 0; lane < 4; lane++)
      reference_on_face(face, directions[lane], st[lane]);
   return log2(
      size * fmax(hypot(st[1][0] - st[0][0], st[1][1] - st[0][1]), hypot(st[2][0] - st[0][0], st[2][1] - st[0][1])));
}

/* In quads around edges and corners of a cube each lane has the level of their directions, seen from its own face.
 * The shader's coordinates are those of v_cubesc, v_cubetc and v_cubeid: each lane's on a face of its own. */
static void
quads_across_cube_faces(void **state)
{
   enum { SIZE = 256 };
   unsigned across[5] = {0};
   struct amd_tex_request r = request_of(AMD_TEX_GET_LOD, 3);
   describe(r.resource, V_SQ_RSRC_IMG_CUBE, V_GFX10_FORMAT_32_FLOAT, SIZE, SIZE, 6, 1, 0);
   for (unsigned n = 0; n < 20000; n++) {
      double step[2][3], directions[4][3];
      for (unsigned i = 0; i < 3; i++) {
         /* Many directions with two or three components of about the same size. */
         bool large = i == n % 3 || next_random() < 0.7;
         directions[0][i] = (next_random() < 0.5 ? -1 : 1) * (large ? 1 + 0.1 * next_random() : next_random());
         step[0][i] = 0.4 * (next_random() - 0.5);
         step[1][i] = 0.4 * (next_random() - 0.5);
         for (unsigned lane = 1; lane < 4; lane++)
            directions[lane][i] = directions[0][i] + (lane & 1 ? step[0][i] : 0) + (lane & 2 ? step[1][i] : 0);
      }
      unsigned faces = 0;
      for (unsigned lane = 0; lane < 4; lane++) {
         double st[2];
         unsigned face = reference_face(directions[lane]);
         faces |= 1u << face;
         reference_on_face(face, directions[lane], st);
         r.coord.f[0][lane] = (float)(st[0] + 1);
         r.coord.f[1][lane] = (float)(st[1] + 1);
         r.coord.f[2][lane] = (float)(face + 8 * (n % 3));
      }
      /* Lanes that are not executed have coordinates all the same. */
      unsigned lane = n / 2 % 4;
      float out[4];
      r.exec = 1u << lane | (unsigned)(16 * next_random());
      r.lod_mode = n % 2 ? AMD_TEX_LOD_IMPLICIT : AMD_TEX_LOD_BIAS;
      read_lane(&r, lane, out);
      across[__builtin_popcount(faces)]++;
      double level = reference_cube_level(reference_face(directions[lane]), directions, SIZE);
      assert_true(fabs((double)out[1] - level) < 0.005);
   }
   assert_true(across[1] > 1000 && across[2] > 5000 && across[3] > 500);
}

/* A quad that looks in opposite directions sees the smallest level. */
static void
quad_around_the_cube(void **state)
{
   struct amd_tex_request r = request_of(AMD_TEX_GET_LOD, 3);
   describe(r.resource, V_SQ_RSRC_IMG_CUBE, V_GFX10_FORMAT_32_FLOAT, 64, 64, 6, 7, 0);
   r.sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
   r.sampler[2] = S_SQ_IMG_SAMP_WORD2_MIP_FILTER(V_SQ_TEX_MIP_FILTER_LINEAR);
   r.lod_mode = AMD_TEX_LOD_IMPLICIT;
   for (unsigned lane = 0; lane < 4; lane++) {
      r.coord.f[0][lane] = r.coord.f[1][lane] = 1.5f;
      r.coord.f[2][lane] = (float)(lane & 1);
   }
   float out[4];
   read_lane0(&r, out);
   assert_true(out[0] == 6.0f);
}

enum { ANISO_PX = 32, ANISO_LEVELS = 6, ANISO_PITCH = 64 };

/* Linear images hold the last level first. */
static float *
aniso_level(unsigned level)
{
   unsigned rows = 0;
   for (unsigned i = level + 1; i < ANISO_LEVELS; i++)
      rows += ANISO_PX >> i;
   return (float *)memory + rows * ANISO_PITCH;
}

static double
aniso_bilinear(unsigned level, double s, double t)
{
   int size = ANISO_PX >> level, x = (int)floor(s * size - 0.5), y = (int)floor(t * size - 0.5);
   double fx = s * size - 0.5 - x, fy = t * size - 0.5 - y, sum = 0;
   for (int k = 0; k < 4; k++) {
      int tx = reference_wrap(V_SQ_TEX_MIRROR, x + (k & 1), size);
      int ty = reference_wrap(V_SQ_TEX_MIRROR, y + (k >> 1), size);
      sum += (double)aniso_level(level)[ty * ANISO_PITCH + tx] * (k & 1 ? fx : 1 - fx) * (k >> 1 ? fy : 1 - fy);
   }
   return sum;
}

/* Vulkan 1.3, 16.5.4 and 16.8.2; NAN where the number of probes is a matter of rounding. */
static double
aniso_reference(const double at[2], const double d[2][2], double max)
{
   double rho[2] = {hypot(d[0][0], d[0][1]) * ANISO_PX, hypot(d[1][0], d[1][1]) * ANISO_PX};
   unsigned longer = rho[0] > rho[1] ? 0 : 1;
   double eta = fmin(rho[longer] / rho[!longer], max), probes = ceil(eta);
   if (eta < max && eta - floor(eta) < 0.02)
      return NAN;
   double lod = fmin(fmax(log2(rho[longer] / eta), 0), ANISO_LEVELS - 1), sum = 0;
   unsigned level = (unsigned)lod;
   for (double i = 1; i <= probes; i++) {
      double along = i / (probes + 1) - 0.5;
      double s = at[0] + d[longer][0] * along, t = at[1] + d[longer][1] * along;
      double near = aniso_bilinear(level, s, t);
      double far = aniso_bilinear(level + 1 < ANISO_LEVELS ? level + 1 : level, s, t);
      sum += near + (far - near) * (lod - level);
   }
   return sum / probes;
}

/* Footprints of all directions and ratios, by derivatives of the quad and given ones. */
static void
anisotropic_footprints(void **state)
{
   unsigned compared = 0;
   for (unsigned level = 0; level < ANISO_LEVELS; level++) {
      for (int i = 0; i < (ANISO_PX >> level) * ANISO_PITCH; i++)
         aniso_level(level)[i] = (float)next_random();
   }
   struct amd_tex_request r = request_of(AMD_TEX_SAMPLE, 1);
   describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT, ANISO_PX, ANISO_PX, 1, ANISO_LEVELS, 0);
   for (unsigned n = 0; n < 8000; n++) {
      unsigned ratio_log2 = n % 5;
      r.sampler[0] = S_SQ_IMG_SAMP_WORD0_CLAMP_X(V_SQ_TEX_MIRROR) | S_SQ_IMG_SAMP_WORD0_CLAMP_Y(V_SQ_TEX_MIRROR) |
                     S_SQ_IMG_SAMP_WORD0_MAX_ANISO_RATIO(ratio_log2);
      r.sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
      r.sampler[2] = S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(V_SQ_TEX_XY_FILTER_ANISO_BILINEAR) |
                     S_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(V_SQ_TEX_XY_FILTER_ANISO_BILINEAR) |
                     S_SQ_IMG_SAMP_WORD2_MIP_FILTER(V_SQ_TEX_MIP_FILTER_LINEAR) |
                     S_SQ_IMG_SAMP_WORD2_ANISO_OVERRIDE(AMD_GFX10_3, n >> 3 & 1); /* concerns views of one level */
      double angle = next_random() * 6.3, across = angle + 1.57 + next_random() - 0.5;
      double length = exp2(next_random() * 6 - 1) / ANISO_PX, ratio = exp2(next_random() * 5);
      double major[2] = {length * cos(angle), length * sin(angle)};
      double minor[2] = {length / ratio * cos(across), length / ratio * sin(across)};
      bool swap = n >> 4 & 1;
      r.lod_mode = n & 1 ? AMD_TEX_LOD_GRADIENT : AMD_TEX_LOD_IMPLICIT;
      for (unsigned i = 0; i < 2; i++) {
         r.ddx[i][0] = (float)(swap ? minor : major)[i];
         r.ddy[i][0] = (float)(swap ? major : minor)[i];
         r.coord.f[i][0] = (float)next_random();
         r.coord.f[i][1] = r.coord.f[i][0] + r.ddx[i][0];
         r.coord.f[i][2] = r.coord.f[i][0] + r.ddy[i][0];
      }
      const double at[2] = {(double)r.coord.f[0][0], (double)r.coord.f[1][0]};
      const double d[2][2] = {{major[0], major[1]}, {minor[0], minor[1]}};
      double expected = aniso_reference(at, d, 1 << ratio_log2);
      float out[4];
      read_lane0(&r, out);
      compared += !isnan(expected);
      /* Texels lie in [0, 1]; three weights are at most 1/512 off. */
      assert_true(isnan(expected) || fabs((double)out[0] - expected) < 3 / 512.0 + 1e-3);
   }
   assert_true(compared > 7000);
}

/* Rows of a grazing surface stay apart: eight columns and one row to a pixel. ANISO_OVERRIDE makes the filter
 * isotropic where the view has one level. */
static void
grazing_rows(void **state)
{
   for (unsigned level = 0; level < ANISO_LEVELS; level++) {
      for (int y = 0; y < ANISO_PX >> level; y++) {
         for (int x = 0; x < ANISO_PX >> level; x++)
            aniso_level(level)[y * ANISO_PITCH + x] = level ? 0.5f : (float)(y & 1);
      }
   }
   for (unsigned override = 0; override < 2; override++) {
      for (unsigned first = 0; first < 2; first++) { /* the view has all levels, or one */
         struct amd_tex_request r = request_of(AMD_TEX_SAMPLE, 1);
         describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT, ANISO_PX, ANISO_PX, 1, ANISO_LEVELS, 0);
         if (first)
            r.resource[3] &= ~S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(15);
         r.sampler[0] = S_SQ_IMG_SAMP_WORD0_MAX_ANISO_RATIO(4);
         r.sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
         r.sampler[2] = S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(3) | S_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(3) |
                        S_SQ_IMG_SAMP_WORD2_MIP_FILTER(2) | S_SQ_IMG_SAMP_WORD2_ANISO_OVERRIDE(AMD_GFX10_3, override);
         r.lod_mode = AMD_TEX_LOD_GRADIENT;
         r.ddx[0][0] = 8.0f / ANISO_PX;
         r.ddy[1][0] = 1.0f / ANISO_PX;
         r.coord.f[0][0] = 0.4f;
         r.coord.f[1][0] = 5.5f / ANISO_PX;
         float out[4];
         read_lane0(&r, out);
         assert_true(fabsf(out[0] - 1.0f) < 1e-4f);
         r.kind = AMD_TEX_GET_LOD;
         read_lane0(&r, out);
         assert_true(fabsf(out[1] - (override && first ? 3.0f : 0.0f)) < 1e-4f);
      }
   }
}

/* Mean colour of the probes around the start of a step, or its end, on the plane of that one's face; NAN if one lies
 * on an edge. A face's colour is its number. */
static double
mean_face(const double start[3], const double step[3], bool at_end, unsigned probes)
{
   const double end[3] = {start[0] + step[0], start[1] + step[1], start[2] + step[2]};
   unsigned axis = reference_face(at_end ? end : start) / 2;
   double sum = 0, end_scale = fabs(end[axis]);
   for (unsigned i = 1; i <= probes; i++) {
      double along = i / (probes + 1.0) - 0.5 + at_end, probe[3], size[3];
      for (unsigned c = 0; c < 3; c++) {
         double first = start[c] / fabs(start[axis]);
         probe[c] = first + along * (end[c] / end_scale - first);
         size[c] = fabs(probe[c]);
      }
      unsigned face = reference_face(probe);
      if (fmax(fmin(size[0], size[1]), fmin(fmax(size[0], size[1]), size[2])) > 0.9999 * size[face / 2])
         return NAN;
      sum += face;
   }
   return sum / probes;
}

/* Probes that leave a face continue on its neighbour; the second lane is often on another face than the first. */
static void
probes_across_cube_faces(void **state)
{
   enum { FACE_PX = 64 };
   static uint32_t result[4][AMD_TEX_LANES];
   unsigned mixed = 0;
   for (unsigned i = 0; i < 6 * FACE_PX * FACE_PX; i++)
      ((float *)memory)[i] = (float)(i / (FACE_PX * FACE_PX));
   struct amd_tex_request r = request_of(AMD_TEX_SAMPLE, 3);
   describe(r.resource, V_SQ_RSRC_IMG_CUBE, V_GFX10_FORMAT_32_FLOAT, FACE_PX, FACE_PX, 6, 1, 0);
   r.sampler[0] = S_SQ_IMG_SAMP_WORD0_MAX_ANISO_RATIO(4);
   r.sampler[1] = S_SQ_IMG_SAMP_WORD1_MAX_LOD(0xfff);
   r.sampler[2] = S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(V_SQ_TEX_XY_FILTER_ANISO_POINT) |
                  S_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(V_SQ_TEX_XY_FILTER_ANISO_POINT);
   r.exec = 3;
   r.lod_mode = AMD_TEX_LOD_IMPLICIT;
   for (unsigned n = 0; n < 4000; n++) {
      double start[3], step[3], short_step[3];
      for (unsigned i = 0; i < 3; i++) {
         bool large = i == n % 3 || next_random() < 0.7;
         start[i] = (next_random() < 0.5 ? -1 : 1) * (large ? 1 + 0.1 * next_random() : next_random());
         step[i] = 0.4 * (next_random() - 0.5);
         short_step[i] = step[i] / 100;
      }
      for (unsigned lane = 0; lane < 4; lane++) {
         double direction[3], st[2];
         for (unsigned i = 0; i < 3; i++)
            direction[i] = start[i] + (lane & 1 ? step[i] : 0) + (lane & 2 ? short_step[i] : 0);
         unsigned face = reference_face(direction);
         reference_on_face(face, direction, st);
         r.coord.f[0][lane] = (float)(st[0] + 1);
         r.coord.f[1][lane] = (float)(st[1] + 1);
         r.coord.f[2][lane] = (float)face;
      }
      struct sim_fault fault = {0};
      assert_true(amd_tex_read(vm, sim_va(0), &r, result, &fault));
      for (unsigned lane = 0; lane < 2; lane++) {
         double expected = mean_face(start, step, lane, 16);
         mixed += !isnan(expected) && expected != floor(expected);
         assert_true(isnan(expected) || fabs((double)bits_float(result[0][lane]) - expected) < 1e-4);
      }
   }
   assert_true(mixed > 2000);
}

/* Arrays, 3D, stores' addresses and sizes. */
static void
loads_and_sizes(void **state)
{
   uint32_t *texels = (uint32_t *)memory;
   for (unsigned i = 0; i < 64 * 8 * 4; i++)
      texels[i] = i;
   struct amd_tex_request r = request_of(AMD_TEX_LOAD, 5);
   describe(r.resource, V_SQ_RSRC_IMG_2D_ARRAY, V_GFX10_FORMAT_32_UINT, 10, 8, 4, 1, 0);
   static uint32_t result[4][AMD_TEX_LANES];
   struct sim_fault fault = {0};
   r.coord.u[0][0] = 3, r.coord.u[1][0] = 2, r.coord.u[2][0] = 1;
   assert_true(amd_tex_read(vm, sim_va(0), &r, result, &fault));
   assert_int_equal(result[0][0], 64 * 8 + 2 * 64 + 3);
   assert_int_equal(result[3][0], 1);
   struct sim_va va[AMD_TEX_LANES];
   uint64_t valid = 1;
   assert_true(amd_tex_locate(&r, NULL, va, &valid, &fault));
   assert_int_equal(valid, 1);
   assert_int_equal(va[0].va, base + (64 * 8 + 2 * 64 + 3) * 4);
   r.coord.u[0][0] = 10; /* outside */
   assert_true(amd_tex_locate(&r, NULL, va, &valid, &fault));
   assert_int_equal(valid, 0);
   assert_true(amd_tex_read(vm, sim_va(0), &r, result, &fault));
   assert_int_equal(result[0][0], 0);
   r.kind = AMD_TEX_GET_RESINFO;
   r.lod.u[0] = 0;
   assert_true(amd_tex_read(vm, sim_va(0), &r, result, &fault));
   assert_int_equal(result[0][0], 10);
   assert_int_equal(result[1][0], 8);
   assert_int_equal(result[2][0], 4);
   assert_int_equal(result[3][0], 1);
   r.kind = AMD_TEX_LOAD;
   r.resource[0] = 0x123456; /* unmapped */
   assert_false(amd_tex_read(vm, sim_va(0), &r, result, &fault));
   assert_int_equal(fault.kind, SIM_FAULT_ADDRESS);
}

/* A filter of its own for the depth of 3D images is not there; other images do not look at it. */
/* Format 0 is nothing bound: 0, or the 1 that DST_SEL names, whatever the rest says. */
static void
format_0_reads_nothing(void **state)
{
   for (unsigned kind = AMD_TEX_SAMPLE; kind <= AMD_TEX_LOAD; kind++) {
      struct amd_tex_request r = request_of(kind, 1);
      describe(r.resource, V_SQ_RSRC_IMG_2D, 0, 16, 16, 1, 1, 0);
      r.resource[0] = 0x12345678;
      r.resource[3] = (r.resource[3] & ~0xfffu) | S_SQ_IMG_RSRC_WORD3_DST_SEL_X(V_SQ_SEL_X) |
                      S_SQ_IMG_RSRC_WORD3_DST_SEL_W(V_SQ_SEL_1);
      r.resource[6] = UINT32_MAX;
      float out[4];
      read_lane0(&r, out);
      assert_true(out[0] == 0.0f && out[1] == 0.0f && out[2] == 0.0f && out[3] == 1.0f);
      struct sim_va va[AMD_TEX_LANES];
      uint64_t valid = r.exec;
      struct sim_fault fault = {0};
      assert_true(amd_tex_locate(&r, NULL, va, &valid, &fault));
      assert_int_equal(valid, 0);
   }
}

static void
depth_filter_is_a_fault(void **state)
{
   static uint32_t result[4][AMD_TEX_LANES];
   struct sim_fault fault = {0};
   struct amd_tex_request r = request_of(AMD_TEX_SAMPLE, 2);
   describe(r.resource, V_SQ_RSRC_IMG_3D, V_GFX10_FORMAT_32_FLOAT, 8, 4, 4, 1, 0);
   assert_true(amd_tex_read(vm, sim_va(0), &r, result, &fault));
   r.sampler[2] = S_SQ_IMG_SAMP_WORD2_Z_FILTER(V_SQ_TEX_MIP_FILTER_POINT);
   assert_false(amd_tex_read(vm, sim_va(0), &r, result, &fault));
   assert_int_equal(fault.kind, SIM_FAULT_STATE);
   fault = (struct sim_fault){0};
   r.dim = 1;
   describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT, 8, 4, 1, 1, 0);
   assert_true(amd_tex_read(vm, sim_va(0), &r, result, &fault));
}

static void
missing_fields_are_faults(void **state)
{
   static uint32_t result[4][AMD_TEX_LANES];
   struct sim_fault fault = {0};
   struct amd_tex_request r = request_of(AMD_TEX_SAMPLE, 1);
   describe(r.resource, V_SQ_RSRC_IMG_2D, V_GFX10_FORMAT_32_FLOAT, 8, 4, 1, 1, 0);
   assert_true(amd_tex_read(vm, sim_va(0), &r, result, &fault));
   r.sampler[0] |= S_SQ_IMG_SAMP_WORD0_SKIP_DEGAMMA(1);
   assert_false(amd_tex_read(vm, sim_va(0), &r, result, &fault));
   assert_non_null(strstr(fault.message, "sRGB"));
   fault = (struct sim_fault){0};
   r.sampler[0] = 0;
   r.resource[5] |= S_SQ_IMG_RSRC_WORD5_CORNER_SAMPLES(1);
   assert_false(amd_tex_read(vm, sim_va(0), &r, result, &fault));
   assert_non_null(strstr(fault.message, "corners"));
}

static uint32_t
random_bits(void)
{
   uint32_t high = (uint32_t)(next_random() * 65536.0) << 16, low = (uint32_t)(next_random() * 65536.0);
   return high | low;
}

/* Random descriptors and operands: results, or faults, but nothing else. */
static void
random_descriptors_only_fault(void **state)
{
   static uint32_t result[4][AMD_TEX_LANES];
   unsigned good = 0;
   for (unsigned n = 0; n < 20000; n++) {
      struct amd_tex_request r = request_of((enum amd_tex_kind)(random_bits() % 5), random_bits() % 8);
      struct sim_fault fault = {0};
      r.lod_mode = (enum amd_tex_lod)(random_bits() % 5);
      r.exec = random_bits();
      r.unorm_coord = random_bits() % 8 == 0;
      r.compare = random_bits() % 4 == 0;
      r.has_offset = random_bits() % 4 == 0;
      r.has_lod = random_bits() % 4 == 0;
      describe(r.resource, 8 + random_bits() % 8, 1 + random_bits() % 182, 1 + random_bits() % 40,
               1 + random_bits() % 40, 1 + random_bits() % 8, 1 + random_bits() % 4,
               random_bits() % 3 ? 0 : random_bits() % 32);
      for (unsigned i = 1; i < 8; i++)
         r.resource[i] ^= random_bits() % 6 ? 0 : random_bits() & random_bits() & random_bits();
      for (unsigned i = 0; i < 4; i++)
         r.sampler[i] = random_bits();
      for (unsigned lane = 0; lane < AMD_TEX_LANES; lane++) {
         for (unsigned c = 0; c < 4; c++)
            r.coord.u[c][lane] = r.kind == AMD_TEX_LOAD ? random_bits() % 48 : random_bits();
         for (unsigned c = 0; c < 4 && lane % 4; c++)
            r.coord.f[c][lane] = r.kind == AMD_TEX_LOAD ? r.coord.f[c][lane] : (float)(next_random() * 4 - 2);
         r.lod.u[lane] = random_bits() % 2 ? random_bits() : random_bits() % 4;
         r.zcompare[lane] = (float)next_random();
      }
      if (amd_tex_read(vm, sim_va(base), &r, result, &fault))
         good++;
      else
         assert_int_not_equal(fault.kind, SIM_FAULT_NONE);
      if (r.kind == AMD_TEX_LOAD) {
         struct sim_va va[AMD_TEX_LANES];
         uint64_t valid = r.exec;
         fault = (struct sim_fault){0};
         assert_true(amd_tex_locate(&r, NULL, va, &valid, &fault) || fault.kind != SIM_FAULT_NONE);
      }
   }
   assert_true(good > 2000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(bilinear_and_address_modes, setup, teardown),
      cmocka_unit_test_setup_teardown(offsets_are_clamped_half_way, setup, teardown),
      cmocka_unit_test_setup_teardown(weights_of_filters, setup, teardown),
      cmocka_unit_test_setup_teardown(levels_of_detail, setup, teardown),
      cmocka_unit_test_setup_teardown(shadow_and_gather, setup, teardown),
      cmocka_unit_test_setup_teardown(cube_edges, setup, teardown),
      cmocka_unit_test_setup_teardown(quads_across_cube_faces, setup, teardown),
      cmocka_unit_test_setup_teardown(quad_around_the_cube, setup, teardown),
      cmocka_unit_test_setup_teardown(anisotropic_footprints, setup, teardown),
      cmocka_unit_test_setup_teardown(grazing_rows, setup, teardown),
      cmocka_unit_test_setup_teardown(probes_across_cube_faces, setup, teardown),
      cmocka_unit_test_setup_teardown(loads_and_sizes, setup, teardown),
      cmocka_unit_test_setup_teardown(format_0_reads_nothing, setup, teardown),
      cmocka_unit_test_setup_teardown(depth_filter_is_a_fault, setup, teardown),
      cmocka_unit_test_setup_teardown(missing_fields_are_faults, setup, teardown),
      cmocka_unit_test_setup_teardown(random_descriptors_only_fault, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
