// How a patch is divided: the tessellator's rules. Source: Direct3D 11.3 functional specification, "Tessellator",
// with points in 16.16 fixed point; what the APIs add (which factors cull, limits, isolines) from the Vulkan
// specification, "Tessellator Primitive Generation".

const uint ONE = 1 << 16, HALF = ONE / 2, TWO_THIRDS = 0xaaaa;
const uint TRIANGLES = 1, QUADS = 2; // enum nir_tess_domain; others are isolines
const uint EQUAL = 1, EVEN = 2, ODD = 3; // enum nir_tess_spacing
const float LEAST = 1.0 / 65536;

// An edge, or the inside along u or v. Its halves mirror each other. A factor between two whole numbers has the
// points of both: all but the new one, number `split` of the half and after it, move from one place to the other.
struct axis {
   uint points, middle; // middle: points of a half, without the one in between
   bool odd;            // there is none in between
   uint split, fraction, floor_step, ceil_step;
};

uint part_of(uint segments)
{
   return (2 * ONE / segments + 1) / 2;
}

axis make_axis(uint factor, bool odd, uint least_points)
{
   axis a;
   uint half_factor = (factor + 1) / 2;

   half_factor += odd || half_factor == HALF ? HALF : 0;
   uint low = half_factor >> 16, high = (half_factor + ONE - 1) >> 16;
   uint whole = odd ? low - 1 : low;
   uint rest = whole == 0 ? 0 : whole & ~(1u << findMSB(whole)); // since the last power of two

   a.odd = odd;
   a.middle = high;
   a.points = max(2 * high + uint(!odd), least_points);
   a.fraction = half_factor & (ONE - 1);
   a.split = low == high ? high + 1 : odd && low == 1 ? 0 : 2 * rest + 1;
   a.floor_step = part_of(2 * low - uint(odd));
   a.ceil_step = part_of(2 * high - uint(odd));
   return a;
}

// Where a point of the axis lies.
uint place(axis a, uint i)
{
   bool mirrored = i >= a.middle;
   uint j = mirrored ? 2 * a.middle - i - uint(a.odd) : i;

   if (j == a.middle)
      return HALF;
   uint from = (j - uint(j > a.split)) * a.floor_step, to = j * a.ceil_step;
   uint at = (from * (ONE - a.fraction) + to * a.fraction + HALF) >> 16;
   return mirrored ? ONE - at : at;
}

// Factors of a patch within limits.
struct division {
   uint sides;     // 2: isolines, whose number and segments edge has; 0: the patch is culled
   bool undivided; // there are the corners only
   vec4 edge;
   vec2 inside;
};

// Of a NaN the lowest.
float limited(float factor, float low, float high)
{
   float value = factor > low ? min(factor, high) : low;

   return draw.spacing == EQUAL ? ceil(value) : value;
}

uint to_fixed(float factor)
{
   return uint(roundEven(factor * float(ONE)));
}

division limit(vec4 outer, vec2 inner)
{
   division d;
   bool odd = draw.spacing == ODD, above_one = false;
   float low = draw.spacing == EVEN ? 2.0 : 1.0, high = odd ? 63.0 : 64.0;
   uint sides = draw.domain == TRIANGLES ? 3 : draw.domain == QUADS ? 4 : 2;

   d.sides = sides;
   d.undivided = true;
   d.edge = vec4(0);
   for (uint s = 0; s < sides; s++) {
      d.sides = outer[s] > 0.0 ? d.sides : 0;
      d.edge[s] = limited(outer[s], low, high);
      above_one = above_one || d.edge[s] > 1.0 + LEAST / 2;
      d.undivided = d.undivided && to_fixed(d.edge[s]) == ONE;
   }
   if (sides == 2)
      d.edge.x = ceil(min(max(outer.x, 1.0), 64.0));
   inner.y = sides == 3 ? inner.x : inner.y;
   above_one = above_one || inner.x > 1.0 + LEAST / 2 || inner.y > 1.0 + LEAST / 2;
   // With odd segments there is always a frame between the edges and the inside, if it is thin.
   low += odd && above_one ? LEAST : 0.0;
   d.inside = vec2(limited(inner.x, low, high), limited(inner.y, low, high));
   d.undivided = d.undivided && d.inside.x <= 1.0 && d.inside.y <= 1.0;
   return d;
}

axis edge_axis(division d, uint s)
{
   float factor = d.edge[s];

   return make_axis(to_fixed(factor), draw.spacing == EQUAL ? (uint(factor) & 1) != 0 : draw.spacing == ODD, 0);
}

