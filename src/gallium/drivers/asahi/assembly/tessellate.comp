#version 460
#extension GL_GOOGLE_include_directive : require
// A workgroup for each patch makes its points and the corners of its primitives, in the tessellator's order. An
// invocation makes a side of a ring, with the triangles between it and the ring around, or an isoline.
#include "draw.glsl"
#include "tess.glsl"

const uint SIZE = 32;

layout(local_size_x = 32) in;

// Of the patch.
words points, corners;
uint first_of_points, first_of_corners;

void store_point(uint number, uint u, uint v)
{
   uint at = first_of_points + number;

   points.word[3 * at] = floatBitsToUint(float(u) / float(ONE));
   points.word[3 * at + 1] = floatBitsToUint(float(v) / float(ONE));
   points.word[3 * at + 2] = gl_WorkGroupID.x;
   if (draw.tess_corners == 1)
      corners.word[first_of_corners + number] = at;
}

void store_triangle(uint number, uint a, uint b, uint c)
{
   uint at = first_of_corners + 3 * number;
   bool turns = draw.tess_turns != 0;

   corners.word[at] = first_of_points + a;
   corners.word[at + 1] = first_of_points + (turns ? c : b);
   corners.word[at + 2] = first_of_points + (turns ? b : c);
}

// ---- points ----

// Point k of side s of ring r; a: the axis of the side, across: of the inside in the other direction.
void make_triangle_point(shape f, axis a, uint r, uint s, uint k)
{
   uint across = (place(a, r) * TWO_THIRDS + HALF) >> 16;
   uint at = place(a, s == 1 ? r + k : a.points - 1 - r - k) - (across + 1) / 2;
   uint v = s == 0 ? at : s == 1 ? across : ONE - at - across;

   store_point(first_point(f, r, s) + k, s == 0 ? across : at, v);
}

void make_quad_point(shape f, axis a, axis across, uint r, uint s, uint k)
{
   uint at = place(a, s == 1 || s == 2 ? r + k : a.points - 1 - r - k);
   uint other = r == 0 ? (s < 2 ? 0 : ONE) : place(across, s < 2 ? r : across.points - 1 - r);
   bool along_v = (s & 1) == 0;

   store_point(first_point(f, r, s) + k, along_v ? other : at, along_v ? at : other);
}

void make_side(division d, shape f, uint r, uint s)
{
   axis a;
   axis across = inside_axis(d, s & 1);

   if (r == 0)
      a = edge_axis(d, s);
   else
      a = inside_axis(d, (s + 1) & 1);
   for (uint k = 0; k + 1 < a.points - 2 * r; k++) {
      if (f.sides == 3)
         make_triangle_point(f, a, r, s, k);
      else
         make_quad_point(f, a, across, r, s, k);
   }
}

// The last ring of an even inside.
void make_line(division d, shape f)
{
   bool along_u = f.n.x > f.n.y;
   axis a = inside_axis(d, along_u ? 0 : 1);
   uint first = first_point(f, f.last, 0);

   for (uint k = 0; k < line_points(f); k++) {
      if (f.sides == 3)
         store_point(first, ONE / 3, ONE / 3);
      else if (along_u)
         store_point(first + k, place(a, f.last + k), HALF);
      else
         store_point(first + k, HALF, place(a, a.points - 1 - f.last - k));
   }
}

// ---- triangles ----

// Points of a side: the ones at its ends, and between them those after `first`, or before it.
struct row {
   uint begin, end, count, first;
   bool back;
};

uint number_in(row r, uint k)
{
   return k == 0 ? r.begin : k + 1 >= r.count ? r.end : r.back ? r.first - k : r.first + k;
}

row row_of(shape f, uint r, uint s)
{
   row to;
   uint first = first_point(f, r, s);

   to.count = r == 0 ? f.edge[s] : along(f, s) - 2 * r;
   to.back = false;
   to.begin = to.first = first;
   to.end = s + 1 == f.sides ? first_point(f, r, 0) : first + to.count - 1;
   return to;
}

// The line's two long sides have the same points, forth and back; the short ones have the one at its end.
row row_of_line(shape f, uint s)
{
   row to;
   uint start = first_point(f, f.last, 0), last = line_points(f) - 1;
   bool is_long = f.sides == 4 && ((s & 1) != 0) == (f.n.x > f.n.y);

   to.back = is_long && s >= 2;
   to.count = is_long ? last + 1 : 1;
   to.first = start + (is_long ? (to.back ? last : 0) : s == 1 || s == 2 ? last : 0);
   to.begin = to.first;
   to.end = start + (to.back ? 0 : last);
   return to;
}

// Two rows side by side, and how far the triangles between them have come.
row outer_row, inner_row;
uint outer_k, inner_k, triangle;

uint outer_point(uint ahead)
{
   return number_in(outer_row, outer_k + ahead);
}

uint inner_point(uint ahead)
{
   return number_in(inner_row, inner_k + ahead);
}

void advance_outer()
{
   store_triangle(triangle++, outer_point(0), outer_point(1), inner_point(0));
   outer_k++;
}

void advance_inner()
{
   store_triangle(triangle++, inner_point(0), outer_point(0), inner_point(1));
   inner_k++;
}

// Points of half a row that are there before the one at a place is, when the factor grows. There are 33 places.
uint rank(uint at)
{
   return at < 2 ? 32 * at : (32 | (at - 1)) >> (findLSB(at - 1) + 1);
}

