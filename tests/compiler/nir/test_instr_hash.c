/* Instructions that differ in one thing each spread over a hash table as random numbers do; equal ones are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../probes.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_instr_hash.h"

#define MOST 20000
#define VALUES 120

struct family {
   struct arena arena;
   struct nir_shader *shader;
   struct nir_builder b;
   struct nir_def *values[VALUES]; /* vectors of four */
   uint32_t hashes[MOST], count;
};

static struct family *
begin(void)
{
   struct family *f = calloc(1, sizeof(*f));
   f->shader = nir_shader_create(&f->arena, NIR_STAGE_COMPUTE);
   f->b = nir_builder_create(f->shader);
   for (uint32_t i = 0; i < VALUES; i++)
      f->values[i] = nir_undef(&f->b, 4, 32);
   return f;
}

static void
add(struct family *f, struct nir_def *def)
{
   assert_true(f->count < MOST);
   f->hashes[f->count++] = nir_instr_hash(def->parent);
}

static void
end(struct family *f, const char *what)
{
   const uint64_t probes = count_probes(f->hashes, f->count);
   if (probes > 2 * (uint64_t)f->count)
      fail_msg("%s: %u hashes take %llu probes", what, f->count, (unsigned long long)probes);
   arena_free(&f->arena);
   free(f);
}

/* Sums of two values are many where all values lie evenly in memory. */
static void
test_commutative(void **state)
{
   (void)state;
   struct family *f = begin();
   for (uint32_t i = 0; i < VALUES; i++) {
      for (uint32_t k = 0; k <= i; k++)
         add(f, nir_iadd(&f->b, f->values[i], f->values[k]));
   }
   end(f, "sums");
}

static void
test_ordered(void **state)
{
   (void)state;
   struct family *f = begin();
   for (uint32_t i = 0; i < VALUES; i++) {
      for (uint32_t k = 0; k < VALUES; k++)
         add(f, nir_isub(&f->b, f->values[i], f->values[k]));
   }
   end(f, "differences");
}

static struct nir_def *
swizzled(struct family *f, struct nir_def *value, uint32_t swizzle)
{
   struct nir_def *def = nir_ineg(&f->b, value);
   struct nir_alu_instr *alu = nir_as_alu(def->parent);
   for (unsigned c = 0; c < 4; c++)
      alu->src[0].swizzle[c] = swizzle >> 2 * c & 3;
   return def;
}

static void
test_swizzles(void **state)
{
   (void)state;
   struct family *f = begin();
   for (uint32_t i = 0; i < VALUES / 2; i++) {
      for (uint32_t swizzle = 0; swizzle < 256; swizzle++)
         add(f, swizzled(f, f->values[i], swizzle));
   }
   end(f, "swizzles");
}

static void
test_constants(void **state)
{
   (void)state;
   struct family *f = begin();
   for (uint32_t i = 0; i < MOST / 2; i++) {
      add(f, nir_imm_int(&f->b, (int32_t)i));
      add(f, nir_imm_float(&f->b, (float)i));
   }
   end(f, "constants");
}

/* What is only in the indices. */
static void
test_indices(void **state)
{
   (void)state;
   struct family *f = begin();
   struct nir_def *zero = nir_imm_int(&f->b, 0);
   for (int32_t i = 0; i < MOST / 2; i++) {
      struct nir_indices indices = {.base = 4 * i, .align_mul = 4};
      add(f, nir_build_load_push_constant(&f->b, 1, 32, zero, indices));
   }
   end(f, "indices");
}

/* Equal ones are found in whatever order their operands are. */
static void
test_equal(void **state)
{
   (void)state;
   struct family *f = begin();
   struct nir_def *a = f->values[3], *b = f->values[70];
   struct nir_def *ab = nir_iadd(&f->b, a, b), *ba = nir_iadd(&f->b, b, a);
   assert_int_equal(nir_instr_hash(ab->parent), nir_instr_hash(ba->parent));
   struct nir_def *fma = nir_ffma(&f->b, a, b, ab), *swapped = nir_ffma(&f->b, b, a, ab);
   assert_int_equal(nir_instr_hash(fma->parent), nir_instr_hash(swapped->parent));
   assert_int_equal(nir_instr_hash(swizzled(f, a, 27)->parent), nir_instr_hash(swizzled(f, a, 27)->parent));
   end(f, "equal");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_commutative), cmocka_unit_test(test_ordered), cmocka_unit_test(test_swizzles),
      cmocka_unit_test(test_constants),   cmocka_unit_test(test_indices), cmocka_unit_test(test_equal),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
