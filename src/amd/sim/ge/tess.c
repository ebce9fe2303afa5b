#include "amd/sim/ge/tess.h"

#include <assert.h>
#include <math.h>

#include "amd/hw/registers.h"
#include "util/macros.h"

enum {
   ONE = 1 << 16,
   HALF_ONE = ONE / 2,
   TWO_THIRDS = 0xaaaa,
   MAX_SIDES = 4,
   MAX_FACTOR = 64,
   ROW_POINTS = MAX_FACTOR + 2,
};

/* How a factor divides an edge. Its halves mirror each other. Between two whole numbers of segments, points of a half
 * slide from their place among `floor` segments to that among `ceil`; the one after `split` is new. */
struct axis {
   bool odd;
   unsigned points;
   unsigned half; /* points of a half, without the one in the middle */
   unsigned split;
   uint32_t fraction, floor_step, ceil_step; /* 0.16 */
};

static uint32_t
to_fixed(float value)
{
   return (uint32_t)nearbyint((double)value * ONE); /* exact but for the last step, to even */
}

static uint32_t
reciprocal(unsigned segments)
{
   return (ONE * 2 / segments + 1) / 2;
}

/* Without the highest bit: what is left of the ruler's order of new points. */
static unsigned
below_highest_bit(unsigned value)
{
   return value ? value & ~(1u << (31 - __builtin_clz(value))) : 0;
}

static struct axis
make_axis(uint32_t factor, bool odd, unsigned min_points)
{
   struct axis a = {.odd = odd};
   uint32_t half = (factor + 1) / 2;
   /* A factor of 1 that counts as even has a point in the middle. */
   if (odd || half == HALF_ONE)
      half += HALF_ONE;
   unsigned floor = half >> 16, ceil = (half + ONE - 1) >> 16;
   a.half = ceil;
   a.points = MAX2(2 * ceil + !odd, min_points);
   a.fraction = half & (ONE - 1);
   a.split = floor == ceil ? ceil + 1 : odd && floor == 1 ? 0 : (below_highest_bit(floor - odd) << 1) + 1;
   a.floor_step = reciprocal(2 * floor - odd);
   a.ceil_step = reciprocal(2 * ceil - odd);
   return a;
}

/* Where point number `i` of the axis lies. */
static uint32_t
place(const struct axis *a, unsigned i)
{
   bool mirrored = i >= a->half;
   if (mirrored)
      i = 2 * a->half - i - a->odd;
   if (i == a->half)
      return HALF_ONE;
   uint32_t among_floor = (i - (i > a->split)) * a->floor_step, among_ceil = i * a->ceil_step;
   uint32_t at = (among_floor * (ONE - a->fraction) + among_ceil * a->fraction + HALF_ONE) >> 16;
   return mirrored ? ONE - at : at;
}

/* A patch is rings within rings. A side of a ring is a row of points; the rows of a ring go round it, each ends where
 * the next begins. */
struct ring {
   uint16_t point[MAX_SIDES][ROW_POINTS];
   unsigned count[MAX_SIDES];
};

struct patch {
   const struct amd_tess_config *config;
   unsigned sides;
   struct axis edge[MAX_SIDES], inside[2]; /* inside: u, v */
   struct dynarray *points, *prims;
   unsigned point_count;
};

static uint16_t
add_point(struct patch *p, uint32_t u, uint32_t v)
{
   const struct amd_domain_point point = {(float)u / ONE, (float)v / ONE};
   dynarray_append(p->points, struct amd_domain_point, point);
   return (uint16_t)p->point_count++;
}

static void
add_triangle(struct patch *p, uint32_t a, uint32_t b, uint32_t c)
{
   bool clockwise = p->config->topology == V_OUTPUT_TRIANGLE_CW;
   uint32_t *v = dynarray_grow(p->prims, 3 * sizeof(*v));
   v[0] = a;
   v[1] = clockwise ? b : c;
   v[2] = clockwise ? c : b;
}

/* Of side s in ring r, the points along its axis: sides 1 (and 2 of a quad) go up, the others down. */
static void
triangle_point(const struct patch *p, unsigned r, unsigned s, unsigned k, uint32_t *u, uint32_t *v)
{
   const struct axis *a = r ? &p->inside[0] : &p->edge[s];
   uint32_t across = (place(a, r) * TWO_THIRDS + HALF_ONE) >> 16;
   uint32_t along = place(a, s == 1 ? r + k : a->points - 1 - r - k) - (across + 1) / 2;
   *u = s == 0 ? across : along;
   *v = s == 0 ? along : s == 1 ? across : ONE - along - across;
}

