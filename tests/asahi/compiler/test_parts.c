/* Random programs made of parts, on the modelled simd-groups: some load values and leave them in registers, one
 * computes with them, in branches and loops, some store what it leaves; once, or in rounds. What must come out is
 * worked out here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agx_run.h"
#include "asahi/hw/isa.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "share.h"
#include "sim/waves/pool.h"
#include "util/macros.h"

enum { THREADS = 64, MOST = 12, STATEMENTS = 24, ROUNDS = 4, ROUND_H = 2, SEEDS = 300 };

#define ROUND_DW (4 * MOST * THREADS) /* of what a round stores */
#define LOADED_H(i) (16 + 8 * (int32_t)(i))
#define LEFT_H(i) (8 + 8 * (int32_t)(i))

/* A value in all threads, and the same in the shader. */
struct value {
   struct nir_def *def;
   uint32_t of[THREADS];
};

struct program {
   struct arena arena;
   uint64_t random;
   unsigned loads, stores, rounds; /* rounds 0: no loop around it */
   struct agx_output parts[2 * MOST + 1];
   const struct agx_output *order[2 * MOST + 1];
   unsigned count;
   uint32_t expected[MOST][4][THREADS];
   struct value values[4 * MOST + STATEMENTS];
   unsigned num_values;
};

static uint32_t
below(struct program *p, uint32_t limit)
{
   return (uint32_t)(nir_random_next(&p->random) % limit);
}

static struct nir_builder
begin(struct program *p)
{
   struct nir_shader *shader = nir_shader_create(&p->arena, NIR_STAGE_COMPUTE);
   shader->info.workgroup_size[0] = THREADS;
   shader->info.workgroup_size[1] = shader->info.workgroup_size[2] = 1;
   return nir_builder_at(shader, nir_after_block(nir_first_block(shader)));
}

static void
finish(struct program *p, struct nir_builder *b, struct agx_options options)
{
   const char *error;
   options.continues = options.no_preamble = true;
   options.uniforms_h = AGX_RANDOM_UNIFORMS_H;
   options.uniforms_max_h = AGX_RANDOM_UNIFORMS_H;
   nir_lower_variables(b->shader);
   nir_optimize(b->shader);
   if (!agx_compile(&p->arena, b->shader, &options, &p->parts[p->count], &error))
      fail_msg("%s", error);
   p->order[p->count] = &p->parts[p->count];
   p->count++;
}

static struct nir_def *
word_index(struct nir_builder *b, unsigned number)
{
   struct nir_def *thread = nir_load_local_invocation_index(b);
   return nir_ishl_imm(b, nir_iadd_imm(b, thread, number * THREADS), 2);
}

static struct nir_def *
buffer(struct nir_builder *b, int32_t half)
{
   return nir_load_uniform_agx(b, 1, 64, .base = half);
}

static uint32_t
input(unsigned number, unsigned component, unsigned thread)
{
   return (number * 2654435761u + component * 40503u + thread * 2246822519u) ^ 0x9e3779b9u * thread;
}

/* Four words; some are changed on the way, which waits for them. */
static void
add_load(struct program *p, unsigned number)
{
   struct nir_builder b = begin(p);
   struct agx_options options = agx_test_options();
   struct nir_def *words =
      nir_load_agx(&b, 4, 32, buffer(&b, AGX_RANDOM_IN_H), word_index(&b, number), .format = AGX_FORMAT_I32);
   const uint32_t factor = below(p, 2) ? 1 : below(p, 1000) * 2 + 3;
   for (unsigned i = 0; i < 4; i++) {
      struct nir_def *word = nir_channel(&b, words, i);
      if (factor > 1)
         word = nir_imul(&b, word, nir_imm_int(&b, (int32_t)factor));
      nir_leave_register_agx(&b, word, .base = LOADED_H(number) + 2 * (int32_t)i);
      struct value *value = &p->values[p->num_values++];
      for (unsigned t = 0; t < THREADS; t++)
         value->of[t] = input(number, i, t) * factor;
   }
   options.first_register_h = (unsigned)LOADED_H(number);
   options.no_end_wait = below(p, 2);
   finish(p, &b, options);
}

