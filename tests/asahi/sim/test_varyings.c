/* Varyings from words to registers: pairs of 16 bits against what C computes from the vertices, and each
 * contradiction between words, slots and registers with the sentence that names it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "render_try.h"
#include "util/half.h"
#include "util/macros.h"

enum { SIZE_PX = 32, VERTICES = 3, VERTEX_WORDS = 8 };

/* The four registers after W and two words of 32 bits, as 16-bit destinations. */
#define SHOW "pixwait 12, 0\nst_tile r4l_r4h_r5l_r5h, 0, 255, 0, u8norm, xyzw\nstop\n"
static const char project[] = "iter r4l_r4h_r5l_r5h, cf3, cf0\n" SHOW;
static const char linear[] = "iter r4l_r4h_r5l_r5h, cf3\n" SHOW;
static const char flat[] =
   "ldcf r8_r9_r10, cf3\nldcf r11_r12_r13, cf4\nldcf r14_r15_r16, cf5\nldcf r17_r18_r19, cf6\n"
   "mov r4l, r10l\nmov r4h, r13l\nmov r5l, r16l\nmov r5h, r19l\n" SHOW;

/* A triangle over all pixels and beyond, of different w. */
static const float clip_xyw[VERTICES][3] = {{-1, -1, 1}, {3 * 2, -1 * 2, 2}, {-1 * 4, 3 * 4, 4}};
static const float values[VERTICES][4] = {{0, 1, 0.25f, 0.5f}, {1, 0, 0.5f, 0.75f}, {0.5f, 0.5f, 1, 0}};

static uint32_t
pair(float low, float high)
{
   return half_from_float(low) | (uint32_t)half_from_float(high) << 16;
}

/* Two words of 32 bits, which nothing shows, and two pairs. */
static void
set_vertices(float data[VERTICES * VERTEX_WORDS])
{
   for (unsigned v = 0; v < VERTICES; v++) {
      const uint32_t pairs[2] = {pair(values[v][0], values[v][1]), pair(values[v][2], values[v][3])};
      float *to = data + v * VERTEX_WORDS;

      to[0] = clip_xyw[v][0], to[1] = clip_xyw[v][1], to[2] = 0, to[3] = clip_xyw[v][2];
      to[4] = 100, to[5] = -100;
      memcpy(to + 6, pairs, sizeof(pairs));
   }
}

static struct render_draw
pairs_draw(const struct render_try *r, const float *data, enum agx_shade_model model, const char *program)
{
   struct render_draw d = render_draw(r);
   uint8_t group = model == AGX_SHADE_MODEL_PERSPECTIVE ? 0 : model == AGX_SHADE_MODEL_LINEAR ? 2 : 1;

   d.data = data, d.data_count = VERTICES * VERTEX_WORDS;
   d.fragment = program;
   d.varyings = (struct agx_varying_counts_32){.smooth = 2};
   d.pairs = (struct agx_varying_counts_16){group == 0 ? 2 : 0, group == 1 ? 2 : 0, group == 2 ? 2 : 0};
   d.cf_slots = 3, d.cf_registers = 7, d.cf_count = 3;
   d.cf[1] = (struct agx_cf_binding){
      .components = 2, .shade_model = AGX_SHADE_MODEL_PERSPECTIVE, .base_slot = 1, .base_coefficient_register = 1};
   d.cf[2] =
      (struct agx_cf_binding){.components = 2, .shade_model = model, .base_slot = 3, .base_coefficient_register = 3};
   return d;
}

/* Of component i in the middle of pixel x, y. The corners lie at (0, 0), (64, 0) and (0, 64) pixels. */
static double
expected(enum agx_shade_model model, unsigned i, unsigned x, unsigned y)
{
   double b1 = (x + 0.5) / 64, b2 = (y + 0.5) / 64, weight[VERTICES] = {1 - b1 - b2, b1, b2}, sum = 0, all = 0;

   if (model == AGX_SHADE_MODEL_FLAT_VERTEX_0)
      return (double)values[0][i];
   for (unsigned v = 0; v < VERTICES; v++) {
      double w = model == AGX_SHADE_MODEL_PERSPECTIVE ? weight[v] / (double)clip_xyw[v][2] : weight[v];

      sum += w * (double)values[v][i];
      all += w;
   }
   return sum / all;
}

