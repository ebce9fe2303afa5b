#version 450
layout(location = 0) out vec4 a;
layout(location = 1) out Block
{
   uvec2 b;
   float c[2];
} block;
out gl_PerVertex
{
   vec4 gl_Position;
   float gl_ClipDistance[5];
};

void
main()
{
   const float v = float(gl_VertexIndex * 500);
   a = v + vec4(1, 2, 3, 4);
   block.b = uvec2(0, 7 * gl_VertexIndex);
   block.c[0] = v + 30;
   block.c[1] = v + 40;
   gl_Position = v + vec4(10, 20, 30, 40);
   for (int i = 0; i < 5; i++)
      gl_ClipDistance[i] = v + 70 + i;
}
