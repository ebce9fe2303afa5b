/* Counters, flushes and stalls as the mail describes them; what all interleavings of a few primitives come to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "choices.h"
#include "intel/sim/uav_history.h"
#include "intel/sim/uav_needs.h"
#include "util/macros.h"

enum { VS = 1 << INTEL_VS, HS = 1 << INTEL_HS, DS = 1 << INTEL_DS, GS = 1 << INTEL_GS, PS = 1 << INTEL_PS, ALL = 31 };

/* All stages are enabled and run, accessing UAVs as `accesses` says. */
static struct uav_prim
make_prim(enum intel_gen gen, unsigned accesses)
{
   struct uav_prim prim = {.new_vertices = true, .state.gen = gen};
   for (unsigned i = 0; i < INTEL_STAGES; i++) {
      prim.state.enabled[i] = true;
      prim.state.accesses_uav[i] = accesses >> i & 1;
   }
   prim.state.psx.valid = true;
   prim.state.blend.has_writeable_rt = true;
   prim.state.wm.dispatch_enable = true;
   return prim;
}

/* ---- one primitive ---- */

struct count_row {
   unsigned accesses;
   unsigned counted; /* stages whose counter a request raises: "if set for the same or any lower stage" */
   int flusher;      /* "the lowermost stage" */
};
static const struct count_row count_rows[] = {
   {0, 0, UAV_NONE},
   {VS, VS, INTEL_VS},
   {HS, VS | HS, INTEL_HS},
   {DS, VS | HS | DS, INTEL_DS},
   {GS, VS | HS | DS | GS, INTEL_GS},
   {PS, ALL, INTEL_PS},
   {VS | GS, VS | HS | DS | GS, INTEL_GS},
   {VS | PS, ALL, INTEL_PS},
   {HS | DS, VS | HS | DS, INTEL_DS},
   {ALL, ALL, INTEL_PS},
};

/* One primitive's steps, without the flush as long as there is another: counters go up as stages take it. */
static void
check_counts(enum intel_gen gen, const struct count_row *row)
{
   struct uav_prim prim = make_prim(gen, row->accesses);
   struct uav_stream stream;
   struct uav_pipe pipe = {0};
   struct uav_step steps[UAV_MAX_STEPS];
   uav_stream_init(&stream, &prim, 1);
   for (unsigned stage = 0; stage < INTEL_STAGES; stage++) {
      assert_true(uav_pipe_steps(&stream, &pipe, steps) && steps[0].kind == UAV_TAKEN && steps[0].stage == stage);
      uav_pipe_take(&stream, &pipe, steps[0]);
      for (unsigned i = 0; i < INTEL_STAGES; i++)
         assert_int_equal(pipe.counters[i], i <= stage ? row->counted >> i & 1 : 0);
      bool sent = row->flusher != UAV_NONE && row->flusher < (int)stage;
      assert_int_equal(pipe.flush[0], sent ? UAV_FLUSH_SENT : UAV_FLUSH_NONE);
      assert_true(uav_pipe_steps(&stream, &pipe, steps) && steps[0].kind == UAV_PROCESSED);
      uav_pipe_take(&stream, &pipe, steps[0]);
   }
   unsigned left = uav_pipe_steps(&stream, &pipe, steps);
   assert_int_equal(left, row->flusher != UAV_NONE);
   if (left) {
      assert_true(steps[0].kind == UAV_FLUSHED && (int)steps[0].stage == row->flusher);
      uav_pipe_take(&stream, &pipe, steps[0]);
   }
   for (unsigned i = 0; i < INTEL_STAGES; i++)
      assert_int_equal(pipe.counters[i], 0);
   assert_int_equal(uav_cost(&prim, 1).flushes, row->flusher != UAV_NONE);
}

static void
test_counters(void **state)
{
   for (enum intel_gen gen = 0; gen < INTEL_GENS; gen++) {
      for (unsigned i = 0; i < ARRAY_SIZE(count_rows); i++)
         check_counts(gen, &count_rows[i]);
   }
}

/* ---- all interleavings ---- */

/* Without accesses a state is where each primitive is: 11 places, and never ahead of an earlier one. */
static void
test_states(void **state)
{
   struct uav_prim prims[4];
   for (unsigned i = 0; i < 4; i++)
      prims[i] = make_prim(INTEL_GEN8, 0);
   const unsigned places = 11;
   for (unsigned count = 1; count <= 4; count++) {
      unsigned expected = 0, all = 1;
      for (unsigned i = 0; i < count; i++)
         all *= places;
      for (unsigned code = 0; code < all; code++) {
         bool fits = true;
         unsigned ahead = code % places;
         for (unsigned i = 1, rest = code / places; i < count; i++, rest /= places) {
            unsigned at = rest % places;
            fits = fits && ahead >= at;
            ahead = at;
         }
         expected += fits;
      }
      struct uav_found found = uav_explore(prims, count);
      assert_int_equal(found.states, expected);
      assert_int_equal(found.ends, 1);
      assert_int_equal(found.hangs, 0);
   }
}

