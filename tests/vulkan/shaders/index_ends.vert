#version 450

/* Points at x = the vertex; in the second row those that no index is. */
void main()
{
   gl_Position = vec4(((gl_VertexIndex & 63) + 0.5) / 32 - 1, gl_VertexIndex < 64 ? -0.5 : 0.5, 0, 1);
   gl_PointSize = 1;
}
