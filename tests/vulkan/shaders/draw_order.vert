#version 450
// A triangle that covers all that lies right of and below a pixel, one further on for each instance.
layout(push_constant) uniform Push { uint first, x, y; };
layout(location = 0) flat out uint id;
const float SIZE = 16.0;

void main()
{
   uint i = uint(gl_InstanceIndex);
   vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 8.0;
   id = first + i;
   gl_Position = vec4(vec2(x + i % 5, y + i % 3) * (2.0 / SIZE) - 1.0 + corner, 0.5, 1.0);
}