static void
quad_point(const struct patch *p, unsigned r, unsigned s, unsigned k, uint32_t *u, uint32_t *v)
{
   unsigned axis = s % 2 ? 0 : 1;
   const struct axis *a = r ? &p->inside[axis] : &p->edge[s], *other = &p->inside[!axis];
   uint32_t along = place(a, s == 1 || s == 2 ? r + k : a->points - 1 - r - k);
   uint32_t across = r ? place(other, s < 2 ? r : other->points - 1 - r) : s < 2 ? 0 : ONE;
   *u = axis ? across : along;
   *v = axis ? along : across;
}

static void
make_ring(struct patch *p, unsigned r, struct ring *ring)
{
   for (unsigned s = 0; s < p->sides; s++) {
      const struct axis *a = !r ? &p->edge[s] : &p->inside[p->sides == 4 && s % 2 == 0];
      ring->count[s] = a->points - 2 * r;
      for (unsigned k = 0; k + 1 < ring->count[s]; k++) {
         uint32_t u, v;
         (p->sides == 4 ? quad_point : triangle_point)(p, r, s, k, &u, &v);
         ring->point[s][k] = add_point(p, u, v);
      }
   }
   for (unsigned s = 0; s < p->sides; s++)
      ring->point[s][ring->count[s] - 1] = ring->point[(s + 1) % p->sides][0];
}

/* The middle of an even patch: one point, or in a quad a line of them. The line's two long sides have the same
 * points, forth and back; the short ones have the point at its end. */
static void
make_middle(struct patch *p, unsigned r, struct ring *ring)
{
   unsigned nu = p->inside[0].points - 2 * r, nv = p->inside[1].points - 2 * r, count = MAX2(nu, nv);
   uint16_t line[ROW_POINTS];
   bool along_u = p->sides == 4 && nu > nv;
   for (unsigned k = 0; k < count; k++) {
      if (p->sides == 3)
         line[k] = add_point(p, ONE / 3, ONE / 3);
      else if (along_u)
         line[k] = add_point(p, place(&p->inside[0], r + k), HALF_ONE);
      else
         line[k] = add_point(p, HALF_ONE, place(&p->inside[1], p->inside[1].points - 1 - r - k));
   }
   for (unsigned s = 0; s < p->sides; s++) {
      bool is_long = p->sides == 4 && (s % 2 == 1) == along_u, back = s >= 2;
      ring->count[s] = is_long ? count : 1;
      for (unsigned k = 0; k < ring->count[s]; k++)
         ring->point[s][k] = is_long ? line[back ? count - 1 - k : k] : line[s == 1 || s == 2 ? count - 1 : 0];
   }
}

/* Two rows that run side by side, and how far the triangles between them have come. */
struct stitch {
   struct patch *p;
   const uint16_t *in, *out;
};

static void
advance_in(struct stitch *s)
{
   add_triangle(s->p, s->in[0], s->out[0], s->in[1]);
   s->in++;
}

static void
advance_out(struct stitch *s)
{
   add_triangle(s->p, s->out[0], s->out[1], s->in[0]);
   s->out++;
}

/* As how manieth a point of a half row comes into being when the factor grows, for each place of the longest row:
 * they halve the row like the marks of a ruler. */
static unsigned
ruler(unsigned i)
{
   if (i < 2)
      return 32 * i;
   unsigned zeros = (unsigned)__builtin_ctz(i - 1);
   return (16u >> zeros) + ((i - 1) >> (zeros + 1));
}

/* Rows with different factors. */
static void
stitch_transition(struct stitch *s, const struct axis *inner, const struct axis *outer)
{
   enum { PLACES = 33 };
   unsigned in = inner->half - inner->odd, out = outer->half - outer->odd;
   for (unsigned i = 0; i < PLACES; i++) {
      if (i && ruler(i) < in)
         advance_in(s);
      if (ruler(i) < out)
         advance_out(s);
   }
   if (inner->odd && outer->odd) {
      advance_in(s);
      advance_out(s);
   } else if (inner->odd) {
      advance_in(s);
   } else if (outer->odd) {
      add_triangle(s->p, s->in[0], s->out[0], s->out[1]);
      s->out++;
   }
   for (unsigned i = PLACES; i--;) {
      if (ruler(i) < out)
         advance_out(s);
      if (i && ruler(i) < in)
         advance_in(s);
   }
}