static struct value *
some(struct program *p)
{
   return &p->values[below(p, p->num_values)];
}

/* if (x is odd) y + z, else y * z */
static void
add_branch(struct program *p, struct nir_builder *b, struct value *to)
{
   const struct value *x = some(p), *y = some(p), *z = some(p);
   struct nir_if *nif = nir_push_if(b, nir_ine_imm(b, nir_iand_imm(b, x->def, 1), 0));
   struct nir_def *sum = nir_iadd(b, y->def, z->def);
   nir_push_else(b, nif);
   struct nir_def *product = nir_imul(b, y->def, z->def);
   nir_pop_if(b, nif);
   to->def = nir_if_phi(b, sum, product);
   for (unsigned t = 0; t < THREADS; t++)
      to->of[t] = x->of[t] & 1 ? y->of[t] + z->of[t] : y->of[t] * z->of[t];
}

/* y = 3 y + z, as often as the low bits of x say */
static void
add_loop(struct program *p, struct nir_builder *b, struct value *to)
{
   const struct value *x = some(p), *y = some(p), *z = some(p);
   const struct nir_type *word = nir_type_vector(NIR_TYPE_UINT, 32, 1);
   struct nir_variable *sum = nir_variable_create(b->shader, NIR_VAR_FUNCTION_TEMP, word, "sum");
   struct nir_variable *round = nir_variable_create(b->shader, NIR_VAR_FUNCTION_TEMP, word, "round");
   nir_store_var(b, sum, y->def, 1);
   nir_store_var(b, round, nir_iand_imm(b, x->def, 7), 1);
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_if *nif = nir_push_if(b, nir_ieq_imm(b, nir_load_var(b, round), 0));
   nir_break(b);
   nir_pop_if(b, nif);
   nir_store_var(b, sum, nir_iadd(b, nir_imul(b, nir_load_var(b, sum), nir_imm_int(b, 3)), z->def), 1);
   nir_store_var(b, round, nir_iadd_imm(b, nir_load_var(b, round), -1), 1);
   nir_pop_loop(b, loop);
   to->def = nir_load_var(b, sum);
   for (unsigned t = 0; t < THREADS; t++) {
      to->of[t] = y->of[t];
      for (unsigned i = 0; i < (x->of[t] & 7); i++)
         to->of[t] = 3 * to->of[t] + z->of[t];
   }
}

static void
add_statement(struct program *p, struct nir_builder *b)
{
   struct value *to = &p->values[p->num_values];
   const struct value *x = some(p), *y = some(p);
   switch (below(p, 5)) {
   case 0:
      add_branch(p, b, to);
      break;
   case 1:
      add_loop(p, b, to);
      break;
   case 2:
      to->def = nir_ixor(b, x->def, y->def);
      for (unsigned t = 0; t < THREADS; t++)
         to->of[t] = x->of[t] ^ y->of[t];
      break;
   default:
      to->def = nir_iadd(b, nir_imul(b, x->def, nir_imm_int(b, 77)), y->def);
      for (unsigned t = 0; t < THREADS; t++)
         to->of[t] = x->of[t] * 77 + y->of[t];
      break;
   }
   p->num_values++;
}

static void
add_body(struct program *p)
{
   struct nir_builder b = begin(p);
   for (unsigned i = 0; i < p->num_values; i++)
      p->values[i].def = nir_load_register_agx(&b, .base = LOADED_H(i / 4) + 2 * (int32_t)(i % 4));
   for (unsigned n = below(p, STATEMENTS); n-- > 0;)
      add_statement(p, &b);
   for (unsigned i = 0; i < 4 * p->stores; i++) {
      const struct value *value = some(p);
      nir_leave_register_agx(&b, value->def, .base = LEFT_H(i / 4) + 2 * (int32_t)(i % 4));
      for (unsigned t = 0; t < THREADS; t++)
         p->expected[i / 4][i % 4][t] = value->of[t];
   }
   struct agx_options options = agx_test_options();
   options.first_register_h = p->rounds ? ROUND_H + 2 : 0;
   finish(p, &b, options);
}

