#version 450
// Points outside that keep their attribute.
layout(push_constant) uniform Constants { uint mode, slot, value; };
layout(set = 0, binding = 2) buffer Results { uint results[]; };
layout(location = 0) in uint number;

void main()
{
   gl_PointSize = 1.0;
   gl_Position = vec4(5.0, 5.0, 0.0, 1.0);
   results[slot * 256 + gl_VertexIndex] = number;
}
