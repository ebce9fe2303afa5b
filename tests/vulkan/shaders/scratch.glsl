/* Private arrays that are indexed at run time: WORDS words of one invocation, in any stage. The same in memory.c. */
#version 450
layout(constant_id = 0) const int ROUNDS = 40;
layout(set = 0, binding = 0) readonly buffer In { uint inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint results[]; };
#ifdef GROUP /* all threads have their array at once; those after the 256th write nothing */
layout(local_size_x = 1024) in;
#define INDEX min(gl_GlobalInvocationID.x, 255u)
#elif defined(COMPUTE)
layout(local_size_x = 64) in;
#define INDEX gl_GlobalInvocationID.x
#elif defined(VERTEX)
#define INDEX uint(gl_VertexIndex)
#else
layout(location = 0) out vec4 color;
#define INDEX (uint(gl_FragCoord.y) * 16u + uint(gl_FragCoord.x))
#endif

uint words[WORDS];
struct Pair { uvec3 a; uint b[5]; };

void fill(inout Pair pairs[7], uint x)
{
   for (uint i = 0u; i < 7u; i++) {
      pairs[i].a = uvec3(x, x * i, i);
      for (uint j = 0u; j < 5u; j++)
         pairs[i].b[j] = x + i * j;
   }
}

void main()
{
   uint x = inputs[INDEX], sum = 0u;
   Pair pairs[7];
   for (uint i = 0u; i < uint(ROUNDS); i++)
      words[(x * 7u + i * 97u) % uint(WORDS)] = x ^ i;
   for (uint i = 0u; i < uint(ROUNDS); i++) {
      uint at = (x * 7u + (i * 5u % uint(ROUNDS)) * 97u) % uint(WORDS);
      sum = sum * 31u + words[at];
      words[at] += sum;
   }
   fill(pairs, x);
   pairs[x % 7u].a[x % 3u] += 17u;
   pairs[(x + 1u) % 7u].b[x % 5u] = sum;
   for (uint i = 0u; i < 7u; i++) {
      Pair p = pairs[(i + x) % 7u];
      sum = sum * 31u + p.a.x + p.a.y + p.a.z + p.b[i % 5u] + p.b[x % 5u];
   }
#ifdef GROUP
   barrier();
   if (gl_GlobalInvocationID.x > 255u)
      return;
#endif
   results[INDEX] = sum;
#ifdef VERTEX
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1.0;
#elif !defined(COMPUTE) && !defined(GROUP)
   color = vec4(1);
#endif
}
