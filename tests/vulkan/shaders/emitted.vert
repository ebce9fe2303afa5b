#version 450
layout(location = 0) out uint number;
void main()
{
   number = gl_VertexIndex + 1000 * gl_InstanceIndex;
   gl_Position = vec4(0, 0, 0, 1);
}
