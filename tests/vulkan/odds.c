/* Instructions that GLSL does not write by itself, packing and unpacking, vectors that are indexed at run time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt_dispatch.h"

static const uint32_t code[] = {
#include "odds.inc"
};

enum { COUNT = 256, MAX_ROWS = 32 };

/* How a row's word is compared: exact, a float within some units of the last place, fields that may be one off. */
enum kind { EXACT, FLOATS, BYTES, SHORTS };

struct row {
   const char *name;
   enum kind kind;
   uint32_t word;
   float number;
};

static float
half_to_float(uint16_t bits)
{
   _Float16 h;
   memcpy(&h, &bits, 2);
   return (float)h;
}

static uint16_t
float_to_half(float x)
{
   const _Float16 h = (_Float16)x;
   uint16_t bits;
   memcpy(&bits, &h, 2);
   return bits;
}

static uint32_t
bits_of(float x)
{
   uint32_t bits;
   memcpy(&bits, &x, 4);
   return bits;
}

static uint32_t
norm(float x, float low, float scale, uint32_t mask)
{
   return (uint32_t)(int32_t)rintf(fminf(fmaxf(x, low), 1) * scale) & mask;
}

static float
refracted(float eta)
{
   /* Straight into the surface: k = 1 - eta^2 (1 - 1). */
   return -eta + eta - 1;
}

static unsigned
expect(const uint32_t w[4], struct row *rows)
{
   /* size: a flat table */
   float v[4];
   unsigned n = 0;
   int power;
   for (unsigned i = 0; i < 4; i++)
      v[i] = (float)((int32_t)w[i] >> 8) / 65536;
   const float part = frexpf(v[0], &power);
   const unsigned z = w[2] & 3, s = w[2] & 1;
   const bool p = v[0] > 0, q = v[1] > 0;
   bool any = false, all = true;
   for (unsigned i = 0; i < 4; i++) {
      any |= v[i] > 60;
      all &= v[i] < 60;
   }
#define WORD(text, x) rows[n++] = (struct row){text, EXACT, x, 0};
#define FLOAT(text, x) rows[n++] = (struct row){text, FLOATS, 0, x};
   WORD("OpLogicalOr", p || q)
   WORD("OpLogicalEqual", p == q)
   WORD("OpLogicalNotEqual", p != q)
   WORD("OpCopyObject", bits_of(v[3]))
   WORD("OpVectorExtractDynamic", bits_of(v[z]))
   WORD("OpVectorInsertDynamic", bits_of(z == 1 ? 42 : v[1]))
   WORD("OpQuantizeToF16", bits_of(half_to_float(float_to_half(v[0]))))
   WORD("Frexp", bits_of(part))
   WORD("Frexp, power", v[0] == 0 ? 0 : (uint32_t)power)
   FLOAT("ModfStruct", v[1] - truncf(v[1]))
   FLOAT("ModfStruct, whole", truncf(v[1]))
   uint32_t snorm8 = 0, unorm8 = 0;
   for (unsigned i = 0; i < 4; i++) {
      snorm8 |= norm(v[i] / 64, -1, 127, 255) << 8 * i;
      unorm8 |= norm(v[i] / 64, 0, 255, 255) << 8 * i;
   }
   rows[n++] = (struct row){"PackSnorm4x8", BYTES, snorm8, 0};
   rows[n++] = (struct row){"PackUnorm4x8", BYTES, unorm8, 0};
   rows[n++] = (struct row){"PackSnorm2x16", SHORTS,
                            norm(v[0] / 64, -1, 32767, 65535) | norm(v[1] / 64, -1, 32767, 65535) << 16, 0};
   rows[n++] = (struct row){"PackUnorm2x16", SHORTS,
                            norm(v[0] / 64, 0, 65535, 65535) | norm(v[1] / 64, 0, 65535, 65535) << 16, 0};
   rows[n++] = (struct row){"PackHalf2x16", SHORTS, float_to_half(v[0]) | (uint32_t)float_to_half(v[1]) << 16, 0};
   FLOAT("UnpackSnorm4x8", fmaxf((float)(int8_t)(w[0] >> 8 * z) / 127, -1))
   FLOAT("UnpackUnorm4x8", (float)(uint8_t)(w[0] >> 8 * z) / 255)
   FLOAT("UnpackSnorm2x16", fmaxf((float)(int16_t)(w[0] >> 16 * s) / 32767, -1))
   FLOAT("UnpackUnorm2x16", (float)(uint16_t)(w[0] >> 16 * s) / 65535)
   FLOAT("UnpackHalf2x16", half_to_float((uint16_t)((w[1] & 0x7bff7bff) >> 16 * s)))
   WORD("OpSpecConstantTrue, OpSpecConstantFalse", 1)
   WORD("OpAny, OpAll", any + 2u * all)
   FLOAT("Refract", refracted(fabsf(v[0])))
   WORD("OpCopyMemory", bits_of(v[3]))
   return n;
}

