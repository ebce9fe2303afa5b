#version 450

/* The upper left half of the target. */
void main()
{
   gl_Position = vec4(gl_VertexIndex == 1 ? 1 : -1, gl_VertexIndex == 2 ? 1 : -1, 0, 1);
}
