#version 450
layout(vertices = 3) out;
layout(location = 0) patch out vec2 tag;

/* Levels from 0 to 32 in steps of 1/64, that every device computes alike: whole ones come by, and patches that are
 * culled. */
uint state;

float
level()
{
   state = state * 1664525u + 1013904223u;
   uint steps = state >> 21;
   if ((state >> 8 & 3u) == 0u)
      steps = (steps + 63u) & ~63u;
   return (state >> 10 & 63u) == 0u ? 0.0 : float(steps) / 64.0;
}

void
main()
{
   state = uint(gl_PrimitiveID + 1) * 2654435761u;
   for (int i = 0; i < 4; i++)
      gl_TessLevelOuter[i] = level();
   for (int i = 0; i < 2; i++)
      gl_TessLevelInner[i] = level();
   tag = vec2(gl_TessLevelOuter[1], gl_PrimitiveID);
   gl_out[gl_InvocationID].gl_Position = gl_in[2 - gl_InvocationID].gl_Position;
}
