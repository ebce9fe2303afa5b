/* Instructions in forms that GLSL does not write, against C: shaders/instructions.py writes both. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "vkt_dispatch.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef _Float16 f16;
typedef float f32;
typedef double f64;

enum { LANES = 1024, MAX_ROWS = 800, WORDS = LANES + 3 };

/* ---- what the generated text calls ---- */

#define CARRY(bits, a, b) ((u##bits)((u##bits)(a) + (u##bits)(b)) < (u##bits)(a))
#define BORROW(bits, a, b) ((u##bits)(a) < (u##bits)(b))
#define UHIGH(bits, a, b) (u64)((unsigned __int128)(u##bits)(a) * (u##bits)(b) >> bits)
#define SHIGH(bits, a, b) (u64)((__int128)(s##bits)(a) * (s##bits)(b) >> bits)
#define FIELD(is_signed, a, offset, count) field(is_signed, (u32)(a), (unsigned)(offset), (unsigned)(count))
#define INSERT(a, b, offset, count) insert((u32)(a), (u32)(b), (unsigned)(offset), (unsigned)(count))
#define REVERSE(a) reverse(a)
#define X(bits, a) number##bits(a)
#define SPECIAL(c) special((unsigned)(c))
#define NORM(x, low, scale, width) norm(x, low, scale, width)
#define PRODUCT(a, b, columns, rows, inner) product(a, b, columns, rows, inner)
#define TRANSPOSE(a, columns, rows) transpose(a, columns, rows)

static u64
bits(const void *value, size_t size_B)
{
   u64 word = 0;
   memcpy(&word, value, size_B);
   return word;
}

static u32
mask_of(unsigned count)
{
   return (u32)((UINT64_C(1) << count) - 1);
}

static u32
field(bool is_signed, u32 a, unsigned offset, unsigned count)
{
   const u32 x = count ? a >> offset & mask_of(count) : 0;
   return is_signed && count && x >> (count - 1) & 1 ? x | ~mask_of(count) : x;
}

static u32
insert(u32 a, u32 b, unsigned offset, unsigned count)
{
   const u32 mask = (u32)((u64)mask_of(count) << offset);
   return (a & ~mask) | ((u32)((u64)b << offset) & mask);
}

static u32
reverse(u32 a)
{
   u32 r = 0;
   for (unsigned i = 0; i < 32; i++)
      r |= (a >> i & 1) << (31 - i);
   return r;
}

