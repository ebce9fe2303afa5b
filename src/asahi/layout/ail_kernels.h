/* Copies of one unit: 64 bytes of each of a few rows on the linear side, the same number of cache-line halves on the
 * tiled side. A "line" here is 64 bytes of the tiled side, a Morton block of elements:
 *
 *    element   line (el)   unit (el)   lines and rows of a unit
 *     1 B      8 x 8       64 x 8      8
 *     2 B      8 x 4       32 x 4      4
 *     4 B      4 x 4       16 x 4      4
 *     8 B      4 x 2        8 x 2      2
 *    16 B      2 x 2        4 x 2      2
 *    32 B      2 x 1        2 x 1      1
 *    64 B      1 x 1        1 x 1      1
 *
 * Morton order is what interleaving rows makes: two rows interleaved by 2 elements are a row of 2 x 2 blocks, two
 * such rows interleaved by 2 blocks a row of 4 x 4 blocks, and so on. Steps below 16 bytes are vector shuffles, steps
 * above are the place of a store. */
#ifndef AIL_KERNELS_H
#define AIL_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define AIL_LINE_B 64u

typedef uint64_t ail_v2u64 __attribute__((vector_size(16)));
typedef uint32_t ail_v4u32 __attribute__((vector_size(16)));
typedef uint16_t ail_v8u16 __attribute__((vector_size(16)));
typedef ail_v2u64 ail_unaligned __attribute__((aligned(1), may_alias));

/* log2 of the rows of a unit, and of its width in elements, by log2 of the element size. */
static inline unsigned
ail_unit_rows_log2(unsigned element_log2_B)
{
   return (6 - element_log2_B) / 2;
}

static inline unsigned
ail_unit_width_log2_el(unsigned element_log2_B)
{
   return 6 - element_log2_B;
}

static inline ail_v2u64
ail_load(const void *from)
{
   return *(const ail_unaligned *)from;
}

/* stream: past the caches, `to` is a multiple of 16. */
static inline __attribute__((always_inline)) void
ail_store(void *to, ail_v2u64 value, bool stream)
{
#ifdef __SSE2__
   if (stream) {
      _mm_stream_si128(to, (__m128i)value);
      return;
   }
#endif
   *(ail_unaligned *)to = value;
}

/* Makes streaming stores visible before what follows. */
static inline void
ail_store_fence(void)
{
#ifdef __SSE2__
   _mm_sfence();
#endif
}

#define AIL_LOW64(a, b) __builtin_shufflevector(a, b, 0, 2)
#define AIL_HIGH64(a, b) __builtin_shufflevector(a, b, 1, 3)
#define AIL_SHUFFLE(type, a, b, ...) ((ail_v2u64)__builtin_shufflevector((type)(a), (type)(b), __VA_ARGS__))
#define AIL_LOW32(a, b) AIL_SHUFFLE(ail_v4u32, a, b, 0, 4, 1, 5)
#define AIL_HIGH32(a, b) AIL_SHUFFLE(ail_v4u32, a, b, 2, 6, 3, 7)
#define AIL_EVEN32(a, b) AIL_SHUFFLE(ail_v4u32, a, b, 0, 2, 4, 6)
#define AIL_ODD32(a, b) AIL_SHUFFLE(ail_v4u32, a, b, 1, 3, 5, 7)
#define AIL_LOW16(a, b) AIL_SHUFFLE(ail_v8u16, a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define AIL_HIGH16(a, b) AIL_SHUFFLE(ail_v8u16, a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define AIL_EVEN16(a, b) AIL_SHUFFLE(ail_v8u16, a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define AIL_ODD16(a, b) AIL_SHUFFLE(ail_v8u16, a, b, 1, 3, 5, 7, 9, 11, 13, 15)