// 0: along u, 1: along v.
axis inside_axis(division d, uint i)
{
   float factor = d.inside[i];
   bool odd = draw.spacing == EQUAL ? (uint(factor) & 1) != 0 && factor > 1.0 : draw.spacing == ODD;

   return make_axis(to_fixed(factor), odd, odd ? 4 : 3);
}

axis lines_axis(division d)
{
   return make_axis(to_fixed(d.edge.x), (uint(d.edge.x) & 1) != 0, 0);
}

// Rings lie within each other; number 0 is made of the edges. A side of a ring ends where the next one begins. Of an
// even inside the last ring is a line, of triangles a point.
struct shape {
   uint sides;
   uvec4 edge; // points of each
   uvec2 n;    // points of the inside along u and v
   uint last;  // ring
   bool is_line;
};

shape shape_of(division d)
{
   shape f;

   f.sides = d.sides;
   f.edge = uvec4(1);
   for (uint s = 0; s < d.sides; s++)
      f.edge[s] = edge_axis(d, s).points;
   f.n = uvec2(inside_axis(d, 0).points, inside_axis(d, 1).points);
   uint shorter = min(f.n.x, f.n.y);
   f.last = (shorter - 1) / 2;
   f.is_line = (shorter & 1) != 0;
   return f;
}

// Sides 1 and 3 of a quad go along u, the others along v. All of a triangle are alike.
uint along(shape f, uint s)
{
   return (s & 1) != 0 ? f.n.x : f.n.y;
}

// Of the sides before s, what each along v and u has.
uint before_side(uint s, uint each_v, uint each_u)
{
   return (s + 1) / 2 * each_v + s / 2 * each_u;
}

// Points of the rings before r, and of their sides before s.
uint first_point(shape f, uint r, uint s)
{
   uint edges = 0;

   for (uint i = 0; i < (r == 0 ? s : 4); i++)
      edges += f.edge[i] - 1;
   if (r == 0)
      return edges;
   uvec2 inner = (r - 1) * (f.n - 1 - r), each = f.n - 1 - 2 * r;

   return edges + (f.sides == 3 ? 3 * inner.x : 2 * (inner.x + inner.y)) + before_side(s, each.y, each.x);
}

uint line_points(shape f)
{
   return max(f.n.x, f.n.y) - 2 * f.last;
}

uint points_of(shape f)
{
   return f.is_line ? first_point(f, f.last, 0) + line_points(f) : first_point(f, f.last + 1, 0);
}

// Of the triangles between rings, those ahead of the ones from side s of ring r - 1 to ring r.
uint first_triangle(shape f, uint r, uint s)
{
   uint outer = 0;

   for (uint i = 0; i < (r == 1 ? s : f.sides); i++)
      outer += along(f, i) - 3 + f.edge[i] - 1;
   if (r == 1)
      return outer;
   uvec2 inner = (r - 2) * (f.n - 1 - r), each = f.n - 2 * r;

   return outer + (f.sides == 3 ? 6 * inner.x : 4 * (inner.x + inner.y)) + 2 * before_side(s, each.y, each.x);
}

// Those between rings, and what fills an odd inside.
uint triangles_of(shape f)
{
   uint fill = f.is_line ? 0 : f.sides == 3 ? 1 : 2 * (line_points(f) - 1);

   return first_triangle(f, f.last + 1, 0) + fill;
}

// Points, and corners of primitives.
uvec2 count(division d)
{
   bool makes_points = draw.tess_corners == 1;
   uint points, triangles;

   if (d.sides == 0)
      return uvec2(0);
   if (d.sides == 2) {
      uint lines = lines_axis(d).points - 1, each = edge_axis(d, 1).points;

      return uvec2(lines * each, makes_points ? lines * each : lines * (each - 1) * 2);
   }
   if (d.undivided) {
      points = d.sides;
      triangles = d.sides - 2;
   } else {
      shape f = shape_of(d);

      points = points_of(f);
      triangles = triangles_of(f);
   }
   return uvec2(points, makes_points ? points : 3 * triangles);
}

division division_of(assembly from, uint patch_number)
{
   words factors = words(from.a.factors_va);
   vec4 outer;
   vec2 inner;

   for (uint i = 0; i < 4; i++)
      outer[i] = uintBitsToFloat(factors.word[8 * patch_number + i]);
   for (uint i = 0; i < 2; i++)
      inner[i] = uintBitsToFloat(factors.word[8 * patch_number + 4 + i]);
   return limit(outer, inner);
}
