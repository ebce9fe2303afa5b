#version 450
#ifndef INPUT
#define INPUT points
#endif
#ifndef OUTPUT
#define OUTPUT points
#endif
#ifndef VERTICES
#define VERTICES 2
#endif
#ifndef INVOCATIONS
#define INVOCATIONS 1
#endif
layout(INPUT, invocations = INVOCATIONS) in;
layout(OUTPUT, max_vertices = VERTICES) out;
layout(location = 0) in uvec2 label[];
layout(location = 1) in vec4 place[];
#ifdef RELAXED
#define VALUE vec4
layout(location = 0) out mediump vec4 value;
#else
#define VALUE uvec4
layout(location = 0) flat out uvec4 value;
#endif

const float side = 64;

/* The middle of a pixel, counted row by row. */
vec4
pixel(uint number)
{
   return vec4((vec2(number % 64, number / 64) + 0.5) * 2 / side - 1, 0, 1);
}

void
corner(vec2 at, VALUE what)
{
   gl_Position = vec4(at * 2 / side - 1, 0, 1);
   value = what;
   EmitVertex();
}

void
box(vec2 at, vec2 size, VALUE what)
{
   corner(at, what);
   corner(at + vec2(size.x, 0), what);
   corner(at + vec2(0, size.y), what);
   corner(at + size, what);
   EndPrimitive();
}

void
point(uint number, VALUE what)
{
   gl_Position = pixel(number);
   gl_PointSize = 1;
   value = what;
   EmitVertex();
}

void
main()
{
   const uint primitive = gl_PrimitiveIDIn, invocation = gl_InvocationID;
#if KIND == 0 /* the vertices of a primitive */
   uint labels[8] = uint[](99, 99, 99, 99, 99, 99, primitive, invocation);
   for (int i = 0; i < gl_in.length(); i++)
      labels[i] = label[i].x + 1000 * label[i].y;
   const uint number = 4 * primitive + 2 * invocation;
   point(number, VALUE(labels[0], labels[1], labels[2], labels[3]));
   point(number + 1, VALUE(labels[4], labels[5], labels[6], labels[7]));
#elif KIND == 1 /* boxes of two by two pixels, strips of their own */
   for (uint i = 0; i < VERTICES / 4; i++) {
      const uint number = primitive * (VERTICES / 4) + i;
      gl_PrimitiveID = int(100 + number);
      corner(vec2(number % 32, number / 32) * 2, VALUE(label[0].x, i, number, 7));
      gl_PrimitiveID = int(100 + number);
      corner(vec2(number % 32, number / 32) * 2 + vec2(2, 0), VALUE(label[0].x, i, number, 7));
      gl_PrimitiveID = int(100 + number);
      corner(vec2(number % 32, number / 32) * 2 + vec2(0, 2), VALUE(label[0].x, i, number, 7));
      gl_PrimitiveID = int(100 + number);
      corner(vec2(number % 32, number / 32) * 2 + vec2(2, 2), VALUE(label[0].x, i, number, 7));
      EndPrimitive();
   }
#elif KIND == 2 /* one strip over a row: each triangle has the value of its first vertex */
   for (uint i = 0; i < VERTICES; i++)
      corner(vec2(i / 2 * 4, primitive * 2 + 2 * (i & 1)), VALUE(i, label[0].x, 1, 1));
#elif KIND == 3 /* lines of eight pixels, two to a strip */
   for (uint i = 0; i < VERTICES; i++) {
      if (i % 3 == 0 && i > 0)
         EndPrimitive();
      corner(vec2(4 + i % 3 * 8, 2 * primitive + 16 * (i / 3)) + 0.5, VALUE(i, label[0].x, 2, 2));
   }
#elif KIND == 4 /* each invocation has a layer, and a viewport: one of the halves */
   for (uint i = 0; i < 4; i++) {
      gl_Layer = int(invocation);
      gl_ViewportIndex = int(invocation & 1);
      corner(vec2(64 * (i & 1), 64 * (i >> 1)), VALUE(primitive + 1, invocation, 3, 3));
   }
#elif KIND == 5 /* as many points as the vertex's number says, none for some; cuts and loops that lanes leave early */
   for (uint i = 0; i < 100; i++) {
      if (i >= label[0].x % 9)
         break;
      if ((label[0].x + i) % 4 == 3)
         continue;
      point(64 * i + primitive, VALUE(label[0].x, i, label[0].y, 4));
      if (i % 3 == 1)
         EndPrimitive();
   }
#elif KIND == 6 /* distances: the right half is clipped, odd primitives are culled; points have a size */
   const vec2 at = vec2(primitive % 8, primitive / 8) * 8;
   for (uint i = 0; i < 4; i++) {
      gl_ClipDistance[0] = (i & 1) == 0 ? 1 : -1;
      gl_CullDistance[0] = (primitive & 1) == 0 ? 1 : -1;
      corner(at + 8 * vec2(i & 1, i >> 1), VALUE(primitive, 5, 5, 5));
   }
#elif KIND == 7
   gl_Position = vec4(vec2(primitive % 8 * 8 + 4, primitive / 8 * 8 + 4) * 2 / side - 1, 0, 1);
   gl_PointSize = 1 + primitive % 4 * 2;
   gl_PointSize += 1;
   value = VALUE(primitive, 6, 6, 6);
   EmitVertex();
#elif KIND == 8 /* what each vertex had: all is read before the first is emitted */
   vec4 places[3];
   for (uint i = 0; i < 3; i++)
      places[i] = place[i];
   for (uint i = 0; i < 3; i++)
      point(64 * primitive + i, VALUE(places[i]));
#elif KIND == 9 /* one point, of all that there is room for */
   if (invocation == INVOCATIONS - 1)
      point(256 * label[0].y + primitive, VALUE(label[0].x, label[0].y, primitive, 9));
#endif
}