static void
check_pairs(enum agx_shade_model model, const char *program)
{
   struct render_try r;
   float data[VERTICES * VERTEX_WORDS];

   render_begin(&r, SIZE_PX, SIZE_PX, 1, 1);
   set_vertices(data);
   struct render_draw d = pairs_draw(&r, data, model, program);

   render_add(&r, &d);
   if (!render_run(&r))
      fail_msg("%s", r.fault.message);
   for (unsigned y = 0; y < SIZE_PX; y++) {
      for (unsigned x = 0; x < SIZE_PX; x++) {
         uint32_t pixel = render_pixel(&r, x, y, 0, 0);

         for (unsigned i = 0; i < 4; i++) {
            double difference = (pixel >> 8 * i & 255) - 255 * expected(model, i, x, y);

            if (difference < -0.75 || difference > 0.75)
               fail_msg("model %d, pixel %u, %u: component %u is %u, not %g", (int)model, x, y, i,
                        pixel >> 8 * i & 255, 255 * expected(model, i, x, y));
         }
      }
   }
   render_free(&r);
}

static void
test_pairs(void **state)
{
   check_pairs(AGX_SHADE_MODEL_PERSPECTIVE, project);
   check_pairs(AGX_SHADE_MODEL_LINEAR, linear);
   check_pairs(AGX_SHADE_MODEL_FLAT_VERTEX_0, flat);
}

/* ---- by vertex ---- */

/* A slot in three registers: as vertices 0 and 2 have it in C, as vertex 1 has it in B. */
static const char by_vertex[] = "ldcf r8_r9_r10, cf1\nldcf r11_r12_r13, cf2\nldcf r14_r15_r16, cf3\n"
                                "mov r4l, r10l\nmov r4h, r12l\nmov r5l, r16l\nmov r5h, r10l\n" SHOW;

static struct render_draw
vertices_draw(const struct render_try *r, float *data)
{
   static const enum agx_shade_model models[] = {AGX_SHADE_MODEL_FLAT_VERTEX_0, AGX_SHADE_MODEL_FLAT_VERTEX_1,
                                                 AGX_SHADE_MODEL_FLAT_VERTEX_2};

   set_vertices(data);
   for (unsigned v = 0; v < VERTICES; v++)
      data[v * VERTEX_WORDS + 4] = bits_float(half_from_float(values[v][0]));
   struct render_draw d = pairs_draw(r, data, AGX_SHADE_MODEL_PERSPECTIVE, by_vertex);

   d.varyings = (struct agx_varying_counts_32){.flat = 2};
   d.cf_registers = 4, d.cf_count = 4;
   for (unsigned v = 0; v < VERTICES; v++)
      d.cf[1 + v] = (struct agx_cf_binding){
         .components = 1, .shade_model = models[v], .base_slot = 1, .base_coefficient_register = 1 + v};
   return d;
}

static void
test_vertices(void **state)
{
   struct render_try r;
   float data[VERTICES * VERTEX_WORDS];

   render_begin(&r, SIZE_PX, SIZE_PX, 1, 1);
   struct render_draw d = vertices_draw(&r, data);

   render_add(&r, &d);
   if (!render_run(&r))
      fail_msg("%s", r.fault.message);
   assert_int_equal(render_pixel(&r, 3, 4, 0, 0), 0 | 255 << 8 | 128 << 16 | 0 << 24);
   render_free(&r);
   /* Only of a vertex that does not provoke */
   render_begin(&r, SIZE_PX, SIZE_PX, 1, 1);
   d = vertices_draw(&r, data);
   d.cf[1].base_slot = 2;
   render_add(&r, &d);
   assert_false(render_run(&r));
   assert_non_null(strstr(r.fault.message, "flat shading is of vertex 1 to CF_BINDING, 0 to CULL and 0 to the VDM"));
   render_free(&r);
}

/* ---- faults ---- */

#define DRAW(name, field, to)                                                                                        \
   static void name(struct render_draw *d)                                                                           \
   {                                                                                                                 \
      d->field = (to);                                                                                               \
   }