enum diagonal {
   FROM_IN,     /* from the inner row forward to the outer: first triangle begins inside */
   FROM_IN_OUT, /* the same diagonal, first triangle begins outside */
   FROM_OUT,    /* from the outer row forward to the inner */
};

static void
stitch_quad(struct stitch *s, enum diagonal diagonal)
{
   if (diagonal == FROM_OUT) {
      add_triangle(s->p, s->out[0], s->in[1], s->in[0]);
      add_triangle(s->p, s->out[0], s->out[1], s->in[1]);
   } else {
      if (diagonal == FROM_IN)
         add_triangle(s->p, s->in[0], s->out[0], s->out[1]);
      else
         add_triangle(s->p, s->out[0], s->out[1], s->in[0]);
      add_triangle(s->p, s->in[0], s->out[1], s->in[1]);
   }
   s->in++;
   s->out++;
}

/* Rows of one factor: a quad between each two points of the inner row, mirrored about the middle, and a triangle at
 * each end. */
static void
stitch_ring(struct stitch *s, unsigned in_count)
{
   advance_out(s);
   for (unsigned i = 0; i + 1 < in_count; i++)
      stitch_quad(s, i < in_count / 2 ? FROM_OUT : FROM_IN);
   advance_out(s);
}

/* What is inside of the innermost ring of an odd patch: a triangle, or a strip of quads along the longer axis. */
static void
fill_middle(struct patch *p, const struct ring *ring)
{
   if (p->sides == 3) {
      add_triangle(p, ring->point[0][0], ring->point[1][0], ring->point[2][0]);
      return;
   }
   unsigned side = p->inside[0].points > p->inside[1].points ? 1 : 0, count = ring->count[side];
   uint16_t back[ROW_POINTS];
   for (unsigned i = 0; i < count; i++)
      back[i] = ring->point[side + 2][count - 1 - i];
   struct stitch s = {p, back, ring->point[side]};
   bool turns = side == 0 && p->inside[1].odd;
   for (unsigned i = 0; i + 1 < count; i++)
      stitch_quad(&s, !turns ? FROM_IN : i == count / 2 - 1 ? FROM_OUT : FROM_IN_OUT);
}

/* Points only, or lines from one to the next. */
static void
list_points(struct patch *p)
{
   bool lines = p->config->topology == V_OUTPUT_LINE;
   for (uint32_t i = lines; i < p->point_count; i++) {
      if (lines)
         dynarray_append(p->prims, uint32_t, i - 1);
      dynarray_append(p->prims, uint32_t, i);
   }
}

static void
make_rings(struct patch *p)
{
   struct ring rings[2];
   unsigned shorter = MIN2(p->inside[0].points, p->inside[1].points), last = (shorter - 1) / 2;
   bool connect = amd_tess_prim_vertices(p->config->topology) == 3;
   make_ring(p, 0, &rings[0]);
   for (unsigned r = 1; r <= last; r++) {
      struct ring *inner = &rings[r & 1], *outer = &rings[(r - 1) & 1];
      if (2 * r + 1 == shorter)
         make_middle(p, r, inner);
      else
         make_ring(p, r, inner);
      for (unsigned s = 0; s < p->sides && connect; s++) {
         struct stitch rows = {p, inner->point[s], outer->point[s]};
         if (r == 1)
            stitch_transition(&rows, &p->inside[p->sides == 4 && s % 2 == 0], &p->edge[s]);
         else
            stitch_ring(&rows, inner->count[s]);
      }
   }
   if (connect && shorter % 2 == 0)
      fill_middle(p, &rings[last & 1]);
   if (!connect)
      list_points(p);
}

