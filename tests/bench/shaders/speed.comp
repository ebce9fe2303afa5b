#version 450
// What a row of bin/bench speed runs: one of GATHER, LOADS, SHARED, INTEGER, MANDELBROT, TRANSCENDENTAL. Each
// invocation writes w of its own element, which no other one reads.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Written { uvec4 written[]; };
layout(set = 0, binding = 1) readonly buffer Read { uvec4 only_read[]; };
layout(push_constant) uniform Push { uint count; };
shared uint words[64];

uint next(uint x)
{
   return x * 1664525u + 1013904223u;
}

void main()
{
   uint i = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex, x = next(i), sum = 0u;
#if defined(GATHER)
   for (uint k = 0u; k < 32u; k++) {
      x = next(x);
      uvec3 v = written[(x >> 8) % count].xyz;
      sum += v.x ^ v.y ^ v.z;
   }
#elif defined(LOADS)
   for (uint k = 0u; k < 64u; k++) {
      uvec4 v = only_read[(i + k * 64u) % count];
      sum += v.x ^ v.y ^ v.z ^ v.w;
   }
#elif defined(SHARED)
   for (uint k = 0u; k < 64u; k++) {
      words[lane] = x + k;
      barrier();
      sum += words[lane ^ (k & 63u)];
      barrier();
   }
#elif defined(INTEGER)
   for (uint k = 0u; k < 256u; k++) {
      x = next(x ^ x >> 15);
      sum += x;
   }
#elif defined(MANDELBROT)
   vec2 c = vec2(float(i & 255u) / 128.0 - 1.5, float(i >> 8 & 255u) / 128.0 - 1.0), z = vec2(0.0);
   for (; sum < 256u && dot(z, z) < 4.0; sum++)
      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
#else
   float f = float(i & 1023u) / 1024.0;
   for (uint k = 0u; k < 64u; k++)
      f = sin(f) * exp2(-f) + sqrt(f * f + 0.25) * log2(f * f + 1.5);
   sum = uint(f * 64.0);
#endif
   written[i].w = sum;
}
