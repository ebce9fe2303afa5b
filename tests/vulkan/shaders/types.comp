/* Numbers of one type (T; V2 to V4: its vectors; M23, M32: matrices, if it has any) in uniform, storage and push
 * constant blocks of every layout: read whole and by indices that are not constant, and stored. WORDS: what carries a
 * component's bits. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_scalar_block_layout : enable
layout(local_size_x = 64) in;
struct S { T s; V2 a; V3 b; V4 c; T d[3]; V3 e[2]; T f; };
#ifdef M23
#define MEMBERS { S s[2]; M23 m; layout(row_major) M32 n; }
#else
#define MEMBERS { S s[2]; }
#endif
layout(std140, set = 0, binding = 0) uniform U MEMBERS u;
layout(std430, set = 0, binding = 1) readonly buffer B MEMBERS b;
layout(scalar, set = 0, binding = 2) readonly buffer C MEMBERS c;
layout(std430, set = 0, binding = 3) writeonly buffer W MEMBERS w;
layout(set = 0, binding = 4) writeonly buffer Out { uvec2 results[]; };
layout(push_constant, std430) uniform P { T s; V3 b; T x; V2 a; T d[2]; } p;

uint row = 0u;
void put(T x) { results[row++ * 64u + gl_LocalInvocationIndex] = WORDS(x); }
void put(V2 x) { put(x.x); put(x.y); }
void put(V3 x) { put(x.x); put(x.y); put(x.z); }
void put(V4 x) { put(x.x); put(x.y); put(x.z); put(x.w); }

#ifdef M23
#define PUT_MATRICES(from)                                                                                   \
   { M23 m = from.m; M32 n = from.n; put(m[0]); put(m[1]); put(n[0]); put(n[1]); put(n[2]); }                 \
   put(from.m[i][k]); put(from.n[k][i]); put(from.n[k]);
#else
#define PUT_MATRICES(from)
#endif
#define PUT(from)                                                                                            \
   { S s = from.s[i]; put(s.s); put(s.a); put(s.b); put(s.c); put(s.d[0]); put(s.d[1]); put(s.d[2]);          \
     put(s.e[0]); put(s.e[1]); put(s.f); }                                                                    \
   put(from.s[i].b[k]); put(from.s[i].d[k]); put(from.s[i].e[i][k]); put(from.s[1].c[i + k]);                 \
   PUT_MATRICES(from)

void main()
{
   uint i = gl_LocalInvocationIndex & 1u, k = gl_LocalInvocationIndex % 3u;
   PUT(u)
   PUT(b)
   PUT(c)
   put(p.s);
   put(p.b);
   put(p.x);
   put(p.a);
   /* Push constants take indices that are the same in all invocations: here 1. */
   put(p.d[gl_NumWorkGroups.x]);
   put(p.b[gl_NumWorkGroups.x]);
   if (gl_LocalInvocationIndex == 0u) {
      w.s[0] = b.s[0];
      w.s[1].s = b.s[1].s;
      w.s[1].a = b.s[1].a;
      w.s[1].b = b.s[1].b;
      w.s[1].c = b.s[1].c;
      w.s[1].d = b.s[1].d;
      w.s[1].f = b.s[1].f;
#ifdef M23
      w.m = b.m;
      w.n = b.n;
#endif
   }
   /* Components of one vector from several lanes. */
   if (gl_LocalInvocationIndex < 6u)
      w.s[1].e[gl_LocalInvocationIndex / 3u][k] = b.s[1].e[gl_LocalInvocationIndex / 3u][k];
}