static bool
is_right(const struct row *row, uint32_t got)
{
   float number;
   memcpy(&number, &got, 4);
   const unsigned bits = row->kind == BYTES ? 8 : 16;
   switch (row->kind) {
   case EXACT:
      return got == row->word;
   case FLOATS: /* denormals may be 0 */
      return fabsf(number - row->number) <= 3e-7f * fabsf(row->number) + 1.2e-38f ||
             (fabsf(row->number) < 6.2e-5f && number == 0);
   case BYTES:
   case SHORTS:
      for (unsigned shift = 0; shift < 32; shift += bits) {
         const int32_t a = (int32_t)(got << (32 - bits - shift)) >> (32 - bits);
         const int32_t b = (int32_t)(row->word << (32 - bits - shift)) >> (32 - bits);
         if (abs(a - b) > 1 && abs(a - b) < (1 << bits) - 1)
            return false;
      }
      return true;
   }
   abort();
}

int
main(void)
{
   struct vkx vkx = vkt_create("odds");
   struct vkx_buffer buffers[3] = {vkt_buffer_create(&vkx, COUNT * 16, 0),
                                   vkt_buffer_create(&vkx, MAX_ROWS * COUNT * 4, 0xaa),
                                   vkt_buffer_create(&vkx, 64, 0)};
   uint32_t *in = buffers[0].map, less = 0;
   for (unsigned i = 0; i < COUNT * 4; i++) {
      in[i] = vkt_random();
      less += i % 4 == 3 ? in[i] & 15 : 0;
   }
   vkt_dispatch(&vkx, &(struct vkt_dispatch){VKT_CODE(code), 3, buffers, .groups = COUNT / 64});
   struct row rows[MAX_ROWS];
   unsigned wrong[MAX_ROWS] = {0}, count = 0;
   for (unsigned lane = 0; lane < COUNT; lane++) {
      count = expect(in + 4 * lane, rows);
      for (unsigned i = 0; i < count; i++) {
         const uint32_t got = ((uint32_t *)buffers[1].map)[i * COUNT + lane];
         if (!is_right(&rows[i], got) && wrong[i]++ < 2)
            printf("   %s, lane %u: %#x, not %#x or %g\n", rows[i].name, lane, got, rows[i].word,
                   (double)rows[i].number);
      }
   }
   for (unsigned i = 0; i < count; i++)
      vkt_expect(!wrong[i], "%s: %u of %u wrong", rows[i].name, wrong[i], COUNT);
   const uint32_t *counters = buffers[2].map;
   vkt_expect(counters[0] == COUNT, "OpAtomicIIncrement: %u", counters[0]);
   vkt_expect(counters[1] == 0u - COUNT, "OpAtomicIDecrement: %#x", counters[1]);
   vkt_expect(counters[2] == 0u - less, "OpAtomicISub: %#x", counters[2]);
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(&vkx, &buffers[i]);
   return vkt_finish(&vkx);
}