/* Denormals become zeros. */
#define NUMBER(width, mantissa)                                                                                      \
   static f##width number##width(u64 a)                                                                              \
   {                                                                                                                 \
      u##width x = (u##width)a;                                                                                      \
      if (!(x >> mantissa & ((1u << (width - 1 - mantissa)) - 1)))                                                   \
         x &= (u##width)(UINT64_C(1) << (width - 1));                                                                \
      f##width number;                                                                                               \
      memcpy(&number, &x, sizeof(x));                                                                                \
      return number;                                                                                                 \
   }
NUMBER(16, 10)
NUMBER(32, 23)
NUMBER(64, 52)

static double
special(unsigned c)
{
   const double magnitudes[4] = {0, 0.25, 0.75, INFINITY};
   return c & 1 ? -magnitudes[c >> 1] : magnitudes[c >> 1];
}

static u64
norm(double x, double low, double scale, unsigned width)
{
   return (u64)(s64)rint(fmin(fmax(x, low), 1) * scale) & ((UINT64_C(1) << width) - 1);
}

/* Three bits of a number. */
static u64
digit(u64 a, unsigned i)
{
   return a >> 3 * i & 7;
}

/* The sum of the elements, each times its place from 1, of a product of matrices of digits: `rows` by `inner` times
 * `inner` by `columns`, columns first. */
static u64
product(u64 a, u64 b, unsigned columns, unsigned rows, unsigned inner)
{
   u64 sum = 0;
   for (unsigned i = 0; i < columns * rows * inner; i++) {
      const unsigned k = i % inner, j = i / inner % rows, column = i / inner / rows;
      sum += (column * rows + j + 1) * digit(a, k * rows + j) * digit(b, column * inner + k);
   }
   return sum;
}

static u64
transpose(u64 a, unsigned columns, unsigned rows)
{
   u64 sum = 0;
   for (unsigned i = 0; i < columns * rows; i++)
      sum += (i + 1) * digit(a, i % columns * rows + i / columns);
   return sum;
}

#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "instructions_doubles.inc"
#include "instructions_flow.inc"
#include "instructions_floats.inc"
#include "instructions_groups.inc"
#include "instructions_integers.inc"
#include "instructions_memory.inc"

/* ---- running ---- */

#define PART(name)                                                                                                   \
   {                                                                                                                 \
#name, VKT_CODE(code_##name), sizeof(names_##name) / sizeof(names_##name[0]), names_##name, expect_##name      \
   }
struct part {
   const char *name;
   struct vkt_code code;
   unsigned rows;
   const char *const *names;
   void (*expect)(u64 a, u64 b, u64 c, u64 d, u64 *rows);
};

/* Remarkable in their low bits, whatever the width. */
static u64
remarkable(void)
{
   static const u64 list[] = {0,
                              1,
                              2,
                              3,
                              0x7f,
                              0x80,
                              0x81,
                              0xff,
                              0x3c00,
                              0x7c00,
                              0xfc00,
                              0x7e01,
                              0x7fff,
                              0x8000,
                              0xbc00,
                              0xffff,
                              0x3f800000,
                              0x7f800000,
                              0x7fc00001,
                              0x7fffffff,
                              0x80000000,
                              0xbf800000,
                              0xff800000,
                              0xffffffff,
                              0x3ff0000000000000,
                              0x7ff0000000000000,
                              0x7ff8000000000001,
                              0x7fffffffffffffff,
                              0x8000000000000000,
                              0xbff0000000000000,
                              0xfff0000000000000,
                              0xffffffffffffffff};
   return list[vkt_random_below(sizeof(list) / sizeof(list[0]))];
}

static u64
wide_random(void)
{
   const u64 high = vkt_random();
   return high << 32 | vkt_random();
}

/* RADV 22.3.6 loses the sign of the root of -0, folds a constant wrongly, and misreads exponents below 32 bits. */
static bool
is_wrong_in_radv(const char *name)
{
   const char *by = strstr(name, " by ");
   return !strcmp(name, "Sqrt of a special f64") || !strcmp(name, "UnpackSnorm2x16 of limits [1]") ||
          (!strncmp(name, "Ldexp", 5) && by && (!strcmp(by + 5, "8") || !strcmp(by + 5, "16")));
}

static void
run_part(struct vkx *vkx, const struct part *part, bool radv)
{
   struct vkx_buffer buffers[3] = {vkt_buffer_create(vkx, LANES * 32, 0),
                                   vkt_buffer_create(vkx, MAX_ROWS * LANES * 8, 0xaa),
                                   vkt_buffer_create(vkx, WORDS * 4, 0)};
   u64 *in = buffers[0].map, rows[MAX_ROWS];
   const u64 *out = buffers[1].map;
   unsigned wrong[MAX_ROWS] = {0};
   for (unsigned lane = 0; lane < LANES; lane++) {
      in[4 * lane] = lane % 3 ? wide_random() : remarkable();
      in[4 * lane + 1] = lane % 4 ? wide_random() : lane % 8 ? remarkable() : in[4 * lane];
      in[4 * lane + 2] = vkt_random_below(8);
      in[4 * lane + 3] = wide_random();
   }
   vkt_dispatch(vkx, &(struct vkt_dispatch){part->code, 3, buffers, .groups = LANES / 64});
   for (unsigned lane = 0; lane < LANES; lane++) {
      const u64 *x = in + 4 * lane;
      part->expect(x[0], x[1], x[2], x[3], rows);
      for (unsigned i = 0; i < part->rows; i++) {
         const u64 got = out[i * LANES + lane];
         if (got != rows[i] && wrong[i]++ < 1)
            printf("   %s: a %#llx b %#llx c %llu d %#llx: %#llx, not %#llx\n", part->names[i],
                   (unsigned long long)x[0], (unsigned long long)x[1], (unsigned long long)x[2],
                   (unsigned long long)x[3], (unsigned long long)got, (unsigned long long)rows[i]);
      }
   }
   for (unsigned i = 0; i < part->rows; i++) {
      if (radv && is_wrong_in_radv(part->names[i]))
         continue;
      vkt_expect(!wrong[i], "%s, %s: %u of %u", part->name, part->names[i], wrong[i], LANES);
   }
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

/* instructions [--quirks radv] */
int
main(int argc, char **argv)
{
   static const struct part parts[] = {PART(integers), PART(memory), PART(flow),
                                       PART(floats),   PART(groups), PART(doubles)};
   struct vkx vkx = vkt_create("instructions");
   const bool radv = !strcmp(vkx_option(argc, argv, "--quirks", ""), "radv");
   if (vkt_features.shaderInt64 && vkt_features.shaderInt16 && vkt_int8 && vkt_float16) {
      const unsigned count = sizeof(parts) / sizeof(parts[0]) - !vkt_features.shaderFloat64; /* doubles: the last */
      for (unsigned i = 0; i < count; i++)
         run_part(&vkx, &parts[i], radv);
      if (!vkt_features.shaderFloat64)
         vkt_skip("64-bit floats");
   } else {
      vkt_skip("numbers of 8, 16 and 64 bits");
   }
   return vkt_finish(&vkx);
}