/* The bytes of the Morton code of line k of a unit: lines follow each other along x. */
static inline __attribute__((always_inline)) size_t
ail_line_offset_B(unsigned element_log2_B, unsigned k)
{
   /* x has the address bits 6, 8 and 10 above a square line, 7 and 9 above one twice as wide as high. */
   bool oblong = element_log2_B % 2;
   size_t first = oblong ? 128 : 64;
   return (k & 1) * first + ((k >> 1) & 1) * first * 4 + ((k >> 2) & 1) * first * 16;
}

/* One unit from rows to lines. */
static inline __attribute__((always_inline)) void
ail_tile_unit(unsigned element_log2_B, char *tiled, const char *linear, ptrdiff_t row_stride_B, bool stream)
{
#define ROW(y, c) ail_load(linear + (y) * row_stride_B + (c) * 16)
#define LINE(k, part, value) ail_store(tiled + ail_line_offset_B(element_log2_B, k) + (part) * 16, value, stream)
   if (element_log2_B == 0) {
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++) {
         ail_v2u64 r0 = ROW(0, c), r1 = ROW(1, c), r2 = ROW(2, c), r3 = ROW(3, c);
         ail_v2u64 r4 = ROW(4, c), r5 = ROW(5, c), r6 = ROW(6, c), r7 = ROW(7, c);
         ail_v2u64 a = AIL_LOW16(r0, r1), b = AIL_LOW16(r2, r3), d = AIL_LOW16(r4, r5), e = AIL_LOW16(r6, r7);
         LINE(2 * c, 0, AIL_LOW64(a, b));
         LINE(2 * c, 1, AIL_HIGH64(a, b));
         LINE(2 * c, 2, AIL_LOW64(d, e));
         LINE(2 * c, 3, AIL_HIGH64(d, e));
         a = AIL_HIGH16(r0, r1), b = AIL_HIGH16(r2, r3), d = AIL_HIGH16(r4, r5), e = AIL_HIGH16(r6, r7);
         LINE(2 * c + 1, 0, AIL_LOW64(a, b));
         LINE(2 * c + 1, 1, AIL_HIGH64(a, b));
         LINE(2 * c + 1, 2, AIL_LOW64(d, e));
         LINE(2 * c + 1, 3, AIL_HIGH64(d, e));
      }
   } else if (element_log2_B == 1) {
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++) {
         ail_v2u64 r0 = ROW(0, c), r1 = ROW(1, c), r2 = ROW(2, c), r3 = ROW(3, c);
         LINE(c, 0, AIL_LOW32(r0, r1));
         LINE(c, 1, AIL_LOW32(r2, r3));
         LINE(c, 2, AIL_HIGH32(r0, r1));
         LINE(c, 3, AIL_HIGH32(r2, r3));
      }
   } else if (element_log2_B == 2) {
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++) {
         ail_v2u64 r0 = ROW(0, c), r1 = ROW(1, c), r2 = ROW(2, c), r3 = ROW(3, c);
         LINE(c, 0, AIL_LOW64(r0, r1));
         LINE(c, 1, AIL_HIGH64(r0, r1));
         LINE(c, 2, AIL_LOW64(r2, r3));
         LINE(c, 3, AIL_HIGH64(r2, r3));
      }
   } else if (element_log2_B == 3) {
#pragma GCC unroll 2
      for (unsigned k = 0; k < 2; k++) {
         LINE(k, 0, ROW(0, 2 * k));
         LINE(k, 1, ROW(1, 2 * k));
         LINE(k, 2, ROW(0, 2 * k + 1));
         LINE(k, 3, ROW(1, 2 * k + 1));
      }
   } else if (element_log2_B == 4) {
#pragma GCC unroll 2
      for (unsigned k = 0; k < 2; k++) {
         LINE(k, 0, ROW(0, 2 * k));
         LINE(k, 1, ROW(0, 2 * k + 1));
         LINE(k, 2, ROW(1, 2 * k));
         LINE(k, 3, ROW(1, 2 * k + 1));
      }
   } else {
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++)
         LINE(0, c, ROW(0, c));
   }
