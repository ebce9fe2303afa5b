/* Atomic operations of 64 bits (VK_KHR_shader_atomic_int64) and of floats (VK_EXT_shader_atomic_float, _float2). In
 * any order of the invocations, what a cell held before each operation and holds at the end is what it held first and
 * what each operation made of what it got. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vkt_dispatch.h"

#define CODE(name) static const uint32_t name[] =
CODE(uint64_buffer){
#include "wide_uint64_buffer.inc"
};
CODE(uint64_shared){
#include "wide_uint64_shared.inc"
};
CODE(int64_buffer){
#include "wide_int64_buffer.inc"
};
CODE(int64_shared){
#include "wide_int64_shared.inc"
};
CODE(float_buffer){
#include "wide_float_buffer.inc"
};
CODE(float_buffer_add){
#include "wide_float_buffer_add.inc"
};
CODE(float_buffer_min){
#include "wide_float_buffer_min.inc"
};
CODE(float_shared){
#include "wide_float_shared.inc"
};
CODE(float_shared_min){
#include "wide_float_shared_min.inc"
};
CODE(double_buffer){
#include "wide_double_buffer.inc"
};
CODE(double_buffer_min){
#include "wide_double_buffer_min.inc"
};
CODE(double_shared){
#include "wide_double_shared.inc"
};
CODE(double_shared_min){
#include "wide_double_shared_min.inc"
};

enum { COUNT = 256, CELLS = 16, MAX_ROWS = 12 };
enum kind { UNSIGNED, SIGNED, FLOAT, DOUBLE };
enum operation { EXCHANGE, MIN, MAX, ADD, AND, OR, XOR, ADD_3 };
static const char *const names[] = {"exchange", "min", "max", "add", "and", "or", "xor", "compare and exchange"};

/* The operations whose results the shader keeps, in its order; their cells. */
static const struct row {
   enum operation operation;
   unsigned group, cell; /* bit of the constant */
} rows[] = {{EXCHANGE, 0, 0}, {MIN, 1, 1}, {MAX, 1, 2}, {ADD, 2, 3},
            {AND, 3, 5},      {OR, 3, 6},  {XOR, 3, 7}, {ADD_3, 3, 8}};

static double
number(enum kind kind, uint64_t bits)
{
   float f;
   double d;
   memcpy(&f, &bits, 4);
   memcpy(&d, &bits, 8);
   return kind == FLOAT ? (double)f : d;
}

static uint64_t
bits_of(enum kind kind, double x)
{
   const float f = (float)x;
   uint64_t bits = 0;
   memcpy(&bits, kind == FLOAT ? (const void *)&f : &x, kind == FLOAT ? 4 : 8);
   return bits;
}

static uint64_t
apply(enum kind kind, enum operation operation, uint64_t old, uint64_t x)
{
   const bool is_float = kind >= FLOAT;
   const double a = number(kind, old), b = number(kind, x);
   const bool less = is_float ? a < b : kind == SIGNED ? (int64_t)old < (int64_t)x : old < x;
   switch (operation) {
   case EXCHANGE:
      return x;
   case MIN:
      return less ? old : x;
   case MAX:
      return less ? x : old;
   case ADD:
      return is_float ? bits_of(kind, a + b) : old + x;
   case AND:
      return old & x;
   case OR:
      return old | x;
   case XOR:
      return old ^ x;
   case ADD_3:
      return old + 3;
   }
   abort();
}

static int
compare(const void *a, const void *b)
{
   const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
   return x < y ? -1 : x > y;
}

static uint64_t
element(enum kind kind, const void *data, unsigned i)
{
   return kind == FLOAT ? ((const uint32_t *)data)[i] : ((const uint64_t *)data)[i];
}

static void
set_element(enum kind kind, void *data, unsigned i, uint64_t x)
{
   if (kind == FLOAT)
      ((uint32_t *)data)[i] = (uint32_t)x;
   else
      ((uint64_t *)data)[i] = x;
}

static uint64_t
random_element(enum kind kind)
{
   const uint64_t x = vkt_random() | (uint64_t)vkt_random() << 32;
   /* Sums of floats are exact in any order. */
   return kind >= FLOAT ? bits_of(kind, (double)((int32_t)x >> 20)) : x & 1 ? x : x >> 40;
}

struct test {
   const char *name;
   enum kind kind;
   struct vkt_code code;
   bool shared;
   uint32_t operations; /* bits of the rows' groups */
   bool offered;
};

/* One cell of the invocations [first, end). */
static bool
is_chain(const struct test *t, const struct row *row, const void *inputs, const void *results, unsigned first,
         unsigned end, uint64_t initial, uint64_t last)
{
   /* size: a chain of values */
   uint64_t before[COUNT + 1], after[COUNT + 1];
   unsigned n = 0;
   for (unsigned i = first; i < end; i++, n++) {
      before[n] = element(t->kind, results, i);
      after[n] = apply(t->kind, row->operation, before[n], element(t->kind, inputs, i));
   }
   before[n] = last;
   after[n++] = initial;
   qsort(before, n, sizeof(*before), compare);
   qsort(after, n, sizeof(*after), compare);
   return !memcmp(before, after, n * sizeof(*before));
}

