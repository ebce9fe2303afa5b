#version 450
layout(triangles_adjacency, invocations = 3) in;
layout(points, max_vertices = 8) out;

layout(location = 0) in Block
{
   vec4 a;
   layout(location = 2) uint b[2];
} block[];
layout(location = 6) in float single[];
in gl_PerVertex
{
   vec4 gl_Position;
   float gl_PointSize;
   float gl_ClipDistance[5];
} gl_in[];

layout(location = 0, stream = 0) out vec4 to_first;
layout(location = 1, stream = 1) out uvec2 to_second;

/* Vertices 1, 3 and 5 to stream 1, before each of them one to stream 0. */
void
main()
{
   for (int i = gl_InvocationID; i < 6; i += 2) {
      to_first = block[i].a + gl_in[i].gl_Position + vec4(single[5 - i]);
      gl_PointSize = gl_in[i].gl_PointSize + gl_in[i].gl_ClipDistance[i % 5];
      gl_Layer = i;
      gl_PrimitiveID = gl_PrimitiveIDIn + 7;
      EmitStreamVertex(0);
      EndStreamPrimitive(0);
      to_second = uvec2(block[i].b[i & 1], i);
      EmitStreamVertex(1);
   }
}
