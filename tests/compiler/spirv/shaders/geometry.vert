#version 450
layout(location = 0) out Block
{
   vec4 a;
   layout(location = 2) uint b[2];
} block;
layout(location = 6) out float single;
layout(location = 9) out vec2 unread;
out gl_PerVertex
{
   vec4 gl_Position;
   float gl_PointSize;
   float gl_ClipDistance[5];
};

void
main()
{
   const float v = float(gl_VertexIndex * 1000);
   block.a = v + vec4(1, 2, 3, 4);
   if (gl_VertexIndex > 4)
      block.a = -block.a;
   block.b[0] = gl_VertexIndex + 100;
   block.b[1] = gl_VertexIndex + 200;
   single = v + 60;
   unread = vec2(v);
   gl_Position = v + vec4(10, 20, 30, 40);
   gl_PointSize = v + 50;
   for (int i = 0; i < 5; i++)
      gl_ClipDistance[i] = v + 70 + i;
}
