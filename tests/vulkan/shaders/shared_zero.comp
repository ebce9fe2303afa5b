/* Workgroup memory that is zero at the start, before, between and after what is not; PLAIN fills all of it. */
#version 450
#extension GL_EXT_null_initializer : require
layout(local_size_x = SIZE) in;

struct Part {
   vec3 a;
   uint b[5];
   bool c;
};
#ifdef PLAIN
shared uint first[16], middle[100];
shared Part parts[40];
shared uint last[WORDS];
#else
shared uint first[16], middle[100] = {};
shared Part parts[40] = {};
shared uint last[WORDS] = {};
#endif

layout(set = 0, binding = 0) buffer Out { uint result[]; };

void main()
{
   uint l = gl_LocalInvocationIndex, sum = 0u, used = 0u;
   if (l < 16u)
      first[l] = l;
   for (uint i = l; i < 100u; i += SIZE)
      sum |= middle[i];
   for (uint i = l; i < 40u; i += SIZE) {
      sum |= floatBitsToUint(parts[i].a.x) | floatBitsToUint(parts[i].a.y) | floatBitsToUint(parts[i].a.z);
      for (uint j = 0u; j < 5u; j++)
         sum |= parts[i].b[j];
      sum |= uint(parts[i].c);
   }
   for (uint i = l; i < WORDS; i += SIZE)
      sum |= last[i];
   barrier();
   /* Leave something for the next group. */
   for (uint i = l; i < 100u; i += SIZE)
      middle[i] = ~i;
   for (uint i = l; i < 40u; i += SIZE) {
      parts[i].a = vec3(i + 1u);
      for (uint j = 0u; j < 5u; j++)
         parts[i].b[j] = j + 7u;
      parts[i].c = true;
   }
   for (uint i = l; i < WORDS; i += SIZE)
      last[i] = i + 1u;
   barrier();
   for (uint i = 0u; i < 100u; i++)
      used += middle[i];
   used += last[WORDS - 1u - l % WORDS] + parts[l % 40u].b[l % 5u] + first[l & 15u];
#ifdef PLAIN
   sum = 0u;
#endif
   result[2u * gl_GlobalInvocationID.x] = sum;
   result[2u * gl_GlobalInvocationID.x + 1u] = used;
}
