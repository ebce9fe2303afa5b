#version 450
layout(quads, fractional_odd_spacing, cw, point_mode) in;

in gl_PerVertex
{
   vec4 gl_Position;
   float gl_ClipDistance[5];
} gl_in[];
layout(location = 0) in vec4 sum[];
layout(location = 1) in uint order[];
layout(location = 2) patch in vec4 row;
layout(location = 3) patch in Whole
{
   uint total;
   float list[3];
} whole;
layout(location = 7) in vec2 pair[][2];

layout(location = 0) out vec4 place;
layout(location = 1) out uvec2 numbers;

void
main()
{
   const int v = int(gl_TessCoord.x), k = int(gl_TessCoord.y);
   gl_Position = gl_in[v].gl_Position + vec4(gl_in[v].gl_ClipDistance[k]);
   place = sum[v] + row * gl_TessCoord.x;
   place += vec4(whole.list[k % 3], gl_TessLevelOuter[k % 4], gl_TessLevelInner[k & 1], 0);
   place.xy += pair[gl_PatchVerticesIn - 1][v & 1];
   numbers = uvec2(order[v] + whole.total, gl_PrimitiveID);
}
