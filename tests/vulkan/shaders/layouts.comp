/* Reads nested structs, arrays and matrices from a buffer into words in a fixed order, and writes another buffer of
 * the layout from words. LAYOUT: std140, std430, scalar; MAJOR: row_major, column_major; DYNAMIC: each component by
 * itself, with indices that are not constant; else whole vectors and matrices. */
#version 450
#extension GL_EXT_scalar_block_layout : enable
layout(local_size_x = 64) in;
struct Inner { vec3 a; float b; mat3x2 m; mat2x3 n; vec2 c[2]; };
struct Outer { float x; Inner inner[2]; mat4x3 p[2][3]; uvec3 q; float y; };
layout(LAYOUT, MAJOR, set = 0, binding = 0) readonly buffer From { Outer from[]; };
layout(LAYOUT, MAJOR, set = 0, binding = 1) writeonly buffer To { Outer to[]; };
layout(set = 0, binding = 2) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 3) writeonly buffer Words { uint words[]; };

uint lane, word = 0u;
#define ID gl_GlobalInvocationID.x
void put(float x) { words[word++ * 64u + lane] = floatBitsToUint(x); }
float get() { return uintBitsToFloat(source[word++ * 64u + lane]); }

#define EACH(columns, rows) for (uint c = 0u; c < columns; c++) for (uint r = 0u; r < rows; r++)
#ifdef DYNAMIC
#define READ_VECTOR(v, n) for (uint k = 0u; k < n; k++) put(v[k]);
#define WRITE_VECTOR(v, n) for (uint k = 0u; k < n; k++) v[k] = get();
#define READ_MATRIX(t, m, columns, rows) EACH(columns, rows) put(m[c][r]);
#define WRITE_MATRIX(t, m, columns, rows) EACH(columns, rows) m[c][r] = get();
#else
#define READ_VECTOR(v, n) { vec##n x = v; for (uint k = 0u; k < n; k++) put(x[k]); }
#define WRITE_VECTOR(v, n) { vec##n x; for (uint k = 0u; k < n; k++) x[k] = get(); v = x; }
#define READ_MATRIX(t, m, columns, rows) { t x = m; EACH(columns, rows) put(x[c][r]); }
#define WRITE_MATRIX(t, m, columns, rows) { t x; EACH(columns, rows) x[c][r] = get(); m = x; }
#endif

void main()
{
   lane = gl_LocalInvocationIndex;
   put(from[ID].x);
   for (uint i = 0u; i < 2u; i++) {
      READ_VECTOR(from[ID].inner[i].a, 3)
      put(from[ID].inner[i].b);
      READ_MATRIX(mat3x2, from[ID].inner[i].m, 3u, 2u)
      READ_MATRIX(mat2x3, from[ID].inner[i].n, 2u, 3u)
      for (uint j = 0u; j < 2u; j++)
         READ_VECTOR(from[ID].inner[i].c[j], 2)
   }
   for (uint i = 0u; i < 6u; i++)
      READ_MATRIX(mat4x3, from[ID].p[i / 3u][i % 3u], 4u, 3u)
   for (uint k = 0u; k < 3u; k++)
      put(uintBitsToFloat(from[ID].q[k]));
   put(from[ID].y);

   word = 0u;
   to[ID].x = get();
   for (uint i = 0u; i < 2u; i++) {
      WRITE_VECTOR(to[ID].inner[i].a, 3)
      to[ID].inner[i].b = get();
      WRITE_MATRIX(mat3x2, to[ID].inner[i].m, 3u, 2u)
      WRITE_MATRIX(mat2x3, to[ID].inner[i].n, 2u, 3u)
      for (uint j = 0u; j < 2u; j++)
         WRITE_VECTOR(to[ID].inner[i].c[j], 2)
   }
   for (uint i = 0u; i < 6u; i++)
      WRITE_MATRIX(mat4x3, to[ID].p[i / 3u][i % 3u], 4u, 3u)
   for (uint k = 0u; k < 3u; k++)
      to[ID].q[k] = floatBitsToUint(get());
   to[ID].y = get();
}