/* Whatever the bits of two primitives: no hang but by the erratum, which needs all of its conditions. */
static void
test_lost_flush(void **state)
{
   for (unsigned code = 0; code < INTEL_GENS << 13; code++) {
      enum intel_gen gen = code >> 13;
      unsigned a = code & 31, b = code >> 5 & 31;
      bool reused = code >> 10 & 1, coherent = code >> 11 & 1, stalls = code >> 12 & 1;
      struct uav_prim prims[2] = {make_prim(gen, a), make_prim(gen, b)};
      prims[1].new_vertices = !reused;
      prims[1].state.coherency_required = coherent;
      prims[1].wait = stalls ? UAV_WAIT_STALL : UAV_WAIT_NONE;
      /* Coherency that is required keeps B away from the vertex shader while A's flush is in flight. */
      bool expected = gen == INTEL_GEN8 && b == VS && a && reused && !stalls && !coherent;
      struct uav_found found = uav_explore(prims, 2);
      if (!found.hangs != !expected)
         fail_msg("gen %u, stages %u and %u, reused %u, coherent %u, stall %u: %u of %u ends hang", gen, a, b, reused,
                  coherent, stalls, found.hangs, found.ends);
      if (expected)
         assert_true(found.hang.prim == 1 && found.hang.stage == INTEL_VS && found.ends > found.hangs);
   }
}

/* The mail's sequence, and one after it that is never taken. */
static void
test_mail(void **state)
{
   struct uav_prim prims[3];
   for (unsigned i = 0; i < 3; i++)
      prims[i] = make_prim(INTEL_GEN8, VS);
   prims[1].new_vertices = false;
   struct uav_found found = uav_explore(prims, 3);
   struct arena arena = {0};
   char *text = uav_found_text(&arena, prims, 3, &found);
   assert_non_null(strstr(text, "primitive B, VS: its flush is never sent"));
   assert_non_null(strstr(text, "A: VS has processed it, and sends a flush"));
   assert_non_null(strstr(text, "B: VS takes the request, whose vertices are there already; counter VS 2"));
   assert_non_null(strstr(text, "B: VS has processed it; a flush is in flight, and none is sent"));
   assert_non_null(strstr(text, "A: VS is told that the flush is complete; counter VS 1"));
   assert_null(strstr(text, "C: "));
   arena_free(&arena);
   unsigned hung = 0;
   for (unsigned seed = 0; seed < 200; seed++)
      hung += uav_walk(prims, 3, seed).hangs;
   /* "rather non-deterministic" */
   assert_in_range(hung, 1, 199);
}

static void
test_hz_op(void **state)
{
   for (enum intel_gen gen = INTEL_GEN8; gen <= INTEL_GEN9; gen++) {
      struct uav_prim prims[2] = {make_prim(gen, 0), make_prim(gen, 0)};
      prims[1].state.hz_op = true;
      assert_int_equal(uav_explore(prims, 2).hangs, 0);
      prims[1].state.wm.force_dispatch = INTEL_FORCE_ON;
      struct uav_found found = uav_explore(prims, 2);
      assert_int_equal(found.hangs, gen == INTEL_GEN9);
      if (found.hangs)
         assert_true(found.hang.prim == 1 && found.hang.stage == INTEL_PS);
      prims[1].state.hz_op = false;
      assert_int_equal(uav_explore(prims, 2).hangs, 0);
   }
}

/* ---- coherency ---- */

/* A's stage w writes what B's stage r reads. "UAV accesses performed by previous primitives from any stage will be
 * strictly ordered": if both stages say that they access, and B that it needs coherency; else not. */
