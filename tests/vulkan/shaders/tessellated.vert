#version 450
/* Of vertex i of a patch: a number that each has alone. */
layout(location = 0) out float number;
void
main()
{
   number = float(gl_VertexIndex + 100 * gl_InstanceIndex);
   gl_Position = vec4(gl_VertexIndex, 0, 0, 1);
}