static void
run_case(struct vkx *vkx, const struct test *t)
{
   if (!t->offered) {
      vkt_skip(t->name);
      return;
   }
   const unsigned size_B = t->kind == FLOAT ? 4 : 8, group = t->shared ? 64 : COUNT;
   struct vkx_buffer buffers[3] = {vkt_buffer_create(vkx, COUNT * size_B, 0),
                                   vkt_buffer_create(vkx, COUNT / 64 * CELLS * size_B, 0),
                                   vkt_buffer_create(vkx, MAX_ROWS * COUNT * size_B, 0)};
   uint64_t initial[COUNT / 64 * CELLS];
   for (unsigned i = 0; i < COUNT; i++)
      set_element(t->kind, buffers[0].map, i, random_element(t->kind));
   for (unsigned i = 0; i < COUNT / 64 * CELLS; i++)
      set_element(t->kind, buffers[1].map, i, initial[i] = random_element(t->kind));
   vkt_dispatch(vkx, &(struct vkt_dispatch){t->code, 3, buffers, 1, &t->operations, .groups = COUNT / 64});
   const char *results = buffers[2].map;
   unsigned kept = 0;
   for (unsigned r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
      if (!(t->operations >> rows[r].group & 1))
         continue;
      for (unsigned first = 0; first < COUNT; first += group) {
         const unsigned cell = (t->shared ? first / 64 * CELLS : 0) + rows[r].cell;
         const uint64_t last = element(t->kind, buffers[1].map, cell);
         vkt_expect(is_chain(t, &rows[r], buffers[0].map, results + (size_t)kept * COUNT * size_B, first,
                             first + group, initial[cell], last),
                    "%s: %s of invocations from %u: at the end %#llx", t->name, names[rows[r].operation], first,
                    (unsigned long long)last);
         if (rows[r].operation == ADD) /* the same without a result */
            vkt_expect(apply(t->kind, ADD, last, initial[cell + 1]) ==
                          apply(t->kind, ADD, element(t->kind, buffers[1].map, cell + 1), initial[cell]),
                       "%s: add without a result", t->name);
      }
      kept++;
   }
   for (unsigned i = 0; i < 3; i++)
      vkx_buffer_destroy(vkx, &buffers[i]);
}

/* The features of extensions that are there; the others stay false. */
struct offered {
   VkPhysicalDeviceShaderAtomicInt64Features wide;
   VkPhysicalDeviceShaderAtomicFloatFeaturesEXT floats;
   VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT more;
};

static struct offered
ask(struct vkx *vkx)
{
   struct offered o = {.wide.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
                       .floats.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
                       .more.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
   if (vkt_has("VK_KHR_shader_atomic_int64"))
      features.pNext = &o.wide;
   if (vkt_has("VK_EXT_shader_atomic_float")) {
      o.floats.pNext = features.pNext;
      features.pNext = &o.floats;
   }
   if (vkt_has("VK_EXT_shader_atomic_float2")) {
      o.more.pNext = features.pNext;
      features.pNext = &o.more;
   }
   vkGetPhysicalDeviceFeatures2(vkx->physical, &features);
   return o;
}

int
main(void)
{
   struct vkx vkx = vkt_create("wide_atomics");
   const struct offered o = ask(&vkx);
   const uint32_t all = 15, only_min = 2;
   const struct test tests[] = {
      {"uint64 in buffers", UNSIGNED, VKT_CODE(uint64_buffer), false, all, o.wide.shaderBufferInt64Atomics},
      {"uint64 in shared memory", UNSIGNED, VKT_CODE(uint64_shared), true, all, o.wide.shaderSharedInt64Atomics},
      {"int64 in buffers", SIGNED, VKT_CODE(int64_buffer), false, all, o.wide.shaderBufferInt64Atomics},
      {"int64 in shared memory", SIGNED, VKT_CODE(int64_shared), true, all, o.wide.shaderSharedInt64Atomics},
      {"float in buffers", FLOAT, VKT_CODE(float_buffer), false, 1, o.floats.shaderBufferFloat32Atomics},
      {"float sums in buffers", FLOAT, VKT_CODE(float_buffer_add), false, 4, o.floats.shaderBufferFloat32AtomicAdd},
      {"float limits in buffers", FLOAT, VKT_CODE(float_buffer_min), false, only_min,
       o.more.shaderBufferFloat32AtomicMinMax},
      {"float in shared memory", FLOAT, VKT_CODE(float_shared), true, 5, o.floats.shaderSharedFloat32AtomicAdd},
      {"float limits in shared memory", FLOAT, VKT_CODE(float_shared_min), true, only_min,
       o.more.shaderSharedFloat32AtomicMinMax},
      {"double in buffers", DOUBLE, VKT_CODE(double_buffer), false, 1, o.floats.shaderBufferFloat64Atomics},
      {"double limits in buffers", DOUBLE, VKT_CODE(double_buffer_min), false, only_min,
       o.more.shaderBufferFloat64AtomicMinMax},
      {"double in shared memory", DOUBLE, VKT_CODE(double_shared), true, 1, o.floats.shaderSharedFloat64Atomics},
      {"double limits in shared memory", DOUBLE, VKT_CODE(double_shared_min), true, only_min,
       o.more.shaderSharedFloat64AtomicMinMax},
   };
   vkt_expect(true, "the device is there");
   for (unsigned i = 0; i < sizeof(tests) / sizeof(*tests); i++)
      run_case(&vkx, &tests[i]);
   return vkt_finish(&vkx);
}
