#version 450
layout(location = 0) out uvec2 label; /* vertex, instance */
void
main()
{
   label = uvec2(gl_VertexIndex, gl_InstanceIndex);
   gl_Position = vec4(0, 0, 0, 1);
}