/* As it lies, or other bits. */
static void
add_store(struct program *p, unsigned number)
{
   struct nir_builder b = begin(p);
   struct agx_options options = agx_test_options();
   const uint32_t mask = below(p, 2) * 0x5bd1e995u;
   struct nir_def *words[4], *index = word_index(&b, number);
   struct nir_def *round = p->rounds ? nir_load_register_agx(&b, .base = ROUND_H) : nir_imm_int(&b, 0);
   for (unsigned i = 0; i < 4; i++) {
      words[i] = nir_load_register_agx(&b, .base = LEFT_H(number) + 2 * (int32_t)i);
      words[i] = mask ? nir_ixor(&b, words[i], nir_imm_int(&b, (int32_t)mask)) : words[i];
      words[i] = nir_iadd(&b, words[i], round);
      for (unsigned t = 0; t < THREADS; t++)
         p->expected[number][i][t] ^= mask;
   }
   index = nir_iadd(&b, index, nir_imul_imm(&b, round, ROUND_DW));
   nir_store_agx(&b, nir_vec(&b, words, 4), buffer(&b, AGX_RANDOM_OUT_H), index, .format = AGX_FORMAT_I32,
                 .write_mask = 0xf);
   options.first_register_h = (unsigned)LEFT_H(number);
   finish(p, &b, options);
}

static void
fill(uint32_t *in, unsigned loads)
{
   for (unsigned n = 0; n < loads; n++) {
      for (unsigned t = 0; t < THREADS; t++)
         for (unsigned i = 0; i < 4; i++)
            in[4 * (n * THREADS + t) + i] = input(n, i, t);
   }
}

static void
compare(const struct program *p, uint32_t seed, const uint32_t *out, uint32_t round, const char *listing)
{
   for (unsigned at = 0; at < 4 * p->stores * THREADS; at++) {
      const unsigned n = at / 4 / THREADS, t = at / 4 % THREADS, i = at % 4;
      const uint32_t is = out[round * ROUND_DW + at], wanted = p->expected[n][i][t] + round;
      if (is != wanted)
         fail_msg("seed %u, round %u, store %u.%u of thread %u: %x, not %x\n%s", seed, round, n, i, t, is, wanted,
                  listing);
   }
}

static void
check(struct agx_wave_engine *engine, uint32_t seed)
{
   static struct program program;
   struct program *p = &program;
   struct agx_output whole;
   struct sim_fault fault;
   uint16_t registers_h = 0;
   *p = (struct program){.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
   p->loads = 1 + below(p, MOST);
   p->stores = 1 + below(p, MOST);
   p->rounds = below(p, ROUNDS + 1);
   const struct agx_rounds rounds = {p->rounds, ROUND_H};
   for (unsigned i = 0; i < p->loads; i++)
      add_load(p, i);
   add_body(p);
   for (unsigned i = p->stores; i-- > 0;)
      add_store(p, i);
   agx_join(&p->arena, p->order, p->count, p->rounds ? &rounds : NULL, true, &whole);
   for (unsigned i = 0; i < p->count; i++)
      registers_h = MAX2(registers_h, p->parts[i].registers_h);
   assert_int_equal(whole.registers_h, registers_h);
   struct agx_run run = agx_run_open(4 * ROUND_DW, ROUNDS * 4 * ROUND_DW, &whole);
   fill((uint32_t *)run.in, p->loads);
   if (!agx_run(&run, engine, &whole, THREADS, &fault))
      fail_msg("seed %u: %s\n%s", seed, fault.message, whole.listing);
   for (uint32_t round = 0; round < MAX2(p->rounds, 1u); round++)
      compare(p, seed, (const uint32_t *)run.out, round, whole.listing);
   agx_run_close(&run);
   arena_free(&p->arena);
}

static void
random_parts(void **state)
{
   (void)state;
   struct sim_pool *pool = sim_pool_create(1);
   struct agx_wave_engine *engine = agx_wave_engine_create(pool);
   for (uint32_t seed = 0; seed < test_share_of(SEEDS); seed++)
      check(engine, seed);
   agx_wave_engine_destroy(engine);
   sim_pool_destroy(pool);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(random_parts)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
