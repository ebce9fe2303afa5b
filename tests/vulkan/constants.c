/* Specialization constants of all types, and OpSpecConstantOp of every operation that Vulkan allows, against C: with
 * the defaults, with random values, and with some of both. shaders/constants.py writes the shader and the C. */
#include <stdio.h>
#include <stdlib.h>
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

/* What values a slot may have. */
enum kind { TRUTH, LENGTH, ANY, DIVISOR, POSITIVE, POSITIVE_DIVISOR, SHIFT, FLOAT };

struct slot {
   size_t size_B;
   enum kind kind;
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

#include "constants_doubles.inc"
#include "constants_module.inc"

enum { MAX_SLOTS = 32, MAX_ROWS = 800, SETS = 8 };

#define MODULE(name)                                                                                                 \
   {                                                                                                                 \
      VKT_CODE(code_##name), slots_##name, sizeof(slots_##name) / sizeof(slots_##name[0]), names_##name,             \
         sizeof(names_##name) / sizeof(names_##name[0]), compute_##name                                              \
   }
static const struct module {
   struct vkt_code code;
   const struct slot *slots;
   uint32_t num_slots;
   const char *const *names;
   unsigned rows;
   void (*compute)(const u64 *slot, u64 *want);
} narrow = MODULE(module), doubles = MODULE(doubles);
_Static_assert(sizeof(slots_module) / sizeof(slots_module[0]) <= MAX_SLOTS &&
                  sizeof(names_module) / sizeof(names_module[0]) <= MAX_ROWS,
               "");

static u64
random_float(unsigned width, u64 word)
{
   const double number = ((int)(word % 4096) - 2048) / 64.0;
   return width == 16   ? bits(&(f16){(f16)number}, 2)
          : width == 32 ? bits(&(f32){(f32)number * 1.0001f}, 4)
                        : bits(&number, 8);
}

static u64
random_value(const struct slot *slot, u64 old)
{
   const unsigned width = 8 * (unsigned)slot->size_B;
   const u64 all = width == 64 ? UINT64_MAX : (1ull << width) - 1, word = (u64)vkt_random() << 32 | vkt_random();
   const u64 value = word & all, top = 1ull << (width - 1);
   switch (slot->kind) {
   case TRUTH:
      return word & 1;
   case LENGTH:
      return 1 + word % 64;
   case ANY:
      return value;
   case DIVISOR: /* neither 0 nor -1 */
      return value == 0 || value == all ? old : value;
   case POSITIVE:
      return value & (top - 1);
   case POSITIVE_DIVISOR:
      return (value & (top - 1)) | 1;
   case SHIFT:
      return word % width;
   case FLOAT:
      return random_float(width, word);
   }
   abort();
}

/* set 0: the defaults; odd ones give all constants, even ones every second. */
static void
run_module(struct vkx *vkx, const struct module *m, unsigned set)
{
   u64 values[MAX_SLOTS], want[MAX_ROWS];
   VkSpecializationMapEntry entries[MAX_SLOTS];
   uint32_t count = 0;
   for (unsigned i = 0; i < m->num_slots; i++) {
      values[i] = bits(m->slots[i].value, m->slots[i].size_B);
      if (set && (set % 2 || i % 2)) {
         values[i] = random_value(&m->slots[i], values[i]);
         entries[count++] = (VkSpecializationMapEntry){i, 8 * i, m->slots[i].size_B};
      }
   }
   const VkSpecializationInfo specialization = {count, entries, sizeof(values), values};
   struct vkx_buffer buffer = vkt_buffer_create(vkx, 8 * m->rows, 0xaa);
   vkt_dispatch(
      vkx, &(struct vkt_dispatch){m->code, 1, &buffer, .groups = 1, .specialization = set ? &specialization : NULL});
   m->compute(values, want);
   unsigned wrong = 0;
   for (unsigned i = 0; i < m->rows; i++) {
      const u64 got = ((const u64 *)buffer.map)[i];
      if (got != want[i] && wrong++ < 20)
         printf("   set %u, %s: %#llx, not %#llx\n", set, m->names[i], (unsigned long long)got,
                (unsigned long long)want[i]);
   }
   vkt_expect(!wrong, "set %u: %u of %u wrong", set, wrong, m->rows);
   vkx_buffer_destroy(vkx, &buffer);
}

int
main(void)
{
   struct vkx vkx = vkt_create("constants");
   const bool numbers = vkt_features.shaderInt64 && vkt_features.shaderInt16 && vkt_float16 && vkt_int8;
   for (unsigned set = 0; set < SETS && numbers; set++)
      run_module(&vkx, &narrow, set);
   if (!numbers)
      vkt_skip("types that the device lacks");
   for (unsigned set = 0; set < SETS && numbers && vkt_features.shaderFloat64; set++)
      run_module(&vkx, &doubles, set);
   if (!vkt_features.shaderFloat64)
      vkt_skip("64-bit floats");
   return vkt_finish(&vkx);
}
