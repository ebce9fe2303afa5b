/* All dot products of integers (VK_KHR_shader_integer_dot_product), with 128 bits in C. */
#include <stdio.h>
#include <string.h>

#include "vkt_dispatch.h"

static const uint32_t code[] = {
#include "dots.inc"
};

enum { COUNT = 1024, OPERATIONS = 6 };

/* In the shader's order: components, their size, that of the result. */
static const struct shape {
   const char *name;
   unsigned count, bits, result;
} shapes[] = {
   {"i8vec4, 8", 4, 8, 8},     {"i8vec4, 16", 4, 8, 16},   {"i8vec4, 32", 4, 8, 32},   {"i8vec4, 64", 4, 8, 64},
   {"i8vec3, 32", 3, 8, 32},   {"i8vec2, 16", 2, 8, 16},   {"i16vec2, 16", 2, 16, 16}, {"i16vec2, 32", 2, 16, 32},
   {"i16vec2, 64", 2, 16, 64}, {"i16vec3, 32", 3, 16, 32}, {"i16vec4, 64", 4, 16, 64}, {"ivec2, 32", 2, 32, 32},
   {"ivec3, 64", 3, 32, 64},   {"i64vec2, 64", 2, 64, 64}, {"packed, 8", 4, 8, 8},     {"packed, 16", 4, 8, 16},
   {"packed, 32", 4, 8, 32},   {"packed, 64", 4, 8, 64},
};
#define SHAPES (sizeof(shapes) / sizeof(*shapes))
static const char *const operations[OPERATIONS] = {"SDot",       "UDot",       "SUDot",
                                                   "SDotAccSat", "UDotAccSat", "SUDotAccSat"};

struct input {
   uint32_t a[4], b[4], sum[4];
};

static __int128
component(const uint32_t *words, unsigned bits, unsigned i, bool is_signed)
{
   uint64_t x = 0;
   memcpy(&x, (const char *)words + i * bits / 8, bits / 8);
   const __int128 top = (__int128)1 << (bits - 1);
   return is_signed && (__int128)x >= top ? (__int128)x - 2 * top : (__int128)x;
}

/* False: the specification does not define it. */
static bool
expected(const struct shape *s, unsigned operation, const struct input *in, uint64_t *result)
{
   const bool is_signed = operation % 3 != 1, saturates = operation >= 3, second = operation % 3 == 0;
   const __int128 low = is_signed ? -((__int128)1 << (s->result - 1)) : 0;
   const __int128 high = low + ((__int128)1 << s->result) - 1;
   __int128 sum = 0;
   bool defined = true;
   for (unsigned i = 0; i < s->count; i++) {
      const __int128 x = component(in->a, s->bits, i, is_signed), y = component(in->b, s->bits, i, second);
      if (s->bits == 64) /* the low bits are enough */
         sum = (__int128)((unsigned __int128)sum + (unsigned __int128)x * (unsigned __int128)y);
      else
         sum += x * y;
      defined &= x * y >= low && x * y <= high && sum >= low && sum <= high;
   }
   if (saturates) {
      sum += component(in->sum, s->result, 0, is_signed);
      sum = sum < low ? low : sum > high ? high : sum;
   }
   *result = (uint64_t)sum & (s->result == 64 ? UINT64_MAX : (UINT64_C(1) << s->result) - 1);
   return !saturates || defined;
}

/* Random bits, small numbers, and the ends of the types. */
static uint32_t
word(void)
{
   static const uint32_t ends[] = {0x80808080, 0x7f7f7f7f, 0xffffffff, 0,
                                   0x80008000, 0x7fff7fff, 0x80000000, 0x7fffffff};
   const unsigned kind = vkt_random_below(8);
   if (kind == 0)
      return ends[vkt_random_below(8)];
   if (kind < 4)
      return (vkt_random() & 0x07070707) | (vkt_random() & 1 ? 0xf8f80000 : 0);
   return kind < 6 ? (uint32_t)((int32_t)vkt_random() >> 20) : vkt_random();
}

int
main(void)
{
   struct vkx vkx = vkt_create("dots");
   if (!vkt_has("VK_KHR_shader_integer_dot_product") || !vkt_int8 || !vkt_features.shaderInt16 ||
       !vkt_features.shaderInt64) {
      vkt_skip("VK_KHR_shader_integer_dot_product");
      vkt_expect(true, "nothing to do");
      return vkt_finish(&vkx);
   }
   struct vkx_buffer buffers[2] = {vkt_buffer_create(&vkx, COUNT * sizeof(struct input), 0),
                                   vkt_buffer_create(&vkx, 8 * SHAPES * OPERATIONS * COUNT, 0xcc)};
   uint32_t *input = buffers[0].map;
   for (unsigned i = 0; i < COUNT * sizeof(struct input) / 4; i++)
      input[i] = word();
   for (unsigned i = 0; i < COUNT; i += 1 + vkt_random_below(4)) { /* small pairs of words: sums of 64 bits, too */
      uint32_t *words = input + i * sizeof(struct input) / 4;
      for (unsigned j = 0; j < 8; j++)
         words[j] = j & 1 ? -(words[j - 1] >> 31) & -(i & 1)
                          : words[j] >> 20 | (words[j] & -(i & 1) & 0x80000000 ? 0xfffff000 : 0);
   }
   vkt_dispatch(&vkx, &(struct vkt_dispatch){VKT_CODE(code), 2, buffers, .groups = COUNT / 64});
   const struct input *inputs = buffers[0].map;
   const uint64_t *results = buffers[1].map;
   for (unsigned row = 0; row < SHAPES * OPERATIONS; row++) {
      const struct shape *s = &shapes[row / OPERATIONS];
      unsigned wrong = 0, defined = 0;
      for (unsigned i = 0; i < COUNT; i++) {
         uint64_t want,
            got = results[row * COUNT + i] & (s->result == 64 ? UINT64_MAX : (UINT64_C(1) << s->result) - 1);
         if (!expected(s, row % OPERATIONS, &inputs[i], &want))
            continue;
         defined++;
         if (got != want && wrong++ < 2)
            printf("   %s of %s: %#llx %#llx . %#llx %#llx + %#llx: %#llx, not %#llx\n", operations[row % OPERATIONS],
                   s->name, inputs[i].a[0] + 0ull, inputs[i].a[1] + 0ull, inputs[i].b[0] + 0ull,
                   inputs[i].b[1] + 0ull, inputs[i].sum[0] + 0ull, (unsigned long long)got, (unsigned long long)want);
      }
      vkt_expect(!wrong && defined > COUNT / 64, "%s of %s: %u wrong, %u defined", operations[row % OPERATIONS],
                 s->name, wrong, defined);
   }
   for (unsigned i = 0; i < 2; i++)
      vkx_buffer_destroy(&vkx, &buffers[i]);
   return vkt_finish(&vkx);
}
