/* Blocks that are checked by situations, against the same checked instruction by instruction: waves walk at random
 * through the blocks of random programs, mostly in loops. What runs into something is the same, and so is what is
 * noted of them whenever they leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/sim/wave/jit_steady.h"
#include "amd/sim/wave/wave.h"
#include "sim/waves/pool.h"
#include "chance.h"
#include "text_program.h"

#define CODE_VA 0x100000000ull

enum { PROGRAMS = 60, BLOCKS = 9, WALKS = 60, STEPS = 80, CODE_B = 4096, LANES = 64 };

/* A block of the program, and its first instruction. */
struct place {
   const struct jit_block *block;
   uint32_t first;
};

static struct sim_vm *vm;
static uint8_t *code;
static struct sim_rounds rounds;

/* ---- programs ---- */

static void
add(char *text, size_t size_B, const char *format)
{
   const size_t used = strlen(text);
   const unsigned a = chance(8), b = chance(8), c = chance(8), s = 20 + 2 * chance(4);
   if (strstr(format, "%4$u"))
      snprintf(text + used, size_B - used, format, a, b, c, s, s + 1); /* NOLINT */
   else
      snprintf(text + used, size_B - used, format, a, b, c); /* NOLINT */
}

/* Few run into anything: those at the end of a list cause trouble, or meet it. */
static void
make_text(enum amd_gen gen, char *text, size_t size_B)
{
   static const char *const plain[] = {"v_mul_f32 v%u, v%u, v%u\n", "v_mov_b32 v%u, v%u\n",
                                       "v_xor_b32 v%u, v%u, v%u\n", "s_mov_b32 s%4$u, 1\n",
                                       "v_cndmask_b32 v%1$u, v%2$u, v%3$u, s[%4$u:%5$u]\n"};
   static const char *const old[] = {"v_readfirstlane_b32 s%4$u, v%1$u\n", "v_readlane_b32 s%5$u, v%1$u, s%4$u\n",
                                     "v_cmp_lt_f32 s[%4$u:%5$u], v%1$u, v%2$u\n"};
   static const char *const recent[] = {"v_rcp_f32 v%u, v%u\n", "v_cmp_lt_f32 s[%4$u:%5$u], v%1$u, v%2$u\n",
                                        "s_mov_b64 exec, s[%4$u:%5$u]\n", "v_readfirstlane_b32 s%4$u, v%1$u\n"};
   text[0] = 0;
   for (unsigned b = 0; b < BLOCKS; b++) {
      snprintf(text + strlen(text), size_B - strlen(text), "L%u:\n", b);
      for (unsigned i = 0, count = 1 + chance(7); i < count; i++) {
         if (chance(7))
            add(text, size_B, plain[chance(sizeof(plain) / sizeof(plain[0]))]);
         else
            add(text, size_B, gen >= AMD_GFX11 ? recent[chance(4)] : old[chance(3)]);
      }
      snprintf(text + strlen(text), size_B - strlen(text), "s_cbranch_scc1 L%u\n", chance(b + 1));
   }
   strcat(text, "s_endpgm\n");
}

static unsigned
find_places(const struct program *p, const struct jit *jit, struct place places[BLOCKS])
{
   unsigned count = 0;
   for (uint32_t i = 0; i < p->code_count && count < BLOCKS; i++) {
      const struct jit_block *block = jit_block_at(jit, i);
      if (block)
         places[count++] = (struct place){block, i};
   }
   return count;
}

/* ---- walks ---- */

struct walk {
   const struct jit *jit;
   struct wave *fast, *plain;
   struct jit_steady of_fast, of_plain;
   unsigned skipped, hazards;
};

/* Of instructions before the walk: some registers that memory instructions have read. */
static void
start(struct walk *k)
{
   struct wave *w = k->plain;
   wave_wait_states_start(&w->wait_states);
   wave_forwards_start(&w->forwards);
   w->hazards = (struct wave_hazards){0};
   if (chance(2))
      w->hazards.by_smem.bits[0] = UINT64_C(1) << (20 + chance(8));
   else
      w->hazards.by_loads.bits[0] = UINT64_C(1) << (20 + chance(8));
   w->hazards.lds = chance(2);
   k->fast->wait_states = w->wait_states;
   k->fast->forwards = w->forwards;
   k->fast->hazards = w->hazards;
   k->of_fast = (struct jit_steady){0};
   k->of_plain = (struct jit_steady){.gives_up = true};
}

