#version 450
layout(location = 0) flat out vec4 all[30];

/* A point a pixel, with as many numbers of its own as there is room for. */
void main()
{
   int x = gl_VertexIndex & 127, y = gl_VertexIndex >> 7;
   gl_Position = vec4((x + 0.5) / 64 - 1, (y + 0.5) / 64 - 1, 0, 1);
   gl_PointSize = 1;
   for (int i = 0; i < 30; i++)
      all[i] = vec4(i, x, y, gl_VertexIndex);
}
