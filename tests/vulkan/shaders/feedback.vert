#version 450
void
main()
{
   gl_Position = vec4(gl_VertexIndex, gl_InstanceIndex, gl_VertexIndex * 7 % 5, 1);
}
