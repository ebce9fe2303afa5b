#version 450
layout(location = 0) out uvec2 label; /* vertex, instance */
layout(location = 1) out vec4 place;
void
main()
{
   place = vec4(gl_VertexIndex + 7, gl_VertexIndex * 3, 1, 2);
   label = uvec2(gl_VertexIndex, gl_InstanceIndex);
   gl_Position = vec4(0, 0, 0, 1);
}
