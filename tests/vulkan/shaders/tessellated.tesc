#version 450
/* Factors come from a buffer. Each invocation passes on what another one wrote, and the patch what its invocations
 * added. */
#define PARTS (VERTICES < 5 ? VERTICES : 5)
layout(vertices = VERTICES) out;
layout(location = 0) in float number[];
layout(location = 0) out float next[];
layout(location = 1) out float sums[];
layout(location = 2) patch out vec4 whole;
layout(location = 3) patch out float parts[PARTS];
layout(set = 0, binding = 0) readonly buffer Factors {
   float factors[];
};
void
main()
{
   float sum = 0.0;
   for (int i = 0; i < gl_PatchVerticesIn; i++)
      sum += number[i];
   sums[gl_InvocationID] = sum + float(gl_InvocationID);
   if (gl_InvocationID < PARTS)
      parts[gl_InvocationID] = float(gl_InvocationID * 10);
   barrier();
   next[gl_InvocationID] = sums[(gl_InvocationID + 1) % VERTICES];
   if (gl_InvocationID == 0)
      whole = vec4(gl_PrimitiveID, gl_PatchVerticesIn, sum, parts[PARTS - 1]);
   uint at = uint(gl_PrimitiveID) * 6u;
   for (int i = 0; i < 4; i++)
      gl_TessLevelOuter[i] = factors[at + uint(i)];
   gl_TessLevelInner[0] = factors[at + 4u];
   gl_TessLevelInner[1] = factors[at + 5u];
   gl_out[gl_InvocationID].gl_Position = vec4(gl_InvocationID);
}
