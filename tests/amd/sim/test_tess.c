/* The tessellator against what the Vulkan specification says of any tessellation ("Tessellation", 23). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "amd/hw/registers.h"
#include "amd/sim/ge/tess.h"
#include "util/macros.h"

struct mesh {
   struct dynarray points, prims;
   size_t point_count, prim_count;
   const struct amd_domain_point *point;
   const uint32_t *prim;
};

static uint64_t random_state = 12;

static float
random_factor(void)
{
   random_state = random_state * 6364136223846793005u + 1442695040888963407u;
   unsigned r = (unsigned)(random_state >> 40);
   /* Near whole numbers, at them, anywhere; few and many. */
   unsigned limit = r & 1 ? 64 : 6, whole = (r >> 1) % limit + 1;
   switch (r >> 8 & 3) {
   case 0:
      return (float)whole;
   case 1:
      return (float)whole + 1.0f / 65536.0f;
   case 2:
      return (float)whole - 1.0f / 65536.0f;
   default: /* others: any */
      return (float)(r >> 10) / 16384.0f * (float)limit + 0.001f;
   }
}

static void
tessellate(struct mesh *m, const struct amd_tess_config *config, const float *factors)
{
   m->points.size_B = m->prims.size_B = 0;
   amd_tessellate(config, factors, &m->points, &m->prims);
   m->point_count = dynarray_count(&m->points, struct amd_domain_point);
   m->prim_count = dynarray_count(&m->prims, uint32_t) / amd_tess_prim_vertices(config->topology);
   m->point = m->points.data;
   m->prim = m->prims.data;
}

static void
free_mesh(struct mesh *m)
{
   dynarray_free(&m->points);
   dynarray_free(&m->prims);
}

/* Segments that the specification gives a factor. */
static unsigned
segments(unsigned partitioning, float factor)
{
   unsigned n;
   switch (partitioning) {
   case V_PART_FRAC_EVEN:
      n = (unsigned)ceilf(fminf(fmaxf(factor, 2.0f), 64.0f));
      return n + n % 2;
   case V_PART_FRAC_ODD:
      n = (unsigned)ceilf(fminf(fmaxf(factor, 1.0f), 63.0f));
      return n + !(n % 2);
   default: /* others: whole numbers */
      return (unsigned)ceilf(fminf(fmaxf(factor, 1.0f), 64.0f));
   }
}

