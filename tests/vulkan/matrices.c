/* VK_KHR_cooperative_matrix: products of all rows that the device lists, in both layouts, from buffers and from
 * workgroup memory, against products that the processor computes. Floats are small integers, which nobody rounds.
 * With robustness, what of A lies outside of its buffer is 0. */
#include <stdio.h>
#include <string.h>

#include "matrix_elements.h"
#include "matrix_module.h"
#include "vkt_dispatch.h"

enum { MAX_TILES = 3, MAX_STRIDE = 32, TILE = MATRIX_SIDE * MAX_STRIDE, MAX_ROWS = 64, VARIANTS = 4, CUT_LINES = 9 };

/* ---- numbers in memory ---- */

static int64_t
random_number(VkComponentTypeKHR type)
{
   switch ((int)type) {
   case VK_COMPONENT_TYPE_SINT8_KHR:
      return (int64_t)vkt_random_below(256) - 128;
   case VK_COMPONENT_TYPE_UINT8_KHR:
      return vkt_random_below(256);
   case VK_COMPONENT_TYPE_SINT32_KHR: /* half of them near the limits */
      return vkt_random_below(2) ? (int32_t)(INT32_MAX - vkt_random_below(1 << 20)) * (vkt_random_below(2) ? 1 : -1)
                                 : (int32_t)(vkt_random_below(1 << 20) - (1 << 19));
   case VK_COMPONENT_TYPE_UINT32_KHR:
      return vkt_random_below(UINT32_MAX);
   default: /* others: floats */
      return (int64_t)vkt_random_below(9) - 4;
   }
}

/* Of an integer of up to eleven bits. */
static uint16_t
half_of(int64_t value)
{
   const uint64_t size = (uint64_t)(value < 0 ? -value : value);
   unsigned top = 0;
   if (!size)
      return 0;
   while (size >> (top + 1))
      top++;
   return (uint16_t)((value < 0 ? 0x8000u : 0) | (15 + top) << 10 | ((size << 10 >> top) & 0x3ff));
}

static uint32_t
bits_of(VkComponentTypeKHR type, int64_t value)
{
   float single = (float)value;
   uint32_t bits = (uint32_t)value;
   if (type == VK_COMPONENT_TYPE_FLOAT16_KHR)
      return half_of(value);
   if (type == VK_COMPONENT_TYPE_FLOAT32_KHR)
      memcpy(&bits, &single, sizeof(bits));
   return matrix_bits(type) == 8 ? bits & 0xff : bits;
}

/* Element of a tile in memory. */
static uint32_t
place_of(bool by_columns, uint32_t stride, uint32_t row, uint32_t column)
{
   return by_columns ? column * stride + row : row * stride + column;
}

/* ---- a product ---- */

struct numbers {
   int64_t factors[2][MAX_TILES][MATRIX_SIDE][MATRIX_SIDE], sum[MATRIX_SIDE][MATRIX_SIDE];
};

static void
write_numbers(struct vkx_buffer *buffer, VkComponentTypeKHR type, uint32_t first, bool by_columns, uint32_t stride,
              int64_t (*numbers)[MATRIX_SIDE])
{
   const uint32_t size_B = matrix_bits(type) / 8;
   for (uint32_t row = 0; row < MATRIX_SIDE; row++) {
      for (uint32_t column = 0; column < MATRIX_SIDE; column++) {
         numbers[row][column] = random_number(type);
         const uint32_t bits = bits_of(type, numbers[row][column]);
         memcpy((char *)buffer->map + (first + place_of(by_columns, stride, row, column)) * size_B, &bits, size_B);
      }
   }
}

static int64_t
limited(const struct matrix_product *p, int64_t sum)
{
   if (matrix_is_float(p->sum))
      return sum;
   if (p->saturates)
      return sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
   return p->sum == VK_COMPONENT_TYPE_SINT32_KHR ? (int32_t)(uint32_t)sum : (int64_t)(uint32_t)sum;
}