static void
leave(struct walk *k)
{
   jit_steady_leave(&k->of_fast, k->fast);
   assert_true(wave_hazards_alike(&k->fast->hazards, &k->plain->hazards));
   assert_true(wave_wait_states_alike(&k->fast->wait_states, &k->plain->wait_states));
   assert_true(wave_forwards_alike(&k->fast->forwards, &k->plain->forwards));
}

/* False: it has run into something. */
static bool
go(struct walk *k, const struct place *to)
{
   k->skipped += k->of_fast.at != NULL;
   k->fast->base.next = k->plain->base.next = to->first;
   const uint32_t got = jit_steady_check(&k->of_fast, k->fast, k->jit, to->block),
                  want = jit_steady_check(&k->of_plain, k->plain, k->jit, to->block);
   assert_int_equal(got, want);
   k->hazards += want < to->block->count;
   if (want < to->block->count || !chance(20))
      leave(k);
   return want == to->block->count;
}

static void
walk(struct walk *k, const struct place *places, unsigned count)
{
   unsigned loop[4];
   const unsigned length = 1 + chance(4);
   for (unsigned i = 0; i < length; i++)
      loop[i] = chance(count);
   start(k);
   for (unsigned i = 0; i < STEPS; i++)
      if (!go(k, &places[chance(10) ? loop[i % length] : chance(count)]))
         return;
   leave(k);
}

static void
random_walks(void **state)
{
   const struct amd_chip *chip = amd_chip_by_name(*state);
   struct sim_pool *pool = sim_pool_create(1);
   struct walk k = {.fast = calloc(1, sizeof(*k.fast)), .plain = calloc(1, sizeof(*k.plain))};
   if (!jit_fits_host())
      skip();
   for (unsigned i = 0; i < PROGRAMS; i++) {
      struct amd_wave_engine *engine = amd_wave_engine_create(pool);
      const struct amd_wave_launch launch = {.vm = vm, .wave_size = LANES, .chip = chip};
      static char text[8192];
      struct place places[BLOCKS];
      seed = i + 1;
      make_text(chip->gen, text, sizeof(text));
      write_text_program(memset(code, 0, CODE_B), chip->gen, true, text);
      struct program *p = wave_program(engine, &launch, sim_va(CODE_VA));
      struct jit *jit = jit_compile(p, 0xf0);
      assert_non_null(jit);
      const unsigned count = find_places(p, jit, places);
      k.jit = jit;
      k.fast->program = k.plain->program = p;
      k.fast->state.lanes = k.plain->state.lanes = LANES;
      k.fast->base.rounds = k.plain->base.rounds = &rounds;
      for (unsigned n = 0; n < WALKS; n++)
         walk(&k, places, count);
      jit_free(jit);
      amd_wave_engine_destroy(engine);
   }
   printf("%s: %u blocks by situation, %u hazards\n", chip->name, k.skipped, k.hazards);
   assert_true(k.skipped > 1000 && k.hazards > 20);
   free(k.fast);
   free(k.plain);
   sim_pool_destroy(pool);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(random_walks, (void *)"navi31"),
      cmocka_unit_test_prestate(random_walks, (void *)"vega10"),
      cmocka_unit_test_prestate(random_walks, (void *)"navi10"),
   };
   rounds.schedule.kind = SIM_SCHEDULE_IN_ORDER;
   vm = sim_vm_create();
   code = aligned_alloc(4096, CODE_B);
   if (!sim_vm_map(vm, sim_va(CODE_VA), CODE_B, code, SIM_READ | SIM_EXECUTE))
      return 1;
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   sim_vm_destroy(vm);
   free(code);
   return failed;
}
