/* Specialization constants of all types, and OpSpecConstantOp of every operation that Vulkan allows, against C: with
 * the defaults, with random values, and with some of both. shaders/constants.py writes the shader and the C. */
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
typedef VkBool32 b32;
typedef _Float16 f16;
typedef float f32;
typedef double f64;

struct slot {
   size_t size_B;
   const void *value;
};

/* An expression over the integers a and b (sa and sb: with signs) of that many bits, cut to these. */
#define OF(width, x, y, expression)                                                                                  \
   ({                                                                                                                \
      const u64 a = (x), b = (y);                                                                                    \
      const s64 sa = (s##width)a, sb = (s##width)b;                                                                  \
      (void)a;                                                                                                       \
      (void)b;                                                                                                       \
      (void)sa;                                                                                                      \
      (void)sb;                                                                                                      \
      (u64)(u##width)(expression);                                                                                   \
   })

static u64
bits(const void *value, size_t size_B)
{
   u64 word = 0;
   memcpy(&word, value, size_B);
   return word;
}

#include "constants_module.inc"

enum { SLOTS = sizeof(slots) / sizeof(slots[0]), ROWS = sizeof(names) / sizeof(names[0]), SETS = 8 };

/* A random value for a slot. In order: two bools, a length, five integers of each width, the floats. */
static u64
random_value(const struct slot *slot, u64 old, unsigned i)
{
   const unsigned width = 8 * (unsigned)slot->size_B;
   const u64 all = width == 64 ? UINT64_MAX : (1ull << width) - 1, word = (u64)vkt_random() << 32 | vkt_random();
   if (i < 2)
      return word & 1;
   if (i == 2)
      return 1 + word % 64;
   if (i >= 3 + 5 * 4) {
      const double number = ((int)(word % 4096) - 2048) / 64.0;
      return width == 16   ? bits(&(f16){(f16)number}, 2)
             : width == 32 ? bits(&(f32){(f32)number * 1.0001f}, 4)
                           : bits(&number, 8);
   }
   const u64 value = word & all, top = 1ull << (width - 1);
   switch ((i - 3) % 5) {
   case 1: /* divides: neither 0 nor -1 */
      return value == 0 || value == all ? old : value;
   case 2: /* positive */
      return value & (top - 1);
   case 3:
      return (value & (top - 1)) | 1;
   case 4: /* shifts */
      return word % width;
   default:
      return value;
   }
}

/* set 0: the defaults; odd ones give all constants, even ones every second. */
static void
run(struct vkx *vkx, unsigned set)
{
   u64 values[SLOTS], want[ROWS];
   VkSpecializationMapEntry entries[SLOTS];
   uint32_t count = 0;
   for (unsigned i = 0; i < SLOTS; i++) {
      values[i] = bits(slots[i].value, slots[i].size_B);
      if (set && (set % 2 || i % 2)) {
         values[i] = random_value(&slots[i], values[i], i);
         entries[count++] = (VkSpecializationMapEntry){i, 8 * i, slots[i].size_B};
      }
   }
   const VkSpecializationInfo specialization = {count, entries, sizeof(values), values};
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 8 * ROWS, 0xaa);
   vkt_dispatch(vkx, &(struct vkt_dispatch){VKT_CODE(code), 1, &buffer, .groups = 1,
                                            .specialization = set ? &specialization : NULL});
   compute(values, want);
   unsigned wrong = 0;
   for (unsigned i = 0; i < ROWS; i++) {
      const u64 got = ((const u64 *)buffer.map)[i];
      if (got != want[i] && wrong++ < 20)
         printf("   set %u, %s: %#llx, not %#llx\n", set, names[i], (unsigned long long)got,
                (unsigned long long)want[i]);
   }
   vkt_expect(!wrong, "set %u: %u of %u wrong", set, wrong, (unsigned)ROWS);
   vkx_buffer_destroy(vkx, &buffer);
}

int
main(void)
{
   struct vkx vkx = vkt_create("constants");
   const bool numbers = vkt_features.shaderInt64 && vkt_features.shaderFloat64 && vkt_features.shaderInt16;
   if (numbers && vkt_float16 && vkt_int8) {
      for (unsigned set = 0; set < SETS; set++)
         run(&vkx, set);
   } else {
      vkt_skip("types that the device lacks");
   }
   return vkt_finish(&vkx);
}