static void
multiply(const struct matrix_product *p, struct numbers *n)
{
   for (uint32_t tile = 0; tile < p->tiles; tile++) {
      for (uint32_t row = 0; row < MATRIX_SIDE; row++) {
         for (uint32_t column = 0; column < MATRIX_SIDE; column++) {
            int64_t sum = n->sum[row][column];
            for (uint32_t k = 0; k < MATRIX_SIDE; k++)
               sum += n->factors[0][tile][row][k] * n->factors[1][tile][k][column];
            n->sum[row][column] = limited(p, sum);
         }
      }
   }
}

static void
check_result(const struct matrix_product *p, uint32_t stride, const struct numbers *n,
             const struct vkx_buffer *buffer)
{
   const uint32_t size_B = matrix_bits(p->sum) / 8;
   uint32_t wrong = 0;
   for (uint32_t row = 0; row < MATRIX_SIDE; row++) {
      for (uint32_t column = 0; column < MATRIX_SIDE; column++) {
         const uint32_t place = place_of(p->by_columns[MATRIX_RESULT], stride, row, column);
         const uint32_t want = bits_of(p->sum, n->sum[row][column]);
         uint32_t got = 0;
         memcpy(&got, (const char *)buffer->map + place * size_B, size_B);
         if (got != want && !wrong++)
            printf("   row %u, column %u: 0x%x, not 0x%x\n", row, column, got, want);
      }
   }
   vkt_expect(!wrong, "types %d %d %d%s, by columns %d%d%d%d, %s, %u lanes, %u tiles, stride %u: %u wrong",
              (int)p->factors[0], (int)p->factors[1], (int)p->sum, p->saturates ? " saturated" : "", p->by_columns[0],
              p->by_columns[1], p->by_columns[2], p->by_columns[3], p->shared ? "shared" : "buffers", p->lanes,
              p->tiles, stride, wrong);
}

/* Lines of A that are not in its buffer. */
static void
cut(const struct matrix_product *p, struct numbers *n)
{
   for (uint32_t line = CUT_LINES; line < MATRIX_SIDE; line++) {
      for (uint32_t i = 0; i < MATRIX_SIDE; i++)
         n->factors[0][0][p->by_columns[0] ? i : line][p->by_columns[0] ? line : i] = 0;
   }
}

static void
run_product(struct vkx *vkx, const struct matrix_product *p, uint32_t stride, bool is_cut)
{
   static struct matrix_module module;
   static struct numbers n;
   const VkComponentTypeKHR types[] = {p->factors[0], p->factors[1], p->sum, p->sum};
   const uint32_t constants[] = {stride, MATRIX_SIDE};
   struct vkx_buffer buffers[MATRIX_PLACES];
   for (unsigned place = 0; place < MATRIX_PLACES; place++)
      buffers[place] = vkt_buffer_create(vkx, MAX_TILES * TILE * 4, 0);
   struct vkx_buffer small = vkt_buffer_create(vkx, CUT_LINES * stride * matrix_bits(types[0]) / 8, 0);
   for (uint32_t tile = 0; tile < p->tiles; tile++) {
      for (unsigned place = 0; place < 2; place++)
         write_numbers(&buffers[place], types[place], tile * MATRIX_SIDE * stride, p->by_columns[place], stride,
                       n.factors[place][tile]);
   }
   write_numbers(&buffers[MATRIX_C], p->sum, 0, p->by_columns[MATRIX_C], stride, n.sum);
   if (is_cut) {
      cut(p, &n);
      memcpy(small.map, buffers[0].map, CUT_LINES * stride * matrix_bits(types[0]) / 8);
   }
   multiply(p, &n);
   matrix_product_module(p, &module);
   const struct vkx_buffer bound[] = {is_cut ? small : buffers[0], buffers[1], buffers[2], buffers[3]};
   vkt_dispatch(vkx, &(struct vkt_dispatch){.code = {module.words, module.count * 4},
                                            .num_buffers = MATRIX_PLACES,
                                            .buffers = bound,
                                            .num_constants = 2,
                                            .constants = constants,
                                            .groups = 1,
                                            .subgroup_size = p->lanes});
   check_result(p, stride, &n, &buffers[MATRIX_RESULT]);
   vkx_buffer_destroy(vkx, &small);
   for (unsigned place = 0; place < MATRIX_PLACES; place++)
      vkx_buffer_destroy(vkx, &buffers[place]);
}