/* Twice the area in units of 2^-32. */
static int64_t
area(const struct mesh *m, const uint32_t *v)
{
   int64_t x[3], y[3];
   for (unsigned i = 0; i < 3; i++) {
      x[i] = (int64_t)(m->point[v[i]].u * 65536.0f);
      y[i] = (int64_t)(m->point[v[i]].v * 65536.0f);
   }
   return (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
}

static int
compare_floats(const void *a, const void *b)
{
   float x = *(const float *)a, y = *(const float *)b;
   return (x > y) - (x < y);
}

/* Where the points of an edge lie on it, ascending: edge 0 is u = 0, 1 is v = 0, then u = 1 and v = 1, or w = 0. The
 * outline's points come first, edge after edge. */
static size_t
edge_points(const struct mesh *m, const struct amd_tess_config *config, const float *factors, unsigned edge,
            float *at)
{
   bool quad = config->domain == V_TESS_QUAD;
   size_t outline = 0, first = 0, count = segments(config->partitioning, factors[edge]) + 1;
   for (unsigned i = 0; i < (quad ? 4u : 3u); i++) {
      first += i < edge ? segments(config->partitioning, factors[i]) : 0;
      outline += segments(config->partitioning, factors[i]);
   }
   for (size_t i = 0; i < count; i++) {
      const struct amd_domain_point *point = &m->point[(first + i) % outline];
      assert_true(edge == 0   ? point->u == 0.0f
                  : edge == 1 ? point->v == 0.0f
                  : !quad     ? point->u + point->v == 1.0f
                  : edge == 2 ? point->u == 1.0f
                              : point->v == 1.0f);
      at[i] = edge == 0 || (quad && edge == 2) ? point->v : point->u;
   }
   qsort(at, count, sizeof(*at), compare_floats);
   assert_true(at[0] == 0.0f && at[count - 1] == 1.0f);
   return count;
}

/* As many as the factor says, mirrored about the middle, the same for any edge with the factor and any inside. */
static void
check_edge(const struct mesh *m, const struct amd_tess_config *config, unsigned edge, const float *factors)
{
   float at[200], other[200];
   size_t count = edge_points(m, config, factors, edge, at);
   unsigned n = segments(config->partitioning, factors[edge]);
   for (size_t i = 0; i < count; i++)
      assert_true(at[i] == 1.0f - at[count - 1 - i]);
   if (config->partitioning == V_PART_INTEGER)
      for (size_t i = 0; i < count; i++)
         assert_true(fabsf(at[i] - (float)i / (float)n) < 1.0f / 1024);
   struct mesh again = {0};
   const float neighbour[6] = {factors[edge], 3.0f, 2.0f, 7.0f, 5.0f, 4.0f};
   tessellate(&again, config, neighbour);
   assert_int_equal(edge_points(&again, config, neighbour, 0, other), count);
   assert_memory_equal(at, other, count * sizeof(*at));
   free_mesh(&again);
}

/* Each edge between two triangles belongs to exactly two, in opposite directions; others lie on the outline. */
static void
check_closed(const struct mesh *m, bool quad)
{
   size_t n = m->point_count;
   int8_t *uses = calloc(n * n, 1);
   for (size_t t = 0; t < m->prim_count; t++) {
      for (unsigned i = 0; i < 3; i++) {
         uint32_t a = m->prim[t * 3 + i], b = m->prim[t * 3 + (i + 1) % 3];
         assert_true(a < n && b < n && a != b);
         assert_int_equal(uses[a * n + b]++, 0);
      }
   }
   for (size_t a = 0; a < n; a++) {
      for (size_t b = 0; b < n; b++) {
         if (!uses[a * n + b] || uses[b * n + a])
            continue;
         float ua = m->point[a].u, ub = m->point[b].u, va = m->point[a].v, vb = m->point[b].v;
         assert_true((ua == ub && (ua == 0.0f || (quad && ua == 1.0f))) ||
                     (va == vb && (va == 0.0f || (quad && va == 1.0f))) ||
                     (!quad && ua + va == 1.0f && ub + vb == 1.0f));
      }
   }
   free(uses);
}

static void
check_triangles(const struct mesh *m, const struct amd_tess_config *config, const float *factors)
{
   bool quad = config->domain == V_TESS_QUAD, clockwise = config->topology == V_OUTPUT_TRIANGLE_CW;
   int64_t sum = 0;
   for (size_t t = 0; t < m->prim_count; t++) {
      int64_t one = area(m, m->prim + t * 3);
      /* Points are rounded: slivers of a fractional factor may have no area, or a little of the wrong sign. */
      assert_true(clockwise ? one > -65536 * 4 : one < 65536 * 4);
      sum += one;
   }
   assert_int_equal(llabs(sum), (quad ? INT64_C(2) : INT64_C(1)) << 32);
   assert_true((sum > 0) == clockwise);
   check_closed(m, quad);
   for (unsigned edge = 0; edge < (quad ? 4u : 3u); edge++)
      check_edge(m, config, edge, factors);
}

static void
test_triangles(void **state)
{
   (void)state;
   static const uint8_t kinds[] = {V_PART_INTEGER, V_PART_FRAC_ODD, V_PART_FRAC_EVEN};
   struct mesh m = {0};
   for (unsigned i = 0; i < 240; i++) {
      struct amd_tess_config config = {.domain = i / 3 % 2 ? V_TESS_QUAD : V_TESS_TRIANGLE,
                                       .partitioning = kinds[i % 3],
                                       .topology = i / 6 % 2 ? V_OUTPUT_TRIANGLE_CW : V_OUTPUT_TRIANGLE_CCW,
                                       .max = 64.0f};
      float factors[6];
      for (unsigned f = 0; f < 6; f++)
         factors[f] = random_factor();
      tessellate(&m, &config, factors);
      check_triangles(&m, &config, factors);
      /* Points: the same ones, each once. */
      size_t count = m.point_count;
      config.topology = V_OUTPUT_POINT;
      tessellate(&m, &config, factors);
      assert_int_equal(m.point_count, count);
      assert_int_equal(m.prim_count, count);
   }
   free_mesh(&m);
}

/* Grids of whole factors by hand. */
static void
test_counts(void **state)
{
   (void)state;
   static const struct {
      uint8_t domain, partitioning;
      float factors[6];
      unsigned points, triangles;
   } rows[] = {
      {V_TESS_TRIANGLE, V_PART_INTEGER, {1, 1, 1, 1}, 3, 1},
      {V_TESS_TRIANGLE, V_PART_INTEGER, {1, 1, 1, 2}, 4, 3},
      {V_TESS_TRIANGLE, V_PART_INTEGER, {2, 1, 1, 1}, 5, 4},
      {V_TESS_TRIANGLE, V_PART_INTEGER, {3, 3, 3, 3}, 12, 13},
      {V_TESS_TRIANGLE, V_PART_FRAC_ODD, {2, 1, 1, 1}, 8, 9},
      {V_TESS_TRIANGLE, V_PART_FRAC_EVEN, {1, 1, 1, 1}, 7, 6},
      {V_TESS_QUAD, V_PART_INTEGER, {1, 1, 1, 1, 1, 1}, 4, 2},
      {V_TESS_QUAD, V_PART_INTEGER, {4, 3, 4, 3, 3, 4}, 20, 24},
      {V_TESS_QUAD, V_PART_INTEGER, {64, 64, 64, 64, 64, 64}, 65 * 65, 64 * 64 * 2},
      {V_TESS_QUAD, V_PART_FRAC_ODD, {1, 1, 1, 1, 1, 2}, 8, 10},
      {V_TESS_QUAD, V_PART_POW2, {2, 2, 2, 2, 2, 2}, 9, 8},
   };
   struct mesh m = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      const struct amd_tess_config config = {.domain = rows[i].domain,
                                             .partitioning = rows[i].partitioning,
                                             .topology = V_OUTPUT_TRIANGLE_CW,
                                             .max = 64.0f};
      tessellate(&m, &config, rows[i].factors);
      assert_int_equal(m.point_count, rows[i].points);
      assert_int_equal(m.prim_count, rows[i].triangles);
   }
   free_mesh(&m);
}