// From an edge to a ring of another factor: half a row, then its mirror.
void stitch_edge(axis edge, axis inside)
{
   uint outers = edge.middle - uint(edge.odd), inners = inside.middle - uint(inside.odd);

   for (uint i = 0; i <= 32; i++) {
      if (i > 0 && rank(i) < inners)
         advance_inner();
      if (rank(i) < outers)
         advance_outer();
   }
   if (inside.odd)
      advance_inner();
   if (edge.odd && inside.odd) {
      advance_outer();
   } else if (edge.odd) {
      store_triangle(triangle++, inner_point(0), outer_point(0), outer_point(1));
      outer_k++;
   }
   for (uint j = 0; j <= 32; j++) {
      uint i = 32 - j;

      if (rank(i) < outers)
         advance_outer();
      if (i > 0 && rank(i) < inners)
         advance_inner();
   }
}

// Between two points of each row, with the diagonal from the outer row on.
void stitch_from_outer()
{
   store_triangle(triangle++, outer_point(0), inner_point(1), inner_point(0));
   store_triangle(triangle++, outer_point(0), outer_point(1), inner_point(1));
   outer_k++;
   inner_k++;
}

// With the other one. begins_outside: how the first of both is told.
void stitch_from_inner(bool begins_outside)
{
   uint a = inner_point(0), b = outer_point(0), c = outer_point(1);

   store_triangle(triangle++, begins_outside ? b : a, begins_outside ? c : b, begins_outside ? a : c);
   store_triangle(triangle++, a, c, inner_point(1));
   outer_k++;
   inner_k++;
}

// Between rings of one factor.
void stitch_ring(uint count)
{
   advance_outer();
   for (uint i = 0; i + 1 < count; i++) {
      if (i < count / 2)
         stitch_from_outer();
      else
         stitch_from_inner(false);
   }
   advance_outer();
}

void stitch(division d, shape f, uint r, uint s)
{
   outer_row = row_of(f, r - 1, s);
   if (f.is_line && r == f.last)
      inner_row = row_of_line(f, s);
   else
      inner_row = row_of(f, r, s);
   outer_k = inner_k = 0;
   triangle = first_triangle(f, r, s);
   if (r == 1)
      stitch_edge(edge_axis(d, s), inside_axis(d, (s + 1) & 1));
   else
      stitch_ring(inner_row.count);
}

// What is inside of the last ring: a triangle, or quads along the longer direction.
void fill(division d, shape f)
{
   uint first = first_point(f, f.last, 0), side = f.n.x > f.n.y ? 1 : 0;
   bool turns = side == 0 && inside_axis(d, 1).odd;

   triangle = first_triangle(f, f.last + 1, 0);
   if (f.sides == 3) {
      store_triangle(triangle, first, first + 1, first + 2);
      return;
   }
   outer_row = row_of(f, f.last, side);
   inner_row = row_of(f, f.last, side + 2);
   uint count = outer_row.count, begin = inner_row.begin;

   // The side across, backwards.
   inner_row.back = true;
   inner_row.first = begin + count - 1;
   inner_row.begin = inner_row.end;
   inner_row.end = begin;
   outer_k = inner_k = 0;
   for (uint i = 0; i + 1 < count; i++) {
      if (turns && i == count / 2 - 1)
         stitch_from_outer();
      else
         stitch_from_inner(turns);
   }
}

// ---- patches ----

void make_corners(division d)
{
   uint sides = d.sides;

   if (gl_LocalInvocationIndex >= 1)
      return;
   for (uint i = 0; i < sides; i++) {
      // 0, 1 and 0, 0 and 1, 0; or around from 0, 0.
      uint turned = sides == 3 ? (i + 3) & 3 : i;
      store_point(i, turned == 1 || turned == 2 ? ONE : 0, turned >= 2 ? ONE : 0);
   }
   if (draw.tess_corners != 3)
      return;
   if (sides == 3) {
      store_triangle(0, 0, 1, 2);
   } else {
      store_triangle(0, 0, 1, 3);
      store_triangle(1, 1, 2, 3);
   }
}

void make_isolines(division d)
{
   axis across = lines_axis(d), a = edge_axis(d, 1);
   uint each = 2 * (a.points - 1);

   for (uint line = gl_LocalInvocationIndex; line + 1 < across.points; line += SIZE) { // none at v = 1
      for (uint i = 0; i < a.points; i++) {
         uint number = line * a.points + i, at = first_of_corners + line * each + 2 * i;

         store_point(number, place(a, i), place(across, line));
         if (draw.tess_corners == 2 && i + 1 < a.points) {
            corners.word[at] = first_of_points + number;
            corners.word[at + 1] = first_of_points + number + 1;
         }
      }
   }
}

void make_rings(division d)
{
   shape f = shape_of(d);
   uint items = (f.last + 1) * f.sides + 1;

   for (uint item = gl_LocalInvocationIndex; item < items; item += SIZE) {
      uint r = item / f.sides, s = item - r * f.sides;
      bool is_line = f.is_line && r == f.last;

      if (r > f.last) {
         if (!f.is_line && draw.tess_corners == 3)
            fill(d, f);
         continue;
      }
      if (!is_line)
         make_side(d, f, r, s);
      else if (s == 0)
         make_line(d, f);
      if (r > 0 && draw.tess_corners == 3)
         stitch(d, f, r, s);
   }
}

void main()
{
   assembly from = assembly(draw.assembly_va);
   uint number = gl_WorkGroupID.x;
   division d = division_of(from, number);

   points = words(from.a.points_va);
   corners = words(from.a.corners_va);
   first_of_points = words(from.a.firsts_va).word[2 * number];
   first_of_corners = words(from.a.firsts_va).word[2 * number + 1];
   if (d.sides == 0)
      return;
   if (d.sides == 2)
      make_isolines(d);
   else if (d.undivided)
      make_corners(d);
   else
      make_rings(d);
}