DRAW(nothing, words, 8)
DRAW(one_register_more, cf_count, 2)
DRAW(header_less, cf_slots, 2)
DRAW(header_more, cf_slots, 4)
DRAW(words_of_16_first, cf_slots, 5)
DRAW(across, cf[1].components, 3)
DRAW(other_kind, cf[1].shade_model, AGX_SHADE_MODEL_LINEAR)
DRAW(other_kind_of_pairs, cf[2].shade_model, AGX_SHADE_MODEL_LINEAR)
DRAW(beyond, cf[2].base_slot, 4)
DRAW(nowhere, cf[2].base_slot, 5)
DRAW(registers_of_pairs, cf_registers, 6)
DRAW(not_selected, outputs, (struct agx_output_select){0})
DRAW(size_of_points, outputs, ((struct agx_output_select){.varyings = true, .point_size = true}))
DRAW(pairs_not_counted, pairs, (struct agx_varying_counts_16){0})

#define BEGIN                                                                                                        \
   "iadd r7, r5, r5\niadd r4, r7, 1\nload r0_r1_r2_r3, du0, r7, lsl 2, i32, xyzw, a\n"                               \
   "load r8_r9_r10_r11, du0, r4, lsl 2, i32, xyzw, a\nwait a\nst_var r0, 0\n"
DRAW(word_missing, vertex,
     BEGIN "st_var r1, 1\nst_var r2, 2\nst_var r3, 3\nst_var r8, 4\nst_var r9, 5\nst_var r11, 7, last\nstop\n")
DRAW(position_missing, vertex,
     BEGIN "st_var r2, 2\nst_var r3, 3\nst_var r8, 4\nst_var r9, 5\nst_var r10, 6\nst_var r11, 7, last\nstop\n")
DRAW(word_of_one_missing, vertex,
     BEGIN "st_var r1, 1\nst_var r2, 2\nst_var r3, 3\nst_var r8, 4\nst_var r9, 5\nldimm r0l, 0\nif r5, 1, 1, ieq\n"
           "st_var r10, 6\npop_exec 1\nst_var r11, 7, last\nstop\n")
/* Bound, but no program reads it: Honeykrisp binds whole vectors of arrays that are indexed at run time. */
DRAW(unread_word_missing, vertex,
     BEGIN "st_var r1, 1\nst_var r2, 2\nst_var r3, 3\nst_var r8, 4\nst_var r10, 6\nst_var r11, 7, last\nstop\n")

static const struct row {
   void (*spoil)(struct render_draw *draw);
   const char *words;
} rows[] = {
   {nothing, NULL},
   {one_register_more, "coefficient register 3, which no CF_BINDING fills with a word"},
   {header_less, "counts 2 slots of 32 bits, VARYING_COUNTS_32 and OUTPUT_SELECT make 3"},
   {header_more, "slot 3, word 6 of a vertex, is a pair of 16 bits"},
   {words_of_16_first, "in front of the 5 slots of 32 bits"},
   {across, "coefficient register 3 is filled by two CF_BINDINGs"},
   {other_kind, "takes slot 1, word 4 of a vertex, as linear, and VARYING_COUNTS has it among the smooth"},
   {other_kind_of_pairs, "takes slot 3, word 6 of a vertex, as linear"},
   {beyond, "coefficient register 5, which no CF_BINDING fills with a word"},
   {nowhere, "takes slot 5 of 5"},
   {registers_of_pairs, "fills coefficient registers 3 to 6 of 6"},
   {not_selected, "takes slot 1, and OUTPUT_SELECT has no varyings"},
   {size_of_points, "make 9 words of a vertex, OUTPUT_SIZE says 8"},
   {pairs_not_counted, "make 6 words of a vertex, OUTPUT_SIZE says 8"},
   {word_missing, "coefficient register 3, which no CF_BINDING fills with a word that every vertex writes"},
   {position_missing, "does not write word 1, position"},
   {word_of_one_missing, "coefficient register 3, which no CF_BINDING fills with a word that every vertex writes"},
   {unread_word_missing, NULL},
};

static void
test_faults(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct render_try r;
      float data[VERTICES * VERTEX_WORDS];

      render_begin(&r, SIZE_PX, SIZE_PX, 1, 1);
      set_vertices(data);
      struct render_draw d = pairs_draw(&r, data, AGX_SHADE_MODEL_PERSPECTIVE, project);

      rows[i].spoil(&d);
      render_add(&r, &d);
      bool ok = render_run(&r);

      if (rows[i].words ? ok || !strstr(r.fault.message, rows[i].words) : !ok)
         fail_msg("%s: %s", rows[i].words ? rows[i].words : "nothing is wrong", ok ? "no fault" : r.fault.message);
      render_free(&r);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs), cmocka_unit_test(test_vertices),
                                      cmocka_unit_test(test_faults)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