static void
run_variant(struct vkx *vkx, const VkCooperativeMatrixPropertiesKHR *row)
{
   struct matrix_product p = {.factors = {row->AType, row->BType},
                              .sum = row->CType,
                              .saturates = row->saturatingAccumulation,
                              .shared = vkt_random_below(2),
                              .lanes = vkt_random_below(2) ? 32 : 64,
                              .tiles = 1 + vkt_random_below(MAX_TILES)};
   if (!vkt_offers_lanes(vkx, p.lanes))
      p.lanes = 96 - p.lanes;
   for (unsigned place = 0; place < MATRIX_PLACES; place++)
      p.by_columns[place] = vkt_random_below(2);
   const bool is_cut = vkt_has("VK_EXT_robustness2") && vkt_random_below(4) == 0;
   p.tiles = is_cut ? 1 : p.tiles;
   run_product(vkx, &p, vkt_random_below(2) ? MATRIX_SIDE : MAX_STRIDE, is_cut);
}

/* ---- what the device lists ---- */

static uint32_t
list_rows(struct vkx *vkx, VkCooperativeMatrixPropertiesKHR *rows)
{
   const PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR list =
      (PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR)vkGetInstanceProcAddr(
         vkx->instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
   uint32_t count = 0, one = 1;
   for (unsigned i = 0; i < MAX_ROWS; i++)
      rows[i].sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
   vkx_check(list(vkx->physical, &count, NULL), "the number of rows");
   vkt_expect(count && count <= MAX_ROWS, "%u rows", count);
   vkt_expect(list(vkx->physical, &one, rows) == (count > 1 ? VK_INCOMPLETE : VK_SUCCESS) && one == 1, "one row");
   vkx_check(list(vkx->physical, &count, rows), "the rows");
   return count;
}

static bool
is_tested(VkComponentTypeKHR type)
{
   return matrix_is_float(type) || type == VK_COMPONENT_TYPE_SINT8_KHR || type == VK_COMPONENT_TYPE_UINT8_KHR ||
          type == VK_COMPONENT_TYPE_SINT32_KHR || type == VK_COMPONENT_TYPE_UINT32_KHR;
}

static void
run_rows(struct vkx *vkx)
{
   VkCooperativeMatrixPropertiesKHR rows[MAX_ROWS] = {0};
   const uint32_t count = list_rows(vkx, rows);
   for (uint32_t i = 0; i < count; i++) {
      const VkCooperativeMatrixPropertiesKHR *row = &rows[i];
      const bool is_square = row->MSize == MATRIX_SIDE && row->NSize == MATRIX_SIDE && row->KSize == MATRIX_SIDE;
      printf("row %u: %ux%ux%u, types %d %d %d %d%s, scope %d\n", i, row->MSize, row->NSize, row->KSize,
             (int)row->AType, (int)row->BType, (int)row->CType, (int)row->ResultType,
             row->saturatingAccumulation ? " saturated" : "", (int)row->scope);
      for (unsigned n = 0; n < VARIANTS && is_square && is_tested(row->AType) && is_tested(row->CType); n++)
         run_variant(vkx, row);
   }
}

int
main(void)
{
   vkt_float16 = vkt_int8 = vkt_robust = vkt_robust2 = true;
   struct vkx vkx = vkt_create("matrices");
   if (vkt_has("VK_KHR_cooperative_matrix"))
      run_rows(&vkx);
   else
      vkt_skip("cooperative matrices");
   for (uint32_t lanes = 32; vkt_has("VK_KHR_cooperative_matrix") && lanes <= 64; lanes *= 2) {
      if (vkt_offers_lanes(&vkx, lanes))
         matrix_elements(&vkx, lanes);
   }
   vkt_expect(true, "nothing");
   return vkt_finish(&vkx);
}