#undef ROW
#undef LINE
}

/* Rows of a unit, row by row: streaming stores want the 64 bytes of a row together. */
static inline __attribute__((always_inline)) void
ail_store_rows(char *linear, ptrdiff_t row_stride_B, const ail_v2u64 (*rows)[4], unsigned count, bool stream)
{
#pragma GCC unroll 4
   for (unsigned y = 0; y < count; y++) {
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++)
         ail_store(linear + (ptrdiff_t)y * row_stride_B + c * 16, rows[y][c], stream);
   }
}

/* One unit from lines to rows. */
static inline __attribute__((always_inline)) void
ail_detile_unit(unsigned element_log2_B, const char *tiled, char *linear, ptrdiff_t row_stride_B, bool stream)
{
#define LINE(k, part) ail_load(tiled + ail_line_offset_B(element_log2_B, k) + (part) * 16)
   ail_v2u64 rows[4][4];
   if (element_log2_B == 0) {
#pragma GCC unroll 2
      for (unsigned half = 0; half < 2; half++) {
#pragma GCC unroll 4
         for (unsigned c = 0; c < 4; c++) {
            ail_v2u64 a = LINE(2 * c, 2 * half), b = LINE(2 * c, 2 * half + 1);
            ail_v2u64 d = LINE(2 * c + 1, 2 * half), e = LINE(2 * c + 1, 2 * half + 1);
            ail_v2u64 low = AIL_LOW64(a, b), high = AIL_LOW64(d, e);
            rows[0][c] = AIL_EVEN16(low, high);
            rows[1][c] = AIL_ODD16(low, high);
            low = AIL_HIGH64(a, b), high = AIL_HIGH64(d, e);
            rows[2][c] = AIL_EVEN16(low, high);
            rows[3][c] = AIL_ODD16(low, high);
         }
         ail_store_rows(linear + 4 * half * row_stride_B, row_stride_B, rows, 4, stream);
      }
      return;
   }
   if (element_log2_B == 1) {
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++) {
         ail_v2u64 a = LINE(c, 0), b = LINE(c, 1), d = LINE(c, 2), e = LINE(c, 3);
         rows[0][c] = AIL_EVEN32(a, d);
         rows[1][c] = AIL_ODD32(a, d);
         rows[2][c] = AIL_EVEN32(b, e);
         rows[3][c] = AIL_ODD32(b, e);
      }
   } else if (element_log2_B == 2) {
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++) {
         ail_v2u64 a = LINE(c, 0), b = LINE(c, 1), d = LINE(c, 2), e = LINE(c, 3);
         rows[0][c] = AIL_LOW64(a, b);
         rows[1][c] = AIL_HIGH64(a, b);
         rows[2][c] = AIL_LOW64(d, e);
         rows[3][c] = AIL_HIGH64(d, e);
      }
   } else if (element_log2_B == 3) {
#pragma GCC unroll 2
      for (unsigned k = 0; k < 2; k++) {
         rows[0][2 * k] = LINE(k, 0);
         rows[1][2 * k] = LINE(k, 1);
         rows[0][2 * k + 1] = LINE(k, 2);
         rows[1][2 * k + 1] = LINE(k, 3);
      }
   } else if (element_log2_B == 4) {
#pragma GCC unroll 2
      for (unsigned k = 0; k < 2; k++) {
         rows[0][2 * k] = LINE(k, 0);
         rows[0][2 * k + 1] = LINE(k, 1);
         rows[1][2 * k] = LINE(k, 2);
         rows[1][2 * k + 1] = LINE(k, 3);
      }
   } else {
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++)
         rows[0][c] = LINE(0, c);
   }
   ail_store_rows(linear, row_stride_B, rows, 1u << ail_unit_rows_log2(element_log2_B), stream);
#undef LINE
}

#endif