/* All factors 1: the corners. */
static void
make_corners(struct patch *p)
{
   static const uint8_t corners[2][4][2] = {{{0, 1}, {0, 0}, {1, 0}}, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
   for (unsigned i = 0; i < p->sides; i++)
      add_point(p, (uint32_t)corners[p->sides - 3][i][0] * ONE, (uint32_t)corners[p->sides - 3][i][1] * ONE);
   if (amd_tess_prim_vertices(p->config->topology) < 3) {
      list_points(p);
   } else if (p->sides == 3) {
      add_triangle(p, 0, 1, 2);
   } else {
      add_triangle(p, 0, 1, 3);
      add_triangle(p, 1, 2, 3);
   }
}

static void
make_lines(struct patch *p, float detail, float density)
{
   bool fractional = p->config->partitioning >= V_PART_FRAC_ODD;
   bool odd = fractional ? p->config->partitioning == V_PART_FRAC_ODD : (unsigned)detail % 2;
   struct axis along = make_axis(to_fixed(detail), odd, 0);
   struct axis across = make_axis(to_fixed(density), (unsigned)density % 2, 0);
   for (unsigned line = 0; line + 1 < across.points; line++) { /* none at v = 1 */
      for (unsigned i = 0; i < along.points; i++) {
         uint32_t point = add_point(p, place(&along, i), place(&across, line));
         if (p->config->topology == V_OUTPUT_POINT) {
            dynarray_append(p->prims, uint32_t, point);
         } else if (i) {
            dynarray_append(p->prims, uint32_t, point - 1);
            dynarray_append(p->prims, uint32_t, point);
         }
      }
   }
}

/* A NaN becomes `low`. */
static float
clamp_factor(const struct amd_tess_config *c, float factor, float low, float high)
{
   float value = fminf(c->max, fmaxf(c->min, factor));
   value = fminf(high, fmaxf(low, value));
   return c->partitioning < V_PART_FRAC_ODD ? ceilf(value) : value;
}

static void
make_axes(struct patch *p, const float *edge, const float *inside)
{
   bool whole = p->config->partitioning < V_PART_FRAC_ODD,
        fractional_odd = p->config->partitioning == V_PART_FRAC_ODD;
   for (unsigned i = 0; i < p->sides; i++)
      p->edge[i] = make_axis(to_fixed(edge[i]), whole ? (unsigned)edge[i] % 2 : fractional_odd, 0);
   for (unsigned i = 0; i < 2; i++) {
      bool odd = whole ? (unsigned)inside[i] % 2 && inside[i] > 1.0f : fractional_odd;
      p->inside[i] = make_axis(to_fixed(inside[i]), odd, odd ? 4 : 3);
   }
}

void
amd_tessellate(const struct amd_tess_config *config, const float factors[AMD_TESS_MAX_FACTORS],
               struct dynarray *points, struct dynarray *prims)
{
   static const float least = 1.0f / ONE;
   struct patch p = {.config = config, .points = points, .prims = prims};
   p.sides = config->domain == V_TESS_QUAD ? 4 : config->domain == V_TESS_TRIANGLE ? 3 : 2;
   unsigned insides = amd_tess_factor_count(config->domain) - p.sides;
   float low = config->partitioning == V_PART_FRAC_EVEN ? 2.0f : 1.0f, edge[MAX_SIDES], inside[2] = {1.0f, 1.0f};
   float high = config->partitioning == V_PART_FRAC_ODD ? MAX_FACTOR - 1 : MAX_FACTOR;
   bool above_one = false;
   for (unsigned i = 0; i < p.sides; i++) {
      if (!(factors[i] > 0.0f))
         return;
      edge[i] = clamp_factor(config, factors[i], low, high);
      above_one |= edge[i] > 1.0f + least / 2;
   }
   if (p.sides == 2) {
      make_lines(&p, edge[0], ceilf(fminf(MAX_FACTOR, fmaxf(1.0f, fminf(config->max, factors[1])))));
      return;
   }
   for (unsigned i = 0; i < insides; i++)
      above_one |= factors[p.sides + i] > 1.0f + least / 2;
   /* There is always a frame between the edges and the inside, if it is thin. */
   if (config->partitioning == V_PART_FRAC_ODD && above_one)
      low += least;
   for (unsigned i = 0; i < 2; i++)
      inside[i] = clamp_factor(config, factors[p.sides + i % insides], low, high);
   bool ones = inside[0] <= 1.0f && inside[1] <= 1.0f;
   for (unsigned i = 0; i < p.sides; i++)
      ones &= to_fixed(edge[i]) == ONE;
   if (ones) {
      make_corners(&p);
      return;
   }
   make_axes(&p, edge, inside);
   make_rings(&p);
}