static void
test_lines(void **state)
{
   (void)state;
   struct mesh m = {0};
   struct amd_tess_config config = {
      .domain = V_TESS_ISOLINE, .partitioning = V_PART_FRAC_EVEN, .topology = V_OUTPUT_LINE, .max = 64.0f};
   tessellate(&m, &config, (const float[6]){3.5f, 2.2f});
   assert_int_equal(m.point_count, 3 * 5);
   assert_int_equal(m.prim_count, 3 * 4);
   for (unsigned i = 0; i < 15; i++)
      assert_true(fabsf(m.point[i].v - (float)(i / 5) / 3.0f) < 1.0f / 1024);
   for (unsigned i = 0; i < 12; i++) {
      assert_int_equal(m.prim[2 * i], i / 4 * 5 + i % 4);
      assert_int_equal(m.prim[2 * i + 1], i / 4 * 5 + i % 4 + 1);
   }
   free_mesh(&m);
}

/* NaN and what is not above 0 cull, at edges only; the registers' limits hold. */
static void
test_limits(void **state)
{
   (void)state;
   struct mesh m = {0};
   struct amd_tess_config config = {.domain = V_TESS_QUAD, .topology = V_OUTPUT_TRIANGLE_CW, .max = 64.0f};
   for (unsigned i = 0; i < 6; i++) {
      static const float bad[] = {0.0f, -1.0f, -INFINITY, NAN};
      for (unsigned k = 0; k < ARRAY_SIZE(bad); k++) {
         float factors[6] = {2.0f, 2.0f, 2.0f, 2.0f, 2.0f, 2.0f};
         factors[i] = bad[k];
         tessellate(&m, &config, factors);
         assert_int_equal(m.prim_count != 0, i >= 4);
      }
   }
   const float infinite[6] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
   tessellate(&m, &config, infinite);
   assert_int_equal(m.prim_count, 64 * 64 * 2);
   config.max = 8.0f;
   tessellate(&m, &config, infinite);
   assert_int_equal(m.prim_count, 8 * 8 * 2);
   config.min = 3.0f;
   tessellate(&m, &config, (const float[6]){1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f});
   assert_int_equal(m.prim_count, 3 * 3 * 2);
   free_mesh(&m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_triangles),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_limits),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