static void
test_coherency(void **state)
{
   for (unsigned code = 0; code < INTEL_GENS * 25; code++) {
      enum intel_gen gen = code / 25;
      unsigned wrote = code / 5 % 5, reads = code % 5, both = 1u << wrote | 1u << reads;
      struct uav_prim prims[3] = {make_prim(gen, both), make_prim(gen, both), make_prim(gen, both)};
      prims[0].writes = (uint8_t)(1u << wrote);
      prims[2].reads = (uint8_t)(1u << reads);
      assert_int_equal(uav_explore(prims, 3).overtakings, 0); /* nobody asked */
      prims[2].state.coherency_required = true;
      assert_int_equal(uav_explore(prims, 3).overtakings, 0);
      struct uav_cost cost = uav_cost(prims, 3);
      assert_int_equal(cost.flushes, 3);
      assert_int_equal(cost.needless, 2); /* A's is of use */

      struct uav_prim none[3] = {prims[0], prims[1], prims[2]};
      for (unsigned i = 0; i < 3; i++)
         memset(none[i].state.accesses_uav, 0, sizeof(none[i].state.accesses_uav));
      struct uav_found found = uav_explore(none, 3);
      assert_true(found.overtakings && found.overtaking.writer == 0 && found.overtaking.wrote == wrote);
      none[1].wait = UAV_WAIT_STALL; /* done is not coherent */
      assert_true(uav_explore(none, 3).overtakings);
      none[1].wait = UAV_WAIT_FLUSH;
      assert_int_equal(uav_explore(none, 3).overtakings, 0);
      assert_int_equal(uav_cost(none, 3).stalls, 1);

      struct uav_prim free[3] = {prims[0], prims[1], prims[2]};
      free[2].state.coherency_required = false;
      assert_int_equal(uav_cost(free, 3).needless, 3);

      /* The first stage with the bit waits: what an earlier one reads is not kept back. */
      struct uav_prim later[3] = {prims[0], prims[1], prims[2]};
      later[2].state.accesses_uav[reads] = reads == wrote;
      assert_int_equal(!uav_explore(later, 3).overtakings, reads >= wrote);

      /* The lowest stage with the bit flushes: what a lower one writes is not flushed. */
      struct uav_prim above[3] = {prims[0], prims[1], prims[2]};
      for (unsigned i = 0; i < 3; i++)
         above[i].state.accesses_uav[wrote] = false;
      bool covered = reads > wrote;
      assert_int_equal(!uav_explore(above, 3).overtakings, covered);
   }
}

/* What a shader that does not run writes is not waited for. */
static void
test_not_run(void **state)
{
   struct uav_prim prims[2] = {make_prim(INTEL_GEN9, 0), make_prim(INTEL_GEN9, VS)};
   prims[0].writes = PS;
   prims[1].reads = VS;
   prims[1].state.coherency_required = true;
   assert_true(uav_explore(prims, 2).overtakings);
   prims[0].state.blend.has_writeable_rt = false;
   prims[0].needs = UAV_NEED_STORES;
   assert_int_equal(uav_explore(prims, 2).overtakings, 0);
   assert_int_equal(uav_lost(&prims[0]), UAV_NEED_STORES);
   prims[0].state.accesses_uav[INTEL_PS] = true;
   assert_int_equal(uav_lost(&prims[0]), 0);
   prims[1].state.coherency_required = false;
   assert_int_equal(uav_cost(prims, 1).needless, 0); /* the bit makes the shader run */
   prims[0].state.blend.has_writeable_rt = true;
   assert_int_equal(uav_cost(prims, 1).needless, 1);
}

/* Random walks of many primitives with random states end, and find nothing that the rules of two do not allow. */
static void
test_walks(void **state)
{
   enum { GEN, ONLY_PIXELS };
   static const struct choice table[] = {
      [GEN] = {.name = "generation", .values = INTEL_GENS}, [ONLY_PIXELS] = {.name = "VS and PS only", .values = 2}};
   static struct choices choices = {.table = table, .count = ARRAY_SIZE(table)};
   for (unsigned seed = 0; seed < 2000; seed++) {
      struct uav_prim prims[UAV_MAX_PRIMS];
      choices_draw(&choices, seed);
      choices_count(&choices);
      const unsigned gen = choices.now[GEN], stages = choices.now[ONLY_PIXELS] ? VS | PS : ALL;
      bool may_hang = false;
      for (unsigned i = 0; i < UAV_MAX_PRIMS; i++) {
         unsigned word = (seed * 2654435761u) ^ (i * 40503u + seed) * 2246822519u;
         prims[i] = make_prim(gen, word >> 5 & ALL & stages);
         prims[i].state.coherency_required = word >> 10 & 1;
         prims[i].new_vertices = word >> 11 & 3;
         may_hang |= gen == INTEL_GEN8 && !prims[i].new_vertices;
      }
      struct uav_found found = uav_walk(prims, UAV_MAX_PRIMS, seed), again = uav_walk(prims, UAV_MAX_PRIMS, seed);
      assert_memory_equal(&found.hang_history, &again.hang_history, sizeof(found.hang_history));
      assert_true(!found.hangs || (may_hang && found.hang.stage == INTEL_VS));
   }
   assert_int_equal(choices_missing(&choices, stderr), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counters), cmocka_unit_test(test_states), cmocka_unit_test(test_lost_flush),
      cmocka_unit_test(test_mail),     cmocka_unit_test(test_hz_op),  cmocka_unit_test(test_coherency),
      cmocka_unit_test(test_not_run),  cmocka_unit_test(test_walks),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
