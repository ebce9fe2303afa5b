#version 450
layout(location = 0) in uvec4 value;
layout(set = 0, binding = 0) writeonly buffer Out { uvec4 results[]; };
void main()
{
   results[gl_VertexIndex] = value;
   gl_Position = vec4(0, 0, 0, 1);
   gl_PointSize = 1.0;
}
