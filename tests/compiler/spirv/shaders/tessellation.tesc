#version 450
#define i gl_InvocationID
layout(vertices = 4) out;

layout(location = 0) in vec4 a[];
layout(location = 1) in Block
{
   uvec2 b;
   float c[2];
} block[];
in gl_PerVertex
{
   vec4 gl_Position;
   float gl_ClipDistance[5];
} gl_in[];

out gl_PerVertex
{
   vec4 gl_Position;
   float gl_ClipDistance[5];
} gl_out[];
layout(location = 0) out vec4 sum[];
layout(location = 1) out uint order[];
layout(location = 2) patch out vec4 row;
layout(location = 3) patch out Whole
{
   uint total;
   float list[3];
} whole;
layout(location = 7) out vec2 pair[][2];

void
main()
{
   const int from = i % gl_PatchVerticesIn, next = (i + 1) & 3;
   sum[i] = a[from] + a[(from + 1) % gl_PatchVerticesIn] + vec4(block[from].c[i & 1]);
   order[i] = block[from].b.y + gl_PrimitiveID;
   gl_out[i].gl_Position = gl_in[from].gl_Position * 2.0;
   gl_out[i].gl_ClipDistance[(i + gl_PrimitiveID) % 5] = gl_in[from].gl_ClipDistance[4 - i];
   row[i] = float(100 * gl_PrimitiveID + i);
   pair[i][i & 1][i >> 1] = float(i + 1);
   gl_TessLevelOuter[i] = float(i + 1);
   if (i < 2)
      gl_TessLevelInner[i] = float(8 + i);
   barrier();
   if (i == 3)
      whole.total = order[0] + order[1] + order[2] + order[3];
   if (i < 3)
      whole.list[i] = sum[next].x + row[next] + gl_out[next].gl_ClipDistance[(next + gl_PrimitiveID) % 5];
   barrier();
   sum[i].w = float(whole.total) + whole.list[i % 3];
}
