/* More values at once than there are vector registers, some of them there from the start. The same in memory.c. */
#version 450
layout(set = 0, binding = 0) buffer In { uint inputs[]; };
layout(set = 0, binding = 1) buffer Out { uint results[]; };

#define TEN(M, v, n) M(v##a, (n * 10u + 0u)) M(v##b, (n * 10u + 1u)) M(v##c, (n * 10u + 2u)) \
   M(v##d, (n * 10u + 3u)) M(v##e, (n * 10u + 4u)) M(v##f, (n * 10u + 5u)) M(v##g, (n * 10u + 6u)) \
   M(v##h, (n * 10u + 7u)) M(v##i, (n * 10u + 8u)) M(v##j, (n * 10u + 9u))
#define HUNDRED(M, v, n) TEN(M, v##a, (n * 10u + 0u)) TEN(M, v##b, (n * 10u + 1u)) \
   TEN(M, v##c, (n * 10u + 2u)) TEN(M, v##d, (n * 10u + 3u)) TEN(M, v##e, (n * 10u + 4u)) \
   TEN(M, v##f, (n * 10u + 5u)) TEN(M, v##g, (n * 10u + 6u)) TEN(M, v##h, (n * 10u + 7u)) \
   TEN(M, v##i, (n * 10u + 8u)) TEN(M, v##j, (n * 10u + 9u))
#define ALL(M) HUNDRED(M, x, 1u) HUNDRED(M, y, 2u) HUNDRED(M, z, 3u)
#define LOAD(v, n) uint v = inputs[(x + n * 7u) & 255u];
#define ADD(v, n) sum = sum * 31u + v;

void main()
{
   uint at = uint(gl_VertexIndex), x = inputs[at];
   ALL(LOAD)
   results[at] = x; /* perhaps one of the inputs: none may be read later */
   uint sum = x;
   ALL(ADD)
   results[at] = sum + uint(gl_InstanceIndex);
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1.0;
}
