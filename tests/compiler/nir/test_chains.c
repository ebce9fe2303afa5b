/* Sums and products of values and constants, in any order and of any size of floats: optimisation leaves the order of
 * roundings as the shader has it, although nothing forbids another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_interp.h"
#include "compiler/nir/nir_passes.h"
#include "util/half.h"
#include "util/macros.h"

#define PROGRAMS 600
#define VALUES 4 /* that the shader loads; each has eight bytes */
#define RESULT_B (VALUES * 8)

static uint32_t
draw(uint64_t *state, uint32_t count)
{
   *state = *state * 6364136223846793005u + 1442695040888963407u;
   return (uint32_t)(*state >> 33) % count;
}

/* No constant is one that an operation could be left out for. */
static double
random_number(uint64_t *state)
{
   return (double)(draw(state, 4000) + 17) / 333 * (draw(state, 2) ? 1 : -1);
}

static struct nir_def *
operand(struct nir_builder *b, struct nir_def *buffer, unsigned bits, uint64_t *state)
{
   if (draw(state, 2))
      return nir_imm_floatN(b, random_number(state), bits);
   struct nir_indices indices = {.align_mul = 8};
   return nir_build_load_ssbo(b, 1, bits, buffer, nir_imm_int(b, (int32_t)(8 * draw(state, VALUES))), indices);
}

static struct nir_shader *
build(struct arena *arena, unsigned bits, uint64_t *state)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   shader->info.workgroup_size[0] = shader->info.workgroup_size[1] = shader->info.workgroup_size[2] = 1;
   struct nir_def *buffer =
      nir_vulkan_resource_index(&b, nir_imm_int(&b, 0), .descriptor_kind = NIR_DESCRIPTOR_STORAGE_BUFFER);
   struct nir_def *value = operand(&b, buffer, bits, state);
   for (unsigned length = 2 + draw(state, 4); length > 0; length--) {
      struct nir_def *other = operand(&b, buffer, bits, state);
      bool swap = draw(state, 2), product = draw(state, 2);
      if (!draw(state, 4))
         value = nir_fneg(&b, value);
      struct nir_def *first = swap ? other : value, *second = swap ? value : other;
      value = product          ? nir_fmul(&b, first, second)
              : draw(state, 3) ? nir_fadd(&b, first, second)
                               : nir_fsub(&b, first, second);
   }
   nir_build_store_ssbo(&b, value, buffer, nir_imm_int(&b, RESULT_B),
                        (struct nir_indices){.align_mul = 8, .write_mask = 1});
   return shader;
}

static uint64_t
interpret(struct arena *arena, struct nir_shader *shader, const uint64_t *values)
{
   uint64_t data[VALUES + 1] = {0};
   memcpy(data, values, RESULT_B);
   const struct nir_interp_buffer buffer = {.data = (uint8_t *)data, .size_B = sizeof(data)};
   const struct nir_interp_params params = {
      .num_lanes = 1, .subgroup_size = 32, .num_workgroups = {1, 1, 1}, .buffers = &buffer, .num_buffers = 1};
   assert_null(nir_validate(shader));
   assert_null(nir_interp_run(arena, shader, &params).error);
   return data[VALUES];
}

static void
order_of_roundings(void **unused)
{
   for (unsigned n = 0; n < PROGRAMS; n++) {
      const unsigned bits = (const unsigned[]){16, 32, 64}[n % 3];
      uint64_t state = n, values[VALUES];
      struct arena arena = {0};
      struct nir_shader *shader = build(&arena, bits, &state);
      for (unsigned i = 0; i < VALUES; i++) {
         double x = random_number(&state);
         values[i] = bits == 64 ? double_bits(x) : bits == 32 ? float_bits((float)x) : half_from_float((float)x);
      }
      uint64_t before = interpret(&arena, shader, values);
      nir_optimize(shader);
      uint64_t after = interpret(&arena, shader, values);
      if (before != after) {
         nir_print(shader, stderr);
         fail_msg("program %u: %#lx became %#lx", n, before, after);
      }
      arena_free(&arena);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(order_of_roundings)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
