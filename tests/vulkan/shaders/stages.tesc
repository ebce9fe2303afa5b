#version 450
#extension GL_GOOGLE_include_directive : require
#include "stages.glsl"
/* Each invocation passes on what another one wrote, and the patch what all had. */
layout(vertices = VERTICES) out;
layout(location = 0) flat in uvec4 value[];
layout(location = 0) out uvec2 passed[];
layout(location = 1) out uint written[];
layout(location = 2) patch out uvec4 whole;

const float factors[8] = float[](1, 2, 3.5, 5, 8.75, 6.25, 13, 0);

void main()
{
   uint h = hash(value[0].x, SEED + 1), all = 0;

   for (int i = 0; i < gl_PatchVerticesIn; i++)
      all ^= value[i].x + i;
   written[gl_InvocationID] = hash(all, gl_InvocationID);
   barrier();
   passed[gl_InvocationID] = uvec2(written[(gl_InvocationID + 1) % VERTICES], all);
   if (gl_InvocationID == 0)
      whole = uvec4(all, value[0].y / gl_PatchVerticesIn + 5 * value[0].z, gl_PatchVerticesIn, VERTICES);
   for (int i = 0; i < 4; i++)
      gl_TessLevelOuter[i] = factors[h >> 3 * i & 7];
   for (int i = 0; i < 2; i++)
      gl_TessLevelInner[i] = factors[h >> 12 + 3 * i & 7];
}
