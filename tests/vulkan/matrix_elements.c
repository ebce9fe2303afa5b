#include "matrix_elements.h"

#include <string.h>

#include "vkt_dispatch.h"

static const uint32_t code[] = {
#include "cooperative.inc"
};

enum { SIDE = 16, SIZE = SIDE * SIDE, RESULTS = 24 };

/* Results of cooperative.spvasm by number. */
enum result {
   ADD,
   SUBTRACT,
   MULTIPLY,
   DIVIDE,
   NEGATE,
   TIMES_SCALAR,
   TWICE_AS_HALVES,
   ADD_INT,
   SUBTRACT_INT,
   MULTIPLY_INT,
   DIVIDE_INT,
   NEGATE_INT,
   DIVIDE_UINT,
   BITS,
   FROM_INT,
   FROM_UINT,
   PHI,
   FIRST_PLUS_ONE, /* only the first element that an invocation has: the next two have two possible values */
   TRIPLED,
   TRIPLED_BUT_FIRST,
   WITH_CONSTANTS,
   TWICE_BY_CALL,
   FROM_ARRAY,
   PRODUCT,
};

struct inputs {
   int x[SIZE], y[SIZE], halves[SIZE]; /* y is not 0 */
   bool swap;                          /* the phi takes y */
};

static uint32_t
float_bits(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

/* Of an integer from -2 to 2. */
static uint16_t
half_bits(int value)
{
   static const uint16_t bits[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000};
   return bits[value + 2];
}

/* Rows with rows: the second factor is loaded by columns. */
static float
product_at(const struct inputs *in, unsigned at)
{
   int sum = 0;
   for (unsigned k = 0; k < SIDE; k++)
      sum += in->halves[at / SIDE * SIDE + k] * in->halves[at % SIDE * SIDE + k];
   return (float)sum;
}

static uint32_t
expected(const struct inputs *in, enum result result, unsigned at)
{
   /* size: a flat switch */
   const int x = in->x[at], y = in->y[at];
   switch (result) {
   case ADD:
      return float_bits((float)(x + y));
   case SUBTRACT:
   case FROM_ARRAY:
      return float_bits((float)(x - y));
   case MULTIPLY:
      return float_bits((float)(x * y));
   case DIVIDE:
      return float_bits((float)x / (float)y);
   case NEGATE:
      return float_bits(-(float)x);
   case TIMES_SCALAR:
   case TRIPLED:
   case TRIPLED_BUT_FIRST:
      return float_bits((float)(3 * x));
   case TWICE_AS_HALVES:
   case TWICE_BY_CALL:
      return float_bits((float)(2 * x));
   case ADD_INT:
      return (uint32_t)(x + y);
   case SUBTRACT_INT:
      return (uint32_t)(x - y);
   case MULTIPLY_INT:
      return (uint32_t)(x * y);
   case DIVIDE_INT:
      return (uint32_t)(x / y);
   case NEGATE_INT:
      return (uint32_t)-x;
   case DIVIDE_UINT:
      return (uint32_t)(x * x / (y * y));
   case BITS:
   case FROM_INT:
   case FIRST_PLUS_ONE:
      return float_bits((float)x);
   case FROM_UINT:
      return float_bits((float)(x * x));
   case PHI:
      return float_bits((float)(in->swap ? y : x));
   case WITH_CONSTANTS:
      return float_bits((float)x + 3.5f);
   case PRODUCT:
      break;
   }
   return float_bits(product_at(in, at));
}

static uint32_t
expected_of_first(const struct inputs *in, enum result result, unsigned at)
{
   const int x = in->x[at];
   return result == FIRST_PLUS_ONE      ? float_bits((float)(x + 1))
          : result == TRIPLED_BUT_FIRST ? float_bits((float)x)
                                        : expected(in, result, at);
}

static void
check(const struct inputs *in, const uint32_t *out, uint32_t lanes)
{
   for (unsigned result = 0; result < RESULTS; result++) {
      const bool by_element = result == FIRST_PLUS_ONE || result == TRIPLED_BUT_FIRST;
      unsigned wrong = 0, first = 0;
      for (unsigned at = 0; at < SIZE; at++) {
         const uint32_t got = out[result * SIZE + at];
         const bool is_first = by_element && got == expected_of_first(in, (enum result)result, at);
         first += is_first;
         wrong += !is_first && got != expected(in, (enum result)result, at);
      }
      vkt_expect(!wrong, "%u lanes: %u elements of result %u", lanes, wrong, result);
      vkt_expect(!by_element || first == lanes, "%u lanes: %u first elements of result %u", lanes, first, result);
   }
}

void
matrix_elements(struct vkx *vkx, uint32_t lanes)
{
   struct inputs in = {.swap = vkt_random_below(2)};
   const uint32_t constants[] = {lanes, in.swap, SIDE};
   struct vkx_buffer buffers[3] = {vkt_buffer_create(vkx, 2 * SIZE * 4, 0), vkt_buffer_create(vkx, SIZE * 2, 0),
                                   vkt_buffer_create(vkx, RESULTS * SIZE * 4, 0)};
   for (unsigned i = 0; i < SIZE; i++) {
      in.x[i] = (int)(vkt_random_below(8) + 1) * (vkt_random_below(2) ? 1 : -1);
      in.y[i] = (vkt_random_below(2) ? 1 : -1) * (1 << vkt_random_below(3));
      in.halves[i] = (int)vkt_random_below(5) - 2;
      ((float *)buffers[0].map)[i] = (float)in.x[i];
      ((float *)buffers[0].map)[SIZE + i] = (float)in.y[i];
      ((uint16_t *)buffers[1].map)[i] = half_bits(in.halves[i]);
   }
   vkt_dispatch(vkx, &(struct vkt_dispatch){.code = VKT_CODE(code),
                                            .num_buffers = 3,
                                            .buffers = buffers,
                                            .num_constants = 3,
                                            .constants = constants,
                                            .groups = 1,
                                            .subgroup_size = lanes});
   check(&in, buffers[2].map, lanes);
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}
